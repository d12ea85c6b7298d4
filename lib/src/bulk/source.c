/* The source of a bulk transfer: the machine that answers (Flush 2.1, 2.2, 3.1).
 *
 *   IDLE       knows nothing and remembers nothing
 *   DECIDING   a sink has asked for an object (QUERY): the application is told, and offers it or refuses
 *   SERVING    the sink knows length and CRC (REPORT), and asks for packets (REQUEST, NACK); the
 *              application is asked for their bytes, and they go to the path as fast as it takes them (3.1)
 *
 * One sink at a time (the paper's isolation, section 2): another is told that this node is busy. A QUERY of the same
 * sink for another transfer ends the one before: the sink has begun anew. A source whose sink falls silent
 * for as long as the sink would have patience is idle again.
 *
 * What is sent is what the last REQUEST or NACK asked for; one that comes meanwhile takes its place, and what it does
 * not name the sink will ask for again. Rounds are numbered, and one that is not newer than the last, by less than
 * half of the range of its byte, is a copy, and ignored; so is a question for packets that the object does not have.
 * A sink that asks about a transfer that this node does not know is told so: this node has started anew, and needs to
 * be queried again. That is all there is to a reboot.
 *
 * One packet is fetched ahead, so that the application's flash does not slow down the path.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "bulk/ends.h"
#include "bulk/path.h"
#include "deadline.h"

static penstock_bulk_source_t *source_of(const penstock_node_t *node)
{
    return &penstock_bulk_ends_of(node)->source;
}

/* ---- What is still to be sent --------------------------------------------------------- */

static bool has_next(const penstock_bulk_source_t *source)
{
    return source->phase == PENSTOCK_BULK_SERVING && (source->is_range || source->next < source->count);
}

static uint16_t next_index(const penstock_bulk_source_t *source)
{
    return source->is_range ? source->first : source->asked[source->next];
}

static void advance(penstock_bulk_source_t *source)
{
    if (!source->is_range) {
        source->next++;
    } else if (source->first < source->last) {
        source->first++;
    } else {
        source->is_range = false;
    }
}

static void stop_sending(penstock_node_t *node)
{
    penstock_bulk_source_t *source = source_of(node);
    source->is_range = false;
    source->count = 0u;
    source->next = 0u;
    penstock_bulk_want_nothing(penstock_bulk_ends_of(node));
}

/* ---- To the path ------------------------------------------------------------------------ */

static bool send_refusal(penstock_node_t *node, penstock_time_t now)
{
    const penstock_bulk_source_t *source = source_of(node);
    uint8_t bytes[PENSTOCK_BULK_REFUSED_LEN];
    penstock_bulk_pdu_t pdu = {
        .kind = PENSTOCK_BULK_PDU_REFUSED,
        .transfer = source->refused_transfer,
        .sink = source->refused_sink,
        .reason = source->refuses,
    };
    (void)penstock_bulk_pdu_write(&pdu, bytes, sizeof bytes);
    return penstock_bulk_path_send(node, bytes, sizeof bytes, now);
}

static bool send_report(penstock_node_t *node, penstock_time_t now)
{
    const penstock_bulk_source_t *source = source_of(node);
    uint8_t bytes[PENSTOCK_BULK_REPORT_LEN];
    uint32_t held_ms = (now - source->queried_at) / 1000u;
    penstock_bulk_pdu_t pdu = {
        .kind = PENSTOCK_BULK_PDU_REPORT,
        .transfer = source->transfer,
        .sink = source->sink,
        .number = source->query,
        .held_ms = held_ms < UINT16_MAX ? (uint16_t)held_ms : (uint16_t)UINT16_MAX,
        .length = penstock_bulk_bytes_max(node),
        .size = source->size,
        .crc = source->crc,
    };
    (void)penstock_bulk_pdu_write(&pdu, bytes, sizeof bytes);
    return penstock_bulk_path_send(node, bytes, sizeof bytes, now);
}

/* The packet in the buffer, which was filled behind the room for what comes before the bytes. */
static bool send_packet(penstock_node_t *node, penstock_time_t now)
{
    penstock_bulk_ends_t *ends = penstock_bulk_ends_of(node);
    penstock_bulk_pdu_t pdu = {
        .kind = PENSTOCK_BULK_PDU_DATA,
        .transfer = ends->source.transfer,
        .index = ends->source.held,
        .bytes_len = ends->buffer_len,
    };
    int len = penstock_bulk_pdu_write(&pdu, ends->buffer, sizeof ends->buffer);
    return penstock_bulk_path_send(node, ends->buffer, (uint8_t)len, now);
}

static void pump_later(penstock_bulk_source_t *source, penstock_time_t at)
{
    source->pumps = true;
    source->pump_at = at;
}

/* Answers first: they are short, and somebody waits for them. False: no room. */
static bool send_answers(penstock_node_t *node, penstock_time_t now)
{
    penstock_bulk_source_t *source = source_of(node);
    if (source->refuses != PENSTOCK_BULK_NO_REASON) {
        if (!send_refusal(node, now)) {
            return false;
        }
        source->refuses = PENSTOCK_BULK_NO_REASON;
    }
    if (source->reports) {
        if (!send_report(node, now)) {
            return false;
        }
        source->reports = false;
    }
    return true;
}

