/* Whole networks: the tree converges, stays near the best paths, has no loops whatever
 * happens to the links, locks nobody out; and packets are conserved under every strategy.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "small_world.h"

enum { SECOND = 1000000, NODES = 55 };

static world_t world; /* too large for some stacks */

static int count_loops(void)
{
    int loops = 0;
    for (int i = 1; i < world.count; i++) {
        loops += world_has_loop(&world, i);
    }
    return loops;
}

/* Lets time pass; the number of steps in which there was a loop. */
static int run(uint32_t seconds)
{
    int steps_with_loops = 0;
    for (uint32_t step = 0u; step < seconds * (SECOND / WORLD_STEP_US); step++) {
        world_step(&world);
        steps_with_loops += count_loops() > 0;
    }
    return steps_with_loops;
}

static int with_route(void)
{
    int count = 0;
    for (int i = 1; i < world.count; i++) {
        count += world_true_etx(&world, i) > 0.0;
    }
    return count;
}

static void test_convergence(void)
{
    for (uint32_t seed = 1u; seed <= 3u; seed++) {
        world_init(&world, NODES, &penstock_control_none, seed, 0u);
        world_scatter(&world, 100.0, 28.0);
        for (int i = 1; i < NODES; i++) {
            CHECK(world_reachable(&world, i));
        }
        CHECK_EQ(run(120u), 0); /* the thesis lets routes settle for as long */
        CHECK_EQ(with_route(), NODES - 1);
        double best[WORLD_MAX];
        world_best_etx(&world, best);
        double sum_best = 0.0;
        double sum = 0.0;
        int hops = 0;
        for (int i = 1; i < NODES; i++) {
            sum_best += best[i];
            sum += world_true_etx(&world, i);
            hops = world.nodes[i].node.tree.hops > hops ? world.nodes[i].node.tree.hops : hops;
        }
        CHECK(sum < 1.2 * sum_best);
        CHECK(hops >= 4); /* it is a network of several hops */
    }
}

/* Links come and go for a quarter of an hour; there is never a loop. Then all must be found again. */
static void test_no_loops_while_links_change(void)
{
    for (uint32_t seed = 11u; seed <= 13u; seed++) {
        world_init(&world, 30, &penstock_control_none, seed, 0u);
        world_scatter(&world, 100.0, 35.0);
        int loops = run(60u);
        for (int change = 0; change < 90; change++) {
            for (int i = 0; i < 6; i++) {
                int a = (int)world_random(&world, 30u);
                int b = (int)world_random(&world, 30u);
                if (a != b) {
                    world.prr[a][b] = (uint8_t)(world_random(&world, 2u) == 0u ? 0u : world_random(&world, 256u));
                }
            }
            int sleeper = 1 + (int)world_random(&world, 29u);
            world.nodes[sleeper].asleep = !world.nodes[sleeper].asleep;
            loops += run(10u);
        }
        CHECK_EQ(loops, 0);
        for (int i = 0; i < 30; i++) {
            world.nodes[i].asleep = false;
        }
        world_scatter(&world, 100.0, 40.0);
        CHECK_EQ(run(240u), 0);
        for (int i = 1; i < 30; i++) {
            CHECK(!world_reachable(&world, i) || world_true_etx(&world, i) > 0.0);
        }
    }
}

/* A chain whose first link breaks: nobody keeps a route for long, and all find back. */
static void test_partition_and_healing(void)
{
    world_init(&world, 6, &penstock_control_none, 3u, 0u);
    for (int i = 0; i < 5; i++) {
        world_link(&world, i, i + 1, 255u);
    }
    (void)run(150u);
    CHECK_EQ(with_route(), 5);
    world_link(&world, 0, 1, 0u);
    CHECK_EQ(run(200u), 0);
    CHECK_EQ(with_route(), 0);
    world_link(&world, 0, 5, 255u); /* the other way round: every promise of before is in the way */
    CHECK_EQ(run(200u), 0);
    CHECK_EQ(with_route(), 5);
    CHECK_EQ(world_parent(&world, 1), 2);
}

