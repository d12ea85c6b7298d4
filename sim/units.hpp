// Time and power as the world counts them.
//
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace penstock {

// Nanoseconds since the start of the run.
using Time = std::int64_t;

inline constexpr Time NEVER = INT64_MAX;
inline constexpr Time NS_PER_US = 1'000;
inline constexpr Time NS_PER_S = 1'000'000'000;

inline Time seconds(double s)
{
    return static_cast<Time>(std::llround(s * 1e9));
}

inline double to_seconds(Time t)
{
    return static_cast<double>(t) * 1e-9;
}

inline double dbm_to_mw(double dbm)
{
    return std::pow(10.0, dbm / 10.0);
}

inline double mw_to_dbm(double mw)
{
    return 10.0 * std::log10(mw);
}

// As a byte, which is how radios tell it.
inline std::int8_t rounded_dbm(double mw)
{
    return static_cast<std::int8_t>(std::clamp(std::lround(mw_to_dbm(mw)), -127L, 127L));
}

} // namespace penstock
