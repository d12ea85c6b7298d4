// Counter-based random substreams.
//
// A stream is named by (seed, node, purpose); its n-th value depends on nothing else. So two
// runs that differ in the congestion control alone meet the same channel, the same traffic
// phases and the same hardware, and results do not depend on the number of workers.
//
// The generator is SplitMix64 (Steele, Lea, Flood 2014), which is a counter passed through a mixer.
//
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

namespace penstock {

enum class Purpose : std::uint32_t {
    Shadowing = 1,
    Hardware,
    TrafficPhase,
    Backoff,
    CarrierSense,
    Reception,
    LibrarySeed,
    ClockError,
    SourceRate,
    Failure,
    CheckPhase,
    Interference,
    InterferenceShadowing,
    ForcedLoss,
    Content,
};

class Random {
public:
    Random() = default;
    Random(std::uint64_t seed, std::uint64_t node, Purpose purpose)
        : state_(mix(mix(mix(seed + GOLDEN) ^ (node + GOLDEN)) ^ static_cast<std::uint64_t>(purpose)))
    {}

    std::uint64_t next()
    {
        state_ += GOLDEN;
        return mix(state_);
    }

    // The n-th value from here on, without drawing it.
    [[nodiscard]] std::uint64_t at(std::uint64_t n) const { return mix(state_ + (n + 1) * GOLDEN); }

    // Passes over one value.
    void skip() { state_ += GOLDEN; }

    // Uniform in [0, 1), 53 bits.
    double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

    // Uniform integer in 1..n, n >= 1 (multiply-shift; the bias is below n/2^32).
    std::uint32_t one_to(std::uint32_t n) { return static_cast<std::uint32_t>(((next() >> 32) * n) >> 32) + 1; }

    // Standard normal (Box-Muller; one value per two draws, so that draws can be counted).
    double normal()
    {
        const double u = 1.0 - uniform();
        const double v = uniform();
        return std::sqrt(-2.0 * std::log(u)) * std::cos(2.0 * std::numbers::pi * v);
    }

private:
    static constexpr std::uint64_t GOLDEN = 0x9E3779B97F4A7C15u;

    static std::uint64_t mix(std::uint64_t z)
    {
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        return z ^ (z >> 31);
    }

    std::uint64_t state_ = 0;
};

} // namespace penstock
