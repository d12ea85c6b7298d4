// Carrier sensing on a channel that is certainly busy: what a parked MAC makes up for is what polling would have done.
//
// SPDX-License-Identifier: BSD-3-Clause
#include "check.hpp"
#include "csma.hpp"
#include "few_nodes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

using namespace penstock;

namespace {

const RadioProfile &RADIO = *radio_profile("cc1000");

// Node 0 has one frame to send; node 1 is loud enough there to keep it from sending, but cannot be received; node 2
// can.
constexpr Node SENDER = 0;
constexpr Node JAMMER = 1;
constexpr Node OTHER = 2;
constexpr Node NODES = 3;
constexpr double NOISE_DBM = -105.0;
constexpr std::array<double, 2> SNR_DB = {3.0, 30.0};
constexpr int PREAMBLE_BYTES = 18;
constexpr int SYNC_BYTES = 2;
constexpr int INITIAL_WINDOW = 32;
constexpr int CONGESTION_WINDOW = 16;

WorldSpec make_spec(std::uint64_t seed, const char *noise_floor)
{
    WorldSpec spec;
    spec.seed = seed;
    spec.node_count = NODES;
    spec.noise_floor_dbm.assign(NODES, NOISE_DBM);
    spec.interference_cutoff_db = 20;
    spec.max_frame_bytes = 36;
    spec.preamble_bytes = PREAMBLE_BYTES;
    spec.sync_bytes = SYNC_BYTES;
    spec.initial_backoff_bytes = INITIAL_WINDOW;
    spec.congestion_backoff_bytes = CONGESTION_WINDOW;
    spec.noise_floor = noise_floor;
    for (std::size_t i = 0; i < SNR_DB.size(); ++i) {
        spec.links_src.push_back(static_cast<std::int32_t>(i) + 1);
        spec.links_dst.push_back(SENDER);
        spec.links_gain_db.push_back(NOISE_DBM + SNR_DB[i]);
    }
    return spec;
}

// Has one broadcast for the sender and notes when it goes on air.
class OneFrame final : public MacUser {
public:
    explicit OneFrame(std::uint8_t backoff_shift) : backoff_shift_(backoff_shift) {}
    Time sent = -1;
    bool next_frame(Node node, OutgoingFrame &frame, Time) override
    {
        if (node != SENDER || given_) {
            return false;
        }
        given_ = true;
        frame.len = 20;
        frame.backoff_shift = backoff_shift_;
        return true;
    }
    void attempt_began(Node, const OutgoingFrame &, Time now) override { sent = now; }
    void frame_done(Node, Outcome, bool, Time) override {}
    [[nodiscard]] bool ack_congested(Node) const override { return false; }
    void frame_received(Node, const IncomingFrame &, Time) override {}

private:
    std::uint8_t backoff_shift_;
    bool given_ = false;
};

class Scene {
public:
    // `squelch`: whether the sender takes readings for its noise floor.
    explicit Scene(std::uint64_t seed, std::uint8_t backoff_shift = 0, const char *noise_floor = "clear",
                   const RadioProfile &radio = RADIO, bool squelch = false)
        : user(backoff_shift),
          squelch_(squelch),
          spec_(make_spec(seed, noise_floor)),
          channel_(spec_),
          events_(std::size_t{4} * NODES),
          mac(spec_, radio, channel_, events_, NODES, user),
          medium_(spec_, channel_, radio, events_, 0, mac)
    {
        mac.attach(medium_);
        mac.start(0);
    }

    // Each node sends once by this.
    void send_at(Time at, Node node, int frame_bytes)
    {
        frame_bytes_[node] = frame_bytes;
        events_.set(3 * NODES + node, at);
    }

    void run_until(Time until)
    {
        while (events_.next_time() <= until) {
            const Time now = events_.next_time();
            const EventQueue::Slot slot = events_.pop();
            mac.set_now(now);
            if (slot < NODES) {
                medium_.on_event(slot, now);
            } else if (slot < 2 * NODES) {
                mac_events += slot == NODES + SENDER ? 1 : 0;
                mac.on_mac_timer(slot - NODES, now);
            } else if (slot < 3 * NODES) {
                if (squelch_ && slot == 2 * NODES + SENDER) {
                    mac.on_squelch_timer(SENDER, now);
                }
            } else {
                const Node node = slot - 3 * NODES;
                medium_.make_deaf(node, now);
                medium_.transmit(node, Signal::Data, frame_bytes_[node], NOBODY, now);
            }
        }
    }

