/* Penstock: the two ends of a bulk transfer and the reverse delivery, as the node calls them.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef PENSTOCK_SRC_BULK_ENDS_H
#define PENSTOCK_SRC_BULK_ENDS_H

#include "frame.h"
#include "penstock/bulk.h"

bool penstock_bulk_ends_config_works(const penstock_config_t *config);
void penstock_bulk_ends_init(penstock_node_t *node, penstock_time_t now);

/* At the root: a new BULK packet. `hops`: links it crossed. */
void penstock_bulk_ends_arrived(penstock_node_t *node, penstock_addr_t origin, uint8_t hops, const uint8_t *pdu,
                                uint8_t len, penstock_time_t now);

/* A FLOOD frame came in: broadcast, or addressed to this node. Those for others are not told. */
void penstock_bulk_ends_flood(penstock_node_t *node, const penstock_frame_t *frame, penstock_time_t now);
/* Is there a FLOOD frame to send at this moment? Asked when the MAC is free. */
bool penstock_bulk_ends_wants_flood(penstock_node_t *node, penstock_time_t now);
/* Says which: fills dst, origin (the sink), seq (the flood's number), target, hops (this link included), payload
 * and payload_len; the payload must stay where it is until the call after. All else is filled already. */
void penstock_bulk_ends_write_flood(penstock_node_t *node, penstock_frame_t *frame, penstock_time_t now);
/* What came of it: with a unicast destination the link acknowledged it or not. */
void penstock_bulk_ends_flood_sent(penstock_node_t *node, const penstock_tx_report_t *report, penstock_time_t now);

/* A BULK packet of this node's own left the queue: the source may be asked for the next one. */
void penstock_bulk_ends_packet_left(penstock_node_t *node, penstock_time_t now);

bool penstock_bulk_ends_deadline(const penstock_node_t *node, penstock_time_t now, penstock_time_t *at);
void penstock_bulk_ends_tick(penstock_node_t *node, penstock_time_t now);

#endif
