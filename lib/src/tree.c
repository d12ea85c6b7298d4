/* The collection tree.
 *
 * What it does. Every node finds a parent, so that parents lead to the root at the least
 * expected number of transmissions. Thesis 2.3.2: a distance-vector protocol after DSDV
 * with one destination; beacons carry a sequence number and a path ETX, which is the sum
 * of the links' ETX (Equation 2.1, link_estimator.c); a node takes the neighbour with the
 * least sum of advertised ETX and link ETX, and advertises that sum.
 *
 *   The root       advertises (its next number, ETX 0) with every beacon.
 *   Other nodes    advertise (the parent's number, the sum), or "no route".
 *   Leaves         (config.advertise false; thesis 5.4) always advertise "no route".
 *
 * Every beacon period (10 s in the thesis), with an eighth of it as jitter either way,
 * and the first one at a random moment of the first period.
 *
 * No loops. The thesis only says "our own implementation of DSDV". Numbers alone do not
 * prevent loops while a node moves between routes of one number, so the rule is that of
 * Babel (RFC 8966, 2.4): a node remembers the best it ever advertised, its feasibility
 * distance, and may only choose a neighbour that advertised something strictly better.
 * (s, m) is better than (s', m') when number s is newer, or it is the same and m < m'.
 *
 *   Claim: if A is B's parent, then A's distance is strictly better than B's.
 *   It holds when B chooses A: what A advertised is strictly better than B's distance,
 *   and A's distance is at least as good as anything A ever advertised.
 *   It goes on to hold: A's distance only gets better. B's changes only when B
 *   advertises, and what it advertises then is something that A advertised plus a link,
 *   hence strictly worse than A's distance.
 *   So distances get strictly better from child to parent, and no chain of parents closes.
 *
 * The second step does not ask that what A says *today* is better than B's distance. So
 * a parent may be kept whose route got longer, and B need not lose its route over it.
 * Feasibility is a condition for becoming a parent only.
 *
 * No lock-out. A node without a parent waits for something better than its distance.
 * Its number is one that the root has used, and the root's next one is newer; whoever has
 * a path to the root that avoids this node will advertise the newer one. A root that has
 * started anew with old numbers hears them from its neighbours, and goes on from there.
 *
 * Where the claim's assumptions break. A node that starts anew has forgotten its
 * distance, and could choose one of its own descendants. Three nets are spread for it: a
 * neighbour whose beacon names this node as its parent offers no route; a loop counts
 * its hops up in each round until the hop limit makes the route unusable; and data
 * that goes round is dropped at the same limit. A node that was without a route for 64
 * beacons forgets its distance on purpose, lest numbers that wrapped in the meantime
 * keep it out: by then routes that were built on its promises have expired, at five
 * periods a level. Two roots in one PAN are two networks: a node stays with the first
 * it joined until it has no parent.
 *
 * Stability. The parent is left only for a route better by half a transmission, or when
 * it is not usable any more: no beacon for five periods, no route, a link beyond
 * use. A new parent must have been heard within three.
 *
 * Pinning (thesis 5.2) freezes the parent whatever happens; a node that has none when it
 * is pinned takes the first it finds. penstock_set_parent names a parent (static
 * routes). Beacons go on in both cases, and tell the truth about the route.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "tree.h"

#include "link_estimator.h"
#include "neighbors.h"
#include "random.h"
#include "timeout.h"

static bool newer(uint16_t a, uint16_t b)
{
    uint16_t ahead = (uint16_t)(a - b);
    return ahead != 0u && ahead < 0x8000u;
}

static bool is_node(penstock_addr_t address)
{
    return address != PENSTOCK_ADDR_NONE && address != PENSTOCK_ADDR_BROADCAST;
}

void penstock_tree_init(penstock_tree_t *tree, const penstock_config_t *config, uint32_t *random, penstock_time_t now)
{
    tree->parent = PENSTOCK_ADDR_NONE;
    tree->root = config->is_root ? config->address : PENSTOCK_ADDR_NONE;
    tree->seq = 0u;
    tree->etx = config->is_root ? 0u : (uint16_t)PENSTOCK_ETX_NONE;
    tree->hops = 0u;
    tree->pinned = false;
    tree->fixed = false;
    tree->feasible_seq = 0u;
    tree->feasible_etx = PENSTOCK_ETX_NONE; /* nothing promised yet */
    tree->orphan_beacons = 0u;
    tree->next_beacon = now + penstock_random_below(random, config->beacon_period_us);
    tree->beacon_due = false;
}

