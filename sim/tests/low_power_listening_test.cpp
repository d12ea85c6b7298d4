// Radios that look at the channel now and then: nothing that is sent to them may slip through between two looks.
//
// SPDX-License-Identifier: BSD-3-Clause
#include "check.hpp"
#include "few_nodes.hpp"

using namespace penstock;

namespace {

const RadioProfile &RADIO = *radio_profile("cc1000");
constexpr Time MS = 1'000 * NS_PER_US;
constexpr Node SENDER = 0;
constexpr Node RECEIVER = 1;

// The sender never sleeps; the others look every `check_interval_s`.
WorldSpec napping(std::uint32_t nodes, double check_interval_s, double snr_db = 30.0)
{
    WorldSpec spec = room_spec(nodes, snr_db);
    spec.check_interval_s = check_interval_s;
    spec.sink = SENDER;
    spec.sink_always_on = true;
    return spec;
}

Time time_on_air(double check_interval_s)
{
    return RADIO.bytes(RADIO.preamble_bytes(18, check_interval_s) + 2 + 36);
}

void preambles_cover_the_interval()
{
    CHECK(RADIO.preamble_bytes(18, 0) == 18);
    for (const double interval : {0.01, 0.1, 0.1234, 1.6}) {
        const int bytes = RADIO.preamble_bytes(0, interval);
        CHECK(RADIO.bytes(bytes) >= seconds(interval));
        CHECK(RADIO.bytes(bytes - 1) < seconds(interval));
    }
}

// Wherever in the preamble the check falls.
void every_moment_of_the_preamble_will_do()
{
    for (const double interval : {0.01, 0.1, 1.6}) {
        constexpr int STEPS = 97;
        for (int step = 0; step < STEPS; ++step) {
            Room room(napping(2, interval), RADIO);
            const Time at = seconds(interval) * (STEPS + step) / STEPS;
            room.run_until(at);
            room.send(SENDER, RECEIVER, at);
            room.run_until(at + time_on_air(interval) + 100 * MS);
            CHECK(room.heard.size() == 1 && room.heard[0].for_us);
            CHECK(room.done.size() == 1 && room.done[0].outcome == Outcome::Done);
            CHECK(room.medium.state(RECEIVER) != RadioState::Idle); // asleep, or at its next check
        }
    }
}

// Between checks the receiver is off; after the frame and its acknowledgement it sleeps again, at once.
void it_sleeps_when_the_reception_is_dealt_with()
{
    constexpr double INTERVAL = 0.5;
    Room room(napping(2, INTERVAL), RADIO);
    room.run_until(NS_PER_S);
    room.send(SENDER, RECEIVER, NS_PER_S);
    room.run_until(NS_PER_S + 30 * time_on_air(INTERVAL));
    CHECK(room.heard.size() == 1);
    Room again(napping(2, INTERVAL), RADIO);
    again.run_until(NS_PER_S);
    again.send(SENDER, RECEIVER, NS_PER_S);
    again.run_until(room.heard[0].time - 1);
    CHECK(again.medium.state(RECEIVER) == RadioState::Deaf); // sending the acknowledgement
    again.run_until(room.heard[0].time);
    CHECK(again.medium.state(RECEIVER) == RadioState::Asleep);
}

// Who has a frame need not wait for a check of its own.
void a_frame_starts_the_radio()
{
    constexpr double INTERVAL = 1.6;
    Room room(napping(2, INTERVAL), RADIO);
    const Time at = 3 * NS_PER_S;
    room.run_until(at);
    room.send(RECEIVER, SENDER, at);
    room.run_until(at + RADIO.startup - 1);
    CHECK(room.medium.state(RECEIVER) == RadioState::StartingUp);
    const Time most = RADIO.startup + RADIO.bytes(32) + 5 * RADIO.rssi_sample + RADIO.turnaround;
    room.run_until(at + 2 * most);
    CHECK(room.attempts == 1);
    room.run_until(at + 2 * most + time_on_air(INTERVAL) + 50 * MS);
    CHECK(room.done.size() == 1 && room.done[0].outcome == Outcome::Done);
    CHECK(room.medium.state(RECEIVER) == RadioState::Asleep);
}

// A node that hears a frame for another one pays for what is left of its preamble, half of it on average.
void overhearing_costs_half_a_preamble()
{
    constexpr double INTERVAL = 0.2;
    constexpr Time FRAMES = 2000;
    const WorldSpec spec = napping(3, INTERVAL);
    Room room(spec, RADIO);
    for (Time i = 0; i < FRAMES; ++i) {
        const Time at = NS_PER_S * i + seconds(INTERVAL) * i / FRAMES;
        room.run_until(at);
        room.send(SENDER, RECEIVER, at);
    }
    room.run_until(NS_PER_S * FRAMES);
    CHECK(static_cast<Time>(room.heard.size()) == 2 * FRAMES);
    const double awake_s =
        to_seconds(room.medium.air_time(2, NS_PER_S * FRAMES).receiving()) / static_cast<double>(FRAMES);
    const double frame_s = to_seconds(time_on_air(INTERVAL));
    const double sampling_s = to_seconds(5 * RADIO.rssi_sample);
    // Uniform over the interval, from a whole preamble down to the 18 bytes beyond the interval. The backoff is random
    // by a fifteenth of the interval, so where it meets a check varies: 0.6 ms of standard deviation.
    CHECK_NEAR(awake_s, frame_s - INTERVAL / 2 - sampling_s, 0.0025);
}

// A check in the middle of a frame finds energy and no preamble: the time-out sends the node back to sleep.
void energy_without_a_preamble_ends_by_time_out()
{
    constexpr double INTERVAL = 0.1;
    WorldSpec spec = napping(2, INTERVAL);
    RadioProfile radio = RADIO;
    radio.rssi_noise_sd_db = 0.1; // one reading tells
    Room room(spec, radio);
    // When does the receiver look?
    Time look = 0;
    while (room.medium.state(RECEIVER) != RadioState::StartingUp) {
        room.run_until(look += MS / 10);
    }
    // The frame's last bytes are on air when it looks again; they are no preamble, so nothing is acquired.
    look += seconds(INTERVAL);
    const int tail_bytes = 20;
    const Time begin = look + RADIO.startup - (time_on_air(INTERVAL) - RADIO.bytes(tail_bytes));
    // It must sleep through the preamble, or it would follow the frame: so it is not listening before.
    room.mac.set_now(begin);
    room.run_until(begin);
    room.mac.sleep(RECEIVER, begin);
    room.medium.make_deaf(SENDER, begin);
    room.medium.transmit(SENDER, Signal::Beacon, 36, NOBODY, begin);
    const Time frame_begins = begin + RADIO.bytes(RADIO.preamble_bytes(18, INTERVAL) + 2);
    room.run_until(frame_begins);
    room.mac.wake(RECEIVER, frame_begins);
    const Time sampled = look + radio.startup + 5 * radio.rssi_sample;
    room.run_until(sampled + MS);
    CHECK(room.medium.state(RECEIVER) == RadioState::Idle);
    room.run_until(sampled + radio.listen_time_out - MS);
    CHECK(room.medium.state(RECEIVER) == RadioState::Idle);
    room.run_until(sampled + radio.listen_time_out + MS);
    CHECK(room.medium.state(RECEIVER) == RadioState::Asleep);
    CHECK(room.heard.empty());
}

// At the margin it is a matter of chance who wakes up; well below it nobody does.
void weak_signals_wake_nobody()
{
    for (const double snr_db : {7.0, 14.0}) {
        WorldSpec spec = napping(2, 0.1, snr_db);
        RadioProfile radio = RADIO;
        radio.rssi_noise_sd_db = 0.1;
        Room room(spec, radio);
        for (int i = 0; i < 20; ++i) {
            room.run_until(NS_PER_S * i);
            room.send(SENDER, NOBODY, NS_PER_S * i);
        }
        room.run_until(20 * NS_PER_S);
        CHECK(room.heard.size() == (snr_db < 10 ? 0 : 20));
    }
}

// A node's own sleep goes before its checks.
void a_node_that_is_down_does_not_check()
{
    Room room(napping(2, 0.1), RADIO);
    room.mac.sleep(RECEIVER, 0);
    CHECK(room.mac.asleep(RECEIVER));
    room.run_until(NS_PER_S);
    CHECK(room.medium.air_time(RECEIVER, NS_PER_S).in(RadioState::Asleep) == NS_PER_S);
    room.mac.wake(RECEIVER, NS_PER_S);
    CHECK(!room.mac.asleep(RECEIVER));
    room.run_until(2 * NS_PER_S);
    CHECK(room.medium.air_time(RECEIVER, 2 * NS_PER_S).in(RadioState::StartingUp) == 10 * RADIO.startup);

    room.send(RECEIVER, SENDER, 2 * NS_PER_S); // finished first
    room.mac.sleep(RECEIVER, 2 * NS_PER_S);
    CHECK(!room.mac.asleep(RECEIVER) || room.attempts == 0);
    room.run_until(3 * NS_PER_S);
    CHECK(room.mac.asleep(RECEIVER));
    CHECK(room.done.size() == 1 && room.done[0].outcome == Outcome::Done);
}

} // namespace

int main()
{
    preambles_cover_the_interval();
    every_moment_of_the_preamble_will_do();
    it_sleeps_when_the_reception_is_dealt_with();
    a_frame_starts_the_radio();
    overhearing_costs_half_a_preamble();
    energy_without_a_preamble_ends_by_time_out();
    weak_signals_wake_nobody();
    a_node_that_is_down_does_not_check();
}
