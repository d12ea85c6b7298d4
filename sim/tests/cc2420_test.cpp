// The CC2420 and its two MACs: when things happen, to the nanosecond.
//
// SPDX-License-Identifier: BSD-3-Clause
#include "check.hpp"
#include "csma_rules.hpp"
#include "few_nodes.hpp"
#include "modulation.hpp"

#include <algorithm>
#include <cmath>
#include <string>

using namespace penstock;

namespace {

const RadioProfile &RADIO = *radio_profile("cc2420");
constexpr Time US = NS_PER_US;
constexpr Time BYTE = 32 * US;
constexpr int FRAME = 40;
constexpr Time FRAME_TIME = (4 + 2 + FRAME) * BYTE;
constexpr Time ACK_TIME = 11 * BYTE;
constexpr Time TURNAROUND = 192 * US;

WorldSpec spec_of(const char *mac, std::uint32_t nodes, std::uint64_t seed, double snr_db = 40.0)
{
    WorldSpec spec = room_spec(nodes, snr_db);
    spec.seed = seed;
    spec.radio = "cc2420";
    spec.mac = mac;
    spec.max_frame_bytes = FRAME;
    spec.preamble_bytes = 4;
    spec.sync_bytes = 2;
    return spec;
}

void test_data_sheet()
{
    CHECK_NEAR(static_cast<double>(RADIO.bytes(1)), static_cast<double>(BYTE), 0.5);
    CHECK_NEAR(static_cast<double>(RADIO.bytes(4 + 2 + RADIO.ack_bytes)), 352e3, 0.5);
    CHECK_NEAR(RADIO.transmit_ma(0.0), 17.4, 1e-9);
    CHECK_NEAR(RADIO.transmit_ma(-10.0), 11.2, 1e-9);
    CHECK_NEAR(RADIO.transmit_ma(-20.0), 9.2, 1e-9);
    CHECK_NEAR(RADIO.transmit_ma(-25.0), 8.5, 1e-9);
    // Sensitivity: at -95 dBm over a floor of -95.5, one 20-byte frame in a hundred is lost (preamble byte, start of
    // frame and length included).
    const double bit_error = oqpsk_dsss_bit_error_rate(std::pow(10.0, 0.05));
    CHECK_NEAR(1.0 - std::pow(1.0 - bit_error, 8 * 23), 0.01, 0.002);
    // Co-channel rejection: the same beside a signal 3 dB below.
    const double beside = oqpsk_dsss_bit_error_rate(std::pow(10.0, 0.3) / RADIO.interference_weight);
    CHECK_NEAR(1.0 - std::pow(1.0 - beside, 8 * 23), 0.01, 0.002);
}

void test_error_curve()
{
    const ErrorCurve curve(RADIO.modulation, RADIO.bandwidth_per_rate);
    CHECK_NEAR(oqpsk_dsss_bit_error_rate(0.0), 0.5, 1e-12);
    CHECK_NEAR(oqpsk_dsss_bit_error_rate(1.0), 1.6152669e-4, 1e-11);
    for (double db = -29.9; db < 3.0; db += 0.013) {
        const double exact = std::log1p(-oqpsk_dsss_bit_error_rate(std::pow(10.0, db / 10.0)));
        CHECK_NEAR(curve.log_bit_success(std::pow(10.0, db / 10.0)), exact, 4e-3 * std::fabs(exact) + 1e-12);
    }
}

// One frame and its acknowledgement in an empty room: all but the backoff is fixed, and that is a number of steps.
void test_one_frame(const char *mac, Time before, Time after, Time step, int least, int most)
{
    Time shortest = NEVER;
    Time longest = 0;
    for (std::uint64_t seed = 1; seed <= 400; ++seed) {
        Room room(spec_of(mac, 3, seed), RADIO);
        room.send(0, 1, 0);
        room.run_until(NS_PER_S);
        CHECK(room.done.size() == 1 && room.done[0].outcome == Outcome::Done && room.attempts == 1);
        CHECK(std::ranges::count_if(room.heard, [](const Room::Heard &heard) { return heard.at == 1; }) == 1);
        CHECK(std::ranges::count_if(room.heard, [](const Room::Heard &heard) { return heard.at == 2; }) == 1);
        const Time backoff = room.done[0].time - before - FRAME_TIME - after;
        const double steps = static_cast<double>(backoff) / static_cast<double>(step);
        CHECK_NEAR(steps, std::round(steps), 1e-2); // times are whole nanoseconds
        shortest = std::min(shortest, backoff);
        longest = std::max(longest, backoff);
    }
    CHECK(shortest >= least * step - least && longest <= most * step + most);
    CHECK(static_cast<double>(shortest) <= (least + 0.03 * (most - least)) * static_cast<double>(step));
    CHECK(static_cast<double>(longest) >= (most - 0.03 * (most - least)) * static_cast<double>(step));
}

void test_timing()
{
    test_one_frame("ieee802154", 128 * US + TURNAROUND, TURNAROUND + ACK_TIME, 320 * US, 0, 7);
    const Time spi = std::llround(16e9 / 1'048'576.0);
    const Time tick = std::llround(1e9 / 32'768.0);
    const Time looks = std::llround(7e9 / 32'768.0);
    test_one_frame("tinyos_cc2420", (1 + FRAME - FCS_BYTES) * spi + looks + TURNAROUND,
                   8 * spi + TURNAROUND + ACK_TIME + 6 * spi, tick, 11, 320);
}

constexpr double JIFFY = 256e9 / 7'372'800.0; // of the MicaZ

Time micaz_byte()
{
    return std::llround(16e9 / 7'372'800.0);
}

// The MicaZ: a backoff of 10, 20 ... 160 jiffies, a bus of half of its clock, and a receiver that reads all first.
void test_micaz()
{
    const Time spi = micaz_byte();
    test_one_frame("tinyos1_cc2420", (1 + FRAME - FCS_BYTES) * spi + TURNAROUND,
                   (1 + FRAME) * spi + TURNAROUND + ACK_TIME + 6 * spi, std::llround(10 * JIFFY), 1, 16);
    WorldSpec spec = spec_of("tinyos1_cc2420", 2, 1);
    CHECK(csma_rules(spec, RADIO).deferred.empty());
    spec.defers = true;
    const CsmaRules rules = csma_rules(spec, RADIO);
    // Its timer counts to 255, and goes on by the high byte alone.
    CHECK_NEAR(static_cast<double>(rules.steps[25]), 250 * JIFFY, 1.0);
    CHECK_NEAR(static_cast<double>(rules.steps[26]), 256 * JIFFY, 1.0);
    CHECK_NEAR(static_cast<double>(rules.steps[64]), 257 * JIFFY, 1.0);
    CHECK_NEAR(static_cast<double>(rules.deferred[1]), 160 * JIFFY, 1.0);
    CHECK_NEAR(static_cast<double>(rules.deferred[64]), 258 * JIFFY, 1.0);
}

// Two have a frame for a third. Whoever is second begins anew when it has heard the frame, and again when it has heard
// the acknowledgement.
void test_micaz_defers()
{
    const Time spi = micaz_byte();
    int in_turn = 0;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        WorldSpec spec = spec_of("tinyos1_cc2420", 3, seed);
        spec.defers = true;
        Room room(spec, RADIO);
        room.send(0, 1, 0);
        room.send(2, 1, 0);
        room.run_until(NS_PER_S);
        CHECK(room.done.size() == 2);
        if (room.done[0].outcome != Outcome::Done || room.done[1].outcome != Outcome::Done) {
            continue; // they began at the same moment
        }
        ++in_turn;
        const Time ack_heard = room.done[0].time - 6 * spi;
        const Time rest = TURNAROUND + FRAME_TIME + (1 + FRAME) * spi + TURNAROUND + ACK_TIME + 6 * spi;
        const double jiffies = static_cast<double>(room.done[1].time - ack_heard - rest) / JIFFY;
        CHECK_NEAR(jiffies, std::round(jiffies), 1e-3);
        CHECK(jiffies > 159.5 && jiffies < 258.5);
    }
    CHECK(in_turn > 80);
}

// Nobody answers: the sender waits as long as its rules say, and its radio listens meanwhile.
void test_no_acknowledgement(const char *mac, Time wait)
{
    WorldSpec spec = spec_of(mac, 2, 1);
    spec.links_gain_db[0] = ROOM_NOISE_DBM - 15.0; // from 0 to 1
    Room room(spec, RADIO);
    room.send(0, 1, 0);
    Time ended = 0;
    while (room.done.empty()) {
        ended += 10 * US;
        room.run_until(ended);
        CHECK(ended < NS_PER_S);
    }
    CHECK(room.done[0].outcome == Outcome::NoAck);
    const Time silent = room.done[0].time - wait;
    Room again(spec, RADIO);
    again.send(0, 1, 0);
    again.run_until(silent - 1);
    CHECK(again.medium.state(0) == RadioState::Deaf);
    again.run_until(silent);
    CHECK(again.medium.state(0) == RadioState::Idle);
    again.send(1, 0, silent);
    again.run_until(NS_PER_S);
    CHECK(std::ranges::any_of(again.heard, [](const Room::Heard &heard) { return heard.at == 0 && heard.from == 1; }));
}

// A channel that stays busy: CSMA-CA gives the frame back after five looks, unsent; TinyOS waits for its end.
void test_busy_channel()
{
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        WorldSpec spec = spec_of("ieee802154", 3, seed);
        spec.max_frame_bytes = 127;
        Room room(spec, RADIO);
        room.medium.make_deaf(2, 0);
        room.medium.transmit(2, Signal::Beacon, 2000, NOBODY, 0); // 64 ms
        room.send(0, 1, 0);
        room.run_until(60'000 * US);
        CHECK(room.done.size() == 1 && room.done[0].outcome == Outcome::NoChannel && room.attempts == 0);
        CHECK(room.mac.busy_count(0) == 5);
        CHECK(room.done[0].time <= Time{7 + 15 + 31 + 31 + 31} * 320 * US + Time{5} * 128 * US);

        spec.mac = "tinyos_cc2420";
        Room patient(spec, RADIO);
        patient.medium.make_deaf(2, 0);
        patient.medium.transmit(2, Signal::Beacon, 2000, NOBODY, 0);
        patient.send(0, 1, 0);
        patient.run_until(60'000 * US);
        CHECK(patient.done.empty() && patient.attempts == 0 && patient.mac.busy_count(0) > 20);
        patient.run_until(100'000 * US);
        CHECK(std::ranges::any_of(
            patient.done, [](const Room::Done &done) { return done.node == 0 && done.outcome == Outcome::Done; }));
    }
}

// Capture through SINR: on equal terms both frames are lost; 3 dB (the data sheet's co-channel rejection) save the
// stronger one.
void test_capture()
{
    for (const double advantage_db : {0.0, 3.0}) {
        WorldSpec spec = spec_of("ieee802154", 3, 1);
        for (std::size_t i = 0; i < spec.links_src.size(); ++i) {
            spec.links_gain_db[i] += spec.links_src[i] == 1 ? advantage_db : 0.0;
        }
        Room room(spec, RADIO);
        for (const Node sender : {Node{1}, Node{2}}) {
            room.medium.make_deaf(sender, 0);
        }
        room.medium.transmit(1, Signal::Beacon, FRAME, NOBODY, 0);
        room.medium.transmit(2, Signal::Beacon, FRAME, NOBODY, 0);
        room.medium.make_idle(0, 0);
        CHECK(room.medium.state(0) == RadioState::Acquiring);
        room.run_until(2 * FRAME_TIME);
        const bool heard = std::ranges::any_of(room.heard, [](const Room::Heard &frame) { return frame.at == 0; });
        CHECK(heard == (advantage_db > 0.0));
        CHECK(room.medium.totals().receptions_corrupted == (heard ? 0u : 1u));
    }
}

// What the chip says of frames: the power of everything, and from 110 for the best down to 50 for the worst.
void test_quality()
{
    std::uint8_t before = 0;
    for (const double snr_db : {-1.0, 0.0, 3.0, 10.0, 40.0}) {
        std::size_t heard = 0;
        for (std::uint64_t seed = 1; seed <= 40; ++seed) {
            Room room(spec_of("ieee802154", 2, seed, snr_db), RADIO);
            room.send(0, 1, 0);
            room.run_until(NS_PER_S);
            for (const Room::Heard &frame : room.heard) {
                const double power_mw = dbm_to_mw(ROOM_NOISE_DBM) * (1.0 + std::pow(10.0, snr_db / 10.0));
                CHECK(frame.rssi_dbm == rounded_dbm(power_mw));
                const double wrong = 0.5 * std::erfc(std::sqrt(0.625 * std::pow(10.0, snr_db / 10.0)));
                CHECK_NEAR(frame.lqi, 110.0 * (1.0 - 2.0 * wrong), 0.51);
                CHECK(heard++ > 0 || frame.lqi >= before);
                before = frame.lqi;
            }
        }
        CHECK(heard > 0);
    }
    CHECK(before == 110); // at 40 dB
    CHECK(RADIO.link_quality(0.0) == 50);
    CHECK(radio_profile("cc1000")->link_quality == nullptr);
}

void test_rules()
{
    CHECK(csma_exists("bmac") && csma_exists("tinyos_cc2420") && csma_exists("tinyos1_cc2420") &&
          csma_exists("ieee802154") && !csma_exists("csma"));
    CHECK(csma_fits("bmac", "cc1000") && !csma_fits("bmac", "cc2420") && !csma_fits("ieee802154", "cc1000"));
    const CsmaRules rules = csma_rules(spec_of("ieee802154", 2, 1), RADIO);
    CHECK(rules.window(0).choices == 8 && rules.window(1).choices == 16 && rules.window(2).choices == 32);
    CHECK(rules.window(4).choices == 32 && rules.most_busy == 5 && rules.ack_wait == 864 * US);
    CHECK(rules.packet_time == Time{7} * 320 * US + Time{128} * US + TURNAROUND + FRAME_TIME + TURNAROUND + ACK_TIME);
    WorldSpec slow = spec_of("ieee802154", 2, 1);
    slow.processing_s = 0.005;
    CHECK(csma_rules(slow, RADIO).packet_time == rules.packet_time + 5000 * US);
}

} // namespace

int main()
{
    test_data_sheet();
    test_error_curve();
    test_rules();
    test_quality();
    test_timing();
    test_no_acknowledgement("ieee802154", 864 * US);
    test_no_acknowledgement("tinyos_cc2420", std::llround(256e9 / 32'768.0));
    test_no_acknowledgement("tinyos1_cc2420", std::llround(150 * JIFFY));
    test_micaz();
    test_micaz_defers();
    test_busy_channel();
    test_capture();
}
