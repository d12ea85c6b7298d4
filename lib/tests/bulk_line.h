/* Flush's idealised model (SenSys 2007, 2.3.1) of library nodes: a line of `length` nodes before the root, time in
 * slots, one packet a slot, no loss. Node i sends to node i - 1; node 0 is the root. A node that sends hears nothing. A
 * frame is lost where another one is sent within `range` links of the receiver, and heard within as many links of its
 * sender.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef PENSTOCK_TESTS_BULK_LINE_H
#define PENSTOCK_TESTS_BULK_LINE_H

#include "penstock/bulk.h"

enum { LINE_MAX = 24, LINE_QUEUE = 16, LINE_FLOWS = 2, LINE_SLOT_US = 8000, LINE_PDU = 4 };

typedef struct line_node {
    penstock_config_t config;
    penstock_node_t node;
    penstock_packet_t queue[2];
    penstock_neighbor_t neighbors[8];
    penstock_bulk_t bulk;
    penstock_bulk_packet_t bulk_queue[LINE_QUEUE];
    penstock_bulk_flow_t flows[LINE_FLOWS];
    bool sends; /* in this slot */
    penstock_tx_t tx;
    uint8_t bytes[64];
    int loss_percent; /* of its frames, on their way to the next hop */
} line_node_t;

typedef struct line {
    int length;
    int range;
    int8_t far_rssi; /* of a node more than one link away; -60 dBm where it is one */
    penstock_time_t now;
    uint32_t slots;
    uint32_t random;
    uint32_t collisions; /* frames that did not get to the next hop because of another one */
    uint32_t arrived;    /* at the root */
    uint32_t last_gap;   /* slots between the last two */
    uint32_t arrived_at;
    bool source_idle;
    penstock_bulk_params_t params;
    line_node_t nodes[LINE_MAX + 1];
} line_t;

/* The source is node `length`. Its params may be changed before line_start. */
void line_prepare(line_t *line, int length, int range);
void line_start(line_t *line, uint32_t initial_interval_us);
void line_slot(line_t *line);
/* Until so many more packets have arrived, in at most so many slots each; false: they have not. */
bool line_run(line_t *line, uint32_t packets, uint32_t slots_each);
/* The source's flow as node i sees it. */
penstock_bulk_path_state_t line_state(const line_t *line, int i);
/* Bulk packets lost, for whatever reason. */
uint32_t line_drops(const line_t *line);
uint8_t line_longest_queue(const line_t *line);

#endif
