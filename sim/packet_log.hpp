// The packet log: what happened to packets, event by event, when the specification asks for it.
//
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "records.hpp"
#include "spec.hpp"

#include <cstdint>

namespace penstock {

inline constexpr std::uint32_t NO_PACKET = UINT32_MAX;

class PacketLog {
public:
    PacketLog(const WorldSpec &spec, Records &records)
        : records_(records),
          from_(spec.log_events ? seconds(spec.settle_s) : NEVER)
    {}

    // `packet`: index into Records::packets, NO_PACKET for a beacon. `peer`: -1 for none. `queue`: how many packets the
    // node holds; -1 where that is not the point.
    void add(Time now, std::uint32_t node, EventKind kind, std::int32_t peer, std::uint32_t packet,
             std::int32_t queue = -1)
    {
        if (now < from_) {
            return;
        }
        const bool known = packet != NO_PACKET;
        records_.events.push_back({
            .time = now,
            .node = static_cast<std::int32_t>(node),
            .kind = kind,
            .peer = peer,
            .origin = known ? records_.packets[packet].origin : -1,
            .seq = known ? records_.packets[packet].seq : 0,
            .queue = queue,
        });
    }

private:
    Records &records_;
    Time from_;
};

} // namespace penstock
