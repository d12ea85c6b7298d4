/* Penstock: IFRC, what a node keeps for it (control/ifrc.c explains all of it).
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef PENSTOCK_IFRC_H
#define PENSTOCK_IFRC_H

#include "penstock/bucket.h"
#include "penstock/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a node may be told to begin with, in 1/65536 packets/s: 0.01 to 100 packets/s. */
#define PENSTOCK_IFRC_INITIAL_MIN (PENSTOCK_PPS_ONE / 100u)
#define PENSTOCK_IFRC_INITIAL_MAX (PENSTOCK_PPS_ONE * 100u)
/* No rate is higher: 1000 packets/s is beyond any of these radios. */
#define PENSTOCK_IFRC_RATE_MAX (PENSTOCK_PPS_ONE * 1000u)

typedef struct penstock_ifrc_params {
    uint32_t initial_rate;     /* r_init, in 1/65536 packets/s */
    uint32_t slow_increase;    /* phi: added to the rate for every turn of slow start; at least 1, at most 1 packet/s */
    uint16_t epsilon_q16;      /* delta = epsilon * r_thresh^2, in 1/65536; at least 1 */
    uint16_t queue_weight_q12; /* of the newest reading in the average queue, in 1/4096; 1..4096 */
    /* Thresholds of the average queue, in packets. 0: derived from the queue's capacity (ifrc_congestion.c). */
    uint8_t upper;     /* U(0): below the capacity */
    uint8_t lower;     /* L: below U(0) */
    uint8_t increment; /* I: U(0) + I at most the capacity */
} penstock_ifrc_params_t;

/* State, for ifrc*.c only. Rates in 1/65536 packets/s, averages in 1/4096 packets. */
typedef struct penstock_ifrc {
    uint32_t rate;   /* r_i; at the root r_b */
    uint32_t thresh; /* r_thresh: the rate after the last decrease */
    uint32_t average_q12;
    penstock_time_t turn_at;    /* the end of this turn: 1/rate after the one before */
    penstock_time_t carried_at; /* the last packet came */
    penstock_bucket_t bucket;   /* of this node's own packets */
    uint8_t level;              /* thresholds crossed: 0 is not congested, k + 1 is past U(k) */
    bool slow_start;
    bool idle;    /* nothing has come for long: no turns are counted */
    bool lowered; /* by what another said, in this turn */
    bool waiting; /* the application was refused in this turn */
    /* The root's. */
    bool telling;            /* a control frame is due */
    uint32_t told;           /* the rate in the last one ... */
    penstock_time_t told_at; /* ... and when that was on air */
} penstock_ifrc_t;

/* What a neighbour said last. */
typedef struct penstock_ifrc_peer {
    uint32_t rate;
    uint32_t thresh;
    uint16_t average_q8;
    penstock_addr_t child; /* the most congested of its children, or PENSTOCK_ADDR_NONE */
    uint8_t child_level;
    uint8_t level;
    bool slow_start;
    bool is_child; /* its last data frame was for this node */
} penstock_ifrc_peer_t;

#ifdef __cplusplus
}
#endif
#endif
