/* Both codecs: what is written can be read, docs/spec.md's examples are what the code
 * writes, and every truncation and every foreign frame is refused.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdlib.h>
#include <string.h>

#include "beacon.h"
#include "check.h"
#include "control/ifrc_parts.h"
#include "control/wrcp_interval.h"
#include "frame.h"
#include "penstock/penstock.h"
#include "spec_example.h"

static penstock_frame_t data_frame(void)
{
    penstock_frame_t frame = {
        .type = PENSTOCK_FRAME_DATA,
        .link_seq = 0x2Au,
        .ack_request = true,
        .congested = true,
        .pan_id = 0x2004u,
        .dst = 0x0006u,
        .src = 0x0011u,
        .origin = 0x0017u,
        .seq = 0x0102u,
        .service = 5u,
        .hops = 3u,
    };
    return frame;
}

static size_t write_data(uint8_t *bytes, size_t capacity)
{
    penstock_frame_t frame = data_frame();
    int len = penstock_frame_write_header(&frame, bytes, capacity);
    CHECK_EQ(len, PENSTOCK_DATA_OVERHEAD);
    bytes[len] = 0x19u;
    bytes[len + 1] = 0x7Fu;
    return (size_t)len + 2u;
}

/* The same packet in a frame of a strategy with fields. */
static penstock_frame_t data_frame_with_fields(void)
{
    static const uint8_t fields[3] = {0x01u, 0x6Au, 0x48u};
    penstock_frame_t frame = data_frame();
    frame.control = fields;
    frame.control_len = sizeof fields;
    return frame;
}

static size_t write_data_with_fields(uint8_t *bytes, size_t capacity)
{
    penstock_frame_t frame = data_frame_with_fields();
    int len = penstock_frame_write_header(&frame, bytes, capacity);
    CHECK_EQ(len, PENSTOCK_DATA_OVERHEAD + 4u);
    bytes[len] = 0x19u;
    bytes[len + 1] = 0x7Fu;
    return (size_t)len + 2u;
}

/* The same packet from a node whose routing is CTP's, 2.75 transmissions from the root. */
static penstock_frame_t data_frame_with_path(void)
{
    penstock_frame_t frame = data_frame_with_fields();
    frame.is_ctp = true;
    frame.path_etx = 352u;
    return frame;
}

static size_t write_data_with_path(uint8_t *bytes, size_t capacity)
{
    penstock_frame_t frame = data_frame_with_path();
    int len = penstock_frame_write_header(&frame, bytes, capacity);
    CHECK_EQ(len, PENSTOCK_DATA_OVERHEAD + 2u + 4u);
    bytes[len] = 0x19u;
    bytes[len + 1] = 0x7Fu;
    return (size_t)len + 2u;
}

/* CTP's beacon: the 300th of the node, which asks for routes. */
static size_t write_pull(uint8_t *bytes, size_t capacity)
{
    penstock_frame_t frame = data_frame();
    frame.type = PENSTOCK_FRAME_BEACON;
    frame.ack_request = false;
    frame.congested = false;
    frame.pull = true;
    frame.is_ctp = true;
    frame.link_seq = 0x2Cu;
    frame.dst = PENSTOCK_ADDR_BROADCAST;
    int header = penstock_frame_write_header(&frame, bytes, capacity);
    penstock_beacon_t beacon = {
        .root = PENSTOCK_ADDR_NONE, .route_seq = 300u, .etx = 0xFFFFu, .parent = PENSTOCK_ADDR_NONE};
    return (size_t)header + (size_t)penstock_beacon_write(&beacon, bytes + header, capacity - (size_t)header);
}

static size_t write_beacon(uint8_t *bytes, size_t capacity)
{
    penstock_frame_t frame = data_frame();
    frame.type = PENSTOCK_FRAME_BEACON;
    frame.ack_request = false;
    frame.congested = false;
    frame.link_seq = 0x2Bu;
    frame.dst = PENSTOCK_ADDR_BROADCAST;
    int header = penstock_frame_write_header(&frame, bytes, capacity);
    CHECK_EQ(header, PENSTOCK_BEACON_OVERHEAD);
    penstock_beacon_t beacon = {.root = 6u, .route_seq = 0x0203u, .etx = 352u, .hops = 2u, .parent = 8u, .count = 2u};
    int body = penstock_beacon_write(&beacon, bytes + header, capacity - (size_t)header);
    penstock_beacon_write_entry(bytes + header, 0u, (penstock_beacon_entry_t){0x0008u, 230u});
    penstock_beacon_write_entry(bytes + header, 1u, (penstock_beacon_entry_t){0x0017u, 64u});
    return (size_t)header + (size_t)body;
}

