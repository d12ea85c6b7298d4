/* What a WRCP node makes of what it hears and does: Eqs. 4 and 7 to 10, the example of Fig. 3, ageing.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "control/wrcp_estimates.h"
#include "control/wrcp_rate.h"
#include "one_node.h"

enum { SECOND = 1000000, OTHER = 40 };

static const uint16_t table[] = {PENSTOCK_WRCP_PPS(40), PENSTOCK_WRCP_PPS(60), PENSTOCK_WRCP_PPS(90)};

static one_node_t bench;

static void start(void)
{
    one_node_prepare(&bench, &penstock_control_wrcp);
    bench.config.control_params.wrcp.capacity = table;
    bench.config.control_params.wrcp.capacity_len = 3u;
    one_node_start(&bench, 0u);
}

static penstock_wrcp_fields_t saying(double total_pps, uint8_t flows)
{
    penstock_wrcp_narrow_t none = {PENSTOCK_WRCP_GAMMA_NONE, UINT16_MAX};
    return (penstock_wrcp_fields_t){.total = (uint16_t)(total_pps * 64.0), .own = none, .way = none, .flows = flows};
}

static void hear(uint8_t src, uint16_t dst, penstock_wrcp_fields_t fields, penstock_time_t now)
{
    uint8_t bytes[PENSTOCK_WRCP_FIELDS_LEN];
    penstock_wrcp_fields_write(&fields, bytes);
    CHECK_EQ(one_node_hear_fields(&bench, src, dst, src, bench.next_seq++, bytes, sizeof bytes, now), PENSTOCK_OK);
}

static penstock_wrcp_around_t around(void)
{
    penstock_wrcp_around_t seen;
    penstock_wrcp_look_around(&bench.node, &seen);
    return seen;
}

/* Lets time pass up to this moment, as a world does that keeps every deadline. */
static void live_until(penstock_time_t until)
{
    static penstock_time_t at;
    while (penstock_next_deadline(&bench.node, until, &at) && penstock_time_reached(until, at)) {
        penstock_tick(&bench.node, at);
    }
}

static void test_averages(void)
{
    CHECK_EQ(penstock_wrcp_average(0u, 1000u, 128u), 500);
    CHECK_EQ(penstock_wrcp_average(1000u, 0u, 64u), 750);
    CHECK_EQ(penstock_wrcp_average((UINT32_C(1) << 24) - 1u, (UINT32_C(1) << 24) - 1u, 1u), (1 << 24) - 1);
    CHECK_EQ(penstock_wrcp_quality(128u, 255u, 5u, 10u), 192); /* (255 + 127.5) / 2 */
    CHECK_EQ(penstock_wrcp_quality(128u, 0u, 14u, 10u), 128);  /* never more than all */
    CHECK_EQ(penstock_wrcp_quality(255u, 0u, 10u, 10u), 1);
    CHECK_EQ(penstock_wrcp_quality(1u, 255u, 1u, 255u), 2);
}

/* Eq. 8: link attempts count, acknowledged or not; what never went on air does not. */
static void test_transmission_rate(void)
{
    start();
    CHECK_EQ(one_node_send(&bench, 10u), PENSTOCK_OK);
    for (int i = 0; i < 3; i++) {
        CHECK(one_node_transmits(&bench, 20u));
        one_node_report(&bench, i == 2 ? PENSTOCK_TX_DONE : PENSTOCK_TX_NO_ACK, 20u);
    }
    CHECK_EQ(one_node_send(&bench, 30u), PENSTOCK_OK);
    CHECK(one_node_transmits(&bench, 40u));
    one_node_report(&bench, PENSTOCK_TX_NO_CHANNEL, 40u);
    live_until(SECOND);
    CHECK_EQ(bench.node.control.wrcp.total, 3 * 256 / 2);
    live_until(2 * SECOND);
    CHECK_EQ(bench.node.control.wrcp.total, 3 * 256 / 4);
    CHECK_EQ(bench.node.control.wrcp.external, 256 / 2 + 256 / 4); /* Eq. 10: the packet that waits */
    /* It says so, and how many frames were before this one. */
    CHECK(one_node_transmits(&bench, 2 * SECOND));
    penstock_wrcp_fields_t fields;
    CHECK_EQ(bench.frame.control_len, PENSTOCK_WRCP_FIELDS_LEN);
    penstock_wrcp_fields_read(&fields, bench.frame.control);
    CHECK_EQ(fields.total, 3 * 64 / 4);
    CHECK_EQ(fields.counter, 3);
    CHECK_EQ(fields.flows, 1);
}

