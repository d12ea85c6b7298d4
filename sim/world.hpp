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

// Runs `spec` to its end. `cancel`, when it turns true, ends the run early with Cancelled.
// Throws std::invalid_argument for a spec that makes no sense.
Records run(const WorldSpec &spec, const std::atomic<bool> &cancel);

} // namespace penstock
