/* The packet delay estimator: how long a node waits between packets, so that each is out of the next one's way.
 *
 * Sections of Flush (SenSys 2007) in parentheses. A node i on the way of a flow, with node i - 1 as its next hop, knows
 *
 *   delta_i   how long it takes to get a packet to node i - 1: from the start of the first attempt to the
 *             acknowledgement, a moving average (2.3.2, 3.4)
 *   I_i       the nodes ahead that would disturb what node i + 1 sends to it (2.4, 3.3)
 *   f_i       the sum of delta over I_i (Fig. 5, 3)
 *   d_i       delta_i + delta_i-1 + f_i-1: when its next packet may start after this one (Rule 1; Fig. 5, 4)
 *   D_i       max(d_i, D_i-1) (Rule 2; Fig. 5, 5)
 *
 * and tells delta_i, f_i and D_i in every bulk packet that it sends. What it needs of others it takes from packets that
 * it overhears: delta, f and D of node i - 1, delta of all further ones. The root sends none: its three are 0.
 *
 * Who is ahead. Packets count the links that they cross. A frame of the same origin that has crossed k links more than
 * when this node sends it comes from the node k links ahead; one entry for each k. A path has one node at each place,
 * so when another one is heard there the path has changed, and the new one takes the entry. The paper's time-out (3.3:
 * 100 packets that arrive here without a word from a successor) is there for paths that have become shorter or links
 * that are no more; it is off unless asked for, as in the paper.
 *
 * Who interferes (3.3): a successor whose signal here is less than 10 dB weaker than that of the predecessor, both
 * smoothed. The text asks this for j > 1, successors i - j; Fig. 4 and its example have node 7 count node 6, its next
 * hop (f_7 = delta_6 + delta_5), and the idealised model (2.3.1) has the slot of node i - 1's own successor in 2 + I.
 * So it is asked of the next hop, too, unless nearest_interferer is 2: the text of 3.3 to the letter. A next hop that
 * is much weaker than the predecessor can send while a packet comes in, and does not count. At the origin, which has no
 * predecessor, f is 0; nobody reads it.
 *
 * Gaps that are filled here:
 *
 * - Before delta is measured, config.packet_time_us stands for it.
 * - The time spent on a packet that is given up counts as a measure: delta was at least that. Without it, a link that
 * gets bad would look as good as the packets that made it.
 * - A new parent: what was known of the old one stays in force until the new one is heard, then the places ahead are
 *   cleared. The first delta measured on the new link replaces the average.
 * - A parent that tells nothing: the root, if beacons say so; or else one that has acknowledged four packets and was
 * not heard to send one on.
 * - The start (2.1): the source keeps the request's interval until four of its packets were acknowledged, unless the
 * root is next. With the first packet its next hop cannot have heard yet who interferes; a source that goes by that may
 * come to send always when an interferer does, which its next hop then never hears (test_bulk_pipeline.c).
 * - Rounding is to the nearest; the weights are an eighth each, for delta and RSSI.
 * - More than one flow, which the paper excludes: with n flows of late, a node allows each of them an n-th,
 *   D_i = max(n d_i, D_i-1). All of them go on to the same parent.
 * - Doubling (2.3.2, 3.4): delta alone is told doubled while the queue is too long, as 2.3.2 has it; f and D are those
 * that the node goes by. A predecessor that a slower node farther ahead holds back already may not feel it; packets
 * then come in no faster than they leave.
 *
 * Averages have eight more bits than what they average, so that they get to a constant value exactly.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "bulk/delay_code.h"
#include "bulk/path_parts.h"
#include "neighbors.h"

#define LONGEST_DELAY_US (UINT32_C(1) << 23)   /* 8 s, so that averages fit */
#define LONGEST_D_US ((UINT32_C(1) << 24) - 1) /* so that it can be multiplied by 255 flows */

/* ---- Averages ---- */

static int16_t average_rssi(int16_t average_q8, int8_t rssi_dbm, uint8_t weight)
{
    int16_t sample_q8 = (int16_t)(rssi_dbm * 256);
    if (sample_q8 >= average_q8) {
        return (int16_t)(average_q8 + (((int32_t)sample_q8 - average_q8) >> weight));
    }
    return (int16_t)(average_q8 - (((int32_t)average_q8 - sample_q8) >> weight));
}

