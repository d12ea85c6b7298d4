/* CTP's rules, one decision at a time: whom a node chooses, what is news, what its frames say.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "neighbors.h"
#include "one_node.h"
#include "routing.h"

enum { ROOT = 1, P = 2, Q = 3, SECOND = 1000000, MIN_US = 125000 };

static void prepare(one_node_t *bench)
{
    one_node_prepare(bench, &penstock_control_none);
    bench->config.beacons = true;
    bench->config.routing = &penstock_routing_ctp;
    bench->config.ctp = penstock_ctp_defaults();
}

static void start(one_node_t *bench)
{
    prepare(bench);
    one_node_start(bench, 0u);
}

/* A beacon of a CTP node; `number` is its own count. */
static void hear(one_node_t *bench, uint8_t from, const penstock_beacon_t *beacon, penstock_time_t now)
{
    uint8_t bytes[PENSTOCK_FRAME_MAX];
    penstock_frame_t frame = {
        .type = PENSTOCK_FRAME_BEACON,
        .link_seq = bench->link_seq[from]++,
        .pull = beacon->pull,
        .is_ctp = true,
        .pan_id = PAN,
        .dst = PENSTOCK_ADDR_BROADCAST,
        .src = from,
    };
    int header = penstock_frame_write_header(&frame, bytes, sizeof bytes);
    int len = header + penstock_beacon_write(beacon, bytes + header, sizeof bytes - (size_t)header);
    penstock_rx_info_t info = {.rssi_dbm = -80, .for_us = true};
    CHECK_EQ(penstock_receive(&bench->node, bytes, (size_t)len, &info, now), PENSTOCK_OK);
}

/* The next of a neighbour's beacons, with a route of this ETX (none: PENSTOCK_ETX_NONE) through its parent. */
static void advertise_by(one_node_t *bench, uint8_t from, uint16_t etx, penstock_addr_t parent, penstock_time_t now)
{
    penstock_beacon_t beacon = {.root = ROOT, .route_seq = ++bench->next_seq, .etx = etx, .hops = 1u, .parent = parent};
    hear(bench, from, &beacon, now);
}

static void advertise(one_node_t *bench, uint8_t from, uint16_t etx, penstock_time_t now)
{
    advertise_by(bench, from, etx, ROOT, now);
}

static penstock_neighbor_t *entry(one_node_t *bench, uint8_t address)
{
    return penstock_neighbors_find(&bench->node.neighbors, address);
}

/* Three beacons in a row: a perfect link. `next_seq` counts for all, so one neighbour at a time. */
static void meet(one_node_t *bench, uint8_t from, uint16_t etx, penstock_time_t now)
{
    for (int i = 0; i < 3; i++) {
        advertise(bench, from, etx, now);
    }
    CHECK_EQ(penstock_data_headers(&bench->config), PENSTOCK_DATA_OVERHEAD + 2u);
}

/* Sends the beacons that are due until the timer is slow. */
static penstock_time_t calm_down(one_node_t *bench)
{
    penstock_time_t now = 0u;
    for (int i = 0; i < 12; i++) {
        now = bench->node.tree.next_beacon;
        penstock_tick(&bench->node, now);
        one_node_send_off(bench, now);
    }
    CHECK(bench->node.tree.next_beacon - now > 60u * SECOND);
    return now;
}

static bool told_soon(const one_node_t *bench, penstock_time_t now)
{
    uint32_t left = bench->node.tree.next_beacon - now;
    return left >= MIN_US / 2u && left < MIN_US;
}

