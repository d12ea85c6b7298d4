/* Who hears of congestion by IFRC, and what that does.
 *
 * The flows that a congested node has to slow down are those that cross its own neighbourhood or its
 * parent's: its potential interferers, which are its neighbours, its parent's neighbours, and the descendants of
 * all of these. Each frame says how its sender does, and how the most congested of the sender's
 * children does: that of the congested ones with the lowest rate. So the neighbours hear the one thing
 * and the parent's neighbours the other, and the descendants follow their ancestors:
 *
 *   Rule 1. A node's rate is never above its parent's.
 *   Rule 2. When a neighbour crosses a threshold, or a neighbour's most congested child does, a node's
 *           rate is at most the rate that the frame tells for it, from then on.
 *
 * A rate that is lowered by a rule comes with the r_thresh and the phase of whoever lowered it: all go on from
 * one point at one slope, which makes shares equal. The phase is additive increase as a rule. Whoever tells a lower
 * rate in slow start has begun anew, and so do the others (the program has this for parents only; there, a
 * network can be left in additive increase with an r_thresh near r_init, at which a rate takes minutes to double, for
 * hours).
 *
 * A crossing is seen when a neighbour tells a higher level than in the frame before, or of another congested
 * child. The first frame that is heard of anyone says nothing of when it came to its level. A
 * node's own state, told back by its parent, is no news.
 *
 * A node whose rate was lowered by a rule does not halve it for a threshold of its own in the same turn (the program):
 * the queues of a neighbourhood fill together, and each would halve what the others had halved before.
 *
 * The base station, which is the root, keeps a rate r_b for its children, whose rule 1 it serves. It has no
 * limit at first. When a child crosses a threshold with a rate below r_b, r_b becomes that
 * rate; from there it grows twice as fast as the others' (ifrc_rate.c), so that it never holds them
 * for long. It forwards nothing, so it says these things in control frames, which have the same fields: at
 * once when r_b falls, and when it has grown by a sixteenth. A child that sends at more than what was told
 * has not heard, and is told again, once in a turn; and all is told again four times in the time after which
 * neighbours forget. (The program sends beacons at a third of the rate of the fastest
 * child, and two at once when r_b falls.)
 *
 * What was heard counts for two turns at r_init, the longest that a source with a rate can be
 * silent. (The program forgets a neighbour after 50 frames of others, and never the parent.)
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "control/ifrc_parts.h"
#include "peers.h"

/* Runs the statement for every neighbour that is known, as `peer`. */
#define FOR_EACH_PEER(node)                                                                                            \
    for (penstock_peer_t *peer = (node)->config->peers; peer < (node)->config->peers + (node)->config->peer_capacity;  \
         peer++)                                                                                                       \
        if (peer->address != PENSTOCK_ADDR_NONE)

/* ---- What is known ----------------------------------------------------------- */

uint32_t penstock_ifrc_parents_rate(const penstock_node_t *node)
{
    penstock_addr_t parent = node->tree.parent;
    const penstock_peer_t *peer = parent != PENSTOCK_ADDR_NONE ? penstock_peers_find(node, parent) : NULL;
    return peer != NULL ? peer->as.ifrc.rate : PENSTOCK_IFRC_RATE_MAX;
}

uint32_t penstock_ifrc_childrens_rate(const penstock_node_t *node)
{
    uint32_t highest = 0u;
    FOR_EACH_PEER(node)
    {
        if (peer->as.ifrc.is_child && peer->as.ifrc.rate > highest) {
            highest = peer->as.ifrc.rate;
        }
    }
    return highest;
}

/* The congested child with the lowest rate, or NULL. */
static const penstock_peer_t *most_congested_child(const penstock_node_t *node)
{
    const penstock_peer_t *found = NULL;
    FOR_EACH_PEER(node)
    {
        bool congested = peer->as.ifrc.is_child && peer->as.ifrc.level > 0u;
        if (congested && (found == NULL || peer->as.ifrc.rate < found->as.ifrc.rate)) {
            found = peer;
        }
    }
    return found;
}

