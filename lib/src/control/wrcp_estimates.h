/* Penstock: what a WRCP node knows of its surroundings (sections 4.3 to 4.7, Eqs. 7 to 10).
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef PENSTOCK_SRC_CONTROL_WRCP_ESTIMATES_H
#define PENSTOCK_SRC_CONTROL_WRCP_ESTIMATES_H

#include "penstock/penstock.h"

#include "control/wrcp_fields.h"

/* Eqs. 8 and 10 count by it. */
#define PENSTOCK_WRCP_SECOND_US UINT32_C(1000000)

/* All that a receiver hears, its own packets included. */
typedef struct penstock_wrcp_around {
    uint32_t load;       /* sum of p r_tot, 1/256 packets/s */
    uint32_t flows_q255; /* sum of p F (Eq. 7), in 1/255 */
    uint8_t senders;
    uint16_t highest; /* rate of the fastest flow, 1/256 packets/s */
} penstock_wrcp_around_t;

/* The average with the news: past and news in 1/256 packets/s, below 2^24; weight of the news in 1/256. */
uint32_t penstock_wrcp_average(uint32_t past, uint32_t news, uint8_t weight_q8);
/* Eq. 9, in 1/255. heard: of `sent` frames, at least 1. */
uint8_t penstock_wrcp_quality(uint8_t beta_q8, uint8_t past, uint8_t heard, uint8_t sent);

void penstock_wrcp_estimates_init(penstock_node_t *node, penstock_time_t now);
/* The end of a second, or of several: r_tot and r_ext. */
void penstock_wrcp_estimates_second(penstock_node_t *node, penstock_time_t now);
/* A frame with these fields was heard: its sender's entry. */
penstock_peer_t *penstock_wrcp_estimates_heard(penstock_node_t *node, penstock_addr_t from,
                                               const penstock_wrcp_fields_t *fields, penstock_time_t now);

/* What frames carry as the transmission counter: those before, control frames as well. */
uint8_t penstock_wrcp_own_counter(const penstock_node_t *node);
/* What this node sends: its flows, and the fastest of them, in 1/256 packets/s, rounded up. */
uint8_t penstock_wrcp_own_flows(const penstock_node_t *node);
uint16_t penstock_wrcp_own_highest(const penstock_node_t *node);
void penstock_wrcp_look_around(const penstock_node_t *node, penstock_wrcp_around_t *around);
/* This node as a receiver, and the narrowest of all receivers that its packets use. */
penstock_wrcp_narrow_t penstock_wrcp_own(const penstock_node_t *node);
penstock_wrcp_narrow_t penstock_wrcp_narrowest(const penstock_node_t *node);
/* Has the parent said what is narrowest on the way to the root, and was it heard lately? */
bool penstock_wrcp_way_known(const penstock_node_t *node);

#endif
