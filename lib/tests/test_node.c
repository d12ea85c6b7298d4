/* A node: sending, forwarding, retries, drops, and the clock's wrap.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <string.h>

#include "check.h"
#include "one_node.h"

static void start(one_node_t *bench)
{
    one_node_prepare(bench, &penstock_control_none);
    one_node_start(bench, 0u);
}

static void test_send(void)
{
    one_node_t bench;
    start(&bench);
    uint16_t seq = 0u;
    penstock_time_t retry_at = 0u;
    CHECK(penstock_writable(&bench.node, 0u));
    CHECK_EQ(penstock_send(&bench.node, 5u, (const uint8_t *)"abc", 3u, 0u, &seq, &retry_at), PENSTOCK_OK);
    CHECK(one_node_transmits(&bench, 0u));
    CHECK_EQ(bench.frame.type, PENSTOCK_FRAME_DATA);
    CHECK_EQ(bench.frame.src, SELF);
    CHECK_EQ(bench.frame.dst, PARENT);
    CHECK_EQ(bench.frame.pan_id, PAN);
    CHECK_EQ(bench.frame.origin, SELF);
    CHECK_EQ(bench.frame.seq, seq);
    CHECK_EQ(bench.frame.service, 5);
    CHECK_EQ(bench.frame.hops, 1);
    CHECK(bench.frame.ack_request);
    CHECK_EQ(bench.frame.payload_len, 3);
    CHECK(memcmp(bench.frame.payload, "abc", 3u) == 0);
    CHECK(bench.tx.ack && bench.tx.is_data);
    CHECK_EQ(bench.tx.attempts, 1);
    CHECK(!one_node_transmits(&bench, 0u)); /* one frame at a time */
    one_node_report(&bench, PENSTOCK_TX_DONE, 1u);
    CHECK(!one_node_transmits(&bench, 1u));
    CHECK_EQ(bench.node.counters.forwarded, 1);
    uint16_t next;
    CHECK_EQ(penstock_send(&bench.node, 0u, NULL, 0u, 2u, &next, NULL), PENSTOCK_OK);
    CHECK_EQ(next, (uint16_t)(seq + 1u));
}

static void test_send_refusals(void)
{
    one_node_t bench;
    start(&bench);
    uint8_t payload[PENSTOCK_PAYLOAD_MAX + 1u] = {0u};
    penstock_time_t retry_at = 0u;
    CHECK_EQ(penstock_send(&bench.node, 0u, payload, 18u, 0u, NULL, &retry_at), PENSTOCK_TOO_LONG); /* 34 - 17 */
    CHECK_EQ(penstock_send(&bench.node, 0u, payload, 17u, 0u, NULL, &retry_at), PENSTOCK_OK);
    CHECK_EQ(penstock_send(&bench.node, 16u, payload, 1u, 0u, NULL, &retry_at), PENSTOCK_INVALID);
    CHECK_EQ(penstock_send(&bench.node, 0u, NULL, 1u, 0u, NULL, &retry_at), PENSTOCK_INVALID);
    CHECK_EQ(one_node_send(&bench, 0u), PENSTOCK_OK);
    /* Its share of the queue is used up, and transit still gets in. */
    CHECK(!penstock_writable(&bench.node, 1000u));
    CHECK_EQ(penstock_send(&bench.node, 0u, payload, 1u, 1000u, NULL, &retry_at), PENSTOCK_WOULD_BLOCK);
    CHECK_EQ(retry_at, 1000 + PACKET_TIME_US);
    CHECK_EQ(bench.node.counters.refused, 1);
    for (int i = 0; i < 6; i++) {
        (void)one_node_feed(&bench, 1000u);
    }
    CHECK_EQ(bench.node.counters.drops[PENSTOCK_DROP_ACKED_THEN_DROPPED], 0);
    one_node_send_off(&bench, 2000u);
    CHECK(penstock_writable(&bench.node, 2000u));

    penstock_set_parent(&bench.node, PENSTOCK_ADDR_NONE, 3000u);
    CHECK_EQ(one_node_send(&bench, 3000u), PENSTOCK_WOULD_BLOCK);
    CHECK(!one_node_transmits(&bench, 3000u)); /* what is queued waits for a parent */

    one_node_prepare(&bench, &penstock_control_none);
    bench.config.is_root = true;
    one_node_start(&bench, 0u);
    CHECK_EQ(one_node_send(&bench, 0u), PENSTOCK_INVALID);
    CHECK(!penstock_writable(&bench.node, 0u));
}