void penstock_bulk_estimate_measured(penstock_node_t *node, penstock_addr_t to, uint32_t us)
{
    penstock_bulk_path_t *path = penstock_bulk_path_of(node);
    uint32_t sample_q8 = (us < LONGEST_DELAY_US ? us : LONGEST_DELAY_US) << 8;
    uint8_t weight = penstock_bulk_params_of(node)->delay_weight;
    if (!path->delay_known || path->delay_to != to) {
        path->delay_q8 = sample_q8;
    } else if (sample_q8 >= path->delay_q8) {
        path->delay_q8 += (sample_q8 - path->delay_q8) >> weight;
    } else {
        path->delay_q8 -= (path->delay_q8 - sample_q8) >> weight;
    }
    path->delay_known = true;
    path->delay_to = to;
}

/* ---- What is heard ---- */

static void forget_ahead(penstock_bulk_flow_t *flow)
{
    for (uint8_t i = 0u; i < PENSTOCK_BULK_SUCCESSORS; i++) {
        flow->ahead[i].address = PENSTOCK_ADDR_NONE;
    }
}

/* From here on the flow's next hop is this one. */
static void follow(penstock_bulk_flow_t *flow, penstock_addr_t to)
{
    if (flow->to != to && flow->to != PENSTOCK_ADDR_NONE) {
        forget_ahead(flow);
    }
    flow->to = to;
    flow->unanswered = 0u;
}

void penstock_bulk_estimate_acked(penstock_bulk_flow_t *flow, penstock_addr_t to)
{
    flow->start_left = (uint8_t)(flow->start_left - (flow->start_left > 0u ? 1u : 0u));
    if (flow->to == to) {
        return;
    }
    flow->unanswered++;
    if (flow->unanswered >= PENSTOCK_BULK_SETTLING) {
        follow(flow, to);
        flow->next_delay = 0u;
        flow->next_f = 0u;
        flow->next_interval = 0u;
    }
}

void penstock_bulk_estimate_arrived(penstock_bulk_flow_t *flow, const penstock_frame_t *frame, int8_t rssi_dbm,
                                    bool is_new, const penstock_bulk_path_params_t *params)
{
    bool same = flow->from == frame->src;
    flow->rssi_q8 = same ? average_rssi(flow->rssi_q8, rssi_dbm, params->rssi_weight) : (int16_t)(rssi_dbm * 256);
    flow->from = frame->src;
    flow->path_seq = (uint8_t)frame->seq;
    flow->hops = frame->hops;
    for (uint8_t i = 0u; is_new && i < PENSTOCK_BULK_SUCCESSORS; i++) {
        penstock_bulk_successor_t *ahead = &flow->ahead[i];
        if (ahead->silent < UINT8_MAX) {
            ahead->silent++;
        }
        if (params->interferer_timeout != 0u && ahead->silent >= params->interferer_timeout) {
            ahead->address = PENSTOCK_ADDR_NONE;
        }
    }
}

static void heard_ahead(penstock_bulk_successor_t *ahead, const penstock_frame_t *frame, int8_t rssi_dbm,
                        uint8_t rssi_weight)
{
    bool same = ahead->address == frame->src;
    ahead->rssi_q8 = same ? average_rssi(ahead->rssi_q8, rssi_dbm, rssi_weight) : (int16_t)(rssi_dbm * 256);
    ahead->address = frame->src;
    ahead->delay = penstock_delay_eighths(frame->delays[0], frame->companded);
    ahead->silent = 0u;
}

void penstock_bulk_estimate_overheard(penstock_node_t *node, const penstock_frame_t *frame, int8_t rssi_dbm)
{
    penstock_bulk_flow_t *flow = penstock_bulk_flow_find(node, frame->origin);
    if (flow == NULL || frame->delays == NULL) {
        return;
    }
    if (frame->src == node->tree.parent) {
        follow(flow, frame->src);
        flow->next_delay = penstock_delay_eighths(frame->delays[0], frame->companded);
        flow->next_f = penstock_delay_eighths(frame->delays[1], frame->companded);
        flow->next_interval = penstock_delay_eighths(frame->delays[2], frame->companded);
    }
    /* This node's own frames have crossed hops + 1 links; in 8 bits, so that the next hop's is place 0. */
    uint8_t place = (uint8_t)(frame->hops - flow->hops - 2);
    if (frame->hops > flow->hops + 1 && place < PENSTOCK_BULK_SUCCESSORS) {
        heard_ahead(&flow->ahead[place], frame, rssi_dbm, penstock_bulk_params_of(node)->rssi_weight);
    }
}

