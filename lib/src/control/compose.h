/* Penstock: a strategy speaks with one voice.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef PENSTOCK_SRC_CONTROL_COMPOSE_H
#define PENSTOCK_SRC_CONTROL_COMPOSE_H

#include "frame.h"
#include "penstock/penstock.h"

/* What passes: told to every part, in the order of the strategy's list. */
void penstock_control_init(penstock_node_t *node, penstock_time_t now);
void penstock_control_forget(penstock_node_t *node, penstock_time_t now);
void penstock_control_received(penstock_node_t *node, const penstock_frame_t *frame, penstock_time_t now);
void penstock_control_overheard(penstock_node_t *node, const penstock_frame_t *frame, penstock_time_t now);
void penstock_control_repeated(penstock_node_t *node, const penstock_frame_t *frame, penstock_time_t now);
void penstock_control_queued(penstock_node_t *node, const penstock_packet_t *packet, penstock_time_t now);
void penstock_control_transmitting(penstock_node_t *node, const penstock_packet_t *packet, penstock_time_t now);
void penstock_control_sent(penstock_node_t *node, const penstock_packet_t *packet, penstock_time_t now);
void penstock_control_failed(penstock_node_t *node, const penstock_packet_t *packet, penstock_time_t now);
void penstock_control_acked(penstock_node_t *node, bool congested, penstock_time_t now);
void penstock_control_channel_sample(penstock_node_t *node, bool busy, penstock_time_t now);
void penstock_control_tick(penstock_node_t *node, penstock_time_t now);
void penstock_control_admitted(penstock_node_t *node, penstock_time_t now);
void penstock_control_refused(penstock_node_t *node, penstock_time_t now);

/* Questions. The earliest deadline; any yes; all yes, and if not the latest *at; the
 * same; the largest; any yes. */
bool penstock_control_deadline(const penstock_node_t *node, penstock_time_t now, penstock_time_t *at);
bool penstock_control_congested(const penstock_node_t *node);
bool penstock_control_may_transmit(penstock_node_t *node, penstock_time_t now, penstock_time_t *at);
bool penstock_control_may_admit(penstock_node_t *node, penstock_time_t now, penstock_time_t *at);
uint8_t penstock_control_backoff_shift(const penstock_node_t *node);
bool penstock_control_wants_channel_sample(const penstock_node_t *node, penstock_time_t now);
/* The smallest, or PENSTOCK_PPS_UNLIMITED. */
uint32_t penstock_control_allowed_rate(const penstock_node_t *node);
/* Any yes; and told to every part. */
bool penstock_control_wants_frame(const penstock_node_t *node, penstock_time_t now);
void penstock_control_frame_sent(penstock_node_t *node, penstock_time_t now);
/* Any yes. `frame` brought the packet; NULL: the application did. */
bool penstock_control_mark(penstock_node_t *node, const penstock_frame_t *frame);

/* Do all parts of config->control accept it? */
bool penstock_control_accepts(const penstock_config_t *config);
/* Are the fields of this strategy in order: at most one part has any, of a length that is allowed? */
bool penstock_control_fields_valid(const penstock_strategy_t *strategy);
/* How many bytes they take, 0 when there are none; and what is in them now (packet NULL: in a control frame). */
uint8_t penstock_control_fields_len(const penstock_strategy_t *strategy);
void penstock_control_write_fields(penstock_node_t *node, const penstock_packet_t *packet, uint8_t *bytes,
                                   penstock_time_t now);

#endif
