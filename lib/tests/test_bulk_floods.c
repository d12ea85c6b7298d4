/* Floods at one node: sent on once, after a while, while there is room; along a path to a single neighbour; and
 * routes that freeze and thaw by what they say.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <string.h>

#include "bulk/ends.h"
#include "bulk_node.h"
#include "check.h"
#include "neighbors.h"

enum { SINK = 1, TARGET = 77, S = 1000000 };

static bulk_node_t bench;
static uint16_t number;

static void start(bool beacons, penstock_time_t now)
{
    bulk_node_prepare(&bench);
    bench.one.config.max_frame_len = 64u;
    bench.one.config.beacons = beacons;
    bulk_node_start(&bench, now);
}

static void hear(uint16_t dst, uint16_t target, uint16_t seq, uint8_t hops, const uint8_t *pdu, uint8_t len,
                 penstock_time_t now)
{
    uint8_t bytes[PENSTOCK_FRAME_MAX];
    penstock_frame_t frame = {
        .type = PENSTOCK_FRAME_FLOOD,
        .link_seq = bench.one.link_seq[PARENT]++,
        .ack_request = dst != PENSTOCK_ADDR_BROADCAST,
        .pan_id = PAN,
        .dst = dst,
        .src = PARENT,
        .origin = SINK,
        .seq = seq,
        .target = target,
        .hops = hops,
    };
    int header = penstock_frame_write_header(&frame, bytes, sizeof bytes);
    memcpy(bytes + header, pdu, len);
    penstock_rx_info_t info = {.rssi_dbm = -70, .for_us = dst == PENSTOCK_ADDR_BROADCAST || dst == SELF, .acked = true};
    CHECK_EQ(penstock_receive(&bench.one.node, bytes, (size_t)header + len, &info, now), PENSTOCK_OK);
}

static void hear_pdu(const penstock_bulk_pdu_t *pdu, penstock_time_t now)
{
    uint8_t bytes[PENSTOCK_BULK_FLOOD_PDU_MAX];
    int len = penstock_bulk_pdu_write(pdu, bytes, sizeof bytes);
    hear(PENSTOCK_ADDR_BROADCAST, TARGET, ++number, 2u, bytes, (uint8_t)len, now);
}

static const uint8_t query[] = {PENSTOCK_BULK_PDU_QUERY, 9u, 1u, 2u, 0u};

/* The flood that is sent between two moments, in steps of 1 ms; 0 when none is. */
static penstock_time_t sent_between(penstock_time_t from, penstock_time_t until)
{
    for (penstock_time_t now = from; now != until; now += MS) {
        if (one_node_transmits(&bench.one, now)) {
            CHECK_EQ(bench.one.frame.type, PENSTOCK_FRAME_FLOOD);
            one_node_report(&bench.one, PENSTOCK_TX_DONE, now);
            return now;
        }
    }
    return 0u;
}

static void test_once(void)
{
    start(false, 0u);
    for (uint16_t i = 1u; i <= 20u; i++) {
        penstock_time_t now = i * 1000u * MS;
        hear(PENSTOCK_ADDR_BROADCAST, TARGET, i, 4u, query, sizeof query, now);
        penstock_time_t at;
        CHECK(penstock_next_deadline(&bench.one.node, now, &at) || one_node_transmits(&bench.one, now));
        penstock_time_t sent = sent_between(now, now + 61u * MS); /* two packet times of 30 ms */
        CHECK(sent != 0u);
        CHECK_EQ(bench.one.frame.dst, PENSTOCK_ADDR_BROADCAST);
        CHECK(!bench.one.frame.ack_request);
        CHECK_EQ(bench.one.frame.origin, SINK);
        CHECK_EQ(bench.one.frame.seq, i);
        CHECK_EQ(bench.one.frame.target, TARGET);
        CHECK_EQ(bench.one.frame.hops, 5);
        CHECK_EQ(bench.one.frame.payload_len, sizeof query);
        CHECK(memcmp(bench.one.frame.payload, query, sizeof query) == 0);
        hear(PENSTOCK_ADDR_BROADCAST, TARGET, i, 4u, query, sizeof query, now + 500u * MS);
        hear(PENSTOCK_ADDR_BROADCAST, TARGET, (uint16_t)(i > 7u ? i - 7u : i), 4u, query, sizeof query,
             now + 500u * MS);
        CHECK_EQ(sent_between(now + 500u * MS, now + 600u * MS), 0);
    }
    /* Long after the last one, a number that was used before is a new flood. */
    hear(PENSTOCK_ADDR_BROADCAST, TARGET, 20u, 4u, query, sizeof query, 40u * S);
    CHECK(sent_between(40u * S, 41u * S) != 0u);
}

