/* Penstock: the parts that strategies are composed of (thesis chapter 4).
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef PENSTOCK_SRC_CONTROL_PARTS_H
#define PENSTOCK_SRC_CONTROL_PARTS_H

#include "penstock/control.h"

extern const penstock_part_t penstock_part_detect_occupancy; /* 4.2, queue occupancy */
extern const penstock_part_t penstock_part_detect_channel;   /* 4.2, channel sampling after CODA */
extern const penstock_part_t penstock_part_backpressure;     /* 4.2, mitigation */
extern const penstock_part_t penstock_part_source_rate;      /* 4.3 */
extern const penstock_part_t penstock_part_fair_share;       /* 6.1, in place of source_rate */
extern const penstock_part_t penstock_part_priority;         /* 4.4 */
extern const penstock_part_t penstock_part_parent_delay;     /* 4.5 */

/* Has the parent stopped this node? False when backpressure is not part of the strategy. */
bool penstock_backpressure_stopped(const struct penstock_node *node, penstock_time_t now);
/* The longest that a stop lasts without being renewed, in us. */
uint32_t penstock_backpressure_timeout(const struct penstock_node *node);

#endif
