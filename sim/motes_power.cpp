// Motes that switch their radio off: to save power, and for good.
//
// SPDX-License-Identifier: BSD-3-Clause
#include "motes.hpp"

#include "lib_time.hpp"

#include <algorithm>

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

// Failures in the order of time, then of nodes.
std::vector<Motes::Failure> Motes::failures_of(const WorldSpec &spec)
{
    std::vector<Failure> failures;
    for (Node node = 0; node < spec.node_count; ++node) {
        if (spec.fail_at_s[node] < spec.measure_s) {
            failures.push_back({seconds(spec.settle_s) + seconds(spec.fail_at_s[node]), node});
        }
    }
    std::ranges::stable_sort(failures, {}, &Failure::time);
    return failures;
}

void Motes::schedule_failure()
{
    if (next_failure_ < failures_.size()) {
        events_.set(first_slot_ + 2 * static_cast<EventQueue::Slot>(motes_.size()), failures_[next_failure_].time);
    }
}

void Motes::on_failure(Time now)
{
    fail(failures_[next_failure_++].node, now);
    schedule_failure();
}

// The application falls silent at once, and with it go the readings it holds. A frame that the MAC holds is finished
// first: until then the node still hears. Then everything in its queue is lost.
void Motes::fail(Node node, Time now)
{
    for (; applications_.waiting(node) != NO_PACKET; applications_.discard(node)) {
        dropped(node, applications_.waiting(node), PENSTOCK_DROP_NODE_DOWN, now);
    }
    applications_.stop(node);
    motes_[node].down = true;
    bury(node, now);
    set_deadline(node, now);
    mac_.sleep(node, now);
}

void Motes::bury(Node node, Time now)
{
    Mote &mote = motes_[node];
    while (!mote.mac_holds_frame && mote.node.queue.count > 0) {
        const penstock_packet_t *head = penstock_queue_head(&mote.node.queue);
        dropped(node, packet_index(head->origin, head->seq), PENSTOCK_DROP_NODE_DOWN, now);
        penstock_queue_pop(&mote.node.queue);
    }
}

} // namespace penstock
