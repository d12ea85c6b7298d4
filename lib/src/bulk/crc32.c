/* The check of a whole object: CRC-32.
 *
 * Flush checks each packet by the link's CRC and the object by "a simple checksum" (3.1), and says that better
 * ones could be used. A sum does not see packets that changed places, which is the very mistake that a
 * transfer with retransmissions could make. So: the CRC of IEEE 802.3 (also of zlib and PNG), polynomial 0x04C11DB7
 * in reflected form, begun and ended with all ones. Half a byte a step: a table of 64 bytes, not of 1,024.
 *
 * The caller's `crc` is that of the bytes before, 0 before the first: pieces of any length give the CRC of the
 * whole.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "penstock/bulk.h"

/* Entry i: the remainder of i, four bits on. */
static const uint32_t steps[16] = {
    0x00000000u, 0x1DB71064u, 0x3B6E20C8u, 0x26D930ACu, 0x76DC4190u, 0x6B6B51F4u, 0x4DB26158u, 0x5005713Cu,
    0xEDB88320u, 0xF00F9344u, 0xD6D6A3E8u, 0xCB61B38Cu, 0x9B64C2B0u, 0x86D3D2D4u, 0xA00AE278u, 0xBDBDF21Cu,
};

uint32_t penstock_crc32(uint32_t crc, const uint8_t *bytes, size_t len)
{
    crc = ~crc;
    for (size_t i = 0u; i < len; i++) {
        crc ^= bytes[i];
        crc = (crc >> 4) ^ steps[crc & 15u];
        crc = (crc >> 4) ^ steps[crc & 15u];
    }
    return ~crc;
}
