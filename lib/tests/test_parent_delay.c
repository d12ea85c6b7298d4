/* Silence after the parent's transmission (thesis 4.5).
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "one_node.h"

static void test_silence(penstock_time_t start)
{
    one_node_t bench;
    one_node_prepare(&bench, &penstock_control_delay);
    one_node_start(&bench, start);
    (void)one_node_feed(&bench, start);
    penstock_time_t heard = start + 1000u;
    (void)one_node_hear_parent(&bench, 5u, 0u, false, heard);
    penstock_time_t at;
    CHECK(penstock_next_deadline(&bench.node, heard, &at));
    CHECK_EQ(at, (penstock_time_t)(heard + 40000u));
    CHECK(!one_node_transmits(&bench, heard));
    CHECK(!one_node_transmits(&bench, heard + 39999u));
    CHECK(!penstock_next_deadline(&bench.node, heard + 40000u, &at));
    CHECK(one_node_transmits(&bench, heard + 40000u));
}

static void test_what_is_no_transmission_of_the_parent(void)
{
    one_node_t bench;
    one_node_prepare(&bench, &penstock_control_delay);
    one_node_start(&bench, 0u);
    (void)one_node_feed(&bench, 0u);
    (void)one_node_hear(&bench, SIBLING, PARENT, SIBLING, 0u, false, 1000u);
    penstock_beacon_t beacon = {.root = 1u, .etx = PENSTOCK_ETX_NONE, .parent = PENSTOCK_ADDR_NONE};
    (void)one_node_hear_beacon(&bench, PARENT, &beacon, 0u, false, 1000u);
    CHECK(one_node_transmits(&bench, 1000u));
}

static void test_no_deadline_without_a_packet(void)
{
    one_node_t bench;
    one_node_prepare(&bench, &penstock_control_delay);
    one_node_start(&bench, 0u);
    (void)one_node_hear_parent(&bench, 5u, 0u, false, 1000u);
    penstock_time_t at;
    CHECK(!penstock_next_deadline(&bench.node, 1000u, &at));
    /* Long forgotten when the clock has gone half round. */
    (void)one_node_feed(&bench, UINT32_C(0x90000000));
    CHECK(one_node_transmits(&bench, UINT32_C(0x90000000)));
}

/* A beacon is not held back. */
static void test_beacons_pass(void)
{
    one_node_t bench;
    one_node_prepare(&bench, &penstock_control_delay);
    bench.config.beacons = true;
    one_node_start(&bench, 0u);
    penstock_set_parent(&bench.node, PARENT, 0u);
    penstock_time_t due = bench.node.tree.next_beacon;
    (void)one_node_hear_parent(&bench, 5u, 0u, false, due);
    penstock_tick(&bench.node, due);
    CHECK(one_node_transmits(&bench, due));
    CHECK_EQ(bench.frame.type, PENSTOCK_FRAME_BEACON);
}

int main(void)
{
    test_silence(0u);
    test_silence(UINT32_C(0xFFFFF000)); /* across the wrap of the clock */
    test_what_is_no_transmission_of_the_parent();
    test_no_deadline_without_a_packet();
    test_beacons_pass();
    return check_result();
}
