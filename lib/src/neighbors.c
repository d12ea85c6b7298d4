/* The neighbour table.
 *
 * Thesis 2.3.2: each node monitors the channel and keeps a table of delivery rates. One
 * entry here is a neighbour's link estimate (link_estimator.c, link_estimator_data.c), the route
 * it advertises (tree.c) and the last packet it sent to this node, by which a repeat is
 * known (receive.c). "Beacon period" is the longest that a neighbour leaves between two.
 *
 * What the thesis leaves open, and what is done here:
 *
 *   A table on a mote is smaller than a dense neighbourhood. If every newcomer pushed
 *   somebody out, no estimate would ever get finished. So entries have a worth: the
 *   delivery rate where it is known, a quarter where it is not yet. A newcomer replaces
 *   an entry that is worth less than a newcomer (a known bad link), or one that was not
 *   heard for three beacon periods; otherwise it is not entered, and can try again with
 *   its next frame. The parent is never replaced, nor a child that sent a packet here
 *   within the last two periods.
 *
 *   The sender of data for this node is a child, and without an entry its repeats would
 *   not be known for repeats. It replaces the entry of least worth, whatever that is. So does
 *   a root whose beacons are CTP's, as in TinyOS: its neighbours all want to know it.
 *
 *   Who is silent for five beacon periods is forgotten, save for the parent when it was
 *   pinned or named (tree.c decides that).
 *
 *   Beacons tell only links that can be of use: one whose delivery rate in one direction
 *   alone exceeds the largest usable ETX (16) is not worth three bytes on air.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "neighbors.h"

#include "beacon.h"
#include "penstock/tree.h"

#define WORTH_UNKNOWN 64u
#define WORTH_PROTECTED 0xFFFFu
#define STALE_PERIODS 3u
#define CHILD_PERIODS 2u
#define USEFUL_DELIVERY 16u /* of 255: 1/16 */

void penstock_neighbors_init(penstock_neighbors_t *table, penstock_neighbor_t *entries, uint8_t capacity)
{
    table->entries = entries;
    table->capacity = capacity;
    table->advertise_next = 0u;
    for (uint8_t i = 0u; i < capacity; i++) {
        entries[i].address = PENSTOCK_ADDR_NONE;
    }
}

penstock_neighbor_t *penstock_neighbors_find(const penstock_neighbors_t *table, penstock_addr_t address)
{
    if (address == PENSTOCK_ADDR_NONE) {
        return NULL;
    }
    for (uint8_t i = 0u; i < table->capacity; i++) {
        if (table->entries[i].address == address) {
            return &table->entries[i];
        }
    }
    return NULL;
}

/* What is lost with an entry: 0 nothing, WORTH_PROTECTED too much. */
static uint16_t worth_of(const penstock_neighbor_t *entry, const penstock_heard_t *heard)
{
    if (entry->address == PENSTOCK_ADDR_NONE) {
        return 0u;
    }
    uint32_t silence = heard->now - entry->heard_at;
    if (entry->address == heard->parent || (entry->has_packet && silence <= CHILD_PERIODS * heard->beacon_period_us)) {
        return WORTH_PROTECTED;
    }
    if (silence > STALE_PERIODS * heard->beacon_period_us) {
        return 0u;
    }
    return entry->delivery_in != 0u ? entry->delivery_in : (uint16_t)WORTH_UNKNOWN;
}

/* The entry that a newcomer gets, or NULL. */
static penstock_neighbor_t *make_room(penstock_neighbors_t *table, const penstock_heard_t *heard)
{
    penstock_neighbor_t *victim = NULL;
    uint16_t least = heard->important ? (uint16_t)WORTH_PROTECTED : (uint16_t)WORTH_UNKNOWN;
    for (uint8_t i = 0u; i < table->capacity; i++) {
        uint16_t worth = worth_of(&table->entries[i], heard);
        if (worth < least) {
            least = worth;
            victim = &table->entries[i];
        }
    }
    return victim;
}

penstock_neighbor_t *penstock_neighbors_heard(penstock_neighbors_t *table, const penstock_heard_t *heard, bool *is_new)
{
    penstock_neighbor_t *entry = penstock_neighbors_find(table, heard->from);
    *is_new = entry == NULL;
    if (*is_new) {
        entry = make_room(table, heard);
        if (entry == NULL) {
            return NULL;
        }
        entry->address = heard->from;
        entry->delivery_in = 0u;
        entry->delivery_out = 0u;
        entry->data_acked = 0u;
        entry->data_sent = 0u;
        entry->has_packet = false;
        entry->route_known = false;
        entry->route_etx = PENSTOCK_ETX_NONE;
    }
    entry->rssi_dbm = heard->rssi_dbm;
    entry->heard_at = heard->now;
    return entry;
}

void penstock_neighbors_forget(penstock_neighbors_t *table, penstock_addr_t keep, uint32_t beacon_period_us,
                               penstock_time_t now)
{
    for (uint8_t i = 0u; i < table->capacity; i++) {
        penstock_neighbor_t *entry = &table->entries[i];
        if (entry->address != keep && now - entry->heard_at > PENSTOCK_NEIGHBOR_LIFETIME * beacon_period_us) {
            entry->address = PENSTOCK_ADDR_NONE;
        }
    }
}

/* `moment` and `by`, but not the future. */
static penstock_time_t moved(penstock_time_t moment, uint32_t by, penstock_time_t now)
{
    return now - moment > by ? moment + by : now;
}

void penstock_neighbors_skip(penstock_neighbors_t *table, uint32_t by, penstock_time_t now)
{
    for (uint8_t i = 0u; i < table->capacity; i++) {
        table->entries[i].heard_at = moved(table->entries[i].heard_at, by, now);
        table->entries[i].route_at = moved(table->entries[i].route_at, by, now);
    }
}

uint8_t penstock_neighbors_advertise(penstock_neighbors_t *table, uint8_t *body, uint8_t room)
{
    uint8_t written = 0u;
    uint8_t index = table->advertise_next;
    for (uint8_t looked_at = 0u; looked_at < table->capacity && written < room; looked_at++) {
        const penstock_neighbor_t *neighbor = &table->entries[index];
        if (neighbor->address != PENSTOCK_ADDR_NONE && neighbor->delivery_in >= USEFUL_DELIVERY) {
            penstock_beacon_entry_t entry = {neighbor->address, neighbor->delivery_in};
            penstock_beacon_write_entry(body, written, entry);
            written++;
        }
        index++;
        if (index == table->capacity) {
            index = 0u;
        }
    }
    table->advertise_next = index;
    return written;
}
