/* IFRC's rate: slow start, additive increase, multiplicative decrease.
 *
 * Time goes by in turns. A turn is 1/r_i long: the time of one packet at today's rate. At its end
 * the rate grows, and the next turn is as long as the new rate says.
 *
 *   Slow start: by phi. Over a second that makes phi r_i, which is what WRCP (8.1) means by a step
 *   of phi r_i and an exponential increase: r(t) = r_init exp(phi t). (Read as a step of phi r_i for
 *   each turn it would not be exponential, and phi would have no unit to add to a rate.) With 8.1's
 *   numbers a rate grows by a factor of e in 80 s, and from 0.1 to 16 packets/s, which 8.1's
 *   four-node network allows each, in 406 s.
 *
 *   Additive increase: by delta / r_i, which is delta in a second, with delta = epsilon
 *   r_thresh^2 (the authors' program; the same as r_thresh / (1/epsilon) times r_thresh / r_i). At
 *   least by 1/65536 packets/s. So a rate doubles 1 / (epsilon r_thresh) after it was halved.
 *   The root's grows twice as fast.
 *
 *   Decrease: to the half, and r_thresh is what is left; at the last threshold to r_init.
 *
 *   A rate that falls to r_init or below is r_init, and slow start begins again; the root then has no
 *   limit from its next turn on. r_init is so low that a network with this rate at every node is
 *   not congested, so there is nothing to be gained below.
 *
 * No rate grows past the parent's (rule 1, ifrc_sharing.c).
 *
 * What is not in the papers, whose sources always have packets and never stop:
 *
 *   A rate that nobody uses up does not grow. It grows at a node whose application had to wait in this
 *   turn, or that has a child with more than half of its rate. In a network of backlogged
 *   sources that is everywhere, and a rate can lead its children's by no more than twice.
 *   Without it an idle network's rates would grow until they meant nothing.
 *
 *   A node that has carried nothing for two turns at r_init begins anew, as a source that joins does
 *   (8.1: in slow start at r_init).
 *
 * Fixed point: rates are in 1/65536 packets/s, at most 1000 packets/s, 26 bits. Each growth is rounded
 * down. r_thresh^2 / 65536 has 36 bits at most, times epsilon 52, so 64 bits hold
 * every product; there are two divisions of 64 bits in a turn. A turn is at most 100 s (r_init >= 0.01).
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "bucket.h"
#include "control/ifrc_parts.h"
#include "peers.h"

#define SECOND_US UINT64_C(1000000)
#define DEPTH 1u         /* one packet each 1/r_i; a turn that is not used is lost */
#define LEAD 2u          /* how far a rate may be ahead of those that it bounds */
#define STEP_TOLD 16u    /* the root tells growth by a sixteenth */
#define REPEATS_TOLD 4u  /* and repeats what it said so often in a neighbour's memory */
#define ROOT_INCREASE 2u /* relative to the others' */

static const penstock_ifrc_params_t *params(const penstock_node_t *node)
{
    return &node->config->control_params.ifrc;
}

uint32_t penstock_ifrc_turn_us(uint32_t rate)
{
    return (uint32_t)(SECOND_US * PENSTOCK_PPS_ONE / rate);
}

uint32_t penstock_ifrc_memory_us(const penstock_node_t *node)
{
    return 2u * penstock_ifrc_turn_us(params(node)->initial_rate);
}

void penstock_ifrc_earn(penstock_node_t *node, penstock_time_t now)
{
    penstock_bucket_earn(&node->control.ifrc.bucket, node->control.ifrc.rate, DEPTH, now);
}

/* ---- Decrease --------------------------------------------------------------- */

static void decrease(penstock_node_t *node, uint32_t rate, uint32_t thresh, penstock_time_t now)
{
    penstock_ifrc_t *ifrc = &node->control.ifrc;
    uint32_t least = params(node)->initial_rate;
    penstock_ifrc_earn(node, now);
    ifrc->slow_start = rate <= least;
    ifrc->rate = rate > least ? rate : least;
    ifrc->thresh = thresh > least ? thresh : least;
}

void penstock_ifrc_halve(penstock_node_t *node, penstock_time_t now)
{
    uint32_t half = node->control.ifrc.rate / 2u;
    if (!node->control.ifrc.lowered) {
        decrease(node, half, half, now);
    }
}

void penstock_ifrc_collapse(penstock_node_t *node, penstock_time_t now)
{
    decrease(node, params(node)->initial_rate, params(node)->initial_rate, now);
}

void penstock_ifrc_lower(penstock_node_t *node, const penstock_ifrc_word_t *word, penstock_time_t now)
{
    penstock_ifrc_t *ifrc = &node->control.ifrc;
    if (word->rate < ifrc->rate) {
        decrease(node, word->rate, word->thresh, now);
        ifrc->slow_start = ifrc->slow_start || word->slow_start;
        ifrc->lowered = true;
    }
}

