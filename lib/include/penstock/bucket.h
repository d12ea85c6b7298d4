/* Penstock: the token bucket that meters a node's own packets at a rate.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef PENSTOCK_BUCKET_H
#define PENSTOCK_BUCKET_H

#include "penstock/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The unit of rates between files: 1/65536 packets/s (Q16.16), so up to 65,535 packets/s. */
#define PENSTOCK_PPS_ONE UINT32_C(65536)
/* In place of a rate: there is no limit. */
#define PENSTOCK_PPS_UNLIMITED UINT32_MAX

typedef struct penstock_bucket {
    uint32_t credit; /* in 1/16,000,000 packets */
    penstock_time_t earned_at;
} penstock_bucket_t;

#ifdef __cplusplus
}
#endif
#endif
