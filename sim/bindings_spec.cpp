// WorldSpec as Python sees it: plain fields by name, arrays as copies.
//
// SPDX-License-Identifier: BSD-3-Clause
#include "bindings.hpp"

#include "spec.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace penstock {

namespace {

using Flags = nb::ndarray<const bool, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Points = nb::ndarray<const double, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;

// Places as pairs of metres: set from an array of shape (N, 2).
void def_places(nb::class_<WorldSpec> &spec, const char *name, std::vector<Position> WorldSpec::*field)
{
    spec.def_prop_rw(
        name,
        [field](const WorldSpec &self) {
            std::vector<std::pair<double, double>> points;
            points.reserve((self.*field).size());
            for (const Position &at : self.*field) {
                points.emplace_back(at.x_m, at.y_m);
            }
            return points;
        },
        [field](WorldSpec &self, const Points &xy) {
            (self.*field).clear();
            for (std::size_t i = 0; i < xy.shape(0); ++i) {
                (self.*field).push_back({xy.data()[2 * i], xy.data()[2 * i + 1]});
            }
        });
}

} // namespace

void bind_spec(nb::module_ &module)
{
    nb::class_<WorldSpec> spec(module, "WorldSpec");
    spec.def(nb::init<>())
        .def_rw("seed", &WorldSpec::seed)
        .def_rw("node_count", &WorldSpec::node_count)
        .def_rw("sink", &WorldSpec::sink)
        .def_rw("path_loss_exponent", &WorldSpec::path_loss_exponent)
        .def_rw("path_loss_1m_db", &WorldSpec::path_loss_1m_db)
        .def_rw("shadowing_sigma_db", &WorldSpec::shadowing_sigma_db)
        .def_rw("channel_seed", &WorldSpec::channel_seed)
        .def_rw("hardware_tx_var", &WorldSpec::hardware_tx_var)
        .def_rw("hardware_noise_var", &WorldSpec::hardware_noise_var)
        .def_rw("hardware_covariance", &WorldSpec::hardware_covariance)
        .def_rw("interference_cutoff_db", &WorldSpec::interference_cutoff_db)
        .def_rw("interference_gap_s", &WorldSpec::interference_gap_s)
        .def_rw("interference_jitter_s", &WorldSpec::interference_jitter_s)
        .def_rw("radio", &WorldSpec::radio)
        .def_rw("mac", &WorldSpec::mac)
        .def_rw("processing_s", &WorldSpec::processing_s)
        .def_rw("receive_processing_s", &WorldSpec::receive_processing_s)
        .def_rw("overhear_processing_s", &WorldSpec::overhear_processing_s)
        .def_rw("reads_ahead", &WorldSpec::reads_ahead)
        .def_rw("defers", &WorldSpec::defers)
        .def_rw("tx_power_dbm", &WorldSpec::tx_power_dbm)
        .def_rw("max_frame_bytes", &WorldSpec::max_frame_bytes)
        .def_rw("preamble_bytes", &WorldSpec::preamble_bytes)
        .def_rw("sync_bytes", &WorldSpec::sync_bytes)
        .def_rw("initial_backoff_bytes", &WorldSpec::initial_backoff_bytes)
        .def_rw("congestion_backoff_bytes", &WorldSpec::congestion_backoff_bytes)
        .def_rw("lock", &WorldSpec::lock)
        .def_rw("noise_floor", &WorldSpec::noise_floor)
        .def_rw("cca_samples", &WorldSpec::cca_samples)
        .def_rw("noise_reading_sd_db", &WorldSpec::noise_reading_sd_db)
        .def_rw("check_interval_s", &WorldSpec::check_interval_s)
        .def_rw("check_margin_db", &WorldSpec::check_margin_db)
        .def_rw("sink_always_on", &WorldSpec::sink_always_on)
        .def_rw("sink_service_s", &WorldSpec::sink_service_s)
        .def_rw("sink_buffer", &WorldSpec::sink_buffer)
        .def_rw("queue_capacity", &WorldSpec::queue_capacity)
        .def_rw("local_share", &WorldSpec::local_share)
        .def_rw("link_attempts", &WorldSpec::link_attempts)
        .def_rw("hop_limit", &WorldSpec::hop_limit)
        .def_rw("neighbor_capacity", &WorldSpec::neighbor_capacity)
        .def_rw("routing", &WorldSpec::routing)
        .def_rw("beacon_period_s", &WorldSpec::beacon_period_s)
        .def_rw("beacon_min_s", &WorldSpec::beacon_min_s)
        .def_rw("beacon_max_s", &WorldSpec::beacon_max_s)
        .def_rw("switch_etx", &WorldSpec::switch_etx)
        .def_rw("beacons_tell_links", &WorldSpec::beacons_tell_links)
        .def_rw("pin_routes", &WorldSpec::pin_routes)
        .def_rw("control", &WorldSpec::control)
        .def_rw("occupancy_free", &WorldSpec::occupancy_free)
        .def_rw("channel_epochs", &WorldSpec::channel_epochs)
        .def_rw("channel_samples", &WorldSpec::channel_samples)
        .def_rw("channel_epoch_s", &WorldSpec::channel_epoch_s)
        .def_rw("channel_ewma", &WorldSpec::channel_ewma)
        .def_rw("channel_threshold", &WorldSpec::channel_threshold)
        .def_rw("loss_ewma", &WorldSpec::loss_ewma)
        .def_rw("loss_threshold", &WorldSpec::loss_threshold)
        .def_rw("loss_age_s", &WorldSpec::loss_age_s)
        .def_rw("stop_timeout_s", &WorldSpec::stop_timeout_s)
        .def_rw("ack_stop_s", &WorldSpec::ack_stop_s)
        .def_rw("parent_delay_s", &WorldSpec::parent_delay_s)
        .def_rw("rate_tokens", &WorldSpec::rate_tokens)
        .def_rw("rate_window_s", &WorldSpec::rate_window_s)
        .def_rw("share_tokens", &WorldSpec::share_tokens)
        .def_rw("share_target", &WorldSpec::share_target)
        .def_rw("priority_divisor", &WorldSpec::priority_divisor)
        .def_rw("ifrc_initial_pps", &WorldSpec::ifrc_initial_pps)
        .def_rw("ifrc_phi_pps", &WorldSpec::ifrc_phi_pps)
        .def_rw("ifrc_epsilon", &WorldSpec::ifrc_epsilon)
        .def_rw("ifrc_queue_weight", &WorldSpec::ifrc_queue_weight)
        .def_rw("ifrc_upper_packets", &WorldSpec::ifrc_upper_packets)
        .def_rw("ifrc_lower_packets", &WorldSpec::ifrc_lower_packets)
        .def_rw("ifrc_increment_packets", &WorldSpec::ifrc_increment_packets)
        .def_rw("wrcp_alpha", &WorldSpec::wrcp_alpha)
        .def_rw("wrcp_beta", &WorldSpec::wrcp_beta)
        .def_rw("wrcp_start_pps", &WorldSpec::wrcp_start_pps)
        .def_rw("event_period_s", &WorldSpec::event_period_s)
        .def_rw("aimd_increase_pps", &WorldSpec::aimd_increase_pps)
        .def_rw("aimd_decrease", &WorldSpec::aimd_decrease)
        .def_rw("aimd_longest_s", &WorldSpec::aimd_longest_s)
        .def_rw("bulk", &WorldSpec::bulk)
        .def_rw("settle_s", &WorldSpec::settle_s)
        .def_rw("measure_s", &WorldSpec::measure_s)
        .def_rw("payload_bytes", &WorldSpec::payload_bytes)
        .def_rw("sample_s", &WorldSpec::sample_s)
        .def_rw("log_events", &WorldSpec::log_events);
    def_array(spec, "links_src", &WorldSpec::links_src);
    def_array(spec, "links_dst", &WorldSpec::links_dst);
    def_array(spec, "links_gain_db", &WorldSpec::links_gain_db);
    def_array(spec, "noise_floor_dbm", &WorldSpec::noise_floor_dbm);
    def_array(spec, "interference_source", &WorldSpec::interference_source);
    def_array(spec, "interference_from_s", &WorldSpec::interference_from_s);
    def_array(spec, "interference_to_s", &WorldSpec::interference_to_s);
    def_array(spec, "interference_pps", &WorldSpec::interference_pps);
    def_array(spec, "interference_dbm", &WorldSpec::interference_dbm);
    def_array(spec, "interference_together", &WorldSpec::interference_together);
    def_array(spec, "interference_air_s", &WorldSpec::interference_air_s);
    def_array(spec, "loss_src", &WorldSpec::loss_src);
    def_array(spec, "loss_dst", &WorldSpec::loss_dst);
    def_array(spec, "loss_from_s", &WorldSpec::loss_from_s);
    def_array(spec, "loss_to_s", &WorldSpec::loss_to_s);
    def_array(spec, "loss_probability", &WorldSpec::loss_probability);
    def_array(spec, "reroute_node", &WorldSpec::reroute_node);
    def_array(spec, "reroute_parent", &WorldSpec::reroute_parent);
    def_array(spec, "reroute_at_s", &WorldSpec::reroute_at_s);
    def_array(spec, "wrcp_capacity_pps", &WorldSpec::wrcp_capacity_pps);
    def_array(spec, "static_parents", &WorldSpec::static_parents);
    def_array(spec, "rate_pps", &WorldSpec::rate_pps);
    def_array(spec, "event_packets", &WorldSpec::event_packets);
    def_array(spec, "event_first_s", &WorldSpec::event_first_s);
    def_array(spec, "sleep_s", &WorldSpec::sleep_s);
    def_array(spec, "fail_at_s", &WorldSpec::fail_at_s);
    def_array(spec, "flow_source", &WorldSpec::flow_source);
    def_array(spec, "flow_start_s", &WorldSpec::flow_start_s);
    def_array(spec, "flow_stop_s", &WorldSpec::flow_stop_s);
    def_array(spec, "flow_rate_pps", &WorldSpec::flow_rate_pps);
    def_array(spec, "flow_packets", &WorldSpec::flow_packets);
    spec.def_prop_rw(
        "advertisers", [](const WorldSpec &self) { return own(std::vector<std::uint8_t>(self.advertisers)); },
        [](WorldSpec &self, const Flags &flags) {
            self.advertisers.assign(flags.data(), flags.data() + flags.size());
        });
    def_places(spec, "positions", &WorldSpec::positions);
    def_places(spec, "interferers", &WorldSpec::interferers);
}

} // namespace penstock
