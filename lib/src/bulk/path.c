/* The forward way of bulk packets: a rate limited queue at every node from the source to the root.
 *
 * Sections of Flush (SenSys 2007) in parentheses. A bulk packet that comes in for this node waits in a queue of its own
 * (3.4: 16 deep), beside that of sensor packets, and goes on to the parent of the collection tree. It may leave when D
 * has passed since the packet before it left, from start to start (2.3.2); path_estimate.c works out D. A packet has
 * five link attempts (3.4), each a new frame with the delays of its moment, and is dropped when they are spent: what is
 * missing at the end the sink asks for again. At the root packets go to the transfer at once.
 *
 * Who keeps a pace depends on the mode (4.1), which all nodes of a network share:
 *
 *   flush      every node keeps its own D
 *   flush_e2e  all estimate and tell D, the source alone keeps it
 *   fixed      the source hands a packet to its queue every fixed interval; nobody tells anything
 *   asap       the source hands over the next packet when one is done; nobody tells anything
 *
 * The states of a queue:
 *
 *   empty, or paced  the oldest packet waits for its moment
 *   ready            the oldest packet may go as soon as the MAC is free and it is its turn (flush.c)
 *   in flight        the MAC has it; a repeat is in flight again at once
 *   stuck            there is no parent
 *
 * Bounded queuing delay (3.4: "which ensures the queue will be drained eventually, even if a node finds itself
 * neighborless"; no number, no mechanism). Here no packet waits for its moment for longer than longest_wait_us, however
 * long D is, so that it is tried, and dropped if nobody is there; and when there has been no parent for as long, all
 * that waits is dropped. A packet that comes in when there is no parent is dropped at once, like a sensor packet.
 *
 * Duplicates. Path sequence numbers grow by one with every packet, also of the same data, so a packet that a NACK
 * brought forth once more is a new one. As a node sends on its oldest packet until it is done with it, the repeat of a
 * packet follows it, among those of its origin: the last packet of each flow is all that need be remembered, with its
 * sender and the links that it has crossed.
 *
 * A packet of this node's own that comes back has gone round in a loop, and is dropped here.
 *
 * No room. As with sensor packets (receive.c): a MAC that has not acknowledged yet does not, and the sender keeps the
 * packet; else it is lost.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "bulk/path.h"

#include "bulk/ends.h"
#include "bulk/path_parts.h"
#include "node.h"
#include "random.h"
#include "timeout.h"
#include "transmit.h"

#define LONGEST_WAIT (UINT32_C(1) << 30)
#define LARGEST_WEIGHT 7u

bool penstock_bulk_path_config_works(const penstock_config_t *config)
{
    const penstock_bulk_path_params_t *params = &config->bulk_params->path;
    bool arrays = config->bulk_queue != NULL && config->bulk_queue_capacity >= 1u && config->bulk_flows != NULL &&
                  config->bulk_flow_capacity >= 1u;
    bool times = params->fixed_interval_us >= 1u && params->fixed_interval_us <= LONGEST_WAIT &&
                 params->longest_wait_us >= 1u && params->longest_wait_us <= LONGEST_WAIT && params->unit_us >= 8u;
    return arrays && times && params->mode < PENSTOCK_BULK_MODE_COUNT && params->attempts >= 1u &&
           params->local_share >= 1u && params->local_share <= config->bulk_queue_capacity &&
           params->nearest_interferer >= 1u && params->nearest_interferer <= PENSTOCK_BULK_SUCCESSORS &&
           params->delay_weight <= LARGEST_WEIGHT && params->rssi_weight <= LARGEST_WEIGHT;
}

void penstock_bulk_path_init(penstock_node_t *node, penstock_time_t now)
{
    penstock_bulk_path_t *path = penstock_bulk_path_of(node);
    *path = (penstock_bulk_path_t){0};
    path->path_seq = (uint8_t)penstock_random_next(&node->random); /* seldom goes on where its former life was */
    path->delay_to = PENSTOCK_ADDR_NONE;
    path->left_origin = PENSTOCK_ADDR_NONE;
    path->submit_at = now;
    penstock_bulk_flows_init(node);
}

/* ---- What comes in ---- */

static void drop(penstock_node_t *node, penstock_drop_t reason)
{
    penstock_bulk_path_of(node)->counters.drops[reason]++;
}

