// SPDX-License-Identifier: BSD-3-Clause
#include "csma.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

namespace penstock {

namespace {

double normal_cdf(double z)
{
    return 0.5 * std::erfc(-z * std::numbers::sqrt2 / 2.0);
}

} // namespace

Csma::Csma(const WorldSpec &spec, const RadioProfile &radio, const Channel &channel, EventQueue &events,
           EventQueue::Slot first_slot, MacUser &user)
    : radio_(radio),
      channel_(channel),
      events_(events),
      first_slot_(first_slot),
      user_(user),
      initial_window_(spec.initial_backoff_bytes),
      congestion_window_(spec.congestion_backoff_bytes),
      buffers_(std::size_t{2} * spec.node_count * static_cast<std::size_t>(spec.max_frame_bytes)),
      macs_(spec.node_count)
{
    for (Node i = 0; i < spec.node_count; ++i) {
        const auto frame_bytes = static_cast<std::size_t>(spec.max_frame_bytes);
        macs_[i].out.bytes = buffers_.data() + 2 * frame_bytes * i;
        macs_[i].in = macs_[i].out.bytes + frame_bytes;
        backoff_.emplace_back(spec.seed, i, Purpose::Backoff);
        sensing_.emplace_back(spec.seed, i, Purpose::CarrierSense);
    }
}

// The noise-floor estimate starts settled: the boot's fast squelch readings take 4 s of quiet.
void Csma::start(Time now)
{
    for (Node node = 0; node < macs_.size(); ++node) {
        Mac &mac = macs_[node];
        mac.squelch.fill(static_cast<float>(mw_to_dbm(channel_.noise_mw(node))));
        set_floor(node, static_cast<double>(mac.squelch[0]));
        for (std::size_t i = 0; i < 4 * SQUELCH_TABLE; ++i) {
            learn_floor(node);
        }
        events_.set(squelch_slot(node),
                    now + static_cast<Time>(sensing_[node].uniform() * static_cast<double>(radio_.squelch_interval)));
    }
}

void Csma::offer(Node node, Time now)
{
    Mac &mac = macs_[node];
    if (mac.state == State::NoFrame && user_.next_frame(node, mac.out, now)) {
        mac.attempts_made = 0;
        begin_attempt(node, now);
    }
}

void Csma::begin_attempt(Node node, Time now)
{
    back_off(node, initial_window_, now);
}

void Csma::back_off(Node node, int window_bytes, Time now)
{
    Mac &mac = macs_[node];
    const int window = std::max(1, window_bytes >> mac.out.backoff_shift);
    mac.backoff_left = radio_.bytes(static_cast<int>(backoff_[node].one_to(static_cast<std::uint32_t>(window))));
    mac.state = State::Suspended;
    resume(node, now);
}

void Csma::resume(Node node, Time now)
{
    Mac &mac = macs_[node];
    if (mac.state == State::Suspended && medium_->state(node) == RadioState::Idle) {
        mac.state = State::BackingOff;
        events_.set(mac_slot(node), now + mac.backoff_left);
    }
}

void Csma::on_mac_timer(Node node, Time now)
{
    now_ = now;
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
            back_off(node, congestion_window_, now);
        }
        break;
    case State::Starting:
        transmit(node, now);
        break;
    case State::Flushing:
        finish(node, Outcome::Done, now);
        break;
    case State::AwaitingAck:
        finish(node, Outcome::NoAck, now);
        break;
    case State::NoFrame:
    case State::Suspended:
    case State::Sending:
        break; // these have no timer
    }
}

// The chance that one energy reading falls below the estimated noise floor: the noise in it
// varies, the power of others on top of it does not.
double Csma::clear_probability(Node node) const
{
    const Mac &mac = macs_[node];
    const double interference_mw = medium_->interference_mw(node);
    if (interference_mw == 0) {
        return mac.clear_alone;
    }
    const double room_mw = mac.floor_mw - interference_mw;
    if (room_mw <= 0) {
        return 0;
    }
    return normal_cdf(mw_to_dbm(room_mw / medium_->noise_mw(node)) / radio_.rssi_noise_sd_db);
}

