/* Penstock: reliable bulk transfer, the two ends.
 *
 * A sink, which is a root, asks a node for an object: a file, a log, a recording, larger than RAM as a rule. The
 * object reaches the sink byte for byte or the sink learns why not. Objects have numbers of 16 bits; what a number
 * stands for is the application's affair (Flush 2.1). Nothing here holds more than one packet: the library asks
 * for bytes when it wants to send or to check them, and hands over bytes as they come.
 *
 * At the sink:
 *
 *     static uint8_t bitmap[1024];                                  // 8,192 packets
 *     penstock_bulk_request_t want = {.source = 17, .object = 3, .bitmap = bitmap, .bitmap_len = sizeof bitmap};
 *     if (penstock_bulk_request(node, &want, now) != PENSTOCK_OK) { ... }
 *
 *     // after every call on the node, with the other polls:
 *     penstock_bulk_event_t event;
 *     penstock_bulk_write_t chunk;
 *     penstock_bulk_read_t read;
 *     while (penstock_bulk_poll_event(node, &event) == 1) { ... }   // STARTED, RESTARTED, DONE, FAILED, CANCELLED
 *     if (penstock_bulk_poll_write(node, &chunk, now) == 1) {
 *         flash_write(chunk.offset, chunk.bytes, chunk.len);        // in any order
 *     }
 *     if (penstock_bulk_poll_read(node, &read, now) == 1) {         // to check the whole at the end
 *         flash_read(read.offset, buffer, read.len);
 *         penstock_bulk_provide(node, buffer, read.len, now);       // at once or later, once for each read
 *     }
 *
 * At a source the same loop, where ASKED is answered with penstock_bulk_offer(node, object, size, crc, now) or
 * penstock_bulk_refuse, and reads are for sending. poll_write says 0 there.
 *
 * Reboots. A source remembers nothing: it is asked again, and offers again. A sink that wants to go on after a reboot
 * stores penstock_bulk_checkpoint once it has STARTED (and again when it has RESTARTED), and the bitmap as often as
 * it likes, always after the bytes it stands for; then it requests with `resume`. What arrived is not asked
 * for again. An object that has changed meanwhile, by length or CRC, is fetched anew (RESTARTED).
 *
 * How long until it fails. While nothing new arrives the sink asks again, `tries` times, each time waiting longer. So
 * a request that nobody answers, and a transfer whose path is cut, end in FAILED within penstock_bulk_patience_us
 * of the request or of the last answer that was of use: 96 s with the defaults, 93 s with block-wise
 * transfer. (A source that has started anew and says so is an answer of use, three times in a row.) What that promise
 * does not cover is the time the applications take: reads to be provided at the sink while it checks. (An application
 * at the source that never provides looks like a cut path.) A check that fails has the object fetched anew, `restarts`
 * times.
 *
 * What others may send. Each PDU names its transfer, and each end knows the address of the other. What is malformed,
 * for another transfer, from another node, or a request or NACK whose round is not newer than the last is
 * ignored and counted (penstock_bulk_progress_t.ignored). A stranger who forges a source's address and
 * guesses the transfer could spoil an object, which the CRC then finds; there is no defence against forgery
 * here, nor elsewhere in the library.
 *
 * Memory. On an ATmega128 penstock_bulk_ends_t has 403 bytes where PENSTOCK_BULK_PDU_MAX is 107, and 335 where it is 39
 * (35 bytes of the object to a packet, as in the paper): the one packet; 174 for two floods and those met before; 84
 * for the sink or 91 for the source, of which 42 are the indices of one NACK. The bitmap is the sink's alone: one bit a
 * packet.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef PENSTOCK_BULK_ENDS_H
#define PENSTOCK_BULK_ENDS_H

#include "penstock/bulk_path.h"
#include "penstock/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Compile-time sizes ---------------------------------------------------- */

