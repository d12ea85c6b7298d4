/* A node: what goes to the MAC, and how that ended.
 *
 * One frame at a time is with the MAC. Beacons go first, whatever the congestion control
 * says: they are rare, and a network that loses its routes while it is congested has lost
 * everything. Then a control frame of the strategy, if it wants one. Then the oldest packet of the queue, if there is a
 * parent and every part of the strategy agrees. Each frame carries the congestion bit of the moment (thesis 4.2).
 *
 * Retransmission. Thesis 2.3.3: four link attempts, made above the MAC, which tells whether
 * an acknowledgement came. So the packet stays at the head of the queue until it is
 * acknowledged or has used its attempts, and each attempt is a new frame: the congestion
 * control is asked again, the congestion bit is today's, and the sequence number grows,
 * so that listeners count each attempt for their link estimates. A MAC that retries on
 * its own (mac_attempts > 1) hides its repeats from all that. With link_attempts = 0 the
 * packet stays until it is acknowledged (WRCP, section 4, asks for that).
 *
 * A frame that never went on air, because the channel stayed busy, is not an attempt.
 * Its number is handed back: a gap that nobody could have heard would look like a loss.
 *
 * Frames of bulk transfer are the matter of the code that config.bulk_ops names; it says whether the next frame is
 * one of its own, knowing whether sensor data could go.
 *
 * The strategy's own fields are written anew for every frame, and so is the path ETX, where the
 * routing tells it in data. A packet of a node with another strategy or routing may have come
 * with so much payload that they do not fit beside it: then they are left out of its frames.
 * They are news that the next frame brings as well; a packet that is dropped is lost.
 *
 * What came of a data frame is the routing's to learn from as well, after the congestion control,
 * which goes by the parent that the frame went to: the next attempt may have another one.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "transmit.h"

#include "beacon.h"
#include "bulk/ops.h"
#include "control/compose.h"
#include "neighbors.h"
#include "node.h"
#include "routing.h"
#include "tree.h"

void penstock_transmit_begin(penstock_node_t *node, penstock_frame_t *frame, uint8_t type, penstock_addr_t dst)
{
    frame->type = type;
    frame->link_seq = node->link_seq;
    frame->ack_request = dst != PENSTOCK_ADDR_BROADCAST;
    frame->congested = penstock_congested(node);
    frame->pull = false;
    frame->is_ctp = penstock_routing_of(node->config)->is_ctp;
    frame->pan_id = node->config->pan_id;
    frame->dst = dst;
    frame->src = node->config->address;
    frame->control_len = 0u;
    frame->delays = NULL;
    frame->companded = false;
    frame->payload_len = 0u;
}

static uint8_t in_flight(uint8_t frame_type)
{
    switch (frame_type) {
    case PENSTOCK_FRAME_DATA:
        return PENSTOCK_FLIGHT_DATA;
    case PENSTOCK_FRAME_BEACON:
        return PENSTOCK_FLIGHT_BEACON;
    case PENSTOCK_FRAME_BULK:
        return PENSTOCK_FLIGHT_BULK;
    case PENSTOCK_FRAME_FLOOD:
        return PENSTOCK_FLIGHT_FLOOD;
    default:
        return PENSTOCK_FLIGHT_CONTROL;
    }
}

/* The frame is written: it is the MAC's now. */
static void hand_over(penstock_node_t *node, penstock_tx_t *tx, const penstock_frame_t *frame, uint8_t len,
                      uint8_t attempts)
{
    tx->dst = frame->dst;
    tx->len = len;
    tx->ack = frame->ack_request;
    tx->attempts = attempts;
    tx->backoff_shift = penstock_control_backoff_shift(node);
    tx->is_data = frame->type == PENSTOCK_FRAME_DATA;
    tx->is_bulk = frame->type == PENSTOCK_FRAME_BULK || frame->type == PENSTOCK_FRAME_FLOOD;
    tx->is_flood = frame->type == PENSTOCK_FRAME_FLOOD;
    node->in_flight = in_flight(frame->type);
    node->in_flight_to = frame->dst;
    node->link_seq++;
}

int penstock_transmit_payload(penstock_node_t *node, penstock_tx_t *tx, const penstock_frame_t *frame, uint8_t attempts,
                              uint8_t *buf, size_t capacity)
{
    int header = penstock_frame_write_header(frame, buf, capacity);
    if (header < 0 || capacity - (size_t)header < frame->payload_len) {
        return PENSTOCK_TOO_LONG;
    }
    for (uint8_t i = 0u; i < frame->payload_len; i++) {
        buf[header + i] = frame->payload[i];
    }
    hand_over(node, tx, frame, (uint8_t)(header + frame->payload_len), attempts);
    return 1;
}

