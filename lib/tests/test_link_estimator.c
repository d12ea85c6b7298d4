/* Delivery rates from gaps, and the ETX of a link.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "link_estimator.h"
#include "penstock/tree.h"

static penstock_neighbor_t start(uint8_t seq)
{
    penstock_neighbor_t neighbor = {.address = 1u};
    penstock_link_first(&neighbor, seq);
    return neighbor;
}

static void test_needs_four(void)
{
    penstock_neighbor_t neighbor = start(100u);
    penstock_link_heard(&neighbor, 101u);
    penstock_link_heard(&neighbor, 102u);
    penstock_link_heard(&neighbor, 103u);
    CHECK_EQ(neighbor.delivery_in, 0); /* three expected: not known */
    penstock_link_heard(&neighbor, 104u);
    CHECK_EQ(neighbor.delivery_in, 255);
}

static void test_gaps(void)
{
    penstock_neighbor_t neighbor = start(250u);
    penstock_link_heard(&neighbor, 252u); /* every second one, across the wrap */
    penstock_link_heard(&neighbor, 254u);
    penstock_link_heard(&neighbor, 0u);
    penstock_link_heard(&neighbor, 2u);
    CHECK_EQ(neighbor.expected, 8);
    CHECK_EQ(neighbor.received, 4);
    CHECK_EQ(neighbor.delivery_in, 127);
    penstock_link_heard(&neighbor, 2u); /* the MAC's own repeat */
    CHECK_EQ(neighbor.received, 4);
}

static void test_halving(void)
{
    penstock_neighbor_t neighbor = start(0u);
    uint8_t seq = 0u;
    for (int i = 0; i < 32; i++) {
        penstock_link_heard(&neighbor, ++seq);
    }
    CHECK_EQ(neighbor.expected, 32);
    penstock_link_heard(&neighbor, ++seq);
    CHECK_EQ(neighbor.expected, 17);
    CHECK_EQ(neighbor.received, 17);
    /* A link that turns from all to one in four is soon known for what it is. */
    for (int i = 0; i < 24; i++) {
        seq = (uint8_t)(seq + 4u);
        penstock_link_heard(&neighbor, seq);
    }
    CHECK(neighbor.delivery_in > 55 && neighbor.delivery_in < 85);
    CHECK(neighbor.expected <= PENSTOCK_LINK_WINDOW);
}

static void test_reboot(void)
{
    penstock_neighbor_t neighbor = start(10u);
    for (uint8_t seq = 11u; seq <= 20u; seq++) {
        penstock_link_heard(&neighbor, seq);
    }
    penstock_link_heard(&neighbor, 20u + 128u);
    CHECK_EQ(neighbor.expected, 0);
    CHECK_EQ(neighbor.delivery_in, 255); /* stands until there is a new estimate */
    penstock_link_heard(&neighbor, 20u + 128u + 8u);
    CHECK_EQ(neighbor.delivery_in, 31);
    /* One less is a gap like any other. */
    neighbor = start(10u);
    penstock_link_heard(&neighbor, 10u + 127u);
    CHECK_EQ(neighbor.expected, 32);
    CHECK_EQ(neighbor.received, 1);
    CHECK_EQ(neighbor.delivery_in, 7);
}

static void test_etx(void)
{
    penstock_neighbor_t neighbor = {.delivery_in = 255u, .delivery_out = 255u};
    CHECK_EQ(penstock_link_etx(&neighbor), 128); /* Eq. 2.1: 1/(1*1) */
    neighbor.delivery_in = 128u;
    CHECK_EQ(penstock_link_etx(&neighbor), 255); /* 1/0.502 = 1.992 */
    neighbor.delivery_out = 128u;
    CHECK_EQ(penstock_link_etx(&neighbor), 508); /* 3.97 */
    neighbor.delivery_in = 64u;
    neighbor.delivery_out = 64u;
    CHECK_EQ(penstock_link_etx(&neighbor), 2032); /* 15.9, just usable */
    neighbor.delivery_out = 63u;
    CHECK_EQ(penstock_link_etx(&neighbor), PENSTOCK_ETX_NONE);
    neighbor.delivery_in = 0u;
    neighbor.delivery_out = 255u;
    CHECK_EQ(penstock_link_etx(&neighbor), PENSTOCK_ETX_NONE);
    neighbor.delivery_in = 255u;
    neighbor.delivery_out = 0u;
    CHECK_EQ(penstock_link_etx(&neighbor), PENSTOCK_ETX_NONE);
}

int main(void)
{
    test_needs_four();
    test_gaps();
    test_halving();
    test_reboot();
    test_etx();
    return check_result();
}
