/* The source rate limiter (thesis 4.3): shares, silence, the root, repeats.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "one_node.h"

enum { DEPTH = 10, WINDOW_US = 4000000, ROOT = 1 };

static void start(one_node_t *bench)
{
    one_node_prepare(bench, &penstock_control_rate);
    bench->config.local_share = QUEUE;
    one_node_start(bench, 0u);
    /* In the tree, so that it is known that PARENT is not the root. */
    bench->node.tree.root = ROOT;
}

static uint8_t tokens(const one_node_t *bench)
{
    return bench->node.control.rate.tokens;
}

/* Spends the whole bucket. */
static void spend(one_node_t *bench, penstock_time_t now)
{
    int sent = 0;
    while (one_node_send(bench, now) == PENSTOCK_OK) {
        one_node_send_off(bench, now);
        sent++;
    }
    CHECK_EQ(sent, DEPTH);
    CHECK_EQ(tokens(bench), 0);
}

static void test_bucket(void)
{
    one_node_t bench;
    start(&bench);
    spend(&bench, 0u);
    CHECK(!penstock_writable(&bench.node, 0u));
    penstock_time_t retry_at = 0u;
    uint8_t byte = 0u;
    CHECK_EQ(penstock_send(&bench.node, 0u, &byte, 1u, 5u, NULL, &retry_at), PENSTOCK_WOULD_BLOCK);
    CHECK_EQ(retry_at, WINDOW_US);
    /* Transit is not metered. */
    (void)one_node_feed(&bench, 6u);
    CHECK(one_node_transmits(&bench, 7u));
}

/* Figure 4-2: five sources through the parent beside this node; one token for each six packets. */
static void test_share_of_one_source(void)
{
    one_node_t bench;
    start(&bench);
    spend(&bench, 0u);
    penstock_time_t now = 0u;
    uint16_t seq = 0u;
    for (int round = 0; round < 2; round++) { /* the sources become known: 1, then 2 ... packets a token */
        for (uint16_t source = 40u; source < 46u; source++) {
            (void)one_node_hear_parent(&bench, source, seq, false, now += 10000u);
        }
        seq++;
    }
    CHECK_EQ(bench.node.control.sources.count, 6);
    uint8_t before = tokens(&bench);
    uint8_t left = bench.node.control.rate.heard;
    for (int round = 0; round < 5; round++) {
        for (uint16_t source = 40u; source < 46u; source++) {
            (void)one_node_hear_parent(&bench, source, seq, false, now += 10000u);
        }
        seq++;
    }
    CHECK_EQ(tokens(&bench), before + 5);
    CHECK_EQ(bench.node.control.rate.heard, left);
    for (int i = 0; i < 1000; i++) {
        (void)one_node_hear_parent(&bench, 40u, seq++, false, now += 10000u);
    }
    CHECK_EQ(tokens(&bench), DEPTH); /* the bucket is no deeper */
}

static void test_sources_expire(void)
{
    one_node_t bench;
    start(&bench);
    for (uint16_t source = 40u; source < 50u; source++) {
        (void)one_node_hear_parent(&bench, source, 0u, false, 1000000u);
    }
    (void)one_node_hear_parent(&bench, 40u, 1u, false, 4900000u);
    CHECK_EQ(bench.node.control.sources.count, 10);
    (void)one_node_hear_parent(&bench, 40u, 2u, false, 5100000u);
    CHECK_EQ(bench.node.control.sources.count, 1);
}

static void test_repeats_count_once(void)
{
    one_node_t bench;
    start(&bench);
    spend(&bench, 0u);
    (void)one_node_hear_parent(&bench, 40u, 0u, false, 1000u);
    CHECK_EQ(tokens(&bench), 1); /* N = 1 */
    (void)one_node_hear_parent(&bench, 40u, 0u, false, 2000u);
    (void)one_node_hear_parent(&bench, 40u, 0u, false, 3000u);
    CHECK_EQ(tokens(&bench), 1);
    (void)one_node_hear_parent(&bench, 41u, 0u, false, 4000u); /* N = 2, one heard */
    (void)one_node_hear_parent(&bench, 40u, 0u, false, 5000u); /* still a repeat, with another in between */
    CHECK_EQ(tokens(&bench), 1);
    (void)one_node_hear_parent(&bench, 40u, 1u, false, 6000u);
    CHECK_EQ(tokens(&bench), 2);
}

/* Who is not the parent, and the parent's beacons, do not count. */
static void test_only_what_the_parent_forwards(void)
{
    one_node_t bench;
    start(&bench);
    spend(&bench, 0u);
    (void)one_node_hear(&bench, SIBLING, 99u, 40u, 0u, false, 1000u);
    (void)one_node_hear(&bench, SIBLING, PARENT, 40u, 1u, false, 1000u);
    penstock_beacon_t beacon = {.root = ROOT, .etx = PENSTOCK_ETX_NONE, .parent = ROOT};
    (void)one_node_hear_beacon(&bench, PARENT, &beacon, 0u, false, 1000u);
    CHECK_EQ(tokens(&bench), 0);
    CHECK_EQ(bench.node.control.sources.count, 0);
}

