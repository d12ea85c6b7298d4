/* SPDX-License-Identifier: BSD-3-Clause */
#include "spec_example.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t read_example(const char *file, const char *marker, uint8_t *bytes, size_t capacity)
{
    static char text[1 << 16];
    FILE *in = fopen(file, "rb");
    if (in == NULL) {
        return 0u;
    }
    text[fread(text, 1u, sizeof text - 1u, in)] = '\0';
    fclose(in);
    const char *at = strstr(text, marker);
    at = at != NULL ? strstr(at, "```") : NULL;
    size_t count = 0u;
    for (at = at != NULL ? at + 3 : ""; *at != '\0' && *at != '`' && count < capacity;) {
        char *end;
        unsigned long value = strtoul(at, &end, 16);
        if (end == at) {
            at++;
        } else {
            bytes[count++] = (uint8_t)value;
            at = end;
        }
    }
    return count;
}
