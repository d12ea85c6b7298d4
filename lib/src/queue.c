/* The forwarding queue: a ring of slots that the caller owns.
 *
 * Thesis 2.3.2: each node buffers eight packets, first in, first out. Thesis 4.6: a
 * node's own packets could easily fill such a queue, so that transit traffic, which has
 * cost the network many transmissions already, would be dropped; an application should
 * have only a few packets in the stack. How few is left open there; here it is a number
 * of slots, `local_share`, that local packets may hold at once. Order is untouched: one
 * queue, one FIFO.
 *
 * A packet is built in place: reserve gives the slot behind the last packet, push makes
 * it part of the queue. Nothing is copied twice. A popped slot keeps its bytes until the
 * ring comes round to it, which is what lets a delivered payload stay readable.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "penstock/queue.h"

void penstock_queue_init(penstock_queue_t *queue, penstock_packet_t *slots, uint8_t capacity, uint8_t local_share)
{
    queue->slots = slots;
    queue->capacity = capacity;
    queue->local_share = local_share;
    queue->head = 0u;
    queue->count = 0u;
    queue->local_count = 0u;
}

/* Without a division: this runs for every packet on machines that have none. */
static penstock_packet_t *slot_behind_last(const penstock_queue_t *queue)
{
    uint16_t index = (uint16_t)(queue->head + queue->count);
    if (index >= queue->capacity) {
        index = (uint16_t)(index - queue->capacity);
    }
    return &queue->slots[index];
}

penstock_packet_t *penstock_queue_reserve(penstock_queue_t *queue, bool local)
{
    if (queue->count >= queue->capacity || (local && queue->local_count >= queue->local_share)) {
        return NULL;
    }
    penstock_packet_t *packet = slot_behind_last(queue);
    packet->attempts = 0u;
    packet->local = local;
    return packet;
}

void penstock_queue_push(penstock_queue_t *queue)
{
    if (slot_behind_last(queue)->local) {
        queue->local_count++;
    }
    queue->count++;
}

penstock_packet_t *penstock_queue_head(const penstock_queue_t *queue)
{
    return queue->count > 0u ? &queue->slots[queue->head] : NULL;
}

void penstock_queue_pop(penstock_queue_t *queue)
{
    if (queue->count == 0u) {
        return;
    }
    if (queue->slots[queue->head].local) {
        queue->local_count--;
    }
    queue->count--;
    queue->head++;
    if (queue->head == queue->capacity) {
        queue->head = 0u;
    }
}
