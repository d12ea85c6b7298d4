/* The packet delay estimator (Flush, SenSys 2007, 2.3.2, 2.4, 3.3), by hand: Fig. 4's example, Rules 1 and 2, who is an
 * interferer, and what happens when the path changes.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "bulk/path.h"
#include "bulk_node.h"
#include "check.h"

enum { NEXT = PARENT, SECOND = 51, THIRD = 52, OTHER = 60 };

static bulk_node_t bench;

static void start(void)
{
    bulk_node_prepare(&bench);
    bulk_node_start(&bench, 0u);
}

/* One packet comes in and goes on; it took so many us. */
static void carry(penstock_time_t now, uint32_t us)
{
    CHECK_EQ(bulk_node_feed(&bench, now), PENSTOCK_OK);
    CHECK(bulk_node_send_off(&bench, now, us));
}

/* Fig. 4, from node 7's side: it hears 6 and 5 as strongly as it needs to, and 4 too weakly. delta of 7, 6, 5, 4: 8, 9,
 * 10, 11 ms. What node 7 tells of this, node 8 makes d8 = delta8 + delta7 + delta6 + delta5 of. */
static void test_figure_4(void)
{
    start();
    carry(0u, 8 * MS);
    bench.rssi = -65;
    bulk_node_hear_ahead(&bench, NEXT, 1u, 9u, 21u, 40u, 0u); /* node 6: f6 = delta5 + delta4 */
    bench.rssi = -69;
    bulk_node_hear_ahead(&bench, SECOND, 2u, 10u, 0u, 0u, 0u); /* node 5 */
    bench.rssi = -70;
    bulk_node_hear_ahead(&bench, THIRD, 3u, 11u, 0u, 0u, 0u); /* node 4, 10 dB weaker than node 8 */
    penstock_bulk_path_state_t seven = bulk_node_state(&bench, SOURCE);
    CHECK_EQ(seven.interferers, 2);
    CHECK_EQ(seven.delay_us, 8 * MS);
    CHECK_EQ(seven.f_us, (9 + 10) * MS);
    CHECK_EQ(seven.d_us, (8 + 9 + 21) * MS);
    CHECK_EQ(seven.interval_us, 40 * MS); /* Rule 2: node 6 is slower */
    bench.rssi = -60;
    bulk_node_feed(&bench, 100 * MS);
    CHECK(one_node_transmits(&bench.one, 100 * MS));
    uint8_t told[PENSTOCK_BULK_DELAYS];
    for (int i = 0; i < 3; i++) {
        told[i] = bench.one.frame.delays[i];
    }
    CHECK_EQ(told[0], 8);
    CHECK_EQ(told[1], 19);
    CHECK_EQ(told[2], 40);

    start(); /* now as node 8 */
    carry(0u, 7 * MS);
    bulk_node_hear_ahead(&bench, NEXT, 1u, told[0], told[1], 0u, 0u);
    CHECK_EQ(bulk_node_state(&bench, SOURCE).d_us, (7 + 8 + 9 + 10) * MS);
}

/* D_i = max(d_i, D_i-1), link by link from the root: each node is told what the one before it told. */
static void test_rule_2(void)
{
    static const uint32_t delays[] = {8, 20, 9, 30, 8, 8, 12, 8};
    uint8_t told[PENSTOCK_BULK_DELAYS] = {0u};
    uint32_t expected = 0u;
    uint32_t next_delay = 0u;
    uint32_t next_f = 0u;
    for (int i = 0; i < 8; i++) {
        start();
        carry(0u, delays[i] * MS);
        bulk_node_hear_ahead(&bench, NEXT, 1u, told[0], told[1], told[2], 0u);
        uint32_t d = delays[i] + next_delay + next_f;
        expected = d > expected ? d : expected;
        CHECK_EQ(bulk_node_state(&bench, SOURCE).d_us, d * MS);
        CHECK_EQ(bulk_node_state(&bench, SOURCE).interval_us, expected * MS);
        bulk_node_feed(&bench, 500 * MS);
        CHECK(one_node_transmits(&bench.one, 500 * MS));
        for (int field = 0; field < 3; field++) {
            told[field] = bench.one.frame.delays[field];
        }
        CHECK_EQ(told[2], expected);
        next_f = next_delay; /* the next hop alone interferes: one node ahead is heard */
        next_delay = delays[i];
        CHECK_EQ(told[1], next_f);
    }
    CHECK_EQ(expected, 59); /* 30 + 9 + 20, of the fourth node: those behind it are told */
}

