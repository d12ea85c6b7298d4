/* Penstock: what the files of a bulk transfer's sink share.
 *
 *   sink.c       the course of a transfer
 *   sink_ask.c   what is asked for next
 *   sink_time.c  how long it takes, and how long is waited for it
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef PENSTOCK_SRC_BULK_SINK_PARTS_H
#define PENSTOCK_SRC_BULK_SINK_PARTS_H

#include "bulk/ends.h"

static inline penstock_bulk_sink_t *penstock_bulk_sink_of(const penstock_node_t *node)
{
    return &penstock_bulk_ends_of(node)->sink;
}

/* a * b, at most `most`. */
static inline uint32_t penstock_bulk_times(uint32_t a, uint32_t b, uint32_t most)
{
    return b != 0u && a > most / b ? most : a * b;
}

static inline uint32_t penstock_bulk_least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Has packet `index` arrived? */
static inline bool penstock_bulk_sink_has(const penstock_bulk_sink_t *sink, uint16_t index)
{
    return (sink->bitmap[index >> 3] & (uint8_t)(1u << (index & 7u))) != 0u;
}

/* The first packet from `index` on that is missing, or has come (`wanted` false); the count of packets if none. */
static inline uint16_t penstock_bulk_sink_find(const penstock_bulk_sink_t *sink, uint16_t index, bool wanted)
{
    while (index < sink->count && penstock_bulk_sink_has(sink, index) == wanted) {
        index++;
    }
    return index;
}

/* ---- sink_ask.c ------------------------------------------------------------------ */

/* Says a PDU to the source, by way of `to`. The flood, for a NACK's indices. */
penstock_bulk_flood_t *penstock_bulk_sink_say(penstock_node_t *node, penstock_addr_t to, penstock_bulk_pdu_t *pdu,
                                              penstock_time_t now);
/* Asks whether the source is there, and what the object is. */
void penstock_bulk_sink_query(penstock_node_t *node, penstock_time_t now);
/* Asks for what is missing: at least one packet. `clean`: the round before ended well. */
void penstock_bulk_sink_ask(penstock_node_t *node, bool clean, penstock_time_t now);

/* ---- sink_time.c ----------------------------------------------------------------- */

/* RTO: how long an answer may take, in us. */
uint32_t penstock_bulk_sink_timeout(const penstock_node_t *node);
/* The interval between packets that the source is told to begin with, in us. */
uint32_t penstock_bulk_sink_interval(const penstock_node_t *node);
/* A round trip has taken so many us. */
void penstock_bulk_sink_sample(penstock_bulk_sink_t *sink, uint32_t rtt);
/* Something was just asked for: waits for it so long, or longer where asking was fruitless before; and counts. */
void penstock_bulk_sink_wait(penstock_node_t *node, uint32_t wait, penstock_time_t now);
/* It was asked for often enough. */
bool penstock_bulk_sink_impatient(const penstock_node_t *node);
/* Packet `index`, a new one, has come: what that tells about time, and how long to wait for the next one. */
void penstock_bulk_sink_learn(penstock_node_t *node, uint16_t index, penstock_time_t now);

#endif
