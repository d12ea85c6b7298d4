/* Fuzz target: the two ends of a bulk transfer. The input is their parameters and then a life: PDUs from anyone, in
 * any order, the applications' calls and the clock; sometimes what one end says reaches the other.
 *
 * After each event: nothing is asked for, written or read outside of the object; the sink's count of missing packets
 * is the bitmap's; and no timer asks for the past.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <string.h>

#include "require.h"

#include "bulk/ends.h"

enum { SINK = 1, SOURCE = 2, OTHER = 3, BITMAP = 8, QUEUE = 4 };

typedef struct end {
    penstock_config_t config;
    penstock_node_t node;
    penstock_packet_t queue[1];
    penstock_neighbor_t neighbors[2];
    penstock_bulk_t bulk;
    penstock_bulk_packet_t packets[QUEUE];
    penstock_bulk_flow_t flows[2];
    penstock_bulk_read_t read;
    bool owes;
} end_t;

typedef struct life {
    const uint8_t *data;
    size_t left;
    penstock_time_t now;
    penstock_bulk_params_t params;
    end_t sink;
    end_t source;
    uint8_t bitmap[BITMAP];
} life_t;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The next byte of the input; 0 when there are no more. */
static uint8_t next(life_t *life)
{
    if (life->left == 0u) {
        return 0u;
    }
    life->left--;
    return *life->data++;
}

static uint16_t next_u16(life_t *life)
{
    uint8_t low = next(life);
    return (uint16_t)(low | (uint16_t)(next(life) << 8));
}

static bool begin_end(life_t *life, end_t *end, penstock_addr_t address)
{
    end->owes = false;
    end->config = (penstock_config_t){
        .address = address,
        .pan_id = 1u,
        .is_root = address == SINK,
        .seed = 1u,
        .max_frame_len = 60u,
        .packet_time_us = 1000u,
        .queue = end->queue,
        .queue_capacity = 1u,
        .local_share = 1u,
        .link_attempts = 1u,
        .mac_attempts = 1u,
        .hop_limit = 9u,
        .neighbors = end->neighbors,
        .neighbor_capacity = 2u,
        .beacon_period_us = 1000000u,
        .control = &penstock_control_none,
        .control_params = penstock_control_defaults(),
        .bulk = &end->bulk,
        .bulk_ops = &penstock_bulk_flush,
        .bulk_params = &life->params,
        .bulk_queue = end->packets,
        .bulk_queue_capacity = QUEUE,
        .bulk_flows = end->flows,
        .bulk_flow_capacity = 2u,
    };
    if (penstock_init(&end->node, &end->config, life->now) != PENSTOCK_OK) {
        return false;
    }
    penstock_set_parent(&end->node, SINK, life->now);
    return true;
}

static bool begin(life_t *life)
{
    life->now = (uint32_t)next(life) << 24;
    life->params = penstock_bulk_defaults();
    life->params.path.mode = PENSTOCK_BULK_ASAP;
    life->params.ends.repair = next(life) % 2u;
    life->params.ends.packet_len = next(life) % 40u;
    life->params.ends.nack_max = next(life) % 30u;
    life->params.ends.tries = next(life) % 8u;
    life->params.ends.restarts = next(life) % 4u;
    life->params.ends.max_retransmit = next(life) % 7u;
    return begin_end(life, &life->sink, SINK) && begin_end(life, &life->source, SOURCE);
}

/* A PDU of the input: its kind, perhaps the right transfer, and anything. */
static uint8_t any_pdu(life_t *life, uint8_t *bytes)
{
    uint8_t choice = next(life);
    uint8_t len = (uint8_t)(1u + next(life) % PENSTOCK_BULK_FLOOD_PDU_MAX);
    for (uint8_t i = 0u; i < len; i++) {
        bytes[i] = next(life);
    }
    bytes[0] = choice % 9u;
    if (choice < 200u && len > 1u) {
        bytes[1] = life->sink.bulk.ends.sink.transfer;
    }
    return len;
}

