/* Told rates in small networks: a skewed tree, a source that dies, unequal demands. Node 1 has five
 * sources behind it, node 2 is alone; both send to the root, and a frame of theirs takes 40 ms. Each source holds one
 * packet until it is taken.
 *
 *     root 0 --- 1 --- 3 4 5 6 7
 *            \-- 2
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "small_world.h"

enum { SECOND = 1000000, NODES = 8, FRAME_STEPS = 8, WINDOW_S = 4 };

static world_t world;            /* too large for some stacks */
static double demand[NODES];     /* packets/s */
static double waiting[NODES];    /* packets that the application holds, at most one */
static uint32_t admitted[NODES]; /* in the last run, and how many were dropped in it, by whomever */
static uint32_t dropped;

static void start(const penstock_strategy_t *strategy)
{
    world_init(&world, NODES, strategy, 5u, 0u);
    for (int a = 0; a < 3; a++) {
        for (int b = 0; b < a; b++) {
            world_link(&world, a, b, 255u);
        }
    }
    for (int leaf = 3; leaf < NODES; leaf++) {
        world_link(&world, 1, leaf, 255u);
    }
    for (int i = 0; i < NODES; i++) {
        world.nodes[i].config.beacons = false;
        world_reboot(&world, i);
        demand[i] = i == 0 ? 0.0 : 50.0;
        waiting[i] = 0.0;
    }
    for (int i = 1; i < NODES; i++) {
        penstock_set_parent(&world.nodes[i].node, i < 3 ? 100u : 101u, 0u);
    }
    world.nodes[1].frame_steps = FRAME_STEPS;
    world.nodes[2].frame_steps = FRAME_STEPS;
}

static uint32_t drops(void)
{
    uint32_t sum = 0u;
    for (int i = 0; i < NODES; i++) {
        for (int reason = 0; reason < PENSTOCK_DROP_COUNT; reason++) {
            sum += world.nodes[i].node.counters.drops[reason];
        }
    }
    return sum;
}

/* Lets time pass, with sources that hold one packet until it is taken. */
static void run(int seconds)
{
    uint32_t before[NODES];
    dropped = drops();
    for (int i = 0; i < NODES; i++) {
        before[i] = world.nodes[i].node.counters.admitted;
    }
    for (int step = 0; step < seconds * (SECOND / WORLD_STEP_US); step++) {
        for (int i = 1; i < NODES; i++) {
            static const uint8_t payload[8] = {0u};
            waiting[i] += demand[i] * WORLD_STEP_US / SECOND;
            waiting[i] = waiting[i] > 1.999 ? 1.999 : waiting[i];
            if (!world.nodes[i].asleep && waiting[i] >= 1.0 &&
                penstock_send(&world.nodes[i].node, 0u, payload, sizeof payload, world.now, NULL, NULL) ==
                    PENSTOCK_OK) {
                waiting[i] -= 1.0;
            }
        }
        world_step(&world);
    }
    for (int i = 0; i < NODES; i++) {
        admitted[i] = world.nodes[i].node.counters.admitted - before[i];
    }
    dropped = drops() - dropped;
}

static double rate(int node, int seconds)
{
    return (double)admitted[node] / seconds;
}

static double mean_rate(int first, int last, int seconds)
{
    double sum = 0.0;
    for (int i = first; i <= last; i++) {
        sum += rate(i, seconds);
    }
    return sum / (last - first + 1);
}

/* All of these within `bound` of `expected`, a share of it. */
static void check_rates(int first, int last, int seconds, double expected, double bound)
{
    for (int i = first; i <= last; i++) {
        double got = rate(i, seconds);
        if (got < expected * (1.0 - bound) || got > expected * (1.0 + bound)) {
            fprintf(stderr, "node %d: %.2f packets/s, expected %.2f\n", i, got, expected);
        }
        CHECK(got >= expected * (1.0 - bound) && got <= expected * (1.0 + bound));
    }
}

/* What node 1 gives away: nine tenths of a packet in the time of one, the step in which it is
 * begun included. */
static double bottleneck(void)
{
    return 0.9 * SECOND / ((FRAME_STEPS + 1) * WORLD_STEP_US);
}

/* Six sources through node 1, itself among them, and one beside it: each gets a sixth of the bottleneck. */
static void test_skewed_tree(const penstock_strategy_t *strategy)
{
    start(strategy);
    run(10 * WINDOW_S);
    run(100);
    check_rates(1, 7, 100, mean_rate(1, 7, 100), 0.05);
    check_rates(1, 7, 100, bottleneck() / 6.0, 0.06);
    CHECK_EQ(dropped, 0); /* the rates fit what the network can carry */
}

/* Within two windows of a death the others have its share. */
static void test_dead_source(void)
{
    start(&penstock_control_share);
    run(20 * WINDOW_S);
    world.nodes[3].asleep = true;
    world.nodes[4].asleep = true;
    run(2 * WINDOW_S);
    run(40);
    CHECK_EQ(admitted[3], 0);
    check_rates(5, 7, 40, mean_rate(5, 7, 40), 0.05);
    check_rates(1, 2, 40, mean_rate(5, 7, 40), 0.05);
    check_rates(5, 7, 40, bottleneck() / 4.0, 0.06);
    CHECK_EQ(dropped, 0);
}

/* Two ask for one packet a second and get it; the others divide what they leave. */
static void test_unequal_demands(void)
{
    start(&penstock_control_share);
    demand[3] = 1.0;
    demand[4] = 1.0;
    run(10 * WINDOW_S);
    run(100);
    check_rates(3, 4, 100, 1.0, 0.02);
    check_rates(5, 7, 100, (bottleneck() - 2.0) / 4.0, 0.06);
    check_rates(1, 2, 100, mean_rate(5, 7, 100), 0.05);
    CHECK_EQ(dropped, 0);
}

int main(void)
{
    test_skewed_tree(&penstock_control_share);
    test_skewed_tree(&penstock_control_fusion_share);
    test_dead_source();
    test_unequal_demands();
    return check_result();
}
