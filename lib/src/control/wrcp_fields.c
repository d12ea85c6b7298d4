/* WRCP's header: 16 bytes (section 8.1), of which the paper gives the number alone.
 *
 * Section 4 needs r_tot (Eq. 4), gamma and the per-flow rate of a node as a receiver (4.1), its flows (4.4), the
 * transmission counter (4.6), T, the control sequence number and its acknowledgement (4.2): nine bytes
 * with r_tot, gamma and the rate in two each, the two numbers in one, and T as a code. The other six
 * carry what section 4 leaves open (wrcp.c): what is narrowest on the way to the root, for sources that do not
 * hear it themselves, and the rate of the fastest flow, which bounds what a receiver allows.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "control/wrcp_fields.h"

#include "bytes.h"

enum {
    AT_TOTAL = 0,
    AT_OWN = 2,
    AT_WAY = 6,
    AT_HIGHEST = 10,
    AT_FLOWS = 12,
    AT_COUNTER = 13,
    AT_SEQUENCES = 14,
    AT_INTERVAL = 15
};

static penstock_wrcp_narrow_t get_narrow(const uint8_t *bytes)
{
    int32_t gamma = penstock_get_u16(bytes);
    penstock_wrcp_narrow_t narrow;
    narrow.gamma = (int16_t)(gamma > INT16_MAX ? gamma - 0x10000 : gamma);
    narrow.allowed = penstock_get_u16(bytes + 2);
    return narrow;
}

static void put_narrow(uint8_t *bytes, penstock_wrcp_narrow_t narrow)
{
    penstock_put_u16(bytes, (uint16_t)narrow.gamma);
    penstock_put_u16(bytes + 2, narrow.allowed);
}

void penstock_wrcp_fields_read(penstock_wrcp_fields_t *fields, const uint8_t *bytes)
{
    fields->total = penstock_get_u16(bytes + AT_TOTAL);
    fields->own = get_narrow(bytes + AT_OWN);
    fields->way = get_narrow(bytes + AT_WAY);
    fields->highest = penstock_get_u16(bytes + AT_HIGHEST);
    fields->flows = bytes[AT_FLOWS];
    fields->counter = bytes[AT_COUNTER];
    fields->sequence = bytes[AT_SEQUENCES] >> 4;
    fields->acknowledged = bytes[AT_SEQUENCES] & 0x0Fu;
    fields->interval = bytes[AT_INTERVAL];
}

void penstock_wrcp_fields_write(const penstock_wrcp_fields_t *fields, uint8_t *bytes)
{
    penstock_put_u16(bytes + AT_TOTAL, fields->total);
    put_narrow(bytes + AT_OWN, fields->own);
    put_narrow(bytes + AT_WAY, fields->way);
    penstock_put_u16(bytes + AT_HIGHEST, fields->highest);
    bytes[AT_FLOWS] = fields->flows;
    bytes[AT_COUNTER] = fields->counter;
    bytes[AT_SEQUENCES] = (uint8_t)((uint8_t)(fields->sequence << 4) | (uint8_t)(fields->acknowledged & 0x0Fu));
    bytes[AT_INTERVAL] = fields->interval;
}
