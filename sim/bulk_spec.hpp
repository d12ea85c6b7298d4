// What bulk transfers of a world are made from: part of its specification. Every field is set by the caller.
//
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace penstock {

struct WorldSpec;

struct BulkSpec {
    // The transfers, in the order of time: the sink asks for one after the other. Without any no node takes part in
    // bulk transfer, and the rest has no meaning.
    std::vector<std::int32_t> source; // per transfer: its node
    std::vector<std::uint32_t> bytes; // per transfer: length of the object
    std::vector<double> start_s;      // per transfer: not before this, counted from settle_s
    std::string content;              // bytes of every object, which then all have that length; empty: random ones

    // How they are carried.
    std::string mode; // "flush", "flush_e2e", "fixed", "asap" or "blockwise"
    double interval_s = 0;
    int payload_bytes = 0; // of the object, in a packet; 0: as many as the frame leaves
    int queue = 0;
    int local_share = 0;
    int flows = 0; // origins that a node tells apart
    int attempts = 0;
    int congested_packets = 0;
    int delay_memory_packets = 0; // a power of two, at most 128
    int rssi_memory_packets = 0;
    int interferer_db = 0;
    int nearest_interferer = 0;
    int interferer_timeout_packets = 0; // 0: never
    double delay_unit_s = 0;
    double longest_wait_s = 0;
    bool companded = false;
    bool lower = false; // than sensor data
    int nack_packets = 0;
    int tries = 0;
    int restarts = 0;
    bool freeze = false;
    double query_timeout_s = 0;
    double timeout_max_s = 0;
    double first_interval_s = 0; // 0: derived
    double flood_jitter_s = 0;   // 0: derived
    double ack_timeout_s = 0;    // of "blockwise"
    double ack_random_factor = 0;
    int max_retransmit = 0;

    bool log = false; // each transmission of a packet, and each arrival
};

// Throws std::invalid_argument that names the field.
void check_bulk(const WorldSpec &spec);

} // namespace penstock
