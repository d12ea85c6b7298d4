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
        "Q",       "r",                                                           /* topology query */
        "R 0-8",   "D 0", "D 1", "D 2", "D 3", "D 4", "D 5", "D 6", "D 7", "D 8", /* transfer */
        "N 1 3 4", "D 1", "D 3", "D 4",                                           /* acknowledgement */
        "N 8",     "D 8", "E 0",
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

/* The moment of a sending, in us since another. */
static uint32_t between(int earlier, int later)
{
    return bench.log_at[later] - bench.log_at[earlier];
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

/* 3 hops, packets of 10 ms, jitter of 20 ms: 2 * 3 * 30 ms is more than SRTT + 4 RTTVAR. */
static void test_time_outs(void)
{
    bench_prepare(&bench, 90u, 2u);
    bench.drops = "...........x.x......"; /* D 8, and the NACK for it */
    bench_start(&bench);
    CHECK_EQ(bench_request(&bench), PENSTOCK_OK);
    CHECK(bench_run(&bench, 200));
    int last = find_said("D 7", 0);
    int nack = find_said("N 8", 0);
    int again = find_said("N 8", nack + 1);
    /* One packet was still to come. */
    CHECK_EQ(between(last, nack), 20000 + 180000 + 10000);
    /* The answer did not come, nor to the question after that, for which the wait was twice as long. */
    CHECK_EQ(between(nack, again), 190000);
    CHECK_EQ(bench.sink.last.kind, PENSTOCK_BULK_DONE);
    CHECK_EQ(progress().rtt_us, 40000);

    /* A slow path: the measured round trips count. */
    bench_prepare(&bench, 90u, 2u);
    bench.delay_min = bench.delay_max = 500000u;
    bench.drops = ".......x";
    bench_start(&bench);
    CHECK_EQ(bench_request(&bench), PENSTOCK_OK);
    CHECK(bench_run(&bench, 200));
    int request = find_said("R 0-8", 0);
    nack = find_said("N 4", 0);
    CHECK_EQ(between(request, nack), 1000000 + 80000); /* D 8 is the last of its round */
    CHECK_EQ(progress().rtt_us, 1000000);
}

/* The time that the source's application thinks is not the path's. */
static void test_held(void)
{
    bench_prepare(&bench, 90u, 2u);
    bench.mute = true;
    bench_start(&bench);
    CHECK_EQ(bench_request(&bench), PENSTOCK_OK);
    CHECK(bench_step(&bench));
    CHECK_EQ(bench.source.last.kind, PENSTOCK_BULK_ASKED);
    CHECK_EQ(bench.source.last.object, BENCH_OBJECT);
    CHECK_EQ(bench.source.last.peer, BENCH_SINK);
    bench.now += 1500000u;
    CHECK_EQ(penstock_bulk_offer(&bench.source.node, BENCH_OBJECT + 1u, 90u, 0u, bench.now), PENSTOCK_INVALID);
    CHECK_EQ(penstock_bulk_offer(&bench.source.node, BENCH_OBJECT, 90u, bench_crc(&bench), bench.now), PENSTOCK_OK);
    CHECK_EQ(penstock_bulk_offer(&bench.source.node, BENCH_OBJECT, 90u, 0u, bench.now), PENSTOCK_INVALID);
    bench_serve(&bench);
    CHECK(bench_run(&bench, 200));
    CHECK_EQ(bench.sink.last.kind, PENSTOCK_BULK_DONE);
    CHECK_EQ(progress().rtt_us, 40000);
}

/* 2.1: conservative at first, estimated later; a source that goes on with what it knows is not told anew. */
static void test_first_rate(void)
{
    bench_prepare(&bench, 90u, 3u);
    bench.drops = "....x";
    bench_start(&bench);
    CHECK_EQ(bench_request(&bench), PENSTOCK_OK);
    while (find_said("D 5", 0) < 0 && bench_step(&bench)) {
    }
    CHECK_EQ(bench.begun, 1);
    CHECK_EQ(bench.begun_us, 30000); /* three hops of 10 ms */
    bench_reboot(&bench, &bench.source);
    CHECK(bench_run(&bench, 200));
    CHECK_EQ(bench.sink.last.kind, PENSTOCK_BULK_DONE);
    CHECK_EQ(bench.begun, 2);
    CHECK_EQ(bench.begun_us, 10000);

    bench_prepare(&bench, 90u, 3u);
    bench.params.ends.first_interval_us = 77000u;
    bench_start(&bench);
    CHECK_EQ(bench_request(&bench), PENSTOCK_OK);
    CHECK(bench_run(&bench, 200));
    CHECK_EQ(bench.begun_us, 77000);
}

/* More packets in a row than a NACK has room for. */
static void test_long_gap(void)
{
    bench_prepare(&bench, 600u, 4u);
    bench_start(&bench);
    bench.drops = "....x.xxxxxxxxxxxxxxxxxx"; /* 1 and 3 to 20 */
    CHECK_EQ(bench_request(&bench), PENSTOCK_OK);
    CHECK(bench_run(&bench, 500));
    CHECK(find_said("N 1 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20", 0) > 0); /* 21 fit */
    CHECK_EQ(progress().rounds, 2);
    CHECK_EQ(bench.sink.last.kind, PENSTOCK_BULK_DONE);
    CHECK(bench_identical(&bench));
    CHECK_EQ(bench.asked_in_vain, 0);

    bench_prepare(&bench, 600u, 4u);
    bench.params.ends.nack_max = 8u;
    bench_start(&bench);
    bench.drops = "....x.xxxxxxxxxxxxxxxxxx"; /* 1 and 3 to 20 */
    CHECK_EQ(bench_request(&bench), PENSTOCK_OK);
    CHECK(bench_run(&bench, 500));
    int nack = find_said("N 1 3 4 5 6 7 8 9", 0);
    int rest = find_said("R 10-20", 0);
    CHECK(nack > 0 && rest > nack);
    CHECK_EQ(progress().rounds, 3);
}

static void test_small_objects(void)
{
    for (uint32_t size = 1u; size <= 31u; size++) {
        bench_prepare(&bench, size, size);
        bench_start(&bench);
        CHECK_EQ(bench_request(&bench), PENSTOCK_OK);
        CHECK(bench_run(&bench, 200));
        CHECK_EQ(bench.sink.last.kind, PENSTOCK_BULK_DONE);
        CHECK(bench_identical(&bench));
        CHECK_EQ(progress().packets, (size + 9u) / 10u);
    }
}

/* Each says so within the time that the header states. */
static void test_cut(void)
{
    bench_prepare(&bench, 90u, 5u);
    bench.cut = true;
    bench_start(&bench);
    CHECK_EQ(bench_request(&bench), PENSTOCK_OK);
    penstock_time_t begun = bench.now;
    CHECK(bench_run(&bench, 200));
    CHECK_EQ(bench.sink.last.kind, PENSTOCK_BULK_FAILED);
    CHECK_EQ(bench.sink.last.reason, PENSTOCK_BULK_UNREACHABLE);
    CHECK_EQ(bench.sink.last.peer, BENCH_SOURCE);
    CHECK_EQ(bench.now - begun, (2 + 4 + 8 + 16 + 16 + 16) * 1000000);
    CHECK(bench.now - begun <= penstock_bulk_patience_us(&bench.params.ends));

    for (int steps = 1; steps < 40; steps++) {
        bench_prepare(&bench, 200u, 5u);
        bench.drops = "....x.xx";
        bench_start(&bench);
        CHECK_EQ(bench_request(&bench), PENSTOCK_OK);
        for (int i = 0; i < steps; i++) {
            (void)bench_step(&bench);
        }
        if (progress().phase == PENSTOCK_BULK_IDLE) {
            CHECK(steps > 20);
            break;
        }
        bool unanswered = progress().phase == PENSTOCK_BULK_QUERYING;
        bench.cut = true;
        memset(bench.flights, 0, sizeof bench.flights);
        begun = bench.now;
        CHECK(bench_run(&bench, 500));
        CHECK_EQ(bench.sink.last.kind, PENSTOCK_BULK_FAILED);
        CHECK_EQ(bench.sink.last.reason, unanswered ? PENSTOCK_BULK_UNREACHABLE : PENSTOCK_BULK_SILENT);
        CHECK(bench.now - begun <= penstock_bulk_patience_us(&bench.params.ends));
        /* The source notices as well. */
        while (bench.source.counts[PENSTOCK_BULK_ABANDONED] == 0 && bench_step(&bench)) {
        }
        CHECK_EQ(bench.source.counts[PENSTOCK_BULK_ABANDONED], 1);
        CHECK(bench.now - begun <= penstock_bulk_patience_us(&bench.params.ends) + 1000000u);
        /* What arrived is not asked for again. */
        bench.cut = false;
        penstock_bulk_request_t again = {.bitmap = bench.bitmap, .bitmap_len = sizeof bench.bitmap, .resume = true};
        if (penstock_bulk_checkpoint(&bench.sink.node, &again.checkpoint) == PENSTOCK_OK) {
            CHECK_EQ(penstock_bulk_request(&bench.sink.node, &again, bench.now), PENSTOCK_OK);
            bench_serve(&bench);
            CHECK(bench_run(&bench, 500));
            CHECK_EQ(bench.sink.last.kind, PENSTOCK_BULK_DONE);
            CHECK_EQ(bench.sink.counts[PENSTOCK_BULK_RESTARTED], 0);
            CHECK_EQ(bench.asked_in_vain, 0);
            CHECK(bench_identical(&bench));
        }
    }

    bench_prepare(&bench, 90u, 5u); /* an application that takes nothing */
    bench.hoards = true;
    bench_start(&bench);
    CHECK_EQ(bench_request(&bench), PENSTOCK_OK);
    CHECK(bench_run(&bench, 500));
    CHECK_EQ(bench.sink.last.reason, PENSTOCK_BULK_SILENT);
    CHECK_EQ(bench.bitmap[0], 0);
}

static void test_integrity(void)
{
    bench_prepare(&bench, 90u, 6u);
    bench.spoils = 1u;
    bench_start(&bench);
    CHECK_EQ(bench_request(&bench), PENSTOCK_OK);
    CHECK(bench_run(&bench, 500));
    CHECK_EQ(bench.sink.counts[PENSTOCK_BULK_RESTARTED], 1);
    CHECK_EQ(bench.sink.counts[PENSTOCK_BULK_STARTED], 2);
    CHECK_EQ(bench.sink.last.kind, PENSTOCK_BULK_DONE);
    CHECK_EQ(bench.source.counts[PENSTOCK_BULK_ASKED], 2);
    CHECK_EQ(bench.source.counts[PENSTOCK_BULK_SERVED], 0); /* the END is still on its way */
    CHECK(bench_step(&bench));
    CHECK_EQ(bench.source.counts[PENSTOCK_BULK_SERVED], 1);
    CHECK(bench_identical(&bench));

    bench_prepare(&bench, 90u, 6u);
    bench.spoils = 1000u;
    bench_start(&bench);
    CHECK_EQ(bench_request(&bench), PENSTOCK_OK);
    CHECK(bench_run(&bench, 500));
    CHECK_EQ(bench.sink.counts[PENSTOCK_BULK_RESTARTED], 2);
    CHECK_EQ(bench.sink.counts[PENSTOCK_BULK_DONE], 0);
    CHECK_EQ(bench.sink.last.kind, PENSTOCK_BULK_FAILED);
    CHECK_EQ(bench.sink.last.reason, PENSTOCK_BULK_INTEGRITY);
    CHECK_EQ(bench.asked_for[0], 3);
}

static void check_failed(penstock_bulk_reason_t reason)
{
    CHECK(bench_run(&bench, 500));
    CHECK_EQ(bench.sink.last.kind, PENSTOCK_BULK_FAILED);
    CHECK_EQ(bench.sink.last.reason, reason);
}

static void test_no(void)
{
    bench_prepare(&bench, 90u, 7u);
    bench.refuses = true;
    bench_start(&bench);
    CHECK_EQ(bench_request(&bench), PENSTOCK_OK);
    check_failed(PENSTOCK_BULK_REFUSED);
    bench.refuses = false; /* another time, perhaps */
    CHECK_EQ(bench_request(&bench), PENSTOCK_OK);
    CHECK(bench_run(&bench, 500));
    CHECK_EQ(bench.sink.last.kind, PENSTOCK_BULK_DONE);

    bench_prepare(&bench, 90u, 7u);
    bench_start(&bench);
    CHECK_EQ(bench_request(&bench), PENSTOCK_OK);
    while (find_said("D 2", 0) < 0 && bench_step(&bench)) {
    }
    bench.breaks = true;
    check_failed(PENSTOCK_BULK_SOURCE_STORAGE);
    CHECK_EQ(bench.source.last.kind, PENSTOCK_BULK_ABANDONED);

    bench_prepare(&bench, 90u, 7u);
    bench_start(&bench);
    CHECK_EQ(bench_request(&bench), PENSTOCK_OK);
    while (find_said("D 8", 0) < 0 && bench_step(&bench)) {
    }
    bench.breaks = true;
    check_failed(PENSTOCK_BULK_SINK_STORAGE);
}

static void test_sizes(void)
{
    bench_prepare(&bench, 10u * BENCH_BITMAP * 8u + 1u, 8u); /* one packet more than the bitmap has bits */
    bench.size = 10u * BENCH_BITMAP * 8u + 1u;
    bench_start(&bench);
    CHECK_EQ(bench_request(&bench), PENSTOCK_OK);
    check_failed(PENSTOCK_BULK_SIZE);

    bench_prepare(&bench, 0u, 8u);
    bench_start(&bench);
    CHECK_EQ(bench_request(&bench), PENSTOCK_OK);
    check_failed(PENSTOCK_BULK_SIZE);

    static const struct {
        uint32_t size;
        int result;
    } offers[] = {
        {0u, PENSTOCK_INVALID}, {655350u, PENSTOCK_OK}, {655351u, PENSTOCK_TOO_LONG}, {UINT32_MAX, PENSTOCK_TOO_LONG}};
    for (int i = 0; i < 4; i++) {
        bench_prepare(&bench, 10u, 8u);
        bench.mute = true;
        bench_start(&bench);
        CHECK_EQ(bench_request(&bench), PENSTOCK_OK);
        CHECK(bench_step(&bench));
        CHECK_EQ(penstock_bulk_offer(&bench.source.node, BENCH_OBJECT, offers[i].size, 0u, bench.now),
                 offers[i].result);
        bench_serve(&bench);
        check_failed(PENSTOCK_BULK_SIZE); /* the largest as well: the bitmap is too small */
    }
}

static void test_bad_requests(void)
{
    bench_prepare(&bench, 90u, 9u);
    bench_start(&bench);
    penstock_bulk_request_t good = {
        .source = BENCH_SOURCE, .object = 1u, .bitmap = bench.bitmap, .bitmap_len = sizeof bench.bitmap};
    penstock_node_t *sink = &bench.sink.node;
    CHECK_EQ(penstock_bulk_request(&bench.source.node, &good, bench.now), PENSTOCK_INVALID);
    penstock_bulk_request_t bad = good;
    bad.source = BENCH_SINK;
    CHECK_EQ(penstock_bulk_request(sink, &bad, bench.now), PENSTOCK_INVALID);
    bad.source = PENSTOCK_ADDR_BROADCAST;
    CHECK_EQ(penstock_bulk_request(sink, &bad, bench.now), PENSTOCK_INVALID);
    bad.source = PENSTOCK_ADDR_NONE;
    CHECK_EQ(penstock_bulk_request(sink, &bad, bench.now), PENSTOCK_INVALID);
    bad = good;
    bad.bitmap = NULL;
    CHECK_EQ(penstock_bulk_request(sink, &bad, bench.now), PENSTOCK_INVALID);
    bad = good;
    bad.bitmap_len = 0u;
    CHECK_EQ(penstock_bulk_request(sink, &bad, bench.now), PENSTOCK_INVALID);
    bad = good;
    bad.resume = true; /* from nothing */
    bad.checkpoint = (penstock_bulk_checkpoint_t){.source = BENCH_SOURCE, .packet_len = 10u};
    CHECK_EQ(penstock_bulk_request(sink, &bad, bench.now), PENSTOCK_INVALID);
    bad.checkpoint = (penstock_bulk_checkpoint_t){.source = BENCH_SOURCE, .size = 10u};
    CHECK_EQ(penstock_bulk_request(sink, &bad, bench.now), PENSTOCK_INVALID);
    bad.checkpoint = (penstock_bulk_checkpoint_t){.source = BENCH_SOURCE, .size = 5121u, .packet_len = 10u};
    CHECK_EQ(penstock_bulk_request(sink, &bad, bench.now), PENSTOCK_INVALID);
    CHECK_EQ(bench.logged, 0);

    penstock_bulk_checkpoint_t checkpoint;
    CHECK_EQ(penstock_bulk_checkpoint(sink, &checkpoint), PENSTOCK_WOULD_BLOCK);
    CHECK_EQ(penstock_bulk_checkpoint(&bench.source.node, &checkpoint), PENSTOCK_INVALID);
    CHECK_EQ(penstock_bulk_cancel(sink, bench.now), PENSTOCK_INVALID);
    CHECK_EQ(penstock_bulk_cancel(&bench.source.node, bench.now), PENSTOCK_INVALID);
    CHECK_EQ(penstock_bulk_provide(sink, bench.bitmap, 10u, bench.now), PENSTOCK_INVALID);
    CHECK_EQ(penstock_bulk_offer(&bench.source.node, 0u, 1u, 0u, bench.now), PENSTOCK_INVALID);

    CHECK_EQ(bench_request(&bench), PENSTOCK_OK);
    CHECK_EQ(penstock_bulk_request(sink, &good, bench.now), PENSTOCK_WOULD_BLOCK);
    CHECK(bench_run(&bench, 200));
    CHECK_EQ(bench.sink.last.kind, PENSTOCK_BULK_DONE);
    CHECK_EQ(bench.sink.last.object, BENCH_OBJECT);
    CHECK_EQ(penstock_bulk_checkpoint(sink, &checkpoint), PENSTOCK_OK);
    CHECK_EQ(checkpoint.size, 90);
    CHECK_EQ(checkpoint.packet_len, 10);

    bench.sink.config.bulk = NULL; /* a node without bulk transfer */
    CHECK_EQ(penstock_bulk_request(sink, &good, bench.now), PENSTOCK_INVALID);
    CHECK_EQ(penstock_bulk_cancel(sink, bench.now), PENSTOCK_INVALID);
    penstock_bulk_event_t event;
    CHECK_EQ(penstock_bulk_poll_event(sink, &event), PENSTOCK_INVALID);
    CHECK_EQ(progress().phase, PENSTOCK_BULK_IDLE);
}

static void test_cancel(void)
{
    for (int steps = 0; steps < 15; steps++) {
        bench_prepare(&bench, 200u, 10u);
        bench.read_time = steps % 2 == 0 ? 0u : 30000u;
        bench_start(&bench);
        CHECK_EQ(bench_request(&bench), PENSTOCK_OK);
        for (int i = 0; i < steps; i++) {
            CHECK(bench_step(&bench));
        }
        CHECK_EQ(penstock_bulk_cancel(&bench.sink.node, bench.now), PENSTOCK_OK);
        bench_serve(&bench);
        CHECK_EQ(bench.sink.last.kind, PENSTOCK_BULK_CANCELLED);
        /* The next one is not disturbed by what is still on its way. */
        bench.salt ^= UINT32_C(0x5A5A5A5A);
        memset(bench.store, 0, sizeof bench.store);
        CHECK_EQ(bench_request(&bench), PENSTOCK_OK);
        CHECK(bench_run(&bench, 500));
        CHECK_EQ(bench.sink.last.kind, PENSTOCK_BULK_DONE);
        CHECK_EQ(bench.sink.counts[PENSTOCK_BULK_RESTARTED], 0);
        CHECK(bench_identical(&bench));
        CHECK(steps == 0 || bench.source.counts[PENSTOCK_BULK_ABANDONED] == 1);
    }
    for (int steps = 1; steps < 15; steps++) {
        bench_prepare(&bench, 200u, 10u);
        bench_start(&bench);
        CHECK_EQ(bench_request(&bench), PENSTOCK_OK);
        for (int i = 0; i < steps; i++) {
            CHECK(bench_step(&bench));
        }
        CHECK_EQ(penstock_bulk_cancel(&bench.source.node, bench.now), PENSTOCK_OK);
        bench_serve(&bench);
        CHECK_EQ(bench.source.last.kind, PENSTOCK_BULK_ABANDONED);
        check_failed(PENSTOCK_BULK_STOPPED);
    }
}

static void test_crc(void)
{
    CHECK_EQ(penstock_crc32(0u, (const uint8_t *)"123456789", 9u), 0xCBF43926); /* the catalogues' check value */
    CHECK_EQ(penstock_crc32(0u, (const uint8_t *)"", 0u), 0);
    CHECK_EQ(penstock_crc32(0u, (const uint8_t *)"a", 1u), 0xE8B7BE43);
    CHECK_EQ(penstock_crc32(0u, (const uint8_t *)"The quick brown fox jumps over the lazy dog", 43u), 0x414FA339);
    static const uint8_t zeros[32];
    CHECK_EQ(penstock_crc32(0u, zeros, 32u), 0x190A55AD);
    CHECK_EQ(penstock_crc32(penstock_crc32(0u, (const uint8_t *)"1234", 4u), (const uint8_t *)"56789", 5u), 0xCBF43926);
}

static void test_names(void)
{
    CHECK(strcmp(penstock_bulk_reason_name(PENSTOCK_BULK_UNREACHABLE), "unreachable") == 0);
    CHECK(strcmp(penstock_bulk_reason_name(PENSTOCK_BULK_STOPPED), "stopped") == 0);
    CHECK(strcmp(penstock_bulk_reason_name(PENSTOCK_BULK_REASON_COUNT), "?") == 0);
    CHECK(strcmp(penstock_bulk_reason_name(-1), "?") == 0);
}

int main(void)
{
    test_figure_1();
    test_time_outs();
    test_held();
    test_first_rate();
    test_long_gap();
    test_small_objects();
    test_cut();
    test_integrity();
    test_no();
    test_sizes();
    test_bad_requests();
    test_cancel();
    test_crc();
    test_names();
    return check_result();
}