    OneFrame user;
    int mac_events = 0; // of the sender

private:
    std::array<int, NODES> frame_bytes_{};
    bool squelch_;
    WorldSpec spec_;
    Channel channel_;
    EventQueue events_;

public:
    Csma mac;

private:
    Medium medium_;
};

Time time_on_air(int frame_bytes)
{
    return RADIO.bytes(PREAMBLE_BYTES + SYNC_BYTES + frame_bytes);
}

const double JAM_MW = static_cast<double>(static_cast<float>(dbm_to_mw(NOISE_DBM + SNR_DB[0])));

// The same by polling, step by step, from the protocol's description alone.
class Polling {
public:
    Polling(std::uint64_t seed, int backoff_shift, const char *noise_floor = "clear", const RadioProfile &radio = RADIO,
            bool squelch = false)
        : radio_(radio),
          rule_(*noise_floor_rule(noise_floor)),
          backoff_(seed, SENDER, Purpose::Backoff),
          sensing_(seed, SENDER, Purpose::CarrierSense),
          floor_(dbm_to_mw(NOISE_DBM), RADIO.rssi_noise_sd_db),
          shift_(backoff_shift)
    {
        for (std::size_t i = 0; i < 4 * NoiseFloor::TABLE; ++i) {
            learn(0.0);
        }
        const auto phase = static_cast<Time>(sensing_.uniform() * static_cast<double>(radio.squelch_interval));
        next_reading_ = squelch ? phase : NEVER;
    }

    // The channel is busy until `jam_end`, and the radio receives from `reception` on for `receiving`.
    void run(Time offered, Time jam_end, Time reception, Time receiving)
    {
        Time now = offered;
        Time left = draw(INITIAL_WINDOW);
        const auto pass = [&](Time until) { // readings for the noise floor on the way
            while (next_reading_ < until) {
                learn(next_reading_ < jam_end ? JAM_MW : 0.0);
                next_reading_ += radio_.squelch_interval;
            }
            now = until;
        };
        for (;;) {
            if (reception >= now && reception < now + left) {
                left -= reception - now;
                now = reception + receiving;
            }
            pass(now + left);
            const int low = first_low_reading(floor_.clear_probability(now < jam_end ? JAM_MW : 0.0));
            const Time span = std::min(low, RADIO.cca_samples) * RADIO.rssi_sample;
            if (reception >= now && reception < now + span) {
                busy.push_back(reception);
                now = reception + receiving;
            } else if (low > RADIO.cca_samples) {
                pass(now + span);
                busy.push_back(now);
            } else {
                sent = now + span + RADIO.turnaround;
                return;
            }
            left = draw(CONGESTION_WINDOW);
        }
    }

    std::vector<Time> busy; // when each sensing that failed was over
    Time sent = -1;

private:
    Time draw(int window)
    {
        return RADIO.bytes(static_cast<int>(backoff_.one_to(static_cast<std::uint32_t>(window >> shift_))));
    }

    void learn(double interference_mw)
    {
        const double clear = floor_.clear_probability(interference_mw);
        const bool counts =
            rule_ == NoiseFloorRule::RadioIdle || (rule_ == NoiseFloorRule::Clear && clear > 0 &&
                                                   sensing_.uniform() >= std::pow(1.0 - clear, radio_.cca_samples));
        if (counts) {
            floor_.learn(interference_mw, sensing_);
        }
    }

    int first_low_reading(double probability)
    {
        const double luck = sensing_.uniform();
        double none_yet = 1.0;
        int reading = 0;
        do {
            ++reading;
            none_yet *= 1.0 - probability;
        } while (reading <= RADIO.cca_samples && luck < none_yet);
        return reading;
    }

    const RadioProfile &radio_;
    NoiseFloorRule rule_;
    Time next_reading_ = NEVER;
    Random backoff_;
    Random sensing_;
    NoiseFloor floor_;
    int shift_;
};

constexpr Time NO_RECEPTION = -1;

void a_jammed_frame_leaves_when_polling_would_send_it()
{
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        const auto shift = static_cast<std::uint8_t>(seed % 3);
        const int jam_bytes = 1 + static_cast<int>(seed * 37 % 4000);
        const Time offered = 1234;
        Scene scene(seed, shift);
        scene.send_at(0, JAMMER, jam_bytes);
        scene.run_until(0);
        scene.mac.offer(SENDER, offered);
        scene.run_until(NEVER - 1);
        Polling polling(seed, shift);
        polling.run(offered, time_on_air(jam_bytes), NO_RECEPTION, 0);
        CHECK(scene.user.sent == polling.sent);
        CHECK(scene.mac.busy_count(SENDER) == polling.busy.size());
    }
}

