/* Either end may start anew at any point of a transfer: it goes on, and nothing that arrived is asked for again.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <string.h>

#include "bulk_bench.h"
#include "check.h"

enum { STEPS = 400 };

static bench_t bench;

/* What the sink's application has in its flash: after each step all that it can know. */
static bool has_checkpoint;
static penstock_bulk_checkpoint_t checkpoint;

static void save(void)
{
    has_checkpoint = penstock_bulk_checkpoint(&bench.sink.node, &checkpoint) == PENSTOCK_OK;
}

static void begin(uint32_t seed, bool blockwise)
{
    bench_prepare(&bench, 157u, seed);
    bench.params.ends.nack_max = 3u;
    bench.params.ends.tries = 30u;
    bench.params.ends.max_retransmit = 5u;
    bench.params.ends.repair = blockwise ? PENSTOCK_BULK_REPAIR_BLOCKWISE : PENSTOCK_BULK_REPAIR_NACK;
    bench.loses_up = blockwise ? 20u : 60u;
    bench.loses_down = blockwise ? 20u : 40u;
    bench.copies = seed % 3u == 0u ? 40u : 0u;
    bench.delay_max += seed % 2u == 0u ? 50000u : 0u;
    bench.forgetful = seed % 4u == 1u;
    bench.read_time = seed % 5u == 0u ? 20000u : 0u;
    has_checkpoint = false;
    bench_start(&bench);
    CHECK_EQ(bench_request(&bench), PENSTOCK_OK);
}

/* So many steps; false when the transfer is over before. */
static bool walk(int steps)
{
    for (int i = 0; i < steps; i++) {
        penstock_bulk_progress_t progress;
        penstock_bulk_progress(&bench.sink.node, &progress);
        if (progress.phase == PENSTOCK_BULK_IDLE || !bench_step(&bench)) {
            return false;
        }
        save();
    }
    return true;
}

static void finish(const char *who, uint32_t seed, int steps)
{
    CHECK(bench_run(&bench, 20000));
    bool good = bench.sink.last.kind == PENSTOCK_BULK_DONE && bench_identical(&bench) && bench.asked_in_vain == 0 &&
                bench.sink.counts[PENSTOCK_BULK_RESTARTED] == 0;
    if (!good) {
        fprintf(stderr, "%s, seed %u, step %d: event %d, reason %d, in vain %d\n", who, (unsigned)seed, steps,
                bench.sink.last.kind, bench.sink.last.reason, bench.asked_in_vain);
    }
    CHECK(good);
}

static int source_reboots(uint32_t seed, bool blockwise)
{
    int steps = 0;
    for (;; steps++) {
        begin(seed, blockwise);
        if (!walk(steps)) {
            return steps;
        }
        bench_reboot(&bench, &bench.source);
        finish("source", seed, steps);
    }
}

static void resume(void)
{
    penstock_bulk_request_t request = {
        .source = BENCH_SOURCE,
        .object = BENCH_OBJECT,
        .bitmap = bench.bitmap,
        .bitmap_len = sizeof bench.bitmap,
        .resume = has_checkpoint,
        .checkpoint = checkpoint,
    };
    CHECK_EQ(penstock_bulk_request(&bench.sink.node, &request, bench.now), PENSTOCK_OK);
    bench_serve(&bench);
}

static int sink_reboots(uint32_t seed, bool blockwise)
{
    int steps = 0;
    for (;; steps++) {
        begin(seed, blockwise);
        if (!walk(steps)) {
            return steps;
        }
        bench_reboot(&bench, &bench.sink);
        resume();
        finish("sink", seed, steps);
    }
}

/* Both, again and again. */
static void nobody_stays_up(uint32_t seed)
{
    begin(seed, false);
    int lives = 0;
    while (lives < 40 && walk(5 + (int)bench_random(&bench, 40u))) {
        lives++;
        if (bench_random(&bench, 2u) == 0u) {
            bench_reboot(&bench, &bench.source);
        } else {
            bench_reboot(&bench, &bench.sink);
            resume();
        }
    }
    finish("both", seed, lives);
}

/* The object has become another one while the sink was down: everything is fetched anew. */
static void test_changed(void)
{
    for (int by_size = 0; by_size < 2; by_size++) {
        begin(1u, false);
        CHECK(walk(20));
        CHECK(has_checkpoint && bench.bitmap[0] != 0u);
        bench.salt ^= UINT32_C(0x5A5A5A5A);
        bench.size += by_size != 0 ? 25u : 0u;
        bench_reboot(&bench, &bench.sink);
        resume();
        CHECK(bench_run(&bench, 20000));
        CHECK_EQ(bench.sink.last.kind, PENSTOCK_BULK_DONE);
        CHECK_EQ(bench.sink.counts[PENSTOCK_BULK_RESTARTED], 1);
        CHECK(bench_identical(&bench));
    }
}

/* Nothing is missing: nobody is asked, and the check alone is made. */
static void test_all_there(void)
{
    begin(1u, false);
    CHECK(bench_run(&bench, 20000));
    save();
    bench.cut = true;
    bench_reboot(&bench, &bench.sink);
    int before = bench.logged;
    resume();
    CHECK(bench_run(&bench, 20000));
    CHECK_EQ(bench.sink.last.kind, PENSTOCK_BULK_DONE);
    CHECK_EQ(bench.logged, before + 1); /* END */
}

/* Bits behind the last packet's, from wherever, are nobody's. */
static void test_stray_bits(void)
{
    begin(1u, false);
    CHECK(walk(20));
    memset(bench.bitmap + 2, 0xFF, sizeof bench.bitmap - 2u); /* 16 packets are 2 bytes */
    bench_reboot(&bench, &bench.sink);
    resume();
    finish("stray", 1u, 20);
}

int main(void)
{
    for (uint32_t seed = 1u; seed <= 10u; seed++) {
        for (int blockwise = 0; blockwise < 2; blockwise++) {
            CHECK(source_reboots(seed, blockwise != 0) > 15);
            CHECK(sink_reboots(seed, blockwise != 0) > 15);
        }
    }
    for (uint32_t seed = 1u; seed <= 200u; seed++) {
        nobody_stays_up(seed);
    }
    test_changed();
    test_all_there();
    test_stray_bits();
    return check_result();
}
