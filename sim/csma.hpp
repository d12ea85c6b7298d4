// Carrier-sense multiple access: one machine for several protocols, which differ in their rules (csma_rules.hpp).
//
//   no frame -> loading -> backing off -> sensing -> starting -> sending -> flushing, or awaiting the acknowledgement
//                             ^              |                                                      |
//                             +--- busy -----+                                           handling the acknowledgement
//
// With B-MAC on the CC1000, which loads and handles nothing:
// Before each attempt a node waits 1..W byte times, counted only while its radio idles: a preamble
// on air stops the count. Then it reads the channel's energy up to five times; one reading
// below the estimated noise floor means that the channel is clear (B-MAC's outlier rule). If none is,
// or a preamble shows up while it listens, it waits again, in the shorter congestion window.
// A frame for one node is answered with an acknowledgement code right after its last byte.
// A node that its congestion control calls urgent divides both windows (thesis 4.4).
//
// The noise floor (noise_floor.hpp) learns after each transmission and every 2.56 s, when the channel is clear (or by
// another rule).
//
// With the rules of the CC2420 a backoff goes on whatever the channel does. A look at the channel finds it busy when
// the power there is above a fixed level, or the radio has noticed a frame, or is busy with an acknowledgement of its
// own. The radio listens to everybody while it waits for an acknowledgement, which is a frame as any other, and takes
// as long for turning back to reception as the other side for turning to transmission. What the processor does, loading
// a frame into the chip or reading one out of it, leaves the radio listening. Where reading takes time
// (csma_processor.cpp), frames wait in the chip's buffer meanwhile, and acknowledgements may come late.
//
// Most carrier sensings of a busy B-MAC network find the channel busy, and often there is no doubt about it: the power
// of others alone is above the noise floor. Then nothing can come of the MAC's next steps but more of the same, until a
// transmission ends or a preamble is noticed. Such a MAC is parked: its timer stays out of the queue, and what it
// would have done is made up for (the same draws, the same counts, the same moments) when its channel changes.
//
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "csma_rules.hpp"
#include "medium.hpp"
#include "noise_floor.hpp"
#include "receive_buffer.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace penstock {

inline constexpr std::size_t MAX_FRAME = 127; // aMaxPHYPacketSize, the FCS included
inline constexpr int FCS_BYTES = 2;

// A frame that a node wants sent, and how.
struct OutgoingFrame {
    std::uint8_t *bytes = nullptr; // room for the longest frame of this world
    std::uint8_t len = 0;          // without FCS
    Node to = NOBODY;              // NOBODY: broadcast
    Signal kind = Signal::Data;
    bool ack = false;
    std::uint8_t backoff_shift = 0;
    std::uint32_t mark = 0; // the user's own; comes back with the frame wherever it is received
};

struct IncomingFrame {
    const std::uint8_t *bytes;
    std::uint8_t len; // without FCS
    Node from;
    Signal kind;
    std::int8_t rssi_dbm;
    std::uint8_t lqi; // 0: the radio knows nothing of it
    bool for_us;      // addressed or broadcast
    bool acked;
    std::uint32_t mark;
};

enum class Outcome : std::uint8_t { Done, NoAck, NoChannel };

// Whoever has frames to send: the motes.
class MacUser {
public:
    virtual ~MacUser() = default;
    virtual bool next_frame(Node node, OutgoingFrame &frame, Time now) = 0; // false: none now
    virtual void attempt_began(Node node, const OutgoingFrame &frame, Time now) = 0;
    // `ack_congested`: the bit in the acknowledgement, if there was one.
    virtual void frame_done(Node node, Outcome outcome, bool ack_congested, Time now) = 0;
    // Asked when an acknowledgement goes on air: the bit to put into it (a second code word).
    [[nodiscard]] virtual bool ack_congested(Node node) const = 0;
    virtual void frame_received(Node node, const IncomingFrame &frame, Time now) = 0;
};

class LowPowerListening;

