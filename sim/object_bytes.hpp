// The bytes of an object that a source holds: given ones, or drawn by counter, so that nobody keeps a copy.
//
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "random.hpp"

#include "penstock/bulk.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>

namespace penstock {

class ObjectBytes {
public:
    // `content`: must live as long as this; empty: byte i is byte i mod 8 of value i / 8 of the stream that seed and
    // number of the transfer name.
    ObjectBytes(std::uint64_t seed, std::uint64_t transfer, std::string_view content)
        : content_(content),
          random_(seed, transfer, Purpose::Content)
    {}

    void read(std::uint32_t offset, std::span<std::uint8_t> into) const
    {
        for (std::uint8_t &byte : into) {
            byte = at(offset++);
        }
    }

    // CRC-32 of the first `size` bytes.
    [[nodiscard]] std::uint32_t crc(std::uint32_t size) const
    {
        std::uint8_t some[256];
        std::uint32_t crc = 0;
        for (std::uint32_t offset = 0; offset < size;) {
            const auto len = std::min<std::uint32_t>(size - offset, sizeof some);
            read(offset, std::span(some, len));
            crc = penstock_crc32(crc, some, len);
            offset += len;
        }
        return crc;
    }

    [[nodiscard]] bool equals(std::span<const std::uint8_t> bytes) const
    {
        std::uint32_t offset = 0;
        return std::ranges::all_of(bytes, [&](std::uint8_t byte) { return byte == at(offset++); });
    }

private:
    [[nodiscard]] std::uint8_t at(std::uint32_t offset) const
    {
        return content_.empty() ? static_cast<std::uint8_t>(random_.at(offset / 8) >> (8 * (offset % 8)))
                                : static_cast<std::uint8_t>(content_[offset]);
    }

    std::string_view content_;
    Random random_;
};

} // namespace penstock
