// What the library is told of bulk transfer: the specification in the library's own units.
//
// SPDX-License-Identifier: BSD-3-Clause
#include "transfers.hpp"

#include <bit>
#include <cmath>

namespace penstock {

namespace {

std::uint32_t microseconds(double s)
{
    return static_cast<std::uint32_t>(std::llround(s * 1e6));
}

std::uint8_t byte(int value)
{
    return static_cast<std::uint8_t>(value);
}

std::uint8_t log2_of(int power)
{
    return static_cast<std::uint8_t>(std::countr_zero(static_cast<unsigned>(power)));
}

// Block-wise transfer has a packet in flight at a time: nothing needs a pace.
std::uint8_t mode_of(const std::string &name)
{
    if (name == "flush") {
        return PENSTOCK_BULK_FLUSH;
    }
    if (name == "flush_e2e") {
        return PENSTOCK_BULK_FLUSH_E2E;
    }
    return name == "fixed" ? PENSTOCK_BULK_FIXED : PENSTOCK_BULK_ASAP;
}

penstock_bulk_params_t params_of(const BulkSpec &bulk)
{
    penstock_bulk_params_t params = penstock_bulk_defaults();
    penstock_bulk_path_params_t &path = params.path;
    path.mode = mode_of(bulk.mode);
    path.companded = bulk.companded;
    path.lower = bulk.lower;
    path.attempts = byte(bulk.attempts);
    path.queue_threshold = byte(bulk.congested_packets);
    path.local_share = byte(bulk.local_share);
    path.delay_weight = log2_of(bulk.delay_memory_packets);
    path.rssi_weight = log2_of(bulk.rssi_memory_packets);
    path.interferer_db = byte(bulk.interferer_db);
    path.nearest_interferer = byte(bulk.nearest_interferer);
    path.interferer_timeout = byte(bulk.interferer_timeout_packets);
    path.unit_us = static_cast<std::uint16_t>(microseconds(bulk.delay_unit_s));
    path.longest_wait_us = microseconds(bulk.longest_wait_s);
    if (path.mode == PENSTOCK_BULK_FIXED) {
        path.fixed_interval_us = microseconds(bulk.interval_s);
    }
    penstock_bulk_ends_params_t &ends = params.ends;
    ends.repair = bulk.mode == "blockwise" ? PENSTOCK_BULK_REPAIR_BLOCKWISE : PENSTOCK_BULK_REPAIR_NACK;
    ends.packet_len = byte(bulk.payload_bytes);
    ends.nack_max = byte(bulk.nack_packets);
    ends.tries = byte(bulk.tries);
    ends.restarts = byte(bulk.restarts);
    ends.freeze = bulk.freeze;
    ends.query_timeout_us = microseconds(bulk.query_timeout_s);
    ends.timeout_max_us = microseconds(bulk.timeout_max_s);
    ends.first_interval_us = microseconds(bulk.first_interval_s);
    ends.flood_jitter_us = microseconds(bulk.flood_jitter_s);
    ends.ack_timeout_us = microseconds(bulk.ack_timeout_s);
    ends.ack_random_q8 = static_cast<std::uint16_t>(std::lround(bulk.ack_random_factor * 256.0));
    ends.max_retransmit = byte(bulk.max_retransmit);
    return params;
}

} // namespace

Transfers::Transfers(const WorldSpec &spec, EventQueue &events, EventQueue::Slot slot, Records &records)
    : spec_(spec),
      events_(events),
      slot_(slot),
      records_(records),
      params_(params_of(spec.bulk)),
      blockwise_(spec.bulk.mode == "blockwise"),
      bulk_(spec.node_count),
      queues_(std::size_t{spec.node_count} * static_cast<std::size_t>(spec.bulk.queue)),
      flows_(std::size_t{spec.node_count} * static_cast<std::size_t>(spec.bulk.flows)),
      is_source_(spec.node_count),
      on_air_(spec.bulk.log ? spec.node_count : 0)
{
    for (std::size_t i = 0; i < spec.bulk.source.size(); ++i) {
        is_source_[static_cast<std::size_t>(spec.bulk.source[i])] = 1;
        objects_.emplace_back(spec.seed, i, spec.bulk.content);
        records_.transfers.push_back({.source = spec.bulk.source[i], .bytes = spec.bulk.bytes[i]});
    }
}

} // namespace penstock
