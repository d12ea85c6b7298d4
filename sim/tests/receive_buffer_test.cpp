// The CC2420's receive buffer, and the processor that empties it: when frames are read, acknowledged and lost.
//
// SPDX-License-Identifier: BSD-3-Clause
#include "receive_buffer.hpp"

#include "check.hpp"
#include "few_nodes.hpp"

#include <algorithm>
#include <array>
#include <cmath>

using namespace penstock;

namespace {

const RadioProfile &RADIO = *radio_profile("cc2420");
constexpr Time US = NS_PER_US;
constexpr int FRAME = 40;
const Time SPI = std::llround(16e9 / 1'048'576.0);
const Time READING = SPI * (1 + FRAME);
constexpr Time WORK = 10'000 * US;

ReceivedFrame frame_of(Node from, std::uint8_t len)
{
    return {.from = from, .len = len};
}

void test_first_in_first_out()
{
    ReceiveBuffer buffer;
    std::array<std::uint8_t, 3> a{1, 2, 3};
    std::array<std::uint8_t, 2> b{4, 5};
    std::array<std::uint8_t, 127> out{};
    CHECK(buffer.empty());
    CHECK(buffer.put(frame_of(7, 3), a.data(), 5, 0) && buffer.put(frame_of(8, 2), b.data(), 4, 0));
    CHECK(buffer.take(out.data()).from == 7 && out[0] == 1 && out[2] == 3);
    CHECK(buffer.put(frame_of(9, 3), a.data(), 5, 0));
    CHECK(buffer.take(out.data()).from == 8 && out[0] == 4 && out[1] == 5);
    CHECK(buffer.take(out.data()).from == 9 && out[1] == 2 && buffer.empty());
}

// 128 bytes hold three frames of 40 with their length bytes, and nothing more comes in until a flush.
void test_overflow()
{
    ReceiveBuffer buffer;
    std::array<std::uint8_t, 127> bytes{};
    for (int i = 0; i < 3; ++i) {
        CHECK(buffer.put(frame_of(1, 38), bytes.data(), 40, 100));
    }
    CHECK(!buffer.overflowed());
    CHECK(!buffer.put(frame_of(1, 38), bytes.data(), 40, 100) && buffer.overflowed());
    buffer.take(bytes.data());
    CHECK(!buffer.put(frame_of(1, 3), bytes.data(), 5, 100)); // there is room, but the chip waits for its flush
    buffer.flush(1000);
    CHECK(buffer.empty() && !buffer.overflowed());
    CHECK(!buffer.put(frame_of(1, 38), bytes.data(), 40, 999)); // began before it
    CHECK(!buffer.overflowed() && buffer.put(frame_of(1, 38), bytes.data(), 40, 1000));
    ReceiveBuffer exact;
    CHECK(exact.put(frame_of(1, 125), bytes.data(), 127, 0) && !exact.put(frame_of(1, 0), bytes.data(), 5, 0));
    ReceiveBuffer many;
    for (int i = 0; i < 21; ++i) {
        CHECK(many.put(frame_of(1, 0), bytes.data(), 5, 0)); // acknowledgements, 6 bytes each
    }
    CHECK(!many.put(frame_of(1, 0), bytes.data(), 5, 0));
}

WorldSpec spec_of(std::uint32_t nodes, std::uint64_t seed, double processing_s)
{
    WorldSpec spec = room_spec(nodes, 40.0);
    spec.seed = seed;
    spec.radio = "cc2420";
    spec.mac = "tinyos_cc2420";
    spec.max_frame_bytes = FRAME;
    spec.preamble_bytes = 4;
    spec.sync_bytes = 2;
    spec.receive_processing_s = spec.overhear_processing_s = processing_s;
    return spec;
}

std::vector<Time> heard_at(const Room &room, Node node)
{
    std::vector<Time> times;
    for (const Room::Heard &heard : room.heard) {
        if (heard.at == node) {
            times.push_back(heard.time);
        }
    }
    return times;
}

// An idle processor acknowledges as soon as one for which frames are no work; the frame is handed up when it is read.
void test_idle_processor()
{
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        Room at_once(spec_of(2, seed, 0.0), RADIO);
        Room room(spec_of(2, seed, 0.01), RADIO);
        for (Room *each : {&at_once, &room}) {
            each->send(0, 1, 0);
            each->run_until(NS_PER_S);
            CHECK(each->done.size() == 1 && each->done[0].outcome == Outcome::Done);
        }
        CHECK(room.done[0].time == at_once.done[0].time);
        const Time end = room.done[0].time - 6 * SPI - Time{11} * 32 * US - 192 * US - 8 * SPI;
        CHECK(heard_at(room, 1) == std::vector<Time>{end + READING});
    }
}

