/* Whole transfers over a line of nodes with frames, links that lose, and collisions: every mode and both kinds of
 * repair bring the object; routes are frozen meanwhile, and not afterwards; two sources take their turns, two sinks do
 * not.
 *
 * The radio is crude: time in steps of 1 ms, a frame takes four, a neighbour is one link away, a node that hears
 * another one send waits; whoever sends, or hears two, gets nothing.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <string.h>

#include "check.h"
#include "penstock/bulk.h"
#include "random.h"

enum { NODES = 8, FRAME_STEPS = 4, OBJECT = 2500, STEP_US = 1000, FIRST = 100 };

typedef struct net_node {
    penstock_config_t config;
    penstock_node_t node;
    penstock_packet_t queue[8];
    penstock_neighbor_t neighbors[8];
    penstock_bulk_t bulk;
    penstock_bulk_packet_t packets[16];
    penstock_bulk_flow_t flows[4];
    int steps_left; /* of its frame */
    int backoff;
    bool lost[2];
    penstock_tx_t tx;
    uint8_t bytes[127];
    int served;
    int abandoned;
    /* At a sink. */
    uint8_t bitmap[64];
    uint8_t store[OBJECT];
    penstock_bulk_event_t last;
    bool over;
} net_node_t;

static struct {
    int count;
    uint32_t loses; /* 1/256 */
    uint32_t random;
    penstock_time_t now;
    penstock_bulk_params_t params;
    net_node_t nodes[NODES];
    uint32_t sensor; /* packets of sensor data that came */
} net;

static uint8_t byte_of(uint16_t object, uint32_t offset)
{
    return (uint8_t)((offset + object) * UINT32_C(2654435761) >> 11);
}

/* A line whose nodes from index `right` on belong to a root at its far end. */
static void start_between(int count, uint32_t loses, uint32_t seed, int right)
{
    penstock_bulk_params_t params = net.params;
    memset(&net, 0, sizeof net);
    net.params = params;
    net.count = count;
    net.loses = loses;
    net.random = penstock_random_seed(seed, 1u);
    net.now = penstock_random_next(&net.random);
    for (int i = 0; i < count; i++) {
        net_node_t *node = &net.nodes[i];
        node->config = (penstock_config_t){
            .address = (penstock_addr_t)(FIRST + i),
            .pan_id = 1u,
            .is_root = i == 0 || (i == count - 1 && right < count),
            .seed = penstock_random_next(&net.random),
            .max_frame_len = 60u,
            .packet_time_us = 10000u,
            .queue = node->queue,
            .queue_capacity = 8u,
            .local_share = 2u,
            .link_attempts = 4u,
            .mac_attempts = 1u,
            .hop_limit = 64u,
            .neighbors = node->neighbors,
            .neighbor_capacity = 8u,
            .beacon_period_us = 10000000u,
            .control = &penstock_control_none,
            .control_params = penstock_control_defaults(),
            .bulk = &node->bulk,
            .bulk_ops = &penstock_bulk_flush,
            .bulk_params = &net.params,
            .bulk_queue = node->packets,
            .bulk_queue_capacity = 16u,
            .bulk_flows = node->flows,
            .bulk_flow_capacity = 4u,
        };
        CHECK_EQ(penstock_init(&node->node, &node->config, net.now), PENSTOCK_OK);
        penstock_set_parent(&node->node, (penstock_addr_t)(FIRST + i + (i < right ? -1 : 1)), net.now);
    }
}

/* A line with a root at its beginning. */
static void start(int count, uint32_t loses, uint32_t seed)
{
    start_between(count, loses, seed, count);
}

static void serve(net_node_t *node)
{
    penstock_bulk_event_t event;
    penstock_bulk_read_t read;
    penstock_bulk_write_t chunk;
    bool is_root = node->config.is_root;
    while (penstock_bulk_poll_event(&node->node, &event) == 1) {
        if (event.kind == PENSTOCK_BULK_ASKED) {
            uint32_t crc = 0u;
            for (uint32_t i = 0u; i < OBJECT; i++) {
                uint8_t byte = byte_of(event.object, i);
                crc = penstock_crc32(crc, &byte, 1u);
            }
            CHECK_EQ(penstock_bulk_offer(&node->node, event.object, OBJECT, crc, net.now), PENSTOCK_OK);
        }
        node->served += event.kind == PENSTOCK_BULK_SERVED;
        node->abandoned += event.kind == PENSTOCK_BULK_ABANDONED;
        if (is_root) {
            node->last = event;
            node->over = event.kind >= PENSTOCK_BULK_DONE;
        }
    }
    if (penstock_bulk_poll_write(&node->node, &chunk, net.now) == 1) {
        memcpy(node->store + chunk.offset, chunk.bytes, chunk.len);
    }
    while (penstock_bulk_poll_read(&node->node, &read, net.now) == 1) {
        uint8_t bytes[UINT8_MAX];
        for (uint8_t i = 0u; i < read.len; i++) {
            bytes[i] = is_root ? node->store[read.offset + i] : byte_of(read.object, read.offset + i);
        }
        CHECK_EQ(penstock_bulk_provide(&node->node, bytes, read.len, net.now), PENSTOCK_OK);
    }
    penstock_delivery_t delivery;
    while (is_root && penstock_poll_deliver(&node->node, &delivery, net.now) == 1) {
        net.sensor++;
    }
}

