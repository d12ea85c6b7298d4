/* Fields that a strategy has in data frames: who writes them, who reads them, what they cost
 * the payload, and what happens to packets that leave no room for them.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <string.h>

#include "check.h"
#include "control/compose.h"
#include "one_node.h"

enum { FIELDS = 4, ROOM = 34 - 17 };

static one_node_t bench;
static int heard_len; /* of the last frame that the part was shown; -1: none */
static uint8_t heard_first;
static uint8_t writes;

static void hear(penstock_node_t *node, const penstock_frame_t *frame, penstock_time_t now)
{
    (void)node;
    (void)now;
    heard_len = frame->control_len;
    heard_first = frame->control_len > 0u ? frame->control[0] : 0u;
}

/* How often it was asked, whose packet, and the packet's bit. */
static void write_fields(penstock_node_t *node, const penstock_packet_t *packet, uint8_t *bytes, penstock_time_t now)
{
    (void)node;
    (void)now;
    bytes[0] = ++writes;
    bytes[1] = (uint8_t)packet->origin;
    bytes[2] = packet->marked;
    bytes[3] = 0xEEu;
}

static bool mark(penstock_node_t *node, const penstock_frame_t *frame)
{
    (void)node;
    return frame == NULL || (frame->control_len == FIELDS && frame->control[2] == 1u);
}

static const penstock_part_t with_fields = {
    .received = hear,
    .overheard = hear,
    .fields_len = FIELDS,
    .write_fields = write_fields,
    .mark = mark,
};
static const penstock_part_t *const parts[] = {&with_fields, NULL};
static const penstock_strategy_t strategy = {"fields", parts};

static void start(const penstock_strategy_t *control)
{
    one_node_prepare(&bench, control);
    one_node_start(&bench, 0u);
    heard_len = -1;
    writes = 0u;
}

/* A child's data frame for this node, with fields and payload of these lengths. */
static int feed(const uint8_t *fields, uint8_t fields_len, uint8_t payload_len, uint16_t seq)
{
    uint8_t bytes[PENSTOCK_FRAME_MAX] = {0u};
    penstock_frame_t frame = {
        .type = PENSTOCK_FRAME_DATA,
        .link_seq = (uint8_t)seq,
        .ack_request = true,
        .pan_id = PAN,
        .dst = SELF,
        .src = CHILD,
        .origin = CHILD,
        .seq = seq,
        .hops = 1u,
        .control = fields,
        .control_len = fields_len,
    };
    int header = penstock_frame_write_header(&frame, bytes, sizeof bytes);
    memset(bytes + header, 0xAB, payload_len);
    penstock_rx_info_t info = {.rssi_dbm = -80, .for_us = true, .acked = true};
    return penstock_receive(&bench.node, bytes, (size_t)header + payload_len, &info, 0u);
}

static int send_len(uint8_t len)
{
    static const uint8_t payload[255] = {0u};
    int result = penstock_send(&bench.node, 0u, payload, len, 0u, NULL, NULL);
    if (result == PENSTOCK_OK) {
        CHECK(one_node_transmits(&bench, 0u));
        CHECK_EQ(bench.frame.payload_len, len);
        one_node_report(&bench, PENSTOCK_TX_DONE, 0u);
    }
    return result;
}

static void test_longest_payload(void)
{
    start(&penstock_control_none);
    CHECK_EQ(penstock_payload_max(&bench.node), ROOM);
    CHECK_EQ(send_len(ROOM), PENSTOCK_OK);
    CHECK_EQ(bench.tx.len, 34);
    CHECK_EQ(send_len(ROOM + 1), PENSTOCK_TOO_LONG);
    start(&strategy);
    CHECK_EQ(penstock_payload_max(&bench.node), ROOM - 1 - FIELDS);
    CHECK_EQ(send_len(ROOM - 1 - FIELDS), PENSTOCK_OK);
    CHECK_EQ(bench.tx.len, 34);
    CHECK_EQ(send_len(ROOM - FIELDS), PENSTOCK_TOO_LONG);
    one_node_prepare(&bench, &penstock_control_none);
    bench.config.max_frame_len = 125u; /* the slot is shorter */
    one_node_start(&bench, 0u);
    CHECK_EQ(penstock_payload_max(&bench.node), PENSTOCK_PAYLOAD_MAX);
}

