/* The frame codec: IEEE 802.15.4 MAC header, then the Penstock header.
 *
 * What is on air is written down in docs/spec.md; this file follows it field by field.
 *
 * The MAC header is the shortest that a data frame with two short addresses in one PAN
 * can have (IEEE 802.15.4-2006 7.2.1): frame control, sequence number, PAN, destination,
 * source. Any sniffer that knows 802.15.4 can follow a Penstock network, and a radio
 * with hardware address filtering and automatic acknowledgement can be used as it is.
 *
 * Thesis 2.3.2 asks for an increasing number in the header of every packet sent (from
 * its gaps neighbours count losses): the MAC sequence number is that. Thesis 4.2 asks
 * for the congestion bit in every outgoing packet: the first flag of the Penstock
 * header, in data frames and beacons alike. The thesis gives no layout; the rest of
 * the header is what this library needs and no more: 17 bytes before the payload, so
 * that the 36-byte packets of thesis 5.2 carry 17 bytes of it beside the FCS.
 *
 * A strategy may have fields of its own in data frames; then a control header follows the
 * data header, which the second flag announces: a length, so that a node of any strategy
 * finds the payload behind it, and that many bytes, which only their own strategy reads. A control
 * frame has these bytes and nothing else; its end tells how many they are.
 *
 * CTP (TEP 123) has data tell the sender's path ETX, so that a parent learns of a child that
 * believes to be nearer to the root than itself: two bytes behind the data header, in frames of nodes
 * with that routing alone. A flag marks all frames of such nodes.
 *
 * BULK and FLOOD frames are those of bulk transfer (lib/src/bulk/): who sent the packet, how far it has come, and a
 * PDU that only the ends of a transfer read. All nodes can tell them from noise, also those that take no part
 * in transfers: their numbers count for link estimates as all others do.
 *
 * A parser meets bytes from anyone. It reads nothing before it knows that it is there,
 * it accepts only what it would itself have written, save for bits that are reserved
 * for later versions (ignored) and the frame-pending bit (of no meaning here).
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "frame.h"

#include "bytes.h"
#include "penstock/penstock.h"

/* Frame control: data frame, PAN ID compression, short addresses, frame version 0. */
#define FCF_BASE 0x8841u
#define FCF_PENDING 0x0010u
#define FCF_ACK_REQUEST 0x0020u

#define FLAG_CONGESTED 0x01u
#define FLAG_CONTROL 0x02u
#define FLAG_PULL 0x04u
#define FLAG_CTP 0x08u
#define FLAG_DELAYS 0x10u
#define FLAG_COMPANDED 0x20u

/* The path ETX and the control header, if there are any, and the payload of a data frame. */
static int parse_data(penstock_frame_t *frame, const uint8_t *bytes, size_t len)
{
    if (len < PENSTOCK_DATA_OVERHEAD) {
        return PENSTOCK_MALFORMED;
    }
    frame->origin = penstock_get_u16(bytes + 11);
    frame->seq = penstock_get_u16(bytes + 13);
    frame->service = bytes[15] & PENSTOCK_SERVICE_MAX;
    frame->hops = bytes[16];
    size_t at = PENSTOCK_DATA_OVERHEAD;
    if (frame->is_ctp) {
        if (len < at + PENSTOCK_PATH_LEN) {
            return PENSTOCK_MALFORMED;
        }
        frame->path_etx = penstock_get_u16(bytes + at);
        at += PENSTOCK_PATH_LEN;
    }
    if ((bytes[10] & FLAG_CONTROL) != 0u) {
        /* Announced, so there is a length, it is not 0, and what it promises is there. */
        if (len < at + 1u || bytes[at] == 0u || len < at + 1u + bytes[at]) {
            return PENSTOCK_MALFORMED;
        }
        frame->control_len = bytes[at];
        frame->control = bytes + at + 1u;
        at += 1u + (size_t)frame->control_len;
    }
    frame->payload = bytes + at;
    frame->payload_len = (uint8_t)(len - at);
    return PENSTOCK_OK;
}

