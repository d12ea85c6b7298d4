/* The interval T: its code, Eq. 6, the rounds of control sequence numbers at the root and down a chain.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "control/wrcp_estimates.h"
#include "control/wrcp_interval.h"
#include "one_node.h"
#include "small_world.h"

enum { SECOND = 1000000, FIRST = 20, SECOND_CHILD = 30 };

static one_node_t bench;
static world_t world;

static void test_codes(void)
{
    CHECK_EQ(penstock_wrcp_interval_decode(penstock_wrcp_interval_encode(SECOND)), SECOND);
    CHECK_EQ(penstock_wrcp_interval_decode(0u), SECOND);
    CHECK_EQ(penstock_wrcp_interval_decode(255u), 256 * SECOND);
    CHECK_EQ(penstock_wrcp_interval_decode(penstock_wrcp_interval_encode(256u * SECOND)), 256 * SECOND);
    for (uint32_t us = SECOND; us < 250u * SECOND; us += 12345u) {
        uint32_t told = penstock_wrcp_interval_decode(penstock_wrcp_interval_encode(us));
        CHECK(told <= us && told + told / 16u >= us - 62500u);
    }
    for (int code = 0; code < 256; code++) {
        uint32_t us = penstock_wrcp_interval_decode((uint8_t)code);
        CHECK(us >= PENSTOCK_WRCP_INTERVAL_MIN_US && us <= PENSTOCK_WRCP_INTERVAL_MAX_US);
    }
}

static void test_average(void)
{
    CHECK_EQ(penstock_wrcp_interval_average(128u, 4096000u, 8192000u), 6144000);
    CHECK_EQ(penstock_wrcp_interval_average(192u, 4096000u, 8192000u), 5120000); /* beta weighs the past */
    CHECK_EQ(penstock_wrcp_interval_average(128u, SECOND, 0u), SECOND);          /* never less */
    CHECK_EQ(penstock_wrcp_interval_average(128u, 256u * SECOND, UINT32_MAX), 256 * SECOND);
}

static void start_root(void)
{
    one_node_prepare(&bench, &penstock_control_wrcp);
    bench.config.is_root = true;
    (void)penstock_init(&bench.node, &bench.config, 0u);
}

static void hear(uint8_t src, uint8_t acknowledged, penstock_time_t now)
{
    penstock_wrcp_fields_t fields = {.flows = 1u, .acknowledged = acknowledged};
    uint8_t bytes[PENSTOCK_WRCP_FIELDS_LEN];
    penstock_wrcp_fields_write(&fields, bytes);
    CHECK_EQ(one_node_hear_fields(&bench, src, SELF, src, bench.next_seq++, bytes, sizeof bytes, now), PENSTOCK_OK);
    penstock_delivery_t delivery;
    (void)penstock_poll_deliver(&bench.node, &delivery, now);
}

static void live_until(penstock_time_t until)
{
    penstock_time_t at;
    while (penstock_next_deadline(&bench.node, until, &at) && penstock_time_reached(until, at)) {
        penstock_tick(&bench.node, at);
    }
}

/* The control frame of a root; false: it has none to send. */
static bool sends(penstock_wrcp_fields_t *fields, penstock_time_t now)
{
    if (!one_node_transmits(&bench, now)) {
        return false;
    }
    CHECK_EQ(bench.frame.type, PENSTOCK_FRAME_CONTROL);
    penstock_wrcp_fields_read(fields, bench.frame.control);
    one_node_report(&bench, PENSTOCK_TX_DONE, now);
    return true;
}

/* Nothing comes, nothing goes: and a control frame each T where there is data. */
static void test_root_is_silent_without_data(void)
{
    penstock_wrcp_fields_t fields = {0};
    start_root();
    live_until(10 * SECOND);
    CHECK(!sends(&fields, 10 * SECOND));
    hear(FIRST, 0u, 10 * SECOND + 1);
    CHECK(!sends(&fields, 10 * SECOND + 1));
    live_until(11 * SECOND);
    CHECK(sends(&fields, 11 * SECOND));
    CHECK_EQ(fields.sequence, 1);
    CHECK_EQ(fields.flows, 0);
    CHECK_EQ(fields.total, 0);
    CHECK(!sends(&fields, 11 * SECOND));
    live_until(12 * SECOND);
    CHECK(!sends(&fields, 12 * SECOND));
}

static void test_rounds(void)
{
    penstock_wrcp_fields_t fields = {0};
    start_root();
    hear(FIRST, 0u, 1u);
    hear(SECOND_CHILD, 1u, 2u); /* it cannot know of number 1: it was not sent */
    CHECK_EQ(bench.node.control.wrcp.sequence, 1);
    live_until(SECOND);
    CHECK(sends(&fields, SECOND));
    hear(SECOND_CHILD, 1u, SECOND + 1000);
    CHECK_EQ(bench.node.control.wrcp.sequence, 1); /* the first child has not acknowledged */
    live_until(2 * SECOND);
    CHECK(sends(&fields, 2 * SECOND));
    CHECK_EQ(fields.sequence, 1); /* so it goes out again */
    hear(FIRST, 1u, 5 * SECOND);
    CHECK_EQ(bench.node.control.wrcp.sequence, 2);
    /* Four seconds since it first went out: (1 + 4) / 2. */
    CHECK(bench.node.control.wrcp.average_us <= 5u * SECOND / 2u && bench.node.control.wrcp.average_us > 2499000u);
    CHECK_EQ(penstock_wrcp_interval(&bench.node), 2375000); /* 38 of 1/16 s: the code of 39 */
    hear(FIRST, 2u, 6 * SECOND);
    hear(SECOND_CHILD, 2u, 6 * SECOND);
    CHECK_EQ(bench.node.control.wrcp.sequence, 2); /* not asked yet */
}

