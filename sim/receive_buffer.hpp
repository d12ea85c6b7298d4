// The CC2420's buffer of received frames: what the processor has not read yet.
//
// A frame that ends intact waits here, with its length byte, until the processor begins to read it. One that does not
// fit is lost, and with it everything else for a while: the chip stops receiving and waits to be flushed, which
// TinyOS 2 (CC2420ReceiveP) does when it has read all the complete frames before the broken one. A frame that was
// already on air when the flush came has lost its beginning.
//
// Two simplifications: whether a frame fits is judged when it ends, and the bytes of a frame that is being read count
// as free from the first one on (reading takes half a millisecond). Frames that arrive damaged take no room.
//
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "medium.hpp"
#include "units.hpp"

#include <array>
#include <cstdint>

namespace penstock {

// What a receiver keeps of a frame beside its bytes.
struct ReceivedFrame {
    Node from = NOBODY;
    Node to = NOBODY; // NOBODY: broadcast. Of an acknowledgement: whose frame it acknowledges
    Signal kind = Signal::Data;
    bool wants_ack = false;
    bool congested = false;    // the bit in an acknowledgement
    std::uint8_t len = 0;      // bytes kept, without FCS; 0 for an acknowledgement
    std::uint32_t attempt = 0; // of `from`, or of `to` where this is its acknowledgement
    std::uint32_t mark = 0;    // OutgoingFrame::mark
    std::int8_t rssi_dbm = 0;
    std::uint8_t lqi = 0; // 0: the radio knows nothing of it
};

class ReceiveBuffer {
public:
    static constexpr int BYTES = 128;         // data sheet, RXFIFO
    static constexpr int LONGEST_FRAME = 127; // aMaxPHYPacketSize
    static constexpr int SHORTEST_FRAME = 5;  // an acknowledgement, FCS included

    // A frame of `frame_bytes` (FCS included) that was on air from `began` on has ended; false if it is lost.
    bool put(const ReceivedFrame &frame, const std::uint8_t *bytes, int frame_bytes, Time began);
    [[nodiscard]] bool empty() const { return count_ == 0; }
    [[nodiscard]] bool overflowed() const { return overflowed_; }
    // Takes the oldest frame out; there must be one. `bytes` has room for a frame of any length.
    ReceivedFrame take(std::uint8_t *bytes);
    // Forgets everything and receives again.
    void flush(Time now);

private:
    struct Slot {
        ReceivedFrame frame;
        int size = 0; // in the chip: length byte, frame, FCS
    };

    static constexpr std::size_t MOST_FRAMES = BYTES / (1 + SHORTEST_FRAME);

    std::array<Slot, MOST_FRAMES> slots_{}; // oldest first
    std::array<std::uint8_t, BYTES> bytes_{};
    std::size_t count_ = 0;
    int used_ = 0;       // of BYTES
    int bytes_kept_ = 0; // of bytes_
    bool overflowed_ = false;
    Time flushed_at_ = 0;
};

} // namespace penstock
