// The engine as Python sees it: penstock._engine. Types and meanings: src/penstock/_engine.pyi.
//
// Arrays are handed over without copying: each numpy array points into the run's records and keeps
// them alive. run() releases the GIL and may run in many threads at once.
//
// SPDX-License-Identifier: BSD-3-Clause
#include "bindings.hpp"

#include "channel.hpp"
#include "medium.hpp"
#include "radio_profile.hpp"
#include "random.hpp"
#include "records.hpp"
#include "spec.hpp"
#include "world.hpp"

#include "penstock/bulk.h"
#include "penstock/penstock.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <cmath>
#include <map>
#include <memory>
#include <type_traits>

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using namespace penstock;

std::atomic<bool> cancel_requested{false};

nb::dict node_columns(Run &run, nb::handle owner)
{
    std::vector<NodeRecord> &rows = run.records.nodes;
    nb::dict columns;
    columns["generated"] = column(rows, &NodeRecord::generated, owner);
    columns["delivered"] = column(rows, &NodeRecord::delivered, owner);
    columns["transmissions"] = column(rows, &NodeRecord::transmissions, owner);
    columns["acked"] = column(rows, &NodeRecord::acked, owner);
    columns["receptions"] = column(rows, &NodeRecord::receptions, owner);
    columns["received"] = column(rows, &NodeRecord::received, owner);
    columns["duplicates"] = column(rows, &NodeRecord::duplicates, owner);
    columns["beacons_sent"] = column(rows, &NodeRecord::beacons_sent, owner);
    columns["beacons_received"] = column(rows, &NodeRecord::beacons_received, owner);
    columns["cca_busy"] = column(rows, &NodeRecord::cca_busy, owner);
    columns["rx_overflows"] = column(rows, &NodeRecord::rx_overflows, owner);
    columns["queue_peak"] = column(rows, &NodeRecord::queue_peak, owner);
    columns["parent"] = column(rows, &NodeRecord::parent, owner);
    columns["hops"] = column(rows, &NodeRecord::hops, owner);
    columns["path_etx"] = column(rows, &NodeRecord::path_etx, owner);
    columns["time_tx_s"] = column(rows, &NodeRecord::time_tx_s, owner);
    columns["time_rx_s"] = column(rows, &NodeRecord::time_rx_s, owner);
    columns["time_idle_s"] = column(rows, &NodeRecord::time_idle_s, owner);
    columns["time_startup_s"] = column(rows, &NodeRecord::time_startup_s, owner);
    columns["time_sleep_s"] = column(rows, &NodeRecord::time_sleep_s, owner);
    columns["energy_tx_j"] = column(rows, &NodeRecord::energy_tx_j, owner);
    columns["energy_rx_j"] = column(rows, &NodeRecord::energy_rx_j, owner);
    columns["energy_idle_j"] = column(rows, &NodeRecord::energy_idle_j, owner);
    columns["energy_startup_j"] = column(rows, &NodeRecord::energy_startup_j, owner);
    columns["energy_sleep_j"] = column(rows, &NodeRecord::energy_sleep_j, owner);
    columns["energy_j"] = column(rows, &NodeRecord::energy_j, owner);
    for (int reason = 1; reason < PENSTOCK_DROP_COUNT; ++reason) {
        std::vector<std::uint32_t> counts(rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            counts[i] = rows[i].drops[static_cast<std::size_t>(reason)];
        }
        const std::string name = std::string("drop_") + penstock_drop_name(static_cast<penstock_drop_t>(reason));
        columns[name.c_str()] = own(std::move(counts));
    }
    return columns;
}

nb::dict link_columns(Run &run, nb::handle owner)
{
    std::vector<LinkRecord> &rows = run.records.links;
    nb::dict columns;
    columns["src"] = column(rows, &LinkRecord::src, owner);
    columns["dst"] = column(rows, &LinkRecord::dst, owner);
    columns["transmissions"] = column(rows, &LinkRecord::transmissions, owner);
    columns["receptions"] = column(rows, &LinkRecord::receptions, owner);
    columns["received"] = column(rows, &LinkRecord::received, owner);
    columns["accepted"] = column(rows, &LinkRecord::accepted, owner);
    columns["acked"] = column(rows, &LinkRecord::acked, owner);
    columns["rssi_dbm"] = column(rows, &LinkRecord::rssi_dbm, owner);
    columns["lqi"] = column(rows, &LinkRecord::lqi, owner);
    return columns;
}

nb::dict packet_columns(Run &run, nb::handle owner)
{
    std::vector<PacketRecord> &rows = run.records.packets;
    nb::dict columns;
    columns["origin"] = column(rows, &PacketRecord::origin, owner);
    columns["seq"] = column(rows, &PacketRecord::seq, owner);
    columns["generated_ns"] = column(rows, &PacketRecord::generated, owner);
    columns["admitted_ns"] = column(rows, &PacketRecord::admitted, owner);
    columns["delivered_ns"] = column(rows, &PacketRecord::delivered, owner);
    columns["flow"] = column(rows, &PacketRecord::flow, owner);
    columns["hops"] = column(rows, &PacketRecord::hops, owner);
    columns["fate"] = column(rows, &PacketRecord::fate, owner);
    columns["reason"] = column(rows, &PacketRecord::reason, owner);
    return columns;
}

