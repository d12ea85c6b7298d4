/* The life of a fuzzed node: its config, and the bytes from which all that happens to it is read.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef PENSTOCK_FUZZ_LIFE_H
#define PENSTOCK_FUZZ_LIFE_H

#include <stdlib.h>
#include <string.h>

#include "penstock/bulk.h"
#include "require.h"

enum { QUEUE = 8, NEIGHBORS = 4, BULK_QUEUE = 6, BULK_FLOWS = 2, SELF = 3, PAN = 7 };

typedef struct life {
    const uint8_t *data;
    size_t left;
    penstock_time_t now;
    penstock_config_t config;
    penstock_node_t node;
    penstock_packet_t queue[QUEUE];
    penstock_neighbor_t neighbors[NEIGHBORS];
    penstock_peer_t peers[NEIGHBORS];
    penstock_bulk_t bulk;
    penstock_bulk_params_t bulk_params;
    penstock_bulk_packet_t bulk_queue[BULK_QUEUE];
    penstock_bulk_flow_t bulk_flows[BULK_FLOWS];
} life_t;

/* The next byte of the input; 0 when there are no more. */
static inline uint8_t life_next(life_t *life)
{
    if (life->left == 0u) {
        return 0u;
    }
    life->left--;
    return *life->data++;
}

static inline uint16_t life_next_u16(life_t *life)
{
    uint8_t low = life_next(life);
    return (uint16_t)(low | (uint16_t)(life_next(life) << 8));
}

/* A frame from the radio, in a block of its own size, for the sanitizer. Bits 0 and 1 of `how`: for this node,
 * acknowledged; all of it is the RSSI. */
static inline void life_receive(life_t *life, const uint8_t *bytes, size_t len, uint8_t how)
{
    penstock_rx_info_t info = {.rssi_dbm = (int8_t)how, .for_us = (how & 1u) != 0u, .acked = (how & 2u) != 0u};
    uint8_t *block = malloc(len > 0u ? len : 1u);
    REQUIRE(block != NULL);
    memcpy(block, bytes, len);
    int result = penstock_receive(&life->node, block, len, &info, life->now);
    free(block);
    REQUIRE(result == PENSTOCK_OK || result == PENSTOCK_MALFORMED || result == PENSTOCK_UNSUPPORTED);
}

/* ---- life_bulk.c ---- */

/* The config takes part in bulk transfers, with odd numbers. */
void life_begin_bulk(life_t *life);
/* A frame of bulk transfer comes in. */
void life_receive_bulk(life_t *life);
/* The source hands over a packet, or tries to. */
void life_offer_bulk(life_t *life);
void life_check_bulk(const life_t *life);

#endif
