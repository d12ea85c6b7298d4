// What SINR does to bits: the radios' published error curves.
//
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

namespace penstock {

enum class Modulation { NcFsk, OqpskDsss };

// Bit error rate of non-coherent FSK at a linear SINR in the receiver's noise bandwidth:
// Pe = 1/2 exp(-1/2 SINR B/R) (Zuniga and Krishnamachari 2004, with B/R of the radio).
double nc_fsk_bit_error_rate(double sinr, double bandwidth_per_rate);

// Bit error rate of the 2.4 GHz PHY of IEEE 802.15.4 (O-QPSK, 16 quasi-orthogonal sequences of 32 chips) at a linear
// SINR in the chips' bandwidth: Pe = 8/15 1/16 sum over k = 2..16 of (-1)^k C(16,k) exp(20 SINR (1/k - 1)) (IEEE
// 802.15.4-2006, annex E.4.1.8).
double oqpsk_dsss_bit_error_rate(double sinr);

// Share of wrong chips at the same SINR, were they decided one by one: 1/2 erfc(sqrt(Ec/N0)). Ec/N0 is 20/32 of the
// SINR: the curve above is that of 16 orthogonal signals with Es/N0 = 20 SINR, and a symbol has 32 chips.
double oqpsk_dsss_chip_error_rate(double sinr);

// ln(1 - Pe) as a function of SINR, tabulated on a grid of 128 steps an octave and interpolated.
// Reception multiplies success over hundreds of bits and several stretches of constant SINR,
// millions of times a run; the table's error in Pe is below 0.2 % (tested against the formula).
class ErrorCurve {
public:
    ErrorCurve() = default;
    ErrorCurve(Modulation modulation, double bandwidth_per_rate);

    // Natural logarithm of the probability that one bit survives. sinr >= 0, linear.
    [[nodiscard]] double log_bit_success(double sinr) const
    {
        const auto x = static_cast<float>(sinr);
        if (!(x > LOWEST)) {
            return LOG_HALF;
        }
        if (x >= HIGHEST) {
            return 0.0;
        }
        std::uint32_t bits = 0;
        std::memcpy(&bits, &x, sizeof bits);
        const std::uint32_t index = (bits - FIRST_BITS) >> FRACTION_BITS;
        const float within = static_cast<float>(bits & ((1u << FRACTION_BITS) - 1)) * (1.0f / (1u << FRACTION_BITS));
        const double low = table_[index];
        return low + (table_[index + 1] - low) * static_cast<double>(within);
    }

private:
    static constexpr float LOWEST = 0x1.0p-10f;              // -30 dB: a coin toss
    static constexpr float HIGHEST = 0x1.0p8f;               // +24 dB: no error in the age of the universe
    static constexpr std::uint32_t FIRST_BITS = 0x3A800000u; // LOWEST as IEEE 754 bits
    static constexpr int STEPS_LOG2 = 7;
    static constexpr int FRACTION_BITS = 23 - STEPS_LOG2;
    static constexpr std::size_t STEPS = std::size_t{18} << STEPS_LOG2;
    static constexpr double LOG_HALF = -0.69314718055994530942;

    std::array<double, STEPS + 1> table_{};
};

} // namespace penstock
