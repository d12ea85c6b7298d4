/* The routing of TinyOS's Collection Tree Protocol: links from beacons and acknowledged data,
 * beacons when there is news, loops found by data and mended.
 *
 * After TEP 123 ("The Collection Tree Protocol", Fonseca, Gnawali, Jamieson, Kim, Levis and
 * Woo) and TinyOS 2's CtpRoutingEngineP and CtpForwardingEngineP; WRCP (section 3) stands on it. How a
 * parent is chosen among neighbours is in tree.c; here is what this routing has of its own.
 *
 *   Links    link_estimator_data.c. A neighbour is a candidate when the ETX of its link is
 *            below 5; the parent may get worse than that and stays until there is a better route.
 *   Parent   left for a route that is better by more than 1.5 transmissions (config.ctp).
 *   Beacons  trickle.c, from 125 ms to 500 s. The first one comes 4 to 12 s after the start,
 *            as in TinyOS (half of its 8 s period, and a random whole one), the shortest
 *            interval behind it. Beacons are numbered by their sender.
 *
 * Which way a beacon knows. The four-bit estimator takes a neighbour's beacons for the link both ways,
 * and leaves it to data to find where they differ; so a tree that is pinned before there
 * was any data has links that deliver little or nothing. TEP 123, 6.1, says that beacons seed both directions,
 * as those of TinyOS's older estimator (tos/lib/net/le) do: with config.ctp.link_tables they carry the sender's table
 * as the thesis's do, and a neighbour is a candidate when it has said how it hears this node.
 *
 * What is news (TEP 123, 6.1 and 5; CtpRoutingEngineP for the second line): the interval is reset
 *
 *   when the route is lost, or found
 *   when its ETX has grown by a transmission since the last beacon, or shrunk by more than two
 *   when a neighbour asks (the pull bit, which a node without a route sets) and there is a route
 *   when a child believes to be as near the root as this node, or nearer: by its beacon, or by the
 *     path ETX that it tells in its data
 *
 * A frozen parent (pinned, or named) makes the first, second and fourth no news: nobody can
 * do anything about it. Pulls are answered.
 *
 * Loops. The thesis's routing has none (routing_dsdv.c): a node may only choose what is better than
 * all it ever promised, or newer by the root's number, so that whoever lost its parent may
 * have to wait for the root's next number. That wait is one period where beacons come every
 * ten seconds; here it would be up to minutes. CTP chooses at once, among all, and may choose
 * its own descendant when what it knows of it is old. Then path ETX grows all along the loop, and a
 * node in it gets data from a child that claims to be no farther from the root: its beacon,
 * soon, tells the child otherwise. A loop without a way out counts up to the hop limit (TEP 123
 * leaves the constant to the implementation), and its nodes are without a route. Data that
 * meets a node again has more hops than before, so it is no duplicate (receive.c), and ends at the
 * hop limit too. A neighbour whose beacon names this node as its parent is never chosen.
 *
 * Left out: CTP's congestion bit, which TinyOS never sets; the pause of about 100 ms after a suspected
 * loop; the table policy of the four-bit estimator (neighbors.c has its own; only a root's beacon
 * finds a place whatever it takes, as there). Several roots are one network: whose tree it is
 * does not matter (TEP 123, 2). TinyOS chooses every 8 s, before a beacon and after a failed
 * attempt; here whenever anything was learned. An acknowledgement is a sign of life of the parent;
 * who gave none for five of the longest intervals is forgotten (TinyOS forgets nobody).
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "link_estimator_data.h"
#include "neighbors.h"
#include "random.h"
#include "routing.h"
#include "tree.h"
#include "trickle.h"

/* So that five of them are less than a turn of the clock. */
#define LONGEST_INTERVAL (UINT32_C(1) << 29)
#define FIRST_BEACON_US UINT32_C(4000000)
#define FIRST_SPREAD_US UINT32_C(8000000)
/* Links of candidates are better than this: an ETX of 5. */
#define CANDIDATE_ETX (5u * PENSTOCK_ETX_ONE)
#define NEWS_LONGER PENSTOCK_ETX_ONE
#define NEWS_SHORTER (2u * PENSTOCK_ETX_ONE)
#define SHARE_ONE (UINT32_C(255) * 255u)

/* ---- Numbers --------------------------------------------------------------- */

penstock_ctp_params_t penstock_ctp_defaults(void)
{
    penstock_ctp_params_t params = {
        .beacon_min_us = UINT32_C(125000),
        .beacon_max_us = UINT32_C(500000000),
        .switch_etx = PENSTOCK_ETX_ONE + PENSTOCK_ETX_ONE / 2u,
        .link_tables = false,
    };
    return params;
}

static bool config_works(const penstock_config_t *config)
{
    const penstock_ctp_params_t *params = &config->ctp;
    return params->beacon_min_us >= 2u && params->beacon_min_us <= params->beacon_max_us &&
           params->beacon_max_us <= LONGEST_INTERVAL;
}

static uint32_t period(const penstock_config_t *config)
{
    return config->ctp.beacon_max_us;
}

static uint16_t hysteresis(const penstock_config_t *config)
{
    return config->ctp.switch_etx;
}

/* ---- News ------------------------------------------------------------------ */

static void tell_soon(penstock_node_t *node, penstock_time_t now)
{
    penstock_tree_t *tree = &node->tree;
    tree->next_beacon =
        penstock_trickle_reset(&tree->trickle, node->config->ctp.beacon_min_us, &node->random, tree->next_beacon, now);
}

