/* The prioritized MAC.
 *
 * Thesis 4.4, after Aad and Castelluccia: the backoff window of a congested node is a
 * quarter of the others', so that it wins the channel more often, empties its queue,
 * and tells its neighbourhood that it is congested. The MAC does it; this part says by
 * how many binary places the window shrinks (2: a quarter). The thesis sets it for data; a
 * beacon of a congested node gets it too, since it carries the same news.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "control/parts.h"
#include "penstock/penstock.h"

static uint8_t backoff_shift(const penstock_node_t *node)
{
    return penstock_congested(node) ? node->config->control_params.priority_shift : 0u;
}

const penstock_part_t penstock_part_priority = {
    .backoff_shift = backoff_shift,
};
