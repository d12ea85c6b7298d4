/* SPDX-License-Identifier: BSD-3-Clause */
#include "bulk_node.h"

#include <string.h>

void bulk_node_prepare(bulk_node_t *bench)
{
    memset(bench, 0, sizeof *bench);
    one_node_prepare(&bench->one, &penstock_control_none);
    bench->params = penstock_bulk_defaults();
    bench->rssi = -60;
    penstock_config_t *config = &bench->one.config;
    config->bulk = &bench->bulk;
    config->bulk_ops = &penstock_bulk_flush;
    config->bulk_params = &bench->params;
    config->bulk_queue = bench->packets;
    config->bulk_queue_capacity = BULK_QUEUE;
    config->bulk_flows = bench->flows;
    config->bulk_flow_capacity = BULK_FLOWS;
}

void bulk_node_start(bulk_node_t *bench, penstock_time_t now)
{
    one_node_start(&bench->one, now);
}

int bulk_node_hear(bulk_node_t *bench, uint8_t src, uint16_t dst, uint16_t origin, uint8_t seq, uint8_t hops,
                   const uint8_t *delays, penstock_time_t now)
{
    uint8_t bytes[PENSTOCK_FRAME_MAX];
    penstock_frame_t frame = {
        .type = PENSTOCK_FRAME_BULK,
        .link_seq = bench->one.link_seq[src]++,
        .ack_request = true,
        .pan_id = PAN,
        .dst = dst,
        .src = src,
        .origin = origin,
        .seq = seq,
        .hops = hops,
        .delays = delays,
        .companded = bench->params.path.companded,
    };
    int len = penstock_frame_write_header(&frame, bytes, sizeof bytes);
    bytes[len++] = 0xFFu; /* the PDU */
    bytes[len++] = seq;
    penstock_rx_info_t info = {
        .rssi_dbm = bench->rssi, .for_us = dst == SELF, .acked = dst == SELF && bench->one.acked};
    return penstock_receive(&bench->one.node, bytes, (size_t)len, &info, now);
}

int bulk_node_feed(bulk_node_t *bench, penstock_time_t now)
{
    return bulk_node_hear(bench, CHILD, SELF, SOURCE, bench->next_seq++, 2u, NULL, now);
}

int bulk_node_hear_ahead(bulk_node_t *bench, uint8_t src, uint8_t links, uint8_t delay, uint8_t f, uint8_t interval,
                         penstock_time_t now)
{
    uint8_t delays[PENSTOCK_BULK_DELAYS] = {delay, f, interval};
    return bulk_node_hear(bench, src, 1u, SOURCE, 0u, (uint8_t)(3u + links), delays, now);
}

bool bulk_node_send_off(bulk_node_t *bench, penstock_time_t now, uint32_t us)
{
    if (!one_node_transmits(&bench->one, now)) {
        return false;
    }
    one_node_report(&bench->one, PENSTOCK_TX_DONE, now + us);
    return true;
}

penstock_bulk_path_state_t bulk_node_state(const bulk_node_t *bench, penstock_addr_t origin)
{
    penstock_bulk_path_state_t state;
    (void)penstock_bulk_path_state(&bench->one.node, origin, &state);
    return state;
}

const penstock_bulk_path_counters_t *bulk_node_counters(const bulk_node_t *bench)
{
    return penstock_bulk_path_counters(&bench->one.node);
}
