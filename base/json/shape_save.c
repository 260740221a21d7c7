/* shape, the way out: saving and comparing by the same rows that load (shape.h). */
#include "base/json/shape.h"

#include "base/sentence.h"
#include "base/signing/base64.h"

#include <stdio.h>
#include <string.h>

static const void *field_place(const struct field *f, const void *value)
{
    return (const char *)value + f->at;
}

static size_t list_count(const struct field *f, const void *value)
{
    return *(const size_t *)((const char *)value + f->at_n);
}

static const char *field_text(const struct field *f, const void *value)
{
    return *(const char *const *)field_place(f, value);
}

static const void *pointer_of(const struct field *f, const void *value)
{
    return *(const void *const *)field_place(f, value);
}

enum any { ANY };
_Static_assert(sizeof(enum any) == sizeof(int), "FIELD_NAMED"); /* an enum as an int */

/* Is there nothing to write? Lists that are required are written even when empty. */
static bool is_field_absent(const struct field *f, const void *value)
{
    switch (f->kind) {
    case FIELD_REAL:
        return isnan(*(const double *)field_place(f, value));
    case FIELD_COUNT:
        return *(const long long *)field_place(f, value) == 0 && !f->required;
    case FIELD_FLAG:
        return !*(const bool *)field_place(f, value) && !f->required;
    case FIELD_PLACE:
        return *(const int *)field_place(f, value) <= 0 && !f->required;
    case FIELD_SIZE:
        return *(const size_t *)field_place(f, value) == 0 && !f->required;
    case FIELD_NAMED:
    case FIELD_INSIDE:
    case FIELD_PUT:
        return false;
    case FIELD_WORDS:
        return !((const struct words *)field_place(f, value))->zh;
    case FIELD_TEXTS:
    case FIELD_OBJECTS:
    case FIELD_ROWS:
    case FIELD_REALS:
        return list_count(f, value) == 0 && !f->required;
    default:
        return !pointer_of(f, value);
    }
}

static void save_words(struct json_writer *w, const char *key, const struct words *words)
{
    if (!words->en) {
        json_string(w, key, words->zh);
        return;
    }
    json_begin_object(w, key);
    json_string(w, "zh", words->zh);
    json_string(w, "en", words->en);
    json_end_object(w);
}

static void save_rows(const struct field *f, const void *value, struct json_writer *w)
{
    const struct row *rows = pointer_of(f, value);
    json_begin_array(w, f->key);
    for (size_t i = 0; i < list_count(f, value); i++) {
        json_begin_array_flat(w, NULL);
        for (size_t c = 0; c < rows[i].n_cells; c++) {
            const struct cell *cell = &rows[i].cells[c];
            if (!cell->as_published) {
                json_string(w, NULL, cell->text);
                continue;
            }
            json_begin_object_flat(w, NULL);
            json_string(w, "as_published", cell->text);
            json_end_object(w);
        }
        json_end_array(w);
    }
    json_end_array(w);
}

static void save_texts(const struct field *f, const void *value, struct json_writer *w)
{
    const char *const *texts = pointer_of(f, value);
    json_begin_array_flat(w, f->key);
    for (size_t i = 0; i < list_count(f, value); i++)
        json_string(w, NULL, texts[i]);
    json_end_array(w);
}

static void save_reals(const struct field *f, const void *value, struct json_writer *w)
{
    json_begin_bytes(w, f->key);
    base64_encode(pointer_of(f, value), list_count(f, value) * sizeof(double), w->out);
    json_end_bytes(w);
}

static void save_real(const struct field *f, double number, enum field_side side,
                      struct json_writer *w)
{
    if (isinf(number) && side == FIELD_HANDED_ON)
        json_string(w, f->key, number < 0 ? "-inf" : "inf");
    else
        json_number(w, f->key, number);
}

static void save_objects(const struct field *f, const void *value, enum field_side side,
                         struct json_writer *w)
{
    const char *items = pointer_of(f, value);
    json_begin_array(w, f->key);
    for (size_t i = 0; i < list_count(f, value); i++)
        shape_write(f->shape, items + i * f->shape->size, side, w, NULL);
    json_end_array(w);
}

