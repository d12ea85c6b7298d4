/* What others may send to the two ends of a bulk transfer: malformed, replayed, from a stranger, for another transfer.
 * It is ignored and counted, and no byte of an object is ever wrong.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdlib.h>
#include <string.h>

#include "bulk_bench.h"
#include "check.h"
#include "spec_example.h"

static bench_t bench;

static uint16_t ignored(const bench_end_t *end)
{
    penstock_bulk_progress_t progress;
    penstock_bulk_progress(&end->node, &progress);
    return progress.ignored;
}

static int find_said(const char *what, int from)
{
    for (int i = from; i < bench.logged; i++) {
        if (strcmp(bench.log[i], what) == 0) {
            return i;
        }
    }
    return -1;
}

/* A transfer of 20 packets that has come as far as `what` is said. */
static void begin(const char *what)
{
    bench_prepare(&bench, 200u, 11u);
    bench_start(&bench);
    CHECK_EQ(bench_request(&bench), PENSTOCK_OK);
    while (find_said(what, 0) < 0 && bench_step(&bench)) {
    }
}

static void finish(void)
{
    CHECK(bench_run(&bench, 1000));
    CHECK_EQ(bench.sink.last.kind, PENSTOCK_BULK_DONE);
    CHECK_EQ(bench.sink.counts[PENSTOCK_BULK_RESTARTED], 0);
    CHECK(bench_identical(&bench));
}

static uint8_t transfer(void)
{
    return bench.sink.bulk.ends.sink.transfer;
}

/* Padding included: nobody has written there in the meantime. */
static bool is_same(const void *before, const void *after, size_t len)
{
    return memcmp(before, after, len) == 0;
}

/* Ignored by the sink, and nothing changes. */
static void refused_up(penstock_addr_t origin, const penstock_bulk_pdu_t *pdu)
{
    uint8_t bytes[PENSTOCK_BULK_PDU_MAX] = {0u};
    int len = penstock_bulk_pdu_write(pdu, bytes, sizeof bytes);
    uint16_t before = ignored(&bench.sink);
    uint8_t state[sizeof(penstock_bulk_sink_t)];
    memcpy(state, &bench.sink.bulk.ends.sink, sizeof state);
    bench_forge_up(&bench, origin, bytes, (uint8_t)len);
    CHECK_EQ(ignored(&bench.sink), before + 1);
    CHECK(is_same(state, &bench.sink.bulk.ends.sink, sizeof state));
}

static void test_sink(void)
{
    begin("D 5");
    uint8_t other = (uint8_t)(transfer() + 1u);
    penstock_bulk_pdu_t data = {.kind = PENSTOCK_BULK_PDU_DATA, .transfer = transfer(), .index = 7u, .bytes_len = 10u};
    refused_up(BENCH_STRANGER, &data);
    data.transfer = other;
    refused_up(BENCH_SOURCE, &data);
    data.transfer = transfer();
    data.bytes_len = 9u; /* not as long as the packet is */
    refused_up(BENCH_SOURCE, &data);
    data.bytes_len = 10u;
    data.index = 20u; /* there is none */
    refused_up(BENCH_SOURCE, &data);
    data.index = 65535u;
    refused_up(BENCH_SOURCE, &data);
    data.index = 0u; /* it is here already; its bytes would be others */
    refused_up(BENCH_SOURCE, &data);
    penstock_bulk_pdu_t report = {.kind = PENSTOCK_BULK_PDU_REPORT,
                                  .transfer = transfer(),
                                  .sink = BENCH_SINK,
                                  .number = 1u,
                                  .length = 5u,
                                  .size = 77u};
    refused_up(BENCH_SOURCE, &report); /* nobody has queried */
    penstock_bulk_pdu_t refusal = {.kind = PENSTOCK_BULK_PDU_REFUSED,
                                   .transfer = transfer(),
                                   .sink = BENCH_STRANGER,
                                   .reason = PENSTOCK_BULK_BUSY};
    refused_up(BENCH_SOURCE, &refusal); /* for another sink */
    refusal.sink = BENCH_SINK;
    refused_up(BENCH_STRANGER, &refusal);
    refusal.transfer = other;
    refused_up(BENCH_SOURCE, &refusal);
    penstock_bulk_pdu_t query = {.kind = PENSTOCK_BULK_PDU_QUERY, .transfer = transfer()};
    refused_up(BENCH_SOURCE, &query); /* the wrong way */
    finish();

    begin("Q"); /* data before anything is known */
    data.transfer = transfer();
    data.index = 0u;
    refused_up(BENCH_SOURCE, &data);
    refusal = (penstock_bulk_pdu_t){
        .kind = PENSTOCK_BULK_PDU_REFUSED, .transfer = transfer(), .sink = BENCH_SINK, .reason = PENSTOCK_BULK_UNKNOWN};
    refused_up(BENCH_SOURCE, &refusal);
    finish();
    refused_up(BENCH_SOURCE, &data); /* and after it is over */
}