/* A BULK or FLOOD frame. */
static int parse_pdu(penstock_frame_t *frame, const uint8_t *bytes, size_t len)
{
    bool is_bulk = frame->type == PENSTOCK_FRAME_BULK;
    bool has_delays = is_bulk && (bytes[10] & FLAG_DELAYS) != 0u;
    size_t at = is_bulk ? PENSTOCK_BULK_OVERHEAD + (has_delays ? PENSTOCK_BULK_DELAYS : 0u) : PENSTOCK_FLOOD_OVERHEAD;
    if (len <= at) {
        return PENSTOCK_MALFORMED;
    }
    frame->origin = penstock_get_u16(bytes + 11);
    if (is_bulk) {
        frame->seq = bytes[13];
        frame->hops = bytes[14];
        frame->companded = has_delays && (bytes[10] & FLAG_COMPANDED) != 0u;
        frame->delays = has_delays ? bytes + PENSTOCK_BULK_OVERHEAD : NULL;
    } else {
        frame->seq = penstock_get_u16(bytes + 13);
        frame->target = penstock_get_u16(bytes + 15);
        frame->hops = bytes[17];
    }
    frame->payload = bytes + at;
    frame->payload_len = (uint8_t)(len - at);
    return PENSTOCK_OK;
}

int penstock_frame_parse(penstock_frame_t *frame, const uint8_t *bytes, size_t len)
{
    if (len < 2u || len > PENSTOCK_FRAME_MAX) {
        return PENSTOCK_MALFORMED;
    }
    uint16_t control = penstock_get_u16(bytes);
    if ((control & (uint16_t) ~(FCF_PENDING | FCF_ACK_REQUEST)) != FCF_BASE) {
        return PENSTOCK_UNSUPPORTED;
    }
    if (len < PENSTOCK_MHR_LEN + 2u) {
        return PENSTOCK_MALFORMED;
    }
    frame->ack_request = (control & FCF_ACK_REQUEST) != 0u;
    frame->link_seq = bytes[2];
    frame->pan_id = penstock_get_u16(bytes + 3);
    frame->dst = penstock_get_u16(bytes + 5);
    frame->src = penstock_get_u16(bytes + 7);
    if ((bytes[9] >> 4) != PENSTOCK_FRAME_VERSION) {
        return PENSTOCK_UNSUPPORTED;
    }
    frame->type = bytes[9] & 0x0Fu;
    frame->congested = (bytes[10] & FLAG_CONGESTED) != 0u;
    frame->pull = frame->type == PENSTOCK_FRAME_BEACON && (bytes[10] & FLAG_PULL) != 0u;
    frame->is_ctp = (bytes[10] & FLAG_CTP) != 0u;
    if (frame->src == PENSTOCK_ADDR_BROADCAST || frame->src == PENSTOCK_ADDR_NONE) {
        return PENSTOCK_MALFORMED;
    }

    frame->origin = PENSTOCK_ADDR_NONE;
    frame->seq = 0u;
    frame->service = 0u;
    frame->hops = 0u;
    frame->target = PENSTOCK_ADDR_NONE;
    frame->delays = NULL;
    frame->companded = false;
    frame->path_etx = PENSTOCK_ETX_NONE;
    frame->control = NULL;
    frame->control_len = 0u;
    switch (frame->type) {
    case PENSTOCK_FRAME_DATA:
        return parse_data(frame, bytes, len);
    case PENSTOCK_FRAME_BEACON:
        frame->payload = bytes + PENSTOCK_BEACON_OVERHEAD;
        frame->payload_len = (uint8_t)(len - PENSTOCK_BEACON_OVERHEAD);
        return PENSTOCK_OK;
    case PENSTOCK_FRAME_CONTROL:
        frame->control = bytes + PENSTOCK_BEACON_OVERHEAD;
        frame->control_len = (uint8_t)(len - PENSTOCK_BEACON_OVERHEAD);
        frame->payload = bytes + len;
        frame->payload_len = 0u;
        return frame->control_len > 0u ? PENSTOCK_OK : PENSTOCK_MALFORMED;
    case PENSTOCK_FRAME_BULK:
    case PENSTOCK_FRAME_FLOOD:
        return parse_pdu(frame, bytes, len);
    default:
        return PENSTOCK_UNSUPPORTED;
    }
}

static void copy_control(const penstock_frame_t *frame, uint8_t *to)
{
    for (uint8_t i = 0u; i < frame->control_len; i++) {
        to[i] = frame->control[i];
    }
}

