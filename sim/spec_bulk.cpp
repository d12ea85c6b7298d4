// SPDX-License-Identifier: BSD-3-Clause
#include "bulk_spec.hpp"

#include "csma.hpp"
#include "spec.hpp"

#include "penstock/bulk.h"

#include <bit>
#include <stdexcept>
#include <string_view>

namespace penstock {

namespace {

void require(bool holds, std::string_view field, std::string_view rule)
{
    if (!holds) {
        throw std::invalid_argument("bulk." + std::string(field) + ": " + std::string(rule));
    }
}

void require_range(double value, double low, double high, std::string_view field)
{
    require(value >= low && value <= high, field,
            "must be " + std::to_string(low) + " to " + std::to_string(high) + ", not " + std::to_string(value));
}

// A weight of one in so many, which the library has as a shift.
void require_power(int value, std::string_view field)
{
    require(value >= 1 && value <= 128 && std::has_single_bit(static_cast<unsigned>(value)), field,
            "must be 1, 2, 4 ... 128");
}

// A frame has room for the longest PDU that is not cut to its length: a source's report (docs/spec.md).
constexpr int REPORT_BYTES = 16;
constexpr int SHORTEST_FRAME =
    static_cast<int>(PENSTOCK_BULK_OVERHEAD + PENSTOCK_BULK_DELAYS) + REPORT_BYTES + FCS_BYTES;

void check_transfers(const WorldSpec &spec)
{
    const BulkSpec &bulk = spec.bulk;
    const std::size_t count = bulk.source.size();
    require(bulk.bytes.size() == count && bulk.start_s.size() == count, "transfers",
            "source, bytes and start_s must have one length");
    require(count <= 65'535, "transfers", "objects have numbers of 16 bits");
    for (std::size_t i = 0; i < count; ++i) {
        const bool known = bulk.source[i] >= 0 && static_cast<std::uint32_t>(bulk.source[i]) < spec.node_count;
        require(known, "source", "must be a node");
        require(static_cast<std::uint32_t>(bulk.source[i]) != spec.sink, "source", "must not be the sink");
        require(bulk.bytes[i] >= 1, "bytes", "must be at least 1");
        require(bulk.content.empty() || bulk.bytes[i] == bulk.content.size(), "bytes", "must be that of content");
        require(bulk.start_s[i] >= (i == 0 ? 0.0 : bulk.start_s[i - 1]) && bulk.start_s[i] <= 1e7, "start_s",
                "must be 0 to 1e7 s, in the order of time");
    }
}

void check_path(const BulkSpec &bulk)
{
    const std::string_view mode = bulk.mode;
    require(mode == "flush" || mode == "flush_e2e" || mode == "fixed" || mode == "asap" || mode == "blockwise", "mode",
            "must be 'flush', 'flush_e2e', 'fixed', 'asap' or 'blockwise'");
    require(mode != "fixed" || bulk.interval_s > 0, "interval_s", "belongs to mode 'fixed'");
    require_range(bulk.interval_s, 0, 1000, "interval_s");
    require_range(bulk.payload_bytes, 0, 255, "payload_bytes");
    require_range(bulk.queue, 1, 255, "queue");
    require_range(bulk.local_share, 1, bulk.queue, "local_share");
    require_range(bulk.flows, 1, 255, "flows");
    require_range(bulk.attempts, 1, 255, "attempts");
    require_range(bulk.congested_packets, 0, 255, "congested_packets");
    require_power(bulk.delay_memory_packets, "delay_memory_packets");
    require_power(bulk.rssi_memory_packets, "rssi_memory_packets");
    require_range(bulk.interferer_db, 0, 255, "interferer_db");
    require_range(bulk.nearest_interferer, 1, PENSTOCK_BULK_SUCCESSORS, "nearest_interferer");
    require_range(bulk.interferer_timeout_packets, 0, 255, "interferer_timeout_packets");
    require_range(bulk.delay_unit_s, 8e-6, 0.065, "delay_unit_s");
    require_range(bulk.longest_wait_s, 1e-6, 1000, "longest_wait_s");
}

void check_ends(const BulkSpec &bulk)
{
    require_range(bulk.nack_packets, 0, 255, "nack_packets");
    require_range(bulk.tries, 1, 255, "tries");
    require_range(bulk.restarts, 0, 255, "restarts");
    require_range(bulk.timeout_max_s, 1e-6, 64, "timeout_max_s");
    require(bulk.timeout_max_s * bulk.tries <= 1073, "tries", "times timeout_max_s must be at most 1073 s");
    require_range(bulk.query_timeout_s, 1e-6, bulk.timeout_max_s, "query_timeout_s");
    require_range(bulk.first_interval_s, 0, 1000, "first_interval_s");
    require_range(bulk.flood_jitter_s, 0, bulk.timeout_max_s, "flood_jitter_s");
    require_range(bulk.ack_timeout_s, 1e-6, 8, "ack_timeout_s");
    require_range(bulk.ack_random_factor, 1, 2, "ack_random_factor");
    require_range(bulk.max_retransmit, 0, 5, "max_retransmit");
}

} // namespace

void check_bulk(const WorldSpec &spec)
{
    check_transfers(spec);
    if (!spec.bulk.source.empty()) {
        if (spec.max_frame_bytes < SHORTEST_FRAME) {
            throw std::invalid_argument("max_frame_bytes: must be at least " + std::to_string(SHORTEST_FRAME) +
                                        " for bulk transfer, not " + std::to_string(spec.max_frame_bytes));
        }
        check_path(spec.bulk);
        check_ends(spec.bulk);
    }
}

} // namespace penstock
