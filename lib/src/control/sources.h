/* Penstock: the sources whose packets were seen lately, for the parts that divide a rate
 * among them.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef PENSTOCK_SRC_CONTROL_SOURCES_H
#define PENSTOCK_SRC_CONTROL_SOURCES_H

#include "penstock/control.h"

/* The table's clock: an age is known in units of this many us. */
#define PENSTOCK_SOURCES_UNIT_US (UINT32_C(1) << 16)

static inline uint16_t penstock_sources_units(uint32_t us)
{
    return (uint16_t)(us >> 16);
}

/* Forgets those that were not seen for longer than this. */
void penstock_sources_forget(penstock_sources_t *sources, uint32_t age_us, penstock_time_t now);
/* A packet of a source, with the part's note on it. True when the source was known with the very
 * same note. When the table is full the oldest entry goes. */
bool penstock_sources_note(penstock_sources_t *sources, penstock_addr_t origin, uint16_t note, penstock_time_t now);

#endif
