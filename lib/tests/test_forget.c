/* A node that slept: its congestion control begins anew, but for the tokens that it has spent, and nothing
 * else does (thesis 5.3.6).
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <string.h>

#include "check.h"
#include "one_node.h"

/* A node in the middle of its work: a queue, a former stop, tokens spent, a frame with the MAC. */
static void live(one_node_t *bench, const penstock_strategy_t *control)
{
    one_node_prepare(bench, control);
    one_node_start(bench, 0u);
    (void)one_node_send(bench, 0u);
    for (int i = 0; i < 7; i++) {
        (void)one_node_feed(bench, 0u);
    }
    for (penstock_time_t now = 5000u; now <= 400000u; now += 5000u) {
        if (penstock_wants_channel_sample(&bench->node, now)) {
            penstock_channel_busy(&bench->node, true, now);
        }
    }
    bench->ack_congested = true;
    one_node_send_off(bench, 400000u);
    CHECK(one_node_transmits(bench, 700000u)); /* a stop of an acknowledgement is over by now */
    (void)one_node_hear_parent(bench, 5u, 0u, true, 700000u);
}

static void test_what_goes_and_what_stays(const penstock_strategy_t *control)
{
    one_node_t bench;
    live(&bench, control);
    penstock_counters_t counters = bench.node.counters;
    penstock_queue_t queue = bench.node.queue;
    penstock_tree_t tree = bench.node.tree;
    penstock_time_t now = 5000000u;
    penstock_forget_congestion(&bench.node, now);

    CHECK(!penstock_stopped(&bench.node, now));
    CHECK(memcmp(&counters, &bench.node.counters, sizeof counters) == 0);
    CHECK_EQ(bench.node.queue.count, queue.count);
    CHECK_EQ(bench.node.queue.head, queue.head);
    CHECK_EQ(bench.node.queue.local_count, queue.local_count);
    CHECK_EQ(penstock_parent(&bench.node), tree.parent);

    /* The MAC's report is still awaited, and finds its packet. */
    CHECK(!one_node_transmits(&bench, now));
    one_node_report(&bench, PENSTOCK_TX_NO_ACK, now);
    CHECK_EQ(bench.node.queue.count, queue.count);
    CHECK(!penstock_stopped(&bench.node, now));
    CHECK(one_node_transmits(&bench, now));
    bench.ack_congested = false;
    one_node_report(&bench, PENSTOCK_TX_DONE, now);
    CHECK_EQ(bench.node.counters.forwarded, counters.forwarded + 1u);

    /* No deadline of the former life is left. */
    penstock_time_t at;
    if (penstock_next_deadline(&bench.node, now, &at)) {
        CHECK(at != now && penstock_time_reached(at, now));
    }
}

static void test_parts_with_a_queue(void)
{
    one_node_t bench;
    live(&bench, &penstock_control_union);
    CHECK(bench.node.control.channel.congested);
    penstock_forget_congestion(&bench.node, 1000000u);
    CHECK(!bench.node.control.channel.congested);
    CHECK(penstock_congested(&bench.node)); /* seven packets are seven packets */
    penstock_time_t at;
    CHECK(penstock_next_deadline(&bench.node, 1000000u, &at)); /* and the channel is sampled on */
    CHECK_EQ(at, 1005000u);
    one_node_report(&bench, PENSTOCK_TX_NO_ACK, 1000001u);
    CHECK_EQ(bench.node.control.loss.through, 60961); /* one attempt of its new life */

    live(&bench, &penstock_control_fusion);
    CHECK_EQ(one_node_send(&bench, 700000u), PENSTOCK_OK);
    CHECK_EQ(bench.node.control.rate.tokens, 9);
    CHECK(bench.node.control.sources.count > 0);
    CHECK(!one_node_transmits(&bench, 700001u));
    penstock_forget_congestion(&bench.node, 700001u);
    CHECK_EQ(bench.node.control.rate.tokens, 9); /* sleep pays no debts */
    CHECK_EQ(bench.node.control.sources.count, 0);
    one_node_t shares;
    live(&shares, &penstock_control_fusion_share);
    CHECK_EQ(one_node_send(&shares, 700000u), PENSTOCK_OK);
    penstock_forget_congestion(&shares.node, 700000u);
    CHECK(shares.node.control.share.bucket.credit < 32000000u); /* of two tokens */
    one_node_report(&bench, PENSTOCK_TX_NO_ACK, 700001u);
    CHECK(one_node_transmits(&bench, 700001u)); /* neither the stop nor the silence is remembered */
}

int main(void)
{
    for (const penstock_strategy_t *const *strategy = penstock_strategies; *strategy != NULL; strategy++) {
        test_what_goes_and_what_stays(*strategy);
    }
    test_parts_with_a_queue();
    return check_result();
}
