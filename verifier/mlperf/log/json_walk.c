#include "verifier/mlperf/log/json_walk.h"
#include "base/text.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

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

/* The first byte from `p` on that ends a run of plain characters. */
static inline const char *plain_end(const char *p, const char *end)
{
#ifdef __SSE2__
    const __m128i quote = _mm_set1_epi8('"'), escape = _mm_set1_epi8('\\');
    const __m128i last_control = _mm_set1_epi8(0x1F);
    for (; end - p >= 16; p += 16) {
        const __m128i bytes = _mm_loadu_si128((const void *)p);
        const __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(bytes, last_control), bytes);
        const __m128i mark =
            _mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, escape));
        int found = _mm_movemask_epi8(_mm_or_si128(control, mark));
        if (found)
            return p + __builtin_ctz((unsigned)found);
    }
#endif
    (void)end;
    while (!ends_plain[(unsigned char)*p])
        p++;
    return p;
}

const char *json_walk_string(const char *p, const char *end)
{
    if (*p++ != '"')
        return NULL;
    for (;;) {
        p = plain_end(p, end);
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

/* Behind the digits at `p`; NULL: there is none. */
static inline const char *walk_digits(const char *p, const char *end)
{
#ifdef __SSE2__
    if (end - p >= 16) {
        const __m128i values = _mm_sub_epi8(_mm_loadu_si128((const void *)p), _mm_set1_epi8('0'));
        const __m128i digits = _mm_cmpeq_epi8(_mm_min_epu8(values, _mm_set1_epi8(9)), values);
        unsigned others = ~(unsigned)_mm_movemask_epi8(digits) & 0xFFFF;
        if (others)
            return others & 1 ? NULL : p + __builtin_ctz(others);
        p += 15; /* the last of these digits */
    }
#endif
    (void)end;
    if (!text_is_digit(*p))
        return NULL;
    while (text_is_digit(*p))
        p++;
    return p;
}

static const char *walk_object(const char *p, const char *end, int depth)
{
    p = json_walk_blank(p + 1);
    if (*p == '}')
        return p + 1;
    for (;;) {
        if (!(p = json_walk_string(p, end)))
            return NULL;
        p = json_walk_blank(p);
        if (*p++ != ':' || !(p = json_walk_value(json_walk_blank(p), end, depth)))
            return NULL;
        p = json_walk_blank(p);
        if (*p == '}')
            return p + 1;
        if (*p++ != ',')
            return NULL;
        p = json_walk_blank(p);
    }
}

static const char *walk_array(const char *p, const char *end, int depth)
{
    p = json_walk_blank(p + 1);
    if (*p == ']')
        return p + 1;
    for (;;) {
        if (!(p = json_walk_value(p, end, depth)))
            return NULL;
        p = json_walk_blank(p);
        if (*p == ']')
            return p + 1;
        if (*p++ != ',')
            return NULL;
        p = json_walk_blank(p);
    }
}

const char *json_walk_value(const char *p, const char *end, int depth)
{
    switch (*p) {
    case '"':
        return json_walk_string(p, end);
    case '{':
        return depth > 0 ? walk_object(p, end, depth - 1) : NULL;
    case '[':
        return depth > 0 ? walk_array(p, end, depth - 1) : NULL;
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
    default: {
        /* -?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?, and -Infinity */
        p += *p == '-';
        if (*p == 'I')
            return walk_word(p, "Infinity");
        p = *p == '0' ? p + 1 : walk_digits(p, end);
        if (p && *p == '.')
            p = walk_digits(p + 1, end);
        if (p && (*p == 'e' || *p == 'E')) {
            p++;
            p += *p == '+' || *p == '-';
            p = walk_digits(p, end);
        }
        return p;
    }
    }
}

struct json_items json_items(struct span value)
{
    struct json_items items = {NULL, NULL, value.n && *value.p == '{'};
    if (!items.named && !(value.n && *value.p == '['))
        return items;
    const char *first = json_walk_blank(value.p + 1);
    items.end = value.p + value.n;
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
        p = json_walk_string(p, items->end);
        name->n = (size_t)(p - name->p);
        p = json_walk_blank(json_walk_blank(p) + 1);
    }
    value->p = p;
    p = json_walk_value(p, items->end, JSON_WALK_DEPTH_MAX);
    value->n = (size_t)(p - value->p);
    p = json_walk_blank(p);
    items->at = *p == ',' ? json_walk_blank(p + 1) : NULL;
    return true;
}
