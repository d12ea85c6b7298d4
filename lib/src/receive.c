/* A node: what comes from the radio.
 *
 * Every frame that is ours by its bytes (frame.c), addressed here or overheard, is taken
 * as evidence first: the link estimate of its sender, its route and its view of the link
 * back when it is a beacon, as far as the routing learns from them (routing.h). Then the congestion control sees it, as
 * data for this node (`received`) or as anything else (`overheard`). Only then is data for this node queued, so that
 * the control sees a packet also when there is no room for it.
 *
 * Duplicates. When an acknowledgement is lost the child sends the packet again. It repeats
 * its oldest packet until it is done with it, so repeats follow one another, and one
 * packet remembered per neighbour is enough to know them. A repeat is evidence for the
 * link, but neither traffic nor news for the congestion control, which is told of it by itself
 * (`repeated`). A packet that comes from the same neighbour once more with more hops behind it has
 * gone round in a loop: it is a packet to be forwarded (TEP 123, 3), until the hop limit ends it.
 *
 * No room. Thesis 4.2 names buffer drops; how the link layer takes part is left open.
 *
 *   The MAC has acknowledged the frame already (an acknowledgement in hardware, B-MAC's
 *   acknowledgement code): the child believes that it is done, the packet is lost here:
 *   acked_then_dropped.
 *   No acknowledgement was asked for: the packet is lost here as well: queue_full.
 *   An acknowledgement was asked for, and the MAC lets this node decide: it gets none
 *   (penstock_can_accept says so beforehand), so the child still has the packet and nothing
 *   is lost. It counts as not received, and its repeat will not be a duplicate.
 *
 * No route: a packet that cannot go on, since there is no parent, is dropped at once: it
 * would otherwise fill a queue that nothing empties. Packets that were in the queue when
 * the parent was lost wait there for a new one.
 *
 * Frames of bulk transfer are evidence for links and congestion like others; what is in them is the matter of the
 * code that config.bulk_ops names. A node that takes no part in transfers has no use for them, also where they
 * are addressed to it.
 *
 * Loops: a packet that has crossed more links than hop_limit is dropped.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "beacon.h"
#include "bulk/ops.h"
#include "control/compose.h"
#include "neighbors.h"
#include "node.h"
#include "routing.h"
#include "tree.h"

/* The sender's entry in the neighbour table, or NULL; its link estimate knows of the frame. `important`:
 * data for this node, or the beacon of one of CTP's roots. */
static penstock_neighbor_t *note_sender(penstock_node_t *node, const penstock_frame_t *frame,
                                        const penstock_beacon_t *beacon, int8_t rssi_dbm, bool important,
                                        penstock_time_t now)
{
    const penstock_routing_t *routing = penstock_routing_of(node->config);
    penstock_heard_t heard = {
        .from = frame->src,
        .rssi_dbm = rssi_dbm,
        .important = important,
        .parent = node->tree.parent,
        .beacon_period_us = routing->period(node->config),
        .now = now,
    };
    bool is_new;
    penstock_neighbor_t *sender = penstock_neighbors_heard(&node->neighbors, &heard, &is_new);
    if (sender != NULL) {
        routing->heard(sender, is_new, frame, beacon);
    }
    return sender;
}

static bool is_repeat(penstock_neighbor_t *sender, const penstock_frame_t *frame)
{
    return sender != NULL && sender->has_packet && sender->last_origin == frame->origin &&
           sender->last_seq == frame->seq && sender->last_hops == frame->hops;
}

static void remember(penstock_neighbor_t *sender, const penstock_frame_t *frame)
{
    if (sender != NULL) {
        sender->has_packet = true;
        sender->last_origin = frame->origin;
        sender->last_seq = frame->seq;
        sender->last_hops = frame->hops;
    }
}

static void enqueue(penstock_node_t *node, const penstock_frame_t *frame, penstock_time_t now)
{
    penstock_packet_t *packet = penstock_queue_reserve(&node->queue, false);
    packet->origin = frame->origin;
    packet->seq = frame->seq;
    packet->service = frame->service;
    packet->hops = frame->hops;
    packet->marked = penstock_control_mark(node, frame);
    packet->len = frame->payload_len;
    for (uint8_t i = 0u; i < frame->payload_len; i++) {
        packet->payload[i] = frame->payload[i];
    }
    penstock_queue_push(&node->queue);
    penstock_control_queued(node, packet, now);
}

