/* Penstock: WRCP's update interval T (section 4.2).
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef PENSTOCK_SRC_CONTROL_WRCP_INTERVAL_H
#define PENSTOCK_SRC_CONTROL_WRCP_INTERVAL_H

#include "penstock/penstock.h"

#include "control/wrcp_fields.h"

/* T is never less than this, and begins here; and never more than that. */
#define PENSTOCK_WRCP_INTERVAL_MIN_US UINT32_C(1000000)
#define PENSTOCK_WRCP_INTERVAL_MAX_US UINT32_C(256000000)

/* T as a code, rounded down, and back, within these bounds whatever the code. */
uint8_t penstock_wrcp_interval_encode(uint32_t us);
uint32_t penstock_wrcp_interval_decode(uint8_t code);
/* Eq. 6, in us. */
uint32_t penstock_wrcp_interval_average(uint8_t beta_q8, uint32_t average_us, uint32_t measured_us);

/* The node's T today, in us; and after how long a neighbour or a source that is not heard is no more. */
uint32_t penstock_wrcp_interval(const penstock_node_t *node);
uint32_t penstock_wrcp_age(const penstock_node_t *node);

void penstock_wrcp_interval_init(penstock_node_t *node);
/* The parent said so. */
void penstock_wrcp_interval_told(penstock_node_t *node, const penstock_wrcp_fields_t *fields);
/* The control sequence number that this node may acknowledge; 0: none. */
uint8_t penstock_wrcp_acknowledged(const penstock_node_t *node);
/* The root. A child was heard: if all have acknowledged, that is one T. An update is due: the same, but no measure, for
 * a child that went silent; and a control frame, if there was data. One was sent. */
void penstock_wrcp_interval_heard(penstock_node_t *node, penstock_time_t now);
void penstock_wrcp_interval_update(penstock_node_t *node);
void penstock_wrcp_interval_sent(penstock_node_t *node, penstock_time_t now);

#endif
