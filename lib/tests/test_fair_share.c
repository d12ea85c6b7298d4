/* The rate limiter whose rates are told: the division, the capacity, whom a node listens to,
 * how what it heard ages, and the bucket.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "control/rate_code.h"
#include "control/share_estimate.h"
#include "one_node.h"

enum { WINDOW_US = 4000000, ONE = 1024, CODE_1 = 0x60, CODE_2 = 0x70, CODE_4 = 0x80 }; /* 1, 2, 4 packets/s */

static one_node_t bench;
static uint8_t numbers[256];

static void start(void)
{
    one_node_prepare(&bench, &penstock_control_share);
    bench.config.local_share = QUEUE;
    one_node_start(&bench, 0u);
}

static uint8_t limit(void)
{
    uint8_t bytes[3];
    penstock_packet_t packet = {.origin = SELF};
    penstock_part_t part = *bench.config.control->parts[1];
    part.write_fields(&bench.node, &packet, bytes, 0u);
    return bytes[2];
}

/* A data frame with these fields. */
static void hear(uint8_t src, uint16_t dst, uint16_t origin, uint8_t marked, uint8_t share, uint8_t limit_code,
                 penstock_time_t now)
{
    uint8_t bytes[PENSTOCK_FRAME_MAX];
    const uint8_t fields[3] = {marked, share, limit_code};
    penstock_frame_t frame = {
        .type = PENSTOCK_FRAME_DATA,
        .link_seq = numbers[src]++,
        .ack_request = true,
        .pan_id = PAN,
        .dst = dst,
        .src = src,
        .origin = origin,
        .seq = numbers[src],
        .hops = 1u,
        .control = fields,
        .control_len = sizeof fields,
    };
    int len = penstock_frame_write_header(&frame, bytes, sizeof bytes);
    penstock_rx_info_t info = {.rssi_dbm = -80, .for_us = dst == SELF, .acked = true};
    CHECK_EQ(penstock_receive(&bench.node, bytes, (size_t)len, &info, now), PENSTOCK_OK);
}

static void test_division(void)
{
    /* Ten packets/s for five sources: two ask for one each, three would take all: 8/3. */
    CHECK_EQ(penstock_share_divide(10u * ONE, 2u * ONE, 3u, 5u), 8 * ONE / 3);
    CHECK_EQ(penstock_share_divide(10u * ONE, 0u, 5u, 5u), 2 * ONE);
    CHECK_EQ(penstock_share_divide(10u * ONE, 9u * ONE, 1u, 4u), 10 * ONE / 4); /* three of 3 each get too much */
    CHECK_EQ(penstock_share_divide(10u * ONE, 12u * ONE, 0u, 4u), 10 * ONE / 4);
    CHECK_EQ(penstock_share_divide(10u * ONE, 4u * ONE, 0u, 4u), 6 * ONE); /* what one more would get */
    CHECK_EQ(penstock_share_divide(10u * ONE, 0u, 0u, 0u), 10 * ONE);
    CHECK_EQ(penstock_share_divide(0u, 5u, 0u, 0u), 0);
}

/* Sends off the oldest packet, which takes this long. */
static void serve(uint32_t us, penstock_time_t *now)
{
    CHECK(one_node_transmits(&bench, *now));
    *now += us;
    one_node_report(&bench, PENSTOCK_TX_DONE, *now);
}

static uint32_t capacity_of(uint32_t service_us)
{
    return UINT32_C(1024000000) / service_us * 230u / 256u;
}

static void test_capacity(void)
{
    start();
    CHECK_EQ(bench.node.control.share.service_us, PACKET_TIME_US); /* before the first packet */
    CHECK_EQ(limit(), penstock_rate_encode(capacity_of(PACKET_TIME_US)));
    penstock_time_t now = 1000u;
    for (int i = 0; i < 80; i++) { /* idle for a second before each: that is not service */
        now += 1000000u;
        penstock_tick(&bench.node, now);
        (void)one_node_hear(&bench, CHILD, SELF, CHILD, bench.next_seq++, false, now);
        serve(100000u, &now);
    }
    uint32_t service_us = bench.node.control.share.service_us;
    CHECK(service_us > 99980u && service_us <= 100000u);

    /* A lost packet takes as long as all its attempts; two packets in the queue are served in turn. */
    start();
    now = 0u;
    (void)one_node_feed(&bench, now);
    (void)one_node_feed(&bench, now);
    for (int i = 0; i < ATTEMPTS; i++) {
        CHECK(one_node_transmits(&bench, now));
        now += 60000u;
        one_node_report(&bench, PENSTOCK_TX_NO_ACK, now);
    }
    uint32_t after_loss = PACKET_TIME_US - PACKET_TIME_US / 8u + ATTEMPTS * 60000u / 8u;
    CHECK_EQ(bench.node.control.share.service_us, after_loss);
    serve(40000u, &now);
    CHECK_EQ(bench.node.control.share.service_us, after_loss - after_loss / 8u + 40000u / 8u);
    CHECK(!bench.node.control.share.serving);

    /* A packet that saw another parent is no measure. */
    uint32_t before = bench.node.control.share.service_us;
    (void)one_node_feed(&bench, now);
    penstock_set_parent(&bench.node, 3u, now);
    serve(900000u, &now);
    CHECK_EQ(bench.node.control.share.service_us, before);
}