/* Eq. 9: a share of the last ten, or of as many as went by. */
static void test_link_quality(void)
{
    start();
    penstock_wrcp_fields_t fields = saying(4.0, 1u);
    fields.counter = 250u;
    hear(OTHER, 99u, fields, 0u);
    const penstock_wrcp_peer_t *peer = &bench.peers[0].as.wrcp;
    CHECK_EQ(peer->quality, 255);
    for (uint8_t i = 0u; i < 4u; i++) { /* 250, 252 .. 2: five of ten, over the wrap */
        fields.counter = (uint8_t)(252u + 2u * i);
        hear(OTHER, 99u, fields, 0u);
        CHECK_EQ(peer->quality, 255);
    }
    fields.counter = 4u;
    hear(OTHER, 99u, fields, 0u);
    CHECK_EQ(peer->quality, 192);
    CHECK_EQ(peer->heard, 1);
    fields.counter = 44u; /* one of forty */
    hear(OTHER, 99u, fields, 0u);
    CHECK_EQ(peer->quality, 99);
    /* A neighbour that is hardly heard is none, unless it is a child. */
    for (uint8_t i = 0u; i < 3u; i++) {
        fields.counter = (uint8_t)(fields.counter + 40u);
        hear(OTHER, 99u, fields, 0u);
    }
    CHECK_EQ(peer->quality, 18);
    CHECK_EQ(around().senders, 0);
    hear(OTHER, SELF, fields, 0u);
    CHECK_EQ(around().senders, 2); /* it, and now this node too, which has its packet */
}

/* A repeat of a packet that this node has is a frame that it has heard. */
static void test_repeats_count(void)
{
    start();
    penstock_wrcp_fields_t fields = saying(4.0, 1u);
    uint8_t bytes[PENSTOCK_WRCP_FIELDS_LEN];
    for (uint8_t i = 0u; i < 11u; i++) {
        fields.counter = i;
        penstock_wrcp_fields_write(&fields, bytes);
        CHECK_EQ(one_node_hear_fields(&bench, CHILD, SELF, CHILD, 1u, bytes, sizeof bytes, 0u), PENSTOCK_OK);
    }
    CHECK_EQ(bench.node.counters.duplicates, 10);
    CHECK_EQ(bench.peers[0].as.wrcp.quality, 255);
}

/* Node 2 of Fig. 3: it has children 4 and 5, and hears its neighbour 3, which sends for itself and for 6. Eq. 2:
 * r2tot + r3tot + r4 + r5 <= B. Flows in those: 3 (2, 4, 5), 2 (3, 6), 1 and 1. */
static void test_figure_3(void)
{
    enum { THREE = 3, FOUR = 4, FIVE = 5 };
    start();
    hear(THREE, PARENT, saying(7.5, 2u), 1u);
    hear(FOUR, SELF, saying(3.0, 1u), 2u);
    hear(FIVE, SELF, saying(2.25, 1u), 3u);
    CHECK_EQ(one_node_send(&bench, 4u), PENSTOCK_OK);
    while (one_node_transmits(&bench, 4u)) {
        one_node_report(&bench, PENSTOCK_TX_DONE, 4u);
    }
    hear(PARENT, PENSTOCK_ADDR_BROADCAST, saying(0.0, 0u), 5u); /* the root sends nothing */
    CHECK_EQ(penstock_wrcp_own_flows(&bench.node), 3);
    live_until(SECOND);
    double own = 3.0 / 2.0; /* three packets in the first second, Eq. 8 */
    double left = 90.0 - (own + 7.5 + 3.0 + 2.25);
    CHECK_EQ(bench.node.control.wrcp.total, own * 256.0);
    CHECK_EQ(around().load, (90.0 - left) * 256.0);
    CHECK_EQ(around().flows_q255, 7 * 255);
    CHECK_EQ(around().senders, 4);
    CHECK_EQ(bench.node.control.wrcp.gamma, (int)(left / 7.0 * 256.0));
    /* Eq. 4: half of node 3 is heard, and a packet waited for a second. */
    bench.peers[0].as.wrcp.quality = 128u;
    bench.node.control.wrcp.external = 512u;
    bench.node.control.wrcp.total = 384u;
    live_until(2 * SECOND);
    double load = 0.75 + 7.5 * 128.0 / 255.0 + 3.0 + 2.25;
    double flows = 3.0 + 2.0 * 128.0 / 255.0 + 1.0 + 1.0;
    double gamma = (90.0 - 1.0 - load) / flows;
    CHECK(bench.node.control.wrcp.gamma <= gamma * 256.0 && bench.node.control.wrcp.gamma >= gamma * 256.0 - 2.0);
}

/* Who is silent for an age is no neighbour, and a source that nothing comes from is no flow: four intervals, but at
 * least the 10 s between two packets at 0.1 packets/s. */
