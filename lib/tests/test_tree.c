/* The collection tree, one decision at a time.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "one_node.h"

enum { ROOT = 1, P = 2, Q = 3, R = 4, SECOND = 1000000, PERIOD = 10 * SECOND };

static void start(one_node_t *bench)
{
    one_node_prepare(bench, &penstock_control_none);
    bench->config.beacons = true;
    one_node_start(bench, 0u);
    for (int node = P; node <= R; node++) { /* enough frames for perfect links */
        for (int i = 0; i < 6; i++) {
            (void)one_node_hear(bench, (uint8_t)node, 99u, 5u, 0u, false, 0u);
        }
    }
}

/* A neighbour advertises a route; its link to this node has delivery 255 unless said. */
static void advertise_link(one_node_t *bench, uint8_t from, uint16_t seq, uint16_t etx, uint8_t delivery,
                           penstock_time_t now)
{
    penstock_beacon_t beacon = {.root = ROOT, .route_seq = seq, .etx = etx, .hops = 1u, .parent = ROOT};
    CHECK_EQ(one_node_hear_beacon(bench, from, &beacon, delivery, false, now), PENSTOCK_OK);
}

static void advertise(one_node_t *bench, uint8_t from, uint16_t seq, uint16_t etx, penstock_time_t now)
{
    advertise_link(bench, from, seq, etx, 255u, now);
}

/* Has the node send its beacon, and reads it. */
static penstock_beacon_t own_beacon(one_node_t *bench)
{
    penstock_time_t now = bench->node.tree.next_beacon;
    penstock_tick(&bench->node, now);
    CHECK(one_node_transmits(bench, now));
    CHECK_EQ(bench->frame.type, PENSTOCK_FRAME_BEACON);
    CHECK_EQ(bench->tx.dst, PENSTOCK_ADDR_BROADCAST);
    CHECK(!bench->tx.ack);
    one_node_report(bench, PENSTOCK_TX_DONE, now);
    penstock_beacon_t beacon = {.count = 0u};
    CHECK_EQ(penstock_beacon_parse(&beacon, bench->frame.payload, bench->frame.payload_len), PENSTOCK_OK);
    return beacon;
}

static void test_choice_and_metric(void)
{
    one_node_t bench;
    start(&bench);
    CHECK_EQ(penstock_parent(&bench.node), PENSTOCK_ADDR_NONE);
    CHECK_EQ(own_beacon(&bench).etx, PENSTOCK_ETX_NONE);
    advertise_link(&bench, P, 7u, 256u, 0u, 1u); /* does not say how well it hears this node */
    CHECK_EQ(penstock_parent(&bench.node), PENSTOCK_ADDR_NONE);
    advertise_link(&bench, P, 7u, 256u, 128u, 2u);
    CHECK_EQ(penstock_parent(&bench.node), P);
    CHECK_EQ(bench.node.tree.etx, 256 + 255);
    CHECK_EQ(bench.node.tree.hops, 2);
    penstock_beacon_t beacon = own_beacon(&bench);
    CHECK_EQ(beacon.root, ROOT);
    CHECK_EQ(beacon.route_seq, 7);
    CHECK_EQ(beacon.etx, 256 + 255);
    CHECK_EQ(beacon.hops, 2);
    CHECK_EQ(beacon.parent, P);
    CHECK_EQ(beacon.count, 3); /* P, Q and R are heard well */
    CHECK_EQ(penstock_beacon_entry(&beacon, 0u).delivery, 255);
}

static void test_hysteresis(void)
{
    one_node_t bench;
    start(&bench);
    advertise(&bench, P, 7u, 300u, 1u);
    advertise(&bench, Q, 7u, 236u, 2u); /* better by exactly half a transmission */
    CHECK_EQ(penstock_parent(&bench.node), P);
    advertise(&bench, Q, 7u, 235u, 3u);
    CHECK_EQ(penstock_parent(&bench.node), Q);
}

