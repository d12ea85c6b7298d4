// When applications make readings, and what becomes of those that wait too long.
//
// SPDX-License-Identifier: BSD-3-Clause
#include "applications.hpp"
#include "check.hpp"

#include <vector>

using namespace penstock;

namespace {

constexpr std::uint32_t NODES = 4;

WorldSpec silent_world()
{
    WorldSpec spec;
    spec.seed = 7;
    spec.node_count = NODES;
    spec.sink = 0;
    spec.rate_pps.assign(NODES, 0.0);
    spec.event_packets.assign(NODES, 0);
    spec.event_first_s.assign(NODES, 0.0);
    spec.event_period_s = 20;
    spec.sleep_s.assign(NODES, 0.0);
    spec.fail_at_s.assign(NODES, 1e9);
    return spec;
}

struct Bench {
    explicit Bench(const WorldSpec &spec) : events(NODES), log(spec, records)
    {
        records.nodes.resize(NODES);
        applications.emplace_back(spec, events, 0, records, log);
        applications[0].begin(seconds(100));
    }

    // Lets everything happen before `end`, in seconds from the beginning of measuring.
    void run_until(double end)
    {
        while (events.next_time() < seconds(100 + end)) {
            const Time now = events.next_time();
            applications[0].on_timer(events.pop(), now);
        }
    }

