/* Whole networks under CTP: the tree forms and is good, beacons become rare, a dead link is left by
 * what data shows, loops do not stay, and no packet is lost track of.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "small_world.h"

enum { SECOND = 1000000, NODES = 55 };

static world_t world; /* too large for some stacks */

static void begin(int count, uint32_t seed)
{
    world_init(&world, count, &penstock_control_none, seed, 0u);
    for (int i = 0; i < count; i++) {
        world.nodes[i].config.routing = &penstock_routing_ctp;
        world.nodes[i].config.ctp = penstock_ctp_defaults();
        world_reboot(&world, i);
    }
}

static void run(uint32_t seconds)
{
    for (uint32_t step = 0u; step < seconds * (SECOND / WORLD_STEP_US); step++) {
        world_step(&world);
    }
}

static uint32_t beacons_sent(void)
{
    uint32_t sum = 0u;
    for (int i = 0; i < world.count; i++) {
        sum += world.nodes[i].node.counters.beacons_sent;
    }
    return sum;
}

static int with_route(void)
{
    int count = 0;
    for (int i = 1; i < world.count; i++) {
        count += world_true_etx(&world, i) > 0.0;
    }
    return count;
}

/* The tree's sum of true path ETX over the least there could be. */
static double stretch(void)
{
    double best[WORLD_MAX];
    world_best_etx(&world, best);
    double sum = 0.0;
    double sum_best = 0.0;
    for (int i = 1; i < world.count; i++) {
        sum += world_true_etx(&world, i);
        sum_best += best[i];
    }
    return sum / sum_best;
}

static void test_convergence(void)
{
    for (uint32_t seed = 1u; seed <= 3u; seed++) {
        begin(NODES, seed);
        world_scatter(&world, 100.0, 28.0);
        run(120u);
        CHECK_EQ(with_route(), NODES - 1);
        double by_beacons = stretch(); /* they know one direction of each link, and some others deliver nothing */
        world.traffic_every_us = 2u * SECOND;
        run(600u);
        CHECK_EQ(with_route(), NODES - 1);
        CHECK(stretch() < 1.2); /* data knows both */
        CHECK(stretch() < by_beacons);
    }
}

/* Perfect links, no traffic: each node says a dozen things, and then one in 500 s. */
static void test_beacons_become_rare(void)
{
    begin(10, 5u);
    for (int i = 0; i < 9; i++) {
        world_link(&world, i, i + 1, 255u);
    }
    run(600u);
    CHECK_EQ(with_route(), 9);
    CHECK(beacons_sent() < 10u * 30u);
    uint32_t before = beacons_sent();
    run(1500u);
    CHECK(beacons_sent() - before >= 10u * 2u);
    CHECK(beacons_sent() - before <= 10u * 6u);
}

/* Node 3 can go by 1 or 2. Its link to the one it chose dies; nobody sends a beacon before it has moved. */
static void test_a_dead_link_is_left_by_data(void)
{
    begin(4, 6u);
    world_link(&world, 0, 1, 255u);
    world_link(&world, 0, 2, 255u);
    world_link(&world, 1, 3, 255u);
    world_link(&world, 2, 3, 255u);
    run(900u); /* beacons are minutes apart */
    int parent = world_parent(&world, 3);
    CHECK(parent == 1 || parent == 2);
    uint32_t heard = world.nodes[3].node.counters.beacons_received;
    world.traffic_every_us = SECOND;
    world_link(&world, parent, 3, 0u);
    int steps = 0;
    while (world_parent(&world, 3) == parent && steps < 60 * (SECOND / WORLD_STEP_US)) {
        world_step(&world);
        steps++;
    }
    CHECK_EQ(world_parent(&world, 3), 3 - parent);
    CHECK(steps < 10 * (SECOND / WORLD_STEP_US)); /* eight failures: two packets */
    CHECK_EQ(world.nodes[3].node.counters.beacons_received, heard);
    run(20u);
    CHECK_EQ(world_parent(&world, 3), 3 - parent);
}

