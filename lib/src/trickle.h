/* Penstock: a beacon timer that slows down while there is no news.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef PENSTOCK_SRC_TRICKLE_H
#define PENSTOCK_SRC_TRICKLE_H

#include "penstock/tree.h"

/* Each gives the moment of the next beacon; `least` is at least 2 us. */

/* The timer starts: the first interval begins at `first`, a moment that the caller draws, with a beacon. */
penstock_time_t penstock_trickle_start(penstock_trickle_t *trickle, penstock_time_t first);
/* A beacon has become due: the next interval is twice as long, up to `most`. */
penstock_time_t penstock_trickle_fired(penstock_trickle_t *trickle, uint32_t least, uint32_t most, uint32_t *random,
                                       penstock_time_t now);
/* There is news: back to the shortest interval. `next`: the beacon that is due next; it stands
 * when the interval is the shortest already. */
penstock_time_t penstock_trickle_reset(penstock_trickle_t *trickle, uint32_t least, uint32_t *random,
                                       penstock_time_t next, penstock_time_t now);

#endif
