/* The examples of docs/spec.md, as bytes.
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef PENSTOCK_TESTS_SPEC_EXAMPLE_H
#define PENSTOCK_TESTS_SPEC_EXAMPLE_H

#include <stddef.h>
#include <stdint.h>

/* The bytes of the code block that follows `marker` in the specification; how many, 0 when there is none. */
size_t read_example(const char *file, const char *marker, uint8_t *bytes, size_t capacity);

#endif
