/* Penstock: the body of a beacon, as bytes and as fields. The layout is in docs/spec.md.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef PENSTOCK_SRC_BEACON_H
#define PENSTOCK_SRC_BEACON_H

#include "penstock/types.h"

#define PENSTOCK_BEACON_FIXED_LEN 10u
#define PENSTOCK_BEACON_ENTRY_LEN 3u

typedef struct penstock_beacon {
    penstock_addr_t root;
    uint16_t route_seq; /* the root's number; in CTP's beacons the sender's own */
    uint16_t etx;       /* of the sender's path, in 1/128; PENSTOCK_ETX_NONE: it offers no route */
    uint8_t hops;
    penstock_addr_t parent;
    uint8_t count;          /* of entries */
    const uint8_t *entries; /* in the bytes that were parsed; read with penstock_beacon_entry */
    bool pull;              /* a flag of the frame's header, not of the body */
} penstock_beacon_t;

/* "From this neighbour I receive this share of the frames." */
typedef struct penstock_beacon_entry {
    penstock_addr_t address;
    uint8_t delivery; /* 1/255 */
} penstock_beacon_entry_t;

/* 0, or PENSTOCK_MALFORMED when the number of entries does not match the length. */
int penstock_beacon_parse(penstock_beacon_t *beacon, const uint8_t *body, size_t len);
/* Entry `index` of a parsed beacon; index < count. */
penstock_beacon_entry_t penstock_beacon_entry(const penstock_beacon_t *beacon, uint8_t index);

/* What a parsed beacon says of `address`: the share of its frames that the sender receives (1/255); 0: nothing. */
uint8_t penstock_beacon_delivery(const penstock_beacon_t *beacon, penstock_addr_t address);

/* Writes all but the entries, for `count` of them. Bytes written or PENSTOCK_TOO_LONG. */
int penstock_beacon_write(const penstock_beacon_t *beacon, uint8_t *body, size_t capacity);
/* Writes entry `index` into a body that has room for it. */
void penstock_beacon_write_entry(uint8_t *body, uint8_t index, penstock_beacon_entry_t entry);

#endif
