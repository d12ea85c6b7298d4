/* Bulk transfer in the life of a fuzzed node.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "bulk/path.h"
#include "frame.h"
#include "life.h"

void life_begin_bulk(life_t *life)
{
    life->config.bulk = &life->bulk;
    life->config.bulk_ops = &penstock_bulk_flush;
    life->config.bulk_params = &life->bulk_params;
    life->config.bulk_queue = life->bulk_queue;
    life->config.bulk_queue_capacity = (uint8_t)(1u + life_next(life) % BULK_QUEUE);
    life->config.bulk_flows = life->bulk_flows;
    life->config.bulk_flow_capacity = (uint8_t)(1u + life_next(life) % BULK_FLOWS);
    life->bulk_params = penstock_bulk_defaults();
    penstock_bulk_path_params_t *path = &life->bulk_params.path;
    uint8_t flags = life_next(life);
    path->mode = flags % PENSTOCK_BULK_MODE_COUNT;
    path->companded = (flags & 16u) != 0u;
    path->lower = (flags & 32u) != 0u;
    path->attempts = (uint8_t)(1u + life_next(life) % 6u);
    path->local_share = (uint8_t)(1u + life_next(life) % life->config.bulk_queue_capacity);
    path->queue_threshold = life_next(life) % 8u;
    path->delay_weight = life_next(life) % 8u;
    path->rssi_weight = life_next(life) % 8u;
    path->interferer_timeout = life_next(life);
    path->unit_us = (uint16_t)(8u + life_next_u16(life) % 60000u);
    path->fixed_interval_us = 1u + life_next_u16(life);
    path->longest_wait_us = 1u + life_next_u16(life) * 64u;
}

/* A frame of bulk transfer: a packet, for this node or overheard, or a flood. */
void life_receive_bulk(life_t *life)
{
    uint8_t bytes[PENSTOCK_FRAME_MAX] = {0u};
    uint8_t delays[PENSTOCK_BULK_DELAYS];
    uint8_t how = life_next(life);
    penstock_frame_t frame = {
        .type = (how & 4u) != 0u ? PENSTOCK_FRAME_BULK : PENSTOCK_FRAME_FLOOD,
        .link_seq = life_next(life),
        .ack_request = (how & 8u) != 0u,
        .pan_id = PAN,
        .dst = (how & 16u) != 0u    ? SELF
               : (how & 128u) != 0u ? PENSTOCK_ADDR_BROADCAST
                                    : life_next(life) % 8u,
        .src = life_next(life) % 8u,
        .origin = life_next(life) % 8u,
        .target = life_next(life) % 8u,
        .seq = life_next(life) % 4u,
        .hops = life_next(life),
        .delays = (how & 32u) != 0u ? delays : NULL,
        .companded = (how & 64u) != 0u,
    };
    for (uint8_t i = 0u; i < PENSTOCK_BULK_DELAYS; i++) {
        delays[i] = life_next(life);
    }
    size_t len = (size_t)penstock_frame_write_header(&frame, bytes, sizeof bytes);
    size_t end = len + life_next(life) % (sizeof bytes - len + 1u);
    for (; len < end && life->left > 0u; len++) {
        bytes[len] = life_next(life);
    }
    life_receive(life, bytes, end, how);
}

void life_offer_bulk(life_t *life)
{
    uint8_t pdu[255] = {0u};
    uint8_t how = life_next(life);
    uint8_t len = life_next(life);
    if (life->config.bulk == NULL) {
        return;
    }
    if (how < 32u) {
        penstock_bulk_path_begin(&life->node, life_next_u16(life) * 64u, life->now);
    }
    penstock_time_t at = life->now;
    bool may = penstock_bulk_path_may_send(&life->node, life->now, &at);
    REQUIRE(may || (at != life->now && penstock_time_reached(at, life->now)));
    bool fits = len > 0u && len <= penstock_bulk_path_pdu_max(&life->node);
    uint8_t before = penstock_bulk_path_waiting(&life->node);
    bool sent = penstock_bulk_path_send(&life->node, pdu, len, life->now);
    REQUIRE(!sent || (fits && penstock_bulk_path_waiting(&life->node) == before + 1u));
    REQUIRE(sent || !may || !fits);
}

void life_check_bulk(const life_t *life)
{
    const penstock_bulk_path_t *path = &life->bulk.path;
    const penstock_bulk_path_counters_t *counters = penstock_bulk_path_counters(&life->node);
    if (counters == NULL) {
        return;
    }
    REQUIRE(path->count <= life->config.bulk_queue_capacity && path->head < life->config.bulk_queue_capacity);
    REQUIRE(path->local_count <= path->count && path->local_count <= life->bulk_params.path.local_share);
    uint32_t out = counters->forwarded + counters->delivered + path->count;
    for (int reason = 0; reason < PENSTOCK_DROP_COUNT; reason++) {
        out += counters->drops[reason];
    }
    REQUIRE(counters->admitted + counters->received == out);
    REQUIRE(path->count == 0u || life->bulk_queue[path->head].attempts < life->bulk_params.path.attempts);
    for (uint8_t i = 0u; i < life->config.bulk_flow_capacity; i++) {
        penstock_bulk_path_state_t state;
        REQUIRE(!penstock_bulk_path_state(&life->node, life->bulk_flows[i].origin, &state) ||
                (state.interferers <= PENSTOCK_BULK_SUCCESSORS && state.delay_us <= (UINT32_C(1) << 23)));
    }
}
