/* Strategy "channel": hop-by-hop flow control, congestion detected by channel sampling
 * as in CODA (thesis 4.2, Table 5.1).
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "control/parts.h"

static const penstock_part_t *const parts[] = {
    &penstock_part_detect_channel,
    &penstock_part_backpressure,
    &penstock_part_news_overheard,
    &penstock_part_priority,
    NULL,
};

const penstock_strategy_t penstock_control_channel = {"channel", parts};