static void learn_link(penstock_neighbor_t *from, const penstock_beacon_t *beacon, penstock_addr_t self)
{
    for (uint8_t i = 0u; i < beacon->count; i++) {
        penstock_beacon_entry_t entry = penstock_beacon_entry(beacon, i);
        if (entry.address == self) {
            from->delivery_out = entry.delivery;
        }
    }
}

/* A root unknown so far: all that was promised and heard was about another one. */
static void join_root(penstock_tree_t *tree, penstock_neighbors_t *table, penstock_addr_t root)
{
    tree->root = root;
    tree->feasible_etx = PENSTOCK_ETX_NONE;
    for (uint8_t i = 0u; i < table->capacity; i++) {
        table->entries[i].route_known = false;
    }
}

void penstock_tree_heard(penstock_tree_t *tree, penstock_neighbors_t *table, const penstock_config_t *config,
                         penstock_neighbor_t *from, const penstock_beacon_t *beacon, penstock_time_t now)
{
    learn_link(from, beacon, config->address);

    bool offers = beacon->etx != PENSTOCK_ETX_NONE && is_node(beacon->root);
    if (config->is_root) {
        if (offers && beacon->root == config->address && newer(beacon->route_seq, tree->seq)) {
            tree->seq = beacon->route_seq;
        }
        return;
    }
    if (offers && beacon->root != tree->root) {
        bool free_to_join = tree->root == PENSTOCK_ADDR_NONE || tree->parent == PENSTOCK_ADDR_NONE || tree->fixed;
        if (free_to_join && beacon->root != config->address) {
            join_root(tree, table, beacon->root);
        } else {
            offers = false;
        }
    }
    if (beacon->parent == config->address) {
        offers = false;
    }
    from->route_known = true;
    from->route_seq = beacon->route_seq;
    from->route_etx = offers ? beacon->etx : (uint16_t)PENSTOCK_ETX_NONE;
    from->route_hops = beacon->hops;
    from->route_at = now;
    penstock_tree_update(tree, table, config, now);
}

/* Path ETX through a neighbour, or PENSTOCK_ETX_NONE when it cannot be used. */
static uint16_t path_through(const penstock_neighbor_t *neighbor, const penstock_config_t *config)
{
    if (!neighbor->route_known || neighbor->route_etx == PENSTOCK_ETX_NONE ||
        neighbor->route_hops >= config->hop_limit) {
        return PENSTOCK_ETX_NONE;
    }
    uint16_t link = penstock_link_etx(neighbor);
    if (link == PENSTOCK_ETX_NONE) {
        return PENSTOCK_ETX_NONE;
    }
    uint32_t path = (uint32_t)neighbor->route_etx + link;
    return path < PENSTOCK_ETX_NONE ? (uint16_t)path : (uint16_t)PENSTOCK_ETX_NONE;
}

static bool feasible(const penstock_tree_t *tree, const penstock_neighbor_t *neighbor)
{
    return tree->feasible_etx == PENSTOCK_ETX_NONE || newer(neighbor->route_seq, tree->feasible_seq) ||
           (neighbor->route_seq == tree->feasible_seq && neighbor->route_etx < tree->feasible_etx);
}

static bool heard_within(const penstock_neighbor_t *neighbor, uint32_t periods, const penstock_config_t *config,
                         penstock_time_t now)
{
    return now - neighbor->route_at <= periods * config->beacon_period_us;
}

