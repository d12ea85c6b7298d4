// The line over which a base station passes on what it receives.
//
// Each packet takes it as long; so many may be there at a time, the one on the line included. One that finds no
// room is lost, although the link has acknowledged it: acknowledgements are the radio driver's, which knows nothing of
// the line. What is passed on is seen by the sink's node at once: only the losses are modelled, not the delay, which is
// at most the buffer's length times the service time.
//
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "units.hpp"

#include <algorithm>

namespace penstock {

class SerialLine {
public:
    // Without service time every packet is taken.
    SerialLine(Time service, int room) : service_(service), room_(room) {}

    // A packet has come in: whether it is taken.
    bool take(Time now)
    {
        if (service_ == 0) {
            return true;
        }
        free_at_ = std::max(free_at_, now);
        if (free_at_ - now > (room_ - 1) * service_) {
            return false; // that many have not left yet
        }
        free_at_ += service_;
        return true;
    }

private:
    Time service_;
    int room_;
    Time free_at_ = 0; // the last packet that was taken has left
};

} // namespace penstock