static void to_source(life_t *life, penstock_addr_t sink, uint16_t number, const uint8_t *pdu, uint8_t len)
{
    penstock_frame_t frame = {
        .type = PENSTOCK_FRAME_FLOOD,
        .src = SINK,
        .dst = number % 2u == 0u ? PENSTOCK_ADDR_BROADCAST : (penstock_addr_t)SOURCE,
        .origin = sink,
        .seq = number,
        .target = number % 16u == 15u ? OTHER : SOURCE,
        .hops = (uint8_t)(number % 12u),
        .payload = pdu,
        .payload_len = len,
    };
    penstock_bulk_ends_flood(&life->source.node, &frame, life->now);
}

/* What an end wants to say; `heard`: the other end hears it. */
static void transmit(life_t *life, end_t *end, bool heard)
{
    penstock_tx_t tx;
    uint8_t bytes[PENSTOCK_FRAME_MAX];
    if (penstock_poll_transmit(&end->node, &tx, bytes, sizeof bytes, life->now) != 1) {
        return;
    }
    penstock_frame_t frame;
    REQUIRE(penstock_frame_parse(&frame, bytes, tx.len) == PENSTOCK_OK);
    end_t *other = end == &life->sink ? &life->source : &life->sink;
    penstock_bulk_pdu_t pdu;
    bool own = frame.origin == end->config.address;
    REQUIRE(!own || penstock_bulk_pdu_parse(&pdu, frame.payload, frame.payload_len) == PENSTOCK_OK);
    if (heard) {
        penstock_rx_info_t info = {.rssi_dbm = -50, .for_us = true, .acked = true};
        (void)penstock_receive(&other->node, bytes, tx.len, &info, life->now);
    }
    penstock_tx_report_t report = {heard ? PENSTOCK_TX_DONE : next(life) % 3u, 1u, false};
    penstock_transmitted(&end->node, &report, life->now);
}

static void ask(life_t *life)
{
    uint8_t choice = next(life);
    uint16_t size = next_u16(life);
    uint8_t packet_len = next(life);
    penstock_bulk_request_t request = {
        .source = choice % 4u,
        .object = choice % 3u,
        .bitmap = life->bitmap,
        .bitmap_len = choice % (BITMAP + 1u),
        .resume = choice > 180u,
        .checkpoint = {.source = SOURCE, .object = choice % 3u, .size = size, .packet_len = packet_len},
    };
    (void)penstock_bulk_request(&life->sink.node, &request, life->now);
}

static void application(life_t *life, end_t *end)
{
    uint8_t bytes[UINT8_MAX] = {0u};
    uint8_t choice = next(life);
    penstock_bulk_event_t event;
    penstock_bulk_write_t chunk;
    while (penstock_bulk_poll_event(&end->node, &event) == 1) {
        REQUIRE(event.kind >= PENSTOCK_BULK_ASKED && event.kind <= PENSTOCK_BULK_CANCELLED);
        REQUIRE(event.kind != PENSTOCK_BULK_FAILED || event.reason != PENSTOCK_BULK_NO_REASON);
        if (event.kind == PENSTOCK_BULK_ASKED && choice % 8u != 0u) {
            (void)penstock_bulk_offer(&end->node, event.object, choice % 4u == 0u ? UINT32_MAX : choice * 3u,
                                      choice < 128u ? 0u : 1u, life->now);
        } else if (event.kind == PENSTOCK_BULK_ASKED) {
            (void)penstock_bulk_refuse(&end->node, event.object, life->now);
        }
    }
    if (penstock_bulk_poll_write(&end->node, &chunk, life->now) == 1) {
        const penstock_bulk_sink_t *sink = &end->bulk.ends.sink;
        REQUIRE(end == &life->sink && chunk.len >= 1u && chunk.len <= sink->packet_len);
        REQUIRE(chunk.offset + chunk.len <= sink->size);
    }
    if (penstock_bulk_poll_read(&end->node, &end->read, life->now) == 1) {
        REQUIRE(!end->owes && end->read.len >= 1u);
        end->owes = true;
    }
    if (end->owes && choice % 3u != 0u) {
        bool can = choice % 16u != 1u;
        REQUIRE(penstock_bulk_provide(&end->node, can ? bytes : NULL, end->read.len, life->now) == PENSTOCK_OK);
        end->owes = false;
    } else if (!end->owes) {
        REQUIRE(penstock_bulk_provide(&end->node, bytes, 1u, life->now) == PENSTOCK_INVALID);
    }
}

