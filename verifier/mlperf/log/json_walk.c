#include "verifier/mlperf/log/json_walk.h"
#include "base/text.h"

/* What ends a run of plain characters in a string: quote, backslash and controls. */
static const bool ends_plain[256] = {
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,         1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, ['"'] = 1, ['\\'] = 1,
};

static bool is_hex(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* Behind the escape whose backslash is at `p`; NULL. */
static const char *walk_escape(const char *p)
{
    if (p[1] == 'u')
        return is_hex(p[2]) && is_hex(p[3]) && is_hex(p[4]) && is_hex(p[5]) ? p + 6 : NULL;
    return p[1] && strchr("\"\\/bfnrt", p[1]) ? p + 2 : NULL;
}

const char *json_walk_string(const char *p)
{
    if (*p++ != '"')
        return NULL;
    for (;;) {
        while (!ends_plain[(unsigned char)*p])
            p++;
        if (*p == '"')
            return p + 1;
        if (*p != '\\' || !(p = walk_escape(p)))
            return NULL;
    }
}

static const char *walk_word(const char *p, const char *word)
{
    size_t n = strlen(word);
    return strncmp(p, word, n) == 0 ? p + n : NULL;
}

static const char *walk_digits(const char *p)
{
    if (!text_is_digit(*p))
        return NULL;
    while (text_is_digit(*p))
        p++;
    return p;
}

/* -?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?, and -Infinity */
static const char *walk_number(const char *p)
{
    p += *p == '-';
    if (*p == 'I')
        return walk_word(p, "Infinity");
    p = *p == '0' ? p + 1 : walk_digits(p);
    if (p && *p == '.')
        p = walk_digits(p + 1);
    if (p && (*p == 'e' || *p == 'E')) {
        p++;
        p += *p == '+' || *p == '-';
        p = walk_digits(p);
    }
    return p;
}

static const char *walk_object(const char *p, int depth)
{
    p = json_walk_blank(p + 1);
    if (*p == '}')
        return p + 1;
    for (;;) {
        if (!(p = json_walk_string(p)))
            return NULL;
        p = json_walk_blank(p);
        if (*p++ != ':' || !(p = json_walk_value(json_walk_blank(p), depth)))
            return NULL;
        p = json_walk_blank(p);
        if (*p == '}')
            return p + 1;
        if (*p++ != ',')
            return NULL;
        p = json_walk_blank(p);
    }
}

static const char *walk_array(const char *p, int depth)
{
    p = json_walk_blank(p + 1);
    if (*p == ']')
        return p + 1;
    for (;;) {
        if (!(p = json_walk_value(p, depth)))
            return NULL;
        p = json_walk_blank(p);
        if (*p == ']')
            return p + 1;
        if (*p++ != ',')
            return NULL;
        p = json_walk_blank(p);
    }
}

const char *json_walk_value(const char *p, int depth)
{
    switch (*p) {
    case '"':
        return json_walk_string(p);
    case '{':
        return depth > 0 ? walk_object(p, depth - 1) : NULL;
    case '[':
        return depth > 0 ? walk_array(p, depth - 1) : NULL;
    case 't':
        return walk_word(p, "true");
    case 'f':
        return walk_word(p, "false");
    case 'n':
        return walk_word(p, "null");
    case 'N':
        return walk_word(p, "NaN");
    case 'I':
        return walk_word(p, "Infinity");
    default:
        return walk_number(p);
    }
}

struct json_items json_items(struct span value)
{
    struct json_items items = {NULL, value.n && *value.p == '{'};
    if (!items.named && !(value.n && *value.p == '['))
        return items;
    const char *first = json_walk_blank(value.p + 1);
    items.at = *first == '}' || *first == ']' ? NULL : first;
    return items;
}

bool json_items_next(struct json_items *items, struct span *name, struct span *value)
{
    const char *p = items->at;
    if (!p)
        return false;
    *name = (struct span){p, 0};
    if (items->named) {
        p = json_walk_string(p);
        name->n = (size_t)(p - name->p);
        p = json_walk_blank(json_walk_blank(p) + 1);
    }
    value->p = p;
    p = json_walk_value(p, JSON_WALK_DEPTH_MAX);
    value->n = (size_t)(p - value->p);
    p = json_walk_blank(p);
    items->at = *p == ',' ? json_walk_blank(p + 1) : NULL;
    return true;
}