/* Sends what can be sent, and asks for the bytes of what comes next. */
static void pump(penstock_node_t *node, penstock_time_t now)
{
    penstock_bulk_ends_t *ends = penstock_bulk_ends_of(node);
    penstock_bulk_source_t *source = &ends->source;
    source->pumps = false;
    if (!send_answers(node, now)) {
        pump_later(source, now + node->config->packet_time_us);
        return;
    }
    if (ends->buffer_len > 0u) {
        penstock_time_t at = now;
        if (!penstock_bulk_path_may_send(node, now, &at)) {
            pump_later(source, at != now && penstock_time_reached(at, now) ? at : now + node->config->packet_time_us);
            return;
        }
        if (!send_packet(node, now)) {
            pump_later(source, now + node->config->packet_time_us);
            return;
        }
        ends->buffer_len = 0u;
        source->used_at = now;
        advance(source);
    }
    if (has_next(source)) {
        penstock_bulk_want(ends, next_index(source));
    }
}

/* ---- The course of a transfer ------------------------------------------------------------- */

void penstock_bulk_source_end(penstock_node_t *node, penstock_bulk_event_kind_t kind, penstock_bulk_reason_t reason)
{
    penstock_bulk_source_t *source = source_of(node);
    stop_sending(node);
    source->phase = PENSTOCK_BULK_IDLE;
    source->reports = false;
    penstock_bulk_tell(node, kind, reason);
}

/* `sink` is told no; only the last of several refusals that could not be sent yet is. */
static void refuse(penstock_node_t *node, penstock_addr_t sink, uint8_t transfer, penstock_bulk_reason_t reason,
                   penstock_time_t now)
{
    penstock_bulk_source_t *source = source_of(node);
    source->refuses = (uint8_t)reason;
    source->refused_sink = sink;
    source->refused_transfer = transfer;
    source->refused_at = now;
    pump(node, now);
}

void penstock_bulk_source_refuse(penstock_node_t *node, penstock_bulk_reason_t reason, penstock_time_t now)
{
    const penstock_bulk_source_t *source = source_of(node);
    refuse(node, source->sink, source->transfer, reason, now);
}

int penstock_bulk_source_offer(penstock_node_t *node, uint32_t size, uint32_t crc, penstock_time_t now)
{
    penstock_bulk_source_t *source = source_of(node);
    uint8_t packet_len = penstock_bulk_bytes_max(node);
    if (size == 0u || penstock_bulk_packets(size, packet_len) == 0u) {
        source->phase = PENSTOCK_BULK_IDLE;
        penstock_bulk_source_refuse(node, PENSTOCK_BULK_SIZE, now);
        return size == 0u ? PENSTOCK_INVALID : PENSTOCK_TOO_LONG;
    }
    source->phase = PENSTOCK_BULK_SERVING;
    source->size = size;
    source->crc = crc;
    source->packet_len = packet_len;
    source->used_at = now;
    source->reports = true;
    pump(node, now);
    return PENSTOCK_OK;
}

static void adopt(penstock_node_t *node, penstock_addr_t sink, const penstock_bulk_pdu_t *pdu, penstock_time_t now)
{
    penstock_bulk_source_t *source = source_of(node);
    if (source->phase != PENSTOCK_BULK_IDLE) {
        penstock_bulk_source_end(node, PENSTOCK_BULK_ABANDONED, PENSTOCK_BULK_STOPPED);
    }
    source->phase = PENSTOCK_BULK_DECIDING;
    source->has_round = false;
    source->reports = false;
    source->sink = sink;
    source->transfer = pdu->transfer;
    source->object = pdu->object;
    source->query = pdu->number;
    source->queried_at = now;
    source->used_at = now;
    penstock_bulk_tell(node, PENSTOCK_BULK_ASKED, PENSTOCK_BULK_NO_REASON);
}

/* ---- What the sink says -------------------------------------------------------------------- */

static bool is_ours(const penstock_bulk_source_t *source, penstock_addr_t sink, uint8_t transfer)
{
    return source->phase != PENSTOCK_BULK_IDLE && source->sink == sink && source->transfer == transfer;
}

static bool queried(penstock_node_t *node, penstock_addr_t sink, const penstock_bulk_pdu_t *pdu, penstock_time_t now)
{
    penstock_bulk_source_t *source = source_of(node);
    if (is_ours(source, sink, pdu->transfer)) {
        if (pdu->object != source->object) {
            return false;
        }
        source->query = pdu->number;
        source->has_round = false; /* a sink that has started anew, with the same number, counts from the beginning */
        source->queried_at = now;
        source->used_at = now;
        source->reports = source->phase == PENSTOCK_BULK_SERVING;
        pump(node, now);
    } else if (source->phase != PENSTOCK_BULK_IDLE && source->sink != sink) {
        refuse(node, sink, pdu->transfer, PENSTOCK_BULK_BUSY, now);
    } else {
        adopt(node, sink, pdu, now);
    }
    return true;
}

