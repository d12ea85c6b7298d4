/* Thesis Table 5.1 and the strategies beyond it: which one is made of what, and the numbers.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <string.h>

#include "check.h"
#include "control/parts.h"
#include "penstock/penstock.h"

static void check_parts(const char *name, int count, const penstock_part_t *const *expected)
{
    const penstock_strategy_t *strategy = penstock_strategy_by_name(name);
    CHECK(strategy != NULL);
    if (strategy == NULL) {
        return;
    }
    CHECK(strcmp(strategy->name, name) == 0);
    for (int i = 0; i < count; i++) {
        bool found = false;
        for (int j = 0; j < count && strategy->parts[j] != NULL; j++) {
            found = found || strategy->parts[j] == expected[i];
        }
        CHECK(found);
    }
    CHECK(strategy->parts[count] == NULL);
}

int main(void)
{
    const penstock_part_t *occupancy = &penstock_part_detect_occupancy;
    const penstock_part_t *channel = &penstock_part_detect_channel;
    const penstock_part_t *loss = &penstock_part_detect_loss;
    const penstock_part_t *heard = &penstock_part_news_overheard;
    const penstock_part_t *acks = &penstock_part_news_ack;
    const penstock_part_t *backpressure = &penstock_part_backpressure;
    const penstock_part_t *delay = &penstock_part_parent_delay;
    const penstock_part_t *rate = &penstock_part_source_rate;
    const penstock_part_t *priority = &penstock_part_priority;
    check_parts("none", 0, NULL);
    check_parts("occupancy", 4, (const penstock_part_t *const[]){occupancy, backpressure, heard, priority});
    check_parts("channel", 4, (const penstock_part_t *const[]){channel, backpressure, heard, priority});
    check_parts("delay", 5, (const penstock_part_t *const[]){occupancy, backpressure, heard, delay, priority});
    check_parts("rate", 3, (const penstock_part_t *const[]){occupancy, rate, priority});
    check_parts("fusion", 6, (const penstock_part_t *const[]){occupancy, backpressure, heard, delay, rate, priority});
    check_parts("ack", 4, (const penstock_part_t *const[]){occupancy, backpressure, acks, priority});
    check_parts("loss", 4, (const penstock_part_t *const[]){loss, backpressure, heard, priority});
    check_parts("union", 6, (const penstock_part_t *const[]){occupancy, channel, loss, backpressure, heard, priority});
    const penstock_part_t *share = &penstock_part_fair_share;
    check_parts("share", 3, (const penstock_part_t *const[]){occupancy, share, priority});
    check_parts("fusion_share", 6,
                (const penstock_part_t *const[]){occupancy, backpressure, heard, delay, share, priority});
    check_parts("ifrc", 1, (const penstock_part_t *const[]){&penstock_part_ifrc});
    check_parts("wrcp", 1, (const penstock_part_t *const[]){&penstock_part_wrcp});
    CHECK(penstock_strategy_by_name("fus") == NULL);
    CHECK(penstock_strategy_by_name("fusion2") == NULL);
    CHECK(penstock_strategy_by_name("") == NULL);
    int count = 0;
    while (penstock_strategies[count] != NULL) {
        count++;
    }
    CHECK_EQ(count, 13);

    penstock_control_params_t params = penstock_control_defaults();
    CHECK_EQ(params.occupancy_free_q8, 64);
    CHECK_EQ(params.channel_epochs, 4);
    CHECK_EQ(params.channel_epoch_us, 100000);
    CHECK_EQ(params.channel_ewma_q8, 218);
    CHECK_EQ(params.channel_threshold_q8, 165);
    CHECK_EQ(params.loss_ewma_q8, 240);
    CHECK_EQ(params.loss_threshold_q8, 162);
    CHECK_EQ(params.loss_age_us, 4000000);
    CHECK_EQ(params.stop_timeout_us, 0);
    CHECK_EQ(params.ack_stop_us, 0);
    CHECK_EQ(params.parent_delay_us, 40000);
    CHECK_EQ(params.rate_tokens, 10);
    CHECK_EQ(params.rate_window_us, 4000000);
    CHECK_EQ(params.priority_shift, 2);
    CHECK_EQ(params.share_tokens, 2);
    CHECK_EQ(params.share_target_q8, 230);
    CHECK_EQ(params.wrcp.alpha_q15, 3277);
    CHECK_EQ(params.wrcp.beta_q8, 128);
    CHECK_EQ(params.wrcp.start_rate, 6554);
    CHECK_EQ(params.wrcp.capacity[params.wrcp.capacity_len - 1u], 90 * 64);

    for (int reason = 0; reason < PENSTOCK_DROP_COUNT; reason++) {
        CHECK(strcmp(penstock_drop_name((penstock_drop_t)reason), "?") != 0);
    }
    CHECK(strcmp(penstock_drop_name(PENSTOCK_DROP_ACKED_THEN_DROPPED), "acked_then_dropped") == 0);
    CHECK(strcmp(penstock_drop_name(PENSTOCK_DROP_COUNT), "?") == 0);
    CHECK(strcmp(penstock_error_name(PENSTOCK_WOULD_BLOCK), "would_block") == 0);
    CHECK(strcmp(penstock_error_name(1), "?") == 0);
    return check_result();
}
