/* WRCP's 16 bytes: what is written is read again, and any bytes are fields.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <string.h>

#include "check.h"
#include "control/wrcp_fields.h"

static uint32_t seed = 1u;

static uint32_t next(void)
{
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8;
}

static void test_layout(void)
{
    penstock_wrcp_fields_t fields = {
        .total = 0x0102u,
        .own = {-2, 0x0304u},
        .way = {INT16_MAX, 0x0506u},
        .highest = 0x0708u,
        .flows = 9u,
        .counter = 10u,
        .sequence = 11u,
        .acknowledged = 12u,
        .interval = 13u,
    };
    static const uint8_t expected[PENSTOCK_WRCP_FIELDS_LEN] = {0x02, 0x01, 0xFE, 0xFF, 0x04, 0x03, 0xFF, 0x7F,
                                                               0x06, 0x05, 0x08, 0x07, 0x09, 0x0A, 0xBC, 0x0D};
    uint8_t bytes[PENSTOCK_WRCP_FIELDS_LEN];
    penstock_wrcp_fields_write(&fields, bytes);
    CHECK(memcmp(bytes, expected, sizeof expected) == 0);
}

/* Every bit has a meaning, so any bytes are read, and written again as they were. */
static void test_any_bytes(void)
{
    for (int round = 0; round < 20000; round++) {
        uint8_t bytes[PENSTOCK_WRCP_FIELDS_LEN];
        uint8_t again[PENSTOCK_WRCP_FIELDS_LEN];
        for (unsigned i = 0; i < sizeof bytes; i++) {
            bytes[i] = (uint8_t)next();
        }
        penstock_wrcp_fields_t fields;
        penstock_wrcp_fields_read(&fields, bytes);
        CHECK(fields.sequence <= PENSTOCK_WRCP_SEQUENCE_LAST && fields.acknowledged <= PENSTOCK_WRCP_SEQUENCE_LAST);
        penstock_wrcp_fields_write(&fields, again);
        CHECK(memcmp(bytes, again, sizeof bytes) == 0);
    }
}

int main(void)
{
    test_layout();
    test_any_bytes();
    return check_result();
}
