/* The sink of a bulk transfer: the machine that asks (Flush 2.1 and 2.2).
 *
 *   IDLE -> QUERYING -> TRANSFERRING -> REPAIRING -> CHECKING -> IDLE
 *
 *   QUERYING      The topology query (2.1): is the source there, how far away, and what is the object? The answer
 *                 brings length and CRC; the hops that it counted and the time that it took set the time-outs.
 *   TRANSFERRING  One REQUEST for all packets. They are ticked off in the caller's bitmap.
 *   REPAIRING     The acknowledgement (2.2): "when it believes that the source has finished sending", the sink sends a
 *                 NACK with the first missing packets, as many as fit, and waits for these. One NACK at a time is in
 *                 flight. Again, until nothing is missing.
 *   CHECKING      The application reads the object back, from where it has stored it, and the CRC is compared. A
 *                 wrong one voids everything, and the sink begins again with a query, `restarts` times (2.1).
 *
 * When that is, and how long anything is waited for, is in sink_time.c; what is asked for next, in sink_ask.c.
 *
 * Gaps that the paper leaves, and what is done here:
 *
 *   Failure. After `tries` questions in a row that brought nothing new the transfer has failed; bitmap and bytes
 *   stay as they are. Copies of what is here already are nothing new: no replay keeps a dead transfer alive.
 *
 *   A source that does not know the transfer says so (it has rebooted): the sink queries again under the same
 *   number, and goes on if length and CRC are what they were. If not, the object has changed: everything is void, as
 *   after a failed check. Such an answer is a sign of life, and the count of fruitless questions begins again; the
 *   fourth in a row is the end, or a source that starts anew for ever would be asked for ever.
 *
 *   A packet counts as arrived once the application has taken it (penstock_bulk_poll_write), so that the bitmap
 *   never tells of bytes that nobody has. There is room for one; others that come meanwhile are lost.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "bulk/ends.h"
#include "bulk/sink_parts.h"

/* How often a source may have started anew since the last new packet. */
#define RETURNS 3u

/* ---- What there is to fetch ------------------------------------------------------- */

static void clear_bitmap(const penstock_bulk_sink_t *sink)
{
    for (size_t i = 0u; i < sink->bitmap_len; i++) {
        sink->bitmap[i] = 0u;
    }
}

/* Takes over what is known of the object; false when the bitmap or the sequence numbers do not reach. */
static bool measure(penstock_bulk_sink_t *sink, uint32_t size, uint32_t crc, uint8_t packet_len)
{
    uint16_t count = penstock_bulk_packets(size, packet_len);
    if (count == 0u || sink->bitmap_len < ((size_t)count + 7u) / 8u) {
        return false;
    }
    sink->size = size;
    sink->crc = crc;
    sink->packet_len = packet_len;
    sink->count = count;
    sink->missing = count;
    sink->low = 0u;
    for (uint16_t i = 0u; i < count; i++) {
        sink->missing = (uint16_t)(sink->missing - (penstock_bulk_sink_has(sink, i) ? 1u : 0u));
    }
    return true;
}

/* ---- The course of a transfer ---------------------------------------------------------- */

void penstock_bulk_sink_end(penstock_node_t *node, penstock_bulk_event_kind_t kind, penstock_bulk_reason_t reason,
                            penstock_time_t now)
{
    penstock_bulk_pdu_t pdu = {.kind = PENSTOCK_BULK_PDU_END, .outcome = kind != PENSTOCK_BULK_DONE};
    (void)penstock_bulk_sink_say(node, PENSTOCK_ADDR_BROADCAST, &pdu, now);
    penstock_bulk_sink_of(node)->phase = PENSTOCK_BULK_IDLE;
    penstock_bulk_want_nothing(penstock_bulk_ends_of(node));
    penstock_bulk_tell(node, kind, reason);
}

