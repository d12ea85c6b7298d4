/* Strategy "loss": hop-by-hop flow control, congestion detected by the loss rate of the
 * node's own attempts (thesis 4.2, left there for future work).
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "control/parts.h"

static const penstock_part_t *const parts[] = {
    &penstock_part_detect_loss,
    &penstock_part_backpressure,
    &penstock_part_news_overheard,
    &penstock_part_priority,
    NULL,
};

const penstock_strategy_t penstock_control_loss = {"loss", parts};
