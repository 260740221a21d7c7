#include "base/json/shape_pack.h"

#include "base/json/shape_load.h"
#include "base/text.h"

#include <limits.h>
#include <string.h>

/* ---- packing ----------------------------------------------------------------------------- */

/* What evidence says may be no UTF-8: then U+FFFD stands for each byte that is none. */
static void pack_repaired(struct buf *out, const char *text)
{
    struct buf repaired = BUF_INIT(SIZE_MAX);
    for (size_t n = strlen(text), good; n > 0; text += good, n -= good) {
        good = utf8_valid_until(text, n);
        buf_add(&repaired, text, good);
        if (good < n) {
            buf_str(&repaired, "\xEF\xBF\xBD");
            good++;
        }
    }
    pack_text(out, repaired.data);
    buf_release(&repaired);
}

static void pack_field_text(const struct shape *shape, const char *text, struct buf *out)
{
    size_t n = shape->unplaced && text ? strlen(text) : 0;
    if (n == 0)
        pack_text(out, text);
    else if (utf8_valid_until(text, n) == n) {
        pack_number(out, n + 1);
        pack_bytes(out, text, n + 1);
    } else
        pack_repaired(out, text);
}

static void pack_row(const struct row *r, struct buf *out)
{
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
}

static void pack_list(const struct shape *shape, const struct field *f, const void *value,
                      struct buf *out)
{
    size_t n = *field_count_of(f, value);
    const char *items = *(const char *const *)field_of(f, value);
    pack_number(out, n);
    for (size_t i = 0; i < n; i++)
        if (f->kind == FIELD_OBJECTS)
            shape_pack(f->shape, items + i * f->shape->size, out);
        else if (f->kind == FIELD_ROWS)
            pack_row((const struct row *)(const void *)items + i, out);
        else
            pack_field_text(shape, ((const char *const *)(const void *)items)[i], out);
}

/* Lists of one length may share their number, of which some are not there. */
static void pack_reals(const struct field *f, const void *value, struct buf *out)
{
    const double *reals = *(const double *const *)field_of(f, value);
    size_t n = reals ? *field_count_of(f, value) : 0;
    pack_number(out, n);
    pack_bytes(out, reals, n * sizeof *reals);
}

static void pack_field(const struct shape *shape, const struct field *f, const void *value,
                       struct buf *out)
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
    case FIELD_SIZE:
        pack_number(out, *(const size_t *)at);
        break;
    case FIELD_FLAG:
        pack_number(out, *(const bool *)at);
        break;
    case FIELD_PLACE:
        pack_number(out, *(const int *)at > 0 ? (uint64_t) * (const int *)at : 0);
        break;
    case FIELD_NAMED:
        pack_number(out, (uint64_t) * (const int *)at);
        break;
    case FIELD_REALS:
        pack_reals(f, value, out);
        break;
    case FIELD_TEXTS:
    case FIELD_OBJECTS:
    case FIELD_ROWS:
        pack_list(shape, f, value, out);
        break;
    case FIELD_INSIDE:
        shape_pack(f->shape, at, out);
        break;
    case FIELD_OBJECT:
        memcpy(&inner, at, sizeof inner);
        pack_number(out, inner != NULL);
        if (inner)
            shape_pack(f->shape, inner, out);
        break;
    default:
        pack_field_text(shape, *(const char *const *)at, out);
    }
}

/* The flag stands in front of the field. */
static bool is_packed(const struct field *f, const void *value)
{
    return f->side != FIELD_SHOWN &&
           (!f->only_if || *(const bool *)((const char *)value + f->only_if));
}

void shape_pack(const struct shape *shape, const void *value, struct buf *out)
{
    if (!shape->unplaced)
        pack_number(out, (uint64_t) * (const int *)value);
    for (size_t i = 0; i < shape->n_fields; i++)
        if (is_packed(&shape->fields[i], value))
            pack_field(shape, &shape->fields[i], value, out);
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
    if (isnan(value)   ? f->required
        : isinf(value) ? !f->null
                       : limits && !(value >= f->min && value <= f->max))
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
    if (f->kind != FIELD_OBJECTS)
        return 2;
    size_t least = !f->shape->unplaced;
    for (size_t i = 0; i < f->shape->n_fields; i++)
        least += f->shape->fields[i].side != FIELD_SHOWN && !f->shape->fields[i].only_if;
    return least;
}

