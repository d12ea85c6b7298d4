// SPDX-License-Identifier: BSD-3-Clause
#include "interference.hpp"

#include "units.hpp"

#include <algorithm>

namespace penstock {

Interference::Interference(const WorldSpec &spec, const Channel &channel, EventQueue &events,
                           EventQueue::Slot first_slot, Medium &medium)
    : channel_(channel),
      events_(events),
      first_slot_(first_slot),
      medium_(medium),
      gap_(seconds(spec.interference_gap_s)),
      jitter_(seconds(spec.interference_jitter_s)),
      sources_(spec.interferers.size()),
      noise_(sources_.empty() ? 0 : spec.node_count)
{
    for (std::size_t i = 0; i < spec.interference_source.size(); ++i) {
        sources_[static_cast<std::size_t>(spec.interference_source[i])].intervals.push_back({
            .from = seconds(spec.settle_s) + seconds(spec.interference_from_s[i]),
            .to = seconds(spec.settle_s) + seconds(spec.interference_to_s[i]),
            .pps = spec.interference_pps[i],
            .together = static_cast<std::uint32_t>(spec.interference_together[i]),
            .power_mw = dbm_to_mw(spec.interference_dbm[i]),
            .air = seconds(spec.interference_air_s[i]),
        });
    }
    for (std::size_t i = 0; i < sources_.size(); ++i) {
        sources_[i].random = Random(spec.seed, i, Purpose::Interference);
        find_reached(spec, i);
    }
}

// Everybody at whom the source's strongest bursts are above the channel's cut-off.
void Interference::find_reached(const WorldSpec &spec, std::size_t source)
{
    double strongest_mw = 0;
    for (const Interval &interval : sources_[source].intervals) {
        strongest_mw = std::max(strongest_mw, interval.power_mw);
    }
    for (Node node = 0; node < spec.node_count; ++node) {
        Random shadowing(spec.channel_seed, (static_cast<std::uint64_t>(source) << 32) | node,
                         Purpose::InterferenceShadowing);
        const double loss_db = mean_path_loss_db(spec, spec.interferers[source], spec.positions[node]) +
                               spec.shadowing_sigma_db * shadowing.normal();
        const double gain = dbm_to_mw(-loss_db);
        if (channel_.matters(mw_to_dbm(strongest_mw * gain), node)) {
            sources_[source].reached.push_back({node, gain});
        }
    }
}

void Interference::start()
{
    for (std::size_t i = 0; i < sources_.size(); ++i) {
        if (!sources_[i].intervals.empty()) {
            enter_interval(sources_[i]);
            schedule(i);
        }
    }
}

void Interference::enter_interval(Source &source)
{
    source.phase = source.random.uniform();
    source.next = 0;
}

// Sets the timer for the next burst, if there is one.
void Interference::schedule(std::size_t at)
{
    Source &source = sources_[at];
    while (source.interval < source.intervals.size()) {
        const Interval &interval = source.intervals[source.interval];
        const std::uint64_t before = source.next / interval.together;
        const double lots = source.phase + static_cast<double>(before);
        const Time due = interval.from + seconds(lots * interval.together / interval.pps);
        if (due < interval.to) {
            ++source.next;
            const auto put_off = static_cast<Time>(source.random.uniform() * static_cast<double>(jitter_));
            events_.set(first_slot_ + static_cast<EventQueue::Slot>(at),
                        std::max(due, source.silent_from + gap_) + put_off);
            return;
        }
        if (++source.interval < source.intervals.size()) {
            enter_interval(source);
        }
    }
}

void Interference::on_timer(std::size_t at, Time now)
{
    Source &source = sources_[at];
    if (source.power_mw > 0) {
        change(source, -source.power_mw, now);
        source.power_mw = 0;
        source.silent_from = now;
        schedule(at);
        return;
    }
    const Interval &interval = source.intervals[source.interval];
    ++bursts_;
    source.power_mw = interval.power_mw;
    change(source, source.power_mw, now);
    events_.set(first_slot_ + static_cast<EventQueue::Slot>(at), now + interval.air);
}

void Interference::change(const Source &source, double power_mw, Time now)
{
    for (const Reached &reached : source.reached) {
        Noise &noise = noise_[reached.node];
        noise.bursts += power_mw > 0 ? 1U : -1U;
        // The sum drifts by rounding; silence is exact, and comes often.
        noise.power_mw = noise.bursts == 0 ? 0.0 : noise.power_mw + power_mw * reached.gain;
        medium_.set_noise(reached.node, channel_.noise_mw(reached.node) + noise.power_mw, now);
    }
}

} // namespace penstock
