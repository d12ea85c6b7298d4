/* Congestion detection by queue occupancy.
 *
 * Thesis 4.2: when the free share of the output queue falls below alpha = 0.25, the
 * congestion bit of outgoing packets is set; otherwise it is cleared. There is no state:
 * the queue is looked at when somebody asks, which is when a frame is made.
 *
 * With eight slots, 0.25 is two of them, and "below" means seven packets or more.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "control/parts.h"
#include "penstock/penstock.h"

static bool congested(const penstock_node_t *node)
{
    const penstock_queue_t *queue = &node->queue;
    uint16_t free_slots = (uint16_t)(queue->capacity - queue->count);
    uint16_t threshold = node->config->control_params.occupancy_free_q8;
    return (uint32_t)free_slots * 256u < (uint32_t)threshold * queue->capacity;
}

const penstock_part_t penstock_part_detect_occupancy = {
    .congested = congested,
};