static void test_choice(void)
{
    one_node_t bench;
    start(&bench);
    advertise(&bench, P, 256u, 1u);
    advertise(&bench, P, 256u, 2u);
    CHECK_EQ(penstock_parent(&bench.node), PENSTOCK_ADDR_NONE); /* the link is not known */
    advertise(&bench, P, 256u, 3u);
    CHECK_EQ(penstock_parent(&bench.node), P);
    CHECK_EQ(bench.node.tree.etx, 384);
    CHECK_EQ(bench.node.tree.hops, 2);

    /* A candidate's link must be better than 5; the parent's may get worse. */
    start(&bench);
    meet(&bench, P, PENSTOCK_ETX_NONE, 1u);
    entry(&bench, P)->link_etx = 640u;
    bench.next_seq += 20u; /* too far for a window */
    advertise(&bench, P, 256u, 2u);
    CHECK_EQ(penstock_parent(&bench.node), PENSTOCK_ADDR_NONE);
    entry(&bench, P)->link_etx = 639u;
    bench.next_seq += 20u;
    advertise(&bench, P, 256u, 3u);
    CHECK_EQ(penstock_parent(&bench.node), P);
    entry(&bench, P)->link_etx = 2000u;
    bench.next_seq += 20u;
    advertise(&bench, P, 256u, 4u);
    CHECK_EQ(penstock_parent(&bench.node), P);
    CHECK_EQ(bench.node.tree.etx, 2256);
}

static void test_switch_threshold(void)
{
    one_node_t bench;
    start(&bench);
    meet(&bench, P, 512u, 1u);
    meet(&bench, Q, 320u, 2u); /* better by exactly one and a half */
    CHECK_EQ(penstock_parent(&bench.node), P);
    advertise(&bench, Q, 319u, 3u);
    CHECK_EQ(penstock_parent(&bench.node), Q);
    CHECK_EQ(bench.node.tree.etx, 447);
}

/* What one's own child offers is no route; nor is one that it had, and has lost. */
static void test_no_route(void)
{
    one_node_t bench;
    start(&bench);
    meet(&bench, P, 256u, 1u);
    advertise_by(&bench, P, 256u, SELF, 2u);
    CHECK_EQ(penstock_parent(&bench.node), PENSTOCK_ADDR_NONE);
    advertise(&bench, P, 256u, 3u);
    CHECK_EQ(penstock_parent(&bench.node), P);
    advertise(&bench, P, PENSTOCK_ETX_NONE, 4u);
    CHECK_EQ(penstock_parent(&bench.node), PENSTOCK_ADDR_NONE);
}

/* Eight frames fail: the average over them makes the other route better by more than 1.5. */
static void test_data_changes_the_parent(void)
{
    one_node_t bench;
    start(&bench);
    meet(&bench, P, 256u, 1u);
    meet(&bench, Q, 300u, 2u);
    (void)calm_down(&bench);
    penstock_time_t now = bench.node.tree.next_beacon - 1000u;
    for (int i = 0; i < 2; i++) { /* four attempts each */
        CHECK_EQ(one_node_send(&bench, now), PENSTOCK_OK);
    }
    int attempts = 0;
    while (penstock_parent(&bench.node) == P && one_node_transmits(&bench, now)) {
        CHECK_EQ(bench.tx.dst, P);
        one_node_report(&bench, PENSTOCK_TX_NO_ACK, now);
        attempts++;
    }
    CHECK_EQ(attempts, 8);
    CHECK_EQ(entry(&bench, P)->link_etx, 376);
    CHECK_EQ(penstock_parent(&bench.node), Q);
}

/* A frame that fails belongs to the neighbour that it went to, whatever was heard since it went out. */
static void test_attempts_are_the_addressees(void)
{
    one_node_t bench;
    start(&bench);
    meet(&bench, P, 900u, 1u);
    (void)calm_down(&bench);
    penstock_time_t now = bench.node.tree.next_beacon - 1000u;
    CHECK_EQ(one_node_send(&bench, now), PENSTOCK_OK);
    CHECK(one_node_transmits(&bench, now));
    meet(&bench, Q, 128u, now);
    CHECK_EQ(penstock_parent(&bench.node), Q);
    one_node_report(&bench, PENSTOCK_TX_NO_ACK, now);
    CHECK_EQ(entry(&bench, P)->data_sent, 1);
    CHECK_EQ(entry(&bench, Q)->data_sent, 0);
    CHECK(one_node_transmits(&bench, now));
    CHECK_EQ(bench.tx.dst, Q);
    one_node_report(&bench, PENSTOCK_TX_NO_CHANNEL, now); /* never on air */
    CHECK_EQ(entry(&bench, Q)->data_sent, 0);
}

