/* A line of nodes whose middle link gets bad and good again, and one whose path gets shorter in the middle of a flow
 * (Flush, SenSys 2007, 4.5). The slotted line has no carrier sense, so what is lost is lost to collisions and the bad
 * link: the figures are this world's, the directions are the paper's.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <string.h>

#include "bulk_line.h"
#include "check.h"

enum { LENGTH = 6, BEST = 3, BAD_SLOTS = 1250 };

static line_t line;

typedef struct outcome {
    uint32_t arrived;
    uint32_t drops;
    uint32_t widest; /* the source's D while the link was bad */
    uint8_t longest; /* queue */
} outcome_t;

/* The link from node 3 to node 2 loses 70 % of its frames for 10 s. */
static outcome_t with_bad_link(uint8_t mode)
{
    outcome_t outcome;
    memset(&outcome, 0, sizeof outcome);
    line_prepare(&line, LENGTH, 1);
    line.params.path.mode = mode;
    line.params.path.fixed_interval_us = BEST * LINE_SLOT_US; /* the best one while all links are good */
    line_start(&line, 12u * LINE_SLOT_US);
    CHECK(line_run(&line, 100u, 20u));
    CHECK_EQ(line.last_gap, BEST);
    uint32_t arrived = line.arrived;
    line.nodes[3].loss_percent = 70;
    for (int slot = 0; slot < BAD_SLOTS; slot++) {
        line_slot(&line);
        uint8_t queue = line_longest_queue(&line);
        uint32_t interval = line_state(&line, LENGTH).interval_us;
        outcome.longest = queue > outcome.longest ? queue : outcome.longest;
        outcome.widest = interval > outcome.widest ? interval : outcome.widest;
    }
    outcome.arrived = line.arrived - arrived;
    outcome.drops = line_drops(&line);
    line.nodes[3].loss_percent = 0;
    CHECK(line_run(&line, 200u, 20u));
    return outcome;
}

static void test_bad_link(void)
{
    outcome_t fixed = with_bad_link(PENSTOCK_BULK_FIXED);
    static const uint8_t modes[] = {PENSTOCK_BULK_FLUSH, PENSTOCK_BULK_FLUSH_E2E};
    for (size_t i = 0u; i < sizeof modes; i++) {
        outcome_t outcome = with_bad_link(modes[i]);
        CHECK(outcome.widest > 2u * BEST * LINE_SLOT_US); /* it slows down ... */
        CHECK(outcome.longest <= 5);                      /* ... so that no queue gets long ... */
        CHECK(outcome.drops * 2u < fixed.drops);          /* ... and far fewer packets are lost, ... */
        /* ... of what was sent as well as on the whole. */
        CHECK(outcome.drops * (fixed.drops + fixed.arrived) * 2u <
              fixed.drops * (outcome.drops + outcome.arrived) * 3u);
        /* When the link is good again D comes back. A microsecond above three slots is four slots here. */
        CHECK(line_state(&line, LENGTH).interval_us <= BEST * LINE_SLOT_US + 1000u);
    }
}

/* Node 4 of 6 leaves node 3 out: nothing is lost, the places ahead are right again, and so is the rate. */
static void test_shorter_path(void)
{
    line_prepare(&line, 7, 2);
    line_start(&line, 12u * LINE_SLOT_US);
    CHECK(line_run(&line, 100u, 20u));
    CHECK_EQ(line.last_gap, 4);
    CHECK_EQ(line_state(&line, 4).interferers, 2);
    penstock_set_parent(&line.nodes[4].node, 102u, line.now);
    CHECK(line_run(&line, 200u, 20u));
    CHECK_EQ(line_drops(&line), 0);
    CHECK_EQ(line_state(&line, 2).hops, 5);
    CHECK_EQ(line_state(&line, 7).hops, 1);
    CHECK_EQ(line.last_gap, 4);
    CHECK_EQ(line_state(&line, 7).interval_us, 4 * LINE_SLOT_US);
    CHECK_EQ(line_state(&line, 4).interferers, 1); /* node 2 alone; node 1 is three links away */
    CHECK_EQ(line_state(&line, 4).f_us, LINE_SLOT_US);
}

int main(void)
{
    test_bad_link();
    test_shorter_path();
    return check_result();
}