/* Three that want more and one that does not, once every 400 ms each; then one wants more no longer,
 * and one dies. */
static void test_sources_through_this_node(void)
{
    start();
    penstock_time_t now = 0u;
    for (int round = 0; round < 40; round++) {
        now += 300000u;
        for (uint8_t source = 0u; source < 4u; source++) {
            hear((uint8_t)(40u + source), SELF, 40u + source, source > 0u, 255u, 255u, now);
            serve(25000u, &now);
        }
        penstock_tick(&bench.node, now);
    }
    CHECK_EQ(bench.node.control.sources.count, 4);
    uint32_t capacity = capacity_of(bench.node.control.share.service_us);
    uint32_t others = ONE * 10u / 4u; /* one packet in 400 ms */
    uint32_t share = penstock_rate_decode(bench.node.control.share.share);
    uint32_t exact = (capacity - others) / 3u;
    CHECK(share * 10u > exact * 9u && share * 20u < exact * 21u); /* a code's step, and a window's count */

    penstock_time_t died_at = now;
    while (now - died_at < WINDOW_US + 500000u) {
        now += 350000u;
        hear(40u, SELF, 40u, 0u, 255u, 255u, now);
        serve(25000u, &now);
        hear(41u, SELF, 41u, 1u, 255u, 255u, now);
        serve(25000u, &now);
        penstock_tick(&bench.node, now);
    }
    CHECK_EQ(bench.node.control.sources.count, 2);
    exact = capacity - others;
    share = penstock_rate_decode(bench.node.control.share.share);
    CHECK(share * 10u > exact * 9u && share * 20u < exact * 21u);
}

static void test_whom_it_listens_to(void)
{
    start();
    hear(PARENT, 1u, PARENT, 0u, CODE_1, CODE_4, 1000u); /* the parent's limit counts, not its share */
    CHECK_EQ(limit(), CODE_4);
    hear(SIBLING, PARENT, SIBLING, 0u, CODE_2, CODE_1, 2000u); /* a sibling's share, not its limit */
    CHECK_EQ(limit(), CODE_2);
    hear(31u, PARENT, 31u, 0u, CODE_4, 0u, 3000u); /* another with more: nothing new */
    CHECK_EQ(limit(), CODE_2);
    hear(SIBLING, 9u, SIBLING, 0u, CODE_1, 0u, 4000u); /* to somebody else: no sibling */
    CHECK_EQ(limit(), CODE_2);
    hear(CHILD, SELF, CHILD, 0u, 0u, 0u, 5000u); /* a child tells nothing */
    CHECK_EQ(limit(), CODE_2);
    one_node_send_off(&bench, 5000u);
    hear(31u, PARENT, 31u, 0u, CODE_1, 0u, 6000u);
    CHECK_EQ(limit(), CODE_1);
    hear(31u, PARENT, 31u, 0u, 255u, 0u, 7000u); /* the least rises, and is followed */
    CHECK_EQ(limit(), CODE_4);
    CHECK_EQ(one_node_hear(&bench, PARENT, 1u, 5u, 1u, false, 8000u), PENSTOCK_OK); /* a frame without fields */
    CHECK_EQ(limit(), CODE_4);
    penstock_set_parent(&bench.node, 3u, 9000u); /* what the former one said is void */
    CHECK_EQ(limit(), bench.node.control.share.share);
    hear(PARENT, 1u, PARENT, 0u, 0u, 0u, 10000u);
    CHECK_EQ(limit(), bench.node.control.share.share);
    hear(3u, 1u, 3u, 0u, 0u, CODE_1, 11000u);
    CHECK_EQ(limit(), CODE_1);
    /* The fields of a frame are those of today, and its share is not bounded by the limit. */
    CHECK_EQ(one_node_send(&bench, 11000u), PENSTOCK_OK);
    CHECK(one_node_transmits(&bench, 11000u));
    CHECK_EQ(bench.frame.control_len, 3);
    CHECK_EQ(bench.frame.control[0], 0);
    CHECK(bench.frame.control[1] > CODE_4);
    CHECK_EQ(bench.frame.control[2], CODE_1);
}

