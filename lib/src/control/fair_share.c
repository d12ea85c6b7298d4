/* A source rate limiter whose rates are told, not guessed.
 *
 * The thesis's limiter (4.3, source_rate.c) supposes that all nodes offer the same load and
 * that the tree is not skewed; it names a limiter that handles skewed trees, node failures and
 * unequal rates as future work (6.1), for which nodes would have to propagate their
 * rates (4.3). Here they do. Each node works out what it can give each source
 * whose packets pass through it (share_estimate.c). Every data frame says so, overheard
 * by all around, as Ee and Bajcsy's do (SenSys 2004), and a source sends
 * at the least rate that anything on its way can give, as with explicit-rate ATM (Charny, Clark,
 * Jain, ICC 1995; ERICA, see params.c).
 *
 * A data frame carries three fields (docs/spec.md):
 *
 *   the mark    end to end: the packet's source would send more than it may. Set when its
 *               application had to wait, for whatever reason, since its packet before.
 *   the share   what the sender's own capacity gives each source that wants more.
 *   the limit   what a source behind the sender may send: the least of its share, of the
 *               shares of its siblings, and of its parent's limit.
 *
 * Why siblings: nodes with one parent share its neighbourhood's channel, which none of them
 * sees as a whole; and the root sends no data, so its children have no limit to hear. The one
 * with most behind it has the least share, and all keep to it, so that a source alone on its
 * branch gets as much as each of the many on the next. Why two rates: were the
 * limit told to siblings, each of two would keep the other at the least that either ever
 * had; a share is only ever what a node measured by itself.
 *
 * So a skewed tree gives each source the share of the narrowest place, sources that die
 * leave the tables, and sources that want little keep what they have while the others
 * divide the rest.
 *
 * A source meters its own packets with a token bucket at the limit, share_tokens deep, full
 * when the node starts. Transit was metered where it began.
 *
 * Time goes by in windows: rate_window_us, or as long as four packets of one source take at
 * today's limit if that is longer, so that slow sources are not forgotten between two packets.
 *
 *   A source that was not heard for a window is forgotten.
 *   What the parent or a sibling said counts double for every window in which it was not
 *   said again. So a node that hears nothing is soon bound by its own share alone, and
 *   the silence of a dead neighbour costs a few windows; one lost frame costs nothing.
 *   What a former parent said, or siblings there, is void.
 *
 * Of siblings only the least share is kept, with who said it. When that one rises, it is
 * followed, and the next to speak with less takes its place.
 *
 * State: 39 bytes on an 8-bit processor, 44 on a 32-bit one, beside the table of sources, which it shares
 * with source_rate: 6 bytes for each of PENSTOCK_RATE_SOURCES.
 *
 * Rounding: the token bucket (bucket.c) loses nothing. Rates are rounded down (rate_code.c, share_estimate.c), but
 * never below 1/64 packets/s: nobody is silenced.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "bucket.h"
#include "control/parts.h"
#include "control/rate_code.h"
#include "control/share_estimate.h"
#include "control/sources.h"
#include "frame.h"
#include "node.h"

enum { FIELD_FLAGS, FIELD_SHARE, FIELD_LIMIT, FIELDS_LEN };
#define FLAG_MARKED 0x01u

#define PACKETS_IN_WINDOW 4u

static uint8_t least(uint8_t a, uint8_t b)
{
    return a < b ? a : b;
}

/* What a source here or behind this node may send, as a code. */
static uint8_t limit(const penstock_node_t *node)
{
    uint8_t code = node->control.share.share;
    if (node->control.share.parent == node->tree.parent) {
        code = least(code, least(node->control.share.parent_limit, node->control.share.sibling_share));
    }
    return code;
}

static uint32_t window(const penstock_node_t *node)
{
    uint32_t us = node->config->control_params.rate_window_us;
    uint32_t packets_us =
        PACKETS_IN_WINDOW * (PENSTOCK_RATE_ONE * UINT32_C(1000000) / penstock_rate_decode(limit(node)));
    us = us > packets_us ? us : packets_us;
    return us > PENSTOCK_SOURCES_UNIT_US ? us : PENSTOCK_SOURCES_UNIT_US;
}

/* ---- The bucket ------------------------------------------------------------ */

static uint8_t depth(const penstock_node_t *node)
{
    return node->config->control_params.share_tokens;
}

static uint32_t rate(const penstock_node_t *node)
{
    return penstock_rate_decode(limit(node)) * (PENSTOCK_PPS_ONE / PENSTOCK_RATE_ONE);
}

/* Earns at today's limit since the last time; so it is called before the limit changes. */
static void earn(penstock_node_t *node, penstock_time_t now)
{
    penstock_bucket_earn(&node->control.share.bucket, rate(node), depth(node), now);
}

static bool may_admit(penstock_node_t *node, penstock_time_t now, penstock_time_t *at)
{
    earn(node, now);
    if (penstock_bucket_ready(&node->control.share.bucket)) {
        return true;
    }
    *at = penstock_bucket_ready_at(&node->control.share.bucket, rate(node));
    return false;
}

static void admitted(penstock_node_t *node, penstock_time_t now)
{
    (void)now;
    penstock_bucket_spend(&node->control.share.bucket);
    node->control.share.wants_more = false;
}

