/* WRCP's arithmetic: Eqs. 3, 4, 5 and 11, and Lemma 1 in the library's own fixed point.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <math.h>

#include "check.h"
#include "control/wrcp_rate.h"
#include "penstock/penstock.h"

static const uint16_t table[] = {PENSTOCK_WRCP_PPS(40), PENSTOCK_WRCP_PPS(70), PENSTOCK_WRCP_PPS(90.5)};

static penstock_wrcp_params_t params(double alpha, double start_pps)
{
    penstock_wrcp_params_t made = penstock_control_defaults().wrcp;
    made.capacity = table;
    made.capacity_len = 3u;
    made.alpha_q15 = (uint16_t)lround(alpha * PENSTOCK_WRCP_ALPHA_ONE);
    made.start_rate = (uint32_t)lround(start_pps * PENSTOCK_PPS_ONE);
    return made;
}

/* In packets/s, to and from the units of gamma and loads, and of rates. */
static uint32_t load(double pps)
{
    return (uint32_t)lround(pps * PENSTOCK_WRCP_LOAD_ONE);
}

static uint32_t rate(double pps)
{
    return (uint32_t)lround(pps * PENSTOCK_PPS_ONE);
}

static penstock_wrcp_narrow_t narrow(double gamma, double allowed)
{
    return (penstock_wrcp_narrow_t){(int16_t)lround(gamma * 256.0), (uint16_t)lround(allowed * 256.0)};
}

static void test_capacity(void)
{
    penstock_wrcp_params_t own = params(0.1, 0.1);
    CHECK_EQ(penstock_wrcp_capacity(&own, 0u), load(40.0));
    CHECK_EQ(penstock_wrcp_capacity(&own, 1u), load(40.0));
    CHECK_EQ(penstock_wrcp_capacity(&own, 2u), load(70.0));
    CHECK_EQ(penstock_wrcp_capacity(&own, 3u), load(90.5));
    CHECK_EQ(penstock_wrcp_capacity(&own, 255u), load(90.5));
    own.capacity_len = 1u;
    CHECK_EQ(penstock_wrcp_capacity(&own, 7u), load(40.0));
}

static void test_gamma(void)
{
    /* Eq. 3: (90 - 50) / 8; then 10 of it is taken by others (Eq. 4). */
    CHECK_EQ(penstock_wrcp_gamma(load(90.0), 0u, load(50.0), 8u * 255u), 5 * 256);
    CHECK_EQ(penstock_wrcp_gamma(load(90.0), load(10.0), load(50.0), 8u * 255u), 960); /* 3.75 */
    /* Half a flow, as a link of one half weighs it. */
    CHECK_EQ(penstock_wrcp_gamma(load(90.0), 0u, load(80.0), 128u), 10 * 256 * 255 / 128);
    /* Rounded down on both sides of 0. */
    CHECK_EQ(penstock_wrcp_gamma(1u, 0u, 0u, 2u * 255u), 0);
    CHECK_EQ(penstock_wrcp_gamma(0u, 0u, 1u, 2u * 255u), -1);
    CHECK_EQ(penstock_wrcp_gamma(load(90.0), 0u, load(90.0), 255u), 0);
    /* No flow, no limit; and bounds. */
    CHECK_EQ(penstock_wrcp_gamma(load(90.0), 0u, 0u, 0u), PENSTOCK_WRCP_GAMMA_NONE);
    CHECK_EQ(penstock_wrcp_gamma(load(1023.0), 0u, 0u, 26u), INT16_MAX);
    CHECK_EQ(penstock_wrcp_gamma(1u, load(255.0), UINT32_C(1) << 27, 1u), INT16_MIN);
    CHECK_EQ(penstock_wrcp_gamma(0u, 0u, UINT32_C(1) << 27, 255u * 255u * 256u), -65); /* 16384 / 65280 */
}

