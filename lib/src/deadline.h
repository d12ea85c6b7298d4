/* The first of several moments.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef PENSTOCK_SRC_DEADLINE_H
#define PENSTOCK_SRC_DEADLINE_H

#include "penstock/types.h"

/* Moves *at to `candidate` where that comes first, or is the first that there is (*any false). */
static inline void penstock_sooner(bool *any, penstock_time_t *at, penstock_time_t candidate)
{
    if (!*any || !penstock_time_reached(candidate, *at)) {
        *at = candidate;
    }
    *any = true;
}

#endif
