/* Reverse delivery: how what the sink says reaches the source (Flush, section 2 and 3.2), and frozen routes (5.2).
 *
 * A flood, after TinyOS's Bcast: "each node rebroadcasts each unique packet exactly once, assuming there is room in
 * the queue to do so", after a small random delay. Unique is a flood of one sink with one number; a node knows the
 * last eight that it has met. The room is two slots. At a sink the first is its own: what it says now overtakes what
 * it said before and could not be sent yet, so one question at a time is on its way. The delay is at most two packet
 * times (or params.flood_jitter_us): the paper names none, and two neighbours that heard the same frame must not
 * answer it in the same moment. The target sends it on like everybody else, since all nodes listen to floods for the
 * sake of their routes. The number of a sink's first flood is at random, so that after a reboot its old ones are not
 * its new ones. A mote that has nothing random to begin with may yet use them again: so when no new flood was met for
 * half of the longest that a sink waits, no copy of an old one is about any more, and all are forgotten.
 *
 * With block-wise transfer the same PDU goes to one neighbour after the other, acknowledged on each link, back on the
 * way that the target's last packets came (blockwise.c). The flows that path.c keeps know the neighbour. A node that
 * does not know the way drops it; so does one that has made as many attempts as for a data packet.
 *
 * Frozen routes (5.2). Beacons are sent at any moment, collide with the transfer and get lost, and then routes are
 * thought to be stale. So from the first request on routes stay as they are, and beacons wait, at every node
 * that hears of the transfer, until the sink says that it is over. Each request and NACK says for how long at most,
 * so that a node that misses the end thaws by itself: a lost END never freezes for good. When it is over neighbours are
 * as old as they were, or all of them would be thought dead (tree.c). Of two sinks the one with the longer time rules,
 * and the END of the other does nothing.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "bulk/ends.h"
#include "deadline.h"
#include "random.h"
#include "tree.h"

#define NO_SLOT PENSTOCK_BULK_FLOODS
#define OWN_SLOT 0u
#define JITTER_PACKETS 2u
#define SECOND_US UINT32_C(1000000)

static penstock_bulk_floods_t *floods_of(const penstock_node_t *node)
{
    return &penstock_bulk_ends_of(node)->floods;
}

static void forget_seen(penstock_bulk_floods_t *floods)
{
    for (uint8_t i = 0u; i < PENSTOCK_BULK_FLOODS_SEEN; i++) {
        floods->seen[i].sink = PENSTOCK_ADDR_NONE;
    }
}

void penstock_bulk_flood_init(penstock_node_t *node, penstock_time_t now)
{
    penstock_bulk_floods_t *floods = floods_of(node);
    forget_seen(floods);
    floods->in_flight = NO_SLOT;
    floods->next_number = (uint16_t)(penstock_random_next(&node->random) ^ now);
    floods->seen_at = now;
    floods->frozen_by = PENSTOCK_ADDR_NONE;
}

uint32_t penstock_bulk_flood_jitter_us(const penstock_node_t *node)
{
    const penstock_bulk_ends_params_t *params = penstock_bulk_ends_params_of(node);
    if (params->flood_jitter_us != 0u) {
        return params->flood_jitter_us;
    }
    uint32_t packet = node->config->packet_time_us;
    return packet < params->timeout_max_us / JITTER_PACKETS ? JITTER_PACKETS * packet : params->timeout_max_us;
}

penstock_addr_t penstock_bulk_flood_way(const penstock_node_t *node, penstock_addr_t origin)
{
    const penstock_config_t *config = node->config;
    for (uint8_t i = 0u; i < config->bulk_flow_capacity; i++) {
        if (config->bulk_flows[i].origin == origin) {
            return config->bulk_flows[i].from;
        }
    }
    return PENSTOCK_ADDR_NONE;
}

penstock_bulk_flood_t *penstock_bulk_flood_begin(penstock_node_t *node, penstock_addr_t target, penstock_addr_t to,
                                                 penstock_time_t now)
{
    penstock_bulk_floods_t *floods = floods_of(node);
    penstock_bulk_flood_t *flood = &floods->slots[OWN_SLOT];
    if (floods->in_flight == OWN_SLOT) {
        floods->in_flight = NO_SLOT; /* what the MAC reports is about the old one */
    }
    flood->hops = 0u;
    flood->attempts = 0u;
    flood->sink = node->config->address;
    flood->target = target;
    flood->to = to;
    flood->number = floods->next_number++;
    flood->at = now;
    return flood;
}

