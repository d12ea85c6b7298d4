// SPDX-License-Identifier: BSD-3-Clause
#include "applications.hpp"

#include "random.hpp"

namespace penstock {

Applications::Applications(const WorldSpec &spec, EventQueue &events, EventQueue::Slot first_slot, Records &records,
                           PacketLog &log)
    : events_(events),
      first_slot_(first_slot),
      records_(records),
      log_(log),
      applications_(spec.node_count)
{
    for (std::uint32_t node = 0; node < spec.node_count; ++node) {
        Application &application = applications_[node];
        if (node == spec.sink) {
            continue; // the sink has nobody to report to
        }
        if (spec.event_packets[node] > 0) {
            application.period = seconds(spec.event_period_s);
            application.first = seconds(spec.event_first_s[node]);
            application.at_once = static_cast<std::uint32_t>(spec.event_packets[node]);
            application.reports_events = true;
        } else if (spec.rate_pps[node] > 0) {
            Random random(spec.seed, node, Purpose::TrafficPhase);
            application.period = seconds(1.0 / spec.rate_pps[node]);
            application.first = static_cast<Time>(random.uniform() * static_cast<double>(application.period));
        }
    }
}

void Applications::begin(Time now)
{
    for (std::uint32_t node = 0; node < applications_.size(); ++node) {
        const Application &application = applications_[node];
        if (application.period > 0) {
            events_.set(slot(node), now + application.first);
        }
    }
}

void Applications::on_timer(std::uint32_t node, Time now)
{
    events_.set(slot(node), now + applications_[node].period);
    make_readings(node, now);
}

void Applications::make_readings(std::uint32_t node, Time now)
{
    Application &application = applications_[node];
    if (application.reports_events) {
        while (application.waiting_count > 0) {
            refuse(node, application.waiting_from, now);
            taken(node);
        }
    }
    const bool buffer_taken = application.waiting_count > 0;
    const auto first = static_cast<std::uint32_t>(records_.packets.size());
    for (std::uint32_t packet = first; packet < first + application.at_once; ++packet) {
        records_.packets.push_back(
            {.origin = static_cast<std::int32_t>(node), .seq = application.made++, .generated = now});
        ++records_.nodes[node].generated;
        log_.add(now, node, EventKind::Generated, -1, packet);
        if (buffer_taken) {
            refuse(node, packet, now);
        }
    }
    if (!buffer_taken) {
        application.waiting_from = first;
        application.waiting_count = application.at_once;
    }
}

void Applications::refuse(std::uint32_t node, std::uint32_t packet, Time now)
{
    records_.packets[packet].fate = Fate::Dropped;
    records_.packets[packet].reason = PENSTOCK_DROP_REFUSED;
    ++records_.nodes[node].drops[PENSTOCK_DROP_REFUSED];
    log_.add(now, node, EventKind::Dropped, -1, packet);
}

} // namespace penstock
