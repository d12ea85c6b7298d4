/* Whatever the channel loses, copies and reorders, as long as something comes through at all: the object that
 * arrives is the object that was sent, and nothing that is there is asked for. Thousands of channels by chance.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <string.h>

#include "bulk_bench.h"
#include "check.h"

enum { CASES = 4000 };

static bench_t bench;

static void one(uint32_t seed, bool blockwise)
{
    bench_prepare(&bench, 0u, seed);
    bench.size = 1u + bench_random(&bench, bench_random(&bench, 4u) == 0u ? 3000u : 300u);
    bench.params.ends.packet_len = (uint8_t)(7u + bench_random(&bench, 60u));
    bench.params.ends.nack_max = (uint8_t)bench_random(&bench, 22u);
    bench.params.ends.tries = 60u; /* a channel that loses two of three is not cut */
    bench.params.ends.repair = blockwise ? PENSTOCK_BULK_REPAIR_BLOCKWISE : PENSTOCK_BULK_REPAIR_NACK;
    bench.params.ends.max_retransmit = 5u;
    uint32_t worst = blockwise ? 30u : 170u;
    bench.loses_down = bench_random(&bench, worst);
    bench.loses_up = bench_random(&bench, worst);
    bench.copies = bench_random(&bench, 3u) == 0u ? bench_random(&bench, 130u) : 0u;
    bench.delay_min = bench_random(&bench, 100000u);
    /* From an ordered channel to one that mixes a second's worth of packets. */
    bench.delay_max = bench.delay_min + (bench_random(&bench, 2u) == 0u ? bench_random(&bench, 1000000u) : 0u);
    bench.interval = 1000u + bench_random(&bench, 30000u);
    bench.read_time = bench_random(&bench, 3u) == 0u ? bench_random(&bench, 50000u) : 0u;
    bench_start(&bench);
    CHECK_EQ(bench_request(&bench), PENSTOCK_OK);
    CHECK(bench_run(&bench, 200000));
    if (bench.sink.last.kind != PENSTOCK_BULK_DONE || bench.sink.counts[PENSTOCK_BULK_RESTARTED] != 0 ||
        !bench_identical(&bench) || bench.asked_in_vain != 0) {
        fprintf(stderr, "seed %u, blockwise %d: event %d, reason %d, identical %d, asked in vain %d\n", (unsigned)seed,
                blockwise, bench.sink.last.kind, bench.sink.last.reason, bench_identical(&bench), bench.asked_in_vain);
        CHECK(false);
    }
}

/* Bytes are changed on the way, beneath the links' own CRC: never taken for the object. */
static void spoilt(uint32_t seed)
{
    bench_prepare(&bench, 0u, seed);
    bench.size = 1u + bench_random(&bench, 400u);
    bench.spoils = bench_random(&bench, 60u);
    bench.loses_up = bench_random(&bench, 60u);
    bench.params.ends.tries = 60u;
    bench_start(&bench);
    CHECK_EQ(bench_request(&bench), PENSTOCK_OK);
    CHECK(bench_run(&bench, 200000));
    bool done = bench.sink.last.kind == PENSTOCK_BULK_DONE;
    CHECK(done || bench.sink.last.reason == PENSTOCK_BULK_INTEGRITY);
    CHECK(!done || bench_identical(&bench));
}

int main(void)
{
    for (uint32_t seed = 1u; seed <= CASES; seed++) {
        one(seed, seed % 4u == 0u);
    }
    for (uint32_t seed = 1u; seed <= 300u; seed++) {
        spoilt(seed);
    }
    return check_result();
}
