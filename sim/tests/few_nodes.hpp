// A few nodes in one room, each with a MAC of its own and frames to send when a test says so.
//
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "csma.hpp"
#include "low_power_listening.hpp"

#include <deque>
#include <optional>
#include <vector>

namespace penstock {

inline constexpr double ROOM_NOISE_DBM = -105.0;

// Every node hears every other one at this SNR.
inline WorldSpec room_spec(std::uint32_t nodes, double snr_db = 30.0)
{
    WorldSpec spec;
    spec.seed = 1;
    spec.channel_seed = 1;
    spec.node_count = nodes;
    spec.noise_floor_dbm.assign(nodes, ROOM_NOISE_DBM);
    spec.interference_cutoff_db = 20;
    spec.max_frame_bytes = 36;
    spec.preamble_bytes = 18;
    spec.sync_bytes = 2;
    spec.initial_backoff_bytes = 32;
    spec.congestion_backoff_bytes = 16;
    spec.check_margin_db = 10;
    for (std::uint32_t src = 0; src < nodes; ++src) {
        for (std::uint32_t dst = 0; dst < nodes; ++dst) {
            if (src != dst) {
                spec.links_src.push_back(static_cast<std::int32_t>(src));
                spec.links_dst.push_back(static_cast<std::int32_t>(dst));
                spec.links_gain_db.push_back(ROOM_NOISE_DBM + snr_db);
            }
        }
    }
    return spec;
}

class Room final : public MacUser {
public:
    struct Heard {
        Node at;
        Node from;
        bool for_us;
        Time time;
        std::int8_t rssi_dbm;
        std::uint8_t lqi;
    };
    struct Done {
        Node node;
        Outcome outcome;
        bool ack_congested;
        Time time;
    };

    Room(const WorldSpec &spec, const RadioProfile &radio)
        : channel_(spec),
          events_(std::size_t{5} * spec.node_count),
          mac(spec, radio, channel_, events_, spec.node_count, *this),
          medium(spec, channel_, radio, events_, 0, mac),
          count_(spec.node_count),
          frame_bytes_(spec.max_frame_bytes),
          waiting_(spec.node_count)
    {
        mac.attach(medium);
        mac.start(0);
        if (spec.check_interval_s > 0) {
            listening_.emplace(spec, radio, events_, 4 * spec.node_count, mac, medium);
            listening_->start(0);
        }
    }

    // A frame of the longest kind; with `to` it asks for an acknowledgement.
    void send(Node node, Node to, Time now)
    {
        mac.set_now(now);
        waiting_[node].push_back(to);
        mac.offer(node, now);
    }

    // Up to and including `until`.
    void run_until(Time until)
    {
        while (events_.next_time() <= until) {
            const Time now = events_.next_time();
            const EventQueue::Slot slot = events_.pop();
            mac.set_now(now);
            const Node node = slot % count_;
            switch (slot / count_) {
            case 0:
                medium.on_event(node, now);
                break;
            case 1:
                mac.on_mac_timer(node, now);
                break;
            case 2:
                mac.on_squelch_timer(node, now);
                break;
            case 3:
                mac.on_processor_timer(node, now);
                break;
            default:
                listening_->on_timer(node, now);
                break;
            }
        }
        mac.set_now(until);
    }

    bool next_frame(Node node, OutgoingFrame &frame, Time) override
    {
        if (waiting_[node].empty()) {
            return false;
        }
        frame.to = waiting_[node].front();
        frame.ack = frame.to != NOBODY;
        frame.len = static_cast<std::uint8_t>(frame_bytes_ - FCS_BYTES);
        waiting_[node].pop_front();
        return true;
    }
    void attempt_began(Node, const OutgoingFrame &, Time) override { ++attempts; }
    void frame_done(Node node, Outcome outcome, bool ack_congested, Time now) override
    {
        done.push_back({node, outcome, ack_congested, now});
    }
    [[nodiscard]] bool ack_congested(Node node) const override { return node == congested; }
    void frame_received(Node node, const IncomingFrame &frame, Time now) override
    {
        heard.push_back({node, frame.from, frame.for_us, now, frame.rssi_dbm, frame.lqi});
    }

    std::vector<Heard> heard;
    std::vector<Done> done;
    int attempts = 0;
    Node congested = NOBODY;

private:
    Channel channel_;
    EventQueue events_;

public:
    Csma mac;
    Medium medium;

private:
    std::optional<LowPowerListening> listening_;
    std::uint32_t count_;
    int frame_bytes_;
    std::vector<std::deque<Node>> waiting_; // destinations
};

} // namespace penstock
