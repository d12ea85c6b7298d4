/* Bulk packets and sensor packets at one node: turns, or sensor packets first; what a bulk config may say.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "bulk_node.h"
#include "check.h"

static bulk_node_t bench;

static penstock_bulk_path_params_t *fresh(bool lower)
{
    bulk_node_prepare(&bench);
    bench.params.path.mode = PENSTOCK_BULK_ASAP; /* bulk packets that are always ready */
    bench.params.path.lower = lower;
    return &bench.params.path;
}

/* Both queues are kept full for so many frames, some of which nobody acknowledges; how many were bulk packets', and how
 * many frames of the other kind the longest wait of a class was. */
static int compete(int frames, int *longest)
{
    int bulk = 0;
    int run = 0;
    bool last = false;
    *longest = 0;
    bulk_node_start(&bench, 0u);
    for (int i = 0; i < frames; i++) {
        penstock_time_t now = (penstock_time_t)i * 8 * MS;
        one_node_feed(&bench.one, now);
        bulk_node_feed(&bench, now);
        CHECK(one_node_transmits(&bench.one, now));
        bool is_bulk = bench.one.frame.type == PENSTOCK_FRAME_BULK;
        run = i > 0 && is_bulk == last ? run + 1 : 1;
        *longest = run > *longest ? run : *longest;
        last = is_bulk;
        bulk += is_bulk;
        one_node_report(&bench.one, i % 3 == 0 ? PENSTOCK_TX_NO_ACK : PENSTOCK_TX_DONE, now + 8 * MS);
    }
    return bulk;
}

static void test_equal(void)
{
    int longest;
    fresh(false);
    CHECK_EQ(compete(1000, &longest), 500);
    CHECK_EQ(longest, 1); /* neither ever waits for more than one frame of the other */
}

static void test_lower(void)
{
    int longest;
    fresh(true);
    CHECK_EQ(compete(1000, &longest), 0);
    /* ... and all of it when there are no sensor packets. */
    for (penstock_time_t now = 9000 * MS; bench.one.node.queue.count > 0u; now += 8 * MS) {
        CHECK(one_node_transmits(&bench.one, now));
        CHECK_EQ(bench.one.frame.type, PENSTOCK_FRAME_DATA);
        one_node_report(&bench.one, PENSTOCK_TX_DONE, now);
    }
    for (int packet = 0; packet < BULK_QUEUE; packet++) {
        CHECK(bulk_node_send_off(&bench, 10000 * MS, 0u));
    }
    CHECK(!one_node_transmits(&bench.one, 10000 * MS));
}

/* Sensor packets that their own congestion control stops are no reason for bulk packets to wait, in either class. */
static void test_stopped_sensor_packets(bool lower)
{
    fresh(lower);
    bench.one.config.control = &penstock_control_fusion;
    bulk_node_start(&bench, 0u);
    one_node_hear_parent(&bench.one, CHILD, 7u, true, 0u); /* the parent is congested */
    one_node_feed(&bench.one, 0u);
    bulk_node_feed(&bench, 0u);
    bulk_node_feed(&bench, 0u);
    CHECK(penstock_stopped(&bench.one.node, 0u));
    CHECK(bulk_node_send_off(&bench, 0u, 8 * MS));
    CHECK_EQ(bench.one.frame.type, PENSTOCK_FRAME_BULK);
    CHECK(bulk_node_send_off(&bench, 8 * MS, 8 * MS));
    CHECK_EQ(bench.one.frame.type, PENSTOCK_FRAME_BULK);
    CHECK(!one_node_transmits(&bench.one, 16 * MS));
}

/* Is the config, with one statement applied to it, accepted? */
#define ACCEPTED(change)                                                                                               \
    (path = fresh(false), config = &bench.one.config, (void)(change),                                                  \
     penstock_init(&bench.one.node, config, 0u) == PENSTOCK_OK)

static void test_config(void)
{
    penstock_bulk_path_params_t *path;
    penstock_config_t *config;
    CHECK(ACCEPTED(0));
    CHECK(!ACCEPTED(config->bulk_ops = NULL));
    CHECK(!ACCEPTED(config->bulk_params = NULL));
    CHECK(!ACCEPTED(config->bulk_queue = NULL));
    CHECK(!ACCEPTED(config->bulk_queue_capacity = 0u));
    CHECK(!ACCEPTED(config->bulk_queue_capacity = 1u)); /* local_share is 2 */
    CHECK(!ACCEPTED(config->bulk_flows = NULL));
    CHECK(!ACCEPTED(config->bulk_flow_capacity = 0u));
    CHECK(!ACCEPTED(path->mode = PENSTOCK_BULK_MODE_COUNT));
    CHECK(!ACCEPTED(path->attempts = 0u));
    CHECK(!ACCEPTED(path->local_share = 0u));
    CHECK(!ACCEPTED(path->local_share = BULK_QUEUE + 1u));
    CHECK(ACCEPTED(path->delay_weight = 7u));
    CHECK(!ACCEPTED(path->delay_weight = 8u));
    CHECK(ACCEPTED(path->rssi_weight = 0u));
    CHECK(!ACCEPTED(path->rssi_weight = 8u));
    CHECK(!ACCEPTED(path->unit_us = 7u));
    CHECK(!ACCEPTED(path->fixed_interval_us = 0u));
    CHECK(!ACCEPTED(path->fixed_interval_us = UINT32_C(0x40000001)));
    CHECK(!ACCEPTED(path->longest_wait_us = 0u));
    CHECK(!ACCEPTED(path->longest_wait_us = UINT32_C(0x40000001)));
    CHECK(ACCEPTED((config->bulk = NULL, config->bulk_ops = NULL, config->bulk_params = NULL)));
    CHECK(ACCEPTED((config->bulk = NULL, path->attempts = 0u))); /* not read */
}

int main(void)
{
    test_equal();
    test_lower();
    test_stopped_sensor_packets(false);
    test_stopped_sensor_packets(true);
    test_config();
    return check_result();
}
