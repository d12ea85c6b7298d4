/* The table of peers: a caller's array, so that nodes whose strategy keeps nothing on its neighbours pay
 * nothing for it. An entry begins with whose it is and when it was heard, in units of 65.5 ms.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "peers.h"

#define UNIT_SHIFT 16u

static uint16_t units(penstock_time_t us)
{
    return (uint16_t)(us >> UNIT_SHIFT);
}

void penstock_peers_init(const penstock_config_t *config)
{
    for (uint8_t i = 0u; config->peers != NULL && i < config->peer_capacity; i++) {
        config->peers[i] = (penstock_peer_t){.address = PENSTOCK_ADDR_NONE};
    }
}

penstock_peer_t *penstock_peers_find(const penstock_node_t *node, penstock_addr_t address)
{
    for (uint8_t i = 0u; i < node->config->peer_capacity; i++) {
        if (node->config->peers[i].address == address) {
            return &node->config->peers[i];
        }
    }
    return NULL;
}

uint32_t penstock_peers_age(const penstock_peer_t *peer, penstock_time_t now)
{
    return (uint32_t)(uint16_t)(units(now) - peer->heard_at) << UNIT_SHIFT;
}

/* A free entry, or that of whoever was silent for longest; never the parent's. */
static penstock_peer_t *place(const penstock_node_t *node, penstock_time_t now)
{
    penstock_peer_t *best = NULL;
    for (uint8_t i = 0u; i < node->config->peer_capacity; i++) {
        penstock_peer_t *peer = &node->config->peers[i];
        if (peer->address == PENSTOCK_ADDR_NONE) {
            return peer;
        }
        bool older = best == NULL || penstock_peers_age(peer, now) > penstock_peers_age(best, now);
        if (peer->address != node->tree.parent && older) {
            best = peer;
        }
    }
    return best; /* there are at least two entries, so one is not the parent's */
}

penstock_peer_t *penstock_peers_heard(penstock_node_t *node, penstock_addr_t address, penstock_time_t now, bool *is_new)
{
    penstock_peer_t *peer = penstock_peers_find(node, address);
    *is_new = peer == NULL;
    if (peer == NULL) {
        peer = place(node, now);
        *peer = (penstock_peer_t){.address = address};
    }
    peer->heard_at = units(now);
    return peer;
}

void penstock_peers_forget(penstock_node_t *node, uint32_t age_us, penstock_time_t now)
{
    for (uint8_t i = 0u; i < node->config->peer_capacity; i++) {
        penstock_peer_t *peer = &node->config->peers[i];
        if (peer->address != PENSTOCK_ADDR_NONE && penstock_peers_age(peer, now) > age_us) {
            peer->address = PENSTOCK_ADDR_NONE;
        }
    }
}
