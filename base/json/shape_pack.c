#include "base/json/shape_pack.h"

#include "base/json/shape_load.h"
#include "base/text.h"

#include <limits.h>
#include <string.h>

/* ---- packing ----------------------------------------------------------------------------- */

static void pack_list(const struct field *f, const void *value, struct buf *out)
{
    size_t n = *field_count_of(f, value);
    const char *items = *(const char *const *)field_of(f, value);
    pack_number(out, n);
    for (size_t i = 0; i < n; i++)
        if (f->kind == FIELD_OBJECTS)
            shape_pack(f->shape, items + i * f->shape->size, out);
        else if (f->kind == FIELD_ROWS) {
            const struct row *r = (const struct row *)(const void *)items + i;
            pack_number(out, (uint64_t)r->line);
            pack_number(out, r->n_cells);
            for (size_t j = 0; j < r->n_cells; j++) {
                const struct cell *c = &r->cells[j];
                pack_number(out, (uint64_t)c->line);
                pack_number(out, (uint64_t)c->col);
                pack_number(out, (uint64_t)c->character);
                pack_number(out, c->as_published);
                pack_text(out, c->text);
            }
        } else
            pack_text(out, ((const char *const *)(const void *)items)[i]);
}

static void pack_field(const struct field *f, const void *value, struct buf *out)
{
    const void *at = field_of(f, value), *inner;
    const struct words *w = at;
    switch (f->kind) {
    case FIELD_WORDS:
        pack_text(out, w->zh);
        pack_text(out, w->en);
        break;
    case FIELD_REAL:
        pack_bytes(out, at, sizeof(double));
        break;
    case FIELD_COUNT:
        pack_number(out, (uint64_t) * (const long long *)at);
        break;
    case FIELD_FLAG:
        pack_number(out, *(const bool *)at);
        break;
    case FIELD_NAMED:
        pack_number(out, (uint64_t) * (const int *)at);
        break;
    case FIELD_TEXTS:
    case FIELD_OBJECTS:
    case FIELD_ROWS:
        pack_list(f, value, out);
        break;
    case FIELD_OBJECT:
        memcpy(&inner, at, sizeof inner);
        pack_number(out, inner != NULL);
        if (inner)
            shape_pack(f->shape, inner, out);
        break;
    default:
        pack_text(out, *(const char *const *)at);
    }
}

void shape_pack(const struct shape *shape, const void *value, struct buf *out)
{
    pack_number(out, (uint64_t) * (const int *)value);
    for (size_t i = 0; i < shape->n_fields; i++)
        pack_field(&shape->fields[i], value, out);
}

/* ---- taking ------------------------------------------------------------------------------ */

struct taking {
    struct arena *arena;
    struct unpack *u;
    int depth;
};

static void unpack_object(struct taking *t, const struct shape *shape, void *value);

static int unpack_place(struct taking *t)
{
    uint64_t number = unpack_number(t->u);
    t->u->bad |= number > INT_MAX;
    return t->u->bad ? 0 : (int)number;
}

static bool take_flag(struct taking *t)
{
    uint64_t number = unpack_number(t->u);
    t->u->bad |= number > 1;
    return number == 1;
}

/* The number of one of the names. */
static int take_named(struct taking *t, const struct field *f)
{
    int number = unpack_place(t), names = 0;
    while (f->choices[names])
        names++;
    t->u->bad |= number >= names;
    return t->u->bad ? 0 : number;
}

static const char *take_text(struct taking *t)
{
    const char *text = unpack_text(t->u);
    size_t n = text && !t->u->lasts ? strlen(text) : 0;
    if (!text || t->u->lasts)
        return text;
    t->u->bad |= utf8_valid_until(text, n) != n;
    return t->u->bad || !unpack_memory(t->u, 1, n + UNPACK_TEXT) ? NULL
                                                                 : arena_strndup(t->arena, text, n);
}

static const char *take_field_text(struct taking *t, const struct field *f)
{
    const char *text = take_text(t);
    const struct shape_kind *rule = &shape_kinds[f->kind];
    if (text && ((rule->valid && !rule->valid(text)) ||
                 (f->kind == FIELD_CHOICE && !shape_is_choice(f, text))))
        t->u->bad = true;
    t->u->bad |= !text && f->required;
    return t->u->bad ? NULL : text;
}

