/* What a WRCP node estimates, and what it reckons with.
 *
 *   r_tot, every second, from the node's count of link attempts, repeats included (Eq. 8):
 *       r_tot = (1 - beta) r_tot + beta attempts / 1 s
 *   r_ext, every second, from the length U of the forwarding queue at that moment (Eq. 10):
 *       r_ext = (1 - beta) r_ext + beta U / 1 s
 *   p from a neighbour, whenever its transmission counter has gone on by ten since the last time (Eq. 9):
 *       p = beta p + (1 - beta) heard / sent
 *
 * beta. The paper gives no value, and uses one letter for weights of the past (Eqs. 6 and 9) and of the news
 * (Eqs. 8 and 10). One half is the only value with which they all mean the same. It also suits the
 * loop: r_tot then follows a change within 1.4 s, well within the 1/alpha = 10 updates of at
 * least 1 s that rates take, so the loop is damped by alpha and not delayed by averages.
 *
 * Where the paper leaves a gap:
 *
 *   "An exponential moving average of its forwarding queue size U" (4.7): Eq. 10 is that average; it is not averaged
 *   twice.
 *   r_tot counts what was on air. A frame that never was, since the channel stayed busy, is no attempt. Beacons and
 *   control frames are not counted: no flow is to blame for them.
 *   p begins at 1, on the safe side (4.4 calls it conservative to count a neighbour in full). Where more than ten
 *   frames went by until the next one was heard, the share is of all of them, not of ten.
 *   A repeat counts like any frame: it is one that was sent and heard.
 *   A neighbour of which less than a tenth is heard is none, unless it is a child: its little load is
 *   no reason to obey it. (penstock.max_min_bound draws the same line.)
 *   F of a node: its own flow, if its application had a packet within an age, and the sources whose packets it took to
 *   forward within an age (sources.c). The root sends nothing, so it has neither flows nor r_tot, as in Eq. 2.
 *   Senders in range (4.3): those with flows, the node itself among them.
 *
 * Rounding: averages down, p and its products to the nearest. Range: control/wrcp_rate.c.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "control/wrcp_estimates.h"

#include "control/wrcp_rate.h"
#include "peers.h"

#define QUALITY_ONE 255u
#define QUALITY_LEAST 26u /* a tenth */
#define WINDOW 10u        /* frames (section 4.6) */
#define TOTAL_SHIFT 2u    /* r_tot: 1/64 on air, 1/256 here */

uint32_t penstock_wrcp_average(uint32_t past, uint32_t news, uint8_t weight_q8)
{
    return (past * (256u - weight_q8) + news * weight_q8) / 256u;
}

uint8_t penstock_wrcp_quality(uint8_t beta_q8, uint8_t past, uint8_t heard, uint8_t sent)
{
    uint32_t share = heard < sent ? ((uint32_t)heard * QUALITY_ONE + sent / 2u) / sent : QUALITY_ONE;
    return (uint8_t)((past * (uint32_t)beta_q8 + share * (256u - beta_q8) + 128u) / 256u);
}

static uint16_t transmissions(const penstock_node_t *node)
{
    return (uint16_t)node->counters.transmissions;
}

uint8_t penstock_wrcp_own_counter(const penstock_node_t *node)
{
    return (uint8_t)(node->counters.transmissions + node->counters.control_frames_sent);
}

void penstock_wrcp_estimates_init(penstock_node_t *node, penstock_time_t now)
{
    penstock_wrcp_t *wrcp = &node->control.wrcp;
    wrcp->total = 0u;
    wrcp->external = 0u;
    wrcp->counted = transmissions(node);
    wrcp->second_began = now;
    wrcp->way_from = PENSTOCK_ADDR_NONE;
    wrcp->gamma = PENSTOCK_WRCP_GAMMA_NONE;
    wrcp->allowed = PENSTOCK_PPS_UNLIMITED;
    node->control.sources.count = 0u;
}

void penstock_wrcp_estimates_second(penstock_node_t *node, penstock_time_t now)
{
    penstock_wrcp_t *wrcp = &node->control.wrcp;
    uint32_t seconds = (now - wrcp->second_began) / PENSTOCK_WRCP_SECOND_US;
    if (seconds == 0u) {
        return;
    }
    uint8_t beta_q8 = node->config->control_params.wrcp.beta_q8;
    /* Below 2^24, and so is the queue's: 255 packets. Seconds in which nobody called are taken as one. */
    uint32_t attempts = (uint16_t)(transmissions(node) - wrcp->counted);
    uint32_t total = attempts * (uint32_t)PENSTOCK_WRCP_LOAD_ONE / seconds;
    wrcp->total = penstock_wrcp_average(wrcp->total, total, beta_q8);
    uint32_t waiting = node->queue.count * (uint32_t)PENSTOCK_WRCP_LOAD_ONE;
    wrcp->external = penstock_wrcp_average(wrcp->external, waiting, beta_q8);
    wrcp->counted = transmissions(node);
    wrcp->second_began += seconds * PENSTOCK_WRCP_SECOND_US;
}

static void begin_window(penstock_wrcp_peer_t *peer, uint8_t counter)
{
    peer->counted_from = counter;
    peer->heard = 1u;
}

