/* Rates as one byte: four bits of mantissa, four of exponent, rate = (16 + m) * 2^e in units
 * of 1/1024 packets/s (docs/spec.md).
 *
 * Sixteen steps to an octave: a rate loses at most 1/17 of itself when it is rounded down,
 * and nothing when it is passed on. A larger code is a larger rate, so the least of several
 * can be found without decoding them. The lowest, one packet in 64 s, is what the least of
 * all shares is rounded up to: a source that were told 0 could never show that it is there.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "control/rate_code.h"

#define MANTISSA 16u
#define EXPONENT_MAX 15u

uint8_t penstock_rate_encode(uint32_t rate)
{
    uint8_t exponent = 0u;
    if (rate < MANTISSA) {
        return 0u;
    }
    while (rate >= 2u * MANTISSA) {
        if (exponent == EXPONENT_MAX) {
            return PENSTOCK_RATE_CODE_MAX;
        }
        rate >>= 1;
        exponent++;
    }
    return (uint8_t)(((uint32_t)exponent << 4) | (rate - MANTISSA));
}

uint32_t penstock_rate_decode(uint8_t code)
{
    return (MANTISSA + ((uint32_t)code & 0x0Fu)) << (code >> 4);
}

uint8_t penstock_rate_twice(uint8_t code)
{
    return code > PENSTOCK_RATE_CODE_MAX - PENSTOCK_RATE_CODE_TWICE ? (uint8_t)PENSTOCK_RATE_CODE_MAX
                                                                    : (uint8_t)(code + PENSTOCK_RATE_CODE_TWICE);
}
