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
#include "control/sources.h"
#include "frame.h"
#include "penstock/penstock.h"
#include "timeout.h"

static uint8_t depth(const penstock_node_t *node)
{
    return node->config->control_params.rate_tokens;
}

/* At least one unit of the table's clock. */
static uint32_t window(const penstock_node_t *node)
{
    uint32_t us = node->config->control_params.rate_window_us;
    return us > PENSTOCK_SOURCES_UNIT_US ? us : PENSTOCK_SOURCES_UNIT_US;
}

static void init(penstock_node_t *node, penstock_time_t now)
{
    node->control.rate.tokens = depth(node);
    node->control.rate.heard = 0u;
    node->control.sources.count = 0u;
    node->control.rate.forwarder = PENSTOCK_ADDR_NONE;
    node->control.rate.refill_at = now + window(node);
}

/* What was heard is of another time. The tokens are not: a node that sleeps between its packets and found
 * a full bucket each time it wakes would never be limited. Nor is the moment of the refill,
 * or a node that hears nothing while it is awake would wait for ever. */
static void forget(penstock_node_t *node, penstock_time_t now)
{
    (void)now;
    node->control.rate.heard = 0u;
    node->control.sources.count = 0u;
    node->control.rate.forwarder = PENSTOCK_ADDR_NONE;
}

static void earn(penstock_node_t *node)
{
    if (node->control.rate.tokens < depth(node)) {
        node->control.rate.tokens++;
    }
}

static void forget_old_sources(penstock_node_t *node, penstock_time_t now)
{
    penstock_sources_forget(&node->control.sources, window(node), now);
}

/* The parent has forwarded this packet. */
static void forwarded(penstock_node_t *node, penstock_addr_t origin, uint16_t seq, penstock_time_t now)
{
    forget_old_sources(node, now);
    node->control.rate.refill_at = now + window(node);
    if (penstock_sources_note(&node->control.sources, origin, seq, now)) {
        return;
    }
    node->control.rate.heard++;
    if (node->control.rate.heard >= node->control.sources.count) {
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
    .forget = forget,
    .overheard = overheard,
    .sent = sent,
    .tick = tick,
    .deadline = deadline,
    .may_admit = may_admit,
    .admitted = admitted,
};
