/* The table of sources (thesis 4.3: "N, the total number of unique sources").
 *
 * An entry is 6 bytes: the source, one number that belongs to the part that keeps the
 * table (a sequence number for source_rate, the mark for fair_share), and when it was
 * seen last, in units of 65.5 ms: fine enough for windows of seconds, and two bytes.
 * Order is of no meaning: the last entry fills the gap of one that goes.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "control/sources.h"

_Static_assert(PENSTOCK_RATE_SOURCES >= 1 && PENSTOCK_RATE_SOURCES <= 255, "sources are counted in one byte");

static uint16_t age(const penstock_sources_t *sources, uint8_t i, penstock_time_t now)
{
    return (uint16_t)(penstock_sources_units(now) - sources->entries[i].heard_at);
}

void penstock_sources_forget(penstock_sources_t *sources, uint32_t age_us, penstock_time_t now)
{
    uint8_t i = 0u;
    while (i < sources->count) {
        if (age(sources, i, now) > penstock_sources_units(age_us)) {
            sources->count--;
            sources->entries[i] = sources->entries[sources->count];
        } else {
            i++;
        }
    }
}

/* The place for a source that is not in the table: a new one, or the oldest's. */
static uint8_t place_for(penstock_sources_t *sources, penstock_time_t now)
{
    if (sources->count < PENSTOCK_RATE_SOURCES) {
        return sources->count++;
    }
    uint8_t oldest = 0u;
    uint16_t oldest_age = 0u;
    for (uint8_t i = 0u; i < PENSTOCK_RATE_SOURCES; i++) {
        if (age(sources, i, now) >= oldest_age) {
            oldest = i;
            oldest_age = age(sources, i, now);
        }
    }
    return oldest;
}

bool penstock_sources_note(penstock_sources_t *sources, penstock_addr_t origin, uint16_t note, penstock_time_t now)
{
    uint8_t i = 0u;
    while (i < sources->count && sources->entries[i].origin != origin) {
        i++;
    }
    bool known = i < sources->count;
    bool same = known && sources->entries[i].note == note;
    if (!known) {
        i = place_for(sources, now);
        sources->entries[i].origin = origin;
    }
    sources->entries[i].note = note;
    sources->entries[i].heard_at = penstock_sources_units(now);
    return same;
}
