/* Penstock: congestion control for low-power wireless networks.
 *
 * A node is one caller-owned `penstock_node_t`. The world calls in; the node
 * never calls out, never blocks, never allocates, never looks at a clock. After
 * any call the world asks, in this order, until each says no:
 *
 *     penstock_poll_deliver    a packet that has arrived for this node's application
 *     penstock_poll_drop       a packet that was dropped here, and why
 *     penstock_poll_transmit   a frame for the MAC, when the MAC is idle
 *     penstock_next_deadline   when to call penstock_tick at the latest
 *
 * `examples/three_nodes.c` is a whole network in a hundred lines.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef PENSTOCK_PENSTOCK_H
#define PENSTOCK_PENSTOCK_H

#include "penstock/bulk_path.h"
#include "penstock/control.h"
#include "penstock/neighbors.h"
#include "penstock/queue.h"
#include "penstock/tree.h"
#include "penstock/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Library version, and the version that frames carry (docs/spec.md). */
#define PENSTOCK_VERSION "0.1.0"
#define PENSTOCK_FRAME_VERSION 1u

/* Bulk transfer (penstock/bulk.h). */
typedef struct penstock_bulk penstock_bulk_t;
typedef struct penstock_bulk_ops penstock_bulk_ops_t;
typedef struct penstock_bulk_params penstock_bulk_params_t;

/* What a node is made from. The node keeps the pointer: the config and the arrays
 * it names must outlive the node and must not be shared with another node. */
typedef struct penstock_config {
    penstock_addr_t address; /* this node's short address */
    uint16_t pan_id;         /* frames of other PANs are ignored */
    bool is_root;            /* the sink: delivers instead of forwarding */
    bool advertise;          /* false: a leaf that never offers a route (thesis 5.4) */
    uint32_t seed;           /* for jitter; two nodes should not share one */

    /* Longest MAC frame to build, MHR to payload, without the 2 B FCS (at most 125). */
    uint8_t max_frame_len;
    /* One frame of that length with its acknowledgement and the longest backoff,
     * in us: the unit from which the library derives its time-outs. */
    uint32_t packet_time_us;

    /* Forwarding queue. */
    penstock_packet_t *queue; /* array of queue_capacity */
    uint8_t queue_capacity;   /* 8 in the thesis (2.3.2) */
    uint8_t local_share;      /* slots that this node's own packets may hold (thesis 4.6); 1..queue_capacity */

    /* Link attempts for one hop, first one included (4 in the thesis; 0: until it is
     * acknowledged, and time-outs are derived as if it were 4), and how many of
     * them the MAC makes on its own before it reports (1 where software retries). More
     * than 1 hides retries from congestion control and biases link estimates upward. */
    uint8_t link_attempts;
    uint8_t mac_attempts;
    uint8_t hop_limit; /* a packet that has made more hops is dropped */

    /* Neighbour table. */
    penstock_neighbor_t *neighbors; /* array of neighbor_capacity */
    uint8_t neighbor_capacity;

    /* Collection tree. */
    bool beacons;                      /* false: no beacons at all, the parent is set by penstock_set_parent */
    const penstock_routing_t *routing; /* NULL: penstock_routing_dsdv */
    uint32_t beacon_period_us;         /* penstock_routing_dsdv: 10 s in the thesis; at most 2^27 us */
    penstock_ctp_params_t ctp;         /* penstock_routing_ctp: begin with penstock_ctp_defaults() */

    /* Congestion control: the strategy and the numbers of its parts. Begin with
     * penstock_control_defaults(): numbers left at 0 are refused. */
    const penstock_strategy_t *control;
    penstock_control_params_t control_params;

    /* What the strategy keeps on each neighbour: array of peer_capacity, 2 or more, where
     * penstock_strategy_needs_peers; NULL and 0 elsewhere. A neighbour too many takes the place of the one that was
     * silent for longest. */
    penstock_peer_t *peers;
    uint8_t peer_capacity;

    /* Bulk transfer: `bulk` NULL and the rest unread where a node takes no part (penstock/bulk.h). */
    penstock_bulk_t *bulk;
    const penstock_bulk_ops_t *bulk_ops;       /* &penstock_bulk_flush */
    const penstock_bulk_params_t *bulk_params; /* begin with penstock_bulk_defaults() */
    penstock_bulk_packet_t *bulk_queue;        /* array of bulk_queue_capacity */
    penstock_bulk_flow_t *bulk_flows;          /* array of bulk_flow_capacity */
    uint8_t bulk_queue_capacity;               /* 16 in Flush (section 3.4); 1 or more */
    uint8_t bulk_flow_capacity;                /* 1 or more: origins whose packets come through at a time */
} penstock_config_t;

