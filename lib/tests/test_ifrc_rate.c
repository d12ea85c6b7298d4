/* IFRC at one node: the average queue, the thresholds, and what the rate does, against closed forms.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <math.h>

#include "check.h"
#include "control/ifrc_parts.h"
#include "one_node.h"

enum { PACKET = 4096, ONE_PPS = 65536, R_INIT = 6554, PHI = 819, SECOND = 1000000 };

static one_node_t bench;
static penstock_time_t clock_us;

static penstock_ifrc_t *state(void)
{
    return &bench.node.control.ifrc;
}

static void prepare(void)
{
    one_node_prepare(&bench, &penstock_control_ifrc);
    bench.config.local_share = QUEUE;
    clock_us = 0u;
}

static void start(void)
{
    prepare();
    one_node_start(&bench, clock_us);
}

/* Goes to the next deadline, with an application that always has a packet and a link that takes it at once. */
static void next_deadline(void)
{
    while (one_node_send(&bench, clock_us) == PENSTOCK_OK) {
        one_node_send_off(&bench, clock_us);
    }
    penstock_time_t at = clock_us;
    CHECK(penstock_next_deadline(&bench.node, clock_us, &at));
    CHECK(at != clock_us && penstock_time_reached(at, clock_us));
    clock_us = at;
    penstock_tick(&bench.node, clock_us);
}

/* Until the rate has grown. */
static void next_turn(void)
{
    uint32_t before = state()->rate;
    for (int i = 0; i < 10 && state()->rate == before; i++) {
        next_deadline();
    }
    CHECK(state()->rate > before);
}

static void test_average(void)
{
    start(); /* with w = 123/4096 */
    const uint32_t expected[] = {123u, 365u, 723u};
    for (uint8_t i = 0u; i < 3u; i++) {
        one_node_feed(&bench, 0u);
        CHECK_EQ(state()->average_q12, expected[i]);
    }
    /* 0 + 4096 w; then + (2 * 4096 - 123) w = 242.3; then + (3 * 4096 - 365) w = 358.04 */
    one_node_send_off(&bench, 0u);
    CHECK_EQ(state()->average_q12, 723u); /* only a packet that comes is a reading */
}

/* A packet that finds no room is one, acknowledged by the MAC or not. */
static void test_full_queue_is_a_reading(void)
{
    for (int acked = 0; acked < 2; acked++) {
        start();
        bench.acked = acked == 1;
        for (unsigned i = 0u; i < QUEUE; i++) {
            one_node_feed(&bench, 0u);
        }
        uint32_t before = state()->average_q12;
        one_node_feed(&bench, 0u);
        CHECK_EQ(state()->average_q12, before + (QUEUE * PACKET - before) * 123u / PACKET);
    }
}

static void test_derived_thresholds(void)
{
    prepare();
    penstock_config_t *config = &bench.config;
    config->queue_capacity = 64u;
    CHECK_EQ(penstock_ifrc_upper_q12(config, 0u), 20 * PACKET);
    CHECK_EQ(penstock_ifrc_upper_q12(config, 1u), 40 * PACKET);
    CHECK_EQ(penstock_ifrc_upper_q12(config, 2u), 50 * PACKET);
    CHECK_EQ(penstock_ifrc_upper_q12(config, 3u), 55 * PACKET);
    CHECK_EQ(penstock_ifrc_lower_q12(config), 10 * PACKET);
    config->queue_capacity = 8u;
    CHECK_EQ(penstock_ifrc_upper_q12(config, 0u), PACKET * 5 / 2);
    CHECK_EQ(penstock_ifrc_upper_q12(config, 1u), 5 * PACKET);
    CHECK_EQ(penstock_ifrc_upper_q12(config, 2u), PACKET * 25 / 4);
    CHECK_EQ(penstock_ifrc_lower_q12(config), PACKET * 5 / 4);
    CHECK_EQ(penstock_ifrc_upper_q12(config, 3u), PACKET * 55 / 8);
    config->queue_capacity = 32u; /* U(0) = 10, and twice ten more fit */
    CHECK_EQ(penstock_ifrc_upper_q12(config, 1u), 20 * PACKET);
    config->control_params.ifrc.upper = 20u; /* but not twice twenty */
    CHECK_EQ(penstock_ifrc_upper_q12(config, 1u), 26 * PACKET);
    /* The program's own. */
    config->control_params.ifrc.upper = 8u;
    config->control_params.ifrc.lower = 4u;
    config->control_params.ifrc.increment = 8u;
    CHECK_EQ(penstock_ifrc_upper_q12(config, 1u), 16 * PACKET);
    CHECK_EQ(penstock_ifrc_upper_q12(config, 2u), 20 * PACKET);
    CHECK_EQ(penstock_ifrc_upper_q12(config, 3u), 22 * PACKET);
    CHECK_EQ(penstock_ifrc_lower_q12(config), 4 * PACKET);
}

