/* SPDX-License-Identifier: BSD-3-Clause */
#include "small_world.h"

#include <math.h>
#include <string.h>

uint32_t world_random(world_t *world, uint32_t bound)
{
    world->random = world->random * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)(world->random ^ (world->random >> 15)) * bound) >> 32);
}

void world_init(world_t *world, int count, const penstock_strategy_t *control, uint32_t seed, penstock_time_t now)
{
    memset(world, 0, sizeof *world);
    world->count = count;
    world->random = seed * 2654435761u + 1u;
    world->now = now;
    for (int i = 0; i < count; i++) {
        world_node_t *node = &world->nodes[i];
        node->config = (penstock_config_t){
            .address = (penstock_addr_t)(100 + i),
            .pan_id = 1u,
            .is_root = i == 0,
            .advertise = true,
            .seed = seed,
            .max_frame_len = penstock_strategy_needs_peers(control) ? 64u : 34u, /* their fields take more */
            .packet_time_us = 40000u,
            .queue = node->queue,
            .queue_capacity = WORLD_QUEUE,
            .local_share = 2u,
            .link_attempts = 4u,
            .mac_attempts = 1u,
            .hop_limit = 32u,
            .neighbors = node->neighbors,
            .neighbor_capacity = WORLD_NEIGHBORS,
            .peers = node->peers,
            .peer_capacity = WORLD_NEIGHBORS,
            .beacon_period_us = WORLD_PERIOD_US,
            .beacons = true,
            .control = control,
            .control_params = penstock_control_defaults(),
        };
        (void)penstock_init(&node->node, &node->config, now);
    }
}

void world_link(world_t *world, int a, int b, uint8_t prr)
{
    world->prr[a][b] = prr;
    world->prr[b][a] = prr;
}

void world_scatter(world_t *world, double side, double range)
{
    double x[WORLD_MAX];
    double y[WORLD_MAX];
    for (int i = 0; i < world->count; i++) {
        x[i] = side * world_random(world, 1000u) / 1000.0;
        y[i] = side * world_random(world, 1000u) / 1000.0;
    }
    for (int a = 0; a < world->count; a++) {
        for (int b = 0; b < world->count; b++) {
            double distance = hypot(x[a] - x[b], y[a] - y[b]);
            double luck = 0.8 + 0.4 * world_random(world, 1000u) / 1000.0;
            double prr = 1.0 / (1.0 + exp(12.0 * (distance / (range * luck) - 1.0)));
            world->prr[a][b] = a == b || prr < 0.02 ? 0u : (uint8_t)(prr * 255.0);
        }
    }
}

static bool arrives(world_t *world, int from, int to)
{
    return !world->nodes[to].asleep && world_random(world, 255u) < world->prr[from][to];
}

/* The frame of `from` ends. */
static void deliver(world_t *world, int from)
{
    world_node_t *sender = &world->nodes[from];
    const uint8_t *bytes = sender->bytes;
    penstock_tx_t tx = sender->tx;
    bool acknowledged = false;
    for (int to = 0; to < world->count; to++) {
        if (to == from || !arrives(world, from, to)) {
            continue;
        }
        bool addressed = tx.dst == world->nodes[to].config.address;
        penstock_rx_info_t info = {.rssi_dbm = -60, .acked = addressed && tx.ack};
        info.for_us = addressed || tx.dst == PENSTOCK_ADDR_BROADCAST;
        (void)penstock_receive(&world->nodes[to].node, bytes, tx.len, &info, world->now);
        acknowledged = acknowledged || (addressed && arrives(world, to, from));
    }
    penstock_tx_report_t report = {.attempts = 1u};
    report.status = tx.ack && !acknowledged ? PENSTOCK_TX_NO_ACK : PENSTOCK_TX_DONE;
    penstock_transmitted(&sender->node, &report, world->now);
}

static void transmit(world_t *world, int from)
{
    world_node_t *sender = &world->nodes[from];
    if (sender->steps_left > 0) {
        sender->steps_left--;
    } else if (penstock_poll_transmit(&sender->node, &sender->tx, sender->bytes, sizeof sender->bytes, world->now) ==
               1) {
        sender->steps_left = sender->frame_steps;
    } else {
        return;
    }
    if (sender->steps_left == 0) {
        deliver(world, from);
    }
}

void world_step(world_t *world)
{
    world->now += WORLD_STEP_US;
    int first = (int)world_random(world, (uint32_t)world->count);
    for (int i = 0; i < world->count; i++) {
        int index = (first + i) % world->count;
        world_node_t *node = &world->nodes[index];
        if (node->asleep) {
            continue;
        }
        penstock_tick(&node->node, world->now);
        if (penstock_wants_channel_sample(&node->node, world->now)) {
            penstock_channel_busy(&node->node, false, world->now);
        }
        if (world->traffic_every_us != 0u && index != 0 &&
            world_random(world, world->traffic_every_us / WORLD_STEP_US) == 0u) {
            penstock_time_t retry_at;
            uint8_t payload[8] = {0u};
            if (penstock_send(&node->node, 1u, payload, sizeof payload, world->now, NULL, &retry_at) == PENSTOCK_OK) {
                node->generated++;
            }
        }
        transmit(world, index);
        penstock_delivery_t delivery;
        while (penstock_poll_deliver(&node->node, &delivery, world->now) == 1) {
        }
    }
}

void world_reboot(world_t *world, int index)
{
    world_node_t *node = &world->nodes[index];
    (void)penstock_init(&node->node, &node->config, world->now);
    node->steps_left = 0;
}

int world_parent(const world_t *world, int index)
{
    penstock_addr_t parent = penstock_parent(&world->nodes[index].node);
    return parent == PENSTOCK_ADDR_NONE ? -1 : parent - 100;
}

bool world_has_loop(const world_t *world, int index)
{
    int at = index;
    for (int hops = 0; hops <= world->count; hops++) {
        at = world_parent(world, at);
        if (at < 0) {
            return false;
        }
    }
    return true;
}

/* Usable in the eyes of a test: good both ways. */
static bool good(const world_t *world, int a, int b)
{
    return world->prr[a][b] > 127u && world->prr[b][a] > 127u && !world->nodes[a].asleep && !world->nodes[b].asleep;
}

bool world_reachable(const world_t *world, int index)
{
    bool reached[WORLD_MAX] = {true};
    for (int round = 0; round < world->count; round++) {
        for (int a = 0; a < world->count; a++) {
            for (int b = 0; b < world->count && reached[a]; b++) {
                reached[b] = reached[b] || good(world, a, b);
            }
        }
    }
    return reached[index];
}

static double link_etx(const world_t *world, int a, int b)
{
    double both = world->prr[a][b] / 255.0 * world->prr[b][a] / 255.0;
    return both > 1.0 / 16.0 ? 1.0 / both : 1e9;
}

void world_best_etx(const world_t *world, double *etx)
{
    for (int i = 0; i < world->count; i++) {
        etx[i] = i == 0 ? 0.0 : 1e9;
    }
    for (int round = 0; round < world->count; round++) {
        for (int a = 0; a < world->count; a++) {
            for (int b = 0; b < world->count; b++) {
                etx[b] = fmin(etx[b], etx[a] + link_etx(world, a, b));
            }
        }
    }
}

double world_true_etx(const world_t *world, int index)
{
    double sum = 0.0;
    int at = index;
    for (int hops = 0; at > 0; hops++) {
        int parent = world_parent(world, at);
        if (parent < 0 || hops > world->count) {
            return 0.0;
        }
        sum += link_etx(world, at, parent);
        at = parent;
    }
    return sum;
}
