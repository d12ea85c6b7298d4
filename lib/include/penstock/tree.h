/* Penstock: the collection tree.
 *
 * Parents are chosen by the least sum of the ETX that a neighbour advertises and that of
 * the link to it. What a link costs, which neighbours may be chosen and when beacons are due
 * is the matter of a routing:
 *
 *   penstock_routing_dsdv  the thesis's (2.3.2): numbered routes from one root, ETX = 1/(df*dr)
 *                          from overheard frames, beacons at a fixed period
 *   penstock_routing_ctp   as TinyOS's Collection Tree Protocol (TEP 123): ETX from beacons
 *                          and acknowledged data, beacons when there is news
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef PENSTOCK_TREE_H
#define PENSTOCK_TREE_H

#include "penstock/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ETX in units of 1/128, so that one u16 holds 511 expected transmissions. */
#define PENSTOCK_ETX_ONE 128u
#define PENSTOCK_ETX_NONE 0xFFFFu

/* A choice of rules; its inside is the library's. */
typedef struct penstock_routing penstock_routing_t;
extern const penstock_routing_t penstock_routing_dsdv;
extern const penstock_routing_t penstock_routing_ctp;

/* The numbers of penstock_routing_ctp. */
typedef struct penstock_ctp_params {
    uint32_t beacon_min_us; /* the interval between beacons while there is news: at least 2 us */
    uint32_t beacon_max_us; /* ... and when there has been none for long: at most 2^29 us */
    uint16_t switch_etx;    /* how much better another route must be, in 1/128 of a transmission */
    bool link_tables;       /* beacons tell links, so that they seed both directions, not the inbound one alone */
} penstock_ctp_params_t;

/* TinyOS's: 125 ms (128 of its ticks), 500 s (512,000), 1.5 transmissions, no tables. */
penstock_ctp_params_t penstock_ctp_defaults(void);

/* A beacon interval that doubles (Trickle). */
typedef struct penstock_trickle {
    uint32_t interval_us; /* 0: the first one has not begun */
    penstock_time_t ends;
} penstock_trickle_t;

typedef struct penstock_tree {
    penstock_addr_t parent; /* PENSTOCK_ADDR_NONE: no route */
    penstock_addr_t root;
    uint16_t seq; /* of the route that this node advertises; under CTP of its own beacons */
    uint16_t etx;
    uint8_t hops;
    bool pinned;
    bool fixed;  /* the parent was named by penstock_set_parent */
    bool frozen; /* for the time of a bulk transfer: see tree.c */
    penstock_time_t frozen_at;
    /* Feasibility (as in Babel, RFC 8966 section 2.4): a neighbour is a safe parent only if its
     * advertised route is newer than this, or as new and shorter. */
    uint16_t feasible_seq;
    uint16_t feasible_etx;  /* PENSTOCK_ETX_NONE: nothing advertised yet, every neighbour is safe */
    uint8_t orphan_beacons; /* sent since there was a route last */
    penstock_time_t next_beacon;
    bool beacon_due;
    uint16_t told_etx; /* CTP: what the last beacon said */
    penstock_trickle_t trickle;
} penstock_tree_t;

#ifdef __cplusplus
}
#endif
#endif
