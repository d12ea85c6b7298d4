/* SPDX-License-Identifier: BSD-3-Clause */
#include "bulk_bench.h"

#include <stdio.h>
#include <string.h>

#include "bulk/ops.h"
#include "bulk/path.h"
#include "random.h"

static bench_t *bench_of_now; /* whose ends are called: the path has no other way to know */

uint32_t bench_random(bench_t *bench, uint32_t bound)
{
    return penstock_random_below(&bench->random, bound);
}

uint8_t bench_byte(const bench_t *bench, uint32_t offset)
{
    uint32_t x = (offset + 1u) * UINT32_C(2654435761) ^ bench->salt;
    return (uint8_t)(x >> 13);
}

uint32_t bench_crc(const bench_t *bench)
{
    uint32_t crc = 0u;
    for (uint32_t i = 0u; i < bench->size; i++) {
        uint8_t byte = bench_byte(bench, i);
        crc = penstock_crc32(crc, &byte, 1u);
    }
    return crc;
}

bool bench_identical(const bench_t *bench)
{
    for (uint32_t i = 0u; i < bench->size; i++) {
        if (bench->store[i] != bench_byte(bench, i)) {
            return false;
        }
    }
    return true;
}

/* ---- The channel ------------------------------------------------------------------- */

static void note_asked(bench_t *bench, uint32_t index)
{
    if (index < BENCH_BITMAP * 8u) {
        bench->asked_for[index]++;
        bench->asked_in_vain += (bench->bitmap[index / 8u] >> (index % 8u)) & 1;
    }
}

static void log_pdu(bench_t *bench, const bench_flight_t *flight)
{
    penstock_bulk_pdu_t pdu;
    int entry = bench->logged < BENCH_LOG ? bench->logged++ : BENCH_LOG - 1;
    char *line = bench->log[entry];
    bench->log_at[entry] = bench->now;
    bench->log_to[entry] = flight->to;
    size_t room = sizeof bench->log[0];
    line[0] = '\0';
    if (penstock_bulk_pdu_parse(&pdu, flight->pdu, flight->len) != PENSTOCK_OK) {
        snprintf(line, room, "?");
        return;
    }
    int at = 0;
    switch (pdu.kind) {
    case PENSTOCK_BULK_PDU_QUERY:
        snprintf(line, room, "Q");
        break;
    case PENSTOCK_BULK_PDU_REQUEST:
        snprintf(line, room, "R %u-%u", (unsigned)pdu.first, (unsigned)pdu.last);
        for (uint32_t i = pdu.first; i <= pdu.last; i++) {
            note_asked(bench, i);
        }
        break;
    case PENSTOCK_BULK_PDU_NACK:
        at = snprintf(line, room, "N");
        for (uint8_t i = 0u; i < pdu.count; i++) {
            uint16_t index = penstock_bulk_pdu_index(&pdu, i);
            note_asked(bench, index);
            at += at < (int)room ? snprintf(line + at, room - (size_t)at, " %u", (unsigned)index) : 0;
        }
        break;
    case PENSTOCK_BULK_PDU_END:
        snprintf(line, room, "E %u", (unsigned)pdu.outcome);
        break;
    case PENSTOCK_BULK_PDU_REPORT:
        snprintf(line, room, "r");
        break;
    case PENSTOCK_BULK_PDU_REFUSED:
        snprintf(line, room, "f %u", (unsigned)pdu.reason);
        break;
    default:
        snprintf(line, room, "D %u", (unsigned)pdu.index);
        break;
    }
}

static void launch(bench_t *bench, const bench_flight_t *flight)
{
    for (int i = 0; i < BENCH_FLIGHTS; i++) {
        if (!bench->flights[i].used) {
            bench->flights[i] = *flight;
            bench->flights[i].used = true;
            uint32_t spread = bench->delay_max - bench->delay_min;
            bench->flights[i].at = bench->now + bench->delay_min + bench_random(bench, spread + 1u);
            return;
        }
    }
}

