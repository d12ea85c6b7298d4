/* The source's side of the forward way: when it may hand over a packet of its own, and the pace at which it does.
 *
 * A source's packets go through the same queue. Under flush that keeps D, and the source has no other pace:
 * it may hand over a packet when fewer than local_share of its own wait. So a late packet delays those behind it, as at
 * any node on the way; nothing is made up for. Under flush_e2e and fixed the queue does not wait, and packets are
 * handed over by a clock, which lets one that was late be followed at once by the next one. A source whose link is
 * slower than its interval is told to wait (local_share), and loses nothing at its own queue; the paper does not say
 * what its program did.
 *
 * The interval at the start of a transfer comes with the request (2.1: "conservative estimates") and holds until the
 * path is known (path_estimate.c).
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "bulk/path.h"
#include "bulk/path_parts.h"
#include "timeout.h"

/* D of this node's own flow, or what the mode has in its place; in us, never above the longest wait. */
static uint32_t own_interval(const penstock_node_t *node, penstock_time_t now)
{
    const penstock_bulk_path_params_t *params = penstock_bulk_params_of(node);
    if (params->mode == PENSTOCK_BULK_FIXED) {
        return params->fixed_interval_us;
    }
    const penstock_bulk_flow_t *flow = penstock_bulk_flow_find(node, node->config->address);
    uint32_t interval = flow != NULL ? penstock_bulk_interval(node, flow, now) : 0u;
    return interval < params->longest_wait_us ? interval : params->longest_wait_us;
}

/* The source's packets are handed over by a clock, since the queue keeps no pace. */
static bool has_clock(const penstock_node_t *node)
{
    uint8_t mode = penstock_bulk_params_of(node)->mode;
    return mode == PENSTOCK_BULK_FIXED || mode == PENSTOCK_BULK_FLUSH_E2E;
}

static bool has_room(const penstock_node_t *node)
{
    return !node->config->is_root && node->tree.parent != PENSTOCK_ADDR_NONE && penstock_bulk_can_accept(node) &&
           penstock_bulk_path_of(node)->local_count < penstock_bulk_params_of(node)->local_share;
}

bool penstock_bulk_path_may_send(penstock_node_t *node, penstock_time_t now, penstock_time_t *at)
{
    *at = now + node->config->packet_time_us;
    if (!has_room(node)) {
        return false;
    }
    if (has_clock(node)) {
        uint32_t left = penstock_time_left(now, penstock_bulk_path_of(node)->submit_at, own_interval(node, now));
        *at = left != 0u ? now + left : *at;
        return left == 0u;
    }
    return true;
}

bool penstock_bulk_path_send(penstock_node_t *node, const uint8_t *pdu, uint8_t len, penstock_time_t now)
{
    if (!has_room(node) || len == 0u || len > penstock_bulk_path_pdu_max(node)) {
        return false;
    }
    penstock_bulk_path_t *path = penstock_bulk_path_of(node);
    (void)penstock_bulk_flow_take(node, node->config->address, now);
    penstock_bulk_push(node, node->config->address, path->path_seq++, 0u, true, pdu, len);
    path->counters.admitted++;
    /* The next beat of the clock, unless the clock has stood still in the meantime. */
    uint32_t interval = own_interval(node, now);
    path->submit_at = (now - path->submit_at < interval ? path->submit_at : now) + interval;
    return true;
}

uint8_t penstock_bulk_path_pdu_max(const penstock_node_t *node)
{
    uint8_t headers =
        (uint8_t)(PENSTOCK_BULK_OVERHEAD + (penstock_bulk_tells_delays(node) ? PENSTOCK_BULK_DELAYS : 0u));
    uint8_t room = (uint8_t)(node->config->max_frame_len - headers); /* not below 6: config_check.c */
    return room < PENSTOCK_BULK_PDU_MAX ? room : (uint8_t)PENSTOCK_BULK_PDU_MAX;
}

uint8_t penstock_bulk_path_waiting(const penstock_node_t *node)
{
    return penstock_bulk_path_of(node)->local_count;
}

void penstock_bulk_path_begin(penstock_node_t *node, uint32_t initial_interval_us, penstock_time_t now)
{
    penstock_bulk_flow_t *flow = penstock_bulk_flow_take(node, node->config->address, now);
    if (initial_interval_us != 0u) {
        flow->start_us = initial_interval_us;
        flow->start_left = PENSTOCK_BULK_SETTLING;
        flow->to = PENSTOCK_ADDR_NONE;
        flow->unanswered = 0u;
    }
    penstock_bulk_path_of(node)->submit_at = now;
}
