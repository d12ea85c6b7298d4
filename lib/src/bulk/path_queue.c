/* The queue of bulk packets: a ring in an array of the caller's, first in, first out, for packets of this node's own
 * and of others alike (Flush, SenSys 2007, 3.4: 16 deep).
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "bulk/path_parts.h"

penstock_bulk_packet_t *penstock_bulk_head(const penstock_node_t *node)
{
    const penstock_bulk_path_t *path = penstock_bulk_path_of(node);
    return path->count > 0u ? &node->config->bulk_queue[path->head] : NULL;
}

void penstock_bulk_push(penstock_node_t *node, penstock_addr_t origin, uint8_t path_seq, uint8_t hops, bool local,
                        const uint8_t *pdu, uint8_t len)
{
    penstock_bulk_path_t *path = penstock_bulk_path_of(node);
    uint16_t index = (uint16_t)(path->head + path->count);
    if (index >= node->config->bulk_queue_capacity) {
        index = (uint16_t)(index - node->config->bulk_queue_capacity);
    }
    penstock_bulk_packet_t *packet = &node->config->bulk_queue[index];
    packet->origin = origin;
    packet->path_seq = path_seq;
    packet->hops = hops;
    packet->attempts = 0u;
    packet->local = local;
    packet->len = len;
    for (uint8_t i = 0u; i < len; i++) {
        packet->pdu[i] = pdu[i];
    }
    path->count++;
    path->local_count = (uint8_t)(path->local_count + (local ? 1u : 0u));
}

void penstock_bulk_pop(penstock_node_t *node)
{
    penstock_bulk_path_t *path = penstock_bulk_path_of(node);
    path->local_count = (uint8_t)(path->local_count - (penstock_bulk_head(node)->local ? 1u : 0u));
    path->count--;
    path->head++;
    if (path->head == node->config->bulk_queue_capacity) {
        path->head = 0u;
    }
    path->began = false;
}

bool penstock_bulk_can_accept(const penstock_node_t *node)
{
    return node->config->bulk != NULL && penstock_bulk_path_of(node)->count < node->config->bulk_queue_capacity;
}