/* Bytes up to the payload, the body or the PDU, or of all of a control frame. */
static size_t header_len(const penstock_frame_t *frame)
{
    switch (frame->type) {
    case PENSTOCK_FRAME_DATA:
        return PENSTOCK_DATA_OVERHEAD + (frame->is_ctp ? PENSTOCK_PATH_LEN : 0u) +
               (frame->control_len > 0u ? 1u + (size_t)frame->control_len : 0u);
    case PENSTOCK_FRAME_CONTROL:
        return PENSTOCK_BEACON_OVERHEAD + (size_t)frame->control_len;
    case PENSTOCK_FRAME_BULK:
        return PENSTOCK_BULK_OVERHEAD + (frame->delays != NULL ? PENSTOCK_BULK_DELAYS : 0u);
    case PENSTOCK_FRAME_FLOOD:
        return PENSTOCK_FLOOD_OVERHEAD;
    default:
        return PENSTOCK_BEACON_OVERHEAD;
    }
}

static uint8_t flags(const penstock_frame_t *frame)
{
    bool is_data = frame->type == PENSTOCK_FRAME_DATA;
    bool has_delays = frame->type == PENSTOCK_FRAME_BULK && frame->delays != NULL;
    return (uint8_t)((frame->congested ? FLAG_CONGESTED : 0u) |
                     (is_data && frame->control_len > 0u ? FLAG_CONTROL : 0u) |
                     (!is_data && frame->pull ? FLAG_PULL : 0u) | (frame->is_ctp ? FLAG_CTP : 0u) |
                     (has_delays ? FLAG_DELAYS : 0u) | (has_delays && frame->companded ? FLAG_COMPANDED : 0u));
}

static void write_data(const penstock_frame_t *frame, uint8_t *bytes)
{
    penstock_put_u16(bytes + 11, frame->origin);
    penstock_put_u16(bytes + 13, frame->seq);
    bytes[15] = frame->service & PENSTOCK_SERVICE_MAX;
    bytes[16] = frame->hops;
    size_t at = PENSTOCK_DATA_OVERHEAD;
    if (frame->is_ctp) {
        penstock_put_u16(bytes + at, frame->path_etx);
        at += PENSTOCK_PATH_LEN;
    }
    if (frame->control_len > 0u) {
        bytes[at] = frame->control_len;
        copy_control(frame, bytes + at + 1);
    }
}

static void write_bulk(const penstock_frame_t *frame, uint8_t *bytes)
{
    penstock_put_u16(bytes + 11, frame->origin);
    bytes[13] = (uint8_t)frame->seq;
    bytes[14] = frame->hops;
    for (uint8_t i = 0u; frame->delays != NULL && i < PENSTOCK_BULK_DELAYS; i++) {
        bytes[PENSTOCK_BULK_OVERHEAD + i] = frame->delays[i];
    }
}

static void write_flood(const penstock_frame_t *frame, uint8_t *bytes)
{
    penstock_put_u16(bytes + 11, frame->origin);
    penstock_put_u16(bytes + 13, frame->seq);
    penstock_put_u16(bytes + 15, frame->target);
    bytes[17] = frame->hops;
}

int penstock_frame_write_header(const penstock_frame_t *frame, uint8_t *bytes, size_t capacity)
{
    size_t len = header_len(frame);
    if (capacity < len) {
        return PENSTOCK_TOO_LONG;
    }
    penstock_put_u16(bytes, (uint16_t)(FCF_BASE | (frame->ack_request ? FCF_ACK_REQUEST : 0u)));
    bytes[2] = frame->link_seq;
    penstock_put_u16(bytes + 3, frame->pan_id);
    penstock_put_u16(bytes + 5, frame->dst);
    penstock_put_u16(bytes + 7, frame->src);
    bytes[9] = (uint8_t)((PENSTOCK_FRAME_VERSION << 4) | frame->type);
    bytes[10] = flags(frame);
    switch (frame->type) {
    case PENSTOCK_FRAME_DATA:
        write_data(frame, bytes);
        break;
    case PENSTOCK_FRAME_CONTROL:
        copy_control(frame, bytes + PENSTOCK_BEACON_OVERHEAD);
        break;
    case PENSTOCK_FRAME_BULK:
        write_bulk(frame, bytes);
        break;
    case PENSTOCK_FRAME_FLOOD:
        write_flood(frame, bytes);
        break;
    default:
        break;
    }
    return (int)len;
}
