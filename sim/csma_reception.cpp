// What the radio tells the MAC: frames that come in, and acknowledgements on both sides.
//
// SPDX-License-Identifier: BSD-3-Clause
#include "csma.hpp"

#include <cstring>

namespace penstock {

void Csma::reception_began(Node node)
{
    Mac &mac = macs_[node];
    if (!rules_.pauses) {
        return;
    }
    unpark(node);
    if (mac.state == State::BackingOff) {
        mac.backoff_left = events_.time_of(mac_slot(node)) - now_;
        events_.clear(mac_slot(node));
        mac.state = State::Suspended;
    } else if (mac.state == State::Sensing) {
        events_.clear(mac_slot(node));
        ++mac.busy_count;
        mac.state = State::Suspended;
        mac.backoff_left = draw_backoff(node, rules_.window(++mac.busy));
    }
}

// A frame has come in: a backoff begins anew where the rules say so.
void Csma::defer(Node node)
{
    if (macs_[node].state == State::BackingOff && !rules_.deferred.empty()) {
        const int drawn = draw_steps(node, rules_.window(1));
        events_.set(mac_slot(node), now_ + rules_.deferred[static_cast<std::size_t>(drawn)]);
    }
}

void Csma::reception_ended(Node node, Node sender, Signal kind, bool intact)
{
    if (intact) {
        defer(node);
    }
    if (intact && !processors_.empty()) {
        keep(node, sender, kind);
    } else if (intact && kind == Signal::Ack) {
        ack_heard(node, sender);
    } else if (intact) {
        const OutgoingFrame &frame = macs_[sender].out;
        if (frame.ack && frame.to == node) {
            acknowledge(node, sender);
            return;
        }
        hand_up(node, received(node, sender, kind), frame.bytes, false);
    }
    resume(node, now_);
    rest(node, now_);
}

// What `node` has of the frame, or the acknowledgement, that `sender` has just sent.
ReceivedFrame Csma::received(Node node, Node sender, Signal kind) const
{
    const Mac &mac = macs_[sender];
    if (kind == Signal::Ack) {
        return {
            .from = sender,
            .to = mac.acknowledged,
            .kind = kind,
            .congested = mac.ack_congested,
            .attempt = mac.acknowledged_attempt,
        };
    }
    const Medium::Quality quality = medium_->quality(node);
    const bool told = quality.lqi > 0;
    return {
        .from = sender,
        .to = mac.out.to,
        .kind = kind,
        .wants_ack = mac.out.ack,
        .len = mac.out.len,
        .attempt = mac.attempt,
        .mark = mac.out.mark,
        .rssi_dbm = told ? quality.rssi_dbm : rounded_dbm(static_cast<double>(channel_.power_mw(sender, node))),
        .lqi = quality.lqi,
    };
}

// The frame is handed up when that is done.
void Csma::acknowledge(Node node, Node sender)
{
    Mac &mac = macs_[node];
    mac.in = received(node, sender, macs_[sender].out.kind);
    std::memcpy(mac.in_bytes, macs_[sender].out.bytes, mac.in.len);
    begin_ack(node, sender, mac.in.attempt, rules_.ack_delay + rules_.ack_delay_byte * (mac.in.len + FCS_BYTES));
}

void Csma::begin_ack(Node node, Node sender, std::uint32_t attempt, Time delay)
{
    Mac &mac = macs_[node];
    mac.acknowledging = sender;
    mac.acknowledged = sender;
    mac.acknowledged_attempt = attempt;
    mac.ack_congested = user_.ack_congested(node);
    medium_->make_deaf(node, now_);
    medium_->transmit_after(delay, node, Signal::Ack, radio_.ack_bytes, sender, now_);
}

// An acknowledgement that came as a frame; anybody's.
void Csma::ack_heard(Node node, Node sender)
{
    Mac &mac = macs_[node];
    if (mac.state == State::AwaitingAck && mac.out.to == sender && macs_[sender].acknowledged == node) {
        mac.state = State::HandlingAck;
        events_.set(mac_slot(node), now_ + rules_.ack_handling);
    }
}

void Csma::transmission_ended(Node node, Signal kind)
{
    Mac &mac = macs_[node];
    if (kind == Signal::Ack) {
        mac.acknowledging = NOBODY;
        medium_->make_idle(node, now_);
        if (processors_.empty()) {
            hand_up(node, mac.in, mac.in_bytes, true);
        }
        resume(node, now_);
        rest(node, now_);
    } else if (mac.out.ack) {
        mac.state = State::AwaitingAck;
        events_.set(mac_slot(node), now_ + rules_.ack_wait);
        if (radio_.ack_is_frame) {
            medium_->make_idle(node, now_);
        } else {
            medium_->wait_for_ack(node, mac.out.to, now_);
        }
    } else {
        mac.state = State::Flushing;
        events_.set(mac_slot(node), now_ + rules_.flush);
    }
}

void Csma::ack_received(Node node)
{
    events_.clear(mac_slot(node));
    conclude(node, Outcome::Done, macs_[macs_[node].out.to].ack_congested, now_);
}

void Csma::hand_up(Node node, const ReceivedFrame &frame, const std::uint8_t *bytes, bool acked)
{
    const IncomingFrame incoming{
        .bytes = bytes,
        .len = frame.len,
        .from = frame.from,
        .kind = frame.kind,
        .rssi_dbm = frame.rssi_dbm,
        .lqi = frame.lqi,
        .for_us = frame.to == NOBODY || frame.to == node,
        .acked = acked,
        .mark = frame.mark,
    };
    user_.frame_received(node, incoming, now_);
    offer(node, now_);
}

} // namespace penstock