/* The queue itself as the average: thresholds 2.5, 5, 6.25, 6.875, lower 1.25. One halving each but for the last, until
 * it is below the lower. */
static void test_crossings(void)
{
    prepare();
    bench.config.control_params.ifrc.queue_weight_q12 = PACKET;
    one_node_start(&bench, 0u);
    state()->rate = 16u * ONE_PPS;
    state()->slow_start = false;
    const uint32_t rates[QUEUE] = {16u * ONE_PPS, 16u * ONE_PPS, 8u * ONE_PPS, 8u * ONE_PPS,
                                   4u * ONE_PPS,  4u * ONE_PPS,  R_INIT,       R_INIT};
    const uint8_t levels[QUEUE] = {0u, 0u, 1u, 1u, 2u, 2u, 4u, 4u}; /* 7 is beyond two of them */
    for (unsigned i = 0u; i < QUEUE; i++) {
        one_node_feed(&bench, 0u);
        CHECK_EQ(state()->rate, rates[i]);
        CHECK_EQ(state()->level, levels[i]);
        CHECK_EQ(penstock_congested(&bench.node), levels[i] > 0u);
    }
    CHECK(state()->slow_start);
    CHECK_EQ(state()->thresh, R_INIT);
    state()->rate = ONE_PPS;
    for (uint8_t left = QUEUE; left > 1u; left--) { /* down to 2, then to 1 with the packet that is the reading */
        one_node_send_off(&bench, 0u);
    }
    one_node_feed(&bench, 0u);
    CHECK_EQ(state()->level, 4); /* 2 is not below 1.25 */
    for (uint8_t i = 0u; i < 3u; i++) {
        one_node_feed(&bench, 0u);
    }
    CHECK_EQ(state()->rate, ONE_PPS); /* these thresholds were crossed already */
    while (bench.node.queue.count > 0u) {
        one_node_send_off(&bench, 0u);
    }
    one_node_feed(&bench, 0u);
    CHECK_EQ(state()->level, 0);
    CHECK(!penstock_congested(&bench.node));
}

static void test_first_congestion_ends_slow_start(void)
{
    prepare();
    bench.config.control_params.ifrc.queue_weight_q12 = PACKET;
    one_node_start(&bench, 0u);
    CHECK(state()->slow_start);
    state()->rate = 4u * ONE_PPS;
    for (uint8_t i = 0u; i < 3u; i++) {
        one_node_feed(&bench, 0u);
    }
    CHECK(!state()->slow_start);
    CHECK_EQ(state()->rate, 2u * ONE_PPS);
    CHECK_EQ(state()->thresh, 2u * ONE_PPS);
    /* A rate that falls to r_init starts slowly again. */
    state()->rate = 2u * R_INIT;
    for (uint8_t i = 0u; i < 2u; i++) {
        one_node_feed(&bench, 0u);
    }
    CHECK_EQ(state()->rate, R_INIT);
    CHECK(state()->slow_start);
}

/* r_n = r_init + n phi after the sum of the 1/r_k, which Euler and Maclaurin give as
 * ln(r_n / r_0) / phi + (1/r_0 - 1/r_n) / 2 + phi (1/r_0^2 - 1/r_n^2) / 12. */
static void test_slow_start(void)
{
    start();
    CHECK_EQ(penstock_allowed_rate(&bench.node), R_INIT);
    uint32_t packets = bench.node.counters.admitted;
    const double phi = PHI / 65536.0;
    const double r0 = R_INIT / 65536.0;
    for (int n = 1; n <= 400; n++) {
        next_turn();
        CHECK_EQ(state()->rate, R_INIT + n * PHI);
        double rn = state()->rate / 65536.0;
        double seconds = log(rn / r0) / phi + (1 / r0 - 1 / rn) / 2 + phi * (1 / (r0 * r0) - 1 / (rn * rn)) / 12;
        CHECK(fabs(clock_us / 1e6 - seconds) < 0.02);
    }
    /* A packet goes out each turn, and the first one at once. */
    packets = bench.node.counters.admitted - packets;
    CHECK(packets >= 400u && packets <= 402u);
}

/* At the ends of turns r = r_0 + delta t, delta = epsilon r_thresh^2. */
static void test_additive_increase(void)
{
    start();
    next_turn();
    state()->rate = 2u * ONE_PPS;
    state()->thresh = 2u * ONE_PPS;
    state()->slow_start = false;
    state()->turn_at = clock_us + penstock_ifrc_turn_us(state()->rate);
    penstock_time_t began = clock_us;
    const double delta = 1311.0 / 65536.0 * 4.0;
    for (int n = 0; n < 1000; n++) {
        next_turn();
        double expected = 2.0 + delta * (clock_us - began) / SECOND;
        CHECK(fabs(state()->rate / 65536.0 - expected) < 1e-3 * expected);
    }
    /* r dr = delta for each turn, so r^2 = 4 + 2 delta n: 12.8 after 1000. */
    CHECK(fabs(state()->rate / 65536.0 - sqrt(4.0 + 2.0 * delta * 1000.0)) < 0.02);
}

