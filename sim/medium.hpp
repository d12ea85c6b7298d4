// Frames in the air, and what each receiver makes of them.
//
// Every concurrent transmission adds its power at every node it reaches, also beyond decoding
// range. A receiver that idles begins to acquire a frame when its preamble is clean enough to be
// noticed, locks on to it if the end of the preamble and the sync word come through, and keeps it if
// every bit until the end does, each judged by the SINR at its moment (piecewise constant between the
// starts and ends of transmissions).
//
// - Acquiring: it takes `acquire_bytes` preamble bytes in a row to leave idle, so a radio notices a
//   frame when that is more likely than not at the SINR of the moment. A stronger frame whose preamble
//   comes meanwhile takes over (capture): to the radio, both preambles are the same bytes.
// - At the sync word: the last `acquire_bytes` of the preamble and the sync word must be intact.
//   If not, the radio idles again, deaf to the rest of this frame.
// - After it: the radio follows its frame to the end, also when a stronger one destroys it, since
//   TinyOS 1.1 does not look for a new preamble before the frame's length is over.
// - A radio that turns idle during a preamble may still catch what is left of it.
//
// Two other rules can be chosen (`lock`). "first": no stronger preamble takes over, ever; so does a receiver that sets
// its gain and clock by the first preamble it sees. "recapture": a stronger frame takes over at any time, also after
// the sync word ("message in message"; Whitehouse, Woo, Jiang, Polastre and Culler, EmNetS 2005, make the CC1000 do it
// by looking for preambles within a frame).
//
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "channel.hpp"
#include "event_queue.hpp"
#include "forced_loss.hpp"
#include "modulation.hpp"
#include "radio_profile.hpp"
#include "random.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace penstock {

using Node = std::uint32_t;
inline constexpr Node NOBODY = UINT32_MAX;

// Which frame a receiver stays with when a stronger one comes: see the head of this file.
enum class Lock : std::uint8_t { Preamble, First, Recapture };
std::optional<Lock> lock_rule(std::string_view name);

// What a frame is: sensor data; whatever keeps the network going; an acknowledgement; a packet of a bulk transfer on
// its way up, or what is said down to its source.
enum class Signal : std::uint8_t { Data, Beacon, Ack, Bulk, Flood };
inline constexpr std::size_t SIGNAL_KINDS = 5;

// What a radio is doing.
enum class RadioState : std::uint8_t {
    Idle,      // listening, nothing noticed
    Acquiring, // a preamble
    Receiving, // a frame, after its sync word
    Deaf,      // turning around, flushing, or transmitting
    AckWait,   // looks for the acknowledgement of its own frame and nothing else
    Asleep,    // powered down
    StartingUp,
};
inline constexpr std::size_t RADIO_STATES = 7;

// Whoever uses the radios: the MACs.
class RadioUser {
public:
    virtual ~RadioUser() = default;
    virtual void reception_began(Node node) = 0;                                        // left Idle
    virtual void reception_ended(Node node, Node sender, Signal kind, bool intact) = 0; // is Idle again
    virtual void ack_received(Node node) = 0;                                           // ends AckWait
    virtual void transmission_ended(Node node, Signal kind) = 0;
    virtual void interference_fell(Node node) = 0; // below the level that it watches
};

class Medium {
public:
    struct Totals {
        std::uint64_t frames[SIGNAL_KINDS] = {}; // by Signal
        std::uint64_t receptions_started = 0;
        std::uint64_t receptions_corrupted = 0;
        std::uint64_t captures = 0;
        std::uint64_t forced_losses = 0;
    };

    struct AirTime { // per node, since the last reset
        Time transmitting = 0;
        std::array<Time, RADIO_STATES> in_state{};
        Time since = 0;
        [[nodiscard]] Time in(RadioState state) const { return in_state[static_cast<std::size_t>(state)]; }
        // Acquiring or receiving; a part of listening.
        [[nodiscard]] Time receiving() const { return in(RadioState::Acquiring) + in(RadioState::Receiving); }
    };

    Medium(const WorldSpec &spec, const Channel &channel, const RadioProfile &radio, EventQueue &events,
           EventQueue::Slot first_slot, RadioUser &user);

    // Puts a frame on air. The node's radio must be Deaf. For an acknowledgement, `to` is who waits for it.
    void transmit(Node node, Signal kind, int frame_bytes, Node to, Time now);
    // The same `delay` from now; the radio must stay Deaf.
    void transmit_after(Time delay, Node node, Signal kind, int frame_bytes, Node to, Time now);
    // The event of this node's transmission: it begins, its sync word has passed, or it ends.
    void on_event(Node node, Time now);

