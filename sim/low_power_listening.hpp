// Low-power listening: radios that sleep and look at the channel now and then (B-MAC; thesis 2.3.3).
//
// A node with nothing to do keeps its radio down. Once in every check interval, at a phase of its own, it starts the
// radio and takes energy readings as for a clear-channel assessment. One reading near the noise floor, and it goes back
// to sleep. If all are above it, it listens: whoever sends makes the preamble longer than the check interval, so a
// preamble that is on air at a check is heard, and the frame after it. The node sleeps again when the reception and
// what follows from it (an acknowledgement, a frame to forward) are done, or after a time-out when nothing came: the
// energy was noise, or a frame that it could not follow. A node with a frame to send starts its radio at once, backs
// off, senses, sends, waits for the acknowledgement, and sleeps again when it has nothing more.
//
//         asleep ---- check is due ----> starting up ---> sampling --- quiet ---> asleep
//           |                                                |
//           +---- a frame waits ---> starting up --+         | energy
//                                                  v         v
//         asleep <---- MAC at rest, or time-out --- listening
//
// Sources, and where they leave a choice:
// - The order of things: Polastre, Hill and Culler, SenSys 2004 (B-MAC), section on low power listening.
// - How near the noise floor counts as quiet. The paper uses its clear-channel assessment unchanged; with the spread of
//   this world's readings, five of them find a silent channel busy in about one check of five. TinyOS 2's CC1000 stack
//   (CC1000CsmaP, by the same group) goes back to sleep on a reading less than a quarter of the ADC value beyond its
//   noise floor, which is 10 to 14 dB at the CC1000's RSSI slope. `check_margin_db` is that; 0 is the paper's rule.
//   Signals weaker than the margin wake nobody: at 10 dB these are links that lose every other frame anyway.
// - The time-out: 30 ms (TIME_AFTER_CHECK of the same source), more than the longest a frame lasts after its preamble.
//   A radio that follows a preamble or a frame when it ends gets another one.
// - The preamble: the check interval and then the ordinary one, of which a radio that woke at the last moment still has
//   enough to find. (TinyOS 2: 22 bytes more than the interval. With none to spare, each check that falls on a
//   preamble's last bytes would miss its frame.)
// - A quiet check is also a reading for the noise floor, as in TinyOS 2.
// - A sink has a mains supply in most deployments and can stay on (`sink_always_on`).
//
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "csma.hpp"

#include <cstdint>
#include <vector>

namespace penstock {

class LowPowerListening {
public:
    // Takes one timer per node from `first_slot` on. The spec's check interval must not be 0.
    LowPowerListening(const WorldSpec &spec, const RadioProfile &radio, EventQueue &events, EventQueue::Slot first_slot,
                      Csma &mac, Medium &medium);
    // Everybody sleeps.
    void start(Time now);
    void on_timer(Node node, Time now);

    // From the MAC of a node whose radio is down or being tested: it has a frame to send.
    void frame_waits(Node node, Time now);
    // From the MAC: it has nothing to do any more.
    void mac_rests(Node node, Time now) { events_.set(slot(node), now); }
    // The node powers its radio down for good, or takes up its checks again.
    void suspend(Node node);
    void take_up(Node node, Time now);

private:
    enum class Phase : std::uint8_t { Asleep, StartingUp, Sampling, Listening };

    struct Listener {
        Phase phase = Phase::Asleep;
        bool stays_on = false; // what is known so far: it will listen after starting up, or after sampling
        Time offset = 0;       // of its checks
    };

    void start_up(Node node, Time now);
    void sample(Node node, Time now);
    void listen(Node node, Time now);
    void sleep(Node node, Time now);
    [[nodiscard]] Time next_check(Node node, Time now) const;
    [[nodiscard]] EventQueue::Slot slot(Node node) const { return first_slot_ + node; }

    const RadioProfile &radio_;
    EventQueue &events_;
    EventQueue::Slot first_slot_;
    Csma &mac_;
    Medium &medium_;
    Time interval_;
    double margin_;  // linear
    Node always_on_; // NOBODY: everybody sleeps
    std::vector<Listener> listeners_;
};

} // namespace penstock
