// Links that lose frames in given intervals, whatever the channel is like (Flush 4.5: the link layer of one hop drops
// each packet with probability 1/2 for ten seconds).
//
// A frame of such a link that the radio has received intact is dropped before the MAC sees it, with the interval's
// probability: it was on air, took its receiver's time, disturbed others, and nobody acknowledges it. The rule holds
// for frames of any kind, acknowledgements too, and for one direction.
//
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "random.hpp"
#include "spec.hpp"
#include "units.hpp"

#include <cstdint>
#include <vector>

namespace penstock {

class ForcedLoss {
public:
    explicit ForcedLoss(const WorldSpec &spec);

    // Whether an intact frame that ends now is dropped; draws from the receiver's own stream within an interval only.
    [[nodiscard]] bool drops(std::uint32_t from, std::uint32_t to, Time now)
    {
        return !receivers_.empty() && drawn(from, to, now);
    }

private:
    struct Interval {
        std::uint32_t from; // whose frames
        Time begin;
        Time end;
        double probability;
    };
    struct Receiver {
        std::vector<Interval> intervals;
        Random random;
    };

    bool drawn(std::uint32_t from, std::uint32_t to, Time now);

    std::vector<Receiver> receivers_; // by node; none where no link loses frames
};

} // namespace penstock
