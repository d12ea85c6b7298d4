// SPDX-License-Identifier: BSD-3-Clause
#include "spec.hpp"

#include "csma.hpp"
#include "csma_rules.hpp"
#include "radio_profile.hpp"

#include "penstock/penstock.h"

#include <bit>
#include <cmath>
#include <stdexcept>
#include <string_view>

namespace penstock {

namespace {

void require(bool holds, std::string_view field, std::string_view rule)
{
    if (!holds) {
        throw std::invalid_argument(std::string(field) + ": " + std::string(rule));
    }
}

constexpr double LONGEST_S = 1e7; // far below the 292 years that 63 bits of nanoseconds hold

template <typename T> void require_range(T value, T low, T high, std::string_view field)
{
    require(value >= low && value <= high, field,
            "must be " + std::to_string(low) + " to " + std::to_string(high) + ", not " + std::to_string(value));
}

void check_channel(const WorldSpec &spec)
{
    const std::size_t n = spec.node_count;
    require(spec.noise_floor_dbm.size() == n, "noise_floor_dbm", "needs one value per node");
    require(spec.links_src.size() == spec.links_dst.size() && spec.links_src.size() == spec.links_gain_db.size(),
            "links", "src, dst and gain_db must have one length");
    require(!spec.links_src.empty() || spec.positions.size() == n, "positions",
            "needs one per node where no links are given");
    for (std::size_t i = 0; i < spec.links_src.size(); ++i) {
        const bool inside = spec.links_src[i] >= 0 && static_cast<std::size_t>(spec.links_src[i]) < n &&
                            spec.links_dst[i] >= 0 && static_cast<std::size_t>(spec.links_dst[i]) < n;
        require(inside && spec.links_src[i] != spec.links_dst[i], "links", "must join two different nodes");
        require(std::isfinite(spec.links_gain_db[i]), "links", "gains must be finite");
    }
    for (const Position &position : spec.positions) {
        require(std::isfinite(position.x_m) && std::isfinite(position.y_m), "positions", "must be finite");
    }
    require(spec.path_loss_exponent > 0, "path_loss_exponent", "must be positive");
    require(spec.shadowing_sigma_db >= 0, "shadowing_sigma_db", "must not be negative");
    require(spec.hardware_tx_var >= 0 && spec.hardware_noise_var >= 0 &&
                spec.hardware_covariance * spec.hardware_covariance <=
                    spec.hardware_tx_var * spec.hardware_noise_var + 1e-9,
            "hardware_covariance", "is impossible with these variances");
}

void check_interference(const WorldSpec &spec)
{
    const std::size_t rows = spec.interference_source.size();
    require(spec.interferers.empty() || (spec.links_src.empty() && spec.mac != "bmac"), "interferers",
            "need a channel over positions, and a MAC that judges the channel by its power");
    for (const Position &position : spec.interferers) {
        require(std::isfinite(position.x_m) && std::isfinite(position.y_m), "interferers", "must be finite");
    }
    require(spec.interference_from_s.size() == rows && spec.interference_to_s.size() == rows &&
                spec.interference_pps.size() == rows && spec.interference_dbm.size() == rows &&
                spec.interference_air_s.size() == rows && spec.interference_together.size() == rows,
            "interference", "source, from_s, to_s, pps, dbm, air_s and together must have one length");
    require(spec.interference_gap_s >= 0 && spec.interference_gap_s <= 1, "interference_gap_s", "must be 0 to 1 s");
    require(spec.interference_jitter_s >= 0 && spec.interference_jitter_s <= 1, "interference_jitter_s",
            "must be 0 to 1 s");
    std::vector<double> until(spec.interferers.size(), 0.0);
    for (std::size_t i = 0; i < rows; ++i) {
        require(spec.interference_source[i] >= 0 &&
                    static_cast<std::size_t>(spec.interference_source[i]) < spec.interferers.size(),
                "interference_source", "must be one of the interferers");
        double &end = until[static_cast<std::size_t>(spec.interference_source[i])];
        require(spec.interference_from_s[i] >= end && spec.interference_to_s[i] > spec.interference_from_s[i] &&
                    spec.interference_to_s[i] <= LONGEST_S,
                "interference_from_s", "must follow one another, each before its interference_to_s");
        end = spec.interference_to_s[i];
        require(spec.interference_pps[i] >= 1e-5 && spec.interference_pps[i] <= 1e6, "interference_pps",
                "must be 1e-5 to 1e6");
        require(spec.interference_dbm[i] >= -200 && spec.interference_dbm[i] <= 60, "interference_dbm",
                "must be -200 to 60 dBm");
        require(spec.interference_air_s[i] >= 1e-6 && spec.interference_air_s[i] <= 1, "interference_air_s",
                "must be 1e-6 to 1 s");
        require_range<std::int32_t>(spec.interference_together[i], 1, 1000, "interference_together");
    }
}

bool is_node(const WorldSpec &spec, std::int32_t node)
{
    return node >= 0 && static_cast<std::uint32_t>(node) < spec.node_count;
}

// Whether of the rows so far one of the same direction lasts into this one.
bool runs_into_earlier_loss(const WorldSpec &spec, std::size_t row)
{
    for (std::size_t i = 0; i < row; ++i) {
        if (spec.loss_src[i] == spec.loss_src[row] && spec.loss_dst[i] == spec.loss_dst[row] &&
            spec.loss_from_s[row] < spec.loss_to_s[i]) {
            return true;
        }
    }
    return false;
}

void check_losses(const WorldSpec &spec)
{
    const std::size_t rows = spec.loss_src.size();
    require(spec.loss_dst.size() == rows && spec.loss_from_s.size() == rows && spec.loss_to_s.size() == rows &&
                spec.loss_probability.size() == rows,
            "loss", "src, dst, from_s, to_s and probability must have one length");
    for (std::size_t i = 0; i < rows; ++i) {
        require(is_node(spec, spec.loss_src[i]) && is_node(spec, spec.loss_dst[i]) &&
                    spec.loss_src[i] != spec.loss_dst[i],
                "loss_src", "must join two different nodes");
        require(spec.loss_from_s[i] >= 0 && spec.loss_from_s[i] < spec.loss_to_s[i] && spec.loss_to_s[i] <= LONGEST_S,
                "loss_to_s", "must be after loss_from_s, and both 0 to 1e7 s");
        require(spec.loss_probability[i] > 0 && spec.loss_probability[i] <= 1, "loss_probability",
                "must be above 0 and at most 1");
        require(!runs_into_earlier_loss(spec, i), "loss_from_s", "must follow the direction's interval before");
    }
}

void check_reroutes(const WorldSpec &spec)
{
    const std::size_t rows = spec.reroute_node.size();
    require(spec.reroute_parent.size() == rows && spec.reroute_at_s.size() == rows, "reroute",
            "node, parent and at_s must have one length");
    for (std::size_t i = 0; i < rows; ++i) {
        require(is_node(spec, spec.reroute_node[i]) && is_node(spec, spec.reroute_parent[i]) &&
                    spec.reroute_node[i] != spec.reroute_parent[i],
                "reroute_parent", "must be another node");
        require(static_cast<std::uint32_t>(spec.reroute_node[i]) != spec.sink, "reroute_node", "must not be the sink");
        require(spec.reroute_at_s[i] >= 0 && spec.reroute_at_s[i] <= LONGEST_S, "reroute_at_s", "must be 0 to 1e7 s");
    }
}

void check_node(const WorldSpec &spec)
{
    require(spec.sink_service_s >= 0 && spec.sink_service_s <= 10, "sink_service_s", "must be 0 to 10 s");
    require(spec.sink_service_s == 0 || (spec.sink_buffer >= 1 && spec.sink_buffer <= 10'000), "sink_buffer",
            "must be 1 to 10000");
    require_range(spec.queue_capacity, 1, 255, "queue_capacity");
    require_range(spec.local_share, 1, spec.queue_capacity, "local_share");
    require_range(spec.link_attempts, 0, 255, "link_attempts");
    require_range(spec.hop_limit, 1, 255, "hop_limit");
    require_range(spec.neighbor_capacity, 1, 255, "neighbor_capacity");
    require(spec.routing == "tree" || spec.routing == "ctp" || spec.routing == "static", "routing",
            "must be 'tree', 'ctp' or 'static'");
    require(spec.routing != "static" || spec.static_parents.size() == spec.node_count, "static_parents",
            "needs one per node");
    for (const std::int32_t parent : spec.static_parents) {
        require(parent >= -1 && parent < static_cast<std::int64_t>(spec.node_count), "static_parents",
                "must name nodes");
    }
    require(spec.advertisers.size() == spec.node_count, "advertisers", "needs one per node");
    require(spec.beacon_period_s > 0 && spec.beacon_period_s <= 134.0, "beacon_period_s",
            "must be above 0 and at most 134 s");
    if (spec.routing == "ctp") {
        require(spec.beacon_min_s >= 0.001 && spec.beacon_min_s <= spec.beacon_max_s, "beacon_min_s",
                "must be at least 1 ms and at most beacon_max_s");
        require(spec.beacon_max_s <= 536.0, "beacon_max_s", "must be at most 536 s");
        require(spec.switch_etx >= 0 && spec.switch_etx <= 511.0, "switch_etx", "must be in 0..511 transmissions");
    }
    require(penstock_strategy_by_name(spec.control.c_str()) != nullptr, "control", "is no strategy of the library");
    require(std::has_single_bit(static_cast<unsigned>(spec.priority_divisor)) && spec.priority_divisor <= 128,
            "priority_divisor", "must be 1, 2, 4, ... 128");
}

void check_ifrc(const WorldSpec &spec)
{
    require(spec.ifrc_initial_pps >= 0.01 && spec.ifrc_initial_pps <= 100, "ifrc_initial_pps",
            "must be 0.01 to 100 packets/s");
    require(spec.ifrc_phi_pps >= 1e-4 && spec.ifrc_phi_pps <= 1, "ifrc_phi_pps", "must be 1e-4 to 1 packets/s");
    require(spec.ifrc_epsilon >= 1e-4 && spec.ifrc_epsilon <= 0.99, "ifrc_epsilon", "must be 1e-4 to 0.99");
    require(spec.ifrc_queue_weight >= 0.001 && spec.ifrc_queue_weight <= 1, "ifrc_queue_weight", "must be 0.001 to 1");
    require_range(spec.ifrc_upper_packets, 0, 254, "ifrc_upper_packets");
    require_range(spec.ifrc_lower_packets, 0, 254, "ifrc_lower_packets");
    require_range(spec.ifrc_increment_packets, 0, 254, "ifrc_increment_packets");
}

void check_wrcp(const WorldSpec &spec)
{
    require(spec.wrcp_alpha > 0 && spec.wrcp_alpha <= 1, "wrcp_alpha", "must be above 0 and at most 1");
    require(spec.wrcp_beta >= 0.004 && spec.wrcp_beta <= 0.996, "wrcp_beta", "must be 0.004 to 0.996");
    require(spec.wrcp_start_pps >= 0.001 && spec.wrcp_start_pps <= 255, "wrcp_start_pps",
            "must be 0.001 to 255 packets/s");
    require(!spec.wrcp_capacity_pps.empty() && spec.wrcp_capacity_pps.size() <= 255, "wrcp_capacity_pps",
            "needs 1 to 255 entries");
    for (const double pps : spec.wrcp_capacity_pps) {
        require(pps >= 0.02 && pps <= 1000, "wrcp_capacity_pps", "must be 0.02 to 1000 packets/s");
    }
}

} // namespace

int strategy_header_bytes(const std::string &control)
{
    const penstock_strategy_t *strategy = penstock_strategy_by_name(control.c_str());
    for (const penstock_part_t *const *part = strategy != nullptr ? strategy->parts : nullptr;
         part != nullptr && *part != nullptr; ++part) {
        if ((*part)->fields_len > 0) {
            return 1 + (*part)->fields_len;
        }
    }
    return 0;
}

namespace {

void check_mac(const WorldSpec &spec)
{
    constexpr int OVERHEAD = static_cast<int>(PENSTOCK_DATA_OVERHEAD) + FCS_BYTES;
    require(radio_profile(spec.radio) != nullptr, "radio", "is unknown");
    require(csma_exists(spec.mac), "mac", "must be 'bmac', 'tinyos_cc2420', 'tinyos1_cc2420' or 'ieee802154'");
    require(csma_fits(spec.mac, spec.radio), "mac", "is not one for this radio");
    require(spec.processing_s >= 0 && spec.processing_s <= 1, "processing_s", "must be 0 to 1 s");
    require(spec.receive_processing_s >= 0 && spec.receive_processing_s <= 1, "receive_processing_s",
            "must be 0 to 1 s");
    require(spec.overhear_processing_s >= 0 && spec.overhear_processing_s <= 1, "overhear_processing_s",
            "must be 0 to 1 s");
    require(spec.receive_processing_s == 0 || spec.mac == "tinyos_cc2420", "receive_processing_s",
            "needs the MAC tinyos_cc2420");
    require(!spec.defers || spec.mac == "tinyos1_cc2420", "defers", "needs the MAC tinyos1_cc2420");
    const RadioProfile &radio = *radio_profile(spec.radio);
    require_range(spec.tx_power_dbm, radio.lowest_dbm, radio.highest_dbm, "tx_power_dbm");
    require_range(spec.max_frame_bytes, OVERHEAD, static_cast<int>(MAX_FRAME), "max_frame_bytes");
    require(spec.max_frame_bytes - OVERHEAD <= PENSTOCK_PAYLOAD_MAX, "max_frame_bytes",
            "is more than a packet of the library holds");
    const int fields = strategy_header_bytes(spec.control);
    const int headers = OVERHEAD + fields + (spec.routing == "ctp" ? 2 : 0); // CTP: the path's ETX
    require(fields == 0 || spec.max_frame_bytes > headers, "max_frame_bytes",
            "must be more than " + std::to_string(headers) + " for the fields of '" + spec.control + "', not " +
                std::to_string(spec.max_frame_bytes));
    require_range(spec.preamble_bytes, 1, 10'000, "preamble_bytes");
    require_range(spec.sync_bytes, 0, 16, "sync_bytes");
    require_range(spec.initial_backoff_bytes, 1, 65'535, "initial_backoff_bytes");
    require_range(spec.congestion_backoff_bytes, 1, 65'535, "congestion_backoff_bytes");
    require(lock_rule(spec.lock).has_value(), "lock", "must be 'preamble', 'first' or 'recapture'");
    require(noise_floor_rule(spec.noise_floor).has_value(), "noise_floor", "must be 'clear', 'radio_idle' or 'fixed'");
    require_range(spec.cca_samples, 1, 100, "cca_samples");
    require(spec.noise_reading_sd_db > 0 && spec.noise_reading_sd_db <= 20, "noise_reading_sd_db",
            "must be above 0 and at most 20 dB");
    require(spec.check_interval_s == 0 || (spec.check_interval_s >= 0.01 && spec.check_interval_s <= 1.6),
            "check_interval_s", "must be 0 or 0.01 to 1.6 s");
    require(spec.check_interval_s == 0 || spec.mac == "bmac", "check_interval_s", "needs B-MAC");
    require(spec.check_margin_db >= 0 && spec.check_margin_db <= 40, "check_margin_db", "must be 0 to 40 dB");
}

void check_flows(const WorldSpec &spec)
{
    const std::size_t count = spec.flow_source.size();
    require(spec.flow_start_s.size() == count && spec.flow_stop_s.size() == count &&
                spec.flow_rate_pps.size() == count && spec.flow_packets.size() == count,
            "flows", "must have one length");
    require(count == 0 || spec.aimd_increase_pps == 0, "flows", "do not go with an application's own pace");
    for (std::size_t i = 0; i < count; ++i) {
        const std::int32_t node = spec.flow_source[i];
        require(node >= 0 && static_cast<std::uint32_t>(node) < spec.node_count &&
                    static_cast<std::uint32_t>(node) != spec.sink,
                "flow_source", "must be a node, and not the sink");
        const auto at = static_cast<std::size_t>(node);
        require(spec.rate_pps[at] == 0 && spec.event_packets[at] == 0, "flow_source", "has another workload as well");
        require(spec.flow_start_s[i] >= 0 && spec.flow_start_s[i] < spec.flow_stop_s[i] &&
                    spec.flow_stop_s[i] <= LONGEST_S,
                "flow_stop_s", "must be after flow_start_s, and both 0 to 1e7 s");
        require(spec.flow_rate_pps[i] == 0 || (spec.flow_rate_pps[i] >= 1e-5 && spec.flow_rate_pps[i] <= 1e6),
                "flow_rate_pps", "must be 0 or 1e-5 to 1e6");
        const bool in_order = i == 0 || spec.flow_source[i - 1] < node ||
                              (spec.flow_source[i - 1] == node && spec.flow_stop_s[i - 1] <= spec.flow_start_s[i]);
        require(in_order, "flows", "must be sorted by node and time, and a node's must not overlap");
    }
}

void check_workload(const WorldSpec &spec)
{
    require(spec.rate_pps.size() == spec.node_count, "rate_pps", "needs one value per node");
    for (const double rate : spec.rate_pps) {
        require(rate == 0 || (rate >= 1e-5 && rate <= 1e6), "rate_pps", "must be 0 or 1e-5 to 1e6");
    }
    require(spec.event_packets.size() == spec.node_count, "event_packets", "needs one value per node");
    for (const std::int32_t packets : spec.event_packets) {
        require_range<std::int32_t>(packets, 0, 255, "event_packets");
    }
    require(spec.event_first_s.size() == spec.node_count, "event_first_s", "needs one value per node");
    for (const double first : spec.event_first_s) {
        require(first >= 0 && first <= LONGEST_S, "event_first_s", "must be 0 to 1e7 s");
    }
    require(spec.sleep_s.size() == spec.node_count, "sleep_s", "needs one value per node");
    require(spec.fail_at_s.size() == spec.node_count, "fail_at_s", "needs one value per node");
    for (std::size_t i = 0; i < spec.node_count; ++i) {
        const bool part = spec.sleep_s[i] == 0 || (spec.sleep_s[i] > 0 && spec.sleep_s[i] * spec.rate_pps[i] < 1 &&
                                                   spec.rate_pps[i] > 0 && spec.event_packets[i] == 0);
        require(part, "sleep_s", "must be 0, or less than the period of a periodic source");
        require(spec.fail_at_s[i] >= 0, "fail_at_s", "must be at least 0");
    }
    require(spec.fail_at_s[spec.sink] > LONGEST_S, "fail_at_s", "the sink must not fail");
    if (spec.aimd_increase_pps != 0) {
        require(spec.aimd_increase_pps > 0 && spec.aimd_increase_pps <= 1e3, "aimd_increase_pps", "must be 0 to 1e3");
        require(spec.aimd_decrease >= 0.004 && spec.aimd_decrease <= 0.996, "aimd_decrease", "must be 0.004 to 0.996");
        require(spec.aimd_longest_s >= 1e-3 && spec.aimd_longest_s <= 1073, "aimd_longest_s", "must be 1e-3 to 1073 s");
    }
    require(spec.event_period_s >= 1e-3 && spec.event_period_s <= LONGEST_S, "event_period_s", "must be 1e-3 to 1e7 s");
}

} // namespace

void check(const WorldSpec &spec)
{
    require(spec.node_count >= 2 && spec.node_count < PENSTOCK_ADDR_NONE, "node_count",
            "must be 2 to 65533: nodes have 16-bit addresses");
    require(spec.sink < spec.node_count, "sink", "must be a node");
    check_channel(spec);
    check_mac(spec);
    check_interference(spec);
    check_losses(spec);
    check_reroutes(spec);
    check_node(spec);
    check_ifrc(spec);
    check_wrcp(spec);
    check_workload(spec);
    check_flows(spec);
    check_bulk(spec);
    require(spec.payload_bytes >= 0, "payload_bytes", "must be at least 0");
    require(spec.sample_s == 0 || (spec.sample_s >= 1e-3 && spec.sample_s <= LONGEST_S), "sample_s",
            "must be 0 or 1e-3 to 1e7 s");
    require(spec.settle_s >= 0 && spec.settle_s <= LONGEST_S, "settle_s", "must be 0 to 1e7 s");
    require(spec.measure_s >= 1e-3 && spec.measure_s <= LONGEST_S, "measure_s", "must be 1e-3 to 1e7 s");
}

} // namespace penstock
