// Bulk transfers: what the applications at both ends do, and what is noted of it.
//
// The sink asks for one object after the other, each not before its time. A source offers what it is asked for, and
// hands over bytes at once; the sink stores them in a buffer and has them checked at once. So storage takes no time.
// The buffer is compared with the source's bytes when the transfer has ended.
//
// The transfer phase (Flush 2.1) is over when the sink asks for what was lost. What counts for its length is the last
// new packet that came before, not the moment at which the sink gives up waiting for another. Block-wise transfer has
// no such second phase: all of it is the transfer.
//
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "event_queue.hpp"
#include "medium.hpp"
#include "object_bytes.hpp"
#include "records.hpp"
#include "spec.hpp"

#include "penstock/bulk.h"

#include <array>
#include <cstdint>
#include <vector>

namespace penstock {

class Transfers {
public:
    // Takes one timer, `slot`.
    Transfers(const WorldSpec &spec, EventQueue &events, EventQueue::Slot slot, Records &records);

    // Gives a node what it needs to take part: the bulk fields of its config.
    void join(Node node, penstock_config_t &config);
    // Throws std::invalid_argument for packets that do not fit the node's frames, and for objects of too many.
    void check_sizes(const penstock_node_t &node) const;

    // Measuring begins.
    void begin(Time now);
    [[nodiscard]] bool over() const { return next_ == objects_.size() && !running_; }
    // The next object is due: the sink asks for it.
    void on_timer(penstock_node_t &sink, Time now);
    // The applications' part, after every call on a node.
    void serve(Node node, penstock_node_t &lib, Time now);

    // The MAC has taken the packet at the head of a node's bulk queue, began to radiate it, is done with it.
    void taken(Node node, const penstock_node_t &lib);
    void attempt_began() { ++record().transmissions; }
    void attempt_done(Node node, bool acked, Time now);
    // A packet has reached the sink's line and found no room.
    void lost_on_line() { ++record().line_drops; }
    // The transfer that runs, or the one that was last, or the first one.
    [[nodiscard]] TransferRecord &record() const { return records_.transfers[next_ == 0 ? 0 : next_ - 1]; }
    // What is only known at the end.
    void finish();

private:
    struct Drops {
        std::uint32_t queue_full = 0;
        std::uint32_t attempts = 0;
    };

    void schedule(Time now);
    void serve_sink(penstock_node_t &lib, Time now);
    bool heed_event(penstock_node_t &lib, Time now);
    bool store(penstock_node_t &lib, Time now);
    bool check_stored(penstock_node_t &lib, Time now);
    void note(const penstock_node_t &lib, Time now);
    void end(const penstock_node_t &lib, TransferOutcome outcome, std::uint8_t reason, Time now);
    void serve_source(penstock_node_t &lib, Time now);
    [[nodiscard]] bool in_transfer_phase(std::uint8_t phase) const;
    [[nodiscard]] Drops drops() const;

    const WorldSpec &spec_;
    EventQueue &events_;
    EventQueue::Slot slot_;
    Records &records_;
    penstock_bulk_params_t params_;
    bool blockwise_;
    std::vector<penstock_bulk_t> bulk_;
    std::vector<penstock_bulk_packet_t> queues_;
    std::vector<penstock_bulk_flow_t> flows_;
    std::vector<std::uint8_t> is_source_; // per node
    std::vector<ObjectBytes> objects_;    // object numbers are indices into these
    std::size_t next_ = 0;                // the next one to be asked for
    bool running_ = false;
    Time began_ = 0;
    Drops before_;                     // when the running transfer began
    std::uint16_t requests_first_ = 0; // of its transfer phase
    std::vector<std::uint8_t> stored_; // at the sink
    std::array<std::uint8_t, 8192> bitmap_{};
    std::vector<BulkEventRecord> on_air_; // per node: the attempt that goes on; only for the log
};

} // namespace penstock