/* ---- Telling ----------------------------------------------------------------- */

void penstock_ifrc_tell(const penstock_node_t *node, uint8_t *bytes)
{
    const penstock_ifrc_t *ifrc = &node->control.ifrc;
    penstock_ifrc_word_t own = {
        .address = node->config->address,
        .rate = ifrc->rate,
        .thresh = ifrc->thresh,
        .average_q8 = (uint16_t)(ifrc->average_q12 >> 4),
        .level = ifrc->level,
        .slow_start = ifrc->slow_start,
    };
    penstock_ifrc_word_t child = {.address = PENSTOCK_ADDR_NONE};
    const penstock_peer_t *worst = most_congested_child(node);
    if (worst != NULL) {
        child.address = worst->address;
        child.rate = worst->as.ifrc.rate;
        child.thresh = worst->as.ifrc.thresh;
        child.average_q8 = worst->as.ifrc.average_q8;
        child.level = worst->as.ifrc.level;
        child.slow_start = worst->as.ifrc.slow_start;
    }
    penstock_ifrc_write(bytes, &own, &child);
}

/* ---- Hearing ----------------------------------------------------------------- */

/* What has been crossed since the frame before. */
typedef struct news {
    bool sender;
    bool child;
} news_t;

static news_t remember(penstock_node_t *node, const penstock_frame_t *frame, const penstock_ifrc_word_t *own,
                       const penstock_ifrc_word_t *child, penstock_time_t now)
{
    bool is_new;
    penstock_ifrc_peer_t *known = &penstock_peers_heard(node, frame->src, now, &is_new)->as.ifrc;
    bool other_child = child->address != known->child || child->level > known->child_level;
    news_t news = {
        .sender = !is_new && own->level > known->level,
        .child = !is_new && child->level > 0u && other_child && child->address != PENSTOCK_ADDR_NONE &&
                 child->address != node->config->address,
    };
    known->rate = own->rate;
    known->thresh = own->thresh;
    known->average_q8 = own->average_q8;
    known->level = own->level;
    known->slow_start = own->slow_start;
    known->child = child->address;
    known->child_level = child->level;
    if (frame->type == PENSTOCK_FRAME_DATA) {
        known->is_child = frame->dst == node->config->address;
    }
    return news;
}

static void obey(penstock_node_t *node, const penstock_ifrc_word_t *own, const penstock_ifrc_word_t *child, news_t news,
                 penstock_time_t now)
{
    if (news.sender) {
        penstock_ifrc_lower(node, own, now);
    }
    if (news.child) {
        penstock_ifrc_lower(node, child, now);
    }
    if (own->address == node->tree.parent) {
        penstock_ifrc_lower(node, own, now);
    }
}

static void obey_as_root(penstock_node_t *node, const penstock_ifrc_word_t *own, bool crossed, penstock_time_t now)
{
    penstock_ifrc_t *ifrc = &node->control.ifrc;
    if (crossed && own->rate < ifrc->rate) {
        penstock_ifrc_lower(node, own, now);
        ifrc->turn_at = now + penstock_ifrc_turn_us(ifrc->rate);
        ifrc->telling = true;
    } else if (own->rate > ifrc->told && now - ifrc->told_at >= penstock_ifrc_turn_us(ifrc->told)) {
        ifrc->telling = true;
    }
}

void penstock_ifrc_hear(penstock_node_t *node, const penstock_frame_t *frame, penstock_time_t now)
{
    penstock_ifrc_word_t own;
    penstock_ifrc_word_t child;
    if (frame->control_len != PENSTOCK_IFRC_FIELDS_LEN) {
        return;
    }
    penstock_ifrc_read(frame->control, &own, &child);
    if (own.address != frame->src) {
        return;
    }
    news_t news = remember(node, frame, &own, &child, now);
    if (!node->config->is_root) {
        obey(node, &own, &child, news, now);
    } else if (frame->type == PENSTOCK_FRAME_DATA && frame->dst == node->config->address) {
        obey_as_root(node, &own, news.sender, now);
    }
}
