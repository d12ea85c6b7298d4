/* The two ends of a bulk transfer: life, time, events, and the application's calls.
 *
 * Flush (SenSys 2007, 2.1 and 2.2) is a protocol between two machines. The sink asks, in four phases: the topology
 * query finds out how far the source is and what there is to fetch; in the transfer the source sends everything
 * at the rate that the path bears; in the acknowledgement the sink asks for what was lost, one NACK at a time; at last
 * it checks the whole. The source answers. sink.c and source.c are these machines; a root is a sink and nothing else,
 * any other node is a source and nothing else, so they share their memory and this file picks one.
 *
 * Sans-IO. Neither machine calls out. Bytes of an object are asked for by penstock_bulk_poll_read, one packet's at a
 * time, and come by penstock_bulk_provide, at once or much later: a flash may take its time. Until then no
 * other bytes are asked for, so that an answer can never be taken for that to another question: when
 * the transfer that wanted them is over, the answer is awaited and thrown away (PENSTOCK_BULK_READ_STALE).
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "bulk/ends.h"

#include "bulk/ops.h"
#include "bulk/path.h"
#include "deadline.h"
#include "random.h"

penstock_bulk_ends_params_t penstock_bulk_ends_defaults(void)
{
    return (penstock_bulk_ends_params_t){
        .repair = PENSTOCK_BULK_REPAIR_NACK,
        .tries = 6u,
        .restarts = 2u,
        .freeze = true,
        .query_timeout_us = 2000000u,
        .timeout_max_us = 16000000u,
        .ack_timeout_us = 2000000u,
        .ack_random_q8 = 384u,
        .max_retransmit = 4u,
    };
}

uint32_t penstock_bulk_patience_us(const penstock_bulk_ends_params_t *params)
{
    if (params->repair == PENSTOCK_BULK_REPAIR_BLOCKWISE) {
        return penstock_bulk_blockwise_patience_us(params);
    }
    return params->tries * params->timeout_max_us;
}

/* No product of these exceeds a quarter of the range of the clock, and none is 0 that something waits for. */
bool penstock_bulk_ends_config_works(const penstock_config_t *config)
{
    const uint32_t longest = UINT32_C(1) << 30;
    const uint8_t shortest_frame = PENSTOCK_BULK_OVERHEAD + PENSTOCK_BULK_DELAYS + PENSTOCK_BULK_REPORT_LEN;
    const penstock_bulk_ends_params_t *params = &config->bulk_params->ends;
    if (config->max_frame_len < shortest_frame || params->repair > PENSTOCK_BULK_REPAIR_BLOCKWISE ||
        params->tries < 1u || params->timeout_max_us < 1u || params->timeout_max_us > longest / params->tries ||
        params->query_timeout_us < 1u || params->query_timeout_us > params->timeout_max_us) {
        return false;
    }
    bool coap = params->ack_timeout_us >= 1u && params->ack_timeout_us <= UINT32_C(1) << 23 &&
                params->ack_random_q8 >= 256u && params->max_retransmit <= 5u;
    return coap && params->ack_random_q8 <= 512u && params->first_interval_us <= longest &&
           params->flood_jitter_us <= params->timeout_max_us;
}

void penstock_bulk_ends_init(penstock_node_t *node, penstock_time_t now)
{
    penstock_bulk_ends_t *ends = penstock_bulk_ends_of(node);
    *ends = (penstock_bulk_ends_t){0};
    penstock_bulk_flood_init(node, now);
    if (node->config->is_root) {
        /* A sink that starts anew seldom goes on with the number of its last transfer. */
        ends->sink.transfer = (uint8_t)(penstock_random_next(&node->random) ^ now);
        ends->sink.source = PENSTOCK_ADDR_NONE;
    } else {
        ends->source.sink = PENSTOCK_ADDR_NONE;
    }
}

/* ---- What the machines share ---------------------------------------------------- */

