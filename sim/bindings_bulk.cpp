// Bulk transfers as Python sees them: what is asked for, and what became of it.
//
// SPDX-License-Identifier: BSD-3-Clause
#include "bindings.hpp"

#include "bulk_spec.hpp"

#include <nanobind/stl/string.h>

namespace penstock {

void bind_bulk_spec(nb::module_ &module)
{
    nb::class_<BulkSpec> spec(module, "BulkSpec");
    spec.def(nb::init<>())
        .def_rw("mode", &BulkSpec::mode)
        .def_rw("interval_s", &BulkSpec::interval_s)
        .def_rw("payload_bytes", &BulkSpec::payload_bytes)
        .def_rw("queue", &BulkSpec::queue)
        .def_rw("local_share", &BulkSpec::local_share)
        .def_rw("flows", &BulkSpec::flows)
        .def_rw("attempts", &BulkSpec::attempts)
        .def_rw("congested_packets", &BulkSpec::congested_packets)
        .def_rw("delay_memory_packets", &BulkSpec::delay_memory_packets)
        .def_rw("rssi_memory_packets", &BulkSpec::rssi_memory_packets)
        .def_rw("interferer_db", &BulkSpec::interferer_db)
        .def_rw("nearest_interferer", &BulkSpec::nearest_interferer)
        .def_rw("interferer_timeout_packets", &BulkSpec::interferer_timeout_packets)
        .def_rw("delay_unit_s", &BulkSpec::delay_unit_s)
        .def_rw("longest_wait_s", &BulkSpec::longest_wait_s)
        .def_rw("companded", &BulkSpec::companded)
        .def_rw("lower", &BulkSpec::lower)
        .def_rw("nack_packets", &BulkSpec::nack_packets)
        .def_rw("tries", &BulkSpec::tries)
        .def_rw("restarts", &BulkSpec::restarts)
        .def_rw("freeze", &BulkSpec::freeze)
        .def_rw("query_timeout_s", &BulkSpec::query_timeout_s)
        .def_rw("timeout_max_s", &BulkSpec::timeout_max_s)
        .def_rw("first_interval_s", &BulkSpec::first_interval_s)
        .def_rw("flood_jitter_s", &BulkSpec::flood_jitter_s)
        .def_rw("ack_timeout_s", &BulkSpec::ack_timeout_s)
        .def_rw("ack_random_factor", &BulkSpec::ack_random_factor)
        .def_rw("max_retransmit", &BulkSpec::max_retransmit)
        .def_rw("log", &BulkSpec::log)
        .def_prop_rw(
            "content", [](const BulkSpec &self) { return nb::bytes(self.content.data(), self.content.size()); },
            [](BulkSpec &self, const nb::bytes &content) { self.content.assign(content.c_str(), content.size()); });
    def_array(spec, "source", &BulkSpec::source);
    def_array(spec, "bytes", &BulkSpec::bytes);
    def_array(spec, "start_s", &BulkSpec::start_s);
}

nb::dict transfer_columns(Run &run, nb::handle owner)
{
    std::vector<TransferRecord> &rows = run.records.transfers;
    nb::dict columns;
    columns["source"] = column(rows, &TransferRecord::source, owner);
    columns["bytes"] = column(rows, &TransferRecord::bytes, owner);
    columns["asked_ns"] = column(rows, &TransferRecord::asked, owner);
    columns["started_ns"] = column(rows, &TransferRecord::started, owner);
    columns["last_first_ns"] = column(rows, &TransferRecord::last_first, owner);
    columns["complete_ns"] = column(rows, &TransferRecord::complete, owner);
    columns["ended_ns"] = column(rows, &TransferRecord::ended, owner);
    columns["packets"] = column(rows, &TransferRecord::packets, owner);
    columns["arrived"] = column(rows, &TransferRecord::arrived, owner);
    columns["arrived_first"] = column(rows, &TransferRecord::arrived_first, owner);
    columns["bytes_first"] = column(rows, &TransferRecord::bytes_first, owner);
    columns["requests"] = column(rows, &TransferRecord::requests, owner);
    columns["rounds"] = column(rows, &TransferRecord::rounds, owner);
    columns["restarts"] = column(rows, &TransferRecord::restarts, owner);
    columns["transmissions"] = column(rows, &TransferRecord::transmissions, owner);
    columns["queue_drops"] = column(rows, &TransferRecord::queue_drops, owner);
    columns["attempts_drops"] = column(rows, &TransferRecord::attempts_drops, owner);
    columns["line_drops"] = column(rows, &TransferRecord::line_drops, owner);
    columns["packet_bytes"] = column(rows, &TransferRecord::packet_bytes, owner);
    columns["hops"] = column(rows, &TransferRecord::hops, owner);
    columns["outcome"] = column(rows, &TransferRecord::outcome, owner);
    columns["reason"] = column(rows, &TransferRecord::reason, owner);
    columns["same_bytes"] = column(rows, &TransferRecord::same_bytes, owner);
    return columns;
}

nb::dict bulk_columns(Run &run, nb::handle owner)
{
    std::vector<BulkEventRecord> &rows = run.records.bulk;
    nb::dict columns;
    columns["time_ns"] = column(rows, &BulkEventRecord::time, owner);
    columns["node"] = column(rows, &BulkEventRecord::node, owner);
    columns["transfer"] = column(rows, &BulkEventRecord::transfer, owner);
    columns["index"] = column(rows, &BulkEventRecord::index, owner);
    columns["queue"] = column(rows, &BulkEventRecord::queue, owner);
    columns["delay_us"] = column(rows, &BulkEventRecord::delay_us, owner);
    columns["f_us"] = column(rows, &BulkEventRecord::f_us, owner);
    columns["interval_us"] = column(rows, &BulkEventRecord::interval_us, owner);
    columns["kind"] = column(rows, &BulkEventRecord::kind, owner);
    columns["acked"] = column(rows, &BulkEventRecord::acked, owner);
    return columns;
}

} // namespace penstock
