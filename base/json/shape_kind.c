/* The kinds of fields: one row each, for loading, schema and documentation (shape.h). */
#include "base/calendar.h"
#include "base/foreign.h"
#include "base/json/shape.h"
#include "base/signing/hash.h"
#include "base/text.h"

#include <string.h>

bool shape_is_id(const char *s)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "0123456789._+-";
    return *s && *s != '.' && *s != '-' && strlen(s) <= 100 && s[strspn(s, allowed)] == '\0';
}

/* What can be a file in every folder and shown on every page as what it is. */
static bool is_path(const char *s)
{
    size_t n = strlen(s);
    bool begins = true; /* a part of it */
    if (n == 0 || n > 240)
        return false;
    for (size_t at = 0; at < n;) {
        uint32_t code;
        size_t step = utf8_next(s + at, n - at, &code);
        if (!step || code < 0x20 || code == '\\' || foreign_is_hidden(code) ||
            (begins && (code == '/' || code == '.')))
            return false;
        begins = code == '/';
        at += step;
    }
    return !begins;
}

const struct shape_kind shape_kinds[] = {
    [FIELD_TEXT] = {"text", "string", NULL, NULL, NULL},
    [FIELD_ID] = {"id", "string", shape_is_id, "an id of letters, digits and . _ + -",
                  "^[A-Za-z0-9_+][A-Za-z0-9._+-]{0,99}$"},
    [FIELD_CHOICE] = {"one of", "string", NULL, NULL, NULL},
    [FIELD_SHA256] = {"SHA-256", "string", hash_is_hex, "64 lower-case hexadecimal digits",
                      "^[0-9a-f]{64}$"},
    [FIELD_DATE] = {"date", "string", calendar_is_date, "a date as YYYY-MM-DD",
                    "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$"},
    [FIELD_PATH] = {"path", "string", is_path, "a relative path whose parts do not begin with '.'",
                    "^(?!.*(^|/)([./]|$))[^\\\\\\u0000-\\u001f\\u007f]{1,240}$"},
    [FIELD_WORDS] = {"words", NULL, NULL, NULL, NULL},
    [FIELD_REAL] = {"number", "number", NULL, NULL, NULL},
    [FIELD_COUNT] = {"whole number", "integer", NULL, NULL, NULL},
    [FIELD_FLAG] = {"true or false", "boolean", NULL, NULL, NULL},
    [FIELD_TEXTS] = {"list of text", NULL, NULL, NULL, NULL},
    [FIELD_OBJECT] = {"object", NULL, NULL, NULL, NULL},
    [FIELD_OBJECTS] = {"list of objects", NULL, NULL, NULL, NULL},
    [FIELD_ROWS] = {"rows of cells", NULL, NULL, NULL, NULL},
    [FIELD_PLACE] = {"place", "integer", NULL, NULL, NULL},
    [FIELD_SIZE] = {"whole number", "integer", NULL, NULL, NULL},
    [FIELD_NAMED] = {"one of", "string", NULL, NULL, NULL},
    [FIELD_REALS] = {"numbers", "string", NULL, NULL, NULL},
    [FIELD_INSIDE] = {"object", NULL, NULL, NULL, NULL},
    [FIELD_PUT] = {"members", NULL, NULL, NULL, NULL},
};
