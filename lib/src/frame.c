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

int penstock_frame_write_header(const penstock_frame_t *frame, uint8_t *bytes, size_t capacity)
{
    bool is_data = frame->type == PENSTOCK_FRAME_DATA;
    bool has_control = is_data && frame->control_len > 0u;
    int len = is_data ? (int)PENSTOCK_DATA_OVERHEAD : (int)PENSTOCK_BEACON_OVERHEAD;
    int control_at = len;
    if (is_data && frame->is_ctp) {
        len += (int)PENSTOCK_PATH_LEN;
        control_at = len;
    }
    if (has_control) {
        len += 1 + frame->control_len;
    } else if (frame->type == PENSTOCK_FRAME_CONTROL) {
        len += frame->control_len;
    }
    if (capacity < (size_t)len) {
        return PENSTOCK_TOO_LONG;
    }
    penstock_put_u16(bytes, (uint16_t)(FCF_BASE | (frame->ack_request ? FCF_ACK_REQUEST : 0u)));
    bytes[2] = frame->link_seq;
    penstock_put_u16(bytes + 3, frame->pan_id);
    penstock_put_u16(bytes + 5, frame->dst);
    penstock_put_u16(bytes + 7, frame->src);
    bytes[9] = (uint8_t)((PENSTOCK_FRAME_VERSION << 4) | frame->type);
    bytes[10] = (uint8_t)((frame->congested ? FLAG_CONGESTED : 0u) | (has_control ? FLAG_CONTROL : 0u) |
                          (!is_data && frame->pull ? FLAG_PULL : 0u) | (frame->is_ctp ? FLAG_CTP : 0u));
    if (is_data) {
        penstock_put_u16(bytes + 11, frame->origin);
        penstock_put_u16(bytes + 13, frame->seq);
        bytes[15] = frame->service & PENSTOCK_SERVICE_MAX;
        bytes[16] = frame->hops;
        if (frame->is_ctp) {
            penstock_put_u16(bytes + 17, frame->path_etx);
        }
    }
    if (has_control) {
        bytes[control_at] = frame->control_len;
        copy_control(frame, bytes + control_at + 1);
    } else if (frame->type == PENSTOCK_FRAME_CONTROL) {
        copy_control(frame, bytes + PENSTOCK_BEACON_OVERHEAD);
    }
    return len;
}
