/* Strategy "rate": source rate limiting alone (thesis 4.3, Table 5.1). Nobody stops for
 * anybody here; queue occupancy is there for the prioritized MAC, which every strategy but
 * "none" has (thesis 5.1) and which must know when a node is congested.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "control/parts.h"

static const penstock_part_t *const parts[] = {
    &penstock_part_detect_occupancy,
    &penstock_part_source_rate,
    &penstock_part_priority,
    NULL,
};

const penstock_strategy_t penstock_control_rate = {"rate", parts};
