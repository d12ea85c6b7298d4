// One receiver, hand-made transmissions: what is heard, what is lost, what is captured.
//
// SPDX-License-Identifier: BSD-3-Clause
#include "check.hpp"
#include "medium.hpp"

#include <utility>
#include <vector>

using namespace penstock;

namespace {

constexpr int FRAME_BYTES = 36;

// Counts what the medium reports.
class Listener final : public RadioUser {
public:
    std::vector<std::pair<Node, bool>> ended; // (sender, intact) at node 0
    int acks = 0;
    void reception_began(Node) override {}
    void reception_ended(Node node, Node sender, Signal kind, bool intact) override
    {
        if (node == 0 && kind != Signal::Ack) {
            ended.emplace_back(sender, intact);
        }
    }
    void ack_received(Node) override { ++acks; }
    void transmission_ended(Node, Signal) override {}
    void interference_fell(Node) override {}
};

// Node 0 listens; nodes 1.. reach it at the given SNR (dB) and do not hear each other.
class Scene {
public:
    explicit Scene(const std::vector<double> &snr_db, std::uint64_t seed = 1, const char *lock = "preamble")
        : spec_(make_spec(snr_db, seed, lock)),
          channel_(spec_),
          events_(spec_.node_count),
          medium_(spec_, channel_, *radio_profile("cc1000"), events_, 0, listener)
    {}

    void send(Node node, Time at)
    {
        run_until(at);
        medium_.make_deaf(node, at);
        medium_.transmit(node, Signal::Data, FRAME_BYTES, 0, at);
    }

    void run_until(Time until)
    {
        while (events_.next_time() <= until) {
            const Time now = events_.next_time();
            medium_.on_event(events_.pop(), now);
        }
    }

    Medium &medium() { return medium_; }
    Listener listener;

private:
    static WorldSpec make_spec(const std::vector<double> &snr_db, std::uint64_t seed, const char *lock)
    {
        WorldSpec spec;
        spec.seed = seed;
        spec.node_count = static_cast<std::uint32_t>(snr_db.size()) + 1;
        spec.noise_floor_dbm.assign(spec.node_count, -105.0);
        spec.interference_cutoff_db = 20;
        spec.preamble_bytes = 18;
        spec.sync_bytes = 2;
        spec.lock = lock;
        for (std::size_t i = 0; i < snr_db.size(); ++i) {
            spec.links_src.push_back(static_cast<std::int32_t>(i) + 1);
            spec.links_dst.push_back(0);
            spec.links_gain_db.push_back(-105.0 + snr_db[i]);
        }
        return spec;
    }

