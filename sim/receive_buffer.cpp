// SPDX-License-Identifier: BSD-3-Clause
#include "receive_buffer.hpp"

#include <algorithm>

namespace penstock {

bool ReceiveBuffer::put(const ReceivedFrame &frame, const std::uint8_t *bytes, int frame_bytes, Time began)
{
    const int size = 1 + frame_bytes;
    if (overflowed_ || began < flushed_at_) {
        return false;
    }
    if (used_ + size > BYTES || count_ == slots_.size()) {
        overflowed_ = true;
        return false;
    }
    slots_[count_++] = {frame, size};
    std::copy_n(bytes, frame.len, bytes_.begin() + bytes_kept_);
    used_ += size;
    bytes_kept_ += frame.len;
    return true;
}

ReceivedFrame ReceiveBuffer::take(std::uint8_t *bytes)
{
    const Slot oldest = slots_.front();
    std::copy_n(bytes_.begin(), oldest.frame.len, bytes);
    std::copy(bytes_.begin() + oldest.frame.len, bytes_.begin() + bytes_kept_, bytes_.begin());
    std::copy(slots_.begin() + 1, slots_.begin() + static_cast<std::ptrdiff_t>(count_), slots_.begin());
    --count_;
    used_ -= oldest.size;
    bytes_kept_ -= oldest.frame.len;
    return oldest.frame;
}

void ReceiveBuffer::flush(Time now)
{
    count_ = 0;
    used_ = 0;
    bytes_kept_ = 0;
    overflowed_ = false;
    flushed_at_ = now;
}

} // namespace penstock
