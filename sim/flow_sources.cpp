// SPDX-License-Identifier: BSD-3-Clause
#include "flow_sources.hpp"

#include "random.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace penstock {

FlowSources::FlowSources(const WorldSpec &spec) : sources_(spec.node_count)
{
    // The specification has them by source and time; a node's phases are drawn in that order.
    const auto count = static_cast<std::uint32_t>(spec.flow_source.size());
    for (std::uint32_t i = 0; i < count;) {
        const auto node = static_cast<std::uint32_t>(spec.flow_source[i]);
        Random random(spec.seed, node, Purpose::TrafficPhase);
        sources_[node].first = i;
        for (; i < count && spec.flow_source[i] == spec.flow_source[sources_[node].first]; ++i) {
            const Time period = spec.flow_rate_pps[i] > 0 ? seconds(1.0 / spec.flow_rate_pps[i]) : 0;
            flows_.push_back({
                .index = i,
                .start = seconds(spec.flow_start_s[i]),
                .stop = seconds(spec.flow_stop_s[i]),
                .period = period,
                .phase = static_cast<Time>(random.uniform() * static_cast<double>(period)),
                .packets = spec.flow_packets[i] > 0 ? spec.flow_packets[i] : std::numeric_limits<std::uint32_t>::max(),
            });
        }
        sources_[node].last = i;
    }
}

void FlowSources::begin(Time now)
{
    for (Flow &flow : flows_) {
        flow.start += now;
        flow.stop += now;
    }
}

Time FlowSources::next_at(std::uint32_t node) const
{
    const Source &source = sources_[node];
    if (!any(node)) {
        return NEVER;
    }
    const Flow &flow = flows_[source.first];
    return source.open ? std::min(flow.stop, reading_at(node)) : flow.start;
}

FlowSources::Event FlowSources::advance(std::uint32_t node, Time now)
{
    Source &source = sources_[node];
    const Flow &flow = flows_[source.first];
    if (!source.open) {
        source.open = true;
        source.left = flow.packets;
        source.reading = flow.period > 0 ? flow.start + flow.phase : NEVER;
        return Event::Began;
    }
    if (now >= flow.stop) {
        source.open = false;
        ++source.first;
        return Event::Ended;
    }
    source.reading += flow.period;
    return Event::Reading;
}

} // namespace penstock
