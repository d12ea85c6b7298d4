/* The forward way of bulk packets: what is a duplicate, who waits for what, what is dropped, and what a queue that is
 * too long tells (Flush, SenSys 2007, 2.3.2, 3.4, 4.1).
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "bulk/path.h"
#include "bulk_node.h"
#include "check.h"

static bulk_node_t bench;

static bulk_node_t *prepare(uint8_t mode)
{
    bulk_node_prepare(&bench);
    bench.params.path.mode = mode;
    return &bench;
}

static void start(uint8_t mode)
{
    prepare(mode);
    bulk_node_start(&bench, 0u);
}

static uint8_t waiting(void)
{
    return bench.bulk.path.count;
}

static bool send_own(penstock_time_t now)
{
    static const uint8_t pdu[] = {0xFFu, 1u, 2u};
    return penstock_bulk_path_send(&bench.one.node, pdu, sizeof pdu, now);
}

static bool may_send(penstock_time_t now, penstock_time_t *at)
{
    return penstock_bulk_path_may_send(&bench.one.node, now, at);
}

/* As it came: one link more, and nothing else changed but the three delays. */
static void test_forwarding(void)
{
    start(PENSTOCK_BULK_FLUSH);
    bulk_node_feed(&bench, 0u);
    CHECK(one_node_transmits(&bench.one, 0u));
    const penstock_frame_t *frame = &bench.one.frame;
    CHECK_EQ(frame->type, PENSTOCK_FRAME_BULK);
    CHECK_EQ(frame->dst, PARENT);
    CHECK_EQ(frame->origin, SOURCE);
    CHECK_EQ(frame->seq, 0);
    CHECK_EQ(frame->hops, 3);
    CHECK(frame->delays != NULL && !frame->companded && frame->ack_request);
    CHECK_EQ(frame->payload_len, 2);
    CHECK_EQ(frame->payload[0], 0xFF);
    CHECK(bench.one.tx.is_bulk && !bench.one.tx.is_data && bench.one.tx.ack);
    CHECK_EQ(bench.one.tx.attempts, 1);
    start(PENSTOCK_BULK_FIXED); /* nothing to tell: three bytes more for the PDU */
    CHECK_EQ(penstock_bulk_path_pdu_max(&bench.one.node), 34 - 15);
    bulk_node_feed(&bench, 0u);
    CHECK(one_node_transmits(&bench.one, 0u));
    CHECK(bench.one.frame.delays == NULL);
    start(PENSTOCK_BULK_FLUSH);
    CHECK_EQ(penstock_bulk_path_pdu_max(&bench.one.node), 34 - 18);
}

/* A repeat is one packet; the same data under a new path sequence number, as a NACK brings it forth, is another; so is
 * a packet that comes round in a loop, or by another neighbour. */
static void test_duplicates(void)
{
    start(PENSTOCK_BULK_FLUSH);
    bulk_node_hear(&bench, CHILD, SELF, SOURCE, 200u, 2u, NULL, 0u);
    bulk_node_hear(&bench, CHILD, SELF, SOURCE, 200u, 2u, NULL, 0u);
    CHECK_EQ(waiting(), 1);
    CHECK_EQ(bulk_node_counters(&bench)->duplicates, 1);
    bulk_node_hear(&bench, CHILD, SELF, SOURCE, 201u, 2u, NULL, 0u);
    CHECK_EQ(waiting(), 2);
    bulk_node_hear(&bench, CHILD, SELF, SOURCE, 201u, 5u, NULL, 0u);
    CHECK_EQ(waiting(), 3);
    bulk_node_hear(&bench, SIBLING, SELF, SOURCE, 201u, 5u, NULL, 0u);
    CHECK_EQ(waiting(), 4);
    bulk_node_hear(&bench, SIBLING, SELF, CHILD, 201u, 5u, NULL, 0u); /* another flow in between ... */
    bulk_node_hear(&bench, SIBLING, SELF, SOURCE, 201u, 5u, NULL, 0u);
    CHECK_EQ(waiting(), 5); /* ... does not make it new */
    CHECK_EQ(bulk_node_counters(&bench)->duplicates, 2);
    CHECK_EQ(bulk_node_counters(&bench)->received, 5);
}

