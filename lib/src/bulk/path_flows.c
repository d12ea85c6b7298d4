/* The flows through a node: one entry for each origin, in an array of the caller's.
 *
 * Flush supposes one flow at a time (section 2, "Isolation"), and its state is one flow's. Two transfers may meet in
 * a tree all the same, and a node that took both for one would go by the predecessor of the one and the hops of the
 * other. So what depends on where a packet comes from is kept by origin. Delta belongs to the link to the parent, which
 * all flows share, and is kept once.
 *
 * The table decides about rates and duplicates, not about delivery: a flow too many takes the place of the one that was
 * silent for longest, which begins anew with its next packet.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "bulk/path_parts.h"

static void clear(penstock_bulk_flow_t *flow, penstock_addr_t origin)
{
    *flow = (penstock_bulk_flow_t){0};
    flow->origin = origin;
    flow->from = PENSTOCK_ADDR_NONE;
    flow->to = PENSTOCK_ADDR_NONE;
    for (uint8_t i = 0u; i < PENSTOCK_BULK_SUCCESSORS; i++) {
        flow->ahead[i].address = PENSTOCK_ADDR_NONE;
    }
}

void penstock_bulk_flows_init(penstock_node_t *node)
{
    for (uint8_t i = 0u; i < node->config->bulk_flow_capacity; i++) {
        clear(&node->config->bulk_flows[i], PENSTOCK_ADDR_NONE);
    }
}

penstock_bulk_flow_t *penstock_bulk_flow_find(const penstock_node_t *node, penstock_addr_t origin)
{
    for (uint8_t i = 0u; i < node->config->bulk_flow_capacity; i++) {
        if (node->config->bulk_flows[i].origin == origin) {
            return &node->config->bulk_flows[i];
        }
    }
    return NULL;
}

penstock_bulk_flow_t *penstock_bulk_flow_take(penstock_node_t *node, penstock_addr_t origin, penstock_time_t now)
{
    penstock_bulk_flow_t *flow = penstock_bulk_flow_find(node, origin);
    if (flow == NULL) {
        flow = &node->config->bulk_flows[0];
        for (uint8_t i = 0u; i < node->config->bulk_flow_capacity; i++) {
            penstock_bulk_flow_t *other = &node->config->bulk_flows[i];
            if (other->origin == PENSTOCK_ADDR_NONE) {
                flow = other;
                break;
            }
            flow = now - other->seen_at > now - flow->seen_at ? other : flow;
        }
        clear(flow, origin);
    }
    flow->seen_at = now;
    return flow;
}

uint8_t penstock_bulk_flows_active(const penstock_node_t *node, penstock_time_t now)
{
    uint8_t active = 0u;
    for (uint8_t i = 0u; i < node->config->bulk_flow_capacity; i++) {
        const penstock_bulk_flow_t *flow = &node->config->bulk_flows[i];
        bool recent = now - flow->seen_at < node->config->bulk_params->path.longest_wait_us;
        active = (uint8_t)(active + (flow->origin != PENSTOCK_ADDR_NONE && recent ? 1u : 0u));
    }
    return active > 0u ? active : 1u;
}
