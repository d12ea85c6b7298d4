// Applications: when each node makes readings, and what becomes of those that its stack refuses.
//
// A periodic application makes a reading every period, from a random phase on. When the stack refuses it, the
// application waits with it (thesis 4.6); a reading made meanwhile finds the application's only buffer taken and is
// lost there ("refused").
//
// An application that reports events (thesis 5.5) makes all readings of an event at once and offers them as fast as
// the stack takes them. Readings that still wait when the next event comes are refused: the application reports what
// happened last.
//
// Instead of waiting for room, an application may set its own pace (thesis 4.6): the library's AIMD sender offers
// packets no faster than the stack has lately taken them. Readings are made as before and wait as before.
//
// An application of flows (sim/flow_sources.hpp) is active in given intervals. A backlogged one has a packet ready
// whenever the stack takes one; it is made at that moment, so that nothing waits. When a flow ends, what the stack has
// not taken is lost.
//
// An application with a power-saving pattern (thesis 5.3.6) makes a reading every period and, as soon as it is sent,
// lets the node sleep until a given part of the period has passed; the rest it listens.
//
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "event_queue.hpp"
#include "flow_sources.hpp"
#include "packet_log.hpp"
#include "records.hpp"
#include "spec.hpp"

#include "penstock/aimd.h"

#include <cstdint>
#include <vector>

namespace penstock {

class Applications {
public:
    // Takes one timer per node from `first_slot` on.
    Applications(const WorldSpec &spec, EventQueue &events, EventQueue::Slot first_slot, Records &records,
                 PacketLog &log);

    // Measuring begins: so do all applications.
    void begin(Time now);
    // Makes the readings that are due.
    void on_timer(std::uint32_t node, Time now);
    // Has it something to offer to its stack?
    [[nodiscard]] bool has_packet(std::uint32_t node) const
    {
        return applications_[node].waiting_count > 0 || flows_.backlogged(node);
    }
    // The oldest reading that the stack has not taken yet, or NO_PACKET.
    [[nodiscard]] std::uint32_t waiting(std::uint32_t node) const
    {
        const Application &application = applications_[node];
        return application.waiting_count > 0 ? application.waiting_from : NO_PACKET;
    }
    [[nodiscard]] std::uint32_t waiting_count(std::uint32_t node) const { return applications_[node].waiting_count; }
    // May it be offered now? With a pace of its own, an application asks its stack at most so often.
    [[nodiscard]] bool may_offer(std::uint32_t node, Time now) const;
    // When it may be; NEVER without a pace.
    [[nodiscard]] Time offer_at(std::uint32_t node, Time now) const;
    // The stack took it (returns its record), or refused it.
    std::uint32_t taken(std::uint32_t node, Time now);
    void refused(std::uint32_t node, Time now);
    // An application without a pace waits until the stack is ready; one with a pace finds out.
    [[nodiscard]] bool paced() const { return !paces_.empty(); }

    // Could the node sleep now, and not have to listen yet? Then `sleep` makes its timer the moment to wake up.
    [[nodiscard]] bool may_sleep(std::uint32_t node, Time now) const;
    void sleep(std::uint32_t node);
    [[nodiscard]] bool asleep(std::uint32_t node) const { return applications_[node].asleep; }
    void wake(std::uint32_t node);

    // Forgets the oldest reading that waits.
    void discard(std::uint32_t node)
    {
        ++applications_[node].waiting_from;
        --applications_[node].waiting_count;
    }
    // The node stops for good: no reading any more, and none waits.
    void stop(std::uint32_t node);

private:
    struct Application {
        Time period = 0;                // 0: silent
        Time first = 0;                 // from the beginning of measuring
        std::uint32_t at_once = 1;      // readings that it makes at a time
        bool reports_events = false;    // what waits gives way to what is new
        std::uint32_t made = 0;         // readings so far
        std::uint32_t waiting_from = 0; // readings made at once are neighbours in Records::packets
        std::uint32_t waiting_count = 0;
        Time listening = 0; // the end of each period, in which the node must not sleep
        Time next = 0;      // reading
        bool sleeps = false;
        bool asleep = false;
    };
    struct Pace {
        penstock_aimd_config_t config;
        penstock_aimd_t state;
    };

    void on_flow(std::uint32_t node, Time now);
    void make_readings(std::uint32_t node, Time now);
    std::uint32_t make_packet(std::uint32_t node, Time now);
    void lose(std::uint32_t node, std::uint32_t packet, Time now);
    void lose_waiting(std::uint32_t node, Time now);
    void set_pace(std::uint32_t node, const WorldSpec &spec, Time now);
    [[nodiscard]] EventQueue::Slot slot(std::uint32_t node) const { return first_slot_ + node; }

    const WorldSpec &spec_;
    EventQueue &events_;
    EventQueue::Slot first_slot_;
    Records &records_;
    PacketLog &log_;
    std::vector<Application> applications_;
    FlowSources flows_;
    std::vector<Pace> paces_; // one per node, or none at all
};

} // namespace penstock