/* ---- What comes in ------------------------------------------------------------------ */

/* Has it been met before? From now on it has. */
static bool is_known(penstock_node_t *node, penstock_addr_t sink, uint16_t number, penstock_time_t now)
{
    penstock_bulk_floods_t *floods = floods_of(node);
    if (now - floods->seen_at > penstock_bulk_ends_params_of(node)->timeout_max_us / 2u) {
        forget_seen(floods);
    }
    for (uint8_t i = 0u; i < PENSTOCK_BULK_FLOODS_SEEN; i++) {
        if (floods->seen[i].sink == sink && floods->seen[i].number == number) {
            return true;
        }
    }
    floods->seen[floods->seen_next].sink = sink;
    floods->seen[floods->seen_next].number = number;
    floods->seen_at = now;
    floods->seen_next = (uint8_t)((floods->seen_next + 1u) % PENSTOCK_BULK_FLOODS_SEEN);
    return false;
}

/* To whom it goes on; PENSTOCK_ADDR_NONE: to nobody. */
static penstock_addr_t onward(const penstock_node_t *node, const penstock_frame_t *frame)
{
    if (frame->hops >= node->config->hop_limit || frame->payload_len > PENSTOCK_BULK_FLOOD_PDU_MAX) {
        return PENSTOCK_ADDR_NONE;
    }
    if (frame->dst == PENSTOCK_ADDR_BROADCAST) {
        return PENSTOCK_ADDR_BROADCAST;
    }
    penstock_addr_t way = frame->target != node->config->address ? penstock_bulk_flood_way(node, frame->target)
                                                                 : (penstock_addr_t)PENSTOCK_ADDR_NONE;
    return way != frame->src ? way : (penstock_addr_t)PENSTOCK_ADDR_NONE;
}

static void send_on(penstock_node_t *node, const penstock_frame_t *frame, penstock_addr_t to, penstock_time_t now)
{
    penstock_bulk_floods_t *floods = floods_of(node);
    for (uint8_t i = node->config->is_root ? OWN_SLOT + 1u : 0u; i < PENSTOCK_BULK_FLOODS; i++) {
        penstock_bulk_flood_t *flood = &floods->slots[i];
        if (flood->len != 0u) {
            continue;
        }
        uint32_t jitter = penstock_bulk_flood_jitter_us(node);
        bool to_all = to == PENSTOCK_ADDR_BROADCAST;
        flood->len = frame->payload_len;
        flood->hops = frame->hops;
        flood->attempts = 0u;
        flood->sink = frame->origin;
        flood->target = frame->target;
        flood->to = to;
        flood->number = frame->seq;
        flood->at = to_all ? now + penstock_random_below(&node->random, jitter + 1u) : now;
        for (uint8_t k = 0u; k < frame->payload_len; k++) {
            flood->pdu[k] = frame->payload[k];
        }
        return;
    }
}

void penstock_bulk_ends_flood(penstock_node_t *node, const penstock_frame_t *frame, penstock_time_t now)
{
    if (frame->origin == node->config->address || is_known(node, frame->origin, frame->seq, now)) {
        return;
    }
    penstock_addr_t to = onward(node, frame);
    if (to != PENSTOCK_ADDR_NONE) {
        send_on(node, frame, to, now);
    }
    penstock_bulk_ends_told(node, frame->origin, frame->payload, frame->payload_len,
                            frame->target == node->config->address, now);
}

/* ---- What goes out ------------------------------------------------------------------- */

/* The slot whose turn it is, or NO_SLOT. */
static uint8_t due(const penstock_bulk_floods_t *floods, penstock_time_t now)
{
    for (uint8_t i = 0u; i < PENSTOCK_BULK_FLOODS; i++) {
        if (floods->slots[i].len != 0u && penstock_time_reached(now, floods->slots[i].at)) {
            return i;
        }
    }
    return NO_SLOT;
}

