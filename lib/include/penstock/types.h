/* Penstock: the words that every other header uses.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef PENSTOCK_TYPES_H
#define PENSTOCK_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Compile-time sizes -------------------------------------------------
 * Each may be set with -D for the whole build; all else is a caller's array. */

/* Longest payload of one packet, in bytes. Bounds every queue slot. 100 fits an
 * IEEE 802.15.4 frame of 127 B; a Mica2 build for 36 B frames sets 17. */
#ifndef PENSTOCK_PAYLOAD_MAX
#define PENSTOCK_PAYLOAD_MAX 100
#endif

/* Bytes of a data frame before its payload: MAC header 9, common header 2, data header 6
 * (docs/spec.md). A frame of `max_frame_len` carries that much less; what is left for
 * the application is penstock_payload_max. */
#define PENSTOCK_DATA_OVERHEAD 17u

/* Most fields, in bytes, that a strategy may have in a data frame: the control header, which
 * takes one byte more. */
#define PENSTOCK_CONTROL_FIELDS_MAX 32u

/* How many different sources a rate limiter can tell apart in its window (thesis 4.3: N
 * unique sources through the parent; `share`: through this node). 6 B each, at most 255.
 * Beyond it N saturates, so the limiter admits more than its share, never less. */
#ifndef PENSTOCK_RATE_SOURCES
#define PENSTOCK_RATE_SOURCES 64
#endif

/* ---- Addresses ---------------------------------------------------------- */

/* IEEE 802.15.4 short address. */
typedef uint16_t penstock_addr_t;
#define PENSTOCK_ADDR_BROADCAST ((penstock_addr_t)0xFFFFu)
/* 802.15.4 reserves 0xFFFE for "no short address"; here: nobody, no parent. */
#define PENSTOCK_ADDR_NONE ((penstock_addr_t)0xFFFEu)

/* ---- Time --------------------------------------------------------------- */

/* Microseconds modulo 2^32. Only differences under 2^31 us (35 min) have a meaning. */
typedef uint32_t penstock_time_t;

/* True when `now` is at or past `t`. */
static inline bool penstock_time_reached(penstock_time_t now, penstock_time_t t)
{
    return (now - t) < UINT32_C(0x80000000);
}

/* The later of two moments. */
static inline penstock_time_t penstock_time_later(penstock_time_t a, penstock_time_t b)
{
    return penstock_time_reached(a, b) ? a : b;
}

/* ---- Errors ------------------------------------------------------------- */

/* Negative, so that positive results can carry data. */
typedef enum penstock_error {
    PENSTOCK_OK = 0,
    PENSTOCK_WOULD_BLOCK = -1, /* not now: the call says when to ask again */
    PENSTOCK_MALFORMED = -2,   /* the bytes are no frame of ours: too short, or inconsistent lengths */
    PENSTOCK_UNSUPPORTED = -3, /* a frame of another version or another kind */
    PENSTOCK_TOO_LONG = -4,    /* does not fit the frame, the slot or the buffer */
    PENSTOCK_INVALID = -5,     /* an argument or a configuration field is out of its range */
} penstock_error_t;

/* ---- Why a packet was dropped ------------------------------------------- */

/* One enum for C, Python and every table. A packet that was not delivered and
 * is not queued any more has exactly one of these. */
typedef enum penstock_drop {
    PENSTOCK_DROP_NONE = 0,
    PENSTOCK_DROP_REFUSED,            /* never admitted: the application had to wait too long */
    PENSTOCK_DROP_QUEUE_FULL,         /* no room, and the link did not acknowledge it */
    PENSTOCK_DROP_ACKED_THEN_DROPPED, /* the link acknowledged it, then there was no room */
    PENSTOCK_DROP_ATTEMPTS_EXHAUSTED, /* every link attempt went unacknowledged */
    PENSTOCK_DROP_NO_ROUTE,           /* no parent to send it to */
    PENSTOCK_DROP_HOP_LIMIT,          /* went round for too long */
    PENSTOCK_DROP_NODE_DOWN,          /* lost with a node that crashed or slept */
    PENSTOCK_DROP_COUNT
} penstock_drop_t;

/* Short lower-case names ("queue_full"), as tables print them; "?" when out of range. */
const char *penstock_drop_name(penstock_drop_t reason);
const char *penstock_error_name(int error);

#ifdef __cplusplus
}
#endif
#endif
