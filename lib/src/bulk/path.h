/* Penstock: the forward way of bulk packets, for the ends of a transfer and for the node.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef PENSTOCK_SRC_BULK_PATH_H
#define PENSTOCK_SRC_BULK_PATH_H

#include "frame.h"
#include "penstock/bulk.h"

/* ---- For the ends ---- */

/* May the source hand over one more packet now? false: *at = when asking again makes sense, and asking after any
 * transmission does. Pacing of the mode included. */
bool penstock_bulk_path_may_send(penstock_node_t *node, penstock_time_t now, penstock_time_t *at);
/* Enters a packet of this node's own. `pdu` is copied; len is in 1..penstock_bulk_path_pdu_max(node). false: no room,
 * or no parent; nothing happened. */
bool penstock_bulk_path_send(penstock_node_t *node, const uint8_t *pdu, uint8_t len, penstock_time_t now);
/* The longest PDU of a packet of this node's own. */
uint8_t penstock_bulk_path_pdu_max(const penstock_node_t *node);
/* Local packets still in this node's bulk queue. */
uint8_t penstock_bulk_path_waiting(const penstock_node_t *node);
/* A transfer begins: the interval that the source keeps until it hears what the path allows. 0: what is known
 * from before stays in force. */
void penstock_bulk_path_begin(penstock_node_t *node, uint32_t initial_interval_us, penstock_time_t now);

/* ---- For the node (flush.c) ---- */

bool penstock_bulk_path_config_works(const penstock_config_t *config);
void penstock_bulk_path_init(penstock_node_t *node, penstock_time_t now);
/* A BULK frame, for this node or overheard. */
void penstock_bulk_path_heard(penstock_node_t *node, const penstock_frame_t *frame, const penstock_rx_info_t *info,
                              penstock_time_t now);
/* Is there a packet that may go at this moment? */
bool penstock_bulk_path_ready(penstock_node_t *node, penstock_time_t now);
/* Writes the oldest packet's frame; 1 or PENSTOCK_TOO_LONG. */
int penstock_bulk_path_transmit(penstock_node_t *node, penstock_tx_t *tx, uint8_t *buf, size_t capacity,
                                penstock_time_t now);
void penstock_bulk_path_transmitted(penstock_node_t *node, const penstock_tx_report_t *report, penstock_time_t now);
void penstock_bulk_path_tick(penstock_node_t *node, penstock_time_t now);
bool penstock_bulk_path_deadline(const penstock_node_t *node, penstock_time_t now, penstock_time_t *at);

#endif
