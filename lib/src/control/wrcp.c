/* Strategy "wrcp": the Wireless Rate Control Protocol (Sridharan and Krishnamachari, "Explicit and Precise Rate
 * Control for Wireless Sensor Networks", SenSys 2009). A system of its own: one part.
 *
 * Every node knows how many packets a second a receiver of its kind can hear, B, from a table (section 4.3). From
 * what all in range say that they send it knows how much of that is left, and from how many flows
 * they send, what is left for each: gamma (section 4.1). It says so in every frame. A source adds to
 * its rate a share alpha of the least gamma of all receivers that its packets use; where that is below
 * 0 it comes down to what the bottleneck allows each flow. So what is free is divided equally among all that use
 * it, and every flow ends at what its narrowest receiver can give: lexicographic max-min fairness.
 *
 *   wrcp.c             this page, the rate of this node's own flow, and the hooks
 *   wrcp_rate.c        Eqs. 3, 4, 5 and 11: arithmetic
 *   wrcp_estimates.c   Eqs. 7 to 10: flows, rates, links, interference
 *   wrcp_interval.c    section 4.2, Eq. 6: the time T between two updates
 *   wrcp_fields.c      the 16 bytes in every frame
 *
 * A source is in one of three states.
 *
 *   idle      Its application had no packet for an age. It is no flow, and nobody counts it (4.4).
 *   joining   Its application has packets again: bootstrap (4.8). It begins at the start rate. It grows by Eq. 5
 *             while gamma is above 0, else it doubles (Eq. 11), until it has as much as the bottleneck allows.
 *   settled   The three cases of section 4.1.
 *
 * Its packets pay tokens that come at its rate (the paper's leaky bucket), two deep: one packet can wait while
 * the next is made, and there is no longer burst. Transit is never held back; the forwarding queue is
 * first in, first out, as the paper demands. Nothing is told by congestion bits, and no MAC is hurried.
 *
 * Where the paper leaves a gap:
 *
 *   Which receivers. The paper takes the least gamma of a node and its neighbours. A packet uses receivers
 *   all along its way, and its source hears few of them. So every frame carries, beside the sender's own gamma, the
 *   narrowest on the way from there to the root; its children go by it, and pass on theirs. Told to
 *   neighbours as well, one number would bind flows that do not use that receiver (docs/design.md:
 *   `share` tells two rates for the same reason). The root sends nothing, so on its way there is only
 *   itself.
 *   What a bottleneck allows: wrcp_rate.c.
 *   The start rate: "minimum constant rate" (section 5) is all there is. 0.1 packets/s, which is where IFRC begins in
 * the paper's comparison (r_init, 8.1), so that both are compared from the same line. It is the floor as well. A source
 * does not grow before its parent has told it the way: what it hears until then is itself, which always has room. A
 * node that neither sends nor forwards says nothing, so its constraint is not heard. A flow that is slower than it may
 * be does not grow: wrcp_rate.c.
 *
 * State: penstock_wrcp_t; penstock_wrcp_peer_t for each neighbour; the table of sources (sources.c).
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "bucket.h"
#include "control/parts.h"
#include "control/sources.h"
#include "control/wrcp_estimates.h"
#include "control/wrcp_fields.h"
#include "control/wrcp_interval.h"
#include "control/wrcp_rate.h"
#include "frame.h"
#include "node.h"
#include "peers.h"

#define TOKENS 2u

static uint32_t rate(const penstock_node_t *node)
{
    return node->control.wrcp.rate;
}

/* ---- This node's own flow --------------------------------------------------- */

static void earn(penstock_node_t *node, penstock_time_t now)
{
    penstock_bucket_earn(&node->control.wrcp.bucket, rate(node), TOKENS, now);
}

static void go_idle(penstock_node_t *node)
{
    node->control.wrcp.rate = node->config->control_params.wrcp.start_rate;
    node->control.wrcp.active = false;
    node->control.wrcp.joining = true;
    node->control.wrcp.wants_more = false;
}

static void has_packet(penstock_node_t *node, penstock_time_t now)
{
    node->control.wrcp.active = true;
    node->control.wrcp.active_at = now;
}

static void update_own(penstock_node_t *node, penstock_time_t now)
{
    penstock_wrcp_t *wrcp = &node->control.wrcp;
    if (!wrcp->active) {
        return;
    }
    if (now - wrcp->active_at > penstock_wrcp_age(node)) {
        go_idle(node);
        return;
    }
    bool joining = wrcp->joining;
    bool may_grow = wrcp->wants_more && penstock_wrcp_way_known(node);
    wrcp->rate = penstock_wrcp_next_rate(&node->config->control_params.wrcp, wrcp->rate, penstock_wrcp_narrowest(node),
                                         may_grow, &joining);
    wrcp->joining = joining;
    wrcp->wants_more = false;
}

static bool may_admit(penstock_node_t *node, penstock_time_t now, penstock_time_t *at)
{
    earn(node, now);
    if (penstock_bucket_ready(&node->control.wrcp.bucket)) {
        return true;
    }
    *at = penstock_bucket_ready_at(&node->control.wrcp.bucket, rate(node));
    return false;
}

static void admitted(penstock_node_t *node, penstock_time_t now)
{
    penstock_bucket_spend(&node->control.wrcp.bucket);
    has_packet(node, now);
}

static void refused(penstock_node_t *node, penstock_time_t now)
{
    has_packet(node, now);
    node->control.wrcp.wants_more = true;
}

/* ---- What passes ------------------------------------------------------------- */

static void start(penstock_node_t *node, penstock_time_t now)
{
    penstock_peers_init(node->config);
    penstock_wrcp_estimates_init(node, now);
    penstock_wrcp_interval_init(node);
    node->control.wrcp.updated_at = now;
    go_idle(node);
}

