/* Jitter: Marsaglia's xorshift32 ("Xorshift RNGs", 2003, the triple 13, 17, 5). Four
 * bytes of state, no multiplication; good for desynchronising neighbours, for nothing else.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef PENSTOCK_SRC_RANDOM_H
#define PENSTOCK_SRC_RANDOM_H

#include <stdint.h>

/* A state that is never 0 (a fixed point). The address is mixed in, so that nodes
 * flashed with one seed still differ. */
static inline uint32_t penstock_random_seed(uint32_t seed, uint16_t address)
{
    uint32_t state = seed ^ (UINT32_C(0x9E3779B1) * ((uint32_t)address + 1u));
    return state != 0u ? state : UINT32_C(0x2545F491);
}

static inline uint32_t penstock_random_next(uint32_t *state)
{
    uint32_t x = *state;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    *state = x;
    return x;
}

/* Uniform in 0..bound-1 (the bias of the remainder is of no matter for jitter); 0 when bound is 0. */
static inline uint32_t penstock_random_below(uint32_t *state, uint32_t bound)
{
    uint32_t x = penstock_random_next(state);
    return bound != 0u ? x % bound : 0u;
}

#endif
