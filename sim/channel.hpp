// Who hears whom, and how strongly.
//
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "spec.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace penstock {

// One direction of a pair: the power at which `dst` receives the owner of the list.
struct Link {
    std::uint32_t dst;
    float power_mw;
};

// Mean loss between two places: log-distance, no less than that at 1 m.
double mean_path_loss_db(const WorldSpec &spec, const Position &a, const Position &b);

// Received power for every pair that matters, as one adjacency list per transmitter, sorted by
// receiver. A pair is kept if either direction reaches the cut-off, so the list of those who hear
// a node is also the list of those it hears. What is cut is counted nowhere.
class Channel {
public:
    explicit Channel(const WorldSpec &spec);

    [[nodiscard]] std::span<const Link> links(std::uint32_t src) const
    {
        return {links_.data() + first_[src], first_[src + 1] - first_[src]};
    }
    [[nodiscard]] double noise_mw(std::uint32_t node) const { return noise_mw_[node]; }
    // Received power in mW at dst from src; 0 below the cut-off.
    [[nodiscard]] float power_mw(std::uint32_t src, std::uint32_t dst) const;
    // Whether so much power at a node is above the cut-off.
    [[nodiscard]] bool matters(double power_dbm, std::uint32_t dst) const;

private:
    void draw_hardware(const WorldSpec &spec);
    void link_by_gains(const WorldSpec &spec);
    void link_by_positions(const WorldSpec &spec);
    template <typename EachPair> void build(EachPair each_pair);

    double cutoff_db_;
    std::vector<double> tx_dbm_; // per node, with hardware variance
    std::vector<double> noise_dbm_;
    std::vector<double> noise_mw_;
    std::vector<std::size_t> first_;
    std::vector<Link> links_;
};

} // namespace penstock