/* Nobody asks: nothing grows. After two turns at r_init without a packet the node begins anew. */
static void test_unused_rate_stays(void)
{
    start();
    for (int n = 0; n < 20; n++) {
        next_turn();
    }
    uint32_t rate = state()->rate;
    state()->waiting = false;
    penstock_time_t last = state()->carried_at;
    penstock_time_t at = 0u;
    while (penstock_next_deadline(&bench.node, clock_us, &at) && state()->rate == rate) {
        clock_us = at;
        penstock_tick(&bench.node, clock_us);
    }
    CHECK_EQ(state()->rate, R_INIT);
    CHECK(state()->slow_start && state()->idle);
    double silent = (clock_us - last) / 1e6;
    CHECK(silent >= 20.0 && silent < 20.0 + 2.9); /* two turns at 0.1 packets/s, and the turn at which it is seen */
}

static void test_params(void)
{
#define ACCEPTED(change) (prepare(), (void)(change), penstock_init(&bench.node, &bench.config, 0u) == PENSTOCK_OK)
    penstock_ifrc_params_t *params = &bench.config.control_params.ifrc;
    CHECK(ACCEPTED(0));
    CHECK(ACCEPTED(params->initial_rate = PENSTOCK_IFRC_INITIAL_MIN));
    CHECK(!ACCEPTED(params->initial_rate = PENSTOCK_IFRC_INITIAL_MIN - 1u));
    CHECK(ACCEPTED(params->initial_rate = PENSTOCK_IFRC_INITIAL_MAX));
    CHECK(!ACCEPTED(params->initial_rate = PENSTOCK_IFRC_INITIAL_MAX + 1u));
    CHECK(!ACCEPTED(params->slow_increase = 0u));
    CHECK(!ACCEPTED(params->slow_increase = ONE_PPS + 1u));
    CHECK(!ACCEPTED(params->epsilon_q16 = 0u));
    CHECK(!ACCEPTED(params->queue_weight_q12 = 0u));
    CHECK(ACCEPTED(params->queue_weight_q12 = PACKET));
    CHECK(!ACCEPTED(params->queue_weight_q12 = PACKET + 1u));
    CHECK(ACCEPTED(params->upper = QUEUE - 1u));
    CHECK(!ACCEPTED(params->upper = QUEUE));
    CHECK(ACCEPTED(params->lower = 2u)); /* U(0) is 2.5 */
    CHECK(!ACCEPTED(params->lower = 3u));
    CHECK(ACCEPTED(params->increment = 5u));
    CHECK(!ACCEPTED(params->increment = 6u));
    CHECK(ACCEPTED(bench.config.queue_capacity = bench.config.local_share = 1u));
    CHECK(!ACCEPTED(bench.config.peers = NULL));
    CHECK(!ACCEPTED(bench.config.max_frame_len = 44u));
    CHECK(ACCEPTED(bench.config.max_frame_len = 45u)); /* one byte of payload */
    prepare();                                         /* a strategy that does not use them does not ask for them */
    bench.config.control = &penstock_control_fusion;
    *params = (penstock_ifrc_params_t){0};
    CHECK_EQ(penstock_init(&bench.node, &bench.config, 0u), PENSTOCK_OK);
}

/* The extremes of what can be configured and heard do not overflow, stop or run away. */
static void test_extremes(void)
{
    start();
    state()->slow_start = false;
    for (int i = 0; i < 4; i++) {
        uint32_t rate = (i & 1) != 0 ? PENSTOCK_IFRC_RATE_MAX - 1u : PENSTOCK_IFRC_INITIAL_MIN;
        uint32_t thresh = (i & 2) != 0 ? PENSTOCK_IFRC_RATE_MAX : PENSTOCK_IFRC_INITIAL_MIN;
        bench.config.control_params.ifrc.epsilon_q16 = UINT16_MAX;
        state()->idle = false;
        state()->rate = rate;
        state()->thresh = thresh;
        state()->waiting = true;
        state()->turn_at = clock_us + 1u;
        state()->carried_at = clock_us;
        clock_us += 2u;
        penstock_tick(&bench.node, clock_us);
        CHECK(state()->rate > rate && state()->rate <= PENSTOCK_IFRC_RATE_MAX);
        CHECK(penstock_time_reached(state()->turn_at, clock_us + 1u));
    }
    CHECK_EQ(penstock_ifrc_turn_us(PENSTOCK_IFRC_INITIAL_MIN), 100054961); /* 655/65536 packets/s */
    CHECK_EQ(penstock_ifrc_turn_us(PENSTOCK_IFRC_RATE_MAX), 1000);
}

int main(void)
{
    test_average();
    test_full_queue_is_a_reading();
    test_derived_thresholds();
    test_crossings();
    test_first_congestion_ends_slow_start();
    test_slow_start();
    test_additive_increase();
    test_unused_rate_stays();
    test_params();
    test_extremes();
    return check_result();
}
