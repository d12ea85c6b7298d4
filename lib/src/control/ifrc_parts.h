/* Penstock: what the files of IFRC share (ifrc.c says what they do).
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef PENSTOCK_SRC_CONTROL_IFRC_PARTS_H
#define PENSTOCK_SRC_CONTROL_IFRC_PARTS_H

#include "frame.h"
#include "penstock/penstock.h"

/* ---- ifrc_fields.c: the 26 bytes --------------------------------------------- */

enum { PENSTOCK_IFRC_FIELDS_LEN = 26 };

/* What a frame says of its sender, or of the sender's most congested child. */
typedef struct penstock_ifrc_word {
    penstock_addr_t address; /* of a child: PENSTOCK_ADDR_NONE when none is congested */
    uint32_t rate;           /* 1..PENSTOCK_IFRC_RATE_MAX */
    uint32_t thresh;         /* the same */
    uint16_t average_q8;     /* packets, in 1/256 */
    uint8_t level;           /* 0..127 */
    bool slow_start;
} penstock_ifrc_word_t;

void penstock_ifrc_write(uint8_t *bytes, const penstock_ifrc_word_t *own, const penstock_ifrc_word_t *child);
/* Any bytes: rates out of range are taken as the nearest that is in it. */
void penstock_ifrc_read(const uint8_t *bytes, penstock_ifrc_word_t *own, penstock_ifrc_word_t *child);

/* ---- ifrc_rate.c: slow start, additive increase, multiplicative decrease ----- */

/* As one that joins: r_init and slow start, or no limit for the root. Nothing has been heard or carried. */
void penstock_ifrc_restart(penstock_node_t *node, penstock_time_t now);
/* A packet came: turns are counted from now on, if they were not. */
void penstock_ifrc_carry(penstock_node_t *node, penstock_time_t now);
/* This node's queue has crossed a threshold. */
void penstock_ifrc_halve(penstock_node_t *node, penstock_time_t now);
/* It has crossed the last: back to r_init. */
void penstock_ifrc_collapse(penstock_node_t *node, penstock_time_t now);
/* Another's rate binds this node: it takes that, its r_thresh and its phase if that rate is lower. */
void penstock_ifrc_lower(penstock_node_t *node, const penstock_ifrc_word_t *word, penstock_time_t now);
/* Ends the turn if it is over. */
void penstock_ifrc_tick(penstock_node_t *node, penstock_time_t now);
/* 1/rate, in us. */
uint32_t penstock_ifrc_turn_us(uint32_t rate);
/* Two turns at r_init: what is older says nothing. */
uint32_t penstock_ifrc_memory_us(const penstock_node_t *node);
/* Takes in what this node's own packets have earned. Called before the rate changes. */
void penstock_ifrc_earn(penstock_node_t *node, penstock_time_t now);

/* ---- ifrc_congestion.c: the average queue and its thresholds ----------------- */

enum { PENSTOCK_IFRC_LEVELS = 4 }; /* U(0) to U(3) */

/* A packet was put into the queue, or found no room in it. */
void penstock_ifrc_measure(penstock_node_t *node, penstock_time_t now);
/* Thresholds in 1/4096 packets: U(k), L. */
uint32_t penstock_ifrc_upper_q12(const penstock_config_t *config, uint8_t k);
uint32_t penstock_ifrc_lower_q12(const penstock_config_t *config);
/* Can the queue's average reach them, and is L below U(0)? Is the weight in its range? */
bool penstock_ifrc_thresholds_fit(const penstock_config_t *config);

/* ---- ifrc_sharing.c: who hears of congestion, and what it does ---------------- */

/* A frame with fields, of anyone. */
void penstock_ifrc_hear(penstock_node_t *node, const penstock_frame_t *frame, penstock_time_t now);
/* What this node's next frame says. */
void penstock_ifrc_tell(const penstock_node_t *node, uint8_t *bytes);
/* The most that the parent allows, and the highest rate of a child (0: there is none). */
uint32_t penstock_ifrc_parents_rate(const penstock_node_t *node);
uint32_t penstock_ifrc_childrens_rate(const penstock_node_t *node);

#endif
