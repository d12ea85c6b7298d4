/* Rates in one byte: every code comes back, larger codes are larger rates, and what is
 * between two codes is rounded down.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "check.h"
#include "control/rate_code.h"

static void test_every_code(void)
{
    for (unsigned code = 0u; code <= PENSTOCK_RATE_CODE_MAX; code++) {
        uint32_t rate = penstock_rate_decode((uint8_t)code);
        CHECK_EQ(penstock_rate_encode(rate), code);
        if (code > 0u) {
            CHECK(rate > penstock_rate_decode((uint8_t)(code - 1u)));
            CHECK_EQ(penstock_rate_encode(rate - 1u), code - 1u); /* down, to the next */
        }
        uint32_t twice = penstock_rate_decode(penstock_rate_twice((uint8_t)code));
        CHECK_EQ(twice, code < 240u ? 2u * rate : penstock_rate_decode(255u));
    }
}

static void test_range(void)
{
    CHECK_EQ(penstock_rate_decode(0u), 16); /* 1/64 packets/s */
    CHECK_EQ(penstock_rate_decode(255u), 992 * 1024);
    CHECK_EQ(penstock_rate_decode(0x6Au), 1664); /* 1.625, the example of the specification */
    CHECK_EQ(penstock_rate_decode(0x48u), 384);
    CHECK_EQ(penstock_rate_encode(0u), 0);
    CHECK_EQ(penstock_rate_encode(15u), 0);
    CHECK_EQ(penstock_rate_encode(60u * 1024u), 0xBE); /* 60 packets/s, exactly */
    CHECK_EQ(penstock_rate_encode(UINT32_MAX), 255);
    uint32_t rate = 16u;
    while (rate < 992u * 1024u) { /* never more, and at most 1/17 less */
        uint32_t told = penstock_rate_decode(penstock_rate_encode(rate));
        CHECK(told <= rate && (rate - told) * 17u <= rate);
        rate += 1u + rate / 100u;
    }
}

int main(void)
{
    test_every_code();
    test_range();
    return check_result();
}
