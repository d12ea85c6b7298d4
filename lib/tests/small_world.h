/* A network for tests: nodes, a delivery probability per directed link, and a clock that
 * takes 5 ms steps. There are no collisions, and a frame takes no time unless a node is told
 * to be slow; what is tested is the protocols, not the channel. Node 0 is the root.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef PENSTOCK_TESTS_SMALL_WORLD_H
#define PENSTOCK_TESTS_SMALL_WORLD_H

#include "penstock/penstock.h"

enum { WORLD_MAX = 64, WORLD_QUEUE = 8, WORLD_NEIGHBORS = 24, WORLD_STEP_US = 5000, WORLD_PERIOD_US = 10000000 };

typedef struct world_node {
    penstock_config_t config;
    penstock_node_t node;
    penstock_packet_t queue[WORLD_QUEUE];
    penstock_neighbor_t neighbors[WORLD_NEIGHBORS];
    penstock_peer_t peers[WORLD_NEIGHBORS];
    bool asleep; /* hears nothing, says nothing */
    uint32_t generated;
    int frame_steps; /* how many steps one of its frames takes; 0: none */
    int steps_left;  /* of the frame that is being sent */
    penstock_tx_t tx;
    uint8_t bytes[127];
} world_node_t;

typedef struct world {
    int count;
    uint32_t random;
    penstock_time_t now;
    uint32_t traffic_every_us;         /* each node's period of offering packets; 0: no traffic */
    uint8_t prr[WORLD_MAX][WORLD_MAX]; /* [from][to], in 1/255 */
    world_node_t nodes[WORLD_MAX];
} world_t;

/* Nodes without links. */
void world_init(world_t *world, int count, const penstock_strategy_t *control, uint32_t seed, penstock_time_t now);
/* Nodes at random places of a square; links that fade with distance, the two directions not alike. */
void world_scatter(world_t *world, double side, double range);
/* Both directions of a link. */
void world_link(world_t *world, int a, int b, uint8_t prr);
/* One step of time. */
void world_step(world_t *world);
/* A node forgets all it knew. */
void world_reboot(world_t *world, int index);
uint32_t world_random(world_t *world, uint32_t bound);

/* Index of a node's parent, or -1. */
int world_parent(const world_t *world, int index);
/* Does the chain of parents from `index` come back to itself? */
bool world_has_loop(const world_t *world, int index);
/* Is there a usable path (every link above PRR 0.5 both ways, awake nodes) to the root? */
bool world_reachable(const world_t *world, int index);
/* The least path ETX to the root by the true link probabilities, in transmissions. */
void world_best_etx(const world_t *world, double *etx);
/* A node's path ETX along today's parents, by the true probabilities; 0 when it does not arrive. */
double world_true_etx(const world_t *world, int index);

#endif