static void put_on_air(bench_t *bench, const bench_flight_t *flight)
{
    log_pdu(bench, flight);
    uint32_t sending = bench->sendings++;
    uint32_t loses = flight->down ? bench->loses_down : bench->loses_up;
    bool scripted = bench->drops != NULL && sending < strlen(bench->drops);
    bool lost = scripted ? bench->drops[sending] == 'x' : bench_random(bench, 256u) < loses;
    if (bench->cut || lost) {
        return;
    }
    launch(bench, flight);
    while (bench_random(bench, 256u) < bench->copies) {
        launch(bench, flight);
    }
}

/* ---- In place of path.c ---------------------------------------------------------------- */

bool penstock_bulk_path_may_send(penstock_node_t *node, penstock_time_t now, penstock_time_t *at)
{
    (void)node;
    *at = bench_of_now->may_send_at;
    return penstock_time_reached(now, *at);
}

bool penstock_bulk_path_send(penstock_node_t *node, const uint8_t *pdu, uint8_t len, penstock_time_t now)
{
    (void)node;
    bench_t *bench = bench_of_now;
    bench_flight_t flight = {.down = false, .len = len};
    memcpy(flight.pdu, pdu, len);
    if (bench->spoils > 0u && pdu[0] == PENSTOCK_BULK_PDU_DATA) {
        bench->spoils--;
        flight.pdu[len - 1u] ^= 1u;
    }
    put_on_air(bench, &flight);
    bench->may_send_at = now + bench->interval;
    return true;
}

uint8_t penstock_bulk_path_pdu_max(const penstock_node_t *node)
{
    (void)node;
    return bench_of_now->pdu_max;
}

uint8_t penstock_bulk_path_waiting(const penstock_node_t *node)
{
    (void)node;
    return 0u;
}

void penstock_bulk_path_begin(penstock_node_t *node, uint32_t initial_interval_us, penstock_time_t now)
{
    (void)node;
    (void)now;
    bench_of_now->begun_us = initial_interval_us;
    bench_of_now->begun++;
}

static const penstock_bulk_ops_t bench_ops = {
    .config_works = penstock_bulk_ends_config_works,
    .init = penstock_bulk_ends_init,
    .deadline = penstock_bulk_ends_deadline,
    .tick = penstock_bulk_ends_tick,
};

/* ---- The two ends ------------------------------------------------------------------------ */

static void prepare_end(bench_t *bench, bench_end_t *end, bool is_sink)
{
    end->config = (penstock_config_t){
        .address = is_sink ? BENCH_SINK : BENCH_SOURCE,
        .pan_id = 7u,
        .is_root = is_sink,
        .seed = bench->random,
        .max_frame_len = 125u,
        .packet_time_us = 10000u,
        .queue = end->queue,
        .queue_capacity = 2u,
        .local_share = 1u,
        .link_attempts = 4u,
        .mac_attempts = 1u,
        .hop_limit = 64u,
        .neighbors = end->neighbors,
        .neighbor_capacity = 2u,
        .beacon_period_us = 10000000u,
        .control = &penstock_control_none,
        .control_params = penstock_control_defaults(),
        .bulk = &end->bulk,
        .bulk_ops = &bench_ops,
        .bulk_params = &bench->params,
        .bulk_queue = end->bulk_queue,
        .bulk_queue_capacity = 1u,
        .bulk_flows = &end->flow,
        .bulk_flow_capacity = 1u,
    };
    end->flow.origin = PENSTOCK_ADDR_NONE;
}

void bench_prepare(bench_t *bench, uint32_t size, uint32_t seed)
{
    memset(bench, 0, sizeof *bench);
    bench->random = penstock_random_seed(seed * UINT32_C(2246822519), 1u);
    bench->now = bench_random(bench, UINT32_MAX); /* anywhere */
    bench->params.ends = penstock_bulk_ends_defaults();
    bench->params.path.attempts = 5u;
    bench->params.ends.packet_len = 10u;
    bench->size = size;
    bench->salt = seed;
    bench->delay_min = 20000u;
    bench->delay_max = 20000u;
    bench->interval = 10000u;
    bench->pdu_max = PENSTOCK_BULK_PDU_MAX;
    prepare_end(bench, &bench->sink, true);
    prepare_end(bench, &bench->source, false);
}

