/* Penstock: congestion control as a plug-in.
 *
 * A strategy is a name and a list of parts. A part sees what passes and answers up to
 * four questions; a strategy's answer is that of all its parts together. The parts of
 * Fusion (thesis chapter 4) are composable because the thesis measures them apart and
 * together; a strategy that is a system of its own has a single part.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef PENSTOCK_CONTROL_H
#define PENSTOCK_CONTROL_H

#include "penstock/bucket.h"
#include "penstock/ifrc.h"
#include "penstock/types.h"
#include "penstock/wrcp.h"

#ifdef __cplusplus
extern "C" {
#endif

struct penstock_config;
struct penstock_node;
struct penstock_frame;
struct penstock_packet;

/* One mechanism. Every hook may be NULL. */
typedef struct penstock_part {
    /* What passes: data for this node; every other frame; a packet entered the queue, goes to the
     * MAC, was acknowledged, was not (one attempt); a carrier-sense sample; time. */
    void (*init)(struct penstock_node *node, penstock_time_t now);
    /* The node slept, and what it heard is of another time (penstock_forget_congestion). NULL: as init. */
    void (*forget)(struct penstock_node *node, penstock_time_t now);
    void (*received)(struct penstock_node *node, const struct penstock_frame *frame, penstock_time_t now);
    void (*overheard)(struct penstock_node *node, const struct penstock_frame *frame, penstock_time_t now);
    /* Data for this node that it has already, sent again since the acknowledgement was lost: no traffic, but a
     * frame with fields of its own. */
    void (*repeated)(struct penstock_node *node, const struct penstock_frame *frame, penstock_time_t now);
    void (*queued)(struct penstock_node *node, const struct penstock_packet *packet, penstock_time_t now);
    void (*transmitting)(struct penstock_node *node, const struct penstock_packet *packet, penstock_time_t now);
    void (*sent)(struct penstock_node *node, const struct penstock_packet *packet, penstock_time_t now);
    void (*failed)(struct penstock_node *node, const struct penstock_packet *packet, penstock_time_t now);
    /* The congestion bit in the acknowledgement of the packet that was just sent. After `sent`. */
    void (*acked)(struct penstock_node *node, bool congested, penstock_time_t now);
    void (*channel)(struct penstock_node *node, bool busy, penstock_time_t now);
    void (*tick)(struct penstock_node *node, penstock_time_t now);
    /* A local packet was taken; the application asked and has to wait (for want of a route alone: not told). */
    void (*admitted)(struct penstock_node *node, penstock_time_t now);
    void (*refused)(struct penstock_node *node, penstock_time_t now);
    /* When the part wants a tick: true and the moment. */
    bool (*deadline)(const struct penstock_node *node, penstock_time_t now, penstock_time_t *at);

    /* Questions. Congested: any part's yes makes the node congested. */
    bool (*congested)(const struct penstock_node *node);
    /* Every part must agree; one that does not sets *at to when it may change its mind. */
    bool (*may_transmit)(struct penstock_node *node, penstock_time_t now, penstock_time_t *at);
    bool (*may_admit)(struct penstock_node *node, penstock_time_t now, penstock_time_t *at);
    /* The largest wins. */
    uint8_t (*backoff_shift)(const struct penstock_node *node);
    bool (*wants_channel_sample)(const struct penstock_node *node, penstock_time_t now);
    /* The rate that it allows this node's own packets, in 1/65536 packets/s. The smallest wins. */
    uint32_t (*rate)(const struct penstock_node *node);

    /* Fields of its own in every data frame: the control header of docs/spec.md. At most one part of a
     * strategy has them. Their length, 1..PENSTOCK_CONTROL_FIELDS_MAX (0: none), and what writes
     * them just before the frame goes to the MAC, at every hop and every attempt anew (packet NULL: in a
     * control frame). What others wrote is in frame->control, frame->control_len bytes of it, of
     * whatever strategy: check the length. */
    uint8_t fields_len;
    void (*write_fields)(struct penstock_node *node, const struct penstock_packet *packet, uint8_t *bytes,
                         penstock_time_t now);
    /* A packet is about to enter the queue: the bit to keep with it (packet->marked). `frame` is what
     * brought it, NULL for one of this node's application. Any part's yes sets it. */
    bool (*mark)(struct penstock_node *node, const struct penstock_frame *frame);

    /* Control frames: the fields alone, to all in range, for a node that has something to tell and no packet to
     * tell it with, as a root that forwards nothing. Asked whenever the MAC is free; wanted first thing
     * after beacons. Others get them as `overheard`. And: one was on air. */
    bool (*wants_frame)(const struct penstock_node *node, penstock_time_t now);
    void (*frame_sent)(struct penstock_node *node, penstock_time_t now);

    /* It keeps something on each neighbour: config.peers must be there. */
    bool needs_peers;
    /* Can it work with this config? Asked once, of the parts of the strategy alone, after all else was checked. */
    bool (*accepts)(const struct penstock_config *config);
} penstock_part_t;

