/* The rival, block-wise transfer: one block at a time, CoAP's waits, and the way down along the last answer's.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <string.h>

#include "bulk_bench.h"
#include "check.h"

static bench_t bench;

static void prepare(uint32_t size)
{
    bench_prepare(&bench, size, 21u);
    bench.params.ends.repair = PENSTOCK_BULK_REPAIR_BLOCKWISE;
    bench.params.ends.packet_len = 16u; /* RFC 7959's smallest */
}

static void check_log(const char *const *expected, int count)
{
    CHECK_EQ(bench.logged, count);
    for (int i = 0; i < count && i < bench.logged; i++) {
        if (strcmp(bench.log[i], expected[i]) != 0) {
            fprintf(stderr, "sending %d: \"%s\", not \"%s\"\n", i, bench.log[i], expected[i]);
            CHECK(false);
        }
    }
}

static void test_session(void)
{
    static const char *const said[] = {"Q", "r", "R 0-0", "D 0", "R 1-1", "D 1", "R 2-2", "D 2", "R 3-3", "D 3", "E 0"};
    prepare(50u);
    bench_start(&bench);
    penstock_time_t begun = bench.now;
    CHECK_EQ(bench_request(&bench), PENSTOCK_OK);
    CHECK(bench_run(&bench, 200));
    check_log(said, sizeof said / sizeof *said);
    CHECK_EQ(bench.sink.last.kind, PENSTOCK_BULK_DONE);
    CHECK(bench_identical(&bench));
    CHECK_EQ(bench.now - begun, 5 * 40000); /* a round trip for the query and for each block */
    /* The query to everybody, the requests to the neighbour that the last answer came by; nobody is to freeze. */
    CHECK_EQ(bench.log_to[0], PENSTOCK_ADDR_BROADCAST);
    for (int i = 2; i < 10; i += 2) {
        CHECK_EQ(bench.log_to[i], 5);
    }
    CHECK(!bench.sink.node.tree.frozen && !bench.source.node.tree.frozen);
}

/* A lost request and a lost block look alike; a late block is known by its number. */
static void test_losses(void)
{
    static const char *const said[] = {"Q",     "r",   "R 0-0", "D 0", "R 1-1", "R 1-1", "D 1",
                                       "R 2-2", "D 2", "R 2-2", "D 2", "R 3-3", "D 3",   "E 0"};
    prepare(50u);
    bench.drops = "....x...x.....";
    bench_start(&bench);
    CHECK_EQ(bench_request(&bench), PENSTOCK_OK);
    CHECK(bench_run(&bench, 200));
    check_log(said, sizeof said / sizeof *said);
    CHECK(bench_identical(&bench));
    uint32_t waited = bench.log_at[5] - bench.log_at[4];
    CHECK(waited >= 2000000 && waited <= 3000000); /* ACK_TIMEOUT to ACK_TIMEOUT * ACK_RANDOM_FACTOR */

    prepare(50u); /* every answer comes twice, and the second after the next request */
    bench.copies = 255u;
    bench.delay_max = 200000u;
    bench.loses_up = 100u;
    bench_start(&bench);
    CHECK_EQ(bench_request(&bench), PENSTOCK_OK);
    CHECK(bench_run(&bench, 20000));
    CHECK_EQ(bench.sink.last.kind, PENSTOCK_BULK_DONE);
    CHECK(bench_identical(&bench));
}

/* RFC 7252, 4.8.2: five transmissions, waits that double, 62 to 93 s in all. */
static void test_cut(void)
{
    prepare(50u);
    bench.drops = "....";
    bench_start(&bench);
    CHECK_EQ(bench_request(&bench), PENSTOCK_OK);
    while (bench.logged < 5 && bench_step(&bench)) {
    }
    bench.cut = true;
    memset(bench.flights, 0, sizeof bench.flights);
    CHECK(bench_run(&bench, 200));
    CHECK_EQ(bench.sink.last.kind, PENSTOCK_BULK_FAILED);
    CHECK_EQ(bench.sink.last.reason, PENSTOCK_BULK_SILENT);
    CHECK_EQ(bench.logged, 5 + 4 + 1);
    uint32_t first = bench.log_at[5] - bench.log_at[4];
    for (int i = 5; i < 9; i++) {
        CHECK_EQ(bench.log_at[i + 1] - bench.log_at[i], first << (i - 4));
        CHECK(strcmp(bench.log[i], "R 1-1") == 0);
        CHECK_EQ(bench.log_to[i], i < 7 ? 5 : PENSTOCK_ADDR_BROADCAST); /* the circuit may have broken */
    }
    uint32_t all = bench.log_at[9] - bench.log_at[4];
    CHECK(all >= 62000000 && all <= 93000000);
    CHECK_EQ(penstock_bulk_patience_us(&bench.params.ends), 92998016); /* 93 s, but for rounding */
    CHECK(all <= penstock_bulk_patience_us(&bench.params.ends));
}

int main(void)
{
    test_session();
    test_losses();
    test_cut();
    return check_result();
}
