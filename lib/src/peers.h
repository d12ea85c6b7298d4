/* Penstock: the table of what a strategy keeps on each neighbour.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef PENSTOCK_SRC_PEERS_H
#define PENSTOCK_SRC_PEERS_H

#include "penstock/penstock.h"

/* All entries are free. */
void penstock_peers_init(const penstock_config_t *config);
/* The neighbour's entry, or NULL. */
penstock_peer_t *penstock_peers_find(const penstock_node_t *node, penstock_addr_t address);
/* The neighbour was heard: its entry. A new one is zeroed but for the address and the time, *is_new then true; where
 * there is no room, it takes the place of whoever but the parent was silent for longest. */
penstock_peer_t *penstock_peers_heard(penstock_node_t *node, penstock_addr_t address, penstock_time_t now,
                                      bool *is_new);
/* Frees the entries of those who were not heard for longer than age_us, the parent's as well. Called at least every
 * half hour, or times are mistaken. */
void penstock_peers_forget(penstock_node_t *node, uint32_t age_us, penstock_time_t now);
/* How long ago the neighbour was heard, in us, rounded to 2^16. */
uint32_t penstock_peers_age(const penstock_peer_t *peer, penstock_time_t now);

#endif
