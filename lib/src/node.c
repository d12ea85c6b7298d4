/* A node: life, time, and the application's side.
 *
 * A node is a struct that the world calls into. It holds no clock and no radio; it only
 * changes when it is called, and says what it wants when it is asked. This file makes one,
 * takes packets from the application, gives packets to it, and lets time pass. What the
 * radio brings is in receive.c, what goes to the MAC in transmit.c.
 *
 * Application adaptation (thesis 4.6). When the stack is not ready, penstock_send refuses,
 * and the application waits; nothing is lost by it. A node is not ready when its own
 * packets hold their share of the queue, when it has no parent to send to, or when the
 * congestion control says so (the rate limiter of 4.3 does). The refusal names a moment at
 * which asking again makes sense: the control's, or else one packet time later.
 *
 * The root collects; it has no packets of its own to send to itself (PENSTOCK_INVALID).
 * Packets for it wait in its queue, in the place where others forward from, until
 * penstock_poll_deliver takes them out.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "node.h"

#include "bulk/ops.h"
#include "control/compose.h"
#include "control/parts.h"
#include "deadline.h"
#include "neighbors.h"
#include "peers.h"
#include "random.h"
#include "routing.h"
#include "tree.h"

int penstock_init(penstock_node_t *node, const penstock_config_t *config, penstock_time_t now)
{
    if (node == NULL || penstock_config_check(config) != PENSTOCK_OK) {
        return PENSTOCK_INVALID;
    }
    node->config = config;
    node->random = penstock_random_seed(config->seed, config->address);
    penstock_queue_init(&node->queue, config->queue, config->queue_capacity, config->local_share);
    penstock_neighbors_init(&node->neighbors, config->neighbors, config->neighbor_capacity);
    node->counters = (penstock_counters_t){0};
    node->drop_reports_pending = 0u;
    /* A node that starts anew seldom goes on with the numbers of its former life. */
    node->link_seq = (uint8_t)penstock_random_next(&node->random);
    node->packet_seq = (uint16_t)penstock_random_next(&node->random);
    node->in_flight = PENSTOCK_FLIGHT_NONE;
    node->in_flight_to = PENSTOCK_ADDR_NONE;
    penstock_tree_init(node, now);
    /* Parts that the strategy does not have are asked too (penstock_stopped): their state says nothing. */
    node->control = (penstock_control_t){0};
    penstock_peers_init(config);
    penstock_control_init(node, now);
    if (penstock_bulk_of(config) != NULL) {
        config->bulk_ops->init(node, now);
    }
    return PENSTOCK_OK;
}

/* ---- The application's side ---------------------------------------------- */

static bool may_send(penstock_node_t *node, penstock_time_t now, penstock_time_t *retry_at)
{
    const penstock_queue_t *queue = &node->queue;
    *retry_at = now + node->config->packet_time_us;
    if (node->tree.parent == PENSTOCK_ADDR_NONE) {
        return false;
    }
    bool room = queue->count < queue->capacity && queue->local_count < queue->local_share;
    if (!room || !penstock_control_may_admit(node, now, retry_at)) {
        penstock_control_refused(node, now);
        return false;
    }
    return true;
}

uint8_t penstock_payload_max(const penstock_node_t *node)
{
    uint8_t fields = penstock_control_fields_len(node->config->control);
    uint8_t headers = (uint8_t)(penstock_data_headers(node->config) + (fields > 0u ? 1u + fields : 0u));
    uint8_t room = (uint8_t)(node->config->max_frame_len - headers); /* not below 0: config_check.c */
    return room < PENSTOCK_PAYLOAD_MAX ? room : (uint8_t)PENSTOCK_PAYLOAD_MAX;
}

bool penstock_writable(penstock_node_t *node, penstock_time_t now)
{
    penstock_time_t retry_at;
    return !node->config->is_root && may_send(node, now, &retry_at);
}

int penstock_send(penstock_node_t *node, uint8_t service, const uint8_t *payload, uint8_t len, penstock_time_t now,
                  uint16_t *seq, penstock_time_t *retry_at)
{
    if (node->config->is_root || service > PENSTOCK_SERVICE_MAX || (payload == NULL && len != 0u)) {
        return PENSTOCK_INVALID;
    }
    if (len > penstock_payload_max(node)) {
        return PENSTOCK_TOO_LONG;
    }
    penstock_time_t again_at;
    if (!may_send(node, now, &again_at)) {
        node->counters.refused++;
        if (retry_at != NULL) {
            *retry_at = again_at;
        }
        return PENSTOCK_WOULD_BLOCK;
    }
    penstock_packet_t *packet = penstock_queue_reserve(&node->queue, true);
    packet->origin = node->config->address;
    packet->seq = node->packet_seq++;
    packet->service = service;
    packet->hops = 0u;
    packet->marked = penstock_control_mark(node, NULL);
    packet->len = len;
    for (uint8_t i = 0u; i < len; i++) {
        packet->payload[i] = payload[i];
    }
    penstock_queue_push(&node->queue);
    node->counters.admitted++;
    penstock_control_admitted(node, now);
    penstock_control_queued(node, packet, now);
    if (seq != NULL) {
        *seq = packet->seq;
    }
    return PENSTOCK_OK;
}

