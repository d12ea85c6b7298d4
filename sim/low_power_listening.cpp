// SPDX-License-Identifier: BSD-3-Clause
#include "low_power_listening.hpp"

#include "random.hpp"
#include "units.hpp"

namespace penstock {

LowPowerListening::LowPowerListening(const WorldSpec &spec, const RadioProfile &radio, EventQueue &events,
                                     EventQueue::Slot first_slot, Csma &mac, Medium &medium)
    : radio_(radio),
      events_(events),
      first_slot_(first_slot),
      mac_(mac),
      medium_(medium),
      interval_(seconds(spec.check_interval_s)),
      margin_(dbm_to_mw(spec.check_margin_db)),
      always_on_(spec.sink_always_on ? spec.sink : NOBODY),
      listeners_(spec.node_count)
{
    for (Node node = 0; node < spec.node_count; ++node) {
        Random random(spec.seed, node, Purpose::CheckPhase);
        listeners_[node].offset = static_cast<Time>(random.uniform() * static_cast<double>(interval_));
    }
}

void LowPowerListening::start(Time now)
{
    for (Node node = 0; node < listeners_.size(); ++node) {
        if (node != always_on_) {
            mac_.save_power(node, *this, now);
            sleep(node, now);
        }
    }
}

void LowPowerListening::on_timer(Node node, Time now)
{
    switch (listeners_[node].phase) {
    case Phase::Asleep:
        start_up(node, now);
        break;
    case Phase::StartingUp:
        if (listeners_[node].stays_on) {
            listen(node, now);
        } else {
            sample(node, now);
        }
        break;
    case Phase::Sampling:
        if (listeners_[node].stays_on) {
            listen(node, now);
        } else {
            mac_.learn_floor(node);
            sleep(node, now);
        }
        break;
    case Phase::Listening:
        if (mac_.may_nap(node)) {
            sleep(node, now);
        } else {
            events_.set(slot(node), now + radio_.listen_time_out);
        }
        break;
    }
}

void LowPowerListening::start_up(Node node, Time now)
{
    listeners_[node].phase = Phase::StartingUp;
    listeners_[node].stays_on = false;
    medium_.start_up(node, now);
    events_.set(slot(node), now + radio_.startup);
}

// The radio is on, but nobody looks at what it demodulates.
void LowPowerListening::sample(Node node, Time now)
{
    medium_.make_deaf(node, now);
    const Csma::Reading reading = mac_.read_channel(node, margin_);
    listeners_[node].phase = Phase::Sampling;
    listeners_[node].stays_on = !reading.clear;
    events_.set(slot(node), now + reading.count * radio_.rssi_sample);
}

void LowPowerListening::listen(Node node, Time now)
{
    listeners_[node].phase = Phase::Listening;
    events_.set(slot(node), now + radio_.listen_time_out);
    mac_.radio_is_up(node, now);
}

void LowPowerListening::sleep(Node node, Time now)
{
    listeners_[node].phase = Phase::Asleep;
    mac_.nap(node, now);
    events_.set(slot(node), next_check(node, now));
}

void LowPowerListening::frame_waits(Node node, Time now)
{
    if (listeners_[node].phase == Phase::Asleep) {
        start_up(node, now);
    }
    listeners_[node].stays_on = true;
}

void LowPowerListening::suspend(Node node)
{
    listeners_[node].phase = Phase::Asleep;
    events_.clear(slot(node));
}

void LowPowerListening::take_up(Node node, Time now)
{
    events_.set(slot(node), next_check(node, now));
}

Time LowPowerListening::next_check(Node node, Time now) const
{
    const Time offset = listeners_[node].offset;
    return now < offset ? offset : offset + ((now - offset) / interval_ + 1) * interval_;
}

} // namespace penstock