typedef struct penstock_strategy {
    const char *name;
    const penstock_part_t *const *parts; /* ends with NULL */
} penstock_strategy_t;

/* The strategies of thesis Table 5.1. */
extern const penstock_strategy_t penstock_control_none;
extern const penstock_strategy_t penstock_control_occupancy;
extern const penstock_strategy_t penstock_control_channel;
extern const penstock_strategy_t penstock_control_delay;
extern const penstock_strategy_t penstock_control_rate;
extern const penstock_strategy_t penstock_control_fusion;
/* What the thesis names and leaves open: detection by loss rate and by any of the three (4.2), and
 * congestion state in link acknowledgements (6.1). */
extern const penstock_strategy_t penstock_control_ack;
extern const penstock_strategy_t penstock_control_loss;
extern const penstock_strategy_t penstock_control_union;
/* Rates that nodes tell each other in place of rates guessed from the parent's traffic (fair_share.c): alone, as
 * `rate` is, and in fusion's place of it. */
extern const penstock_strategy_t penstock_control_share;
extern const penstock_strategy_t penstock_control_fusion_share;
/* Interference-aware fair rate control, a system of its own (ifrc.c). */
extern const penstock_strategy_t penstock_control_ifrc;

/* Explicit rates from a model of what a receiver can take (wrcp.c). */
extern const penstock_strategy_t penstock_control_wrcp;

/* All of them, ending with NULL; and one by its name, or NULL. A mote that names its
 * strategy directly does not link these. */
extern const penstock_strategy_t *const penstock_strategies[];
const penstock_strategy_t *penstock_strategy_by_name(const char *name);
/* Does a node with it need config.peers? */
bool penstock_strategy_needs_peers(const penstock_strategy_t *strategy);

/* The numbers of the parts. penstock_control_defaults gives those of thesis Table 5.1. */
typedef struct penstock_control_params {
    /* Queue occupancy (4.2): congested when less than this share of the queue is free, in 1/256. 64 = 0.25. */
    uint8_t occupancy_free_q8;
    /* Channel sampling (CODA): epochs, their length, samples in one, EWMA weight of the past and threshold in 1/256. */
    uint8_t channel_epochs;
    uint8_t channel_samples;
    uint32_t channel_epoch_us;
    uint8_t channel_ewma_q8;
    uint8_t channel_threshold_q8;
    /* Loss rate (4.2): EWMA weight of the past; congested when more than this share of what the link by
     * itself would deliver is lost; after so long without an attempt the average begins anew. In 1/256, us. */
    uint8_t loss_ewma_q8;
    uint8_t loss_threshold_q8;
    uint32_t loss_age_us;
    /* Backpressure (4.2): a stopped child that hears nothing more from its parent goes on
     * after this long. 0: derived, see news_overheard.c. */
    uint32_t stop_timeout_us;
    /* The same for a stop that came in a link acknowledgement (6.1). 0: derived, see news_ack.c. */
    uint32_t ack_stop_us;
    /* Delay (4.5): silence after the parent's transmission ends. */
    uint32_t parent_delay_us;
    /* Rate limiting (4.3): depth of the bucket, window in which sources are counted (at least 2^16 us). */
    uint8_t rate_tokens;
    uint32_t rate_window_us;
    /* Told rates (fair_share.c): depth of the source's bucket, and the share of a node's capacity that is given
     * away, in 1/256. Their window is rate_window_us as well. */
    uint8_t share_tokens;
    uint8_t share_target_q8;
    /* Prioritized MAC (4.4): a congested node's backoff window is divided by 2^this. */
    uint8_t priority_shift;
    penstock_ifrc_params_t ifrc;
    penstock_wrcp_params_t wrcp;
} penstock_control_params_t;