/* What happened here since penstock_init. Monotonic, modulo 2^32. */
typedef struct penstock_counters {
    uint32_t admitted;      /* local packets taken by penstock_send */
    uint32_t refused;       /* penstock_send said PENSTOCK_WOULD_BLOCK */
    uint32_t received;      /* new data packets addressed to this node */
    uint32_t duplicates;    /* data packets received again after a lost acknowledgement */
    uint32_t transmissions; /* link attempts of data frames */
    uint32_t forwarded;     /* data packets acknowledged by the next hop */
    uint32_t delivered;     /* data packets handed to this node's application */
    uint32_t beacons_sent;
    uint32_t beacons_received;
    uint32_t control_frames_sent;
    uint32_t malformed; /* frames that no parser accepted */
    uint32_t drops[PENSTOCK_DROP_COUNT];
} penstock_counters_t;

/* A packet that was dropped here. */
typedef struct penstock_drop_report {
    penstock_addr_t origin;
    uint16_t seq;
    uint8_t reason; /* penstock_drop_t */
} penstock_drop_report_t;

/* Room for drops that were not polled yet; one call drops at most one packet. */
#define PENSTOCK_DROP_REPORTS 4

struct penstock_node {
    const penstock_config_t *config;
    uint32_t random;
    penstock_queue_t queue;
    penstock_neighbors_t neighbors;
    penstock_tree_t tree;
    penstock_control_t control;
    penstock_counters_t counters;
    penstock_drop_report_t drop_reports[PENSTOCK_DROP_REPORTS];
    uint8_t drop_reports_pending;
    uint8_t link_seq;    /* the next frame's 802.15.4 sequence number */
    uint16_t packet_seq; /* the next local packet's sequence number */
    uint8_t in_flight;   /* what the MAC holds: a penstock_in_flight value of node.h */
    penstock_addr_t in_flight_to;
};
typedef struct penstock_node penstock_node_t;

/* What the radio knows of a received frame. */
typedef struct penstock_rx_info {
    int8_t rssi_dbm;
    uint8_t lqi; /* 0..255, 255 best; 0 where the radio has none */
    bool for_us; /* the MAC accepted it as addressed to this node or broadcast; false: overheard */
    bool acked;  /* the MAC has acknowledged it already */
} penstock_rx_info_t;

/* How a transmission ended. */
typedef enum penstock_tx_status {
    PENSTOCK_TX_DONE = 0,   /* on air; acknowledged if an acknowledgement was asked for */
    PENSTOCK_TX_NO_ACK,     /* on air, no acknowledgement came */
    PENSTOCK_TX_NO_CHANNEL, /* never on air: the channel stayed busy or the radio was off */
} penstock_tx_status_t;

typedef struct penstock_tx_report {
    uint8_t status;     /* penstock_tx_status_t */
    uint8_t attempts;   /* times the frame was on air */
    bool ack_congested; /* with PENSTOCK_TX_DONE of a frame that asked for an acknowledgement: the bit in it */
} penstock_tx_report_t;

/* A frame for the MAC, with what the node wishes of it. */
typedef struct penstock_tx {
    penstock_addr_t dst;   /* PENSTOCK_ADDR_BROADCAST or the next hop */
    uint8_t len;           /* bytes written, without FCS */
    bool ack;              /* wants a link acknowledgement */
    uint8_t attempts;      /* how often the MAC may try */
    uint8_t backoff_shift; /* divide every backoff window by 2^this (2: a quarter, thesis 4.4) */
    bool is_data;          /* sensor data, not a beacon or a control frame: for those who count */
    bool is_bulk;          /* of bulk transfer: a packet of it, or a flood */
    bool is_flood;         /* of these, a flood, or a frame down the way to a source */
} penstock_tx_t;

/* A packet at its destination. `payload` is valid until the next call on this node. */
typedef struct penstock_delivery {
    penstock_addr_t origin;
    uint16_t seq;
    uint8_t service;
    uint8_t hops; /* links it crossed */
    uint8_t len;
    const uint8_t *payload;
} penstock_delivery_t;

/* Makes a node. 0, or PENSTOCK_INVALID when a field of the config is out of range. */
int penstock_init(penstock_node_t *node, const penstock_config_t *config, penstock_time_t now);