/* What is not strictly better than this node's own promise could be its own descendant. */
static void test_feasibility(void)
{
    one_node_t bench;
    start(&bench);
    advertise(&bench, P, 7u, 300u, 1u);
    CHECK_EQ(own_beacon(&bench).etx, 428); /* the promise: (7, 428) */
    penstock_time_t now = bench.node.tree.next_beacon - 1u;
    advertise(&bench, P, 8u, PENSTOCK_ETX_NONE, now); /* the parent has lost its route */
    CHECK_EQ(penstock_parent(&bench.node), PENSTOCK_ADDR_NONE);
    advertise(&bench, Q, 7u, 428u, now);
    CHECK_EQ(penstock_parent(&bench.node), PENSTOCK_ADDR_NONE);
    advertise(&bench, Q, 6u, 10u, now); /* old news, however good */
    CHECK_EQ(penstock_parent(&bench.node), PENSTOCK_ADDR_NONE);
    advertise(&bench, Q, 7u, 427u, now);
    CHECK_EQ(penstock_parent(&bench.node), Q);
    advertise(&bench, Q, 8u, PENSTOCK_ETX_NONE, now);
    advertise(&bench, R, 8u, 5000u, now); /* newer than the promise: safe, however long */
    CHECK_EQ(penstock_parent(&bench.node), R);
}

/* A parent may be kept although its route got longer than this node's promise. */
static void test_longer_parent_is_kept(void)
{
    one_node_t bench;
    start(&bench);
    advertise(&bench, P, 7u, 300u, 1u);
    (void)own_beacon(&bench);
    penstock_time_t now = bench.node.tree.next_beacon - 1u;
    advertise(&bench, P, 7u, 900u, now);
    CHECK_EQ(penstock_parent(&bench.node), P);
    CHECK_EQ(bench.node.tree.etx, 1028);
    CHECK_EQ(own_beacon(&bench).etx, 1028);
    CHECK_EQ(bench.node.tree.feasible_etx, 428); /* the promise stays */
}

static void test_sequence_wraps(void)
{
    one_node_t bench;
    start(&bench);
    advertise(&bench, P, 0xFFFFu, 300u, 1u);
    (void)own_beacon(&bench);
    penstock_time_t now = bench.node.tree.next_beacon - 1u;
    advertise(&bench, P, 0xFFFFu, PENSTOCK_ETX_NONE, now);
    advertise(&bench, Q, 0u, 1000u, now);
    CHECK_EQ(penstock_parent(&bench.node), Q);
}

static void test_routes_that_lead_back(void)
{
    one_node_t bench;
    start(&bench);
    penstock_beacon_t beacon = {.root = ROOT, .route_seq = 9u, .etx = 200u, .hops = 1u, .parent = SELF};
    (void)one_node_hear_beacon(&bench, P, &beacon, 255u, false, 1u);
    CHECK_EQ(penstock_parent(&bench.node), PENSTOCK_ADDR_NONE);
    beacon.parent = ROOT;
    beacon.hops = 16u; /* the hop limit */
    (void)one_node_hear_beacon(&bench, P, &beacon, 255u, false, 2u);
    CHECK_EQ(penstock_parent(&bench.node), PENSTOCK_ADDR_NONE);
    beacon.hops = 15u;
    (void)one_node_hear_beacon(&bench, P, &beacon, 255u, false, 3u);
    CHECK_EQ(penstock_parent(&bench.node), P);
}

static void test_expiry(void)
{
    one_node_t bench;
    start(&bench);
    advertise(&bench, P, 7u, 300u, 1u);
    advertise(&bench, Q, 7u, 300u, 1u);
    /* P's beacons stop, its data is still heard: for five periods it stays. */
    for (penstock_time_t now = SECOND; now <= 50u * SECOND; now += SECOND) {
        (void)one_node_hear(&bench, P, 99u, P, 0u, false, now);
        penstock_tick(&bench.node, now);
        CHECK_EQ(penstock_parent(&bench.node), P);
    }
    penstock_tick(&bench.node, 62u * SECOND);
    CHECK_EQ(penstock_parent(&bench.node), PENSTOCK_ADDR_NONE); /* Q's route is stale as well */
    advertise(&bench, Q, 8u, 300u, 63u * SECOND);
    CHECK_EQ(penstock_parent(&bench.node), PENSTOCK_ADDR_NONE); /* forgotten: its link must be learned again */
    for (int i = 0; i < 6; i++) {
        (void)one_node_hear(&bench, Q, 99u, Q, 0u, false, 63u * SECOND);
    }
    advertise(&bench, Q, 8u, 300u, 63u * SECOND);
    CHECK_EQ(penstock_parent(&bench.node), Q);
}

