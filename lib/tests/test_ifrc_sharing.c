/* IFRC between nodes: the fields, the two rules, the base station, and small networks.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <string.h>

#include "check.h"
#include "control/ifrc_parts.h"
#include "one_node.h"
#include "small_world.h"

enum { ONE_PPS = 65536, R_INIT = 6554, OTHER = 40, SECOND = 1000000 };

static one_node_t bench;
static world_t world; /* too large for some stacks */
static uint16_t numbers[256];

static penstock_ifrc_t *state(void)
{
    return &bench.node.control.ifrc;
}

static void start(bool is_root)
{
    one_node_prepare(&bench, &penstock_control_ifrc);
    bench.config.is_root = is_root;
    one_node_start(&bench, 0u);
    if (!is_root) {
        state()->rate = 8u * ONE_PPS;
        state()->thresh = 8u * ONE_PPS;
        state()->slow_start = false;
    }
}

static penstock_ifrc_word_t word(penstock_addr_t address, uint32_t pps, uint8_t level)
{
    penstock_ifrc_word_t result = {address, pps * ONE_PPS, pps * ONE_PPS / 2u, 256u, level, false};
    return result;
}

static const penstock_ifrc_word_t nobody = {.address = PENSTOCK_ADDR_NONE};

/* A frame of `own.address`: data for `dst`, or a control frame for all. */
static void hear(penstock_ifrc_word_t own, penstock_ifrc_word_t child, uint16_t dst, penstock_time_t now)
{
    uint8_t bytes[PENSTOCK_FRAME_MAX];
    uint8_t fields[PENSTOCK_IFRC_FIELDS_LEN];
    penstock_ifrc_write(fields, &own, &child);
    penstock_frame_t frame = {
        .type = dst == PENSTOCK_ADDR_BROADCAST ? PENSTOCK_FRAME_CONTROL : PENSTOCK_FRAME_DATA,
        .link_seq = (uint8_t)numbers[own.address & 0xFFu]++,
        .ack_request = dst != PENSTOCK_ADDR_BROADCAST,
        .pan_id = PAN,
        .dst = dst,
        .src = own.address,
        .origin = own.address,
        .seq = numbers[own.address & 0xFFu],
        .hops = 1u,
        .control = fields,
        .control_len = sizeof fields,
    };
    int len = penstock_frame_write_header(&frame, bytes, sizeof bytes);
    penstock_rx_info_t info = {.rssi_dbm = -80, .for_us = dst == SELF || dst == PENSTOCK_ADDR_BROADCAST, .acked = true};
    CHECK_EQ(penstock_receive(&bench.node, bytes, (size_t)len, &info, now), PENSTOCK_OK);
    penstock_delivery_t delivery;
    (void)penstock_poll_deliver(&bench.node, &delivery, now);
}

static void told(penstock_ifrc_word_t *own, penstock_ifrc_word_t *child)
{
    uint8_t bytes[PENSTOCK_IFRC_FIELDS_LEN];
    penstock_ifrc_tell(&bench.node, bytes);
    penstock_ifrc_read(bytes, own, child);
}

static bool same(const penstock_ifrc_word_t *a, const penstock_ifrc_word_t *b)
{
    return a->address == b->address && a->rate == b->rate && a->thresh == b->thresh && a->average_q8 == b->average_q8 &&
           a->level == b->level && a->slow_start == b->slow_start;
}

/* ---- The fields --------------------------------------------------------------- */

static void test_round_trip(void)
{
    penstock_ifrc_word_t own = {0x1234u, 0x01020304u, 6554u, 0x1480u, 3u, true};
    penstock_ifrc_word_t child = {0xFFF0u, 1u, PENSTOCK_IFRC_RATE_MAX, 0xFFFFu, 127u, false};
    penstock_ifrc_word_t own_read;
    penstock_ifrc_word_t child_read;
    uint8_t bytes[PENSTOCK_IFRC_FIELDS_LEN];
    const uint8_t expected[PENSTOCK_IFRC_FIELDS_LEN] = {0x34, 0x12, 4,    3,    2,    1,    0x9A, 0x19, 0,
                                                        0,    0x83, 0x80, 0x14, 0xF0, 0xFF, 1,    0,    0,
                                                        0,    0,    0,    0xE8, 0x03, 127,  0xFF, 0xFF};
    penstock_ifrc_write(bytes, &own, &child);
    CHECK(memcmp(bytes, expected, sizeof bytes) == 0);
    penstock_ifrc_read(bytes, &own_read, &child_read);
    CHECK(same(&own, &own_read) && same(&child, &child_read));
}

