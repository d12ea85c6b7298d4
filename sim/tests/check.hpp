// The smallest test harness that says where and what.
//
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <cstdio>
#include <cstdlib>

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            std::fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition);                        \
            std::exit(1);                                                                                              \
        }                                                                                                              \
    } while (false)

#define CHECK_NEAR(value, expected, tolerance)                                                                         \
    do {                                                                                                               \
        const double value_ = (value);                                                                                 \
        const double expected_ = (expected);                                                                           \
        if (!(std::fabs(value_ - expected_) <= (tolerance))) {                                                         \
            std::fprintf(stderr, "%s:%d: %s is %.9g, expected %.9g within %g\n", __FILE__, __LINE__, #value, value_,   \
                         expected_, static_cast<double>(tolerance));                                                   \
            std::exit(1);                                                                                              \
        }                                                                                                              \
    } while (false)
