/* Strategy "fusion_share": Fusion (thesis 4.1) with the rate limiter of fair_share.c in
 * place of its own.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "control/parts.h"

static const penstock_part_t *const parts[] = {
    &penstock_part_detect_occupancy,
    &penstock_part_backpressure,
    &penstock_part_news_overheard,
    &penstock_part_parent_delay,
    &penstock_part_fair_share,
    &penstock_part_priority,
    NULL,
};

const penstock_strategy_t penstock_control_fusion_share = {"fusion_share", parts};
