/* Penstock: the forward way of bulk packets through a node (Flush, SenSys 2007).
 *
 * What a node keeps of it, and the numbers that it goes by. The mechanism is explained at the head of
 * lib/src/bulk/path.c; what applications call is in penstock/bulk.h.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef PENSTOCK_BULK_PATH_H
#define PENSTOCK_BULK_PATH_H

#include "penstock/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Longest PDU of a bulk packet, in bytes. Bounds every slot of the bulk queue. 107 fits an IEEE 802.15.4
 * frame of 127 B; a build for shorter frames sets less. */
#ifndef PENSTOCK_BULK_PDU_MAX
#define PENSTOCK_BULK_PDU_MAX 107
#endif

/* Bytes of a bulk frame before its PDU: MAC header 9, common header 2, bulk header 4; and the three
 * fields of rate control, which follow where the mode has them (docs/spec.md). */
#define PENSTOCK_BULK_OVERHEAD 15u
#define PENSTOCK_BULK_DELAYS 3u

/* How many nodes ahead on a flow's way a node can tell apart as interferers: with an interference range
 * of more hops than this the rate comes out too high. */
#ifndef PENSTOCK_BULK_SUCCESSORS
#define PENSTOCK_BULK_SUCCESSORS 6
#endif

/* What sets the pace (section 4.1). All nodes of a network have the same. */
typedef enum penstock_bulk_mode {
    PENSTOCK_BULK_FLUSH = 0,     /* every node on the way keeps its D */
    PENSTOCK_BULK_FLUSH_E2E = 1, /* all estimate and tell, the source alone keeps its D */
    PENSTOCK_BULK_FIXED = 2,     /* the source sends at a fixed interval */
    PENSTOCK_BULK_ASAP = 3,      /* the next packet goes when the last one is done */
    PENSTOCK_BULK_MODE_COUNT
} penstock_bulk_mode_t;

/* A bulk packet in the queue. */
typedef struct penstock_bulk_packet {
    penstock_addr_t origin;
    uint8_t path_seq; /* of the origin: grows by one with every packet, those sent again included */
    uint8_t hops;     /* links crossed before this node */
    uint8_t attempts; /* link attempts made here */
    bool local;       /* this node is the origin */
    uint8_t len;
    uint8_t pdu[PENSTOCK_BULK_PDU_MAX];
} penstock_bulk_packet_t;

/* A node ahead on a flow's way, as overheard. Delays that others told are in eighths of params.unit_us. */
typedef struct penstock_bulk_successor {
    penstock_addr_t address; /* PENSTOCK_ADDR_NONE: nobody heard yet */
    int16_t rssi_q8;         /* EWMA, in 1/256 dBm */
    uint16_t delay;          /* the delta that it told last */
    uint8_t silent;          /* packets of the flow that arrived here since it was heard last */
} penstock_bulk_successor_t;

/* One origin's packets through this node. */
typedef struct penstock_bulk_flow {
    penstock_addr_t origin; /* PENSTOCK_ADDR_NONE: a free entry */
    penstock_addr_t from;   /* the predecessor; PENSTOCK_ADDR_NONE: no packet has come in, as at the origin */
    penstock_addr_t to;     /* the next hop that next_* and ahead[] are about; PENSTOCK_ADDR_NONE: not known yet */
    uint8_t path_seq;       /* of the last packet that came in: its repeat is a duplicate */
    uint8_t hops;           /* ... and links it had crossed then; 0 at the origin */
    uint8_t unanswered;     /* packets acknowledged by a new next hop that was not heard to send one on */
    uint8_t start_left;     /* at the origin: packets until start_us is not kept any more */
    int16_t rssi_q8;        /* of the predecessor: EWMA, in 1/256 dBm */
    uint16_t next_delay;    /* the next hop's delta, f and D */
    uint16_t next_f;
    uint16_t next_interval;
    uint32_t start_us; /* at the origin: the least interval at the start of a transfer */
    penstock_time_t seen_at;
    penstock_bulk_successor_t ahead[PENSTOCK_BULK_SUCCESSORS]; /* [0]: one link behind this node, [1]: two ... */
} penstock_bulk_flow_t;

