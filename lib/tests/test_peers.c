/* The table of peers: who is in it, who goes when it is full, and that the parent stays.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "peers.h"

#include "check.h"
#include "one_node.h"

#define UNIT UINT32_C(65536)

static one_node_t bench;

static bool hear(penstock_addr_t address, penstock_time_t now)
{
    bool is_new;
    penstock_peer_t *peer = penstock_peers_heard(&bench.node, address, now, &is_new);
    CHECK_EQ(peer->address, address);
    CHECK_EQ(penstock_peers_age(peer, now), 0);
    return is_new;
}

static void start(uint8_t capacity)
{
    one_node_prepare(&bench, &penstock_control_none);
    bench.config.peer_capacity = capacity;
    one_node_start(&bench, 0u);
}

static void test_the_silent_goes_first_but_not_the_parent(void)
{
    start(3u);
    CHECK(hear(PARENT, 0u));
    CHECK(hear(CHILD, 1u * UNIT));
    CHECK(hear(SIBLING, 2u * UNIT));
    CHECK(!hear(CHILD, 3u * UNIT));
    CHECK(hear(40u, 4u * UNIT)); /* instead of SIBLING: the parent is older, but stays */
    CHECK(penstock_peers_find(&bench.node, PARENT) != NULL);
    CHECK(penstock_peers_find(&bench.node, CHILD) != NULL);
    CHECK(penstock_peers_find(&bench.node, SIBLING) == NULL);
}

static void test_age(void)
{
    start(3u);
    penstock_time_t late = UINT32_MAX - UNIT; /* the clock goes round */
    CHECK(hear(CHILD, late));
    CHECK(hear(SIBLING, late + 2u * UNIT));
    CHECK_EQ(penstock_peers_age(penstock_peers_find(&bench.node, CHILD), late + 2u * UNIT), 2u * UNIT);
    penstock_peers_forget(&bench.node, UNIT, late + 2u * UNIT);
    CHECK(penstock_peers_find(&bench.node, CHILD) == NULL);
    CHECK(penstock_peers_find(&bench.node, SIBLING) != NULL);
    CHECK(hear(CHILD, late + 3u * UNIT));
}

static const penstock_part_t needy = {.needs_peers = true};
static const penstock_part_t *const parts[] = {&needy, NULL};
static const penstock_strategy_t strategy = {"needy", parts};

static void test_a_strategy_may_need_them(void)
{
    CHECK(!penstock_strategy_needs_peers(&penstock_control_fusion));
    CHECK(penstock_strategy_needs_peers(&strategy));
    one_node_prepare(&bench, &strategy);
    CHECK_EQ(penstock_init(&bench.node, &bench.config, 0u), PENSTOCK_OK);
    bench.config.peer_capacity = 1u;
    CHECK_EQ(penstock_init(&bench.node, &bench.config, 0u), PENSTOCK_INVALID);
    bench.config.peer_capacity = 2u;
    bench.config.peers = NULL;
    CHECK_EQ(penstock_init(&bench.node, &bench.config, 0u), PENSTOCK_INVALID);
    bench.config.control = &penstock_control_none;
    bench.config.peer_capacity = 0u;
    CHECK_EQ(penstock_init(&bench.node, &bench.config, 0u), PENSTOCK_OK);
    CHECK(penstock_peers_find(&bench.node, PARENT) == NULL);
}

int main(void)
{
    test_the_silent_goes_first_but_not_the_parent();
    test_age();
    test_a_strategy_may_need_them();
    return check_result();
}