static void test_what_frames_say(void)
{
    one_node_t bench;
    start(&bench);
    penstock_time_t now = bench.node.tree.next_beacon;
    CHECK(now >= 4u * SECOND && now < 12u * SECOND);
    penstock_tick(&bench.node, now);
    CHECK(one_node_transmits(&bench, now));
    CHECK(bench.frame.pull && bench.frame.is_ctp); /* no route: the neighbours are asked */
    one_node_report(&bench, PENSTOCK_TX_DONE, now);
    meet(&bench, P, 256u, now);
    now = bench.node.tree.next_beacon;
    penstock_tick(&bench.node, now);
    CHECK(one_node_transmits(&bench, now));
    CHECK(!bench.frame.pull && bench.frame.is_ctp);
    penstock_beacon_t beacon;
    CHECK_EQ(penstock_beacon_parse(&beacon, bench.frame.payload, bench.frame.payload_len), PENSTOCK_OK);
    CHECK_EQ(beacon.route_seq, 2); /* its own second one */
    CHECK_EQ(beacon.etx, 384);
    CHECK_EQ(beacon.root, ROOT);
    CHECK_EQ(beacon.parent, P);
    CHECK_EQ(beacon.count, 0);
    one_node_report(&bench, PENSTOCK_TX_DONE, now);

    CHECK_EQ(penstock_payload_max(&bench.node), 34 - 17 - 2);
    CHECK_EQ(one_node_send(&bench, now), PENSTOCK_OK);
    CHECK(one_node_transmits(&bench, now));
    CHECK(bench.frame.is_ctp);
    CHECK_EQ(bench.frame.path_etx, 384);
    CHECK_EQ(bench.frame.payload_len, 3);
    CHECK_EQ(bench.frame.payload[2], 3);
}

static void test_news(void)
{
    one_node_t bench;
    start(&bench);
    meet(&bench, P, 256u, 1u);
    CHECK(told_soon(&bench, 1u)); /* a route was found */
    penstock_time_t now = calm_down(&bench);
    CHECK_EQ(bench.node.tree.told_etx, 384);
    penstock_time_t next = bench.node.tree.next_beacon;
    advertise(&bench, P, 256u + 127u, now);
    CHECK_EQ(bench.node.tree.next_beacon, next); /* not quite a transmission longer */
    advertise(&bench, P, 256u + 128u, now);
    CHECK(told_soon(&bench, now));

    now = calm_down(&bench);
    next = bench.node.tree.next_beacon;
    CHECK_EQ(bench.node.tree.told_etx, 512);
    advertise(&bench, P, 128u, now); /* shorter by two */
    CHECK_EQ(bench.node.tree.next_beacon, next);
    advertise(&bench, P, 127u, now);
    CHECK(told_soon(&bench, now));

    now = calm_down(&bench);
    advertise(&bench, P, PENSTOCK_ETX_NONE, now); /* the route is lost */
    CHECK(told_soon(&bench, now));
}

static void test_pull(void)
{
    one_node_t bench;
    start(&bench);
    penstock_beacon_t asks = {
        .root = PENSTOCK_ADDR_NONE, .etx = PENSTOCK_ETX_NONE, .parent = PENSTOCK_ADDR_NONE, .pull = true};
    penstock_time_t next = bench.node.tree.next_beacon;
    hear(&bench, 5u, &asks, 1u);
    CHECK_EQ(bench.node.tree.next_beacon, next); /* this node has nothing to tell */
    meet(&bench, P, 256u, 1u);
    penstock_time_t now = calm_down(&bench);
    hear(&bench, 5u, &asks, now);
    CHECK(told_soon(&bench, now));
    /* A frozen tree is still told to those who ask, but its own changes are no news. */
    now = calm_down(&bench);
    penstock_pin_route(&bench.node, true);
    next = bench.node.tree.next_beacon;
    advertise(&bench, P, 2560u, now);
    CHECK_EQ(penstock_parent(&bench.node), P);
    CHECK_EQ(bench.node.tree.next_beacon, next);
    hear(&bench, 5u, &asks, now);
    CHECK(told_soon(&bench, now));
}