/* ---- Fig. 5 ---- */

static bool interferes(const penstock_node_t *node, const penstock_bulk_flow_t *flow, uint8_t place)
{
    const penstock_bulk_successor_t *ahead = &flow->ahead[place];
    int32_t weaker_q8 = (int32_t)flow->rssi_q8 - ahead->rssi_q8;
    return place + 1u >= penstock_bulk_params_of(node)->nearest_interferer && flow->from != PENSTOCK_ADDR_NONE &&
           ahead->address != PENSTOCK_ADDR_NONE &&
           weaker_q8 < (int32_t)penstock_bulk_params_of(node)->interferer_db * 256;
}

uint8_t penstock_bulk_interferers(const penstock_node_t *node, const penstock_bulk_flow_t *flow)
{
    uint8_t count = 0u;
    for (uint8_t i = 0u; i < PENSTOCK_BULK_SUCCESSORS; i++) {
        count = (uint8_t)(count + (interferes(node, flow, i) ? 1u : 0u));
    }
    return count;
}

/* The parent says in its beacons that it is the root. */
static bool leads_to_root(const penstock_node_t *node)
{
    const penstock_neighbor_t *parent = penstock_neighbors_find(&node->neighbors, node->tree.parent);
    return parent != NULL && parent->route_known && parent->route_etx == 0u;
}

uint32_t penstock_bulk_delay(const penstock_node_t *node)
{
    const penstock_bulk_path_t *path = penstock_bulk_path_of(node);
    return path->delay_known ? (path->delay_q8 + 128u) >> 8 : node->config->packet_time_us;
}

uint32_t penstock_bulk_f(const penstock_node_t *node, const penstock_bulk_flow_t *flow)
{
    uint32_t eighths = 0u;
    for (uint8_t i = 0u; i < PENSTOCK_BULK_SUCCESSORS; i++) {
        eighths += interferes(node, flow, i) ? flow->ahead[i].delay : 0u;
    }
    return penstock_delay_us(eighths, penstock_bulk_params_of(node)->unit_us);
}

uint32_t penstock_bulk_d(const penstock_node_t *node, const penstock_bulk_flow_t *flow)
{
    uint32_t d = penstock_bulk_delay(node);
    if (!leads_to_root(node)) {
        d += penstock_delay_us((uint32_t)flow->next_delay + flow->next_f, penstock_bulk_params_of(node)->unit_us);
    }
    return d < LONGEST_D_US ? d : LONGEST_D_US;
}

uint32_t penstock_bulk_interval(const penstock_node_t *node, const penstock_bulk_flow_t *flow, penstock_time_t now)
{
    bool root_next = leads_to_root(node);
    uint32_t interval = penstock_bulk_d(node, flow) * penstock_bulk_flows_active(node, now);
    if (!root_next) {
        uint32_t next_us = penstock_delay_us(flow->next_interval, penstock_bulk_params_of(node)->unit_us);
        interval = interval > next_us ? interval : next_us;
    }
    bool starting = flow->start_left > 0u && !root_next;
    return starting && flow->start_us > interval ? flow->start_us : interval;
}

bool penstock_bulk_doubles(const penstock_node_t *node)
{
    return node->config->bulk->path.count > penstock_bulk_params_of(node)->queue_threshold;
}

void penstock_bulk_write_delays(const penstock_node_t *node, const penstock_bulk_flow_t *flow, uint8_t *bytes,
                                penstock_time_t now)
{
    const penstock_bulk_path_params_t *params = penstock_bulk_params_of(node);
    uint32_t delay = penstock_bulk_delay(node);
    delay = penstock_bulk_doubles(node) ? 2u * delay : delay;
    bytes[0] = penstock_delay_code(delay, params->unit_us, params->companded);
    bytes[1] = penstock_delay_code(penstock_bulk_f(node, flow), params->unit_us, params->companded);
    bytes[2] = penstock_delay_code(penstock_bulk_interval(node, flow, now), params->unit_us, params->companded);
}
