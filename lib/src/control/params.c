/* The numbers of thesis Table 5.1, and those of what the thesis leaves open.
 *
 * The threshold of channel sampling is thesis Equation 2.3, Smax = 1/(1 + 2 sqrt(tau C/L)),
 * for the Mica2: C = 19.2 kbit/s, L = 288 bit (36 B), and tau = 1.13 ms, the five readings
 * of 226 us that B-MAC may take to call the channel idle or busy (Polastre, Hill, Culler,
 * SenSys 2004: five samples, outlier detection; TinyOS 1.1: one ADC conversion each).
 * tau C is 21.7 bit, hence Smax = 1/(1 + 2 sqrt(21.7/288)) = 0.646, in 1/256: 165.
 *
 * The number of samples in an epoch is in neither the thesis nor its table; twenty, one
 * every 5 ms, resolve a fifth of a Mica2 packet.
 *
 * Loss rate is in neither. The average spans 16 attempts (240/256 for the past), as the link
 * estimator does with which it is compared (link_estimator.c: frames fade by half about
 * every sixteen). The threshold is 1 - 1/e = 0.632, in 1/256: 162. Nodes that do not hear
 * each other send as in ALOHA, and its throughput, G exp(-G) with slots and G exp(-2G)
 * without, is largest where an attempt succeeds with probability 1/e (Abramson 1970;
 * Roberts 1975). Beyond that point more traffic gets less through, which is what congestion
 * is. What is older than the 4 s in which Table 5.1 remembers traffic says nothing about
 * the load of today.
 *
 * Told rates are not the thesis's. Nine tenths of the capacity is the target utilization of
 * ERICA (Kalyanaraman, Jain, Fahmy, Goyal, Vandalore, IEEE/ACM Trans. Networking 8(1), 2000): a
 * queue that is filled to its capacity never empties. Two tokens let one packet wait at the
 * source while the next is made, and no burst longer than that.
 *
 * IFRC's are those of WRCP's evaluation (SenSys 2009, 8.1); the weight of its queue is that of its authors'
 * program (ifrc.c).
 *
 * WRCP (SenSys 2009): alpha = 0.1 (section 8.1); beta and the start rate are in wrcp_estimates.c and wrcp.c. Its
 * capacities are those of the Tmote Sky under TinyOS 2, of which the paper prints a curve (Fig. 4) and says in words
 * that it is near 90 packets/s with four senders and more. The entries before that are the shape of this project's own
 * saturation curve for that MAC (docs/design.md), 120, 192, 222 of 232 packets/s, brought to 90.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "penstock/control.h"

static const uint16_t wrcp_capacity[] = {PENSTOCK_WRCP_PPS(46), PENSTOCK_WRCP_PPS(74), PENSTOCK_WRCP_PPS(86),
                                         PENSTOCK_WRCP_PPS(90)};

penstock_control_params_t penstock_control_defaults(void)
{
    penstock_control_params_t params = {
        .occupancy_free_q8 = 64u, /* alpha = 0.25 */
        .channel_epochs = 4u,
        .channel_samples = 20u,
        .channel_epoch_us = UINT32_C(100000),
        .channel_ewma_q8 = 218u, /* alpha = 0.85 */
        .channel_threshold_q8 = 165u,
        .loss_ewma_q8 = 240u,
        .loss_threshold_q8 = 162u, /* 1 - 1/e */
        .loss_age_us = UINT32_C(4000000),
        .stop_timeout_us = 0u,
        .ack_stop_us = 0u,
        .parent_delay_us = UINT32_C(40000),
        .rate_tokens = 10u,
        .rate_window_us = UINT32_C(4000000),
        .share_tokens = 2u,
        .share_target_q8 = 230u, /* 0.9 */
        .priority_shift = 2u,
        .ifrc =
            {
                .initial_rate = 6554u,    /* 0.1 packets/s */
                .slow_increase = 819u,    /* 0.0125 packets/s */
                .epsilon_q16 = 1311u,     /* 0.02 */
                .queue_weight_q12 = 123u, /* 0.03 */
            },
        .wrcp = {.capacity = wrcp_capacity,
                 .capacity_len = sizeof wrcp_capacity / sizeof wrcp_capacity[0],
                 .alpha_q15 = 3277u, /* 0.1 */
                 .beta_q8 = 128u,
                 .start_rate = 6554u}, /* 0.1 packets/s */
    };
    return params;
}
