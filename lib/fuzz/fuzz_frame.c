/* Fuzz target: the frame parser. What it accepts, it must be able to write again, and then
 * read as the same.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "require.h"

#include "frame.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    penstock_frame_t frame;
    if (penstock_frame_parse(&frame, data, size) != PENSTOCK_OK) {
        return 0;
    }
    uint8_t bytes[PENSTOCK_FRAME_MAX];
    int header = penstock_frame_write_header(&frame, bytes, sizeof bytes);
    REQUIRE(header > 0 && (size_t)header + frame.payload_len == size);
    REQUIRE(frame.payload == data + header);
    bool is_data = frame.type == PENSTOCK_FRAME_DATA;
    size_t before_control = PENSTOCK_DATA_OVERHEAD + (is_data && frame.is_ctp ? PENSTOCK_PATH_LEN : 0u) + 1u;
    if (frame.type == PENSTOCK_FRAME_CONTROL) {
        before_control = PENSTOCK_BEACON_OVERHEAD;
    }
    REQUIRE(frame.control_len == 0u ||
            (frame.control == data + before_control && frame.control + frame.control_len == frame.payload));
    REQUIRE((is_data && frame.is_ctp) || frame.path_etx == 0xFFFFu);
    REQUIRE(!is_data || !frame.pull);
    for (int i = 0; i < header; i++) {
        /* Reserved: frame pending, flags, the upper half of the service byte. */
        bool has_reserved_bits = i == 0 || i == 10 || i == 15;
        REQUIRE(has_reserved_bits || bytes[i] == data[i]);
    }
    for (size_t i = 0u; i < frame.payload_len; i++) {
        bytes[(size_t)header + i] = frame.payload[i];
    }
    penstock_frame_t again;
    REQUIRE(penstock_frame_parse(&again, bytes, size) == PENSTOCK_OK);
    REQUIRE(again.type == frame.type && again.congested == frame.congested && again.service == frame.service);
    REQUIRE(again.control_len == frame.control_len);
    REQUIRE(again.pull == frame.pull && again.is_ctp == frame.is_ctp && again.path_etx == frame.path_etx);
    REQUIRE(again.ack_request == frame.ack_request && again.hops == frame.hops);
    return 0;
}
