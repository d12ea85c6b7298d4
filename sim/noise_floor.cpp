// SPDX-License-Identifier: BSD-3-Clause
#include "noise_floor.hpp"

#include "units.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace penstock {

namespace {

double normal_cdf(double z)
{
    return 0.5 * std::erfc(-z * std::numbers::sqrt2 / 2.0);
}

} // namespace

std::optional<NoiseFloorRule> noise_floor_rule(std::string_view name)
{
    if (name == "clear") {
        return NoiseFloorRule::Clear;
    }
    if (name == "radio_idle") {
        return NoiseFloorRule::RadioIdle;
    }
    if (name == "fixed") {
        return NoiseFloorRule::Fixed;
    }
    return std::nullopt;
}

NoiseFloor::NoiseFloor(double noise_mw, double reading_sd_db)
    : noise_mw_(noise_mw),
      noise_dbm_(mw_to_dbm(noise_mw)),
      reading_sd_db_(reading_sd_db)
{
    readings_.fill(static_cast<float>(noise_dbm_));
    set(static_cast<double>(readings_[0]));
}

double NoiseFloor::below(double mw) const
{
    return normal_cdf(mw_to_dbm(mw / noise_mw_) / reading_sd_db_);
}

void NoiseFloor::learn(double interference_mw, Random &random)
{
    const double noise_mw = noise_mw_ * dbm_to_mw(reading_sd_db_ * random.normal());
    readings_[next_] = static_cast<float>(mw_to_dbm(noise_mw + interference_mw));
    next_ = static_cast<std::uint8_t>((next_ + 1) % TABLE);
    std::array<float, TABLE> sorted = readings_;
    std::ranges::nth_element(sorted, sorted.begin() + 2);
    set((32.0 * dbm_ + 2.0 * static_cast<double>(sorted[2])) / 34.0);
}

void NoiseFloor::set(double dbm)
{
    dbm_ = dbm;
    mw_ = dbm_to_mw(dbm);
    clear_alone_ = normal_cdf((dbm - noise_dbm_) / reading_sd_db_);
}

} // namespace penstock
