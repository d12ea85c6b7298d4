// The event queue: a 4-ary heap of timers.
//
// Every timer is a slot that is either unset or has one moment, so setting it again moves it
// in place and the heap never holds a stale event. Ties go to the timer that was set first.
//
// Most events set a timer at once. So the place of an event that was popped stays vacant until the next operation,
// and a timer that is set fills it, which saves one of two passes through the heap.
//
// A timer may be set late, at the end of a chain of timers that were never in the queue (see set_as_of): it then
// takes the turn that it would have had. To tell, each timer remembers where it comes from.
//
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "units.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace penstock {

class EventQueue {
public:
    using Slot = std::uint32_t;

    // What decides ties. A timer is set by an event, which was a timer itself: of two timers for the same moment, the
    // one comes first that was set first; if both were set at one moment, the one whose event came first then. `spans`
    // has the spans from setting to going off of the timer, of the one before it, and so on back: the longer one was
    // set first. Where all are equal, `order` decides: it counts the timers set, and a chain keeps that of its start.
    struct Origin {
        static constexpr std::size_t GENERATIONS = 8;
        std::array<std::uint32_t, GENERATIONS> spans{}; // ns, at most UINT32_MAX
        std::uint64_t order = 0;

        // Of the timer, set when this one went off, that takes over from it.
        [[nodiscard]] Origin heir(Time span) const
        {
            Origin next;
            next.order = order;
            next.spans[0] = static_cast<std::uint32_t>(std::min<Time>(span, UINT32_MAX));
            std::copy_n(spans.begin(), GENERATIONS - 1, next.spans.begin() + 1);
            return next;
        }
        friend bool operator<(const Origin &a, const Origin &b)
        {
            return a.spans != b.spans ? a.spans > b.spans : a.order < b.order;
        }
    };

    explicit EventQueue(std::size_t slots) : position_(slots, UNSET), origin_(slots) { heap_.reserve(slots); }

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

    // What a timer for `time` gets that is set by the event that was popped last, and takes over from it.
    [[nodiscard]] Origin heir(Time time) const { return popped_.heir(time - now_); }
    // The same for a timer that starts something new.
    [[nodiscard]] Origin new_origin(Time time)
    {
        Origin origin = heir(time);
        origin.order = order_++;
        return origin;
    }
    // Whether a timer for `time` would have gone off before the event that was popped last.
    [[nodiscard]] bool is_past(Time time, const Origin &origin) const
    {
        return time != now_ ? time < now_ : origin < popped_;
    }

    void set(Slot slot, Time time) { set_as_of(slot, time, new_origin(time)); }

    // The same, as if the timer had been set earlier. It must be unset.
    void set_as_of(Slot slot, Time time, const Origin &origin)
    {
        const Entry entry{time, slot};
        if (position_[slot] != UNSET) {
            fill_vacancy();
            origin_[slot] = origin;
            const std::uint32_t at = position_[slot];
            before(entry, heap_[at]) ? sift_up(at, entry) : sift_down(at, entry);
            return;
        }
        origin_[slot] = origin;
        if (vacant_) {
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
        now_ = heap_.front().time;
        popped_ = origin_[slot];
        position_[slot] = UNSET;
        vacant_ = true;
        return slot;
    }

private:
    static constexpr std::uint32_t UNSET = UINT32_MAX;

    struct Entry {
        Time time;
        Slot slot;
    };

    [[nodiscard]] bool before(const Entry &a, const Entry &b) const
    {
        return a.time != b.time ? a.time < b.time : origin_[a.slot] < origin_[b.slot];
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
    std::vector<Origin> origin_; // by slot; only ties look at it
    bool vacant_ = false;        // the first entry has been popped
    std::uint64_t order_ = 0;
    Time now_ = 0; // of the event that was popped last
    Origin popped_;
};

} // namespace penstock
