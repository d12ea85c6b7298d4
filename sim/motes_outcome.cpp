// What is only known when a run is over: where each packet is, and which way the routes lead.
//
// SPDX-License-Identifier: BSD-3-Clause
#include "motes.hpp"

#include <limits>

namespace penstock {

void Motes::finish()
{
    settle_fates();
    if (transfers_) {
        transfers_->finish();
    }
    record_routes();
    average_links();
    record_sizes();
}

void Motes::average_links()
{
    for (LinkRecord &link : records_.links) {
        link.rssi_dbm /= link.receptions; // 0/0 is NaN, as it should be
        link.lqi /= link.receptions;
    }
}

// A packet that is still in some queue is not lost, whatever happened to other copies of it. Only packets that are
// found count as queued: one that is nowhere keeps its Fate::Unknown.
void Motes::settle_fates()
{
    for (Node node = 0; node < motes_.size(); ++node) {
        for (std::uint32_t i = 0; i < applications_.waiting_count(node); ++i) {
            records_.packets[applications_.waiting(node) + i].fate = Fate::Queued;
        }
        const std::uint32_t in_hand = mac_.mark_in_hand(node, NO_PACKET);
        if (in_hand != NO_PACKET && records_.packets[in_hand].fate == Fate::Unknown) {
            records_.packets[in_hand].fate = Fate::Queued; // on its way from the radio to the queue
        }
        const penstock_queue_t &queue = motes_[node].node.queue;
        for (std::uint8_t i = 0; i < queue.count; ++i) {
            const penstock_packet_t &slot = queue.slots[(queue.head + i) % queue.capacity];
            const std::uint32_t index = packet_index(slot.origin, slot.seq);
            if (index != NO_PACKET && records_.packets[index].fate != Fate::Delivered) {
                records_.packets[index].fate = Fate::Queued;
                records_.packets[index].reason = PENSTOCK_DROP_NONE;
            }
        }
    }
}

void Motes::record_routes()
{
    for (Node node = 0; node < motes_.size(); ++node) {
        const Mote &mote = motes_[node];
        NodeRecord &record = records_.nodes[node];
        const penstock_addr_t parent = penstock_parent(&mote.node);
        record.parent = parent == PENSTOCK_ADDR_NONE ? -1 : static_cast<std::int32_t>(parent);
        record.path_etx = mote.node.tree.etx == PENSTOCK_ETX_NONE
                              ? std::numeric_limits<double>::quiet_NaN()
                              : static_cast<double>(mote.node.tree.etx) / PENSTOCK_ETX_ONE;
        record.beacons_sent = mote.node.counters.beacons_sent - mote.before.beacons_sent;
        record.beacons_received = mote.node.counters.beacons_received - mote.before.beacons_received;
    }
    for (Node node = 0; node < motes_.size(); ++node) {
        Node at = node;
        std::uint32_t hops = 0;
        while (at != spec_.sink && records_.nodes[at].parent >= 0 && hops <= motes_.size()) {
            at = static_cast<Node>(records_.nodes[at].parent);
            ++hops;
        }
        records_.nodes[node].hops = at == spec_.sink ? hops : 0;
    }
}

// All nodes run the same strategy, and so have the same headers.
void Motes::record_sizes()
{
    const Mote &mote = motes_.front();
    const std::uint64_t payload = payload_bytes(mote);
    const std::uint64_t headers =
        static_cast<std::uint64_t>(spec_.max_frame_bytes - FCS_BYTES) - penstock_payload_max(&mote.node);
    records_.totals.payload_bytes = payload;
    records_.totals.data_frame_bytes = headers + payload + FCS_BYTES;
}

} // namespace penstock
