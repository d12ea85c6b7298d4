/* Strategy "share": source rate limiting alone, by rates that nodes tell each other
 * (fair_share.c). Beside "rate", which guesses them (thesis 4.3).
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "control/parts.h"

static const penstock_part_t *const parts[] = {
    &penstock_part_detect_occupancy,
    &penstock_part_fair_share,
    &penstock_part_priority,
    NULL,
};

const penstock_strategy_t penstock_control_share = {"share", parts};
