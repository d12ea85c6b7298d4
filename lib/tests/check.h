/* Checks for tests: they print where and what, and go on; main returns check_result().
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef PENSTOCK_TESTS_CHECK_H
#define PENSTOCK_TESTS_CHECK_H

#include <stdio.h>

static int check_failures;

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            check_failures++;                                                                                          \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                                            \
        }                                                                                                              \
    } while (0)

#define CHECK_EQ(actual, expected)                                                                                     \
    do {                                                                                                               \
        long long check_actual = (long long)(actual), check_expected = (long long)(expected);                          \
        if (check_actual != check_expected) {                                                                          \
            check_failures++;                                                                                          \
            fprintf(stderr, "%s:%d: %s is %lld, not %s = %lld\n", __FILE__, __LINE__, #actual, check_actual,           \
                    #expected, check_expected);                                                                        \
        }                                                                                                              \
    } while (0)

static int check_result(void)
{
    if (check_failures != 0) {
        fprintf(stderr, "%d checks failed\n", check_failures);
    }
    return check_failures != 0;
}

#endif
