/* News of the parent, from its link acknowledgements.
 *
 * Thesis 6.1 names this as an alternative to overhearing, and leaves it there. The receiver of
 * a data frame puts its congestion bit into the acknowledgement (penstock_ack_congested;
 * docs/spec.md). A node whose packet was acknowledged with the bit set stops (backpressure.c).
 * Nothing is overheard: the radio may drop what is not addressed to it, and a node that
 * slept has missed nothing that its next packet will not tell. What it costs: only who
 * sends learns anything, and only after it has sent.
 *
 * That turns the two problems of overhearing (news_overheard.c) round.
 *
 *   The end of a stop. Who is stopped sends nothing, so it gets no acknowledgement, and
 *   never learns that the parent is free again. So the stop is a fixed time, and the next
 *   packet after it is the probe, whose acknowledgement stops the node again or does not.
 *   A probe is an ordinary packet with all its attempts; it carries the application's
 *   bytes and is lost only if the parent's queue is full to the last slot. Too short a
 *   stop lets children fill a parent that has not yet got rid of anything; too long a one
 *   leaves the link idle. The time is that in which the parent can get below its mark:
 *
 *       (free slots at which a queue stops being congested) * link attempts * packet time
 *
 *   The bit was decided before the packet was queued, and a queue holds no more than its
 *   capacity, so no more packets than that lie above the mark when the stop begins. Each
 *   is given all its attempts with the channel to itself, as in the bound for overheard
 *   news. With 8 slots, a quarter of them free at the mark, and 4 attempts: 2 * 4 = 8
 *   packet times, a quarter of the other bound. It is reckoned from this node's own
 *   capacity and mark, since nodes of one network are alike in them; ack_stop_us sets
 *   another, and must where the parent finds congestion by other means than its queue.
 *
 *   Telling one's own children. A stopped node still acknowledges what it receives, so its
 *   children hear from it at once, each with its own packet. There is no silence to be
 *   broken, and this part gives no credits: a stopped node sends nothing.
 *
 * What else had to be settled:
 *
 *   An attempt that is not acknowledged says nothing about the parent's queue.
 *
 *   The parent may have changed while the frame was with the MAC. The bit is that of the
 *   node to whom the frame went, and is void for another.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "control/parts.h"
#include "node.h"
#include "penstock/penstock.h"

/* Slots that are free when a queue (detect_occupancy.c) has just stopped being congested. */
static uint32_t slots_above_mark(const penstock_config_t *config)
{
    uint32_t slots = ((uint32_t)config->queue_capacity * config->control_params.occupancy_free_q8 + 255u) / 256u;
    return slots != 0u ? slots : 1u;
}

static uint32_t stop_length(const penstock_node_t *node)
{
    const penstock_config_t *config = node->config;
    if (config->control_params.ack_stop_us != 0u) {
        return config->control_params.ack_stop_us;
    }
    /* Does not overflow: not more slots than the queue has, see config_check.c. */
    return slots_above_mark(config) * penstock_attempts_expected(config) * config->packet_time_us;
}

static void init(penstock_node_t *node, penstock_time_t now)
{
    (void)now;
    node->control.ack.asked = PENSTOCK_ADDR_NONE;
}

static void transmitting(penstock_node_t *node, const penstock_packet_t *packet, penstock_time_t now)
{
    (void)packet;
    (void)now;
    node->control.ack.asked = node->tree.parent;
}

static void acked(penstock_node_t *node, bool congested, penstock_time_t now)
{
    if (node->control.ack.asked != node->tree.parent || node->tree.parent == PENSTOCK_ADDR_NONE) {
        return;
    }
    if (congested) {
        (void)penstock_backpressure_stop(node, stop_length(node), now);
    } else {
        penstock_backpressure_open(node);
    }
}

const penstock_part_t penstock_part_news_ack = {
    .init = init,
    .transmitting = transmitting,
    .acked = acked,
};
