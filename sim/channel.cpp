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
    index(spec.links_src.empty() ? from_positions(spec) : from_gains(spec));
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

Channel::Rows Channel::from_gains(const WorldSpec &spec) const
{
    Rows rows(spec.node_count);
    const auto pair_of = [&](std::uint32_t low, std::uint32_t high) -> Pair & {
        std::vector<Pair> &row = rows[low];
        auto at = std::ranges::lower_bound(row, high, {}, &Pair::other);
        if (at == row.end() || at->other != high) {
            at = row.insert(at, Pair{high, 0.0f, 0.0f}); // a direction without a gain stays silent
        }
        return *at;
    };
    for (std::size_t i = 0; i < spec.links_src.size(); ++i) {
        const auto src = static_cast<std::uint32_t>(spec.links_src[i]);
        const auto dst = static_cast<std::uint32_t>(spec.links_dst[i]);
        const auto power_mw = static_cast<float>(dbm_to_mw(tx_dbm_[src] + spec.links_gain_db[i]));
        (src < dst ? pair_of(src, dst).there_mw : pair_of(dst, src).back_mw) = power_mw;
    }
    for (std::uint32_t a = 0; a < spec.node_count; ++a) {
        std::erase_if(rows[a], [&](const Pair &pair) {
            return !matters(mw_to_dbm(static_cast<double>(pair.there_mw)), pair.other) &&
                   !matters(mw_to_dbm(static_cast<double>(pair.back_mw)), a);
        });
    }
    return rows;
}

Channel::Rows Channel::from_positions(const WorldSpec &spec) const
{
    const double strongest = *std::ranges::max_element(tx_dbm_);
    const double quietest = *std::ranges::min_element(noise_dbm_);
    const double budget_db =
        strongest - spec.path_loss_1m_db + SHADOWING_REACH * spec.shadowing_sigma_db - (quietest - cutoff_db_);
    const double reach_m = std::max(1.0, std::pow(10.0, budget_db / (10.0 * spec.path_loss_exponent)));
    const CellGrid grid(spec.positions, reach_m);

    Rows rows(spec.node_count);
    std::vector<Pair> row;
    for (std::uint32_t a = 0; a < spec.node_count; ++a) {
        row.clear();
        grid.each_near(spec.positions[a], [&](std::uint32_t b) {
            if (b <= a) {
                return;
            }
            const double dx = spec.positions[a].x_m - spec.positions[b].x_m;
            const double dy = spec.positions[a].y_m - spec.positions[b].y_m;
            const double square_m2 = std::max(1.0, dx * dx + dy * dy);
            if (square_m2 > reach_m * reach_m) {
                return;
            }
            const double mean_loss_db = spec.path_loss_1m_db + 5.0 * spec.path_loss_exponent * std::log10(square_m2);
            const double best_loss_db = mean_loss_db - SHADOWING_REACH * spec.shadowing_sigma_db;
            if (!matters(tx_dbm_[a] - best_loss_db, b) && !matters(tx_dbm_[b] - best_loss_db, a)) {
                return;
            }
            const double loss_db = mean_loss_db + spec.shadowing_sigma_db * pair_stream(spec.seed, a, b).normal();
            const double there = tx_dbm_[a] - loss_db;
            const double back = tx_dbm_[b] - loss_db;
            if (matters(there, b) || matters(back, a)) {
                row.push_back({b, static_cast<float>(dbm_to_mw(there)), static_cast<float>(dbm_to_mw(back))});
            }
        });
        std::ranges::sort(row, {}, &Pair::other);
        rows[a] = row; // a copy has no spare capacity
    }
    return rows;
}

// Each pair becomes two links. Since rows come in order, each node's links end up sorted.
void Channel::index(const Rows &rows)
{
    first_.assign(rows.size() + 1, 0);
    for (std::uint32_t a = 0; a < rows.size(); ++a) {
        first_[a + 1] += rows[a].size();
        for (const Pair &pair : rows[a]) {
            ++first_[pair.other + 1];
        }
    }
    for (std::size_t i = 1; i < first_.size(); ++i) {
        first_[i] += first_[i - 1];
    }
    links_.resize(first_.back());
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    for (std::uint32_t a = 0; a < rows.size(); ++a) {
        for (const Pair &pair : rows[a]) {
            links_[next[a]++] = {pair.other, pair.there_mw};
            links_[next[pair.other]++] = {a, pair.back_mw};
        }
    }
}

float Channel::power_mw(std::uint32_t src, std::uint32_t dst) const
{
    const std::span<const Link> row = links(src);
    const auto found = std::ranges::lower_bound(row, dst, {}, &Link::dst);
    return found != row.end() && found->dst == dst ? found->power_mw : 0.0f;
}

} // namespace penstock
