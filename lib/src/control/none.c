/* Strategy "none": no congestion control, the unmodified B-MAC (thesis Table 5.1). What
 * enters the queue is sent as soon as the MAC takes it. The baseline.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "control/parts.h"

static const penstock_part_t *const parts[] = {
    NULL,
};

const penstock_strategy_t penstock_control_none = {"none", parts};
