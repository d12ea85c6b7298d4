// The event queue against a sorted reference, and its rule for ties.
//
// SPDX-License-Identifier: BSD-3-Clause
#include "check.hpp"
#include "event_queue.hpp"
#include "random.hpp"

#include <algorithm>
#include <vector>

using namespace penstock;

namespace {

void ties_go_to_the_first_set()
{
    EventQueue queue(8);
    for (const EventQueue::Slot slot : {5u, 2u, 7u, 0u}) {
        queue.set(slot, 100);
    }
    queue.set(2, 100); // setting it again sends it to the back
    for (const EventQueue::Slot expected : {5u, 7u, 0u, 2u}) {
        CHECK(queue.next_time() == 100);
        CHECK(queue.pop() == expected);
    }
    CHECK(queue.empty());
    CHECK(queue.next_time() == NEVER);
}

struct Reference {
    struct Entry {
        Time time;
        std::uint64_t order;
        EventQueue::Slot slot;
    };
    std::vector<Entry> entries;
    std::uint64_t order = 0;

    void clear(EventQueue::Slot slot)
    {
        std::erase_if(entries, [&](const Entry &entry) { return entry.slot == slot; });
    }
    void set(EventQueue::Slot slot, Time time)
    {
        clear(slot);
        entries.push_back({time, order++, slot});
    }
    Entry pop()
    {
        const auto first = std::ranges::min_element(entries, [](const Entry &a, const Entry &b) {
            return a.time != b.time ? a.time < b.time : a.order < b.order;
        });
        const Entry entry = *first;
        entries.erase(first);
        return entry;
    }
};

void behaves_like_a_sorted_list()
{
    constexpr std::uint32_t SLOTS = 60;
    EventQueue queue(SLOTS);
    Reference reference;
    Random random(1, 2, Purpose::Backoff);
    Time now = 0;
    for (int step = 0; step < 50'000; ++step) {
        const EventQueue::Slot slot = random.one_to(SLOTS) - 1;
        const std::uint32_t what = random.one_to(10);
        if (what <= 6) {
            const Time time = now + random.one_to(200) - 1;
            queue.set(slot, time);
            reference.set(slot, time);
        } else if (what == 7) {
            queue.clear(slot);
            reference.clear(slot);
        } else if (!reference.entries.empty()) {
            const Time time = queue.next_time();
            const EventQueue::Slot popped = queue.pop();
            const Reference::Entry expected = reference.pop();
            CHECK(popped == expected.slot);
            CHECK(time == expected.time);
            now = time;
        }
        CHECK(queue.empty() == reference.entries.empty());
        const bool is_set =
            std::ranges::any_of(reference.entries, [&](const auto &entry) { return entry.slot == slot; });
        CHECK(queue.is_set(slot) == is_set);
    }
}

void streams_are_independent()
{
    Random a(1, 7, Purpose::Backoff);
    Random again(1, 7, Purpose::Backoff);
    Random other_seed(2, 7, Purpose::Backoff);
    Random other_node(1, 8, Purpose::Backoff);
    Random other_purpose(1, 7, Purpose::Reception);
    int same = 0;
    double sum = 0;
    double square = 0;
    constexpr int COUNT = 100'000;
    for (int i = 0; i < COUNT; ++i) {
        const std::uint64_t value = a.next();
        CHECK(value == again.next());
        same += value == other_seed.next() || value == other_node.next() || value == other_purpose.next() ? 1 : 0;
        const double z = again.normal();
        sum += z;
        square += z * z;
        again = a;
    }
    CHECK(same == 0);
    CHECK_NEAR(sum / COUNT, 0.0, 0.02);
    CHECK_NEAR(square / COUNT, 1.0, 0.03);
}

void windows_are_uniform()
{
    Random random(3, 1, Purpose::Backoff);
    std::vector<int> counts(33, 0);
    constexpr int COUNT = 320'000;
    for (int i = 0; i < COUNT; ++i) {
        ++counts[random.one_to(32)];
    }
    CHECK(counts[0] == 0);
    for (std::size_t value = 1; value <= 32; ++value) {
        CHECK_NEAR(counts[value], COUNT / 32.0, 600); // six standard deviations
    }
}

} // namespace

int main()
{
    ties_go_to_the_first_set();
    behaves_like_a_sorted_list();
    streams_are_independent();
    windows_are_uniform();
}