class Csma final : public RadioUser {
public:
    // Takes three timers per node from `first_slot` on: the MAC's own, the squelch timer and the processor's.
    Csma(const WorldSpec &spec, const RadioProfile &radio, const Channel &channel, EventQueue &events,
         EventQueue::Slot first_slot, MacUser &user);
    void attach(Medium &medium) { medium_ = &medium; }
    void start(Time now);

    // Asks the user for a frame if the node has none in hand.
    void offer(Node node, Time now);
    void on_mac_timer(Node node, Time now);
    void on_squelch_timer(Node node, Time now);
    void on_processor_timer(Node node, Time now);
    // Powers the radio down: it hears nothing, no frame is asked for, nothing is learnt about the noise. A frame in
    // the MAC's hands is sent first (one attempt, its acknowledgement included), and so is an acknowledgement of the
    // node's own; a frame that is being received is lost. Takes effect at once when there is nothing to finish.
    void sleep(Node node, Time now);
    // Powers it up again, which takes the radio's start-up time; or forgets a sleep that has not begun yet.
    void wake(Node node, Time now);
    // The radio is powered down because the node wants it so.
    [[nodiscard]] bool asleep(Node node) const { return macs_[node].off && macs_[node].state == State::Asleep; }
    // One carrier-sense reading for the protocol above: is the channel busy for this node? A radio that is not on
    // reads nothing.
    [[nodiscard]] bool sample_busy(Node node);
    // Sensings that found the channel busy, complete after `finish`.
    [[nodiscard]] std::uint32_t busy_count(Node node) const { return macs_[node].busy_count; }
    // Frames that the chip's receive buffer lost.
    [[nodiscard]] std::uint32_t overflow_count(Node node) const
    {
        return processors_.empty() ? 0 : processors_[node].lost;
    }
    // The mark of the data frame for this node that its processor is reading: its sender may have the acknowledgement
    // already. `none` where there is no such frame.
    [[nodiscard]] std::uint32_t mark_in_hand(Node node, std::uint32_t none) const;
    // For low-power listening, which powers radios down and up between the MAC's own doings. A MAC whose radio naps
    // takes a frame into its hands as ever, and has its radio started.
    struct Reading {
        int count = 0; // energy readings taken
        bool clear = false;
    };
    void save_power(Node node, LowPowerListening &listening, Time now);
    [[nodiscard]] bool may_nap(Node node) const; // nothing in hand, nothing coming in
    void nap(Node node, Time now);
    void radio_is_up(Node node, Time now);
    // Readings until one is less than `margin` times the noise floor, or enough of them are not.
    [[nodiscard]] Reading read_channel(Node node, double margin);
    // Takes a reading for the noise floor if the rule for it allows.
    void learn_floor(Node node);

    void reset_statistics();
    // The run ends here: no event of this moment or later happens.
    void finish(Time end);
    // Called before each event, so that the medium's callbacks know the moment.
    void set_now(Time now) { now_ = now; }

    void reception_began(Node node) override;
    void reception_ended(Node node, Node sender, Signal kind, bool intact) override;
    void ack_received(Node node) override;
    void transmission_ended(Node node, Signal kind) override;
    void interference_fell(Node node) override;

private:
    enum class State : std::uint8_t {
        NoFrame,
        Loading,
        BackingOff,
        Suspended, // backoff stopped while the radio is busy with others
        Sensing,
        Starting, // turning the radio around
        Sending,
        Flushing,
        AwaitingAck,
        HandlingAck,
        Asleep,
        StartingUp,
    };

