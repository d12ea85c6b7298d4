/* Fuzz target: the beacon parser. What it accepts, it must be able to write byte for byte.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "require.h"

#include "beacon.h"
#include "frame.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    penstock_beacon_t beacon;
    if (penstock_beacon_parse(&beacon, data, size) != PENSTOCK_OK) {
        return 0;
    }
    uint8_t bytes[PENSTOCK_BEACON_FIXED_LEN + 255u * PENSTOCK_BEACON_ENTRY_LEN];
    int len = penstock_beacon_write(&beacon, bytes, sizeof bytes);
    REQUIRE(len > 0 && (size_t)len == size);
    for (uint8_t i = 0u; i < beacon.count; i++) {
        penstock_beacon_write_entry(bytes, i, penstock_beacon_entry(&beacon, i));
    }
    for (size_t i = 0u; i < size; i++) {
        REQUIRE(bytes[i] == data[i]);
    }
    REQUIRE(penstock_beacon_write(&beacon, bytes, size - 1u) == PENSTOCK_TOO_LONG);
    return 0;
}