/* Whatever is heard, rates stay in their range and the node goes on. */
static void test_any_bytes(void)
{
    for (int filling = 0; filling < 256; filling++) {
        penstock_ifrc_word_t own;
        penstock_ifrc_word_t child;
        uint8_t bytes[PENSTOCK_IFRC_FIELDS_LEN];
        memset(bytes, filling, sizeof bytes);
        penstock_ifrc_read(bytes, &own, &child);
        CHECK(own.rate >= 1u && own.rate <= PENSTOCK_IFRC_RATE_MAX);
        CHECK(child.thresh >= 1u && child.thresh <= PENSTOCK_IFRC_RATE_MAX && own.level < 128u);
        for (int as_root = 0; as_root < 2; as_root++) {
            start(as_root == 1);
            hear(word(CHILD, 4u, 0u), nobody, SELF, 0u);
            own.address = CHILD;
            hear(own, child, SELF, 1u);
            CHECK(state()->rate >= R_INIT && state()->rate <= PENSTOCK_IFRC_RATE_MAX);
            CHECK(state()->thresh >= R_INIT && state()->thresh <= PENSTOCK_IFRC_RATE_MAX);
        }
    }
    /* Fields that name another sender, or of another length, say nothing. */
    start(false);
    hear(word(PARENT, 8u, 0u), nobody, 1u, 0u);
    penstock_frame_t frame = {.type = PENSTOCK_FRAME_DATA, .src = PARENT, .dst = 1u, .control_len = 25u};
    uint8_t bytes[PENSTOCK_IFRC_FIELDS_LEN];
    penstock_ifrc_word_t lower = word(PARENT, 2u, 0u);
    penstock_ifrc_write(bytes, &lower, &nobody);
    frame.control = bytes;
    penstock_ifrc_hear(&bench.node, &frame, 1u);
    CHECK_EQ(state()->rate, 8u * ONE_PPS);
    frame.control_len = 26u;
    frame.src = OTHER;
    penstock_ifrc_hear(&bench.node, &frame, 1u);
    CHECK_EQ(state()->rate, 8u * ONE_PPS);
    frame.src = PARENT;
    penstock_ifrc_hear(&bench.node, &frame, 1u);
    CHECK_EQ(state()->rate, 2u * ONE_PPS);
}

/* ---- The rules ------------------------------------------------------------------ */

static void test_rule_1(void)
{
    start(false);
    hear(word(OTHER, 1u, 0u), nobody, 1u, 0u); /* not the parent, and not congested */
    CHECK_EQ(state()->rate, 8u * ONE_PPS);
    hear(word(PARENT, 6u, 0u), nobody, 1u, 0u);
    CHECK_EQ(state()->rate, 6u * ONE_PPS);
    CHECK_EQ(state()->thresh, 3u * ONE_PPS); /* the parent's */
    CHECK(!state()->slow_start);
    hear(word(PARENT, 7u, 0u), nobody, 1u, 0u); /* allows more; does not give it */
    CHECK_EQ(state()->rate, 6u * ONE_PPS);
    /* Growth ends at the parent's rate. */
    state()->rate = 7u * ONE_PPS - 1u;
    state()->idle = false;
    state()->waiting = true;
    state()->turn_at = 1u;
    state()->carried_at = 1u;
    penstock_tick(&bench.node, 1u);
    CHECK_EQ(state()->rate, 7u * ONE_PPS);
    /* A parent that begins anew. */
    penstock_ifrc_word_t anew = word(PARENT, 1u, 0u);
    anew.slow_start = true;
    hear(anew, nobody, 1u, 2u);
    CHECK_EQ(state()->rate, ONE_PPS);
    CHECK(state()->slow_start);
}

