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
    .interference_weight = 1.0,
    .acquire_bytes = 3,
    .turnaround = 250 * NS_PER_US,
    .rssi_sample = 226 * NS_PER_US,
    .cca_samples = 5,
    .rssi_noise_sd_db = 4.0,
    .flush_bytes = 4,
    .ack_is_frame = false,
    .ack_bytes = 15,
    .ack_code_bits = 16,
    .ack_wait_bytes = 26,
    .squelch_interval = 2560 * NS_PER_US * 1000,
    .startup = CRYSTAL_START + RECEIVER_START,
    .listen_time_out = 30'000 * NS_PER_US,
    .supply_volts = 3.0,
    .receive_ma = RECEIVE_MA,
    .link_quality = nullptr,
    .lowest_dbm = -50.0, // the table ends at -20 and 10; the current stays as it is there
    .highest_dbm = 30.0,
    .transmit_ma = cc1000_transmit_ma,
    .startup_ma = (static_cast<double>(CRYSTAL_START) * CRYSTAL_MA + static_cast<double>(RECEIVER_START) * RECEIVE_MA) /
                  static_cast<double>(CRYSTAL_START + RECEIVER_START),
    .sleep_ma = 0.0002,
};

struct PowerSetting {
    double dbm;
    double ma;
};

// CC2420 data sheet (SWRS041), table 9: output power settings and current at 2.45 GHz; in between, interpolated.
double cc2420_transmit_ma(double tx_power_dbm)
{
    constexpr std::array<PowerSetting, 8> SETTINGS = {
        {{-25, 8.5}, {-15, 9.9}, {-10, 11.2}, {-7, 12.5}, {-5, 13.9}, {-3, 15.2}, {-1, 16.5}, {0, 17.4}}};
    if (tx_power_dbm <= SETTINGS.front().dbm) {
        return SETTINGS.front().ma;
    }
    for (std::size_t i = 1; i < SETTINGS.size(); ++i) {
        const PowerSetting &low = SETTINGS[i - 1];
        const PowerSetting &high = SETTINGS[i];
        if (tx_power_dbm <= high.dbm) {
            return low.ma + (high.ma - low.ma) * (tx_power_dbm - low.dbm) / (high.dbm - low.dbm);
        }
    }
    return SETTINGS.back().ma;
}

// CC2420 data sheet, link quality indication: the chip gives the average correlation of the 8 symbols after the start
// of the frame, about 110 for the best frames and 50 for the worst that it detects, "a measurement of the chip error
// rate". A share p of wrong chips leaves 1 - 2p of the correlation. The spread over 8 symbols is left out.
std::uint8_t cc2420_link_quality(double sinr)
{
    constexpr double MOST = 110.0;
    constexpr double LEAST = 50.0;
    return static_cast<std::uint8_t>(
        std::lround(std::max(LEAST, MOST * (1.0 - 2.0 * oqpsk_dsss_chip_error_rate(sinr)))));
}

// CC2420 data sheet (SWRS041). Electrical specifications: 250 kbit/s; 12 symbols (192 us) from reception to
// transmission and back; voltage regulator and crystal start in 0.3 and 0.86 ms, with 0.43 mA (idle mode) from the
// crystal on, then 192 us until it receives; 18.8 mA receiving; 0.02 uA with the regulator off, as TinyOS leaves it.
// RSSI: an average over 8 symbols (128 us). Demodulator: a sync word of one preamble byte (two zero symbols, one of
// them not compared) and the start-of-frame delimiter. An acknowledgement has 5 bytes after preamble, delimiter and
// length: 11 bytes on air, 352 us. Co-channel rejection -3 dB: one 20-byte frame in a hundred is lost beside another
// 802.15.4 signal 3 dB below. The error curve, made for white noise, has that loss at 0.47 dB, and at 0 dB would lose
// hardly any; so others' power counts 2.53 dB more than noise. A reading's spread is not used: clear channels are
// judged by the averaged power.
constexpr Time CC2420_REGULATOR_START = 300 * NS_PER_US;
constexpr Time CC2420_CRYSTAL_START = 860 * NS_PER_US;
constexpr Time CC2420_TURNAROUND = 192 * NS_PER_US;
constexpr Time CC2420_START = CC2420_REGULATOR_START + CC2420_CRYSTAL_START + CC2420_TURNAROUND;
constexpr double CC2420_IDLE_MA = 0.426;
constexpr double CC2420_RECEIVE_MA = 18.8;

constexpr RadioProfile CC2420 = {
    .name = "cc2420",
    .modulation = Modulation::OqpskDsss,
    .bit_rate = 250'000.0,
    .bandwidth_per_rate = 8.0, // chips a bit; the error curve has it in it
    .interference_weight = 1.79,
    .acquire_bytes = 1,
    .turnaround = CC2420_TURNAROUND,
    .rssi_sample = 128 * NS_PER_US,
    .cca_samples = 1,
    .rssi_noise_sd_db = 1.0,
    .flush_bytes = 0,
    .ack_is_frame = true,
    .ack_bytes = 5,
    .ack_code_bits = 0,
    .ack_wait_bytes = 0,
    .squelch_interval = NEVER,
    .startup = CC2420_START,
    .listen_time_out = 0,
    .supply_volts = 3.0,
    .receive_ma = CC2420_RECEIVE_MA,
    .link_quality = cc2420_link_quality,
    .lowest_dbm = -25.0,
    .highest_dbm = 0.0,
    .transmit_ma = cc2420_transmit_ma,
    .startup_ma = (static_cast<double>(CC2420_CRYSTAL_START) * CC2420_IDLE_MA +
                   static_cast<double>(CC2420_TURNAROUND) * CC2420_RECEIVE_MA) /
                  static_cast<double>(CC2420_START),
    .sleep_ma = 0.00002,
};

} // namespace

const RadioProfile *radio_profile(std::string_view name)
{
    if (name == CC1000.name) {
        return &CC1000;
    }
    return name == CC2420.name ? &CC2420 : nullptr;
}

} // namespace penstock
