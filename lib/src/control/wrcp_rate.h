/* Penstock: WRCP's arithmetic, apart from any node (Eqs. 3-5 and 11).
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef PENSTOCK_SRC_CONTROL_WRCP_RATE_H
#define PENSTOCK_SRC_CONTROL_WRCP_RATE_H

#include "penstock/wrcp.h"

/* Loads and capacities: 1/256 packets/s. Rates of flows: Q16.16 packets/s. */
#define PENSTOCK_WRCP_LOAD_ONE 256
/* gamma of a receiver that hears no flow: it limits nobody. */
#define PENSTOCK_WRCP_GAMMA_NONE INT16_MAX
/* The smallest start rate, 1/1024 packets/s: times between two of its packets fit the clock. */
#define PENSTOCK_WRCP_RATE_MIN UINT32_C(64)
/* The largest rate that fits a frame, 65535/256 packets/s. */
#define PENSTOCK_WRCP_RATE_MAX (UINT32_C(0xFFFF) << 8)

/* B for so many senders in range (0: as for 1), in 1/256 packets/s. */
uint32_t penstock_wrcp_capacity(const penstock_wrcp_params_t *params, uint8_t senders);

/* Eq. 4, in 1/256 packets/s, rounded down and kept within 16 bits. flows_q255: the number of flows, weighted by links,
 * in 1/255; 0: PENSTOCK_WRCP_GAMMA_NONE. */
int16_t penstock_wrcp_gamma(uint32_t capacity, uint32_t external, uint32_t load, uint32_t flows_q255);

/* Eq. 5's alpha * gamma, as Q16.16, rounded down. */
int32_t penstock_wrcp_step(uint16_t alpha_q15, int16_t gamma);
/* rate + step, between the start rate and PENSTOCK_WRCP_RATE_MAX. */
uint32_t penstock_wrcp_add(const penstock_wrcp_params_t *params, uint32_t rate, int32_t step);

/* The rate of a flow, an interval later: the three cases of section 4.1, and Eq. 11 for one in its bootstrap
 * phase, *joining, which this may end. may_grow false: the flow does not use what it has. */
uint32_t penstock_wrcp_next_rate(const penstock_wrcp_params_t *params, uint32_t rate, penstock_wrcp_narrow_t least,
                                 bool may_grow, bool *joining);

/* The rate that a receiver allows each flow, an interval later. highest: of the flows that it hears, Q16.16. */
uint32_t penstock_wrcp_next_allowed(const penstock_wrcp_params_t *params, uint32_t allowed, int16_t gamma,
                                    uint32_t highest);

/* The narrower of two. */
penstock_wrcp_narrow_t penstock_wrcp_narrower(penstock_wrcp_narrow_t a, penstock_wrcp_narrow_t b);

#endif