static void init(penstock_node_t *node, penstock_time_t now)
{
    start(node, now);
    penstock_bucket_init(&node->control.wrcp.bucket, TOKENS, now);
}

/* What was heard is of another time; what was earned and spent is not (source_rate.c). */
static void forget(penstock_node_t *node, penstock_time_t now)
{
    earn(node, now);
    start(node, now);
}

static void hear(penstock_node_t *node, const penstock_frame_t *frame, penstock_time_t now)
{
    if (frame->control_len != PENSTOCK_WRCP_FIELDS_LEN) {
        return;
    }
    penstock_wrcp_fields_t fields;
    penstock_wrcp_fields_read(&fields, frame->control);
    penstock_peer_t *peer = penstock_wrcp_estimates_heard(node, frame->src, &fields, now);
    if (frame->type == PENSTOCK_FRAME_DATA) {
        peer->as.wrcp.child = frame->dst == node->config->address;
    }
    if (node->config->is_root) {
        node->control.wrcp.heard_data = node->control.wrcp.heard_data || peer->as.wrcp.child;
        penstock_wrcp_interval_heard(node, now);
    } else if (frame->src == node->tree.parent) {
        node->control.wrcp.way = fields.way;
        node->control.wrcp.way_from = frame->src;
        penstock_wrcp_interval_told(node, &fields);
    }
}

static void queued(penstock_node_t *node, const penstock_packet_t *packet, penstock_time_t now)
{
    if (!node->config->is_root && packet->origin != node->config->address) {
        (void)penstock_sources_note(&node->control.sources, packet->origin, 0u, now);
    }
}

static void write_fields(penstock_node_t *node, const penstock_packet_t *packet, uint8_t *bytes, penstock_time_t now)
{
    (void)packet;
    (void)now;
    uint32_t total = node->control.wrcp.total >> 2;
    penstock_wrcp_fields_t fields = {
        .total = (uint16_t)(total < UINT16_MAX ? total : UINT16_MAX),
        .own = penstock_wrcp_own(node),
        .way = penstock_wrcp_narrowest(node),
        .highest = penstock_wrcp_own_highest(node),
        .flows = penstock_wrcp_own_flows(node),
        .counter = penstock_wrcp_own_counter(node),
        .sequence = node->control.wrcp.sequence,
        .acknowledged = penstock_wrcp_acknowledged(node),
        .interval = node->control.wrcp.interval,
    };
    penstock_wrcp_fields_write(&fields, bytes);
}

/* ---- Time --------------------------------------------------------------------- */

/* Eq. 4, and what follows from it for all that this node hears. */
static void update_receiver(penstock_node_t *node)
{
    penstock_wrcp_t *wrcp = &node->control.wrcp;
    const penstock_wrcp_params_t *params = &node->config->control_params.wrcp;
    penstock_wrcp_around_t around;
    penstock_wrcp_look_around(node, &around);
    uint32_t capacity = penstock_wrcp_capacity(params, around.senders);
    wrcp->gamma = penstock_wrcp_gamma(capacity, wrcp->external, around.load, around.flows_q255);
    wrcp->allowed = penstock_wrcp_next_allowed(params, wrcp->allowed, wrcp->gamma, (uint32_t)around.highest << 8);
}

static void update(penstock_node_t *node, penstock_time_t now)
{
    uint32_t age_us = penstock_wrcp_age(node);
    penstock_peers_forget(node, age_us, now);
    penstock_sources_forget(&node->control.sources, age_us, now);
    update_receiver(node);
    update_own(node, now);
    if (node->config->is_root) {
        penstock_wrcp_interval_update(node);
    }
    node->control.wrcp.updated_at = now;
}

static void tick(penstock_node_t *node, penstock_time_t now)
{
    earn(node, now);
    penstock_wrcp_estimates_second(node, now);
    if (now - node->control.wrcp.updated_at >= penstock_wrcp_interval(node)) {
        update(node, now);
    }
}

static penstock_time_t earlier(penstock_time_t a, penstock_time_t b)
{
    return penstock_time_reached(a, b) ? b : a;
}

/* The end of a second or of the interval; or a token, if the application waits for one. */
static bool deadline(const penstock_node_t *node, penstock_time_t now, penstock_time_t *at)
{
    (void)now;
    const penstock_wrcp_t *wrcp = &node->control.wrcp;
    *at = earlier(wrcp->second_began + PENSTOCK_WRCP_SECOND_US, wrcp->updated_at + penstock_wrcp_interval(node));
    if (wrcp->wants_more && !penstock_bucket_ready(&wrcp->bucket)) {
        *at = earlier(*at, penstock_bucket_ready_at(&wrcp->bucket, rate(node)));
    }
    return true;
}

static bool wants_frame(const penstock_node_t *node, penstock_time_t now)
{
    (void)now;
    return node->control.wrcp.frame_due;
}

const penstock_part_t penstock_part_wrcp = {
    .init = init,
    .forget = forget,
    .received = hear,
    .overheard = hear,
    .repeated = hear,
    .queued = queued,
    .tick = tick,
    .admitted = admitted,
    .refused = refused,
    .deadline = deadline,
    .may_admit = may_admit,
    .rate = rate,
    .fields_len = PENSTOCK_WRCP_FIELDS_LEN,
    .write_fields = write_fields,
    .wants_frame = wants_frame,
    .frame_sent = penstock_wrcp_interval_sent,
    .needs_peers = true,
};

static const penstock_part_t *const parts[] = {&penstock_part_wrcp, NULL};

const penstock_strategy_t penstock_control_wrcp = {"wrcp", parts};