static bool sends(int i)
{
    return i >= 0 && i < net.count && net.nodes[i].steps_left > 0;
}

/* Whoever sends now keeps others from hearing a frame at either neighbour. */
static void collide(void)
{
    for (int i = 0; i < net.count; i++) {
        for (int side = 0; side < 2; side++) {
            int to = side == 0 ? i - 1 : i + 1;
            int beyond = side == 0 ? i - 2 : i + 2;
            net.nodes[i].lost[side] = net.nodes[i].lost[side] || (sends(i) && (sends(to) || sends(beyond)));
        }
    }
}

static void end_frame(int i)
{
    net_node_t *from = &net.nodes[i];
    bool acked = false;
    for (int side = 0; side < 2; side++) {
        int to = side == 0 ? i - 1 : i + 1;
        if (to < 0 || to >= net.count || from->lost[side] || penstock_random_below(&net.random, 256u) < net.loses) {
            continue;
        }
        net_node_t *node = &net.nodes[to];
        bool for_it = from->tx.dst == node->config.address;
        penstock_rx_info_t info = {
            .rssi_dbm = -60, .for_us = for_it || from->tx.dst == PENSTOCK_ADDR_BROADCAST, .acked = for_it};
        (void)penstock_receive(&node->node, from->bytes, from->tx.len, &info, net.now);
        acked = acked || for_it;
        serve(node);
    }
    penstock_tx_report_t report = {acked || !from->tx.ack ? PENSTOCK_TX_DONE : PENSTOCK_TX_NO_ACK, 1u, false};
    penstock_transmitted(&from->node, &report, net.now);
}

static void step(void)
{
    net.now += STEP_US;
    for (int i = 0; i < net.count; i++) {
        net_node_t *node = &net.nodes[i];
        if (node->steps_left > 0 && --node->steps_left == 0) {
            end_frame(i);
        }
    }
    for (int i = 0; i < net.count; i++) {
        net_node_t *node = &net.nodes[i];
        penstock_tick(&node->node, net.now);
        serve(node);
        if (node->steps_left > 0) {
            continue;
        }
        if (sends(i - 1) || sends(i + 1)) {
            node->backoff = (int)penstock_random_below(&net.random, 6u);
        } else if (node->backoff > 0) {
            node->backoff--;
        } else if (penstock_poll_transmit(&node->node, &node->tx, node->bytes, sizeof node->bytes, net.now) == 1) {
            node->steps_left = FRAME_STEPS;
            node->lost[0] = node->lost[1] = false;
        }
    }
    collide();
}

static void ask(net_node_t *sink, int source, uint16_t object)
{
    penstock_bulk_request_t request = {.source = (penstock_addr_t)(FIRST + source),
                                       .object = object,
                                       .bitmap = sink->bitmap,
                                       .bitmap_len = sizeof sink->bitmap};
    sink->over = false;
    CHECK_EQ(penstock_bulk_request(&sink->node, &request, net.now), PENSTOCK_OK);
}

/* ms until the sink's transfer is over. */
static int fetch(int source, uint16_t object, int most)
{
    ask(&net.nodes[0], source, object);
    int steps = 0;
    while (!net.nodes[0].over && steps < most) {
        step();
        steps++;
    }
    return steps;
}

static void check_done_at(const net_node_t *sink, uint16_t object)
{
    CHECK(sink->over);
    CHECK_EQ(sink->last.kind, PENSTOCK_BULK_DONE);
    for (uint32_t i = 0u; i < OBJECT; i++) {
        if (sink->store[i] != byte_of(object, i)) {
            CHECK_EQ(sink->store[i], byte_of(object, i));
            break;
        }
    }
}

static void check_done(uint16_t object)
{
    check_done_at(&net.nodes[0], object);
}

static void test_modes(void)
{
    for (int mode = 0; mode < PENSTOCK_BULK_MODE_COUNT * 2; mode++) {
        bool blockwise = mode >= PENSTOCK_BULK_MODE_COUNT;
        for (uint32_t seed = 1u; seed <= 4u; seed++) {
            net.params = penstock_bulk_defaults();
            net.params.path.mode = (uint8_t)(mode % PENSTOCK_BULK_MODE_COUNT);
            net.params.path.companded = seed % 2u == 0u;
            net.params.ends.repair = blockwise ? PENSTOCK_BULK_REPAIR_BLOCKWISE : PENSTOCK_BULK_REPAIR_NACK;
            start(2 + (int)seed + (int)seed / 2, seed * 8u, seed);
            int source = net.count - 1;
            (void)fetch(source, (uint16_t)seed, 400000);
            check_done((uint16_t)seed);
            penstock_bulk_progress_t progress;
            penstock_bulk_progress(&net.nodes[0].node, &progress);
            CHECK_EQ(progress.hops, source);
            for (int i = 0; i < 500; i++) {
                step(); /* END goes round */
            }
            CHECK_EQ(net.nodes[source].served + net.nodes[source].abandoned, net.nodes[source].served);
        }
    }
}

