/* Penstock: operations on the collection tree, for the library's own files.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef PENSTOCK_SRC_TREE_H
#define PENSTOCK_SRC_TREE_H

#include "beacon.h"
#include "penstock/penstock.h"

/* For how many beacon periods without a beacon a route may be chosen, and be kept. */
#define PENSTOCK_ROUTE_FRESH 3u
#define PENSTOCK_ROUTE_LIFETIME 5u
/* How much better another route must be to leave a parent that works: half a transmission. */
#define PENSTOCK_TREE_HYSTERESIS (PENSTOCK_ETX_ONE / 2u)
/* After so many beacons without a route, all that was built on this node's promises is gone. */
#define PENSTOCK_TREE_AMNESTY 64u

void penstock_tree_init(penstock_tree_t *tree, const penstock_config_t *config, uint32_t *random, penstock_time_t now);
/* Takes in a neighbour's beacon. */
void penstock_tree_heard(penstock_tree_t *tree, penstock_neighbors_t *table, const penstock_config_t *config,
                         penstock_neighbor_t *from, const penstock_beacon_t *beacon, penstock_time_t now);
/* Chooses the parent anew and refreshes what this node knows of its own route. */
void penstock_tree_update(penstock_tree_t *tree, const penstock_neighbors_t *table, const penstock_config_t *config,
                          penstock_time_t now);
/* Lets the beacon timer run: true when a beacon has become due. */
bool penstock_tree_tick(penstock_tree_t *tree, const penstock_config_t *config, uint32_t *random, penstock_time_t now);
/* The route part of the beacon that is to be sent now. From here on it is a promise. */
void penstock_tree_promise(penstock_tree_t *tree, const penstock_config_t *config, penstock_beacon_t *beacon);

#endif