static void fail(penstock_node_t *node, penstock_bulk_reason_t reason, penstock_time_t now)
{
    penstock_bulk_sink_end(node, PENSTOCK_BULK_FAILED, reason, now);
}

static bool is_transferring(const penstock_bulk_sink_t *sink)
{
    return sink->phase == PENSTOCK_BULK_TRANSFERRING || sink->phase == PENSTOCK_BULK_REPAIRING;
}

static void begin(penstock_bulk_sink_t *sink)
{
    sink->transfer++;
    sink->known = false;
    sink->fresh = true;
    sink->fruitless = 0u;
    sink->returns = 0u;
    sink->size = 0u;
    sink->packet_len = 0u;
    sink->count = 0u;
    sink->missing = 0u;
}

/* Everything that arrived is void. */
static void restart(penstock_node_t *node, penstock_time_t now)
{
    penstock_bulk_sink_t *sink = penstock_bulk_sink_of(node);
    if (sink->restarts_left == 0u) {
        fail(node, PENSTOCK_BULK_INTEGRITY, now);
        return;
    }
    sink->restarts_left--;
    penstock_bulk_want_nothing(penstock_bulk_ends_of(node));
    clear_bitmap(sink);
    begin(sink);
    penstock_bulk_tell(node, PENSTOCK_BULK_RESTARTED, PENSTOCK_BULK_INTEGRITY);
    penstock_bulk_sink_query(node, now);
}

static void check(penstock_node_t *node)
{
    penstock_bulk_sink_t *sink = penstock_bulk_sink_of(node);
    sink->phase = PENSTOCK_BULK_CHECKING;
    sink->checked = 0u;
    sink->sum = 0u;
    penstock_bulk_want(penstock_bulk_ends_of(node), 0u);
}

/* Asks for more, or has nothing more to ask for. */
static void go_on(penstock_node_t *node, bool clean, penstock_time_t now)
{
    if (penstock_bulk_sink_of(node)->missing == 0u) {
        check(node);
    } else {
        penstock_bulk_sink_ask(node, clean, now);
    }
}

int penstock_bulk_sink_request(penstock_node_t *node, const penstock_bulk_request_t *request, penstock_time_t now)
{
    penstock_bulk_sink_t *sink = penstock_bulk_sink_of(node);
    const penstock_bulk_checkpoint_t *from = &request->checkpoint;
    penstock_addr_t source = request->resume ? from->source : request->source;
    if (sink->phase != PENSTOCK_BULK_IDLE) {
        return PENSTOCK_WOULD_BLOCK;
    }
    if (source == PENSTOCK_ADDR_NONE || source == PENSTOCK_ADDR_BROADCAST || source == node->config->address ||
        request->bitmap == NULL || request->bitmap_len == 0u) {
        return PENSTOCK_INVALID;
    }
    if (request->resume) {
        uint16_t count = from->size != 0u && from->packet_len != 0u && from->packet_len <= PENSTOCK_BULK_BYTES_MAX
                             ? penstock_bulk_packets(from->size, from->packet_len)
                             : 0u;
        if (count == 0u || request->bitmap_len < ((size_t)count + 7u) / 8u) {
            return PENSTOCK_INVALID;
        }
    }
    uint8_t transfer = sink->transfer;
    uint8_t number = sink->query;
    *sink = (penstock_bulk_sink_t){
        .transfer = transfer,
        .query = number,
        .restarts_left = penstock_bulk_ends_params_of(node)->restarts,
        .source = source,
        .object = request->resume ? from->object : request->object,
        .bitmap = request->bitmap,
        .bitmap_len = request->bitmap_len,
    };
    begin(sink);
    penstock_bulk_want_nothing(penstock_bulk_ends_of(node));
    if (request->resume) {
        sink->known = measure(sink, from->size, from->crc, from->packet_len);
        if (sink->missing == 0u) {
            check(node); /* nothing to ask for: also where the source is gone */
            return PENSTOCK_OK;
        }
    } else {
        clear_bitmap(sink);
    }
    penstock_bulk_sink_query(node, now);
    return PENSTOCK_OK;
}

