// What the library's node on each mote is told: the specification in the library's own units.
//
// SPDX-License-Identifier: BSD-3-Clause
#include "motes.hpp"

#include "csma_rules.hpp"
#include "random.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>
#include <string>

namespace penstock {

namespace {

std::uint32_t microseconds(double s)
{
    return static_cast<std::uint32_t>(std::llround(s * 1e6));
}

std::uint8_t q8(double share)
{
    return static_cast<std::uint8_t>(std::clamp(std::llround(share * 256.0), 0LL, 255LL));
}

std::uint32_t pps(double rate)
{
    return static_cast<std::uint32_t>(std::lround(rate * PENSTOCK_PPS_ONE));
}

std::uint8_t log2_of(int divisor)
{
    return static_cast<std::uint8_t>(std::countr_zero(static_cast<unsigned>(divisor)));
}

penstock_control_params_t control_params(const WorldSpec &spec)
{
    penstock_control_params_t params = penstock_control_defaults();
    params.occupancy_free_q8 = q8(spec.occupancy_free);
    params.channel_epochs = static_cast<std::uint8_t>(spec.channel_epochs);
    params.channel_samples = static_cast<std::uint8_t>(spec.channel_samples);
    params.channel_epoch_us = microseconds(spec.channel_epoch_s);
    params.channel_ewma_q8 = q8(spec.channel_ewma);
    params.channel_threshold_q8 = q8(spec.channel_threshold);
    params.loss_ewma_q8 = q8(spec.loss_ewma);
    params.loss_threshold_q8 = q8(spec.loss_threshold);
    params.loss_age_us = microseconds(spec.loss_age_s);
    params.ack_stop_us = microseconds(spec.ack_stop_s);
    params.share_tokens = static_cast<std::uint8_t>(spec.share_tokens);
    params.share_target_q8 = q8(spec.share_target);
    params.stop_timeout_us = microseconds(spec.stop_timeout_s);
    params.parent_delay_us = microseconds(spec.parent_delay_s);
    params.rate_tokens = static_cast<std::uint8_t>(spec.rate_tokens);
    params.rate_window_us = microseconds(spec.rate_window_s);
    params.priority_shift = log2_of(spec.priority_divisor);
    params.ifrc.initial_rate = pps(spec.ifrc_initial_pps);
    params.ifrc.slow_increase = pps(spec.ifrc_phi_pps);
    params.ifrc.epsilon_q16 = static_cast<std::uint16_t>(std::lround(spec.ifrc_epsilon * 65536.0));
    params.ifrc.queue_weight_q12 = static_cast<std::uint16_t>(std::lround(spec.ifrc_queue_weight * 4096.0));
    params.ifrc.upper = static_cast<std::uint8_t>(spec.ifrc_upper_packets);
    params.ifrc.lower = static_cast<std::uint8_t>(spec.ifrc_lower_packets);
    params.ifrc.increment = static_cast<std::uint8_t>(spec.ifrc_increment_packets);
    params.wrcp.alpha_q15 =
        static_cast<std::uint16_t>(std::max(std::lround(spec.wrcp_alpha * PENSTOCK_WRCP_ALPHA_ONE), 1L));
    params.wrcp.beta_q8 = q8(spec.wrcp_beta);
    params.wrcp.start_rate = static_cast<std::uint32_t>(std::lround(spec.wrcp_start_pps * PENSTOCK_PPS_ONE));
    return params;
}

} // namespace

void Motes::configure(Node node, const WorldSpec &spec, const RadioProfile &radio)
{
    const auto queue_capacity = static_cast<std::size_t>(spec.queue_capacity);
    const auto neighbor_capacity = static_cast<std::size_t>(spec.neighbor_capacity);
    const Time packet_time = csma_rules(spec, radio).packet_time;

    penstock_config_t &config = motes_[node].config;
    config = {};
    config.address = static_cast<penstock_addr_t>(node);
    config.pan_id = 1;
    config.is_root = node == spec.sink;
    config.advertise = config.is_root || spec.advertisers[node] != 0;
    config.seed = static_cast<std::uint32_t>(Random(spec.seed, node, Purpose::LibrarySeed).next() | 1u);
    config.max_frame_len = static_cast<std::uint8_t>(spec.max_frame_bytes - FCS_BYTES);
    config.packet_time_us = static_cast<std::uint32_t>(packet_time / NS_PER_US);
    config.queue = queues_.data() + node * queue_capacity;
    config.queue_capacity = static_cast<std::uint8_t>(spec.queue_capacity);
    config.local_share = static_cast<std::uint8_t>(spec.local_share);
    config.link_attempts = static_cast<std::uint8_t>(spec.link_attempts);
    config.mac_attempts = 1;
    config.hop_limit = static_cast<std::uint8_t>(spec.hop_limit);
    config.neighbors = neighbors_.data() + node * neighbor_capacity;
    config.neighbor_capacity = static_cast<std::uint8_t>(spec.neighbor_capacity);
    config.beacon_period_us = microseconds(spec.beacon_period_s);
    config.routing = spec.routing == "ctp" ? &penstock_routing_ctp : &penstock_routing_dsdv;
    config.ctp.beacon_min_us = microseconds(spec.beacon_min_s);
    config.ctp.beacon_max_us = microseconds(spec.beacon_max_s);
    config.ctp.switch_etx = static_cast<std::uint16_t>(std::lround(spec.switch_etx * PENSTOCK_ETX_ONE));
    config.ctp.link_tables = spec.beacons_tell_links;
    config.beacons = spec.routing != "static";
    config.control = penstock_strategy_by_name(spec.control.c_str());
    config.control_params = control_params(spec);
    config.control_params.wrcp.capacity = wrcp_capacity_.data();
    config.control_params.wrcp.capacity_len = static_cast<std::uint8_t>(wrcp_capacity_.size());
    if (!peers_.empty()) {
        config.peers = peers_.data() + node * neighbor_capacity;
        config.peer_capacity = config.neighbor_capacity;
    }
    if (transfers_) {
        transfers_->join(node, config);
    }
    if (penstock_init(&motes_[node].node, &config, 0) != PENSTOCK_OK) {
        throw std::invalid_argument("the library refuses the configuration of node " + std::to_string(node));
    }
    const int most = penstock_payload_max(&motes_[node].node);
    if (spec.payload_bytes > most) {
        throw std::invalid_argument("payload_bytes: is " + std::to_string(spec.payload_bytes) +
                                    ", but frames of this length have room for " + std::to_string(most));
    }
    if (transfers_) {
        transfers_->check_sizes(motes_[node].node);
    }
}

} // namespace penstock
