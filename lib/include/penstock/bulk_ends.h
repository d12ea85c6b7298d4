/* Penstock: the two ends of a bulk transfer: what a node keeps of them, and the numbers that they go by.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef PENSTOCK_BULK_ENDS_H
#define PENSTOCK_BULK_ENDS_H

#include "penstock/types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct penstock_bulk_ends_params {
    uint32_t flood_jitter_us; /* the longest random delay before a flood is sent on (section 3.2) */
} penstock_bulk_ends_params_t;

typedef struct penstock_bulk_ends {
    uint8_t flood_number; /* the last flood that this node began */
} penstock_bulk_ends_t;

#ifdef __cplusplus
}
#endif
#endif
