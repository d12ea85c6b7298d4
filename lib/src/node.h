/* Penstock: what the files that make up a node share.
 *
 *   node.c          life, time, and the application's side
 *   receive.c       what comes from the radio
 *   transmit.c      what goes to the MAC, and how that ended
 *   config_check.c  what a config may say
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef PENSTOCK_SRC_NODE_H
#define PENSTOCK_SRC_NODE_H

#include "penstock/penstock.h"

/* What the MAC holds: a value of penstock_node.in_flight. */
enum penstock_in_flight {
    PENSTOCK_FLIGHT_NONE = 0,
    PENSTOCK_FLIGHT_DATA,
    PENSTOCK_FLIGHT_BEACON,
    PENSTOCK_FLIGHT_CONTROL,
    PENSTOCK_FLIGHT_BULK,
    PENSTOCK_FLIGHT_FLOOD
};

/* 0 or PENSTOCK_INVALID. */
int penstock_config_check(const penstock_config_t *config);

/* Attempts that one hop is expected to take at most, from which time-outs are derived: where
 * they are not limited, as many as the thesis allows. */
static inline uint8_t penstock_attempts_expected(const penstock_config_t *config)
{
    return config->link_attempts != 0u ? config->link_attempts : 4u;
}

/* How often this packet may still go on air here. */
static inline uint8_t penstock_attempts_left(const penstock_config_t *config, const penstock_packet_t *packet)
{
    return config->link_attempts != 0u ? (uint8_t)(config->link_attempts - packet->attempts) : (uint8_t)UINT8_MAX;
}

/* No attempt is left. */
static inline bool penstock_attempts_spent(const penstock_config_t *config, const penstock_packet_t *packet)
{
    return config->link_attempts != 0u && packet->attempts >= config->link_attempts;
}

/* Counts a drop and keeps a report of it; when nobody polls, the oldest report is lost. */
void penstock_node_drop(penstock_node_t *node, penstock_addr_t origin, uint16_t seq, penstock_drop_t reason);

/* Links must not be forgotten because of a silent parent that was chosen for good. */
penstock_addr_t penstock_node_keeps(const penstock_node_t *node);

#endif
