/* Penstock: the forwarding queue.
 *
 * First in, first out, for transit and local packets alike (thesis 2.3.2: eight
 * packets); local packets may hold only a share of it (thesis 4.6).
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef PENSTOCK_QUEUE_H
#define PENSTOCK_QUEUE_H

#include "penstock/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A packet as it travels: what data frames carry, and what this hop knows of it. */
typedef struct penstock_packet {
    penstock_addr_t origin;
    uint16_t seq;
    uint8_t service;
    uint8_t hops;     /* links crossed before this node */
    uint8_t attempts; /* link attempts made here; no more than 255 are counted */
    bool local : 1;   /* came from this node's own application */
    bool marked : 1;  /* the strategy's own bit, from end to end (penstock_part_t.mark) */
    uint8_t len;
    uint8_t payload[PENSTOCK_PAYLOAD_MAX];
} penstock_packet_t;

typedef struct penstock_queue {
    penstock_packet_t *slots;
    uint8_t capacity;
    uint8_t local_share;
    uint8_t head;
    uint8_t count;
    uint8_t local_count;
} penstock_queue_t;

void penstock_queue_init(penstock_queue_t *queue, penstock_packet_t *slots, uint8_t capacity, uint8_t local_share);
/* The slot that a packet will occupy, to be filled by the caller and then committed
 * with penstock_queue_push; NULL when the queue, or the local share of it, is full. */
penstock_packet_t *penstock_queue_reserve(penstock_queue_t *queue, bool local);
void penstock_queue_push(penstock_queue_t *queue);
/* The oldest packet, or NULL. */
penstock_packet_t *penstock_queue_head(const penstock_queue_t *queue);
/* Removes the oldest packet; nothing when empty. */
void penstock_queue_pop(penstock_queue_t *queue);

#ifdef __cplusplus
}
#endif
#endif