static void test_data_round_trip(void)
{
    uint8_t bytes[PENSTOCK_FRAME_MAX];
    size_t len = write_data(bytes, sizeof bytes);
    penstock_frame_t read;
    penstock_frame_t wrote = data_frame();
    CHECK_EQ(penstock_frame_parse(&read, bytes, len), PENSTOCK_OK);
    CHECK_EQ(read.type, wrote.type);
    CHECK_EQ(read.link_seq, wrote.link_seq);
    CHECK_EQ(read.ack_request, wrote.ack_request);
    CHECK_EQ(read.congested, wrote.congested);
    CHECK_EQ(read.pan_id, wrote.pan_id);
    CHECK_EQ(read.dst, wrote.dst);
    CHECK_EQ(read.src, wrote.src);
    CHECK_EQ(read.origin, wrote.origin);
    CHECK_EQ(read.seq, wrote.seq);
    CHECK_EQ(read.service, wrote.service);
    CHECK_EQ(read.hops, wrote.hops);
    CHECK_EQ(read.payload_len, 2);
    CHECK_EQ(read.payload[1], 0x7F);
    CHECK_EQ(read.control_len, 0);
    CHECK(read.control == NULL);
}

static void test_fields_round_trip(void)
{
    uint8_t bytes[PENSTOCK_FRAME_MAX];
    size_t len = write_data_with_fields(bytes, sizeof bytes);
    penstock_frame_t read;
    CHECK_EQ(penstock_frame_parse(&read, bytes, len), PENSTOCK_OK);
    CHECK(read.congested);
    CHECK_EQ(read.hops, 3);
    CHECK_EQ(read.control_len, 3);
    CHECK(memcmp(read.control, data_frame_with_fields().control, 3u) == 0);
    CHECK_EQ(read.payload_len, 2);
    CHECK_EQ(read.payload[0], 0x19);

    bytes[17] = 5u; /* all that is left: no payload */
    CHECK_EQ(penstock_frame_parse(&read, bytes, len), PENSTOCK_OK);
    CHECK_EQ(read.control_len, 5);
    CHECK_EQ(read.payload_len, 0);
    bytes[17] = 6u; /* more than there is */
    CHECK_EQ(penstock_frame_parse(&read, bytes, len), PENSTOCK_MALFORMED);
    bytes[17] = 255u;
    CHECK_EQ(penstock_frame_parse(&read, bytes, len), PENSTOCK_MALFORMED);
    bytes[17] = 0u; /* announced, and then nothing */
    CHECK_EQ(penstock_frame_parse(&read, bytes, len), PENSTOCK_MALFORMED);

    penstock_frame_t frame = data_frame_with_fields();
    CHECK_EQ(penstock_frame_write_header(&frame, bytes, PENSTOCK_DATA_OVERHEAD + 3u), PENSTOCK_TOO_LONG);
    frame.type = PENSTOCK_FRAME_BEACON; /* beacons have none */
    CHECK_EQ(penstock_frame_write_header(&frame, bytes, sizeof bytes), PENSTOCK_BEACON_OVERHEAD);
    CHECK_EQ(bytes[10], 1);
}

static void test_ctp_round_trip(void)
{
    uint8_t bytes[PENSTOCK_FRAME_MAX];
    size_t whole = write_data_with_path(bytes, sizeof bytes);
    penstock_frame_t read;
    CHECK_EQ(penstock_frame_parse(&read, bytes, whole), PENSTOCK_OK);
    CHECK(read.is_ctp && !read.pull);
    CHECK_EQ(read.path_etx, 352);
    CHECK_EQ(read.control_len, 3);
    CHECK(memcmp(read.control, data_frame_with_fields().control, 3u) == 0);
    CHECK_EQ(read.payload_len, 2);
    for (size_t len = 0u; len < whole; len++) {
        uint8_t *cut = malloc(len + 1u);
        memcpy(cut + 1, bytes, len); /* ends with its block */
        int result = penstock_frame_parse(&read, cut + 1, len);
        CHECK_EQ(result, len >= PENSTOCK_DATA_OVERHEAD + 6u ? PENSTOCK_OK : PENSTOCK_MALFORMED);
        free(cut);
    }
    penstock_frame_t frame = data_frame_with_path();
    CHECK_EQ(penstock_frame_write_header(&frame, bytes, PENSTOCK_DATA_OVERHEAD + 5u), PENSTOCK_TOO_LONG);
    frame.pull = true; /* data does not ask */
    CHECK_EQ(penstock_frame_write_header(&frame, bytes, sizeof bytes), PENSTOCK_DATA_OVERHEAD + 6u);
    CHECK_EQ(bytes[10], 0x0B);

    whole = write_pull(bytes, sizeof bytes);
    CHECK_EQ(penstock_frame_parse(&read, bytes, whole), PENSTOCK_OK);
    CHECK(read.is_ctp && read.pull);
    CHECK_EQ(read.path_etx, 0xFFFF);
    bytes[10] = 0u;
    CHECK_EQ(penstock_frame_parse(&read, bytes, whole), PENSTOCK_OK);
    CHECK(!read.is_ctp && !read.pull);
}

