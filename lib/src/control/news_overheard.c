/* News of the parent, by overhearing.
 *
 * Thesis 4.2. Every frame carries its sender's congestion bit. A node that hears its
 * parent's bit set, in any frame, addressed to whomever, stops (backpressure.c); when it
 * hears the bit cleared it goes on.
 *
 * With this way of telling comes a silence that cannot propagate: a stopped node that becomes
 * congested could not tell its own children, who learn of it only from its frames. The
 * thesis's answer are credits. A congested node may send one more packet after it was
 * stopped, and one more for every packet it still receives, since each of these comes
 * from a child that has not heard its bit.
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
 *   "Received after the bit was set" is taken as: received while congested. A duplicate
 *   is no news, and gives no credit.
 *
 * This part stands behind backpressure.c in a strategy's list: what passes has an effect on
 * the gate as it is, and only then is the gate moved.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "control/parts.h"
#include "frame.h"
#include "node.h"
#include "penstock/penstock.h"

static uint32_t longest_stop(const penstock_node_t *node)
{
    const penstock_config_t *config = node->config;
    if (config->control_params.stop_timeout_us != 0u) {
        return config->control_params.stop_timeout_us;
    }
    /* Does not overflow: config_check.c. */
    return (uint32_t)config->queue_capacity * penstock_attempts_expected(config) * config->packet_time_us;
}

/* Any frame may come from the parent, even one addressed to this node. */
static void hear(penstock_node_t *node, const penstock_frame_t *frame, penstock_time_t now)
{
    if (frame->src != node->tree.parent) {
        return;
    }
    if (!frame->congested) {
        penstock_backpressure_open(node);
    } else if (penstock_backpressure_stop(node, longest_stop(node), now)) {
        penstock_backpressure_credit(node);
    }
}

static void received(penstock_node_t *node, const penstock_frame_t *frame, penstock_time_t now)
{
    if (penstock_backpressure_stopped(node, now) && penstock_congested(node)) {
        penstock_backpressure_credit(node);
    }
    hear(node, frame, now);
}

const penstock_part_t penstock_part_news_overheard = {
    .received = received,
    .overheard = hear,
};
