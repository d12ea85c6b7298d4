/* How long WRCP waits from one update to the next (section 4.2): as long as news takes from the root to the
 * last leaf and back.
 *
 * The root broadcasts a control frame every T_avg, if data came in since the last one. A number goes with
 * it, down the tree: a node takes it from its parent's frames and has it in its own. A leaf acknowledges it
 * in its data frames, any other node once all its children have. When all children of the root have, the time since
 * the number first went out is T_inst, and
 *
 *     T_avg = beta T_avg + (1 - beta) T_inst        (Eq. 6)
 *
 * The next control frame has the next number, 1 to 15 and round again: there is never more than one on
 * its way. T_avg goes down the tree with it, so that all nodes update as often (not at the same moment).
 *
 * Where the paper leaves a gap:
 *
 *   Children are those who send their data here, until they are silent for an age, or send it elsewhere. A silent
 *   child is not waited for any longer. If that ends the root's round, it is no measure of T. Further
 *   down it cannot be told apart, and one T_inst is longer by an age; Eq. 6 forgets it within a few rounds.
 *   A node that has not heard the number, or whose children have not all, acknowledges 0, nothing.
 *   The age is four intervals, since every flow is heard in each if T is what it should be, but at least the
 *   time between two packets of the slowest flow.
 *   T is at least 1 s: r_tot and r_ext are renewed every second (Eqs. 8 and 10), and an update that sees
 *   nothing new would count the same gamma twice. T begins there: an interval too short for a network
 *   that has just started is measured within its first round. It is at most 256 s, so that a
 *   number that went astray in a corner does not stop all others.
 *   On air T is a code of one byte (rate_code.c, 1/16 s for a unit), and the root keeps to the code as all others do:
 * at most a seventeenth less than T_avg. Before the first control frame nobody has a T but the one it begins with.
 *
 * Range: times are at most 2^31 us; the sum of Eq. 6 is made of shares in 1/256, so it fits.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "control/wrcp_interval.h"

#include "control/rate_code.h"

#define CODE_UNIT_US UINT32_C(62500)
#define AGE_INTERVALS 4u

uint8_t penstock_wrcp_interval_encode(uint32_t us)
{
    return penstock_rate_encode(us / CODE_UNIT_US);
}

static uint32_t bounded(uint32_t us)
{
    if (us < PENSTOCK_WRCP_INTERVAL_MIN_US) {
        return PENSTOCK_WRCP_INTERVAL_MIN_US;
    }
    return us < PENSTOCK_WRCP_INTERVAL_MAX_US ? us : PENSTOCK_WRCP_INTERVAL_MAX_US;
}

uint32_t penstock_wrcp_interval_decode(uint8_t code)
{
    uint32_t units = penstock_rate_decode(code);
    return units < PENSTOCK_WRCP_INTERVAL_MAX_US / CODE_UNIT_US ? bounded(units * CODE_UNIT_US)
                                                                : PENSTOCK_WRCP_INTERVAL_MAX_US;
}

uint32_t penstock_wrcp_interval_average(uint8_t beta_q8, uint32_t average_us, uint32_t measured_us)
{
    uint32_t past = (average_us / 256u) * beta_q8;
    uint32_t news = (bounded(measured_us) / 256u) * (256u - beta_q8);
    return bounded(past + news);
}

uint32_t penstock_wrcp_interval(const penstock_node_t *node)
{
    return penstock_wrcp_interval_decode(node->control.wrcp.interval);
}

/* The slowest flow's time between two packets: 65536 * 10^6 / rate, of which 2^36 / rate is 5 % more; no less than
 * 64/65536 packets/s, so no more than 2^30 us. */
static uint32_t slowest_us(const penstock_node_t *node)
{
    return (UINT32_MAX / node->config->control_params.wrcp.start_rate) * 16u;
}

uint32_t penstock_wrcp_age(const penstock_node_t *node)
{
    uint32_t intervals = AGE_INTERVALS * penstock_wrcp_interval(node);
    uint32_t slowest = slowest_us(node);
    return intervals > slowest ? intervals : slowest;
}

void penstock_wrcp_interval_init(penstock_node_t *node)
{
    penstock_wrcp_t *wrcp = &node->control.wrcp;
    wrcp->average_us = PENSTOCK_WRCP_INTERVAL_MIN_US;
    wrcp->interval = penstock_wrcp_interval_encode(wrcp->average_us);
    wrcp->sequence = node->config->is_root ? 1u : 0u;
    wrcp->asked = false;
    wrcp->frame_due = false;
    wrcp->heard_data = false;
}

void penstock_wrcp_interval_told(penstock_node_t *node, const penstock_wrcp_fields_t *fields)
{
    node->control.wrcp.interval = fields->interval;
    node->control.wrcp.sequence = fields->sequence;
}

/* Has every child acknowledged the number? *any: is there one? */
static bool all_acknowledged(const penstock_node_t *node, bool *any)
{
    bool all = true;
    *any = false;
    for (uint8_t i = 0u; i < node->config->peer_capacity; i++) {
        const penstock_peer_t *peer = &node->config->peers[i];
        if (peer->address != PENSTOCK_ADDR_NONE && peer->as.wrcp.child) {
            *any = true;
            all = all && peer->as.wrcp.acknowledged == node->control.wrcp.sequence;
        }
    }
    return all;
}

uint8_t penstock_wrcp_acknowledged(const penstock_node_t *node)
{
    bool any;
    return all_acknowledged(node, &any) ? node->control.wrcp.sequence : 0u;
}

/* Is the root's round at its end? Then the next one may begin. */
static bool round_ends(penstock_node_t *node)
{
    penstock_wrcp_t *wrcp = &node->control.wrcp;
    bool any;
    if (!wrcp->asked || !all_acknowledged(node, &any) || !any) {
        return false;
    }
    wrcp->asked = false;
    wrcp->sequence = wrcp->sequence < PENSTOCK_WRCP_SEQUENCE_LAST ? (uint8_t)(wrcp->sequence + 1u) : (uint8_t)1u;
    return true;
}

void penstock_wrcp_interval_heard(penstock_node_t *node, penstock_time_t now)
{
    penstock_wrcp_t *wrcp = &node->control.wrcp;
    uint32_t measured_us = now - wrcp->asked_at;
    if (round_ends(node)) {
        uint8_t beta_q8 = node->config->control_params.wrcp.beta_q8;
        wrcp->average_us = penstock_wrcp_interval_average(beta_q8, wrcp->average_us, measured_us);
        wrcp->interval = penstock_wrcp_interval_encode(wrcp->average_us);
    }
}

void penstock_wrcp_interval_update(penstock_node_t *node)
{
    penstock_wrcp_t *wrcp = &node->control.wrcp;
    (void)round_ends(node);
    wrcp->frame_due = wrcp->frame_due || wrcp->heard_data;
    wrcp->heard_data = false;
}

void penstock_wrcp_interval_sent(penstock_node_t *node, penstock_time_t now)
{
    penstock_wrcp_t *wrcp = &node->control.wrcp;
    wrcp->frame_due = false;
    if (!wrcp->asked) {
        wrcp->asked = true;
        wrcp->asked_at = now;
    }
}