static void test_step(void)
{
    CHECK_EQ(penstock_wrcp_step(PENSTOCK_WRCP_ALPHA_ONE, 256), PENSTOCK_PPS_ONE);
    CHECK_EQ(penstock_wrcp_step(PENSTOCK_WRCP_ALPHA_ONE, -256), -(int64_t)PENSTOCK_PPS_ONE);
    CHECK_EQ(penstock_wrcp_step(PENSTOCK_WRCP_ALPHA_ONE / 2u, 100), 12800);
    CHECK_EQ(penstock_wrcp_step(3277u, 1), 25);   /* 25.6 */
    CHECK_EQ(penstock_wrcp_step(3277u, -1), -26); /* down */
    CHECK_EQ(penstock_wrcp_step(PENSTOCK_WRCP_ALPHA_ONE, INT16_MIN), -(INT64_C(1) << 23));
    penstock_wrcp_params_t own = params(1.0, 0.5);
    CHECK_EQ(penstock_wrcp_add(&own, rate(2.0), -(INT32_C(1) << 23)), rate(0.5)); /* nobody is starved for good */
    CHECK_EQ(penstock_wrcp_add(&own, PENSTOCK_WRCP_RATE_MAX, INT32_C(1) << 23), PENSTOCK_WRCP_RATE_MAX);
}

/* One interval; the state of the flow before and after. */
static void check_next(double before, bool joining, penstock_wrcp_narrow_t least, double after, bool still_joining)
{
    penstock_wrcp_params_t own = params(0.5, 0.25);
    bool is_joining = joining;
    CHECK_EQ(penstock_wrcp_next_rate(&own, rate(before), least, true, &is_joining), rate(after));
    CHECK_EQ(is_joining, still_joining);
    /* A flow that does not use what it has does not grow, and comes down all the same. */
    is_joining = joining;
    double kept = after < before ? after : before;
    CHECK_EQ(penstock_wrcp_next_rate(&own, rate(before), least, false, &is_joining), rate(kept));
}

static void test_three_cases(void)
{
    check_next(4.0, false, narrow(2.0, 1.0), 5.0, false);  /* Eq. 5; what is allowed does not matter */
    check_next(4.0, false, narrow(-1.0, 3.0), 3.0, false); /* above what the bottleneck allows */
    check_next(2.0, false, narrow(-1.0, 3.0), 2.0, false); /* below: unchanged */
    check_next(4.0, false, narrow(0.0, 3.0), 4.0, false);  /* full, and no more */
    check_next(4.0, false, narrow(-9.0, 0.0), 0.25, false);
}

static void test_bootstrap(void)
{
    check_next(0.25, true, narrow(1.0, 8.0), 0.75, true); /* Eq. 5 */
    check_next(0.25, true, narrow(0.0, 8.0), 0.5, true);  /* Eq. 11: also where nothing is left */
    check_next(4.0, true, narrow(-1.0, 8.0), 8.0, true);
    check_next(8.5, true, narrow(-1.0, 8.0), 8.0, false); /* the end: with the rate of the bottleneck */
    check_next(8.0, true, narrow(-1.0, 8.0), 8.0, false);
    check_next(8.0, true, narrow(0.0, 8.0), 8.0, false); /* full, and it has what others have */
}

/* What a receiver allows: up and down by its own alpha gamma, not above the fastest it hears. */
static void test_allowed(void)
{
    penstock_wrcp_params_t own = params(0.5, 0.25);
    CHECK_EQ(penstock_wrcp_next_allowed(&own, rate(4.0), 256, rate(5.0)), rate(4.5));
    CHECK_EQ(penstock_wrcp_next_allowed(&own, rate(4.0), -256, rate(5.0)), rate(3.5));
    CHECK_EQ(penstock_wrcp_next_allowed(&own, rate(9.0), -256, rate(5.0)), rate(4.5));
    CHECK_EQ(penstock_wrcp_next_allowed(&own, PENSTOCK_PPS_UNLIMITED, 0, rate(5.0)), rate(5.0));
    CHECK_EQ(penstock_wrcp_next_allowed(&own, rate(4.0), PENSTOCK_WRCP_GAMMA_NONE, 0u), PENSTOCK_PPS_UNLIMITED);
    CHECK_EQ(penstock_wrcp_next_allowed(&own, rate(4.0), INT16_MIN, rate(5.0)), rate(0.25));
    CHECK_EQ(penstock_wrcp_narrower(narrow(1, 5), narrow(2, 3)).allowed, 5 * 256);
    CHECK_EQ(penstock_wrcp_narrower(narrow(2, 5), narrow(2, 3)).allowed, 3 * 256);
}

