/* Penstock: how good a link is, by beacons and by data (CTP).
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef PENSTOCK_SRC_LINK_ESTIMATOR_DATA_H
#define PENSTOCK_SRC_LINK_ESTIMATOR_DATA_H

#include "penstock/neighbors.h"

/* One more beacon heard; `number` grows by one with each that the neighbour sends. */
void penstock_data_link_beacon(penstock_neighbor_t *neighbor, uint8_t number);
/* Its beacon said which share of this node's frames it receives (1/255). */
void penstock_data_link_told(penstock_neighbor_t *neighbor, uint8_t delivery);
/* Frames addressed to the neighbour went on air, and the last of them was acknowledged or none was. */
void penstock_data_link_sent(penstock_neighbor_t *neighbor, uint8_t attempts, bool acked);
/* The neighbour becomes the parent: attempts of an earlier time do not count. */
void penstock_data_link_begin(penstock_neighbor_t *neighbor);
/* ETX of the link in 1/128, or PENSTOCK_ETX_NONE when it is not known. */
uint16_t penstock_data_link_etx(const penstock_neighbor_t *neighbor);

#endif
