/* The token bucket: a node's own packets cost a token, and tokens come at a rate.
 *
 * Rounding: rates are cut to 1/16384 packets/s, but not to 0, and time goes in steps of 1024 us. In one of
 * them such a rate earns 1024 us / 16384 s = 1/16,000,000 packets: just the unit of the credit.
 * So nothing else is rounded away, and the rest of a step is kept for the next time.
 *
 * Range: 255 tokens fit 32 bits. `steps * rate` is only computed when it is at most what the bucket still
 * has room for. The time until a token, at most 16,000,000 steps, would be more than the clock can
 * tell; it is cut at 2^20 steps, 18 minutes: whoever asks again then is answered again.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "bucket.h"

#define TOKEN UINT32_C(16000000)
#define RATE_SHIFT 2u
#define STEP_SHIFT 10u
#define MOST_STEPS (UINT32_C(1) << 20)

static uint32_t per_step(uint32_t rate)
{
    rate >>= RATE_SHIFT;
    return rate > 0u ? rate : 1u;
}

void penstock_bucket_init(penstock_bucket_t *bucket, uint8_t tokens, penstock_time_t now)
{
    bucket->credit = tokens * TOKEN;
    bucket->earned_at = now;
}

void penstock_bucket_earn(penstock_bucket_t *bucket, uint32_t rate, uint8_t depth, penstock_time_t now)
{
    uint32_t full = depth * TOKEN;
    uint32_t steps = (now - bucket->earned_at) >> STEP_SHIFT;
    uint32_t missing = bucket->credit < full ? full - bucket->credit : 0u;
    uint32_t earned = per_step(rate);
    if (steps > missing / earned) {
        bucket->credit = full;
        bucket->earned_at = now;
    } else {
        bucket->credit += steps * earned;
        bucket->earned_at += steps << STEP_SHIFT;
    }
}

bool penstock_bucket_ready(const penstock_bucket_t *bucket)
{
    return bucket->credit >= TOKEN;
}

void penstock_bucket_spend(penstock_bucket_t *bucket)
{
    bucket->credit -= bucket->credit >= TOKEN ? TOKEN : bucket->credit;
}

penstock_time_t penstock_bucket_ready_at(const penstock_bucket_t *bucket, uint32_t rate)
{
    uint32_t missing = bucket->credit < TOKEN ? TOKEN - bucket->credit : 0u;
    uint32_t earned = per_step(rate);
    uint32_t steps = missing / earned + (missing % earned != 0u ? 1u : 0u);
    return bucket->earned_at + ((steps < MOST_STEPS ? steps : MOST_STEPS) << STEP_SHIFT);
}
