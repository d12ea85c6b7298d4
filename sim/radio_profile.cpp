// SPDX-License-Identifier: BSD-3-Clause
#include "radio_profile.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace penstock {

namespace {

// CC1000 data sheet, table of output power settings at 433 MHz (supply current in mA),
// every 5 dB from -20 dBm to +10 dBm; in between, interpolated.
double cc1000_transmit_ma(double tx_power_dbm)
{
    constexpr std::array<double, 7> MA = {6.9, 7.4, 7.9, 8.9, 10.4, 14.8, 26.7};
    const double steps = std::clamp((tx_power_dbm + 20.0) / 5.0, 0.0, 6.0);
    const auto low = static_cast<std::size_t>(std::min(std::floor(steps), 5.0));
    return MA[low] + (MA[low + 1] - MA[low]) * (steps - static_cast<double>(low));
}

// Bit rate: 38.4 kbaud Manchester. Noise bandwidth 30 kHz: Zuniga and Krishnamachari 2004, for the Mica2.
// Turnaround 250 us: data sheet. MAC timings: TinyOS 1.1, CC1000RadioInt (mica2): 3 preamble bytes
// end idling; up to 5 readings of one ADC conversion (13 cycles of the ATmega128's 57.6 kHz ADC clock);
// 4 bytes of flush; the acknowledgement takes 16 byte times from the frame's end, its code is complete
// after 15; the sender matches 16 bits of it and gives up 4 + 4 + 18 bytes after its frame; the slow
// squelch timer runs every 2560 ms. Spread of noise readings 4 dB: the Mica2 parameters of the TOSSIM
// link-layer model (WHITE_GAUSSIAN_NOISE). Currents at 433 MHz and 3 V: data sheet.
// Time-out after a channel check: TinyOS 2, CC1000CsmaP. Start-up: 1.5 ms for the crystal and 250 us to switch to
// reception, as the B-MAC paper has them for the Mica2 (Polastre, Hill, Culler, SenSys 2004, its table of primitive
// operations); the first at what oscillator and bias draw (860 uA), the second at the receiver's current. Powered down
// the chip draws 0.2 uA (both: data sheet, current consumption). The paper's own currents are the whole board's.
constexpr Time CRYSTAL_START = 1'500 * NS_PER_US;
constexpr Time RECEIVER_START = 250 * NS_PER_US;
constexpr double CRYSTAL_MA = 0.86;
constexpr double RECEIVE_MA = 7.4;

constexpr RadioProfile CC1000 = {
    .name = "cc1000",
    .modulation = Modulation::NcFsk,
    .bit_rate = 19'200.0,
    .bandwidth_per_rate = 30.0 / 19.2,
    .acquire_bytes = 3,
    .turnaround = 250 * NS_PER_US,
    .rssi_sample = 226 * NS_PER_US,
    .cca_samples = 5,
    .rssi_noise_sd_db = 4.0,
    .flush_bytes = 4,
    .ack_bytes = 15,
    .ack_code_bits = 16,
    .ack_wait_bytes = 26,
    .squelch_interval = 2560 * NS_PER_US * 1000,
    .startup = CRYSTAL_START + RECEIVER_START,
    .listen_time_out = 30'000 * NS_PER_US,
    .supply_volts = 3.0,
    .receive_ma = RECEIVE_MA,
    .transmit_ma = cc1000_transmit_ma,
    .startup_ma = (static_cast<double>(CRYSTAL_START) * CRYSTAL_MA + static_cast<double>(RECEIVER_START) * RECEIVE_MA) /
                  static_cast<double>(CRYSTAL_START + RECEIVER_START),
    .sleep_ma = 0.0002,
};

} // namespace

const RadioProfile *radio_profile(std::string_view name)
{
    return name == CC1000.name ? &CC1000 : nullptr;
}

} // namespace penstock