static void test_interferers_by_rssi(void)
{
    start();
    carry(0u, 8 * MS);
    bench.rssi = -71;
    bulk_node_hear_ahead(&bench, SECOND, 2u, 10u, 0u, 0u, 0u);
    CHECK_EQ(bulk_node_state(&bench, SOURCE).interferers, 0);
    bench.rssi = -60; /* an average: the first of these is news of 11/8 dB */
    bulk_node_hear_ahead(&bench, SECOND, 2u, 10u, 0u, 0u, 0u);
    CHECK_EQ(bulk_node_state(&bench, SOURCE).interferers, 1);
    CHECK_EQ(bulk_node_state(&bench, SOURCE).f_us, 10 * MS);
    bench.rssi = -75;
    for (int heard = 0; heard < 30; heard++) {
        bulk_node_hear_ahead(&bench, SECOND, 2u, 10u, 0u, 0u, 0u);
    }
    CHECK_EQ(bulk_node_state(&bench, SOURCE).interferers, 0);
    for (int packet = 1; packet < 40; packet++) { /* ... and in again when the predecessor gets weaker */
        carry((penstock_time_t)packet * 100 * MS, 8 * MS);
    }
    CHECK_EQ(bulk_node_state(&bench, SOURCE).interferers, 1);
    /* Packets of others, and of nodes behind this one, say nothing. */
    bench.rssi = -60;
    uint8_t delays[PENSTOCK_BULK_DELAYS] = {50u, 50u, 50u};
    bulk_node_hear(&bench, OTHER, 1u, SOURCE + 1u, 0u, 5u, delays, 0u);
    bulk_node_hear(&bench, OTHER, 1u, SOURCE, 0u, 3u, delays, 0u);
    bulk_node_hear(&bench, OTHER, 1u, SOURCE, 0u, 2u, delays, 0u);
    bulk_node_hear(&bench, OTHER, 1u, SOURCE, 0u, (uint8_t)(4u + PENSTOCK_BULK_SUCCESSORS), delays, 0u);
    CHECK_EQ(bulk_node_state(&bench, SOURCE).interferers, 1);
}

/* The next hop and the one behind it are both loud: who of them counts is a matter of reading. */
static void test_nearest_interferer(uint8_t nearest, uint32_t f_ms)
{
    bulk_node_prepare(&bench);
    bench.params.path.nearest_interferer = nearest;
    bulk_node_start(&bench, 0u);
    carry(0u, 8 * MS);
    bulk_node_hear_ahead(&bench, NEXT, 1u, 9u, 0u, 0u, 0u);
    bulk_node_hear_ahead(&bench, SECOND, 2u, 10u, 0u, 0u, 0u);
    CHECK_EQ(bulk_node_state(&bench, SOURCE).f_us, (uint32_t)(f_ms * MS));
}

static void test_timeout(uint8_t timeout)
{
    bulk_node_prepare(&bench);
    bench.params.path.interferer_timeout = timeout;
    bulk_node_start(&bench, 0u);
    carry(0u, 8 * MS);
    bulk_node_hear_ahead(&bench, SECOND, 2u, 10u, 0u, 0u, 0u);
    penstock_time_t now = 0u;
    for (int packet = 0; packet < 99; packet++) {
        carry(now += 100 * MS, 8 * MS);
    }
    CHECK_EQ(bulk_node_state(&bench, SOURCE).interferers, 1);
    carry(now += 100 * MS, 8 * MS);
    CHECK_EQ(bulk_node_state(&bench, SOURCE).interferers, timeout == 100u ? 0 : 1);
    for (int packet = 0; packet < 300; packet++) {
        carry(now += 100 * MS, 8 * MS);
    }
    CHECK_EQ(bulk_node_state(&bench, SOURCE).interferers, timeout == 100u ? 0 : 1);
}