/* Most bytes of an object in one packet. */
#define PENSTOCK_BULK_BYTES_MAX (PENSTOCK_BULK_PDU_MAX - 4)
/* Most packets that a NACK can ask for, and the longest PDU in a FLOOD frame. Flush had room for 21 (2.2). */
#define PENSTOCK_BULK_NACK_MAX 21u
#define PENSTOCK_BULK_FLOOD_PDU_MAX 49u
/* FLOOD frames that a node can hold until they are sent, and those it knows when they come again. */
#define PENSTOCK_BULK_FLOODS 2u
#define PENSTOCK_BULK_FLOODS_SEEN 8u
#define PENSTOCK_BULK_EVENTS 4u
/* Sequence numbers have 16 bits (Flush 3.1). */
#define PENSTOCK_BULK_PACKETS_MAX 65535u

/* ---- Parameters ------------------------------------------------------------ */

typedef enum penstock_bulk_repair {
    PENSTOCK_BULK_REPAIR_NACK = 0,  /* Flush: everything, then what is missing */
    PENSTOCK_BULK_REPAIR_BLOCKWISE, /* RFC 7959: one packet at a time, each asked for */
} penstock_bulk_repair_t;

/* All nodes of a network should have the same ones. Begin with penstock_bulk_ends_defaults(). */
typedef struct penstock_bulk_ends_params {
    uint8_t repair; /* penstock_bulk_repair_t */
    /* Bytes of the object in a packet, at most; 0: what the frame has room for. RFC 7959 knows blocks of 16, 32, 64
     * ... 1,024 bytes. */
    uint8_t packet_len;
    uint8_t nack_max;           /* most packets that one NACK asks for; 0: as many as fit */
    uint8_t tries;              /* how often the sink asks while nothing new comes; at least 1 */
    uint8_t restarts;           /* how often an object is fetched anew after its check failed or since it had changed */
    bool freeze;                /* routes are frozen for the time of a transfer (Flush 5.2) */
    uint32_t query_timeout_us;  /* for the answer to the first query, when the depth is not yet known */
    uint32_t timeout_max_us;    /* the longest that the sink waits before it asks again; at most 2^26 us */
    uint32_t first_interval_us; /* between packets until the source knows better; 0: see penstock_bulk_ends_defaults */
    uint32_t flood_jitter_us;   /* a relayed flood waits up to this long; 0: two packet times */
    /* Block-wise transfer: RFC 7252, 4.8. */
    uint32_t ack_timeout_us; /* ACK_TIMEOUT; at most 2^23 us */
    uint16_t ack_random_q8;  /* ACK_RANDOM_FACTOR, in 1/256: 256..512 */
    uint8_t max_retransmit;  /* MAX_RETRANSMIT; at most 5 */
} penstock_bulk_ends_params_t;

/* NACK; the frame's packet and NACK length; 6 tries, 2 restarts, frozen routes; 2 s (as RFC 7252 has it for a
 * path it knows nothing of), 16 s; a first interval of one packet time for each hop, at most 5: 1/r(N, I) of
 * Flush 2.3.1 for an interference range of 3 hops; two packet times of jitter; RFC 7252's 2 s, 1.5, 4. */
penstock_bulk_ends_params_t penstock_bulk_ends_defaults(void);

/* How long nothing new may come until a transfer fails, in us. */
uint32_t penstock_bulk_patience_us(const penstock_bulk_ends_params_t *params);

/* ---- Words ----------------------------------------------------------------- */

/* Why a transfer failed. Some go on air (docs/spec.md), so the numbers are fixed. */
typedef enum penstock_bulk_reason {
    PENSTOCK_BULK_NO_REASON = 0,
    PENSTOCK_BULK_UNREACHABLE = 1, /* no answer to the query: no such node, no way to it, or no bulk transfer there */
    PENSTOCK_BULK_SILENT = 2,      /* answers stopped coming */
    PENSTOCK_BULK_REFUSED = 3,     /* the source's application said no */
    PENSTOCK_BULK_BUSY = 4,        /* the source is serving another sink */
    PENSTOCK_BULK_SIZE = 5,        /* empty, or more packets than 65,535 or than the bitmap has bits */
    PENSTOCK_BULK_UNKNOWN = 6,     /* the source knows nothing of this transfer: it has rebooted; handled inside */
    PENSTOCK_BULK_INTEGRITY = 7,   /* the CRC was wrong, or the object changed, more often than `restarts` */
    PENSTOCK_BULK_SOURCE_STORAGE = 8, /* the source's application could not provide what it had offered */
    PENSTOCK_BULK_SINK_STORAGE = 9,   /* the sink's application could not provide what it had been given */
    PENSTOCK_BULK_STOPPED = 10,       /* cancelled by the application, here or at the other end */
    PENSTOCK_BULK_REASON_COUNT
} penstock_bulk_reason_t;

