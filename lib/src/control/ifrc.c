/* Strategy "ifrc": interference-aware fair rate control, the rival in WRCP's evaluation (section 8).
 *
 * S. Rangwala, R. Gummadi, R. Govindan, K. Psounis, "Interference-Aware Fair Rate Control in Wireless Sensor
 * Networks", SIGCOMM 2006. A system of its own: one part, in files by job.
 *
 *   ifrc_congestion.c  a node's average queue, and the thresholds that it crosses
 *   ifrc_rate.c        what a crossing does to its rate r_i, and how rates grow: AIMD with slow start
 *   ifrc_sharing.c     who else hears of a crossing, and the base station
 *   ifrc_fields.c      the 26 bytes in which all of it travels
 *
 * In short. Every node has a rate r_i and puts one packet of its own into the queue each 1/r_i. It starts
 * at r_init and grows by phi each 1/r_i until the first congestion anywhere that concerns it; from then on by
 * delta / r_i. When its average queue crosses a threshold it halves r_i. Its potential interferers overhear that in its
 * data frames, or in its parent's, and come down to the same rate. So queues are emptied by whoever fills
 * them, and since all who share a bottleneck come down together and go up at one slope, their shares
 * become equal. The price is that capacity is only found by going past it, again and again, and that
 * the way up is long: delta grows with the square of the rate. That is what WRCP holds against it.
 *
 * States of a node: idle (it has carried nothing for two turns at r_init; it is at r_init), slow start, additive
 * increase; each of the latter with a level, the number of thresholds that the average queue has crossed since it was
 * last below L. Level 0 is "not congested", and the congestion bit in frames says the rest.
 *
 * Sources. What is said of IFRC here comes from WRCP, section 8.1; from the abstract and project page of the IFRC
 * paper; and from its authors' program for TinyOS 1 (contrib/usc-ifrc), for everything that has a number or an order of
 * steps: "the program". Where the program is known to do something only to get by, the description counts:
 *
 *   After the first congestion the program goes back to r_init and starts slowly once more, up to half of the rate at
 *   which it was congested. 8.1 says that additive increase begins at that half, and here it does.
 *   The program leaves slow start by jumping to r_init plus a few ten-thousandths when a rule lowers the rate. Here it
 *   is in additive increase from then on, at the rate that the rule gives.
 *   The base station's frames have shorter backoffs in the program. Here they go before packets, of which the base
 *   station has none.
 *
 * Numbers (params.c): r_init = 0.1 packets/s, phi = 0.0125 packets/s, epsilon = 0.02, U(0) = 20 packets by 8.1. (The
 * program's: 0.02, 0.0025 = r_init / 8, 1/80, 8.) The weight of the queue's average, 0.03, is the program's.
 *
 * Left out: weights of sources, several base stations, and the check sum over the fields, for the frame
 * has one.
 *
 * What it needs of a node: queues as long as the thresholds are high. A source's own packets wait in the queue
 * too, and in the authors' networks may fill it, so a leaf notices congestion only if config.local_share is above
 * U(0).
 *
 * State: 42 bytes in the node on an 8-bit processor, 44 on a 32-bit one; 20 for each neighbour.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "bucket.h"
#include "control/ifrc_parts.h"
#include "control/parts.h"
#include "peers.h"

static void init(penstock_node_t *node, penstock_time_t now)
{
    penstock_ifrc_restart(node, now);
    node->control.ifrc.carried_at = now;
    penstock_bucket_init(&node->control.ifrc.bucket, 1u, now);
}

/* What was heard is of another time. What this node found out by itself stays, or a network that sleeps between its
 * packets would start slowly for ever; if the sleep was long, the next turn sees to it. */
static void forget(penstock_node_t *node, penstock_time_t now)
{
    (void)now;
    penstock_peers_init(node->config);
    node->control.ifrc.lowered = false;
}

/* ---- What passes -------------------------------------------------------------- */

static void hear(penstock_node_t *node, const penstock_frame_t *frame, penstock_time_t now)
{
    bool for_us = frame->type == PENSTOCK_FRAME_DATA && frame->dst == node->config->address;
    if (for_us && node->config->is_root) {
        penstock_ifrc_carry(node, now);
    } else if (for_us && !penstock_can_accept(node)) {
        penstock_ifrc_measure(node, now);
    }
    penstock_ifrc_hear(node, frame, now);
}

