/* What the two ends of a bulk transfer say to each other: seven PDUs, written down in docs/spec.md.
 *
 * Flush (2.1, 2.2) has three messages down, the topology query, the request and the NACK, and data up; the paper
 * gives no layouts. What is here is that, and what an end needs to be sure of the other: each PDU names its
 * transfer, requests and NACKs grow a round number by which a replay is known, the answer to a query brings
 * the object's length and CRC, and there is a way to say no and a way to say that it is over. The data
 * packet, which is what is sent thousands of times, has 4 bytes before the object's own: kind, transfer, and the
 * sequence number of two bytes that the paper has (3.6).
 *
 * A REQUEST and a NACK bring the rate to begin with (2.1: "the initial request contains conservative estimates
 * for Flush's runtime parameters, such as the transmit rate"; later ones estimated ones), the length of
 * packets, so that a source needs to remember nothing but the object, and for how long routes stay frozen (5.2).
 *
 * A parser meets bytes from anyone. It reads nothing before it knows that it is there and accepts only what it
 * would itself have written.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "bulk/pdu.h"

#include "bytes.h"

static uint32_t get_u32(const uint8_t *bytes)
{
    return penstock_get_u16(bytes) | (uint32_t)penstock_get_u16(bytes + 2) << 16;
}

static void put_u32(uint8_t *bytes, uint32_t value)
{
    penstock_put_u16(bytes, (uint16_t)(value & 0xFFFFu));
    penstock_put_u16(bytes + 2, (uint16_t)(value >> 16));
}

/* ---- Reading --------------------------------------------------------------- */

/* What REQUEST and NACK begin with. */
static void parse_ask(penstock_bulk_pdu_t *pdu, const uint8_t *bytes)
{
    pdu->round = bytes[2];
    pdu->hold = bytes[3];
    pdu->interval = penstock_get_u16(bytes + 4);
    pdu->length = bytes[6];
}

static bool parse_request(penstock_bulk_pdu_t *pdu, const uint8_t *bytes)
{
    parse_ask(pdu, bytes);
    pdu->first = penstock_get_u16(bytes + 7);
    pdu->last = penstock_get_u16(bytes + 9);
    return pdu->length > 0u && pdu->first <= pdu->last;
}

static bool parse_nack(penstock_bulk_pdu_t *pdu, const uint8_t *bytes, size_t len)
{
    size_t rest = len - PENSTOCK_BULK_NACK_LEN;
    if (rest == 0u || rest % 2u != 0u || rest / 2u > UINT8_MAX) {
        return false;
    }
    parse_ask(pdu, bytes);
    pdu->count = (uint8_t)(rest / 2u);
    pdu->indices = bytes + PENSTOCK_BULK_NACK_LEN;
    for (uint8_t i = 1u; i < pdu->count; i++) {
        if (penstock_bulk_pdu_index(pdu, (uint8_t)(i - 1u)) >= penstock_bulk_pdu_index(pdu, i)) {
            return false;
        }
    }
    return pdu->length > 0u;
}

static bool parse_report(penstock_bulk_pdu_t *pdu, const uint8_t *bytes)
{
    pdu->sink = penstock_get_u16(bytes + 2);
    pdu->number = bytes[4];
    pdu->held_ms = penstock_get_u16(bytes + 5);
    pdu->length = bytes[7];
    pdu->size = get_u32(bytes + 8);
    pdu->crc = get_u32(bytes + 12);
    return pdu->length > 0u && pdu->size > 0u;
}

/* Is a PDU of this kind as long as `len`? False also for kinds that there are not. */
static bool length_fits(uint8_t kind, size_t len)
{
    switch (kind) {
    case PENSTOCK_BULK_PDU_QUERY:
        return len == PENSTOCK_BULK_QUERY_LEN;
    case PENSTOCK_BULK_PDU_REQUEST:
        return len == PENSTOCK_BULK_REQUEST_LEN;
    case PENSTOCK_BULK_PDU_NACK:
        return len > PENSTOCK_BULK_NACK_LEN;
    case PENSTOCK_BULK_PDU_END:
        return len == PENSTOCK_BULK_END_LEN;
    case PENSTOCK_BULK_PDU_REPORT:
        return len == PENSTOCK_BULK_REPORT_LEN;
    case PENSTOCK_BULK_PDU_REFUSED:
        return len == PENSTOCK_BULK_REFUSED_LEN;
    case PENSTOCK_BULK_PDU_DATA:
        return len > PENSTOCK_BULK_DATA_LEN && len <= UINT8_MAX;
    default:
        return false;
    }
}

