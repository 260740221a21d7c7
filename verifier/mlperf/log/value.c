#include "verifier/mlperf/log/value.h"

#include "base/foreign.h"
#include "base/json/json.h"
#include "base/lines/decimal.h"
#include "base/text.h"
#include "verifier/mlperf/log/json_walk.h"

#include <math.h>
#include <stdlib.h>

#define COMPARED_ITEMS_MAX 16

static double number_of_value(struct span json)
{
    double x;
    if (decimal_read(json.p, json.n, &x) == json.n)
        return x;
    return strtod(json.p, NULL); /* long ones, NaN, Infinity; a byte that is in none follows */
}

struct mllog_value mllog_value(struct span json)
{
    struct mllog_value v = {MLLOG_NUMBER, 0, json};
    switch (json.n ? *json.p : '\0') {
    case '\0':
        v.kind = MLLOG_MISSING;
        break;
    case '"':
        v.kind = MLLOG_TEXT;
        break;
    case '{':
        v.kind = MLLOG_OBJECT;
        break;
    case '[':
        v.kind = MLLOG_LIST;
        break;
    case 'n':
        v.kind = MLLOG_NULL;
        break;
    case 't':
    case 'f':
        v.kind = MLLOG_BOOL;
        v.number = *json.p == 't';
        break;
    default:
        v.number = number_of_value(json);
    }
    return v;
}

struct mllog_value mllog_number(double number)
{
    return (struct mllog_value){MLLOG_NUMBER, number, {NULL, 0}};
}

