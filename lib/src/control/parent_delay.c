/* Hidden-terminal avoidance: silence after the parent's transmission.
 *
 * Thesis 4.5, after Woo and Culler: when a node overhears its parent finish sending a
 * packet, the grandparent is about to send it on. The node cannot hear that, and would
 * collide with it at the parent. So it waits for one packet time and a guard time;
 * Table 5.1: 40 ms, a little more than a packet on the Mica2.
 *
 * What the thesis leaves open, and what is done here: "a packet" is a data frame, since
 * nobody forwards a beacon. A frame is handed over when its last bit has come, so the
 * silence counts from `now`. A frame from a parent that this node has left in the
 * meantime may still cost it those 40 ms.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "control/parts.h"
#include "frame.h"
#include "penstock/penstock.h"
#include "timeout.h"

static uint32_t left(const penstock_node_t *node, penstock_time_t now)
{
    return penstock_time_left(now, node->control.delay.until, node->config->control_params.parent_delay_us);
}

static void init(penstock_node_t *node, penstock_time_t now)
{
    node->control.delay.until = now;
}

static void hear(penstock_node_t *node, const penstock_frame_t *frame, penstock_time_t now)
{
    if (frame->type == PENSTOCK_FRAME_DATA && frame->src == node->tree.parent) {
        node->control.delay.until = now + node->config->control_params.parent_delay_us;
    }
}

static bool may_transmit(penstock_node_t *node, penstock_time_t now, penstock_time_t *at)
{
    *at = node->control.delay.until;
    return left(node, now) == 0u;
}

/* Only a packet that waits makes the end of the silence interesting. */
static bool deadline(const penstock_node_t *node, penstock_time_t now, penstock_time_t *at)
{
    *at = node->control.delay.until;
    return node->queue.count > 0u && left(node, now) != 0u;
}

const penstock_part_t penstock_part_parent_delay = {
    .init = init,
    .overheard = hear,
    .deadline = deadline,
    .may_transmit = may_transmit,
};
