/* Penstock: operations on the collection tree, for the library's own files.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef PENSTOCK_SRC_TREE_H
#define PENSTOCK_SRC_TREE_H

#include "beacon.h"
#include "penstock/penstock.h"

/* Begins a tree; the node's config and random state are there already. */
void penstock_tree_init(penstock_node_t *node, penstock_time_t now);
/* Takes in a neighbour's beacon. */
void penstock_tree_heard(penstock_node_t *node, penstock_neighbor_t *from, const penstock_beacon_t *beacon,
                         penstock_time_t now);
/* Chooses the parent anew and refreshes what this node knows of its own route. */
void penstock_tree_update(penstock_node_t *node, penstock_time_t now);
/* Lets the beacon timer run: true when a beacon has become due. */
bool penstock_tree_tick(penstock_node_t *node, penstock_time_t now);

/* A bulk transfer begins, or goes on: routes stay as they are, and beacons wait. To be called again at least every
 * half hour. */
void penstock_tree_freeze(penstock_node_t *node, penstock_time_t now);
/* It is over: everything goes on as if no time had passed. */
void penstock_tree_thaw(penstock_node_t *node, penstock_time_t now);

/* The parent stays whatever is heard: it was named, or pinned. */
static inline bool penstock_tree_frozen(const penstock_tree_t *tree)
{
    return tree->fixed || (tree->pinned && tree->parent != PENSTOCK_ADDR_NONE);
}

#endif
