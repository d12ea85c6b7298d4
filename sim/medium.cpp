// SPDX-License-Identifier: BSD-3-Clause
#include "medium.hpp"

#include <algorithm>
#include <cmath>

namespace penstock {

namespace {

// The SINR at which `bits` bits in a row are as likely to be intact as not.
double even_odds_sinr(const ErrorCurve &errors, int bits)
{
    double low = 0x1.0p-10;
    double high = 0x1.0p8;
    for (int i = 0; i < 60; ++i) {
        const double middle = std::sqrt(low * high);
        (bits * errors.log_bit_success(middle) < std::log(0.5) ? low : high) = middle;
    }
    return high;
}

} // namespace

std::optional<Lock> lock_rule(std::string_view name)
{
    if (name == "preamble") {
        return Lock::Preamble;
    }
    if (name == "first") {
        return Lock::First;
    }
    if (name == "recapture") {
        return Lock::Recapture;
    }
    return std::nullopt;
}

Medium::Medium(const WorldSpec &spec, const Channel &channel, const RadioProfile &radio, EventQueue &events,
               EventQueue::Slot first_slot, RadioUser &user)
    : channel_(channel),
      radio_(radio),
      events_(events),
      first_slot_(first_slot),
      user_(user),
      errors_(radio.modulation, radio.bandwidth_per_rate),
      preamble_bytes_(radio.preamble_bytes(spec.preamble_bytes, spec.check_interval_s)),
      sync_bytes_(spec.sync_bytes),
      lock_(lock_rule(spec.lock).value_or(Lock::Preamble)),
      forced_loss_(spec),
      receivers_(spec.node_count),
      air_times_(spec.node_count),
      transmissions_(spec.node_count)
{
    const int acquire_bytes = std::min(radio.acquire_bytes, preamble_bytes_);
    acquisition_sinr_ = even_odds_sinr(errors_, 8 * acquire_bytes);
    acquisition_bits_ = 8 * (acquire_bytes + sync_bytes_);
    acquisition_time_ = radio.bits(acquisition_bits_);
    random_.reserve(spec.node_count);
    for (Node i = 0; i < spec.node_count; ++i) {
        receivers_[i].noise_mw = channel.noise_mw(i);
        receivers_[i].audible_mw = static_cast<float>(acquisition_sinr_ * channel.noise_mw(i));
        random_.emplace_back(spec.seed, i, Purpose::Reception);
    }
}

// Noise, and the power of all signals but the wanted one as this radio is disturbed by it.
inline double Medium::disturbance_mw(const Receiver &receiver, double wanted_mw) const
{
    return receiver.noise_mw + radio_.interference_weight * std::max(0.0, receiver.interference_mw - wanted_mw);
}

// Multiplies in the survival of the bits since the last change of the SINR.
inline void Medium::judge(Receiver &receiver, Time now) const
{
    if (now > receiver.judged_until) {
        const auto wanted = static_cast<double>(receiver.wanted_mw);
        const double sinr = wanted / disturbance_mw(receiver, wanted);
        const double bits = static_cast<double>(now - receiver.judged_until) * 1e-9 * radio_.bit_rate;
        receiver.log_success += bits * errors_.log_bit_success(sinr);
        receiver.judged_until = now;
    }
}

// At the start of a frame that the radio has locked on to.
void Medium::measure(Receiver &receiver) const
{
    if (radio_.link_quality != nullptr) {
        const auto wanted = static_cast<double>(receiver.wanted_mw);
        receiver.quality = {
            .rssi_dbm = rounded_dbm(receiver.noise_mw + receiver.interference_mw),
            .lqi = radio_.link_quality(wanted / disturbance_mw(receiver, wanted)),
        };
    }
}

bool Medium::survives(Node node, double log_success)
{
    constexpr double CERTAIN = -1e-9;
    constexpr double HOPELESS = -30.0;
    if (log_success > CERTAIN) {
        return true;
    }
    return log_success > HOPELESS && random_[node].uniform() < std::exp(log_success);
}

// A frame has ended whose bits are intact with this probability: does its receiver's MAC get it?
bool Medium::arrives(Node node, Node sender, double log_success, Time now)
{
    if (!survives(node, log_success)) {
        return false;
    }
    const bool dropped = forced_loss_.drops(sender, node, now);
    totals_.forced_losses += dropped ? 1 : 0;
    return !dropped;
}

void Medium::set_state(Node node, RadioState state, Time now)
{
    Receiver &receiver = receivers_[node];
    AirTime &air = air_times_[node];
    air.in_state[static_cast<std::size_t>(receiver.state)] += now - air.since;
    air.since = now;
    receiver.state = state;
    receiver.following = state == RadioState::Acquiring || state == RadioState::Receiving;
}

void Medium::begin_acquiring(Node node, Receiver &receiver, Node sender, float power_mw, Time now)
{
    const bool was_idle = receiver.state == RadioState::Idle;
    const Transmission &frame = transmissions_[sender];
    set_state(node, RadioState::Acquiring, now);
    receiver.sender = sender;
    receiver.wanted_mw = power_mw;
    receiver.log_success = 0;
    receiver.judged_until = std::max(now, frame.sync_at - acquisition_time_);
    totals_.receptions_started += frame.kind == Signal::Ack ? 0 : 1;
    if (was_idle) {
        user_.reception_began(node);
    }
}

// Whether a stronger preamble counts for a radio that has a frame already.
inline bool Medium::may_take_over(RadioState state) const
{
    return lock_ == Lock::Recapture || (lock_ == Lock::Preamble && state == RadioState::Acquiring);
}

// A signal has begun at a receiver; its power is counted already.
inline void Medium::arrive(Node node, Receiver &receiver, Node sender, float power_mw, Time now)
{
    switch (receiver.state) {
    case RadioState::Idle:
    case RadioState::Acquiring:
    case RadioState::Receiving: {
        const auto power = static_cast<double>(power_mw);
        const bool idle = receiver.state == RadioState::Idle;
        const bool wins = idle || (may_take_over(receiver.state) && power_mw > receiver.wanted_mw);
        const double others = disturbance_mw(receiver, power);
        if (wins && power >= acquisition_sinr_ * others) {
            totals_.captures += idle ? 0 : 1;
            totals_.receptions_corrupted += receiver.state == RadioState::Receiving ? 1 : 0;
            begin_acquiring(node, receiver, sender, power_mw, now);
        }
        break;
    }
    case RadioState::AckWait: {
        const Transmission &frame = transmissions_[sender];
        if (frame.kind == Signal::Ack && frame.ack_for == node && receiver.sender == sender) {
            receiver.wanted_mw = power_mw;
            receiver.log_success = 0;
            receiver.judged_until = frame.end_at - radio_.bits(radio_.ack_code_bits);
            receiver.following = true;
        }
        break;
    }
    case RadioState::Deaf:
    case RadioState::Asleep:
    case RadioState::StartingUp:
        break;
    }
}

// Visits every receiver that a transmission reaches. In a large network these lie all over memory, so the ones to come
// are asked for while the present one is dealt with.
template <typename Visit> inline void Medium::each_listener(Node node, Visit visit)
{
    constexpr std::size_t AHEAD = 8;
    const std::span<const Link> links = channel_.links(node);
    for (std::size_t i = 0; i < links.size(); ++i) {
        if (i + AHEAD < links.size()) {
            __builtin_prefetch(&receivers_[links[i + AHEAD].dst], 1);
        }
        visit(links[i], receivers_[links[i].dst]);
    }
}

void Medium::transmit(Node node, Signal kind, int frame_bytes, Node to, Time now)
{
    Transmission &frame = transmissions_[node];
    frame.kind = kind;
    frame.on_air = true;
    ++totals_.frames[static_cast<int>(kind)];
    if (kind == Signal::Ack && !radio_.ack_is_frame) {
        // No sync word follows, so nobody but the waiting sender can make anything of it.
        frame.end_at = now + radio_.bytes(frame_bytes);
        frame.sync_at = frame.end_at;
        frame.ack_for = to;
        frame.past_sync = true;
    } else {
        frame.sync_at = now + radio_.bytes(preamble_bytes_ + sync_bytes_);
        frame.end_at = now + radio_.bytes(preamble_bytes_ + sync_bytes_ + frame_bytes);
        frame.ack_for = NOBODY; // whoever it is for receives it as any frame
        frame.past_sync = false;
    }
    air_times_[node].transmitting += frame.end_at - now;
    events_.set(first_slot_ + node, frame.past_sync ? frame.end_at : frame.sync_at);

    each_listener(node, [&](const Link &link, Receiver &receiver) {
        if (receiver.following) {
            judge(receiver, now);
        }
        receiver.interference_mw += static_cast<double>(link.power_mw);
        ++receiver.signals;
        if (link.power_mw >= receiver.audible_mw) {
            receiver.preambles += frame.past_sync ? 0 : 1;
            arrive(link.dst, receiver, node, link.power_mw, now);
        } else if (link.dst == frame.ack_for) {
            arrive(link.dst, receiver, node, link.power_mw, now);
        }
    });
}

void Medium::transmit_after(Time delay, Node node, Signal kind, int frame_bytes, Node to, Time now)
{
    if (delay == 0) {
        transmit(node, kind, frame_bytes, to, now);
        return;
    }
    Transmission &frame = transmissions_[node];
    frame.put_off = true;
    frame.kind = kind;
    frame.frame_bytes = frame_bytes;
    frame.ack_for = to;
    events_.set(first_slot_ + node, now + delay);
}

void Medium::on_event(Node node, Time now)
{
    Transmission &frame = transmissions_[node];
    if (frame.put_off) {
        frame.put_off = false;
        transmit(node, frame.kind, frame.frame_bytes, frame.ack_for, now);
    } else if (transmissions_[node].past_sync) {
        end(node, now);
    } else {
        sync_passed(node, now);
    }
}

void Medium::sync_passed(Node node, Time now)
{
    Transmission &frame = transmissions_[node];
    frame.past_sync = true;
    events_.set(first_slot_ + node, frame.end_at);
    each_listener(node, [&](const Link &link, Receiver &receiver) {
        receiver.preambles -= link.power_mw >= receiver.audible_mw ? 1 : 0;
        if (receiver.state != RadioState::Acquiring || receiver.sender != node) {
            return;
        }
        judge(receiver, now);
        if (survives(link.dst, receiver.log_success)) {
            set_state(link.dst, RadioState::Receiving, now);
            receiver.log_success = 0;
            measure(receiver);
        } else {
            totals_.receptions_corrupted += frame.kind == Signal::Ack ? 0 : 1;
            set_state(link.dst, RadioState::Idle, now);
            receiver.sender = NOBODY;
            finished_.push_back(link.dst);
        }
    });
    for (const Node idle : finished_) {
        user_.reception_ended(idle, node, frame.kind, false);
        look_for_preamble(idle, now);
    }
    finished_.clear();
}

void Medium::end(Node node, Time now)
{
    Transmission &frame = transmissions_[node];
    frame.on_air = false;
    each_listener(node, [&](const Link &link, Receiver &receiver) {
        if (receiver.following) {
            judge(receiver, now);
            if (receiver.sender == node) {
                finished_.push_back(link.dst);
            }
        }
        // The sum drifts by rounding; silence is exact, and comes often.
        receiver.interference_mw =
            --receiver.signals == 0 ? 0.0 : receiver.interference_mw - static_cast<double>(link.power_mw);
        if (receiver.interference_mw < receiver.watched_mw) {
            user_.interference_fell(link.dst);
        }
    });
    // The users may start new transmissions: work on a copy.
    std::vector<Node> finished;
    finished.swap(finished_);
    user_.transmission_ended(node, frame.kind);
    for (const Node listener : finished) {
        Receiver &receiver = receivers_[listener];
        if (!receiver.following || receiver.sender != node) {
            continue; // something that ended with this frame has changed its mind
        }
        if (receiver.state == RadioState::AckWait) {
            receiver.following = false;
            if (arrives(listener, node, receiver.log_success, now)) {
                user_.ack_received(listener);
            }
            continue;
        }
        const bool intact =
            receiver.state == RadioState::Receiving && arrives(listener, node, receiver.log_success, now);
        totals_.receptions_corrupted += intact || frame.kind == Signal::Ack ? 0 : 1;
        set_state(listener, RadioState::Idle, now);
        receiver.sender = NOBODY;
        user_.reception_ended(listener, node, frame.kind, intact);
        look_for_preamble(listener, now);
    }
    finished.clear();
    finished_.swap(finished);
}

// A radio that has just turned idle notices the strongest preamble that still has enough to offer.
void Medium::look_for_preamble(Node node, Time now)
{
    Receiver &receiver = receivers_[node];
    if (receiver.state != RadioState::Idle || receiver.preambles == 0) {
        return;
    }
    Node best = NOBODY;
    float best_mw = 0;
    for (const Link &link : channel_.links(node)) {
        const Transmission &frame = transmissions_[link.dst];
        if (frame.on_air && !frame.past_sync && now + acquisition_time_ <= frame.sync_at) {
            const float power_mw = channel_.power_mw(link.dst, node);
            if (power_mw > best_mw) {
                best = link.dst;
                best_mw = power_mw;
            }
        }
    }
    if (best != NOBODY) {
        arrive(node, receiver, best, best_mw, now);
    }
}

// A frame that it was acquiring or receiving is lost.
void Medium::break_off(Node node)
{
    const Receiver &receiver = receivers_[node];
    if (receiver.following && transmissions_[receiver.sender].kind != Signal::Ack) {
        ++totals_.receptions_corrupted;
    }
}

void Medium::make_deaf(Node node, Time now)
{
    break_off(node);
    set_state(node, RadioState::Deaf, now);
    receivers_[node].sender = NOBODY;
}

void Medium::make_idle(Node node, Time now)
{
    set_state(node, RadioState::Idle, now);
    receivers_[node].sender = NOBODY;
    look_for_preamble(node, now);
}

void Medium::sleep(Node node, Time now)
{
    break_off(node);
    set_state(node, RadioState::Asleep, now);
    receivers_[node].sender = NOBODY;
}

void Medium::start_up(Node node, Time now)
{
    set_state(node, RadioState::StartingUp, now);
}

// An idle radio may find the end of a preamble that the noise has hidden.
void Medium::set_noise(Node node, double noise_mw, Time now)
{
    Receiver &receiver = receivers_[node];
    if (receiver.following) {
        judge(receiver, now);
    }
    const bool falls = noise_mw < receiver.noise_mw;
    receiver.noise_mw = noise_mw;
    if (falls) {
        look_for_preamble(node, now);
    }
}

void Medium::wait_for_ack(Node node, Node from, Time now)
{
    Receiver &receiver = receivers_[node];
    set_state(node, RadioState::AckWait, now);
    receiver.sender = from;
    // The acknowledgement may be on air already: it starts when the frame ends.
    const Transmission &frame = transmissions_[from];
    if (frame.on_air && frame.kind == Signal::Ack) {
        arrive(node, receiver, from, channel_.power_mw(from, node), now);
    }
}

Medium::AirTime Medium::air_time(Node node, Time now) const
{
    AirTime air = air_times_[node];
    air.in_state[static_cast<std::size_t>(receivers_[node].state)] += now - air.since;
    if (transmissions_[node].on_air) {
        air.transmitting -= std::max<Time>(0, transmissions_[node].end_at - now);
    }
    return air;
}

void Medium::reset_statistics(Time now)
{
    totals_ = {};
    for (Node i = 0; i < receivers_.size(); ++i) {
        air_times_[i] = {};
        air_times_[i].since = now;
        if (transmissions_[i].on_air) {
            air_times_[i].transmitting = transmissions_[i].end_at - now;
        }
    }
}

} // namespace penstock