/* ---- Answers ---------------------------------------------------------------------------- */

static bool report_arrived(penstock_node_t *node, const penstock_bulk_pdu_t *pdu, penstock_time_t now)
{
    penstock_bulk_sink_t *sink = penstock_bulk_sink_of(node);
    if (sink->phase != PENSTOCK_BULK_QUERYING) {
        return false;
    }
    uint32_t rtt = now - sink->asked_at;
    uint32_t held = (uint32_t)pdu->held_ms * 1000u;
    if (pdu->number == sink->query && held <= rtt) {
        penstock_bulk_sink_sample(sink, rtt - held);
    }
    sink->answered = true;
    sink->fruitless = 0u;
    if (sink->known) {
        bool same = pdu->size == sink->size && pdu->crc == sink->crc && pdu->length >= sink->packet_len;
        if (same) {
            go_on(node, false, now);
        } else {
            restart(node, now);
        }
        return true;
    }
    uint8_t own = penstock_bulk_bytes_max(node);
    sink->known = measure(sink, pdu->size, pdu->crc, pdu->length < own ? pdu->length : own);
    if (!sink->known) {
        fail(node, PENSTOCK_BULK_SIZE, now);
        return true;
    }
    penstock_bulk_tell(node, PENSTOCK_BULK_STARTED, PENSTOCK_BULK_NO_REASON);
    go_on(node, true, now);
    return true;
}

static bool refused_arrived(penstock_node_t *node, const penstock_bulk_pdu_t *pdu, penstock_time_t now)
{
    penstock_bulk_sink_t *sink = penstock_bulk_sink_of(node);
    if (sink->phase != PENSTOCK_BULK_QUERYING && !is_transferring(sink)) {
        return false;
    }
    if (pdu->reason != PENSTOCK_BULK_UNKNOWN) {
        fail(node, (penstock_bulk_reason_t)pdu->reason, now);
    } else if (sink->phase == PENSTOCK_BULK_QUERYING) {
        return false; /* to a question of before */
    } else if (sink->returns == RETURNS) {
        fail(node, PENSTOCK_BULK_SILENT, now);
    } else {
        sink->returns++;
        sink->fruitless = 0u;
        penstock_bulk_sink_query(node, now);
    }
    return true;
}

static bool data_arrived(penstock_node_t *node, const penstock_bulk_pdu_t *pdu, penstock_time_t now)
{
    penstock_bulk_ends_t *ends = penstock_bulk_ends_of(node);
    penstock_bulk_sink_t *sink = &ends->sink;
    if (!is_transferring(sink) || ends->buffer_len != 0u || pdu->index >= sink->count ||
        penstock_bulk_sink_has(sink, pdu->index) ||
        pdu->bytes_len != penstock_bulk_packet_bytes(sink->size, sink->packet_len, pdu->index)) {
        return false;
    }
    for (uint8_t i = 0u; i < pdu->bytes_len; i++) {
        ends->buffer[i] = pdu->bytes[i];
    }
    ends->buffer_len = pdu->bytes_len;
    sink->held = pdu->index;
    penstock_bulk_sink_learn(node, pdu->index, now);
    return true;
}

bool penstock_bulk_sink_arrived(penstock_node_t *node, penstock_addr_t origin, uint8_t hops,
                                const penstock_bulk_pdu_t *pdu, penstock_time_t now)
{
    penstock_bulk_sink_t *sink = penstock_bulk_sink_of(node);
    if (origin != sink->source || pdu->transfer != sink->transfer) {
        return false;
    }
    bool for_another = pdu->kind != PENSTOCK_BULK_PDU_DATA && pdu->sink != node->config->address;
    if (for_another || sink->phase == PENSTOCK_BULK_IDLE) {
        return false;
    }
    uint8_t before = sink->hops;
    sink->hops = hops > 0u ? hops : 1u;
    bool of_use = false;
    if (pdu->kind == PENSTOCK_BULK_PDU_REPORT) {
        of_use = report_arrived(node, pdu, now);
    } else if (pdu->kind == PENSTOCK_BULK_PDU_REFUSED) {
        of_use = refused_arrived(node, pdu, now);
    } else if (pdu->kind == PENSTOCK_BULK_PDU_DATA) {
        of_use = data_arrived(node, pdu, now);
    }
    if (!of_use) {
        sink->hops = before;
    }
    return of_use;
}

