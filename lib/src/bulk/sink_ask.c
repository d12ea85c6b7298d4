/* The sink of a bulk transfer: what it asks for next (Flush 2.1 and 2.2).
 *
 * The first request is for all packets, 0 to the last. Later a NACK lists the first missing ones, as many as fit into
 * one: its own frame's length, 21 and params.nack_max are the limits.
 *
 * A gap that the paper leaves:
 *
 *   A run of missing packets longer than a NACK holds is asked for by a REQUEST with its first and last number. Lists
 *   alone would take a round trip for every 21 packets after a path was cut for a while, and would make it
 *   senseless to resume. Fewer go by NACK, as in Fig. 1.
 *
 * With block-wise transfer (blockwise.c) each request is for one packet.
 *
 * Requests and NACKs say for how long routes stay frozen (5.2): twice as long as the round should take, and then as
 * long as the sink has patience; 1,020 s at most. Each one begins the time anew. In a round that lasts longer than that
 * routes thaw, and the transfer goes on.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "bulk/sink_parts.h"

penstock_bulk_flood_t *penstock_bulk_sink_say(penstock_node_t *node, penstock_addr_t to, penstock_bulk_pdu_t *pdu,
                                              penstock_time_t now)
{
    const penstock_bulk_sink_t *sink = penstock_bulk_sink_of(node);
    pdu->transfer = sink->transfer;
    penstock_bulk_flood_t *flood = penstock_bulk_flood_begin(node, sink->source, to, now);
    flood->len = (uint8_t)penstock_bulk_pdu_write(pdu, flood->pdu, sizeof flood->pdu);
    penstock_bulk_flood_heed(node, node->config->address, pdu, now);
    return flood;
}

void penstock_bulk_sink_query(penstock_node_t *node, penstock_time_t now)
{
    penstock_bulk_sink_t *sink = penstock_bulk_sink_of(node);
    sink->phase = PENSTOCK_BULK_QUERYING;
    sink->query++;
    penstock_bulk_pdu_t pdu = {.kind = PENSTOCK_BULK_PDU_QUERY, .number = sink->query, .object = sink->object};
    (void)penstock_bulk_sink_say(node, PENSTOCK_ADDR_BROADCAST, &pdu, now);
    penstock_bulk_sink_wait(node, penstock_bulk_ends_params_of(node)->query_timeout_us, now);
}

/* For how long routes stay frozen: until this round must be over twice, and the sink has lost patience, too. */
static uint8_t hold_of(const penstock_node_t *node, uint16_t packets)
{
    const penstock_bulk_ends_params_t *params = penstock_bulk_ends_params_of(node);
    if (!params->freeze || penstock_bulk_blockwise(node)) {
        return 0u;
    }
    uint32_t longest_ms = PENSTOCK_BULK_HOLD_MAX_S * UINT32_C(1000);
    uint32_t round_ms =
        penstock_bulk_times(2u * (uint32_t)packets, penstock_bulk_sink_interval(node) / 1000u + 1u, longest_ms);
    uint32_t seconds = (round_ms + penstock_bulk_patience_us(params) / 1000u) / 1000u;
    return (uint8_t)(penstock_bulk_least(seconds, PENSTOCK_BULK_HOLD_MAX_S - 1u) / PENSTOCK_BULK_HOLD_S + 1u);
}

static uint8_t nack_room(const penstock_node_t *node)
{
    const penstock_bulk_ends_params_t *params = penstock_bulk_ends_params_of(node);
    uint8_t bytes = (uint8_t)(node->config->max_frame_len - PENSTOCK_FLOOD_OVERHEAD - PENSTOCK_BULK_NACK_LEN);
    uint8_t room = bytes / 2u < PENSTOCK_BULK_NACK_MAX ? (uint8_t)(bytes / 2u) : (uint8_t)PENSTOCK_BULK_NACK_MAX;
    return params->nack_max != 0u && params->nack_max < room ? params->nack_max : room;
}

/* Writes the first missing packets into a NACK: `count` of them. */
static void list(const penstock_node_t *node, penstock_bulk_flood_t *flood, uint8_t count)
{
    penstock_bulk_sink_t *sink = penstock_bulk_sink_of(node);
    uint16_t index = sink->round_first;
    for (uint8_t i = 0u; i < count; i++) {
        index = penstock_bulk_sink_find(sink, index, true);
        penstock_bulk_pdu_write_index(flood->pdu, i, index);
        sink->round_last = index;
        index++;
    }
}

void penstock_bulk_sink_ask(penstock_node_t *node, bool clean, penstock_time_t now)
{
    penstock_bulk_sink_t *sink = penstock_bulk_sink_of(node);
    bool blockwise = penstock_bulk_blockwise(node);
    uint8_t room = blockwise ? 1u : nack_room(node);
    sink->low = penstock_bulk_sink_find(sink, sink->low, true);
    sink->round_first = sink->low;
    sink->round_last = blockwise ? sink->low : (uint16_t)(penstock_bulk_sink_find(sink, sink->low, false) - 1u);
    uint16_t run = (uint16_t)(sink->round_last - sink->round_first + 1u);
    bool is_range = blockwise || run > room || (sink->fresh && run == sink->missing);
    sink->round_missing = is_range ? run : (sink->missing < room ? sink->missing : room);

    penstock_bulk_pdu_t pdu = {
        .kind = is_range ? PENSTOCK_BULK_PDU_REQUEST : PENSTOCK_BULK_PDU_NACK,
        .round = ++sink->round,
        .hold = hold_of(node, sink->round_missing),
        .interval = penstock_bulk_ticks(penstock_bulk_sink_interval(node)),
        .length = sink->packet_len,
        .first = sink->round_first,
        .last = sink->round_last,
        .count = (uint8_t)sink->round_missing,
    };
    penstock_addr_t to = blockwise ? penstock_bulk_blockwise_to(node, sink->source, sink->fruitless)
                                   : (penstock_addr_t)PENSTOCK_ADDR_BROADCAST;
    penstock_bulk_flood_t *flood = penstock_bulk_sink_say(node, to, &pdu, now);
    if (!is_range) {
        list(node, flood, (uint8_t)sink->round_missing);
    }
    sink->phase = sink->fresh ? PENSTOCK_BULK_TRANSFERRING : PENSTOCK_BULK_REPAIRING;
    sink->rounds++;
    sink->rtt_timed = clean && sink->fruitless == 0u;
    sink->dense = is_range;
    sink->has_last = false;
    penstock_bulk_sink_wait(node, penstock_bulk_sink_timeout(node) + penstock_bulk_sink_interval(node), now);
}