    WorldSpec spec_;
    Channel channel_;
    EventQueue events_;
    Medium medium_;
};

const RadioProfile &RADIO = *radio_profile("cc1000");
const Time FRAME_TIME = RADIO.bytes(18 + 2 + FRAME_BYTES);

// Reception probability over many frames equals (1 - Pe)^bits: 3 preamble, 2 sync, 36 frame bytes.
void prr_follows_the_closed_form()
{
    for (const double snr_db : {7.0, 8.0, 9.0, 10.0, 12.0}) {
        constexpr int COUNT = 6000;
        Scene scene({snr_db});
        for (int i = 0; i < COUNT; ++i) {
            scene.send(1, 2 * FRAME_TIME * i);
        }
        scene.run_until(NEVER - 1);
        int intact = 0;
        for (const auto &[sender, good] : scene.listener.ended) {
            intact += good ? 1 : 0;
        }
        const double sinr = std::pow(10.0, snr_db / 10.0);
        const double exact = std::pow(1.0 - 0.5 * std::exp(-0.5 * sinr * 30.0 / 19.2), 8.0 * (3 + 2 + FRAME_BYTES));
        const double sd = std::sqrt(exact * (1 - exact) / COUNT);
        CHECK_NEAR(static_cast<double>(intact) / COUNT, exact, 4.5 * sd + 2e-3);
    }
}

void silence_and_weak_preambles_do_not_lock()
{
    Scene scene({3.0}); // 3 dB: three clean preamble bytes are less likely than not
    scene.send(1, 0);
    CHECK(scene.medium().state(0) == RadioState::Idle);
    scene.run_until(2 * FRAME_TIME);
    CHECK(scene.listener.ended.empty());
}

// A stronger frame during the other's preamble takes over; after the sync word it only destroys.
void capture()
{
    Scene during_preamble({15.0, 35.0});
    during_preamble.send(1, 0);
    during_preamble.send(2, RADIO.bytes(5));
    during_preamble.run_until(2 * FRAME_TIME);
    CHECK(during_preamble.listener.ended.size() == 1);
    CHECK(during_preamble.listener.ended[0] == std::make_pair(Node{2}, true));
    CHECK(during_preamble.medium().totals().captures == 1);

    Scene after_sync({15.0, 35.0});
    after_sync.send(1, 0);
    after_sync.send(2, RADIO.bytes(25));
    after_sync.run_until(3 * FRAME_TIME);
    CHECK(after_sync.listener.ended.size() == 1);
    CHECK(after_sync.listener.ended[0] == std::make_pair(Node{1}, false));

    // The stronger first frame survives a weak one on top of it.
    Scene strong_first({35.0, 15.0});
    strong_first.send(1, 0);
    strong_first.send(2, RADIO.bytes(25));
    strong_first.run_until(3 * FRAME_TIME);
    CHECK(strong_first.listener.ended.size() == 1);
    CHECK(strong_first.listener.ended[0] == std::make_pair(Node{1}, true));
}

// Who is heard when a stronger frame comes 5 bytes (within the preamble) or 25 bytes (within the frame) after a weaker.
void other_rules_of_capture()
{
    using Ended = std::vector<std::pair<Node, bool>>;
    const auto heard = [](const char *lock, int after_bytes, std::uint64_t captures) {
        Scene scene({15.0, 35.0}, 1, lock);
        scene.send(1, 0);
        scene.send(2, RADIO.bytes(after_bytes));
        scene.run_until(3 * FRAME_TIME);
        CHECK(scene.medium().totals().captures == captures);
        return scene.listener.ended;
    };
    // The first is kept, and lost at its sync word. What is then left of the other's preamble is too little.
    CHECK(heard("first", 4, 0) == (Ended{{1, false}}));
    CHECK(heard("first", 25, 0) == (Ended{{1, false}}));
    CHECK(heard("recapture", 5, 1) == (Ended{{2, true}}));
    CHECK(heard("recapture", 25, 1) == (Ended{{2, true}}));

    // A weaker one never takes over.
    Scene strong_first({35.0, 15.0}, 1, "recapture");
    strong_first.send(1, 0);
    strong_first.send(2, RADIO.bytes(25));
    strong_first.run_until(3 * FRAME_TIME);
    CHECK(strong_first.listener.ended == (Ended{{1, true}}));
}

// Two of equal strength destroy each other (0 dB SINR) when they overlap by more than a few bytes.
void collision_of_equals()
{
    for (const int offset_bytes : {21, 30, 45}) {
        Scene scene({20.0, 20.0});
        scene.send(1, 0);
        scene.send(2, RADIO.bytes(offset_bytes));
        scene.run_until(3 * FRAME_TIME);
        CHECK(!scene.listener.ended.empty());
        CHECK(scene.listener.ended[0].first == 1);
        CHECK(!scene.listener.ended[0].second);
    }
    // One byte later they miss each other, and the second one is heard too.
    Scene apart({20.0, 20.0});
    apart.send(1, 0);
    apart.send(2, FRAME_TIME + 1);
    apart.run_until(3 * FRAME_TIME);
    CHECK(apart.listener.ended.size() == 2);
    CHECK(apart.listener.ended[0].second && apart.listener.ended[1].second);
}

// Interferers too weak to be decoded add up: one leaves 10 dB, ten leave nothing.
void interference_is_additive()
{
    const auto frame_lost = [](int interferers) {
        std::vector<double> snr_db{14.0};
        for (int i = 0; i < interferers; ++i) {
            snr_db.push_back(2.0);
        }
        int lost = 0;
        for (std::uint64_t seed = 1; seed <= 200; ++seed) {
            Scene scene(snr_db, seed);
            scene.send(1, 0);
            for (int i = 0; i < interferers; ++i) {
                scene.send(static_cast<Node>(i) + 2, RADIO.bytes(22) + i);
            }
            scene.run_until(3 * FRAME_TIME);
            lost += scene.listener.ended.empty() || !scene.listener.ended[0].second ? 1 : 0;
        }
        return lost / 200.0;
    };
    CHECK(frame_lost(0) < 0.01);
    CHECK(frame_lost(1) < 0.5);
    CHECK(frame_lost(10) > 0.99);
}

// The receiver turns idle in the middle of a preamble and still catches the frame, unless too little is left.
void late_lock()
{
    const auto caught = [](int idle_at_bytes) {
        Scene scene({20.0});
        scene.medium().make_deaf(0, 0);
        scene.send(1, 0);
        scene.run_until(RADIO.bytes(idle_at_bytes));
        scene.medium().make_idle(0, RADIO.bytes(idle_at_bytes));
        scene.run_until(3 * FRAME_TIME);
        return !scene.listener.ended.empty() && scene.listener.ended[0].second;
    };
    CHECK(caught(0));
    CHECK(caught(14));
    CHECK(!caught(16)); // less than three preamble bytes left
    CHECK(!caught(21));
}

void interference_returns_to_zero()
{
    Scene scene({30.0, 12.0, 2.0});
    for (int i = 0; i < 100; ++i) {
        const Time at = 3 * FRAME_TIME * i;
        scene.send(1, at);
        scene.send(2, at + 1000);
        scene.send(3, at + 2'000'000);
    }
    scene.run_until(NEVER - 1);
    CHECK(scene.medium().interference_mw(0) == 0.0);
}

} // namespace

int main()
{
    prr_follows_the_closed_form();
    silence_and_weak_preambles_do_not_lock();
    capture();
    other_rules_of_capture();
    collision_of_equals();
    interference_is_additive();
    late_lock();
    interference_returns_to_zero();
}