/* Ignored by the source, which goes on as it was. */
static void refused_down(penstock_addr_t sink, const penstock_bulk_pdu_t *pdu, const uint16_t *indices)
{
    uint8_t bytes[PENSTOCK_BULK_PDU_MAX] = {0u};
    int len = penstock_bulk_pdu_write(pdu, bytes, sizeof bytes);
    for (uint8_t i = 0u; i < pdu->count; i++) {
        penstock_bulk_pdu_write_index(bytes, i, indices[i]);
    }
    uint16_t before = ignored(&bench.source);
    uint8_t state[sizeof(penstock_bulk_source_t)];
    memcpy(state, &bench.source.bulk.ends.source, sizeof state);
    bench_forge_down(&bench, sink, bytes, (uint8_t)len);
    CHECK_EQ(ignored(&bench.source), before + 1);
    CHECK(is_same(state, &bench.source.bulk.ends.source, sizeof state));
}

static void test_source(void)
{
    static const uint16_t beyond[] = {3u, 20u};
    static const uint16_t falling[] = {7u, 3u};
    static const uint16_t twice[] = {7u, 7u};
    begin("D 5");
    uint8_t round = bench.source.bulk.ends.source.round;
    penstock_bulk_pdu_t nack = {.kind = PENSTOCK_BULK_PDU_NACK,
                                .transfer = transfer(),
                                .round = (uint8_t)(round + 1u),
                                .interval = 1u,
                                .length = 10u,
                                .count = 2u};
    refused_down(BENCH_SINK, &nack, beyond);
    refused_down(BENCH_SINK, &nack, falling);
    refused_down(BENCH_SINK, &nack, twice);
    penstock_bulk_pdu_t request = {.kind = PENSTOCK_BULK_PDU_REQUEST,
                                   .transfer = transfer(),
                                   .round = round, /* a replay */
                                   .interval = 1u,
                                   .length = 10u,
                                   .first = 0u,
                                   .last = 19u};
    refused_down(BENCH_SINK, &request, NULL);
    request.round = (uint8_t)(round - 5u);
    refused_down(BENCH_SINK, &request, NULL);
    request.round = (uint8_t)(round + 1u);
    request.last = 20u;
    refused_down(BENCH_SINK, &request, NULL);
    request.last = 19u;
    request.first = 20u;
    refused_down(BENCH_SINK, &request, NULL);
    request.first = 0u;
    request.length = 0u;
    refused_down(BENCH_SINK, &request, NULL);
    request.length = 11u; /* more than this node sends */
    refused_down(BENCH_SINK, &request, NULL);
    penstock_bulk_pdu_t end = {.kind = PENSTOCK_BULK_PDU_END, .transfer = (uint8_t)(transfer() + 1u)};
    refused_down(BENCH_SINK, &end, NULL);
    end.transfer = transfer();
    refused_down(BENCH_STRANGER, &end, NULL);
    end.outcome = 2u;
    refused_down(BENCH_SINK, &end, NULL);
    penstock_bulk_pdu_t query = {.kind = PENSTOCK_BULK_PDU_QUERY, .transfer = transfer(), .object = BENCH_OBJECT + 1u};
    refused_down(BENCH_SINK, &query, NULL); /* this transfer is of another object */
    finish();
}

/* Another sink is told no, and the transfer is not disturbed. */
static void test_another_sink(void)
{
    begin("D 5");
    uint8_t bytes[PENSTOCK_BULK_QUERY_LEN];
    penstock_bulk_pdu_t query = {.kind = PENSTOCK_BULK_PDU_QUERY, .transfer = transfer(), .object = BENCH_OBJECT};
    (void)penstock_bulk_pdu_write(&query, bytes, sizeof bytes);
    bench_forge_down(&bench, BENCH_STRANGER, bytes, sizeof bytes);
    CHECK(find_said("f 4", 0) > 0);
    CHECK_EQ(bench.source.counts[PENSTOCK_BULK_ASKED], 1);
    finish();
}

