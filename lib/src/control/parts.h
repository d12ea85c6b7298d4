/* Penstock: the parts that strategies are composed of (thesis chapter 4).
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef PENSTOCK_SRC_CONTROL_PARTS_H
#define PENSTOCK_SRC_CONTROL_PARTS_H

#include "penstock/control.h"

extern const penstock_part_t penstock_part_detect_occupancy; /* 4.2, queue occupancy */
extern const penstock_part_t penstock_part_detect_channel;   /* 4.2, channel sampling after CODA */
extern const penstock_part_t penstock_part_detect_loss;      /* 4.2, loss rate */
extern const penstock_part_t penstock_part_backpressure;     /* 4.2, mitigation: the mechanism */
extern const penstock_part_t penstock_part_news_overheard;   /* 4.2, its news: any frame of the parent */
extern const penstock_part_t penstock_part_news_ack;         /* 6.1, its news: the acknowledgements */
extern const penstock_part_t penstock_part_source_rate;      /* 4.3 */
extern const penstock_part_t penstock_part_fair_share;       /* 6.1, in place of source_rate */
extern const penstock_part_t penstock_part_priority;         /* 4.4 */
extern const penstock_part_t penstock_part_parent_delay;     /* 4.5 */
extern const penstock_part_t penstock_part_ifrc;             /* all of IFRC */
extern const penstock_part_t penstock_part_wrcp;             /* all of WRCP */

/* Has the parent stopped this node? False when backpressure is not part of the strategy. */
bool penstock_backpressure_stopped(const struct penstock_node *node, penstock_time_t now);
/* For those who bring the news: the parent is congested, so this node stops for so many us, or for so
 * many more if it has stopped already; true when it was open. And: the parent is not. */
bool penstock_backpressure_stop(struct penstock_node *node, uint32_t length, penstock_time_t now);
void penstock_backpressure_open(struct penstock_node *node);
/* One more packet may go out while this node is stopped. */
void penstock_backpressure_credit(struct penstock_node *node);

#endif