static void save_field(const struct field *f, const void *value, enum field_side side,
                       struct json_writer *w)
{
    switch (f->kind) {
    case FIELD_WORDS:
        save_words(w, f->key, field_place(f, value));
        break;
    case FIELD_REAL:
        save_real(f, *(const double *)field_place(f, value), side, w);
        break;
    case FIELD_COUNT:
        json_integer(w, f->key, *(const long long *)field_place(f, value));
        break;
    case FIELD_PLACE:
        json_integer(w, f->key, *(const int *)field_place(f, value));
        break;
    case FIELD_SIZE:
        json_integer(w, f->key, (long long)*(const size_t *)field_place(f, value));
        break;
    case FIELD_NAMED:
        json_string(w, f->key, f->choices[*(const int *)field_place(f, value)]);
        break;
    case FIELD_FLAG:
        json_bool(w, f->key, *(const bool *)field_place(f, value));
        break;
    case FIELD_TEXTS:
        save_texts(f, value, w);
        break;
    case FIELD_REALS:
        save_reals(f, value, w);
        break;
    case FIELD_INSIDE:
        shape_write(f->shape, field_place(f, value), side, w, f->key);
        break;
    case FIELD_OBJECT:
        shape_write(f->shape, pointer_of(f, value), side, w, f->key);
        break;
    case FIELD_OBJECTS:
        save_objects(f, value, side, w);
        break;
    case FIELD_ROWS:
        save_rows(f, value, w);
        break;
    case FIELD_PUT:
        f->put(value, w);
        break;
    default:
        json_string(w, f->key, field_text(f, value));
    }
}

void shape_write(const struct shape *shape, const void *value, enum field_side side,
                 struct json_writer *w, const char *key)
{
    if (shape->flat)
        json_begin_object_flat(w, key);
    else
        json_begin_object(w, key);
    json_string_if(w, "schema", shape->schema);
    for (size_t i = 0; i < shape->n_fields; i++) {
        const struct field *f = &shape->fields[i];
        bool other = f->side != FIELD_EVERYWHERE && f->side != side;
        if (other || (f->only_if && !*(const bool *)((const char *)value + f->only_if)))
            continue;
        if (!is_field_absent(f, value))
            save_field(f, value, side, w);
        else if (f->null)
            json_null(w, f->key);
    }
    json_end_object(w);
}

void shape_hand_on(const struct shape *shape, const void *value, struct buf *out)
{
    struct json_writer w = JSON_WRITER_INIT(out);
    w.flat = 1;
    shape_write(shape, value, FIELD_HANDED_ON, &w, NULL);
}

void shape_save_text(const struct shape *shape, const void *value, struct buf *out)
{
    struct json_writer w = JSON_WRITER_INIT(out);
    shape_write(shape, value, FIELD_EVERYWHERE, &w, NULL);
    json_finish(&w);
}

/* Where two records differ, and how. */
struct difference {
    const char *path, *how; /* how NULL: they do not */
};

/* The same behind what stands in front of its path. */
static struct difference behind(const char *front, struct difference d, struct arena *arena)
{
    d.path = d.how ? arena_printf(arena, "%s%s", front, d.path) : d.path;
    return d;
}

static struct difference fields_differ(const char *how)
{
    return (struct difference){"", how};
}

static const char *quoted_value(const char *text, struct arena *arena)
{
    return text ? arena_printf(arena, "\"%s\"", text) : "absent";
}

static struct difference diff_value_text(const char *a, const char *b, struct arena *arena)
{
    if (a == b || (a && b && strcmp(a, b) == 0))
        return fields_differ(NULL);
    return fields_differ(
        sentence_say(arena, "%s is not %s", quoted_value(a, arena), quoted_value(b, arena)));
}

static struct difference diff_cells(const struct row *a, const struct row *b, struct arena *arena)
{
    if (a->n_cells != b->n_cells)
        return fields_differ(sentence_say(arena, "%zu cells, not %zu", a->n_cells, b->n_cells));
    for (size_t i = 0; i < a->n_cells; i++) {
        struct difference d = diff_value_text(a->cells[i].text, b->cells[i].text, arena);
        if (!d.how && a->cells[i].as_published != b->cells[i].as_published)
            d = fields_differ("only one of the two compared cells has the form as_published");
        if (d.how)
            return behind(arena_printf(arena, "[%zu]", i), d, arena);
    }
    return fields_differ(NULL);
}