/* A parent that forwards nothing gives one token per window, counted from its last packet. */
static void test_silent_parent(void)
{
    one_node_t bench;
    start(&bench);
    spend(&bench, 0u);
    (void)one_node_hear_parent(&bench, 40u, 0u, false, 1000000u);
    CHECK_EQ(tokens(&bench), 1);
    penstock_time_t at;
    CHECK(penstock_next_deadline(&bench.node, 1000000u, &at));
    CHECK_EQ(at, 1000000u + WINDOW_US);
    penstock_tick(&bench.node, at - 1u);
    CHECK_EQ(tokens(&bench), 1);
    penstock_tick(&bench.node, at);
    CHECK_EQ(tokens(&bench), 2);
    penstock_tick(&bench.node, at + WINDOW_US);
    CHECK_EQ(tokens(&bench), 3);
}

/* A bucket that was full for long does not earn a token the moment it is touched. */
static void test_full_bucket_has_no_timer(void)
{
    one_node_t bench;
    start(&bench);
    penstock_time_t at;
    CHECK(!penstock_next_deadline(&bench.node, 0u, &at));
    penstock_time_t now = UINT32_C(0xB0000000);
    CHECK_EQ(one_node_send(&bench, now), PENSTOCK_OK);
    penstock_tick(&bench.node, now + 1u);
    CHECK_EQ(tokens(&bench), DEPTH - 1);
    CHECK(penstock_next_deadline(&bench.node, now, &at));
    CHECK_EQ(at, (penstock_time_t)(now + WINDOW_US));
}

/* The root forwards nothing: what goes to it counts, this node's own included. */
static void test_parent_is_the_root(void)
{
    one_node_t bench;
    start(&bench);
    bench.node.tree.root = PARENT;
    int sent = 0;
    for (; sent < 30; sent++) { /* alone: N = 1, each own packet earns the next */
        CHECK_EQ(one_node_send(&bench, (penstock_time_t)sent), PENSTOCK_OK);
        one_node_send_off(&bench, (penstock_time_t)sent);
        CHECK_EQ(tokens(&bench), DEPTH);
    }
    /* Two siblings, heard on their way to the root: a third of it is this node's. */
    for (uint16_t round = 0u; round < 12u; round++) {
        penstock_time_t now = 1000u + round;
        (void)one_node_hear(&bench, SIBLING, PARENT, SIBLING, round, false, now);
        (void)one_node_hear(&bench, SIBLING, PARENT, SIBLING, round, false, now); /* a retransmission */
        (void)one_node_hear(&bench, CHILD, PARENT, CHILD, round, false, now);
        CHECK_EQ(one_node_send(&bench, now), PENSTOCK_OK);
        one_node_send_off(&bench, now);
        CHECK_EQ(tokens(&bench), DEPTH);
        CHECK_EQ(bench.node.control.sources.count, 3);
    }
    (void)one_node_send(&bench, 2000u);
    (void)one_node_hear(&bench, SIBLING, 99u, SIBLING, 100u, false, 2000u); /* to somebody else */
    (void)one_node_hear(&bench, CHILD, 99u, CHILD, 100u, false, 2000u);
    CHECK_EQ(tokens(&bench), DEPTH - 1);
    one_node_send_off(&bench, 2000u);
    CHECK_EQ(tokens(&bench), DEPTH - 1);
}

/* Without beacons a parent counts as the root until it is heard forwarding. */
static void test_static_routes(void)
{
    one_node_t bench;
    start(&bench);
    bench.node.tree.root = PENSTOCK_ADDR_NONE;
    CHECK_EQ(one_node_send(&bench, 0u), PENSTOCK_OK);
    (void)one_node_hear(&bench, SIBLING, PARENT, SIBLING, 0u, false, 1u);
    CHECK_EQ(tokens(&bench), DEPTH);
    CHECK_EQ(one_node_send(&bench, 2u), PENSTOCK_OK);
    CHECK_EQ(one_node_send(&bench, 2u), PENSTOCK_OK);
    CHECK_EQ(tokens(&bench), DEPTH - 2);
    (void)one_node_hear_parent(&bench, SIBLING, 0u, false, 3u); /* it does forward: this was counted already */
    (void)one_node_hear(&bench, SIBLING, PARENT, SIBLING, 1u, false, 4u);
    CHECK_EQ(tokens(&bench), DEPTH - 2);
    (void)one_node_hear_parent(&bench, SIBLING, 1u, false, 5u);
    CHECK_EQ(tokens(&bench), DEPTH - 1);
}

static void test_more_sources_than_places(void)
{
    one_node_t bench;
    start(&bench);
    for (uint16_t source = 0u; source < PENSTOCK_RATE_SOURCES + 20u; source++) {
        (void)one_node_hear_parent(&bench, (uint16_t)(100u + source), 0u, false, 1000u + source * 70000u / 4u);
    }
    CHECK_EQ(bench.node.control.sources.count, PENSTOCK_RATE_SOURCES);
    bool first_gone = true;
    for (uint8_t i = 0u; i < PENSTOCK_RATE_SOURCES; i++) {
        first_gone = first_gone && bench.node.control.sources.entries[i].origin != 100u;
    }
    CHECK(first_gone);
}

int main(void)
{
    test_bucket();
    test_share_of_one_source();
    test_sources_expire();
    test_repeats_count_once();
    test_only_what_the_parent_forwards();
    test_silent_parent();
    test_full_bucket_has_no_timer();
    test_parent_is_the_root();
    test_static_routes();
    test_more_sources_than_places();
    return check_result();
}