static double take_real(struct taking *t, const struct field *f)
{
    double value = NAN;
    const void *bytes = unpack_bytes(t->u, sizeof value);
    bool limits = f->min != 0 || f->max != 0;
    if (bytes)
        memcpy(&value, bytes, sizeof value);
    if (isnan(value) ? f->required : limits && !(value >= f->min && value <= f->max))
        t->u->bad = true;
    return value;
}

/* 0 is what is not there. */
static long long take_count(struct taking *t, const struct field *f)
{
    uint64_t number = unpack_number(t->u);
    double most = f->max != 0 ? f->max : SHAPE_COUNT_MAX;
    t->u->bad |= (double)number > most || (number != 0 && (double)number < f->min);
    return t->u->bad ? 0 : (long long)number;
}

/* The fewest bytes of an item: one for each field and one for its place; a text that is there has
 * its length and its end. So a list asks for no more memory than its bytes may fill. */
static size_t least_item_bytes(const struct field *f)
{
    return f->kind == FIELD_OBJECTS ? 1 + f->shape->n_fields : 2;
}

static void unpack_field_list(struct taking *t, const struct field *f, void *value)
{
    size_t size = f->kind == FIELD_OBJECTS ? f->shape->size
                  : f->kind == FIELD_ROWS  ? sizeof(struct row)
                                           : sizeof(char *);
    size_t n = unpack_count(t->u, least_item_bytes(f));
    if (!unpack_memory(t->u, n, size))
        n = 0;
    char *items = arena_array(t->arena, n, size);
    *(void **)field_of(f, value) = items;
    *field_count_of(f, value) = n;
    for (size_t i = 0; i < n && !t->u->bad; i++) {
        void *item = items + i * size;
        if (f->kind == FIELD_OBJECTS)
            unpack_object(t, f->shape, item);
        else if (f->kind == FIELD_ROWS) {
            struct row r = {.line = unpack_place(t)};
            r.n_cells = unpack_count(t->u, 5);
            if (!unpack_memory(t->u, r.n_cells, sizeof *r.cells))
                r.n_cells = 0;
            r.cells = arena_array(t->arena, r.n_cells, sizeof *r.cells);
            for (size_t j = 0; j < r.n_cells; j++) {
                struct cell *c = &r.cells[j];
                c->line = unpack_place(t);
                c->col = unpack_place(t);
                c->character = unpack_place(t);
                c->as_published = take_flag(t);
                c->text = take_text(t);
                t->u->bad |= !c->text;
            }
            *(struct row *)item = r;
        } else
            t->u->bad |= !(*(const char **)item = take_text(t));
    }
}

static void take_inner(struct taking *t, const struct field *f, void *value)
{
    bool there = take_flag(t);
    t->u->bad |= !there && f->required;
    if (!there || !unpack_memory(t->u, 1, f->shape->size))
        return;
    void *inner = arena_alloc(t->arena, f->shape->size);
    unpack_object(t, f->shape, inner);
    *(void **)field_of(f, value) = inner;
}

static void unpack_field(struct taking *t, const struct field *f, void *value)
{
    void *at = field_of(f, value);
    struct words *w = at;
    switch (f->kind) {
    case FIELD_WORDS:
        w->zh = take_text(t);
        w->en = take_text(t);
        break;
    case FIELD_REAL:
        *(double *)at = take_real(t, f);
        break;
    case FIELD_COUNT:
        *(long long *)at = take_count(t, f);
        break;
    case FIELD_FLAG:
        *(bool *)at = take_flag(t);
        break;
    case FIELD_NAMED:
        *(int *)at = take_named(t, f);
        break;
    case FIELD_TEXTS:
    case FIELD_OBJECTS:
    case FIELD_ROWS:
        unpack_field_list(t, f, value);
        break;
    case FIELD_OBJECT:
        take_inner(t, f, value);
        break;
    default:
        *(const char **)at = take_field_text(t, f);
    }
}

static void unpack_object(struct taking *t, const struct shape *shape, void *value)
{
    shape_init(shape, value);
    t->u->bad |= ++t->depth > SHAPE_DEPTH_MAX;
    *(int *)value = unpack_place(t);
    for (size_t i = 0; i < shape->n_fields && !t->u->bad; i++)
        unpack_field(t, &shape->fields[i], value);
    t->depth--;
}

void shape_unpack(const struct shape *shape, void *value, struct arena *arena, struct unpack *u)
{
    struct taking t = {arena, u, 0};
    unpack_object(&t, shape, value);
    if (u->bad)
        shape_init(shape, value);
}
