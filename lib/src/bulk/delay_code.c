/* Delays as single bytes.
 *
 * Flush tells delta, f and D in three bytes; its authors saw no delay above 255 ms (section 4.4). In units of 1 ms
 * a delay of 8 ms, one packet's on the MicaZ, is told with an error of up to 6 %, and d is the sum of three such. Their
 * future work (3.6) is a compander in the manner of A-law: fine steps where delays are expected, coarse ones for
 * outliers. Here: a floating point number without sign, five bits of mantissa and three of exponent, its lowest
 * two segments one straight line as A-law's are. A-law itself has four bits and three, and the sign, for which there
 * is no use here, goes to the mantissa. With four and four the steps would be 1 ms already from 16 ms on, coarser than
 * the plain byte's from 32 ms on, for a range of half a minute that nobody needs.
 *
 *   up to 8 ms      1/8 ms         32 to 64 ms     1 ms
 *   8 to 16 ms      1/4 ms         64 to 128 ms    2 ms
 *   16 to 32 ms     1/2 ms         128 to 504 ms   4 and 8 ms
 *
 * The unit, 1 ms here, is the network's choice, for radios whose packets take longer.
 *
 * Rounding is to the nearest, of which the paper says nothing: errors of sums cancel. From 4 units on a companded
 * delay is off by at most 1/65: half a step, where the mantissa is 32 1/2 of 32 to 64.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "bulk/delay_code.h"

#define LONGEST_US (UINT32_C(1) << 28) /* so that eight times as much fits; no unit makes it a code but the last */

static uint8_t linear(uint32_t us, uint16_t unit_us)
{
    uint32_t units = (us + unit_us / 2u) / unit_us;
    return units < UINT8_MAX ? (uint8_t)units : (uint8_t)UINT8_MAX;
}

/* Code 32 k + m is m * 2^k eighths, with m in 32..63; in 0..63 where k is 0. */
static uint8_t companded_code(uint32_t us, uint16_t unit_us)
{
    for (uint8_t k = 0u; k <= 6u; k++) {
        uint32_t step = (uint32_t)unit_us << k;
        uint32_t m = (us * 8u + step / 2u) / step;
        if (m < 64u) {
            return (uint8_t)(32u * k + m);
        }
    }
    return UINT8_MAX;
}

uint8_t penstock_delay_code(uint32_t us, uint16_t unit_us, bool companded)
{
    uint32_t bounded = us < LONGEST_US ? us : LONGEST_US;
    return companded ? companded_code(bounded, unit_us) : linear(bounded, unit_us);
}

uint16_t penstock_delay_eighths(uint8_t code, bool companded)
{
    if (!companded) {
        return (uint16_t)(code * 8u);
    }
    if (code < 64u) {
        return code;
    }
    return (uint16_t)((32u + code % 32u) << (code / 32u - 1u));
}
