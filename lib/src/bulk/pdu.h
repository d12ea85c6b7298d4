/* Penstock: what the two ends of a bulk transfer say to each other, as bytes and as fields. The layout is in
 * docs/spec.md.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef PENSTOCK_SRC_BULK_PDU_H
#define PENSTOCK_SRC_BULK_PDU_H

#include "penstock/bulk.h"

typedef enum penstock_bulk_pdu_kind {
    /* Sink to source, in FLOOD frames. */
    PENSTOCK_BULK_PDU_QUERY = 1, /* are you there, and do you have this object? */
    PENSTOCK_BULK_PDU_REQUEST,   /* send packets first..last */
    PENSTOCK_BULK_PDU_NACK,      /* send these packets */
    PENSTOCK_BULK_PDU_END,       /* it is over: thaw */
    /* Source to sink, in BULK frames. */
    PENSTOCK_BULK_PDU_REPORT,  /* the object: size, CRC */
    PENSTOCK_BULK_PDU_REFUSED, /* no, and why not */
    PENSTOCK_BULK_PDU_DATA,    /* one packet of the object */
} penstock_bulk_pdu_kind_t;

/* Bytes. Those of NACK and DATA are without indices and bytes of the object. */
#define PENSTOCK_BULK_QUERY_LEN 5u
#define PENSTOCK_BULK_REQUEST_LEN 11u
#define PENSTOCK_BULK_NACK_LEN 7u
#define PENSTOCK_BULK_END_LEN 3u
#define PENSTOCK_BULK_REPORT_LEN 16u
#define PENSTOCK_BULK_REFUSED_LEN 5u
#define PENSTOCK_BULK_DATA_LEN 4u

/* The unit of the time for which routes stay frozen, and the longest. */
#define PENSTOCK_BULK_HOLD_S 4u
#define PENSTOCK_BULK_HOLD_MAX_S (255u * PENSTOCK_BULK_HOLD_S)

typedef struct penstock_bulk_pdu {
    uint8_t kind; /* penstock_bulk_pdu_kind_t */
    uint8_t transfer;
    /* QUERY; REPORT: the number of the QUERY that it answers. */
    uint8_t number;
    uint16_t object;
    /* REQUEST and NACK. */
    uint8_t round;
    uint8_t hold;      /* routes stay frozen for so many times PENSTOCK_BULK_HOLD_S seconds; 0: they are not frozen */
    uint16_t interval; /* between packets, in 1/16 ms, until the source knows better */
    uint16_t first;    /* REQUEST: the packets first..last */
    uint16_t last;
    uint8_t length; /* REQUEST, NACK: bytes of the object in each packet but the last; REPORT: the most there can be */
    uint8_t count;  /* NACK: of indices, 1 or more */
    const uint8_t *indices; /* NACK: read with penstock_bulk_pdu_index; in the bytes that were parsed */
    uint8_t outcome;        /* END: 0 done, 1 given up or cancelled */
    /* REPORT and REFUSED. */
    penstock_addr_t sink;
    uint16_t held_ms; /* REPORT: from the QUERY to the REPORT at the source */
    uint32_t size;
    uint32_t crc;
    uint8_t reason; /* REFUSED: penstock_bulk_reason_t */
    /* DATA. */
    uint16_t index;
    const uint8_t *bytes;
    uint8_t bytes_len; /* 1 or more */
} penstock_bulk_pdu_t;

/* 0, PENSTOCK_UNSUPPORTED for another kind, PENSTOCK_MALFORMED for what breaks its own rules. On failure *pdu
 * is undefined. */
int penstock_bulk_pdu_parse(penstock_bulk_pdu_t *pdu, const uint8_t *bytes, size_t len);

/* Index `at` of a NACK that was parsed; at < count. They grow strictly. */
uint16_t penstock_bulk_pdu_index(const penstock_bulk_pdu_t *pdu, uint8_t at);

/* Writes a PDU, of NACK all but the indices (count of them), of DATA all but the bytes (bytes_len). The whole
 * length, or PENSTOCK_TOO_LONG. */
int penstock_bulk_pdu_write(const penstock_bulk_pdu_t *pdu, uint8_t *bytes, size_t capacity);

/* An interval in us as REQUEST and NACK carry it, 1..65535, and back. */
static inline uint16_t penstock_bulk_ticks(uint32_t us)
{
    uint32_t ticks = us < 4096000u ? us * 2u / 125u : UINT16_MAX;
    return ticks > 0u ? (uint16_t)ticks : 1u;
}

static inline uint32_t penstock_bulk_ticks_us(uint16_t ticks)
{
    return ticks * UINT32_C(125) / 2u;
}

/* Writes index `at` into a NACK that has room for it. */
void penstock_bulk_pdu_write_index(uint8_t *bytes, uint8_t at, uint16_t index);

#endif