void waiting_costs_no_events()
{
    const int jam_bytes = 4000;
    Scene scene(1);
    scene.send_at(0, JAMMER, jam_bytes);
    scene.run_until(0);
    scene.mac.offer(SENDER, 0);
    scene.run_until(time_on_air(jam_bytes) - 1);
    CHECK(scene.mac_events == 0);
    scene.mac.finish(time_on_air(jam_bytes));
    CHECK(scene.mac.busy_count(SENDER) > 200); // 1.7 s of about 4.7 ms each
}

// A preamble interrupts the wait, in the middle of a backoff or of a sensing; both happen here.
void a_reception_interrupts_the_wait()
{
    constexpr int OTHER_BYTES = 30;
    int in_sensing = 0;
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        const int jam_bytes = 1000 + static_cast<int>(seed * 37 % 1000);
        const Time heard = RADIO.bytes(200) + static_cast<Time>(seed) * 61'000;
        Scene scene(seed);
        scene.send_at(0, JAMMER, jam_bytes);
        scene.run_until(0);
        scene.mac.offer(SENDER, 0);
        scene.send_at(heard, OTHER, OTHER_BYTES);
        scene.run_until(NEVER - 1);
        Polling polling(seed, 0);
        polling.run(0, time_on_air(jam_bytes), heard, time_on_air(OTHER_BYTES));
        CHECK(scene.user.sent == polling.sent);
        CHECK(scene.mac.busy_count(SENDER) == polling.busy.size());
        in_sensing += static_cast<int>(std::ranges::count(polling.busy, heard));
    }
    CHECK(in_sensing > 20 && in_sensing < 180);
}

// Counts are right at any moment, not only when the channel has changed.
void counts_are_made_up_at_the_end_of_the_run()
{
    const int jam_bytes = 4000;
    for (Time end = RADIO.bytes(100); end < RADIO.bytes(300); end += 333'333) {
        Scene scene(7);
        scene.send_at(0, JAMMER, jam_bytes);
        scene.run_until(0);
        scene.mac.offer(SENDER, 0);
        scene.run_until(end - 1);
        scene.mac.finish(end);
        Polling polling(7, 0);
        polling.run(0, time_on_air(jam_bytes), NO_RECEPTION, 0);
        const auto before = std::ranges::count_if(polling.busy, [end](Time at) { return at < end; });
        CHECK(scene.mac.busy_count(SENDER) == static_cast<std::uint32_t>(before));
    }
}

// With readings for the noise floor every 20 ms: it stays put for as long as the MAC is parked by default, and when
// every reading counts, it climbs until the jammer passes for noise.
void the_noise_floor_moves_by_its_rule()
{
    RadioProfile radio = RADIO;
    radio.squelch_interval = 20'000 * NS_PER_US;
    const int jam_bytes = 3000;
    const Time jam_end = time_on_air(jam_bytes);
    for (const char *rule : {"clear", "radio_idle", "fixed"}) {
        int sent_into_the_jam = 0;
        for (std::uint64_t seed = 1; seed <= 100; ++seed) {
            Scene scene(seed, 0, rule, radio, true);
            scene.send_at(0, JAMMER, jam_bytes);
            scene.run_until(0);
            scene.mac.offer(SENDER, 1234);
            scene.run_until(2 * jam_end);
            Polling polling(seed, 0, rule, radio, true);
            polling.run(1234, jam_end, NO_RECEPTION, 0);
            CHECK(scene.user.sent == polling.sent);
            CHECK(scene.mac.busy_count(SENDER) == polling.busy.size());
            sent_into_the_jam += polling.sent < jam_end ? 1 : 0;
        }
        CHECK(sent_into_the_jam == (rule[0] == 'r' ? 100 : 0));
    }
}

// What the acknowledging node says of itself reaches the sender, and stays with that one acknowledgement.
void the_acknowledgement_carries_a_bit()
{
    Room room(room_spec(3), RADIO);
    room.congested = 1;
    const std::array<Node, 4> to = {1, 2, NOBODY, 1};
    Time now = 0;
    for (const Node node : to) {
        room.send(0, node, now);
        room.run_until(now += NS_PER_S);
    }
    room.congested = NOBODY;
    room.send(0, 1, now);
    room.run_until(now + NS_PER_S);
    const std::array<bool, 5> bits = {true, false, false, true, false};
    CHECK(room.done.size() == bits.size());
    for (std::size_t i = 0; i < bits.size(); ++i) {
        CHECK(room.done[i].outcome == Outcome::Done && room.done[i].ack_congested == bits[i]);
    }
}

} // namespace

int main()
{
    a_jammed_frame_leaves_when_polling_would_send_it();
    waiting_costs_no_events();
    a_reception_interrupts_the_wait();
    counts_are_made_up_at_the_end_of_the_run();
    the_noise_floor_moves_by_its_rule();
    the_acknowledgement_carries_a_bit();
}