static void test_pinning(void)
{
    one_node_t bench;
    start(&bench);
    penstock_pin_route(&bench.node, true);
    advertise(&bench, P, 7u, 500u, 1u); /* it had none: the first it finds */
    CHECK_EQ(penstock_parent(&bench.node), P);
    advertise(&bench, Q, 8u, 100u, 2u);
    CHECK_EQ(penstock_parent(&bench.node), P);
    CHECK_EQ(own_beacon(&bench).etx, 628); /* beacons go on, and tell the truth */
    for (int i = 0; i < 10; i++) {         /* a hundred seconds of silence */
        (void)own_beacon(&bench);
    }
    CHECK_EQ(penstock_parent(&bench.node), P);
    CHECK_EQ(own_beacon(&bench).etx, PENSTOCK_ETX_NONE);
    advertise(&bench, P, 9u, 500u, bench.node.tree.next_beacon - 1u);
    CHECK_EQ(own_beacon(&bench).etx, 628); /* what was known of its link was kept */
    penstock_pin_route(&bench.node, false);
    for (int i = 0; i < 6; i++) {
        (void)own_beacon(&bench);
    }
    CHECK_EQ(penstock_parent(&bench.node), PENSTOCK_ADDR_NONE);
}

static void test_fixed_parent(void)
{
    one_node_t bench;
    start(&bench);
    penstock_set_parent(&bench.node, R, 0u);
    advertise(&bench, P, 7u, 100u, 1u);
    CHECK_EQ(penstock_parent(&bench.node), R);
    CHECK_EQ(bench.node.tree.root, ROOT);
    CHECK_EQ(own_beacon(&bench).etx, PENSTOCK_ETX_NONE); /* nothing is known of R's route */
    penstock_set_parent(&bench.node, PENSTOCK_ADDR_NONE, 2u);
    CHECK_EQ(penstock_parent(&bench.node), P); /* back to the tree */
    penstock_set_parent(&bench.node, SELF, 3u);
    CHECK_EQ(penstock_parent(&bench.node), P);
}

static void test_leaf(void)
{
    one_node_t bench;
    one_node_prepare(&bench, &penstock_control_none);
    bench.config.beacons = true;
    bench.config.advertise = false;
    one_node_start(&bench, 0u);
    for (int i = 0; i < 6; i++) {
        (void)one_node_hear(&bench, P, 99u, P, 0u, false, 0u);
    }
    advertise(&bench, P, 7u, 100u, 1u);
    CHECK_EQ(penstock_parent(&bench.node), P);
    penstock_beacon_t beacon = own_beacon(&bench);
    CHECK_EQ(beacon.etx, PENSTOCK_ETX_NONE);
    CHECK_EQ(beacon.count, 1); /* link qualities are exchanged all the same */
}

static void test_root(void)
{
    one_node_t bench;
    one_node_prepare(&bench, &penstock_control_none);
    bench.config.beacons = true;
    bench.config.is_root = true;
    one_node_start(&bench, 0u);
    penstock_beacon_t first = own_beacon(&bench);
    penstock_beacon_t second = own_beacon(&bench);
    CHECK_EQ(first.etx, 0);
    CHECK_EQ(first.hops, 0);
    CHECK_EQ(first.root, SELF);
    CHECK_EQ(second.route_seq, first.route_seq + 1);
    /* It has started anew, and hears of its former life. */
    penstock_beacon_t heard = {.root = SELF, .route_seq = 500u, .etx = 128u, .hops = 1u, .parent = SELF};
    (void)one_node_hear_beacon(&bench, P, &heard, 255u, false, bench.node.tree.next_beacon - 1u);
    CHECK_EQ(own_beacon(&bench).route_seq, 501);
    CHECK_EQ(penstock_parent(&bench.node), PENSTOCK_ADDR_NONE);
}

