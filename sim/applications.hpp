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
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "event_queue.hpp"
#include "packet_log.hpp"
#include "records.hpp"
#include "spec.hpp"

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
    // The oldest reading that the stack has not taken yet, or NO_PACKET.
    [[nodiscard]] std::uint32_t waiting(std::uint32_t node) const
    {
        const Application &application = applications_[node];
        return application.waiting_count > 0 ? application.waiting_from : NO_PACKET;
    }
    [[nodiscard]] std::uint32_t waiting_count(std::uint32_t node) const { return applications_[node].waiting_count; }
    // The stack took it.
    void taken(std::uint32_t node)
    {
        ++applications_[node].waiting_from;
        --applications_[node].waiting_count;
    }

private:
    struct Application {
        Time period = 0;                // 0: silent
        Time first = 0;                 // from the beginning of measuring
        std::uint32_t at_once = 1;      // readings that it makes at a time
        bool reports_events = false;    // what waits gives way to what is new
        std::uint32_t made = 0;         // readings so far
        std::uint32_t waiting_from = 0; // readings made at once are neighbours in Records::packets
        std::uint32_t waiting_count = 0;
    };

    void make_readings(std::uint32_t node, Time now);
    void refuse(std::uint32_t node, std::uint32_t packet, Time now);
    [[nodiscard]] EventQueue::Slot slot(std::uint32_t node) const { return first_slot_ + node; }

    EventQueue &events_;
    EventQueue::Slot first_slot_;
    Records &records_;
    PacketLog &log_;
    std::vector<Application> applications_;
};

} // namespace penstock
