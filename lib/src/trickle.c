/* Trickle: beacons at intervals that double, from the shortest again when there is news.
 *
 * After CtpRoutingEngineP of TinyOS 2 and the algorithm that it takes from (Levis, Patel,
 * Culler and Shenker, NSDI 2004; RFC 6206), without suppression: a node's route is its own
 * news, which no neighbour's beacon makes superfluous.
 *
 * Time is divided into intervals. Each has one beacon, at a random moment of its second half,
 * so that neighbours whose intervals began together do not collide, and nobody is silent
 * for longer than one and a half intervals. After the beacon, the moment in the next interval,
 * which is twice as long, is drawn at once: one moment is all that anybody has to wait for.
 *
 *   |<--- I --->|<------- 2I ------->|
 *   |      *    |               *    |        * a beacon
 *
 * A reset begins an interval of the shortest length now. While the beacon of such an interval
 * is still to come a reset changes nothing (RFC 6206, 4.2 rule 6; TinyOS draws anew): otherwise
 * news that comes often enough would put the beacon off for ever.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "trickle.h"

#include "random.h"

/* An interval that began at `begin`; the moment of its beacon. */
static penstock_time_t run_interval(penstock_trickle_t *trickle, uint32_t length, uint32_t *random,
                                    penstock_time_t begin)
{
    uint32_t half = length / 2u;
    trickle->interval_us = length;
    trickle->ends = begin + length;
    return begin + half + penstock_random_below(random, half);
}

penstock_time_t penstock_trickle_start(penstock_trickle_t *trickle, penstock_time_t first)
{
    trickle->interval_us = 0u;
    trickle->ends = first;
    return first;
}

penstock_time_t penstock_trickle_fired(penstock_trickle_t *trickle, uint32_t least, uint32_t most, uint32_t *random,
                                       penstock_time_t now)
{
    uint32_t length = least;
    if (trickle->interval_us != 0u) {
        length = trickle->interval_us > most / 2u ? most : 2u * trickle->interval_us;
    }
    return run_interval(trickle, length, random, penstock_time_later(trickle->ends, now));
}

penstock_time_t penstock_trickle_reset(penstock_trickle_t *trickle, uint32_t least, uint32_t *random,
                                       penstock_time_t next, penstock_time_t now)
{
    if (trickle->interval_us == least) {
        return next;
    }
    return run_interval(trickle, least, random, now);
}
