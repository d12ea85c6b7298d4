/* One node of a bulk flow on the bench: one_node.h's, with a bulk queue of 16 and room for three flows. Its packets
 * come from CHILD and go to PARENT; SOURCE made them, two links away.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef PENSTOCK_TESTS_BULK_NODE_H
#define PENSTOCK_TESTS_BULK_NODE_H

#include "one_node.h"
#include "penstock/bulk.h"

enum { BULK_QUEUE = 16, BULK_FLOWS = 3, SOURCE = 40, MS = 1000 };

typedef struct bulk_node {
    one_node_t one;
    penstock_bulk_t bulk;
    penstock_bulk_params_t params;
    penstock_bulk_packet_t packets[BULK_QUEUE];
    penstock_bulk_flow_t flows[BULK_FLOWS];
    uint8_t next_seq;
    int8_t rssi; /* of what is heard */
} bulk_node_t;

/* A config that is valid; change it, and the params, and call bulk_node_start. */
void bulk_node_prepare(bulk_node_t *bench);
void bulk_node_start(bulk_node_t *bench, penstock_time_t now);

/* A BULK frame is on the air; `delays` in codes, or NULL. Gives the result of penstock_receive. */
int bulk_node_hear(bulk_node_t *bench, uint8_t src, uint16_t dst, uint16_t origin, uint8_t seq, uint8_t hops,
                   const uint8_t *delays, penstock_time_t now);
/* A new packet of SOURCE comes in from CHILD; it has crossed two links. */
int bulk_node_feed(bulk_node_t *bench, penstock_time_t now);
/* A packet of SOURCE is heard from a node so many links ahead (1: the next hop), with its delays in codes. */
int bulk_node_hear_ahead(bulk_node_t *bench, uint8_t src, uint8_t links, uint8_t delay, uint8_t f, uint8_t interval,
                         penstock_time_t now);
/* The oldest packet is sent off, acknowledged so many us after it was handed to the MAC. False: none was ready. */
bool bulk_node_send_off(bulk_node_t *bench, penstock_time_t now, uint32_t us);

penstock_bulk_path_state_t bulk_node_state(const bulk_node_t *bench, penstock_addr_t origin);
const penstock_bulk_path_counters_t *bulk_node_counters(const bulk_node_t *bench);

#endif
