/* The pace of an application that adapts (thesis 4.6), number by number.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "penstock/aimd.h"

enum { SECOND = 1000000 };

/* One packet a second offered, one in 16 s at worst, a tenth of the offered rate a step, half down. */
static const penstock_aimd_config_t config = {
    .shortest_us = SECOND,
    .longest_us = 16 * SECOND,
    .increase = PENSTOCK_AIMD_RATE(10 * SECOND),
    .decrease_q8 = 128u,
};

static void test_trace(penstock_time_t now)
{
    penstock_aimd_t pace;
    CHECK_EQ(penstock_aimd_init(&pace, &config, now), PENSTOCK_OK);
    CHECK_EQ(pace.rate, 4294); /* 2^32 us are 4294.97 s */
    CHECK(penstock_aimd_may_send(&pace, now));

    penstock_aimd_accepted(&pace, now); /* at the offered rate already */
    CHECK_EQ(pace.rate, 4294);
    CHECK_EQ(penstock_aimd_next_at(&pace), (penstock_time_t)(now + SECOND));
    CHECK(!penstock_aimd_may_send(&pace, now));
    CHECK(!penstock_aimd_may_send(&pace, now + SECOND - 1u));
    now += SECOND;
    CHECK(penstock_aimd_may_send(&pace, now));

    penstock_aimd_refused(&pace, now);
    CHECK_EQ(pace.rate, 2147);
    CHECK_EQ(penstock_aimd_interval(&pace), 2000450); /* (2^32 - 1)/2147 */
    CHECK(!penstock_aimd_may_send(&pace, now + 2000449u));
    now += 2000450u;
    CHECK(penstock_aimd_may_send(&pace, now));

    static const uint32_t up[] = {2576, 3005, 3434, 3863, 4292, 4294, 4294}; /* 429 a step */
    for (unsigned i = 0; i < sizeof up / sizeof up[0]; i++) {
        penstock_aimd_accepted(&pace, now);
        CHECK_EQ(pace.rate, up[i]);
        CHECK_EQ(penstock_aimd_next_at(&pace) - now, i < 5u ? 0xFFFFFFFFu / up[i] : SECOND);
        now = penstock_aimd_next_at(&pace);
        CHECK(penstock_aimd_may_send(&pace, now));
    }

    static const uint32_t down[] = {2147, 1073, 536, 268, 268};
    for (unsigned i = 0; i < sizeof down / sizeof down[0]; i++) {
        penstock_aimd_refused(&pace, now);
        CHECK_EQ(pace.rate, down[i]);
        CHECK_EQ(penstock_aimd_next_at(&pace) - now, i < 3u ? 0xFFFFFFFFu / down[i] : 16u * SECOND);
        now = penstock_aimd_next_at(&pace);
    }
    CHECK_EQ(penstock_aimd_interval(&pace), 16 * SECOND);
}

/* Long silence saves up nothing: after one packet the next one waits. */
static void test_no_catching_up(void)
{
    penstock_aimd_t pace;
    (void)penstock_aimd_init(&pace, &config, 0u);
    penstock_aimd_accepted(&pace, 0u);
    const penstock_time_t much_later = UINT32_C(0xC0000000); /* more than half way round the clock */
    CHECK(penstock_aimd_may_send(&pace, much_later));
    penstock_aimd_accepted(&pace, much_later);
    CHECK(!penstock_aimd_may_send(&pace, much_later));
    CHECK(!penstock_aimd_may_send(&pace, much_later + SECOND - 1u));
}

/* Within its bounds, and always moving, from the fastest to the slowest that may be asked for. */
static void test_bounds(uint32_t shortest, uint32_t longest, uint32_t increase, uint8_t decrease)
{
    const penstock_aimd_config_t odd = {shortest, longest, increase, decrease};
    penstock_aimd_t pace;
    CHECK_EQ(penstock_aimd_init(&pace, &odd, 0u), PENSTOCK_OK);
    CHECK_EQ(penstock_aimd_interval(&pace), shortest);
    uint32_t before = pace.rate + 1u;
    for (int i = 0; i < 5000 && pace.rate < before; i++) {
        before = pace.rate;
        penstock_aimd_refused(&pace, 0u);
        CHECK(penstock_aimd_interval(&pace) >= shortest && penstock_aimd_interval(&pace) <= longest);
    }
    CHECK_EQ(penstock_aimd_interval(&pace), longest);
    before = pace.rate;
    penstock_aimd_accepted(&pace, 0u);
    CHECK(pace.rate > before || shortest == longest);
    CHECK(penstock_aimd_interval(&pace) >= shortest && penstock_aimd_interval(&pace) <= longest);
}

/* Two senders at one server, refused together: their rates come together. */
static void test_fair_shares(void)
{
    penstock_aimd_t fast;
    penstock_aimd_t slow;
    (void)penstock_aimd_init(&fast, &config, 0u);
    (void)penstock_aimd_init(&slow, &config, 0u);
    slow.rate = 300u;
    for (int round = 0; round < 40; round++) {
        while (fast.rate + slow.rate < 4294u) {
            penstock_aimd_accepted(&fast, 0u);
            penstock_aimd_accepted(&slow, 0u);
        }
        penstock_aimd_refused(&fast, 0u);
        penstock_aimd_refused(&slow, 0u);
    }
    CHECK(fast.rate >= slow.rate && fast.rate - slow.rate <= 2u);
}

static void test_bad_configs(void)
{
    penstock_aimd_t pace;
    penstock_aimd_config_t bad = config;
    CHECK_EQ(penstock_aimd_init(NULL, &config, 0u), PENSTOCK_INVALID);
    CHECK_EQ(penstock_aimd_init(&pace, NULL, 0u), PENSTOCK_INVALID);
    bad.shortest_us = 999u;
    CHECK_EQ(penstock_aimd_init(&pace, &bad, 0u), PENSTOCK_INVALID);
    bad.shortest_us = 0u;
    CHECK_EQ(penstock_aimd_init(&pace, &bad, 0u), PENSTOCK_INVALID);
    bad = config;
    bad.longest_us = SECOND - 1;
    CHECK_EQ(penstock_aimd_init(&pace, &bad, 0u), PENSTOCK_INVALID);
    bad.longest_us = (UINT32_C(1) << 30) + 1u;
    CHECK_EQ(penstock_aimd_init(&pace, &bad, 0u), PENSTOCK_INVALID);
    bad = config;
    bad.increase = 0u;
    CHECK_EQ(penstock_aimd_init(&pace, &bad, 0u), PENSTOCK_INVALID);
}

int main(void)
{
    test_trace(0u);
    test_trace(UINT32_C(0xFFFFFF00)); /* across the wrap of the clock */
    test_no_catching_up();
    test_bounds(1000u, UINT32_C(1) << 30, 1u, 255u);
    test_bounds(1000u, UINT32_C(1) << 30, UINT32_C(0xFFFFFFFF), 0u);
    test_bounds(UINT32_C(1) << 30, UINT32_C(1) << 30, 1u, 128u);
    test_bounds(333333u, 1234567u, 77u, 200u);
    test_fair_shares();
    test_bad_configs();
    return check_result();
}
