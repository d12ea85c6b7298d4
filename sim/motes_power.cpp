// Motes that switch their radio off to save power.
//
// SPDX-License-Identifier: BSD-3-Clause
#include "motes.hpp"

#include "lib_time.hpp"

namespace penstock {

// A node with a power-saving pattern sleeps as soon as nothing is left to be sent. Its beacons and everything else that
// its library node waits for are late until it wakes up.
void Motes::sleep_if_done(Node node, Time now)
{
    const Mote &mote = motes_[node];
    if (applications_.may_sleep(node, now) && mote.node.queue.count == 0 && !mote.mac_holds_frame) {
        applications_.sleep(node);
        mac_.sleep(node, now);
        set_deadline(node, now);
    }
}

void Motes::wake(Node node, Time now)
{
    applications_.wake(node);
    mac_.wake(node, now);
    penstock_forget_congestion(&motes_[node].node, lib_time(now));
    serve(node, now);
    mac_.offer(node, now);
}

} // namespace penstock
