/* The sink of a bulk transfer: how long things take, and how long it waits for them (Flush 2.1 and 2.2).
 *
 * When has the source finished? When the last packet of the round has come, since the path is a queue; or when
 * all that the round asked for have; or when nothing has come for so long that nothing will. That is
 *
 *     after asking    RTO + one interval, doubled with each time that asking was fruitless
 *     after a packet  RTO + the interval times the packets that are still to come, 8 of them at most
 *     RTO             SRTT + 4 RTTVAR as in RFC 6298, and at least 2 * hops * (packet time + flood jitter): there and
 *                     back with the longest backoff at every hop
 *
 * both at most timeout_max_us. SRTT begins with the query's round trip, less the time that the source's
 * application took to answer, which the REPORT tells. Each round whose predecessor ended well is another
 * sample, from asking to the first packet; a round after a time-out is none, since what comes may be an answer to the
 * round before (Karn's rule). The interval is the average of arrivals within a REQUEST's packets, divided by how far
 * apart their numbers are.
 *
 * The rate that a request brings is conservative at first (2.1): one packet time for each hop, at most five, which is
 * 1/r(N, 3) of the paper's model (2.3.1) in units of the longest that a hop takes. Later ones bring the measured
 * interval.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "bulk/sink_parts.h"

/* RFC 6298, 2.3: gains 1/8 and 1/4; the interval's is the same as SRTT's. */
#define GAIN_SHIFT 3u
#define VARIANCE_GAIN_SHIFT 2u
/* Packets in a row that may be lost before the sink gives up on the rest of a round. */
#define LOSSES_IN_A_ROW 8u
/* 2 + I for an interference range of three hops (2.3.1). */
#define PIPELINE_HOPS 5u

uint32_t penstock_bulk_sink_timeout(const penstock_node_t *node)
{
    const penstock_bulk_sink_t *sink = penstock_bulk_sink_of(node);
    const penstock_bulk_ends_params_t *params = penstock_bulk_ends_params_of(node);
    uint32_t most = params->timeout_max_us;
    if (!sink->rtt_known) {
        return params->query_timeout_us;
    }
    uint32_t a_hop = penstock_bulk_least(node->config->packet_time_us, most) + penstock_bulk_flood_jitter_us(node);
    uint32_t there_and_back = penstock_bulk_times(a_hop, 2u * (uint32_t)sink->hops, most);
    uint32_t measured = penstock_bulk_least(sink->srtt_us, most) + penstock_bulk_times(sink->rttvar_us, 4u, most);
    return penstock_bulk_least(measured > there_and_back ? measured : there_and_back, most);
}

void penstock_bulk_sink_sample(penstock_bulk_sink_t *sink, uint32_t rtt)
{
    if (!sink->rtt_known) {
        sink->srtt_us = rtt;
        sink->rttvar_us = rtt / 2u;
        sink->rtt_known = true;
        return;
    }
    uint32_t off = rtt > sink->srtt_us ? rtt - sink->srtt_us : sink->srtt_us - rtt;
    sink->rttvar_us += (off >> VARIANCE_GAIN_SHIFT) - (sink->rttvar_us >> VARIANCE_GAIN_SHIFT);
    sink->srtt_us += (rtt >> GAIN_SHIFT) - (sink->srtt_us >> GAIN_SHIFT);
}

uint32_t penstock_bulk_sink_interval(const penstock_node_t *node)
{
    const penstock_bulk_sink_t *sink = penstock_bulk_sink_of(node);
    const penstock_bulk_ends_params_t *params = penstock_bulk_ends_params_of(node);
    if (sink->interval_us != 0u) {
        return sink->interval_us;
    }
    if (params->first_interval_us != 0u) {
        return params->first_interval_us;
    }
    uint32_t hops = sink->hops < PIPELINE_HOPS ? sink->hops : (uint32_t)PIPELINE_HOPS;
    return penstock_bulk_times(node->config->packet_time_us, hops, params->timeout_max_us);
}

/* At least a packet time, whatever was measured. */
static void wait_for(penstock_node_t *node, uint32_t wait, penstock_time_t now)
{
    uint32_t a_packet = node->config->packet_time_us;
    penstock_bulk_sink_of(node)->at = now + (wait > a_packet ? wait : a_packet);
}

void penstock_bulk_sink_wait(penstock_node_t *node, uint32_t wait, penstock_time_t now)
{
    penstock_bulk_sink_t *sink = penstock_bulk_sink_of(node);
    if (penstock_bulk_blockwise(node)) {
        wait = penstock_bulk_blockwise_wait(node, sink->fruitless);
    } else {
        uint8_t doublings = sink->fruitless < 31u ? sink->fruitless : 31u;
        wait = penstock_bulk_times(wait, UINT32_C(1) << doublings, penstock_bulk_ends_params_of(node)->timeout_max_us);
    }
    sink->asked_at = now;
    if (sink->fruitless < UINT8_MAX) {
        sink->fruitless++;
    }
    wait_for(node, wait, now);
}

bool penstock_bulk_sink_impatient(const penstock_node_t *node)
{
    const penstock_bulk_ends_params_t *params = penstock_bulk_ends_params_of(node);
    uint8_t tries = penstock_bulk_blockwise(node) ? (uint8_t)(params->max_retransmit + 1u) : params->tries;
    return penstock_bulk_sink_of(node)->fruitless >= tries;
}

void penstock_bulk_sink_learn(penstock_node_t *node, uint16_t index, penstock_time_t now)
{
    penstock_bulk_sink_t *sink = penstock_bulk_sink_of(node);
    bool of_round = index >= sink->round_first && index <= sink->round_last;
    if (of_round && sink->rtt_timed) {
        penstock_bulk_sink_sample(sink, now - sink->asked_at);
        sink->rtt_timed = false;
    }
    if (of_round && sink->dense && sink->has_last && index > sink->last_index) {
        uint32_t interval = (now - sink->last_at) / (uint16_t)(index - sink->last_index);
        sink->interval_us = sink->interval_us == 0u
                                ? interval
                                : sink->interval_us + (interval >> GAIN_SHIFT) - (sink->interval_us >> GAIN_SHIFT);
    }
    sink->last_index = index;
    sink->last_at = now;
    sink->has_last = of_round;

    uint32_t to_come = sink->round_last > index ? (uint32_t)(sink->round_last - index) : 0u;
    if (!sink->dense && sink->round_missing < to_come) {
        to_come = sink->round_missing;
    }
    uint32_t most = penstock_bulk_ends_params_of(node)->timeout_max_us;
    uint32_t rest =
        penstock_bulk_times(penstock_bulk_sink_interval(node), penstock_bulk_least(to_come, LOSSES_IN_A_ROW), most);
    sink->fruitless = 0u;
    sink->returns = 0u;
    wait_for(node, penstock_bulk_least(penstock_bulk_sink_timeout(node) + rest, most), now);
}
