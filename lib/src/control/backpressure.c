/* Hop-by-hop flow control: a node whose parent is congested stops.
 *
 * Thesis 4.2. This part is the mechanism: the gate, its credits, and its end. Where the
 * news of the parent come from is another part's business, and a strategy has one of them
 * behind this one in its list: news_overheard.c (4.2) or news_ack.c (6.1).
 *
 * States: open and stopped.
 *
 *   open -> stopped      news: the parent is congested.
 *   stopped -> open      news: it is not; or the time that came with the stop is over; or
 *                        another parent.
 *   while stopped        a packet may go out only if this node is itself congested and
 *                        has a credit for it.
 *
 * Beacons are not data and are not stopped: they are rare, and carry the congestion bit.
 *
 * What the thesis leaves open, and what is done here:
 *
 *   Every stop ends by itself, since the news of its end may be missed. How long it may last
 *   depends on how the news travel, so who brings them says it.
 *
 *   One credit is one packet with all its link attempts, not one frame: half a hop is
 *   worth nothing. The packet at the head of the queue is charged when it first goes to
 *   the MAC while stopped, and a packet that was with the MAC when the stop came was not
 *   sent after it, so it is not charged; its retransmission is.
 *
 *   A stopped node whose congestion ends keeps its credits but does not use them.
 *   Credits never exceed the queue's capacity.
 *
 *   A new parent has not stopped this node: the stop is remembered with the parent's
 *   address, and is void for any other.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "control/parts.h"
#include "node.h"
#include "penstock/penstock.h"
#include "timeout.h"

bool penstock_backpressure_stopped(const penstock_node_t *node, penstock_time_t now)
{
    return node->control.backpressure.stopped && node->control.backpressure.by == node->tree.parent &&
           penstock_time_left(now, node->control.backpressure.until, node->control.backpressure.length) != 0u;
}

void penstock_backpressure_open(penstock_node_t *node)
{
    node->control.backpressure.stopped = false;
    node->control.backpressure.charged = false;
    node->control.backpressure.credit = 0u;
}

bool penstock_backpressure_stop(penstock_node_t *node, uint32_t length, penstock_time_t now)
{
    bool was_open = !penstock_backpressure_stopped(node, now);
    if (was_open) {
        penstock_backpressure_open(node);
        node->control.backpressure.stopped = true;
        node->control.backpressure.by = node->tree.parent;
    }
    node->control.backpressure.until = now + length;
    node->control.backpressure.length = length;
    return was_open;
}

void penstock_backpressure_credit(penstock_node_t *node)
{
    if (node->control.backpressure.credit < node->queue.capacity) {
        node->control.backpressure.credit++;
    }
}

static void init(penstock_node_t *node, penstock_time_t now)
{
    penstock_backpressure_open(node);
    node->control.backpressure.by = PENSTOCK_ADDR_NONE;
    node->control.backpressure.until = now;
    node->control.backpressure.length = 0u;
}

static void transmitting(penstock_node_t *node, const penstock_packet_t *packet, penstock_time_t now)
{
    (void)packet;
    if (!node->control.backpressure.charged && node->control.backpressure.credit > 0u &&
        penstock_backpressure_stopped(node, now)) {
        node->control.backpressure.credit--;
        node->control.backpressure.charged = true;
    }
}

static void sent(penstock_node_t *node, const penstock_packet_t *packet, penstock_time_t now)
{
    (void)packet;
    (void)now;
    node->control.backpressure.charged = false;
}

static void failed(penstock_node_t *node, const penstock_packet_t *packet, penstock_time_t now)
{
    (void)now;
    if (penstock_attempts_spent(node->config, packet)) {
        node->control.backpressure.charged = false;
    }
}

static bool may_transmit(penstock_node_t *node, penstock_time_t now, penstock_time_t *at)
{
    if (!penstock_backpressure_stopped(node, now)) {
        return true;
    }
    *at = node->control.backpressure.until;
    return penstock_congested(node) && (node->control.backpressure.charged || node->control.backpressure.credit > 0u);
}

static void tick(penstock_node_t *node, penstock_time_t now)
{
    if (node->control.backpressure.stopped && !penstock_backpressure_stopped(node, now)) {
        penstock_backpressure_open(node);
    }
}

static bool deadline(const penstock_node_t *node, penstock_time_t now, penstock_time_t *at)
{
    *at = node->control.backpressure.until;
    return penstock_backpressure_stopped(node, now);
}

const penstock_part_t penstock_part_backpressure = {
    .init = init,
    .transmitting = transmitting,
    .sent = sent,
    .failed = failed,
    .tick = tick,
    .deadline = deadline,
    .may_transmit = may_transmit,
};
