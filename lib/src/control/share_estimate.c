/* What a node can give each source whose packets pass through it: its capacity, who uses
 * it, and the division.
 *
 * Capacity. A packet comes to the head of the queue, and is acknowledged or given up some
 * time later. That time, the service time, has everything in it that keeps this node from
 * sending: backoff, a busy channel, retransmissions, the silence after the parent's frames,
 * stops by backpressure. Its inverse is how many packets a second this node could send if
 * it always had one (Ee and Bajcsy, "Congestion Control and Fairness for Many-to-One Routing
 * in Sensor Networks", SenSys 2004, take the same measure). It is smoothed over packets, an
 * eighth for the newest, as TCP does its round trip (RFC 6298). A part of the
 * capacity is given away, share_target_q8 of it; see params.c.
 *
 *   Before the first packet the capacity is taken as one packet in packet_time_us.
 *   While the queue is empty nothing is measured, and the last value stands.
 *   A packet whose parent has changed in the meantime is no measure of either.
 *
 * Who uses it. Each packet has a mark, end to end: its source would send more than it may.
 * Counted are N, the sources seen lately, this node among them; L, those of them whose last
 * packet was marked; and D, the packets a second without the mark.
 *
 * Division. Sources that send all they want keep their rate; what is left is divided
 * among those that want more:
 *
 *     share = (C - D) / L
 *
 * which is the fixed point of max-min fairness that ATM switches compute (Charny, Clark,
 * Jain, "Congestion Control with Explicit Rate Indication", ICC 1995). Nobody's max-min
 * share is ever less than C / N, and before the marks have arrived D may be all there is; so
 * C / N is the least. With nobody wanting more, it is what one that did would get.
 *
 * A source that is held back somewhere else to less than its share here is counted in L all
 * the same. Charny's marking would count it in D, for which its rate would have to be known
 * from more than a handful of packets. So what it does not use stays unused here.
 *
 * Roundings, all down: the inverse of the service time, D, the quotient, the code. Service times
 * are held between 1 ms and 2^26 us, which bounds the capacity to 1/64..1000 packets/s.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "control/share_estimate.h"

#include "control/rate_code.h"
#include "control/sources.h"

#define RATE_US (PENSTOCK_RATE_ONE * UINT32_C(1000000)) /* rate * interval in us */
#define SERVICE_MIN_US UINT32_C(1000)
#define SERVICE_MAX_US (UINT32_C(1) << 26)
#define SERVICE_SHIFT 3u

/* Packets in a time of 2^16 us units, as a rate: 1024 * 10^6 / 2^16 = 15625. */
#define RATE_OF_UNITS UINT32_C(15625)

static uint32_t bounded_service(uint32_t us)
{
    if (us < SERVICE_MIN_US) {
        return SERVICE_MIN_US;
    }
    return us < SERVICE_MAX_US ? us : SERVICE_MAX_US;
}

uint32_t penstock_share_divide(uint32_t capacity, uint32_t others, uint8_t wanting, uint8_t sources)
{
    uint32_t left = capacity > others ? (capacity - others) / (wanting > 0u ? wanting : 1u) : 0u;
    uint32_t least = capacity / (sources > 0u ? sources : 1u);
    return left > least ? left : least;
}

static uint8_t count_marked(const penstock_sources_t *sources)
{
    uint8_t marked = 0u;
    for (uint8_t i = 0u; i < sources->count; i++) {
        if (sources->entries[i].note != 0u) {
            marked++;
        }
    }
    return marked;
}

/* Over the window that is over and the one that is not. */
static uint32_t unmarked_rate(const penstock_node_t *node, penstock_time_t now)
{
    uint32_t packets = (uint32_t)node->control.share.unmarked + node->control.share.unmarked_before;
    uint32_t units = penstock_sources_units(now - node->control.share.window_began);
    return packets * RATE_OF_UNITS / (units + node->control.share.length_before);
}

void penstock_share_update(penstock_node_t *node, uint32_t age_us, penstock_time_t now)
{
    penstock_sources_t *sources = &node->control.sources;
    penstock_sources_forget(sources, age_us, now);
    uint32_t capacity = RATE_US / node->control.share.service_us;
    uint32_t usable = capacity * node->config->control_params.share_target_q8 / 256u;
    uint32_t share = penstock_share_divide(usable, unmarked_rate(node, now), count_marked(sources), sources->count);
    node->control.share.share = penstock_rate_encode(share);
}

void penstock_share_init(penstock_node_t *node, penstock_time_t now)
{
    uint16_t units = penstock_sources_units(node->config->control_params.rate_window_us);
    node->control.share.serving = false;
    node->control.share.service_us = bounded_service(node->config->packet_time_us);
    node->control.share.unmarked = 0u;
    node->control.share.unmarked_before = 0u;
    node->control.share.length_before = units > 0u ? units : 1u; /* never 0: a divisor */
    node->control.share.window_began = now;
    node->control.sources.count = 0u;
}

static void begin_service(penstock_node_t *node, penstock_time_t now)
{
    node->control.share.serving = true;
    node->control.share.next = node->tree.parent;
    node->control.share.head_since = now;
}

void penstock_share_queued(penstock_node_t *node, const penstock_packet_t *packet, penstock_time_t now)
{
    if (node->queue.count == 1u) {
        begin_service(node, now);
    }
    (void)penstock_sources_note(&node->control.sources, packet->origin, packet->marked, now);
    if (!packet->marked && node->control.share.unmarked < UINT16_MAX) {
        node->control.share.unmarked++;
    }
}

void penstock_share_served(penstock_node_t *node, penstock_time_t now)
{
    if (node->control.share.serving && node->control.share.next == node->tree.parent) {
        uint32_t service_us = bounded_service(now - node->control.share.head_since);
        uint32_t average = node->control.share.service_us;
        average = average - (average >> SERVICE_SHIFT) + (service_us >> SERVICE_SHIFT);
        node->control.share.service_us = bounded_service(average);
    }
    node->control.share.serving = false;
    if (node->queue.count > 1u) {
        begin_service(node, now);
    }
}

void penstock_share_next_window(penstock_node_t *node, penstock_time_t now)
{
    uint16_t units = penstock_sources_units(now - node->control.share.window_began);
    node->control.share.length_before = units > 0u ? units : 1u;
    node->control.share.unmarked_before = node->control.share.unmarked;
    node->control.share.unmarked = 0u;
    node->control.share.window_began = now;
}
