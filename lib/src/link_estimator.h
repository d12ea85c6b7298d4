/* Penstock: how good a link is.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef PENSTOCK_SRC_LINK_ESTIMATOR_H
#define PENSTOCK_SRC_LINK_ESTIMATOR_H

#include "penstock/neighbors.h"

/* Frames that an estimate looks back over, and how many it needs to say anything. */
#define PENSTOCK_LINK_WINDOW 32u
#define PENSTOCK_LINK_MIN_EXPECTED 4u
/* A link worse than this (in ETX, 1/128) is not used: 16 transmissions for one packet
 * with its acknowledgement, four times what a node is willing to spend on one hop. */
#define PENSTOCK_LINK_ETX_MAX (16u * 128u)

/* Starts an estimate with the first frame heard. */
void penstock_link_first(penstock_neighbor_t *neighbor, uint8_t link_seq);
/* One more frame heard. */
void penstock_link_heard(penstock_neighbor_t *neighbor, uint8_t link_seq);
/* ETX of the link in 1/128, or PENSTOCK_ETX_NONE when a direction is unknown or it is too bad. */
uint16_t penstock_link_etx(const penstock_neighbor_t *neighbor);

#endif