static void test_forwarding(void)
{
    one_node_t bench;
    start(&bench);
    CHECK_EQ(one_node_hear(&bench, CHILD, SELF, 77u, 9u, false, 0u), PENSTOCK_OK);
    CHECK_EQ(one_node_hear(&bench, CHILD, 99u, 77u, 10u, false, 0u), PENSTOCK_OK); /* overheard */
    CHECK_EQ(bench.node.counters.received, 1);
    CHECK(one_node_transmits(&bench, 1u));
    CHECK_EQ(bench.frame.origin, 77);
    CHECK_EQ(bench.frame.seq, 9);
    CHECK_EQ(bench.frame.hops, 2);
    one_node_report(&bench, PENSTOCK_TX_DONE, 2u);
    CHECK_EQ(bench.node.queue.count, 0);
    penstock_delivery_t delivery;
    (void)one_node_feed(&bench, 3u);
    CHECK_EQ(penstock_poll_deliver(&bench.node, &delivery, 3u), 0); /* not the root */
}

static void test_root_delivers(void)
{
    one_node_t bench;
    one_node_prepare(&bench, &penstock_control_fusion);
    bench.config.is_root = true;
    one_node_start(&bench, 0u);
    (void)one_node_hear(&bench, CHILD, SELF, 77u, 9u, false, 0u);
    (void)one_node_hear(&bench, CHILD, SELF, 78u, 1u, false, 0u);
    CHECK(!one_node_transmits(&bench, 1u));
    penstock_delivery_t delivery;
    CHECK_EQ(penstock_poll_deliver(&bench.node, &delivery, 1u), 1);
    CHECK_EQ(delivery.origin, 77);
    CHECK_EQ(delivery.seq, 9);
    CHECK_EQ(delivery.hops, 1);
    CHECK_EQ(penstock_poll_deliver(&bench.node, &delivery, 1u), 1);
    CHECK_EQ(delivery.origin, 78);
    CHECK_EQ(penstock_poll_deliver(&bench.node, &delivery, 1u), 0);
    CHECK_EQ(bench.node.counters.delivered, 2);
    penstock_set_parent(&bench.node, PARENT, 1u);
    CHECK_EQ(penstock_parent(&bench.node), PENSTOCK_ADDR_NONE);
}

static void test_attempts(void)
{
    one_node_t bench;
    start(&bench);
    (void)one_node_feed(&bench, 0u);
    CHECK(one_node_transmits(&bench, 1u));
    uint8_t link_seq = bench.frame.link_seq;
    one_node_report(&bench, PENSTOCK_TX_NO_CHANNEL, 1u); /* never on air: no attempt, and the number is free */
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        CHECK(one_node_transmits(&bench, 2u));
        CHECK_EQ(bench.frame.link_seq, (uint8_t)(link_seq + attempt));
        CHECK_EQ(one_node_drop(&bench), PENSTOCK_DROP_NONE);
        one_node_report(&bench, PENSTOCK_TX_NO_ACK, 3u);
    }
    CHECK(!one_node_transmits(&bench, 4u));
    CHECK_EQ(one_node_drop(&bench), PENSTOCK_DROP_ATTEMPTS_EXHAUSTED);
    CHECK_EQ(bench.node.counters.transmissions, ATTEMPTS);
    CHECK_EQ(bench.node.counters.forwarded, 0);
    CHECK_EQ(bench.node.counters.drops[PENSTOCK_DROP_ATTEMPTS_EXHAUSTED], 1);
    one_node_report(&bench, PENSTOCK_TX_DONE, 5u); /* a report on nothing */
    CHECK_EQ(bench.node.counters.forwarded, 0);
}

