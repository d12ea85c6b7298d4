/* Fuzz target: a whole node. The input is its config and then a life: what the radio, the
 * MAC, the application and the clock do to it, in any order, with any bytes.
 *
 * After each event: the queue is within its bounds, every packet that came in has gone
 * out, was dropped with a reason, or is still there; and no timer asks for the past.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <string.h>

#include "life.h"
#include "require.h"

#include "beacon.h"
#include "bytes.h"
#include "control/compose.h"
#include "control/ifrc_parts.h"
#include "control/wrcp_interval.h"
#include "control/wrcp_rate.h"
#include "frame.h"
#include "penstock/penstock.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool begin(life_t *life)
{
    uint8_t strategies = 0u;
    while (penstock_strategies[strategies] != NULL) {
        strategies++;
    }
    uint8_t strategy = life_next(life) % strategies;
    uint8_t flags = life_next(life);
    life->now = (uint32_t)life_next(life) << 24;
    life->config = (penstock_config_t){
        .address = SELF,
        .pan_id = PAN,
        .is_root = (flags & 1u) != 0u,
        .advertise = (flags & 2u) != 0u,
        .beacons = (flags & 4u) != 0u,
        .seed = life_next(life),
        .max_frame_len = (uint8_t)(24u + life_next(life) % 102u),
        .packet_time_us = 1u + life_next_u16(life),
        .queue = life->queue,
        .queue_capacity = (uint8_t)(1u + life_next(life) % QUEUE),
        .link_attempts = (uint8_t)(1u + life_next(life) % 5u),
        .hop_limit = (uint8_t)(1u + life_next(life) % 254u),
        .neighbors = life->neighbors,
        .neighbor_capacity = (uint8_t)(1u + life_next(life) % NEIGHBORS),
        .peers = life->peers,
        .peer_capacity = NEIGHBORS,
        .beacon_period_us = 1u + (uint32_t)life_next_u16(life) * 256u,
        .control = penstock_strategies[strategy],
        .control_params = penstock_control_defaults(),
    };
    life->config.local_share = (uint8_t)(1u + life_next(life) % life->config.queue_capacity);
    life->config.mac_attempts = (uint8_t)(1u + life_next(life) % life->config.link_attempts);
    if ((flags & 16u) != 0u) {
        life->config.routing = &penstock_routing_ctp;
        life->config.ctp.beacon_min_us = 2u + life_next_u16(life);
        life->config.ctp.beacon_max_us = life->config.ctp.beacon_min_us + life_next_u16(life) * 4096u;
        life->config.ctp.switch_etx = life_next_u16(life);
        life->config.ctp.link_tables = (flags & 32u) != 0u;
    }
    if ((flags & 8u) != 0u) { /* odd numbers for the parts */
        penstock_control_params_t *params = &life->config.control_params;
        params->channel_samples = life_next(life);
        params->channel_epochs = life_next(life);
        params->channel_epoch_us = life_next_u16(life);
        params->stop_timeout_us = life_next_u16(life);
        params->parent_delay_us = life_next_u16(life);
        params->rate_tokens = life_next(life);
        params->rate_window_us = life_next_u16(life);
        params->share_tokens = life_next(life);
        params->share_target_q8 = life_next(life);
        params->occupancy_free_q8 = life_next(life);
        params->ack_stop_us = life_next_u16(life);
        params->loss_ewma_q8 = life_next(life) | 1u;
        params->loss_threshold_q8 = life_next(life) | 1u;
        params->loss_age_us = 1u + life_next_u16(life);
        params->wrcp.alpha_q15 = (uint16_t)(1u + life_next_u16(life) % PENSTOCK_WRCP_ALPHA_ONE);
        params->wrcp.beta_q8 = life_next(life) | 1u;
        params->wrcp.start_rate = 64u + life_next_u16(life);
        params->ifrc.initial_rate = 655u + life_next_u16(life) * 99u;
        params->ifrc.slow_increase = 1u + life_next_u16(life);
        params->ifrc.epsilon_q16 = life_next_u16(life) | 1u;
        params->ifrc.queue_weight_q12 = (uint16_t)(1u + life_next_u16(life) % 4096u);
        params->ifrc.upper = life_next(life) % 8u;
        params->ifrc.lower = life_next(life) % 8u;
        params->ifrc.increment = life_next(life) % 8u;
    }
    if ((flags & 64u) != 0u) {
        life_begin_bulk(life);
    }
    return penstock_init(&life->node, &life->config, life->now) == PENSTOCK_OK;
}

