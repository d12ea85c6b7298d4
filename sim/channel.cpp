// Path loss, shadowing and hardware variance become received powers.
//
// Log-distance path loss with log-normal shadowing drawn once per pair (the same in both
// directions: walls do not know who transmits), and a transmit power and noise floor per node drawn
// from one bivariate normal, which is what makes links asymmetric (Zuniga and Krishnamachari 2004).
//
// SPDX-License-Identifier: BSD-3-Clause
#include "channel.hpp"

#include "random.hpp"
#include "units.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace penstock {

namespace {

// A pair that would need more luck than this many standard deviations of shadowing to reach the
// cut-off is not drawn: the cost of building follows the density, and one such pair in 700 is missed.
constexpr double SHADOWING_REACH = 3.0;

// The stream of a pair, whatever the order in which pairs are visited.
Random pair_stream(std::uint64_t seed, std::uint32_t a, std::uint32_t b)
{
    const std::uint64_t low = std::min(a, b);
    const std::uint64_t high = std::max(a, b);
    return {seed, (high << 32) | low, Purpose::Shadowing};
}

// Nodes by square cell, so that building costs follow the neighbours and not the network.
class CellGrid {
public:
    CellGrid(const std::vector<Position> &positions, double side_m) : side_m_(side_m)
    {
        for (std::uint32_t i = 0; i < positions.size(); ++i) {
            cells_[key(column(positions[i].x_m), column(positions[i].y_m))].push_back(i);
        }
    }

    template <typename Visit> void each_near(const Position &at, Visit visit) const
    {
        const std::int64_t cx = column(at.x_m);
        const std::int64_t cy = column(at.y_m);
        for (std::int64_t y = cy - 1; y <= cy + 1; ++y) {
            for (std::int64_t x = cx - 1; x <= cx + 1; ++x) {
                const auto found = cells_.find(key(x, y));
                if (found != cells_.end()) {
                    std::ranges::for_each(found->second, visit);
                }
            }
        }
    }

private:
    [[nodiscard]] std::int64_t column(double metres) const
    {
        return static_cast<std::int64_t>(std::floor(metres / side_m_));
    }
    static std::uint64_t key(std::int64_t x, std::int64_t y)
    {
        return (static_cast<std::uint64_t>(x) << 32) ^ (static_cast<std::uint64_t>(y) & 0xFFFFFFFFu);
    }

    double side_m_;
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> cells_;
};

} // namespace

Channel::Channel(const WorldSpec &spec) : cutoff_db_(spec.interference_cutoff_db)
{
    draw_hardware(spec);
    std::vector<Pair> pairs = spec.links_src.empty() ? from_positions(spec) : from_gains(spec);
    index(pairs, spec.node_count);
}

void Channel::draw_hardware(const WorldSpec &spec)
{
    tx_dbm_.assign(spec.node_count, spec.tx_power_dbm);
    noise_dbm_ = spec.noise_floor_dbm;
    // Cholesky factor of [[noise, cov], [cov, tx]].
    const double noise_sd = std::sqrt(spec.hardware_noise_var);
    const double slope = noise_sd > 0 ? spec.hardware_covariance / noise_sd : 0.0;
    const double rest = std::sqrt(std::max(0.0, spec.hardware_tx_var - slope * slope));
    noise_mw_.resize(spec.node_count);
    for (std::uint32_t i = 0; i < spec.node_count; ++i) {
        Random random(spec.seed, i, Purpose::Hardware);
        const double a = random.normal();
        const double b = random.normal();
        noise_dbm_[i] += noise_sd * a;
        tx_dbm_[i] += slope * a + rest * b;
        noise_mw_[i] = dbm_to_mw(noise_dbm_[i]);
    }
}

bool Channel::matters(double power_dbm, std::uint32_t dst) const
{
    return power_dbm >= noise_dbm_[dst] - cutoff_db_;
}

