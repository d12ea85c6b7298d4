/* Fuzz target: the parser of what the ends of a bulk transfer say. What it accepts, it must be able to write byte
 * for byte.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "require.h"

#include "bulk/pdu.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    penstock_bulk_pdu_t pdu;
    if (penstock_bulk_pdu_parse(&pdu, data, size) != PENSTOCK_OK) {
        return 0;
    }
    uint8_t bytes[PENSTOCK_BULK_NACK_LEN + 2u * UINT8_MAX];
    int len = penstock_bulk_pdu_write(&pdu, bytes, sizeof bytes);
    REQUIRE(len > 0 && (size_t)len == size);
    for (uint8_t i = 0u; i < pdu.count; i++) {
        penstock_bulk_pdu_write_index(bytes, i, penstock_bulk_pdu_index(&pdu, i));
    }
    size_t written = pdu.kind == PENSTOCK_BULK_PDU_DATA ? PENSTOCK_BULK_DATA_LEN : size;
    for (size_t i = 0u; i < written; i++) {
        REQUIRE(bytes[i] == data[i]);
    }
    REQUIRE(pdu.kind != PENSTOCK_BULK_PDU_DATA || pdu.bytes + pdu.bytes_len == data + size);
    REQUIRE(penstock_bulk_pdu_write(&pdu, bytes, size - 1u) == PENSTOCK_TOO_LONG);
    return 0;
}