static void test_attempts_without_limit(void)
{
    one_node_t bench;
    one_node_prepare(&bench, &penstock_control_none);
    bench.config.link_attempts = 0u;
    bench.config.mac_attempts = 3u;
    one_node_start(&bench, 0u);
    (void)one_node_feed(&bench, 0u);
    for (uint32_t attempt = 0u; attempt < 300u; attempt++) {
        CHECK(one_node_transmits(&bench, 1u));
        CHECK_EQ(bench.tx.attempts, 3);
        one_node_report(&bench, PENSTOCK_TX_NO_ACK, 2u);
    }
    CHECK_EQ(bench.node.counters.transmissions, 300);
    CHECK_EQ(penstock_queue_head(&bench.node.queue)->attempts, 255); /* as far as it is counted */
    CHECK(one_node_transmits(&bench, 3u));
    one_node_report(&bench, PENSTOCK_TX_DONE, 4u);
    CHECK_EQ(one_node_drop(&bench), PENSTOCK_DROP_NONE);
    CHECK_EQ(bench.node.counters.forwarded, 1);
}

static void test_attempts_of_the_mac(void)
{
    one_node_t bench;
    one_node_prepare(&bench, &penstock_control_none);
    bench.config.mac_attempts = 3u;
    one_node_start(&bench, 0u);
    (void)one_node_feed(&bench, 0u);
    CHECK(one_node_transmits(&bench, 1u));
    CHECK_EQ(bench.tx.attempts, 3);
    penstock_tx_report_t report = {.status = PENSTOCK_TX_NO_ACK, .attempts = 3u};
    penstock_transmitted(&bench.node, &report, 2u);
    CHECK(one_node_transmits(&bench, 3u));
    CHECK_EQ(bench.tx.attempts, 1); /* what is left of four */
    one_node_report(&bench, PENSTOCK_TX_NO_ACK, 4u);
    CHECK_EQ(one_node_drop(&bench), PENSTOCK_DROP_ATTEMPTS_EXHAUSTED);
    CHECK_EQ(bench.node.counters.transmissions, 4);
}

static void test_duplicates(void)
{
    one_node_t bench;
    start(&bench);
    (void)one_node_hear(&bench, CHILD, SELF, 77u, 9u, false, 0u);
    (void)one_node_hear(&bench, CHILD, SELF, 77u, 9u, false, 1u);
    CHECK_EQ(bench.node.counters.duplicates, 1);
    CHECK_EQ(bench.node.queue.count, 1);
    (void)one_node_hear(&bench, SIBLING, SELF, 77u, 9u, false, 2u); /* from another: as good as new */
    CHECK_EQ(bench.node.queue.count, 2);
    (void)one_node_hear(&bench, CHILD, SELF, 78u, 9u, false, 3u);
    (void)one_node_hear(&bench, CHILD, SELF, 78u, 10u, false, 3u);
    CHECK_EQ(bench.node.counters.received, 4);
    /* An overheard packet is not one that was received: when it then comes here, it is new. */
    (void)one_node_hear(&bench, CHILD, 99u, 79u, 1u, false, 4u);
    (void)one_node_hear(&bench, CHILD, SELF, 79u, 1u, false, 5u);
    CHECK_EQ(bench.node.counters.received, 5);
}

