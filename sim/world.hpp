// The world: one run of one network.
//
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "channel.hpp"
#include "records.hpp"
#include "spec.hpp"

#include <atomic>
#include <stdexcept>

namespace penstock {

class Cancelled : public std::runtime_error {
public:
    Cancelled() : std::runtime_error("the run was cancelled") {}
};

// How far a run has come, for another thread to look at: written now and then.
struct Watch {
    std::atomic<Time> time{0}; // from the run's start
    // Of the transfer that runs, or the one that was last.
    std::atomic<std::uint32_t> arrived{0};
    std::atomic<std::uint32_t> packets{0};
};

// Runs `spec` to its end. `cancel`, when it turns true, ends the run early with Cancelled.
// `watch` may be told of its progress. Throws std::invalid_argument for a spec that makes no sense.
Records run(const WorldSpec &spec, const std::atomic<bool> &cancel, Watch *watch = nullptr);

} // namespace penstock
