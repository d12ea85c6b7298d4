/* Penstock: what one routing does otherwise than another (tree.c has what they share).
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef PENSTOCK_SRC_ROUTING_H
#define PENSTOCK_SRC_ROUTING_H

#include "beacon.h"
#include "frame.h"
#include "penstock/penstock.h"

/* Functions that may be NULL say so: then there is nothing to do. */
struct penstock_routing {
    /* Its frames are marked as CTP's: data tells the sender's path ETX, beacons count themselves and
     * (docs/spec.md). */
    bool is_ctp;

    /* ---- Numbers ---- */
    bool (*config_works)(const penstock_config_t *config);
    /* The longest time between two beacons of a neighbour that is well, give or take an eighth. */
    uint32_t (*period)(const penstock_config_t *config);
    /* How much better another route must be to leave a parent that works. */
    uint16_t (*hysteresis)(const penstock_config_t *config);

    /* ---- Links ---- */
    /* A frame of the neighbour was heard; `beacon` is NULL when it is none; `is_new`: it has just got its entry. */
    void (*heard)(penstock_neighbor_t *from, bool is_new, const penstock_frame_t *frame,
                  const penstock_beacon_t *beacon);
    /* Frames to the neighbour went on air, the last of them acknowledged or none. NULL. */
    void (*sent)(penstock_neighbor_t *to, uint8_t attempts, bool acked, penstock_time_t now);
    /* In 1/128, or PENSTOCK_ETX_NONE when the link cannot be used. */
    uint16_t (*link_etx)(const penstock_neighbor_t *neighbor);
    /* The share of frames that it delivers and that are acknowledged, in 1/65025; 0: not known. */
    uint16_t (*link_delivery)(const penstock_neighbor_t *neighbor);

    /* ---- Parents ---- */
    /* Takes in a beacon before it is entered; true when it offers a route that this node may follow. */
    bool (*offered)(penstock_node_t *node, penstock_neighbor_t *from, const penstock_beacon_t *beacon,
                    penstock_time_t now);
    /* May a neighbour that offers a route become the parent, and may it go on being the parent? */
    bool (*may_choose)(const penstock_node_t *node, const penstock_neighbor_t *neighbor, penstock_time_t now);
    bool (*may_keep)(const penstock_node_t *node, const penstock_neighbor_t *parent, penstock_time_t now);
    /* There is a new parent. NULL. */
    void (*chosen)(penstock_neighbor_t *parent);
    /* The parent or the path may have changed. NULL. */
    void (*updated)(penstock_node_t *node, penstock_time_t now);
    /* Data of a neighbour for this node told the neighbour's own path ETX. NULL. */
    void (*child_told)(penstock_node_t *node, uint16_t etx, penstock_time_t now);

    /* ---- Beacons ---- */
    /* Starts the timer: the first beacon's moment. */
    penstock_time_t (*start)(penstock_node_t *node, penstock_time_t now);
    /* The longest that the timer is ever set to. */
    uint32_t (*longest_wait)(const penstock_config_t *config);
    /* A beacon has become due: the next one's moment. */
    penstock_time_t (*next)(penstock_node_t *node, penstock_time_t now);
    /* Do beacons tell links? */
    bool (*tells_links)(const penstock_config_t *config);
    /* The beacon that is to be sent now, all but its entries. From here on it is a promise. */
    void (*promise)(penstock_node_t *node, penstock_beacon_t *beacon);
};

static inline const penstock_routing_t *penstock_routing_of(const penstock_config_t *config)
{
    return config->routing != NULL ? config->routing : &penstock_routing_dsdv;
}

/* Bytes of this node's own data frames before control header and payload. */
static inline uint8_t penstock_data_headers(const penstock_config_t *config)
{
    return (uint8_t)(PENSTOCK_DATA_OVERHEAD + (penstock_routing_of(config)->is_ctp ? PENSTOCK_PATH_LEN : 0u));
}

/* An address that a single node can have. */
static inline bool penstock_is_node(penstock_addr_t address)
{
    return address != PENSTOCK_ADDR_NONE && address != PENSTOCK_ADDR_BROADCAST;
}

#endif
