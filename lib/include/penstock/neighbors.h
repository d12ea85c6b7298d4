/* Penstock: the neighbour table and what it knows of links.
 *
 * The thesis's tree estimates the delivery rate from a neighbour from the gaps in the
 * sequence numbers of all its frames, addressed or overheard (thesis 2.3.2). Beacons carry
 * each node's table, so that both directions of a link become known. CTP counts the
 * neighbour's beacons, and the acknowledgements of what was sent to it.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef PENSTOCK_NEIGHBORS_H
#define PENSTOCK_NEIGHBORS_H

#include "penstock/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Delivery ratios are in units of 1/255. 0 also says: not known. */
typedef struct penstock_neighbor {
    penstock_addr_t address; /* PENSTOCK_ADDR_NONE: a free entry */
    uint8_t last_link_seq;   /* of its last frame; under CTP its last beacon's number */
    uint8_t received; /* of the last `expected` frames; both are halved as they grow (CTP: beacons, of a window) */
    uint8_t expected;
    uint8_t delivery_in;  /* from the neighbour to this node, by own count */
    uint8_t delivery_out; /* from this node to the neighbour, by the neighbour's beacon, if they tell links */
    int8_t rssi_dbm;      /* of the last frame heard */
    bool has_packet;      /* last_hops, last_origin and last_seq are valid */
    uint8_t last_hops;    /* the last data packet it sent this node: its repeat is a duplicate */
    penstock_addr_t last_origin;
    uint16_t last_seq;
    uint8_t data_acked; /* CTP: of the last `data_sent` frames to it, those acknowledged */
    uint8_t data_sent;
    penstock_time_t heard_at;
    /* The route that it advertises. */
    union {
        uint16_t route_seq; /* the root's number in it */
        uint16_t link_etx;  /* CTP, which numbers no routes: of the link to it, in 1/128; 0: not known */
    };
    uint16_t route_etx; /* PENSTOCK_ETX_NONE: it has none */
    uint8_t route_hops;
    bool route_known;
    penstock_time_t route_at; /* when its last beacon came */
} penstock_neighbor_t;

typedef struct penstock_neighbors {
    penstock_neighbor_t *entries;
    uint8_t capacity;
    uint8_t advertise_next; /* where the next beacon's part of the table begins */
} penstock_neighbors_t;

#ifdef __cplusplus
}
#endif
#endif
