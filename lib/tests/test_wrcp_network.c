/* WRCP in small ideal networks: the max-min fair rates of three trees that can be worked out by hand
 * (tests/test_wrcp.py holds the same figures against a linear programme), and flows that come and go.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <math.h>

#include "check.h"
#include "control/wrcp_estimates.h"
#include "small_world.h"

enum { SECOND = 1000000, MOST = 8 };

typedef struct tree {
    int count;
    int parents[MOST];  /* node 0 is the root */
    int heard[MOST][2]; /* further links, both ways */
    int heard_count;
    const uint16_t *table; /* by senders in range */
    uint8_t table_len;
    double rates[MOST]; /* max-min fair, packets/s; 0 at the root */
} tree_t;

static world_t world;
static bool silent[WORLD_MAX]; /* its application has nothing to send */
static uint32_t before[WORLD_MAX];

static const uint16_t eighteen[] = {PENSTOCK_WRCP_PPS(18)};
static const uint16_t twelve[] = {PENSTOCK_WRCP_PPS(12)};
static const uint16_t by_senders[] = {PENSTOCK_WRCP_PPS(20), PENSTOCK_WRCP_PPS(30), PENSTOCK_WRCP_PPS(40),
                                      PENSTOCK_WRCP_PPS(24)};

/* Three sources in one room: every node hears r1 + r2 + r3 <= 18. */
static const tree_t room = {4, {-1, 0, 0, 0}, {{1, 2}, {1, 3}, {2, 3}}, 3, eighteen, 1u, {0, 6, 6, 6}};
/* 3 -> 2 -> 1 -> 0 <- 4. Node 2 hears its parent's r1 + r2 + r3, sends r2 + r3, and hears r3: r1 + 2 r2 + 3 r3 <= 12.
 * The root has 6 of its 12 left for node 4. */
static const tree_t chain = {5, {-1, 0, 1, 2, 0}, {{0}}, 0, twelve, 1u, {0, 2, 2, 2, 6}};
/* The tree of Fig. 3, its node i being node i - 1 here, with 7 and 8 on a branch of their own, and capacities by the
 * number of senders. Node 2 (1 here) hears four, B = 24, and Eq. 2 gives r2 + 2 r4 + 2 r5 + r3 + r6 <= 24: 24/7 each.
 * Node 7 hears two, B = 30, and r7 + 2 r8 <= 30: 10 each. The root, with three and 40, has room for all of it. */
static const tree_t figure_3 = {8,
                                {-1, 0, 0, 1, 1, 2, 0, 6},
                                {{1, 2}},
                                1,
                                by_senders,
                                4u,
                                {0, 24.0 / 7, 24.0 / 7, 24.0 / 7, 24.0 / 7, 24.0 / 7, 10, 10}};

static void start(const tree_t *tree)
{
    world_init(&world, tree->count, &penstock_control_wrcp, 5u, 0u);
    for (int i = 0; i < tree->count; i++) {
        penstock_config_t *config = &world.nodes[i].config;
        config->beacons = false;
        config->control_params.wrcp.capacity = tree->table;
        config->control_params.wrcp.capacity_len = tree->table_len;
        world_reboot(&world, i);
        silent[i] = i == 0;
    }
    for (int i = 1; i < tree->count; i++) {
        world_link(&world, i, tree->parents[i], 255u);
        penstock_set_parent(&world.nodes[i].node, (penstock_addr_t)(100 + tree->parents[i]), 0u);
    }
    for (int i = 0; i < tree->heard_count; i++) {
        world_link(&world, tree->heard[i][0], tree->heard[i][1], 255u);
    }
}

/* Sources that have always another packet. */
static void run(int seconds)
{
    static const uint8_t payload[8] = {0u};
    for (int i = 0; i < world.count; i++) {
        before[i] = world.nodes[i].node.counters.admitted;
    }
    for (int step = 0; step < seconds * (SECOND / WORLD_STEP_US); step++) {
        for (int i = 1; i < world.count; i++) {
            while (!silent[i] && penstock_send(&world.nodes[i].node, 0u, payload, sizeof payload, world.now, NULL,
                                               NULL) == PENSTOCK_OK) {
            }
        }
        world_step(&world);
    }
}