/* Can what is asked for be served? */
static bool makes_sense(const penstock_node_t *node, const penstock_bulk_pdu_t *pdu)
{
    const penstock_bulk_source_t *source = source_of(node);
    uint8_t ahead = (uint8_t)(pdu->round - source->round);
    if (pdu->length > penstock_bulk_bytes_max(node) || (source->has_round && (ahead == 0u || ahead > 127u))) {
        return false;
    }
    bool is_nack = pdu->kind == PENSTOCK_BULK_PDU_NACK;
    if (is_nack && pdu->count > PENSTOCK_BULK_NACK_MAX) {
        return false;
    }
    uint16_t last = is_nack ? penstock_bulk_pdu_index(pdu, (uint8_t)(pdu->count - 1u)) : pdu->last;
    return last < penstock_bulk_packets(source->size, pdu->length);
}

static bool asked(penstock_node_t *node, penstock_addr_t sink, const penstock_bulk_pdu_t *pdu, penstock_time_t now)
{
    penstock_bulk_source_t *source = source_of(node);
    if (!is_ours(source, sink, pdu->transfer)) {
        refuse(node, sink, pdu->transfer, PENSTOCK_BULK_UNKNOWN, now);
        return true;
    }
    if (source->phase != PENSTOCK_BULK_SERVING || !makes_sense(node, pdu)) {
        return false;
    }
    if (!source->has_round) {
        penstock_bulk_path_begin(node, penstock_bulk_ticks_us(pdu->interval), now);
    }
    stop_sending(node);
    source->has_round = true;
    source->round = pdu->round;
    source->packet_len = pdu->length;
    source->used_at = now;
    source->is_range = pdu->kind == PENSTOCK_BULK_PDU_REQUEST;
    source->first = pdu->first;
    source->last = pdu->last;
    source->count = pdu->count;
    for (uint8_t i = 0u; i < pdu->count; i++) {
        source->asked[i] = penstock_bulk_pdu_index(pdu, i);
    }
    pump(node, now);
    return true;
}

bool penstock_bulk_source_told(penstock_node_t *node, penstock_addr_t sink, const penstock_bulk_pdu_t *pdu,
                               penstock_time_t now)
{
    switch (pdu->kind) {
    case PENSTOCK_BULK_PDU_QUERY:
        return queried(node, sink, pdu, now);
    case PENSTOCK_BULK_PDU_REQUEST:
    case PENSTOCK_BULK_PDU_NACK:
        return asked(node, sink, pdu, now);
    case PENSTOCK_BULK_PDU_END:
        if (!is_ours(source_of(node), sink, pdu->transfer)) {
            return false;
        }
        if (pdu->outcome == 0u) {
            penstock_bulk_source_end(node, PENSTOCK_BULK_SERVED, PENSTOCK_BULK_NO_REASON);
        } else {
            penstock_bulk_source_end(node, PENSTOCK_BULK_ABANDONED, PENSTOCK_BULK_STOPPED);
        }
        return true;
    default:
        return false;
    }
}

void penstock_bulk_source_provided(penstock_node_t *node, const uint8_t *bytes, uint8_t len, penstock_time_t now)
{
    penstock_bulk_ends_t *ends = penstock_bulk_ends_of(node);
    if (bytes == NULL) {
        penstock_bulk_source_end(node, PENSTOCK_BULK_ABANDONED, PENSTOCK_BULK_SOURCE_STORAGE);
        penstock_bulk_source_refuse(node, PENSTOCK_BULK_SOURCE_STORAGE, now);
        return;
    }
    for (uint8_t i = 0u; i < len; i++) {
        ends->buffer[PENSTOCK_BULK_DATA_LEN + i] = bytes[i];
    }
    ends->buffer_len = len;
    ends->source.held = ends->read_index;
    pump(node, now);
}

/* ---- Time ------------------------------------------------------------------------------------ */

bool penstock_bulk_source_deadline(const penstock_node_t *node, penstock_time_t *at)
{
    const penstock_bulk_source_t *source = source_of(node);
    bool any = source->phase != PENSTOCK_BULK_IDLE;
    *at = source->used_at + penstock_bulk_patience_us(penstock_bulk_ends_params_of(node));
    if (source->pumps) {
        penstock_sooner(&any, at, source->pump_at);
    }
    return any;
}

void penstock_bulk_source_tick(penstock_node_t *node, penstock_time_t now)
{
    penstock_bulk_source_t *source = source_of(node);
    uint32_t patience = penstock_bulk_patience_us(penstock_bulk_ends_params_of(node));
    if (source->phase != PENSTOCK_BULK_IDLE && now - source->used_at >= patience) {
        penstock_bulk_source_end(node, PENSTOCK_BULK_ABANDONED, PENSTOCK_BULK_SILENT);
    }
    if (now - source->refused_at >= patience) {
        source->refuses = PENSTOCK_BULK_NO_REASON; /* it found no way, and nobody waits for it any more */
    }
    pump(node, now);
}
