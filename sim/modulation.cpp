// SPDX-License-Identifier: BSD-3-Clause
#include "modulation.hpp"

#include <cmath>

namespace penstock {

double nc_fsk_bit_error_rate(double sinr, double bandwidth_per_rate)
{
    return 0.5 * std::exp(-0.5 * sinr * bandwidth_per_rate);
}

ErrorCurve::ErrorCurve(Modulation modulation, double bandwidth_per_rate)
{
    for (std::size_t i = 0; i <= STEPS; ++i) {
        const std::uint32_t bits = FIRST_BITS + (static_cast<std::uint32_t>(i) << FRACTION_BITS);
        float sinr = 0;
        std::memcpy(&sinr, &bits, sizeof sinr);
        double error_rate = 0.5;
        switch (modulation) {
        case Modulation::NcFsk:
            error_rate = nc_fsk_bit_error_rate(static_cast<double>(sinr), bandwidth_per_rate);
            break;
        }
        table_[i] = std::log1p(-error_rate);
    }
}

} // namespace penstock