static bool any_loop(void)
{
    for (int i = 1; i < world.count; i++) {
        if (world_has_loop(&world, i)) {
            return true;
        }
    }
    return false;
}

/* Links and nodes come and go under traffic. Loops may form; none outlives the time to find it by data. */
static void test_loops_do_not_stay(void)
{
    for (uint32_t seed = 11u; seed <= 13u; seed++) {
        begin(30, seed);
        world_scatter(&world, 100.0, 35.0);
        run(60u);
        world.traffic_every_us = SECOND;
        for (int change = 0; change < 30; change++) {
            for (int i = 0; i < 6; i++) {
                int a = (int)world_random(&world, 30u);
                int b = (int)world_random(&world, 30u);
                if (a != b) {
                    world.prr[a][b] = (uint8_t)(world_random(&world, 2u) == 0u ? 0u : world_random(&world, 256u));
                }
            }
            int sleeper = 1 + (int)world_random(&world, 29u);
            world.nodes[sleeper].asleep = !world.nodes[sleeper].asleep;
            run(10u);
        }
        for (int i = 0; i < 30; i++) {
            world.nodes[i].asleep = false;
        }
        world_scatter(&world, 100.0, 40.0);
        run(300u);
        CHECK(!any_loop());
        for (int i = 1; i < 30; i++) {
            CHECK(!world_reachable(&world, i) || world_true_etx(&world, i) > 0.0);
        }
    }
}

/* A root that is gone: routes count up to the hop limit, and everybody asks for another. */
static void test_a_lost_root(void)
{
    begin(6, 3u);
    for (int i = 0; i < 5; i++) {
        world_link(&world, i, i + 1, 255u);
    }
    world_link(&world, 1, 3, 255u); /* a circle of three: 1, 2, 3 */
    run(60u);
    CHECK_EQ(with_route(), 5);
    world_link(&world, 0, 1, 0u);
    world.traffic_every_us = SECOND;
    run(120u);
    CHECK_EQ(with_route(), 0);
    world_link(&world, 0, 5, 255u); /* the other way round: nothing is in the way */
    run(60u);
    CHECK_EQ(with_route(), 5);
    CHECK(!any_loop());
}

/* The pinned tree stays, whatever happens to its links. */
static void test_pinning(void)
{
    begin(20, 8u);
    world_scatter(&world, 60.0, 25.0);
    run(120u);
    int parents[20];
    for (int i = 1; i < 20; i++) {
        parents[i] = world_parent(&world, i);
        CHECK(parents[i] >= 0);
        penstock_pin_route(&world.nodes[i].node, true);
    }
    world.traffic_every_us = SECOND;
    run(100u);
    world_scatter(&world, 60.0, 25.0);
    uint32_t before = beacons_sent();
    run(1000u);
    for (int i = 1; i < 20; i++) {
        CHECK_EQ(world_parent(&world, i), parents[i]);
    }
    CHECK(beacons_sent() - before <= 20u * 6u); /* nobody can act on the news, so there is none */
}

static void test_conservation(void)
{
    begin(20, 9u);
    world_scatter(&world, 70.0, 25.0);
    world.traffic_every_us = SECOND / 2u;
    run(300u);
    for (int i = 0; i < 20; i++) {
        const penstock_counters_t *counters = &world.nodes[i].node.counters;
        uint32_t out = counters->forwarded + counters->delivered + world.nodes[i].node.queue.count;
        for (int reason = 0; reason < PENSTOCK_DROP_COUNT; reason++) {
            out += counters->drops[reason];
        }
        CHECK_EQ(counters->admitted + counters->received, out);
    }
    CHECK(world.nodes[0].node.counters.delivered > 1000u);
}

int main(void)
{
    test_convergence();
    test_beacons_become_rare();
    test_a_dead_link_is_left_by_data();
    test_loops_do_not_stay();
    test_a_lost_root();
    test_pinning();
    test_conservation();
    return check_result();
}