/* What this node may not, or cannot, send on. */
static void test_drops(void)
{
    const penstock_bulk_path_counters_t *counters;
    start(PENSTOCK_BULK_FLUSH);
    counters = bulk_node_counters(&bench);
    bulk_node_hear(&bench, CHILD, SELF, SOURCE, 1u, 17u, NULL, 0u); /* hop_limit is 16 */
    CHECK_EQ(counters->drops[PENSTOCK_DROP_HOP_LIMIT], 1);
    bulk_node_hear(&bench, CHILD, SELF, SELF, 1u, 3u, NULL, 0u); /* its own packet, back again */
    CHECK_EQ(counters->drops[PENSTOCK_DROP_HOP_LIMIT], 2);
    for (int packet = 0; packet < BULK_QUEUE; packet++) {
        bulk_node_feed(&bench, 0u);
    }
    CHECK(!penstock_bulk_can_accept(&bench.one.node));
    bulk_node_feed(&bench, 0u);
    CHECK_EQ(counters->drops[PENSTOCK_DROP_ACKED_THEN_DROPPED], 1);
    bench.one.acked = false; /* a MAC that asks first: the child keeps it, and its repeat is new */
    uint32_t received = counters->received;
    bench.next_seq = 100u;
    bulk_node_feed(&bench, 0u);
    CHECK_EQ(counters->received, received);
    CHECK(bulk_node_send_off(&bench, 0u, 8 * MS));
    bench.next_seq = 100u;
    bulk_node_feed(&bench, 8 * MS);
    CHECK_EQ(counters->received, received + 1u);
    CHECK_EQ(waiting(), BULK_QUEUE);
    for (int reason = 0; reason < PENSTOCK_DROP_COUNT; reason++) {
        CHECK_EQ(bench.one.node.counters.drops[reason], 0); /* those of sensor packets */
    }
}

/* No parent: what comes in is dropped at once, what waits is dropped after the longest wait; a parent in time saves it.
 */
static void test_no_parent(void)
{
    penstock_time_t at;
    start(PENSTOCK_BULK_FLUSH);
    bulk_node_feed(&bench, 0u);
    bulk_node_feed(&bench, 0u);
    penstock_set_parent(&bench.one.node, PENSTOCK_ADDR_NONE, 0u);
    bulk_node_feed(&bench, 0u);
    CHECK_EQ(bulk_node_counters(&bench)->drops[PENSTOCK_DROP_NO_ROUTE], 1);
    CHECK(!send_own(0u));
    CHECK(!one_node_transmits(&bench.one, 5u));
    CHECK(penstock_next_deadline(&bench.one.node, 5u, &at));
    CHECK_EQ(at, 5 + 2000 * MS);
    penstock_tick(&bench.one.node, at - 1u);
    CHECK_EQ(waiting(), 2);
    penstock_tick(&bench.one.node, at);
    CHECK_EQ(waiting(), 0);
    CHECK_EQ(bulk_node_counters(&bench)->drops[PENSTOCK_DROP_NO_ROUTE], 3);
    CHECK(!penstock_next_deadline(&bench.one.node, at, &at));

    start(PENSTOCK_BULK_FLUSH);
    bulk_node_feed(&bench, 0u);
    penstock_set_parent(&bench.one.node, PENSTOCK_ADDR_NONE, 0u);
    CHECK(!one_node_transmits(&bench.one, 0u));
    penstock_set_parent(&bench.one.node, SIBLING, 1999 * MS);
    CHECK(one_node_transmits(&bench.one, 1999 * MS));
    CHECK_EQ(bench.one.frame.dst, SIBLING);
}

/* Under flush a node on the way keeps D between starts; under the other modes it does not. */
static void test_pace(uint8_t mode)
{
    penstock_time_t at;
    start(mode);
    bulk_node_feed(&bench, 0u);
    CHECK(bulk_node_send_off(&bench, 0u, 8 * MS));
    bulk_node_hear_ahead(&bench, PARENT, 1u, 9u, 10u, 40u, 8 * MS);
    bulk_node_feed(&bench, 8 * MS);
    if (mode == PENSTOCK_BULK_FLUSH) {
        CHECK(!one_node_transmits(&bench.one, 40 * MS - 1u));
        CHECK(penstock_next_deadline(&bench.one.node, 8 * MS, &at));
        CHECK_EQ(at, 40 * MS);
        CHECK(one_node_transmits(&bench.one, at));
    } else {
        CHECK(!penstock_next_deadline(&bench.one.node, 8 * MS, &at));
        CHECK(one_node_transmits(&bench.one, 8 * MS));
    }
    CHECK_EQ(bench.one.frame.delays != NULL, mode <= PENSTOCK_BULK_FLUSH_E2E);
}