static void test_two_roots(void)
{
    one_node_t bench;
    start(&bench);
    advertise(&bench, P, 100u, 500u, 1u);
    (void)own_beacon(&bench);
    penstock_time_t now = bench.node.tree.next_beacon - 1u;
    penstock_beacon_t other = {.root = 77u, .route_seq = 3u, .etx = 0u, .hops = 0u, .parent = PENSTOCK_ADDR_NONE};
    (void)one_node_hear_beacon(&bench, Q, &other, 255u, false, now);
    CHECK_EQ(penstock_parent(&bench.node), P); /* stays with the first */
    advertise(&bench, P, 101u, PENSTOCK_ETX_NONE, now);
    (void)one_node_hear_beacon(&bench, Q, &other, 255u, false, now);
    CHECK_EQ(penstock_parent(&bench.node), Q); /* number 3 is not old: it is another's */
    CHECK_EQ(bench.node.tree.root, 77);
}

static void test_amnesty(void)
{
    one_node_t bench;
    start(&bench);
    advertise(&bench, P, 40000u, 300u, 1u);
    (void)own_beacon(&bench);
    advertise(&bench, P, 40000u, PENSTOCK_ETX_NONE, bench.node.tree.next_beacon - 1u);
    for (int beacons = 0; beacons < 70; beacons++) {
        penstock_time_t now = bench.node.tree.next_beacon - 1u;
        for (int i = 0; i < 6; i++) {
            (void)one_node_hear(&bench, Q, 99u, Q, 0u, false, now);
        }
        advertise(&bench, Q, 39000u, 100u, now); /* seems old */
        CHECK_EQ(penstock_parent(&bench.node), beacons <= 64 ? PENSTOCK_ADDR_NONE : Q);
        if (beacons > 64) {
            break;
        }
        (void)own_beacon(&bench);
    }
}

/* Beacons come at the period, an eighth more or less, the first one anywhere in it. */
static void test_jitter(void)
{
    uint32_t least = UINT32_MAX;
    uint32_t most = 0u;
    uint32_t first_least = UINT32_MAX;
    uint32_t first_most = 0u;
    for (uint32_t seed = 0u; seed < 200u; seed++) {
        one_node_t bench;
        one_node_prepare(&bench, &penstock_control_none);
        bench.config.beacons = true;
        bench.config.seed = seed;
        one_node_start(&bench, UINT32_C(0xFFFFFF00));
        penstock_time_t first = bench.node.tree.next_beacon;
        uint32_t wait = first - UINT32_C(0xFFFFFF00);
        first_least = wait < first_least ? wait : first_least;
        first_most = wait > first_most ? wait : first_most;
        (void)own_beacon(&bench);
        uint32_t period = bench.node.tree.next_beacon - first;
        least = period < least ? period : least;
        most = period > most ? period : most;
    }
    CHECK(first_least < PERIOD / 20 && first_most > PERIOD / 20 * 19 && first_most < PERIOD);
    CHECK(least >= PERIOD / 8 * 7 && least < PERIOD / 10 * 9);
    CHECK(most <= PERIOD / 8 * 9 && most > PERIOD / 10 * 11);
}

int main(void)
{
    test_choice_and_metric();
    test_hysteresis();
    test_feasibility();
    test_longer_parent_is_kept();
    test_sequence_wraps();
    test_routes_that_lead_back();
    test_expiry();
    test_pinning();
    test_fixed_parent();
    test_leaf();
    test_root();
    test_two_roots();
    test_amnesty();
    test_jitter();
    return check_result();
}
