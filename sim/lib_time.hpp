// The library's clock: microseconds modulo 2^32.
//
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "units.hpp"

#include "penstock/types.h"

#include <algorithm>

namespace penstock {

inline penstock_time_t lib_time(Time now)
{
    return static_cast<penstock_time_t>(static_cast<std::uint64_t>(now / NS_PER_US));
}

// The moment that the library calls `then`, as seen from `now`: the next microsecond at the earliest.
inline Time world_time(penstock_time_t then, Time now)
{
    const auto ahead_us = static_cast<std::int32_t>(then - lib_time(now));
    return (now / NS_PER_US + std::max(ahead_us, 1)) * NS_PER_US;
}

} // namespace penstock