void penstock_bulk_tell(penstock_node_t *node, penstock_bulk_event_kind_t kind, penstock_bulk_reason_t reason)
{
    penstock_bulk_ends_t *ends = penstock_bulk_ends_of(node);
    bool is_root = node->config->is_root;
    if (ends->events_pending == PENSTOCK_BULK_EVENTS) {
        penstock_bulk_event_t lost;
        (void)penstock_bulk_poll_event(node, &lost);
    }
    ends->events[ends->events_pending++] = (penstock_bulk_event_t){
        .kind = (uint8_t)kind,
        .reason = (uint8_t)reason,
        .peer = is_root ? ends->sink.source : ends->source.sink,
        .object = is_root ? ends->sink.object : ends->source.object,
    };
}

void penstock_bulk_want(penstock_bulk_ends_t *ends, uint16_t index)
{
    if (ends->reading == PENSTOCK_BULK_READ_NONE || ends->reading == PENSTOCK_BULK_READ_WANTED) {
        ends->reading = PENSTOCK_BULK_READ_WANTED;
        ends->read_index = index;
    }
}

void penstock_bulk_want_nothing(penstock_bulk_ends_t *ends)
{
    ends->buffer_len = 0u;
    bool owed = ends->reading == PENSTOCK_BULK_READ_POLLED || ends->reading == PENSTOCK_BULK_READ_STALE;
    ends->reading = owed ? PENSTOCK_BULK_READ_STALE : PENSTOCK_BULK_READ_NONE;
}

uint8_t penstock_bulk_bytes_max(const penstock_node_t *node)
{
    const penstock_bulk_ends_params_t *params = penstock_bulk_ends_params_of(node);
    uint8_t most = (uint8_t)(penstock_bulk_path_pdu_max(node) - PENSTOCK_BULK_DATA_LEN);
    return params->packet_len != 0u && params->packet_len < most ? params->packet_len : most;
}

uint16_t penstock_bulk_packets(uint32_t size, uint8_t packet_len)
{
    uint32_t packets = size / packet_len + (size % packet_len != 0u ? 1u : 0u);
    return packets <= PENSTOCK_BULK_PACKETS_MAX ? (uint16_t)packets : 0u;
}

uint8_t penstock_bulk_packet_bytes(uint32_t size, uint8_t packet_len, uint16_t index)
{
    uint32_t rest = size - (uint32_t)index * packet_len;
    return rest < packet_len ? (uint8_t)rest : packet_len;
}

/* ---- What comes in --------------------------------------------------------------- */

static void count_ignored(penstock_bulk_ends_t *ends)
{
    ends->ignored++;
}

void penstock_bulk_ends_arrived(penstock_node_t *node, penstock_addr_t origin, uint8_t hops, const uint8_t *pdu,
                                uint8_t len, penstock_time_t now)
{
    penstock_bulk_pdu_t read;
    if (!node->config->is_root || penstock_bulk_pdu_parse(&read, pdu, len) != PENSTOCK_OK ||
        !penstock_bulk_sink_arrived(node, origin, hops, &read, now)) {
        count_ignored(penstock_bulk_ends_of(node));
    }
}

void penstock_bulk_ends_packet_left(penstock_node_t *node, penstock_time_t now)
{
    if (!node->config->is_root) {
        penstock_bulk_source_tick(node, now);
    }
}

void penstock_bulk_ends_told(penstock_node_t *node, penstock_addr_t sink, const uint8_t *pdu, uint8_t len, bool for_us,
                             penstock_time_t now)
{
    penstock_bulk_pdu_t read;
    if (penstock_bulk_pdu_parse(&read, pdu, len) != PENSTOCK_OK) {
        count_ignored(penstock_bulk_ends_of(node));
        return;
    }
    penstock_bulk_flood_heed(node, sink, &read, now);
    if (for_us && (node->config->is_root || !penstock_bulk_source_told(node, sink, &read, now))) {
        count_ignored(penstock_bulk_ends_of(node));
    }
}

/* ---- Time ------------------------------------------------------------------------- */

bool penstock_bulk_ends_deadline(const penstock_node_t *node, penstock_time_t now, penstock_time_t *at)
{
    bool any = false;
    penstock_time_t candidate;
    if (penstock_bulk_flood_deadline(node, now, &candidate)) {
        penstock_sooner(&any, at, candidate);
    }
    bool machine = node->config->is_root ? penstock_bulk_sink_deadline(node, &candidate)
                                         : penstock_bulk_source_deadline(node, &candidate);
    if (machine) {
        penstock_sooner(&any, at, candidate);
    }
    return any;
}

