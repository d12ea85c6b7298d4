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

void Csma::reception_ended(Node node, Node sender, Signal kind, bool intact)
{
    if (intact && kind == Signal::Ack) {
        ack_heard(node, sender);
    } else if (intact) {
        const OutgoingFrame &frame = macs_[sender].out;
        if (frame.ack && frame.to == node) {
            acknowledge(node, sender);
            return;
        }
        hand_up(node, sender, kind, frame.bytes, frame.len, false);
    }
    resume(node, now_);
    rest(node, now_);
}

// The frame is handed up when that is done.
void Csma::acknowledge(Node node, Node sender)
{
    Mac &mac = macs_[node];
    const OutgoingFrame &frame = macs_[sender].out;
    std::memcpy(mac.in, frame.bytes, frame.len);
    mac.in_len = frame.len;
    mac.acknowledging = sender;
    mac.acknowledged = sender;
    mac.ack_congested = user_.ack_congested(node);
    medium_->make_deaf(node, now_);
    medium_->transmit_after(rules_.ack_delay, node, Signal::Ack, radio_.ack_bytes, sender, now_);
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
        const Node sender = mac.acknowledging;
        mac.acknowledging = NOBODY;
        medium_->make_idle(node, now_);
        hand_up(node, sender, Signal::Data, mac.in, mac.in_len, true);
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

} // namespace penstock