static int transmit_beacon(penstock_node_t *node, penstock_tx_t *tx, uint8_t *buf, size_t capacity)
{
    size_t most = node->config->max_frame_len;
    if (capacity < most) {
        return PENSTOCK_TOO_LONG;
    }
    const penstock_routing_t *routing = penstock_routing_of(node->config);
    penstock_beacon_t beacon;
    routing->promise(node, &beacon);
    penstock_frame_t frame;
    penstock_transmit_begin(node, &frame, PENSTOCK_FRAME_BEACON, PENSTOCK_ADDR_BROADCAST);
    frame.pull = beacon.pull;
    int header = penstock_frame_write_header(&frame, buf, most);

    uint8_t *body = buf + header;
    size_t body_room = most - (size_t)header;
    beacon.count = 0u;
    if (routing->tells_links(node->config)) {
        uint8_t entry_room = (uint8_t)((body_room - PENSTOCK_BEACON_FIXED_LEN) / PENSTOCK_BEACON_ENTRY_LEN);
        beacon.count = penstock_neighbors_advertise(&node->neighbors, body, entry_room);
    }
    int body_len = penstock_beacon_write(&beacon, body, body_room);

    node->tree.beacon_due = false;
    hand_over(node, tx, &frame, (uint8_t)(header + body_len), 1u);
    return 1;
}

static int transmit_control(penstock_node_t *node, penstock_tx_t *tx, uint8_t *buf, size_t capacity,
                            penstock_time_t now)
{
    uint8_t fields[PENSTOCK_CONTROL_FIELDS_MAX];
    penstock_frame_t frame;
    penstock_transmit_begin(node, &frame, PENSTOCK_FRAME_CONTROL, PENSTOCK_ADDR_BROADCAST);
    frame.control = fields;
    frame.control_len = penstock_control_fields_len(node->config->control);
    if (capacity < PENSTOCK_BEACON_OVERHEAD + (size_t)frame.control_len) {
        return PENSTOCK_TOO_LONG;
    }
    penstock_control_write_fields(node, NULL, fields, now);
    int len = penstock_frame_write_header(&frame, buf, capacity);
    hand_over(node, tx, &frame, (uint8_t)len, 1u);
    return 1;
}

/* Do `len` bytes of headers fit beside the payload? */
static bool fits_beside(const penstock_node_t *node, const penstock_packet_t *packet, size_t len)
{
    return len + packet->len <= node->config->max_frame_len;
}

/* Chooses the optional headers of a frame of this packet; the bytes that all headers take. */
static size_t choose_headers(const penstock_node_t *node, const penstock_packet_t *packet, penstock_frame_t *frame)
{
    uint8_t fields = penstock_control_fields_len(node->config->control);
    size_t len = PENSTOCK_DATA_OVERHEAD;
    frame->is_ctp = frame->is_ctp && fits_beside(node, packet, len + PENSTOCK_PATH_LEN);
    if (frame->is_ctp) {
        len += PENSTOCK_PATH_LEN;
    }
    frame->control_len = fits_beside(node, packet, len + 1u + fields) ? fields : 0u;
    if (frame->control_len > 0u) {
        len += 1u + (size_t)frame->control_len;
    }
    return len;
}

static int transmit_packet(penstock_node_t *node, const penstock_packet_t *packet, penstock_tx_t *tx, uint8_t *buf,
                           size_t capacity, penstock_time_t now)
{
    uint8_t fields[PENSTOCK_CONTROL_FIELDS_MAX];
    penstock_frame_t frame;
    penstock_transmit_begin(node, &frame, PENSTOCK_FRAME_DATA, node->tree.parent);
    frame.control = fields;
    if (capacity < choose_headers(node, packet, &frame) + packet->len) {
        return PENSTOCK_TOO_LONG;
    }
    frame.path_etx = node->tree.etx;
    frame.origin = packet->origin;
    frame.seq = packet->seq;
    frame.service = packet->service;
    frame.hops = (uint8_t)(packet->hops + 1u);
    if (frame.control_len > 0u) {
        penstock_control_write_fields(node, packet, fields, now);
    }
    int header = penstock_frame_write_header(&frame, buf, capacity);
    for (uint8_t i = 0u; i < packet->len; i++) {
        buf[header + i] = packet->payload[i];
    }

    uint8_t remaining = penstock_attempts_left(node->config, packet);
    uint8_t attempts = remaining < node->config->mac_attempts ? remaining : node->config->mac_attempts;
    hand_over(node, tx, &frame, (uint8_t)(header + packet->len), attempts);
    penstock_control_transmitting(node, packet, now);
    return 1;
}