/* What the node sent of its own, and what it may, are both within `bound` of `expected`, a share of it. */
static void check_rate(int node, int seconds, double expected, double bound)
{
    double sent = (double)(world.nodes[node].node.counters.admitted - before[node]) / seconds;
    double allowed = (double)penstock_allowed_rate(&world.nodes[node].node) / PENSTOCK_PPS_ONE;
    if (fabs(sent - expected) > bound * expected || fabs(allowed - expected) > bound * expected) {
        fprintf(stderr, "node %d: sent %.3f, allowed %.3f, expected %.3f packets/s\n", node, sent, allowed, expected);
    }
    CHECK(fabs(sent - expected) <= bound * expected);
    CHECK(fabs(allowed - expected) <= bound * expected);
}

/* In tens of seconds near what is fair, later as near as packets can be counted in seconds. */
static void test_max_min(const tree_t *tree)
{
    start(tree);
    run(60);
    run(30);
    for (int i = 1; i < tree->count; i++) {
        check_rate(i, 30, tree->rates[i], 0.15);
    }
    run(90);
    run(120);
    for (int i = 1; i < tree->count; i++) {
        check_rate(i, 120, tree->rates[i], 0.05);
    }
    uint32_t drops = 0u;
    for (int i = 0; i < tree->count; i++) {
        CHECK(world.nodes[i].node.queue.count <= 2u); /* within the capacity no queue builds up */
        for (int reason = 0; reason < PENSTOCK_DROP_COUNT; reason++) {
            drops += world.nodes[i].node.counters.drops[reason];
        }
    }
    CHECK_EQ(drops, 0);
}

/* Eq. 2 in a network that runs: node 2's gamma from what nodes 2 to 6 really send. */
static void test_figure_3_at_work(void)
{
    start(&figure_3);
    run(200);
    double r[MOST];
    for (int i = 0; i < MOST; i++) {
        r[i] = (double)world.nodes[i].node.control.wrcp.rate / PENSTOCK_PPS_ONE;
    }
    double r2_tot = r[1] + r[3] + r[4];
    double r3_tot = r[2] + r[5];
    double gamma = (24.0 - (r2_tot + r3_tot + r[3] + r[4])) / 7.0;
    const penstock_node_t *node = &world.nodes[1].node;
    penstock_wrcp_around_t around;
    penstock_wrcp_look_around(node, &around);
    CHECK_EQ(around.senders, 4);
    CHECK_EQ(around.flows_q255, 7 * 255);
    /* Rates are told as averages of whole packets in a second: one packet more or less of seven flows. */
    CHECK(fabs(node->control.wrcp.gamma / 256.0 - gamma) < 1.0 / 7.0);
}

/* A flow that joins a full network gets its share within a minute (4.8), and what it leaves is taken again. */
static void test_join_and_leave(void)
{
    start(&room);
    silent[3] = true;
    run(90);
    run(30);
    check_rate(1, 30, 9.0, 0.05);
    silent[3] = false;
    run(60);
    run(30);
    for (int i = 1; i <= 3; i++) {
        check_rate(i, 30, 6.0, 0.15);
    }
    CHECK(!world.nodes[3].node.control.wrcp.joining);
    silent[1] = true;
    silent[2] = true;
    run(60);
    run(30);
    check_rate(3, 30, 18.0, 0.1);
    CHECK(!world.nodes[1].node.control.wrcp.active);
}

/* One source stays idle all the time: it is no flow, and the two others divide what there is. */
static void test_idle_sources_are_no_flows(void)
{
    start(&room);
    silent[2] = true;
    run(60);
    penstock_wrcp_around_t around;
    penstock_wrcp_look_around(&world.nodes[0].node, &around);
    CHECK_EQ(around.senders, 2);
    CHECK_EQ(around.flows_q255, 2 * 255);
}

/* Nobody is silenced, however little there is: an eighth of a packet a second for three, and a floor of 0.1 for each.
 */
static void test_nobody_is_starved(void)
{
    static const uint16_t little[] = {PENSTOCK_WRCP_PPS(0.125)};
    tree_t poor = room;
    poor.table = little;
    start(&poor);
    run(100);
    run(100);
    for (int i = 1; i < poor.count; i++) {
        check_rate(i, 100, 0.1, 0.11);
    }
}

int main(void)
{
    test_max_min(&room);
    test_max_min(&chain);
    test_max_min(&figure_3);
    test_figure_3_at_work();
    test_join_and_leave();
    test_idle_sources_are_no_flows();
    test_nobody_is_starved();
    return check_result();
}
