// SPDX-License-Identifier: BSD-3-Clause
#include "modulation.hpp"

#include <cmath>

namespace penstock {

double nc_fsk_bit_error_rate(double sinr, double bandwidth_per_rate)
{
    return 0.5 * std::exp(-0.5 * sinr * bandwidth_per_rate);
}

double oqpsk_dsss_bit_error_rate(double sinr)
{
    constexpr int SEQUENCES = 16;
    double sum = 0;
    double choose = SEQUENCES; // C(16, k - 1), then C(16, k)
    double sign = 1;
    for (int k = 2; k <= SEQUENCES; ++k) {
        choose *= static_cast<double>(SEQUENCES - k + 1) / k;
        sum += sign * choose * std::exp(20.0 * sinr * (1.0 / k - 1.0));
        sign = -sign;
    }
    return 8.0 / 15.0 / SEQUENCES * sum;
}

double oqpsk_dsss_chip_error_rate(double sinr)
{
    return 0.5 * std::erfc(std::sqrt(sinr * 20.0 / 32.0));
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
        case Modulation::OqpskDsss:
            error_rate = oqpsk_dsss_bit_error_rate(static_cast<double>(sinr));
            break;
        }
        table_[i] = std::log1p(-error_rate);
    }
}

} // namespace penstock
