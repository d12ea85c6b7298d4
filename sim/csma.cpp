// SPDX-License-Identifier: BSD-3-Clause
#include "csma.hpp"

#include "low_power_listening.hpp"

#include <algorithm>
#include <cmath>

namespace penstock {

Csma::Csma(const WorldSpec &spec, const RadioProfile &radio, const Channel &channel, EventQueue &events,
           EventQueue::Slot first_slot, MacUser &user)
    : radio_(radio),
      channel_(channel),
      events_(events),
      first_slot_(first_slot),
      user_(user),
      rules_(csma_rules(spec, radio)),
      floor_rule_(noise_floor_rule(spec.noise_floor).value_or(NoiseFloorRule::Clear)),
      buffers_(std::size_t{2} * spec.node_count * static_cast<std::size_t>(spec.max_frame_bytes)),
      macs_(spec.node_count),
      processors_(rules_.receive_processing > 0 ? spec.node_count : 0)
{
    for (Node i = 0; i < spec.node_count; ++i) {
        const auto frame_bytes = static_cast<std::size_t>(spec.max_frame_bytes);
        macs_[i].out.bytes = buffers_.data() + 2 * frame_bytes * i;
        macs_[i].in_bytes = macs_[i].out.bytes + frame_bytes;
        floors_.emplace_back(channel.noise_mw(i), radio.rssi_noise_sd_db);
        backoff_.emplace_back(spec.seed, i, Purpose::Backoff);
        sensing_.emplace_back(spec.seed, i, Purpose::CarrierSense);
    }
}

// The noise-floor estimate starts settled: the boot's fast squelch readings take 4 s of quiet.
void Csma::start(Time now)
{
    if (rules_.busy_mw > 0) {
        return; // the noise floor does not matter
    }
    for (Node node = 0; node < macs_.size(); ++node) {
        for (std::size_t i = 0; i < 4 * NoiseFloor::TABLE; ++i) {
            learn_floor(node);
        }
        events_.set(squelch_slot(node),
                    now + static_cast<Time>(sensing_[node].uniform() * static_cast<double>(radio_.squelch_interval)));
    }
}

void Csma::offer(Node node, Time now)
{
    Mac &mac = macs_[node];
    const bool naps = mac.state == State::Asleep && mac.listening != nullptr && !mac.holds_frame;
    if ((mac.state != State::NoFrame && !naps) || mac.off || !user_.next_frame(node, mac.out, now)) {
        return;
    }
    if (naps) {
        mac.holds_frame = true;
        mac.listening->frame_waits(node, now);
    } else {
        load(node, now);
    }
}

// The processor hands the frame to the chip.
void Csma::load(Node node, Time now)
{
    Mac &mac = macs_[node];
    const Time span = rules_.processing + rules_.load_byte * (1 + mac.out.len); // the length goes first
    mac.busy = 0;
    if (span == 0) {
        back_off(node, now);
    } else {
        mac.state = State::Loading;
        events_.set(mac_slot(node), now + span);
    }
}

int Csma::draw_steps(Node node, const BackoffWindow &window)
{
    const int choices = std::max(1, window.choices >> macs_[node].out.backoff_shift);
    const auto drawn = static_cast<int>(backoff_[node].one_to(static_cast<std::uint32_t>(choices)));
    return window.least + drawn - 1;
}

Time Csma::draw_backoff(Node node, const BackoffWindow &window)
{
    return rules_.steps[static_cast<std::size_t>(draw_steps(node, window))];
}

void Csma::back_off(Node node, Time now)
{
    Mac &mac = macs_[node];
    const Time span = draw_backoff(node, rules_.window(mac.busy));
    if (rules_.pauses) {
        mac.backoff_left = span;
        mac.state = State::Suspended;
        resume(node, now);
    } else {
        mac.state = State::BackingOff;
        events_.set(mac_slot(node), now + span);
    }
}

void Csma::resume(Node node, Time now)
{
    Mac &mac = macs_[node];
    if (mac.state == State::Suspended && medium_->state(node) == RadioState::Idle) {
        mac.state = State::BackingOff;
        wait_until(node, now + mac.backoff_left);
    }
}

void Csma::on_mac_timer(Node node, Time now)
{
    Mac &mac = macs_[node];
    switch (mac.state) {
    case State::Loading:
        back_off(node, now);
        break;
    case State::BackingOff:
        sense(node, now);
        break;
    case State::Sensing:
        look_ended(node, now);
        break;
    case State::Starting:
        transmit(node, now);
        break;
    case State::Flushing:
        conclude(node, Outcome::Done, false, now);
        break;
    case State::AwaitingAck:
        conclude(node, Outcome::NoAck, false, now);
        break;
    case State::HandlingAck:
        conclude(node, Outcome::Done, macs_[mac.out.to].ack_congested, now);
        break;
    case State::StartingUp:
        radio_is_up(node, now);
        break;
    case State::NoFrame:
    case State::Suspended:
    case State::Sending:
    case State::Asleep:
        break; // these have no timer
    }
}

void Csma::look_ended(Node node, Time now)
{
    Mac &mac = macs_[node];
    if (rules_.busy_mw > 0) { // a signal at either end of a look is enough to make the average high
        mac.clear = mac.clear && clear_probability(node) > 0;
    }
    if (!mac.clear) {
        channel_was_busy(node, now);
    } else if (++mac.clear_looks < rules_.looks) {
        events_.set(mac_slot(node), now + rules_.between_looks + rules_.reading);
    } else {
        mac.state = State::Starting;
        medium_->make_deaf(node, now);
        events_.set(mac_slot(node), now + radio_.turnaround);
    }
}

void Csma::channel_was_busy(Node node, Time now)
{
    Mac &mac = macs_[node];
    ++mac.busy_count;
    ++mac.busy;
    if (mac.busy == rules_.most_busy) {
        conclude(node, Outcome::NoChannel, false, now);
    } else {
        mac.state = State::BackingOff;
        wait_until(node, now + draw_backoff(node, rules_.window(mac.busy)));
    }
}

double Csma::clear_probability(Node node) const
{
    if (rules_.busy_mw > 0) {
        const double power_mw = medium_->noise_mw(node) + medium_->interference_mw(node);
        return medium_->state(node) == RadioState::Idle && power_mw < rules_.busy_mw ? 1.0 : 0.0;
    }
    return floors_[node].clear_probability(medium_->interference_mw(node));
}

// All readings are judged at the channel of the first: they span a millisecond, a packet 23.
Csma::Reading Csma::read_channel(Node node, double margin)
{
    const double interference_mw = medium_->interference_mw(node);
    const double once = margin == 1.0 ? floors_[node].clear_probability(interference_mw)
                                      : floors_[node].below_probability(margin, interference_mw);
    const double luck = sensing_[node].uniform();
    double still_busy = 1.0;
    Reading reading;
    while (reading.count < rules_.readings && !reading.clear) {
        ++reading.count;
        still_busy *= 1.0 - once;
        reading.clear = luck >= still_busy;
    }
    return reading;
}

void Csma::sense(Node node, Time now)
{
    Mac &mac = macs_[node];
    mac.state = State::Sensing;
    mac.clear_looks = 0;
    if (rules_.busy_mw > 0) {
        mac.clear = clear_probability(node) > 0;
        events_.set(mac_slot(node), now + rules_.reading);
        return;
    }
    const Reading reading = read_channel(node, 1.0);
    mac.clear = reading.clear;
    wait_until(node, now + reading.count * rules_.reading);
}

// Sets the timer of a backoff or a sensing, or parks the MAC.
void Csma::wait_until(Node node, Time time)
{
    Mac &mac = macs_[node];
    if (rules_.pauses && floors_[node].certainly_busy(medium_->interference_mw(node))) {
        mac.parked = true;
        mac.parked_until = time;
        medium_->watch(node, floors_[node].mw());
    } else {
        events_.set(mac_slot(node), time);
    }
}

// What the timer of a parked MAC would have done: what on_mac_timer does when no reading can be low.
void Csma::poll_busy_channel(Node node)
{
    Mac &mac = macs_[node];
    Time span = 0;
    if (mac.state == State::BackingOff) {
        sensing_[node].skip(); // the luck that could not help
        mac.state = State::Sensing;
        mac.clear = false;
        span = rules_.readings * rules_.reading;
    } else {
        ++mac.busy_count;
        ++mac.busy;
        mac.state = State::BackingOff;
        span = draw_backoff(node, rules_.window(mac.busy));
    }
    mac.parked_until += span;
}

// A timer for this very moment has not gone off yet: it sees the channel as it is from now on.
void Csma::catch_up(Node node, Time now)
{
    while (macs_[node].parked && macs_[node].parked_until < now) {
        poll_busy_channel(node);
    }
}

void Csma::unpark(Node node)
{
    Mac &mac = macs_[node];
    if (mac.parked) {
        catch_up(node, now_);
        mac.parked = false;
        medium_->unwatch(node);
        events_.set(mac_slot(node), mac.parked_until);
    }
}

// What unpark undid, unless the channel no longer is certainly busy.
void Csma::park_again(Node node)
{
    const Time time = events_.time_of(mac_slot(node));
    events_.clear(mac_slot(node));
    wait_until(node, time);
}

void Csma::interference_fell(Node node)
{
    unpark(node);
}

bool Csma::sample_busy(Node node)
{
    const State state = macs_[node].state;
    if (state == State::Asleep || state == State::StartingUp) {
        return false;
    }
    // A radio that receives or sends finds the channel taken.
    return medium_->state(node) != RadioState::Idle || !found_clear(node);
}

// Whether any reading of a clear-channel assessment is low enough.
bool Csma::found_clear(Node node)
{
    const double once = clear_probability(node);
    return once > 0 && sensing_[node].uniform() >= std::pow(1.0 - once, rules_.readings);
}

void Csma::transmit(Node node, Time now)
{
    Mac &mac = macs_[node];
    mac.state = State::Sending;
    ++mac.attempt;
    user_.attempt_began(node, mac.out, now);
    medium_->transmit(node, mac.out.kind, mac.out.len + FCS_BYTES, mac.out.to, now);
}

// An acknowledgement that is a frame is awaited by a radio that listens to all.
bool Csma::holds_radio(State state) const
{
    return state == State::Flushing || (state == State::AwaitingAck && !radio_.ack_is_frame);
}

void Csma::conclude(Node node, Outcome outcome, bool ack_congested, Time now)
{
    Mac &mac = macs_[node];
    learn_floor(node);
    const bool held_radio = holds_radio(mac.state);
    mac.state = State::NoFrame;
    if (held_radio) {
        medium_->make_idle(node, now);
    }
    user_.frame_done(node, outcome, ack_congested, now);
    offer(node, now);
    rest(node, now);
}

void Csma::on_squelch_timer(Node node, Time now)
{
    if (medium_->state(node) == RadioState::Idle) {
        learn_floor(node);
    }
    events_.set(squelch_slot(node), now + radio_.squelch_interval);
}

// One reading for the noise-floor estimate, by default kept only if the channel is clear. TinyOS 1.1 keeps each one it
// takes while the radio idles; the thesis (2.3.3) says "when it is idle" of the channel. Under load that
// makes all the difference: if the energy of others counts as noise, each node's threshold rises until
// nobody hears anybody any more, and throughput vanishes, which the thesis's testbed did not show.
void Csma::learn_floor(Node node)
{
    if (rules_.busy_mw > 0) {
        return;
    }
    switch (floor_rule_) {
    case NoiseFloorRule::Clear:
        if (found_clear(node)) {
            floors_[node].learn(medium_->interference_mw(node), sensing_[node]);
        }
        break;
    case NoiseFloorRule::RadioIdle: {
        // The level that a parked MAC waits for moves, and its draws come before this one.
        const bool parked = macs_[node].parked;
        unpark(node);
        floors_[node].learn(medium_->interference_mw(node), sensing_[node]);
        if (parked) {
            park_again(node);
        }
        break;
    }
    case NoiseFloorRule::Fixed:
        break;
    }
}

void Csma::reset_statistics()
{
    for (Node node = 0; node < macs_.size(); ++node) {
        catch_up(node, now_);
        macs_[node].busy_count = 0;
        if (!processors_.empty()) {
            processors_[node].lost = 0;
        }
    }
}

void Csma::finish(Time end)
{
    for (Node node = 0; node < macs_.size(); ++node) {
        catch_up(node, end);
    }
}

} // namespace penstock
