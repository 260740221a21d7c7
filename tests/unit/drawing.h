/* What the tests of drawings do with them. */
#pragma once

#include "tests/unit/unit.h"

#include "base/arena.h"

#include <stdio.h>
#include <string.h>

/* How often that stands in a text. */
static inline size_t count(const char *in, const char *what)
{
    size_t n = 0;
    for (; (in = strstr(in, what)); in++)
        n++;
    return n;
}

/* As a file of a folder. */
static inline void save(const char *folder, const char *name, const struct buf *b)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_int_equal(fwrite(b->data, 1, b->len, f), b->len);
    assert_int_equal(fclose(f), 0);
}
