/* Penstock: operations on the token bucket, for the library's own files.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef PENSTOCK_SRC_BUCKET_H
#define PENSTOCK_SRC_BUCKET_H

#include "penstock/bucket.h"

/* Begins with `tokens` packets' worth of credit. */
void penstock_bucket_init(penstock_bucket_t *bucket, uint8_t tokens, penstock_time_t now);
/* Takes in what was earned since the last call, at `rate` (Q16.16 packets/s; taken as at least 1/16384), up to `depth`
 * tokens (at least 1). So it is called before the rate changes, and at least every half hour. */
void penstock_bucket_earn(penstock_bucket_t *bucket, uint32_t rate, uint8_t depth, penstock_time_t now);
/* Is there a token? And take one: at most what is there. */
bool penstock_bucket_ready(const penstock_bucket_t *bucket);
void penstock_bucket_spend(penstock_bucket_t *bucket);
/* When there will be a token at this rate, if `earn` was called just now and there is none. */
penstock_time_t penstock_bucket_ready_at(const penstock_bucket_t *bucket, uint32_t rate);

#endif
