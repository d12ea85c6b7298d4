// SPDX-License-Identifier: BSD-3-Clause
#include "csma.hpp"

#include "low_power_listening.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace penstock {

Csma::Csma(const WorldSpec &spec, const RadioProfile &radio, const Channel &channel, EventQueue &events,
           EventQueue::Slot first_slot, MacUser &user)
    : radio_(radio),
      channel_(channel),
      events_(events),
      first_slot_(first_slot),
      user_(user),
      initial_window_(spec.initial_backoff_bytes),
      congestion_window_(spec.congestion_backoff_bytes),
      floor_rule_(noise_floor_rule(spec.noise_floor).value_or(NoiseFloorRule::Clear)),
      buffers_(std::size_t{2} * spec.node_count * static_cast<std::size_t>(spec.max_frame_bytes)),
      macs_(spec.node_count)
{
    for (int count = 0; count <= std::max(initial_window_, congestion_window_); ++count) {
        byte_times_.push_back(radio.bytes(count));
    }
    for (Node i = 0; i < spec.node_count; ++i) {
        const auto frame_bytes = static_cast<std::size_t>(spec.max_frame_bytes);
        macs_[i].out.bytes = buffers_.data() + 2 * frame_bytes * i;
        macs_[i].in = macs_[i].out.bytes + frame_bytes;
        floors_.emplace_back(channel.noise_mw(i), radio.rssi_noise_sd_db);
        backoff_.emplace_back(spec.seed, i, Purpose::Backoff);
        sensing_.emplace_back(spec.seed, i, Purpose::CarrierSense);
    }
}

// The noise-floor estimate starts settled: the boot's fast squelch readings take 4 s of quiet.
void Csma::start(Time now)
{
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
        back_off(node, initial_window_, now);
    }
}

Time Csma::draw_backoff(Node node, int window_bytes)
{
    const int window = std::max(1, window_bytes >> macs_[node].out.backoff_shift);
    return byte_times_[backoff_[node].one_to(static_cast<std::uint32_t>(window))];
}

void Csma::back_off(Node node, int window_bytes, Time now)
{
    Mac &mac = macs_[node];
    mac.backoff_left = draw_backoff(node, window_bytes);
    mac.state = State::Suspended;
    resume(node, now);
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
    case State::BackingOff:
        sense(node, now);
        break;
    case State::Sensing:
        if (mac.clear) {
            mac.state = State::Starting;
            medium_->make_deaf(node, now);
            events_.set(mac_slot(node), now + radio_.turnaround);
        } else {
            ++mac.busy_count;
            mac.state = State::BackingOff;
            wait_until(node, now + draw_backoff(node, congestion_window_));
        }
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

double Csma::clear_probability(Node node) const
{
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
    while (reading.count < radio_.cca_samples && !reading.clear) {
        ++reading.count;
        still_busy *= 1.0 - once;
        reading.clear = luck >= still_busy;
    }
    return reading;
}

void Csma::sense(Node node, Time now)
{
    Mac &mac = macs_[node];
    const Reading reading = read_channel(node, 1.0);
    mac.clear = reading.clear;
    mac.state = State::Sensing;
    wait_until(node, now + reading.count * radio_.rssi_sample);
}

// Sets the timer of a backoff or a sensing, or parks the MAC.
void Csma::wait_until(Node node, Time time)
{
    Mac &mac = macs_[node];
    if (floors_[node].certainly_busy(medium_->interference_mw(node))) {
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
        span = radio_.cca_samples * radio_.rssi_sample;
    } else {
        ++mac.busy_count;
        mac.state = State::BackingOff;
        span = draw_backoff(node, congestion_window_);
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
    return once > 0 && sensing_[node].uniform() >= std::pow(1.0 - once, radio_.cca_samples);
}

void Csma::transmit(Node node, Time now)
{
    Mac &mac = macs_[node];
    mac.state = State::Sending;
    user_.attempt_began(node, mac.out, now);
    medium_->transmit(node, mac.out.kind, mac.out.len + FCS_BYTES, mac.out.to, now);
}

void Csma::reception_began(Node node)
{
    Mac &mac = macs_[node];
    unpark(node);
    if (mac.state == State::BackingOff) {
        mac.backoff_left = events_.time_of(mac_slot(node)) - now_;
        events_.clear(mac_slot(node));
        mac.state = State::Suspended;
    } else if (mac.state == State::Sensing) {
        events_.clear(mac_slot(node));
        ++mac.busy_count;
        mac.state = State::Suspended;
        mac.backoff_left = draw_backoff(node, congestion_window_);
    }
}

void Csma::reception_ended(Node node, Node sender, Signal kind, bool intact)
{
    if (intact) {
        Mac &mac = macs_[node];
        const OutgoingFrame &frame = macs_[sender].out;
        if (frame.ack && frame.to == node) {
            std::memcpy(mac.in, frame.bytes, frame.len);
            mac.in_len = frame.len;
            mac.acknowledging = sender;
            mac.ack_congested = user_.ack_congested(node);
            medium_->make_deaf(node, now_);
            medium_->transmit(node, Signal::Ack, radio_.ack_bytes, sender, now_);
            return;
        }
        hand_up(node, sender, kind, frame.bytes, frame.len, false);
    }
    resume(node, now_);
    rest(node, now_);
}

void Csma::transmission_ended(Node node, Signal kind)
{
    Mac &mac = macs_[node];
    if (kind == Signal::Ack) {
        const Node sender = mac.acknowledging;
        mac.acknowledging = NOBODY;
        medium_->make_idle(node, now_);
        hand_up(node, sender, Signal::Data, mac.in, mac.in_len, true);
        resume(node, now_);
        rest(node, now_);
    } else if (mac.out.ack) {
        mac.state = State::AwaitingAck;
        events_.set(mac_slot(node), now_ + radio_.bytes(radio_.ack_wait_bytes));
        medium_->wait_for_ack(node, mac.out.to, now_);
    } else {
        mac.state = State::Flushing;
        events_.set(mac_slot(node), now_ + radio_.bytes(radio_.flush_bytes));
    }
}

void Csma::ack_received(Node node)
{
    events_.clear(mac_slot(node));
    conclude(node, Outcome::Done, macs_[macs_[node].out.to].ack_congested, now_);
}

void Csma::conclude(Node node, Outcome outcome, bool ack_congested, Time now)
{
    Mac &mac = macs_[node];
    learn_floor(node);
    mac.state = State::NoFrame;
    medium_->make_idle(node, now);
    user_.frame_done(node, outcome, ack_congested, now);
    offer(node, now);
    rest(node, now);
}

void Csma::hand_up(Node node, Node sender, Signal kind, const std::uint8_t *bytes, std::uint8_t len, bool acked)
{
    const Node to = macs_[sender].out.to;
    const IncomingFrame frame{
        .bytes = bytes,
        .len = len,
        .from = sender,
        .kind = kind,
        .power_mw = static_cast<double>(channel_.power_mw(sender, node)),
        .for_us = acked || to == NOBODY || to == node,
        .acked = acked,
    };
    user_.frame_received(node, frame, now_);
    offer(node, now_);
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
    }
}

void Csma::finish(Time end)
{
    for (Node node = 0; node < macs_.size(); ++node) {
        catch_up(node, end);
    }
}

} // namespace penstock
