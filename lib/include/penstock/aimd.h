/* Penstock: an application that adapts its rate.
 *
 * Thesis 4.6: when the stack refuses a packet, the application may simply wait, or adjust
 * its rate by additive increase and multiplicative decrease (AIMD). This is the second
 * way, for use above penstock_send:
 *
 *     if (penstock_aimd_may_send(&pace, now)) {
 *         int result = penstock_send(&node, ...);
 *         if (result == PENSTOCK_OK) penstock_aimd_accepted(&pace, now);
 *         if (result == PENSTOCK_WOULD_BLOCK) penstock_aimd_refused(&pace, now);
 *     }
 *
 * It knows nothing of the node, and may serve any stack that accepts or refuses.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef PENSTOCK_AIMD_H
#define PENSTOCK_AIMD_H

#include "penstock/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A rate is a number of packets in 2^32 us (71.6 min). That of an interval in us, rounded
 * down; the interval must not be 0. */
#define PENSTOCK_AIMD_RATE(interval_us) (UINT32_C(0xFFFFFFFF) / (uint32_t)(interval_us))

/* The caller's; must outlive the pace. */
typedef struct penstock_aimd_config {
    uint32_t shortest_us; /* the offered period, at least 1000: never faster than this */
    uint32_t longest_us;  /* never slower; shortest_us..2^30 */
    uint32_t increase;    /* of the rate, for each accepted packet; at least 1 */
    uint8_t decrease_q8;  /* a refusal leaves this share of the rate, in 1/256; 128: half of it */
} penstock_aimd_config_t;

typedef struct penstock_aimd {
    const penstock_aimd_config_t *config;
    uint32_t rate;           /* packets in 2^32 us */
    penstock_time_t next_at; /* when the next packet may be offered */
} penstock_aimd_t;

/* Begins at the offered rate. 0, or PENSTOCK_INVALID when the config is out of its ranges. */
int penstock_aimd_init(penstock_aimd_t *pace, const penstock_aimd_config_t *config, penstock_time_t now);

/* The stack took a packet just now; or it refused one. Either way the next one waits for an
 * interval of the new rate. */
void penstock_aimd_accepted(penstock_aimd_t *pace, penstock_time_t now);
void penstock_aimd_refused(penstock_aimd_t *pace, penstock_time_t now);

/* May a packet be offered now? If not, next_at is the moment. */
bool penstock_aimd_may_send(const penstock_aimd_t *pace, penstock_time_t now);
penstock_time_t penstock_aimd_next_at(const penstock_aimd_t *pace);

/* Today's interval between packets, in us: shortest_us..longest_us. */
uint32_t penstock_aimd_interval(const penstock_aimd_t *pace);

#ifdef __cplusplus
}
#endif
#endif