static void test_no_room(void)
{
    one_node_t bench;
    start(&bench);
    for (int i = 0; i < QUEUE; i++) {
        CHECK(penstock_can_accept(&bench.node));
        (void)one_node_feed(&bench, 0u);
    }
    CHECK(!penstock_can_accept(&bench.node));
    (void)one_node_feed(&bench, 1u); /* the radio has acknowledged it by itself */
    CHECK_EQ(one_node_drop(&bench), PENSTOCK_DROP_ACKED_THEN_DROPPED);
    CHECK_EQ(bench.node.counters.received, QUEUE + 1);
    bench.next_seq--;
    (void)one_node_feed(&bench, 2u); /* its repeat: the acknowledgement was lost, too. Dropped once is enough */
    CHECK_EQ(one_node_drop(&bench), PENSTOCK_DROP_NONE);
    CHECK_EQ(bench.node.counters.duplicates, 1);

    bench.acked = false; /* a MAC that lets the node decide: the child keeps the packet */
    (void)one_node_feed(&bench, 3u);
    CHECK_EQ(one_node_drop(&bench), PENSTOCK_DROP_NONE);
    CHECK_EQ(bench.node.counters.received, QUEUE + 1);
    one_node_send_off(&bench, 4u);
    bench.next_seq--;
    (void)one_node_feed(&bench, 5u); /* and its repeat is not a duplicate */
    CHECK_EQ(bench.node.queue.count, QUEUE);
    CHECK_EQ(bench.node.counters.received, QUEUE + 2);

    /* Nobody asked for an acknowledgement: the packet is lost. */
    uint8_t bytes[PENSTOCK_DATA_OVERHEAD];
    penstock_frame_t frame = {.type = PENSTOCK_FRAME_DATA, .pan_id = PAN, .dst = SELF, .src = SIBLING, .origin = 5u};
    int len = penstock_frame_write_header(&frame, bytes, sizeof bytes);
    penstock_rx_info_t info = {.for_us = true};
    CHECK_EQ(penstock_receive(&bench.node, bytes, (size_t)len, &info, 6u), PENSTOCK_OK);
    CHECK_EQ(one_node_drop(&bench), PENSTOCK_DROP_QUEUE_FULL);
}

static void test_no_route_and_hop_limit(void)
{
    one_node_t bench;
    start(&bench);
    uint8_t bytes[PENSTOCK_DATA_OVERHEAD];
    penstock_frame_t frame = {
        .type = PENSTOCK_FRAME_DATA, .ack_request = true, .pan_id = PAN, .dst = SELF, .src = CHILD, .hops = 16u};
    int len = penstock_frame_write_header(&frame, bytes, sizeof bytes);
    penstock_rx_info_t info = {.for_us = true, .acked = true};
    (void)penstock_receive(&bench.node, bytes, (size_t)len, &info, 0u);
    CHECK_EQ(one_node_drop(&bench), PENSTOCK_DROP_NONE);
    frame.seq = 1u;
    frame.hops = 17u;
    len = penstock_frame_write_header(&frame, bytes, sizeof bytes);
    (void)penstock_receive(&bench.node, bytes, (size_t)len, &info, 0u);
    CHECK_EQ(one_node_drop(&bench), PENSTOCK_DROP_HOP_LIMIT);
    penstock_set_parent(&bench.node, PENSTOCK_ADDR_NONE, 1u);
    (void)one_node_feed(&bench, 1u);
    CHECK_EQ(one_node_drop(&bench), PENSTOCK_DROP_NO_ROUTE);
    CHECK_EQ(bench.node.queue.count, 1);
}

static void test_drop_reports_nobody_reads(void)
{
    one_node_t bench;
    start(&bench);
    for (int i = 0; i < QUEUE + 6; i++) {
        (void)one_node_feed(&bench, 0u);
    }
    penstock_drop_report_t report;
    for (int i = 2; i < 6; i++) { /* the latest four, in order */
        CHECK_EQ(penstock_poll_drop(&bench.node, &report), 1);
        CHECK_EQ(report.seq, QUEUE + i);
        CHECK_EQ(report.origin, CHILD);
    }
    CHECK_EQ(penstock_poll_drop(&bench.node, &report), 0);
    CHECK_EQ(bench.node.counters.drops[PENSTOCK_DROP_ACKED_THEN_DROPPED], 6);
}