static void test_control_frame_round_trip(void)
{
    uint8_t bytes[PENSTOCK_FRAME_MAX];
    penstock_frame_t frame = data_frame_with_fields();
    frame.type = PENSTOCK_FRAME_CONTROL;
    frame.ack_request = false;
    frame.dst = PENSTOCK_ADDR_BROADCAST;
    CHECK_EQ(penstock_frame_write_header(&frame, bytes, PENSTOCK_BEACON_OVERHEAD + 2u), PENSTOCK_TOO_LONG);
    int len = penstock_frame_write_header(&frame, bytes, sizeof bytes);
    CHECK_EQ(len, PENSTOCK_BEACON_OVERHEAD + 3);
    penstock_frame_t read;
    CHECK_EQ(penstock_frame_parse(&read, bytes, (size_t)len), PENSTOCK_OK);
    CHECK_EQ(read.type, PENSTOCK_FRAME_CONTROL);
    CHECK(read.congested);
    CHECK_EQ(read.dst, PENSTOCK_ADDR_BROADCAST);
    CHECK_EQ(read.control_len, 3);
    CHECK(memcmp(read.control, frame.control, 3u) == 0);
    CHECK_EQ(read.payload_len, 0);
    CHECK_EQ(penstock_frame_parse(&read, bytes, PENSTOCK_BEACON_OVERHEAD), PENSTOCK_MALFORMED); /* says nothing */
}

static void test_beacon_round_trip(void)
{
    uint8_t bytes[PENSTOCK_FRAME_MAX];
    size_t len = write_beacon(bytes, sizeof bytes);
    penstock_frame_t frame;
    penstock_beacon_t beacon;
    CHECK_EQ(penstock_frame_parse(&frame, bytes, len), PENSTOCK_OK);
    CHECK_EQ(penstock_beacon_parse(&beacon, frame.payload, frame.payload_len), PENSTOCK_OK);
    CHECK_EQ(beacon.root, 6);
    CHECK_EQ(beacon.route_seq, 0x0203);
    CHECK_EQ(beacon.etx, 352);
    CHECK_EQ(beacon.hops, 2);
    CHECK_EQ(beacon.parent, 8);
    CHECK_EQ(beacon.count, 2);
    CHECK_EQ(penstock_beacon_entry(&beacon, 0u).delivery, 230);
    CHECK_EQ(penstock_beacon_entry(&beacon, 1u).address, 0x17);
}