bool penstock_can_accept(const penstock_node_t *node)
{
    return node->queue.count < node->queue.capacity;
}

int penstock_poll_deliver(penstock_node_t *node, penstock_delivery_t *delivery, penstock_time_t now)
{
    (void)now;
    const penstock_packet_t *packet = penstock_queue_head(&node->queue);
    if (!node->config->is_root || packet == NULL) {
        return 0;
    }
    delivery->origin = packet->origin;
    delivery->seq = packet->seq;
    delivery->service = packet->service;
    delivery->hops = packet->hops;
    delivery->len = packet->len;
    delivery->payload = packet->payload;
    penstock_queue_pop(&node->queue);
    node->counters.delivered++;
    return 1;
}

void penstock_node_drop(penstock_node_t *node, penstock_addr_t origin, uint16_t seq, penstock_drop_t reason)
{
    node->counters.drops[reason]++;
    if (node->drop_reports_pending == PENSTOCK_DROP_REPORTS) {
        for (uint8_t i = 1u; i < PENSTOCK_DROP_REPORTS; i++) {
            node->drop_reports[i - 1u] = node->drop_reports[i];
        }
        node->drop_reports_pending--;
    }
    penstock_drop_report_t *report = &node->drop_reports[node->drop_reports_pending++];
    report->origin = origin;
    report->seq = seq;
    report->reason = (uint8_t)reason;
}

int penstock_poll_drop(penstock_node_t *node, penstock_drop_report_t *report)
{
    if (node->drop_reports_pending == 0u) {
        return 0;
    }
    *report = node->drop_reports[0];
    node->drop_reports_pending--;
    for (uint8_t i = 0u; i < node->drop_reports_pending; i++) {
        node->drop_reports[i] = node->drop_reports[i + 1u];
    }
    return 1;
}

/* ---- Time ----------------------------------------------------------------- */

bool penstock_next_deadline(const penstock_node_t *node, penstock_time_t now, penstock_time_t *deadline)
{
    bool any = penstock_control_deadline(node, now, deadline);
    if (node->config->beacons && !node->tree.frozen) {
        penstock_sooner(&any, deadline, node->tree.next_beacon);
    }
    const penstock_bulk_ops_t *bulk = penstock_bulk_of(node->config);
    penstock_time_t at;
    if (bulk != NULL && bulk->deadline(node, now, &at)) {
        penstock_sooner(&any, deadline, at);
    }
    return any;
}

void penstock_tick(penstock_node_t *node, penstock_time_t now)
{
    penstock_control_tick(node, now);
    if (penstock_tree_tick(node, now)) {
        uint32_t period = penstock_routing_of(node->config)->period(node->config);
        penstock_neighbors_forget(&node->neighbors, penstock_node_keeps(node), period, now);
        penstock_tree_update(node, now);
    }
    if (penstock_bulk_of(node->config) != NULL) {
        node->config->bulk_ops->tick(node, now);
    }
}

/* ---- Routes and congestion state ------------------------------------------- */

penstock_addr_t penstock_node_keeps(const penstock_node_t *node)
{
    return node->tree.fixed || node->tree.pinned ? node->tree.parent : PENSTOCK_ADDR_NONE;
}

void penstock_pin_route(penstock_node_t *node, bool pinned)
{
    node->tree.pinned = pinned;
}

void penstock_set_parent(penstock_node_t *node, penstock_addr_t parent, penstock_time_t now)
{
    if (node->config->is_root || parent == node->config->address || parent == PENSTOCK_ADDR_BROADCAST) {
        return;
    }
    node->tree.parent = parent;
    node->tree.fixed = parent != PENSTOCK_ADDR_NONE;
    penstock_tree_update(node, now);
}

penstock_addr_t penstock_parent(const penstock_node_t *node)
{
    return node->tree.parent;
}

bool penstock_congested(const penstock_node_t *node)
{
    return penstock_control_congested(node);
}

bool penstock_stopped(const penstock_node_t *node, penstock_time_t now)
{
    return penstock_backpressure_stopped(node, now);
}

uint32_t penstock_allowed_rate(const penstock_node_t *node)
{
    return penstock_control_allowed_rate(node);
}

bool penstock_ack_congested(const penstock_node_t *node)
{
    return penstock_control_congested(node);
}

void penstock_forget_congestion(penstock_node_t *node, penstock_time_t now)
{
    penstock_control_forget(node, now);
}

void penstock_channel_busy(penstock_node_t *node, bool busy, penstock_time_t now)
{
    penstock_control_channel_sample(node, busy, now);
}

bool penstock_wants_channel_sample(const penstock_node_t *node, penstock_time_t now)
{
    return penstock_control_wants_channel_sample(node, now);
}