int penstock_bulk_sink_poll_write(penstock_node_t *node, penstock_bulk_write_t *chunk, penstock_time_t now)
{
    penstock_bulk_ends_t *ends = penstock_bulk_ends_of(node);
    penstock_bulk_sink_t *sink = &ends->sink;
    if (ends->buffer_len == 0u) {
        return 0;
    }
    uint16_t index = sink->held;
    *chunk = (penstock_bulk_write_t){
        .object = sink->object,
        .offset = (uint32_t)index * sink->packet_len,
        .len = ends->buffer_len,
        .bytes = ends->buffer,
    };
    ends->buffer_len = 0u;
    sink->bitmap[index >> 3] = (uint8_t)(sink->bitmap[index >> 3] | 1u << (index & 7u));
    sink->missing--;
    sink->fresh = false;
    if (index >= sink->round_first && index <= sink->round_last) {
        sink->round_missing--;
    }
    bool over = index == sink->round_last || sink->round_missing == 0u || sink->missing == 0u;
    /* While the source is asked anew what it is, that answer comes first. */
    if (over && is_transferring(sink)) {
        go_on(node, true, now);
    }
    return 1;
}

void penstock_bulk_sink_provided(penstock_node_t *node, const uint8_t *bytes, uint8_t len, penstock_time_t now)
{
    penstock_bulk_sink_t *sink = penstock_bulk_sink_of(node);
    if (bytes == NULL) {
        fail(node, PENSTOCK_BULK_SINK_STORAGE, now);
        return;
    }
    sink->sum = penstock_crc32(sink->sum, bytes, len);
    sink->checked++;
    if (sink->checked < sink->count) {
        penstock_bulk_want(penstock_bulk_ends_of(node), sink->checked);
    } else if (sink->sum == sink->crc) {
        penstock_bulk_sink_end(node, PENSTOCK_BULK_DONE, PENSTOCK_BULK_NO_REASON, now);
    } else {
        restart(node, now);
    }
}

/* ---- Time ---------------------------------------------------------------------------------- */

bool penstock_bulk_sink_deadline(const penstock_node_t *node, penstock_time_t *at)
{
    const penstock_bulk_sink_t *sink = penstock_bulk_sink_of(node);
    *at = sink->at;
    return sink->phase == PENSTOCK_BULK_QUERYING || is_transferring(sink);
}

void penstock_bulk_sink_tick(penstock_node_t *node, penstock_time_t now)
{
    penstock_bulk_sink_t *sink = penstock_bulk_sink_of(node);
    bool asks = sink->phase == PENSTOCK_BULK_QUERYING || is_transferring(sink);
    if (sink->phase == PENSTOCK_BULK_CHECKING) {
        penstock_bulk_want(penstock_bulk_ends_of(node), sink->checked); /* unless it was: an old answer was awaited */
    } else if (asks && penstock_time_reached(now, sink->at)) {
        if (penstock_bulk_sink_impatient(node)) {
            fail(node, sink->answered ? PENSTOCK_BULK_SILENT : PENSTOCK_BULK_UNREACHABLE, now);
        } else if (sink->phase == PENSTOCK_BULK_QUERYING) {
            penstock_bulk_sink_query(node, now);
        } else {
            penstock_bulk_sink_ask(node, false, now);
        }
    }
}