static void enter(penstock_node_t *node, const penstock_frame_t *frame, const penstock_rx_info_t *info,
                  penstock_time_t now)
{
    penstock_bulk_path_t *path = penstock_bulk_path_of(node);
    path->counters.received++;
    if (frame->hops > node->config->hop_limit || frame->origin == node->config->address) {
        drop(node, PENSTOCK_DROP_HOP_LIMIT);
    } else if (node->config->is_root) {
        path->counters.delivered++;
        penstock_bulk_ends_arrived(node, frame->origin, frame->hops, frame->payload, frame->payload_len, now);
    } else if (node->tree.parent == PENSTOCK_ADDR_NONE) {
        drop(node, PENSTOCK_DROP_NO_ROUTE);
    } else if (!penstock_bulk_can_accept(node)) {
        drop(node, info->acked ? PENSTOCK_DROP_ACKED_THEN_DROPPED : PENSTOCK_DROP_QUEUE_FULL);
    } else {
        penstock_bulk_push(node, frame->origin, (uint8_t)frame->seq, frame->hops, false, frame->payload,
                           frame->payload_len);
    }
}

static void receive(penstock_node_t *node, const penstock_frame_t *frame, const penstock_rx_info_t *info,
                    penstock_time_t now)
{
    if (frame->origin == node->config->address) {
        enter(node, frame, info, now); /* a loop: what is known of this node's own flow stays */
        return;
    }
    bool room = node->config->is_root || penstock_bulk_can_accept(node);
    if (!room && frame->ack_request && !info->acked) {
        return;
    }
    penstock_bulk_flow_t *flow = penstock_bulk_flow_take(node, frame->origin, now);
    bool repeat = flow->from == frame->src && flow->path_seq == frame->seq && flow->hops == frame->hops;
    penstock_bulk_estimate_arrived(flow, frame, info->rssi_dbm, !repeat, penstock_bulk_params_of(node));
    if (repeat) {
        penstock_bulk_path_of(node)->counters.duplicates++;
        return;
    }
    enter(node, frame, info, now);
}

void penstock_bulk_path_heard(penstock_node_t *node, const penstock_frame_t *frame, const penstock_rx_info_t *info,
                              penstock_time_t now)
{
    if (frame->dst == node->config->address) {
        if (info->for_us) {
            receive(node, frame, info, now);
        }
    } else {
        penstock_bulk_estimate_overheard(node, frame, info->rssi_dbm);
    }
}

/* ---- What goes out ---- */

/* Since the last packet left, the queue keeps still for so many us more. */
static uint32_t pause_left(const penstock_node_t *node, penstock_time_t now)
{
    const penstock_bulk_path_t *path = penstock_bulk_path_of(node);
    const penstock_bulk_flow_t *flow = penstock_bulk_flow_find(node, path->left_origin);
    if (penstock_bulk_params_of(node)->mode != PENSTOCK_BULK_FLUSH || !path->left || path->began || flow == NULL) {
        return 0u; /* a repeat does not wait */
    }
    uint32_t interval = penstock_bulk_interval(node, flow, now) / penstock_bulk_flows_active(node, now);
    interval = interval < penstock_bulk_params_of(node)->longest_wait_us
                   ? interval
                   : penstock_bulk_params_of(node)->longest_wait_us;
    return penstock_time_left(now, path->left_at + interval, interval);
}

/* Notes when the parent was lost, and drops what has waited too long for another one. */
static void watch_parent(penstock_node_t *node, penstock_time_t now)
{
    penstock_bulk_path_t *path = penstock_bulk_path_of(node);
    bool held = node->in_flight == PENSTOCK_FLIGHT_BULK;
    if (node->tree.parent != PENSTOCK_ADDR_NONE || path->count == 0u || held) {
        path->stuck = false;
        return;
    }
    if (!path->stuck) {
        path->stuck = true;
        path->stuck_at = now;
    }
    if (penstock_time_left(now, path->stuck_at + penstock_bulk_params_of(node)->longest_wait_us,
                           penstock_bulk_params_of(node)->longest_wait_us) == 0u) {
        while (path->count > 0u) {
            drop(node, PENSTOCK_DROP_NO_ROUTE);
            penstock_bulk_pop(node);
        }
        path->stuck = false;
    }
}

bool penstock_bulk_path_ready(penstock_node_t *node, penstock_time_t now)
{
    watch_parent(node, now);
    return penstock_bulk_path_of(node)->count > 0u && node->tree.parent != PENSTOCK_ADDR_NONE &&
           pause_left(node, now) == 0u;
}

