// Radios and the MAC timings that belong to them: constants from data sheets and sources.
//
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "modulation.hpp"
#include "units.hpp"

#include <cmath>
#include <cstdint>
#include <string_view>

namespace penstock {

struct RadioProfile {
    std::string_view name;
    Modulation modulation;
    double bit_rate;            // data bits per second on air
    double bandwidth_per_rate;  // B/R, noise bandwidth over data rate
    double interference_weight; // how much more than noise the power of others' frames disturbs
    int acquire_bytes;          // preamble bytes that must be seen in a row before the radio stops idling
    Time turnaround;            // receive to transmit; the radio is deaf
    Time rssi_sample;           // one energy reading
    int cca_samples;            // readings before the channel is called busy
    double rssi_noise_sd_db;    // standard deviation of one reading of the bare noise floor
    int flush_bytes;            // after the frame: still in transmit mode, not radiating
    bool ack_is_frame;          // an acknowledgement has a preamble and a sync word, as any frame
    int ack_bytes;              // the acknowledgement on air, without these, up to its last (code) bit
    int ack_code_bits;          // one that is no frame: of which the sender must match this many
    int ack_wait_bytes;         // B-MAC: after the frame's end the sender gives up on it
    Time squelch_interval;      // between two readings for the noise-floor estimate
    Time startup;               // from power down until the radio listens
    Time listen_time_out;       // low-power listening: after energy that turns out to be nothing
    double supply_volts;
    double receive_ma;                         // also while idle listening
    std::uint8_t (*link_quality)(double sinr); // what the chip says of a frame; null: nothing
    double lowest_dbm;                         // output power that can be set
    double highest_dbm;
    double (*transmit_ma)(double tx_power_dbm);
    double startup_ma; // mean over the start-up
    double sleep_ma;   // powered down

    // Preamble of frames for nodes that look at the channel once in `check_interval_s`; 0: that are always on.
    [[nodiscard]] int preamble_bytes(int ordinary, double check_interval_s) const
    {
        return ordinary + static_cast<int>(std::ceil(check_interval_s * bit_rate / 8.0 - 1e-9));
    }
    [[nodiscard]] Time bytes(int count) const { return bits(8 * count); }
    [[nodiscard]] Time bits(int count) const
    {
        return static_cast<Time>(std::llround(static_cast<double>(count) * 1e9 / bit_rate));
    }
};

// "cc1000": the Mica2's Chipcon CC1000 under TinyOS 1.1 (B-MAC). "cc2420": the IEEE 802.15.4 radio of Telos and MicaZ.
// Null for an unknown name.
const RadioProfile *radio_profile(std::string_view name);

} // namespace penstock
