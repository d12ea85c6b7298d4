/* Congestion detection by loss rate.
 *
 * Thesis 4.2, third method: each node maintains link statistics, and signals congestion when
 * loss rates rise above a threshold. The thesis leaves its analysis for future work, and gives
 * neither the statistic nor the threshold.
 *
 * The statistic. Of this node's own link attempts towards its parent, the share that was
 * acknowledged, as a moving average: through = alpha through + (1 - alpha) (1 or 0), with
 * alpha = 240/256 (params.c). Its unit is 1/65025, the product of two delivery ratios of
 * the neighbour table.
 *
 * The threshold. A bad link loses frames in a quiet network too, and that is no congestion. So
 * losses are judged against what the link by itself explains:
 *
 *     quiet     = df * dr of the parent's link, which is 1/ETX (Equation 2.1)
 *     congested   when  1 - through/quiet > threshold
 *
 * in words: of what the link alone would deliver, others take more than the threshold. That is
 * 1 - 1/e by default, the point from which on a random-access channel delivers less the more
 * is sent (params.c).
 *
 * The quiet link. The estimates of the neighbour table suffer from load as well, so today's
 * may not be the yardstick. It is the estimate of the moment at which the average begins,
 * which is before this node's own traffic to that parent; later estimates replace it when
 * they are better, since load only makes them worse. (A parent that is first used under load
 * gets a yardstick with that load in it, so congestion there is noticed late, not early,
 * until a better estimate or a pause in the traffic mends it.) Chance makes them better at times,
 * too, but the yardstick never exceeds 1, so what that can do is bounded: a link of more
 * than 1/e is never called congested for its own losses alone. As long as the link is not
 * known in both directions (static routes) it counts as perfect, with the same consequence.
 * Acknowledgements are shorter than the frames df and dr were counted on, so in a quiet
 * network `through` is a little above `quiet`; that error, too, makes it late.
 *
 * States: none but the average. It begins at `quiet`, as if all attempts so far had gone as the
 * link explains, so a single loss decides nothing.
 *
 *   Empty queue        not congested: a node with nothing to send is in nobody's way. The
 *                      average stays, since attempts are rare compared with samples of
 *                      a channel, and the next packet goes on with it.
 *   No attempts        after loss_age_us without one the average is of another time, and
 *                      begins anew with the next packet, on today's estimate of the link.
 *                      A node that has packets but may not send them (it is stopped) goes
 *                      on to be what it was: nothing has got better for it.
 *   A new parent       begins anew.
 *
 * A frame that never went on air is no attempt. Where the MAC repeats on its own, its report
 * tells how many attempts there were, and all but the last one failed. A parent without room
 * whose MAC lets it refuse the acknowledgement counts as a loss; it is congested.
 *
 * A link that gets worse for good under steady traffic looks congested until the tree finds
 * another parent or the traffic pauses: from here the two cannot be told apart.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "control/parts.h"
#include "neighbors.h"
#include "penstock/penstock.h"
#include "routing.h"

#define SHARE_ONE (255u * 255u)

/* What the link to the parent delivers and acknowledges, by the neighbour table; 0: not known. */
static uint16_t link_share(const penstock_node_t *node)
{
    const penstock_neighbor_t *parent = penstock_neighbors_find(&node->neighbors, node->tree.parent);
    return parent != NULL ? penstock_routing_of(node->config)->link_delivery(parent) : 0u;
}

static uint16_t quiet_share(const penstock_node_t *node)
{
    return node->control.loss.quiet != 0u ? node->control.loss.quiet : (uint16_t)SHARE_ONE;
}

/* Nothing is known of the way to today's parent but its link. */
static void begin(penstock_node_t *node, penstock_time_t now)
{
    node->control.loss.parent = node->tree.parent;
    node->control.loss.quiet = link_share(node);
    node->control.loss.through = quiet_share(node);
    node->control.loss.last = now;
}

/* A packet may be with the MAC at this moment: what comes of it counts. */
static void init(penstock_node_t *node, penstock_time_t now)
{
    const penstock_packet_t *head = penstock_queue_head(&node->queue);
    node->control.loss.attempts = head != NULL ? head->attempts : 0u;
    begin(node, now);
}

static bool out_of_date(const penstock_node_t *node, penstock_time_t now)
{
    return node->control.loss.parent != node->tree.parent ||
           now - node->control.loss.last > node->config->control_params.loss_age_us;
}

/* So that an old average does not speak between the packet's arrival and its first attempt. */
static void queued(penstock_node_t *node, const penstock_packet_t *packet, penstock_time_t now)
{
    (void)packet;
    if (node->queue.count == 1u && out_of_date(node, now)) {
        begin(node, now);
    }
}

static void transmitting(penstock_node_t *node, const penstock_packet_t *packet, penstock_time_t now)
{
    if (out_of_date(node, now)) {
        begin(node, now);
    }
    uint16_t today = link_share(node);
    if (today > node->control.loss.quiet) {
        node->control.loss.quiet = today;
    }
    node->control.loss.attempts = packet->attempts;
    node->control.loss.last = now;
}

static void count(penstock_node_t *node, bool acknowledged)
{
    uint32_t past = node->config->control_params.loss_ewma_q8;
    uint32_t moved = past * node->control.loss.through + (acknowledged ? (256u - past) * SHARE_ONE : 0u);
    node->control.loss.through = (uint16_t)((moved + 128u) / 256u);
}

/* The attempts that this report tells of, `acknowledged` being the last one's end. */
static void finish(penstock_node_t *node, const penstock_packet_t *packet, bool acknowledged, penstock_time_t now)
{
    uint8_t made = (uint8_t)(packet->attempts - node->control.loss.attempts);
    for (uint8_t i = 1u; i < made; i++) {
        count(node, false);
    }
    count(node, acknowledged);
    node->control.loss.last = now;
}

static void sent(penstock_node_t *node, const penstock_packet_t *packet, penstock_time_t now)
{
    finish(node, packet, true, now);
}

static void failed(penstock_node_t *node, const penstock_packet_t *packet, penstock_time_t now)
{
    finish(node, packet, false, now);
}

static bool congested(const penstock_node_t *node)
{
    if (node->queue.count == 0u || node->config->is_root || node->control.loss.parent != node->tree.parent) {
        return false;
    }
    uint32_t kept = 256u - node->config->control_params.loss_threshold_q8;
    return (uint32_t)node->control.loss.through * 256u < kept * quiet_share(node);
}

const penstock_part_t penstock_part_detect_loss = {
    .init = init,
    .queued = queued,
    .transmitting = transmitting,
    .sent = sent,
    .failed = failed,
    .congested = congested,
};
