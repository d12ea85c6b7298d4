/* Bulk transfer, as a node meets it: the table of functions that config.bulk_ops names.
 *
 * Two parts do the work: path.c and its neighbours take packets from the source to the root at the rate that the
 * path allows; the ends begin, repair and check a transfer, and reach the source by floods. This file joins them and
 * takes turns.
 *
 * Whose frame is next. Floods are rare and short, and a transfer waits for them: they go before all packets. A bulk
 * packet takes turns with sensor packets, frame by frame, so that neither waits for more than one frame of the other;
 * or (params.path.lower) goes only when no sensor packet can go at that moment. The paper knows no other traffic
 * (section 2, "Isolation"); both classes fill that gap. Sensor packets stopped by their own congestion control are no
 * reason to wait: bulk packets have a rate control of their own.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "bulk/ends.h"
#include "bulk/ops.h"
#include "bulk/path.h"
#include "deadline.h"
#include "node.h"
#include "transmit.h"

penstock_bulk_params_t penstock_bulk_defaults(void)
{
    penstock_bulk_params_t params = {
        .path =
            {
                .mode = PENSTOCK_BULK_FLUSH,
                .attempts = 5u,        /* 3.4 */
                .queue_threshold = 5u, /* 3.4 */
                .local_share =
                    2u, /* one on its way, one ready: own packets need no more, and can still be taken back */
                .delay_weight = 3u,          /* no value is given; 1/8, which TCP has for its round trips (RFC 6298) */
                .rssi_weight = 3u,           /* no value is given but "history is weighted more heavily" (3.3) */
                .interferer_db = 10u,        /* 3.3 */
                .nearest_interferer = 1u,    /* Fig. 4; path_estimate.c */
                .interferer_timeout = 0u,    /* 3.3: 100 packets, turned off */
                .unit_us = 1000u,            /* 3.6: one byte, and delays of up to 255 ms (4.4) */
                .fixed_interval_us = 20000u, /* 4.2: the best of three over 3 to 6 hops */
                .longest_wait_us = 2000000u, /* no value is given; eight times what a byte can tell */
            },
        .ends = penstock_bulk_ends_defaults(),
    };
    return params;
}

static bool config_works(const penstock_config_t *config)
{
    return config->bulk_params != NULL && penstock_bulk_path_config_works(config) &&
           penstock_bulk_ends_config_works(config);
}

static void init(penstock_node_t *node, penstock_time_t now)
{
    penstock_bulk_path_init(node, now);
    penstock_bulk_ends_init(node, now);
}

static void heard(penstock_node_t *node, const penstock_frame_t *frame, const penstock_rx_info_t *info,
                  penstock_time_t now)
{
    if (frame->type == PENSTOCK_FRAME_BULK) {
        penstock_bulk_path_heard(node, frame, info, now);
    } else if (info->for_us && (frame->dst == PENSTOCK_ADDR_BROADCAST || frame->dst == node->config->address)) {
        penstock_bulk_ends_flood(node, frame, now);
    }
}

static bool claims(penstock_node_t *node, bool data_ready, penstock_time_t now)
{
    if (penstock_bulk_ends_wants_flood(node, now)) {
        return true;
    }
    bool stands_back = node->config->bulk_params->path.lower || node->config->bulk->path.sensor_turn;
    return penstock_bulk_path_ready(node, now) && !(data_ready && stands_back);
}

static void yielded(penstock_node_t *node)
{
    node->config->bulk->path.sensor_turn = false;
}

static int transmit_flood(penstock_node_t *node, penstock_tx_t *tx, uint8_t *buf, size_t capacity, penstock_time_t now)
{
    if (capacity < node->config->max_frame_len) {
        return PENSTOCK_TOO_LONG; /* before it is taken from the ends */
    }
    penstock_frame_t frame;
    penstock_transmit_begin(node, &frame, PENSTOCK_FRAME_FLOOD, PENSTOCK_ADDR_BROADCAST);
    penstock_bulk_ends_write_flood(node, &frame, now);
    frame.ack_request = frame.dst != PENSTOCK_ADDR_BROADCAST;
    return penstock_transmit_payload(node, tx, &frame, 1u, buf, capacity);
}

static int transmit(penstock_node_t *node, penstock_tx_t *tx, uint8_t *buf, size_t capacity, penstock_time_t now)
{
    if (penstock_bulk_ends_wants_flood(node, now)) {
        return transmit_flood(node, tx, buf, capacity, now);
    }
    int result = penstock_bulk_path_transmit(node, tx, buf, capacity, now);
    if (result == 1) {
        node->config->bulk->path.sensor_turn = true;
    }
    return result;
}

static void transmitted(penstock_node_t *node, uint8_t in_flight, const penstock_tx_report_t *report,
                        penstock_time_t now)
{
    if (in_flight == PENSTOCK_FLIGHT_BULK) {
        penstock_bulk_path_transmitted(node, report, now);
        penstock_bulk_ends_packet_left(node, now);
    } else {
        penstock_bulk_ends_flood_sent(node, report, now);
    }
}

static bool deadline(const penstock_node_t *node, penstock_time_t now, penstock_time_t *at)
{
    penstock_time_t other;
    bool any = penstock_bulk_path_deadline(node, now, at);
    if (penstock_bulk_ends_deadline(node, now, &other)) {
        penstock_sooner(&any, at, other);
    }
    return any;
}

static void tick(penstock_node_t *node, penstock_time_t now)
{
    penstock_bulk_path_tick(node, now);
    penstock_bulk_ends_tick(node, now);
}

const penstock_bulk_ops_t penstock_bulk_flush = {
    .config_works = config_works,
    .init = init,
    .heard = heard,
    .claims = claims,
    .yielded = yielded,
    .transmit = transmit,
    .transmitted = transmitted,
    .deadline = deadline,
    .tick = tick,
};