static void receive_anything(life_t *life)
{
    uint8_t how = life_next(life);
    size_t len = life_next(life) % 160u;
    if (len > life->left) {
        len = life->left;
    }
    life_receive(life, life->data, len, how);
    life->data += len;
    life->left -= len;
}

/* Fields of the node's own strategy, whatever they say; of another one's length; or none. */
static uint8_t fields_len(life_t *life, uint8_t how)
{
    uint8_t own = penstock_control_fields_len(life->config.control);
    if ((how & 32u) != 0u && own > 0u) {
        return own;
    }
    return (how & 64u) != 0u ? life_next(life) % (PENSTOCK_CONTROL_FIELDS_MAX + 1u) : 0u;
}

/* A control frame from a neighbour. */
static void receive_control(life_t *life)
{
    uint8_t bytes[PENSTOCK_FRAME_MAX] = {0u};
    uint8_t fields[PENSTOCK_CONTROL_FIELDS_MAX] = {0u};
    uint8_t how = life_next(life);
    penstock_frame_t frame = {
        .type = PENSTOCK_FRAME_CONTROL,
        .link_seq = life_next(life),
        .pan_id = PAN,
        .dst = PENSTOCK_ADDR_BROADCAST,
        .src = life_next(life) % 8u,
        .control = fields,
        .control_len = fields_len(life, how),
    };
    for (uint8_t i = 0u; i < frame.control_len; i++) {
        fields[i] = life_next(life);
    }
    life_receive(life, bytes, (size_t)penstock_frame_write_header(&frame, bytes, sizeof bytes), how | 1u);
}

/* A frame that gets past the parser, so that the fuzzer need not find its headers. */
static void receive_frame(life_t *life, bool is_data)
{
    uint8_t bytes[PENSTOCK_FRAME_MAX] = {0u};
    uint8_t how = life_next(life);
    penstock_frame_t frame = {
        .type = is_data ? PENSTOCK_FRAME_DATA : PENSTOCK_FRAME_BEACON,
        .link_seq = life_next(life),
        .ack_request = (how & 4u) != 0u,
        .congested = (how & 8u) != 0u,
        .pan_id = PAN,
        .dst = is_data ? (how & 16u) != 0u ? SELF : life_next(life) % 8u : PENSTOCK_ADDR_BROADCAST,
        .src = life_next(life) % 8u,
    };
    uint8_t routing = life_next(life);
    frame.is_ctp = (routing & 1u) != 0u;
    frame.pull = !is_data && (routing & 2u) != 0u;
    uint8_t fields[PENSTOCK_CONTROL_FIELDS_MAX] = {0u};
    if (is_data) {
        frame.path_etx = (uint16_t)(routing * 256u);
        frame.origin = life_next(life) % 16u;
        frame.seq = life_next(life) % 4u;
        frame.hops = life_next(life);
        frame.control = fields;
        frame.control_len = fields_len(life, how);
        for (uint8_t i = 0u; i < frame.control_len; i++) {
            fields[i] = life_next(life);
        }
        if (frame.control_len == PENSTOCK_IFRC_FIELDS_LEN &&
            (how & 128u) != 0u) { /* as if its sender had written them */
            penstock_put_u16(fields, frame.src);
        }
    }
    int header = penstock_frame_write_header(&frame, bytes, sizeof bytes);
    size_t len = (size_t)header;
    if (is_data) {
        len += life_next(life) % (sizeof bytes - len + 1u);
    } else {
        penstock_beacon_t beacon = {
            .root = life_next(life) % 8u,
            .route_seq = (uint16_t)(life_next(life) * 257u),
            .etx = life_next_u16(life),
            .hops = life_next(life),
            .parent = life_next(life) % 8u,
            .count = life_next(life) % 3u,
        };
        len += (size_t)penstock_beacon_write(&beacon, bytes + header, sizeof bytes - len);
        for (uint8_t i = 0u; i < beacon.count; i++) {
            penstock_beacon_entry_t entry = {SELF, life_next(life)};
            penstock_beacon_write_entry(bytes + header, i, entry);
        }
    }
    life_receive(life, bytes, len, how);
}