void penstock_bulk_ends_tick(penstock_node_t *node, penstock_time_t now)
{
    penstock_bulk_flood_tick(node, now);
    if (node->config->is_root) {
        penstock_bulk_sink_tick(node, now);
    } else {
        penstock_bulk_source_tick(node, now);
    }
}

/* ---- The application's calls -------------------------------------------------------- */

int penstock_bulk_request(penstock_node_t *node, const penstock_bulk_request_t *request, penstock_time_t now)
{
    if (penstock_bulk_of(node->config) == NULL || !node->config->is_root) {
        return PENSTOCK_INVALID;
    }
    return penstock_bulk_sink_request(node, request, now);
}

int penstock_bulk_cancel(penstock_node_t *node, penstock_time_t now)
{
    if (penstock_bulk_of(node->config) == NULL) {
        return PENSTOCK_INVALID;
    }
    penstock_bulk_ends_t *ends = penstock_bulk_ends_of(node);
    if (node->config->is_root) {
        if (ends->sink.phase == PENSTOCK_BULK_IDLE) {
            return PENSTOCK_INVALID;
        }
        penstock_bulk_sink_end(node, PENSTOCK_BULK_CANCELLED, PENSTOCK_BULK_STOPPED, now);
        return PENSTOCK_OK;
    }
    if (ends->source.phase == PENSTOCK_BULK_IDLE) {
        return PENSTOCK_INVALID;
    }
    penstock_bulk_source_end(node, PENSTOCK_BULK_ABANDONED, PENSTOCK_BULK_STOPPED);
    penstock_bulk_source_refuse(node, PENSTOCK_BULK_STOPPED, now);
    return PENSTOCK_OK;
}

int penstock_bulk_poll_event(penstock_node_t *node, penstock_bulk_event_t *event)
{
    if (penstock_bulk_of(node->config) == NULL) {
        return PENSTOCK_INVALID;
    }
    penstock_bulk_ends_t *ends = penstock_bulk_ends_of(node);
    if (ends->events_pending == 0u) {
        return 0;
    }
    *event = ends->events[0];
    ends->events_pending--;
    for (uint8_t i = 0u; i < ends->events_pending; i++) {
        ends->events[i] = ends->events[i + 1u];
    }
    return 1;
}

/* The application of a source may answer: this object was asked for. */
static bool is_deciding(const penstock_node_t *node, uint16_t object)
{
    if (penstock_bulk_of(node->config) == NULL || node->config->is_root) {
        return false;
    }
    const penstock_bulk_source_t *source = &penstock_bulk_ends_of(node)->source;
    return source->phase == PENSTOCK_BULK_DECIDING && source->object == object;
}

int penstock_bulk_offer(penstock_node_t *node, uint16_t object, uint32_t size, uint32_t crc, penstock_time_t now)
{
    return is_deciding(node, object) ? penstock_bulk_source_offer(node, size, crc, now) : PENSTOCK_INVALID;
}

int penstock_bulk_refuse(penstock_node_t *node, uint16_t object, penstock_time_t now)
{
    if (!is_deciding(node, object)) {
        return PENSTOCK_INVALID;
    }
    penstock_bulk_ends_of(node)->source.phase = PENSTOCK_BULK_IDLE;
    penstock_bulk_source_refuse(node, PENSTOCK_BULK_REFUSED, now);
    return PENSTOCK_OK;
}

/* The bytes that the last read is about. */
static penstock_bulk_read_t read_of(const penstock_node_t *node)
{
    const penstock_bulk_ends_t *ends = penstock_bulk_ends_of(node);
    bool is_root = node->config->is_root;
    uint32_t size = is_root ? ends->sink.size : ends->source.size;
    uint8_t packet_len = is_root ? ends->sink.packet_len : ends->source.packet_len;
    return (penstock_bulk_read_t){
        .object = is_root ? ends->sink.object : ends->source.object,
        .offset = (uint32_t)ends->read_index * packet_len,
        .len = penstock_bulk_packet_bytes(size, packet_len, ends->read_index),
    };
}

