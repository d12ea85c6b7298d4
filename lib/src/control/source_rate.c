/* The source rate limiter.
 *
 * Thesis 4.3. A node near the root could fill the channel with its own packets and starve
 * those that come from far (Figure 4-2). So a node meters what its own application sends:
 * it listens to what its parent forwards, counts the N different sources in that, and
 * earns one token each time the parent has forwarded N packets: the share of one source.
 * A packet of its own costs a token. Transit traffic costs none; it was metered where it
 * began. Table 5.1: at most 10 tokens; sources are those of the last 4 seconds.
 *
 * State: the tokens, the packets heard since the last token, the table of sources.
 *
 * What the thesis leaves open, and what is done here:
 *
 *   A retransmission is not another packet. The table keeps each source's last sequence
 *   number, and the same one again counts nothing. (One number for all would not do: between
 *   two attempts of one node others are heard.)
 *
 *   The root forwards nothing by radio, so its children would never earn anything. What the
 *   root takes from the channel stands for what it forwards: data frames addressed to it,
 *   and this node's own when they have been acknowledged. Which parent is the root is
 *   known from beacons. Where there are none (static routes) a parent counts as the root
 *   as long as it was never heard forwarding.
 *
 *   A parent that forwards nothing for a whole window gives one token. N is then 0, and
 *   "every N packets" says nothing; without this nobody would ever send the first packet.
 *   One packet per window is also the limit of the rule for vanishing traffic: with at
 *   most one packet from each source in a window, a share is one packet a window.
 *
 *   N counts at least 1. The bucket starts full. The table has room for
 *   PENSTOCK_RATE_SOURCES sources; when it is full the oldest one goes.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "control/parts.h"
#include "frame.h"
#include "penstock/penstock.h"
#include "timeout.h"

_Static_assert(PENSTOCK_RATE_SOURCES >= 1 && PENSTOCK_RATE_SOURCES <= 255, "sources are counted in one byte");

#define SHORTEST_WINDOW (UINT32_C(1) << 16)

static uint16_t coarse(uint32_t us)
{
    return (uint16_t)(us >> 16);
}

static uint8_t depth(const penstock_node_t *node)
{
    return node->config->control_params.rate_tokens;
}

/* At least one unit of the table's clock: a shorter window could not be told from none. */
static uint32_t window(const penstock_node_t *node)
{
    uint32_t us = node->config->control_params.rate_window_us;
    return us > SHORTEST_WINDOW ? us : SHORTEST_WINDOW;
}

static void init(penstock_node_t *node, penstock_time_t now)
{
    node->control.rate.tokens = depth(node);
    node->control.rate.heard = 0u;
    node->control.rate.source_count = 0u;
    node->control.rate.forwarder = PENSTOCK_ADDR_NONE;
    node->control.rate.refill_at = now + window(node);
}

static void earn(penstock_node_t *node)
{
    if (node->control.rate.tokens < depth(node)) {
        node->control.rate.tokens++;
    }
}

static void forget_old_sources(penstock_node_t *node, penstock_time_t now)
{
    uint8_t i = 0u;
    while (i < node->control.rate.source_count) {
        uint16_t age = (uint16_t)(coarse(now) - node->control.rate.sources[i].heard_at);
        if (age > coarse(window(node))) {
            node->control.rate.source_count--;
            node->control.rate.sources[i] = node->control.rate.sources[node->control.rate.source_count];
        } else {
            i++;
        }
    }
}

/* The place for a source that is not in the table: a new one, or the oldest's. */
static uint8_t place_for_source(penstock_node_t *node, penstock_time_t now)
{
    if (node->control.rate.source_count < PENSTOCK_RATE_SOURCES) {
        return node->control.rate.source_count++;
    }
    uint8_t oldest = 0u;
    uint16_t oldest_age = 0u;
    for (uint8_t i = 0u; i < PENSTOCK_RATE_SOURCES; i++) {
        uint16_t age = (uint16_t)(coarse(now) - node->control.rate.sources[i].heard_at);
        if (age >= oldest_age) {
            oldest = i;
            oldest_age = age;
        }
    }
    return oldest;
}

/* Notes a packet of a source; false when it is the one heard from it last. */
static bool is_new(penstock_node_t *node, penstock_addr_t origin, uint16_t seq, penstock_time_t now)
{
    uint8_t i = 0u;
    while (i < node->control.rate.source_count && node->control.rate.sources[i].origin != origin) {
        i++;
    }
    bool known = i < node->control.rate.source_count;
    bool repeat = known && node->control.rate.sources[i].seq == seq;
    if (!known) {
        i = place_for_source(node, now);
        node->control.rate.sources[i].origin = origin;
    }
    node->control.rate.sources[i].seq = seq;
    node->control.rate.sources[i].heard_at = coarse(now);
    return !repeat;
}

/* The parent has forwarded this packet. */
static void forwarded(penstock_node_t *node, penstock_addr_t origin, uint16_t seq, penstock_time_t now)
{
    forget_old_sources(node, now);
    node->control.rate.refill_at = now + window(node);
    if (!is_new(node, origin, seq, now)) {
        return;
    }
    node->control.rate.heard++;
    if (node->control.rate.heard >= node->control.rate.source_count) {
        node->control.rate.heard = 0u;
        earn(node);
    }
}

static bool parent_is_root(const penstock_node_t *node)
{
    if (node->tree.root != PENSTOCK_ADDR_NONE) {
        return node->tree.root == node->tree.parent;
    }
    return node->control.rate.forwarder != node->tree.parent;
}

static void overheard(penstock_node_t *node, const penstock_frame_t *frame, penstock_time_t now)
{
    penstock_addr_t parent = node->tree.parent;
    if (frame->type != PENSTOCK_FRAME_DATA || parent == PENSTOCK_ADDR_NONE) {
        return;
    }
    if (frame->src == parent) {
        node->control.rate.forwarder = parent;
        forwarded(node, frame->origin, frame->seq, now);
    } else if (frame->dst == parent && parent_is_root(node)) {
        forwarded(node, frame->origin, frame->seq, now);
    }
}

static void sent(penstock_node_t *node, const penstock_packet_t *packet, penstock_time_t now)
{
    if (parent_is_root(node)) {
        forwarded(node, packet->origin, packet->seq, now);
    }
}

static void tick(penstock_node_t *node, penstock_time_t now)
{
    if (penstock_time_left(now, node->control.rate.refill_at, window(node)) == 0u) {
        forget_old_sources(node, now);
        node->control.rate.refill_at = now + window(node);
        earn(node);
    }
}

static bool deadline(const penstock_node_t *node, penstock_time_t now, penstock_time_t *at)
{
    (void)now;
    *at = node->control.rate.refill_at;
    return node->control.rate.tokens < depth(node);
}

static bool may_admit(penstock_node_t *node, penstock_time_t now, penstock_time_t *at)
{
    *at = penstock_time_later(now, node->control.rate.refill_at);
    return node->control.rate.tokens > 0u;
}

static void admitted(penstock_node_t *node, penstock_time_t now)
{
    if (penstock_time_left(now, node->control.rate.refill_at, window(node)) == 0u) {
        /* The bucket was full, and nobody looked at this timer. */
        node->control.rate.refill_at = now + window(node);
    }
    if (node->control.rate.tokens > 0u) {
        node->control.rate.tokens--;
    }
}

const penstock_part_t penstock_part_source_rate = {
    .init = init,
    .overheard = overheard,
    .sent = sent,
    .tick = tick,
    .deadline = deadline,
    .may_admit = may_admit,
    .admitted = admitted,
};