/* Short lower-case names ("unreachable"); "?" when out of range. */
const char *penstock_bulk_reason_name(int reason);

typedef enum penstock_bulk_event_kind {
    PENSTOCK_BULK_ASKED = 1, /* source: `peer` wants `object`; answer with offer or refuse */
    PENSTOCK_BULK_SERVED,    /* source: the sink has all of it */
    PENSTOCK_BULK_ABANDONED, /* source: the sink gave up, asks for another object, or is silent */
    PENSTOCK_BULK_STARTED,   /* sink: the source has the object; length and CRC are known */
    PENSTOCK_BULK_RESTARTED, /* sink: everything that arrived is void, and is fetched anew */
    PENSTOCK_BULK_DONE,      /* sink: complete and checked */
    PENSTOCK_BULK_FAILED,    /* sink: `reason` says why; bitmap and bytes stay for a later resume */
    PENSTOCK_BULK_CANCELLED, /* sink: by penstock_bulk_cancel */
} penstock_bulk_event_kind_t;

typedef struct penstock_bulk_event {
    uint8_t kind;         /* penstock_bulk_event_kind_t */
    uint8_t reason;       /* penstock_bulk_reason_t */
    penstock_addr_t peer; /* the other end */
    uint16_t object;
} penstock_bulk_event_t;

/* Structs that share their name with a call have no tag: in C++ the call would hide it. */

/* What a sink stores to go on after a reboot, beside the bitmap. */
typedef struct {
    penstock_addr_t source;
    uint16_t object;
    uint32_t size;      /* bytes */
    uint32_t crc;       /* of the whole object */
    uint8_t packet_len; /* bytes of the object in a packet */
} penstock_bulk_checkpoint_t;

typedef struct {
    penstock_addr_t source;
    uint16_t object;
    uint8_t *bitmap;   /* the caller's, for as long as the transfer runs; bit i mod 8 of byte i / 8: packet i is here */
    size_t bitmap_len; /* bytes: room for 8 times as many packets */
    bool resume;       /* keep what the bitmap says, and go on from `checkpoint`, whose source and object count */
    penstock_bulk_checkpoint_t checkpoint;
} penstock_bulk_request_t;

/* Bytes that the library wants: to send them, at a source; to check them, at the sink. */
typedef struct penstock_bulk_read {
    uint16_t object;
    uint32_t offset;
    uint8_t len;
} penstock_bulk_read_t;

/* Bytes that have arrived. Valid until the next call on the node. */
typedef struct penstock_bulk_write {
    uint16_t object;
    uint32_t offset;
    uint8_t len;
    const uint8_t *bytes;
} penstock_bulk_write_t;

typedef enum penstock_bulk_phase {
    PENSTOCK_BULK_IDLE = 0,
    PENSTOCK_BULK_QUERYING,     /* sink: topology query */
    PENSTOCK_BULK_TRANSFERRING, /* sink: the first request is being served */
    PENSTOCK_BULK_REPAIRING,    /* sink: acknowledgement; what was lost is asked for */
    PENSTOCK_BULK_CHECKING,     /* sink: integrity */
    PENSTOCK_BULK_DECIDING,     /* source: the application has not answered ASKED */
    PENSTOCK_BULK_SERVING,      /* source: it has offered; sends what it is asked for */
} penstock_bulk_phase_t;

/* For those who watch, and for progress bars. */
typedef struct {
    uint8_t phase; /* penstock_bulk_phase_t */
    penstock_addr_t peer;
    uint16_t object;
    uint32_t size;        /* bytes; 0 until it is known */
    uint8_t packet_len;   /* bytes; 0 until it is known */
    uint8_t hops;         /* sink: from the source, as its last packet counted them */
    uint16_t packets;     /* of the object; 0 until it is known */
    uint16_t received;    /* sink: of these, those that the application has taken */
    uint16_t rounds;      /* sink: requests and NACKs sent, of this transfer and its restarts */
    uint32_t rtt_us;      /* sink: smoothed; 0 until it is known */
    uint32_t interval_us; /* sink: between packets, smoothed; 0 until it is known */
    uint16_t ignored;     /* PDUs that came to this node and were of no use, since penstock_init */
} penstock_bulk_progress_t;

