/* How a node notices congestion: queue occupancy and channel sampling (thesis 4.2), and
 * what it tells its MAC (4.4).
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "one_node.h"

static void start(one_node_t *bench, const penstock_strategy_t *control)
{
    one_node_prepare(bench, control);
    one_node_start(bench, 0u);
}

static void test_occupancy_threshold(void)
{
    one_node_t bench;
    start(&bench, &penstock_control_occupancy);
    for (int packets = 1; packets <= 8; packets++) {
        (void)one_node_feed(&bench, 0u);
        CHECK_EQ(penstock_congested(&bench.node), packets >= 7); /* fewer than 2 of 8 free */
    }
    CHECK(one_node_transmits(&bench, 1u));
    CHECK(bench.frame.congested);
    CHECK_EQ(bench.tx.backoff_shift, 2); /* a quarter of the window */
    one_node_report(&bench, PENSTOCK_TX_DONE, 1u);
    one_node_send_off(&bench, 2u);
    CHECK(one_node_transmits(&bench, 3u)); /* six are left */
    CHECK(!bench.frame.congested);
    CHECK_EQ(bench.tx.backoff_shift, 0);
}

static void test_none_is_never_congested(void)
{
    one_node_t bench;
    start(&bench, &penstock_control_none);
    for (int packets = 0; packets < 8; packets++) {
        (void)one_node_feed(&bench, 0u);
    }
    CHECK(!penstock_congested(&bench.node));
    CHECK(one_node_transmits(&bench, 1u));
    CHECK(!bench.frame.congested);
    CHECK_EQ(bench.tx.backoff_shift, 0);
    CHECK(!penstock_wants_channel_sample(&bench.node, 1000000u));
}

/* Takes the samples of one epoch, `busy` of them busy, as a world would; the time after it. */
static penstock_time_t sample_epoch(one_node_t *bench, penstock_time_t now, int busy)
{
    penstock_time_t end = now + 100000u;
    int taken = 0;
    while (now != end) {
        penstock_time_t at = end;
        if (!penstock_next_deadline(&bench->node, now, &at) || penstock_time_reached(at, end + 1u)) {
            break;
        }
        now = at;
        penstock_tick(&bench->node, now);
        if (penstock_wants_channel_sample(&bench->node, now)) {
            penstock_channel_busy(&bench->node, taken < busy, now);
            taken++;
        }
    }
    CHECK_EQ(taken, 20);
    CHECK_EQ(now, end);
    return now;
}

static void test_channel_average(void)
{
    one_node_t bench;
    start(&bench, &penstock_control_channel);
    CHECK(!penstock_wants_channel_sample(&bench.node, 50000u)); /* nothing waits */
    (void)one_node_feed(&bench, 50000u);
    CHECK(!penstock_wants_channel_sample(&bench.node, 50000u));
    penstock_time_t now = sample_epoch(&bench, 50000u, 10);
    CHECK_EQ(bench.node.control.channel.load_q8, 128); /* the first share starts the average */
    now = sample_epoch(&bench, now, 20);
    CHECK_EQ(bench.node.control.channel.load_q8, 147); /* (218*128 + 38*256)/256 */
    now = sample_epoch(&bench, now, 20);
    CHECK_EQ(bench.node.control.channel.load_q8, 163);
    CHECK(!penstock_congested(&bench.node)); /* not decided yet */
    now = sample_epoch(&bench, now, 20);
    CHECK_EQ(bench.node.control.channel.load_q8, 177);
    CHECK(penstock_congested(&bench.node)); /* 177 > 165 */
    CHECK(one_node_transmits(&bench, now));
    CHECK(bench.frame.congested);
    one_node_report(&bench, PENSTOCK_TX_NO_ACK, now);

    for (int epoch = 0; epoch < 4; epoch++) { /* begins again, from the next share */
        CHECK(penstock_congested(&bench.node));
        now = sample_epoch(&bench, now, 11); /* 0.55, below 0.646 */
    }
    CHECK_EQ(bench.node.control.channel.load_q8, 140);
    CHECK(!penstock_congested(&bench.node));
}

static void test_channel_forgets_with_an_empty_queue(void)
{
    one_node_t bench;
    start(&bench, &penstock_control_channel);
    (void)one_node_feed(&bench, 0u);
    penstock_time_t now = 0u;
    for (int epoch = 0; epoch < 4; epoch++) {
        now = sample_epoch(&bench, now, 20);
    }
    CHECK(penstock_congested(&bench.node));
    one_node_send_off(&bench, now);
    CHECK(!penstock_congested(&bench.node));
    CHECK(!penstock_wants_channel_sample(&bench.node, now + 1000000u));
    penstock_channel_busy(&bench.node, true, now); /* unasked: ignored */
    (void)one_node_feed(&bench, now);
    CHECK(!penstock_congested(&bench.node));
    CHECK_EQ(bench.node.control.channel.samples, 0);
    (void)sample_epoch(&bench, now, 0);
    CHECK_EQ(bench.node.control.channel.load_q8, 0);
    CHECK_EQ(bench.node.control.channel.epoch, 1);
}

static void test_late_samples_and_none(void)
{
    one_node_t bench;
    start(&bench, &penstock_control_channel);
    (void)one_node_feed(&bench, 0u);
    penstock_time_t at;
    CHECK(penstock_next_deadline(&bench.node, 0u, &at));
    CHECK_EQ(at, 5000u);
    CHECK(penstock_wants_channel_sample(&bench.node, 5000u));
    CHECK(!penstock_next_deadline(&bench.node, 5000u, &at)); /* asked for: no deadline any more */
    penstock_channel_busy(&bench.node, true, 17000u);
    CHECK(!penstock_wants_channel_sample(&bench.node, 17000u));
    CHECK(penstock_next_deadline(&bench.node, 17000u, &at));
    CHECK_EQ(at, 22000u);
}

int main(void)
{
    test_occupancy_threshold();
    test_none_is_never_congested();
    test_channel_average();
    test_channel_forgets_with_an_empty_queue();
    test_late_samples_and_none();
    return check_result();
}
