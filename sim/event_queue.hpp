// The event queue: a 4-ary heap of timers.
//
// Every timer is a slot that is either unset or has one moment, so setting it again moves it
// in place and the heap never holds a stale event. Ties go to the timer that was set first.
//
// Most events set a timer at once. So the place of an event that was popped stays vacant until the next operation,
// and a timer that is set fills it, which saves one of two passes through the heap.
//
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "units.hpp"

#include <cstdint>
#include <vector>

namespace penstock {

class EventQueue {
public:
    using Slot = std::uint32_t;

    explicit EventQueue(std::size_t slots) : position_(slots, UNSET) { heap_.reserve(slots); }

    [[nodiscard]] bool empty() const { return heap_.size() == (vacant_ ? 1u : 0u); }
    [[nodiscard]] Time next_time()
    {
        fill_vacancy();
        return heap_.empty() ? NEVER : heap_.front().time;
    }
    [[nodiscard]] bool is_set(Slot slot) const { return position_[slot] != UNSET; }
    [[nodiscard]] Time time_of(Slot slot) const
    {
        return position_[slot] == UNSET ? NEVER : heap_[position_[slot]].time;
    }

    void set(Slot slot, Time time)
    {
        const Entry entry{time, order_++, slot};
        if (position_[slot] != UNSET) {
            fill_vacancy();
            const std::uint32_t at = position_[slot];
            before(entry, heap_[at]) ? sift_up(at, entry) : sift_down(at, entry);
        } else if (vacant_) {
            vacant_ = false;
            sift_down(0, entry);
        } else {
            heap_.push_back(entry);
            sift_up(static_cast<std::uint32_t>(heap_.size() - 1), entry);
        }
    }

    void clear(Slot slot)
    {
        if (position_[slot] != UNSET) {
            fill_vacancy();
            remove(position_[slot]);
        }
    }

    // Takes the next event out. The queue must not be empty.
    Slot pop()
    {
        fill_vacancy();
        const Slot slot = heap_.front().slot;
        position_[slot] = UNSET;
        vacant_ = true;
        return slot;
    }

private:
    static constexpr std::uint32_t UNSET = UINT32_MAX;

    struct Entry {
        Time time;
        std::uint32_t order;
        Slot slot;
    };

    // Orders are compared modulo 2^32: two timers set for the same moment are close in order.
    static bool before(const Entry &a, const Entry &b)
    {
        return a.time != b.time ? a.time < b.time : static_cast<std::int32_t>(a.order - b.order) < 0;
    }

    void place(std::uint32_t at, const Entry &entry)
    {
        heap_[at] = entry;
        position_[entry.slot] = at;
    }

    void sift_up(std::uint32_t at, const Entry &entry)
    {
        while (at > 0) {
            const std::uint32_t parent = (at - 1) / 4;
            if (!before(entry, heap_[parent])) {
                break;
            }
            place(at, heap_[parent]);
            at = parent;
        }
        place(at, entry);
    }

    void sift_down(std::uint32_t at, const Entry &entry)
    {
        const auto size = static_cast<std::uint32_t>(heap_.size());
        for (;;) {
            const std::uint32_t first = 4 * at + 1;
            if (first >= size) {
                break;
            }
            std::uint32_t least = first;
            const std::uint32_t end = first + 4 < size ? first + 4 : size;
            for (std::uint32_t child = first + 1; child < end; ++child) {
                if (before(heap_[child], heap_[least])) {
                    least = child;
                }
            }
            if (!before(heap_[least], entry)) {
                break;
            }
            place(at, heap_[least]);
            at = least;
        }
        place(at, entry);
    }

    void fill_vacancy()
    {
        if (vacant_) {
            vacant_ = false;
            const Entry last = heap_.back();
            heap_.pop_back();
            if (!heap_.empty()) {
                sift_down(0, last);
            }
        }
    }

    void remove(std::uint32_t at)
    {
        position_[heap_[at].slot] = UNSET;
        const Entry last = heap_.back();
        heap_.pop_back();
        if (at == heap_.size()) {
            return;
        }
        if (at > 0 && before(last, heap_[(at - 1) / 4])) {
            sift_up(at, last);
        } else {
            sift_down(at, last);
        }
    }

    std::vector<Entry> heap_;
    std::vector<std::uint32_t> position_;
    bool vacant_ = false; // the first entry has been popped
    std::uint32_t order_ = 0;
};

} // namespace penstock
