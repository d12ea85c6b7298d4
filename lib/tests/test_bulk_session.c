/* Sessions of a bulk transfer, packet by packet: Flush's Fig. 1, its phases, its time-outs, and what an application
 * is told.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <string.h>

#include "bulk_bench.h"
#include "check.h"

static bench_t bench;

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

static penstock_bulk_progress_t progress(void)
{
    penstock_bulk_progress_t now;
    penstock_bulk_progress(&bench.sink.node, &now);
    return now;
}

/* Fig. 1: nine packets, three to a NACK; the second, fourth, fifth and ninth are lost. Numbers begin with 0 here. */
static void test_figure_1(void)
{
    static const char *const said[] = {
        "Q",     "r",                                                           /* topology query */
        "R 0-8", "D 0", "D 1", "D 2", "D 3", "D 4", "D 5", "D 6", "D 7", "D 8", /* transfer */
        "N 1 3 4", "D 1", "D 3", "D 4",                                         /* acknowledgement */
        "N 8",   "D 8",   "E 0",
    };
    bench_prepare(&bench, 90u, 1u);
    bench.params.ends.nack_max = 3u;
    bench.drops = "....x.xx...x......";
    bench_start(&bench);
    CHECK_EQ(bench_request(&bench), PENSTOCK_OK);
    CHECK(bench_run(&bench, 200));
    check_log(said, sizeof said / sizeof *said);
    CHECK_EQ(bench.sink.last.kind, PENSTOCK_BULK_DONE);
    CHECK(bench_identical(&bench));
    penstock_bulk_progress_t now = progress();
    CHECK_EQ(now.rounds, 3);
    CHECK_EQ(now.received, 9);
    CHECK_EQ(now.packets, 9);
    CHECK_EQ(now.hops, 3);
    CHECK_EQ(now.interval_us, 10000);
}

int main(void)
{
    test_figure_1();
    return check_result();
}
