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
 *   CHECKING      The application reads the object back, from where it has stored it, and the CRC is compared. A wrong
 * one voids everything, and the sink begins again with a query, `restarts` times (2.1).
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
 * Gaps that the paper leaves, and what is done here:
 *
 *   A run of missing packets longer than a NACK holds is asked for by a REQUEST with its first and last number. Lists
 *   alone would take a round trip for every 21 packets after a path was cut for a while, and would make it
 *   senseless to resume. Fewer go by NACK, as in Fig. 1.
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
#include "bulk/path.h"

/* RFC 6298, 2.3: gains 1/8 and 1/4; the interval's is the same as SRTT's. */
#define GAIN_SHIFT 3u
#define VARIANCE_GAIN_SHIFT 2u
/* Packets in a row that may be lost before the sink gives up on the rest of a round. */
#define LOSSES_IN_A_ROW 8u
/* 2 + I for an interference range of three hops (2.3.1). */
#define PIPELINE_HOPS 5u
/* How often a source may have started anew since the last new packet. */
#define RETURNS 3u

static penstock_bulk_sink_t *sink_of(const penstock_node_t *node)
{
    return &penstock_bulk_ends_of(node)->sink;
}

/* ---- The bitmap ------------------------------------------------------------------ */

static bool has(const penstock_bulk_sink_t *sink, uint16_t index)
{
    return (sink->bitmap[index >> 3] & (uint8_t)(1u << (index & 7u))) != 0u;
}

/* The first packet from `index` on that is missing, or has come (`wanted` false); the count of packets if none. */
static uint16_t find(const penstock_bulk_sink_t *sink, uint16_t index, bool wanted)
{
    while (index < sink->count && has(sink, index) == wanted) {
        index++;
    }
    return index;
}

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
        sink->missing = (uint16_t)(sink->missing - (has(sink, i) ? 1u : 0u));
    }
    return true;
}

/* ---- Time-outs --------------------------------------------------------------------- */

