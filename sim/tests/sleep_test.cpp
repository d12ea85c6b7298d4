// A radio that is powered down: what it misses, what it finishes first, how long it takes to be back.
//
// SPDX-License-Identifier: BSD-3-Clause
#include "check.hpp"
#include "few_nodes.hpp"

using namespace penstock;

namespace {

const RadioProfile &RADIO = *radio_profile("cc1000");
const Time FRAME_TIME = RADIO.bytes(18 + 2 + 36);
constexpr Time MS = 1'000 * NS_PER_US;

void a_sleeping_node_hears_nothing_and_sends_nothing()
{
    const WorldSpec spec = room_spec(3);
    Room room(spec, RADIO);
    room.mac.sleep(2, 0);
    CHECK(room.mac.asleep(2));
    room.send(2, 0, 1);
    room.send(0, 1, 1);
    room.run_until(NS_PER_S);
    CHECK(room.attempts == 1);
    CHECK(room.heard.size() == 1 && room.heard[0].at == 1);
    CHECK(!room.mac.sample_busy(2));
    CHECK(room.medium.air_time(2, NS_PER_S).in(RadioState::Asleep) == NS_PER_S);

    // What was offered meanwhile is asked for when the radio is up again, start-up time and backoff later.
    room.mac.wake(2, NS_PER_S);
    CHECK(!room.mac.asleep(2));
    room.run_until(NS_PER_S + RADIO.startup - 1);
    CHECK(room.medium.state(2) == RadioState::StartingUp);
    room.run_until(2 * NS_PER_S);
    CHECK(room.attempts == 2);
    CHECK(room.done.size() == 2 && room.done[1].node == 2 && room.done[1].outcome == Outcome::Done);
    CHECK(room.medium.air_time(2, 2 * NS_PER_S).in(RadioState::StartingUp) == RADIO.startup);
}

void a_frame_in_hand_is_finished_first()
{
    const WorldSpec spec = room_spec(2);
    Room room(spec, RADIO);
    room.send(0, 1, 0);
    room.send(0, 1, 0); // waits behind the first
    room.mac.sleep(0, 0);
    CHECK(!room.mac.asleep(0));
    room.run_until(NS_PER_S);
    CHECK(room.mac.asleep(0));
    CHECK(room.attempts == 1 && room.done.size() == 1 && room.done[0].outcome == Outcome::Done);
    CHECK(room.medium.air_time(0, NS_PER_S).in(RadioState::Asleep) == NS_PER_S - room.done[0].time);
}

void an_acknowledgement_is_finished_first()
{
    const WorldSpec spec = room_spec(2);
    Room room(spec, RADIO);
    room.send(0, 1, 0);
    Time now = 0;
    while (room.medium.totals().frames[static_cast<int>(Signal::Ack)] == 0) {
        room.run_until(now += MS / 10);
    }
    room.mac.sleep(1, now);
    CHECK(!room.mac.asleep(1));
    room.run_until(NS_PER_S);
    CHECK(room.mac.asleep(1));
    CHECK(room.done.size() == 1 && room.done[0].outcome == Outcome::Done);
}

void a_reception_is_given_up()
{
    const WorldSpec spec = room_spec(2);
    Room room(spec, RADIO);
    room.send(0, 1, 0);
    Time now = 0;
    while (room.medium.state(1) != RadioState::Receiving) {
        room.run_until(now += MS / 10);
    }
    room.mac.sleep(1, now);
    CHECK(room.mac.asleep(1));
    CHECK(room.medium.totals().receptions_corrupted == 1);
    room.mac.wake(1, now); // too late for this frame
    room.run_until(NS_PER_S);
    CHECK(room.heard.empty());
    CHECK(room.done.size() == 1 && room.done[0].outcome == Outcome::NoAck);
}

// Up within a preamble, the radio still gets the frame; a wake before the sleep has begun undoes it.
void waking()
{
    const WorldSpec spec = room_spec(2);
    Room room(spec, RADIO);
    room.mac.sleep(1, 0);
    room.send(0, 1, 0);
    Time now = 0;
    while (room.medium.totals().frames[static_cast<int>(Signal::Data)] == 0) {
        room.run_until(now += MS / 10);
    }
    room.mac.wake(1, now);
    room.run_until(now + FRAME_TIME + 10 * MS);
    CHECK(room.heard.size() == 1);

    room.send(1, 0, room.done[0].time);
    room.mac.sleep(1, now);
    room.mac.wake(1, now);
    room.run_until(NS_PER_S);
    CHECK(!room.mac.asleep(1));
    CHECK(room.done.size() == 2);

    room.mac.sleep(1, NS_PER_S);
    room.mac.wake(1, NS_PER_S);
    room.mac.sleep(1, NS_PER_S + 1); // while it starts up
    room.run_until(2 * NS_PER_S);
    CHECK(room.mac.asleep(1));
}

} // namespace

int main()
{
    a_sleeping_node_hears_nothing_and_sends_nothing();
    a_frame_in_hand_is_finished_first();
    an_acknowledgement_is_finished_first();
    a_reception_is_given_up();
    waking();
}