static void receive_packet(penstock_node_t *node, const penstock_frame_t *frame, const penstock_rx_info_t *info,
                           penstock_neighbor_t *sender, penstock_time_t now)
{
    if (is_repeat(sender, frame)) {
        node->counters.duplicates++;
        penstock_control_repeated(node, frame, now);
        return;
    }
    bool room = penstock_can_accept(node);
    if (!room && frame->ack_request && !info->acked) {
        penstock_control_overheard(node, frame, now);
        return;
    }
    remember(sender, frame);
    node->counters.received++;
    penstock_control_received(node, frame, now);

    penstock_drop_t reason = PENSTOCK_DROP_NONE;
    if (frame->hops > node->config->hop_limit) {
        reason = PENSTOCK_DROP_HOP_LIMIT;
    } else if (!node->config->is_root && node->tree.parent == PENSTOCK_ADDR_NONE) {
        reason = PENSTOCK_DROP_NO_ROUTE;
    } else if (!room) {
        reason = info->acked ? PENSTOCK_DROP_ACKED_THEN_DROPPED : PENSTOCK_DROP_QUEUE_FULL;
    }
    if (reason != PENSTOCK_DROP_NONE) {
        penstock_node_drop(node, frame->origin, frame->seq, reason);
        return;
    }
    enqueue(node, frame, now);
}

int penstock_receive(penstock_node_t *node, const uint8_t *bytes, size_t len, const penstock_rx_info_t *info,
                     penstock_time_t now)
{
    penstock_frame_t frame;
    penstock_beacon_t beacon;
    int result = penstock_frame_parse(&frame, bytes, len);
    if (result == PENSTOCK_OK && frame.pan_id != node->config->pan_id) {
        return PENSTOCK_UNSUPPORTED;
    }
    if (result == PENSTOCK_OK && frame.src == node->config->address) {
        result = PENSTOCK_MALFORMED;
    }
    if (result == PENSTOCK_OK && frame.type == PENSTOCK_FRAME_BEACON) {
        result = penstock_beacon_parse(&beacon, frame.payload, frame.payload_len);
    }
    if (result != PENSTOCK_OK) {
        if (result == PENSTOCK_MALFORMED) {
            node->counters.malformed++;
        }
        return result;
    }

    bool is_data = frame.type == PENSTOCK_FRAME_DATA;
    bool is_bulk = frame.type == PENSTOCK_FRAME_BULK || frame.type == PENSTOCK_FRAME_FLOOD;
    uint8_t longest = is_data ? PENSTOCK_PAYLOAD_MAX : PENSTOCK_BULK_PDU_MAX;
    if ((is_data || is_bulk) && (len > node->config->max_frame_len || frame.payload_len > longest)) {
        return PENSTOCK_UNSUPPORTED; /* a PAN must agree on the length of its frames */
    }
    const penstock_routing_t *routing = penstock_routing_of(node->config);
    bool data_for_us = is_data && info->for_us && frame.dst == node->config->address;
    bool is_beacon = frame.type == PENSTOCK_FRAME_BEACON;
    bool is_root_of_ctp = is_beacon && frame.is_ctp && routing->is_ctp && beacon.etx == 0u;
    penstock_neighbor_t *sender =
        note_sender(node, &frame, is_beacon ? &beacon : NULL, info->rssi_dbm, data_for_us || is_root_of_ctp, now);
    if (data_for_us) {
        if (frame.is_ctp && routing->child_told != NULL) {
            routing->child_told(node, frame.path_etx, now);
        }
        receive_packet(node, &frame, info, sender, now);
        return PENSTOCK_OK;
    }
    if (is_beacon) {
        node->counters.beacons_received++;
        if (sender != NULL && frame.is_ctp == routing->is_ctp) {
            beacon.pull = frame.pull;
            penstock_tree_heard(node, sender, &beacon, now);
        }
    }
    penstock_control_overheard(node, &frame, now);
    if (is_bulk && penstock_bulk_of(node->config) != NULL) {
        node->config->bulk_ops->heard(node, &frame, info, now);
    }
    return PENSTOCK_OK;
}