    struct Mac {
        State state = State::NoFrame;
        bool clear = false;       // what Sensing will find
        bool parked = false;      // BackingOff or Sensing without a timer in the queue
        bool off = false;         // the node wants its radio down
        bool holds_frame = false; // Asleep, and to be sent once the radio is up
        std::uint32_t busy_count = 0;
        int busy = 0;        // times that the channel was found busy for the frame in hand
        int clear_looks = 0; // in a row
        Time backoff_left = 0;
        Time parked_until = 0; // the timer that is not in the queue
        OutgoingFrame out;
        std::uint32_t attempt = 0; // frames put on air so far, the one in hand included
        // A frame that is being acknowledged, handed up when that is done.
        Node acknowledging = NOBODY;
        Node acknowledged = NOBODY; // for whom its latest acknowledgement was
        std::uint32_t acknowledged_attempt = 0;
        bool ack_congested = false; // the bit in that
        ReceivedFrame in;
        std::uint8_t *in_bytes = nullptr;
        LowPowerListening *listening = nullptr;
    };

    // A processor for which received frames are work; no node has one otherwise.
    struct Processor {
        enum class Step : std::uint8_t { Idle, ReadingHeader, Reading, Read, Working };
        Step step = Step::Idle; // with the frame in hand
        ReceivedFrame frame;
        Time step_until = NEVER; // of the reading steps
        Time read_at = 0;
        Time busy_until = NEVER; // with earlier frames; NEVER: it is not
        std::uint32_t lost = 0;
        std::array<std::uint8_t, MAX_FRAME> bytes{};
        ReceiveBuffer buffer;
    };

    void load(Node node, Time now);
    void back_off(Node node, Time now);
    void look_ended(Node node, Time now);
    void channel_was_busy(Node node, Time now);
    void resume(Node node, Time now);
    void sense(Node node, Time now);
    void transmit(Node node, Time now);
    void conclude(Node node, Outcome outcome, bool ack_congested, Time now);
    void rest(Node node, Time now);
    void power_down_if_done(Node node, Time now);
    [[nodiscard]] bool at_rest(Node node) const;
    void hand_up(Node node, const ReceivedFrame &frame, const std::uint8_t *bytes, bool acked);
    [[nodiscard]] ReceivedFrame received(Node node, Node sender, Signal kind) const;
    void acknowledge(Node node, Node sender);
    void begin_ack(Node node, Node sender, std::uint32_t attempt, Time delay);
    void ack_heard(Node node, Node sender);
    void keep(Node node, Node sender, Signal kind);
    void read_next(Node node);
    void set_processor_timer(Node node);
    void step_ended(Node node);
    void work_on(Node node);
    void frame_is_done(Node node);
    void order_ack(Node node, const ReceivedFrame &frame);
    [[nodiscard]] bool holds_radio(State state) const;
    void defer(Node node);
    [[nodiscard]] int draw_steps(Node node, const BackoffWindow &window);
    [[nodiscard]] Time draw_backoff(Node node, const BackoffWindow &window);
    [[nodiscard]] bool found_clear(Node node);
    [[nodiscard]] double clear_probability(Node node) const;
    void wait_until(Node node, Time time);
    void poll_busy_channel(Node node);
    void catch_up(Node node, Time now);
    void unpark(Node node);
    void park_again(Node node);
    [[nodiscard]] EventQueue::Slot mac_slot(Node node) const { return first_slot_ + node; }
    [[nodiscard]] EventQueue::Slot squelch_slot(Node node) const
    {
        return first_slot_ + static_cast<EventQueue::Slot>(macs_.size()) + node;
    }
    [[nodiscard]] EventQueue::Slot processor_slot(Node node) const
    {
        return first_slot_ + 2 * static_cast<EventQueue::Slot>(macs_.size()) + node;
    }

    const RadioProfile &radio_;
    const Channel &channel_;
    EventQueue &events_;
    EventQueue::Slot first_slot_;
    MacUser &user_;
    Medium *medium_ = nullptr;
    Time now_ = 0;
    CsmaRules rules_;
    NoiseFloorRule floor_rule_;
    std::vector<std::uint8_t> buffers_; // two frames per node
    std::vector<Mac> macs_;
    std::vector<Processor> processors_;
    std::vector<NoiseFloor> floors_;
    std::vector<Random> backoff_;
    std::vector<Random> sensing_;
};

} // namespace penstock
