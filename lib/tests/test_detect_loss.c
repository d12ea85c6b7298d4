/* Congestion detection by loss rate (thesis 4.2), with the average step by step; and the union of all
 * three methods.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "neighbors.h"
#include "one_node.h"

enum { ONE = 65025, AGE_US = 4000000 };

static void start(one_node_t *bench, const penstock_strategy_t *control)
{
    one_node_prepare(bench, control);
    one_node_start(bench, 0u);
}

/* What the neighbour table says of the link to the parent. */
static void know_link(one_node_t *bench, uint8_t delivery_in, uint8_t delivery_out)
{
    (void)one_node_hear_parent(bench, 5u, bench->next_seq++, false, 0u);
    penstock_neighbor_t *parent = penstock_neighbors_find(&bench->node.neighbors, PARENT);
    CHECK(parent != NULL);
    if (parent != NULL) {
        parent->delivery_in = delivery_in;
        parent->delivery_out = delivery_out;
    }
}

/* One attempt that ends so, with at least two packets in the queue. */
static void attempt(one_node_t *bench, penstock_tx_status_t status, penstock_time_t now)
{
    while (bench->node.queue.count < 2u) {
        (void)one_node_feed(bench, now);
    }
    CHECK(one_node_transmits(bench, now));
    one_node_report(bench, status, now);
    (void)one_node_drop(bench);
}

static uint16_t through(const one_node_t *bench)
{
    return bench->node.control.loss.through;
}

/* alpha = 240/256: each loss leaves 15/16, rounded to the nearest; congested below 94/256 of the whole. */
static void test_average_of_a_perfect_link(void)
{
    static const uint16_t after_loss[16] = {60961, 57151, 53579, 50230, 47091, 44148, 41389, 38802,
                                            36377, 34103, 31972, 29974, 28101, 26345, 24698, 23154};
    one_node_t bench;
    start(&bench, &penstock_control_loss);
    (void)one_node_feed(&bench, 0u);
    CHECK_EQ(through(&bench), 0 + ONE); /* nothing is known of the link: it counts as perfect */
    for (int i = 0; i < 16; i++) {
        attempt(&bench, PENSTOCK_TX_NO_ACK, 0u);
        CHECK_EQ(through(&bench), after_loss[i]);
        CHECK_EQ(penstock_congested(&bench.node), i == 15); /* 23154 < 65025 * 94/256 = 23876 */
    }
    CHECK(one_node_transmits(&bench, 0u));
    CHECK(bench.frame.congested);
    CHECK_EQ(bench.tx.backoff_shift, 2);
    one_node_report(&bench, PENSTOCK_TX_DONE, 0u);
    CHECK_EQ(through(&bench), 25771);
    CHECK(!penstock_congested(&bench.node));
}

/* A link that loses three of four by itself, and does so: no congestion, for however long. When it loses
 * all, there is. */
static void test_bad_link_is_no_congestion(void)
{
    one_node_t bench;
    start(&bench, &penstock_control_loss);
    know_link(&bench, 128u, 128u);
    for (int i = 0; i < 400; i++) {
        attempt(&bench, i % 4 == 3 ? PENSTOCK_TX_DONE : PENSTOCK_TX_NO_ACK, 0u);
        CHECK(!penstock_congested(&bench.node));
        CHECK(through(&bench) >= 13500u);
    }
    CHECK_EQ(bench.node.control.loss.quiet, 128 * 128);

    start(&bench, &penstock_control_loss);
    know_link(&bench, 128u, 128u);
    for (int i = 1; i <= 16; i++) {
        attempt(&bench, PENSTOCK_TX_NO_ACK, 0u);
        CHECK_EQ(penstock_congested(&bench.node), i == 16);
    }
    CHECK_EQ(through(&bench), 5834); /* of 16384; the mark is 6016 */
}

/* The yardstick is the quiet link: worse estimates do not bend it, better ones do. */
static void test_yardstick(void)
{
    one_node_t bench;
    start(&bench, &penstock_control_loss);
    know_link(&bench, 200u, 200u);
    attempt(&bench, PENSTOCK_TX_DONE, 0u);
    CHECK_EQ(bench.node.control.loss.quiet, 200 * 200);
    know_link(&bench, 90u, 90u);
    attempt(&bench, PENSTOCK_TX_DONE, 0u);
    CHECK_EQ(bench.node.control.loss.quiet, 200 * 200);
    know_link(&bench, 210u, 220u);
    attempt(&bench, PENSTOCK_TX_DONE, 0u);
    CHECK_EQ(bench.node.control.loss.quiet, 210 * 220);
}

/* Brings the node into congestion, with two packets left. */
static void congest(one_node_t *bench, penstock_time_t now)
{
    for (int i = 0; i < 16; i++) {
        attempt(bench, PENSTOCK_TX_NO_ACK, now);
    }
    (void)one_node_feed(bench, now);
    CHECK(penstock_congested(&bench->node));
}

static void drain(one_node_t *bench, penstock_time_t now)
{
    while (bench->node.queue.count > 0u) {
        CHECK(one_node_transmits(bench, now));
        one_node_report(bench, PENSTOCK_TX_NO_ACK, now);
        (void)one_node_drop(bench);
    }
}