std::vector<Channel::Pair> Channel::from_gains(const WorldSpec &spec) const
{
    const auto pair_key = [](std::uint32_t src, std::uint32_t dst) {
        return (static_cast<std::uint64_t>(src) << 32) | dst;
    };
    const auto src_of = [&](std::size_t i) { return static_cast<std::uint32_t>(spec.links_src[i]); };
    const auto dst_of = [&](std::size_t i) { return static_cast<std::uint32_t>(spec.links_dst[i]); };
    std::unordered_map<std::uint64_t, double> gains;
    gains.reserve(spec.links_src.size());
    for (std::size_t i = 0; i < spec.links_src.size(); ++i) {
        gains[pair_key(src_of(i), dst_of(i))] = spec.links_gain_db[i];
    }
    std::vector<Pair> pairs;
    for (std::size_t i = 0; i < spec.links_src.size(); ++i) {
        const std::uint32_t src = src_of(i);
        const std::uint32_t dst = dst_of(i);
        const double forward = tx_dbm_[src] + spec.links_gain_db[i];
        const auto back = gains.find(pair_key(dst, src));
        const bool has_back = back != gains.end();
        const bool keep = matters(forward, dst) || (has_back && matters(tx_dbm_[dst] + back->second, src));
        if (keep) {
            pairs.push_back({src, dst, static_cast<float>(dbm_to_mw(forward))});
            if (!has_back) { // a one-way measurement: the list stays symmetric, the other way is silent
                pairs.push_back({dst, src, 0.0f});
            }
        }
    }
    return pairs;
}

std::vector<Channel::Pair> Channel::from_positions(const WorldSpec &spec) const
{
    const double strongest = *std::ranges::max_element(tx_dbm_);
    const double quietest = *std::ranges::min_element(noise_dbm_);
    const double budget_db = strongest - spec.path_loss_1m_db + SHADOWING_REACH * spec.shadowing_sigma_db -
                             (quietest - cutoff_db_);
    const double reach_m = std::max(1.0, std::pow(10.0, budget_db / (10.0 * spec.path_loss_exponent)));
    const CellGrid grid(spec.positions, reach_m);

    std::vector<Pair> pairs;
    for (std::uint32_t a = 0; a < spec.node_count; ++a) {
        grid.each_near(spec.positions[a], [&](std::uint32_t b) {
            if (b <= a) {
                return;
            }
            const double dx = spec.positions[a].x_m - spec.positions[b].x_m;
            const double dy = spec.positions[a].y_m - spec.positions[b].y_m;
            const double distance_m = std::max(1.0, std::hypot(dx, dy));
            if (distance_m > reach_m) {
                return;
            }
            const double mean_loss_db =
                spec.path_loss_1m_db + 10.0 * spec.path_loss_exponent * std::log10(distance_m);
            const double best_loss_db = mean_loss_db - SHADOWING_REACH * spec.shadowing_sigma_db;
            if (!matters(tx_dbm_[a] - best_loss_db, b) && !matters(tx_dbm_[b] - best_loss_db, a)) {
                return;
            }
            const double loss_db = mean_loss_db + spec.shadowing_sigma_db * pair_stream(spec.seed, a, b).normal();
            const double there = tx_dbm_[a] - loss_db;
            const double back = tx_dbm_[b] - loss_db;
            if (matters(there, b) || matters(back, a)) {
                pairs.push_back({a, b, static_cast<float>(dbm_to_mw(there))});
                pairs.push_back({b, a, static_cast<float>(dbm_to_mw(back))});
            }
        });
    }
    return pairs;
}

void Channel::index(std::vector<Pair> &pairs, std::uint32_t node_count)
{
    std::ranges::sort(pairs, [](const Pair &a, const Pair &b) {
        return a.src != b.src ? a.src < b.src : a.dst < b.dst;
    });
    first_.assign(std::size_t{node_count} + 1, 0);
    links_.reserve(pairs.size());
    for (const Pair &pair : pairs) {
        links_.push_back({pair.dst, pair.power_mw});
        ++first_[pair.src + 1];
    }
    for (std::uint32_t i = 0; i < node_count; ++i) {
        first_[i + 1] += first_[i];
    }
}

float Channel::power_mw(std::uint32_t src, std::uint32_t dst) const
{
    const std::span<const Link> row = links(src);
    const auto found = std::ranges::lower_bound(row, dst, {}, &Link::dst);
    return found != row.end() && found->dst == dst ? found->power_mw : 0.0f;
}

} // namespace penstock