/* ---- Increase ---------------------------------------------------------------- */

/* delta / r_i, times `slope`. */
static uint32_t additive(const penstock_node_t *node, uint32_t slope)
{
    uint64_t square = (uint64_t)node->control.ifrc.thresh * node->control.ifrc.thresh / PENSTOCK_PPS_ONE;
    uint64_t step = square * params(node)->epsilon_q16 / node->control.ifrc.rate * slope;
    if (step < 1u) {
        return 1u;
    }
    return step < PENSTOCK_IFRC_RATE_MAX ? (uint32_t)step : PENSTOCK_IFRC_RATE_MAX;
}

static bool used(const penstock_node_t *node)
{
    uint32_t childs = penstock_ifrc_childrens_rate(node);
    return node->control.ifrc.waiting || node->control.ifrc.rate <= LEAD * childs;
}

static void grow(penstock_node_t *node, uint32_t step, uint32_t most)
{
    uint32_t rate = node->control.ifrc.rate;
    if (rate < most && used(node)) {
        node->control.ifrc.rate = step < most - rate ? rate + step : most;
    }
}

static void end_of_turn(penstock_node_t *node)
{
    uint32_t step = node->control.ifrc.slow_start ? params(node)->slow_increase : additive(node, 1u);
    grow(node, step, penstock_ifrc_parents_rate(node));
}

/* The base station's turn: it has no packets, and nobody above it. */
static void end_of_roots_turn(penstock_node_t *node, penstock_time_t now)
{
    penstock_ifrc_t *ifrc = &node->control.ifrc;
    if (ifrc->slow_start) {
        ifrc->telling = ifrc->telling || ifrc->rate != PENSTOCK_IFRC_RATE_MAX;
        ifrc->rate = PENSTOCK_IFRC_RATE_MAX;
        return;
    }
    grow(node, additive(node, ROOT_INCREASE), PENSTOCK_IFRC_RATE_MAX);
    bool grown = ifrc->rate >= ifrc->told + ifrc->told / STEP_TOLD;
    bool long_ago = now - ifrc->told_at >= penstock_ifrc_memory_us(node) / REPEATS_TOLD;
    ifrc->telling = ifrc->telling || grown || long_ago;
}

/* ---- Turns ------------------------------------------------------------------- */

/* How long a turn is: where there is nothing to grow, as long as anything that was heard counts. */
static uint32_t turn_us(const penstock_node_t *node)
{
    const penstock_ifrc_t *ifrc = &node->control.ifrc;
    if (ifrc->idle || ifrc->rate == PENSTOCK_IFRC_RATE_MAX) {
        return penstock_ifrc_memory_us(node);
    }
    return penstock_ifrc_turn_us(ifrc->rate);
}

void penstock_ifrc_restart(penstock_node_t *node, penstock_time_t now)
{
    penstock_ifrc_t *ifrc = &node->control.ifrc;
    ifrc->rate = node->config->is_root ? PENSTOCK_IFRC_RATE_MAX : params(node)->initial_rate;
    ifrc->thresh = params(node)->initial_rate;
    ifrc->average_q12 = 0u;
    ifrc->level = 0u;
    ifrc->slow_start = true;
    ifrc->idle = true;
    ifrc->lowered = false;
    ifrc->waiting = false;
    ifrc->telling = false;
    ifrc->told = PENSTOCK_IFRC_RATE_MAX;
    ifrc->told_at = now;
    ifrc->turn_at = now + turn_us(node);
}

void penstock_ifrc_carry(penstock_node_t *node, penstock_time_t now)
{
    penstock_ifrc_t *ifrc = &node->control.ifrc;
    ifrc->carried_at = now;
    if (ifrc->idle) {
        ifrc->idle = false;
        ifrc->turn_at = now + turn_us(node);
    }
}

void penstock_ifrc_tick(penstock_node_t *node, penstock_time_t now)
{
    penstock_ifrc_t *ifrc = &node->control.ifrc;
    penstock_ifrc_earn(node, now);
    if (!penstock_time_reached(now, ifrc->turn_at)) {
        return;
    }
    uint32_t memory_us = penstock_ifrc_memory_us(node);
    penstock_peers_forget(node, memory_us, now);
    if (!ifrc->idle && node->queue.count == 0u && now - ifrc->carried_at >= memory_us) {
        penstock_ifrc_restart(node, now);
    } else if (!ifrc->idle && node->config->is_root) {
        end_of_roots_turn(node, now);
    } else if (!ifrc->idle) {
        end_of_turn(node);
    }
    ifrc->lowered = false;
    ifrc->waiting = false;
    penstock_time_t next = ifrc->turn_at + turn_us(node);
    bool late = penstock_time_reached(now, next);
    ifrc->turn_at = late ? now + turn_us(node) : next;
}
