// Whole worlds under the sanitizers: every strategy, conservation of packets, the same bytes twice.
//
// SPDX-License-Identifier: BSD-3-Clause
#include "check.hpp"
#include "world.hpp"

#include "penstock/bulk.h"
#include "penstock/penstock.h"

#include <array>
#include <cstring>
#include <limits>
#include <string>

using namespace penstock;

namespace {

const std::atomic<bool> never{false};

// A square grid, 7 m apart, the sink in a corner.
WorldSpec grid(std::uint32_t side, const std::string &control, double rate_pps)
{
    WorldSpec spec;
    spec.seed = 1;
    spec.channel_seed = spec.seed;
    spec.node_count = side * side;
    spec.sink = 0;
    for (std::uint32_t i = 0; i < spec.node_count; ++i) {
        const std::uint32_t row = i / side;
        const std::uint32_t column = i % side;
        spec.positions.push_back({7.0 * static_cast<double>(column), 7.0 * static_cast<double>(row)});
    }
    spec.noise_floor_dbm.assign(spec.node_count, -105.0);
    spec.path_loss_exponent = 3.0;
    spec.path_loss_1m_db = 55.0;
    spec.shadowing_sigma_db = 4.0;
    spec.hardware_tx_var = 6.0;
    spec.hardware_noise_var = 3.7;
    spec.hardware_covariance = -3.3;
    spec.interference_cutoff_db = 10;
    spec.radio = "cc1000";
    spec.tx_power_dbm = -10;
    spec.max_frame_bytes = 36;
    spec.preamble_bytes = 18;
    spec.sync_bytes = 2;
    spec.initial_backoff_bytes = 32;
    spec.congestion_backoff_bytes = 16;
    spec.lock = "preamble";
    spec.noise_floor = "clear";
    spec.cca_samples = 5;
    spec.noise_reading_sd_db = 4.0;
    spec.check_margin_db = 10.0;
    spec.sink_always_on = true;
    spec.queue_capacity = 8;
    spec.local_share = 2;
    spec.link_attempts = 4;
    spec.mac = "bmac";
    spec.hop_limit = 32;
    spec.neighbor_capacity = 16;
    spec.routing = "tree";
    spec.beacon_period_s = 10;
    spec.beacon_min_s = 0.125;
    spec.beacon_max_s = 500;
    spec.switch_etx = 1.5;
    spec.pin_routes = true;
    spec.advertisers.assign(spec.node_count, 1);
    spec.control = control;
    spec.occupancy_free = 0.25;
    spec.channel_epochs = 4;
    spec.channel_samples = 10;
    spec.channel_epoch_s = 0.1;
    spec.channel_ewma = 0.85;
    spec.channel_threshold = 0.79;
    spec.parent_delay_s = 0.04;
    spec.rate_tokens = 10;
    spec.rate_window_s = 4;
    spec.loss_ewma = 0.9375;
    spec.loss_threshold = 0.632;
    spec.loss_age_s = 4;
    spec.share_tokens = 2;
    spec.share_target = 0.9;
    spec.priority_divisor = 4;
    spec.ifrc_initial_pps = 0.1;
    spec.ifrc_phi_pps = 0.0125;
    spec.ifrc_epsilon = 0.02;
    spec.ifrc_queue_weight = 0.03;
    spec.wrcp_alpha = 0.1;
    spec.wrcp_beta = 0.5;
    spec.wrcp_start_pps = 0.1;
    spec.wrcp_capacity_pps = {40.0};
    spec.rate_pps.assign(spec.node_count, rate_pps);
    spec.event_packets.assign(spec.node_count, 0);
    spec.event_first_s.assign(spec.node_count, 0);
    spec.event_period_s = 20;
    spec.sleep_s.assign(spec.node_count, 0);
    spec.fail_at_s.assign(spec.node_count, std::numeric_limits<double>::infinity());
    spec.settle_s = 80;
    spec.measure_s = 30;
    return spec;
}

void check_conservation(const Records &records)
{
    std::uint64_t generated = 0;
    for (const NodeRecord &node : records.nodes) {
        generated += node.generated;
        CHECK(node.received + node.duplicates == node.receptions);
        CHECK(node.acked <= node.transmissions);
    }
    CHECK(generated == records.packets.size());
    CHECK(generated > 0);
    for (const PacketRecord &packet : records.packets) {
        CHECK(packet.fate != Fate::Unknown);
        CHECK((packet.fate == Fate::Dropped) == (packet.reason != PENSTOCK_DROP_NONE));
        CHECK((packet.fate == Fate::Delivered) == (packet.delivered >= 0));
        CHECK(packet.fate != Fate::Delivered || (packet.delivered >= packet.admitted && packet.hops > 0));
        CHECK(packet.admitted < 0 || packet.admitted >= packet.generated);
    }
}

// Overload fills queues and wears out attempts: reasons that only arise inside the network must show up.
void overload_drops_inside_the_network()
{
    const Records records = run(grid(4, "none", 8.0), never);
    std::array<std::uint64_t, PENSTOCK_DROP_COUNT> by_packet{};
    std::array<std::uint64_t, PENSTOCK_DROP_COUNT> by_node{};
    for (const PacketRecord &packet : records.packets) {
        ++by_packet[packet.reason];
    }
    for (const NodeRecord &node : records.nodes) {
        for (std::size_t reason = 0; reason < PENSTOCK_DROP_COUNT; ++reason) {
            by_node[reason] += node.drops[reason];
        }
    }
    CHECK(by_packet[PENSTOCK_DROP_ATTEMPTS_EXHAUSTED] > 50);
    CHECK(by_packet[PENSTOCK_DROP_ACKED_THEN_DROPPED] > 0);
    CHECK(by_packet[PENSTOCK_DROP_REFUSED] == by_node[PENSTOCK_DROP_REFUSED]);
    // A packet whose copies were dropped in two places has one fate and two drops.
    CHECK(by_packet[PENSTOCK_DROP_ATTEMPTS_EXHAUSTED] <= by_node[PENSTOCK_DROP_ATTEMPTS_EXHAUSTED]);
}

void every_strategy_conserves_packets()
{
    for (const penstock_strategy_t *const *strategy = penstock_strategies; *strategy != nullptr; ++strategy) {
        WorldSpec spec = grid(4, (*strategy)->name, 4.0);
        spec.max_frame_bytes = penstock_strategy_needs_peers(*strategy) ? 64 : spec.max_frame_bytes;
        const Records records = run(spec, never);
        check_conservation(records);
        std::uint64_t delivered = 0;
        for (const PacketRecord &packet : records.packets) {
            delivered += packet.fate == Fate::Delivered ? 1 : 0;
        }
        CHECK(delivered > 20);
    }
}

void same_seed_same_bytes()
{
    const Records first = run(grid(4, "fusion", 2.0), never);
    const Records second = run(grid(4, "fusion", 2.0), never);
    CHECK(first.totals.events == second.totals.events);
    CHECK(first.packets.size() == second.packets.size());
    for (std::size_t i = 0; i < first.packets.size(); ++i) {
        CHECK(first.packets[i].delivered == second.packets[i].delivered);
        CHECK(first.packets[i].fate == second.packets[i].fate);
    }
    WorldSpec other = grid(4, "fusion", 2.0);
    other.seed = 2;
    CHECK(run(other, never).totals.events != first.totals.events);
}

// Two strategies on one seed: the same routes, the same readings at the same moments.
void strategies_are_paired()
{
    const Records none = run(grid(4, "none", 0.5), never);
    const Records fusion = run(grid(4, "fusion", 0.5), never);
    CHECK(none.packets.size() == fusion.packets.size());
    for (std::size_t i = 0; i < none.packets.size(); ++i) {
        CHECK(none.packets[i].generated == fusion.packets[i].generated);
        CHECK(none.packets[i].origin == fusion.packets[i].origin);
    }
    for (std::size_t i = 0; i < none.nodes.size(); ++i) {
        CHECK(none.nodes[i].parent == fusion.nodes[i].parent);
    }
}

// Leaves of a star sleep for the fraction asked for, less the time that sending takes, and all they say arrives.
void leaves_sleep_for_their_part_of_the_period()
{
    WorldSpec spec = grid(2, "fusion", 0.2);
    spec.advertisers = {1, 0, 0, 0};
    spec.sleep_s = {0, 4, 2, 0};
    spec.measure_s = 200;
    const Records records = run(spec, never);
    check_conservation(records);
    CHECK(records.nodes[0].time_sleep_s == 0 && records.nodes[3].time_sleep_s == 0);
    for (const std::size_t leaf : {1U, 2U}) {
        const double share = records.nodes[leaf].time_sleep_s / spec.measure_s;
        const double wanted = spec.sleep_s[leaf] * spec.rate_pps[leaf];
        CHECK(share <= wanted && share > wanted - 0.04);
        CHECK(records.nodes[leaf].delivered >= 36);
    }
}

void failed_nodes_fall_silent_and_lose_what_they_hold()
{
    WorldSpec spec = grid(4, "fusion", 4.0);
    spec.fail_at_s[1] = spec.fail_at_s[4] = 10;
    spec.fail_at_s[5] = 20;
    const Records records = run(spec, never);
    check_conservation(records);
    std::uint32_t lost = 0;
    for (const std::size_t node : {1U, 4U, 5U}) {
        CHECK(records.nodes[node].time_sleep_s <= spec.measure_s - spec.fail_at_s[node]);
        CHECK(records.nodes[node].time_sleep_s > spec.measure_s - spec.fail_at_s[node] - 1.0);
        lost += records.nodes[node].drops[PENSTOCK_DROP_NODE_DOWN];
        for (const PacketRecord &packet : records.packets) {
            CHECK(packet.origin != static_cast<std::int32_t>(node) ||
                  packet.generated <= seconds(spec.settle_s + spec.fail_at_s[node]));
        }
    }
    CHECK(lost > 0);
    CHECK(records.nodes[2].generated > 100);
}

void links_lose_frames_and_routes_change()
{
    WorldSpec spec = grid(4, "fusion", 2.0);
    spec.sink_service_s = 0.2;
    spec.sink_buffer = 2;
    spec.fail_at_s[5] = 20;
    spec.loss_src = {1, 0, 1};
    spec.loss_dst = {0, 1, 0};
    spec.loss_from_s = {5, 5, 15};
    spec.loss_to_s = {15, 15, 25};
    spec.loss_probability = {0.5, 0.5, 1.0};
    spec.reroute_node = {6, 5, 15};
    spec.reroute_parent = {1, 4, 14};
    spec.reroute_at_s = {28, 25, 10}; // node 5 is down by then
    const Records records = run(spec, never);
    check_conservation(records);
    CHECK(records.nodes[6].parent == 1 && records.nodes[15].parent == 14);
    CHECK(records.nodes[5].parent != 4);
    CHECK(records.totals.forced_losses > 10);
    CHECK(records.nodes[0].drops[PENSTOCK_DROP_ACKED_THEN_DROPPED] > 10);
}

// Two objects in this world, the second from a neighbour of the sink.
void ask_for_objects(WorldSpec &spec, const std::string &mode)
{
    BulkSpec &bulk = spec.bulk;
    bulk.source = {15, 1};
    bulk.bytes = {2000, 300};
    bulk.start_s = {0, 0.5};
    bulk.mode = mode;
    bulk.interval_s = 0.4;
    bulk.queue = 16;
    bulk.local_share = 2;
    bulk.flows = 4;
    bulk.attempts = 5;
    bulk.congested_packets = 5;
    bulk.delay_memory_packets = 8;
    bulk.rssi_memory_packets = 8;
    bulk.interferer_db = 10;
    bulk.nearest_interferer = 1;
    bulk.delay_unit_s = 0.004;
    bulk.longest_wait_s = 4;
    bulk.tries = 6;
    bulk.restarts = 2;
    bulk.freeze = true;
    bulk.query_timeout_s = 2;
    bulk.timeout_max_s = 16;
    bulk.ack_timeout_s = 2;
    bulk.ack_random_factor = 1.5;
    bulk.max_retransmit = 4;
    bulk.log = true;
    spec.measure_s = 2000;
}

void objects_arrive_beside_traffic()
{
    for (const char *mode : {"flush", "flush_e2e", "fixed", "asap", "blockwise"}) {
        WorldSpec spec = grid(4, "fusion", 0.2);
        ask_for_objects(spec, mode);
        spec.fail_at_s[3] = 20;
        spec.loss_src = {1, 4, 5};
        spec.loss_dst = {0, 0, 0};
        spec.loss_from_s = {5, 5, 5};
        spec.loss_to_s = {15, 15, 15};
        spec.loss_probability = {0.5, 0.5, 0.5};
        const Records records = run(spec, never);
        check_conservation(records);
        CHECK(records.transfers.size() == 2);
        for (const TransferRecord &transfer : records.transfers) {
            CHECK(transfer.outcome == TransferOutcome::Done && transfer.same_bytes == 1);
            CHECK(transfer.arrived == transfer.packets && transfer.packet_bytes > 0 && transfer.hops > 0);
            CHECK(transfer.asked <= transfer.started && transfer.started <= transfer.last_first);
            CHECK(transfer.last_first <= transfer.complete && transfer.complete <= transfer.ended);
        }
        CHECK(records.transfers[1].asked >= records.transfers[0].ended);
        CHECK(records.totals.measured == records.transfers[1].ended - seconds(spec.settle_s));
        CHECK(records.totals.frames_bulk + records.totals.frames_flood > 0 && !records.bulk.empty());
    }
}

// The sources that stop cannot be reached any more, or fall silent; the run goes on to the next object.
void sources_that_fail_are_given_up()
{
    WorldSpec spec = grid(4, "none", 0.0);
    ask_for_objects(spec, "flush");
    spec.bulk.content = std::string(2000, 'x');
    spec.bulk.bytes = {2000, 2000};
    spec.fail_at_s[15] = 5;
    spec.fail_at_s[1] = 1;
    const Records records = run(spec, never);
    CHECK(records.transfers[0].reason == PENSTOCK_BULK_SILENT);
    CHECK(records.transfers[1].reason == PENSTOCK_BULK_UNREACHABLE);
    for (const TransferRecord &transfer : records.transfers) {
        CHECK(transfer.outcome == TransferOutcome::Failed && transfer.same_bytes == 0);
        CHECK(transfer.ended - transfer.asked <= seconds(5.0 + 6 * 16.0 + 0.1));
    }
    CHECK(records.received == std::vector<std::uint8_t>(2000, 0));
}

template <typename Change> void bulk_refused(Change change, const char *field)
{
    WorldSpec spec = grid(4, "none", 0.0);
    ask_for_objects(spec, "flush");
    change(spec);
    try {
        run(spec, never);
    } catch (const std::invalid_argument &error) {
        CHECK(std::strstr(error.what(), field) == error.what());
        return;
    }
    CHECK(false && "a bad bulk spec was accepted");
}

void bad_bulk_specs_are_refused()
{
    bulk_refused([](WorldSpec &spec) { spec.bulk.source[0] = 0; }, "bulk.source");
    bulk_refused([](WorldSpec &spec) { spec.bulk.source[0] = 16; }, "bulk.source");
    bulk_refused([](WorldSpec &spec) { spec.bulk.bytes[1] = 0; }, "bulk.bytes");
    bulk_refused([](WorldSpec &spec) { spec.bulk.bytes[1] = 10'000'000; }, "bulk.bytes");
    bulk_refused([](WorldSpec &spec) { spec.bulk.content = "x"; }, "bulk.bytes");
    bulk_refused([](WorldSpec &spec) { spec.bulk.start_s = {2, 1}; }, "bulk.start_s");
    bulk_refused([](WorldSpec &spec) { spec.bulk.start_s = {0}; }, "bulk.transfers");
    bulk_refused([](WorldSpec &spec) { spec.bulk.mode = "slow"; }, "bulk.mode");
    bulk_refused([](WorldSpec &spec) { spec.bulk.payload_bytes = 60; }, "bulk.payload_bytes");
    bulk_refused([](WorldSpec &spec) { spec.bulk.local_share = 17; }, "bulk.local_share");
    bulk_refused([](WorldSpec &spec) { spec.bulk.delay_memory_packets = 3; }, "bulk.delay_memory_packets");
    bulk_refused([](WorldSpec &spec) { spec.bulk.tries = 100; }, "bulk.tries");
    bulk_refused([](WorldSpec &spec) { spec.bulk.max_retransmit = 6; }, "bulk.max_retransmit");
    bulk_refused([](WorldSpec &spec) { spec.max_frame_bytes = 35; }, "max_frame_bytes");
    bulk_refused(
        [](WorldSpec &spec) {
            spec.bulk.mode = "fixed";
            spec.bulk.interval_s = 0;
        },
        "bulk.interval_s");
}

template <typename Change> void refused(Change change, const char *field)
{
    WorldSpec spec = grid(3, "none", 1.0);
    change(spec);
    try {
        run(spec, never);
    } catch (const std::invalid_argument &error) {
        CHECK(std::strstr(error.what(), field) == error.what());
        return;
    }
    CHECK(false && "a bad spec was accepted");
}

void bad_specs_are_refused()
{
    refused([](WorldSpec &spec) { spec.sink = 99; }, "sink");
    refused([](WorldSpec &spec) { spec.control = "magic"; }, "control");
    refused([](WorldSpec &spec) { spec.rate_pps[2] = -1; }, "rate_pps");
    refused([](WorldSpec &spec) { spec.max_frame_bytes = 10; }, "max_frame_bytes");
    refused([](WorldSpec &spec) { spec.local_share = 9; }, "local_share");
    refused([](WorldSpec &spec) { spec.priority_divisor = 3; }, "priority_divisor");
    refused([](WorldSpec &spec) { spec.ifrc_initial_pps = 0.009; }, "ifrc_initial_pps");
    refused([](WorldSpec &spec) { spec.ifrc_phi_pps = 0; }, "ifrc_phi_pps");
    refused([](WorldSpec &spec) { spec.ifrc_epsilon = 1; }, "ifrc_epsilon");
    refused([](WorldSpec &spec) { spec.ifrc_queue_weight = 0; }, "ifrc_queue_weight");
    refused([](WorldSpec &spec) { spec.ifrc_upper_packets = 255; }, "ifrc_upper_packets");
    refused([](WorldSpec &spec) { spec.ifrc_lower_packets = -1; }, "ifrc_lower_packets");
    refused([](WorldSpec &spec) { spec.ifrc_increment_packets = 255; }, "ifrc_increment_packets");
    refused(
        [](WorldSpec &spec) {
            spec.control = "ifrc";
            spec.max_frame_bytes = 46;
        },
        "max_frame_bytes");
    refused([](WorldSpec &spec) { spec.wrcp_alpha = 0; }, "wrcp_alpha");
    refused([](WorldSpec &spec) { spec.wrcp_beta = 1; }, "wrcp_beta");
    refused([](WorldSpec &spec) { spec.wrcp_start_pps = 0; }, "wrcp_start_pps");
    refused([](WorldSpec &spec) { spec.wrcp_capacity_pps.clear(); }, "wrcp_capacity_pps");
    refused([](WorldSpec &spec) { spec.wrcp_capacity_pps = {40.0, 0.0}; }, "wrcp_capacity_pps");
    refused([](WorldSpec &spec) { spec.positions.pop_back(); }, "positions");
    refused([](WorldSpec &spec) { spec.hardware_covariance = 100; }, "hardware_covariance");
    refused([](WorldSpec &spec) { spec.beacon_period_s = 0; }, "beacon_period_s");
    refused([](WorldSpec &spec) { spec.measure_s = 1e12; }, "measure_s");
    refused([](WorldSpec &spec) { spec.settle_s = 1e12; }, "settle_s");
    refused([](WorldSpec &spec) { spec.rate_pps[1] = 1e-11; }, "rate_pps");
    refused([](WorldSpec &spec) { spec.event_packets[1] = 256; }, "event_packets");
    refused([](WorldSpec &spec) { spec.event_first_s[1] = -1; }, "event_first_s");
    refused([](WorldSpec &spec) { spec.event_period_s = 0; }, "event_period_s");
    refused([](WorldSpec &spec) { spec.sleep_s[1] = 1.0; }, "sleep_s");
    refused([](WorldSpec &spec) { spec.fail_at_s[1] = -1; }, "fail_at_s");
    refused([](WorldSpec &spec) { spec.fail_at_s[0] = 1; }, "fail_at_s");
    refused([](WorldSpec &spec) { spec.aimd_increase_pps = -1; }, "aimd_increase_pps");
    refused([](WorldSpec &spec) { spec.loss_src = {1}; }, "loss");
    refused([](WorldSpec &spec) { spec.reroute_node = {1}; }, "reroute");
    refused([](WorldSpec &spec) { spec.defers = true; }, "defers");
    refused([](WorldSpec &spec) { spec.sink_service_s = 0.01; }, "sink_buffer");
    refused([](WorldSpec &spec) { spec.lock = "last"; }, "lock");
    refused([](WorldSpec &spec) { spec.noise_floor = ""; }, "noise_floor");
    refused([](WorldSpec &spec) { spec.check_interval_s = 0.005; }, "check_interval_s");
    refused([](WorldSpec &spec) { spec.check_interval_s = 2; }, "check_interval_s");
    refused([](WorldSpec &spec) { spec.check_margin_db = -1; }, "check_margin_db");
    refused([](WorldSpec &spec) { spec.cca_samples = 0; }, "cca_samples");
    refused([](WorldSpec &spec) { spec.noise_reading_sd_db = 0; }, "noise_reading_sd_db");
}

void a_run_can_be_cancelled()
{
    const std::atomic<bool> now{true};
    try {
        run(grid(4, "none", 4.0), now);
    } catch (const Cancelled &) {
        return;
    }
    CHECK(false && "the run went on");
}

} // namespace

int main()
{
    every_strategy_conserves_packets();
    overload_drops_inside_the_network();
    objects_arrive_beside_traffic();
    sources_that_fail_are_given_up();
    bad_bulk_specs_are_refused();
    same_seed_same_bytes();
    strategies_are_paired();
    bad_specs_are_refused();
    a_run_can_be_cancelled();
    leaves_sleep_for_their_part_of_the_period();
    failed_nodes_fall_silent_and_lose_what_they_hold();
    links_lose_frames_and_routes_change();
}
