/* SPDX-License-Identifier: BSD-3-Clause */
#include "one_node.h"

#include <string.h>

void one_node_prepare(one_node_t *bench, const penstock_strategy_t *control)
{
    memset(bench, 0, sizeof *bench);
    bench->acked = true;
    bench->config = (penstock_config_t){
        .address = SELF,
        .pan_id = PAN,
        .advertise = true,
        .seed = 7u,
        .max_frame_len = penstock_strategy_needs_peers(control) ? 64u : 34u, /* their fields take more */
        .packet_time_us = PACKET_TIME_US,
        .queue = bench->queue,
        .queue_capacity = QUEUE,
        .local_share = 2u,
        .link_attempts = ATTEMPTS,
        .mac_attempts = 1u,
        .hop_limit = 16u,
        .neighbors = bench->neighbors,
        .neighbor_capacity = NEIGHBORS,
        .beacon_period_us = 10000000u,
        .control = control,
        .control_params = penstock_control_defaults(),
        .peers = bench->peers,
        .peer_capacity = NEIGHBORS,
    };
}

void one_node_start(one_node_t *bench, penstock_time_t now)
{
    (void)penstock_init(&bench->node, &bench->config, now);
    if (!bench->config.beacons) {
        penstock_set_parent(&bench->node, PARENT, now);
    }
}

/* The frame is on the air, for this node or overheard. */
static int put_on_air(one_node_t *bench, penstock_frame_t *frame, penstock_time_t now)
{
    uint8_t bytes[PENSTOCK_FRAME_MAX];
    frame->link_seq = bench->link_seq[frame->src]++;
    frame->pan_id = PAN;
    int len = penstock_frame_write_header(frame, bytes, sizeof bytes);
    bool for_us = frame->dst == SELF;
    penstock_rx_info_t info = {.rssi_dbm = -80, .for_us = for_us, .acked = for_us && bench->acked};
    info.for_us = for_us || frame->dst == PENSTOCK_ADDR_BROADCAST;
    return penstock_receive(&bench->node, bytes, (size_t)len, &info, now);
}

int one_node_hear(one_node_t *bench, uint8_t src, uint16_t dst, uint16_t origin, uint16_t seq, bool congested,
                  penstock_time_t now)
{
    penstock_frame_t frame = {
        .type = PENSTOCK_FRAME_DATA,
        .ack_request = true,
        .congested = congested,
        .dst = dst,
        .src = src,
        .origin = origin,
        .seq = seq,
        .hops = 1u,
    };
    return put_on_air(bench, &frame, now);
}

int one_node_hear_fields(one_node_t *bench, uint8_t src, uint16_t dst, uint16_t origin, uint16_t seq,
                         const uint8_t *fields, uint8_t fields_len, penstock_time_t now)
{
    bool to_all = dst == PENSTOCK_ADDR_BROADCAST;
    penstock_frame_t frame = {
        .type = to_all ? PENSTOCK_FRAME_CONTROL : PENSTOCK_FRAME_DATA,
        .ack_request = !to_all,
        .dst = dst,
        .src = src,
        .origin = origin,
        .seq = seq,
        .hops = 1u,
        .control = fields,
        .control_len = fields_len,
    };
    return put_on_air(bench, &frame, now);
}

int one_node_feed(one_node_t *bench, penstock_time_t now)
{
    return one_node_hear(bench, CHILD, SELF, CHILD, bench->next_seq++, false, now);
}

int one_node_hear_parent(one_node_t *bench, uint16_t origin, uint16_t seq, bool congested, penstock_time_t now)
{
    return one_node_hear(bench, PARENT, 1u, origin, seq, congested, now);
}

int one_node_hear_beacon(one_node_t *bench, uint8_t src, const penstock_beacon_t *beacon, uint8_t delivery,
                         bool congested, penstock_time_t now)
{
    uint8_t bytes[PENSTOCK_FRAME_MAX];
    penstock_frame_t frame = {
        .type = PENSTOCK_FRAME_BEACON,
        .link_seq = bench->link_seq[src]++,
        .congested = congested,
        .pan_id = PAN,
        .dst = PENSTOCK_ADDR_BROADCAST,
        .src = src,
    };
    int header = penstock_frame_write_header(&frame, bytes, sizeof bytes);
    penstock_beacon_t body = *beacon;
    body.count = delivery != 0u ? 1u : 0u;
    int len = header + penstock_beacon_write(&body, bytes + header, sizeof bytes - (size_t)header);
    if (delivery != 0u) {
        penstock_beacon_entry_t entry = {SELF, delivery};
        penstock_beacon_write_entry(bytes + header, 0u, entry);
    }
    penstock_rx_info_t info = {.rssi_dbm = -80, .for_us = true};
    return penstock_receive(&bench->node, bytes, (size_t)len, &info, now);
}

bool one_node_transmits(one_node_t *bench, penstock_time_t now)
{
    if (penstock_poll_transmit(&bench->node, &bench->tx, bench->bytes, sizeof bench->bytes, now) != 1) {
        return false;
    }
    return penstock_frame_parse(&bench->frame, bench->bytes, bench->tx.len) == PENSTOCK_OK;
}

void one_node_report(one_node_t *bench, penstock_tx_status_t status, penstock_time_t now)
{
    penstock_tx_report_t report = {(uint8_t)status, status != PENSTOCK_TX_NO_CHANNEL, bench->ack_congested};
    penstock_transmitted(&bench->node, &report, now);
}

int one_node_send(one_node_t *bench, penstock_time_t now)
{
    penstock_time_t retry_at;
    uint8_t payload[3] = {1u, 2u, 3u};
    return penstock_send(&bench->node, 5u, payload, sizeof payload, now, NULL, &retry_at);
}

void one_node_send_off(one_node_t *bench, penstock_time_t now)
{
    if (one_node_transmits(bench, now)) {
        one_node_report(bench, PENSTOCK_TX_DONE, now);
    }
}

int one_node_drop(one_node_t *bench)
{
    penstock_drop_report_t report;
    return penstock_poll_drop(&bench->node, &report) == 1 ? report.reason : PENSTOCK_DROP_NONE;
}