static void test_foreign_frames(void)
{
    one_node_t bench;
    start(&bench);
    uint8_t bytes[PENSTOCK_FRAME_MAX] = {0u};
    penstock_frame_t frame = {.type = PENSTOCK_FRAME_DATA, .pan_id = PAN + 1, .dst = SELF, .src = CHILD};
    penstock_rx_info_t info = {.for_us = true, .acked = true};
    int len = penstock_frame_write_header(&frame, bytes, sizeof bytes);
    CHECK_EQ(penstock_receive(&bench.node, bytes, (size_t)len, &info, 0u), PENSTOCK_UNSUPPORTED);
    CHECK_EQ(bench.node.counters.malformed, 0);
    frame.pan_id = PAN;
    frame.src = SELF; /* somebody uses our address, or a reflection */
    len = penstock_frame_write_header(&frame, bytes, sizeof bytes);
    CHECK_EQ(penstock_receive(&bench.node, bytes, (size_t)len, &info, 0u), PENSTOCK_MALFORMED);
    CHECK_EQ(bench.node.counters.malformed, 1);
    frame.src = CHILD; /* longer than this PAN's frames: could not be sent on */
    len = penstock_frame_write_header(&frame, bytes, sizeof bytes);
    CHECK_EQ(penstock_receive(&bench.node, bytes, 35u, &info, 0u), PENSTOCK_UNSUPPORTED);
    CHECK_EQ(penstock_receive(&bench.node, bytes, 34u, &info, 0u), PENSTOCK_OK);
    CHECK_EQ(penstock_receive(&bench.node, bytes, 5u, &info, 0u), PENSTOCK_MALFORMED);
    CHECK_EQ(bench.node.counters.malformed, 2);
    CHECK_EQ(bench.node.counters.received, 1);
    (void)len;
}

static void test_buffer_too_small(void)
{
    one_node_t bench;
    start(&bench);
    CHECK_EQ(one_node_send(&bench, 0u), PENSTOCK_OK);
    penstock_tx_t tx;
    uint8_t bytes[19];
    CHECK_EQ(penstock_poll_transmit(&bench.node, &tx, bytes, sizeof bytes, 0u), PENSTOCK_TOO_LONG);
    CHECK(one_node_transmits(&bench, 0u)); /* nothing is lost by it */
}

/* Beacons are made whatever the queue and the congestion control say, and before data. */
static void test_beacons_are_not_blocked(void)
{
    one_node_t bench;
    one_node_prepare(&bench, &penstock_control_fusion);
    bench.config.beacons = true;
    one_node_start(&bench, 0u);
    penstock_set_parent(&bench.node, PARENT, 0u);
    for (int i = 0; i < QUEUE; i++) {
        (void)one_node_feed(&bench, 0u);
    }
    penstock_time_t due;
    CHECK(penstock_next_deadline(&bench.node, 0u, &due));
    while (!bench.node.tree.beacon_due) {
        CHECK(penstock_next_deadline(&bench.node, 0u, &due));
        penstock_tick(&bench.node, due);
    }
    (void)one_node_hear_parent(&bench, 5u, 0u, true, due);
    bench.node.control.backpressure.credit = 0u;
    CHECK(penstock_stopped(&bench.node, due));
    CHECK(one_node_transmits(&bench, due));
    CHECK_EQ(bench.frame.type, PENSTOCK_FRAME_BEACON);
    CHECK(bench.frame.congested);
    CHECK_EQ(bench.tx.backoff_shift, 2);
    CHECK_EQ(bench.node.counters.beacons_sent, 0);
    one_node_report(&bench, PENSTOCK_TX_DONE, due);
    CHECK_EQ(bench.node.counters.beacons_sent, 1);
    CHECK(!one_node_transmits(&bench, due));
}