/* ---- State (the library's inside) -------------------------------------------- */

/* A FLOOD frame to be sent. */
typedef struct penstock_bulk_flood {
    uint8_t len; /* of the PDU; 0: a free slot */
    uint8_t hops;
    uint8_t attempts;
    penstock_addr_t sink;
    penstock_addr_t target;
    penstock_addr_t to; /* PENSTOCK_ADDR_BROADCAST, or the next hop */
    uint16_t number;
    penstock_time_t at;
    uint8_t pdu[PENSTOCK_BULK_FLOOD_PDU_MAX];
} penstock_bulk_flood_t;

typedef struct penstock_bulk_floods {
    penstock_bulk_flood_t slots[PENSTOCK_BULK_FLOODS];
    struct {
        penstock_addr_t sink; /* PENSTOCK_ADDR_NONE: free */
        uint16_t number;
    } seen[PENSTOCK_BULK_FLOODS_SEEN];
    uint8_t seen_next;
    penstock_time_t seen_at; /* when the last new one came */
    uint8_t in_flight;       /* a slot, or PENSTOCK_BULK_FLOODS: none */
    uint16_t next_number;    /* of this node's own floods */
    /* Frozen routes. */
    penstock_addr_t frozen_by; /* the sink; PENSTOCK_ADDR_NONE: they are not */
    penstock_time_t thaw_at;
} penstock_bulk_floods_t;

typedef struct penstock_bulk_sink {
    uint8_t phase;
    uint8_t transfer;
    uint8_t query;
    uint8_t round;
    uint8_t fruitless; /* asked so often since something new came */
    uint8_t returns;   /* the source has started anew so often since then */
    uint8_t restarts_left;
    uint8_t packet_len;
    uint8_t hops;
    bool known;     /* length and CRC */
    bool answered;  /* in this life: with a report */
    bool fresh;     /* no packet has come since it was begun */
    bool rtt_timed; /* the first packet of this round is a measure of the RTT */
    bool rtt_known;
    bool dense;    /* the round asked for packets without gaps, so that arrivals tell the interval */
    bool has_last; /* last_index and last_at are of this round */
    penstock_addr_t source;
    uint16_t object;
    uint16_t count; /* packets of the object */
    uint16_t missing;
    uint16_t low; /* all before it have arrived */
    uint16_t round_first;
    uint16_t round_last;
    uint16_t round_missing;
    uint16_t rounds;
    uint16_t last_index;
    uint16_t held; /* the index in the buffer */
    uint32_t size;
    uint32_t crc;
    uint16_t checked; /* while checking: packets read so far, and their CRC */
    uint32_t sum;
    uint32_t srtt_us;
    uint32_t rttvar_us;
    uint32_t interval_us; /* 0: not yet known */
    penstock_time_t asked_at;
    penstock_time_t last_at;
    penstock_time_t at;   /* when patience for this round ends */
    uint32_t ack_wait_us; /* block-wise: the first wait for this block */
    uint8_t *bitmap;
    size_t bitmap_len;
} penstock_bulk_sink_t;

typedef struct penstock_bulk_source {
    uint8_t phase;
    uint8_t transfer;
    uint8_t query;
    uint8_t round;
    bool has_round;  /* `round` and packet_len are valid */
    bool reports;    /* a REPORT is to be sent */
    uint8_t refuses; /* a REFUSED is to be sent, with this reason */
    uint8_t refused_transfer;
    penstock_addr_t refused_sink;
    penstock_time_t refused_at;
    uint8_t packet_len;
    uint8_t count; /* of `asked`; from `next` on they are to be sent */
    uint8_t next;
    bool is_range; /* first..last is to be sent */
    penstock_addr_t sink;
    uint16_t object;
    uint16_t first;
    uint16_t last;
    uint16_t held; /* the index in the buffer */
    uint16_t asked[PENSTOCK_BULK_NACK_MAX];
    uint32_t size;
    uint32_t crc;
    penstock_time_t queried_at;
    penstock_time_t used_at; /* when the sink last asked, or something was sent to it */
    penstock_time_t pump_at;
    bool pumps; /* something waits for pump_at */
} penstock_bulk_source_t;

