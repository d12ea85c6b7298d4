/* All strategies by name. A new one adds its file, and a line here.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "penstock/control.h"

const penstock_strategy_t *const penstock_strategies[] = {
    &penstock_control_none,      /* thesis Table 5.1 */
    &penstock_control_occupancy, /* 4.2 */
    &penstock_control_channel,   /* 4.2 */
    &penstock_control_delay,     /* 4.5 */
    &penstock_control_rate,      /* 4.3 */
    &penstock_control_fusion,    /* 4.1 */
    &penstock_control_loss,      /* 4.2, future work */
    &penstock_control_union,     /* 4.2, future work */
    &penstock_control_ack,       /* 6.1, future work */
    &penstock_control_share,     /* 6.1, future work */
    &penstock_control_fusion_share,
    &penstock_control_ifrc, /* SIGCOMM 2006 */
    &penstock_control_wrcp, /* SenSys 2009 */
    NULL,
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
