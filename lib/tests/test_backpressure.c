/* Hop-by-hop flow control (thesis 4.2), rule by rule.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "one_node.h"

#include <string.h>

enum { STOP_US = QUEUE * ATTEMPTS * PACKET_TIME_US };

static void start(one_node_t *bench, penstock_time_t now)
{
    one_node_prepare(bench, &penstock_control_occupancy);
    one_node_start(bench, now);
}

static void fill(one_node_t *bench, int packets, penstock_time_t now)
{
    for (int i = 0; i < packets; i++) {
        CHECK_EQ(one_node_feed(bench, now), PENSTOCK_OK);
    }
}

/* Memory that was something else before, and a strategy that has no backpressure. */
static void test_old_memory_stops_nobody(void)
{
    for (const penstock_strategy_t *const *strategy = penstock_strategies; *strategy != NULL; strategy++) {
        one_node_t bench;
        memset(&bench.node, 0x01, sizeof bench.node);
        one_node_prepare(&bench, *strategy);
        CHECK_EQ(penstock_init(&bench.node, &bench.config, 0u), PENSTOCK_OK);
        penstock_set_parent(&bench.node, 0x0101u, 0u);
        CHECK(!penstock_stopped(&bench.node, 0x01010000u));
        CHECK(!penstock_congested(&bench.node));
    }
}

static void test_stop_and_go(void)
{
    one_node_t bench;
    start(&bench, 0u);
    fill(&bench, 2, 0u);
    CHECK(!penstock_stopped(&bench.node, 0u));
    (void)one_node_hear(&bench, SIBLING, PARENT, 5u, 0u, true, 10u); /* not the parent's bit */
    CHECK(!penstock_stopped(&bench.node, 10u));
    (void)one_node_hear_parent(&bench, 5u, 0u, true, 20u);
    CHECK(penstock_stopped(&bench.node, 20u));
    CHECK(!one_node_transmits(&bench, 30u));
    (void)one_node_hear_parent(&bench, 5u, 1u, false, 40u);
    CHECK(!penstock_stopped(&bench.node, 40u));
    CHECK(one_node_transmits(&bench, 40u));
}

static void test_any_frame_of_the_parent(void)
{
    one_node_t bench;
    start(&bench, 0u);
    fill(&bench, 1, 0u);
    penstock_beacon_t beacon = {.root = 1u, .etx = PENSTOCK_ETX_NONE, .parent = PENSTOCK_ADDR_NONE};
    (void)one_node_hear_beacon(&bench, PARENT, &beacon, 0u, true, 1u);
    CHECK(penstock_stopped(&bench.node, 1u));
    (void)one_node_hear_beacon(&bench, PARENT, &beacon, 0u, false, 2u);
    CHECK(!penstock_stopped(&bench.node, 2u));
    /* A duplicate for this node is not new, but it is not the parent's either; data from the parent is. */
    (void)one_node_hear(&bench, PARENT, SELF, 5u, 0u, true, 3u);
    CHECK(penstock_stopped(&bench.node, 3u));
}

/* The clearing bit is lost: the child goes on by itself, and not before the bound. */
static void test_missed_clearing_bit(void)
{
    one_node_t bench;
    start(&bench, 0u);
    fill(&bench, 1, 0u);
    (void)one_node_hear_parent(&bench, 5u, 0u, true, 1000u);
    (void)one_node_hear_parent(&bench, 5u, 1u, true, 5000u); /* renews the stop */
    penstock_time_t at;
    CHECK(penstock_next_deadline(&bench.node, 6000u, &at));
    CHECK_EQ(at, 5000u + STOP_US);
    penstock_tick(&bench.node, at - 1u);
    CHECK(!one_node_transmits(&bench, at - 1u));
    CHECK(penstock_stopped(&bench.node, at - 1u));
    penstock_tick(&bench.node, at);
    CHECK(!penstock_stopped(&bench.node, at));
    CHECK(one_node_transmits(&bench, at));
    CHECK(!penstock_next_deadline(&bench.node, at, &at));
}

static void test_configured_bound(void)
{
    one_node_t bench;
    one_node_prepare(&bench, &penstock_control_occupancy);
    bench.config.control_params.stop_timeout_us = 77000u;
    one_node_start(&bench, 0u);
    (void)one_node_hear_parent(&bench, 5u, 0u, true, 0u);
    CHECK(penstock_stopped(&bench.node, 76999u));
    CHECK(!penstock_stopped(&bench.node, 77000u));
}

/* An untouched stop does not come back when the clock has gone round. */
static void test_stop_is_over_for_good(void)
{
    one_node_t bench;
    start(&bench, 0u);
    (void)one_node_hear_parent(&bench, 5u, 0u, true, 0u);
    CHECK(!penstock_stopped(&bench.node, UINT32_C(0x90000000)));
    CHECK(!penstock_stopped(&bench.node, UINT32_C(0xFFFFFFFF)));
}

/* A stopped node that is not congested sends nothing; one that is may send one packet. */
static void test_one_packet_when_congested(void)
{
    one_node_t bench;
    start(&bench, 0u);
    fill(&bench, 6, 0u);
    (void)one_node_hear_parent(&bench, 5u, 0u, true, 1u);
    CHECK(!penstock_congested(&bench.node)); /* two of eight are free: 0.25, not below */
    CHECK(!one_node_transmits(&bench, 2u));
    fill(&bench, 1, 3u); /* the seventh: received before the node was congested, no credit for it */
    CHECK(penstock_congested(&bench.node));
    CHECK_EQ(bench.node.control.backpressure.credit, 1);
    CHECK(one_node_transmits(&bench, 4u));
    CHECK(bench.frame.congested); /* this is what the packet is for */
    one_node_report(&bench, PENSTOCK_TX_DONE, 5u);
    CHECK(!penstock_congested(&bench.node));
    CHECK(!one_node_transmits(&bench, 6u));
    fill(&bench, 1, 7u); /* congested again, but the credit is used up */
    CHECK(penstock_congested(&bench.node));
    CHECK(!one_node_transmits(&bench, 8u));
}