static void refused(penstock_node_t *node, penstock_time_t now)
{
    (void)now;
    node->control.share.wants_more = true;
}

/* ---- What passes ------------------------------------------------------------ */

static void hear_nothing_yet(penstock_node_t *node)
{
    node->control.share.parent = node->tree.parent;
    node->control.share.sibling = PENSTOCK_ADDR_NONE;
    node->control.share.parent_limit = PENSTOCK_RATE_CODE_MAX;
    node->control.share.sibling_share = PENSTOCK_RATE_CODE_MAX;
    node->control.share.parent_fresh = false;
    node->control.share.sibling_fresh = false;
}

static void init(penstock_node_t *node, penstock_time_t now)
{
    penstock_share_init(node, now);
    hear_nothing_yet(node);
    penstock_share_update(node, window(node), now);
    node->control.share.wants_more = false;
    penstock_bucket_init(&node->control.share.bucket, depth(node), now);
}

/* What was heard is of another time; what was earned and spent is not (source_rate.c). */
static void forget(penstock_node_t *node, penstock_time_t now)
{
    earn(node, now);
    penstock_bucket_t bucket = node->control.share.bucket;
    init(node, now);
    node->control.share.bucket = bucket;
}

static void hear(penstock_node_t *node, const penstock_frame_t *frame, penstock_time_t now)
{
    penstock_addr_t parent = node->tree.parent;
    if (frame->control_len != FIELDS_LEN || parent == PENSTOCK_ADDR_NONE) {
        return;
    }
    earn(node, now);
    if (node->control.share.parent != parent) {
        hear_nothing_yet(node);
    }
    if (frame->src == parent) {
        node->control.share.parent_limit = frame->control[FIELD_LIMIT];
        node->control.share.parent_fresh = true;
    } else if (frame->dst == parent) {
        uint8_t code = frame->control[FIELD_SHARE];
        if (frame->src == node->control.share.sibling || code <= node->control.share.sibling_share) {
            node->control.share.sibling = frame->src;
            node->control.share.sibling_share = code;
            node->control.share.sibling_fresh = true;
        }
    }
}

static bool mark(penstock_node_t *node, const penstock_frame_t *frame)
{
    if (frame == NULL) {
        return node->control.share.wants_more;
    }
    return frame->control_len == FIELDS_LEN && (frame->control[FIELD_FLAGS] & FLAG_MARKED) != 0u;
}

/* The root gives all it has to nobody in particular: it neither queues for the radio nor tells. */
static void queued(penstock_node_t *node, const penstock_packet_t *packet, penstock_time_t now)
{
    if (!node->config->is_root) {
        earn(node, now);
        penstock_share_queued(node, packet, now);
        penstock_share_update(node, window(node), now);
    }
}

static void sent(penstock_node_t *node, const penstock_packet_t *packet, penstock_time_t now)
{
    (void)packet;
    earn(node, now);
    penstock_share_served(node, now);
    penstock_share_update(node, window(node), now);
}

static void failed(penstock_node_t *node, const penstock_packet_t *packet, penstock_time_t now)
{
    if (penstock_attempts_spent(node->config, packet)) {
        sent(node, packet, now);
    }
}

static void write_fields(penstock_node_t *node, const penstock_packet_t *packet, uint8_t *bytes, penstock_time_t now)
{
    (void)now;
    bytes[FIELD_FLAGS] = packet->marked ? FLAG_MARKED : 0u;
    bytes[FIELD_SHARE] = node->control.share.share;
    bytes[FIELD_LIMIT] = limit(node);
}

/* ---- Time ------------------------------------------------------------------- */

static void tick(penstock_node_t *node, penstock_time_t now)
{
    earn(node, now);
    uint32_t length = window(node);
    if (node->config->is_root || now - node->control.share.window_began < length) {
        return;
    }
    if (!node->control.share.parent_fresh) {
        node->control.share.parent_limit = penstock_rate_twice(node->control.share.parent_limit);
    }
    if (!node->control.share.sibling_fresh) {
        node->control.share.sibling_share = penstock_rate_twice(node->control.share.sibling_share);
    }
    node->control.share.parent_fresh = false;
    node->control.share.sibling_fresh = false;
    penstock_share_next_window(node, now);
    penstock_share_update(node, length, now);
}

/* The end of the window; or a token, if the application waits for one. */
static bool deadline(const penstock_node_t *node, penstock_time_t now, penstock_time_t *at)
{
    (void)now;
    *at = node->control.share.window_began + window(node);
    if (node->control.share.wants_more && !penstock_bucket_ready(&node->control.share.bucket)) {
        penstock_time_t token = penstock_bucket_ready_at(&node->control.share.bucket, rate(node));
        *at = penstock_time_reached(token, *at) ? *at : token;
    }
    return !node->config->is_root;
}

const penstock_part_t penstock_part_fair_share = {
    .init = init,
    .forget = forget,
    .received = hear,
    .overheard = hear,
    .queued = queued,
    .sent = sent,
    .failed = failed,
    .tick = tick,
    .admitted = admitted,
    .refused = refused,
    .deadline = deadline,
    .may_admit = may_admit,
    .rate = rate,
    .fields_len = FIELDS_LEN,
    .write_fields = write_fields,
    .mark = mark,
};
