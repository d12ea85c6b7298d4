/* Penstock: operations on the neighbour table, for the library's own files.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef PENSTOCK_SRC_NEIGHBORS_H
#define PENSTOCK_SRC_NEIGHBORS_H

#include "penstock/neighbors.h"

/* A neighbour that was not heard for so many beacon periods is forgotten. */
#define PENSTOCK_NEIGHBOR_LIFETIME 5u

void penstock_neighbors_init(penstock_neighbors_t *table, penstock_neighbor_t *entries, uint8_t capacity);
/* The entry of a neighbour, or NULL. */
penstock_neighbor_t *penstock_neighbors_find(const penstock_neighbors_t *table, penstock_addr_t address);

/* One received frame, for the table. */
typedef struct penstock_heard {
    penstock_addr_t from;
    int8_t rssi_dbm;
    bool important;            /* make room for its sender if at all possible */
    penstock_addr_t parent;    /* never evicted */
    uint32_t beacon_period_us; /* the longest between two beacons of one node */
    penstock_time_t now;
} penstock_heard_t;

/* Notes the frame and gives its sender's entry; NULL when the table has no place for it. When
 * *is_new, the link estimate in the entry is still to be begun. */
penstock_neighbor_t *penstock_neighbors_heard(penstock_neighbors_t *table, const penstock_heard_t *heard, bool *is_new);

/* Forgets who was not heard for PENSTOCK_NEIGHBOR_LIFETIME periods, but not `keep`. */
void penstock_neighbors_forget(penstock_neighbors_t *table, penstock_addr_t keep, uint32_t beacon_period_us,
                               penstock_time_t now);

/* Time in which nobody was to be heard: `by` us of it, until now, make no entry any older. */
void penstock_neighbors_skip(penstock_neighbors_t *table, uint32_t by, penstock_time_t now);

/* Writes the next entries for a beacon into `body` (see beacon.h), at most `room` of
 * them, going round the table from beacon to beacon. How many were written. */
uint8_t penstock_neighbors_advertise(penstock_neighbors_t *table, uint8_t *body, uint8_t room);

#endif