static void test_one_packet_per_packet_received(void)
{
    one_node_t bench;
    start(&bench, 0u);
    fill(&bench, 7, 0u);
    (void)one_node_hear_parent(&bench, 5u, 0u, true, 1u);
    CHECK(one_node_transmits(&bench, 2u));
    one_node_report(&bench, PENSTOCK_TX_DONE, 3u);
    fill(&bench, 2, 4u); /* the second of them while congested: one credit */
    CHECK_EQ(bench.node.control.backpressure.credit, 1);
    bench.next_seq--;
    (void)one_node_feed(&bench, 5u); /* a duplicate is no news */
    CHECK_EQ(bench.node.counters.duplicates, 1);
    CHECK_EQ(bench.node.control.backpressure.credit, 1);
    CHECK(one_node_transmits(&bench, 6u));
    one_node_report(&bench, PENSTOCK_TX_DONE, 7u);
    CHECK(!one_node_transmits(&bench, 8u));
}

static void test_credits_are_bounded(void)
{
    one_node_t bench;
    start(&bench, 0u);
    fill(&bench, 8, 0u);
    (void)one_node_hear_parent(&bench, 5u, 0u, true, 1u);
    fill(&bench, 20, 2u); /* acknowledged, then dropped: each still tells of a child that did not hear */
    CHECK_EQ(bench.node.control.backpressure.credit, QUEUE);
    CHECK_EQ(bench.node.counters.drops[PENSTOCK_DROP_ACKED_THEN_DROPPED], 20);
}

/* One credit is one packet with all its attempts. */
static void test_retries_cost_nothing_more(void)
{
    one_node_t bench;
    start(&bench, 0u);
    fill(&bench, 8, 0u);
    (void)one_node_hear_parent(&bench, 5u, 0u, true, 1u);
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        CHECK(one_node_transmits(&bench, 2u));
        one_node_report(&bench, PENSTOCK_TX_NO_CHANNEL, 2u);
        CHECK(one_node_transmits(&bench, 2u));
        one_node_report(&bench, PENSTOCK_TX_NO_ACK, 3u);
    }
    CHECK_EQ(one_node_drop(&bench), PENSTOCK_DROP_ATTEMPTS_EXHAUSTED);
    CHECK(penstock_congested(&bench.node));
    CHECK(!one_node_transmits(&bench, 4u));
}

/* The packet that was with the MAC when the stop came was not sent after it. */
static void test_packet_on_its_way_is_free(void)
{
    one_node_t bench;
    start(&bench, 0u);
    fill(&bench, 8, 0u);
    CHECK(one_node_transmits(&bench, 1u));
    (void)one_node_hear_parent(&bench, 5u, 0u, true, 2u);
    one_node_report(&bench, PENSTOCK_TX_DONE, 3u);
    CHECK_EQ(bench.node.control.backpressure.credit, 1);
    CHECK(one_node_transmits(&bench, 4u));
    one_node_report(&bench, PENSTOCK_TX_DONE, 5u);
    CHECK_EQ(bench.node.control.backpressure.credit, 0);
}

static void test_renewed_stop_gives_no_credit(void)
{
    one_node_t bench;
    start(&bench, 0u);
    fill(&bench, 8, 0u);
    (void)one_node_hear_parent(&bench, 5u, 0u, true, 1u);
    one_node_send_off(&bench, 2u);
    (void)one_node_hear_parent(&bench, 5u, 1u, true, 3u);
    CHECK_EQ(bench.node.control.backpressure.credit, 0);
    (void)one_node_hear_parent(&bench, 5u, 2u, false, 4u);
    (void)one_node_hear_parent(&bench, 5u, 3u, true, 5u);
    CHECK_EQ(bench.node.control.backpressure.credit, 1); /* a new stop */
}

static void test_another_parent(void)
{
    one_node_t bench;
    start(&bench, 0u);
    fill(&bench, 1, 0u);
    (void)one_node_hear_parent(&bench, 5u, 0u, true, 1u);
    penstock_set_parent(&bench.node, SIBLING, 2u);
    CHECK(!penstock_stopped(&bench.node, 2u));
    CHECK(one_node_transmits(&bench, 2u));
    CHECK_EQ(bench.tx.dst, SIBLING);
}

static void test_strategies_without_it(void)
{
    const penstock_strategy_t *deaf[] = {&penstock_control_none, &penstock_control_rate};
    for (int i = 0; i < 2; i++) {
        one_node_t bench;
        one_node_prepare(&bench, deaf[i]);
        one_node_start(&bench, 0u);
        fill(&bench, 1, 0u);
        (void)one_node_hear_parent(&bench, 5u, 0u, true, 1u);
        CHECK(!penstock_stopped(&bench.node, 1u));
        CHECK(one_node_transmits(&bench, 1u));
    }
}

int main(void)
{
    test_old_memory_stops_nobody();
    test_stop_and_go();
    test_any_frame_of_the_parent();
    test_missed_clearing_bit();
    test_configured_bound();
    test_stop_is_over_for_good();
    test_one_packet_when_congested();
    test_one_packet_per_packet_received();
    test_credits_are_bounded();
    test_retries_cost_nothing_more();
    test_packet_on_its_way_is_free();
    test_renewed_stop_gives_no_credit();
    test_another_parent();
    test_strategies_without_it();
    return check_result();
}
