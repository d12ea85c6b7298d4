/* The beacon timer that slows down: doubling, the second half, the longest interval, resets.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "trickle.h"

enum { LEAST = 1000, MOST = 6000 };

/* Intervals of 1, 2, 4, 6, 6 ... ms, each with its beacon in its second half, one behind the other. */
static void run(penstock_time_t origin, uint32_t seed)
{
    penstock_trickle_t trickle;
    uint32_t random = seed;
    penstock_time_t at = penstock_trickle_start(&trickle, origin);
    CHECK_EQ(at, origin);
    penstock_time_t begin = origin;
    static const uint32_t lengths[] = {1000u, 2000u, 4000u, 6000u, 6000u, 6000u};
    for (int i = 0; i < 6; i++) {
        at = penstock_trickle_fired(&trickle, LEAST, MOST, &random, at);
        CHECK_EQ(trickle.interval_us, lengths[i]);
        CHECK_EQ(trickle.ends - begin, lengths[i]);
        CHECK(at - begin >= lengths[i] / 2u && at - begin < lengths[i]);
        begin = trickle.ends;
    }
}

static void test_doubling(void)
{
    for (uint32_t seed = 1u; seed <= 50u; seed++) {
        run(5000u, seed);
        run(UINT32_MAX - 3000u, seed); /* across the wrap of the clock */
    }
}

static void test_moments_are_spread(void)
{
    penstock_time_t first = UINT32_MAX;
    penstock_time_t last = 0u;
    uint32_t random = 3u;
    for (int i = 0; i < 500; i++) {
        penstock_trickle_t trickle;
        (void)penstock_trickle_start(&trickle, 0u);
        penstock_time_t at = penstock_trickle_fired(&trickle, LEAST, MOST, &random, 0u);
        first = at < first ? at : first;
        last = at > last ? at : last;
    }
    CHECK(first < 510u);
    CHECK(last > 990u);
}

static void test_a_late_call(void)
{
    penstock_trickle_t trickle;
    uint32_t random = 7u;
    penstock_time_t at = penstock_trickle_start(&trickle, 100u);
    (void)penstock_trickle_fired(&trickle, LEAST, MOST, &random, at);
    at = penstock_trickle_fired(&trickle, LEAST, MOST, &random, 50000u); /* a node that slept */
    CHECK_EQ(trickle.ends, 52000);
    CHECK(at >= 51000u && at < 52000u);
}

static void test_reset(void)
{
    penstock_trickle_t trickle;
    uint32_t random = 9u;
    penstock_time_t at = penstock_trickle_start(&trickle, 90000u);
    at = penstock_trickle_reset(&trickle, LEAST, &random, at, 10000u); /* before the first one */
    CHECK(at >= 10500u && at < 11000u);
    penstock_time_t same = penstock_trickle_reset(&trickle, LEAST, &random, at, 10400u);
    CHECK_EQ(same, at); /* news that comes often does not put the beacon off */
    for (int i = 0; i < 4; i++) {
        at = penstock_trickle_fired(&trickle, LEAST, MOST, &random, at);
    }
    CHECK_EQ(trickle.interval_us, MOST);
    at = penstock_trickle_reset(&trickle, LEAST, &random, at, 20000u);
    CHECK(at >= 20500u && at < 21000u);
    CHECK_EQ(trickle.interval_us, LEAST);
    (void)penstock_trickle_fired(&trickle, LEAST, MOST, &random, at);
    CHECK_EQ(trickle.interval_us, 2 * LEAST); /* and doubles again */
    CHECK_EQ(trickle.ends, 23000);
}

int main(void)
{
    test_doubling();
    test_moments_are_spread();
    test_a_late_call();
    test_reset();
    return check_result();
}