static void test_limits(void)
{
    uint8_t longest[PENSTOCK_BULK_FLOOD_PDU_MAX + 1u] = {PENSTOCK_BULK_PDU_NACK};
    start(false, 0u);
    hear(PENSTOCK_ADDR_BROADCAST, TARGET, 1u, 16u, query, sizeof query, 0u); /* as far as frames go */
    CHECK_EQ(sent_between(0u, 100u * MS), 0);
    bench.one.config.max_frame_len = 125u;
    hear(PENSTOCK_ADDR_BROADCAST, TARGET, 2u, 1u, longest, sizeof longest, 0u);
    CHECK_EQ(sent_between(0u, 100u * MS), 0);
    hear(PENSTOCK_ADDR_BROADCAST, TARGET, 3u, 1u, longest, sizeof longest - 1u, 100u * MS);
    CHECK(sent_between(100u * MS, 200u * MS) != 0u); /* malformed or not: a relay does not judge */
    for (uint16_t i = 4u; i < 8u; i++) {             /* room for two */
        hear(PENSTOCK_ADDR_BROADCAST, TARGET, i, 1u, query, sizeof query, 200u * MS);
    }
    CHECK(sent_between(200u * MS, 300u * MS) != 0u);
    CHECK(sent_between(200u * MS, 300u * MS) != 0u);
    CHECK_EQ(sent_between(200u * MS, 400u * MS), 0);
    /* A channel that stays busy is tried again, and not for ever. */
    hear(PENSTOCK_ADDR_BROADCAST, TARGET, 8u, 1u, query, sizeof query, S);
    int tries = 0;
    for (penstock_time_t now = S; now != 2 * S; now += MS) {
        if (one_node_transmits(&bench.one, now)) {
            tries++;
            one_node_report(&bench.one, PENSTOCK_TX_NO_CHANNEL, now);
        }
    }
    CHECK_EQ(tries, 5);
    /* Not our own that comes back, were we the sink; and not what is for another neighbour. */
    hear(99u, TARGET, 9u, 1u, query, sizeof query, 3 * S);
    CHECK_EQ(sent_between(3 * S, 4 * S), 0);
}

static void test_along_a_path(void)
{
    start(false, 0u);
    hear(SELF, SOURCE, 1u, 1u, query, sizeof query, 0u); /* nothing has come from SOURCE yet: no way */
    CHECK_EQ(sent_between(0u, 100u * MS), 0);
    CHECK_EQ(bulk_node_feed(&bench, 100u * MS), PENSTOCK_OK);
    CHECK(bulk_node_send_off(&bench, 100u * MS, 5u * MS));
    hear(SELF, SOURCE, 2u, 1u, query, sizeof query, 200u * MS);
    CHECK(one_node_transmits(&bench.one, 200u * MS)); /* at once: nobody else will */
    CHECK_EQ(bench.one.frame.type, PENSTOCK_FRAME_FLOOD);
    CHECK_EQ(bench.one.frame.dst, CHILD);
    CHECK(bench.one.frame.ack_request);
    CHECK_EQ(bench.one.frame.hops, 2);
    one_node_report(&bench.one, PENSTOCK_TX_NO_ACK, 200u * MS);
    hear(SELF, SOURCE, 2u, 1u, query, sizeof query, 201u * MS); /* its acknowledgement was lost */
    for (int attempt = 1; attempt < 5; attempt++) {
        CHECK(one_node_transmits(&bench.one, 210u * MS));
        one_node_report(&bench.one, PENSTOCK_TX_NO_ACK, 210u * MS);
    }
    CHECK(!one_node_transmits(&bench.one, 300u * MS));
    hear(SELF, SOURCE, 3u, 1u, query, sizeof query, 400u * MS);
    CHECK(sent_between(400u * MS, 500u * MS) != 0u);
    CHECK_EQ(sent_between(400u * MS, 500u * MS), 0);
}

/* ---- Freezing --------------------------------------------------------------------------- */

static int beacons_between(penstock_time_t from, penstock_time_t until)
{
    int beacons = 0;
    for (penstock_time_t now = from; now != until; now += 100u * MS) {
        penstock_tick(&bench.one.node, now);
        while (one_node_transmits(&bench.one, now)) {
            beacons += bench.one.frame.type == PENSTOCK_FRAME_BEACON;
            one_node_report(&bench.one, PENSTOCK_TX_DONE, now);
        }
    }
    return beacons;
}

/* The parent's beacon: a route of so many transmissions; the link works both ways. */
static void parent_beacon(uint8_t from, uint16_t seq, uint16_t etx, penstock_time_t now)
{
    penstock_beacon_t beacon = {.root = SINK, .route_seq = seq, .etx = etx, .hops = 1u, .parent = SINK};
    CHECK_EQ(one_node_hear_beacon(&bench.one, from, &beacon, 255u, false, now), PENSTOCK_OK);
}

static void settle(void)
{
    start(true, 0u);
    for (uint16_t i = 0u; i < 12u; i++) {
        parent_beacon(PARENT, i, 256u, i * 5u * S);
        parent_beacon(SIBLING, i, 1024u, i * 5u * S);
    }
    penstock_tick(&bench.one.node, 60u * S);
    CHECK_EQ(penstock_parent(&bench.one.node), PARENT);
}

static penstock_bulk_pdu_t request(uint8_t hold)
{
    return (penstock_bulk_pdu_t){
        .kind = PENSTOCK_BULK_PDU_REQUEST, .transfer = 9u, .hold = hold, .interval = 100u, .length = 20u, .last = 9u};
}