// All readings are judged at the channel of the first: they span a millisecond, a packet 23.
void Csma::sense(Node node, Time now)
{
    Mac &mac = macs_[node];
    const double once = clear_probability(node);
    const double luck = sensing_[node].uniform();
    double still_busy = 1.0;
    int readings = 0;
    mac.clear = false;
    while (readings < radio_.cca_samples && !mac.clear) {
        ++readings;
        still_busy *= 1.0 - once;
        mac.clear = luck >= still_busy;
    }
    mac.state = State::Sensing;
    events_.set(mac_slot(node), now + readings * radio_.rssi_sample);
}

bool Csma::sample_busy(Node node)
{
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
    ++mac.attempts_made;
    user_.attempt_began(node, mac.out, now);
    medium_->transmit(node, mac.out.kind, mac.out.len + FCS_BYTES, mac.out.to, now);
}

void Csma::reception_began(Node node)
{
    Mac &mac = macs_[node];
    if (mac.state == State::BackingOff) {
        mac.backoff_left = events_.time_of(mac_slot(node)) - now_;
        events_.clear(mac_slot(node));
        mac.state = State::Suspended;
    } else if (mac.state == State::Sensing) {
        events_.clear(mac_slot(node));
        ++mac.busy_count;
        mac.state = State::Suspended;
        const int window = std::max(1, congestion_window_ >> mac.out.backoff_shift);
        mac.backoff_left = radio_.bytes(static_cast<int>(backoff_[node].one_to(static_cast<std::uint32_t>(window))));
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
            medium_->make_deaf(node, now_);
            medium_->transmit(node, Signal::Ack, radio_.ack_bytes, sender, now_);
            return;
        }
        hand_up(node, sender, kind, frame.bytes, frame.len, false);
    }
    resume(node, now_);
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
    finish(node, Outcome::Done, now_);
}

void Csma::finish(Node node, Outcome outcome, Time now)
{
    Mac &mac = macs_[node];
    learn_floor(node);
    if (outcome == Outcome::NoAck && mac.attempts_made < mac.out.attempts) {
        mac.state = State::Suspended; // so that a preamble found right now finds a MAC that waits
        medium_->make_idle(node, now);
        begin_attempt(node, now);
        return;
    }
    mac.state = State::NoFrame;
    medium_->make_idle(node, now);
    user_.frame_done(node, outcome, mac.attempts_made, now);
    offer(node, now);
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
    now_ = now;
    if (medium_->state(node) == RadioState::Idle) {
        learn_floor(node);
    }
    events_.set(squelch_slot(node), now + radio_.squelch_interval);
}

// One reading for the noise-floor estimate, kept only if the channel is clear. TinyOS 1.1 keeps each one that it
// takes while the radio idles; the thesis (2.3.3) says "when it is idle" of the channel. Under load that
// makes all the difference: if the energy of others counts as noise, each node's threshold rises until
// nobody hears anybody any more, and throughput vanishes, which the thesis's testbed did not show.
void Csma::learn_floor(Node node)
{
    if (!found_clear(node)) {
        return;
    }
    Mac &mac = macs_[node];
    const double noise_mw = medium_->noise_mw(node) * dbm_to_mw(radio_.rssi_noise_sd_db * sensing_[node].normal());
    mac.squelch[mac.squelch_next] = static_cast<float>(mw_to_dbm(noise_mw + medium_->interference_mw(node)));
    mac.squelch_next = static_cast<std::uint8_t>((mac.squelch_next + 1) % SQUELCH_TABLE);
    std::array<float, SQUELCH_TABLE> sorted = mac.squelch;
    std::ranges::nth_element(sorted, sorted.begin() + 2);
    set_floor(node, (32.0 * mac.floor_dbm + 2.0 * static_cast<double>(sorted[2])) / 34.0);
}

void Csma::set_floor(Node node, double dbm)
{
    Mac &mac = macs_[node];
    mac.floor_dbm = dbm;
    mac.floor_mw = dbm_to_mw(dbm);
    mac.clear_alone = normal_cdf((dbm - mw_to_dbm(medium_->noise_mw(node))) / radio_.rssi_noise_sd_db);
}

void Csma::reset_statistics()
{
    for (Mac &mac : macs_) {
        mac.busy_count = 0;
    }
}

} // namespace penstock