static void test_written_for_every_frame(void)
{
    static const uint8_t marked[FIELDS] = {77u, 0u, 1u, 0u};
    start(&strategy);
    CHECK_EQ(feed(marked, FIELDS, 3u, 1u), PENSTOCK_OK);
    CHECK_EQ(heard_len, FIELDS);
    CHECK_EQ(heard_first, 77);
    CHECK_EQ(one_node_send(&bench, 0u), PENSTOCK_OK);

    uint8_t tight[PENSTOCK_DATA_OVERHEAD + FIELDS + 3u]; /* one byte short */
    CHECK_EQ(penstock_poll_transmit(&bench.node, &bench.tx, tight, sizeof tight, 0u), PENSTOCK_TOO_LONG);
    CHECK_EQ(writes, 0);
    for (int attempt = 1; attempt <= 2; attempt++) {
        CHECK(one_node_transmits(&bench, 0u));
        CHECK_EQ(bench.tx.len, PENSTOCK_DATA_OVERHEAD + 1 + FIELDS + 3);
        CHECK_EQ(bench.frame.control_len, FIELDS);
        CHECK_EQ(bench.frame.control[0], attempt);
        CHECK_EQ(bench.frame.control[1], CHILD);
        CHECK_EQ(bench.frame.control[2], 1); /* travelled with the packet */
        CHECK_EQ(bench.frame.payload[0], 0xAB);
        one_node_report(&bench, attempt == 1 ? PENSTOCK_TX_NO_ACK : PENSTOCK_TX_DONE, 0u);
    }
    CHECK(one_node_transmits(&bench, 0u));
    CHECK_EQ(bench.frame.control[1], SELF);
    CHECK_EQ(bench.frame.control[2], 1);
    CHECK_EQ(bench.frame.payload[0], 1);
    one_node_report(&bench, PENSTOCK_TX_DONE, 0u);

    CHECK_EQ(feed(NULL, 0u, 3u, 2u), PENSTOCK_OK); /* a frame that carries none */
    CHECK_EQ(heard_len, 0);
    CHECK(one_node_transmits(&bench, 0u));
    CHECK_EQ(bench.frame.control[2], 0);
}

/* A packet that filled a frame without fields goes on, without. */
static void test_no_room_beside_the_payload(void)
{
    start(&strategy);
    for (int len = ROOM - FIELDS - 2; len <= ROOM; len++) {
        CHECK_EQ(feed(NULL, 0u, (uint8_t)len, (uint16_t)len), PENSTOCK_OK);
        CHECK(one_node_transmits(&bench, 0u));
        CHECK_EQ(bench.frame.payload_len, len);
        CHECK_EQ(bench.frame.control_len, len <= ROOM - 1 - FIELDS ? FIELDS : 0);
        CHECK(bench.tx.len <= 34u);
        one_node_report(&bench, PENSTOCK_TX_DONE, 0u);
    }
}

/* A strategy without fields finds the payload behind another's, and sends it on without them. */
static void test_skipped_by_others(void)
{
    static const uint8_t fields[9] = {1u};
    start(&penstock_control_fusion);
    CHECK_EQ(feed(fields, sizeof fields, 2u, 1u), PENSTOCK_OK);
    CHECK(one_node_transmits(&bench, 0u));
    CHECK_EQ(bench.frame.control_len, 0);
    CHECK_EQ(bench.bytes[10], 0);
    CHECK_EQ(bench.frame.payload_len, 2);
    CHECK_EQ(bench.frame.payload[1], 0xAB);
}

static bool wants; /* a control frame */
static uint8_t frames_sent;

static bool wants_frame(const penstock_node_t *node, penstock_time_t now)
{
    (void)node;
    (void)now;
    return wants;
}

static void frame_sent(penstock_node_t *node, penstock_time_t now)
{
    (void)node;
    (void)now;
    wants = false;
    frames_sent++;
}

static void write_alone(penstock_node_t *node, const penstock_packet_t *packet, uint8_t *bytes, penstock_time_t now)
{
    (void)node;
    (void)now;
    bytes[0] = packet == NULL ? 0xC0u : 0xDAu;
}

static const penstock_part_t teller = {
    .fields_len = 1u, .write_fields = write_alone, .wants_frame = wants_frame, .frame_sent = frame_sent};
static const penstock_part_t *const telling[] = {&teller, NULL};
static const penstock_strategy_t tells = {"tells", telling};

