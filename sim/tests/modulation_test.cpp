// The error table against the closed form.
//
// SPDX-License-Identifier: BSD-3-Clause
#include "check.hpp"
#include "modulation.hpp"
#include "radio_profile.hpp"

using namespace penstock;

int main()
{
    const RadioProfile &radio = *radio_profile("cc1000");
    const ErrorCurve curve(radio.modulation, radio.bandwidth_per_rate);
    for (double db = -29.9; db < 23.9; db += 0.013) {
        const double sinr = std::pow(10.0, db / 10.0);
        const double error_rate = nc_fsk_bit_error_rate(sinr, radio.bandwidth_per_rate);
        const double exact = std::log1p(-error_rate);
        CHECK_NEAR(curve.log_bit_success(sinr), exact, 2e-3 * std::fabs(exact) + 1e-12);
    }
    // The ends: a coin toss without signal, certainty with much of it.
    CHECK_NEAR(curve.log_bit_success(0.0), std::log(0.5), 1e-12);
    CHECK(curve.log_bit_success(1e6) == 0.0);
    // Design fact: Pe = 1/2 exp(-1/2 SINR B/R); at 10 dB and B/R = 30/19.2.
    CHECK_NEAR(nc_fsk_bit_error_rate(10.0, 30.0 / 19.2), 0.5 * std::exp(-7.8125), 1e-15);
    // Air time of the thesis's packet: 56 bytes at 19.2 kbit/s.
    CHECK_NEAR(static_cast<double>(radio.bytes(56)), 56 * 8 / 19200.0 * 1e9, 1.0);
    CHECK(radio_profile("cc9999") == nullptr);
    // Data sheet points of the transmit current.
    CHECK_NEAR(radio.transmit_ma(-10.0), 7.9, 1e-9);
    CHECK_NEAR(radio.transmit_ma(0.0), 10.4, 1e-9);
    CHECK_NEAR(radio.transmit_ma(30.0), 26.7, 1e-9);
}
