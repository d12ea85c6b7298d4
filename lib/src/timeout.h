/* What is left of a time-out.
 *
 * Times are modulo 2^32 us, so a stored moment that nobody looked at for over half an
 * hour seems to lie in the future again. A time-out of known length is hardly fooled: more
 * left than its whole length means that it ended long ago. What remains is one wrong
 * answer of at most that length every 71 minutes, for a time-out that nobody cleared.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef PENSTOCK_SRC_TIMEOUT_H
#define PENSTOCK_SRC_TIMEOUT_H

#include "penstock/types.h"

/* Microseconds from `now` until `until`, for a time-out that was set to at most
 * `longest`; 0 when it is over. */
static inline uint32_t penstock_time_left(penstock_time_t now, penstock_time_t until, uint32_t longest)
{
    uint32_t left = until - now;
    return left <= longest ? left : 0u;
}

#endif
