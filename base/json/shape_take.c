/* shape_take: what was handed on, straight into its struct. There is no tree of values in between,
 * since of a verdict it would take ten times the memory of the verdict; and nothing is told of what
 * is wrong, since only a process that somebody took over says what is. */
#include "base/json/shape_load.h"

#include "base/text.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct taking {
    const char *at, *end;
    int depth;
    struct arena scratch; /* for what is not kept */
    struct unpack memory; /* that may be asked for (unpack_answer) */
    struct load load;
};

static bool take_object(struct taking *t, const struct shape *shape, void *value);

/* NULL: there may not be so much. */
static void *room_for_items(struct taking *t, struct arena *arena, size_t n, size_t size)
{
    return unpack_memory(&t->memory, n, size) ? arena_array(arena, n, size) : NULL;
}

/* ---- tokens ------------------------------------------------------------------------------- */

static void skip_space(struct taking *t)
{
    while (t->at < t->end && (*t->at == ' ' || *t->at == '\n'))
        t->at++;
}

static bool take_char(struct taking *t, char c)
{
    skip_space(t);
    bool is = t->at < t->end && *t->at == c;
    t->at += is;
    return is;
}

static bool take_word(struct taking *t, const char *word)
{
    size_t n = strlen(word);
    bool is = (size_t)(t->end - t->at) >= n && memcmp(t->at, word, n) == 0;
    t->at += is ? n : 0;
    return is;
}

/* "\u00e9"; half of a pair of surrogates needs the other. False: it is none. */
static bool take_hex(struct taking *t, uint32_t *code)
{
    *code = 0;
    for (int i = 0; i < 4; i++, t->at++) {
        char c = t->at < t->end ? *t->at : '\0';
        int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
        if (digit < 0)
            return false;
        *code = *code << 4 | (uint32_t)digit;
    }
    return true;
}

static size_t take_escape(struct taking *t, char *to)
{
    static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    char c = t->at < t->end ? *t->at++ : '\0';
    const char *letter = c ? strchr(letters, c) : NULL;
    uint32_t code, low;
    if (letter) {
        *to = meant[letter - letters];
        return 1;
    }
    if (c != 'u' || !take_hex(t, &code) || code == 0)
        return 0;
    bool pair = code >= 0xD800 && code <= 0xDBFF;
    if (pair && (!take_word(t, "\\u") || !take_hex(t, &low) || low < 0xDC00 || low > 0xDFFF))
        return 0;
    if (pair)
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    return code >= 0xD800 && code <= 0xDFFF ? 0 : utf8_put(to, code);
}

/* The bytes up to what ends a string or an escape begins. */
static size_t plain_json_bytes(const struct taking *t)
{
    const char *at = t->at;
    while (at < t->end && *at != '"' && *at != '\\' && (unsigned char)*at >= 0x20)
        at++;
    return (size_t)(at - t->at);
}

/* Behind the quotation mark; NULL: it is none. */
static const char *take_string(struct taking *t, struct arena *arena)
{
    size_t n = plain_json_bytes(t), most = n;
    const char *from = t->at;
    if (t->at + n < t->end && t->at[n] == '"') {
        t->at += n + 1;
        return unpack_memory(&t->memory, 1, n + UNPACK_TEXT) ? arena_strndup(arena, from, n) : NULL;
    }
    /* An escape is no shorter than its character. */
    while (from + most < t->end && from[most] != '"')
        most += from[most] == '\\' ? 2 : 1;
    char *text = from + most < t->end ? room_for_items(t, arena, 1, most + UNPACK_TEXT) : NULL,
         *to = text;
    while (text) {
        n = plain_json_bytes(t);
        memcpy(to, t->at, n);
        to += n;
        t->at += n;
        if (t->at >= t->end || (*t->at != '"' && *t->at != '\\'))
            return NULL;
        if (*t->at++ == '"')
            break;
        n = take_escape(t, to);
        if (n == 0)
            return NULL;
        to += n;
    }
    return text;
}

static bool take_number(struct taking *t, double *number)
{
    size_t n = 0, digits = 0;
    while (t->at + n < t->end && n <= JSON_NUMBER_MAX &&
           (strchr("+-.eE", t->at[n]) || (t->at[n] >= '0' && t->at[n] <= '9')))
        digits += t->at[n] >= '0' && t->at[n] <= '9', n++;
    char text[JSON_NUMBER_MAX + 2], *behind;
    if (n == 0 || n > JSON_NUMBER_MAX || digits == 0)
        return false;
    memcpy(text, t->at, n);
    text[n] = '\0';
    *number = 0;
    t->at += n;
    if (digits == n && n <= 15) { /* most are places */
        for (size_t i = 0; i < n; i++)
            *number = *number * 10 + (text[i] - '0');
        return true;
    }
    *number = strtod(text, &behind);
    return *behind == '\0' && isfinite(*number);
}

/* ---- values ------------------------------------------------------------------------------- */

static bool take_scalar(struct taking *t, const struct field *f, void *value)
{
    struct json j = {.kind = JSON_NULL, .text = ""};
    if (take_char(t, '"')) {
        if (f->kind == FIELD_REALS) {
            static const struct json nowhere = {.kind = JSON_STRING};
            size_t n = plain_json_bytes(t);
            if (!unpack_memory(&t->memory, 1, n + UNPACK_TEXT))
                return false;
            shape_load_reals(&t->load, f, t->at, n, &nowhere, value);
            t->at += n;
            return take_char(t, '"') && !t->load.failed;
        }
        j.kind = JSON_STRING;
        j.text = take_string(t, f->kind == FIELD_NAMED ? &t->scratch : t->load.ctx.arena);
    } else if (take_word(t, "true") || take_word(t, "false")) {
        j.kind = JSON_BOOL;
        j.truth = t->at[-2] == 'u';
    } else if (!take_word(t, "null")) {
        j.kind = JSON_NUMBER;
        if (!take_number(t, &j.number))
            return false;
    } else if (f->null) {
        return true;
    }
    if (j.text)
        shape_load_value(&t->load, f, &j, value);
    return j.text && !t->load.failed;
}

