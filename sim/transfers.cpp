// SPDX-License-Identifier: BSD-3-Clause
#include "transfers.hpp"

#include "lib_time.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>

namespace penstock {

namespace {

// A data PDU (docs/spec.md): its kind, then the transfer, then the packet's index, little endian.
constexpr std::uint8_t PDU_DATA = 7;
constexpr int DATA_HEADER = 4;

std::int32_t index_of(const penstock_bulk_packet_t &packet)
{
    return packet.pdu[0] == PDU_DATA ? packet.pdu[2] | packet.pdu[3] << 8 : -1;
}

} // namespace

void Transfers::join(Node node, penstock_config_t &config)
{
    const auto queue = static_cast<std::size_t>(spec_.bulk.queue);
    const auto flows = static_cast<std::size_t>(spec_.bulk.flows);
    config.bulk = &bulk_[node];
    config.bulk_ops = &penstock_bulk_flush;
    config.bulk_params = &params_;
    config.bulk_queue = queues_.data() + node * queue;
    config.bulk_queue_capacity = static_cast<std::uint8_t>(queue);
    config.bulk_flows = flows_.data() + node * flows;
    config.bulk_flow_capacity = static_cast<std::uint8_t>(flows);
}

void Transfers::check_sizes(const penstock_node_t &node) const
{
    const int delays = params_.path.mode == PENSTOCK_BULK_FLUSH || params_.path.mode == PENSTOCK_BULK_FLUSH_E2E
                           ? static_cast<int>(PENSTOCK_BULK_DELAYS)
                           : 0;
    const int room = node.config->max_frame_len - static_cast<int>(PENSTOCK_BULK_OVERHEAD) - delays - DATA_HEADER;
    const int most = std::min(room, static_cast<int>(PENSTOCK_BULK_BYTES_MAX));
    if (spec_.bulk.payload_bytes > most) {
        throw std::invalid_argument("bulk.payload_bytes: is " + std::to_string(spec_.bulk.payload_bytes) +
                                    ", but frames of this length have room for " + std::to_string(most));
    }
    const int bytes = spec_.bulk.payload_bytes > 0 ? spec_.bulk.payload_bytes : most;
    const std::uint64_t longest = std::uint64_t{PENSTOCK_BULK_PACKETS_MAX} * static_cast<std::uint64_t>(bytes);
    for (std::size_t i = 0; i < objects_.size(); ++i) {
        if (spec_.bulk.bytes[i] > longest) {
            throw std::invalid_argument("bulk.bytes: " + std::to_string(spec_.bulk.bytes[i]) + " are more than 65535 " +
                                        "packets of " + std::to_string(bytes));
        }
    }
}

void Transfers::begin(Time now)
{
    began_ = now;
    schedule(now);
}

void Transfers::schedule(Time now)
{
    if (next_ < objects_.size()) {
        events_.set(slot_, std::max(now, began_ + seconds(spec_.bulk.start_s[next_])));
    }
}

void Transfers::on_timer(penstock_node_t &sink, Time now)
{
    const std::size_t at = next_++;
    TransferRecord &transfer = record();
    stored_.assign(spec_.bulk.bytes[at], 0);
    before_ = drops();
    requests_first_ = 0;
    const penstock_bulk_request_t request{
        .source = static_cast<penstock_addr_t>(spec_.bulk.source[at]),
        .object = static_cast<std::uint16_t>(at),
        .bitmap = bitmap_.data(),
        .bitmap_len = bitmap_.size(),
        .resume = false,
        .checkpoint = {},
    };
    if (penstock_bulk_request(&sink, &request, lib_time(now)) != PENSTOCK_OK) {
        throw std::logic_error("the library refuses a transfer that was checked");
    }
    running_ = true;
    transfer.asked = now;
    transfer.outcome = TransferOutcome::Running;
}

void Transfers::serve(Node node, penstock_node_t &lib, Time now)
{
    if (node == spec_.sink) {
        serve_sink(lib, now);
    } else if (is_source_[node] != 0) {
        serve_source(lib, now);
    }
}

bool Transfers::in_transfer_phase(std::uint8_t phase) const
{
    return phase == PENSTOCK_BULK_TRANSFERRING || (blockwise_ && phase == PENSTOCK_BULK_REPAIRING);
}

void Transfers::serve_sink(penstock_node_t &lib, Time now)
{
    if (!running_) {
        return;
    }
    note(lib, now);
    while (running_ && (heed_event(lib, now) || store(lib, now) || check_stored(lib, now))) {
    }
}

// What the record has of the library's own account.
void Transfers::note(const penstock_node_t &lib, Time now)
{
    penstock_bulk_progress_t progress;
    penstock_bulk_progress(&lib, &progress);
    TransferRecord &transfer = record();
    transfer.hops = progress.hops;
    transfer.packets = progress.packets;
    transfer.packet_bytes = progress.packet_len;
    transfer.requests = progress.rounds;
    if (in_transfer_phase(progress.phase)) {
        requests_first_ = progress.rounds;
    }
    transfer.rounds = static_cast<std::uint32_t>(progress.rounds - requests_first_);
    if (progress.phase == PENSTOCK_BULK_CHECKING && transfer.complete < 0) {
        transfer.complete = now;
    }
}

bool Transfers::heed_event(penstock_node_t &lib, Time now)
{
    penstock_bulk_event_t event;
    if (penstock_bulk_poll_event(&lib, &event) != 1) {
        return false;
    }
    TransferRecord &transfer = record();
    switch (event.kind) {
    case PENSTOCK_BULK_STARTED:
        transfer.started = transfer.started < 0 ? now : transfer.started;
        break;
    case PENSTOCK_BULK_RESTARTED:
        ++transfer.restarts;
        transfer.last_first = transfer.complete = -1;
        transfer.arrived = transfer.arrived_first = transfer.bytes_first = 0;
        break;
    case PENSTOCK_BULK_DONE:
        end(lib, TransferOutcome::Done, PENSTOCK_BULK_NO_REASON, now);
        break;
    case PENSTOCK_BULK_FAILED:
    case PENSTOCK_BULK_CANCELLED:
        end(lib, TransferOutcome::Failed, event.reason, now);
        break;
    default:
        break;
    }
    return true;
}

bool Transfers::store(penstock_node_t &lib, Time now)
{
    penstock_bulk_progress_t progress;
    penstock_bulk_progress(&lib, &progress);
    penstock_bulk_write_t chunk;
    if (penstock_bulk_poll_write(&lib, &chunk, lib_time(now)) != 1) {
        return false;
    }
    if (std::uint64_t{chunk.offset} + chunk.len > stored_.size()) {
        throw std::logic_error("the library writes beyond the end of an object");
    }
    std::memcpy(stored_.data() + chunk.offset, chunk.bytes, chunk.len);
    TransferRecord &transfer = record();
    ++transfer.arrived;
    if (in_transfer_phase(progress.phase)) {
        ++transfer.arrived_first;
        transfer.bytes_first += chunk.len;
        transfer.last_first = now;
    }
    if (spec_.bulk.log) {
        records_.bulk.push_back({
            .time = now,
            .node = static_cast<std::int32_t>(spec_.sink),
            .transfer = static_cast<std::int32_t>(next_ - 1),
            .index = static_cast<std::int32_t>(chunk.offset / progress.packet_len),
            .kind = BulkEventKind::Arrived,
        });
    }
    note(lib, now);
    return true;
}

bool Transfers::check_stored(penstock_node_t &lib, Time now)
{
    penstock_bulk_read_t read;
    if (penstock_bulk_poll_read(&lib, &read, lib_time(now)) != 1) {
        return false;
    }
    note(lib, now);
    penstock_bulk_provide(&lib, stored_.data() + read.offset, read.len, lib_time(now));
    return true;
}

void Transfers::end(const penstock_node_t &lib, TransferOutcome outcome, std::uint8_t reason, Time now)
{
    note(lib, now);
    TransferRecord &transfer = record();
    transfer.outcome = outcome;
    transfer.reason = reason;
    transfer.ended = now;
    transfer.same_bytes = outcome == TransferOutcome::Done && objects_[next_ - 1].equals(stored_) ? 1 : 0;
    finish();
    running_ = false;
    if (!spec_.bulk.content.empty()) {
        records_.received = stored_;
    }
    schedule(now);
}

void Transfers::finish()
{
    if (running_) {
        const Drops now = drops();
        record().queue_drops = now.queue_full - before_.queue_full;
        record().attempts_drops = now.attempts - before_.attempts;
    }
}

Transfers::Drops Transfers::drops() const
{
    Drops sum;
    for (const penstock_bulk_t &bulk : bulk_) {
        sum.queue_full += bulk.path.counters.drops[PENSTOCK_DROP_QUEUE_FULL] +
                          bulk.path.counters.drops[PENSTOCK_DROP_ACKED_THEN_DROPPED];
        sum.attempts += bulk.path.counters.drops[PENSTOCK_DROP_ATTEMPTS_EXHAUSTED];
    }
    return sum;
}

void Transfers::serve_source(penstock_node_t &lib, Time now)
{
    penstock_bulk_event_t event;
    while (penstock_bulk_poll_event(&lib, &event) == 1) {
        if (event.kind == PENSTOCK_BULK_ASKED) {
            const std::uint32_t size = spec_.bulk.bytes[event.object];
            penstock_bulk_offer(&lib, event.object, size, objects_[event.object].crc(size), lib_time(now));
        }
    }
    penstock_bulk_read_t read;
    while (penstock_bulk_poll_read(&lib, &read, lib_time(now)) == 1) {
        std::uint8_t bytes[UINT8_MAX];
        objects_[read.object].read(read.offset, std::span(bytes, read.len));
        penstock_bulk_provide(&lib, bytes, read.len, lib_time(now));
    }
}

void Transfers::taken(Node node, const penstock_node_t &lib)
{
    if (!spec_.bulk.log) {
        return;
    }
    const penstock_bulk_path_t &path = bulk_[node].path;
    const penstock_bulk_packet_t &head = lib.config->bulk_queue[path.head];
    penstock_bulk_path_state_t state;
    penstock_bulk_path_state(&lib, head.origin, &state);
    on_air_[node] = {
        .node = static_cast<std::int32_t>(node),
        .transfer = static_cast<std::int32_t>(next_) - 1,
        .index = index_of(head),
        .queue = path.count,
        .delay_us = state.delay_us,
        .f_us = state.f_us,
        .interval_us = state.interval_us,
        .kind = BulkEventKind::Attempt,
    };
}

void Transfers::attempt_done(Node node, bool acked, Time now)
{
    if (spec_.bulk.log) {
        on_air_[node].time = now;
        on_air_[node].acked = acked ? 1 : 0;
        records_.bulk.push_back(on_air_[node]);
    }
}

} // namespace penstock