/* An old QUERY of the same sink makes the source forget what it was doing; it is found out and mended. */
static void test_replayed_query(void)
{
    begin("D 5");
    uint8_t bytes[PENSTOCK_BULK_QUERY_LEN];
    penstock_bulk_pdu_t query = {
        .kind = PENSTOCK_BULK_PDU_QUERY, .transfer = (uint8_t)(transfer() - 1u), .object = BENCH_OBJECT};
    (void)penstock_bulk_pdu_write(&query, bytes, sizeof bytes);
    bench_forge_down(&bench, BENCH_SINK, bytes, sizeof bytes);
    CHECK_EQ(bench.source.counts[PENSTOCK_BULK_ABANDONED], 1);
    finish();
    CHECK_EQ(bench.asked_in_vain, 0);
}

/* Every PDU cut short, from a block of its own size, and with a byte too many. */
static void test_lengths(void)
{
    uint8_t bytes[PENSTOCK_BULK_PDU_MAX + 1u];
    for (int kind = PENSTOCK_BULK_PDU_QUERY; kind <= PENSTOCK_BULK_PDU_DATA; kind++) {
        memset(bytes, 1, sizeof bytes);
        penstock_bulk_pdu_t pdu = {.kind = (uint8_t)kind,
                                   .transfer = 1u,
                                   .length = 10u,
                                   .count = 1u,
                                   .size = 100u,
                                   .reason = PENSTOCK_BULK_BUSY,
                                   .bytes_len = 1u};
        int whole = penstock_bulk_pdu_write(&pdu, bytes, sizeof bytes);
        CHECK_EQ(penstock_bulk_pdu_write(&pdu, bytes, (size_t)whole - 1u), PENSTOCK_TOO_LONG);
        for (int len = 0; len <= whole + 1; len++) {
            uint8_t *cut = malloc((size_t)len + 1u);
            memcpy(cut + 1, bytes, (size_t)len);
            penstock_bulk_pdu_t read;
            bool longer_is_fine = kind == PENSTOCK_BULK_PDU_DATA;
            bool fine = len == whole || (len > whole && longer_is_fine);
            CHECK_EQ(penstock_bulk_pdu_parse(&read, cut + 1, (size_t)len), fine ? PENSTOCK_OK : PENSTOCK_MALFORMED);
            free(cut);
        }
    }
    penstock_bulk_pdu_t read;
    bytes[0] = 0u;
    CHECK_EQ(penstock_bulk_pdu_parse(&read, bytes, 5u), PENSTOCK_UNSUPPORTED);
    bytes[0] = PENSTOCK_BULK_PDU_DATA + 1u;
    CHECK_EQ(penstock_bulk_pdu_parse(&read, bytes, 5u), PENSTOCK_UNSUPPORTED);
}

/* Anything at any time, with the right addresses and, half of the time, the right transfer. */
static void test_noise(uint32_t seed)
{
    bench_prepare(&bench, 200u, seed);
    bench.params.ends.tries = 30u;
    bench.loses_up = 40u;
    bench_start(&bench);
    CHECK_EQ(bench_request(&bench), PENSTOCK_OK);
    penstock_bulk_progress_t progress;
    int steps = 0;
    do {
        uint8_t bytes[40];
        for (size_t i = 0u; i < sizeof bytes; i++) {
            bytes[i] = (uint8_t)bench_random(&bench, bench_random(&bench, 2u) == 0u ? 4u : 256u);
        }
        bytes[0] = (uint8_t)bench_random(&bench, 9u);
        if (bytes[0] == PENSTOCK_BULK_PDU_DATA || bench_random(&bench, 2u) == 0u) {
            bytes[1] = (uint8_t)(transfer() + 1u); /* its bytes could not be told from the source's */
        } else {
            bytes[1] = transfer();
        }
        uint8_t len = (uint8_t)(1u + bench_random(&bench, sizeof bytes));
        if (bench_random(&bench, 2u) == 0u) {
            bool believed = bytes[0] == PENSTOCK_BULK_PDU_REPORT || bytes[0] == PENSTOCK_BULK_PDU_REFUSED;
            bench_forge_up(&bench, believed ? BENCH_STRANGER : BENCH_SOURCE, bytes, len);
        } else {
            bench_forge_down(&bench, BENCH_SINK, bytes, len);
        }
        (void)bench_step(&bench);
        penstock_bulk_progress(&bench.sink.node, &progress);
    } while (progress.phase != PENSTOCK_BULK_IDLE && steps++ < 20000);
    CHECK_EQ(progress.phase, PENSTOCK_BULK_IDLE);
    CHECK(bench.sink.last.kind != PENSTOCK_BULK_DONE || bench_identical(&bench));
}