/* Hands over a frame from the radio, addressed to this node or overheard, without FCS.
 * 0, PENSTOCK_MALFORMED or PENSTOCK_UNSUPPORTED; never anything the caller must handle. */
int penstock_receive(penstock_node_t *node, const uint8_t *bytes, size_t len, const penstock_rx_info_t *info,
                     penstock_time_t now);

/* The MAC is done with the frame that penstock_poll_transmit gave it. */
void penstock_transmitted(penstock_node_t *node, const penstock_tx_report_t *report, penstock_time_t now);

/* One carrier-sense sample, taken because penstock_wants_channel_sample said so. */
void penstock_channel_busy(penstock_node_t *node, bool busy, penstock_time_t now);
bool penstock_wants_channel_sample(const penstock_node_t *node, penstock_time_t now);

/* The longest payload, in bytes, that a packet of this node may have: what the longest frame holds
 * beside its headers, the strategy's among them, and no more than a slot of the queue does. */
uint8_t penstock_payload_max(const penstock_node_t *node);

/* Offers a packet for the root. 0 when taken; PENSTOCK_WOULD_BLOCK when the application
 * must wait (*retry_at then says when asking again makes sense; an earlier reception or
 * transmission may free room sooner); PENSTOCK_TOO_LONG above penstock_payload_max;
 * PENSTOCK_INVALID at the root, for a service above 15 and for a missing payload. On success
 * *seq (when not NULL) is the packet's sequence number. */
int penstock_send(penstock_node_t *node, uint8_t service, const uint8_t *payload, uint8_t len, penstock_time_t now,
                  uint16_t *seq, penstock_time_t *retry_at);

/* Would penstock_send take a packet now? */
bool penstock_writable(penstock_node_t *node, penstock_time_t now);

/* For MACs that can ask before they acknowledge: is there room for one more packet to forward? */
bool penstock_can_accept(const penstock_node_t *node);

/* Writes at most one frame for the MAC into buf. 1 when there is one, 0 when not (or not
 * yet: see penstock_next_deadline), PENSTOCK_TOO_LONG when it does not fit `capacity`, which
 * config.max_frame_len always does (a beacon asks for that much, however short it is).
 * Until penstock_transmitted reports on it, the answer is 0. */
int penstock_poll_transmit(penstock_node_t *node, penstock_tx_t *tx, uint8_t *buf, size_t capacity,
                           penstock_time_t now);

/* 1 and a packet that arrived for this node's application, or 0. */
int penstock_poll_deliver(penstock_node_t *node, penstock_delivery_t *delivery, penstock_time_t now);

/* 1 and a packet that was dropped here, or 0. */
int penstock_poll_drop(penstock_node_t *node, penstock_drop_report_t *report);

/* True and the moment at which penstock_tick is due; false: nothing is waiting for time. */
bool penstock_next_deadline(const penstock_node_t *node, penstock_time_t now, penstock_time_t *deadline);

/* Lets time pass. Safe to call early or late. */
void penstock_tick(penstock_node_t *node, penstock_time_t now);

/* Routes: keep today's parent whatever beacons say; or name the parent oneself. */
void penstock_pin_route(penstock_node_t *node, bool pinned);
void penstock_set_parent(penstock_node_t *node, penstock_addr_t parent, penstock_time_t now);
penstock_addr_t penstock_parent(const penstock_node_t *node);

/* Congestion state: what this node signals, and whether its parent has stopped it. */
bool penstock_congested(const penstock_node_t *node);
bool penstock_stopped(const penstock_node_t *node, penstock_time_t now);

/* The rate at which the congestion control lets this node's own packets in, in 1/65536 packets/s;
 * PENSTOCK_PPS_UNLIMITED where it sets none. For those who watch. */
uint32_t penstock_allowed_rate(const penstock_node_t *node);

/* The one bit that a MAC may put into the link acknowledgement that it is about to send for
 * a data frame to this node: this node is congested (thesis 6.1; docs/spec.md says how it goes
 * on air). Asked before penstock_receive has seen the frame. A MAC that cannot send the
 * bit need not ask, and reports ack_congested = false. */
bool penstock_ack_congested(const penstock_node_t *node);

/* The node has slept, and missed what its neighbours said in the meantime: its congestion
 * control begins anew (thesis 5.3.6). Queue, routes, links and counters stay, a frame that the
 * MAC holds, and the tokens of a rate limiter: sleep pays no debts. */
void penstock_forget_congestion(penstock_node_t *node, penstock_time_t now);

#ifdef __cplusplus
}
#endif
#endif
