/* How congested a node is, by IFRC: its average queue, and a ladder of thresholds.
 *
 * The average is exponentially weighted and taken whenever a packet is put into the queue, this node's own or
 * another's, that packet included (the authors' queue does it there, and when the packet finds
 * no room):
 *
 *     q = q + w (n - q)
 *
 * Beyond U(0) the node is congested until the average is below L. In between, while the average rises, it
 * crosses U(1), U(2), ... with U(k) = U(k-1) + I / 2^(k-1), and each crossing cuts the rate to the half:
 * the fuller the queue, the more quickly. All of them in one formula: U(k) = U(0) + 2 I - 2 I / 2^k. As in the authors'
 * program there are four, and the fourth does not halve: the rate is r_init again, whatever it was, and
 * starts slowly. A queue that gets there is filled faster than halving can follow (additive increase adds
 * epsilon r_thresh^2 in a second, and the average follows the queue by packets, not by seconds), and without that a
 * rate could stay high beside a full queue, which has nothing left to cross.
 *
 * Their numbers are w = 0.03, L = 4, U(0) = 8, I = 8 in a queue of 64 (the Makefile of the program). WRCP (8.1) ran
 * IFRC with U(0) = 20 and says nothing of the others. Where a config leaves them at 0:
 *
 *   U(0) is 20 packets of a queue of 64 or more, and the same share of a shorter one;
 *   L is half of U(0), the authors' ratio;
 *   I is U(0), the same, or what brings U(0) + 2 I, below which all thresholds lie, to the
 *   queue's capacity if that is less.
 *
 * Fixed point: 1/4096 packets. The weight has 12 bits, the difference 20, so 32 hold their product. Each
 * step is rounded towards the average before, which therefore stops up to 1/(4096 w) of a packet short of a
 * constant queue: 0.008 packets with w = 0.03.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "control/ifrc_parts.h"

#define ONE UINT32_C(4096) /* packet; and a weight of 1 */
#define UPPER_DEFAULT 20u
#define CAPACITY_DEFAULT 64u

static uint32_t first_q12(const penstock_config_t *config)
{
    uint32_t packets = config->control_params.ifrc.upper;
    if (packets != 0u) {
        return packets * ONE;
    }
    uint32_t capacity = config->queue_capacity < CAPACITY_DEFAULT ? config->queue_capacity : CAPACITY_DEFAULT;
    return capacity * ONE * UPPER_DEFAULT / CAPACITY_DEFAULT;
}

static uint32_t increment_q12(const penstock_config_t *config)
{
    uint32_t packets = config->control_params.ifrc.increment;
    if (packets != 0u) {
        return packets * ONE;
    }
    uint32_t first = first_q12(config);
    uint32_t room = (config->queue_capacity * ONE - first) / 2u;
    return first < room ? first : room;
}

uint32_t penstock_ifrc_upper_q12(const penstock_config_t *config, uint8_t k)
{
    uint32_t twice = 2u * increment_q12(config);
    return first_q12(config) + twice - (twice >> k);
}

uint32_t penstock_ifrc_lower_q12(const penstock_config_t *config)
{
    uint32_t packets = config->control_params.ifrc.lower;
    return packets != 0u ? packets * ONE : first_q12(config) / 2u;
}

bool penstock_ifrc_thresholds_fit(const penstock_config_t *config)
{
    const penstock_ifrc_params_t *params = &config->control_params.ifrc;
    uint32_t capacity = config->queue_capacity * ONE;
    uint32_t first = first_q12(config);
    return params->queue_weight_q12 >= 1u && params->queue_weight_q12 <= ONE && first < capacity &&
           penstock_ifrc_lower_q12(config) < first && first + increment_q12(config) <= capacity;
}

static uint32_t averaged(uint32_t average, uint32_t reading, uint32_t weight)
{
    if (reading > average) {
        return average + (reading - average) * weight / ONE;
    }
    return average - (average - reading) * weight / ONE;
}

void penstock_ifrc_measure(penstock_node_t *node, penstock_time_t now)
{
    const penstock_config_t *config = node->config;
    penstock_ifrc_t *ifrc = &node->control.ifrc;
    uint32_t queue = node->queue.count * ONE;
    ifrc->average_q12 = averaged(ifrc->average_q12, queue, config->control_params.ifrc.queue_weight_q12);
    if (ifrc->average_q12 < penstock_ifrc_lower_q12(config)) {
        ifrc->level = 0u;
    }
    while (ifrc->level < PENSTOCK_IFRC_LEVELS && ifrc->average_q12 >= penstock_ifrc_upper_q12(config, ifrc->level)) {
        ifrc->level++;
        if (ifrc->level < PENSTOCK_IFRC_LEVELS) {
            penstock_ifrc_halve(node, now);
        } else {
            penstock_ifrc_collapse(node, now);
        }
    }
}