static void test_empty_queue_and_age(void)
{
    one_node_t bench;
    start(&bench, &penstock_control_loss);
    congest(&bench, 0u);
    drain(&bench, 1000u);
    CHECK(!penstock_congested(&bench.node)); /* in nobody's way */
    uint16_t before = through(&bench);
    (void)one_node_feed(&bench, 1000u + AGE_US);
    CHECK(penstock_congested(&bench.node)); /* the average is as old as it may be */
    CHECK_EQ(through(&bench), before);
    drain(&bench, 1000u + AGE_US);
    (void)one_node_feed(&bench, 1000u + 2u * AGE_US + 1u);
    CHECK(!penstock_congested(&bench.node)); /* too old */
    CHECK_EQ(through(&bench), 0 + ONE);
}

/* Stopped by its parent, it stays what it was; what is heard in the meantime gives it credits. */
static void test_stopped_and_congested(void)
{
    one_node_t bench;
    start(&bench, &penstock_control_loss);
    congest(&bench, 0u);
    (void)one_node_hear_parent(&bench, 5u, 500u, true, 1u);
    CHECK_EQ(bench.node.control.backpressure.credit, 1);
    (void)one_node_feed(&bench, 2u);
    CHECK_EQ(bench.node.control.backpressure.credit, 2);
    penstock_tick(&bench.node, 1u + 2u * AGE_US);
    CHECK(penstock_congested(&bench.node));
    CHECK(one_node_transmits(&bench, 1u + 2u * AGE_US)); /* and begins anew with its next attempt */
    CHECK(!penstock_congested(&bench.node));
}

static void test_new_parent(void)
{
    one_node_t bench;
    start(&bench, &penstock_control_loss);
    congest(&bench, 0u);
    CHECK(one_node_transmits(&bench, 1u));
    penstock_set_parent(&bench.node, SIBLING, 1u);
    CHECK(!penstock_congested(&bench.node));
    one_node_report(&bench, PENSTOCK_TX_NO_ACK, 2u); /* the former one's */
    CHECK(!penstock_congested(&bench.node));
    attempt(&bench, PENSTOCK_TX_NO_ACK, 3u);
    CHECK_EQ(through(&bench), 60961); /* one loss */
}

static void test_what_is_an_attempt(void)
{
    one_node_t bench;
    start(&bench, &penstock_control_loss);
    attempt(&bench, PENSTOCK_TX_NO_CHANNEL, 0u);
    CHECK_EQ(through(&bench), 0 + ONE);

    one_node_prepare(&bench, &penstock_control_loss);
    bench.config.mac_attempts = ATTEMPTS; /* the MAC retries */
    one_node_start(&bench, 0u);
    (void)one_node_feed(&bench, 0u);
    (void)one_node_feed(&bench, 0u);
    penstock_tx_report_t third = {.status = PENSTOCK_TX_DONE, .attempts = 3u};
    CHECK(one_node_transmits(&bench, 0u));
    penstock_transmitted(&bench.node, &third, 0u);
    CHECK_EQ(through(&bench), 57643); /* two losses, one success */
    start(&bench, &penstock_control_loss);
    attempt(&bench, PENSTOCK_TX_NO_ACK, 0u);
    attempt(&bench, PENSTOCK_TX_NO_ACK, 0u);
    attempt(&bench, PENSTOCK_TX_DONE, 0u);
    CHECK_EQ(through(&bench), 57643); /* the same, one by one */
}

static void test_parameters(void)
{
    one_node_t bench;
    one_node_prepare(&bench, &penstock_control_loss);
    bench.config.control_params.loss_ewma_q8 = 128u;
    bench.config.control_params.loss_threshold_q8 = 127u;
    bench.config.control_params.loss_age_us = 10u;
    one_node_start(&bench, 0u);
    attempt(&bench, PENSTOCK_TX_NO_ACK, 0u);
    CHECK_EQ(through(&bench), 32513);       /* half, rounded up */
    CHECK(penstock_congested(&bench.node)); /* 129/256 of 65025 is 32766 */
    attempt(&bench, PENSTOCK_TX_NO_ACK, 10u);
    CHECK_EQ(through(&bench), 16257);
    attempt(&bench, PENSTOCK_TX_NO_ACK, 21u);
    CHECK_EQ(through(&bench), 32513);
}

/* Any of the three is enough. */
static void test_union(void)
{
    one_node_t bench;
    start(&bench, &penstock_control_union);
    CHECK(!penstock_congested(&bench.node));
    congest(&bench, 0u);
    CHECK(bench.node.queue.count < 7u && !bench.node.control.channel.congested);

    start(&bench, &penstock_control_union);
    for (int packets = 1; packets <= 7; packets++) {
        (void)one_node_feed(&bench, 0u);
        CHECK_EQ(penstock_congested(&bench.node), packets == 7);
    }

    start(&bench, &penstock_control_union);
    (void)one_node_feed(&bench, 0u);
    for (penstock_time_t now = 5000u; now <= 400000u; now += 5000u) {
        CHECK(!penstock_congested(&bench.node));
        CHECK(penstock_wants_channel_sample(&bench.node, now));
        penstock_channel_busy(&bench.node, true, now);
    }
    CHECK(penstock_congested(&bench.node));
}

int main(void)
{
    test_average_of_a_perfect_link();
    test_bad_link_is_no_congestion();
    test_yardstick();
    test_empty_queue_and_age();
    test_stopped_and_congested();
    test_new_parent();
    test_what_is_an_attempt();
    test_parameters();
    test_union();
    return check_result();
}