int penstock_poll_transmit(penstock_node_t *node, penstock_tx_t *tx, uint8_t *buf, size_t capacity, penstock_time_t now)
{
    if (node->in_flight != PENSTOCK_FLIGHT_NONE) {
        return 0;
    }
    if (node->tree.beacon_due) {
        return transmit_beacon(node, tx, buf, capacity);
    }
    if (penstock_control_wants_frame(node, now)) {
        return transmit_control(node, tx, buf, capacity, now);
    }
    const penstock_packet_t *packet = penstock_queue_head(&node->queue);
    penstock_time_t at;
    bool data_ready = packet != NULL && !node->config->is_root && node->tree.parent != PENSTOCK_ADDR_NONE &&
                      penstock_control_may_transmit(node, now, &at);
    const penstock_bulk_ops_t *bulk = penstock_bulk_of(node->config);
    if (bulk != NULL && bulk->claims(node, data_ready, now)) {
        return bulk->transmit(node, tx, buf, capacity, now);
    }
    if (!data_ready) {
        return 0;
    }
    int result = transmit_packet(node, packet, tx, buf, capacity, now);
    if (bulk != NULL && result == 1) {
        bulk->yielded(node);
    }
    return result;
}

void penstock_transmit_learn(penstock_node_t *node, penstock_addr_t to, uint8_t on_air, bool acked, penstock_time_t now)
{
    const penstock_routing_t *routing = penstock_routing_of(node->config);
    penstock_neighbor_t *neighbor = penstock_neighbors_find(&node->neighbors, to);
    if (routing->sent == NULL || neighbor == NULL || on_air == 0u) {
        return;
    }
    routing->sent(neighbor, on_air, acked, now);
    penstock_tree_update(node, now);
}

static void packet_done(penstock_node_t *node, const penstock_tx_report_t *report, penstock_time_t now)
{
    penstock_packet_t *packet = penstock_queue_head(&node->queue);
    uint8_t on_air = report->attempts;
    if (report->status != PENSTOCK_TX_NO_CHANNEL && on_air == 0u) {
        on_air = 1u; /* it has an outcome, so it was sent */
    }
    uint8_t room = (uint8_t)(UINT8_MAX - packet->attempts);
    uint8_t remaining = penstock_attempts_left(node->config, packet);
    node->counters.transmissions += on_air;
    uint8_t most = room < remaining ? room : remaining;
    packet->attempts = (uint8_t)(packet->attempts + (on_air < most ? on_air : most));

    if (report->status == PENSTOCK_TX_DONE) {
        node->counters.forwarded++;
        penstock_control_sent(node, packet, now);
        penstock_control_acked(node, report->ack_congested, now);
        penstock_queue_pop(&node->queue);
    } else {
        if (on_air > 0u) {
            penstock_control_failed(node, packet, now);
        }
        if (penstock_attempts_spent(node->config, packet)) {
            penstock_node_drop(node, packet->origin, packet->seq, PENSTOCK_DROP_ATTEMPTS_EXHAUSTED);
            penstock_queue_pop(&node->queue);
        }
    }
    penstock_transmit_learn(node, node->in_flight_to, on_air, report->status == PENSTOCK_TX_DONE, now);
}

void penstock_transmitted(penstock_node_t *node, const penstock_tx_report_t *report, penstock_time_t now)
{
    uint8_t was_in_flight = node->in_flight;
    node->in_flight = PENSTOCK_FLIGHT_NONE;
    if (was_in_flight == PENSTOCK_FLIGHT_NONE) {
        return;
    }
    bool on_air = report->status != PENSTOCK_TX_NO_CHANNEL || report->attempts > 0u;
    if (!on_air) {
        node->link_seq--;
    }
    if (was_in_flight == PENSTOCK_FLIGHT_DATA) {
        packet_done(node, report, now);
    } else if (was_in_flight == PENSTOCK_FLIGHT_BULK || was_in_flight == PENSTOCK_FLIGHT_FLOOD) {
        node->config->bulk_ops->transmitted(node, was_in_flight, report, now);
    } else if (on_air && was_in_flight == PENSTOCK_FLIGHT_BEACON) {
        node->counters.beacons_sent++;
    } else if (on_air) {
        node->counters.control_frames_sent++;
        penstock_control_frame_sent(node, now);
    }
}
