// Transmitters of another kind beside the network, such as an 802.11 station: bursts of noise, nothing else.
//
// A source stands somewhere and sends bursts in given intervals: so many a second, equally long, evenly spaced or a few
// together, from a random phase on. They go one after the other, `gap_s` apart at least, each put off by a random
// moment within `jitter_s` (its own backoff). It hears nothing of the network and defers to nobody. Its power falls
// with distance by the channel's law, with shadowing of its own for every node. A burst raises the noise of all nodes
// that it reaches, down to the channel's cut-off, and so disturbs frames by their SINR and makes channels busy. Unlike
// the network's own frames, whose disturbance is weighted by the radio's co-channel rejection, it counts like white
// noise.
//
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "channel.hpp"
#include "event_queue.hpp"
#include "medium.hpp"
#include "random.hpp"
#include "spec.hpp"

#include <cstdint>
#include <vector>

namespace penstock {

class Interference {
public:
    // Takes one timer per source from `first_slot` on.
    Interference(const WorldSpec &spec, const Channel &channel, EventQueue &events, EventQueue::Slot first_slot,
                 Medium &medium);

    void start();
    void on_timer(std::size_t at, Time now);
    // Since the last reset.
    [[nodiscard]] std::uint64_t bursts() const { return bursts_; }
    void reset_statistics() { bursts_ = 0; }

private:
    struct Interval {
        Time from;
        Time to;
        double pps;
        std::uint32_t together;
        double power_mw;
        Time air;
    };

    struct Reached {
        Node node;
        double gain; // linear
    };

    struct Source {
        std::vector<Interval> intervals; // one after the other
        std::vector<Reached> reached;
        Random random;
        std::size_t interval = 0;
        double phase = 0; // of the interval's first bursts, in periods from one lot to the next
        std::uint64_t next = 0;
        double power_mw = 0; // of the burst on air; 0: none
        Time silent_from = 0;
    };

    struct Noise {
        double power_mw = 0; // of all bursts at a node
        std::uint32_t bursts = 0;
    };

    void find_reached(const WorldSpec &spec, std::size_t source);
    void enter_interval(Source &source);
    void schedule(std::size_t at);
    void change(const Source &source, double power_mw, Time now);

    const Channel &channel_;
    EventQueue &events_;
    EventQueue::Slot first_slot_;
    Medium &medium_;
    Time gap_;
    Time jitter_;
    std::vector<Source> sources_;
    std::vector<Noise> noise_;
    std::uint64_t bursts_ = 0;
};

} // namespace penstock