static void test_root_starts_anew(void)
{
    world_init(&world, 12, &penstock_control_none, 4u, 0u);
    for (int i = 0; i < 11; i++) {
        world_link(&world, i, i + 1, 240u);
    }
    (void)run(400u);
    CHECK_EQ(with_route(), 11);
    uint16_t before = world.nodes[11].node.tree.seq;
    world_reboot(&world, 0);
    (void)run(120u);
    CHECK_EQ(with_route(), 11);
    uint16_t after = world.nodes[11].node.tree.seq;
    CHECK((uint16_t)(after - before) < 0x8000u && after != before);
}

/* A node that forgot its promises may close a loop; it must not last. */
static void test_nodes_start_anew(void)
{
    for (uint32_t seed = 21u; seed <= 23u; seed++) {
        world_init(&world, 30, &penstock_control_none, seed, 0u);
        world_scatter(&world, 100.0, 35.0);
        (void)run(150u);
        int loops = 0;
        for (int i = 0; i < 20; i++) {
            world_reboot(&world, 1 + (int)world_random(&world, 29u));
            loops += run(30u);
        }
        CHECK(loops < 20 * 30 * (SECOND / WORLD_STEP_US) / 50); /* under 2 % of the time */
        (void)run(120u);
        CHECK_EQ(with_route(), 29);
        CHECK_EQ(count_loops(), 0);
    }
}

static void test_leaves_and_pinning(void)
{
    world_init(&world, 30, &penstock_control_none, 5u, 0u);
    world_scatter(&world, 100.0, 45.0);
    for (int i = 15; i < 30; i++) {
        world.nodes[i].config.advertise = false;
    }
    (void)run(150u);
    int with_parent = 0;
    int parents[WORLD_MAX];
    for (int i = 1; i < 30; i++) {
        parents[i] = world_parent(&world, i);
        with_parent += parents[i] >= 0;
        CHECK(parents[i] < 15);
        penstock_pin_route(&world.nodes[i].node, true);
    }
    CHECK(with_parent > 25);
    world_scatter(&world, 100.0, 45.0); /* everybody has moved */
    (void)run(100u);
    for (int i = 1; i < 30; i++) {
        CHECK(parents[i] < 0 || world_parent(&world, i) == parents[i]);
    }
}

/* Every packet that was admitted is delivered, dropped with a reason, or still queued. A packet
 * whose acknowledgement was lost four times is both forwarded and dropped, so copies are counted:
 * what a node took in is what it gave away, dropped or holds. */
static void check_conservation(const char *strategy)
{
    for (int i = 0; i < world.count; i++) {
        const penstock_node_t *node = &world.nodes[i].node;
        const penstock_counters_t *counters = &node->counters;
        uint32_t in = counters->admitted + counters->received;
        uint32_t out = counters->forwarded + counters->delivered + node->queue.count;
        for (int reason = 1; reason < PENSTOCK_DROP_COUNT; reason++) {
            out += counters->drops[reason];
        }
        if (in != out) {
            fprintf(stderr, "strategy %s, node %d:\n", strategy, i);
        }
        CHECK_EQ(in, out);
        CHECK_EQ(counters->admitted, world.nodes[i].generated);
    }
}

static void test_traffic_under_every_strategy(void)
{
    for (int s = 0; penstock_strategies[s] != NULL; s++) {
        world_init(&world, 25, penstock_strategies[s], 6u, 0u);
        world_scatter(&world, 100.0, 40.0);
        (void)run(120u);
        world.traffic_every_us = 2 * SECOND;
        CHECK_EQ(run(120u), 0);
        world.traffic_every_us = 0u;
        (void)run(30u);
        check_conservation(penstock_strategies[s]->name);
        uint32_t admitted = 0u;
        for (int i = 1; i < world.count; i++) {
            admitted += world.nodes[i].generated;
            CHECK_EQ(world.nodes[i].node.queue.count, 0); /* nobody is stopped for ever */
        }
        uint32_t delivered = world.nodes[0].node.counters.delivered;
        CHECK(admitted > 300u);
        CHECK(delivered * 10u > admitted * 9u); /* some are lost to four lost frames in a row */
        CHECK(delivered <= admitted + admitted / 10u);
    }
}

int main(void)
{
    test_convergence();
    test_no_loops_while_links_change();
    test_partition_and_healing();
    test_root_starts_anew();
    test_nodes_start_anew();
    test_leaves_and_pinning();
    test_traffic_under_every_strategy();
    return check_result();
}
