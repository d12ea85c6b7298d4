// In what the CSMA protocols differ: one table each, for one machine (csma.hpp).
//
// - "bmac": TinyOS 1.1 on the CC1000 (B-MAC). Backoff in byte times, counted only while the radio idles; a clear
//   channel is one energy reading of several below a noise floor that is learnt.
// - "tinyos_cc2420": TinyOS 2.0.2 on the CC2420. The frame is loaded into the chip first, then a backoff in ticks of
//   the 32 kHz clock goes on whatever the channel does; then the channel must be clear twice, an acknowledgement's
//   turnaround apart. The receiver's processor reads the header before it has the chip send the acknowledgement
//   (software acknowledgements, which also work for a node that overhears everything), and the sender's reads that.
// - "tinyos1_cc2420": TinyOS 1.1 on the MicaZ with software acknowledgements, as IFRC's authors published it and Flush
//   ran on it. Shorter backoffs; the channel must be clear once; the receiver reads the whole frame before it
//   acknowledges; and a frame that comes in during a backoff, whoever it is for, begins it anew, longer.
// - "ieee802154": unslotted CSMA-CA of IEEE 802.15.4 as Contiki-NG, Zephyr and RIOT use it. The window doubles with
//   each busy channel, and after the fifth the frame is given back. Acknowledgements come from the chip.
//
// Who gives up does so without having been on air (Outcome::NoChannel); the others sense for ever.
//
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "radio_profile.hpp"
#include "spec.hpp"
#include "units.hpp"

#include <string_view>
#include <vector>

namespace penstock {

// A backoff lasts one of `choices` numbers of steps, from `least` on.
struct BackoffWindow {
    int least;
    int choices;
};

struct CsmaRules {
    std::vector<BackoffWindow> windows; // by how often the channel was found busy; the last one for all more
    std::vector<Time> steps;            // how long 0, 1, 2, ... steps of backoff are
    int most_busy = 0;                  // found busy this often, a frame is given back; 0: never
    bool pauses = false;                // a backoff counts only while the radio idles

    int readings = 1;   // energy readings of one look at the channel; one that is low will do
    Time reading = 0;   // how long each takes
    double busy_mw = 0; // power that makes the channel busy; 0: the noise floor that the node has learnt
    int looks = 1;      // so often in a row must the channel be clear
    Time between_looks = 0;

    Time load_byte = 0;  // from processor to chip, before the first backoff
    Time processing = 0; // of the processor for each frame, beside that

    // Of the processor for a received frame, reading it out of the chip included: for this node or for all, and for
    // others (csma_processor.cpp). 0 for the former: frames are read and acknowledged at once.
    Time receive_processing = 0;
    Time overhear_processing = 0;
    bool reads_ahead = true; // a frame is read while the processor still works on the one before
    Time read_byte = 0;      // from chip to processor
    Time header_reading = 0; // until the acknowledgement is ordered

    Time ack_delay = 0;      // from a frame's end to its acknowledgement, where frames are read at once
    Time ack_delay_byte = 0; // and as much more for each byte of the frame
    Time ack_wait = 0;       // after the frame's end the sender gives up on it
    Time ack_handling = 0;
    Time flush = 0; // after a frame without acknowledgement: still in transmit mode, not radiating

    // How long a backoff of 0, 1, 2, ... steps of the second window is that a received frame has begun anew; empty
    // where received frames leave backoffs alone.
    std::vector<Time> deferred;

    Time packet_time = 0; // the longest frame with the longest first backoff and its acknowledgement

    // The window after the channel was found busy this often.
    [[nodiscard]] const BackoffWindow &window(int busy) const
    {
        const auto last = windows.size() - 1;
        return windows[static_cast<std::size_t>(busy) < last ? static_cast<std::size_t>(busy) : last];
    }
};

// Whether there is such a protocol, and it is one for this radio.
bool csma_exists(std::string_view mac);
bool csma_fits(std::string_view mac, std::string_view radio);

// An unnamed one is B-MAC.
CsmaRules csma_rules(const WorldSpec &spec, const RadioProfile &radio);

} // namespace penstock
