/* The kinds of fields: one row each, for loading, schema and documentation (shape.h). */
#include "base/hash.h"
#include "base/shape.h"

#include <string.h>

static bool all_in(const char *s, const char *allowed)
{
    return s[strspn(s, allowed)] == '\0';
}

bool shape_is_id(const char *s)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "0123456789._+-";
    return *s && *s != '.' && *s != '-' && strlen(s) <= 100 && all_in(s, allowed);
}

static bool is_date(const char *s)
{
    static const char pattern[] = "dddd-dd-dd";
    if (strlen(s) != sizeof pattern - 1)
        return false;
    for (size_t i = 0; pattern[i]; i++)
        if (pattern[i] == 'd' ? s[i] < '0' || s[i] > '9' : s[i] != '-')
            return false;
    int month = (s[5] - '0') * 10 + s[6] - '0', day = (s[8] - '0') * 10 + s[9] - '0';
    return month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

static bool is_path(const char *s)
{
    if (!*s || *s == '/' || strchr(s, '\\') || strlen(s) > 240)
        return false;
    for (const char *part = s;; part++) {
        if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || part[2] == '\0'))
            return false;
        part = strchr(part, '/');
        if (!part)
            return true;
    }
}

const struct shape_kind shape_kinds[] = {
    [FIELD_TEXT] = {"text", "string", NULL, NULL, NULL},
    [FIELD_ID] = {"id", "string", shape_is_id, "an id of letters, digits and . _ + -",
                  "^[A-Za-z0-9_+][A-Za-z0-9._+-]{0,99}$"},
    [FIELD_CHOICE] = {"one of", "string", NULL, NULL, NULL},
    [FIELD_SHA256] = {"SHA-256", "string", hash_is_hex, "64 lower-case hexadecimal digits",
                      "^[0-9a-f]{64}$"},
    [FIELD_DATE] = {"date", "string", is_date, "a date as YYYY-MM-DD",
                    "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$"},
    [FIELD_PATH] = {"path", "string", is_path, "a relative path without '..'",
                    "^(?!/)(?!(.*/)?\\.\\.(/|$))[^\\\\]{1,240}$"},
    [FIELD_WORDS] = {"words", NULL, NULL, NULL, NULL},
    [FIELD_REAL] = {"number", "number", NULL, NULL, NULL},
    [FIELD_COUNT] = {"whole number", "integer", NULL, NULL, NULL},
    [FIELD_FLAG] = {"true or false", "boolean", NULL, NULL, NULL},
    [FIELD_TEXTS] = {"list of text", NULL, NULL, NULL, NULL},
    [FIELD_OBJECT] = {"object", NULL, NULL, NULL, NULL},
    [FIELD_OBJECTS] = {"list of objects", NULL, NULL, NULL, NULL},
    [FIELD_ROWS] = {"rows of cells", NULL, NULL, NULL, NULL},
};