static struct row take_row(struct taking *t)
{
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
    return r;
}

static void unpack_field_list(struct taking *t, const struct field *f, void *value)
{
    size_t size = f->kind == FIELD_OBJECTS ? f->shape->size
                  : f->kind == FIELD_ROWS  ? sizeof(struct row)
                                           : sizeof(char *);
    size_t n = unpack_count(t->u, least_item_bytes(f));
    t->u->bad |= (double)n > (f->max != 0 ? f->max : SHAPE_ITEMS_MAX);
    if (!unpack_memory(t->u, n, size))
        n = 0;
    char *items = arena_array(t->arena, n, size);
    *(void **)field_of(f, value) = items;
    *field_count_of(f, value) = n;
    for (size_t i = 0; i < n && !t->u->bad; i++) {
        void *item = items + i * size;
        if (f->kind == FIELD_OBJECTS)
            unpack_object(t, f->shape, item);
        else if (f->kind == FIELD_ROWS)
            *(struct row *)item = take_row(t);
        else
            t->u->bad |= !(*(const char **)item = take_text(t));
    }
}

/* The lists that share a number are of one length. */
static void take_reals(struct taking *t, const struct field *f, void *value)
{
    size_t n = unpack_count(t->u, sizeof(double)), *count = field_count_of(f, value);
    t->u->bad |= n && *count && *count != n;
    if (!n || !unpack_memory(t->u, n, sizeof(double)))
        return;
    double *reals = arena_array(t->arena, n, sizeof *reals);
    const void *bytes = unpack_bytes(t->u, n * sizeof *reals);
    if (bytes)
        memcpy(reals, bytes, n * sizeof *reals);
    *(double **)field_of(f, value) = reals;
    *count = n;
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
    case FIELD_SIZE:
        *(size_t *)at = (size_t)take_count(t, f);
        break;
    case FIELD_FLAG:
        *(bool *)at = take_flag(t);
        break;
    case FIELD_PLACE:
        *(int *)at = unpack_place(t);
        break;
    case FIELD_NAMED:
        *(int *)at = take_named(t, f);
        break;
    case FIELD_REALS:
        take_reals(t, f, value);
        break;
    case FIELD_TEXTS:
    case FIELD_OBJECTS:
    case FIELD_ROWS:
        unpack_field_list(t, f, value);
        break;
    case FIELD_INSIDE:
        unpack_object(t, f->shape, at);
        break;
    case FIELD_OBJECT:
        take_inner(t, f, value);
        break;
    default:
        *(const char **)at = take_field_text(t, f);
    }
}

/* What is derived is not made of what stood in a file. */
static void check_derived(struct taking *t, const struct shape *shape, const void *value)
{
    static const struct json nowhere = {.kind = JSON_OBJECT};
    struct diags faults = DIAGS_INIT(t->arena);
    struct shape_load_ctx ctx = {"", t->arena, &faults};
    shape->check(value, &nowhere, &ctx);
    t->u->bad |= faults.n > 0;
}

static void unpack_object(struct taking *t, const struct shape *shape, void *value)
{
    shape_init(shape, value);
    t->u->bad |= ++t->depth > SHAPE_DEPTH_MAX;
    if (!shape->unplaced)
        *(int *)value = unpack_place(t);
    for (size_t i = 0; i < shape->n_fields && !t->u->bad; i++)
        if (is_packed(&shape->fields[i], value))
            unpack_field(t, &shape->fields[i], value);
    if (shape->unplaced && shape->check && !t->u->bad)
        check_derived(t, shape, value);
    t->depth--;
}

void shape_unpack(const struct shape *shape, void *value, struct arena *arena, struct unpack *u)
{
    struct taking t = {arena, u, 0};
    unpack_object(&t, shape, value);
    if (u->bad)
        shape_init(shape, value);
}