/* Delta: from the start of the first attempt, repeats included; an eighth of the news; exact when nothing changes. */
static void test_delta(void)
{
    start();
    CHECK_EQ(bulk_node_feed(&bench, 0u), PENSTOCK_OK);
    CHECK_EQ(bulk_node_state(&bench, SOURCE).delay_us, PACKET_TIME_US); /* until it is measured */
    CHECK(one_node_transmits(&bench.one, 0u));
    one_node_report(&bench.one, PENSTOCK_TX_NO_ACK, 10 * MS);
    CHECK(one_node_transmits(&bench.one, 12 * MS)); /* a repeat keeps no interval */
    one_node_report(&bench.one, PENSTOCK_TX_DONE, 24 * MS);
    CHECK_EQ(bulk_node_state(&bench, SOURCE).delay_us, 24 * MS);
    carry(100 * MS, 8 * MS);
    CHECK_EQ(bulk_node_state(&bench, SOURCE).delay_us, 22 * MS);
    for (penstock_time_t packet = 2u; packet < 150u; packet++) {
        carry(packet * 100 * MS, 8 * MS);
    }
    CHECK_EQ(bulk_node_state(&bench, SOURCE).delay_us, 8 * MS);
    /* A packet that is given up took at least that long. */
    CHECK_EQ(bulk_node_feed(&bench, 20000 * MS), PENSTOCK_OK);
    for (penstock_time_t attempt = 0u; attempt < 5u; attempt++) {
        CHECK(one_node_transmits(&bench.one, (20000 + attempt * 8) * MS));
        one_node_report(&bench.one, PENSTOCK_TX_NO_ACK, (20008 + attempt * 8) * MS);
    }
    CHECK_EQ(bulk_node_counters(&bench)->drops[PENSTOCK_DROP_ATTEMPTS_EXHAUSTED], 1);
    CHECK_EQ(bulk_node_counters(&bench)->transmissions, 2 + 149 + 5);
    CHECK_EQ(bulk_node_state(&bench, SOURCE).delay_us, 12 * MS);
}

/* The parent changes in the middle of a flow (4.5): the old one's word holds until the new one is heard. */
static void test_new_parent(void)
{
    start();
    carry(0u, 8 * MS);
    bulk_node_hear_ahead(&bench, NEXT, 1u, 9u, 10u, 50u, 0u);
    bulk_node_hear_ahead(&bench, SECOND, 2u, 10u, 0u, 0u, 0u);
    penstock_set_parent(&bench.one.node, OTHER, 0u);
    CHECK_EQ(bulk_node_state(&bench, SOURCE).interval_us, 50 * MS);
    CHECK_EQ(bulk_node_state(&bench, SOURCE).f_us, 19 * MS);
    carry(100 * MS, 12 * MS);
    CHECK_EQ(bench.one.frame.dst, OTHER);
    CHECK_EQ(bulk_node_state(&bench, SOURCE).delay_us, 12 * MS); /* the new link's, no average of both */
    CHECK_EQ(bulk_node_state(&bench, SOURCE).interval_us, 50 * MS);
    bulk_node_hear_ahead(&bench, NEXT, 1u, 9u, 10u, 90u, 0u); /* the old one is nobody now but a node in its place */
    CHECK_EQ(bulk_node_state(&bench, SOURCE).interval_us, 50 * MS);
    bulk_node_hear_ahead(&bench, OTHER, 1u, 6u, 7u, 30u, 0u);
    CHECK_EQ(bulk_node_state(&bench, SOURCE).interval_us, 30 * MS);
    CHECK_EQ(bulk_node_state(&bench, SOURCE).d_us, (12 + 6 + 7) * MS);
    CHECK_EQ(bulk_node_state(&bench, SOURCE).interferers, 1); /* only itself: the rest of the path is new */
    CHECK_EQ(bulk_node_state(&bench, SOURCE).f_us, 6 * MS);
}

/* A change farther ahead: another node is heard in the place of the one that was there. */
static void test_new_successor(void)
{
    start();
    carry(0u, 8 * MS);
    bulk_node_hear_ahead(&bench, SECOND, 2u, 10u, 0u, 0u, 0u);
    bulk_node_hear_ahead(&bench, OTHER, 2u, 20u, 0u, 0u, 0u);
    CHECK_EQ(bulk_node_state(&bench, SOURCE).f_us, 20 * MS);
    CHECK_EQ(bulk_node_state(&bench, SOURCE).interferers, 1);
}