/* The numbers of it. Begin with penstock_bulk_defaults(); numbers out of range are refused by penstock_init. */
typedef struct penstock_bulk_path_params {
    uint8_t mode;               /* penstock_bulk_mode_t */
    bool companded;             /* the three fields in 5 bits of mantissa and 3 of exponent, not in units */
    bool lower;                 /* bulk packets go only when no sensor packet can; else turns are taken */
    uint8_t attempts;           /* link attempts for one hop, first one included; at least 1 */
    uint8_t queue_threshold;    /* packets in the queue above which the delta told is doubled */
    uint8_t local_share;        /* slots of the queue that this node's own packets may hold; at least 1 */
    uint8_t delay_weight;       /* of a new delta in the average: 1/2^this, at most 7 */
    uint8_t rssi_weight;        /* of a new RSSI in the averages: 1/2^this, at most 7 */
    uint8_t interferer_db;      /* who is less than this weaker than the predecessor interferes */
    uint8_t nearest_interferer; /* 1: the next hop may be one (Fig. 4); 2: only nodes behind it (3.3); at most 6 */
    uint8_t interferer_timeout; /* packets without a word after which a successor counts no more; 0: never */
    uint16_t unit_us;           /* of the fields; at least 8. All nodes of a network have the same */
    uint32_t fixed_interval_us; /* mode fixed; 1..2^30 */
    uint32_t longest_wait_us;   /* that rate control, or a lost parent, holds a packet; 1..2^30 */
} penstock_bulk_path_params_t;

/* What happened to bulk packets here since penstock_init. Monotonic, modulo 2^32. */
typedef struct {
    uint32_t admitted;      /* packets of this node's own */
    uint32_t received;      /* new packets addressed to this node */
    uint32_t duplicates;    /* packets received again after a lost acknowledgement */
    uint32_t transmissions; /* link attempts */
    uint32_t forwarded;     /* packets acknowledged by the next hop */
    uint32_t delivered;     /* at the root: packets handed to the transfer */
    uint32_t drops[PENSTOCK_DROP_COUNT];
} penstock_bulk_path_counters_t;

typedef struct penstock_bulk_path {
    /* The queue: a ring. */
    uint8_t head;
    uint8_t count;
    uint8_t local_count;
    uint8_t path_seq; /* of the next packet of this node's own */
    bool sensor_turn; /* the last packet's frame was a bulk packet's: with turns, sensor data is next */
    bool began;       /* the head has been handed to the MAC, the first time at began_at */
    bool left;        /* a packet left before; left_at and left_origin are of the last that did */
    bool stuck;       /* there is no parent, since stuck_at */
    bool delay_known; /* delta was measured, the last time on the link to delay_to */
    penstock_addr_t delay_to;
    uint32_t delay_q8; /* delta: EWMA, in 1/256 us */
    penstock_time_t began_at;
    penstock_time_t left_at; /* start of its first attempt */
    penstock_addr_t left_origin;
    penstock_time_t stuck_at;
    penstock_time_t submit_at; /* modes fixed and flush_e2e: when the origin may hand over the next packet */
    penstock_bulk_path_counters_t counters;
} penstock_bulk_path_t;

/* For those who watch: one flow, as this node sees it. Delays in us. */
typedef struct {
    uint8_t queue; /* bulk packets in the queue, of all flows */
    uint8_t hops;  /* links crossed when its packets leave */
    uint8_t interferers;
    uint32_t delay_us; /* delta, not doubled; before it is measured, config.packet_time_us */
    uint32_t f_us;
    uint32_t d_us;        /* Rule 1 */
    uint32_t interval_us; /* D, Rule 2 */
    bool doubled;         /* delta is told doubled at this moment */
} penstock_bulk_path_state_t;

#ifdef __cplusplus
}
#endif
#endif