static bool parse_body(penstock_bulk_pdu_t *pdu, const uint8_t *bytes, size_t len)
{
    switch (pdu->kind) {
    case PENSTOCK_BULK_PDU_QUERY:
        pdu->number = bytes[2];
        pdu->object = penstock_get_u16(bytes + 3);
        return true;
    case PENSTOCK_BULK_PDU_REQUEST:
        return parse_request(pdu, bytes);
    case PENSTOCK_BULK_PDU_NACK:
        return parse_nack(pdu, bytes, len);
    case PENSTOCK_BULK_PDU_END:
        pdu->outcome = bytes[2];
        return pdu->outcome <= 1u;
    case PENSTOCK_BULK_PDU_REPORT:
        return parse_report(pdu, bytes);
    case PENSTOCK_BULK_PDU_REFUSED:
        pdu->sink = penstock_get_u16(bytes + 2);
        pdu->reason = bytes[4];
        return pdu->reason > PENSTOCK_BULK_NO_REASON && pdu->reason < PENSTOCK_BULK_REASON_COUNT;
    default:
        pdu->index = penstock_get_u16(bytes + 2);
        pdu->bytes = bytes + PENSTOCK_BULK_DATA_LEN;
        pdu->bytes_len = (uint8_t)(len - PENSTOCK_BULK_DATA_LEN);
        return true;
    }
}

int penstock_bulk_pdu_parse(penstock_bulk_pdu_t *pdu, const uint8_t *bytes, size_t len)
{
    if (len == 0u) {
        return PENSTOCK_MALFORMED;
    }
    if (bytes[0] < PENSTOCK_BULK_PDU_QUERY || bytes[0] > PENSTOCK_BULK_PDU_DATA) {
        return PENSTOCK_UNSUPPORTED;
    }
    *pdu = (penstock_bulk_pdu_t){.kind = bytes[0]};
    if (!length_fits(pdu->kind, len)) {
        return PENSTOCK_MALFORMED;
    }
    pdu->transfer = bytes[1];
    return parse_body(pdu, bytes, len) ? PENSTOCK_OK : PENSTOCK_MALFORMED;
}

uint16_t penstock_bulk_pdu_index(const penstock_bulk_pdu_t *pdu, uint8_t at)
{
    return penstock_get_u16(pdu->indices + 2u * (size_t)at);
}

/* ---- Writing --------------------------------------------------------------- */

static size_t whole_length(const penstock_bulk_pdu_t *pdu)
{
    switch (pdu->kind) {
    case PENSTOCK_BULK_PDU_QUERY:
        return PENSTOCK_BULK_QUERY_LEN;
    case PENSTOCK_BULK_PDU_REQUEST:
        return PENSTOCK_BULK_REQUEST_LEN;
    case PENSTOCK_BULK_PDU_NACK:
        return PENSTOCK_BULK_NACK_LEN + 2u * (size_t)pdu->count;
    case PENSTOCK_BULK_PDU_END:
        return PENSTOCK_BULK_END_LEN;
    case PENSTOCK_BULK_PDU_REPORT:
        return PENSTOCK_BULK_REPORT_LEN;
    case PENSTOCK_BULK_PDU_REFUSED:
        return PENSTOCK_BULK_REFUSED_LEN;
    default:
        return PENSTOCK_BULK_DATA_LEN + (size_t)pdu->bytes_len;
    }
}

static void write_ask(const penstock_bulk_pdu_t *pdu, uint8_t *bytes)
{
    bytes[2] = pdu->round;
    bytes[3] = pdu->hold;
    penstock_put_u16(bytes + 4, pdu->interval);
    bytes[6] = pdu->length;
}

static void write_report(const penstock_bulk_pdu_t *pdu, uint8_t *bytes)
{
    penstock_put_u16(bytes + 2, pdu->sink);
    bytes[4] = pdu->number;
    penstock_put_u16(bytes + 5, pdu->held_ms);
    bytes[7] = pdu->length;
    put_u32(bytes + 8, pdu->size);
    put_u32(bytes + 12, pdu->crc);
}

int penstock_bulk_pdu_write(const penstock_bulk_pdu_t *pdu, uint8_t *bytes, size_t capacity)
{
    size_t len = whole_length(pdu);
    if (capacity < len) {
        return PENSTOCK_TOO_LONG;
    }
    bytes[0] = pdu->kind;
    bytes[1] = pdu->transfer;
    switch (pdu->kind) {
    case PENSTOCK_BULK_PDU_QUERY:
        bytes[2] = pdu->number;
        penstock_put_u16(bytes + 3, pdu->object);
        break;
    case PENSTOCK_BULK_PDU_REQUEST:
        write_ask(pdu, bytes);
        penstock_put_u16(bytes + 7, pdu->first);
        penstock_put_u16(bytes + 9, pdu->last);
        break;
    case PENSTOCK_BULK_PDU_NACK:
        write_ask(pdu, bytes);
        break;
    case PENSTOCK_BULK_PDU_END:
        bytes[2] = pdu->outcome;
        break;
    case PENSTOCK_BULK_PDU_REPORT:
        write_report(pdu, bytes);
        break;
    case PENSTOCK_BULK_PDU_REFUSED:
        penstock_put_u16(bytes + 2, pdu->sink);
        bytes[4] = pdu->reason;
        break;
    default:
        penstock_put_u16(bytes + 2, pdu->index);
        break;
    }
    return (int)len;
}

void penstock_bulk_pdu_write_index(uint8_t *bytes, uint8_t at, uint16_t index)
{
    penstock_put_u16(bytes + PENSTOCK_BULK_NACK_LEN + 2u * (size_t)at, index);
}
