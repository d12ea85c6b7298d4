// A node's estimate of its noise floor, and what its energy readings look like against it.
//
// The noise floor is the exponential average, by 2/34, of the third lowest of the last nine readings. One reading
// below it means that the channel is clear. (TinyOS 1.1, CC1000RadioInt; thesis 2.3.3.)
// Which readings are taken into it is a rule. "clear" (thesis 2.3.3: of the channel "when it is idle"): those that
// meet a clear channel. "radio_idle" (TinyOS 1.1 to the letter): every one taken while the radio idles. "fixed": none;
// the node knows the bare noise, as if somebody had measured it in a silent network.
// Readings of the noise vary by `reading_sd_db`; the power of others on top of it does not.
//
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "random.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace penstock {

enum class NoiseFloorRule : std::uint8_t { Clear, RadioIdle, Fixed };
std::optional<NoiseFloorRule> noise_floor_rule(std::string_view name);

class NoiseFloor {
public:
    static constexpr std::size_t TABLE = 9; // readings that it rests on

    // Starts as if all readings so far had met the noise itself.
    NoiseFloor(double noise_mw, double reading_sd_db);

    // The chance that one reading is below the estimate.
    [[nodiscard]] double clear_probability(double interference_mw) const
    {
        if (interference_mw == 0) {
            return clear_alone_;
        }
        return certainly_busy(interference_mw) ? 0.0 : below(mw_ - interference_mw);
    }
    // The chance that one reading is below `margin` times the estimate.
    [[nodiscard]] double below_probability(double margin, double interference_mw) const
    {
        return interference_mw >= margin * mw_ ? 0.0 : below(margin * mw_ - interference_mw);
    }
    // No reading can be below the estimate.
    [[nodiscard]] bool certainly_busy(double interference_mw) const { return interference_mw >= mw_; }
    [[nodiscard]] double mw() const { return mw_; }

    // Takes one reading into the estimate.
    void learn(double interference_mw, Random &random);

private:
    [[nodiscard]] double below(double mw) const; // the noise alone
    void set(double dbm);

    double noise_mw_;
    double noise_dbm_;
    double reading_sd_db_;
    double dbm_ = 0;
    double mw_ = 0;
    double clear_alone_ = 0; // when nobody sends
    std::array<float, TABLE> readings_{};
    std::uint8_t next_ = 0;
};

} // namespace penstock