/* The root's queue does not wait for the radio. */
static void queued(penstock_node_t *node, const penstock_packet_t *packet, penstock_time_t now)
{
    (void)packet;
    if (!node->config->is_root) {
        penstock_ifrc_carry(node, now);
        penstock_ifrc_measure(node, now);
    }
}

/* ---- This node's own packets ---------------------------------------------------- */

static uint32_t rate(const penstock_node_t *node)
{
    return node->control.ifrc.rate;
}

static bool may_admit(penstock_node_t *node, penstock_time_t now, penstock_time_t *at)
{
    penstock_ifrc_earn(node, now);
    if (penstock_bucket_ready(&node->control.ifrc.bucket)) {
        return true;
    }
    *at = penstock_bucket_ready_at(&node->control.ifrc.bucket, rate(node));
    return false;
}

static void admitted(penstock_node_t *node, penstock_time_t now)
{
    (void)now;
    penstock_bucket_spend(&node->control.ifrc.bucket);
}

static void refused(penstock_node_t *node, penstock_time_t now)
{
    (void)now;
    node->control.ifrc.waiting = true;
}

/* ---- What it says ---------------------------------------------------------------- */

static void write_fields(penstock_node_t *node, const penstock_packet_t *packet, uint8_t *bytes, penstock_time_t now)
{
    (void)now;
    if (packet == NULL) {
        node->control.ifrc.told = rate(node);
    }
    penstock_ifrc_tell(node, bytes);
}

static bool wants_frame(const penstock_node_t *node, penstock_time_t now)
{
    (void)now;
    return node->control.ifrc.telling;
}

static void frame_sent(penstock_node_t *node, penstock_time_t now)
{
    node->control.ifrc.telling = false;
    node->control.ifrc.told_at = now;
}

static bool congested(const penstock_node_t *node)
{
    return node->control.ifrc.level > 0u;
}

/* The end of the turn; or a token, if the application waits for one. */
static bool deadline(const penstock_node_t *node, penstock_time_t now, penstock_time_t *at)
{
    (void)now;
    const penstock_ifrc_t *ifrc = &node->control.ifrc;
    *at = ifrc->turn_at;
    if (ifrc->waiting && !penstock_bucket_ready(&ifrc->bucket)) {
        penstock_time_t token = penstock_bucket_ready_at(&ifrc->bucket, rate(node));
        *at = penstock_time_reached(token, *at) ? *at : token;
    }
    return true;
}

/* Ranges of the numbers (penstock/ifrc.h). The average queue stays below the capacity, so thresholds
 * from there on would say nothing. */
static bool accepts(const struct penstock_config *config)
{
    const penstock_ifrc_params_t *params = &config->control_params.ifrc;
    bool rates = params->initial_rate >= PENSTOCK_IFRC_INITIAL_MIN &&
                 params->initial_rate <= PENSTOCK_IFRC_INITIAL_MAX && params->slow_increase >= 1u &&
                 params->slow_increase <= PENSTOCK_PPS_ONE && params->epsilon_q16 >= 1u;
    return rates && penstock_ifrc_thresholds_fit(config);
}

const penstock_part_t penstock_part_ifrc = {
    .init = init,
    .forget = forget,
    .received = hear,
    .overheard = hear,
    .repeated = penstock_ifrc_hear,
    .queued = queued,
    .tick = penstock_ifrc_tick,
    .admitted = admitted,
    .refused = refused,
    .deadline = deadline,
    .congested = congested,
    .may_admit = may_admit,
    .rate = rate,
    .fields_len = PENSTOCK_IFRC_FIELDS_LEN,
    .write_fields = write_fields,
    .wants_frame = wants_frame,
    .frame_sent = frame_sent,
    .needs_peers = true,
    .accepts = accepts,
};

static const penstock_part_t *const parts[] = {&penstock_part_ifrc, NULL};

const penstock_strategy_t penstock_control_ifrc = {"ifrc", parts};