/* However long D is, nothing waits for longer than the longest wait. */
static void test_longest_wait(void)
{
    penstock_time_t at;
    prepare(PENSTOCK_BULK_FLUSH)->params.path.longest_wait_us = 100 * MS;
    bulk_node_start(&bench, 0u);
    bulk_node_feed(&bench, 0u);
    CHECK(bulk_node_send_off(&bench, 0u, 8 * MS));
    bulk_node_hear_ahead(&bench, PARENT, 1u, 9u, 10u, 255u, 0u);
    CHECK_EQ(bulk_node_state(&bench, SOURCE).interval_us, 255 * MS);
    bulk_node_feed(&bench, 8 * MS);
    CHECK(penstock_next_deadline(&bench.one.node, 8 * MS, &at));
    CHECK_EQ(at, 100 * MS);
    CHECK(one_node_transmits(&bench.one, at));
}

/* Over five packets in the queue (3.4) delta is told doubled; the node itself goes on by what it measured. */
static void test_doubling(void)
{
    start(PENSTOCK_BULK_FLUSH);
    bulk_node_feed(&bench, 0u);
    CHECK(bulk_node_send_off(&bench, 0u, 8 * MS));
    for (int packet = 0; packet < 5; packet++) {
        bulk_node_feed(&bench, 100 * MS);
    }
    CHECK(one_node_transmits(&bench.one, 100 * MS));
    CHECK_EQ(bench.one.frame.delays[0], 8);
    CHECK(!bulk_node_state(&bench, SOURCE).doubled);
    bulk_node_feed(&bench, 101 * MS);
    CHECK(bulk_node_state(&bench, SOURCE).doubled);
    one_node_report(&bench.one, PENSTOCK_TX_NO_ACK, 104 * MS);
    CHECK(one_node_transmits(&bench.one, 104 * MS)); /* the repeat tells what is true now */
    CHECK_EQ(bench.one.frame.delays[0], 16);
    CHECK_EQ(bench.one.frame.delays[2], 8);
    CHECK_EQ(bulk_node_state(&bench, SOURCE).delay_us, 8 * MS);
    CHECK_EQ(bulk_node_state(&bench, SOURCE).interval_us, 8 * MS);
    one_node_report(&bench.one, PENSTOCK_TX_DONE, 108 * MS);
    CHECK(one_node_transmits(&bench.one, 200 * MS));
    CHECK_EQ(bench.one.frame.delays[0], 8);
}

/* A source: two packets of its own in the queue, numbers that grow, the first interval until four have got through. */
static void test_source(void)
{
    penstock_time_t at;
    start(PENSTOCK_BULK_FLUSH);
    penstock_bulk_path_begin(&bench.one.node, 100 * MS, 0u);
    CHECK(may_send(0u, &at) && send_own(0u));
    CHECK(may_send(0u, &at) && send_own(0u));
    CHECK(!may_send(0u, &at) && at > 0u && !send_own(0u));
    CHECK_EQ(penstock_bulk_path_waiting(&bench.one.node), 2);
    uint8_t before = 0u;
    for (penstock_time_t packet = 0u; packet < 4u; packet++) {
        CHECK(!one_node_transmits(&bench.one, packet * 100 * MS - (packet > 0u ? 1u : 0u)) || packet == 0u);
        CHECK(packet == 0u || one_node_transmits(&bench.one, packet * 100 * MS));
        CHECK_EQ(bench.one.frame.hops, 1);
        CHECK_EQ(bench.one.frame.origin, SELF);
        CHECK(packet == 0u || bench.one.frame.seq == (uint8_t)(before + 1u));
        before = (uint8_t)bench.one.frame.seq;
        one_node_report(&bench.one, PENSTOCK_TX_DONE, (packet * 100 + 8) * MS);
        CHECK(may_send((packet * 100 + 8) * MS, &at) && send_own((packet * 100 + 8) * MS));
    }
    /* Four through, and the next hop never heard: the root. Its own delta is all there is. */
    CHECK_EQ(bulk_node_state(&bench, SELF).interval_us, 8 * MS);
    CHECK_EQ(bulk_node_state(&bench, SELF).f_us, 0);
    CHECK(one_node_transmits(&bench.one, 308 * MS));
    uint8_t long_pdu[255] = {0xFFu};
    CHECK(!penstock_bulk_path_send(&bench.one.node, long_pdu, 0u, 0u));
    CHECK(!penstock_bulk_path_send(&bench.one.node, long_pdu, 17u, 0u));
}

