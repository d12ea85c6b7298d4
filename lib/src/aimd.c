/* An application that adapts its rate: additive increase, multiplicative decrease.
 *
 * Thesis 4.6 and its footnote: an AIMD controller adds to a parameter on positive feedback and
 * multiplies it down on negative feedback; some applications may set their send rate by
 * one. The thesis evaluates only applications that wait, and gives no numbers.
 *
 * Feedback is the stack's own: a packet accepted is positive, a packet refused is negative.
 * The parameter is the rate, not the interval: adding to an interval would make a
 * slow sender's steps far larger than a fast one's, and two senders would not come
 * together at equal shares (Chiu and Jain 1989).
 *
 * What the thesis leaves open, and what is done here:
 *
 *   It begins at the offered rate. An application that is never refused behaves as one
 *   without this helper; what sets the two apart is refusals alone.
 *
 *   After a refusal the packet is offered again one interval of the new rate later, not as
 *   soon as there is room. So one spell of congestion costs one decrease for each interval
 *   that it lasts, not one for each time that somebody asks.
 *
 *   There is no catching up. Two offers are never closer than the interval of the moment,
 *   even when the application had nothing to say for a long time.
 *
 * Rounding. Rates are whole packets in 2^32 us (rate 1 is one packet in 71.6 minutes), and
 * every division rounds down. The interval is (2^32 - 1)/rate, and never leaves
 * shortest_us..longest_us, so at both ends it is exact; between them a rate r is off by at most
 * 1/r of itself: 0.02 % at one packet a second, 1.4 % at one in a minute. A decrease
 * always makes the rate smaller, an increase always larger, until the bounds are reached.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "penstock/aimd.h"

#include "timeout.h"

#define SHORTEST_INTERVAL UINT32_C(1000)
#define LONGEST_INTERVAL (UINT32_C(1) << 30)

int penstock_aimd_init(penstock_aimd_t *pace, const penstock_aimd_config_t *config, penstock_time_t now)
{
    if (pace == NULL || config == NULL || config->shortest_us < SHORTEST_INTERVAL ||
        config->longest_us < config->shortest_us || config->longest_us > LONGEST_INTERVAL || config->increase < 1u) {
        return PENSTOCK_INVALID;
    }
    pace->config = config;
    pace->rate = PENSTOCK_AIMD_RATE(config->shortest_us);
    pace->next_at = now;
    return PENSTOCK_OK;
}

uint32_t penstock_aimd_interval(const penstock_aimd_t *pace)
{
    /* The rate is at least that of the longest interval, which is not 0. */
    uint32_t interval = PENSTOCK_AIMD_RATE(pace->rate);
    if (pace->rate >= PENSTOCK_AIMD_RATE(pace->config->shortest_us)) {
        return pace->config->shortest_us;
    }
    return interval < pace->config->longest_us ? interval : pace->config->longest_us;
}

void penstock_aimd_accepted(penstock_aimd_t *pace, penstock_time_t now)
{
    uint32_t highest = PENSTOCK_AIMD_RATE(pace->config->shortest_us);
    uint32_t room = highest - pace->rate;
    pace->rate = pace->config->increase < room ? pace->rate + pace->config->increase : highest;
    pace->next_at = now + penstock_aimd_interval(pace);
}

void penstock_aimd_refused(penstock_aimd_t *pace, penstock_time_t now)
{
    uint32_t lowest = PENSTOCK_AIMD_RATE(pace->config->longest_us);
    /* At most 2^32/1000 * 255: fits. */
    uint32_t rate = pace->rate * pace->config->decrease_q8 / 256u;
    pace->rate = rate > lowest ? rate : lowest;
    pace->next_at = now + penstock_aimd_interval(pace);
}

bool penstock_aimd_may_send(const penstock_aimd_t *pace, penstock_time_t now)
{
    return penstock_time_left(now, pace->next_at, pace->config->longest_us) == 0u;
}

penstock_time_t penstock_aimd_next_at(const penstock_aimd_t *pace)
{
    return pace->next_at;
}