/* Every prefix is parsed from a block of its own size, so that a sanitizer sees a read past it. */
static void test_truncations(void)
{
    uint8_t bytes[PENSTOCK_FRAME_MAX];
    size_t whole = write_data(bytes, sizeof bytes);
    for (size_t len = 0u; len < whole; len++) {
        uint8_t *cut = malloc(len + 1u);
        memcpy(cut, bytes, len);
        penstock_frame_t frame;
        int result = penstock_frame_parse(&frame, len > 0u ? cut : cut + 1, len);
        CHECK_EQ(result, len >= PENSTOCK_DATA_OVERHEAD ? PENSTOCK_OK : PENSTOCK_MALFORMED);
        free(cut);
    }
    whole = write_data_with_fields(bytes, sizeof bytes);
    for (size_t len = 0u; len < whole; len++) {
        uint8_t *cut = malloc(len + 1u);
        memcpy(cut + 1, bytes, len); /* ends with its block */
        penstock_frame_t frame;
        int result = penstock_frame_parse(&frame, cut + 1, len);
        CHECK_EQ(result, len >= PENSTOCK_DATA_OVERHEAD + 4u ? PENSTOCK_OK : PENSTOCK_MALFORMED);
        free(cut);
    }
    whole = write_beacon(bytes, sizeof bytes);
    for (size_t len = 0u; len < whole; len++) {
        uint8_t *cut = malloc(len + 1u);
        memcpy(cut, bytes, len);
        penstock_frame_t frame;
        penstock_beacon_t beacon;
        int result = penstock_frame_parse(&frame, cut, len);
        CHECK_EQ(result, len >= PENSTOCK_BEACON_OVERHEAD ? PENSTOCK_OK : PENSTOCK_MALFORMED);
        if (result == PENSTOCK_OK) {
            CHECK_EQ(penstock_beacon_parse(&beacon, frame.payload, frame.payload_len), PENSTOCK_MALFORMED);
        }
        free(cut);
    }
    bytes[whole] = 0u; /* a byte too many breaks the entry count, too */
    penstock_frame_t frame;
    penstock_beacon_t beacon;
    CHECK_EQ(penstock_frame_parse(&frame, bytes, whole + 1u), PENSTOCK_OK);
    CHECK_EQ(penstock_beacon_parse(&beacon, frame.payload, frame.payload_len), PENSTOCK_MALFORMED);
    uint8_t overlong[PENSTOCK_FRAME_MAX + 1u] = {0x61u, 0x88u};
    CHECK_EQ(penstock_frame_parse(&frame, overlong, sizeof overlong), PENSTOCK_MALFORMED);
}

static int parse_with(size_t index, uint8_t value)
{
    uint8_t bytes[PENSTOCK_FRAME_MAX];
    size_t len = write_data(bytes, sizeof bytes);
    bytes[index] = value;
    penstock_frame_t frame;
    return penstock_frame_parse(&frame, bytes, len);
}

static void test_foreign_frames(void)
{
    CHECK_EQ(parse_with(0u, 0x61u), PENSTOCK_OK);
    CHECK_EQ(parse_with(0u, 0x71u), PENSTOCK_OK);          /* frame pending: of no meaning here */
    CHECK_EQ(parse_with(0u, 0x60u), PENSTOCK_UNSUPPORTED); /* an 802.15.4 beacon */
    CHECK_EQ(parse_with(0u, 0x62u), PENSTOCK_UNSUPPORTED); /* an acknowledgement */
    CHECK_EQ(parse_with(0u, 0x69u), PENSTOCK_UNSUPPORTED); /* secured */
    CHECK_EQ(parse_with(0u, 0x21u), PENSTOCK_UNSUPPORTED); /* two PAN identifiers */
    CHECK_EQ(parse_with(1u, 0x8Cu), PENSTOCK_UNSUPPORTED); /* a long destination */
    CHECK_EQ(parse_with(1u, 0xC8u), PENSTOCK_UNSUPPORTED); /* a long source */
    CHECK_EQ(parse_with(1u, 0x98u), PENSTOCK_UNSUPPORTED); /* frame version 1 */
    CHECK_EQ(parse_with(1u, 0x89u), PENSTOCK_UNSUPPORTED); /* sequence number suppressed */
    CHECK_EQ(parse_with(9u, 0x21u), PENSTOCK_UNSUPPORTED); /* Penstock version 2 */
    CHECK_EQ(parse_with(9u, 0x16u), PENSTOCK_UNSUPPORTED); /* a type to come */
    CHECK_EQ(parse_with(10u, 0xF4u), PENSTOCK_OK);         /* reserved flags are ignored ... */
    CHECK_EQ(parse_with(15u, 0xF5u), PENSTOCK_OK);         /* ... as are reserved bits */
    uint8_t bytes[PENSTOCK_FRAME_MAX];
    size_t len = write_data(bytes, sizeof bytes);
    bytes[10] = 0xF0u;
    bytes[15] = 0xF5u;
    penstock_frame_t frame;
    CHECK_EQ(penstock_frame_parse(&frame, bytes, len), PENSTOCK_OK);
    CHECK(!frame.congested);
    CHECK_EQ(frame.service, 5);
    bytes[7] = 0xFFu; /* sent by "everybody" */
    bytes[8] = 0xFFu;
    CHECK_EQ(penstock_frame_parse(&frame, bytes, len), PENSTOCK_MALFORMED);
}