enum { FLOWS = 8, B = 90 };

/* Eq. 12 with all F flows at one rate, each packet sent Gamma times: rates after so many intervals. */
static double recursion(double alpha, double transmissions, double start_pps, int intervals, double *least,
                        double *most)
{
    penstock_wrcp_params_t own = params(alpha, start_pps);
    uint32_t now = own.start_rate;
    uint32_t allowed = PENSTOCK_PPS_UNLIMITED;
    bool joining = false;
    *least = 1e9;
    *most = 0.0;
    for (int i = 0; i < intervals; i++) {
        double pps = (double)now / PENSTOCK_PPS_ONE;
        int16_t gamma = penstock_wrcp_gamma(load(B), 0u, load(FLOWS * pps * transmissions), FLOWS * 255u);
        allowed = penstock_wrcp_next_allowed(&own, allowed, gamma, now);
        penstock_wrcp_narrow_t least_gamma = {gamma, (uint16_t)(allowed >> 8)};
        now = penstock_wrcp_next_rate(&own, now, least_gamma, true, &joining);
        pps = (double)now / PENSTOCK_PPS_ONE;
        if (i >= intervals / 2) {
            *least = fmin(*least, pps);
            *most = fmax(*most, pps);
        }
    }
    return (double)now / PENSTOCK_PPS_ONE;
}

/* How far rates may wander where Lemma 1 has them converge: they are told in steps of 1/256 packets/s, two roundings to
 * an interval, and a deviation shrinks by |1 - alpha Gamma| from one to the next. */
static double wander(double alpha, double transmissions)
{
    return 2.0 / 256.0 / (1.0 - fabs(1.0 - alpha * transmissions));
}

/* Lemma 1: it converges for 0 < alpha < 2/Gamma, to B / (F Gamma), and not above. Gammas of Table 1, and that of a
 * perfect link. */
static void test_lemma_1(double transmissions)
{
    static const double shares[] = {0.05, 0.2, 0.5, 0.8, 0.95, 0.97};
    double least;
    double most;
    double fair = B / (FLOWS * transmissions);
    for (unsigned i = 0; i < sizeof shares / sizeof shares[0]; i++) {
        double alpha = shares[i] * 2.0 / transmissions;
        if (alpha <= 1.0) {
            double end = recursion(alpha, transmissions, 0.1, 1000, &least, &most);
            CHECK(fabs(end - fair) < wander(alpha, transmissions));
            CHECK(most - least < wander(alpha, transmissions));
        }
    }
    double above = 1.03 * 2.0 / transmissions;
    if (above <= 1.0) {
        (void)recursion(above, transmissions, 0.1, 1000, &least, &most);
        CHECK(most - least > 0.5 * fair);
    }
}

/* Eq. 13: the rate after n intervals. */
static void test_closed_form(void)
{
    double least;
    double most;
    for (int n = 1; n <= 60; n++) {
        double past = pow(1.0 - 0.1 * 4.2, n);
        double expected = 0.1 * past + B / (FLOWS * 4.2) * (1.0 - past);
        double got = recursion(0.1, 4.2, 0.1, n, &least, &most);
        CHECK(fabs(got - expected) < 0.01 * expected);
    }
}

/* What it costs a node and each of its neighbours: more must be a decision (docs/footprint.md). */
static void test_sizes(void)
{
    CHECK(sizeof(penstock_wrcp_t) <= 68u);
    CHECK_EQ(sizeof(penstock_wrcp_peer_t), 14u);
    CHECK(sizeof(penstock_peer_t) <= 20u);
    CHECK_EQ(PENSTOCK_WRCP_FIELDS_LEN, 16); /* section 8.1 */
}

int main(void)
{
    test_sizes();
    test_capacity();
    test_gamma();
    test_step();
    test_three_cases();
    test_bootstrap();
    test_allowed();
    test_lemma_1(1.0);
    test_lemma_1(4.2);
    test_lemma_1(5.61);
    test_lemma_1(7.35);
    test_lemma_1(12.05);
    test_closed_form();
    return check_result();
}