typedef struct penstock_bulk_ends {
    penstock_bulk_floods_t floods;
    union {
        penstock_bulk_sink_t sink; /* at a root */
        penstock_bulk_source_t source;
    };
    uint16_t ignored;
    uint8_t events_pending;
    uint8_t reading; /* what became of the last read: see ends.h */
    uint16_t read_index;
    uint8_t buffer_len;                           /* bytes of a packet that wait for poll_write, or for the path */
    uint8_t buffer[4u + PENSTOCK_BULK_BYTES_MAX]; /* as a DATA PDU */
    penstock_bulk_event_t events[PENSTOCK_BULK_EVENTS];
} penstock_bulk_ends_t;

/* ---- Calls -------------------------------------------------------------------- */

struct penstock_node;

/* All calls: PENSTOCK_INVALID, and nothing happens, on a node without bulk transfer (config.bulk NULL). */

/* At a root: asks for an object. 0; PENSTOCK_WOULD_BLOCK while a transfer runs; PENSTOCK_INVALID at other nodes, for
 * a source that is no node or this node itself, without a bitmap, and to resume with a checkpoint of size 0, of packet
 * length 0, or too large for the bitmap. Unless it resumes the bitmap is cleared. */
int penstock_bulk_request(struct penstock_node *node, const penstock_bulk_request_t *request, penstock_time_t now);

/* At a sink: ends the transfer (CANCELLED); what arrived may be resumed. At a source: stops serving, and the sink
 * fails with STOPPED. PENSTOCK_INVALID when nothing runs. */
int penstock_bulk_cancel(struct penstock_node *node, penstock_time_t now);

/* 1 and the oldest event, or 0. When nobody polls, the oldest of PENSTOCK_BULK_EVENTS is lost. */
int penstock_bulk_poll_event(struct penstock_node *node, penstock_bulk_event_t *event);

/* A source's answers to ASKED. Offer: the object is here, with so many bytes and this CRC (penstock_crc32). Both:
 * PENSTOCK_INVALID when `object` was not asked for. Offer: PENSTOCK_INVALID for size 0, PENSTOCK_TOO_LONG for more
 * than 65,535 packets; the sink is then told that the size is at fault. To be answered within the sink's patience. */
int penstock_bulk_offer(struct penstock_node *node, uint16_t object, uint32_t size, uint32_t crc, penstock_time_t now);
int penstock_bulk_refuse(struct penstock_node *node, uint16_t object, penstock_time_t now);

/* 1 and the bytes that the library wants, once for each; 0: none. Each is to be answered with one
 * penstock_bulk_provide, at once or later. */
int penstock_bulk_poll_read(struct penstock_node *node, penstock_bulk_read_t *read, penstock_time_t now);

/* The bytes of the last read; NULL when they cannot be had, which ends the transfer. PENSTOCK_INVALID when nothing
 * was read, or not so many bytes. What was overtaken by events is accepted and not used. */
int penstock_bulk_provide(struct penstock_node *node, const uint8_t *bytes, uint8_t len, penstock_time_t now);

/* At a sink: 1 and bytes that have arrived, in any order, none twice but after RESTARTED; 0: none. With this
 * answer the bitmap counts them as arrived. Until it is asked for, no other packet can be taken in: they are
 * lost, and asked for again. */
int penstock_bulk_poll_write(struct penstock_node *node, penstock_bulk_write_t *chunk, penstock_time_t now);

void penstock_bulk_progress(const struct penstock_node *node, penstock_bulk_progress_t *progress);

/* At a sink: 0 and what to store; PENSTOCK_WOULD_BLOCK before length and CRC are known. Kept after the end of a
 * transfer until the next request. */
int penstock_bulk_checkpoint(const struct penstock_node *node, penstock_bulk_checkpoint_t *checkpoint);

/* CRC-32 of IEEE 802.3. `crc`: 0, or that of the bytes before. */
uint32_t penstock_crc32(uint32_t crc, const uint8_t *bytes, size_t len);

#ifdef __cplusplus
}
#endif
#endif