static void test_small_buffers(void)
{
    uint8_t bytes[PENSTOCK_DATA_OVERHEAD];
    penstock_frame_t frame = data_frame();
    CHECK_EQ(penstock_frame_write_header(&frame, bytes, PENSTOCK_DATA_OVERHEAD - 1u), PENSTOCK_TOO_LONG);
    penstock_beacon_t beacon = {.count = 1u};
    CHECK_EQ(penstock_beacon_write(&beacon, bytes, PENSTOCK_BEACON_FIXED_LEN + 2u), PENSTOCK_TOO_LONG);
}

/* A frame of the example's node with IFRC's fields. */
static size_t write_ifrc(uint8_t *bytes, size_t capacity)
{
    uint8_t fields[PENSTOCK_IFRC_FIELDS_LEN];
    const penstock_ifrc_word_t own = {0x0011u, 163840u, 81920u, 5248u, 1u, false};
    const penstock_ifrc_word_t child = {0x0017u, 131072u, 131072u, 10496u, 2u, false};
    penstock_ifrc_write(fields, &own, &child);
    penstock_frame_t frame = data_frame();
    frame.control = fields;
    frame.control_len = sizeof fields;
    int header = penstock_frame_write_header(&frame, bytes, capacity);
    CHECK(header > 0);
    bytes[header] = 0x19u;
    bytes[header + 1] = 0x7Fu;
    return (size_t)header + 2u;
}

/* The same packet from a node whose strategy is WRCP. */
static size_t write_wrcp(uint8_t *bytes, size_t capacity)
{
    const penstock_wrcp_fields_t said = {
        .total = 480u,
        .own = {192, 768u},
        .way = {-16, 614u},
        .highest = 640u,
        .flows = 3u,
        .counter = 92u,
        .sequence = 5u,
        .acknowledged = 0u,
        .interval = 0x41u,
    };
    CHECK_EQ(penstock_wrcp_interval_decode(said.interval), 17000000);
    uint8_t fields[PENSTOCK_WRCP_FIELDS_LEN];
    penstock_wrcp_fields_write(&said, fields);
    penstock_frame_t frame = data_frame();
    frame.control = fields;
    frame.control_len = sizeof fields;
    int len = penstock_frame_write_header(&frame, bytes, capacity);
    CHECK_EQ(len, PENSTOCK_DATA_OVERHEAD + 1u + sizeof fields);
    bytes[len] = 0x19u;
    bytes[len + 1] = 0x7Fu;
    return (size_t)len + 2u;
}

static void test_specification(const char *file)
{
    uint8_t expected[PENSTOCK_FRAME_MAX];
    uint8_t bytes[PENSTOCK_FRAME_MAX];
    size_t len = write_data(bytes, sizeof bytes);
    CHECK_EQ(read_example(file, "<!-- example: data -->", expected, sizeof expected), len);
    CHECK(memcmp(bytes, expected, len) == 0);
    len = write_data_with_fields(bytes, sizeof bytes);
    CHECK_EQ(read_example(file, "<!-- example: control header -->", expected, sizeof expected), len);
    CHECK(memcmp(bytes, expected, len) == 0);
    len = write_ifrc(bytes, sizeof bytes);
    CHECK_EQ(read_example(file, "<!-- example: ifrc -->", expected, sizeof expected), len);
    CHECK(memcmp(bytes, expected, len) == 0);
    len = write_wrcp(bytes, sizeof bytes);
    CHECK_EQ(read_example(file, "<!-- example: wrcp -->", expected, sizeof expected), len);
    CHECK(memcmp(bytes, expected, len) == 0);
    len = write_data_with_path(bytes, sizeof bytes);
    CHECK_EQ(read_example(file, "<!-- example: path ETX -->", expected, sizeof expected), len);
    CHECK(memcmp(bytes, expected, len) == 0);
    len = write_pull(bytes, sizeof bytes);
    CHECK_EQ(read_example(file, "<!-- example: CTP beacon -->", expected, sizeof expected), len);
    CHECK(memcmp(bytes, expected, len) == 0);
    len = write_beacon(bytes, sizeof bytes);
    CHECK_EQ(read_example(file, "<!-- example: beacon -->", expected, sizeof expected), len);
    CHECK(memcmp(bytes, expected, len) == 0);
}

int main(int argc, char **argv)
{
    test_data_round_trip();
    test_fields_round_trip();
    test_ctp_round_trip();
    test_control_frame_round_trip();
    test_beacon_round_trip();
    test_truncations();
    test_foreign_frames();
    test_small_buffers();
    CHECK_EQ(argc, 2);
    if (argc == 2) {
        test_specification(argv[1]);
    }
    return check_result();
}
