/* The neighbour table: who gets a place, who loses it, and what beacons tell.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "beacon.h"
#include "check.h"
#include "link_estimator.h"
#include "neighbors.h"
#include "penstock/tree.h"

enum { PERIOD = 10000000 };
#define SIZE 4

static penstock_neighbor_t *hear(penstock_neighbors_t *table, penstock_addr_t from, uint8_t seq, bool important,
                                 penstock_time_t now)
{
    penstock_heard_t heard = {
        .from = from,
        .rssi_dbm = -77,
        .important = important,
        .parent = 1u,
        .beacon_period_us = PERIOD,
        .now = now,
    };
    bool is_new;
    penstock_neighbor_t *entry = penstock_neighbors_heard(table, &heard, &is_new);
    if (entry != NULL && is_new) {
        penstock_link_first(entry, seq);
    } else if (entry != NULL) {
        penstock_link_heard(entry, seq);
    }
    return entry;
}

static void test_find_and_forget(void)
{
    penstock_neighbor_t entries[SIZE];
    penstock_neighbors_t table;
    penstock_neighbors_init(&table, entries, SIZE);
    CHECK(hear(&table, 1u, 0u, false, 0u) != NULL);
    CHECK(hear(&table, 2u, 0u, false, 0u) != NULL);
    CHECK_EQ(penstock_neighbors_find(&table, 2u)->rssi_dbm, -77);
    CHECK(penstock_neighbors_find(&table, 3u) == NULL);
    CHECK(penstock_neighbors_find(&table, PENSTOCK_ADDR_NONE) == NULL); /* not a free entry */
    penstock_neighbors_forget(&table, 1u, PERIOD, 5u * PERIOD);
    CHECK(penstock_neighbors_find(&table, 2u) != NULL);
    penstock_neighbors_forget(&table, 1u, PERIOD, 5u * PERIOD + 1u);
    CHECK(penstock_neighbors_find(&table, 2u) == NULL);
    CHECK(penstock_neighbors_find(&table, 1u) != NULL); /* kept on purpose */
}

static void test_eviction(void)
{
    penstock_neighbor_t entries[SIZE];
    penstock_neighbors_t table;
    penstock_neighbors_init(&table, entries, SIZE);
    for (penstock_addr_t address = 1u; address <= SIZE; address++) {
        (void)hear(&table, address, 0u, false, 0u);
    }
    CHECK(hear(&table, 9u, 0u, false, 1u) == NULL); /* newcomers do not push out newcomers */

    penstock_neighbors_find(&table, 1u)->delivery_in = 10u; /* the parent, bad as it is */
    penstock_neighbors_find(&table, 2u)->delivery_in = 200u;
    penstock_neighbors_find(&table, 3u)->delivery_in = 30u; /* known to be bad */
    penstock_neighbors_find(&table, 4u)->delivery_in = 20u; /* worse, but a child */
    penstock_neighbors_find(&table, 4u)->has_packet = true;
    CHECK(hear(&table, 9u, 0u, false, 2u) != NULL);
    CHECK(penstock_neighbors_find(&table, 3u) == NULL);
    CHECK(penstock_neighbors_find(&table, 4u) != NULL);

    CHECK(hear(&table, 5u, 0u, false, 3u) == NULL); /* all are worth as much as it is */
    CHECK(hear(&table, 5u, 0u, true, 3u) != NULL);  /* but this one sends data for us */
    CHECK(penstock_neighbors_find(&table, 9u) == NULL);
    CHECK(penstock_neighbors_find(&table, 2u) != NULL);

    /* Silence makes room, also of a child that has gone. */
    penstock_time_t later = 3u * PERIOD + 10u;
    CHECK(hear(&table, 6u, 0u, false, later) != NULL);
    CHECK(hear(&table, 7u, 0u, false, later) != NULL);
    CHECK(hear(&table, 8u, 0u, false, later) != NULL);
    CHECK(penstock_neighbors_find(&table, 1u) != NULL);
}

static void test_advertise_goes_round(void)
{
    penstock_neighbor_t entries[SIZE];
    penstock_neighbors_t table;
    penstock_neighbors_init(&table, entries, SIZE);
    for (penstock_addr_t address = 1u; address <= SIZE; address++) {
        hear(&table, address, 0u, false, 0u)->delivery_in = (uint8_t)(50u * address);
    }
    penstock_neighbors_find(&table, 2u)->delivery_in = 15u; /* of use to nobody */
    uint8_t body[PENSTOCK_BEACON_FIXED_LEN + 8u * PENSTOCK_BEACON_ENTRY_LEN];
    penstock_beacon_t beacon = {.entries = body + PENSTOCK_BEACON_FIXED_LEN};
    CHECK_EQ(penstock_neighbors_advertise(&table, body, 2u), 2);
    CHECK_EQ(penstock_beacon_entry(&beacon, 0u).address, 1);
    CHECK_EQ(penstock_beacon_entry(&beacon, 1u).address, 3);
    CHECK_EQ(penstock_beacon_entry(&beacon, 1u).delivery, 150);
    CHECK_EQ(penstock_neighbors_advertise(&table, body, 2u), 2);
    CHECK_EQ(penstock_beacon_entry(&beacon, 0u).address, 4);
    CHECK_EQ(penstock_beacon_entry(&beacon, 1u).address, 1);
    CHECK_EQ(penstock_neighbors_advertise(&table, body, 8u), 3); /* nobody twice */
}

int main(void)
{
    test_find_and_forget();
    test_eviction();
    test_advertise_goes_round();
    return check_result();
}
