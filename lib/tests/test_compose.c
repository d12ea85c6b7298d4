/* A strategy speaks with one voice: how the answers of its parts become one.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "control/compose.h"
#include "one_node.h"

/* Two parts that say what they are told to say. */
static struct answers {
    bool congested, may, wants_tick, wants_sample;
    penstock_time_t at;
    uint8_t shift;
    int told;
} answers[2];

static bool congested_0(const penstock_node_t *node)
{
    (void)node;
    return answers[0].congested;
}

static bool congested_1(const penstock_node_t *node)
{
    (void)node;
    return answers[1].congested;
}

static bool answer(int part, bool yes, penstock_time_t *at)
{
    *at = answers[part].at;
    return yes;
}

static bool may_0(penstock_node_t *node, penstock_time_t now, penstock_time_t *at)
{
    (void)node;
    (void)now;
    return answer(0, answers[0].may, at);
}

static bool may_1(penstock_node_t *node, penstock_time_t now, penstock_time_t *at)
{
    (void)node;
    (void)now;
    return answer(1, answers[1].may, at);
}

static bool deadline_0(const penstock_node_t *node, penstock_time_t now, penstock_time_t *at)
{
    (void)node;
    (void)now;
    return answer(0, answers[0].wants_tick, at);
}

static bool deadline_1(const penstock_node_t *node, penstock_time_t now, penstock_time_t *at)
{
    (void)node;
    (void)now;
    return answer(1, answers[1].wants_tick, at);
}

static uint8_t shift_0(const penstock_node_t *node)
{
    (void)node;
    return answers[0].shift;
}

static uint8_t shift_1(const penstock_node_t *node)
{
    (void)node;
    return answers[1].shift;
}

static bool wants_sample_1(const penstock_node_t *node, penstock_time_t now)
{
    (void)node;
    (void)now;
    return answers[1].wants_sample;
}

static void tick_0(penstock_node_t *node, penstock_time_t now)
{
    (void)node;
    (void)now;
    answers[0].told++;
}

static void tick_1(penstock_node_t *node, penstock_time_t now)
{
    (void)node;
    (void)now;
    answers[1].told++;
}

static void acked_1(penstock_node_t *node, bool congested, penstock_time_t now)
{
    (void)node;
    (void)now;
    answers[1].told += congested ? 100 : 10;
}

static const penstock_part_t part_0 = {.congested = congested_0,
                                       .may_transmit = may_0,
                                       .may_admit = may_0,
                                       .deadline = deadline_0,
                                       .backoff_shift = shift_0,
                                       .tick = tick_0};
static const penstock_part_t part_1 = {.congested = congested_1,
                                       .may_transmit = may_1,
                                       .may_admit = may_1,
                                       .deadline = deadline_1,
                                       .backoff_shift = shift_1,
                                       .wants_channel_sample = wants_sample_1,
                                       .acked = acked_1,
                                       .tick = tick_1};
static const penstock_part_t silent = {.init = NULL};
static const penstock_part_t *const parts[] = {&silent, &part_0, &part_1, NULL};
static const penstock_strategy_t strategy = {"test", parts};

/* Asks with the two moments, in both orders of the parts. */
static void test_moments(penstock_node_t *node, penstock_time_t early, penstock_time_t late)
{
    for (int first = 0; first < 2; first++) {
        answers[first].at = early;
        answers[1 - first].at = late;
        penstock_time_t at = 0u;
        answers[0].may = answers[1].may = false;
        CHECK(!penstock_control_may_transmit(node, early - 5u, &at)); /* all must agree: the later moment */
        CHECK_EQ(at, late);
        CHECK(!penstock_control_may_admit(node, early - 5u, &at));
        CHECK_EQ(at, late);
        answers[first].may = true;
        CHECK(!penstock_control_may_transmit(node, early - 5u, &at));
        CHECK_EQ(at, late); /* the one that says yes has no say in it */
        answers[1 - first].may = true;
        CHECK(penstock_control_may_transmit(node, early - 5u, &at));
        CHECK(penstock_control_may_admit(node, early - 5u, &at));

        answers[0].wants_tick = answers[1].wants_tick = true;
        CHECK(penstock_next_deadline(node, early - 5u, &at)); /* somebody wants it: the earlier moment */
        CHECK_EQ(at, early);
        answers[first].wants_tick = false;
        CHECK(penstock_next_deadline(node, early - 5u, &at));
        CHECK_EQ(at, late);
        answers[1 - first].wants_tick = false;
        CHECK(!penstock_next_deadline(node, early - 5u, &at));
    }
}

int main(void)
{
    one_node_t bench;
    one_node_prepare(&bench, &strategy);
    one_node_start(&bench, 0u);

    CHECK(!penstock_congested(&bench.node));
    answers[1].congested = true;
    CHECK(penstock_congested(&bench.node));
    answers[0].congested = true;
    answers[1].congested = false;
    CHECK(penstock_congested(&bench.node));

    test_moments(&bench.node, 1000u, 2000u);
    test_moments(&bench.node, UINT32_C(0xFFFFFFF0), 16u); /* across the wrap of the clock */

    answers[0].shift = 3u;
    answers[1].shift = 1u;
    CHECK_EQ(penstock_control_backoff_shift(&bench.node), 3);
    answers[1].shift = 4u;
    CHECK_EQ(penstock_control_backoff_shift(&bench.node), 4);

    CHECK(!penstock_wants_channel_sample(&bench.node, 0u));
    answers[1].wants_sample = true;
    CHECK(penstock_wants_channel_sample(&bench.node, 0u));

    penstock_tick(&bench.node, 0u);
    CHECK_EQ(answers[0].told, 1);
    CHECK_EQ(answers[1].told, 1);
    penstock_control_acked(&bench.node, true, 0u);
    penstock_control_acked(&bench.node, false, 0u);
    CHECK_EQ(answers[1].told, 111);
    return check_result();
}
