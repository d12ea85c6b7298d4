/* Two ends of a bulk transfer and a channel between them that loses, copies and reorders as it is told. The path
 * and the floods' relays are a few lines here; what is tested are the ends.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef PENSTOCK_TESTS_BULK_BENCH_H
#define PENSTOCK_TESTS_BULK_BENCH_H

#include "bulk/ends.h"
#include "penstock/bulk.h"

enum { BENCH_SINK = 1, BENCH_SOURCE = 17, BENCH_STRANGER = 99 };
enum { BENCH_OBJECT = 3, BENCH_BYTES = 4096, BENCH_BITMAP = 64, BENCH_FLIGHTS = 64, BENCH_LOG = 256 };

typedef struct bench_end {
    penstock_config_t config;
    penstock_node_t node;
    penstock_bulk_t bulk;
    penstock_packet_t queue[2];
    penstock_neighbor_t neighbors[2];
    penstock_bulk_flow_t flow;
    penstock_bulk_packet_t bulk_queue[1];
    penstock_bulk_event_t last; /* event */
    int events;
    int counts[PENSTOCK_BULK_CANCELLED + 1]; /* of events, by kind */
    bool owes;                               /* the application has read and not provided yet */
    penstock_bulk_read_t read;
    penstock_time_t provides_at;
} bench_end_t;

/* A PDU on its way. */
typedef struct bench_flight {
    bool used;
    bool down;
    penstock_time_t at;
    penstock_addr_t to; /* of a flood: a neighbour or everybody */
    uint16_t number;
    uint8_t len;
    uint8_t pdu[PENSTOCK_BULK_PDU_MAX];
} bench_flight_t;

typedef struct bench {
    penstock_time_t now;
    uint32_t random;
    penstock_bulk_params_t params;
    bench_end_t sink;
    bench_end_t source;
    uint32_t size; /* of the object */
    uint32_t salt; /* of its bytes: another object has another */
    uint8_t bitmap[BENCH_BITMAP];
    uint8_t store[BENCH_BYTES];
    /* The channel, in 1/256; times in us. */
    uint32_t loses_down;
    uint32_t loses_up;
    uint32_t copies;
    uint32_t delay_min;
    uint32_t delay_max;
    uint32_t interval;  /* between packets of the source */
    uint32_t read_time; /* the longest that the applications take to provide; 0: at once */
    uint8_t pdu_max;
    bool cut;
    bool refuses;      /* the application at the source */
    bool mute;         /* ... answers nothing */
    bool forgetful;    /* ends that start anew have the same seed as before */
    bool hoards;       /* the application at the sink takes nothing */
    bool breaks;       /* applications cannot provide */
    uint32_t spoils;   /* so many more packets are changed on the way */
    const char *drops; /* by the number of sending: 'x' loses it; NULL: chance rules */
    uint32_t sendings;
    penstock_time_t may_send_at;
    uint32_t begun_us; /* what the path was told last, and how often */
    int begun;
    bench_flight_t flights[BENCH_FLIGHTS];
    /* What was said, lost or not: "Q", "R 0-8", "N 1 3 4", "E 0", "r", "f 3", "D 5". */
    char log[BENCH_LOG][96];
    penstock_time_t log_at[BENCH_LOG];
    penstock_addr_t log_to[BENCH_LOG]; /* of what the sink says */
    int logged;
    uint32_t asked_for[BENCH_BITMAP * 8]; /* how often each packet was */
    int asked_in_vain;                    /* how many of them the sink had already */
} bench_t;

/* Both ends are up, and an object of `size` bytes is at the source, 10 bytes to a packet. No losses, 20 ms each
 * way, 10 ms between packets. Change what you like, then bench_start. */
void bench_prepare(bench_t *bench, uint32_t size, uint32_t seed);
void bench_start(bench_t *bench);
int bench_request(bench_t *bench);
/* The next thing happens: something arrives or a deadline passes. False: nothing ever will. */
bool bench_step(bench_t *bench);
/* Steps until the sink's transfer is over, at most so many; true when it is. */
bool bench_run(bench_t *bench, int steps);
/* The application does all that it can. Called by bench_step. */
void bench_serve(bench_t *bench);
/* An end forgets everything; what was on its way arrives. */
void bench_reboot(bench_t *bench, bench_end_t *end);
/* A PDU from out of nowhere. */
void bench_forge_up(bench_t *bench, penstock_addr_t origin, const uint8_t *pdu, uint8_t len);
void bench_forge_down(bench_t *bench, penstock_addr_t sink, const uint8_t *pdu, uint8_t len);
uint8_t bench_byte(const bench_t *bench, uint32_t offset);
uint32_t bench_crc(const bench_t *bench);
/* Is the stored object the source's? */
bool bench_identical(const bench_t *bench);
uint32_t bench_random(bench_t *bench, uint32_t bound);

#endif
