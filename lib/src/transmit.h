/* Penstock: what those share who make frames for the MAC.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef PENSTOCK_SRC_TRANSMIT_H
#define PENSTOCK_SRC_TRANSMIT_H

#include "frame.h"
#include "penstock/penstock.h"

/* Fills what all frames share. */
void penstock_transmit_begin(penstock_node_t *node, penstock_frame_t *frame, uint8_t type, penstock_addr_t dst);

/* Writes a frame with its payload, and hands it to the MAC for so many attempts. 1, or PENSTOCK_TOO_LONG. */
int penstock_transmit_payload(penstock_node_t *node, penstock_tx_t *tx, const penstock_frame_t *frame, uint8_t attempts,
                              uint8_t *buf, size_t capacity);

/* The routing learns from how frames to a neighbour fared, and chooses anew. `on_air`: attempts. */
void penstock_transmit_learn(penstock_node_t *node, penstock_addr_t to, uint8_t on_air, bool acked,
                             penstock_time_t now);

#endif
