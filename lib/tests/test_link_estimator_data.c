/* CTP's link estimate: windows of beacons and of data, and the average over both, exactly.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "link_estimator_data.h"
#include "penstock/tree.h"

static penstock_neighbor_t known(uint16_t etx)
{
    penstock_neighbor_t neighbor = {.address = 1u, .link_etx = etx};
    return neighbor;
}

static void test_beacons_begin_an_estimate(void)
{
    penstock_neighbor_t neighbor = known(0u);
    CHECK_EQ(penstock_data_link_etx(&neighbor), PENSTOCK_ETX_NONE);
    penstock_data_link_beacon(&neighbor, 0u); /* whatever number comes first */
    penstock_data_link_beacon(&neighbor, 1u);
    CHECK_EQ(penstock_data_link_etx(&neighbor), PENSTOCK_ETX_NONE);
    penstock_data_link_beacon(&neighbor, 2u);
    CHECK_EQ(neighbor.delivery_in, 255);
    CHECK_EQ(penstock_data_link_etx(&neighbor), 128);
}

static void test_beacon_averages(void)
{
    penstock_neighbor_t neighbor = known(0u);
    penstock_data_link_beacon(&neighbor, 254u);
    penstock_data_link_beacon(&neighbor, 0u); /* two of three, across the wrap */
    CHECK_EQ(neighbor.delivery_in, 170);
    CHECK_EQ(neighbor.link_etx, 192);         /* 128 * 255 / 170 */
    penstock_data_link_beacon(&neighbor, 0u); /* the same one again tells nothing */
    CHECK_EQ(neighbor.expected, 0);
    penstock_data_link_beacon(&neighbor, 1u);
    penstock_data_link_beacon(&neighbor, 2u);
    penstock_data_link_beacon(&neighbor, 3u);  /* three of three */
    CHECK_EQ(neighbor.delivery_in, 179);       /* (9 * 170 + 255) / 10 = 178.5 */
    CHECK_EQ(neighbor.link_etx, 191);          /* (9 * 192 + 128 * 255 / 179) / 10 = 191.0 */
    penstock_data_link_beacon(&neighbor, 13u); /* one of ten: the longest gap that counts */
    CHECK_EQ(neighbor.delivery_in, 164);       /* (9 * 179 + 25) / 10 = 163.6 */
    CHECK_EQ(neighbor.link_etx, 192);          /* (9 * 191 + 199) / 10 = 191.8 */
}

static void test_a_neighbour_that_was_away(void)
{
    penstock_neighbor_t neighbor = known(0u);
    for (uint8_t number = 1u; number <= 4u; number++) {
        penstock_data_link_beacon(&neighbor, number);
    }
    CHECK_EQ(neighbor.expected, 1);
    penstock_data_link_beacon(&neighbor, 15u);
    CHECK_EQ(neighbor.expected, 1); /* a new window ... */
    CHECK_EQ(neighbor.received, 1);
    CHECK_EQ(neighbor.link_etx, 128); /* ... and the old estimate, until there is another */
    penstock_data_link_beacon(&neighbor, 17u);
    CHECK_EQ(neighbor.delivery_in, 247); /* (9 * 255 + 170) / 10 = 246.5 */
}

/* Five acknowledged of five; then four of five: 128 * 5 / 4 = 160. */
static void test_data_windows(void)
{
    penstock_neighbor_t neighbor = known(384u);
    for (int i = 0; i < 4; i++) {
        penstock_data_link_sent(&neighbor, 1u, true);
    }
    CHECK_EQ(neighbor.link_etx, 384);
    penstock_data_link_sent(&neighbor, 1u, true);
    CHECK_EQ(neighbor.link_etx, 358); /* (9 * 384 + 128) / 10 = 358.4 */
    CHECK_EQ(neighbor.data_sent, 0);
    for (int i = 0; i < 5; i++) {
        penstock_data_link_sent(&neighbor, 1u, i != 2);
    }
    CHECK_EQ(neighbor.link_etx, 338); /* (9 * 358 + 160) / 10 = 338.2 */
    /* A MAC's own attempts count one by one: one of three, then one of two more. */
    penstock_data_link_sent(&neighbor, 3u, true);
    penstock_data_link_sent(&neighbor, 2u, true);
    CHECK_EQ(neighbor.link_etx, 336); /* (9 * 338 + 128 * 5 / 2) / 10 = 336.2 */
}

static void test_a_dead_link(void)
{
    static const uint16_t after[] = {128u, 128u, 128u, 128u, 179u, 238u, 304u, 376u, 454u, 537u};
    penstock_neighbor_t neighbor = known(128u);
    for (int i = 0; i < 10; i++) {
        penstock_data_link_sent(&neighbor, 1u, false);
        CHECK_EQ(neighbor.link_etx, after[i]); /* 0.9 ETX + 0.1 (i + 1), from the fifth failure on */
    }
    penstock_data_link_sent(&neighbor, 1u, true);
    CHECK_EQ(neighbor.link_etx, 624); /* (9 * 537 + 11 * 128) / 10 = 624.1 */
    CHECK_EQ(neighbor.data_sent, 0);
    for (int i = 0; i < 1000; i++) {
        penstock_data_link_sent(&neighbor, 1u, false);
    }
    CHECK_EQ(neighbor.data_sent, 255);
    CHECK(neighbor.link_etx <= 255u * 128u && neighbor.link_etx > 254u * 128u);
}

static void test_data_alone(void)
{
    penstock_neighbor_t neighbor = known(0u);
    penstock_data_link_sent(&neighbor, 4u, false);
    penstock_data_link_begin(&neighbor); /* it becomes the parent: those four do not count */
    penstock_data_link_sent(&neighbor, 4u, false);
    CHECK_EQ(penstock_data_link_etx(&neighbor), PENSTOCK_ETX_NONE);
    penstock_data_link_sent(&neighbor, 1u, true);
    CHECK_EQ(penstock_data_link_etx(&neighbor), 640);
}

/* With tables: the first word of the other direction begins the estimate anew, later ones move the average. */
static void test_both_directions(void)
{
    penstock_neighbor_t neighbor = known(0u);
    penstock_data_link_told(&neighbor, 128u); /* before its own beacons tell anything */
    CHECK_EQ(penstock_data_link_etx(&neighbor), PENSTOCK_ETX_NONE);
    neighbor.delivery_out = 0u;
    for (uint8_t number = 1u; number <= 3u; number++) {
        penstock_data_link_beacon(&neighbor, number);
    }
    CHECK_EQ(neighbor.link_etx, 128);
    penstock_data_link_told(&neighbor, 128u);
    CHECK_EQ(neighbor.link_etx, 255); /* 128 * 255 / 128 */
    penstock_data_link_told(&neighbor, 64u);
    CHECK_EQ(neighbor.link_etx, 255);
    for (uint8_t number = 4u; number <= 6u; number++) {
        penstock_data_link_beacon(&neighbor, number);
    }
    CHECK_EQ(neighbor.link_etx, 281); /* (9 * 255 + 128 * 255 / 64) / 10 = 280.5 */
    neighbor.delivery_out = 0u;
    penstock_data_link_told(&neighbor, 1u);
    CHECK_EQ(neighbor.link_etx, 16 * 128); /* no worse than that is believed of a link */
}

int main(void)
{
    test_beacons_begin_an_estimate();
    test_beacon_averages();
    test_a_neighbour_that_was_away();
    test_data_windows();
    test_a_dead_link();
    test_data_alone();
    test_both_directions();
    return check_result();
}