/* A child that goes silent is not waited for, and the round that it held up is no measure. */
static void test_silent_child(void)
{
    penstock_wrcp_fields_t fields = {0};
    start_root();
    hear(FIRST, 0u, 1u);
    hear(SECOND_CHILD, 0u, 2u);
    live_until(SECOND);
    CHECK(sends(&fields, SECOND));
    for (uint32_t second = 2u; second < 16u; second++) {
        hear(FIRST, bench.node.control.wrcp.sequence == 1u ? 1u : 0u, second * SECOND);
        live_until(second * SECOND + 1u);
    }
    CHECK_EQ(bench.node.control.wrcp.sequence, 2);
    CHECK_EQ(bench.node.control.wrcp.average_us, SECOND);
}

/* Numbers go from 1 to 15 and round again; 0 is none. */
static void test_numbers_go_round(void)
{
    penstock_wrcp_fields_t fields = {0};
    start_root();
    hear(FIRST, 0u, 1u);
    for (uint32_t round = 0u; round < 40u; round++) {
        penstock_time_t now = (round + 1u) * SECOND;
        live_until(now);
        CHECK(sends(&fields, now));
        CHECK_EQ(fields.sequence, 1u + round % 15u);
        hear(FIRST, fields.sequence, now + 1u);
    }
}

/* A node: it takes the number and T from its parent only, and acknowledges for its subtree. */
static void test_acknowledges_for_its_children(void)
{
    one_node_prepare(&bench, &penstock_control_wrcp);
    one_node_start(&bench, 0u);
    CHECK_EQ(penstock_wrcp_acknowledged(&bench.node), 0);
    uint8_t bytes[PENSTOCK_WRCP_FIELDS_LEN];
    penstock_wrcp_fields_t fields = {.sequence = 7u, .interval = penstock_wrcp_interval_encode(8u * SECOND)};
    penstock_wrcp_fields_write(&fields, bytes);
    (void)one_node_hear_fields(&bench, SECOND_CHILD, 99u, 1u, 1u, bytes, sizeof bytes, 0u);
    CHECK_EQ(penstock_wrcp_interval(&bench.node), SECOND);
    (void)one_node_hear_fields(&bench, PARENT, 1u, 1u, 1u, bytes, sizeof bytes, 0u);
    CHECK_EQ(penstock_wrcp_interval(&bench.node), 8 * SECOND);
    CHECK_EQ(penstock_wrcp_age(&bench.node), 32 * SECOND);
    CHECK_EQ(penstock_wrcp_acknowledged(&bench.node), 7); /* a leaf */
    hear(FIRST, 6u, 1u);
    CHECK_EQ(penstock_wrcp_acknowledged(&bench.node), 0);
    hear(FIRST, 7u, 2u);
    CHECK_EQ(penstock_wrcp_acknowledged(&bench.node), 7);
    /* A child that sends elsewhere is none. */
    hear(FIRST, 6u, 3u);
    fields.acknowledged = 6u;
    penstock_wrcp_fields_write(&fields, bytes);
    (void)one_node_hear_fields(&bench, FIRST, 99u, 1u, 1u, bytes, sizeof bytes, 4u);
    CHECK_EQ(penstock_wrcp_acknowledged(&bench.node), 7);
}

/* 3 -> 2 -> 1 -> 0: a packet every 2 s from the leaf alone. Each node has one frame in 2 s to tell with, so a number
 * takes two seconds a hop down, where the first is the root's own, and comes up with the packet that it meets: between
 * two and three periods, and all nodes know T. */
static void test_chain(void)
{
    world_init(&world, 4, &penstock_control_wrcp, 3u, 0u);
    for (int i = 0; i < 4; i++) {
        world.nodes[i].config.beacons = false;
        world_reboot(&world, i);
    }
    for (int i = 1; i < 4; i++) {
        world_link(&world, i, i - 1, 255u);
        penstock_set_parent(&world.nodes[i].node, (penstock_addr_t)(100 + i - 1), 0u);
    }
    for (int step = 0; step < 300 * (SECOND / WORLD_STEP_US); step++) {
        static const uint8_t payload[8] = {0u};
        if (step % (2 * SECOND / WORLD_STEP_US) == 0) {
            (void)penstock_send(&world.nodes[3].node, 0u, payload, sizeof payload, world.now, NULL, NULL);
        }
        world_step(&world);
    }
    uint32_t told = penstock_wrcp_interval(&world.nodes[0].node);
    CHECK(told >= 4u * SECOND && told <= 7u * SECOND);
    for (int i = 1; i < 4; i++) {
        CHECK_EQ(penstock_wrcp_interval(&world.nodes[i].node), told);
    }
    CHECK(world.nodes[0].node.counters.control_frames_sent > 300u / 7u / 2u);
}

int main(void)
{
    test_codes();
    test_average();
    test_root_is_silent_without_data();
    test_rounds();
    test_silent_child();
    test_numbers_go_round();
    test_acknowledges_for_its_children();
    test_chain();
    return check_result();
}
