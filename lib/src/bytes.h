/* Little-endian numbers in byte arrays, without casts of pointers: the same code on
 * a machine of any byte order and any alignment rule.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef PENSTOCK_SRC_BYTES_H
#define PENSTOCK_SRC_BYTES_H

#include <stdint.h>

static inline uint16_t penstock_get_u16(const uint8_t *bytes)
{
    return (uint16_t)(bytes[0] | (uint16_t)((uint16_t)bytes[1] << 8));
}

static inline void penstock_put_u16(uint8_t *bytes, uint16_t value)
{
    bytes[0] = (uint8_t)(value & 0xFFu);
    bytes[1] = (uint8_t)(value >> 8);
}

#endif
