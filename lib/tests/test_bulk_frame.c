/* Frames of bulk transfer: what is written can be read, docs/spec.md's examples are what the code writes,
 * and every truncation is refused.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "frame.h"
#include "spec_example.h"

static const uint8_t in_units[] = {9u, 17u, 35u};
static const uint8_t companded[] = {0x44u, 0x62u, 0x83u};
static const uint8_t pdu[] = {0x05u, 0x01u};

static penstock_frame_t bulk_frame(const uint8_t *delays)
{
    return (penstock_frame_t){
        .type = PENSTOCK_FRAME_BULK,
        .link_seq = 0x2Du,
        .ack_request = true,
        .pan_id = 0x2004u,
        .dst = 0x0006u,
        .src = 0x0011u,
        .origin = 0x0017u,
        .seq = 200u,
        .hops = 3u,
        .delays = delays,
        .payload = pdu,
        .payload_len = sizeof pdu,
    };
}

static penstock_frame_t flood_frame(void)
{
    penstock_frame_t frame = bulk_frame(NULL);
    frame.type = PENSTOCK_FRAME_FLOOD;
    frame.link_seq = 0x2Eu;
    frame.ack_request = false;
    frame.dst = PENSTOCK_ADDR_BROADCAST;
    frame.origin = 0x0006u;
    frame.seq = 298u;
    frame.target = 0x0017u;
    frame.hops = 2u;
    frame.payload = pdu + 1;
    frame.payload_len = 1u;
    return frame;
}

static size_t put(const penstock_frame_t *frame, uint8_t *bytes)
{
    int header = penstock_frame_write_header(frame, bytes, PENSTOCK_FRAME_MAX);
    CHECK(header > 0);
    memcpy(bytes + header, frame->payload, frame->payload_len);
    return (size_t)header + frame->payload_len;
}

/* What was written is read, of a block that ends with it; every shorter one is refused. */
static void check_round_trip(const penstock_frame_t *frame)
{
    uint8_t bytes[PENSTOCK_FRAME_MAX];
    size_t whole = put(frame, bytes);
    for (size_t len = 0u; len <= whole; len++) {
        uint8_t *cut = malloc(len + 1u);
        memcpy(cut + 1, bytes, len);
        penstock_frame_t read;
        int result = penstock_frame_parse(&read, cut + 1, len);
        size_t shortest = whole - frame->payload_len + 1u;
        CHECK_EQ(result, len >= shortest ? PENSTOCK_OK : PENSTOCK_MALFORMED);
        if (len == whole && result == PENSTOCK_OK) {
            CHECK_EQ(read.type, frame->type);
            CHECK_EQ(read.origin, frame->origin);
            CHECK_EQ(read.seq, frame->seq);
            CHECK_EQ(read.hops, frame->hops);
            CHECK_EQ(read.ack_request, frame->ack_request);
            CHECK_EQ(read.companded, frame->companded);
            CHECK(read.type != PENSTOCK_FRAME_FLOOD || read.target == frame->target);
            CHECK_EQ(read.delays != NULL, frame->delays != NULL);
            CHECK(read.delays == NULL || frame->delays == NULL ||
                  memcmp(read.delays, frame->delays, PENSTOCK_BULK_DELAYS) == 0);
            CHECK_EQ(read.payload_len, frame->payload_len);
            CHECK(memcmp(read.payload, frame->payload, frame->payload_len) == 0);
        }
        free(cut);
    }
    for (size_t room = 0u; room < whole - frame->payload_len; room++) {
        CHECK_EQ(penstock_frame_write_header(frame, bytes, room), PENSTOCK_TOO_LONG);
    }
}

static void test_round_trips(void)
{
    penstock_frame_t frame = bulk_frame(NULL);
    check_round_trip(&frame);
    frame = bulk_frame(in_units);
    check_round_trip(&frame);
    frame = bulk_frame(companded);
    frame.companded = true;
    check_round_trip(&frame);
    frame = flood_frame();
    check_round_trip(&frame);
}

static void check_example(const char *file, const char *marker, const penstock_frame_t *frame)
{
    uint8_t expected[PENSTOCK_FRAME_MAX];
    uint8_t bytes[PENSTOCK_FRAME_MAX];
    size_t len = put(frame, bytes);
    CHECK_EQ(read_example(file, marker, expected, sizeof expected), len);
    CHECK(memcmp(bytes, expected, len) == 0);
}

static void test_specification(const char *file)
{
    penstock_frame_t frame = bulk_frame(in_units);
    check_example(file, "<!-- example: bulk -->", &frame);
    frame = bulk_frame(companded);
    frame.companded = true;
    check_example(file, "<!-- example: companded -->", &frame);
    frame = flood_frame();
    check_example(file, "<!-- example: flood -->", &frame);
}

int main(int argc, char **argv)
{
    test_round_trips();
    CHECK_EQ(argc, 2);
    if (argc == 2) {
        test_specification(argv[1]);
    }
    return check_result();
}