/* A child's data for this node, with the child's path ETX. */
static void hear_child(one_node_t *bench, uint16_t path_etx, uint16_t seq, uint8_t hops, penstock_time_t now)
{
    uint8_t bytes[PENSTOCK_FRAME_MAX];
    penstock_frame_t frame = {
        .type = PENSTOCK_FRAME_DATA,
        .link_seq = bench->link_seq[CHILD]++,
        .ack_request = true,
        .is_ctp = true,
        .path_etx = path_etx,
        .pan_id = PAN,
        .dst = SELF,
        .src = CHILD,
        .origin = CHILD,
        .seq = seq,
        .hops = hops,
    };
    int len = penstock_frame_write_header(&frame, bytes, sizeof bytes);
    penstock_rx_info_t info = {.rssi_dbm = -80, .for_us = true, .acked = true};
    CHECK_EQ(penstock_receive(&bench->node, bytes, (size_t)len, &info, now), PENSTOCK_OK);
}

static void test_suspected_loops(void)
{
    one_node_t bench;
    start(&bench);
    meet(&bench, P, 256u, 1u);
    penstock_time_t now = calm_down(&bench);
    penstock_time_t next = bench.node.tree.next_beacon;
    hear_child(&bench, 385u, 1u, 1u, now);
    hear_child(&bench, PENSTOCK_ETX_NONE, 2u, 1u, now); /* it does not know */
    CHECK_EQ(bench.node.tree.next_beacon, next);
    hear_child(&bench, 384u, 3u, 1u, now); /* no farther than this node */
    CHECK(told_soon(&bench, now));
    now = calm_down(&bench);
    advertise_by(&bench, CHILD, 100u, SELF, now); /* the same by a beacon */
    CHECK(told_soon(&bench, now));
}

/* A packet that comes again has gone round when it has more hops, and is a repeat when it has not. */
static void test_a_loop_makes_no_duplicates(void)
{
    one_node_t bench;
    start(&bench);
    meet(&bench, P, 256u, 1u);
    hear_child(&bench, 600u, 1u, 1u, 2u);
    hear_child(&bench, 600u, 1u, 1u, 3u);
    CHECK_EQ(bench.node.counters.duplicates, 1);
    hear_child(&bench, 600u, 1u, 4u, 4u);
    CHECK_EQ(bench.node.counters.duplicates, 1);
    CHECK_EQ(bench.node.counters.received, 2);
}

/* Beacons of the other kind are no routes, and their numbers no beacon counts. */
static void test_other_routing(void)
{
    one_node_t bench;
    start(&bench);
    for (uint16_t i = 1u; i <= 4u; i++) {
        penstock_beacon_t beacon = {.root = ROOT, .route_seq = i, .etx = 0u, .parent = PENSTOCK_ADDR_NONE};
        CHECK_EQ(one_node_hear_beacon(&bench, P, &beacon, 255u, false, i), PENSTOCK_OK);
    }
    CHECK_EQ(penstock_parent(&bench.node), PENSTOCK_ADDR_NONE);
    CHECK_EQ(penstock_data_headers(&bench.config), 19);
    bench.config.routing = NULL; /* the thesis's */
    one_node_start(&bench, 0u);
    for (int i = 0; i < 6; i++) {
        penstock_beacon_t beacon = {.root = ROOT, .route_seq = (uint16_t)i, .etx = 0u};
        hear(&bench, P, &beacon, 1u);
    }
    CHECK_EQ(penstock_parent(&bench.node), PENSTOCK_ADDR_NONE);
    CHECK_EQ(entry(&bench, P)->delivery_in, 255); /* but its frames are frames */
}