static void start_end(bench_t *bench, bench_end_t *end)
{
    end->owes = false;
    if (!bench->forgetful) {
        end->config.seed = bench_random(bench, UINT32_MAX);
    }
    if (penstock_init(&end->node, &end->config, bench->now) != PENSTOCK_OK) {
        fprintf(stderr, "bench: the config is refused\n");
    }
}

void bench_start(bench_t *bench)
{
    bench_of_now = bench;
    bench->may_send_at = bench->now;
    start_end(bench, &bench->sink);
    start_end(bench, &bench->source);
}

void bench_reboot(bench_t *bench, bench_end_t *end)
{
    start_end(bench, end);
    bench_serve(bench);
}

int bench_request(bench_t *bench)
{
    penstock_bulk_request_t request = {
        .source = BENCH_SOURCE, .object = BENCH_OBJECT, .bitmap = bench->bitmap, .bitmap_len = sizeof bench->bitmap};
    int result = penstock_bulk_request(&bench->sink.node, &request, bench->now);
    bench_serve(bench);
    return result;
}

/* ---- The applications ----------------------------------------------------------------------- */

static void take_events(bench_t *bench, bench_end_t *end)
{
    penstock_bulk_event_t event;
    while (penstock_bulk_poll_event(&end->node, &event) == 1) {
        end->last = event;
        end->events++;
        end->counts[event.kind]++;
        if (event.kind == PENSTOCK_BULK_RESTARTED) {
            memset(bench->store, 0, sizeof bench->store);
        }
        if (event.kind != PENSTOCK_BULK_ASKED || bench->mute) {
            continue;
        }
        if (bench->refuses) {
            (void)penstock_bulk_refuse(&end->node, event.object, bench->now);
        } else {
            (void)penstock_bulk_offer(&end->node, event.object, bench->size, bench_crc(bench), bench->now);
        }
    }
}

static void provide(bench_t *bench, bench_end_t *end)
{
    uint8_t bytes[UINT8_MAX];
    end->owes = false;
    for (uint8_t i = 0u; i < end->read.len; i++) {
        uint32_t offset = end->read.offset + i;
        bytes[i] = end == &bench->sink ? bench->store[offset] : bench_byte(bench, offset);
    }
    (void)penstock_bulk_provide(&end->node, bench->breaks ? NULL : bytes, end->read.len, bench->now);
}

static bool serve_end(bench_t *bench, bench_end_t *end)
{
    bool did = false;
    take_events(bench, end);
    if (penstock_bulk_poll_read(&end->node, &end->read, bench->now) == 1) {
        end->owes = true;
        end->provides_at = bench->now + bench_random(bench, bench->read_time + 1u);
        did = true;
    }
    if (end->owes && penstock_time_reached(bench->now, end->provides_at)) {
        provide(bench, end);
        did = true;
    }
    penstock_bulk_write_t chunk;
    if (!bench->hoards && penstock_bulk_poll_write(&end->node, &chunk, bench->now) == 1) {
        memcpy(bench->store + chunk.offset, chunk.bytes, chunk.len);
        did = true;
    }
    while (penstock_bulk_ends_wants_flood(&end->node, bench->now)) {
        penstock_frame_t frame;
        penstock_bulk_ends_write_flood(&end->node, &frame, bench->now);
        bench_flight_t flight = {.down = true, .to = frame.dst, .number = frame.seq, .len = frame.payload_len};
        memcpy(flight.pdu, frame.payload, frame.payload_len);
        if (end == &bench->sink) { /* nobody listens to what the source relays */
            put_on_air(bench, &flight);
        }
        penstock_tx_report_t report = {PENSTOCK_TX_DONE, 1u, false};
        penstock_bulk_ends_flood_sent(&end->node, &report, bench->now);
        did = true;
    }
    return did;
}

void bench_serve(bench_t *bench)
{
    bench_of_now = bench;
    bool again = true;
    while (again) {
        again = serve_end(bench, &bench->sink);
        again = serve_end(bench, &bench->source) || again;
    }
}

/* ---- Time ------------------------------------------------------------------------------------ */

