/* Penstock: the collection tree.
 *
 * A distance-vector tree to one root after DSDV: the root numbers its beacons, the
 * metric is the sum of ETX = 1/(df*dr) over the links (thesis 2.3.2, Eq. 2.1).
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

typedef struct penstock_tree {
    penstock_addr_t parent; /* PENSTOCK_ADDR_NONE: no route */
    penstock_addr_t root;
    uint16_t seq; /* of the route that this node advertises */
    uint16_t etx;
    uint8_t hops;
    bool pinned;
    bool fixed; /* the parent was named by penstock_set_parent */
    /* Feasibility (as in Babel, RFC 8966 section 2.4): a neighbour is a safe parent only if its
     * advertised route is newer than this, or as new and shorter. */
    uint16_t feasible_seq;
    uint16_t feasible_etx;  /* PENSTOCK_ETX_NONE: nothing advertised yet, every neighbour is safe */
    uint8_t orphan_beacons; /* sent since there was a route last */
    penstock_time_t next_beacon;
    bool beacon_due;
} penstock_tree_t;

#ifdef __cplusplus
}
#endif
#endif
