// What befalls motes at given moments: they stop for good, or send another way.
//
// SPDX-License-Identifier: BSD-3-Clause
#include "motes.hpp"

#include "lib_time.hpp"

#include <algorithm>

namespace penstock {

// In the order of time; at one moment nodes stop first, in the order of nodes.
std::vector<Motes::Fault> Motes::faults_of(const WorldSpec &spec)
{
    std::vector<Fault> faults;
    const Time start = seconds(spec.settle_s);
    for (Node node = 0; node < spec.node_count; ++node) {
        if (spec.fail_at_s[node] < spec.measure_s) {
            faults.push_back({.time = start + seconds(spec.fail_at_s[node]), .node = node, .parent = NOBODY});
        }
    }
    for (std::size_t i = 0; i < spec.reroute_node.size(); ++i) {
        faults.push_back({
            .time = start + seconds(spec.reroute_at_s[i]),
            .node = static_cast<Node>(spec.reroute_node[i]),
            .parent = static_cast<Node>(spec.reroute_parent[i]),
        });
    }
    std::ranges::stable_sort(faults, {}, &Fault::time);
    return faults;
}

void Motes::schedule_fault()
{
    if (next_fault_ < faults_.size()) {
        events_.set(first_slot_ + 2 * static_cast<EventQueue::Slot>(motes_.size()), faults_[next_fault_].time);
    }
}

void Motes::on_fault(Time now)
{
    const Fault &fault = faults_[next_fault_++];
    if (fault.parent == NOBODY) {
        fail(fault.node, now);
    } else {
        reroute(fault.node, fault.parent, now);
    }
    schedule_fault();
}

// A frame that the MAC holds still goes to the old parent; if that does not acknowledge it, the next attempt goes to
// the new one.
void Motes::reroute(Node node, Node parent, Time now)
{
    if (motes_[node].down) {
        return;
    }
    penstock_set_parent(&motes_[node].node, static_cast<penstock_addr_t>(parent), lib_time(now));
    serve(node, now);
    mac_.offer(node, now);
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
