// The MAC of a radio that is powered down: because its node wants it down, or between two checks of the channel.
//
// SPDX-License-Identifier: BSD-3-Clause
#include "csma.hpp"
#include "low_power_listening.hpp"

namespace penstock {

bool Csma::at_rest(Node node) const
{
    const bool reads = !processors_.empty() && processors_[node].step != Processor::Step::Idle;
    return macs_[node].state == State::NoFrame && macs_[node].acknowledging == NOBODY && !reads;
}

// Nothing is left to do for now.
void Csma::rest(Node node, Time now)
{
    const Mac &mac = macs_[node];
    if (mac.off) {
        power_down_if_done(node, now);
    } else if (mac.listening != nullptr && at_rest(node)) {
        mac.listening->mac_rests(node, now);
    }
}

void Csma::sleep(Node node, Time now)
{
    macs_[node].off = true;
    power_down_if_done(node, now);
}

void Csma::power_down_if_done(Node node, Time now)
{
    Mac &mac = macs_[node];
    const bool napping = mac.state == State::Asleep && mac.listening != nullptr && !mac.holds_frame;
    if (at_rest(node) || mac.state == State::StartingUp || napping) {
        nap(node, now);
        if (mac.listening != nullptr) {
            mac.listening->suspend(node);
        }
    }
}

void Csma::wake(Node node, Time now)
{
    Mac &mac = macs_[node];
    const bool was_off = asleep(node);
    mac.off = false;
    if (was_off && mac.listening != nullptr) {
        mac.listening->take_up(node, now);
    } else if (was_off) {
        mac.state = State::StartingUp;
        medium_->start_up(node, now);
        events_.set(mac_slot(node), now + radio_.startup);
    }
    offer(node, now);
}

void Csma::save_power(Node node, LowPowerListening &listening, Time now)
{
    macs_[node].listening = &listening;
    nap(node, now);
}

bool Csma::may_nap(Node node) const
{
    return at_rest(node) && medium_->state(node) == RadioState::Idle;
}

void Csma::nap(Node node, Time now)
{
    events_.clear(mac_slot(node));
    macs_[node].state = State::Asleep;
    medium_->sleep(node, now);
}

void Csma::radio_is_up(Node node, Time now)
{
    Mac &mac = macs_[node];
    const bool holds_frame = mac.holds_frame;
    mac.holds_frame = false;
    mac.state = State::NoFrame;
    medium_->make_idle(node, now);
    if (holds_frame) {
        load(node, now);
    } else {
        offer(node, now);
    }
}

} // namespace penstock