static unsigned hex_of(const char *p)
{
    unsigned code = 0;
    for (int i = 0; i < 4; i++) {
        char c = p[i];
        code = code * 16 + (unsigned)(c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
    }
    return code;
}

/* One character of a string that was walked; `*p` moves behind it. */
static uint32_t next_character(const char **p)
{
    static const char marks[] = "bfnrt", means[] = "\b\f\n\r\t";
    const char *at = *p;
    if (*at != '\\') {
        *p = at + 1;
        return (unsigned char)*at;
    }
    *p = at + 2;
    if (at[1] != 'u') {
        const char *mark = strchr(marks, at[1]);
        return (unsigned char)(mark ? means[mark - marks] : at[1]);
    }
    uint32_t code = hex_of(at + 2);
    *p = at + 6;
    if (code >= 0xD800 && code < 0xDC00 && at[6] == '\\' && at[7] == 'u') {
        uint32_t low = hex_of(at + 8);
        if (low >= 0xDC00 && low < 0xE000) {
            *p = at + 12;
            return 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        }
    }
    return code;
}

/* Bytes above 127 are characters of Latin-1, or stay as they are. */
static const char *text_of_string(struct span json_string, bool latin1, struct arena *arena)
{
    const char *p = json_string.p + 1, *end = json_string.p + json_string.n - 1;
    char *text = arena_room(arena, 2 * json_string.n + 1), *to = text;
    while (p < end) {
        if (!latin1 && (unsigned char)*p >= 0x80) {
            *to++ = *p++;
            continue;
        }
        uint32_t code = next_character(&p);
        bool shown = code && (code < 0xD800 || code > 0xDFFF);
        to += utf8_put(to, shown ? code : 0xFFFD);
    }
    *to = '\0';
    return text;
}

const char *mllog_text(struct span json_string, struct arena *arena)
{
    return text_of_string(json_string, true, arena);
}

const char *mllog_text_utf8(struct span json_string, struct arena *arena)
{
    return text_of_string(json_string, false, arena);
}

/* Nearly always the first characters tell. */
bool mllog_text_is(struct span json_string, const char *text)
{
    struct span inner = {json_string.p + 1, json_string.n - 2};
    size_t i = 0;
    while (i < inner.n && (unsigned char)inner.p[i] < 0x80 && inner.p[i] != '\\') {
        if (inner.p[i] != text[i])
            return false;
        i++;
    }
    if (i == inner.n)
        return text[i] == '\0';
    struct arena scratch = ARENA_INIT;
    bool same = strcmp(mllog_text(json_string, &scratch), text) == 0;
    arena_release(&scratch);
    return same;
}

bool mllog_name_is(struct span json_string, const char *text)
{
    char first = json_string.p[1];
    bool plain = first != '\\' && (unsigned char)first < 0x80;
    return (!plain || first == *text || json_string.n == 2) && mllog_text_is(json_string, text);
}

struct span mllog_member_span(struct span object, const char *name)
{
    struct json_items items = json_items(object);
    struct span key, value, found = {NULL, 0};
    if (items.named)
        while (json_items_next(&items, &key, &value))
            if (mllog_name_is(key, name))
                found = value;
    return found;
}

struct mllog_value mllog_member(struct span object, const char *name)
{
    return mllog_value(mllog_member_span(object, name));
}

static bool same_texts(struct span a, struct span b)
{
    struct arena scratch = ARENA_INIT;
    bool same = strcmp(mllog_text(a, &scratch), mllog_text(b, &scratch)) == 0;
    arena_release(&scratch);
    return same;
}

static bool is_plain_kind(enum mllog_kind kind)
{
    return kind != MLLOG_LIST && kind != MLLOG_OBJECT;
}

static bool same_plain(const struct mllog_value *a, const struct mllog_value *b)
{
    if (mllog_is_number(a) && mllog_is_number(b))
        return a->number == b->number;
    if (a->kind != b->kind)
        return false;
    if (a->json.n == b->json.n && memcmp(a->json.p, b->json.p, a->json.n) == 0)
        return true;
    return a->kind == MLLOG_TEXT && same_texts(a->json, b->json);
}

/* Has `b` every item of `a`, in its place or by its name? */
static bool has_items(struct span a, struct span b)
{
    struct json_items items = json_items(a), others = json_items(b);
    struct span key, value, other;
    for (int n = 0; json_items_next(&items, &key, &value); n++) {
        struct mllog_value v = mllog_value(value), w;
        struct arena scratch = ARENA_INIT;
        if (n == COMPARED_ITEMS_MAX)
            return false;
        if (key.n)
            w = mllog_member(b, mllog_text(key, &scratch));
        else
            w = mllog_value(json_items_next(&others, &key, &other) ? other : (struct span){"", 0});
        bool same = same_plain(&v, &w);
        arena_release(&scratch);
        if (!same)
            return false;
    }
    return true;
}

bool mllog_same(const struct mllog_value *a, const struct mllog_value *b)
{
    if (is_plain_kind(a->kind) || a->kind != b->kind || same_plain(a, b))
        return same_plain(a, b);
    return has_items(a->json, b->json) && has_items(b->json, a->json);
}

bool mllog_read_number(const struct mllog_value *v, double *out)
{
    if (v->kind == MLLOG_NUMBER) {
        *out = v->number;
        return true;
    }
    if (v->kind != MLLOG_TEXT)
        return false;
    struct span text = span_trim((struct span){v->json.p + 1, v->json.n - 2});
    return text.n && decimal_read(text.p, text.n, out) == text.n;
}

bool mllog_read_whole(const struct mllog_value *v, double *out)
{
    return mllog_read_number(v, out) && isfinite(*out) && *out == floor(*out);
}

const char *mllog_show(const struct mllog_value *v, struct arena *arena)
{
    char number[32];
    if (v->kind == MLLOG_MISSING)
        return "nothing";
    if (!v->json.n) {
        json_number_format(number, v->number);
        return arena_strdup(arena, number);
    }
    struct span shown = v->json;
    if (shown.n > 2 * MLLOG_SHOWN_MAX)
        shown.n = 2 * MLLOG_SHOWN_MAX;
    if (v->kind == MLLOG_TEXT && shown.n == v->json.n)
        return foreign_line(arena, mllog_text(shown, arena), MLLOG_SHOWN_MAX);
    char *text = arena_room(arena, 2 * shown.n + 1), *to = text;
    for (size_t i = 0; i < shown.n; i++)
        to += utf8_put(to, shown.p[i] ? (unsigned char)shown.p[i] : 0xFFFD);
    *to = '\0';
    return foreign_line(arena, text, MLLOG_SHOWN_MAX);
}
