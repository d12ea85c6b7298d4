/* The forward way of bulk packets.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "bulk/path.h"

#include "bulk/ends.h"

bool penstock_bulk_path_config_works(const penstock_config_t *config)
{
    return config->bulk_queue != NULL && config->bulk_queue_capacity >= 1u && config->bulk_flows != NULL &&
           config->bulk_flow_capacity >= 1u;
}

void penstock_bulk_path_init(penstock_node_t *node, penstock_time_t now)
{
    (void)now;
    node->config->bulk->path = (penstock_bulk_path_t){0};
}

bool penstock_bulk_path_may_send(penstock_node_t *node, penstock_time_t now, penstock_time_t *at)
{
    *at = now + node->config->packet_time_us;
    return false;
}

bool penstock_bulk_path_send(penstock_node_t *node, const uint8_t *pdu, uint8_t len, penstock_time_t now)
{
    (void)node;
    (void)pdu;
    (void)len;
    (void)now;
    return false;
}

uint8_t penstock_bulk_path_pdu_max(const penstock_node_t *node)
{
    uint8_t mode = node->config->bulk_params->path.mode;
    bool tells = mode == PENSTOCK_BULK_FLUSH || mode == PENSTOCK_BULK_FLUSH_E2E;
    uint8_t headers = (uint8_t)(PENSTOCK_BULK_OVERHEAD + (tells ? PENSTOCK_BULK_DELAYS : 0u));
    uint8_t room = (uint8_t)(node->config->max_frame_len - headers);
    return room < PENSTOCK_BULK_PDU_MAX ? room : (uint8_t)PENSTOCK_BULK_PDU_MAX;
}

uint8_t penstock_bulk_path_waiting(const penstock_node_t *node)
{
    return node->config->bulk->path.local_count;
}

void penstock_bulk_path_begin(penstock_node_t *node, uint32_t initial_interval_us, penstock_time_t now)
{
    (void)node;
    (void)initial_interval_us;
    (void)now;
}

void penstock_bulk_path_heard(penstock_node_t *node, const penstock_frame_t *frame, const penstock_rx_info_t *info,
                              penstock_time_t now)
{
    if (node->config->is_root && info->for_us && frame->dst == node->config->address) {
        penstock_bulk_ends_arrived(node, frame->origin, frame->hops, frame->payload, frame->payload_len, now);
    }
}

bool penstock_bulk_path_ready(penstock_node_t *node, penstock_time_t now)
{
    (void)node;
    (void)now;
    return false;
}

int penstock_bulk_path_transmit(penstock_node_t *node, penstock_tx_t *tx, uint8_t *buf, size_t capacity,
                                penstock_time_t now)
{
    (void)node;
    (void)tx;
    (void)buf;
    (void)capacity;
    (void)now;
    return 0;
}

void penstock_bulk_path_transmitted(penstock_node_t *node, const penstock_tx_report_t *report, penstock_time_t now)
{
    (void)node;
    (void)report;
    (void)now;
}

bool penstock_bulk_path_deadline(const penstock_node_t *node, penstock_time_t now, penstock_time_t *at)
{
    (void)node;
    (void)now;
    (void)at;
    return false;
}

bool penstock_bulk_can_accept(const penstock_node_t *node)
{
    return node->config->bulk != NULL && node->config->bulk->path.count < node->config->bulk_queue_capacity;
}

bool penstock_bulk_path_state(const penstock_node_t *node, penstock_addr_t origin, penstock_bulk_path_state_t *state)
{
    (void)origin;
    *state = (penstock_bulk_path_state_t){0};
    if (node->config->bulk != NULL) {
        state->queue = node->config->bulk->path.count;
    }
    return false;
}

const penstock_bulk_path_counters_t *penstock_bulk_path_counters(const penstock_node_t *node)
{
    return node->config->bulk != NULL ? &node->config->bulk->path.counters : NULL;
}
