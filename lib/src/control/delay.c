/* Strategy "delay": queue occupancy, and silence after the parent's transmissions for the
 * sake of hidden terminals (thesis 4.5, Table 5.1).
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "control/parts.h"

static const penstock_part_t *const parts[] = {
    &penstock_part_detect_occupancy, &penstock_part_backpressure, &penstock_part_news_overheard,
    &penstock_part_parent_delay,     &penstock_part_priority,     NULL,
};

const penstock_strategy_t penstock_control_delay = {"delay", parts};
