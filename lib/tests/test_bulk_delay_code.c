/* Delays as bytes: both codes are round trips for all 256 values and grow with them; linear ones are off by at most
 * half a unit, companded ones by at most 1/65 from 4 units on, and by a sixteenth of a unit below.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "bulk/delay_code.h"
#include "check.h"

static void test_round_trip(uint16_t unit_us, bool companded)
{
    uint32_t before = 0u;
    for (uint32_t code = 0u; code < 256u; code++) {
        uint32_t eighths = penstock_delay_eighths((uint8_t)code, companded);
        CHECK(code == 0u || eighths > before);
        before = eighths;
        CHECK_EQ(penstock_delay_code(penstock_delay_us(eighths, unit_us), unit_us, companded), code);
    }
    CHECK_EQ(penstock_delay_eighths(0u, companded), 0);
    CHECK_EQ(penstock_delay_eighths(255u, companded), companded ? 504 * 8 : 255 * 8);
    CHECK_EQ(penstock_delay_code(UINT32_MAX, unit_us, companded), 255);
}

/* In eighths of a microsecond, so that what the bytes stand for is exact. */
static int64_t error_of(uint32_t us, bool companded)
{
    uint8_t code = penstock_delay_code(us, 1000u, companded);
    return (int64_t)penstock_delay_eighths(code, companded) * 1000 - (int64_t)us * 8;
}

static void test_linear_error(void)
{
    for (uint32_t us = 0u; us <= 255000u; us++) {
        int64_t error = error_of(us, false);
        CHECK(error >= -4000 && error <= 4000);
    }
}

static void test_companded_error(void)
{
    int64_t worst = 0;
    for (uint32_t us = 0u; us <= 508000u; us++) {
        int64_t error = error_of(us, true);
        int64_t size = error < 0 ? -error : error;
        if (us < 4000u) {
            CHECK(size <= 500);
        } else {
            CHECK(size * 65 <= (int64_t)us * 8);
            worst = size * 1000000 / us > worst ? size * 1000000 / us : worst;
        }
    }
    CHECK(worst * 65 >= 8 * 1000000 - 65); /* the bound is reached: at 4.0625 ms, half way between two codes */
}

/* Steps where delays are expected: no coarser than a quarter of a millisecond at 8 to 16 ms, a half at 16 to 32, one
 * from there to 64, where the plain byte has one everywhere. */
static void test_steps(void)
{
    CHECK_EQ(penstock_delay_eighths(65u, true) - penstock_delay_eighths(64u, true), 2);
    CHECK_EQ(penstock_delay_eighths(64u, true), 8 * 8);
    CHECK_EQ(penstock_delay_eighths(97u, true) - penstock_delay_eighths(96u, true), 4);
    CHECK_EQ(penstock_delay_eighths(96u, true), 16 * 8);
    CHECK_EQ(penstock_delay_eighths(129u, true) - penstock_delay_eighths(128u, true), 8);
    CHECK_EQ(penstock_delay_eighths(128u, true), 32 * 8);
}

int main(void)
{
    test_round_trip(1000u, false);
    test_round_trip(1000u, true);
    test_round_trip(4000u, false);
    test_round_trip(4000u, true);
    test_round_trip(UINT16_MAX, true);
    test_linear_error();
    test_companded_error();
    test_steps();
    return check_result();
}
