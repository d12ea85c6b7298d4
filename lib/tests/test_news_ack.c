/* Congestion state in link acknowledgements (thesis 6.1), rule by rule.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "one_node.h"

/* Two slots are free when eight stop being congested at a quarter. */
enum { STOP_US = 2 * ATTEMPTS * PACKET_TIME_US };

static void start(one_node_t *bench, const penstock_strategy_t *control)
{
    one_node_prepare(bench, control);
    one_node_start(bench, 0u);
}

static void fill(one_node_t *bench, int packets, penstock_time_t now)
{
    for (int i = 0; i < packets; i++) {
        CHECK_EQ(one_node_feed(bench, now), PENSTOCK_OK);
    }
}

/* Sends off the oldest packet; its acknowledgement comes with this bit. */
static void send_off(one_node_t *bench, bool congested, penstock_time_t now)
{
    bench->ack_congested = congested;
    one_node_send_off(bench, now);
}

/* Stop, probe, stop, probe, go. */
static void test_stop_ends_by_itself(void)
{
    one_node_t bench;
    start(&bench, &penstock_control_ack);
    fill(&bench, 4, 0u);
    send_off(&bench, true, 1000u);
    CHECK(penstock_stopped(&bench.node, 1000u));
    CHECK(!one_node_transmits(&bench, 1000u));
    penstock_time_t at;
    CHECK(penstock_next_deadline(&bench.node, 1000u, &at));
    CHECK_EQ(at, 1000 + STOP_US);
    penstock_tick(&bench.node, at - 1u);
    CHECK(!one_node_transmits(&bench, at - 1u));
    penstock_tick(&bench.node, at);
    CHECK(!penstock_stopped(&bench.node, at));
    send_off(&bench, true, at); /* the probe: still congested */
    CHECK(penstock_stopped(&bench.node, at));
    CHECK_EQ(bench.node.control.backpressure.until, at + STOP_US);
    at += STOP_US;
    send_off(&bench, false, at);
    CHECK(!penstock_stopped(&bench.node, at));
    CHECK(one_node_transmits(&bench, at));
    CHECK_EQ(bench.node.counters.forwarded, 3);
}

/* A probe has all its attempts; without an acknowledgement there are no news. */
static void test_failed_probe_says_nothing(void)
{
    one_node_t bench;
    start(&bench, &penstock_control_ack);
    fill(&bench, 3, 0u);
    send_off(&bench, true, 0u);
    bench.ack_congested = true; /* what a careless MAC says of an acknowledgement that did not come */
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        CHECK(one_node_transmits(&bench, STOP_US));
        one_node_report(&bench, PENSTOCK_TX_NO_CHANNEL, STOP_US);
        CHECK(one_node_transmits(&bench, STOP_US));
        one_node_report(&bench, PENSTOCK_TX_NO_ACK, STOP_US);
        CHECK(!penstock_stopped(&bench.node, STOP_US));
    }
    CHECK_EQ(one_node_drop(&bench), PENSTOCK_DROP_ATTEMPTS_EXHAUSTED);
    CHECK(one_node_transmits(&bench, STOP_US));
}

/* It does not overhear, in either direction. */
static void test_deaf_to_what_is_overheard(void)
{
    one_node_t bench;
    start(&bench, &penstock_control_ack);
    fill(&bench, 3, 0u);
    (void)one_node_hear_parent(&bench, 5u, 0u, true, 1u);
    CHECK(!penstock_stopped(&bench.node, 1u));
    send_off(&bench, true, 2u);
    (void)one_node_hear_parent(&bench, 5u, 1u, false, 3u);
    CHECK(penstock_stopped(&bench.node, 3u));
}

/* And the others do not look at acknowledgements. */
static void test_others_ignore_the_bit(void)
{
    for (const penstock_strategy_t *const *strategy = penstock_strategies; *strategy != NULL; strategy++) {
        one_node_t bench;
        start(&bench, *strategy);
        fill(&bench, 2, 0u);
        send_off(&bench, true, 1u);
        CHECK_EQ(penstock_stopped(&bench.node, 1u), *strategy == &penstock_control_ack);
    }
}

/* Children hear of it with their own packets, so a stopped node has nobody to tell, and no credit. */
static void test_no_credits(void)
{
    one_node_t bench;
    start(&bench, &penstock_control_ack);
    fill(&bench, 8, 0u);
    send_off(&bench, true, 1u);
    CHECK(penstock_congested(&bench.node)); /* seven are left */
    CHECK_EQ(bench.node.control.backpressure.credit, 0);
    CHECK(!one_node_transmits(&bench, 2u));
    CHECK(penstock_ack_congested(&bench.node));
    fill(&bench, 3, 3u);
    CHECK_EQ(bench.node.control.backpressure.credit, 0);
    CHECK(!one_node_transmits(&bench, 4u));
}

static void test_what_the_own_acknowledgement_says(void)
{
    one_node_t bench;
    start(&bench, &penstock_control_ack);
    for (int packets = 1; packets <= 8; packets++) {
        CHECK_EQ(penstock_ack_congested(&bench.node), packets > 7); /* as the packet comes, not as it is queued */
        fill(&bench, 1, 0u);
        CHECK_EQ(penstock_ack_congested(&bench.node), penstock_congested(&bench.node));
    }
}

/* The frame went to one parent, and meanwhile there is another. */
static void test_bit_of_a_former_parent(void)
{
    one_node_t bench;
    start(&bench, &penstock_control_ack);
    fill(&bench, 4, 0u);
    CHECK(one_node_transmits(&bench, 1u));
    penstock_set_parent(&bench.node, SIBLING, 2u);
    bench.ack_congested = true;
    one_node_report(&bench, PENSTOCK_TX_DONE, 3u);
    CHECK(!penstock_stopped(&bench.node, 3u));
    send_off(&bench, true, 4u); /* the new one's own bit counts */
    CHECK(penstock_stopped(&bench.node, 4u));
    penstock_set_parent(&bench.node, PARENT, 5u);
    CHECK(!penstock_stopped(&bench.node, 5u));
}

static void check_length(uint8_t capacity, uint8_t free_q8, uint32_t configured, uint32_t expected)
{
    one_node_t bench;
    one_node_prepare(&bench, &penstock_control_ack);
    bench.config.queue_capacity = capacity;
    bench.config.local_share = 1u;
    bench.config.control_params.occupancy_free_q8 = free_q8;
    bench.config.control_params.ack_stop_us = configured;
    one_node_start(&bench, 0u);
    fill(&bench, 1, 0u);
    send_off(&bench, true, 0u);
    CHECK(penstock_stopped(&bench.node, expected - 1u));
    CHECK(!penstock_stopped(&bench.node, expected));
}

static void test_length_of_the_stop(void)
{
    const uint32_t slot = ATTEMPTS * PACKET_TIME_US;
    check_length(8u, 64u, 0u, 2u * slot);
    check_length(8u, 65u, 0u, 3u * slot); /* 2.03 slots: three must be free */
    check_length(8u, 255u, 0u, 8u * slot);
    check_length(4u, 64u, 0u, slot);
    check_length(1u, 64u, 0u, slot);
    check_length(8u, 0u, 0u, slot); /* never congested itself: the least there is */
    check_length(8u, 64u, 12345u, 12345u);
}

int main(void)
{
    test_stop_ends_by_itself();
    test_failed_probe_says_nothing();
    test_deaf_to_what_is_overheard();
    test_others_ignore_the_bit();
    test_no_credits();
    test_what_the_own_acknowledgement_says();
    test_bit_of_a_former_parent();
    test_length_of_the_stop();
    return check_result();
}