/* The root sends nothing on. A new parent that is not heard in four packets is taken for it. */
static void test_silent_parent(void)
{
    start();
    carry(0u, 8 * MS);
    bulk_node_hear_ahead(&bench, NEXT, 1u, 9u, 10u, 50u, 0u);
    penstock_set_parent(&bench.one.node, OTHER, 0u);
    for (penstock_time_t packet = 1u; packet < 4u; packet++) {
        carry(packet * 100 * MS, 8 * MS);
        CHECK_EQ(bulk_node_state(&bench, SOURCE).interval_us, 50 * MS);
    }
    carry(400 * MS, 8 * MS);
    CHECK_EQ(bulk_node_state(&bench, SOURCE).interval_us, 8 * MS);
}

/* A parent that says so in its beacons is known for the root at once. */
static void test_root_by_beacon(void)
{
    start();
    carry(0u, 8 * MS);
    bulk_node_hear_ahead(&bench, NEXT, 1u, 9u, 10u, 50u, 0u);
    penstock_beacon_t beacon = {.root = PARENT, .route_seq = 1u, .parent = PENSTOCK_ADDR_NONE};
    CHECK_EQ(one_node_hear_beacon(&bench.one, PARENT, &beacon, 255u, false, 0u), PENSTOCK_OK);
    CHECK_EQ(bulk_node_state(&bench, SOURCE).interval_us, 8 * MS);
}

/* Two origins at a time: what is heard of one is nothing to the other, each may have half; a table that is too small
 * keeps to those of late. */
static void test_two_flows(void)
{
    start();
    carry(0u, 8 * MS);
    bulk_node_hear_ahead(&bench, NEXT, 1u, 9u, 10u, 0u, 0u);
    CHECK_EQ(bulk_node_state(&bench, SOURCE).interval_us, 27 * MS);
    CHECK_EQ(bulk_node_hear(&bench, SIBLING, SELF, SIBLING, 7u, 1u, NULL, 100 * MS), PENSTOCK_OK);
    CHECK_EQ(bulk_node_state(&bench, SIBLING).hops, 2);
    CHECK_EQ(bulk_node_state(&bench, SIBLING).interval_us, 2 * 8 * MS); /* its next hop has not been heard */
    CHECK_EQ(bulk_node_state(&bench, SOURCE).hops, 3);
    CHECK(bulk_node_send_off(&bench, 100 * MS, 8 * MS));
    bulk_node_feed(&bench, 100 * MS);
    CHECK_EQ(bulk_node_state(&bench, SOURCE).interval_us, 2 * 27 * MS);
    CHECK_EQ(bulk_node_state(&bench, SOURCE).f_us, 9 * MS);
    CHECK_EQ(bulk_node_state(&bench, SIBLING).f_us, 0);
    /* Long silent flows do not count. */
    bulk_node_feed(&bench, 3000 * MS);
    CHECK_EQ(bulk_node_state(&bench, SOURCE).interval_us, 27 * MS);
    /* One entry for each of three; the fourth takes the oldest's. */
    bulk_node_hear(&bench, SIBLING, SELF, 71u, 1u, 1u, NULL, 3001 * MS);
    bulk_node_hear(&bench, SIBLING, SELF, 72u, 1u, 1u, NULL, 3002 * MS);
    penstock_bulk_path_state_t state;
    CHECK(penstock_bulk_path_state(&bench.one.node, SOURCE, &state));
    CHECK(!penstock_bulk_path_state(&bench.one.node, SIBLING, &state));
    CHECK(!penstock_bulk_path_state(&bench.one.node, PENSTOCK_ADDR_NONE, &state));
    CHECK_EQ(state.queue, bench.bulk.path.count);
}

int main(void)
{
    test_figure_4();
    test_rule_2();
    test_interferers_by_rssi();
    test_nearest_interferer(1u, 19u);
    test_nearest_interferer(2u, 10u);
    test_nearest_interferer(3u, 0u);
    test_timeout(100u);
    test_timeout(0u);
    test_delta();
    test_new_parent();
    test_new_successor();
    test_silent_parent();
    test_root_by_beacon();
    test_two_flows();
    return check_result();
}
