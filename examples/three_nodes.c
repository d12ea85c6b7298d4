/* A whole network by hand: three nodes, a lossy link, no simulator, no operating system.
 *
 *     C  - - ->  B  =====>  A        A is the root, B forwards, C measures something.
 *        lossy      good             A and C never hear each other.
 *
 * This is all that a firmware has to do around the library; in place of carry() it would
 * have a radio driver. Nothing is printed: main returns 0 when every packet arrived once,
 * in order; so the program runs on a mote and in a debugger as it does here.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "penstock/penstock.h"

enum { A, B, C };
#define NODES 3
#define PACKETS 20
#define STEP_US 10000
#define FRAME_MAX 34 /* 36 B on a Mica2, less the FCS */

/* Everything a node needs is memory that its owner provides. */
struct mote {
    penstock_config_t config;
    penstock_node_t node;
    penstock_packet_t queue[8];
    penstock_neighbor_t neighbors[4];
};

/* What to look at in a debugger. */
struct results {
    uint8_t sent, delivered, out_of_order, dropped;
    uint8_t hops; /* links that the last packet crossed */
};

static void make_mote(struct mote *mote, uint8_t index)
{
    mote->config = (penstock_config_t){
        .address = (penstock_addr_t)(1u + index),
        .pan_id = 0x2004u,
        .is_root = index == A,
        .advertise = true, /* offer a route to others */
        .seed = 1u,
        .max_frame_len = FRAME_MAX,
        .packet_time_us = 40000u, /* a frame, its acknowledgement, the longest backoff */
        .queue = mote->queue,
        .queue_capacity = 8u,
        .local_share = 2u, /* of 8: C's own packets never crowd out others' */
        .link_attempts = 4u,
        .mac_attempts = 1u, /* this "MAC" does not retry: the library does */
        .hop_limit = 16u,
        .neighbors = mote->neighbors,
        .neighbor_capacity = 4u,
        .beacon_period_us = 2000000u,
        .beacons = true,
        .control = &penstock_control_fusion,
        .control_params = penstock_control_defaults(),
    };
    (void)penstock_init(&mote->node, &mote->config, 0u);
}

/* The air. A and C are out of range; of what passes between B and C every fourth frame is lost. */
static bool carry(uint8_t from, uint8_t to)
{
    static uint8_t crossings;
    if (from == A || to == A) {
        return from == B || to == B;
    }
    return ++crossings % 4u != 0u;
}

/* Lets one node transmit, if it wants to: the frame reaches whoever is in range, addressed or not. */
static void transmit(struct mote *motes, uint8_t from, penstock_time_t now)
{
    uint8_t frame[FRAME_MAX];
    penstock_tx_t tx;
    if (penstock_poll_transmit(&motes[from].node, &tx, frame, sizeof frame, now) != 1) {
        return;
    }
    bool acknowledged = false;
    for (uint8_t to = 0u; to < NODES; to++) {
        bool addressed = tx.dst == motes[to].config.address;
        if (to == from || !carry(from, to)) {
            continue;
        }
        /* What a radio tells of a frame; `acked` since such radios acknowledge by themselves. */
        penstock_rx_info_t info = {.rssi_dbm = -70, .lqi = 0u, .acked = addressed && tx.ack};
        info.for_us = addressed || tx.dst == PENSTOCK_ADDR_BROADCAST;
        (void)penstock_receive(&motes[to].node, frame, tx.len, &info, now);
        acknowledged = acknowledged || (addressed && carry(to, from)); /* the acknowledgement may be lost, too */
    }
    penstock_tx_report_t report = {.status = PENSTOCK_TX_DONE, .attempts = 1u};
    if (tx.ack && !acknowledged) {
        report.status = PENSTOCK_TX_NO_ACK;
    }
    penstock_transmitted(&motes[from].node, &report, now);
}

/* What comes out of a node: packets for its application, and reports of those it had to drop. */
static void collect(penstock_node_t *node, struct results *results, penstock_time_t now)
{
    penstock_delivery_t packet;
    while (penstock_poll_deliver(node, &packet, now) == 1) {
        results->out_of_order = (uint8_t)(results->out_of_order + (packet.payload[0] != results->delivered));
        results->hops = packet.hops;
        results->delivered++;
    }
    penstock_drop_report_t drop;
    while (penstock_poll_drop(node, &drop) == 1) {
        results->dropped++;
    }
}

int main(void)
{
    static struct mote motes[NODES];
    struct results results = {0};
    for (uint8_t i = 0u; i < NODES; i++) {
        make_mote(&motes[i], i);
    }

    /* Five minutes. The beacons of the first ones find the way: links must be known in both
     * directions before they are used. Real firmware would sleep until penstock_next_deadline. */
    for (penstock_time_t now = 0u; now < UINT32_C(300000000); now += STEP_US) {
        for (uint8_t i = 0u; i < NODES; i++) {
            penstock_tick(&motes[i].node, now);
            transmit(motes, i, now);
        }
        for (uint8_t i = 0u; i < NODES; i++) {
            collect(&motes[i].node, &results, now);
        }
        /* The application on C: it offers a packet, and waits when it is told to. */
        if (results.sent < PACKETS) {
            penstock_time_t retry_at;
            if (penstock_send(&motes[C].node, 0u, &results.sent, 1u, now, NULL, &retry_at) == PENSTOCK_OK) {
                results.sent++;
            }
        }
    }

    bool all = results.sent == PACKETS && results.delivered == PACKETS;
    bool well = results.out_of_order == 0u && results.dropped == 0u && results.hops == 2u;
    return all && well ? 0 : 1;
}