static void test_ageing(void)
{
    start();
    hear(OTHER, 99u, saying(4.0, 2u), 0u);
    hear(CHILD, SELF, saying(1.0, 1u), 0u);
    CHECK_EQ(one_node_send(&bench, 0u), PENSTOCK_OK);
    CHECK_EQ(penstock_wrcp_own_flows(&bench.node), 2);
    CHECK_EQ(around().senders, 3);
    live_until(9 * SECOND);
    hear(CHILD, SELF, saying(1.0, 1u), 9 * SECOND);
    live_until(10 * SECOND);
    CHECK_EQ(around().senders, 3);
    live_until(12 * SECOND);
    CHECK_EQ(penstock_wrcp_own_flows(&bench.node), 1); /* the child's */
    CHECK_EQ(around().senders, 2);
    CHECK(!bench.node.control.wrcp.active);
    live_until(22 * SECOND);
    CHECK_EQ(penstock_wrcp_own_flows(&bench.node), 0);
    CHECK_EQ(around().senders, 0);
    CHECK_EQ(bench.node.control.wrcp.gamma, PENSTOCK_WRCP_GAMMA_NONE);
}

/* What binds a flow: itself, its neighbours, and what its parent says of the way. */
static void test_narrowest(void)
{
    start();
    CHECK_EQ(penstock_wrcp_narrowest(&bench.node).gamma, PENSTOCK_WRCP_GAMMA_NONE);
    penstock_wrcp_fields_t fields = saying(1.0, 1u);
    fields.own = (penstock_wrcp_narrow_t){300, 5u};
    fields.way = (penstock_wrcp_narrow_t){-7, 6u};
    hear(OTHER, 99u, fields, 0u); /* the way of another is not this node's */
    CHECK_EQ(penstock_wrcp_narrowest(&bench.node).gamma, 300);
    CHECK(!penstock_wrcp_way_known(&bench.node));
    hear(PARENT, 1u, fields, 0u);
    CHECK_EQ(penstock_wrcp_narrowest(&bench.node).gamma, -7);
    CHECK_EQ(penstock_wrcp_narrowest(&bench.node).allowed, 6);
    CHECK(penstock_wrcp_way_known(&bench.node));
    penstock_set_parent(&bench.node, SIBLING, 0u);
    CHECK_EQ(penstock_wrcp_narrowest(&bench.node).gamma, 300);
    CHECK(!penstock_wrcp_way_known(&bench.node));
}

/* A flow's life: two packets at once, then one at the start rate; growth only once the way is known, and only if
 * it waits; and idle again. */
static void test_own_flow(void)
{
    start();
    CHECK_EQ(penstock_allowed_rate(&bench.node), 6554);
    CHECK_EQ(one_node_send(&bench, 0u), PENSTOCK_OK);
    CHECK_EQ(one_node_send(&bench, 0u), PENSTOCK_OK);
    CHECK_EQ(one_node_send(&bench, 0u), PENSTOCK_WOULD_BLOCK);
    live_until(SECOND);
    CHECK_EQ(penstock_allowed_rate(&bench.node), 6554);
    penstock_wrcp_fields_t fields = saying(1.0, 1u);
    fields.way = (penstock_wrcp_narrow_t){256, 6u};
    hear(PARENT, 1u, fields, SECOND);
    live_until(2 * SECOND);
    CHECK_EQ(penstock_allowed_rate(&bench.node), 6554); /* nobody waited since the last update */
    CHECK_EQ(one_node_send(&bench, 2 * SECOND), PENSTOCK_WOULD_BLOCK);
    live_until(3 * SECOND);
    CHECK_EQ(penstock_allowed_rate(&bench.node), 6554 + 6554); /* alpha * 1 packet/s */
    fields.way = (penstock_wrcp_narrow_t){-1, 256u * 100u};
    hear(PARENT, 1u, fields, 3 * SECOND);
    CHECK_EQ(one_node_send(&bench, 3 * SECOND), PENSTOCK_WOULD_BLOCK);
    live_until(4 * SECOND);
    CHECK_EQ(penstock_allowed_rate(&bench.node), 4 * 6554); /* Eq. 11 */
    live_until(20 * SECOND);
    CHECK_EQ(penstock_allowed_rate(&bench.node), 6554);
    CHECK(!bench.node.control.wrcp.active && bench.node.control.wrcp.joining);
}

int main(void)
{
    test_averages();
    test_transmission_rate();
    test_link_quality();
    test_repeats_count();
    test_figure_3();
    test_ageing();
    test_narrowest();
    test_own_flow();
    return check_result();
}
