// What a world is made from. Every field is set by the caller: the bench owns the defaults.
//
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bulk_spec.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace penstock {

struct Position {
    double x_m;
    double y_m;
};

struct WorldSpec {
    std::uint64_t seed = 0;
    std::uint32_t node_count = 0;
    std::uint32_t sink = 0;

    // Channel: explicit gains, or else path loss over positions.
    std::vector<Position> positions;
    std::vector<std::int32_t> links_src, links_dst;
    std::vector<double> links_gain_db;
    std::vector<double> noise_floor_dbm; // per node
    double path_loss_exponent = 0;
    double path_loss_1m_db = 0;
    double shadowing_sigma_db = 0;
    std::uint64_t channel_seed = 0; // of shadowing and hardware: a building of its own for each, or one for all
    double hardware_tx_var = 0;     // dB^2, transmit power per node
    double hardware_noise_var = 0;  // dB^2, noise floor per node
    double hardware_covariance = 0; // dB^2
    double interference_cutoff_db = 0;

    // Transmitters of another kind (interference.hpp), which need positions. Their intervals, those of one source in
    // the order of time, counted from settle_s.
    std::vector<Position> interferers;
    std::vector<std::int32_t> interference_source; // per interval: index into interferers
    std::vector<double> interference_from_s, interference_to_s;
    std::vector<double> interference_pps;
    std::vector<double> interference_dbm; // output power within the band of the nodes' radios
    std::vector<double> interference_air_s;
    std::vector<std::int32_t> interference_together; // so many at once
    double interference_gap_s = 0;
    double interference_jitter_s = 0;

    // Links that lose frames in intervals counted from settle_s, whatever the channel (forced_loss.hpp); those of one
    // direction in the order of time.
    std::vector<std::int32_t> loss_src, loss_dst;
    std::vector<double> loss_from_s, loss_to_s;
    std::vector<double> loss_probability;

    // Radio and MAC.
    std::string radio; // radio_profile() knows them
    std::string mac;   // csma_rules() knows them
    double tx_power_dbm = 0;
    int max_frame_bytes = 0; // MHR to FCS
    int payload_bytes = 0;   // of every packet; 0: as many as the frame and its headers leave
    int preamble_bytes = 0;
    int sync_bytes = 0;
    int initial_backoff_bytes = 0;
    int congestion_backoff_bytes = 0;
    int cca_samples = 0;
    double processing_s = 0;          // of the processor for each frame that it sends, with those MACs that have it
    double receive_processing_s = 0;  // for each one that it receives (CsmaRules); 0: it takes no time
    double overhear_processing_s = 0; // of these, for one that is for others
    bool reads_ahead = true;          // the next one is read meanwhile
    bool defers = false;              // a received frame begins a backoff anew, with a MAC that has this rule
    std::string lock;                 // lock_rule() knows them
    std::string noise_floor;          // noise_floor_rule() knows them
    double noise_reading_sd_db = 0;
    double check_interval_s = 0; // of low-power listening; 0: always on
    double check_margin_db = 0;

    // Node.
    int queue_capacity = 0;
    int local_share = 0;
    int link_attempts = 0; // 0: not limited
    int hop_limit = 0;
    int neighbor_capacity = 0;
    std::string routing;        // "tree", "ctp" or "static"
    double beacon_period_s = 0; // "tree"
    double beacon_min_s = 0;    // "ctp"
    double beacon_max_s = 0;
    double switch_etx = 0;
    bool beacons_tell_links = false;
    bool pin_routes = false;
    bool sink_always_on = false;              // it has no use for low-power listening
    double sink_service_s = 0;                // until it has passed a packet on (serial_line.hpp); 0: at once
    int sink_buffer = 0;                      // packets that it holds meanwhile, the one in hand included
    std::vector<std::int32_t> static_parents; // -1: none
    std::vector<std::uint8_t> advertisers;    // nodes that offer routes

    // Congestion control.
    std::string control;
    double occupancy_free = 0;
    int channel_epochs = 0;
    int channel_samples = 0;
    double channel_epoch_s = 0;
    double channel_ewma = 0;
    double channel_threshold = 0;
    double loss_ewma = 0;
    double loss_threshold = 0;
    double loss_age_s = 0;
    double stop_timeout_s = 0;
    double ack_stop_s = 0;
    double parent_delay_s = 0;
    double rate_window_s = 0;
    int rate_tokens = 0;
    int share_tokens = 0;
    double share_target = 0;
    int priority_divisor = 0;
    int ifrc_upper_packets = 0; // of ifrc; these three may be 0: the library derives them
    int ifrc_lower_packets = 0;
    int ifrc_increment_packets = 0;
    double ifrc_initial_pps = 0;
    double ifrc_phi_pps = 0;
    double ifrc_epsilon = 0;
    double ifrc_queue_weight = 0;
    double wrcp_alpha = 0;
    double wrcp_beta = 0;
    double wrcp_start_pps = 0;
    std::vector<double> wrcp_capacity_pps; // by senders in range: one, two, ...; the last holds for more

    // Workload and time.
    std::vector<double> rate_pps;             // per node: readings at a random phase; 0: none
    std::vector<std::int32_t> event_packets;  // per node: readings made at each event; 0: it does not report events
    std::vector<double> event_first_s;        // per node: its first event, counted from settle_s
    double event_period_s = 0;                // from one event to the next
    std::vector<double> sleep_s;              // per node: of each period of rate_pps, with the radio off; 0: none
    std::vector<double> fail_at_s;            // per node: it stops for good, counted from settle_s; infinite: never
    std::vector<std::int32_t> reroute_node;   // per change of route: who sends another way
    std::vector<std::int32_t> reroute_parent; // to whom, from then on
    std::vector<double> reroute_at_s;         // counted from settle_s; those of one node in the order of time
    std::vector<std::int32_t> flow_source;    // per flow: its node; sorted by node and then by time
    std::vector<double> flow_start_s;         // per flow: counted from settle_s
    std::vector<double> flow_stop_s;          // per flow: likewise
    std::vector<double> flow_rate_pps;        // per flow: readings at a random phase; 0: backlogged
    std::vector<std::uint32_t> flow_packets;  // per flow: no more than so many; 0: not limited
    double aimd_increase_pps = 0;             // per packet that the stack takes; 0: applications simply wait
    double aimd_decrease = 0;                 // what a refusal leaves of the rate
    double aimd_longest_s = 0;                // between two packets
    BulkSpec bulk;                            // transfers of objects to the sink
    double settle_s = 0;
    double measure_s = 0;
    double sample_s = 0; // from one sample of all nodes to the next; 0: none
    bool log_events = false;
};

// What a strategy adds to a data frame: its fields, and one byte that says how many. 0 where it has none.
int strategy_header_bytes(const std::string &control);

// Throws std::invalid_argument that names the field.
void check(const WorldSpec &spec);

} // namespace penstock
