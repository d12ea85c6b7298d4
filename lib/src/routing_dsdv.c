/* The thesis's routing: numbered routes, links from overheard frames, a fixed beacon period.
 *
 * Thesis 2.3.2: a distance-vector protocol after DSDV with one destination; beacons carry a
 * sequence number and a path ETX, which is the sum of the links' ETX (Equation 2.1,
 * link_estimator.c). How a parent is chosen among neighbours is in tree.c; here is what
 * this routing has of its own.
 *
 *   The root       advertises (its next number, ETX 0) with every beacon.
 *   Other nodes    advertise (the parent's number, the sum), or "no route".
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
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "link_estimator.h"
#include "neighbors.h"
#include "random.h"
#include "routing.h"
#include "tree.h"

#define LONGEST_PERIOD (UINT32_C(1) << 27)
/* For how many beacon periods without a beacon a route may be chosen, and be kept. */
#define ROUTE_FRESH 3u
#define ROUTE_LIFETIME 5u
/* Half a transmission. */
#define HYSTERESIS (PENSTOCK_ETX_ONE / 2u)
/* After so many beacons without a route, all that was built on this node's promises is gone. */
#define AMNESTY 64u

static bool newer(uint16_t a, uint16_t b)
{
    uint16_t ahead = (uint16_t)(a - b);
    return ahead != 0u && ahead < 0x8000u;
}

/* ---- Numbers --------------------------------------------------------------- */

static bool config_works(const penstock_config_t *config)
{
    return config->beacon_period_us >= 1u && config->beacon_period_us <= LONGEST_PERIOD;
}

static uint32_t period(const penstock_config_t *config)
{
    return config->beacon_period_us;
}

static uint16_t hysteresis(const penstock_config_t *config)
{
    (void)config;
    return HYSTERESIS;
}

/* ---- Links ----------------------------------------------------------------- */

static void heard(penstock_neighbor_t *from, bool is_new, const penstock_frame_t *frame,
                  const penstock_beacon_t *beacon)
{
    (void)beacon;
    if (is_new) {
        penstock_link_first(from, frame->link_seq);
    } else {
        penstock_link_heard(from, frame->link_seq);
    }
}

static uint16_t link_delivery(const penstock_neighbor_t *neighbor)
{
    return (uint16_t)((uint16_t)neighbor->delivery_in * neighbor->delivery_out);
}

/* ---- Parents --------------------------------------------------------------- */

/* A root unknown so far: all that was promised and heard was about another one. */
static void join_root(penstock_node_t *node, penstock_addr_t root)
{
    node->tree.root = root;
    node->tree.feasible_etx = PENSTOCK_ETX_NONE;
    for (uint8_t i = 0u; i < node->neighbors.capacity; i++) {
        node->neighbors.entries[i].route_known = false;
    }
}

static bool offered(penstock_node_t *node, penstock_neighbor_t *from, const penstock_beacon_t *beacon,
                    penstock_time_t now)
{
    (void)now;
    const penstock_config_t *config = node->config;
    penstock_tree_t *tree = &node->tree;
    uint8_t delivery = penstock_beacon_delivery(beacon, config->address);
    if (delivery != 0u) {
        from->delivery_out = delivery;
    }

    bool offers = beacon->etx != PENSTOCK_ETX_NONE && penstock_is_node(beacon->root);
    if (config->is_root) {
        if (offers && beacon->root == config->address && newer(beacon->route_seq, tree->seq)) {
            tree->seq = beacon->route_seq;
        }
        return false;
    }
    if (offers && beacon->root != tree->root) {
        bool free_to_join = tree->root == PENSTOCK_ADDR_NONE || tree->parent == PENSTOCK_ADDR_NONE || tree->fixed;
        if (free_to_join && beacon->root != config->address) {
            join_root(node, beacon->root);
        } else {
            offers = false;
        }
    }
    from->route_seq = beacon->route_seq;
    return offers;
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

static bool may_choose(const penstock_node_t *node, const penstock_neighbor_t *neighbor, penstock_time_t now)
{
    return feasible(&node->tree, neighbor) && heard_within(neighbor, ROUTE_FRESH, node->config, now);
}

static bool may_keep(const penstock_node_t *node, const penstock_neighbor_t *parent, penstock_time_t now)
{
    return heard_within(parent, ROUTE_LIFETIME, node->config, now);
}

/* The number that this node advertises is its parent's. */
static void updated(penstock_node_t *node, penstock_time_t now)
{
    (void)now;
    const penstock_neighbor_t *parent = penstock_neighbors_find(&node->neighbors, node->tree.parent);
    if (parent != NULL && node->tree.etx != PENSTOCK_ETX_NONE) {
        node->tree.seq = parent->route_seq;
    }
}

/* ---- Beacons --------------------------------------------------------------- */

static penstock_time_t start(penstock_node_t *node, penstock_time_t now)
{
    return now + penstock_random_below(&node->random, node->config->beacon_period_us);
}

static uint32_t longest_wait(const penstock_config_t *config)
{
    return config->beacon_period_us + config->beacon_period_us / 8u;
}

static penstock_time_t next(penstock_node_t *node, penstock_time_t now)
{
    uint32_t whole = node->config->beacon_period_us;
    return now + (whole - whole / 8u) + penstock_random_below(&node->random, whole / 4u + 1u);
}

static bool tells_links(const penstock_config_t *config)
{
    (void)config;
    return true;
}

static void promise(penstock_node_t *node, penstock_beacon_t *beacon)
{
    const penstock_config_t *config = node->config;
    penstock_tree_t *tree = &node->tree;
    if (config->is_root) {
        tree->seq++;
    }
    bool offers = tree->etx != PENSTOCK_ETX_NONE && config->advertise;
    beacon->root = tree->root;
    beacon->route_seq = tree->seq;
    beacon->etx = offers ? tree->etx : (uint16_t)PENSTOCK_ETX_NONE;
    beacon->hops = tree->hops;
    beacon->parent = tree->parent;
    beacon->pull = false;

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
    } else if (tree->orphan_beacons < AMNESTY) {
        tree->orphan_beacons++;
    } else {
        tree->feasible_etx = PENSTOCK_ETX_NONE;
    }
}

const penstock_routing_t penstock_routing_dsdv = {
    .is_ctp = false,
    .config_works = config_works,
    .period = period,
    .hysteresis = hysteresis,
    .heard = heard,
    .link_etx = penstock_link_etx,
    .link_delivery = link_delivery,
    .offered = offered,
    .may_choose = may_choose,
    .may_keep = may_keep,
    .updated = updated,
    .start = start,
    .longest_wait = longest_wait,
    .next = next,
    .tells_links = tells_links,
    .promise = promise,
};