static void test_rule_2(void)
{
    start(false);
    hear(word(OTHER, 4u, 1u), nobody, 1u, 0u); /* who knows since when */
    CHECK_EQ(state()->rate, 8u * ONE_PPS);
    hear(word(OTHER, 4u, 1u), nobody, 1u, 1u);
    CHECK_EQ(state()->rate, 8u * ONE_PPS);
    hear(word(OTHER, 4u, 2u), nobody, 1u, 2u); /* the next threshold */
    CHECK_EQ(state()->rate, 4u * ONE_PPS);
    CHECK_EQ(state()->thresh, 2u * ONE_PPS);
    hear(word(OTHER, 2u, 0u), nobody, 1u, 3u); /* no longer congested */
    CHECK_EQ(state()->rate, 4u * ONE_PPS);
    hear(word(OTHER, 6u, 1u), nobody, 1u, 4u); /* again, at a higher rate than ours */
    CHECK_EQ(state()->rate, 4u * ONE_PPS);
    /* A neighbour's congested child: when there is one, when it crosses another, when it is another. */
    hear(word(OTHER, 6u, 1u), word(99u, 3u, 1u), 1u, 5u);
    CHECK_EQ(state()->rate, 3u * ONE_PPS);
    hear(word(OTHER, 6u, 1u), word(99u, 2u, 1u), 1u, 6u);
    CHECK_EQ(state()->rate, 3u * ONE_PPS);
    hear(word(OTHER, 6u, 1u), word(99u, 2u, 2u), 1u, 7u);
    CHECK_EQ(state()->rate, 2u * ONE_PPS);
    hear(word(OTHER, 6u, 1u), word(98u, 1u, 1u), 1u, 8u);
    CHECK_EQ(state()->rate, ONE_PPS);
    /* This node's own state, told back to it. */
    state()->rate = 2u * ONE_PPS;
    hear(word(PARENT, 6u, 0u), nobody, 1u, 9u);
    hear(word(PARENT, 6u, 0u), word(SELF, 1u, 1u), 1u, 10u);
    CHECK_EQ(state()->rate, 2u * ONE_PPS);
}

/* A rate that was lowered by a rule is not halved in the same turn; in the next it is. */
static void test_one_decrease_a_turn(void)
{
    start(false);
    hear(word(PARENT, 4u, 0u), nobody, 1u, 0u);
    CHECK_EQ(state()->rate, 4u * ONE_PPS);
    penstock_ifrc_halve(&bench.node, 0u);
    CHECK_EQ(state()->rate, 4u * ONE_PPS);
    state()->turn_at = 1u;
    penstock_tick(&bench.node, 1u);
    penstock_ifrc_halve(&bench.node, 1u);
    CHECK_EQ(state()->rate, 2u * ONE_PPS);
    CHECK_EQ(state()->thresh, 2u * ONE_PPS);
}

static void test_most_congested_child_is_told(void)
{
    penstock_ifrc_word_t own;
    penstock_ifrc_word_t child;
    start(false);
    told(&own, &child);
    CHECK_EQ(own.address, SELF);
    CHECK_EQ(own.rate, 8u * ONE_PPS);
    CHECK_EQ(child.address, PENSTOCK_ADDR_NONE);
    CHECK_EQ(child.level, 0);
    hear(word(CHILD, 4u, 0u), nobody, SELF, 0u); /* not congested */
    hear(word(OTHER, 2u, 1u), nobody, 1u, 0u);   /* not a child */
    hear(word(SIBLING, 6u, 1u), nobody, SELF, 0u);
    hear(word(50u, 5u, 2u), nobody, SELF, 0u);
    told(&own, &child);
    CHECK_EQ(child.address, 50);
    CHECK_EQ(child.rate, 5u * ONE_PPS);
    CHECK_EQ(child.level, 2);
    hear(word(50u, 5u, 0u), nobody, SELF, 1u);
    told(&own, &child);
    CHECK_EQ(child.address, SIBLING);
    hear(word(SIBLING, 6u, 1u), nobody, PARENT, 2u); /* has gone elsewhere */
    told(&own, &child);
    CHECK_EQ(child.address, PENSTOCK_ADDR_NONE);
}

/* A neighbour that has been silent for two turns at r_init binds nobody. */
static void test_memory(void)
{
    start(false);
    hear(word(PARENT, 8u, 0u), nobody, 1u, 0u);
    CHECK_EQ(penstock_ifrc_parents_rate(&bench.node), 8u * ONE_PPS);
    penstock_tick(&bench.node, 19 * SECOND);
    CHECK_EQ(penstock_ifrc_parents_rate(&bench.node), 8u * ONE_PPS);
    state()->turn_at = 21 * SECOND;
    penstock_tick(&bench.node, 21 * SECOND);
    CHECK_EQ(penstock_ifrc_parents_rate(&bench.node), PENSTOCK_IFRC_RATE_MAX);
}

/* ---- The base station -------------------------------------------------------------- */

static bool tells(penstock_ifrc_word_t *own, penstock_ifrc_word_t *child, penstock_time_t now)
{
    if (!one_node_transmits(&bench, now)) {
        return false;
    }
    CHECK_EQ(bench.frame.type, PENSTOCK_FRAME_CONTROL);
    penstock_ifrc_read(bench.frame.control, own, child);
    one_node_report(&bench, PENSTOCK_TX_DONE, now);
    return true;
}

