// Flow sources: which flow of each node is active, and when its application does something next.
//
// A flow is an interval in which its source makes packets: either backlogged, with a packet ready whenever the stack
// takes one, so that nothing but the stack decides the rate; or at a steady rate, from a random phase on. It may be
// limited to a number of packets, after which the source is silent. A node has one flow at a time; its flows follow
// each other in the order of time.
//
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "spec.hpp"
#include "units.hpp"

#include <cstdint>
#include <vector>

namespace penstock {

class FlowSources {
public:
    enum class Event : std::uint8_t { Began, Reading, Ended };

    explicit FlowSources(const WorldSpec &spec);

    // Measuring begins.
    void begin(Time now);
    // Has the node flows at all?
    [[nodiscard]] bool any(std::uint32_t node) const { return sources_[node].first < sources_[node].last; }
    // The moment of its next event, or NEVER.
    [[nodiscard]] Time next_at(std::uint32_t node) const;
    // What is due at that moment; the state is that after it.
    Event advance(std::uint32_t node, Time now);
    // The flow that is active, an index into the specification's; -1 for none.
    [[nodiscard]] std::int32_t active(std::uint32_t node) const
    {
        return sources_[node].open ? static_cast<std::int32_t>(flows_[sources_[node].first].index) : -1;
    }
    // Does a packet lie ready that will exist as soon as the stack takes it?
    [[nodiscard]] bool backlogged(std::uint32_t node) const
    {
        const Source &source = sources_[node];
        return source.open && source.left > 0 && flows_[source.first].period == 0;
    }
    // The active flow made a packet.
    void count_packet(std::uint32_t node) { --sources_[node].left; }
    // The node stops for good.
    void stop(std::uint32_t node)
    {
        sources_[node].open = false;
        sources_[node].first = sources_[node].last;
    }

private:
    struct Flow {
        std::uint32_t index; // in the specification
        Time start;
        Time stop;
        Time period; // 0: backlogged
        Time phase;
        std::uint32_t packets; // at most
    };
    struct Source {
        std::uint32_t first = 0; // of its flows that is not over, an index into flows_
        std::uint32_t last = 0;
        bool open = false;
        std::uint32_t left = 0; // packets that the active flow may still make
        Time reading = NEVER;   // the next one of a flow with a steady rate
    };

    [[nodiscard]] Time reading_at(std::uint32_t node) const
    {
        return sources_[node].left > 0 ? sources_[node].reading : NEVER;
    }

    std::vector<Flow> flows_; // by source, then by time
    std::vector<Source> sources_;
};

} // namespace penstock