static void transmit(life_t *life)
{
    uint8_t bytes[PENSTOCK_FRAME_MAX];
    penstock_tx_t tx;
    uint8_t capacity = life_next(life);
    bool was_in_flight = life->node.in_flight != 0u;
    /* Of this moment: parts may change their mind when they hear that the frame goes out (detect_loss.c). */
    bool congested = penstock_congested(&life->node);
    uint8_t *block = malloc(sizeof bytes);
    REQUIRE(block != NULL);
    size_t room = capacity < sizeof bytes ? capacity : sizeof bytes;
    int result = penstock_poll_transmit(&life->node, &tx, block, room, life->now);
    REQUIRE(result == 0 || result == 1 || result == PENSTOCK_TOO_LONG);
    REQUIRE(!was_in_flight || result == 0);
    if (result == 1) {
        penstock_frame_t frame;
        REQUIRE(tx.len <= room && tx.len <= life->config.max_frame_len);
        REQUIRE(penstock_frame_parse(&frame, block, tx.len) == PENSTOCK_OK);
        REQUIRE(frame.src == SELF && frame.dst == tx.dst && frame.ack_request == tx.ack);
        REQUIRE(frame.congested == congested);
        uint8_t fields = penstock_control_fields_len(life->config.control);
        bool is_own = tx.is_data && frame.payload_len <= penstock_payload_max(&life->node);
        REQUIRE(!is_own || frame.control_len == fields);
        REQUIRE((!is_own && tx.is_data) || frame.is_ctp == (life->config.routing != NULL));
        REQUIRE(tx.attempts >= 1u && tx.attempts <= life->config.mac_attempts);
        penstock_beacon_t beacon;
        REQUIRE(frame.type != PENSTOCK_FRAME_CONTROL || frame.control_len == fields);
        REQUIRE(frame.type != PENSTOCK_FRAME_BEACON ||
                penstock_beacon_parse(&beacon, frame.payload, frame.payload_len) == PENSTOCK_OK);
    }
    free(block);
}

static void offer(life_t *life)
{
    uint8_t payload[255] = {0u};
    uint8_t len = life_next(life);
    uint8_t service = life_next(life) % 20u;
    bool writable = penstock_writable(&life->node, life->now);
    penstock_time_t retry_at = life->now;
    int result = penstock_send(&life->node, service, payload, len, life->now, NULL, &retry_at);
    REQUIRE(result != PENSTOCK_OK || (writable && len <= penstock_payload_max(&life->node)));
    REQUIRE(result != PENSTOCK_WOULD_BLOCK || !writable);
    REQUIRE(penstock_time_reached(retry_at, life->now));
}

static void let_time_pass(life_t *life, penstock_time_t until)
{
    life->now = until;
    penstock_tick(&life->node, until);
    penstock_time_t at;
    if (penstock_next_deadline(&life->node, until, &at)) {
        REQUIRE(at != until && penstock_time_reached(at, until));
    }
}