nb::dict event_columns(Run &run, nb::handle owner)
{
    std::vector<EventRecord> &rows = run.records.events;
    nb::dict columns;
    columns["time_ns"] = column(rows, &EventRecord::time, owner);
    columns["node"] = column(rows, &EventRecord::node, owner);
    columns["kind"] = column(rows, &EventRecord::kind, owner);
    columns["peer"] = column(rows, &EventRecord::peer, owner);
    columns["origin"] = column(rows, &EventRecord::origin, owner);
    columns["seq"] = column(rows, &EventRecord::seq, owner);
    columns["queue"] = column(rows, &EventRecord::queue, owner);
    return columns;
}

nb::dict sample_columns(Run &run, nb::handle owner)
{
    std::vector<SampleRecord> &rows = run.records.samples;
    nb::dict columns;
    columns["time_ns"] = column(rows, &SampleRecord::time, owner);
    columns["node"] = column(rows, &SampleRecord::node, owner);
    columns["queue"] = column(rows, &SampleRecord::queue, owner);
    columns["delivered"] = column(rows, &SampleRecord::delivered, owner);
    columns["allowed"] = column(rows, &SampleRecord::allowed, owner);
    return columns;
}

nb::dict total_counts(const Run &run)
{
    const Totals &totals = run.records.totals;
    nb::dict counts;
    counts["events"] = totals.events;
    counts["frames_data"] = totals.frames_data;
    counts["frames_beacon"] = totals.frames_beacon;
    counts["frames_ack"] = totals.frames_ack;
    counts["receptions_started"] = totals.receptions_started;
    counts["receptions_corrupted"] = totals.receptions_corrupted;
    counts["captures"] = totals.captures;
    counts["frames_bulk"] = totals.frames_bulk;
    counts["frames_flood"] = totals.frames_flood;
    counts["measured_ns"] = totals.measured;
    counts["interference_bursts"] = totals.interference_bursts;
    counts["forced_losses"] = totals.forced_losses;
    counts["payload_bytes"] = totals.payload_bytes;
    counts["data_frame_bytes"] = totals.data_frame_bytes;
    return counts;
}

// The caller owns the result.
Run *simulate(const WorldSpec &spec, Watch *watch)
{
    const nb::gil_scoped_release release;
    auto run = std::make_unique<Run>();
    run->records = penstock::run(spec, cancel_requested, watch);
    return run.release();
}

const RadioProfile &known_radio(const std::string &name)
{
    const RadioProfile *radio = radio_profile(name);
    if (radio == nullptr) {
        throw std::invalid_argument("radio: '" + name + "' is unknown");
    }
    return *radio;
}

// Probability that an idle receiver gets a whole frame at a constant SINR.
double reception_rate(const Medium &medium, int frame_bytes, double sinr)
{
    if (sinr < medium.acquisition_sinr()) {
        return 0.0;
    }
    const int bits = medium.acquisition_bits() + 8 * frame_bytes;
    return std::exp(bits * medium.errors().log_bit_success(sinr));
}

class NoUser final : public RadioUser {
public:
    void reception_began(Node) override {}
    void reception_ended(Node, Node, Signal, bool) override {}
    void ack_received(Node) override {}
    void transmission_ended(Node, Signal) override {}
    void interference_fell(Node) override {}
};

nb::dict link_prr(const WorldSpec &spec)
{
    std::vector<std::int32_t> src;
    std::vector<std::int32_t> dst;
    std::vector<double> prr;
    std::vector<double> power_dbm;
    {
        const nb::gil_scoped_release release;
        check(spec);
        const Channel channel(spec);
        EventQueue events(spec.node_count);
        NoUser nobody;
        const Medium medium(spec, channel, known_radio(spec.radio), events, 0, nobody);
        for (Node i = 0; i < spec.node_count; ++i) {
            for (const Link &link : channel.links(i)) {
                const auto power_mw = static_cast<double>(link.power_mw);
                src.push_back(static_cast<std::int32_t>(i));
                dst.push_back(static_cast<std::int32_t>(link.dst));
                prr.push_back(reception_rate(medium, spec.max_frame_bytes, power_mw / channel.noise_mw(link.dst)));
                power_dbm.push_back(mw_to_dbm(power_mw));
            }
        }
    }
    nb::dict columns;
    columns["src"] = own(std::move(src));
    columns["dst"] = own(std::move(dst));
    columns["prr"] = own(std::move(prr));
    columns["power_dbm"] = own(std::move(power_dbm));
    return columns;
}

