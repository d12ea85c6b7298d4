// What a run leaves behind: counts and logs, no judgement. Times in ns, from the run's start.
// Everything covers the measured part of the run, after the routes have settled.
//
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "units.hpp"

#include "penstock/types.h"

#include <array>
#include <cstdint>
#include <vector>

namespace penstock {

struct NodeRecord {
    std::uint32_t generated = 0;     // readings that its application made
    std::uint32_t delivered = 0;     // of these, arrived at the sink
    std::uint32_t transmissions = 0; // data frames put on air, retries included
    std::uint32_t acked = 0;         // of these, acknowledged
    std::uint32_t receptions = 0;    // data frames for this node, intact, duplicates included
    std::uint32_t received = 0;      // of these, new packets
    std::uint32_t duplicates = 0;
    std::uint32_t beacons_sent = 0;
    std::uint32_t beacons_received = 0;
    std::uint32_t cca_busy = 0;     // attempts put off because the channel was busy
    std::uint32_t rx_overflows = 0; // frames of any kind that the chip's receive buffer lost
    std::uint32_t queue_peak = 0;
    std::int32_t parent = -1; // at the end of the run
    std::uint32_t hops = 0;   // to the sink, following parents; 0 at the sink and without a route
    double path_etx = 0;      // as the node advertises it; NaN without a route
    // The radio: how long in each state, and what that took. The times add up to the time measured.
    double time_tx_s = 0;      // radiating
    double time_rx_s = 0;      // acquiring or receiving
    double time_idle_s = 0;    // the rest: listening, sampling the channel, turning around
    double time_startup_s = 0; // from power down to listening
    double time_sleep_s = 0;   // powered down
    double energy_tx_j = 0;
    double energy_rx_j = 0;
    double energy_idle_j = 0;
    double energy_startup_j = 0;
    double energy_sleep_j = 0;
    double energy_j = 0; // the sum of these
    std::array<std::uint32_t, PENSTOCK_DROP_COUNT> drops{};
};

// A directed link that carried data.
struct LinkRecord {
    std::uint32_t src = 0;
    std::uint32_t dst = 0;
    std::uint32_t transmissions = 0;
    std::uint32_t receptions = 0;
    std::uint32_t received = 0; // new packets
    std::uint32_t accepted = 0; // of these, not dropped at once for want of room or route
    std::uint32_t acked = 0;
    double rssi_dbm = 0; // means over the receptions (sums while the run lasts); NaN without any
    double lqi = 0;
};

// Where a packet ended. Unknown after a run means that the world lost track of one: a fault.
enum class Fate : std::uint8_t { Queued, Delivered, Dropped, Unknown };

struct PacketRecord {
    std::int32_t origin = 0;
    std::uint32_t seq = 0; // readings of this origin, from 0
    Time generated = 0;
    Time admitted = -1;     // taken by the network stack
    Time delivered = -1;    // first arrival at the sink
    std::int32_t flow = -1; // that it belongs to, an index into the specification's; -1: none
    std::uint8_t hops = 0;
    Fate fate = Fate::Unknown;
    std::uint8_t reason = PENSTOCK_DROP_NONE;
};

enum class EventKind : std::uint8_t { Generated, Admitted, Transmitted, Received, Delivered, Dropped };

struct EventRecord {
    Time time;
    std::int32_t node;
    EventKind kind;
    std::int32_t peer;   // next hop or previous hop, -1 for none
    std::int32_t origin; // of the packet, with seq what names it; -1 for beacons
    std::uint32_t seq;
    std::int32_t queue; // packets in the node's queue then, the one concerned included if it is in it; -1: not told
};

// One node at one moment.
struct SampleRecord {
    Time time = 0;
    std::uint32_t node = 0;
    std::uint32_t queue = 0;     // packets in it
    std::uint32_t delivered = 0; // of the packets that it made, so far
    std::uint32_t allowed = 0;   // penstock_allowed_rate
};

// How a transfer ended; Waiting: its turn had not come when the run did.
enum class TransferOutcome : std::uint8_t { Waiting, Running, Done, Failed };

// A bulk transfer. Moments are -1 where they never came.
struct TransferRecord {
    std::int32_t source = 0;
    std::uint32_t bytes = 0; // of the object
    Time asked = -1;         // the sink's first query
    Time started = -1;       // the source has answered it
    Time last_first = -1;    // the last new packet of the transfer phase (transfers.hpp)
    Time complete = -1;      // all packets are there
    Time ended = -1;
    std::uint32_t packets = 0;       // of the object; 0 until the source has answered
    std::uint32_t arrived = 0;       // of these, at the sink
    std::uint32_t arrived_first = 0; // of these, in the transfer phase
    std::uint32_t bytes_first = 0;   // that these held
    std::uint32_t requests = 0;      // that the sink sent for packets, of all rounds
    std::uint32_t rounds = 0;        // of these, after the transfer phase
    std::uint32_t restarts = 0;
    std::uint32_t transmissions = 0;  // of bulk packets by all nodes, while it was the last one asked for
    std::uint32_t queue_drops = 0;    // bulk packets that nodes had no room for
    std::uint32_t attempts_drops = 0; // ... that no link attempt got through
    std::uint32_t line_drops = 0;     // ... that the sink's line had no room for
    std::uint8_t packet_bytes = 0;    // of the object, in a packet
    std::uint8_t hops = 0;            // as the last packet from the source counted them
    TransferOutcome outcome = TransferOutcome::Waiting;
    std::uint8_t reason = 0;     // penstock_bulk_reason_t
    std::uint8_t same_bytes = 0; // what the sink has stored is what the source has
};

enum class BulkEventKind : std::uint8_t { Attempt, Arrived };

// A link attempt of a bulk packet, when it is over, or a new packet of the object at the sink.
struct BulkEventRecord {
    Time time = 0;
    std::int32_t node = 0;
    std::int32_t transfer = 0;
    std::int32_t index = -1; // of the packet; -1: not one of the object's
    // Of an attempt, as it was when the MAC took the frame: packets in the node's bulk queue, that one included, and
    // delta, f and D of its flow.
    std::int32_t queue = -1;
    std::uint32_t delay_us = 0;
    std::uint32_t f_us = 0;
    std::uint32_t interval_us = 0;
    BulkEventKind kind = BulkEventKind::Attempt;
    std::uint8_t acked = 0;
};

struct Totals {
    std::uint64_t events = 0; // that the world went through, settling included
    std::uint64_t frames_data = 0;
    std::uint64_t frames_beacon = 0;
    std::uint64_t frames_ack = 0;
    std::uint64_t frames_bulk = 0;  // of bulk transfer: packets on their way up
    std::uint64_t frames_flood = 0; // ... and all others
    std::uint64_t receptions_started = 0;
    std::uint64_t receptions_corrupted = 0;
    std::uint64_t captures = 0;
    std::uint64_t interference_bursts = 0;
    std::uint64_t forced_losses = 0;    // intact frames of any kind that forced_loss.hpp dropped
    Time measured = 0;                  // how long the measured part was
    std::uint64_t payload_bytes = 0;    // of a packet that an application makes
    std::uint64_t data_frame_bytes = 0; // of the frame that carries it, MHR to FCS
};

struct Records {
    std::vector<NodeRecord> nodes;
    std::vector<LinkRecord> links;
    std::vector<PacketRecord> packets;
    std::vector<EventRecord> events;
    std::vector<SampleRecord> samples;
    std::vector<TransferRecord> transfers;
    std::vector<BulkEventRecord> bulk;  // empty unless asked for
    std::vector<std::uint8_t> received; // of the last transfer, where its content was given
    Totals totals;
};

} // namespace penstock