/* The best feasible neighbour, or NULL; *best_path is then its path ETX. */
static const penstock_neighbor_t *best_candidate(const penstock_tree_t *tree, const penstock_neighbors_t *table,
                                                 const penstock_config_t *config, penstock_time_t now,
                                                 uint16_t *best_path)
{
    const penstock_neighbor_t *best = NULL;
    *best_path = PENSTOCK_ETX_NONE;
    for (uint8_t i = 0u; i < table->capacity; i++) {
        const penstock_neighbor_t *neighbor = &table->entries[i];
        if (neighbor->address == PENSTOCK_ADDR_NONE || neighbor->address == tree->parent) {
            continue;
        }
        uint16_t path = path_through(neighbor, config);
        if (path < *best_path && feasible(tree, neighbor) &&
            heard_within(neighbor, PENSTOCK_ROUTE_FRESH, config, now)) {
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
        tree->seq = parent->route_seq;
        tree->hops = (uint8_t)(parent->route_hops + 1u);
    }
}

void penstock_tree_update(penstock_tree_t *tree, const penstock_neighbors_t *table, const penstock_config_t *config,
                          penstock_time_t now)
{
    if (config->is_root) {
        return;
    }
    const penstock_neighbor_t *parent = penstock_neighbors_find(table, tree->parent);
    uint16_t path = PENSTOCK_ETX_NONE;
    if (parent != NULL && heard_within(parent, PENSTOCK_ROUTE_LIFETIME, config, now)) {
        path = path_through(parent, config);
    }

    bool frozen = tree->fixed || (tree->pinned && tree->parent != PENSTOCK_ADDR_NONE);
    if (!frozen) {
        uint16_t other_path;
        const penstock_neighbor_t *other = best_candidate(tree, table, config, now, &other_path);
        bool unusable = path == PENSTOCK_ETX_NONE;
        if (other != NULL && (unusable || (uint32_t)other_path + PENSTOCK_TREE_HYSTERESIS < path)) {
            parent = other;
            path = other_path;
        } else if (unusable) {
            parent = NULL;
        }
        tree->parent = parent != NULL ? parent->address : PENSTOCK_ADDR_NONE;
    }
    follow(tree, parent, path);
}

bool penstock_tree_tick(penstock_tree_t *tree, const penstock_config_t *config, uint32_t *random, penstock_time_t now)
{
    uint32_t period = config->beacon_period_us;
    if (!config->beacons || penstock_time_left(now, tree->next_beacon, period + period / 8u) != 0u) {
        return false;
    }
    tree->next_beacon = now + (period - period / 8u) + penstock_random_below(random, period / 4u + 1u);
    tree->beacon_due = true;
    return true;
}

void penstock_tree_promise(penstock_tree_t *tree, const penstock_config_t *config, penstock_beacon_t *beacon)
{
    if (config->is_root) {
        tree->seq++;
    }
    bool offers = tree->etx != PENSTOCK_ETX_NONE && config->advertise;
    beacon->root = tree->root;
    beacon->route_seq = tree->seq;
    beacon->etx = offers ? tree->etx : (uint16_t)PENSTOCK_ETX_NONE;
    beacon->hops = tree->hops;
    beacon->parent = tree->parent;

    if (offers) {
        if (tree->feasible_etx == PENSTOCK_ETX_NONE || newer(tree->seq, tree->feasible_seq)) {
            tree->feasible_seq = tree->seq;
            tree->feasible_etx = tree->etx;
        } else if (tree->seq == tree->feasible_seq && tree->etx < tree->feasible_etx) {
            tree->feasible_etx = tree->etx;
        }
    }
    if (tree->etx != PENSTOCK_ETX_NONE) {
        tree->orphan_beacons = 0u;
    } else if (tree->orphan_beacons < PENSTOCK_TREE_AMNESTY) {
        tree->orphan_beacons++;
    } else {
        tree->feasible_etx = PENSTOCK_ETX_NONE;
    }
}
