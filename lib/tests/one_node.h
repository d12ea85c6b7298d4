/* One node on the bench: static parent, no beacons unless asked for, and a radio that is
 * operated by hand. Addresses: SELF, its PARENT, a CHILD, and anyone else.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef PENSTOCK_TESTS_ONE_NODE_H
#define PENSTOCK_TESTS_ONE_NODE_H

#include "beacon.h"
#include "frame.h"
#include "penstock/penstock.h"

enum { SELF = 10, PARENT = 2, CHILD = 20, SIBLING = 30 };
enum { QUEUE = 8, NEIGHBORS = 8, ATTEMPTS = 4, PACKET_TIME_US = 30000, PAN = 0x2004 };

typedef struct one_node {
    penstock_config_t config;
    penstock_node_t node;
    penstock_packet_t queue[QUEUE];
    penstock_neighbor_t neighbors[NEIGHBORS];
    penstock_peer_t peers[NEIGHBORS];
    uint8_t link_seq[256]; /* of those who are heard */
    uint16_t next_seq;     /* of packets that are heard */
    bool acked;            /* what the radio says of data for this node */
    bool ack_congested;    /* the bit in the acknowledgements that this node gets */
    /* The last frame that it transmitted. */
    penstock_tx_t tx;
    uint8_t bytes[PENSTOCK_FRAME_MAX];
    penstock_frame_t frame;
} one_node_t;

/* A config that is valid; change it and call one_node_start. */
void one_node_prepare(one_node_t *bench, const penstock_strategy_t *control);
/* Starts the node, with PARENT as its parent when it has no beacons. */
void one_node_start(one_node_t *bench, penstock_time_t now);

/* A data frame is on the air. Gives the result of penstock_receive. */
int one_node_hear(one_node_t *bench, uint8_t src, uint16_t dst, uint16_t origin, uint16_t seq, bool congested,
                  penstock_time_t now);
/* The same with fields of a strategy. To PENSTOCK_ADDR_BROADCAST: a control frame. */
int one_node_hear_fields(one_node_t *bench, uint8_t src, uint16_t dst, uint16_t origin, uint16_t seq,
                         const uint8_t *fields, uint8_t fields_len, penstock_time_t now);
/* A new packet from CHILD to this node. */
int one_node_feed(one_node_t *bench, penstock_time_t now);
/* The parent sends a packet of `origin` on, with its congestion bit. */
int one_node_hear_parent(one_node_t *bench, uint16_t origin, uint16_t seq, bool congested, penstock_time_t now);
/* A beacon is on the air, with one entry that says how well `src` hears this node (0: no entry). */
int one_node_hear_beacon(one_node_t *bench, uint8_t src, const penstock_beacon_t *beacon, uint8_t delivery,
                         bool congested, penstock_time_t now);

/* Asks for a frame, and reads it. */
bool one_node_transmits(one_node_t *bench, penstock_time_t now);
void one_node_report(one_node_t *bench, penstock_tx_status_t status, penstock_time_t now);
/* Offers a packet of the application. */
int one_node_send(one_node_t *bench, penstock_time_t now);
/* Sends off the oldest packet and has it acknowledged. */
void one_node_send_off(one_node_t *bench, penstock_time_t now);
/* The reason of the oldest unread drop report; PENSTOCK_DROP_NONE when there is none. */
int one_node_drop(one_node_t *bench);

#endif