static void arrive(bench_t *bench, const bench_flight_t *flight)
{
    if (!flight->down) {
        bench->sink.flow.origin = BENCH_SOURCE;
        bench->sink.flow.from = 5u;
        penstock_bulk_ends_arrived(&bench->sink.node, BENCH_SOURCE, 3u, flight->pdu, flight->len, bench->now);
        return;
    }
    penstock_frame_t frame = {
        .type = PENSTOCK_FRAME_FLOOD,
        .src = 5u,
        .dst = flight->to == PENSTOCK_ADDR_BROADCAST ? PENSTOCK_ADDR_BROADCAST : (penstock_addr_t)BENCH_SOURCE,
        .origin = BENCH_SINK,
        .seq = flight->number,
        .target = BENCH_SOURCE,
        .hops = 3u,
        .payload = flight->pdu,
        .payload_len = flight->len,
    };
    penstock_bulk_ends_flood(&bench->source.node, &frame, bench->now);
}

void bench_forge_up(bench_t *bench, penstock_addr_t origin, const uint8_t *pdu, uint8_t len)
{
    bench_of_now = bench;
    penstock_bulk_ends_arrived(&bench->sink.node, origin, 3u, pdu, len, bench->now);
    bench_serve(bench);
}

void bench_forge_down(bench_t *bench, penstock_addr_t sink, const uint8_t *pdu, uint8_t len)
{
    bench_of_now = bench;
    penstock_frame_t frame = {
        .type = PENSTOCK_FRAME_FLOOD,
        .src = 5u,
        .dst = PENSTOCK_ADDR_BROADCAST,
        .origin = sink,
        .seq = (uint16_t)bench_random(bench, 65536u),
        .target = BENCH_SOURCE,
        .hops = 3u,
        .payload = pdu,
        .payload_len = len,
    };
    penstock_bulk_ends_flood(&bench->source.node, &frame, bench->now);
    bench_serve(bench);
}

static void sooner(const bench_t *bench, bool *any, uint32_t *wait, penstock_time_t at)
{
    uint32_t left = penstock_time_reached(bench->now, at) ? 0u : at - bench->now;
    if (!*any || left < *wait) {
        *wait = left;
    }
    *any = true;
}

bool bench_step(bench_t *bench)
{
    bench_of_now = bench;
    bool any = false;
    uint32_t wait = 0u;
    bench_flight_t *first = NULL;
    for (int i = 0; i < BENCH_FLIGHTS; i++) {
        bench_flight_t *flight = &bench->flights[i];
        if (flight->used && (first == NULL || !penstock_time_reached(flight->at, first->at))) {
            first = flight;
        }
    }
    if (first != NULL) {
        sooner(bench, &any, &wait, first->at);
    }
    penstock_time_t at;
    bench_end_t *const ends[] = {&bench->sink, &bench->source};
    for (int i = 0; i < 2; i++) {
        if (penstock_bulk_ends_deadline(&ends[i]->node, bench->now, &at)) {
            sooner(bench, &any, &wait, at);
        }
        if (ends[i]->owes) {
            sooner(bench, &any, &wait, ends[i]->provides_at);
        }
    }
    if (!any) {
        return false;
    }
    bench->now += wait;
    if (first != NULL && penstock_time_reached(bench->now, first->at)) {
        bench_flight_t flight = *first;
        first->used = false;
        arrive(bench, &flight);
    } else {
        penstock_bulk_ends_tick(&bench->sink.node, bench->now);
        penstock_bulk_ends_tick(&bench->source.node, bench->now);
    }
    bench_serve(bench);
    return true;
}

bool bench_run(bench_t *bench, int steps)
{
    penstock_bulk_progress_t progress;
    for (int i = 0; i < steps; i++) {
        penstock_bulk_progress(&bench->sink.node, &progress);
        if (progress.phase == PENSTOCK_BULK_IDLE) {
            return true;
        }
        if (!bench_step(bench)) {
            return false;
        }
    }
    penstock_bulk_progress(&bench->sink.node, &progress);
    return progress.phase == PENSTOCK_BULK_IDLE;
}