/* Frozen at every node while it lasts; thawed by END, or by time at those that missed it. */
static void test_frozen(void)
{
    net.params = penstock_bulk_defaults();
    start(6, 10u, 3u);
    ask(&net.nodes[0], 5, 1u);
    penstock_bulk_progress_t progress;
    do {
        step();
        penstock_bulk_progress(&net.nodes[0].node, &progress);
    } while (progress.received < 20u && !net.nodes[0].over);
    for (int i = 0; i < net.count; i++) {
        CHECK(net.nodes[i].node.tree.frozen);
    }
    while (!net.nodes[0].over) {
        step();
    }
    check_done(1u);
    int frozen = net.count;
    for (int i = 0; i < 400000 && frozen > 0; i++) {
        step();
        frozen = 0;
        for (int k = 0; k < net.count; k++) {
            frozen += net.nodes[k].node.tree.frozen;
        }
    }
    CHECK_EQ(frozen, 0);
}

/* One object after the other, from different nodes; and sensor data all the while. */
static void test_in_turn(void)
{
    net.params = penstock_bulk_defaults();
    start(6, 5u, 4u);
    for (uint16_t object = 1u; object <= 6u; object++) {
        int source = 1 + (int)(object * 2u) % 5;
        uint8_t reading = (uint8_t)object;
        CHECK_EQ(penstock_send(&net.nodes[5].node, 0u, &reading, 1u, net.now, NULL, NULL), PENSTOCK_OK);
        (void)fetch(source, object, 200000);
        check_done(object);
    }
    CHECK_EQ(net.sensor, 6);
}

/* A sink at either end asks for an object at the same time, each from the node in the middle that is nearer to the
 * other's nodes: floods of both go through all, and the ways are in each other's reach. It takes longer, no more. */
static void test_two_sinks(void)
{
    for (uint32_t seed = 1u; seed <= 6u; seed++) {
        net.params = penstock_bulk_defaults();
        net.params.ends.repair = seed > 4u ? PENSTOCK_BULK_REPAIR_BLOCKWISE : PENSTOCK_BULK_REPAIR_NACK;
        start_between(NODES, seed * 4u, seed, NODES / 2);
        net_node_t *left = &net.nodes[0];
        net_node_t *right = &net.nodes[NODES - 1];
        ask(left, NODES / 2 - 1, 1u);
        ask(right, NODES / 2, 2u);
        for (int steps = 0; steps < 400000 && !(left->over && right->over); steps++) {
            step();
        }
        check_done_at(left, 1u);
        check_done_at(right, 2u);
    }
}

/* A node in the middle is silent from some moment on, and comes back too late. */
static void test_cut(void)
{
    net.params = penstock_bulk_defaults();
    start(5, 0u, 5u);
    penstock_bulk_request_t request = {
        .source = FIRST + 4, .object = 1u, .bitmap = net.nodes[0].bitmap, .bitmap_len = sizeof net.nodes[0].bitmap};
    CHECK_EQ(penstock_bulk_request(&net.nodes[0].node, &request, net.now), PENSTOCK_OK);
    penstock_bulk_progress_t progress;
    do {
        step();
        penstock_bulk_progress(&net.nodes[0].node, &progress);
    } while (progress.received < 20u);
    net.count = 2; /* the rest is out of reach */
    penstock_time_t cut = net.now;
    while (!net.nodes[0].over) {
        step();
    }
    CHECK_EQ(net.nodes[0].last.kind, PENSTOCK_BULK_FAILED);
    CHECK_EQ(net.nodes[0].last.reason, PENSTOCK_BULK_SILENT);
    CHECK(net.now - cut <= penstock_bulk_patience_us(&net.params.ends) + 1000000u);
    net.count = 5;
    request.resume = true;
    CHECK_EQ(penstock_bulk_checkpoint(&net.nodes[0].node, &request.checkpoint), PENSTOCK_OK);
    net.nodes[0].over = false;
    CHECK_EQ(penstock_bulk_request(&net.nodes[0].node, &request, net.now), PENSTOCK_OK);
    while (!net.nodes[0].over) {
        step();
    }
    check_done(1u);
    (void)fetch(3, 2u, 200000);
    check_done(2u);
    CHECK_EQ(fetch(60, 2u, 200000), 62000); /* nobody has this address */
    CHECK_EQ(net.nodes[0].last.reason, PENSTOCK_BULK_UNREACHABLE);
}

int main(void)
{
    test_modes();
    test_frozen();
    test_in_turn();
    test_two_sinks();
    test_cut();
    return check_result();
}
