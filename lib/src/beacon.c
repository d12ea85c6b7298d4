/* The beacon codec.
 *
 * One frame does the work of two messages of thesis 2.3.2: the routing beacon (the
 * root's number, the sender's path ETX) and the sender's link quality table. The thesis
 * broadcasts the complete table each period; in 36-byte packets a table of more than
 * four neighbours does not fit one beacon, and more frames would load the channel that
 * congestion control is there to relieve. So a beacon carries as many entries as fit,
 * and successive beacons go round the table (neighbors.c, tree.c).
 *
 * The sender's parent is told too. The tree uses it to refuse a route that leads back
 * to itself; a listener can draw the tree from beacons alone.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "beacon.h"

#include "bytes.h"

int penstock_beacon_parse(penstock_beacon_t *beacon, const uint8_t *body, size_t len)
{
    if (len < PENSTOCK_BEACON_FIXED_LEN) {
        return PENSTOCK_MALFORMED;
    }
    beacon->root = penstock_get_u16(body);
    beacon->route_seq = penstock_get_u16(body + 2);
    beacon->etx = penstock_get_u16(body + 4);
    beacon->hops = body[6];
    beacon->parent = penstock_get_u16(body + 7);
    beacon->count = body[9];
    beacon->entries = body + PENSTOCK_BEACON_FIXED_LEN;
    if (len != PENSTOCK_BEACON_FIXED_LEN + (size_t)beacon->count * PENSTOCK_BEACON_ENTRY_LEN) {
        return PENSTOCK_MALFORMED;
    }
    return PENSTOCK_OK;
}

penstock_beacon_entry_t penstock_beacon_entry(const penstock_beacon_t *beacon, uint8_t index)
{
    const uint8_t *bytes = beacon->entries + (size_t)index * PENSTOCK_BEACON_ENTRY_LEN;
    penstock_beacon_entry_t entry;
    entry.address = penstock_get_u16(bytes);
    entry.delivery = bytes[2];
    return entry;
}

uint8_t penstock_beacon_delivery(const penstock_beacon_t *beacon, penstock_addr_t address)
{
    uint8_t delivery = 0u;
    for (uint8_t i = 0u; i < beacon->count; i++) {
        penstock_beacon_entry_t entry = penstock_beacon_entry(beacon, i);
        if (entry.address == address) {
            delivery = entry.delivery;
        }
    }
    return delivery;
}

int penstock_beacon_write(const penstock_beacon_t *beacon, uint8_t *body, size_t capacity)
{
    size_t len = PENSTOCK_BEACON_FIXED_LEN + (size_t)beacon->count * PENSTOCK_BEACON_ENTRY_LEN;
    if (capacity < len) {
        return PENSTOCK_TOO_LONG;
    }
    penstock_put_u16(body, beacon->root);
    penstock_put_u16(body + 2, beacon->route_seq);
    penstock_put_u16(body + 4, beacon->etx);
    body[6] = beacon->hops;
    penstock_put_u16(body + 7, beacon->parent);
    body[9] = beacon->count;
    return (int)len;
}

void penstock_beacon_write_entry(uint8_t *body, uint8_t index, penstock_beacon_entry_t entry)
{
    uint8_t *bytes = body + PENSTOCK_BEACON_FIXED_LEN + (size_t)index * PENSTOCK_BEACON_ENTRY_LEN;
    penstock_put_u16(bytes, entry.address);
    bytes[2] = entry.delivery;
}
