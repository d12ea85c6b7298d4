/* The collection tree: how a parent is chosen.
 *
 * What it does. Every node finds a parent, so that parents lead to the root at the least
 * expected number of transmissions. Neighbours advertise their path ETX in beacons; a
 * node takes the neighbour with the least sum of that and the ETX of the link to it, and
 * advertises the sum. That is the mechanism, and the same for every routing. The rules
 * are the routing's (routing.h), and there are two:
 *
 *   routing_dsdv.c  the thesis's: link ETX from overheard frames and neighbours' tables,
 *                   beacons at a fixed period, loops excluded by numbered routes
 *   routing_ctp.c   CTP's: link ETX from beacons and acknowledgements, beacons when there is
 *                   news, loops found by data and mended
 *
 *   The root       advertises ETX 0.
 *   Other nodes    advertise the sum, or "no route".
 *   Leaves         (config.advertise false; thesis 5.4) always advertise "no route".
 *
 * A neighbour whose beacon names this node as its parent offers no route, nor does one that
 * is as many hops from the root as the hop limit allows: routes that lead in a circle count
 * their hops up in each round, and end there.
 *
 * Stability. The parent is left only for a route that is better by more than the routing's
 * threshold, or when it is not usable any more.
 *
 * Pinning (thesis 5.2) freezes the parent whatever happens; a node that has none when it
 * is pinned takes the first it finds. penstock_set_parent names a parent (static
 * routes). Beacons go on in both cases, and tell the truth about the route.
 *
 * Freezing (Flush 5.2) is for the time of a bulk transfer, whose frames beacons would collide with: a node that has a
 * parent keeps it and its own route, no beacon is sent, nobody is forgotten. What was heard does not grow old in the
 * meantime: when it is over, the times of all neighbours are moved by how long it took, and so is the next beacon, so
 * that nodes do not all send theirs at once. A node without a parent takes the first it finds.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "tree.h"

#include "neighbors.h"
#include "routing.h"
#include "timeout.h"

void penstock_tree_init(penstock_node_t *node, penstock_time_t now)
{
    const penstock_config_t *config = node->config;
    penstock_tree_t *tree = &node->tree;
    tree->parent = PENSTOCK_ADDR_NONE;
    tree->root = config->is_root ? config->address : PENSTOCK_ADDR_NONE;
    tree->seq = 0u;
    tree->etx = config->is_root ? 0u : (uint16_t)PENSTOCK_ETX_NONE;
    tree->hops = 0u;
    tree->pinned = false;
    tree->fixed = false;
    tree->frozen = false;
    tree->frozen_at = now;
    tree->feasible_seq = 0u;
    tree->feasible_etx = PENSTOCK_ETX_NONE; /* nothing promised yet */
    tree->orphan_beacons = 0u;
    tree->told_etx = PENSTOCK_ETX_NONE;
    tree->trickle = (penstock_trickle_t){0u, now};
    tree->next_beacon = penstock_routing_of(config)->start(node, now);
    tree->beacon_due = false;
}

void penstock_tree_heard(penstock_node_t *node, penstock_neighbor_t *from, const penstock_beacon_t *beacon,
                         penstock_time_t now)
{
    bool offers = penstock_routing_of(node->config)->offered(node, from, beacon, now);
    if (node->config->is_root) {
        return;
    }
    if (beacon->parent == node->config->address) {
        offers = false;
    }
    from->route_known = true;
    from->route_etx = offers ? beacon->etx : (uint16_t)PENSTOCK_ETX_NONE;
    from->route_hops = beacon->hops;
    from->route_at = now;
    penstock_tree_update(node, now);
}

/* Path ETX through a neighbour, or PENSTOCK_ETX_NONE when it cannot be used. */
static uint16_t path_through(const penstock_neighbor_t *neighbor, const penstock_config_t *config)
{
    if (!neighbor->route_known || neighbor->route_etx == PENSTOCK_ETX_NONE ||
        neighbor->route_hops >= config->hop_limit) {
        return PENSTOCK_ETX_NONE;
    }
    uint16_t link = penstock_routing_of(config)->link_etx(neighbor);
    if (link == PENSTOCK_ETX_NONE) {
        return PENSTOCK_ETX_NONE;
    }
    uint32_t path = (uint32_t)neighbor->route_etx + link;
    return path < PENSTOCK_ETX_NONE ? (uint16_t)path : (uint16_t)PENSTOCK_ETX_NONE;
}

