/* Penstock: a rate in one byte.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef PENSTOCK_SRC_CONTROL_RATE_CODE_H
#define PENSTOCK_SRC_CONTROL_RATE_CODE_H

#include <stdint.h>

/* The unit of all rates here: 1/1024 packets/s. */
#define PENSTOCK_RATE_ONE 1024u

#define PENSTOCK_RATE_CODE_MAX 255u
/* Added to a code, this doubles the rate. */
#define PENSTOCK_RATE_CODE_TWICE 16u

/* The largest code whose rate is not above `rate`; 0 for rates that are below all. */
uint8_t penstock_rate_encode(uint32_t rate);
/* 16 (1/64 packets/s) to 31 * 2^15 (992 packets/s). */
uint32_t penstock_rate_decode(uint8_t code);
/* The code of twice the rate, or the largest. */
uint8_t penstock_rate_twice(uint8_t code);

#endif