static void check_example(const char *file, const char *marker, const penstock_bulk_pdu_t *pdu, const uint8_t *tail,
                          size_t tail_len)
{
    uint8_t bytes[PENSTOCK_BULK_PDU_MAX];
    uint8_t expected[PENSTOCK_BULK_PDU_MAX];
    int len = penstock_bulk_pdu_write(pdu, bytes, sizeof bytes);
    CHECK(len > 0 && (size_t)len >= tail_len);
    if (tail_len > 0u) {
        memcpy(bytes + len - tail_len, tail, tail_len);
    }
    CHECK_EQ(read_example(file, marker, expected, sizeof expected), len);
    CHECK(memcmp(bytes, expected, (size_t)len) == 0);
    penstock_bulk_pdu_t read;
    CHECK_EQ(penstock_bulk_pdu_parse(&read, expected, (size_t)len), PENSTOCK_OK);
}

static void test_specification(const char *file)
{
    penstock_bulk_pdu_t pdu = {.kind = PENSTOCK_BULK_PDU_QUERY, .transfer = 0x5Cu, .number = 2u, .object = 0x0103u};
    check_example(file, "<!-- example: bulk query -->", &pdu, NULL, 0u);
    pdu = (penstock_bulk_pdu_t){.kind = PENSTOCK_BULK_PDU_REQUEST,
                                .transfer = 0x5Cu,
                                .round = 1u,
                                .hold = 42u,
                                .interval = penstock_bulk_ticks(50000u),
                                .length = 35u,
                                .first = 0u,
                                .last = 759u};
    check_example(file, "<!-- example: bulk request -->", &pdu, NULL, 0u);
    static const uint8_t indices[] = {0x01u, 0x00u, 0x03u, 0x00u, 0x04u, 0x01u};
    pdu.kind = PENSTOCK_BULK_PDU_NACK;
    pdu.round = 2u;
    pdu.hold = 25u;
    pdu.interval = penstock_bulk_ticks(22500u);
    pdu.count = 3u;
    check_example(file, "<!-- example: bulk nack -->", &pdu, indices, sizeof indices);
    pdu = (penstock_bulk_pdu_t){.kind = PENSTOCK_BULK_PDU_END, .transfer = 0x5Cu};
    check_example(file, "<!-- example: bulk end -->", &pdu, NULL, 0u);
    pdu = (penstock_bulk_pdu_t){.kind = PENSTOCK_BULK_PDU_REPORT,
                                .transfer = 0x5Cu,
                                .sink = 0x0006u,
                                .number = 2u,
                                .held_ms = 300u,
                                .length = 35u,
                                .size = 26600u,
                                .crc = 0xCBF43926u};
    check_example(file, "<!-- example: bulk report -->", &pdu, NULL, 0u);
    pdu = (penstock_bulk_pdu_t){
        .kind = PENSTOCK_BULK_PDU_REFUSED, .transfer = 0x5Cu, .sink = 0x0006u, .reason = PENSTOCK_BULK_BUSY};
    check_example(file, "<!-- example: bulk refused -->", &pdu, NULL, 0u);
    static const uint8_t bytes[] = {0x19u, 0x7Fu, 0x00u};
    pdu = (penstock_bulk_pdu_t){
        .kind = PENSTOCK_BULK_PDU_DATA, .transfer = 0x5Cu, .index = 259u, .bytes_len = sizeof bytes};
    check_example(file, "<!-- example: bulk data -->", &pdu, bytes, sizeof bytes);
}

int main(int argc, char **argv)
{
    test_sink();
    test_source();
    test_another_sink();
    test_replayed_query();
    test_lengths();
    for (uint32_t seed = 1u; seed <= 300u; seed++) {
        test_noise(seed);
    }
    CHECK_EQ(argc, 2);
    if (argc == 2) {
        test_specification(argv[1]);
    }
    return check_result();
}
