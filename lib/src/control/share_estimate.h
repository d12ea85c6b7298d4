/* Penstock: what a node can give each source whose packets pass through it.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef PENSTOCK_SRC_CONTROL_SHARE_ESTIMATE_H
#define PENSTOCK_SRC_CONTROL_SHARE_ESTIMATE_H

#include "penstock/penstock.h"

/* `capacity` divided among `sources`, of which `wanting` would send more than they may and the
 * others send `others` together: the rate for each that wants more. Rates in 1/1024 packets/s. */
uint32_t penstock_share_divide(uint32_t capacity, uint32_t others, uint8_t wanting, uint8_t sources);

void penstock_share_init(penstock_node_t *node, penstock_time_t now);
/* A packet entered the queue. The packet at its head is done with, and still there. */
void penstock_share_queued(penstock_node_t *node, const penstock_packet_t *packet, penstock_time_t now);
void penstock_share_served(penstock_node_t *node, penstock_time_t now);
/* A window ends. */
void penstock_share_next_window(penstock_node_t *node, penstock_time_t now);
/* Works out control.share.share anew; sources not seen for longer than `age_us` are forgotten. */
void penstock_share_update(penstock_node_t *node, uint32_t age_us, penstock_time_t now);

#endif
