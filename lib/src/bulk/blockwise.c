/* The rival that users have today: block-wise transfer as CoAP does it (RFC 7959 over RFC 7252).
 *
 * One block at a time. The sink asks for block n, waits for it, asks for block n + 1. Request and response are
 * CoAP's confirmable GET with the block as its piggybacked acknowledgement, so there is one outstanding exchange (RFC
 * 7252, 4.7: NSTART = 1), and each block costs a round trip. A request whose answer does not come in time is repeated:
 *
 *     ACK_TIMEOUT        2 s    first wait: at random between this and ACK_RANDOM_FACTOR times this (4.2, 4.8)
 *     ACK_RANDOM_FACTOR  1.5
 *     MAX_RETRANSMIT     4      each wait doubles the last; after the fourth repeat's the transfer has failed
 *                               (4.8.2: MAX_TRANSMIT_WAIT = 2 s * (2^5 - 1) * 1.5 = 93 s)
 *
 * A lost request and a lost block look the same to the sink; a block that comes twice is known by its number, and a
 * repeated request is served anew, as RFC 7252 allows for requests without side effects (4.5). Block sizes of RFC
 * 7959 (2.2) are 16, 32, 64 ... 1,024 bytes: params.packet_len says which; 0 takes what the frame holds, which
 * is more than CoAP could. What is sent is this library's PDUs, whose 4 bytes before the block and 11 of a request
 * are fewer than CoAP's options take: the comparison is about stopping and waiting, not about headers.
 *
 * All else is the same machine (sink.c): the query that finds the source, the bitmap, the check of the whole, failures
 * and resumption. CoAP would find out the length on the way and has no CRC of the whole; both cost a packet.
 *
 * The way down. To flood the network for each block would be a straw man. Under CoAP a request goes
 * to the next hop towards the source, as in any routed network. Flush's own words for what it needs are "a
 * simple flood or a data-driven virtual circuit" (section 2): the second is used here. Each node remembers the
 * neighbour from which an origin's last packets came, so a request goes back on the way of the last answer, hop by hop,
 * each hop acknowledged (flood.c). The query is a flood: nothing has come from the source yet. A circuit can break, by
 * a change of routes or a reboot, and no packet would come to mend it: so the last two repeats of a request are floods.
 * CoAP would have its routing protocol for that.
 *
 * Routes are not frozen: CoAP knows nothing of routing.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "bulk/ends.h"
#include "random.h"

/* The first request and so many repeats go along the circuit. */
#define FAITHFUL_REPEATS 2u

uint32_t penstock_bulk_blockwise_wait(penstock_node_t *node, uint8_t fruitless)
{
    const penstock_bulk_ends_params_t *params = penstock_bulk_ends_params_of(node);
    penstock_bulk_sink_t *sink = &penstock_bulk_ends_of(node)->sink;
    if (fruitless == 0u) {
        uint32_t spread = params->ack_timeout_us / 256u * (params->ack_random_q8 - 256u);
        sink->ack_wait_us = params->ack_timeout_us + penstock_random_below(&node->random, spread + 1u);
        return sink->ack_wait_us;
    }
    return sink->ack_wait_us << fruitless;
}

uint32_t penstock_bulk_blockwise_patience_us(const penstock_bulk_ends_params_t *params)
{
    uint32_t first = params->ack_timeout_us + params->ack_timeout_us / 256u * (params->ack_random_q8 - 256u);
    return first * ((UINT32_C(2) << params->max_retransmit) - 1u);
}

penstock_addr_t penstock_bulk_blockwise_to(const penstock_node_t *node, penstock_addr_t source, uint8_t fruitless)
{
    penstock_addr_t way = penstock_bulk_flood_way(node, source);
    return way == PENSTOCK_ADDR_NONE || fruitless > FAITHFUL_REPEATS ? PENSTOCK_ADDR_BROADCAST : way;
}
