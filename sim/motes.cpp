// SPDX-License-Identifier: BSD-3-Clause
#include "motes.hpp"

#include "lib_time.hpp"

#include <algorithm>
#include <cmath>

namespace penstock {

namespace {

constexpr std::size_t PAYLOAD_MAX = PENSTOCK_PAYLOAD_MAX;

std::uint8_t tx_status(Outcome outcome)
{
    switch (outcome) {
    case Outcome::Done:
        return PENSTOCK_TX_DONE;
    case Outcome::NoAck:
        return PENSTOCK_TX_NO_ACK;
    case Outcome::NoChannel:
        break;
    }
    return PENSTOCK_TX_NO_CHANNEL;
}

Signal signal_of(const penstock_tx_t &tx)
{
    if (tx.is_flood) {
        return Signal::Flood;
    }
    if (tx.is_bulk) {
        return Signal::Bulk;
    }
    return tx.is_data ? Signal::Data : Signal::Beacon;
}

} // namespace

Motes::Motes(const WorldSpec &spec, const RadioProfile &radio, Csma &mac, EventQueue &events,
             EventQueue::Slot first_slot, Records &records)
    : spec_(spec),
      mac_(mac),
      events_(events),
      first_slot_(first_slot),
      records_(records),
      log_(spec, records),
      applications_(spec, events, first_slot + spec.node_count, records, log_),
      faults_(faults_of(spec)),
      line_(seconds(spec.sink_service_s), spec.sink_buffer),
      motes_(spec.node_count),
      queues_(std::size_t{spec.node_count} * static_cast<std::size_t>(spec.queue_capacity)),
      neighbors_(std::size_t{spec.node_count} * static_cast<std::size_t>(spec.neighbor_capacity)),
      peers_(penstock_strategy_needs_peers(penstock_strategy_by_name(spec.control.c_str())) ? neighbors_.size() : 0)
{
    records_.nodes.resize(spec.node_count);
    if (!spec.bulk.source.empty()) {
        transfers_.emplace(spec, events, first_slot + 2 * spec.node_count + 1, records);
    }
    for (const double pps : spec.wrcp_capacity_pps) {
        wrcp_capacity_.push_back(static_cast<std::uint16_t>(std::lround(PENSTOCK_WRCP_PPS(1) * pps)));
    }
    for (Node node = 0; node < spec.node_count; ++node) {
        configure(node, spec, radio);
    }
}

void Motes::start(Time now)
{
    for (Node node = 0; node < motes_.size(); ++node) {
        if (spec_.routing == "static" && spec_.static_parents[node] >= 0) {
            penstock_set_parent(&motes_[node].node, static_cast<penstock_addr_t>(spec_.static_parents[node]),
                                lib_time(now));
        }
        set_deadline(node, now);
    }
}

void Motes::begin_measuring(Time now)
{
    for (Node node = 0; node < motes_.size(); ++node) {
        Mote &mote = motes_[node];
        if (spec_.pin_routes) {
            penstock_pin_route(&mote.node, true);
        }
        mote.before = mote.node.counters;
        mote.first_seq = mote.node.packet_seq;
    }
    applications_.begin(now);
    for (Node node = 0; node < motes_.size(); ++node) {
        sleep_if_done(node, now);
    }
    schedule_fault();
    if (transfers_) {
        transfers_->begin(now);
    }
}

void Motes::on_application(Node node, Time now)
{
    if (applications_.asleep(node)) {
        wake(node, now);
        return;
    }
    applications_.on_timer(node, now);
    serve(node, now);
    mac_.offer(node, now);
}

void Motes::on_transfer(Time now)
{
    transfers_->on_timer(motes_[spec_.sink].node, now);
    serve(spec_.sink, now);
    mac_.offer(spec_.sink, now);
}

void Motes::sample(Time now)
{
    for (Node node = 0; node < motes_.size(); ++node) {
        records_.samples.push_back({
            .time = now,
            .node = node,
            .queue = motes_[node].node.queue.count,
            .delivered = records_.nodes[node].delivered,
            .allowed = penstock_allowed_rate(&motes_[node].node),
        });
    }
}

void Motes::on_deadline(Node node, Time now)
{
    penstock_node_t *lib = &motes_[node].node;
    penstock_tick(lib, lib_time(now));
    if (penstock_wants_channel_sample(lib, lib_time(now))) {
        penstock_channel_busy(lib, mac_.sample_busy(node), lib_time(now));
    }
    serve(node, now);
    mac_.offer(node, now);
    sleep_if_done(node, now);
}

// Everything that a call into a node may have made possible, but for frames: the MAC asks for those.
void Motes::serve(Node node, Time now)
{
    take_deliveries(node, now);
    take_drops(node, now);
    if (motes_[node].down) {
        bury(node, now);
    } else {
        try_to_send(node, now);
        if (transfers_) {
            transfers_->serve(node, motes_[node].node, now);
        }
    }
    set_deadline(node, now);
}

void Motes::set_deadline(Node node, Time now)
{
    const Mote &mote = motes_[node];
    const EventQueue::Slot slot = first_slot_ + node;
    penstock_time_t deadline = 0;
    Time at = NEVER;
    if (!mote.down && !applications_.asleep(node)) {
        if (penstock_next_deadline(&mote.node, lib_time(now), &deadline)) {
            at = world_time(deadline, now);
        }
        if (applications_.paced() && applications_.waiting(node) != NO_PACKET) {
            at = std::min(at, applications_.offer_at(node, now));
        }
    }
    if (at == NEVER) {
        events_.clear(slot);
    } else if (events_.time_of(slot) != at) {
        events_.set(slot, at);
    }
}

// Unless the specification says how long packets are, frames are as long as they may be, whatever headers the strategy
// has.
std::uint8_t Motes::payload_bytes(const Mote &mote) const
{
    return spec_.payload_bytes > 0 ? static_cast<std::uint8_t>(spec_.payload_bytes) : penstock_payload_max(&mote.node);
}

void Motes::try_to_send(Node node, Time now)
{
    static constexpr std::uint8_t PAYLOAD[PAYLOAD_MAX] = {};
    Mote &mote = motes_[node];
    const std::uint8_t len = payload_bytes(mote);
    while (applications_.has_packet(node) && applications_.may_offer(node, now)) {
        if (!applications_.paced() && !penstock_writable(&mote.node, lib_time(now))) {
            return;
        }
        penstock_time_t retry_at = 0;
        std::uint16_t seq = 0;
        if (penstock_send(&mote.node, 0, PAYLOAD, len, lib_time(now), &seq, &retry_at) != PENSTOCK_OK) {
            applications_.refused(node, now);
            return;
        }
        const std::uint32_t packet = applications_.taken(node, now);
        records_.packets[packet].admitted = now;
        log(now, node, EventKind::Admitted, -1, packet);
        mote.admitted.push_back(packet);
        NodeRecord &record = records_.nodes[node];
        record.queue_peak = std::max<std::uint32_t>(record.queue_peak, mote.node.queue.count);
    }
}

// The record of a packet that the library names by origin and 16-bit sequence number: the latest
// admitted one with that number.
std::uint32_t Motes::packet_index(penstock_addr_t origin, std::uint16_t seq) const
{
    const Mote &mote = motes_[origin];
    const auto count = static_cast<std::uint32_t>(mote.admitted.size());
    const auto latest = static_cast<std::uint16_t>(mote.first_seq + count - 1);
    const auto back = static_cast<std::uint16_t>(latest - seq);
    return back < count ? mote.admitted[count - 1 - back] : NO_PACKET;
}

void Motes::take_deliveries(Node node, Time now)
{
    penstock_delivery_t delivery;
    while (penstock_poll_deliver(&motes_[node].node, &delivery, lib_time(now)) == 1) {
        const std::uint32_t index = packet_index(delivery.origin, delivery.seq);
        if (index == NO_PACKET) {
            continue;
        }
        PacketRecord &packet = records_.packets[index];
        if (packet.fate != Fate::Delivered) {
            packet.fate = Fate::Delivered;
            packet.reason = PENSTOCK_DROP_NONE;
            packet.delivered = now;
            packet.hops = delivery.hops;
            ++records_.nodes[static_cast<Node>(packet.origin)].delivered;
            log(now, node, EventKind::Delivered, -1, index);
        }
    }
}

void Motes::take_drops(Node node, Time now)
{
    penstock_drop_report_t report;
    while (penstock_poll_drop(&motes_[node].node, &report) == 1) {
        dropped(node, packet_index(report.origin, report.seq), report.reason, now);
    }
}

// A packet was lost at this node. A copy may live on elsewhere (its acknowledgement was lost): settle_fates has the
// last word.
void Motes::dropped(Node node, std::uint32_t index, std::uint8_t reason, Time now)
{
    ++records_.nodes[node].drops[reason];
    if (index == NO_PACKET) {
        return;
    }
    PacketRecord &packet = records_.packets[index];
    if (packet.fate != Fate::Delivered) {
        packet.fate = Fate::Dropped;
        packet.reason = reason;
    }
    log(now, node, EventKind::Dropped, -1, index);
}

void Motes::log(Time now, Node node, EventKind kind, std::int32_t peer, std::uint32_t packet)
{
    log_.add(now, node, kind, peer, packet, motes_[node].node.queue.count);
}

bool Motes::next_frame(Node node, OutgoingFrame &frame, Time now)
{
    Mote &mote = motes_[node];
    penstock_tx_t tx;
    if (mote.down) {
        return false;
    }
    const int got = penstock_poll_transmit(&mote.node, &tx, frame.bytes, mote.config.max_frame_len, lib_time(now));
    if (got == 1) {
        frame.len = tx.len;
        frame.to = tx.dst == PENSTOCK_ADDR_BROADCAST ? NOBODY : tx.dst;
        frame.kind = signal_of(tx);
        frame.ack = tx.ack;
        frame.backoff_shift = tx.backoff_shift;
        mote.mac_holds_frame = true;
        mote.in_flight = NO_PACKET;
        if (tx.is_data) {
            const penstock_packet_t *head = penstock_queue_head(&mote.node.queue);
            mote.in_flight = packet_index(head->origin, head->seq);
        }
        mote.holds_bulk = frame.kind == Signal::Bulk;
        if (mote.holds_bulk) {
            transfers_->taken(node, mote.node);
        }
        frame.mark = mote.in_flight;
    }
    set_deadline(node, now);
    return got == 1;
}

void Motes::attempt_began(Node node, const OutgoingFrame &frame, Time now)
{
    if (frame.kind == Signal::Data) {
        ++records_.nodes[node].transmissions;
        ++link_record(node, frame.to).transmissions;
        log(now, node, EventKind::Transmitted, static_cast<std::int32_t>(frame.to), motes_[node].in_flight);
    } else if (frame.kind == Signal::Beacon) {
        log(now, node, EventKind::Transmitted, -1, NO_PACKET);
    } else if (frame.kind == Signal::Bulk) {
        transfers_->attempt_began();
    }
}

void Motes::frame_done(Node node, Outcome outcome, bool ack_congested, Time now)
{
    Mote &mote = motes_[node];
    if (mote.in_flight != NO_PACKET && outcome == Outcome::Done) {
        ++records_.nodes[node].acked;
        ++records_.links[mote.link].acked;
    }
    if (mote.holds_bulk && outcome != Outcome::NoChannel) {
        transfers_->attempt_done(node, outcome == Outcome::Done, now);
    }
    const penstock_tx_report_t report{
        .status = tx_status(outcome),
        .attempts = static_cast<std::uint8_t>(
            outcome == Outcome::NoChannel ? 0 : 1), // the node retries, not the MAC (config.mac_attempts)
        .ack_congested = ack_congested,
    };
    penstock_transmitted(&mote.node, &report, lib_time(now));
    mote.in_flight = NO_PACKET;
    mote.mac_holds_frame = false;
    serve(node, now);
    sleep_if_done(node, now);
}

void Motes::frame_received(Node node, const IncomingFrame &frame, Time now)
{
    Mote &mote = motes_[node];
    const penstock_rx_info_t info{
        .rssi_dbm = frame.rssi_dbm,
        .lqi = frame.lqi,
        .for_us = frame.for_us,
        .acked = frame.acked,
    };
    const bool is_packet = frame.kind == Signal::Data || frame.kind == Signal::Bulk;
    if (node == spec_.sink && is_packet && frame.for_us && !line_.take(now)) {
        lose_on_line(node, frame, now);
        return;
    }
    const penstock_counters_t before = mote.node.counters;
    penstock_receive(&mote.node, frame.bytes, frame.len, &info, lib_time(now));
    if (frame.kind == Signal::Data && frame.for_us) {
        NodeRecord &record = records_.nodes[node];
        LinkRecord &link = link_record(frame.from, node);
        ++record.receptions;
        ++link.receptions;
        link.rssi_dbm += frame.rssi_dbm;
        link.lqi += frame.lqi;
        if (mote.node.counters.received != before.received) {
            ++record.received;
            ++link.received;
            link.accepted += std::ranges::equal(mote.node.counters.drops, before.drops) ? 1U : 0U;
            log(now, node, EventKind::Received, static_cast<std::int32_t>(frame.from), frame.mark);
        } else {
            ++record.duplicates;
        }
        record.queue_peak = std::max<std::uint32_t>(record.queue_peak, mote.node.queue.count);
    }
    serve(node, now);
}

// The sink's line has no room for a packet that has come in. Its node never learns of it, nor whether it has had it
// before: each such frame counts as a new packet.
void Motes::lose_on_line(Node node, const IncomingFrame &frame, Time now)
{
    if (frame.kind == Signal::Bulk) {
        transfers_->lost_on_line();
        return;
    }
    NodeRecord &record = records_.nodes[node];
    LinkRecord &link = link_record(frame.from, node);
    ++record.receptions;
    ++record.received;
    ++link.receptions;
    ++link.received;
    link.rssi_dbm += frame.rssi_dbm;
    link.lqi += frame.lqi;
    log(now, node, EventKind::Received, static_cast<std::int32_t>(frame.from), frame.mark);
    dropped(node, frame.mark, PENSTOCK_DROP_ACKED_THEN_DROPPED, now);
}

LinkRecord &Motes::link_record(Node src, Node dst)
{
    std::uint32_t &current = motes_[src].link;
    if (current == UINT32_MAX || records_.links[current].dst != dst) {
        const std::uint64_t key = (std::uint64_t{src} << 32) | dst;
        const auto [found, is_new] = link_index_.try_emplace(key, static_cast<std::uint32_t>(records_.links.size()));
        if (is_new) {
            records_.links.push_back({.src = src, .dst = dst});
        }
        current = found->second;
    }
    return records_.links[current];
}

} // namespace penstock
