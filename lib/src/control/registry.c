/* All strategies by name. A new one adds its file, and a line here.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "penstock/control.h"

const penstock_strategy_t *const penstock_strategies[] = {
    &penstock_control_none,  &penstock_control_occupancy,    &penstock_control_channel,
    &penstock_control_delay, &penstock_control_rate,         &penstock_control_fusion,
    &penstock_control_share, &penstock_control_fusion_share, NULL,
};

static bool same(const char *a, const char *b)
{
    while (*a != '\0' && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

const penstock_strategy_t *penstock_strategy_by_name(const char *name)
{
    for (const penstock_strategy_t *const *each = penstock_strategies; *each != NULL; each++) {
        if (same((*each)->name, name)) {
            return *each;
        }
    }
    return NULL;
}
