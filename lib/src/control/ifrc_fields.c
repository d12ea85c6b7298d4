/* IFRC's 26 bytes in every data frame (docs/spec.md), as many as WRCP (8.1) counts for it.
 *
 * In the authors' program they are: the sender, its rate, r_thresh, its state, its slow-start threshold; the most
 * congested child, that one's rate, r_thresh and state. The slow-start threshold serves a detour of the
 * program that is not followed here (ifrc.c); the average queues of both take its four bytes.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "bytes.h"
#include "control/ifrc_parts.h"

/* Where a word's parts are; a child's word has the same order, one after the other. */
enum { ADDRESS = 0, RATE = 2, THRESH = 6, STATE = 10, AVERAGE = 11, WORD_LEN = 13 };
_Static_assert(2 * WORD_LEN == PENSTOCK_IFRC_FIELDS_LEN, "two words");

#define SLOW_START 0x80u

static void put_u32(uint8_t *bytes, uint32_t value)
{
    penstock_put_u16(bytes, (uint16_t)(value & 0xFFFFu));
    penstock_put_u16(bytes + 2, (uint16_t)(value >> 16));
}

static uint32_t get_rate(const uint8_t *bytes)
{
    uint32_t rate = penstock_get_u16(bytes) | (uint32_t)penstock_get_u16(bytes + 2) << 16;
    if (rate < 1u) {
        return 1u;
    }
    return rate < PENSTOCK_IFRC_RATE_MAX ? rate : PENSTOCK_IFRC_RATE_MAX;
}

static void write_word(uint8_t *bytes, const penstock_ifrc_word_t *word)
{
    penstock_put_u16(bytes + ADDRESS, word->address);
    put_u32(bytes + RATE, word->rate);
    put_u32(bytes + THRESH, word->thresh);
    bytes[STATE] = (uint8_t)((word->slow_start ? SLOW_START : 0u) | word->level);
    penstock_put_u16(bytes + AVERAGE, word->average_q8);
}

static void read_word(const uint8_t *bytes, penstock_ifrc_word_t *word)
{
    word->address = penstock_get_u16(bytes + ADDRESS);
    word->rate = get_rate(bytes + RATE);
    word->thresh = get_rate(bytes + THRESH);
    word->slow_start = (bytes[STATE] & SLOW_START) != 0u;
    word->level = (uint8_t)(bytes[STATE] & (SLOW_START - 1u));
    word->average_q8 = penstock_get_u16(bytes + AVERAGE);
}

void penstock_ifrc_write(uint8_t *bytes, const penstock_ifrc_word_t *own, const penstock_ifrc_word_t *child)
{
    write_word(bytes, own);
    write_word(bytes + WORD_LEN, child);
}

void penstock_ifrc_read(const uint8_t *bytes, penstock_ifrc_word_t *own, penstock_ifrc_word_t *child)
{
    read_word(bytes, own);
    read_word(bytes + WORD_LEN, child);
}
