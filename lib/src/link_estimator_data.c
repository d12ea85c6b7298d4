/* The link estimator of CTP: beacons say how a link begins, data says how it is.
 *
 * After the four-bit link estimator of TinyOS 2 (tos/lib/net/4bitle; Fonseca, Gnawali,
 * Jamieson and Levis, HotNets 2007) and TEP 123, 6.1. An estimate of a link's ETX comes
 * from either of two windows, and each new one moves the same average:
 *
 *     ETX <- 0.9 ETX + 0.1 new
 *
 *   Beacons. A neighbour numbers its beacons. Whenever three are expected (received or
 *   missing), their share moves an average of inbound delivery, by 0.1 as well; its
 *   inverse is the new ETX. The way out is not asked, unless beacons tell links (TEP 123's own
 *   text, which has LEEP's beacons seed both directions; config.ctp.link_tables): then
 *   it is a factor of the ETX, and the first that is heard of it begins the estimate anew.
 *
 *   Data. Of every five frames addressed to the neighbour, the share that was acknowledged
 *   counts both directions at once, and the new ETX is frames over acknowledgements. When
 *   none was, it is the number of frames so far, and each further failure is a new
 *   estimate: 5, 6, 7, ... until one gets through. So a dead link is known after a
 *   few packets, while no beacon need come or be missed.
 *
 * A neighbour's beacons are rare once a network is stable, and its data is not: data
 * outweighs beacons on a link in use, as TEP 123 wants it.
 *
 * Where this differs from TinyOS. Its averages begin at 0, so that a perfect link's first
 * inbound delivery is a tenth and its first ETX one tenth of ten; here the first window is
 * the first estimate. Averages are in 1/255 and 1/128 and rounded to the nearest; in
 * TinyOS's tenths of a transmission, rounded down, an average would stand still
 * when an estimate is less than one transmission above it. A beacon more than ten after the last
 * one begins a new window, but the last estimate stands until there is another one: what data
 * has shown is not forgotten because beacons collided. A count of failures ends at 255.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "link_estimator_data.h"

#include "link_estimator.h"
#include "penstock/tree.h"

#define BEACON_WINDOW 3u
#define DATA_WINDOW 5u
#define LONGEST_GAP 10u
#define RATIO_ONE 255u

/* Nine parts of the old, one of the new, to the nearest. */
static uint16_t averaged(uint16_t old, uint16_t new_one)
{
    return (uint16_t)(((uint32_t)old * 9u + new_one + 5u) / 10u);
}

static void take_estimate(penstock_neighbor_t *neighbor, uint16_t etx)
{
    neighbor->link_etx = neighbor->link_etx != 0u ? averaged(neighbor->link_etx, etx) : etx;
}

/* What beacons say; delivery_in is known. */
static uint16_t beacon_etx(const penstock_neighbor_t *neighbor)
{
    uint8_t out = neighbor->delivery_out != 0u ? neighbor->delivery_out : (uint8_t)RATIO_ONE;
    uint32_t etx = (uint32_t)PENSTOCK_ETX_ONE * RATIO_ONE * RATIO_ONE / ((uint32_t)neighbor->delivery_in * out);
    return etx < PENSTOCK_LINK_ETX_MAX ? (uint16_t)etx : (uint16_t)PENSTOCK_LINK_ETX_MAX;
}

static void end_beacon_window(penstock_neighbor_t *neighbor)
{
    uint16_t delivery = (uint16_t)((uint16_t)neighbor->received * RATIO_ONE / neighbor->expected);
    if (neighbor->delivery_in != 0u) {
        delivery = averaged(neighbor->delivery_in, delivery);
    }
    neighbor->delivery_in = (uint8_t)delivery; /* never 0: a window has one beacon in twelve at least */
    take_estimate(neighbor, beacon_etx(neighbor));
    neighbor->received = 0u;
    neighbor->expected = 0u;
}

void penstock_data_link_beacon(penstock_neighbor_t *neighbor, uint8_t number)
{
    bool first = neighbor->expected == 0u && neighbor->delivery_in == 0u;
    uint8_t gap = (uint8_t)(number - neighbor->last_link_seq);
    if (gap == 0u && !first) {
        return;
    }
    neighbor->last_link_seq = number;
    if (first || gap > LONGEST_GAP) {
        neighbor->received = 1u;
        neighbor->expected = 1u;
        return;
    }
    neighbor->received++;
    neighbor->expected = (uint8_t)(neighbor->expected + gap);
    if (neighbor->expected >= BEACON_WINDOW) {
        end_beacon_window(neighbor);
    }
}

void penstock_data_link_told(penstock_neighbor_t *neighbor, uint8_t delivery)
{
    bool first = neighbor->delivery_out == 0u;
    neighbor->delivery_out = delivery;
    if (first && delivery != 0u && neighbor->delivery_in != 0u) {
        neighbor->link_etx = beacon_etx(neighbor);
    }
}

static void one_attempt(penstock_neighbor_t *neighbor, bool acked)
{
    if (neighbor->data_sent < UINT8_MAX) {
        neighbor->data_sent++;
    }
    if (acked) {
        neighbor->data_acked++;
    }
    if (neighbor->data_sent < DATA_WINDOW) {
        return;
    }
    uint16_t sent = (uint16_t)(neighbor->data_sent * PENSTOCK_ETX_ONE);
    if (neighbor->data_acked == 0u) {
        take_estimate(neighbor, sent);
        return;
    }
    take_estimate(neighbor, (uint16_t)(sent / neighbor->data_acked));
    penstock_data_link_begin(neighbor);
}

void penstock_data_link_sent(penstock_neighbor_t *neighbor, uint8_t attempts, bool acked)
{
    for (uint8_t left = attempts; left > 0u; left--) {
        one_attempt(neighbor, acked && left == 1u);
    }
}

void penstock_data_link_begin(penstock_neighbor_t *neighbor)
{
    neighbor->data_sent = 0u;
    neighbor->data_acked = 0u;
}

uint16_t penstock_data_link_etx(const penstock_neighbor_t *neighbor)
{
    return neighbor->link_etx != 0u ? neighbor->link_etx : (uint16_t)PENSTOCK_ETX_NONE;
}
