/* Penstock: what the files of the forward way share.
 *
 *   path.c           what comes in and what goes out
 *   path_source.c    packets of this node's own
 *   path_queue.c     the queue
 *   path_flows.c     one entry for each origin
 *   path_estimate.c  delta, f, d and D
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef PENSTOCK_SRC_BULK_PATH_PARTS_H
#define PENSTOCK_SRC_BULK_PATH_PARTS_H

#include "frame.h"
#include "penstock/bulk.h"

static inline penstock_bulk_path_t *penstock_bulk_path_of(const penstock_node_t *node)
{
    return &node->config->bulk->path;
}

static inline const penstock_bulk_path_params_t *penstock_bulk_params_of(const penstock_node_t *node)
{
    return &node->config->bulk_params->path;
}

/* The mode has delta, f and D in its frames. */
static inline bool penstock_bulk_tells_delays(const penstock_node_t *node)
{
    uint8_t mode = penstock_bulk_params_of(node)->mode;
    return mode == PENSTOCK_BULK_FLUSH || mode == PENSTOCK_BULK_FLUSH_E2E;
}

/* ---- path_queue.c ---- */

/* The oldest packet, or NULL. */
penstock_bulk_packet_t *penstock_bulk_head(const penstock_node_t *node);
/* Enters a packet; there is room (penstock_bulk_can_accept). */
void penstock_bulk_push(penstock_node_t *node, penstock_addr_t origin, uint8_t path_seq, uint8_t hops, bool local,
                        const uint8_t *pdu, uint8_t len);
/* Removes the oldest packet, which there is. */
void penstock_bulk_pop(penstock_node_t *node);

/* ---- path_flows.c ---- */

void penstock_bulk_flows_init(penstock_node_t *node);
/* The entry of an origin, or NULL. */
penstock_bulk_flow_t *penstock_bulk_flow_find(const penstock_node_t *node, penstock_addr_t origin);
/* The same; where there is none, a new one, in the place of the one that was unused for longest when there is no
 * other room. */
penstock_bulk_flow_t *penstock_bulk_flow_take(penstock_node_t *node, penstock_addr_t origin, penstock_time_t now);
/* Flows whose packets came in or were made of late: at least 1. */
uint8_t penstock_bulk_flows_active(const penstock_node_t *node, penstock_time_t now);

/* ---- path_estimate.c ---- */

/* Packets by which a source knows its path, and a node that its parent tells nothing. */
#define PENSTOCK_BULK_SETTLING 4u

/* A frame of the flow's predecessor arrived here; `is_new`: not a repeat. */
void penstock_bulk_estimate_arrived(penstock_bulk_flow_t *flow, const penstock_frame_t *frame, int8_t rssi_dbm,
                                    bool is_new, const penstock_bulk_path_params_t *params);
/* A frame for another node was overheard. */
void penstock_bulk_estimate_overheard(penstock_node_t *node, const penstock_frame_t *frame, int8_t rssi_dbm);
/* A packet got to `to` in so many us, or was given up after them. */
void penstock_bulk_estimate_measured(penstock_node_t *node, penstock_addr_t to, uint32_t us);
/* `to` acknowledged a packet of the flow. */
void penstock_bulk_estimate_acked(penstock_bulk_flow_t *flow, penstock_addr_t to);

/* Delta, f, d and D of Fig. 5, in us. */
uint32_t penstock_bulk_delay(const penstock_node_t *node);
uint32_t penstock_bulk_f(const penstock_node_t *node, const penstock_bulk_flow_t *flow);
uint32_t penstock_bulk_d(const penstock_node_t *node, const penstock_bulk_flow_t *flow);
uint32_t penstock_bulk_interval(const penstock_node_t *node, const penstock_bulk_flow_t *flow, penstock_time_t now);
uint8_t penstock_bulk_interferers(const penstock_node_t *node, const penstock_bulk_flow_t *flow);
/* Delta is told doubled: the queue is too long. */
bool penstock_bulk_doubles(const penstock_node_t *node);
/* The three bytes of a frame. */
void penstock_bulk_write_delays(const penstock_node_t *node, const penstock_bulk_flow_t *flow, uint8_t *bytes,
                                penstock_time_t now);

#endif
