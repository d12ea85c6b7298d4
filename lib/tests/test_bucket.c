/* The token bucket: exact earnings, nothing rounded away, nothing earned beyond its depth.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "bucket.h"
#include "check.h"

static void test_one_packet_a_second_is_just_that(void)
{
    penstock_bucket_t bucket;
    penstock_bucket_init(&bucket, 0u, 0u);
    CHECK_EQ(penstock_bucket_ready_at(&bucket, PENSTOCK_PPS_ONE), 1000448u); /* 977 steps of 1024 us */
    penstock_bucket_earn(&bucket, PENSTOCK_PPS_ONE, 1u, 1000447u);
    CHECK(!penstock_bucket_ready(&bucket));
    penstock_bucket_earn(&bucket, PENSTOCK_PPS_ONE, 1u, 1000448u);
    CHECK(penstock_bucket_ready(&bucket));
}

/* Asked a million times in 1024 s, at 1 and 3/16384 packets/s: 1024 packets, and a sixth of one, to the last unit. */
static void test_nothing_is_rounded_away(void)
{
    penstock_bucket_t bucket;
    penstock_bucket_init(&bucket, 0u, 0u);
    uint32_t spent = 0u;
    for (uint32_t i = 1u; i <= 1000000u; i++) {
        penstock_bucket_earn(&bucket, PENSTOCK_PPS_ONE + 12u, 2u, i * 1024u);
        if (penstock_bucket_ready(&bucket)) {
            penstock_bucket_spend(&bucket);
            spent++;
        }
    }
    CHECK_EQ(spent, 1024);
    CHECK_EQ(bucket.credit, 3u * 1000000u);
}

static void test_a_bucket_ends(void)
{
    penstock_bucket_t bucket;
    penstock_bucket_init(&bucket, 255u, 0u);
    CHECK_EQ(bucket.credit, UINT32_C(4080000000));
    penstock_bucket_earn(&bucket, UINT32_MAX, 255u, 1000000u);
    CHECK_EQ(bucket.credit, UINT32_C(4080000000));
    CHECK_EQ(bucket.earned_at, 1000000); /* a full bucket keeps no time either */
    for (int i = 0; i < 255; i++) {
        CHECK(penstock_bucket_ready(&bucket));
        penstock_bucket_spend(&bucket);
    }
    CHECK(!penstock_bucket_ready(&bucket));
    penstock_bucket_spend(&bucket);
    CHECK_EQ(bucket.credit, 0);
    CHECK_EQ(penstock_bucket_ready_at(&bucket, 0u), 1000000u + (UINT32_C(1) << 30)); /* as far as the clock can tell */
}

int main(void)
{
    test_one_packet_a_second_is_just_that();
    test_nothing_is_rounded_away();
    test_a_bucket_ends();
    return check_result();
}