/* Sources whose queue keeps no pace hand packets over by a clock. */
static void test_clock(uint8_t mode, uint32_t interval_ms)
{
    penstock_time_t at;
    start(mode);
    penstock_bulk_path_begin(&bench.one.node, 50 * MS, 0u);
    for (penstock_time_t beat = 0u; beat < 3u; beat++) {
        penstock_time_t now = beat * interval_ms * MS;
        CHECK(may_send(now, &at) && send_own(now));
        CHECK(!may_send(now + interval_ms * MS - 1u, &at));
        CHECK_EQ(at, now + interval_ms * MS);
        CHECK(bulk_node_send_off(&bench, now, 8 * MS));
    }
    /* A late one is followed on the beat; after a long pause the clock begins anew. */
    penstock_time_t late = 3u * interval_ms * MS + 5 * MS;
    CHECK(may_send(late, &at) && send_own(late));
    CHECK(!may_send(late, &at));
    CHECK_EQ(at, 4u * interval_ms * MS);
    penstock_time_t later = 20u * interval_ms * MS;
    CHECK(may_send(later, &at) && send_own(later));
    CHECK(!may_send(later, &at));
}

static void test_asap(void)
{
    penstock_time_t at;
    start(PENSTOCK_BULK_ASAP);
    for (penstock_time_t packet = 0u; packet < 5u; packet++) {
        CHECK(may_send(packet * 8 * MS, &at) && send_own(packet * 8 * MS));
        CHECK(bulk_node_send_off(&bench, packet * 8 * MS, 8 * MS));
    }
}

/* At the root packets are the transfer's at once, repeats are not. */
static void test_root(void)
{
    prepare(PENSTOCK_BULK_FLUSH)->one.config.is_root = true;
    bulk_node_start(&bench, 0u);
    bulk_node_feed(&bench, 0u);
    bench.next_seq--;
    bulk_node_feed(&bench, 0u);
    bulk_node_feed(&bench, 0u);
    CHECK_EQ(bulk_node_counters(&bench)->delivered, 2);
    CHECK_EQ(bulk_node_counters(&bench)->duplicates, 1);
    CHECK_EQ(waiting(), 0);
    CHECK(!send_own(0u));
}

/* A node without bulk: such frames tell of links, and nothing else. */
static void test_without_bulk(void)
{
    penstock_bulk_path_state_t state;
    prepare(PENSTOCK_BULK_FLUSH)->one.config.bulk = NULL;
    bulk_node_start(&bench, 0u);
    CHECK_EQ(bulk_node_feed(&bench, 0u), PENSTOCK_OK);
    CHECK(!one_node_transmits(&bench.one, 0u));
    CHECK(!penstock_bulk_path_state(&bench.one.node, SOURCE, &state));
    CHECK(penstock_bulk_path_counters(&bench.one.node) == NULL);
    CHECK(!penstock_bulk_can_accept(&bench.one.node));
}

int main(void)
{
    test_forwarding();
    test_duplicates();
    test_drops();
    test_no_parent();
    test_pace(PENSTOCK_BULK_FLUSH);
    test_pace(PENSTOCK_BULK_FLUSH_E2E);
    test_pace(PENSTOCK_BULK_FIXED);
    test_pace(PENSTOCK_BULK_ASAP);
    test_longest_wait();
    test_doubling();
    test_source();
    test_clock(PENSTOCK_BULK_FIXED, 20u);
    test_clock(PENSTOCK_BULK_FLUSH_E2E, 50u);
    test_asap();
    test_root();
    test_without_bulk();
    return check_result();
}