penstock_peer_t *penstock_wrcp_estimates_heard(penstock_node_t *node, penstock_addr_t from,
                                               const penstock_wrcp_fields_t *fields, penstock_time_t now)
{
    bool is_new;
    penstock_peer_t *entry = penstock_peers_heard(node, from, now, &is_new);
    penstock_wrcp_peer_t *peer = &entry->as.wrcp;
    uint8_t sent = (uint8_t)(fields->counter - peer->counted_from);
    if (is_new) {
        peer->quality = QUALITY_ONE;
        begin_window(peer, fields->counter);
    } else if (sent >= WINDOW) {
        uint8_t beta_q8 = node->config->control_params.wrcp.beta_q8;
        peer->quality = penstock_wrcp_quality(beta_q8, peer->quality, peer->heard, sent);
        begin_window(peer, fields->counter);
    } else if (peer->heard < UINT8_MAX) {
        peer->heard++;
    }
    peer->own = fields->own;
    peer->total = fields->total;
    peer->highest = fields->highest;
    peer->flows = fields->flows;
    peer->acknowledged = fields->acknowledged;
    return entry;
}

uint8_t penstock_wrcp_own_flows(const penstock_node_t *node)
{
    uint8_t flows = node->control.sources.count;
    return node->control.wrcp.active && flows < UINT8_MAX ? (uint8_t)(flows + 1u) : flows;
}

uint16_t penstock_wrcp_own_highest(const penstock_node_t *node)
{
    uint16_t highest = 0u;
    if (node->control.wrcp.active) {
        highest = (uint16_t)((node->control.wrcp.rate + 255u) >> 8); /* at most 0xFFFF: PENSTOCK_WRCP_RATE_MAX */
    }
    for (uint8_t i = 0u; i < node->config->peer_capacity; i++) {
        const penstock_peer_t *peer = &node->config->peers[i];
        if (peer->address != PENSTOCK_ADDR_NONE && peer->as.wrcp.child && peer->as.wrcp.highest > highest) {
            highest = peer->as.wrcp.highest;
        }
    }
    return highest;
}

/* Is it a neighbour in the sense of the model? */
static bool in_range(const penstock_peer_t *peer)
{
    return peer->address != PENSTOCK_ADDR_NONE && (peer->as.wrcp.child || peer->as.wrcp.quality >= QUALITY_LEAST);
}

void penstock_wrcp_look_around(const penstock_node_t *node, penstock_wrcp_around_t *around)
{
    uint8_t flows = penstock_wrcp_own_flows(node);
    around->load = node->control.wrcp.total;
    around->flows_q255 = flows * QUALITY_ONE;
    around->senders = flows > 0u ? 1u : 0u;
    around->highest = penstock_wrcp_own_highest(node);
    for (uint8_t i = 0u; i < node->config->peer_capacity; i++) {
        const penstock_peer_t *entry = &node->config->peers[i];
        const penstock_wrcp_peer_t *peer = &entry->as.wrcp;
        if (!in_range(entry) || peer->flows == 0u) {
            continue;
        }
        uint32_t load = (uint32_t)peer->total << TOTAL_SHIFT;
        around->load += (load * peer->quality + QUALITY_ONE / 2u) / QUALITY_ONE;
        around->flows_q255 += (uint32_t)peer->flows * peer->quality;
        around->senders = around->senders < UINT8_MAX ? (uint8_t)(around->senders + 1u) : (uint8_t)UINT8_MAX;
        around->highest = peer->highest > around->highest ? peer->highest : around->highest;
    }
}

penstock_wrcp_narrow_t penstock_wrcp_own(const penstock_node_t *node)
{
    const penstock_wrcp_t *wrcp = &node->control.wrcp;
    uint32_t allowed = wrcp->allowed < PENSTOCK_WRCP_RATE_MAX ? wrcp->allowed : PENSTOCK_WRCP_RATE_MAX;
    return (penstock_wrcp_narrow_t){.gamma = wrcp->gamma, .allowed = (uint16_t)(allowed >> 8)};
}

bool penstock_wrcp_way_known(const penstock_node_t *node)
{
    penstock_addr_t parent = node->tree.parent;
    return parent != PENSTOCK_ADDR_NONE && node->control.wrcp.way_from == parent &&
           penstock_peers_find(node, parent) != NULL;
}

penstock_wrcp_narrow_t penstock_wrcp_narrowest(const penstock_node_t *node)
{
    penstock_wrcp_narrow_t narrowest = penstock_wrcp_own(node);
    if (node->config->is_root) {
        return narrowest; /* it sends nothing, so it uses nobody else's */
    }
    for (uint8_t i = 0u; i < node->config->peer_capacity; i++) {
        const penstock_peer_t *peer = &node->config->peers[i];
        if (in_range(peer)) {
            narrowest = penstock_wrcp_narrower(narrowest, peer->as.wrcp.own);
        }
    }
    if (penstock_wrcp_way_known(node)) {
        narrowest = penstock_wrcp_narrower(narrowest, node->control.wrcp.way);
    }
    return narrowest;
}
