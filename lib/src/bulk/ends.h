/* Penstock: the two ends of a bulk transfer, for the library's own files.
 *
 *   ends.c       life, time, events; which machine an arrival is for; the application's calls
 *   sink.c       the machine that asks, with sink_ask.c and sink_time.c
 *   source.c     the machine that answers
 *   blockwise.c  what the rival does otherwise: RFC 7959's pace and its way down
 *   flood.c      FLOOD frames: how what the sink says reaches the source; frozen routes
 *   pdu.c        what they say
 *   crc32.c      whether it is the same object
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef PENSTOCK_SRC_BULK_ENDS_H
#define PENSTOCK_SRC_BULK_ENDS_H

#include "bulk/pdu.h"
#include "frame.h"
#include "penstock/bulk.h"

/* ---- What the node asks of the ends ------------------------------------------- */

bool penstock_bulk_ends_config_works(const penstock_config_t *config);
void penstock_bulk_ends_init(penstock_node_t *node, penstock_time_t now);

/* At the root: a new BULK packet. `hops`: links it crossed. */
void penstock_bulk_ends_arrived(penstock_node_t *node, penstock_addr_t origin, uint8_t hops, const uint8_t *pdu,
                                uint8_t len, penstock_time_t now);

/* A FLOOD frame came in: broadcast, or addressed to this node. Those for others are not told. */
void penstock_bulk_ends_flood(penstock_node_t *node, const penstock_frame_t *frame, penstock_time_t now);
/* Is there a FLOOD frame to send at this moment? Asked when the MAC is free. */
bool penstock_bulk_ends_wants_flood(penstock_node_t *node, penstock_time_t now);
/* Says which: fills dst, origin (the sink), seq (the flood's number), target, hops (this link included), payload
 * and payload_len; the payload must stay where it is until the call after. All else is filled already. */
void penstock_bulk_ends_write_flood(penstock_node_t *node, penstock_frame_t *frame, penstock_time_t now);
/* What came of it: with a unicast destination the link acknowledged it or not. */
void penstock_bulk_ends_flood_sent(penstock_node_t *node, const penstock_tx_report_t *report, penstock_time_t now);

/* The MAC is done with a BULK frame: there may be room for one of this node's own. */
void penstock_bulk_ends_packet_left(penstock_node_t *node, penstock_time_t now);

bool penstock_bulk_ends_deadline(const penstock_node_t *node, penstock_time_t now, penstock_time_t *at);
void penstock_bulk_ends_tick(penstock_node_t *node, penstock_time_t now);

/* ---- What the files share ------------------------------------------------------ */

/* What became of the last read: a value of penstock_bulk_ends_t.reading. */
enum penstock_bulk_reading {
    PENSTOCK_BULK_READ_NONE = 0,
    PENSTOCK_BULK_READ_WANTED, /* not polled yet */
    PENSTOCK_BULK_READ_POLLED, /* the application owes the bytes */
    PENSTOCK_BULK_READ_STALE,  /* it owes them, and nobody needs them any more */
};

static inline penstock_bulk_ends_t *penstock_bulk_ends_of(const penstock_node_t *node)
{
    return &node->config->bulk->ends;
}

static inline const penstock_bulk_ends_params_t *penstock_bulk_ends_params_of(const penstock_node_t *node)
{
    return &node->config->bulk_params->ends;
}

static inline bool penstock_bulk_blockwise(const penstock_node_t *node)
{
    return penstock_bulk_ends_params_of(node)->repair == PENSTOCK_BULK_REPAIR_BLOCKWISE;
}

/* Tells the application; when nobody polls, the oldest event is lost. */
void penstock_bulk_tell(penstock_node_t *node, penstock_bulk_event_kind_t kind, penstock_bulk_reason_t reason);
/* Bytes are wanted, unless some are owed already (they are then wanted later). */
void penstock_bulk_want(penstock_bulk_ends_t *ends, uint16_t index);
/* They are not wanted any more, nor what is in the buffer. */
void penstock_bulk_want_nothing(penstock_bulk_ends_t *ends);
/* Most bytes of an object in a packet that this node can send. */
uint8_t penstock_bulk_bytes_max(const penstock_node_t *node);
/* Packets of an object, 0 when there are too many. */
uint16_t penstock_bulk_packets(uint32_t size, uint8_t packet_len);
/* Bytes in packet `index`, of an object that has it. */
uint8_t penstock_bulk_packet_bytes(uint32_t size, uint8_t packet_len, uint16_t index);