static struct difference diff_fields(const struct shape *shape, const void *a, const void *b,
                                     struct arena *arena);

/* Difference of list element i, without its index. */
static struct difference diff_element(const struct field *f, const void *a, const void *b, size_t i,
                                      struct arena *arena)
{
    if (f->kind == FIELD_TEXTS)
        return diff_value_text(((const char *const *)a)[i], ((const char *const *)b)[i], arena);
    if (f->kind == FIELD_ROWS)
        return diff_cells((const struct row *)a + i, (const struct row *)b + i, arena);
    size_t at = i * f->shape->size;
    return behind(".", diff_fields(f->shape, (const char *)a + at, (const char *)b + at, arena),
                  arena);
}

static struct difference diff_number(const struct field *f, const void *a, const void *b,
                                     struct arena *arena)
{
    if (f->kind == FIELD_FLAG)
        return fields_differ(*(const bool *)field_place(f, a) == *(const bool *)field_place(f, b)
                                 ? NULL
                                 : "differs");
    if (f->kind == FIELD_COUNT) {
        long long x = *(const long long *)field_place(f, a),
                  y = *(const long long *)field_place(f, b);
        return fields_differ(x == y ? NULL : sentence_say(arena, "%lld is not %lld", x, y));
    }
    double x = *(const double *)field_place(f, a), y = *(const double *)field_place(f, b);
    bool same = x == y || (isnan(x) && isnan(y));
    return fields_differ(same ? NULL : sentence_say(arena, "%g is not %g", x, y));
}

static struct difference diff_field(const struct field *f, const void *a, const void *b,
                                    struct arena *arena)
{
    switch (f->kind) {
    case FIELD_REAL:
    case FIELD_COUNT:
    case FIELD_FLAG:
        return diff_number(f, a, b, arena);
    case FIELD_WORDS: {
        const struct words *x = field_place(f, a), *y = field_place(f, b);
        struct difference d = diff_value_text(x->zh, y->zh, arena);
        return d.how ? d : diff_value_text(x->en, y->en, arena);
    }
    case FIELD_TEXTS:
    case FIELD_OBJECTS:
    case FIELD_ROWS: {
        size_t n = list_count(f, a);
        if (n != list_count(f, b))
            return fields_differ(sentence_say(arena, "%zu entries, not %zu", n, list_count(f, b)));
        for (size_t i = 0; i < n; i++) {
            struct difference d = diff_element(f, pointer_of(f, a), pointer_of(f, b), i, arena);
            if (d.how)
                return behind(arena_printf(arena, "[%zu]", i), d, arena);
        }
        return fields_differ(NULL);
    }
    case FIELD_OBJECT: {
        const void *x = pointer_of(f, a), *y = pointer_of(f, b);
        if (!x || !y)
            return fields_differ(x == y ? NULL
                                        : "only one of the two compared records has this key");
        return behind(".", diff_fields(f->shape, x, y, arena), arena);
    }
    default:
        return diff_value_text(field_text(f, a), field_text(f, b), arena);
    }
}

static struct difference diff_fields(const struct shape *shape, const void *a, const void *b,
                                     struct arena *arena)
{
    for (size_t i = 0; i < shape->n_fields; i++) {
        struct difference d = diff_field(&shape->fields[i], a, b, arena);
        if (d.how)
            return behind(shape->fields[i].key, d, arena);
    }
    return fields_differ(NULL);
}

const char *shape_diff(const struct shape *shape, const void *a, const void *b, struct arena *arena)
{
    struct difference d = diff_fields(shape, a, b, arena);
    return d.how ? sentence_say(arena, "%s: %s", d.path, d.how) : NULL;
}

void shape_pack_text(const struct shape *shape, const void *value, struct buf *out)
{
    struct buf text = BUF_INIT(BUF_DEFAULT_MAX);
    shape_hand_on(shape, value, &text);
    out->overflow |= text.overflow;
    pack_text(out, text.data);
    buf_release(&text);
}
