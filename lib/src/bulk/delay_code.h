/* Penstock: delays as single bytes.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef PENSTOCK_SRC_BULK_DELAY_CODE_H
#define PENSTOCK_SRC_BULK_DELAY_CODE_H

#include <stdbool.h>
#include <stdint.h>

/* The code nearest to a delay; 255 for all that is longer than it stands for. unit_us: at least 1. */
uint8_t penstock_delay_code(uint32_t us, uint16_t unit_us, bool companded);

/* What a code stands for, in eighths of a unit: 0..4032. */
uint16_t penstock_delay_eighths(uint8_t code, bool companded);

/* Eighths of a unit, also the sum of many, in us; at most 2^16 of them. */
static inline uint32_t penstock_delay_us(uint32_t eighths, uint16_t unit_us)
{
    return (eighths * unit_us + 4u) / 8u;
}

#endif
