/* A text read as JSON, for the tests of its reader. */
#pragma once

#include "tests/unit/unit.h"

#include "base/json/json.h"
#include "base/text.h"

#include <string.h>

/* The first finding as "line:col: message", or "" when it was read. */
static inline const char *parse(struct arena *a, const char *text, size_t n, struct json **out)
{
    struct diags diags;
    struct json *root = NULL;
    char *copy = arena_strndup(a, text, n);
    memcpy(copy, text, n); /* with its NULs */
    diags_init(&diags, a);
    int rc = json_parse("t.json", (struct bytes){copy, n}, a, &root, &diags);
    if (out)
        *out = root;
    if (rc == 0) {
        assert_int_equal(diags.n, 0);
        return "";
    }
    assert_int_equal(diags.n, 1);
    const struct diag *d = diags.items;
    assert_int_equal(utf8_valid_until(d->message, strlen(d->message)), strlen(d->message));
    return arena_printf(a, "%d:%d: %s", d->line, d->col, d->message);
}
