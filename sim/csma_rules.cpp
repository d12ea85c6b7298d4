// SPDX-License-Identifier: BSD-3-Clause
#include "csma_rules.hpp"

#include <algorithm>
#include <cmath>

namespace penstock {

namespace {

constexpr std::string_view BMAC = "bmac";
constexpr std::string_view TINYOS_CC2420 = "tinyos_cc2420";
constexpr std::string_view TINYOS1_CC2420 = "tinyos1_cc2420";
constexpr std::string_view IEEE802154 = "ieee802154";

// CC2420 data sheet, clear channel assessment: the threshold that the chip starts with (register value -32, offset
// -45 dB), which TinyOS leaves as it is. A chip that follows a frame finds the channel busy however weak that is (CCA
// mode 3, which TinyOS sets).
constexpr double CC2420_BUSY_DBM = -77.0;

Time ticks_32khz(int count)
{
    return std::llround(static_cast<double>(count) * 1e9 / 32'768.0);
}

int most_steps(const CsmaRules &rules)
{
    int most = 0;
    for (const BackoffWindow &window : rules.windows) {
        most = std::max(most, window.least + window.choices - 1);
    }
    return most;
}

template <typename Duration> void set_steps(CsmaRules &rules, Duration duration)
{
    for (int count = 0; count <= most_steps(rules); ++count) {
        rules.steps.push_back(duration(count));
    }
}

int longest_on_air(const WorldSpec &spec, const RadioProfile &radio)
{
    return radio.preamble_bytes(spec.preamble_bytes, spec.check_interval_s) + spec.sync_bytes + spec.max_frame_bytes;
}

// TinyOS 1.1, CC1000RadioInt; the numbers are in the radio's profile and the scenario.
CsmaRules bmac(const WorldSpec &spec, const RadioProfile &radio)
{
    CsmaRules rules;
    rules.windows = {{1, spec.initial_backoff_bytes}, {1, spec.congestion_backoff_bytes}};
    set_steps(rules, [&](int count) { return radio.bytes(count); });
    rules.pauses = true;
    rules.readings = radio.cca_samples;
    rules.reading = radio.rssi_sample;
    rules.ack_wait = radio.bytes(radio.ack_wait_bytes);
    rules.flush = radio.bytes(radio.flush_bytes);
    rules.packet_time = radio.bytes(spec.initial_backoff_bytes + longest_on_air(spec, radio) + radio.ack_bytes);
    return rules;
}

void set_packet_time(CsmaRules &rules, const WorldSpec &spec, const RadioProfile &radio)
{
    const BackoffWindow &first = rules.windows.front();
    rules.packet_time = rules.load_byte * spec.max_frame_bytes + rules.processing +
                        rules.steps[static_cast<std::size_t>(first.least + first.choices - 1)] +
                        rules.looks * rules.reading + (rules.looks - 1) * rules.between_looks + radio.turnaround +
                        radio.bytes(longest_on_air(spec, radio)) + rules.ack_delay +
                        rules.ack_delay_byte * spec.max_frame_bytes +
                        radio.bytes(spec.preamble_bytes + spec.sync_bytes + radio.ack_bytes) + rules.ack_handling;
}

// TinyOS 2, tos/chips/cc2420: CC2420CsmaP (windows: a random number below 31 or 7 backoff periods of 10 ticks, and 10
// more), CC2420TransmitP (one tick more; the two looks at the channel; what is loaded when; the wait of 256 ticks),
// CC2420ReceiveP (length and 7 bytes are read before the acknowledgement is ordered), CC2420.h. The pin that is looked
// at shows the chip's running average over 128 us, so a look takes no time of its own. SPI: half of the 1 MiHz
// submaster clock (tos/chips/msp430/usart/msp430usart.h), without gaps between bytes, which is the least it can be.
CsmaRules tinyos_cc2420(const WorldSpec &spec, const RadioProfile &radio)
{
    constexpr int PERIOD = 10;
    constexpr int LEAST = 10 + 1;
    constexpr int TURNAROUND_TICKS = 7;
    constexpr int ACK_WAIT_TICKS = 256;
    constexpr int HEADER_READ = 1 + 7;
    constexpr int ACK_READ = 1 + 5;
    const Time spi_byte = std::llround(8 * 2e9 / 1'048'576.0);

    CsmaRules rules;
    rules.windows = {{LEAST, 31 * PERIOD}, {LEAST, 7 * PERIOD}};
    set_steps(rules, ticks_32khz);
    rules.busy_mw = dbm_to_mw(CC2420_BUSY_DBM);
    rules.looks = 2;
    rules.between_looks = ticks_32khz(TURNAROUND_TICKS);
    rules.load_byte = spi_byte;
    rules.processing = seconds(spec.processing_s);
    rules.receive_processing = seconds(spec.receive_processing_s);
    rules.overhear_processing = seconds(spec.overhear_processing_s);
    rules.reads_ahead = spec.reads_ahead;
    rules.read_byte = spi_byte;
    rules.header_reading = HEADER_READ * spi_byte;
    rules.ack_delay = rules.header_reading + radio.turnaround;
    rules.ack_wait = ticks_32khz(ACK_WAIT_TICKS);
    rules.ack_handling = ACK_READ * spi_byte;
    rules.flush = radio.turnaround;
    set_packet_time(rules, spec, radio);
    return rules;
}

// The MicaZ's timer of 256 cycles of its 7.3728 MHz clock, which counts to 255 and then only by the high byte of what
// was asked for (TinyOS 1.x, tos/platform/micaz, TimerJiffyAsyncM): no wait is longer than 8.9 ms and a little.
Time micaz_jiffies(int count)
{
    constexpr int LOW_BYTE = 0xFF;
    const int counted = count > LOW_BYTE ? LOW_BYTE + (count >> 8) : count;
    return std::llround(static_cast<double>(counted) * 256e9 / 7'372'800.0);
}

// TinyOS 1.x on the MicaZ: tos/lib/CC2420Radio, CC2420RadioM and CC2420Const.h, as IFRC's authors changed them for
// software acknowledgements (contrib/usc-ifrc, with the SACK and ACK_DELAY of its Makefile), which is the MAC that
// Flush names (section 3.5). Backoff periods of 10 jiffies, 1 to 16 of them, 1 to 64 after a busy channel. One look at
// the pin, and the chip's own as it sends. The frame is loaded after the first backoff there and before it here, which
// takes as long. A received frame is read by a task, all of it, before its acknowledgement is ordered. Any frame that
// comes in during a backoff begins it anew, as after a busy channel and with the wait for an acknowledgement on top:
// its acknowledgement is to go first. SPI: half of the 7.3728 MHz clock (HPLCC2420M), without gaps between bytes.
CsmaRules tinyos1_cc2420(const WorldSpec &spec, const RadioProfile &radio)
{
    constexpr int PERIOD = 10;
    constexpr int CONGESTED = 64;
    constexpr int ACK_WAIT = 150;
    constexpr int ACK_READ = 1 + 5;
    const Time spi_byte = std::llround(8 * 2e9 / 7'372'800.0);

    CsmaRules rules;
    rules.windows = {{1, 16}, {1, CONGESTED}};
    set_steps(rules, [](int count) { return micaz_jiffies(PERIOD * count); });
    rules.busy_mw = dbm_to_mw(CC2420_BUSY_DBM);
    rules.load_byte = spi_byte;
    rules.processing = seconds(spec.processing_s);
    rules.ack_delay = spi_byte + radio.turnaround; // the length comes first
    rules.ack_delay_byte = spi_byte;
    rules.ack_wait = micaz_jiffies(ACK_WAIT);
    rules.ack_handling = ACK_READ * spi_byte;
    rules.flush = radio.turnaround;
    if (spec.defers) {
        for (int count = 0; count <= CONGESTED; ++count) {
            rules.deferred.push_back(micaz_jiffies(PERIOD * count + ACK_WAIT));
        }
    }
    set_packet_time(rules, spec, radio);
    return rules;
}

// IEEE 802.15.4-2006, unslotted CSMA-CA (7.5.1.4), its PIB defaults (table 86) and PHY constants (table 22; 6.9.9):
// macMinBE 3, macMaxBE 5, macMaxCSMABackoffs 4, aUnitBackoffPeriod 20 symbols, CCA 8 symbols, aTurnaroundTime 12,
// macAckWaitDuration 54; a symbol of the 2.4 GHz PHY is 16 us.
CsmaRules ieee802154(const WorldSpec &spec, const RadioProfile &radio)
{
    constexpr Time SYMBOL = 16 * NS_PER_US;
    constexpr int LEAST_EXPONENT = 3;
    constexpr int MOST_EXPONENT = 5;
    constexpr int MOST_BACKOFFS = 4;

    CsmaRules rules;
    for (int exponent = LEAST_EXPONENT; exponent <= MOST_EXPONENT; ++exponent) {
        rules.windows.push_back({0, 1 << exponent});
    }
    set_steps(rules, [](int count) { return Time{count} * 20 * SYMBOL; });
    rules.most_busy = MOST_BACKOFFS + 1;
    rules.reading = 8 * SYMBOL;
    rules.busy_mw = dbm_to_mw(CC2420_BUSY_DBM);
    rules.processing = seconds(spec.processing_s);
    rules.ack_delay = radio.turnaround;
    rules.ack_wait = 54 * SYMBOL;
    rules.flush = radio.turnaround;
    set_packet_time(rules, spec, radio);
    return rules;
}

} // namespace

bool csma_exists(std::string_view mac)
{
    return mac == BMAC || mac == TINYOS_CC2420 || mac == TINYOS1_CC2420 || mac == IEEE802154;
}

bool csma_fits(std::string_view mac, std::string_view radio)
{
    return (mac == BMAC) == (radio == "cc1000");
}

CsmaRules csma_rules(const WorldSpec &spec, const RadioProfile &radio)
{
    if (spec.mac == TINYOS_CC2420) {
        return tinyos_cc2420(spec, radio);
    }
    if (spec.mac == TINYOS1_CC2420) {
        return tinyos1_cc2420(spec, radio);
    }
    return spec.mac == IEEE802154 ? ieee802154(spec, radio) : bmac(spec, radio);
}

} // namespace penstock
