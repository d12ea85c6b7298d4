/* Penstock: WRCP, the Wireless Rate Control Protocol (Sridharan and Krishnamachari, "Explicit and Precise Rate
 * Control for Wireless Sensor Networks", SenSys 2009). What it is told and what it keeps; what it does is at
 * the head of control/wrcp.c.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef PENSTOCK_WRCP_H
#define PENSTOCK_WRCP_H

#include "penstock/bucket.h"
#include "penstock/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Its fields in data and control frames, in bytes (section 8.1; docs/spec.md). */
#define PENSTOCK_WRCP_FIELDS_LEN 16u

/* A capacity, in packets/s, in the unit of the table: 1/64 packets/s. */
#define PENSTOCK_WRCP_PPS(pps) ((uint16_t)((pps)*64))
/* alpha = 1. */
#define PENSTOCK_WRCP_ALPHA_ONE 32768u

typedef struct penstock_wrcp_params {
    /* B, what a node can receive, by the number of senders in range, itself among them (section 4.3): entry k - 1
     * for k of them, the last for more. Saturation throughput in 1/64 packets/s, each at least 1. The
     * caller's array; it must outlive the node. */
    const uint16_t *capacity;
    /* The rate of a flow that joins, and the least that any is ever cut to, in 1/65536 packets/s; 1/1024 to 255
     * packets/s. */
    uint32_t start_rate;
    /* Eq. 5: the share of what is free that a flow takes at a time, in 1/32768; 1..32768. */
    uint16_t alpha_q15;
    uint8_t capacity_len; /* at least 1 */
    /* Eqs. 6, 8, 9 and 10: weight of the past or of the news, as each of them has it, in 1/256; at least 1. */
    uint8_t beta_q8;
} penstock_wrcp_params_t;

/* What the narrowest receiver within earshot says: its per-flow available capacity (gamma of Eq. 4, in 1/256
 * packets/s; the largest there is: no limit), and the per-flow rate that it allows, in 1/256 packets/s. */
typedef struct penstock_wrcp_narrow {
    int16_t gamma;
    uint16_t allowed;
} penstock_wrcp_narrow_t;

/* What is kept on a neighbour. */
typedef struct penstock_wrcp_peer {
    penstock_wrcp_narrow_t own; /* as a receiver */
    uint16_t total;             /* r_tot, 1/64 packets/s */
    uint16_t highest;           /* rate of the fastest flow that it sends, 1/256 packets/s */
    uint8_t flows;              /* that it sends */
    uint8_t quality;            /* p, from the neighbour to this node, in 1/255 */
    uint8_t counted_from;       /* its transmission counter when this window began, and frames heard since */
    uint8_t heard;
    uint8_t acknowledged; /* control sequence number that its whole subtree has; 0: none */
    bool child;           /* it sends its data to this node */
} penstock_wrcp_peer_t;

/* State of a node. */
typedef struct penstock_wrcp {
    uint32_t rate;              /* r, of this node's own flow, Q16.16 packets/s */
    uint32_t allowed;           /* of each flow that this node hears, Q16.16; PENSTOCK_PPS_UNLIMITED: none is heard */
    int16_t gamma;              /* Eq. 4, 1/256 packets/s */
    uint32_t total;             /* Eq. 8, 1/256 packets/s */
    uint32_t external;          /* Eq. 10, 1/256 packets/s */
    penstock_wrcp_narrow_t way; /* what the parent said of the way to the root */
    penstock_addr_t way_from;
    uint16_t counted; /* transmissions, when the second began */
    penstock_time_t second_began;
    penstock_time_t updated_at;
    penstock_time_t active_at; /* when the application last had a packet */
    penstock_time_t asked_at;  /* the root: when the control sequence number first went out */
    uint32_t average_us;       /* the root: T_avg of Eq. 6 */
    uint8_t interval;          /* T, as it is on air */
    uint8_t sequence;          /* control sequence number, 1..15; 0: none yet */
    bool asked : 1;            /* the root: it went out */
    bool frame_due : 1;        /* the root: a control frame is to be sent */
    bool heard_data : 1;       /* the root: since the last update */
    bool active : 1;           /* the application is a flow */
    bool joining : 1;          /* ... in its bootstrap phase */
    bool wants_more : 1;       /* ... and had to wait since the last update */
    penstock_bucket_t bucket;
} penstock_wrcp_t;

#ifdef __cplusplus
}
#endif
#endif
