/* SPDX-License-Identifier: BSD-3-Clause */
#include "bulk_line.h"

#include <stdlib.h>
#include <string.h>

#include "bulk/path.h"

void line_prepare(line_t *line, int length, int range)
{
    memset(line, 0, sizeof *line);
    line->length = length;
    line->range = range;
    line->far_rssi = -60;
    line->random = 1u;
    line->params = penstock_bulk_defaults();
}

void line_start(line_t *line, uint32_t initial_interval_us)
{
    for (int i = 0; i <= line->length; i++) {
        line_node_t *node = &line->nodes[i];
        node->config = (penstock_config_t){
            .address = (penstock_addr_t)(100 + i),
            .pan_id = 1u,
            .is_root = i == 0,
            .seed = 1u,
            .max_frame_len = 40u,
            .packet_time_us = LINE_SLOT_US,
            .queue = node->queue,
            .queue_capacity = 2u,
            .local_share = 2u,
            .link_attempts = 5u,
            .mac_attempts = 1u,
            .hop_limit = 64u,
            .neighbors = node->neighbors,
            .neighbor_capacity = 8u,
            .beacon_period_us = 10000000u,
            .control = &penstock_control_none,
            .control_params = penstock_control_defaults(),
            .bulk = &node->bulk,
            .bulk_ops = &penstock_bulk_flush,
            .bulk_params = &line->params,
            .bulk_queue = node->bulk_queue,
            .bulk_queue_capacity = LINE_QUEUE,
            .bulk_flows = node->flows,
            .bulk_flow_capacity = LINE_FLOWS,
        };
        if (penstock_init(&node->node, &node->config, line->now) != PENSTOCK_OK) {
            abort();
        }
        penstock_set_parent(&node->node, (penstock_addr_t)(100 + i - 1), line->now);
    }
    penstock_bulk_path_begin(&line->nodes[line->length].node, initial_interval_us, line->now);
}

/* A frame from `from` to `to` meets another one. */
static bool disturbed(const line_t *line, int from, int to)
{
    for (int i = 0; i <= line->length; i++) {
        if (i != from && line->nodes[i].sends && abs(i - to) <= line->range) {
            return true;
        }
    }
    return false;
}

static bool fades(line_t *line, int from)
{
    line->random = line->random * 1664525u + 1013904223u;
    return (line->random >> 16) % 100u < (uint32_t)line->nodes[from].loss_percent;
}

static void end_frame(line_t *line, int from)
{
    line_node_t *sender = &line->nodes[from];
    bool acked = false;
    bool faded = fades(line, from);
    int reach = line->range > 1 ? line->range : 1;
    for (int to = 0; to <= line->length; to++) {
        bool addressed = sender->tx.dst == line->nodes[to].config.address;
        bool collides = line->nodes[to].sends || disturbed(line, from, to);
        if (to == from || abs(to - from) > reach || collides || (addressed && faded)) {
            line->collisions += to != from && addressed && collides;
            continue;
        }
        penstock_rx_info_t info = {
            .rssi_dbm = abs(to - from) == 1 ? -60 : line->far_rssi, .for_us = addressed, .acked = addressed};
        (void)penstock_receive(&line->nodes[to].node, sender->bytes, sender->tx.len, &info, line->now);
        acked = acked || addressed;
    }
    penstock_tx_report_t report = {.status = acked ? PENSTOCK_TX_DONE : PENSTOCK_TX_NO_ACK, .attempts = 1u};
    penstock_transmitted(&sender->node, &report, line->now);
}

static void feed(line_t *line)
{
    static const uint8_t pdu[LINE_PDU] = {0xFFu};
    penstock_time_t at;
    penstock_node_t *source = &line->nodes[line->length].node;
    while (!line->source_idle && penstock_bulk_path_may_send(source, line->now, &at)) {
        if (!penstock_bulk_path_send(source, pdu, sizeof pdu, line->now)) {
            abort();
        }
    }
}

void line_slot(line_t *line)
{
    feed(line);
    for (int i = 0; i <= line->length; i++) {
        line_node_t *node = &line->nodes[i];
        penstock_tick(&node->node, line->now);
        node->sends = penstock_poll_transmit(&node->node, &node->tx, node->bytes, sizeof node->bytes, line->now) == 1;
    }
    line->now += LINE_SLOT_US;
    line->slots++;
    for (int i = 0; i <= line->length; i++) {
        if (line->nodes[i].sends) {
            end_frame(line, i);
        }
    }
    uint32_t delivered = penstock_bulk_path_counters(&line->nodes[0].node)->delivered;
    if (delivered != line->arrived) {
        line->last_gap = line->slots - line->arrived_at;
        line->arrived_at = line->slots;
        line->arrived = delivered;
    }
}

bool line_run(line_t *line, uint32_t packets, uint32_t slots_each)
{
    uint32_t until = line->arrived + packets;
    for (uint32_t left = packets * slots_each; line->arrived < until; left--) {
        if (left == 0u) {
            return false;
        }
        line_slot(line);
    }
    return true;
}

penstock_bulk_path_state_t line_state(const line_t *line, int i)
{
    penstock_bulk_path_state_t state;
    (void)penstock_bulk_path_state(&line->nodes[i].node, (penstock_addr_t)(100 + line->length), &state);
    return state;
}

uint32_t line_drops(const line_t *line)
{
    uint32_t sum = 0u;
    for (int i = 0; i <= line->length; i++) {
        for (int reason = 0; reason < PENSTOCK_DROP_COUNT; reason++) {
            sum += penstock_bulk_path_counters(&line->nodes[i].node)->drops[reason];
        }
    }
    return sum;
}

uint8_t line_longest_queue(const line_t *line)
{
    uint8_t longest = 0u;
    for (int i = 1; i < line->length; i++) {
        uint8_t count = line->nodes[i].bulk.path.count;
        longest = count > longest ? count : longest;
    }
    return longest;
}