/* The best neighbour that may be chosen, or NULL; *best_path is then its path ETX. */
static penstock_neighbor_t *best_candidate(const penstock_node_t *node, penstock_time_t now, uint16_t *best_path)
{
    const penstock_routing_t *routing = penstock_routing_of(node->config);
    penstock_neighbor_t *best = NULL;
    *best_path = PENSTOCK_ETX_NONE;
    for (uint8_t i = 0u; i < node->neighbors.capacity; i++) {
        penstock_neighbor_t *neighbor = &node->neighbors.entries[i];
        if (neighbor->address == PENSTOCK_ADDR_NONE || neighbor->address == node->tree.parent) {
            continue;
        }
        uint16_t path = path_through(neighbor, node->config);
        if (path < *best_path && routing->may_choose(node, neighbor, now)) {
            best = neighbor;
            *best_path = path;
        }
    }
    return best;
}

/* This node's own route, as it follows from the parent's. */
static void follow(penstock_tree_t *tree, const penstock_neighbor_t *parent, uint16_t path)
{
    tree->etx = path;
    if (path != PENSTOCK_ETX_NONE) {
        tree->hops = (uint8_t)(parent->route_hops + 1u);
    }
}

void penstock_tree_update(penstock_node_t *node, penstock_time_t now)
{
    const penstock_config_t *config = node->config;
    const penstock_routing_t *routing = penstock_routing_of(config);
    penstock_tree_t *tree = &node->tree;
    if (config->is_root || (tree->frozen && tree->parent != PENSTOCK_ADDR_NONE)) {
        return;
    }
    penstock_neighbor_t *parent = penstock_neighbors_find(&node->neighbors, tree->parent);
    uint16_t path = PENSTOCK_ETX_NONE;
    if (parent != NULL && routing->may_keep(node, parent, now)) {
        path = path_through(parent, config);
    }

    if (!penstock_tree_frozen(tree)) {
        uint16_t other_path;
        penstock_neighbor_t *other = best_candidate(node, now, &other_path);
        bool unusable = path == PENSTOCK_ETX_NONE;
        if (other != NULL && (unusable || (uint32_t)other_path + routing->hysteresis(config) < path)) {
            parent = other;
            path = other_path;
            if (routing->chosen != NULL) {
                routing->chosen(other);
            }
        } else if (unusable) {
            parent = NULL;
        }
        tree->parent = parent != NULL ? parent->address : PENSTOCK_ADDR_NONE;
    }
    follow(tree, parent, path);
    if (routing->updated != NULL) {
        routing->updated(node, now);
    }
}

bool penstock_tree_tick(penstock_node_t *node, penstock_time_t now)
{
    const penstock_routing_t *routing = penstock_routing_of(node->config);
    penstock_tree_t *tree = &node->tree;
    if (!node->config->beacons || tree->frozen ||
        penstock_time_left(now, tree->next_beacon, routing->longest_wait(node->config)) != 0u) {
        return false;
    }
    tree->next_beacon = routing->next(node, now);
    tree->beacon_due = true;
    return true;
}

/* The time since tree->frozen_at has not passed for routes. */
static void skip_time(penstock_node_t *node, penstock_time_t now)
{
    penstock_tree_t *tree = &node->tree;
    uint32_t by = now - tree->frozen_at;
    penstock_neighbors_skip(&node->neighbors, by, now);
    tree->next_beacon += by;
    tree->trickle.ends += by;
    tree->frozen_at = now;
}

void penstock_tree_freeze(penstock_node_t *node, penstock_time_t now)
{
    penstock_tree_t *tree = &node->tree;
    if (tree->frozen) {
        skip_time(node, now);
    } else if (tree->beacon_due) {
        tree->beacon_due = false; /* it will be */
        tree->next_beacon = now;
    }
    tree->frozen = true;
    tree->frozen_at = now;
}

void penstock_tree_thaw(penstock_node_t *node, penstock_time_t now)
{
    if (node->tree.frozen) {
        skip_time(node, now);
        node->tree.frozen = false;
    }
}
