/* Hop-by-hop flow control: who hears that its parent is congested stops.
 *
 * Thesis 4.2. Every frame carries its sender's congestion bit. A node that hears its
 * parent's bit set, in any frame, addressed to whomever, stops forwarding data; when it
 * hears the bit cleared it goes on. Beacons are not data and are not stopped (they are
 * rare, and carry the bit).
 *
 * States: open and stopped.
 *
 *   open -> stopped      the parent's bit is set. One credit.
 *   stopped -> open      the parent's bit is clear, or the time-out, or another parent.
 *   while stopped        a packet may go out only if this node is itself congested and
 *                        has a credit for it. Each new packet received in the meantime
 *                        gives another credit.
 *
 * The credits are the thesis's answer to a silence that cannot propagate: a stopped node
 * that becomes congested could not tell its own children. So a congested node may send
 * one more packet after it was stopped, and one more for every packet it still
 * receives, since each of these comes from a child that has not heard its bit.
 *
 * What the thesis leaves open, and what is done here:
 *
 *   A child that misses the clearing bit would wait for ever: a parent with an empty
 *   queue says nothing until its next beacon, which may be lost as well. So a stop ends
 *   by itself after
 *
 *       queue capacity * link attempts * packet time
 *
 *   counted from the last set bit heard: the longest that a parent with the channel to
 *   itself needs to send off a full queue, every packet with every attempt. A parent that
 *   is still congested after that has used the channel in the meantime, and each of its
 *   frames renews the stop. The bound can be set (stop_timeout_us); 0 takes the above.
 *
 *   One credit is one packet with all its link attempts, not one frame: half a hop is
 *   worth nothing. The packet at the head of the queue is charged when it first goes to
 *   the MAC while stopped, and a packet that was with the MAC when the stop came was not
 *   sent after it, so it is not charged; its retransmission is.
 *
 *   A stopped node whose congestion ends keeps its credits but does not use them.
 *   Credits never exceed the queue's capacity.
 *
 *   "Received after the bit was set" is taken as: received while congested. A duplicate
 *   is no news, and gives no credit.
 *
 *   A new parent has not stopped this node: the stop is remembered with the parent's
 *   address, and is void for any other.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "control/parts.h"
#include "frame.h"
#include "penstock/penstock.h"
#include "timeout.h"

uint32_t penstock_backpressure_timeout(const penstock_node_t *node)
{
    const penstock_config_t *config = node->config;
    if (config->control_params.stop_timeout_us != 0u) {
        return config->control_params.stop_timeout_us;
    }
    /* Does not overflow: config_check.c. */
    return (uint32_t)config->queue_capacity * config->link_attempts * config->packet_time_us;
}

bool penstock_backpressure_stopped(const penstock_node_t *node, penstock_time_t now)
{
    return node->control.backpressure.stopped && node->control.backpressure.by == node->tree.parent &&
           penstock_time_left(now, node->control.backpressure.until, penstock_backpressure_timeout(node)) != 0u;
}

static void open_up(penstock_node_t *node)
{
    node->control.backpressure.stopped = false;
    node->control.backpressure.charged = false;
    node->control.backpressure.credit = 0u;
}

static void init(penstock_node_t *node, penstock_time_t now)
{
    open_up(node);
    node->control.backpressure.by = PENSTOCK_ADDR_NONE;
    node->control.backpressure.until = now;
}

/* Any frame may come from the parent, even one addressed to this node. */
static void hear(penstock_node_t *node, const penstock_frame_t *frame, penstock_time_t now)
{
    if (frame->src != node->tree.parent) {
        return;
    }
    if (!frame->congested) {
        open_up(node);
        return;
    }
    if (!penstock_backpressure_stopped(node, now)) {
        node->control.backpressure.stopped = true;
        node->control.backpressure.charged = false;
        node->control.backpressure.credit = 1u;
        node->control.backpressure.by = frame->src;
    }
    node->control.backpressure.until = now + penstock_backpressure_timeout(node);
}

static void received(penstock_node_t *node, const penstock_frame_t *frame, penstock_time_t now)
{
    if (penstock_backpressure_stopped(node, now) && penstock_congested(node) &&
        node->control.backpressure.credit < node->queue.capacity) {
        node->control.backpressure.credit++;
    }
    hear(node, frame, now);
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
    if (packet->attempts >= node->config->link_attempts) {
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
        open_up(node);
    }
}

static bool deadline(const penstock_node_t *node, penstock_time_t now, penstock_time_t *at)
{
    *at = node->control.backpressure.until;
    return penstock_backpressure_stopped(node, now);
}

const penstock_part_t penstock_part_backpressure = {
    .init = init,
    .received = received,
    .overheard = hear,
    .transmitting = transmitting,
    .sent = sent,
    .failed = failed,
    .tick = tick,
    .deadline = deadline,
    .may_transmit = may_transmit,
};
