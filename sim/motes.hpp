// Motes: each hosts one library node and one application.
//
// The MAC's frames and reports go up to the node, the node's wishes go down to the MAC, and the application's
// readings are offered whenever the node may take one.
//
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "applications.hpp"
#include "csma.hpp"
#include "event_queue.hpp"
#include "packet_log.hpp"
#include "records.hpp"
#include "serial_line.hpp"
#include "spec.hpp"
#include "transfers.hpp"

#include "penstock/penstock.h"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace penstock {

class Motes final : public MacUser {
public:
    // Takes two timers per node from `first_slot` on, the node's deadline and the application's, then one for faults
    // and one for transfers.
    Motes(const WorldSpec &spec, const RadioProfile &radio, Csma &mac, EventQueue &events, EventQueue::Slot first_slot,
          Records &records);

    void start(Time now);
    // Routes have settled: pins them, starts the applications, and counts from here.
    void begin_measuring(Time now);
    void on_deadline(Node node, Time now);
    void on_application(Node node, Time now);
    void on_fault(Time now);
    void on_transfer(Time now);
    // There were bulk transfers, and all have ended.
    [[nodiscard]] bool transfers_over() const { return transfers_ && transfers_->over(); }
    // The bulk transfer that runs or was last; nullptr without any.
    [[nodiscard]] const TransferRecord *transfer() const { return transfers_ ? &transfers_->record() : nullptr; }
    // Notes what each node holds and how many of its packets have arrived.
    void sample(Time now);
    // Fills in what is only known at the end: fates, routes.
    void finish();

    bool next_frame(Node node, OutgoingFrame &frame, Time now) override;
    void attempt_began(Node node, const OutgoingFrame &frame, Time now) override;
    void frame_done(Node node, Outcome outcome, bool ack_congested, Time now) override;
    [[nodiscard]] bool ack_congested(Node node) const override { return penstock_ack_congested(&motes_[node].node); }
    void frame_received(Node node, const IncomingFrame &frame, Time now) override;

private:
    struct Mote {
        penstock_node_t node;
        penstock_config_t config;
        std::uint32_t in_flight = NO_PACKET; // the data packet that the MAC holds
        bool mac_holds_frame = false;        // of whatever kind
        bool holds_bulk = false;             // ... a bulk packet
        bool down = false;                   // failed, for good
        std::vector<std::uint32_t> admitted; // packets in the order of the library's sequence numbers
        std::uint16_t first_seq = 0;         // of admitted[0]
        std::uint32_t link = UINT32_MAX;     // record of the link in use
        penstock_counters_t before;          // counters when measuring began
    };

    // What is to befall a node: it stops for good, or sends to another parent from then on.
    struct Fault {
        Time time;
        Node node;
        Node parent; // NOBODY: it stops
    };

    static std::vector<Fault> faults_of(const WorldSpec &spec);
    void configure(Node node, const WorldSpec &spec, const RadioProfile &radio);
    void serve(Node node, Time now);
    void set_deadline(Node node, Time now);
    void try_to_send(Node node, Time now);
    [[nodiscard]] std::uint8_t payload_bytes(const Mote &mote) const;
    void take_deliveries(Node node, Time now);
    void take_drops(Node node, Time now);
    void dropped(Node node, std::uint32_t index, std::uint8_t reason, Time now);
    void sleep_if_done(Node node, Time now);
    void wake(Node node, Time now);
    void log(Time now, Node node, EventKind kind, std::int32_t peer, std::uint32_t packet);
    void schedule_fault();
    void reroute(Node node, Node parent, Time now);
    void fail(Node node, Time now);
    void lose_on_line(Node node, const IncomingFrame &frame, Time now);
    void bury(Node node, Time now);
    LinkRecord &link_record(Node src, Node dst);
    [[nodiscard]] std::uint32_t packet_index(penstock_addr_t origin, std::uint16_t seq) const;
    void settle_fates();
    void average_links();
    void record_routes();
    void record_sizes();

    const WorldSpec &spec_;
    Csma &mac_;
    EventQueue &events_;
    EventQueue::Slot first_slot_;
    Records &records_;
    PacketLog log_;
    Applications applications_;
    std::vector<Fault> faults_; // in the order of time
    std::size_t next_fault_ = 0;
    SerialLine line_;                    // of the sink
    std::optional<Transfers> transfers_; // if there are any
    std::vector<Mote> motes_;
    std::vector<penstock_packet_t> queues_;
    std::vector<penstock_neighbor_t> neighbors_;
    std::vector<std::uint16_t> wrcp_capacity_;                    // one table for all
    std::vector<penstock_peer_t> peers_;                          // one per neighbour too, if the strategy needs them
    std::unordered_map<std::uint64_t, std::uint32_t> link_index_; // (src, dst) to records_.links
};

} // namespace penstock