static void test_base_station(void)
{
    penstock_ifrc_word_t own = nobody;
    penstock_ifrc_word_t child = nobody;
    start(true);
    CHECK_EQ(state()->rate, PENSTOCK_IFRC_RATE_MAX);
    hear(word(CHILD, 4u, 0u), nobody, SELF, 0u);
    hear(word(OTHER, 2u, 0u), nobody, 1u, 0u);
    hear(word(OTHER, 2u, 1u), nobody, 1u, 1u); /* congested, but not its child */
    CHECK(!tells(&own, &child, 1u));
    hear(word(CHILD, 4u, 1u), nobody, SELF, 2u);
    CHECK_EQ(state()->rate, 4u * ONE_PPS);
    CHECK(tells(&own, &child, 2u));
    CHECK(!tells(&own, &child, 2u));
    CHECK_EQ(own.rate, 4u * ONE_PPS);
    CHECK_EQ(own.thresh, 2u * ONE_PPS);
    CHECK(!own.slow_start);
    CHECK_EQ(child.address, CHILD); /* so that its other children hear of it */
    /* A child that says in its next frame that it sends at more is told again, but not within a turn. */
    hear(word(SIBLING, 5u, 0u), nobody, SELF, 3u);
    CHECK(!tells(&own, &child, 3u));
    hear(word(SIBLING, 5u, 0u), nobody, SELF, 250003u);
    CHECK(tells(&own, &child, 250003u));
    /* A crossing at a higher rate changes nothing. */
    hear(word(CHILD, 6u, 2u), nobody, SELF, 250004u);
    CHECK_EQ(state()->rate, 4u * ONE_PPS);
}

/* r_b = r_0 + 2 delta t while its children follow; told for each sixteenth. */
static void test_base_station_grows_twice_as_fast(void)
{
    penstock_ifrc_word_t own;
    penstock_ifrc_word_t child;
    start(true);
    hear(word(CHILD, 4u, 0u), nobody, SELF, 0u);
    hear(word(CHILD, 4u, 1u), nobody, SELF, 0u);
    CHECK(tells(&own, &child, 0u));
    const double delta = 1311.0 / 65536.0 * 2.0 * 2.0;
    penstock_time_t now = 0u;
    uint32_t last = 4u * ONE_PPS;
    int frames = 0;
    while (now < 20 * SECOND) {
        CHECK(penstock_next_deadline(&bench.node, now, &now));
        hear(word(CHILD, 4u, 1u), nobody, SELF, now); /* it has to be heard, or it is forgotten */
        penstock_tick(&bench.node, now);
        double expected = 4.0 + 2.0 * delta * now / SECOND;
        CHECK(state()->rate / 65536.0 < expected * 1.001 && state()->rate / 65536.0 > expected * 0.999);
        if (tells(&own, &child, now)) {
            CHECK(own.rate >= last + last / 16u);
            CHECK(own.rate < last + last / 16u + 3000u); /* within a step */
            last = own.rate;
            frames++;
        }
    }
    CHECK_EQ(frames, 9); /* from 4 to 7.2: ln(1.8) / ln(17/16) = 9.7 */
    /* It does not run away from children that do not follow. */
    while (now < 200 * SECOND) {
        CHECK(penstock_next_deadline(&bench.node, now, &now));
        hear(word(CHILD, 4u, 1u), nobody, SELF, now);
        penstock_tick(&bench.node, now);
    }
    CHECK(state()->rate >= 8u * ONE_PPS && state()->rate < 8u * ONE_PPS + 3000u);
    /* No children any more: no limit, and nobody is told. */
    while (!state()->slow_start && now < 250 * SECOND) {
        CHECK(penstock_next_deadline(&bench.node, now, &now));
        penstock_tick(&bench.node, now);
    }
    CHECK_EQ(state()->rate, PENSTOCK_IFRC_RATE_MAX);
    CHECK(now < 225 * SECOND);
    CHECK(!tells(&own, &child, now));
}

static void test_base_station_begins_anew(void)
{
    penstock_ifrc_word_t own = nobody;
    penstock_ifrc_word_t child = nobody;
    penstock_ifrc_word_t lowest = {CHILD, R_INIT, R_INIT, 0u, 1u, true};
    start(true);
    hear(word(CHILD, 4u, 0u), nobody, SELF, 0u);
    hear(lowest, nobody, SELF, 0u);
    CHECK(tells(&own, &child, 0u));
    CHECK_EQ(own.rate, R_INIT);
    CHECK(own.slow_start);
    penstock_tick(&bench.node, 11 * SECOND);
    CHECK(tells(&own, &child, 11 * SECOND));
    CHECK_EQ(own.rate, PENSTOCK_IFRC_RATE_MAX);
    CHECK(!tells(&own, &child, 11 * SECOND));
}

