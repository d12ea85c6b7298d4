// Bursts of noise: when they come, whom they reach, and what they do to frames and to looks at the channel.
//
// SPDX-License-Identifier: BSD-3-Clause
#include "interference.hpp"

#include "check.hpp"
#include "few_nodes.hpp"

#include <cmath>
#include <vector>

using namespace penstock;

namespace {

const RadioProfile &RADIO = *radio_profile("cc2420");
constexpr Time US = NS_PER_US;
constexpr Time AIR = 200 * US;
constexpr double NOISE_DBM = -95.0;

// Two nodes 10 m apart and a source 1 m beside the first one; no chance in the channel.
WorldSpec spec_of(double power_dbm, std::uint64_t seed = 1)
{
    WorldSpec spec;
    spec.seed = seed;
    spec.channel_seed = seed;
    spec.node_count = 3;
    spec.radio = "cc2420";
    spec.mac = "ieee802154";
    spec.positions = {{0, 0}, {10, 0}, {1e5, 0}};
    spec.noise_floor_dbm.assign(3, NOISE_DBM);
    spec.path_loss_exponent = 3;
    spec.path_loss_1m_db = 40;
    spec.interference_cutoff_db = 10;
    spec.max_frame_bytes = 40;
    spec.preamble_bytes = 4;
    spec.sync_bytes = 2;
    spec.settle_s = 1;
    spec.interferers = {{-1, 0}};
    spec.interference_source = {0, 0};
    spec.interference_from_s = {0.5, 2};
    spec.interference_to_s = {1.5, 3};
    spec.interference_pps = {100, 1000};
    spec.interference_dbm = {power_dbm, power_dbm};
    spec.interference_air_s = {200e-6, 200e-6};
    spec.interference_together = {1, 1};
    spec.interference_gap_s = 28e-6;
    spec.interference_jitter_s = 135e-6;
    return spec;
}

class Nobody final : public RadioUser {
public:
    void reception_began(Node) override {}
    void reception_ended(Node node, Node, Signal, bool intact) override { intact_at.push_back(intact ? node : NOBODY); }
    void ack_received(Node) override {}
    void transmission_ended(Node node, Signal) override { ended_at = node; }
    void interference_fell(Node) override {}

    std::vector<Node> intact_at;
    Node ended_at = NOBODY;
};

struct Air {
    explicit Air(const WorldSpec &spec)
        : channel(spec),
          events(spec.node_count + spec.interferers.size()),
          medium(spec, channel, RADIO, events, 0, nobody),
          interference(spec, channel, events, spec.node_count, medium)
    {
        interference.start();
    }

    // The next event, if it comes before `end`.
    bool step(Time end)
    {
        now = events.next_time();
        if (now >= end) {
            return false;
        }
        const EventQueue::Slot slot = events.pop();
        if (slot < 3) {
            medium.on_event(slot, now);
        } else {
            interference.on_timer(slot - 3, now);
        }
        return true;
    }

    Nobody nobody;
    Channel channel;
    EventQueue events;
    Medium medium;
    Interference interference;
    Time now = 0;
};

void test_schedule()
{
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        Air air(spec_of(-10, seed));
        int first = 0;
        int second = 0;
        Time until = 0;
        bool on = false;
        while (air.step(10 * NS_PER_S)) {
            on = air.medium.noise_mw(0) > dbm_to_mw(NOISE_DBM);
            if (!on) {
                CHECK(air.now - until == AIR);
                continue;
            }
            CHECK(until == 0 || air.now >= until + AIR + 28 * US);
            until = air.now;
            first += air.now >= 1'500'000 * US && air.now < 2'500'000 * US + 135 * US ? 1 : 0;
            second += air.now >= 3 * NS_PER_S && air.now < 4 * NS_PER_S + 135 * US ? 1 : 0;
        }
        CHECK(!on);
        CHECK(first == 100 && second == 1000); // a second of each, from a random phase on
        CHECK(air.interference.bursts() == 1100);
    }
}

// Four at once, then nothing until the next four are due.
void test_together()
{
    WorldSpec spec = spec_of(-10);
    spec.interference_together = {4, 4};
    Air air(spec);
    std::vector<Time> begins;
    while (air.step(2'500'000 * US)) {
        if (air.medium.noise_mw(0) > dbm_to_mw(NOISE_DBM)) {
            begins.push_back(air.now);
        }
    }
    CHECK(begins.size() == 100);
    for (std::size_t i = 1; i < begins.size(); ++i) {
        const Time apart = begins[i] - begins[i - 1];
        if (i % 4 == 0) {
            CHECK(apart > 37'000 * US && apart < 40'000 * US);
        } else {
            CHECK(apart >= AIR + 28 * US && apart <= AIR + (28 + 135) * US);
        }
    }
}

// The power falls by the channel's law; what stays below the cut-off is not there.
void test_reach()
{
    Air air(spec_of(-10));
    CHECK(air.step(10 * NS_PER_S));
    CHECK_NEAR(air.medium.noise_mw(0), dbm_to_mw(NOISE_DBM) + dbm_to_mw(-50), 1e-12);
    CHECK_NEAR(mw_to_dbm(air.medium.noise_mw(1) - dbm_to_mw(NOISE_DBM)), -10 - 40 - 30 * std::log10(11.0), 1e-6);
    CHECK(air.medium.noise_mw(2) == air.channel.noise_mw(2));
    CHECK(air.step(10 * NS_PER_S));
    for (const Node node : {Node{0}, Node{1}, Node{2}}) {
        CHECK(air.medium.noise_mw(node) == air.channel.noise_mw(node));
    }
}

// A frame from far away that a burst meets is lost when the burst is strong, and survives a weak one.
void test_frames()
{
    for (const bool strong : {false, true}) {
        WorldSpec spec = spec_of(strong ? -10.0 : -55.0);
        Air air(spec);
        const Time burst = air.events.next_time();
        air.medium.make_deaf(1, 0);
        air.events.set(1, NEVER - 1);
        // Begins so that the burst falls into its middle.
        air.now = burst - 700 * US;
        air.medium.transmit(1, Signal::Beacon, 40, NOBODY, air.now);
        while (air.nobody.ended_at == NOBODY) {
            CHECK(air.step(10 * NS_PER_S));
        }
        CHECK(air.interference.bursts() == 1);
        CHECK(air.nobody.intact_at.size() == 1);
        CHECK((air.nobody.intact_at[0] == 0) == !strong);
    }
}

// Counts like white noise, not like another frame: the error curve at the burst's power.
void test_weight()
{
    Air air(spec_of(-20));
    CHECK(air.step(10 * NS_PER_S));
    const double noise_mw = air.medium.noise_mw(0);
    CHECK_NEAR(mw_to_dbm(noise_mw), -60.0, 0.01);
    air.medium.make_deaf(1, air.now);
    CHECK(air.medium.state(0) == RadioState::Idle);
    air.medium.transmit(1, Signal::Beacon, 40, NOBODY, air.now); // -70 dBm: hidden under the burst
    CHECK(air.medium.state(0) == RadioState::Idle);
}

} // namespace

int main()
{
    test_schedule();
    test_together();
    test_reach();
    test_frames();
    test_weight();
}
