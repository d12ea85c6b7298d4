/* Flush's idealised pipeline (SenSys 2007, 2.3.1): over N hops with interference range I the source sends at exactly
 * r(N, I) = 1/min(N, 2 + I) packets a slot, which the estimator finds from what it overhears.
 *
 * Slots are 8 ms, so that a slot is a whole number of the milliseconds that frames tell, and everything is exact: every
 * packet arrives min(N, 2 + I) slots after the one before it, and none collides. The model lets nodes hear only one
 * hop, which an estimator that listens for its interferers cannot live with; here they hear as far as they disturb.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "bulk_line.h"
#include "check.h"

static line_t line;

static uint32_t expected_slots(int length, int range)
{
    return (uint32_t)(length < 2 + range ? length : 2 + range);
}

/* The source speeds up with what it hears after its first packet: then the interferers of its next hop are in the way
 * from the start, and some of them are never heard. Rule 1 rests on hearing them, so the rate cannot be right; this is
 * what the slow start of four packets is for. */
static void test_interferers_must_be_heard(void)
{
    line_prepare(&line, 3, 1);
    line_start(&line, 12u * LINE_SLOT_US);
    line.nodes[3].flows[0].start_left = 1u;
    CHECK(line_run(&line, 200u, 20u));
    CHECK_EQ(line.last_gap, 3);
    CHECK(line.collisions > 150u);
    CHECK_EQ(line_state(&line, 2).interferers, 0);
}

static void check_rate(int length, int range, bool companded)
{
    line_prepare(&line, length, range);
    line.params.path.companded = companded;
    line_start(&line, 12u * LINE_SLOT_US);
    CHECK(line_run(&line, 200u, 20u));
    uint32_t slots = expected_slots(length, range);
    for (int packet = 0; packet < 200; packet++) {
        CHECK(line_run(&line, 1u, 20u));
        CHECK_EQ(line.last_gap, slots);
    }
    CHECK_EQ(line.collisions, 0);
    penstock_bulk_path_state_t source = line_state(&line, length);
    CHECK_EQ(source.interval_us, slots * LINE_SLOT_US);
    CHECK_EQ(source.delay_us, LINE_SLOT_US);
    CHECK_EQ(line_drops(&line), 0);
}

int main(void)
{
    for (int range = 1; range <= 6; range++) {
        for (int length = 1; length <= 20; length++) {
            check_rate(length, range, false);
            check_rate(length, range, true);
        }
    }
    test_interferers_must_be_heard();
    return check_result();
}