static void check(const life_t *life)
{
    const penstock_node_t *node = &life->node;
    const penstock_queue_t *queue = &node->queue;
    REQUIRE(queue->count <= queue->capacity && queue->head < queue->capacity);
    REQUIRE(queue->local_count <= queue->count && queue->local_count <= queue->local_share);
    const penstock_packet_t *head = penstock_queue_head(queue);
    REQUIRE(head == NULL || head->attempts < life->config.link_attempts);

    const penstock_counters_t *counters = &node->counters;
    uint32_t out = counters->forwarded + counters->delivered + queue->count;
    for (int reason = 0; reason < PENSTOCK_DROP_COUNT; reason++) {
        out += counters->drops[reason];
    }
    REQUIRE(counters->admitted + counters->received == out);

    REQUIRE(node->drop_reports_pending <= PENSTOCK_DROP_REPORTS);
    REQUIRE(node->control.backpressure.credit <= queue->capacity);
    REQUIRE(node->control.loss.through <= 65025u);
    REQUIRE(node->control.sources.count <= PENSTOCK_RATE_SOURCES);
    if (!penstock_strategy_needs_peers(life->config.control)) {
        REQUIRE(node->control.share.bucket.credit <= life->config.control_params.share_tokens * UINT32_C(16000000));
    }
    if (life->config.control == &penstock_control_wrcp) {
        uint32_t rate = penstock_allowed_rate(node);
        REQUIRE(rate >= life->config.control_params.wrcp.start_rate && rate <= PENSTOCK_WRCP_RATE_MAX);
        REQUIRE(node->control.wrcp.average_us >= PENSTOCK_WRCP_INTERVAL_MIN_US);
        REQUIRE(node->control.wrcp.average_us <= PENSTOCK_WRCP_INTERVAL_MAX_US);
    }
    REQUIRE(penstock_parent(node) != SELF);
    REQUIRE(life->config.routing == NULL || node->tree.trickle.interval_us <= life->config.ctp.beacon_max_us);
    if (life->config.control == &penstock_control_ifrc) {
        const penstock_ifrc_t *ifrc = &node->control.ifrc;
        REQUIRE(ifrc->rate >= life->config.control_params.ifrc.initial_rate && ifrc->rate <= PENSTOCK_IFRC_RATE_MAX);
        REQUIRE(ifrc->level <= PENSTOCK_IFRC_LEVELS);
        REQUIRE(ifrc->average_q12 <= (uint32_t)queue->capacity * 4096u);
    }
    life_check_bulk(life);
    for (uint8_t i = 0u; i < life->config.neighbor_capacity; i++) {
        REQUIRE(life->neighbors[i].address != SELF);
    }
}

static void live(life_t *life)
{
    penstock_time_t at;
    penstock_delivery_t delivery;
    penstock_drop_report_t drop;
    uint8_t choice = life_next(life);
    switch (choice % 16u) {
    case 0:
        let_time_pass(life, life->now + life_next_u16(life) * 64u);
        break;
    case 1:
        receive_anything(life);
        break;
    case 2:
    case 3:
        receive_frame(life, true);
        break;
    case 4:
        receive_frame(life, false);
        break;
    case 5:
        transmit(life);
        break;
    case 11:
        receive_control(life);
        break;
    case 12:
    case 13:
        life_receive_bulk(life);
        break;
    case 14:
        life_offer_bulk(life);
        break;
    case 6: {
        penstock_tx_report_t report = {life_next(life) % 3u, life_next(life), (choice & 128u) != 0u};
        penstock_transmitted(&life->node, &report, life->now);
        break;
    }
    case 7:
        offer(life);
        break;
    case 8:
        if (penstock_poll_deliver(&life->node, &delivery, life->now) == 1) {
            REQUIRE(life->config.is_root && delivery.len <= PENSTOCK_PAYLOAD_MAX);
        }
        break;
    case 9:
        if (penstock_poll_drop(&life->node, &drop) == 1) {
            REQUIRE(drop.reason > PENSTOCK_DROP_NONE && drop.reason < PENSTOCK_DROP_COUNT);
        }
        break;
    case 10:
        if (penstock_wants_channel_sample(&life->node, life->now) || choice > 200u) {
            penstock_channel_busy(&life->node, (choice & 64u) != 0u, life->now);
        } else if (choice > 100u) {
            penstock_pin_route(&life->node, (choice & 16u) != 0u);
        } else if (choice > 90u) {
            uint8_t waiting = life->node.queue.count;
            penstock_forget_congestion(&life->node, life->now);
            REQUIRE(!penstock_stopped(&life->node, life->now) && life->node.queue.count == waiting);
        } else {
            penstock_set_parent(&life->node, life_next(life) % 8u == 7u ? PENSTOCK_ADDR_NONE : choice % 8u, life->now);
        }
        break;
    default:
        if (penstock_next_deadline(&life->node, life->now, &at) && penstock_time_reached(at, life->now)) {
            let_time_pass(life, at);
        }
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