int penstock_bulk_path_transmit(penstock_node_t *node, penstock_tx_t *tx, uint8_t *buf, size_t capacity,
                                penstock_time_t now)
{
    penstock_bulk_path_t *path = penstock_bulk_path_of(node);
    const penstock_bulk_path_params_t *params = penstock_bulk_params_of(node);
    const penstock_bulk_packet_t *packet = penstock_bulk_head(node);
    uint8_t delays[PENSTOCK_BULK_DELAYS];
    penstock_frame_t frame;
    penstock_transmit_begin(node, &frame, PENSTOCK_FRAME_BULK, node->tree.parent);
    frame.origin = packet->origin;
    frame.seq = packet->path_seq;
    frame.hops = (uint8_t)(packet->hops + 1u);
    frame.payload = packet->pdu;
    frame.payload_len = packet->len;
    /* A packet of a node that tells nothing may be so long that the delays do not fit beside it. */
    const penstock_bulk_flow_t *flow = penstock_bulk_flow_find(node, packet->origin);
    bool fits = PENSTOCK_BULK_OVERHEAD + PENSTOCK_BULK_DELAYS + (size_t)packet->len <= node->config->max_frame_len;
    if (flow != NULL && fits && penstock_bulk_tells_delays(node)) {
        penstock_bulk_write_delays(node, flow, delays, now);
        frame.delays = delays;
        frame.companded = params->companded;
    }
    uint8_t left = (uint8_t)(params->attempts - packet->attempts);
    uint8_t attempts = left < node->config->mac_attempts ? left : node->config->mac_attempts;
    int result = penstock_transmit_payload(node, tx, &frame, attempts, buf, capacity);
    if (result == 1 && !path->began) {
        path->began = true;
        path->began_at = now;
    }
    return result;
}

/* The head is done with, one way or the other. */
static void leave(penstock_node_t *node, penstock_time_t now)
{
    penstock_bulk_path_t *path = penstock_bulk_path_of(node);
    penstock_bulk_estimate_measured(node, node->in_flight_to, now - path->began_at);
    path->left = true;
    path->left_at = path->began_at;
    path->left_origin = penstock_bulk_head(node)->origin;
    penstock_bulk_pop(node);
}

void penstock_bulk_path_transmitted(penstock_node_t *node, const penstock_tx_report_t *report, penstock_time_t now)
{
    penstock_bulk_path_t *path = penstock_bulk_path_of(node);
    penstock_bulk_packet_t *packet = penstock_bulk_head(node);
    bool acked = report->status == PENSTOCK_TX_DONE;
    uint8_t on_air = report->attempts;
    if (report->status != PENSTOCK_TX_NO_CHANNEL && on_air == 0u) {
        on_air = 1u; /* it has an outcome, so it was sent */
    }
    path->counters.transmissions += on_air;
    uint8_t left = (uint8_t)(penstock_bulk_params_of(node)->attempts - packet->attempts);
    packet->attempts = (uint8_t)(packet->attempts + (on_air < left ? on_air : left));
    if (acked) {
        path->counters.forwarded++;
        penstock_bulk_flow_t *flow = penstock_bulk_flow_find(node, packet->origin);
        if (flow != NULL) {
            penstock_bulk_estimate_acked(flow, node->in_flight_to);
        }
        leave(node, now);
    } else if (packet->attempts >= penstock_bulk_params_of(node)->attempts) {
        drop(node, PENSTOCK_DROP_ATTEMPTS_EXHAUSTED);
        leave(node, now);
    }
    penstock_transmit_learn(node, node->in_flight_to, on_air, acked, now);
}

/* ---- Time, and those who watch ---- */

void penstock_bulk_path_tick(penstock_node_t *node, penstock_time_t now)
{
    watch_parent(node, now);
}

bool penstock_bulk_path_deadline(const penstock_node_t *node, penstock_time_t now, penstock_time_t *at)
{
    const penstock_bulk_path_t *path = penstock_bulk_path_of(node);
    if (path->count == 0u || node->in_flight == PENSTOCK_FLIGHT_BULK) {
        return false;
    }
    uint32_t left;
    if (node->tree.parent != PENSTOCK_ADDR_NONE) {
        left = pause_left(node, now);
    } else {
        uint32_t longest = penstock_bulk_params_of(node)->longest_wait_us;
        left = path->stuck ? penstock_time_left(now, path->stuck_at + longest, longest) : 0u;
    }
    *at = now + left;
    return left != 0u;
}

bool penstock_bulk_path_state(const penstock_node_t *node, penstock_addr_t origin, penstock_bulk_path_state_t *state)
{
    *state = (penstock_bulk_path_state_t){0};
    if (node->config->bulk == NULL) {
        return false;
    }
    state->queue = penstock_bulk_path_of(node)->count;
    const penstock_bulk_flow_t *flow = penstock_bulk_flow_find(node, origin);
    if (origin == PENSTOCK_ADDR_NONE || flow == NULL) {
        return false;
    }
    state->hops = (uint8_t)(flow->hops + 1u);
    state->interferers = penstock_bulk_interferers(node, flow);
    state->delay_us = penstock_bulk_delay(node);
    state->f_us = penstock_bulk_f(node, flow);
    state->d_us = penstock_bulk_d(node, flow);
    state->interval_us = penstock_bulk_interval(node, flow, flow->seen_at);
    state->doubled = penstock_bulk_doubles(node);
    return true;
}

const penstock_bulk_path_counters_t *penstock_bulk_path_counters(const penstock_node_t *node)
{
    return node->config->bulk != NULL ? &penstock_bulk_path_of(node)->counters : NULL;
}