/* A node tells its fields without a packet, before its packets go on; one that was not on air is told again. */
static void test_control_frames(void)
{
    start(&tells);
    wants = true;
    frames_sent = 0u;
    CHECK_EQ(one_node_send(&bench, 0u), PENSTOCK_OK);
    CHECK(one_node_transmits(&bench, 0u));
    CHECK_EQ(bench.frame.type, PENSTOCK_FRAME_CONTROL);
    CHECK_EQ(bench.tx.dst, PENSTOCK_ADDR_BROADCAST);
    CHECK(!bench.tx.ack && !bench.tx.is_data);
    CHECK_EQ(bench.frame.control_len, 1);
    CHECK_EQ(bench.frame.control[0], 0xC0);
    one_node_report(&bench, PENSTOCK_TX_NO_CHANNEL, 0u);
    bench.node.in_flight = 0u;
    CHECK_EQ(frames_sent, 0);
    CHECK(one_node_transmits(&bench, 0u));
    CHECK_EQ(bench.frame.type, PENSTOCK_FRAME_CONTROL);
    one_node_report(&bench, PENSTOCK_TX_DONE, 0u);
    CHECK_EQ(frames_sent, 1);
    CHECK_EQ(bench.node.counters.control_frames_sent, 1);
    CHECK_EQ(bench.node.counters.beacons_sent, 0);
    CHECK(one_node_transmits(&bench, 0u));
    CHECK_EQ(bench.frame.type, PENSTOCK_FRAME_DATA);
    CHECK_EQ(bench.frame.control[0], 0xDA);
}

/* Whoever hears one is told, and takes nothing else from it. */
static void test_control_frame_heard(void)
{
    start(&strategy);
    static const uint8_t fields[FIELDS] = {7u};
    uint8_t bytes[PENSTOCK_FRAME_MAX];
    penstock_frame_t frame = {.type = PENSTOCK_FRAME_CONTROL,
                              .pan_id = PAN,
                              .dst = PENSTOCK_ADDR_BROADCAST,
                              .src = PARENT,
                              .control = fields,
                              .control_len = FIELDS};
    int len = penstock_frame_write_header(&frame, bytes, sizeof bytes);
    penstock_rx_info_t info = {.rssi_dbm = -80, .for_us = true};
    CHECK_EQ(penstock_receive(&bench.node, bytes, (size_t)len, &info, 0u), PENSTOCK_OK);
    CHECK_EQ(heard_len, FIELDS);
    CHECK_EQ(heard_first, 7);
    CHECK_EQ(bench.node.counters.received, 0);
    CHECK_EQ(bench.node.counters.beacons_received, 0);
    CHECK_EQ(bench.node.queue.count, 0);
}

static int init_with(const penstock_part_t *first, const penstock_part_t *second, uint8_t frame_len)
{
    const penstock_part_t *const both[] = {first, second, NULL};
    const penstock_strategy_t control = {"both", both};
    one_node_prepare(&bench, &control);
    bench.config.max_frame_len = frame_len;
    return penstock_init(&bench.node, &bench.config, 0u);
}

static void test_what_is_refused(void)
{
    static const penstock_part_t silent = {.fields_len = 0u};
    static const penstock_part_t unwritten = {.fields_len = 1u};
    static const penstock_part_t speechless = {.wants_frame = wants_frame};
    static const penstock_part_t longest = {.fields_len = PENSTOCK_CONTROL_FIELDS_MAX, .write_fields = write_fields};
    static const penstock_part_t longer = {.fields_len = PENSTOCK_CONTROL_FIELDS_MAX + 1u,
                                           .write_fields = write_fields};
    CHECK_EQ(init_with(&silent, &with_fields, 34u), PENSTOCK_OK);
    CHECK_EQ(init_with(&with_fields, &longest, 125u), PENSTOCK_INVALID); /* two with fields */
    CHECK_EQ(init_with(&unwritten, NULL, 34u), PENSTOCK_INVALID);
    CHECK_EQ(init_with(&speechless, NULL, 34u), PENSTOCK_INVALID); /* nothing to tell in its frames */
    CHECK_EQ(init_with(&longer, NULL, 125u), PENSTOCK_INVALID);
    CHECK_EQ(init_with(&longest, NULL, 50u), PENSTOCK_INVALID); /* not a byte for the payload */
    CHECK_EQ(init_with(&longest, NULL, 51u), PENSTOCK_OK);
}

int main(void)
{
    test_longest_payload();
    test_written_for_every_frame();
    test_no_room_beside_the_payload();
    test_skipped_by_others();
    test_control_frames();
    test_control_frame_heard();
    test_what_is_refused();
    return check_result();
}