    // A frame that the radio was acquiring or receiving is lost.
    void make_deaf(Node node, Time now);
    void make_idle(Node node, Time now);
    void wait_for_ack(Node node, Node from, Time now);
    // Powers the radio down; a frame that it was acquiring or receiving is lost. It must not be transmitting.
    void sleep(Node node, Time now);
    // Powers it up: it takes the radio's start-up time, after which the caller makes it idle.
    void start_up(Node node, Time now);

    // From now on this is the noise at a node: that of its own and of what else is in the air.
    void set_noise(Node node, double noise_mw, Time now);

    // Reports each fall of the interference to less than `level_mw`, before anything else of the same event.
    void watch(Node node, double level_mw) { receivers_[node].watched_mw = level_mw; }
    void unwatch(Node node) { receivers_[node].watched_mw = UNWATCHED; }

    [[nodiscard]] RadioState state(Node node) const { return receivers_[node].state; }
    // What the radio says of the frame that it has followed last: the power it measured after the start of the frame,
    // others and noise included, and the frame's quality. A radio without link quality knows neither: 0 and 0.
    struct Quality {
        std::int8_t rssi_dbm = 0;
        std::uint8_t lqi = 0;
    };
    [[nodiscard]] Quality quality(Node node) const { return receivers_[node].quality; }

    // Power from others at this node, in mW, the noise floor not included.
    [[nodiscard]] double interference_mw(Node node) const { return receivers_[node].interference_mw; }
    [[nodiscard]] double noise_mw(Node node) const { return receivers_[node].noise_mw; }

    [[nodiscard]] const Totals &totals() const { return totals_; }
    [[nodiscard]] AirTime air_time(Node node, Time now) const;
    void reset_statistics(Time now);

    // The lowest SINR at which an idle radio notices a preamble (linear).
    [[nodiscard]] double acquisition_sinr() const { return acquisition_sinr_; }
    [[nodiscard]] int acquisition_bits() const { return acquisition_bits_; }
    [[nodiscard]] const ErrorCurve &errors() const { return errors_; }

private:
    static constexpr double UNWATCHED = -1.0;

    // One cache line: every start and end of a frame visits the receivers all around.
    struct alignas(64) Receiver {
        double interference_mw = 0; // of all signals on air, the wanted one too
        double watched_mw = UNWATCHED;
        double noise_mw = 0;
        double log_success = 0; // of the bits judged so far
        Time judged_until = 0;  // bits before this moment are judged, or never will be
        Node sender = NOBODY;   // whose frame is acquired, received or awaited
        float wanted_mw = 0;
        float audible_mw = 0; // a preamble weaker than this is never noticed, even without interference
        std::uint32_t signals = 0;
        std::uint32_t preambles = 0; // audible ones on air
        RadioState state = RadioState::Idle;
        bool following = false; // a frame on air is being judged
        Quality quality;
    };
    static_assert(sizeof(Receiver) == 64);

    struct Transmission {
        Time sync_at = 0; // end of the sync word
        Time end_at = 0;
        Node ack_for = NOBODY;
        Signal kind = Signal::Data;
        bool on_air = false;
        bool past_sync = false;
        bool put_off = false; // begins at its event
        int frame_bytes = 0;
    };

    template <typename Visit> void each_listener(Node node, Visit visit);
    void measure(Receiver &receiver) const;
    [[nodiscard]] double disturbance_mw(const Receiver &receiver, double wanted_mw) const;
    void judge(Receiver &receiver, Time now) const;
    void begin_acquiring(Node node, Receiver &receiver, Node sender, float power_mw, Time now);
    [[nodiscard]] bool may_take_over(RadioState state) const;
    void arrive(Node node, Receiver &receiver, Node sender, float power_mw, Time now);
    void sync_passed(Node node, Time now);
    void end(Node node, Time now);
    void look_for_preamble(Node node, Time now);
    void break_off(Node node);
    void set_state(Node node, RadioState state, Time now);
    [[nodiscard]] bool survives(Node node, double log_success);
    [[nodiscard]] bool arrives(Node node, Node sender, double log_success, Time now);

    const Channel &channel_;
    const RadioProfile &radio_;
    EventQueue &events_;
    EventQueue::Slot first_slot_;
    RadioUser &user_;
    ErrorCurve errors_;
    double acquisition_sinr_ = 0;
    int acquisition_bits_ = 0;
    Time acquisition_time_ = 0; // of that many bits
    int preamble_bytes_;
    int sync_bytes_;
    Lock lock_;
    ForcedLoss forced_loss_;
    std::vector<Receiver> receivers_;
    std::vector<AirTime> air_times_;
    std::vector<Transmission> transmissions_; // by sender: a radio sends one thing at a time
    std::vector<Random> random_;
    std::vector<Node> finished_; // receivers of a frame that just ended
    Totals totals_;
};

} // namespace penstock