/* ---- Small networks ------------------------------------------------------------------ */

static penstock_ifrc_t *at(int node)
{
    return &world.nodes[node].node.control.ifrc;
}

/* Nodes with these parents that hear their parents and children; all at 8 packets/s. */
static void build(int count, const int *parents)
{
    world_init(&world, count, &penstock_control_ifrc, 3u, 0u);
    for (int i = 0; i < count; i++) {
        world.nodes[i].config.beacons = false;
        world_reboot(&world, i);
        if (i > 0) {
            world_link(&world, i, parents[i], 255u);
            penstock_set_parent(&world.nodes[i].node, (penstock_addr_t)(100 + parents[i]), 0u);
            at(i)->rate = 8u * ONE_PPS;
            at(i)->thresh = 8u * ONE_PPS;
            at(i)->slow_start = false;
        }
    }
}

static void send(int node)
{
    static const uint8_t payload[4] = {0u};
    penstock_bucket_t *bucket = &at(node)->bucket;
    bucket->credit = 16000000u;
    CHECK_EQ(penstock_send(&world.nodes[node].node, 0u, payload, sizeof payload, world.now, NULL, NULL), PENSTOCK_OK);
}

/* The node has just crossed U(0), and its rate is this now. */
static void congest(int node, uint32_t pps)
{
    at(node)->average_q12 = penstock_ifrc_upper_q12(&world.nodes[node].config, 0u);
    at(node)->level = 1u;
    at(node)->rate = pps * ONE_PPS;
    at(node)->thresh = pps * ONE_PPS;
}

static void steps(int count)
{
    for (int i = 0; i < count; i++) {
        world_step(&world);
    }
}

/* 0 - 1 - 2: what the leaf crosses binds its parent, the root and, by the root's frame, all of the root's children. */
static void test_chain(void)
{
    const int parents[] = {0, 0, 1};
    build(3, parents);
    send(2);
    steps(4);
    CHECK_EQ(at(2)->rate, 8u * ONE_PPS);
    congest(2, 4u);
    send(2);
    steps(4);
    CHECK_EQ(at(1)->rate, 4u * ONE_PPS);
    CHECK_EQ(at(1)->thresh, 4u * ONE_PPS);
    CHECK_EQ(at(0)->rate, PENSTOCK_IFRC_RATE_MAX); /* its child did not cross */
    congest(1, 2u);
    send(2);
    steps(4);
    CHECK_EQ(at(0)->rate, 2u * ONE_PPS);
    CHECK_EQ(at(2)->rate, 2u * ONE_PPS); /* rule 1 */
    CHECK(at(1)->rate <= at(0)->rate + ONE_PPS / 8u);
}

/* Two branches, whose heads hear each other: 0 - 1 - 2 - 3 and 0 - 4 - 5. Node 4 hears node 1 tell of its child 2,
 * which node 4 does not hear, and node 5 has to follow node 4. */
static void test_two_branches(void)
{
    const int parents[] = {0, 0, 1, 2, 0, 4};
    build(6, parents);
    world_link(&world, 1, 4, 255u);
    for (int i = 2; i < 6; i += 3) {
        send(i);
    }
    steps(6);
    congest(2, 3u);
    send(2);
    steps(6);
    CHECK_EQ(at(1)->rate, 3u * ONE_PPS);
    CHECK_EQ(at(4)->rate, 3u * ONE_PPS);
    CHECK_EQ(at(5)->rate, 8u * ONE_PPS); /* until its parent says so */
    CHECK_EQ(at(0)->rate, PENSTOCK_IFRC_RATE_MAX);
    send(5);
    steps(6);
    CHECK(at(5)->rate <= at(4)->rate);
    CHECK(at(5)->rate < 4u * ONE_PPS);
}

int main(void)
{
    test_round_trip();
    test_any_bytes();
    test_rule_1();
    test_rule_2();
    test_one_decrease_a_turn();
    test_most_congested_child_is_told();
    test_memory();
    test_base_station();
    test_base_station_grows_twice_as_fast();
    test_base_station_begins_anew();
    test_chain();
    test_two_branches();
    return check_result();
}
