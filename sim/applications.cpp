// SPDX-License-Identifier: BSD-3-Clause
#include "applications.hpp"

#include "lib_time.hpp"
#include "random.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace penstock {

Applications::Applications(const WorldSpec &spec, EventQueue &events, EventQueue::Slot first_slot, Records &records,
                           PacketLog &log)
    : spec_(spec),
      events_(events),
      first_slot_(first_slot),
      records_(records),
      log_(log),
      applications_(spec.node_count),
      flows_(spec),
      paces_(spec.aimd_increase_pps > 0 ? spec.node_count : 0)
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
            application.sleeps = spec.sleep_s[node] > 0;
            application.listening = application.period - seconds(spec.sleep_s[node]);
        }
    }
}

void Applications::begin(Time now)
{
    flows_.begin(now);
    for (std::uint32_t node = 0; node < applications_.size(); ++node) {
        Application &application = applications_[node];
        if (flows_.any(node)) {
            events_.set(slot(node), flows_.next_at(node));
        } else if (application.period > 0) {
            application.next = now + application.first;
            events_.set(slot(node), application.next);
            if (paced()) {
                set_pace(node, spec_, now);
            }
        }
    }
}

void Applications::on_timer(std::uint32_t node, Time now)
{
    if (flows_.any(node)) {
        on_flow(node, now);
        return;
    }
    Application &application = applications_[node];
    application.next = now + application.period;
    events_.set(slot(node), application.next);
    make_readings(node, now);
}

void Applications::on_flow(std::uint32_t node, Time now)
{
    switch (flows_.advance(node, now)) {
    case FlowSources::Event::Began:
        break;
    case FlowSources::Event::Reading:
        make_readings(node, now);
        break;
    case FlowSources::Event::Ended:
        lose_waiting(node, now);
        break;
    }
    const Time next = flows_.next_at(node);
    if (next == NEVER) {
        events_.clear(slot(node));
    } else {
        events_.set(slot(node), next);
    }
}

void Applications::make_readings(std::uint32_t node, Time now)
{
    Application &application = applications_[node];
    if (application.reports_events) {
        lose_waiting(node, now);
    }
    const bool buffer_taken = application.waiting_count > 0;
    const auto first = static_cast<std::uint32_t>(records_.packets.size());
    for (std::uint32_t packet = first; packet < first + application.at_once; ++packet) {
        make_packet(node, now);
        if (buffer_taken) {
            lose(node, packet, now);
        }
    }
    if (!buffer_taken) {
        application.waiting_from = first;
        application.waiting_count = application.at_once;
    }
}

std::uint32_t Applications::make_packet(std::uint32_t node, Time now)
{
    const auto packet = static_cast<std::uint32_t>(records_.packets.size());
    const std::int32_t flow = flows_.active(node);
    records_.packets.push_back({
        .origin = static_cast<std::int32_t>(node),
        .seq = applications_[node].made++,
        .generated = now,
        .flow = flow,
    });
    if (flow >= 0) {
        flows_.count_packet(node);
    }
    ++records_.nodes[node].generated;
    log_.add(now, node, EventKind::Generated, -1, packet);
    return packet;
}

void Applications::lose_waiting(std::uint32_t node, Time now)
{
    for (; applications_[node].waiting_count > 0; discard(node)) {
        lose(node, applications_[node].waiting_from, now);
    }
}

void Applications::lose(std::uint32_t node, std::uint32_t packet, Time now)
{
    records_.packets[packet].fate = Fate::Dropped;
    records_.packets[packet].reason = PENSTOCK_DROP_REFUSED;
    ++records_.nodes[node].drops[PENSTOCK_DROP_REFUSED];
    log_.add(now, node, EventKind::Dropped, -1, packet);
}

// A source of events has no steady rate to begin with: it begins as fast as the pace can go.
void Applications::set_pace(std::uint32_t node, const WorldSpec &spec, Time now)
{
    constexpr Time FASTEST = 1'000 * NS_PER_US;
    constexpr double WINDOW_S = 4294.967296; // rates are packets in 2^32 us
    const Application &application = applications_[node];
    const Time offered = application.reports_events ? FASTEST : std::max(application.period, FASTEST);
    Pace &pace = paces_[node];
    const auto shortest_us = static_cast<std::uint32_t>(offered / NS_PER_US);
    pace.config = {
        .shortest_us = shortest_us,
        .longest_us = std::max(shortest_us, static_cast<std::uint32_t>(seconds(spec.aimd_longest_s) / NS_PER_US)),
        .increase = static_cast<std::uint32_t>(std::max(1LL, std::llround(spec.aimd_increase_pps * WINDOW_S))),
        .decrease_q8 = static_cast<std::uint8_t>(std::llround(spec.aimd_decrease * 256.0)),
    };
    if (offered / NS_PER_US > INT32_MAX ||
        penstock_aimd_init(&pace.state, &pace.config, lib_time(now)) != PENSTOCK_OK) {
        throw std::invalid_argument("aimd: the library refuses the pace of node " + std::to_string(node));
    }
}

bool Applications::may_offer(std::uint32_t node, Time now) const
{
    return !paced() || penstock_aimd_may_send(&paces_[node].state, lib_time(now));
}

Time Applications::offer_at(std::uint32_t node, Time now) const
{
    return paced() ? world_time(penstock_aimd_next_at(&paces_[node].state), now) : NEVER;
}

std::uint32_t Applications::taken(std::uint32_t node, Time now)
{
    const std::uint32_t packet = waiting(node);
    if (packet == NO_PACKET) {
        return make_packet(node, now); // of a backlogged flow
    }
    discard(node);
    if (paced()) {
        penstock_aimd_accepted(&paces_[node].state, lib_time(now));
    }
    return packet;
}

void Applications::refused(std::uint32_t node, Time now)
{
    if (paced()) {
        penstock_aimd_refused(&paces_[node].state, lib_time(now));
    }
}

bool Applications::may_sleep(std::uint32_t node, Time now) const
{
    const Application &application = applications_[node];
    return application.sleeps && !application.asleep && application.waiting_count == 0 &&
           now < application.next - application.listening;
}

void Applications::sleep(std::uint32_t node)
{
    Application &application = applications_[node];
    application.asleep = true;
    events_.set(slot(node), application.next - application.listening);
}

void Applications::wake(std::uint32_t node)
{
    Application &application = applications_[node];
    application.asleep = false;
    events_.set(slot(node), application.next);
}

void Applications::stop(std::uint32_t node)
{
    Application &application = applications_[node];
    application.sleeps = false;
    application.asleep = false;
    application.waiting_count = 0;
    flows_.stop(node);
    events_.clear(slot(node));
}

} // namespace penstock
