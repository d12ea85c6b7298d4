/* WRCP's arithmetic: what a receiver has left for each flow, and what a flow makes of it.
 *
 * A receiver (Eq. 4, of which Eq. 3 is the case of perfect links):
 *
 *     gamma = (B - r_ext - sum of p r_tot) / (sum of p F)
 *
 * A flow, for the least gamma of all receivers that its packets use (section 4.1):
 *
 *     gamma > 0                      r = r + alpha gamma         (Eq. 5)
 *     gamma < 0                      r = min(r, what the bottleneck allows each flow)
 *     joining and gamma not above 0  r = 2 r                     (Eq. 11)
 *
 * The paper's second case, Eq. 5 at the bottleneck itself with its negative gamma, is in what a bottleneck
 * allows: that falls by alpha gamma. In the paper it is one number with the bottleneck's own rate r. Here it
 * is a number of its own. A node may hear flows that are much faster than what it may send
 * itself: its own packets go a way that theirs do not. With one number for both it would cut them to its own
 * rate whenever its gamma is below 0; and a root has no rate at all. What a receiver allows rises and falls
 * by its own alpha gamma, and is never above the fastest flow that it hears (else it
 * would rise for as long as something else is the bottleneck, and need as long to come down). Where all flows
 * at the bottleneck have one rate, as in the paper's analysis (section 5), it is the paper's rule.
 *
 * gamma = 0. On air and here gamma has steps of 1/256 packets/s, so a network that is full shows 0, which in the
 * paper's real numbers never happens. It changes no rate. A joining flow doubles, as the paper says
 * (its example is a network that is full), but its phase ends when gamma is not above 0 and its rate has reached what
 * is allowed, not only when gamma is below: else all flows of a network that starts at once would double when they have
 * just filled it.
 *
 * A flow grows only if it uses what it has. The paper's sources always do. One that does
 * not would let its rate rise without end, and then flood the network with a burst.
 *
 * Rounding: gamma down, its share alpha gamma down. Rates are Q16.16, so the smallest gamma, 1/256,
 * still moves a rate with alpha = 1/255 or more. The start rate is a floor: no flow is starved for good.
 *
 * Range. Loads are below 2^27 / 256 packets/s: 255 neighbours of 1024 packets/s. What is left over is cut
 * to +-2^22 (16,384 packets/s) before it is multiplied by 255, gamma to 16 bits (+-128 packets/s); alpha gamma is a
 * product of 15 and 16 bits. Nothing can overflow 32 bits, and only flows_q255 = 0 could divide by 0.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "control/wrcp_rate.h"

#define CAPACITY_SHIFT 2u /* from 1/64 to 1/256 */
#define QUALITY_ONE 255
#define MOST_LEFT (INT32_C(1) << 22)
#define STEP_DIVISOR 128 /* 1/256 * 1/32768 to 1/65536 */

uint32_t penstock_wrcp_capacity(const penstock_wrcp_params_t *params, uint8_t senders)
{
    uint8_t entry = senders > 0u ? (uint8_t)(senders - 1u) : 0u;
    uint8_t last = (uint8_t)(params->capacity_len - 1u);
    return (uint32_t)params->capacity[entry < last ? entry : last] << CAPACITY_SHIFT;
}

static int32_t within(int32_t value, int32_t low, int32_t high)
{
    if (value < low) {
        return low;
    }
    return value < high ? value : high;
}

/* Rounded down, also below 0. */
static int32_t divide(int32_t dividend, int32_t divisor)
{
    int32_t quotient = dividend / divisor;
    return dividend % divisor < 0 ? quotient - 1 : quotient;
}

int16_t penstock_wrcp_gamma(uint32_t capacity, uint32_t external, uint32_t load, uint32_t flows_q255)
{
    if (flows_q255 == 0u) {
        return PENSTOCK_WRCP_GAMMA_NONE;
    }
    int32_t left = within((int32_t)capacity - (int32_t)external - (int32_t)load, -MOST_LEFT, MOST_LEFT);
    return (int16_t)within(divide(left * QUALITY_ONE, (int32_t)flows_q255), INT16_MIN, INT16_MAX);
}

int32_t penstock_wrcp_step(uint16_t alpha_q15, int16_t gamma)
{
    return divide((int32_t)alpha_q15 * gamma, STEP_DIVISOR);
}

uint32_t penstock_wrcp_add(const penstock_wrcp_params_t *params, uint32_t rate, int32_t step)
{
    /* Both are below 2^24 in size. */
    return (uint32_t)within((int32_t)rate + step, (int32_t)params->start_rate, (int32_t)PENSTOCK_WRCP_RATE_MAX);
}

uint32_t penstock_wrcp_next_rate(const penstock_wrcp_params_t *params, uint32_t rate, penstock_wrcp_narrow_t least,
                                 bool may_grow, bool *joining)
{
    uint32_t allowed = (uint32_t)least.allowed << 8;
    int32_t step = 0;
    if (least.gamma > 0) {
        step = may_grow ? penstock_wrcp_step(params->alpha_q15, least.gamma) : 0;
    } else if (*joining && rate < allowed) {
        step = may_grow ? (int32_t)rate : 0;
    } else {
        *joining = false;
        if (least.gamma < 0 && rate > allowed) {
            rate = allowed;
        }
    }
    return penstock_wrcp_add(params, rate, step);
}

uint32_t penstock_wrcp_next_allowed(const penstock_wrcp_params_t *params, uint32_t allowed, int16_t gamma,
                                    uint32_t highest)
{
    if (gamma == PENSTOCK_WRCP_GAMMA_NONE) {
        return PENSTOCK_PPS_UNLIMITED;
    }
    uint32_t base = allowed < highest ? allowed : highest;
    return penstock_wrcp_add(params, base, penstock_wrcp_step(params->alpha_q15, gamma));
}

penstock_wrcp_narrow_t penstock_wrcp_narrower(penstock_wrcp_narrow_t a, penstock_wrcp_narrow_t b)
{
    if (a.gamma != b.gamma) {
        return a.gamma < b.gamma ? a : b;
    }
    return a.allowed < b.allowed ? a : b;
}
