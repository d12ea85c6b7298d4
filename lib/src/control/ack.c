/* Strategy "ack": queue occupancy, and the parent's news from its link acknowledgements
 * instead of from overhearing (thesis 6.1). For radios that drop what is not addressed to
 * them, and motes that sleep while others talk.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "control/parts.h"

static const penstock_part_t *const parts[] = {
    &penstock_part_detect_occupancy,
    &penstock_part_backpressure,
    &penstock_part_news_ack,
    &penstock_part_priority,
    NULL,
};

const penstock_strategy_t penstock_control_ack = {"ack", parts};