/* a * b, at most `most`. */
static uint32_t times(uint32_t a, uint32_t b, uint32_t most)
{
    return b != 0u && a > most / b ? most : a * b;
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint32_t round_trip_timeout(const penstock_node_t *node)
{
    const penstock_bulk_sink_t *sink = sink_of(node);
    const penstock_bulk_ends_params_t *params = penstock_bulk_ends_params_of(node);
    uint32_t most = params->timeout_max_us;
    if (!sink->rtt_known) {
        return params->query_timeout_us;
    }
    uint32_t a_hop = least(node->config->packet_time_us, most) + penstock_bulk_flood_jitter_us(node);
    uint32_t there_and_back = times(a_hop, 2u * (uint32_t)sink->hops, most);
    uint32_t measured = least(sink->srtt_us, most) + times(sink->rttvar_us, 4u, most);
    return least(measured > there_and_back ? measured : there_and_back, most);
}

static void sample_round_trip(penstock_bulk_sink_t *sink, uint32_t rtt)
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

/* What the source is told to begin with. */
static uint32_t interval_us(const penstock_node_t *node)
{
    const penstock_bulk_sink_t *sink = sink_of(node);
    const penstock_bulk_ends_params_t *params = penstock_bulk_ends_params_of(node);
    if (sink->interval_us != 0u) {
        return sink->interval_us;
    }
    if (params->first_interval_us != 0u) {
        return params->first_interval_us;
    }
    uint32_t hops = sink->hops < PIPELINE_HOPS ? sink->hops : (uint32_t)PIPELINE_HOPS;
    return times(node->config->packet_time_us, hops, params->timeout_max_us);
}

/* At least a packet time, whatever was measured. */
static void wait_for(penstock_node_t *node, uint32_t wait, penstock_time_t now)
{
    uint32_t a_packet = node->config->packet_time_us;
    sink_of(node)->at = now + (wait > a_packet ? wait : a_packet);
}

/* Waits for what was just asked for, and counts the question. */
static void wait_for_answer(penstock_node_t *node, uint32_t wait, penstock_time_t now)
{
    penstock_bulk_sink_t *sink = sink_of(node);
    if (penstock_bulk_blockwise(node)) {
        wait = penstock_bulk_blockwise_wait(node, sink->fruitless);
    } else {
        uint8_t doublings = sink->fruitless < 31u ? sink->fruitless : 31u;
        wait = times(wait, UINT32_C(1) << doublings, penstock_bulk_ends_params_of(node)->timeout_max_us);
    }
    sink->asked_at = now;
    if (sink->fruitless < UINT8_MAX) {
        sink->fruitless++;
    }
    wait_for(node, wait, now);
}

static bool patience_is_over(const penstock_node_t *node)
{
    const penstock_bulk_ends_params_t *params = penstock_bulk_ends_params_of(node);
    uint8_t tries = penstock_bulk_blockwise(node) ? (uint8_t)(params->max_retransmit + 1u) : params->tries;
    return sink_of(node)->fruitless >= tries;
}

/* ---- Questions ----------------------------------------------------------------------- */

/* Says a PDU to the source. The flood, for a NACK's indices. */
static penstock_bulk_flood_t *say(penstock_node_t *node, penstock_addr_t to, penstock_bulk_pdu_t *pdu,
                                  penstock_time_t now)
{
    const penstock_bulk_sink_t *sink = sink_of(node);
    pdu->transfer = sink->transfer;
    penstock_bulk_flood_t *flood = penstock_bulk_flood_begin(node, sink->source, to, now);
    flood->len = (uint8_t)penstock_bulk_pdu_write(pdu, flood->pdu, sizeof flood->pdu);
    penstock_bulk_flood_heed(node, node->config->address, pdu, now);
    return flood;
}

static void query(penstock_node_t *node, penstock_time_t now)
{
    penstock_bulk_sink_t *sink = sink_of(node);
    sink->phase = PENSTOCK_BULK_QUERYING;
    sink->query++;
    penstock_bulk_pdu_t pdu = {.kind = PENSTOCK_BULK_PDU_QUERY, .number = sink->query, .object = sink->object};
    (void)say(node, PENSTOCK_ADDR_BROADCAST, &pdu, now);
    wait_for_answer(node, penstock_bulk_ends_params_of(node)->query_timeout_us, now);
}

/* For how long routes stay frozen: until this round must be over twice, and the sink has lost patience, too. */
static uint8_t hold_of(const penstock_node_t *node, uint16_t packets)
{
    const penstock_bulk_ends_params_t *params = penstock_bulk_ends_params_of(node);
    if (!params->freeze || penstock_bulk_blockwise(node)) {
        return 0u;
    }
    uint32_t longest_ms = PENSTOCK_BULK_HOLD_MAX_S * 1000u;
    uint32_t round_ms = times(2u * packets, interval_us(node) / 1000u + 1u, longest_ms);
    uint32_t seconds = (round_ms + penstock_bulk_patience_us(params) / 1000u) / 1000u;
    return (uint8_t)(least(seconds, PENSTOCK_BULK_HOLD_MAX_S - 1u) / PENSTOCK_BULK_HOLD_S + 1u);
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
    penstock_bulk_sink_t *sink = sink_of(node);
    uint16_t index = sink->round_first;
    for (uint8_t i = 0u; i < count; i++) {
        index = find(sink, index, true);
        penstock_bulk_pdu_write_index(flood->pdu, i, index);
        sink->round_last = index;
        index++;
    }
}

/* Asks for what is missing. `clean`: the round before ended well. */
static void ask(penstock_node_t *node, bool clean, penstock_time_t now)
{
    penstock_bulk_sink_t *sink = sink_of(node);
    bool blockwise = penstock_bulk_blockwise(node);
    uint8_t room = blockwise ? 1u : nack_room(node);
    sink->low = find(sink, sink->low, true);
    sink->round_first = sink->low;
    sink->round_last = blockwise ? sink->low : (uint16_t)(find(sink, sink->low, false) - 1u);
    uint16_t run = (uint16_t)(sink->round_last - sink->round_first + 1u);
    bool is_range = blockwise || run > room || (sink->fresh && run == sink->missing);
    sink->round_missing = is_range ? run : (sink->missing < room ? sink->missing : room);

    penstock_bulk_pdu_t pdu = {
        .kind = is_range ? PENSTOCK_BULK_PDU_REQUEST : PENSTOCK_BULK_PDU_NACK,
        .round = ++sink->round,
        .hold = hold_of(node, sink->round_missing),
        .interval = penstock_bulk_ticks(interval_us(node)),
        .length = sink->packet_len,
        .first = sink->round_first,
        .last = sink->round_last,
        .count = (uint8_t)sink->round_missing,
    };
    penstock_addr_t to = blockwise ? penstock_bulk_blockwise_to(node, sink->source, sink->fruitless)
                                   : (penstock_addr_t)PENSTOCK_ADDR_BROADCAST;
    penstock_bulk_flood_t *flood = say(node, to, &pdu, now);
    if (!is_range) {
        list(node, flood, (uint8_t)sink->round_missing);
    }
    sink->phase = sink->fresh ? PENSTOCK_BULK_TRANSFERRING : PENSTOCK_BULK_REPAIRING;
    sink->rounds++;
    sink->rtt_timed = clean && sink->fruitless == 0u;
    sink->dense = is_range;
    sink->has_last = false;
    wait_for_answer(node, round_trip_timeout(node) + interval_us(node), now);
}

/* ---- The course of a transfer ---------------------------------------------------------- */

void penstock_bulk_sink_end(penstock_node_t *node, penstock_bulk_event_kind_t kind, penstock_bulk_reason_t reason,
                            penstock_time_t now)
{
    penstock_bulk_pdu_t pdu = {.kind = PENSTOCK_BULK_PDU_END, .outcome = kind != PENSTOCK_BULK_DONE};
    (void)say(node, PENSTOCK_ADDR_BROADCAST, &pdu, now);
    sink_of(node)->phase = PENSTOCK_BULK_IDLE;
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
    penstock_bulk_sink_t *sink = sink_of(node);
    if (sink->restarts_left == 0u) {
        fail(node, PENSTOCK_BULK_INTEGRITY, now);
        return;
    }
    sink->restarts_left--;
    penstock_bulk_want_nothing(penstock_bulk_ends_of(node));
    clear_bitmap(sink);
    begin(sink);
    penstock_bulk_tell(node, PENSTOCK_BULK_RESTARTED, PENSTOCK_BULK_INTEGRITY);
    query(node, now);
}

static void check(penstock_node_t *node)
{
    penstock_bulk_sink_t *sink = sink_of(node);
    sink->phase = PENSTOCK_BULK_CHECKING;
    sink->checked = 0u;
    sink->sum = 0u;
    penstock_bulk_want(penstock_bulk_ends_of(node), 0u);
}

/* Asks for more, or has nothing more to ask for. */
static void go_on(penstock_node_t *node, bool clean, penstock_time_t now)
{
    if (sink_of(node)->missing == 0u) {
        check(node);
    } else {
        ask(node, clean, now);
    }
}

int penstock_bulk_sink_request(penstock_node_t *node, const penstock_bulk_request_t *request, penstock_time_t now)
{
    penstock_bulk_sink_t *sink = sink_of(node);
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
    query(node, now);
    return PENSTOCK_OK;
}

/* ---- Answers ---------------------------------------------------------------------------- */

static bool report_arrived(penstock_node_t *node, const penstock_bulk_pdu_t *pdu, penstock_time_t now)
{
    penstock_bulk_sink_t *sink = sink_of(node);
    if (sink->phase != PENSTOCK_BULK_QUERYING) {
        return false;
    }
    uint32_t rtt = now - sink->asked_at;
    uint32_t held = (uint32_t)pdu->held_ms * 1000u;
    if (pdu->number == sink->query && held <= rtt) {
        sample_round_trip(sink, rtt - held);
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
    penstock_bulk_sink_t *sink = sink_of(node);
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
        query(node, now);
    }
    return true;
}

/* What the arrival of a new packet tells about time. */
static void learn(penstock_node_t *node, uint16_t index, penstock_time_t now)
{
    penstock_bulk_sink_t *sink = sink_of(node);
    bool of_round = index >= sink->round_first && index <= sink->round_last;
    if (of_round && sink->rtt_timed) {
        sample_round_trip(sink, now - sink->asked_at);
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
    uint32_t rest = times(interval_us(node), least(to_come, LOSSES_IN_A_ROW), most);
    sink->fruitless = 0u;
    sink->returns = 0u;
    wait_for(node, least(round_trip_timeout(node) + rest, most), now);
}

static bool data_arrived(penstock_node_t *node, const penstock_bulk_pdu_t *pdu, penstock_time_t now)
{
    penstock_bulk_ends_t *ends = penstock_bulk_ends_of(node);
    penstock_bulk_sink_t *sink = &ends->sink;
    if (!is_transferring(sink) || ends->buffer_len != 0u || pdu->index >= sink->count || has(sink, pdu->index) ||
        pdu->bytes_len != penstock_bulk_packet_bytes(sink->size, sink->packet_len, pdu->index)) {
        return false;
    }
    for (uint8_t i = 0u; i < pdu->bytes_len; i++) {
        ends->buffer[i] = pdu->bytes[i];
    }
    ends->buffer_len = pdu->bytes_len;
    sink->held = pdu->index;
    learn(node, pdu->index, now);
    return true;
}

bool penstock_bulk_sink_arrived(penstock_node_t *node, penstock_addr_t origin, uint8_t hops,
                                const penstock_bulk_pdu_t *pdu, penstock_time_t now)
{
    penstock_bulk_sink_t *sink = sink_of(node);
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
    penstock_bulk_sink_t *sink = sink_of(node);
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
    const penstock_bulk_sink_t *sink = sink_of(node);
    *at = sink->at;
    return sink->phase == PENSTOCK_BULK_QUERYING || is_transferring(sink);
}

void penstock_bulk_sink_tick(penstock_node_t *node, penstock_time_t now)
{
    penstock_bulk_sink_t *sink = sink_of(node);
    bool asks = sink->phase == PENSTOCK_BULK_QUERYING || is_transferring(sink);
    if (sink->phase == PENSTOCK_BULK_CHECKING) {
        penstock_bulk_want(penstock_bulk_ends_of(node), sink->checked); /* unless it was: an old answer was awaited */
    } else if (asks && penstock_time_reached(now, sink->at)) {
        if (patience_is_over(node)) {
            fail(node, sink->answered ? PENSTOCK_BULK_SILENT : PENSTOCK_BULK_UNREACHABLE, now);
        } else if (sink->phase == PENSTOCK_BULK_QUERYING) {
            query(node, now);
        } else {
            ask(node, false, now);
        }
    }
}