static void test_silence(void)
{
    start();
    hear(PARENT, 1u, PARENT, 0u, 255u, CODE_1, 1000u);
    penstock_tick(&bench.node, WINDOW_US); /* it was said in this window */
    CHECK_EQ(limit(), CODE_1);
    penstock_tick(&bench.node, 2u * WINDOW_US);
    CHECK_EQ(limit(), CODE_2);
    penstock_tick(&bench.node, 3u * WINDOW_US);
    CHECK_EQ(limit(), CODE_4);
    hear(PARENT, 1u, PARENT, 0u, 255u, CODE_1, 3u * WINDOW_US + 1u);
    CHECK_EQ(limit(), CODE_1);
    penstock_time_t now = 3u * WINDOW_US;
    for (int i = 0; i < 8; i++) {
        now += WINDOW_US;
        penstock_tick(&bench.node, now);
    }
    CHECK_EQ(limit(), penstock_rate_encode(capacity_of(PACKET_TIME_US))); /* its own share alone */

    /* At the lowest rate a window is as long as four packets: 256 s. */
    start();
    hear(PARENT, 1u, PARENT, 0u, 255u, 0u, 1000u);
    penstock_time_t at = 0u;
    CHECK(penstock_next_deadline(&bench.node, 1000u, &at));
    CHECK_EQ(at, 256000000);
    penstock_tick(&bench.node, at);
    CHECK_EQ(limit(), 0);
}

static void test_bucket(void)
{
    start();
    hear(PARENT, 1u, PARENT, 0u, 255u, CODE_1, 0u);
    for (int i = 0; i < 2; i++) { /* two tokens, and none of the packets knows yet that there will be too few */
        CHECK_EQ(one_node_send(&bench, 0u), PENSTOCK_OK);
        CHECK(one_node_transmits(&bench, 0u));
        CHECK_EQ(bench.frame.control[0], 0);
        one_node_report(&bench, PENSTOCK_TX_DONE, 0u);
    }
    CHECK(!penstock_writable(&bench.node, 0u));
    penstock_time_t retry_at = 0u;
    uint8_t byte = 0u;
    CHECK_EQ(penstock_send(&bench.node, 0u, &byte, 1u, 0u, NULL, &retry_at), PENSTOCK_WOULD_BLOCK);
    CHECK_EQ(retry_at, 977 * 1024); /* a second, in whole steps of 1024 us */
    penstock_time_t at = 0u;
    CHECK(penstock_next_deadline(&bench.node, 0u, &at));
    CHECK_EQ(at, retry_at); /* somebody waits for it */
    penstock_tick(&bench.node, retry_at - 1u);
    CHECK(!penstock_writable(&bench.node, retry_at - 1u));
    CHECK(penstock_writable(&bench.node, retry_at));
    CHECK_EQ(one_node_send(&bench, retry_at), PENSTOCK_OK);
    CHECK(one_node_transmits(&bench, retry_at));
    CHECK_EQ(bench.frame.control[0], 1); /* the application had to wait for this one */
    one_node_report(&bench, PENSTOCK_TX_DONE, retry_at);

    /* Ten seconds, asked every 7 ms: ten packets, however often it is asked. */
    int sent = 0;
    for (penstock_time_t now = retry_at; now < retry_at + 10000000u; now += 7000u) {
        hear(PARENT, 1u, PARENT, 0u, 255u, CODE_1, now);
        penstock_tick(&bench.node, now);
        if (penstock_writable(&bench.node, now)) {
            sent += one_node_send(&bench, now) == PENSTOCK_OK;
            one_node_send_off(&bench, now);
        }
    }
    CHECK(sent == 9 || sent == 10);

    /* A full queue marks as well: the application had to wait. */
    start();
    bench.config.control_params.share_tokens = 255u;
    one_node_start(&bench, 0u);
    while (one_node_send(&bench, 0u) == PENSTOCK_OK) {
    }
    CHECK_EQ(bench.node.queue.count, QUEUE);
    one_node_send_off(&bench, 0u);
    CHECK_EQ(one_node_send(&bench, 0u), PENSTOCK_OK);
    for (int i = 0; i < QUEUE; i++) {
        CHECK(one_node_transmits(&bench, 0u));
        CHECK_EQ(bench.frame.control[0], i == QUEUE - 1);
        one_node_report(&bench, PENSTOCK_TX_DONE, 0u);
    }
}

int main(void)
{
    test_division();
    test_capacity();
    test_sources_through_this_node();
    test_whom_it_listens_to();
    test_silence();
    test_bucket();
    return check_result();
}