// Values of the streams that the bench draws from, one row a node.
nb::object draws(const std::string &purpose, std::uint64_t seed, std::uint32_t nodes, std::uint32_t values)
{
    static const std::map<std::string, Purpose> purposes{
        {"clock_error", Purpose::ClockError},
        {"source_rate", Purpose::SourceRate},
        {"failure", Purpose::Failure},
    };
    const auto found = purposes.find(purpose);
    if (found == purposes.end()) {
        throw std::invalid_argument("purpose: '" + purpose + "' is unknown");
    }
    auto held = std::make_unique<std::vector<double>>();
    for (std::uint32_t node = 0; node < nodes; ++node) {
        Random random(seed, node, found->second);
        for (std::uint32_t i = 0; i < values; ++i) {
            held->push_back(random.uniform());
        }
    }
    double *data = held->data();
    const std::size_t shape[2] = {nodes, values};
    nb::capsule owner(held.release(), [](void *p) noexcept { delete static_cast<std::vector<double> *>(p); });
    return nb::cast(nb::ndarray<nb::numpy, double, nb::ndim<2>>(data, 2, shape, owner));
}

std::vector<std::string> drop_reasons()
{
    std::vector<std::string> names;
    names.reserve(PENSTOCK_DROP_COUNT);
    for (int reason = 0; reason < PENSTOCK_DROP_COUNT; ++reason) {
        names.emplace_back(penstock_drop_name(static_cast<penstock_drop_t>(reason)));
    }
    return names;
}

std::vector<std::string> strategies()
{
    std::vector<std::string> names;
    for (const penstock_strategy_t *const *at = penstock_strategies; *at != nullptr; ++at) {
        names.emplace_back((*at)->name);
    }
    return names;
}

} // namespace

NB_MODULE(_engine, module)
{
    // Registers the exception; the object itself is not needed.
    // NOLINTNEXTLINE(bugprone-throw-keyword-missing,bugprone-unused-raii)
    nb::exception<Cancelled>(module, "Cancelled", PyExc_RuntimeError);
    bind_bulk_spec(module);
    bind_spec(module);

    nb::class_<Run>(module, "RunRecords")
        .def_prop_ro("nodes", [](nb::handle_t<Run> self) { return node_columns(nb::cast<Run &>(self), self); })
        .def_prop_ro("links", [](nb::handle_t<Run> self) { return link_columns(nb::cast<Run &>(self), self); })
        .def_prop_ro("packets", [](nb::handle_t<Run> self) { return packet_columns(nb::cast<Run &>(self), self); })
        .def_prop_ro("events", [](nb::handle_t<Run> self) { return event_columns(nb::cast<Run &>(self), self); })
        .def_prop_ro("samples", [](nb::handle_t<Run> self) { return sample_columns(nb::cast<Run &>(self), self); })
        .def_prop_ro("transfers", [](nb::handle_t<Run> self) { return transfer_columns(nb::cast<Run &>(self), self); })
        .def_prop_ro("bulk", [](nb::handle_t<Run> self) { return bulk_columns(nb::cast<Run &>(self), self); })
        .def_prop_ro("received",
                     [](const Run &self) {
                         const std::vector<std::uint8_t> &bytes = self.records.received;
                         return nb::bytes(bytes.data(), bytes.size());
                     })
        .def_prop_ro("totals", [](const Run &self) { return total_counts(self); });

    nb::class_<Watch>(module, "Watch")
        .def(nb::init<>())
        .def_prop_ro("time_ns", [](const Watch &self) { return self.time.load(); })
        .def_prop_ro("arrived", [](const Watch &self) { return self.arrived.load(); })
        .def_prop_ro("packets", [](const Watch &self) { return self.packets.load(); });

    module.def("run", &simulate, "spec"_a, "watch"_a.none() = nb::none(), nb::rv_policy::take_ownership);
    module.def("cancel", [] { cancel_requested = true; });
    module.def("reset_cancel", [] { cancel_requested = false; });
    module.def("link_prr", &link_prr, "spec"_a);
    module.def("draws", &draws, "purpose"_a, "seed"_a, "nodes"_a, "values"_a);
    module.def("drop_reasons", &drop_reasons);
    module.def("strategies", &strategies);
    module.def("bulk_reasons", [] {
        std::vector<std::string> names;
        names.reserve(PENSTOCK_BULK_REASON_COUNT);
        for (int reason = 0; reason < PENSTOCK_BULK_REASON_COUNT; ++reason) {
            names.emplace_back(penstock_bulk_reason_name(reason));
        }
        return names;
    });
    module.def("event_kinds", [] {
        return std::vector<std::string>{"generated", "admitted", "transmitted", "received", "delivered", "dropped"};
    });
    module.def("version", [] { return std::string(PENSTOCK_VERSION); });
    module.def("strategy_header_bytes", &penstock::strategy_header_bytes, "control"_a);
    module.def(
        "library_bytes_per_node",
        [](std::size_t queue_capacity, std::size_t neighbor_capacity) {
            return sizeof(penstock_node_t) + sizeof(penstock_config_t) + queue_capacity * sizeof(penstock_packet_t) +
                   neighbor_capacity * sizeof(penstock_neighbor_t);
        },
        "queue_capacity"_a, "neighbor_capacity"_a);
}