int penstock_bulk_poll_read(penstock_node_t *node, penstock_bulk_read_t *read, penstock_time_t now)
{
    (void)now;
    if (penstock_bulk_of(node->config) == NULL) {
        return PENSTOCK_INVALID;
    }
    penstock_bulk_ends_t *ends = penstock_bulk_ends_of(node);
    if (ends->reading != PENSTOCK_BULK_READ_WANTED) {
        return 0;
    }
    *read = read_of(node);
    ends->reading = PENSTOCK_BULK_READ_POLLED;
    return 1;
}

int penstock_bulk_provide(penstock_node_t *node, const uint8_t *bytes, uint8_t len, penstock_time_t now)
{
    if (penstock_bulk_of(node->config) == NULL) {
        return PENSTOCK_INVALID;
    }
    penstock_bulk_ends_t *ends = penstock_bulk_ends_of(node);
    if (ends->reading == PENSTOCK_BULK_READ_STALE) {
        ends->reading = PENSTOCK_BULK_READ_NONE;
        penstock_bulk_ends_tick(node, now);
        return PENSTOCK_OK;
    }
    if (ends->reading != PENSTOCK_BULK_READ_POLLED || (bytes != NULL && len != read_of(node).len)) {
        return PENSTOCK_INVALID;
    }
    ends->reading = PENSTOCK_BULK_READ_NONE;
    if (node->config->is_root) {
        penstock_bulk_sink_provided(node, bytes, len, now);
    } else {
        penstock_bulk_source_provided(node, bytes, len, now);
    }
    return PENSTOCK_OK;
}

int penstock_bulk_poll_write(penstock_node_t *node, penstock_bulk_write_t *chunk, penstock_time_t now)
{
    if (penstock_bulk_of(node->config) == NULL) {
        return PENSTOCK_INVALID;
    }
    return node->config->is_root ? penstock_bulk_sink_poll_write(node, chunk, now) : 0;
}

void penstock_bulk_progress(const penstock_node_t *node, penstock_bulk_progress_t *progress)
{
    *progress = (penstock_bulk_progress_t){.peer = PENSTOCK_ADDR_NONE};
    if (penstock_bulk_of(node->config) == NULL) {
        return;
    }
    const penstock_bulk_ends_t *ends = penstock_bulk_ends_of(node);
    progress->ignored = ends->ignored;
    if (node->config->is_root) {
        const penstock_bulk_sink_t *sink = &ends->sink;
        progress->phase = sink->phase;
        progress->peer = sink->source;
        progress->object = sink->object;
        progress->size = sink->size;
        progress->packet_len = sink->packet_len;
        progress->hops = sink->hops;
        progress->packets = sink->count;
        progress->received = (uint16_t)(sink->count - sink->missing);
        progress->rounds = sink->rounds;
        progress->rtt_us = sink->rtt_known ? sink->srtt_us : 0u;
        progress->interval_us = sink->interval_us;
    } else {
        const penstock_bulk_source_t *source = &ends->source;
        bool offered = source->phase == PENSTOCK_BULK_SERVING;
        progress->phase = source->phase;
        progress->peer = source->sink;
        progress->object = source->object;
        progress->size = offered ? source->size : 0u;
        progress->packet_len = offered ? source->packet_len : 0u;
        progress->packets = offered ? penstock_bulk_packets(source->size, source->packet_len) : 0u;
    }
}

int penstock_bulk_checkpoint(const penstock_node_t *node, penstock_bulk_checkpoint_t *checkpoint)
{
    if (penstock_bulk_of(node->config) == NULL || !node->config->is_root) {
        return PENSTOCK_INVALID;
    }
    const penstock_bulk_sink_t *sink = &penstock_bulk_ends_of(node)->sink;
    if (!sink->known) {
        return PENSTOCK_WOULD_BLOCK;
    }
    *checkpoint = (penstock_bulk_checkpoint_t){
        .source = sink->source,
        .object = sink->object,
        .size = sink->size,
        .crc = sink->crc,
        .packet_len = sink->packet_len,
    };
    return PENSTOCK_OK;
}

const char *penstock_bulk_reason_name(int reason)
{
    static const char *const names[PENSTOCK_BULK_REASON_COUNT] = {
        "none",    "unreachable", "silent",         "refused",      "busy",    "size",
        "unknown", "integrity",   "source_storage", "sink_storage", "stopped",
    };
    return reason >= 0 && reason < PENSTOCK_BULK_REASON_COUNT ? names[reason] : "?";
}
