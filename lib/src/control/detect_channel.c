/* Congestion detection by channel sampling.
 *
 * Thesis 4.2 takes it from CODA (Wan, Eisenman, Campbell, "CODA: Congestion Detection
 * and Avoidance in Sensor Networks", SenSys 2003, section 3.1): while a packet waits
 * to be sent, the node samples the channel at a fixed interval; when the share of busy
 * samples rises above a certain level, it sets the congestion bit, otherwise it clears it.
 * Thesis Table 5.1: N = 4 epochs of E = 100 ms, EWMA parameter alpha = 0.85. The level
 * is the largest utilization that CSMA can reach, thesis Equation 2.3:
 *
 *     Smax = 1 / (1 + 2 sqrt(tau C / L))
 *
 * whose value for a platform is a parameter (params.c).
 *
 * States: idle (the queue is empty) and sampling, in epoch 0..N-1. The first epoch's busy
 * share starts the average; every later epoch moves it: load = alpha load + (1 - alpha)
 * share. After N epochs the node decides, and begins again with epoch 0 and a new average.
 *
 * What the thesis leaves open, and what is done here:
 *
 *   How many samples an epoch has: a parameter; they are spread evenly over it.
 *
 *   The queue becomes empty before the decision: CODA ignores the average and starts
 *   over with the next packet. So here, and the congestion state is cleared as well: a
 *   node with nothing to send is in nobody's way. It is asked for rather than
 *   noticed (an empty queue is not congested), and starts over as the queue fills.
 *
 *   The decision stands until the next one, 400 ms later in the thesis's setting.
 *
 *   A late sample is not made up for: the next one follows one interval after it.
 *
 *   The root sends nothing, so it does not sample, and is never congested by this part.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "control/parts.h"
#include "penstock/penstock.h"

static uint8_t samples_in_epoch(const penstock_node_t *node)
{
    uint8_t samples = node->config->control_params.channel_samples;
    return samples != 0u ? samples : 1u;
}

static uint32_t interval(const penstock_node_t *node)
{
    return node->config->control_params.channel_epoch_us / samples_in_epoch(node);
}

static bool sampling(const penstock_node_t *node)
{
    return node->queue.count > 0u && !node->config->is_root;
}

static void restart(penstock_node_t *node, penstock_time_t now)
{
    node->control.channel.epoch = 0u;
    node->control.channel.samples = 0u;
    node->control.channel.busy = 0u;
    node->control.channel.load_q8 = 0u;
    node->control.channel.congested = false;
    node->control.channel.next_sample = now + interval(node);
}

static void queued(penstock_node_t *node, const penstock_packet_t *packet, penstock_time_t now)
{
    (void)packet;
    if (node->queue.count == 1u) {
        restart(node, now);
    }
}

/* The end of an epoch, and every N epochs the decision. */
static void finish_epoch(penstock_node_t *node)
{
    const penstock_control_params_t *params = &node->config->control_params;
    uint16_t share = (uint16_t)((uint32_t)node->control.channel.busy * 256u / node->control.channel.samples);
    uint16_t past = params->channel_ewma_q8;
    if (node->control.channel.epoch == 0u) {
        node->control.channel.load_q8 = share;
    } else {
        uint32_t moved = (uint32_t)past * node->control.channel.load_q8 + (uint32_t)(256u - past) * share;
        node->control.channel.load_q8 = (uint16_t)((moved + 128u) / 256u);
    }
    node->control.channel.samples = 0u;
    node->control.channel.busy = 0u;
    node->control.channel.epoch++;
    if (node->control.channel.epoch >= params->channel_epochs) {
        node->control.channel.congested = node->control.channel.load_q8 > params->channel_threshold_q8;
        node->control.channel.epoch = 0u;
    }
}

static void channel(penstock_node_t *node, bool busy, penstock_time_t now)
{
    if (!sampling(node)) {
        return;
    }
    node->control.channel.samples++;
    if (busy) {
        node->control.channel.busy++;
    }
    penstock_time_t next = node->control.channel.next_sample + interval(node);
    node->control.channel.next_sample = penstock_time_reached(now, next) ? now + interval(node) : next;
    if (node->control.channel.samples >= samples_in_epoch(node)) {
        finish_epoch(node);
    }
}

static bool congested(const penstock_node_t *node)
{
    return node->control.channel.congested && sampling(node);
}

static bool wants_channel_sample(const penstock_node_t *node, penstock_time_t now)
{
    return sampling(node) && penstock_time_reached(now, node->control.channel.next_sample);
}

/* Once the moment has come the wish stands (wants_channel_sample) and no deadline is
 * named: a world that cannot sample is not kept busy. */
static bool deadline(const penstock_node_t *node, penstock_time_t now, penstock_time_t *at)
{
    *at = node->control.channel.next_sample;
    return sampling(node) && !penstock_time_reached(now, *at);
}

const penstock_part_t penstock_part_detect_channel = {
    .init = restart,
    .queued = queued,
    .channel = channel,
    .deadline = deadline,
    .congested = congested,
    .wants_channel_sample = wants_channel_sample,
};