bool penstock_bulk_ends_wants_flood(penstock_node_t *node, penstock_time_t now)
{
    const penstock_bulk_floods_t *floods = floods_of(node);
    return floods->in_flight == NO_SLOT && due(floods, now) != NO_SLOT;
}

void penstock_bulk_ends_write_flood(penstock_node_t *node, penstock_frame_t *frame, penstock_time_t now)
{
    penstock_bulk_floods_t *floods = floods_of(node);
    floods->in_flight = due(floods, now);
    const penstock_bulk_flood_t *flood = &floods->slots[floods->in_flight];
    frame->dst = flood->to;
    frame->origin = flood->sink;
    frame->seq = flood->number;
    frame->target = flood->target;
    frame->hops = (uint8_t)(flood->hops + 1u);
    frame->payload = flood->pdu;
    frame->payload_len = flood->len;
}

void penstock_bulk_ends_flood_sent(penstock_node_t *node, const penstock_tx_report_t *report, penstock_time_t now)
{
    penstock_bulk_floods_t *floods = floods_of(node);
    uint8_t slot = floods->in_flight;
    floods->in_flight = NO_SLOT;
    if (slot == NO_SLOT) {
        return;
    }
    penstock_bulk_flood_t *flood = &floods->slots[slot];
    flood->attempts++;
    /* A broadcast that was on air is done, whoever heard it. */
    bool to_all = flood->to == PENSTOCK_ADDR_BROADCAST;
    bool done = report->status == PENSTOCK_TX_DONE || (to_all && report->status != PENSTOCK_TX_NO_CHANNEL);
    if (done || flood->attempts >= node->config->bulk_params->path.attempts) {
        flood->len = 0u;
    } else if (to_all) {
        flood->at = now + penstock_random_below(&node->random, penstock_bulk_flood_jitter_us(node) + 1u);
    }
}

/* ---- Frozen routes --------------------------------------------------------------------- */

static void thaw(penstock_node_t *node, penstock_time_t now)
{
    floods_of(node)->frozen_by = PENSTOCK_ADDR_NONE;
    penstock_tree_thaw(node, now);
}

void penstock_bulk_flood_heed(penstock_node_t *node, penstock_addr_t sink, const penstock_bulk_pdu_t *pdu,
                              penstock_time_t now)
{
    penstock_bulk_floods_t *floods = floods_of(node);
    if (pdu->kind == PENSTOCK_BULK_PDU_END) {
        if (floods->frozen_by == sink && sink != PENSTOCK_ADDR_NONE) {
            thaw(node, now);
        }
        return;
    }
    if (pdu->hold == 0u || !penstock_bulk_ends_params_of(node)->freeze) {
        return;
    }
    penstock_time_t until = now + (uint32_t)pdu->hold * PENSTOCK_BULK_HOLD_S * SECOND_US;
    bool rules = floods->frozen_by == PENSTOCK_ADDR_NONE || floods->frozen_by == sink ||
                 penstock_time_reached(until, floods->thaw_at);
    penstock_tree_freeze(node, now);
    if (rules) {
        floods->frozen_by = sink;
        floods->thaw_at = until;
    }
}

/* ---- Time --------------------------------------------------------------------------------- */

/* Floods that wait for the MAC wait for nothing else. */
bool penstock_bulk_flood_deadline(const penstock_node_t *node, penstock_time_t now, penstock_time_t *at)
{
    const penstock_bulk_floods_t *floods = floods_of(node);
    bool any = floods->frozen_by != PENSTOCK_ADDR_NONE;
    *at = floods->thaw_at;
    for (uint8_t i = 0u; i < PENSTOCK_BULK_FLOODS; i++) {
        const penstock_bulk_flood_t *flood = &floods->slots[i];
        if (flood->len != 0u && !penstock_time_reached(now, flood->at)) {
            penstock_sooner(&any, at, flood->at);
        }
    }
    return any;
}

void penstock_bulk_flood_tick(penstock_node_t *node, penstock_time_t now)
{
    const penstock_bulk_floods_t *floods = floods_of(node);
    if (floods->frozen_by != PENSTOCK_ADDR_NONE && penstock_time_reached(now, floods->thaw_at)) {
        thaw(node, now);
    }
}