static void updated(penstock_node_t *node, penstock_time_t now)
{
    const penstock_tree_t *tree = &node->tree;
    if (penstock_tree_frozen(tree)) {
        return;
    }
    bool lost_or_found = (tree->etx == PENSTOCK_ETX_NONE) != (tree->told_etx == PENSTOCK_ETX_NONE);
    bool both = tree->etx != PENSTOCK_ETX_NONE && tree->told_etx != PENSTOCK_ETX_NONE;
    bool longer = both && tree->etx >= (uint32_t)tree->told_etx + NEWS_LONGER;
    bool shorter = both && (uint32_t)tree->etx + NEWS_SHORTER < tree->told_etx;
    if (lost_or_found || longer || shorter) {
        tell_soon(node, now);
    }
}

/* A neighbour that has chosen this node says how far it believes to be from the root. */
static void child_told(penstock_node_t *node, uint16_t etx, penstock_time_t now)
{
    const penstock_tree_t *tree = &node->tree;
    bool has_route = tree->etx != PENSTOCK_ETX_NONE;
    if (!node->config->is_root && has_route && etx <= tree->etx && !penstock_tree_frozen(tree)) {
        tell_soon(node, now);
    }
}

/* ---- Links ----------------------------------------------------------------- */

static void heard(penstock_neighbor_t *from, bool is_new, const penstock_frame_t *frame,
                  const penstock_beacon_t *beacon)
{
    if (is_new) {
        from->last_link_seq = 0u;
        from->received = 0u;
        from->expected = 0u;
        from->delivery_in = 0u;
        from->link_etx = 0u;
        penstock_data_link_begin(from);
    }
    if (beacon != NULL && frame->is_ctp) {
        penstock_data_link_beacon(from, (uint8_t)beacon->route_seq);
    }
}

static void sent(penstock_neighbor_t *to, uint8_t attempts, bool acked, penstock_time_t now)
{
    penstock_data_link_sent(to, attempts, acked);
    if (acked) {
        to->heard_at = now;
    }
}

static uint16_t link_delivery(const penstock_neighbor_t *neighbor)
{
    uint32_t share = neighbor->link_etx != 0u ? SHARE_ONE * PENSTOCK_ETX_ONE / neighbor->link_etx : 0u;
    return (uint16_t)share;
}

/* ---- Parents --------------------------------------------------------------- */

static bool offered(penstock_node_t *node, penstock_neighbor_t *from, const penstock_beacon_t *beacon,
                    penstock_time_t now)
{
    penstock_tree_t *tree = &node->tree;
    if (beacon->pull && tree->etx != PENSTOCK_ETX_NONE) {
        tell_soon(node, now);
    }
    uint8_t delivery = penstock_beacon_delivery(beacon, node->config->address);
    if (node->config->ctp.link_tables && delivery != 0u) {
        penstock_data_link_told(from, delivery);
    }
    bool offers = beacon->etx != PENSTOCK_ETX_NONE && penstock_is_node(beacon->root);
    if (!offers) {
        return false;
    }
    if (beacon->parent == node->config->address) {
        child_told(node, beacon->etx, now);
    }
    if (!node->config->is_root && (from->address == tree->parent || tree->parent == PENSTOCK_ADDR_NONE)) {
        tree->root = beacon->root;
    }
    return true;
}

static bool may_choose(const penstock_node_t *node, const penstock_neighbor_t *neighbor, penstock_time_t now)
{
    (void)now;
    bool known = !node->config->ctp.link_tables || neighbor->delivery_out != 0u;
    return known && penstock_data_link_etx(neighbor) < CANDIDATE_ETX;
}

static bool may_keep(const penstock_node_t *node, const penstock_neighbor_t *parent, penstock_time_t now)
{
    (void)node;
    (void)parent;
    (void)now;
    return true;
}

/* ---- Beacons --------------------------------------------------------------- */

static penstock_time_t start(penstock_node_t *node, penstock_time_t now)
{
    return penstock_trickle_start(&node->tree.trickle,
                                  now + FIRST_BEACON_US + penstock_random_below(&node->random, FIRST_SPREAD_US));
}

static uint32_t longest_wait(const penstock_config_t *config)
{
    uint32_t most = config->ctp.beacon_max_us;
    return most + most / 2u + FIRST_BEACON_US + FIRST_SPREAD_US;
}

static penstock_time_t next(penstock_node_t *node, penstock_time_t now)
{
    const penstock_ctp_params_t *params = &node->config->ctp;
    return penstock_trickle_fired(&node->tree.trickle, params->beacon_min_us, params->beacon_max_us, &node->random,
                                  now);
}

static bool tells_links(const penstock_config_t *config)
{
    return config->ctp.link_tables;
}

static void promise(penstock_node_t *node, penstock_beacon_t *beacon)
{
    penstock_tree_t *tree = &node->tree;
    bool offers = tree->etx != PENSTOCK_ETX_NONE && node->config->advertise;
    tree->seq++;
    tree->told_etx = tree->etx;
    beacon->root = tree->root;
    beacon->route_seq = tree->seq;
    beacon->etx = offers ? tree->etx : (uint16_t)PENSTOCK_ETX_NONE;
    beacon->hops = tree->hops;
    beacon->parent = tree->parent;
    beacon->pull = !node->config->is_root && tree->parent == PENSTOCK_ADDR_NONE;
}

const penstock_routing_t penstock_routing_ctp = {
    .is_ctp = true,
    .config_works = config_works,
    .period = period,
    .hysteresis = hysteresis,
    .heard = heard,
    .sent = sent,
    .link_etx = penstock_data_link_etx,
    .link_delivery = link_delivery,
    .offered = offered,
    .may_choose = may_choose,
    .may_keep = may_keep,
    .chosen = penstock_data_link_begin,
    .updated = updated,
    .child_told = child_told,
    .start = start,
    .longest_wait = longest_wait,
    .next = next,
    .tells_links = tells_links,
    .promise = promise,
};