// A backlog is handed up one frame every 10 ms: what Flush saw its sink sustain.
void test_capacity()
{
    Room room(spec_of(4, 1, 0.01), RADIO);
    for (int i = 0; i < 200; ++i) {
        for (const Node sender : {Node{1}, Node{2}, Node{3}}) {
            room.send(sender, NOBODY, 0);
        }
    }
    room.run_until(NS_PER_S / 2);
    const std::vector<Time> times = heard_at(room, 0);
    CHECK(times.size() >= 45 && times.size() <= 51);
    Time least = NEVER;
    for (std::size_t i = 1; i < times.size(); ++i) {
        least = std::min(least, times[i] - times[i - 1]);
    }
    CHECK(least >= WORK - READING && least <= WORK); // less where a frame came in just before the work was over
    CHECK(room.mac.overflow_count(0) > 0);
}

// Two frames for a busy processor, sent at intervals below its work. If it reads ahead, the second is acknowledged in
// time and the third one late; if not, already the second is late: its sender gives up on it, and the frame arrives.
void test_late_acknowledgement(bool reads_ahead)
{
    WorldSpec spec = spec_of(2, 3, 0.05);
    spec.reads_ahead = reads_ahead;
    Room room(spec, RADIO);
    for (int i = 0; i < 3; ++i) {
        room.send(0, 1, 0);
    }
    room.run_until(NS_PER_S);
    CHECK(room.done.size() == 3);
    CHECK(room.done[0].outcome == Outcome::Done);
    CHECK(room.done[1].outcome == (reads_ahead ? Outcome::Done : Outcome::NoAck));
    CHECK(room.done[2].outcome == Outcome::NoAck);
    const std::vector<Time> times = heard_at(room, 1);
    CHECK(times.size() == 3 && room.mac.overflow_count(1) == 0);
    CHECK(times[1] - times[0] == 50'000 * US && times[2] - times[1] == 50'000 * US);
}

// What others' frames cost.
void test_overheard_frames_are_work()
{
    for (const double overhear_s : {0.0, 0.05}) {
        WorldSpec spec = spec_of(3, 1, 0.05);
        spec.overhear_processing_s = overhear_s;
        Room room(spec, RADIO);
        room.send(1, 2, 0);
        room.send(1, 2, 0);
        room.run_until(NS_PER_S);
        const std::vector<Time> times = heard_at(room, 0);
        CHECK(times.size() == 2);
        const Time acks = Time{2} * 6 * SPI; // read meanwhile
        const Time apart = times[1] - times[0];
        CHECK(overhear_s > 0 ? apart >= 50'000 * US && apart <= 50'000 * US + acks : apart < 20'000 * US);
    }
}

// A node that goes to sleep finishes the frame in hand and forgets those in the chip.
void test_sleep()
{
    WorldSpec spec = spec_of(2, 3, 0.05);
    spec.reads_ahead = false;
    Room room(spec, RADIO);
    for (int i = 0; i < 3; ++i) {
        room.send(0, 1, 0);
    }
    room.run_until(30'000 * US);
    CHECK(heard_at(room, 1).size() == 1);
    room.mac.sleep(1, 30'000 * US);
    CHECK(!room.mac.asleep(1));
    room.run_until(NS_PER_S);
    CHECK(room.mac.asleep(1) && heard_at(room, 1).size() == 1);
    room.mac.wake(1, NS_PER_S);
    room.run_until(NS_PER_S + 2'000 * US);
    room.send(0, 1, NS_PER_S + 2'000 * US);
    room.run_until(2 * NS_PER_S);
    CHECK(heard_at(room, 1).size() == 2 && room.done.back().outcome == Outcome::Done);
}

} // namespace

int main()
{
    test_first_in_first_out();
    test_overflow();
    test_idle_processor();
    test_capacity();
    test_late_acknowledgement(true);
    test_late_acknowledgement(false);
    test_overheard_frames_are_work();
    test_sleep();
}
