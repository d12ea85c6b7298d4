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
#include <map>
#include <unordered_map>
#include <utility>

namespace penstock {

namespace {

// A pair that would need more luck than this many standard deviations of shadowing to reach the
// cut-off is not drawn: the cost of building follows the density, and one such pair in 700 is missed.
constexpr double SHADOWING_REACH = 3.0;

// Of their distance, which counts as a metre at least.
double square_m2(const Position &a, const Position &b)
{
    const double dx = a.x_m - b.x_m;
    const double dy = a.y_m - b.y_m;
    return std::max(1.0, dx * dx + dy * dy);
}

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

double mean_path_loss_db(const WorldSpec &spec, const Position &a, const Position &b)
{
    return spec.path_loss_1m_db + 5.0 * spec.path_loss_exponent * std::log10(square_m2(a, b));
}

Channel::Channel(const WorldSpec &spec) : cutoff_db_(spec.interference_cutoff_db)
{
    draw_hardware(spec);
    if (spec.links_src.empty()) {
        link_by_positions(spec);
    } else {
        link_by_gains(spec);
    }
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
        Random random(spec.channel_seed, i, Purpose::Hardware);
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

// Makes the lists from pairs, each of which becomes two links. `each_pair` is called twice with a function of
// (a, b, power at b, power at a) and must name the same pairs both times: counting first, no list ever grows, and
// building needs no more memory than the lists themselves.
template <typename EachPair> void Channel::build(EachPair each_pair)
{
    const std::size_t node_count = tx_dbm_.size();
    first_.assign(node_count + 1, 0);
    each_pair([&](std::uint32_t a, std::uint32_t b, double, double) {
        ++first_[a + 1];
        ++first_[b + 1];
    });
    for (std::size_t i = 1; i < first_.size(); ++i) {
        first_[i] += first_[i - 1];
    }
    links_.resize(first_.back());
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    each_pair([&](std::uint32_t a, std::uint32_t b, double at_b_mw, double at_a_mw) {
        links_[next[a]++] = {b, static_cast<float>(at_b_mw)};
        links_[next[b]++] = {a, static_cast<float>(at_a_mw)};
    });
    for (std::size_t i = 0; i < node_count; ++i) {
        const auto row = links_.begin() + static_cast<std::ptrdiff_t>(first_[i]);
        std::sort(row, links_.begin() + static_cast<std::ptrdiff_t>(first_[i + 1]),
                  [](const Link &a, const Link &b) { return a.dst < b.dst; });
    }
}

void Channel::link_by_gains(const WorldSpec &spec)
{
    struct Both {
        double at_high_mw = 0; // a direction without a gain stays silent
        double at_low_mw = 0;
    };
    std::map<std::pair<std::uint32_t, std::uint32_t>, Both> pairs; // (low, high)
    for (std::size_t i = 0; i < spec.links_src.size(); ++i) {
        const auto src = static_cast<std::uint32_t>(spec.links_src[i]);
        const auto dst = static_cast<std::uint32_t>(spec.links_dst[i]);
        Both &both = pairs[std::minmax(src, dst)];
        (src < dst ? both.at_high_mw : both.at_low_mw) = dbm_to_mw(tx_dbm_[src] + spec.links_gain_db[i]);
    }
    build([&](auto visit) {
        for (const auto &[nodes, both] : pairs) {
            const auto [low, high] = nodes;
            if (matters(mw_to_dbm(both.at_high_mw), high) || matters(mw_to_dbm(both.at_low_mw), low)) {
                visit(low, high, both.at_high_mw, both.at_low_mw);
            }
        }
    });
}

void Channel::link_by_positions(const WorldSpec &spec)
{
    const double strongest = *std::ranges::max_element(tx_dbm_);
    const double quietest = *std::ranges::min_element(noise_dbm_);
    const double budget_db =
        strongest - spec.path_loss_1m_db + SHADOWING_REACH * spec.shadowing_sigma_db - (quietest - cutoff_db_);
    const double reach_m = std::max(1.0, std::pow(10.0, budget_db / (10.0 * spec.path_loss_exponent)));
    const CellGrid grid(spec.positions, reach_m);

    const auto visit_pair = [&](std::uint32_t a, std::uint32_t b, const auto &visit) {
        if (square_m2(spec.positions[a], spec.positions[b]) > reach_m * reach_m) {
            return;
        }
        const double mean_loss_db = mean_path_loss_db(spec, spec.positions[a], spec.positions[b]);
        const double best_loss_db = mean_loss_db - SHADOWING_REACH * spec.shadowing_sigma_db;
        if (!matters(tx_dbm_[a] - best_loss_db, b) && !matters(tx_dbm_[b] - best_loss_db, a)) {
            return;
        }
        const double loss_db = mean_loss_db + spec.shadowing_sigma_db * pair_stream(spec.channel_seed, a, b).normal();
        const double at_b = tx_dbm_[a] - loss_db;
        const double at_a = tx_dbm_[b] - loss_db;
        if (matters(at_b, b) || matters(at_a, a)) {
            visit(a, b, dbm_to_mw(at_b), dbm_to_mw(at_a));
        }
    };
    build([&](const auto &visit) {
        for (std::uint32_t a = 0; a < spec.node_count; ++a) {
            grid.each_near(spec.positions[a], [&](std::uint32_t b) {
                if (b > a) {
                    visit_pair(a, b, visit);
                }
            });
        }
    });
}

float Channel::power_mw(std::uint32_t src, std::uint32_t dst) const
{
    const std::span<const Link> row = links(src);
    const auto found = std::ranges::lower_bound(row, dst, {}, &Link::dst);
    return found != row.end() && found->dst == dst ? found->power_mw : 0.0f;
}

} // namespace penstock