static void let_time_pass(life_t *life, uint32_t by)
{
    life->now += by;
    end_t *const ends[] = {&life->sink, &life->source};
    for (int i = 0; i < 2; i++) {
        penstock_time_t at;
        penstock_tick(&ends[i]->node, life->now);
        if (penstock_bulk_ends_deadline(&ends[i]->node, life->now, &at)) {
            REQUIRE(at != life->now && penstock_time_reached(at, life->now));
        }
    }
}

static void check(const life_t *life)
{
    const penstock_bulk_ends_t *ends = &life->sink.bulk.ends;
    const penstock_bulk_sink_t *sink = &ends->sink;
    penstock_bulk_progress_t progress;
    penstock_bulk_progress(&life->sink.node, &progress);
    REQUIRE(progress.received <= progress.packets);
    if (sink->phase != PENSTOCK_BULK_IDLE && sink->known) {
        uint16_t here = 0u;
        REQUIRE(((size_t)sink->count + 7u) / 8u <= sink->bitmap_len && sink->packet_len >= 1u);
        for (uint16_t i = 0u; i < sink->count; i++) {
            here = (uint16_t)(here + ((sink->bitmap[i / 8u] >> (i % 8u)) & 1u));
        }
        REQUIRE(here + sink->missing == sink->count);
        REQUIRE(ends->buffer_len <= sink->packet_len);
        REQUIRE(sink->phase != PENSTOCK_BULK_CHECKING || sink->checked < sink->count);
    }
    const penstock_bulk_source_t *source = &life->source.bulk.ends.source;
    REQUIRE(source->next <= source->count && source->count <= PENSTOCK_BULK_NACK_MAX);
    REQUIRE(source->phase == PENSTOCK_BULK_SERVING || life->source.bulk.ends.buffer_len == 0u);
}

static void live(life_t *life)
{
    uint8_t bytes[PENSTOCK_BULK_FLOOD_PDU_MAX];
    uint8_t choice = next(life);
    end_t *end = (choice & 128u) != 0u ? &life->sink : &life->source;
    switch (choice % 12u) {
    case 0:
        let_time_pass(life, (uint32_t)next_u16(life) * 1024u);
        break;
    case 1: {
        uint8_t len = any_pdu(life, bytes);
        penstock_bulk_ends_arrived(&life->sink.node, choice < 240u ? SOURCE : OTHER, choice % 7u, bytes, len,
                                   life->now);
        break;
    }
    case 2: {
        uint8_t len = any_pdu(life, bytes);
        to_source(life, choice < 240u ? SINK : OTHER, next_u16(life), bytes, len);
        break;
    }
    case 3:
        ask(life);
        break;
    case 4:
        if (choice > 200u) {
            (void)penstock_bulk_cancel(&end->node, life->now);
        } else if (choice > 180u) {
            (void)begin_end(life, end, end->config.address);
        }
        break;
    case 5:
        transmit(life, end, false);
        break;
    case 6:
    case 7:
    case 8:
        transmit(life, end, true);
        break;
    default:
        application(life, end);
        break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static life_t life;
    memset(&life, 0, sizeof life);
    life.data = data;
    life.left = size;
    if (!begin(&life)) {
        return 0;
    }
    while (life.left > 0u) {
        live(&life);
        check(&life);
    }
    return 0;
}
