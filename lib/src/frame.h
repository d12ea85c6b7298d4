/* Penstock: frames, as bytes and as fields. The layout is in docs/spec.md.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef PENSTOCK_SRC_FRAME_H
#define PENSTOCK_SRC_FRAME_H

#include "penstock/bulk_path.h"
#include "penstock/types.h"

/* Longest frame without the 2 B FCS: aMaxPHYPacketSize of IEEE 802.15.4 less the FCS. */
#define PENSTOCK_FRAME_MAX 125u
#define PENSTOCK_MHR_LEN 9u
/* The sender's path ETX in CTP's data frames, behind the data header. */
#define PENSTOCK_PATH_LEN 2u
/* What comes before the body of a beacon, and before the fields of a control frame; PENSTOCK_DATA_OVERHEAD is public.
 */
#define PENSTOCK_BEACON_OVERHEAD (PENSTOCK_MHR_LEN + 2u)

#define PENSTOCK_SERVICE_MAX 15u

enum {
    PENSTOCK_FRAME_DATA = 1,
    PENSTOCK_FRAME_BEACON = 2,
    PENSTOCK_FRAME_CONTROL = 3,
    PENSTOCK_FRAME_BULK = 4,
    PENSTOCK_FRAME_FLOOD = 5
};

/* What comes before the PDU of a FLOOD frame; PENSTOCK_BULK_OVERHEAD is public. */
#define PENSTOCK_FLOOD_OVERHEAD (PENSTOCK_MHR_LEN + 9u)

typedef struct penstock_frame {
    uint8_t type; /* PENSTOCK_FRAME_DATA, _BEACON, _CONTROL, _BULK or _FLOOD */
    uint8_t link_seq;
    bool ack_request;
    bool congested; /* the congestion bit (thesis 4.2) */
    bool pull;      /* beacons only: the sender asks for routes (TEP 123) */
    bool is_ctp;    /* the sender's routing is CTP's: data has path_etx, a beacon its own number */
    uint16_t pan_id;
    penstock_addr_t dst;
    penstock_addr_t src;
    /* Data, BULK and FLOOD frames. */
    penstock_addr_t origin; /* of a FLOOD: the sink */
    uint16_t seq;           /* of BULK: 8 bits */
    uint8_t hops;           /* links crossed, this one included */
    /* FLOOD frames only: the node that it is for. */
    penstock_addr_t target;
    /* BULK frames only: the sender's delta, f and D, as codes. NULL: it tells none. */
    const uint8_t *delays;
    bool companded;
    /* Data frames only. */
    uint8_t service;
    uint16_t path_etx; /* of the sender, in 1/128; PENSTOCK_ETX_NONE where is_ctp is false or it has none */
    /* Data and control frames: the fields of the sender's strategy. Points into the bytes that were
     * parsed; to write, at whatever is to be copied. Length 0, in data: no control header. */
    const uint8_t *control;
    uint8_t control_len;
    /* The payload of data; the body of a beacon; a PDU, of at least 1 byte, of BULK and FLOOD. Points into the bytes
     * that were parsed. */
    const uint8_t *payload;
    uint8_t payload_len;
} penstock_frame_t;

/* Reads a frame. 0, PENSTOCK_UNSUPPORTED for what is no data frame of 802.15.4 with two
 * short addresses or not of this version, PENSTOCK_MALFORMED for one that breaks its own
 * rules. On failure *frame is undefined. */
int penstock_frame_parse(penstock_frame_t *frame, const uint8_t *bytes, size_t len);

/* Writes everything up to the payload of a data frame, its control header included, or up to the
 * body of a beacon or a PDU, or all of a control frame. The number of bytes written, or PENSTOCK_TOO_LONG. */
int penstock_frame_write_header(const penstock_frame_t *frame, uint8_t *bytes, size_t capacity);

#endif