/* The PDU of a flood of `sink`, which this node has not met before; `for_us`: it is the target. */
void penstock_bulk_ends_told(penstock_node_t *node, penstock_addr_t sink, const uint8_t *pdu, uint8_t len, bool for_us,
                             penstock_time_t now);

/* ---- sink.c --------------------------------------------------------------------- */

int penstock_bulk_sink_request(penstock_node_t *node, const penstock_bulk_request_t *request, penstock_time_t now);
/* Ends a transfer that runs, with FAILED or CANCELLED. */
void penstock_bulk_sink_end(penstock_node_t *node, penstock_bulk_event_kind_t kind, penstock_bulk_reason_t reason,
                            penstock_time_t now);
/* False: of no use. */
bool penstock_bulk_sink_arrived(penstock_node_t *node, penstock_addr_t origin, uint8_t hops,
                                const penstock_bulk_pdu_t *pdu, penstock_time_t now);
int penstock_bulk_sink_poll_write(penstock_node_t *node, penstock_bulk_write_t *chunk, penstock_time_t now);
void penstock_bulk_sink_provided(penstock_node_t *node, const uint8_t *bytes, uint8_t len, penstock_time_t now);
bool penstock_bulk_sink_deadline(const penstock_node_t *node, penstock_time_t *at);
void penstock_bulk_sink_tick(penstock_node_t *node, penstock_time_t now);

/* ---- source.c ------------------------------------------------------------------- */

int penstock_bulk_source_offer(penstock_node_t *node, uint32_t size, uint32_t crc, penstock_time_t now);
void penstock_bulk_source_end(penstock_node_t *node, penstock_bulk_event_kind_t kind, penstock_bulk_reason_t reason);
/* The same; and the sink is told why. */
void penstock_bulk_source_refuse(penstock_node_t *node, penstock_bulk_reason_t reason, penstock_time_t now);
/* A PDU of `sink` for this node. False: of no use. */
bool penstock_bulk_source_told(penstock_node_t *node, penstock_addr_t sink, const penstock_bulk_pdu_t *pdu,
                               penstock_time_t now);
void penstock_bulk_source_provided(penstock_node_t *node, const uint8_t *bytes, uint8_t len, penstock_time_t now);
bool penstock_bulk_source_deadline(const penstock_node_t *node, penstock_time_t *at);
void penstock_bulk_source_tick(penstock_node_t *node, penstock_time_t now);

/* ---- blockwise.c ------------------------------------------------------------------ */

/* How long the sink waits for a block that it asks for; `fruitless`: it has asked so often before. */
uint32_t penstock_bulk_blockwise_wait(penstock_node_t *node, uint8_t fruitless);
/* The longest that all waits can take, in us. */
uint32_t penstock_bulk_blockwise_patience_us(const penstock_bulk_ends_params_t *params);
/* To whom the request for a block goes: the first hop on the way to the source, or everybody. */
penstock_addr_t penstock_bulk_blockwise_to(const penstock_node_t *node, penstock_addr_t source, uint8_t fruitless);

/* ---- flood.c ----------------------------------------------------------------------- */

void penstock_bulk_flood_init(penstock_node_t *node, penstock_time_t now);
/* The sink says something to `target`, by way of `to`: a neighbour, or everybody. What it said before and is not
 * on air yet is overtaken. The caller fills in PDU and length. */
penstock_bulk_flood_t *penstock_bulk_flood_begin(penstock_node_t *node, penstock_addr_t target, penstock_addr_t to,
                                                 penstock_time_t now);
/* The next hop on the way to `origin`, PENSTOCK_ADDR_NONE when it is not known. */
penstock_addr_t penstock_bulk_flood_way(const penstock_node_t *node, penstock_addr_t origin);
/* What a PDU of `sink` does to routes: they freeze for a time, or thaw. */
void penstock_bulk_flood_heed(penstock_node_t *node, penstock_addr_t sink, const penstock_bulk_pdu_t *pdu,
                              penstock_time_t now);
/* The longest that a flood waits at one node, in us. */
uint32_t penstock_bulk_flood_jitter_us(const penstock_node_t *node);
bool penstock_bulk_flood_deadline(const penstock_node_t *node, penstock_time_t now, penstock_time_t *at);
void penstock_bulk_flood_tick(penstock_node_t *node, penstock_time_t now);

#endif