penstock_control_params_t penstock_control_defaults(void);

/* Sources whose packets were seen lately. `note` is the part's own word on each. */
typedef struct penstock_sources {
    uint8_t count;
    struct {
        penstock_addr_t origin;
        uint16_t note;
        uint16_t heard_at; /* in units of 2^16 us */
    } entries[PENSTOCK_RATE_SOURCES];
} penstock_sources_t;

/* What a strategy keeps on one neighbour, for those that need it (penstock_config.peers). */
typedef struct penstock_peer {
    penstock_addr_t address; /* PENSTOCK_ADDR_NONE: a free entry */
    uint16_t heard_at;       /* in units of 2^16 us */
    union {
        penstock_ifrc_peer_t ifrc;
        penstock_wrcp_peer_t wrcp;
    } as;
} penstock_peer_t;

/* State of the parts, for the parts only. */
typedef struct penstock_control {
    struct {
        uint8_t epoch;   /* of channel_epochs, since the queue last began to fill */
        uint8_t samples; /* taken in this epoch, and busy ones among them */
        uint8_t busy;
        bool congested;
        uint16_t load_q8; /* EWMA of the busy share */
        penstock_time_t next_sample;
    } channel;
    struct {
        penstock_addr_t parent; /* to whom the attempts were made */
        uint16_t through;       /* EWMA of the share that was acknowledged, in 1/65025 */
        uint16_t quiet;         /* what the link alone delivers and acknowledges; 0: not known */
        uint8_t attempts;       /* made with the packet before it went to the MAC */
        penstock_time_t last;   /* attempt */
    } loss;
    struct {
        bool stopped;
        bool charged;       /* the packet at the head of the queue has been given its credit */
        uint8_t credit;     /* packets that may go out while stopped */
        penstock_addr_t by; /* the parent that stopped this node */
        penstock_time_t until;
        uint32_t length; /* of this stop */
    } backpressure;
    struct {
        penstock_addr_t asked; /* to whom the packet went whose acknowledgement is awaited */
    } ack;
    struct {
        penstock_time_t until;
    } delay;
    struct {
        uint8_t tokens;
        uint8_t heard;             /* packets that the parent forwarded since the last token */
        penstock_addr_t forwarder; /* the last parent that was heard forwarding */
        penstock_time_t refill_at; /* if the parent stays silent */
    } rate;
    /* Rates that are told: a node has one way to tell them, or none. */
    union {
        struct {
            /* Own capacity (share_estimate.c). Rates are codes of rate_code.h. */
            bool serving;         /* there is a packet at the head of the queue ... */
            penstock_addr_t next; /* ... for this parent, and it came there ... */
            penstock_time_t head_since;
            uint32_t service_us;      /* EWMA of the time that a packet stays there */
            uint16_t unmarked;        /* packets without the mark in this window, and in the one before */
            uint16_t unmarked_before; /* which had this length, in units of 2^16 us */
            uint16_t length_before;
            penstock_time_t window_began;
            uint8_t share; /* what each source that would send more gets of it */
            /* What others said (fair_share.c), and whether they said it in this window. */
            penstock_addr_t parent;
            penstock_addr_t sibling; /* the one with the least share */
            uint8_t parent_limit;
            uint8_t sibling_share;
            bool parent_fresh;
            bool sibling_fresh;
            /* This node's own packets: the application had to wait. */
            bool wants_more;
            penstock_bucket_t bucket;
        } share;
        penstock_ifrc_t ifrc;
        penstock_wrcp_t wrcp;
    };
    /* Of source_rate, fair_share or wrcp, whichever the strategy has: never two of them. */
    penstock_sources_t sources;
} penstock_control_t;

#ifdef __cplusplus
}
#endif
#endif
