/* The link estimator: delivery rates from gaps in sequence numbers.
 *
 * Thesis 2.3.2: every packet header carries an increasing number; a node overhears all
 * packets of a neighbour and takes the missing numbers for losses. That gives the
 * delivery rate from the neighbour to this node. The other direction is what the
 * neighbour finds about this node, told in its beacons. Equation 2.1:
 *
 *     ETX of a link = 1 / (df * dr)
 *
 * Here the number is that of the 802.15.4 header; it grows with every frame handed to
 * the MAC, beacons and retransmissions too, and is counted modulo 256. A frame whose
 * number is `gap` after the last one heard tells of `gap` frames, one of them received.
 *
 * What the thesis leaves open, and what is done here:
 *
 *   How far to look back. Two counters, received and expected; once more than 32 frames
 *   are expected both are halved. So old frames fade by half about every sixteen, and two
 *   bytes are enough. Halves are rounded up, so a link that has delivered anything
 *   within the window does not seem dead.
 *
 *   The first frame tells of no gap. An estimate needs four expected frames; until
 *   then the delivery rate is 0, which says "not known".
 *
 *   The number repeats (the MAC's own retry, when it makes any): nothing is learned.
 *
 *   A gap of 128 or more is as likely a neighbour that has started anew, or one that
 *   was out of range for a while, as a loss. The count starts again; the last
 *   estimate stands until there is a new one, so a parent that has rebooted is not lost.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "link_estimator.h"

#include "penstock/tree.h"

#define GAP_RESTART 128u
#define RATIO_ONE 255u

void penstock_link_first(penstock_neighbor_t *neighbor, uint8_t link_seq)
{
    neighbor->last_link_seq = link_seq;
    neighbor->received = 0u;
    neighbor->expected = 0u;
    neighbor->delivery_in = 0u;
}

void penstock_link_heard(penstock_neighbor_t *neighbor, uint8_t link_seq)
{
    uint8_t gap = (uint8_t)(link_seq - neighbor->last_link_seq);
    if (gap == 0u) {
        return;
    }
    neighbor->last_link_seq = link_seq;
    if (gap >= GAP_RESTART) {
        neighbor->received = 0u;
        neighbor->expected = 0u;
        return;
    }
    neighbor->expected = (uint8_t)(neighbor->expected + gap); /* at most 32 + 127 */
    neighbor->received++;
    while (neighbor->expected > PENSTOCK_LINK_WINDOW) {
        neighbor->expected = (uint8_t)((neighbor->expected + 1u) >> 1);
        neighbor->received = (uint8_t)((neighbor->received + 1u) >> 1);
    }
    if (neighbor->expected >= PENSTOCK_LINK_MIN_EXPECTED) {
        uint16_t scaled = (uint16_t)(neighbor->received * RATIO_ONE);
        neighbor->delivery_in = (uint8_t)(scaled / neighbor->expected);
    }
}

uint16_t penstock_link_etx(const penstock_neighbor_t *neighbor)
{
    if (neighbor->delivery_in == 0u || neighbor->delivery_out == 0u) {
        return PENSTOCK_ETX_NONE;
    }
    uint32_t both = (uint32_t)neighbor->delivery_in * neighbor->delivery_out;
    uint32_t etx = (uint32_t)PENSTOCK_ETX_ONE * RATIO_ONE * RATIO_ONE / both;
    return etx <= PENSTOCK_LINK_ETX_MAX ? (uint16_t)etx : (uint16_t)PENSTOCK_ETX_NONE;
}
