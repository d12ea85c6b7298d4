// SPDX-License-Identifier: BSD-3-Clause
#include "forced_loss.hpp"

#include <algorithm>

namespace penstock {

ForcedLoss::ForcedLoss(const WorldSpec &spec)
{
    if (spec.loss_src.empty()) {
        return;
    }
    receivers_.resize(spec.node_count);
    for (std::uint32_t node = 0; node < spec.node_count; ++node) {
        receivers_[node].random = Random(spec.seed, node, Purpose::ForcedLoss);
    }
    const Time start = seconds(spec.settle_s);
    for (std::size_t i = 0; i < spec.loss_src.size(); ++i) {
        receivers_[static_cast<std::size_t>(spec.loss_dst[i])].intervals.push_back({
            .from = static_cast<std::uint32_t>(spec.loss_src[i]),
            .begin = start + seconds(spec.loss_from_s[i]),
            .end = start + seconds(spec.loss_to_s[i]),
            .probability = spec.loss_probability[i],
        });
    }
}

bool ForcedLoss::drawn(std::uint32_t from, std::uint32_t to, Time now)
{
    Receiver &receiver = receivers_[to];
    const auto found = std::ranges::find_if(receiver.intervals, [&](const Interval &interval) {
        return interval.from == from && now >= interval.begin && now < interval.end;
    });
    return found != receiver.intervals.end() && receiver.random.uniform() < found->probability;
}

} // namespace penstock