    Records records;
    EventQueue events;
    PacketLog log;
    std::vector<Applications> applications;
};

void events_come_when_each_clock_says_so()
{
    WorldSpec spec = silent_world();
    spec.event_packets = {3, 3, 2, 0}; // the sink's are ignored
    spec.event_first_s = {0.0, 0.010, 0.112, 0.0};
    Bench bench(spec);
    bench.run_until(60);
    CHECK(bench.records.nodes[0].generated == 0);
    CHECK(bench.records.nodes[1].generated == 9);
    CHECK(bench.records.nodes[2].generated == 6);
    CHECK(bench.records.nodes[3].generated == 0);
    for (const PacketRecord &packet : bench.records.packets) {
        const auto node = static_cast<std::size_t>(packet.origin);
        const std::uint32_t event = packet.seq / static_cast<std::uint32_t>(spec.event_packets[node]);
        CHECK(packet.generated == seconds(100 + spec.event_first_s[node] + 20.0 * event));
    }
}

void a_burst_waits_and_gives_way_to_the_next()
{
    WorldSpec spec = silent_world();
    spec.event_packets[1] = 4;
    Bench bench(spec);
    Applications &applications = bench.applications[0];
    bench.run_until(1);
    CHECK(applications.waiting(1) == 0 && applications.waiting_count(1) == 4);
    applications.taken(1, seconds(101));
    applications.taken(1, seconds(101));
    CHECK(applications.waiting(1) == 2);
    bench.run_until(21);
    CHECK(applications.waiting(1) == 4 && applications.waiting_count(1) == 4);
    CHECK(bench.records.nodes[1].drops[PENSTOCK_DROP_REFUSED] == 2);
    CHECK(bench.records.packets[1].fate == Fate::Unknown); // the stack has it
    CHECK(bench.records.packets[2].fate == Fate::Dropped && bench.records.packets[3].fate == Fate::Dropped);
}

void a_periodic_reading_waits_and_the_next_is_lost()
{
    WorldSpec spec = silent_world();
    spec.rate_pps[2] = 2.0;
    Bench bench(spec);
    Applications &applications = bench.applications[0];
    bench.run_until(2);
    CHECK(bench.records.nodes[2].generated == 4);
    CHECK(applications.waiting(2) == 0 && applications.waiting_count(2) == 1);
    CHECK(bench.records.nodes[2].drops[PENSTOCK_DROP_REFUSED] == 3);
    for (std::size_t i = 1; i < 4; ++i) {
        CHECK(bench.records.packets[i].generated - bench.records.packets[i - 1].generated == seconds(0.5));
    }
    applications.taken(2, seconds(102));
    CHECK(applications.waiting(2) == NO_PACKET);
}

void a_sleeper_wakes_in_time_to_listen()
{
    WorldSpec spec = silent_world();
    spec.rate_pps[3] = 0.5;
    spec.sleep_s[3] = 1.5;
    Bench bench(spec);
    Applications &applications = bench.applications[0];
    const Time first = bench.events.time_of(3); // the reading that ends the period in which measuring began
    CHECK(applications.may_sleep(3, first - seconds(0.5) - 1) && !applications.may_sleep(3, first - seconds(0.5)));
    while (bench.records.nodes[3].generated == 0) {
        applications.on_timer(bench.events.pop(), first);
    }
    CHECK(!applications.may_sleep(3, first)); // its reading waits
    applications.taken(3, first);
    CHECK(applications.may_sleep(3, first));
    applications.sleep(3);
    CHECK(applications.asleep(3) && !applications.may_sleep(3, first));
    CHECK(bench.events.time_of(3) == first + seconds(1.5));
    applications.wake(3);
    CHECK(!applications.asleep(3) && bench.events.time_of(3) == first + seconds(2));
    CHECK(!applications.may_sleep(3, first + seconds(1.5))); // the rest it listens
}

void a_pace_slows_down_and_recovers()
{
    WorldSpec spec = silent_world();
    spec.rate_pps[1] = 1.0;
    spec.aimd_increase_pps = 0.5;
    spec.aimd_decrease = 0.5;
    spec.aimd_longest_s = 60;
    Bench bench(spec);
    Applications &applications = bench.applications[0];
    bench.run_until(1);
    const Time now = seconds(101);
    CHECK(applications.may_offer(1, now));
    applications.refused(1, now); // half of 1 packet/s from now on
    CHECK(applications.waiting(1) != NO_PACKET);
    CHECK(!applications.may_offer(1, now + seconds(1.99)));
    CHECK_NEAR(to_seconds(applications.offer_at(1, now) - now), 2.0, 0.01);
    CHECK(applications.may_offer(1, now + seconds(2.01)));
    applications.taken(1, now + seconds(2.01)); // and back at it
    CHECK_NEAR(to_seconds(applications.offer_at(1, now + seconds(2.01)) - now), 3.01, 0.01);
}

void a_stopped_application_is_silent()
{
    WorldSpec spec = silent_world();
    spec.rate_pps[1] = 1.0;
    Bench bench(spec);
    bench.run_until(1);
    bench.applications[0].stop(1);
    CHECK(bench.applications[0].waiting(1) == NO_PACKET);
    bench.run_until(10);
    CHECK(bench.records.nodes[1].generated == 1);
}

void add_flow(WorldSpec &spec, std::int32_t node, double start, double stop, double rate, std::uint32_t packets)
{
    spec.flow_source.push_back(node);
    spec.flow_start_s.push_back(start);
    spec.flow_stop_s.push_back(stop);
    spec.flow_rate_pps.push_back(rate);
    spec.flow_packets.push_back(packets);
}

void a_backlogged_flow_makes_packets_as_the_stack_takes_them()
{
    WorldSpec spec = silent_world();
    add_flow(spec, 1, 5, 20, 0, 0);
    add_flow(spec, 2, 0, 20, 0, 2);
    Bench bench(spec);
    Applications &applications = bench.applications[0];
    bench.run_until(4.9);
    CHECK(!applications.has_packet(1) && applications.has_packet(2) && !applications.has_packet(3));
    bench.run_until(6);
    CHECK(applications.has_packet(1) && applications.waiting(1) == NO_PACKET && bench.records.packets.empty());
    for (std::uint32_t packet = 0; packet < 5; ++packet) {
        CHECK(applications.taken(1, seconds(110)) == packet && applications.has_packet(1));
        CHECK(bench.records.packets[packet].generated == seconds(110) && bench.records.packets[packet].flow == 0);
    }
    CHECK(applications.taken(2, seconds(111)) == 5 && applications.has_packet(2));
    CHECK(applications.taken(2, seconds(111)) == 6 && !applications.has_packet(2)); // that was all
    bench.run_until(20.1);
    CHECK(!applications.has_packet(1) && bench.events.next_time() == NEVER);
    CHECK(bench.records.nodes[1].generated == 5 && bench.records.nodes[1].drops[PENSTOCK_DROP_REFUSED] == 0);
}

void a_steady_flow_loses_what_waits_when_it_ends()
{
    WorldSpec spec = silent_world();
    add_flow(spec, 3, 2, 12, 0.5, 0);
    add_flow(spec, 3, 12, 40, 1.0, 3);
    Bench bench(spec);
    Applications &applications = bench.applications[0];
    bench.run_until(11.99);
    CHECK(bench.records.nodes[3].generated == 5 && applications.waiting(3) == 0);
    CHECK(bench.records.packets[1].generated - bench.records.packets[0].generated == seconds(2));
    CHECK(bench.records.packets[0].generated >= seconds(102));
    bench.run_until(12.0000001);
    CHECK(applications.waiting(3) == NO_PACKET); // the next flow has begun
    CHECK(bench.records.packets[0].reason == PENSTOCK_DROP_REFUSED && bench.records.packets[0].flow == 0);
    bench.run_until(39);
    CHECK(bench.records.nodes[3].generated == 8 && bench.records.packets[7].flow == 1);
    applications.stop(3);
    CHECK(!applications.has_packet(3));
}

} // namespace

int main()
{
    a_backlogged_flow_makes_packets_as_the_stack_takes_them();
    a_steady_flow_loses_what_waits_when_it_ends();
    a_sleeper_wakes_in_time_to_listen();
    a_pace_slows_down_and_recovers();
    a_stopped_application_is_silent();
    events_come_when_each_clock_says_so();
    a_burst_waits_and_gives_way_to_the_next();
    a_periodic_reading_waits_and_the_next_is_lost();
}