static void test_freeze(void)
{
    settle();
    CHECK(beacons_between(60u * S, 90u * S) >= 2);
    parent_beacon(PARENT, 12u, 256u, 90u * S);
    parent_beacon(SIBLING, 12u, 1024u, 90u * S);
    penstock_bulk_pdu_t ask = request(50u); /* 200 s */
    hear_pdu(&ask, 90u * S);
    CHECK(bench.one.node.tree.frozen);
    CHECK_EQ(beacons_between(90u * S, 190u * S), 0);
    CHECK_EQ(penstock_parent(&bench.one.node), PARENT); /* silent for ten periods */
    CHECK_EQ(bench.one.node.tree.etx, 256 + 128);
    parent_beacon(SIBLING, 13u, 0u, 190u * S); /* a better one, but later */
    CHECK_EQ(penstock_parent(&bench.one.node), PARENT);
    penstock_bulk_pdu_t end = {.kind = PENSTOCK_BULK_PDU_END, .transfer = 9u};
    hear_pdu(&end, 195u * S);
    CHECK(!bench.one.node.tree.frozen);
    CHECK(beacons_between(195u * S, 215u * S) >= 1);
    /* The parent was not forgotten, and so could be left for the better one. */
    CHECK(penstock_neighbors_find(&bench.one.node.neighbors, PARENT) != NULL);
    CHECK_EQ(penstock_parent(&bench.one.node), SIBLING);
}

/* Nobody says that it is over. */
static void test_lost_end(void)
{
    settle();
    penstock_bulk_pdu_t ask = request(10u); /* 40 s */
    hear_pdu(&ask, 60u * S);
    CHECK_EQ(beacons_between(60u * S, 80u * S), 0);
    hear_pdu(&ask, 80u * S); /* it goes on: from here on */
    CHECK_EQ(beacons_between(80u * S, 120u * S), 0);
    penstock_time_t at;
    CHECK(penstock_next_deadline(&bench.one.node, 119u * S, &at));
    CHECK_EQ(at, 120 * S);
    CHECK(beacons_between(120u * S, 140u * S) >= 1);
    CHECK(!bench.one.node.tree.frozen);
    CHECK_EQ(penstock_parent(&bench.one.node), PARENT);
    /* From now on silence counts: five periods of 10 s. */
    (void)beacons_between(140u * S, 160u * S);
    parent_beacon(SIBLING, 14u, 1024u, 160u * S);
    CHECK_EQ(penstock_parent(&bench.one.node), PARENT);
    (void)beacons_between(160u * S, 180u * S);
    CHECK_EQ(penstock_parent(&bench.one.node), SIBLING);
}

static void test_who_thaws(void)
{
    settle();
    penstock_bulk_pdu_t none = request(0u); /* block-wise transfer freezes nothing */
    hear_pdu(&none, 60u * S);
    CHECK(!bench.one.node.tree.frozen);
    penstock_bulk_pdu_t ask = request(10u);
    hear_pdu(&ask, 60u * S);
    uint8_t bytes[PENSTOCK_BULK_END_LEN] = {PENSTOCK_BULK_PDU_END, 3u, 0u};
    penstock_frame_t frame = {.type = PENSTOCK_FRAME_FLOOD,
                              .dst = PENSTOCK_ADDR_BROADCAST,
                              .src = PARENT,
                              .origin = SINK + 1u, /* another sink's */
                              .seq = 500u,
                              .target = TARGET,
                              .hops = 1u,
                              .payload = bytes,
                              .payload_len = sizeof bytes};
    penstock_bulk_ends_flood(&bench.one.node, &frame, 61u * S);
    CHECK(bench.one.node.tree.frozen);
    bench.params.ends.freeze = false;
    penstock_bulk_pdu_t end = {.kind = PENSTOCK_BULK_PDU_END, .transfer = 9u};
    hear_pdu(&end, 62u * S);
    CHECK(!bench.one.node.tree.frozen);
    hear_pdu(&ask, 63u * S); /* a network that does not freeze */
    CHECK(!bench.one.node.tree.frozen);
}

/* Transfers of more than the clock's range: routes are as old as they were. */
static void test_long_freeze(void)
{
    settle();
    penstock_bulk_pdu_t ask = request(255u);
    penstock_time_t now = 60u * S;
    for (int i = 0; i < 10; i++, now += 900u * S) {
        hear_pdu(&ask, now);
        penstock_tick(&bench.one.node, now);
    }
    penstock_bulk_pdu_t end = {.kind = PENSTOCK_BULK_PDU_END, .transfer = 9u};
    hear_pdu(&end, now);
    penstock_tick(&bench.one.node, now);
    CHECK_EQ(penstock_parent(&bench.one.node), PARENT);
    const penstock_neighbor_t *parent = penstock_neighbors_find(&bench.one.node.neighbors, PARENT);
    CHECK(parent != NULL);
    CHECK(parent == NULL || now - parent->route_at == 5u * S);
}

int main(void)
{
    test_once();
    test_limits();
    test_along_a_path();
    test_freeze();
    test_lost_end();
    test_who_thaws();
    test_long_freeze();
    return check_result();
}