/* A table full of good neighbours has a place for a root, and for no other newcomer. */
static void test_a_root_finds_a_place(void)
{
    one_node_t bench;
    start(&bench);
    for (int from = 40; from < 40 + NEIGHBORS; from++) {
        meet(&bench, (uint8_t)from, 256u, 1u);
    }
    advertise(&bench, 60u, 128u, 2u);
    CHECK(entry(&bench, 60u) == NULL);
    advertise(&bench, ROOT, 0u, 3u);
    CHECK(entry(&bench, ROOT) != NULL);
}

/* With tables a neighbour is a candidate once it has said how it hears this node. */
static void test_tables(void)
{
    one_node_t bench;
    prepare(&bench);
    bench.config.ctp.link_tables = true;
    one_node_start(&bench, 0u);
    meet(&bench, P, 256u, 1u);
    CHECK_EQ(penstock_parent(&bench.node), PENSTOCK_ADDR_NONE);
    uint8_t bytes[PENSTOCK_FRAME_MAX];
    penstock_frame_t frame = {
        .type = PENSTOCK_FRAME_BEACON, .is_ctp = true, .pan_id = PAN, .dst = PENSTOCK_ADDR_BROADCAST, .src = P};
    penstock_beacon_t beacon = {
        .root = ROOT, .route_seq = bench.next_seq, .etx = 256u, .hops = 1u, .parent = ROOT, .count = 1u};
    int header = penstock_frame_write_header(&frame, bytes, sizeof bytes);
    int len = header + penstock_beacon_write(&beacon, bytes + header, sizeof bytes - (size_t)header);
    penstock_beacon_write_entry(bytes + header, 0u, (penstock_beacon_entry_t){SELF, 128u});
    penstock_rx_info_t info = {.rssi_dbm = -80, .for_us = true};
    CHECK_EQ(penstock_receive(&bench.node, bytes, (size_t)len, &info, 2u), PENSTOCK_OK);
    CHECK_EQ(penstock_parent(&bench.node), P);
    CHECK_EQ(bench.node.tree.etx, 256 + 255);
    penstock_time_t now = bench.node.tree.next_beacon;
    penstock_tick(&bench.node, now);
    CHECK(one_node_transmits(&bench, now));
    CHECK_EQ(penstock_beacon_parse(&beacon, bench.frame.payload, bench.frame.payload_len), PENSTOCK_OK);
    CHECK_EQ(beacon.count, 1);
    CHECK_EQ(penstock_beacon_delivery(&beacon, P), 255);
}

static void test_config(void)
{
    one_node_t bench;
    prepare(&bench);
    bench.config.beacon_period_us = 0u; /* the other routing's */
    CHECK_EQ(penstock_init(&bench.node, &bench.config, 0u), PENSTOCK_OK);
    bench.config.ctp.beacon_min_us = 1u;
    CHECK_EQ(penstock_init(&bench.node, &bench.config, 0u), PENSTOCK_INVALID);
    bench.config.ctp.beacon_min_us = 500000001u;
    CHECK_EQ(penstock_init(&bench.node, &bench.config, 0u), PENSTOCK_INVALID);
    bench.config.ctp.beacon_max_us = (UINT32_C(1) << 29) + 1u;
    CHECK_EQ(penstock_init(&bench.node, &bench.config, 0u), PENSTOCK_INVALID);
    bench.config.ctp.beacon_max_us = UINT32_C(1) << 29;
    CHECK_EQ(penstock_init(&bench.node, &bench.config, 0u), PENSTOCK_OK);
    bench.config.routing = NULL;
    CHECK_EQ(penstock_init(&bench.node, &bench.config, 0u), PENSTOCK_INVALID);
}

int main(void)
{
    test_choice();
    test_switch_threshold();
    test_no_route();
    test_data_changes_the_parent();
    test_attempts_are_the_addressees();
    test_what_frames_say();
    test_news();
    test_pull();
    test_suspected_loops();
    test_a_loop_makes_no_duplicates();
    test_other_routing();
    test_a_root_finds_a_place();
    test_tables();
    test_config();
    return check_result();
}