/* A deadline is never in the past once its tick was made: a world that sleeps until it does not spin. */
static void test_deadlines_move_on(void)
{
    for (int i = 0; penstock_strategies[i] != NULL; i++) {
        one_node_t bench;
        one_node_prepare(&bench, penstock_strategies[i]);
        bench.config.beacons = true;
        penstock_time_t now = UINT32_C(0xFFF00000);
        one_node_start(&bench, now);
        penstock_set_parent(&bench.node, PARENT, now);
        for (int step = 0; step < 400; step++) {
            if (step % 3 == 0) {
                (void)one_node_send(&bench, now);
            }
            if (step % 5 == 0) {
                (void)one_node_hear_parent(&bench, (uint16_t)(40 + step % 4), (uint16_t)step, step % 2 == 0, now);
            }
            if (step % 7 == 0) {
                one_node_send_off(&bench, now);
            }
            penstock_time_t at;
            CHECK(penstock_next_deadline(&bench.node, now, &at));
            CHECK(at - now < UINT32_C(12000000));
            penstock_tick(&bench.node, at);
            penstock_time_t next;
            CHECK(penstock_next_deadline(&bench.node, at, &next));
            CHECK(next != at && penstock_time_reached(next, at));
            now = at;
        }
    }
}

/* The same life, once in the middle of the clock's range and once across its end. */
static uint32_t fingerprint(penstock_time_t start_at)
{
    one_node_t bench;
    one_node_prepare(&bench, &penstock_control_fusion);
    bench.config.beacons = true;
    bench.config.local_share = 4u;
    one_node_start(&bench, start_at);
    uint32_t hash = 0u;
    for (uint32_t step = 0u; step < 4000u; step++) {
        penstock_time_t now = start_at + step * 10000u;
        penstock_tick(&bench.node, now);
        if (step % 9u == 0u) {
            penstock_beacon_t beacon = {
                .root = 1u, .route_seq = (uint16_t)(step / 1000u), .etx = 128u, .hops = 1u, .parent = 1u};
            (void)one_node_hear_beacon(&bench, PARENT, &beacon, 250u, step % 200u < 80u, now);
        }
        if (step % 7u == 0u) {
            (void)one_node_hear_parent(&bench, (uint16_t)(40u + step % 5u), (uint16_t)step, step % 200u < 80u, now);
            (void)one_node_feed(&bench, now);
        }
        hash = hash * 31u + (uint32_t)(one_node_send(&bench, now) == PENSTOCK_OK);
        bool transmits = one_node_transmits(&bench, now);
        hash = hash * 31u + (uint32_t)transmits;
        if (transmits) {
            one_node_report(&bench, step % 4u == 0u ? PENSTOCK_TX_NO_ACK : PENSTOCK_TX_DONE, now);
        }
    }
    CHECK(bench.node.counters.forwarded > 200u);
    CHECK(bench.node.counters.admitted > 10u);
    CHECK(bench.node.counters.beacons_sent >= 3u);
    return hash;
}

int main(void)
{
    test_send();
    test_send_refusals();
    test_forwarding();
    test_root_delivers();
    test_attempts();
    test_attempts_without_limit();
    test_attempts_of_the_mac();
    test_duplicates();
    test_no_room();
    test_no_route_and_hop_limit();
    test_drop_reports_nobody_reads();
    test_foreign_frames();
    test_buffer_too_small();
    test_beacons_are_not_blocked();
    test_deadlines_move_on();
    /* Half-way through, 2^32 us go by; both starts are multiples of the rate limiter's 2^16 us. */
    CHECK_EQ(fingerprint(0u - UINT32_C(0x01310000)), fingerprint(UINT32_C(0x10000000)));
    return check_result();
}
