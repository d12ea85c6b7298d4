/* Penstock: WRCP's fields in data and control frames (docs/spec.md).
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef PENSTOCK_SRC_CONTROL_WRCP_FIELDS_H
#define PENSTOCK_SRC_CONTROL_WRCP_FIELDS_H

#include "penstock/wrcp.h"

/* Control sequence numbers go round from 1 to this; 0: none. */
#define PENSTOCK_WRCP_SEQUENCE_LAST 15u

typedef struct penstock_wrcp_fields {
    uint16_t total;             /* r_tot of the sender, 1/64 packets/s */
    penstock_wrcp_narrow_t own; /* the sender as a receiver */
    penstock_wrcp_narrow_t way; /* the narrowest that packets of the sender use, from there to the root */
    uint16_t highest;           /* rate of the fastest flow that it sends, 1/256 packets/s */
    uint8_t flows;              /* that it sends */
    uint8_t counter;            /* transmissions of the sender before this one, modulo 256 */
    uint8_t sequence;           /* the latest control sequence number that came down the tree, 0..15 */
    uint8_t acknowledged;       /* the one that all of its subtree has, 0..15 */
    uint8_t interval;           /* T, a code (wrcp_interval.h) */
} penstock_wrcp_fields_t;

/* Any bytes are fields: every value of every one of them has a meaning. PENSTOCK_WRCP_FIELDS_LEN bytes. */
void penstock_wrcp_fields_read(penstock_wrcp_fields_t *fields, const uint8_t *bytes);
void penstock_wrcp_fields_write(const penstock_wrcp_fields_t *fields, uint8_t *bytes);

#endif