/* Room for one more item of a list that has `n`; NULL. */
static char *grow_items(struct taking *t, char *items, size_t n, size_t size)
{
    if (n & (n - 1)) /* there is room up to the next power of two */
        return items;
    char *more = room_for_items(t, &t->scratch, n ? 2 * n : 1, size);
    if (n && more)
        memcpy(more, items, n * size);
    return more;
}

static bool take_item(struct taking *t, const struct field *f, void *item)
{
    if (f->kind == FIELD_OBJECTS)
        return take_object(t, f->shape, item);
    const char *text = take_char(t, '"') ? take_string(t, t->load.ctx.arena) : NULL;
    *(const char **)item = text;
    return text != NULL;
}

static bool take_list(struct taking *t, const struct field *f, void *value)
{
    size_t size = f->kind == FIELD_OBJECTS ? f->shape->size : sizeof(char *), n = 0;
    double most = f->max != 0 ? f->max : SHAPE_ITEMS_MAX;
    char *items = NULL;
    if (!take_char(t, '['))
        return false;
    for (bool more = !take_char(t, ']'); more; more = take_char(t, ',')) {
        if ((double)n == most)
            return false;
        items = grow_items(t, items, n, size);
        if (!items || !take_item(t, f, items + n++ * size))
            return false;
    }
    if (n && !take_char(t, ']'))
        return false;
    char *kept = room_for_items(t, t->load.ctx.arena, n, size);
    if (n && kept)
        memcpy(kept, items, n * size);
    *(void **)field_of(f, value) = kept;
    *field_count_of(f, value) = n;
    return kept != NULL;
}

static bool take_field_value(struct taking *t, const struct field *f, void *value)
{
    void *inner;
    switch (f->kind) {
    case FIELD_OBJECT:
        inner = room_for_items(t, t->load.ctx.arena, 1, f->shape->size);
        *(void **)field_of(f, value) = inner;
        return inner && take_object(t, f->shape, inner);
    case FIELD_INSIDE:
        return take_object(t, f->shape, field_of(f, value));
    case FIELD_OBJECTS:
    case FIELD_TEXTS:
        return take_list(t, f, value);
    case FIELD_WORDS:
    case FIELD_ROWS:
        return false; /* of records */
    default:
        return take_scalar(t, f, value);
    }
}

static bool is_field_named(const struct field *f, const char *name, size_t n)
{
    return f->side != FIELD_SHOWN && strncmp(f->key, name, n) == 0 && f->key[n] == '\0';
}

/* The field of this name, which mostly stands soon behind the one before. */
static const struct field *take_key(struct taking *t, const struct shape *shape, size_t from)
{
    if (!take_char(t, '"'))
        return NULL;
    const char *end = memchr(t->at, '"', (size_t)(t->end - t->at)), *name = t->at;
    size_t n = end ? (size_t)(end - name) : 0;
    t->at = end ? end + 1 : t->end;
    for (size_t k = 0; k < shape->n_fields; k++) {
        size_t at = from + k < shape->n_fields ? from + k : from + k - shape->n_fields;
        if (is_field_named(&shape->fields[at], name, n))
            return take_char(t, ':') ? &shape->fields[at] : NULL;
    }
    return NULL;
}

static bool has_required(const struct shape *shape, uint64_t seen)
{
    for (size_t i = 0; i < shape->n_fields; i++)
        if (shape->fields[i].required && shape->fields[i].side != FIELD_SHOWN && !(seen >> i & 1))
            return false;
    return true;
}

static bool take_members(struct taking *t, const struct shape *shape, void *value)
{
    uint64_t seen = 0;
    size_t at = 0;
    if (!take_char(t, '{'))
        return false;
    for (bool more = !take_char(t, '}'); more; more = take_char(t, ',')) {
        const struct field *f = take_key(t, shape, at);
        if (!f || seen >> (f - shape->fields) & 1 || !take_field_value(t, f, value))
            return false;
        seen |= (uint64_t)1 << (f - shape->fields);
        at = (size_t)(f - shape->fields) + 1;
    }
    return (seen == 0 || take_char(t, '}')) && has_required(shape, seen);
}

static bool take_object(struct taking *t, const struct shape *shape, void *value)
{
    static const struct json nowhere = {.kind = JSON_OBJECT};
    if (shape->n_fields > 64 || shape->schema || ++t->depth > JSON_DEPTH_MAX)
        return false;
    shape_init(shape, value);
    if (!take_members(t, shape, value))
        return false;
    if (shape->check)
        shape->check(value, &nowhere, &t->load.ctx);
    t->depth--;
    return t->load.ctx.diags->n == 0;
}

bool shape_take(const struct shape *shape, struct bytes text, void *value, struct arena *arena)
{
    struct diags faults;
    struct taking t = {.at = text.data,
                       .end = text.data + text.len,
                       .scratch = ARENA_INIT,
                       .memory = unpack_answer(text.data, text.len),
                       .load = {.ctx = {"", arena, &faults}, .lasts = true}};
    diags_init(&faults, &t.scratch);
    bool good = utf8_valid_until(text.data, text.len) == text.len &&
                memchr(text.data, '\0', text.len) == NULL && take_object(&t, shape, value);
    skip_space(&t);
    arena_release(&t.scratch);
    return good && t.at == t.end;
}
