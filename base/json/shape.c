#include "base/json/shape_load.h"

#include "base/signing/base64.h"
#include "base/text.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void shape_fault(struct load *l, int line, int col, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
static void shape_fault(struct load *l, int line, int col, const char *fmt, ...)
{
    char what[1024];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(what, sizeof what, fmt, ap);
    va_end(ap);
    diags_add(l->ctx.diags, SEVERITY_ERROR, l->ctx.file, line, col, "%s", what);
    l->failed = true;
}

static void load_object(struct load *l, const struct shape *shape, const struct json *json,
                        void *value);

static bool expect_kind(struct load *l, const struct json *j, enum json_kind kind,
                        const char *expected)
{
    if (j->kind == kind)
        return true;
    shape_fault(l, j->line, j->col, "found %s, expected %s", json_kind_name(j->kind), expected);
    return false;
}

/* The tree that it was read from may be released before the value. */
static const char *keep_text(struct load *l, const struct json *j)
{
    return l->lasts ? j->text : arena_strdup(l->ctx.arena, j->text);
}

bool shape_is_choice(const struct field *f, const char *text)
{
    for (const char *const *c = f->choices; *c; c++)
        if (strcmp(*c, text) == 0)
            return true;
    return false;
}

static const char *list_choices(const struct field *f, struct arena *a)
{
    char *list = arena_strdup(a, "");
    for (const char *const *c = f->choices; *c; c++)
        list = arena_printf(a, "%s%s\"%s\"", list, *list ? ", " : "", *c);
    return list;
}

static void load_text(struct load *l, const struct field *f, const struct json *j, void *value)
{
    const struct shape_kind *rule = &shape_kinds[f->kind];
    if (!expect_kind(l, j, JSON_STRING, "a string"))
        return;
    if (rule->valid && !rule->valid(j->text)) {
        shape_fault(l, j->line, j->col, "found \"%.*s\", expected %s", text_cut(j->text, 80),
                    j->text, rule->expected);
        return;
    }
    if (f->kind == FIELD_CHOICE && !shape_is_choice(f, j->text)) {
        shape_fault(l, j->line, j->col, "found \"%.*s\", expected one of %s", text_cut(j->text, 80),
                    j->text, list_choices(f, l->ctx.arena));
        return;
    }
    *(const char **)field_of(f, value) = keep_text(l, j);
}

static void load_words(struct load *l, const struct field *f, const struct json *j, void *value)
{
    struct words *w = field_of(f, value);
    if (j->kind == JSON_STRING) {
        w->zh = keep_text(l, j);
        return;
    }
    if (!expect_kind(l, j, JSON_OBJECT, "a string or {\"zh\": …, \"en\": …}"))
        return;
    for (const struct json *m = j->child; m; m = m->next) {
        bool zh = strcmp(m->key, "zh") == 0;
        if (!zh && strcmp(m->key, "en") != 0)
            shape_fault(l, m->key_line, m->key_col, "found key \"%.*s\", expected \"zh\" or \"en\"",
                        text_cut(m->key, 60), m->key);
        else if (expect_kind(l, m, JSON_STRING, "a string"))
            *(zh ? &w->zh : &w->en) = keep_text(l, m);
    }
    if (!json_get(j, "zh"))
        shape_fault(l, j->line, j->col, "found no key \"zh\", expected it beside \"en\"");
}

static bool in_limits(struct load *l, const struct json *j, double low, double high)
{
    if (j->number >= low && j->number <= high)
        return true;
    if (high < HUGE_VAL)
        shape_fault(l, j->line, j->col, "found %.40s, expected %g to %.16g", j->text, low, high);
    else
        shape_fault(l, j->line, j->col, "found %.40s, expected at least %g", j->text, low);
    return false;
}

/* What is derived may be infinite, which no number of JSON is. */
static bool load_infinite(const struct field *f, const struct json *j, void *value)
{
    bool infinite = f->side != FIELD_SHOWN && j->kind == JSON_STRING &&
                    (strcmp(j->text, "inf") == 0 || strcmp(j->text, "-inf") == 0);
    if (infinite && f->null)
        *(double *)field_of(f, value) = *j->text == '-' ? -HUGE_VAL : HUGE_VAL;
    return infinite && f->null;
}

static void load_real(struct load *l, const struct field *f, const struct json *j, void *value)
{
    bool limits = f->min != 0 || f->max != 0;
    if (load_infinite(f, j, value))
        return;
    if (!expect_kind(l, j, JSON_NUMBER, "a number"))
        return;
    if (in_limits(l, j, limits ? f->min : -HUGE_VAL, limits ? f->max : HUGE_VAL))
        *(double *)field_of(f, value) = j->number;
}

static bool expect_whole_number(struct load *l, const struct json *j, double least, double most)
{
    if (!expect_kind(l, j, JSON_NUMBER, "a whole number") || !in_limits(l, j, least, most))
        return false;
    if (j->number == floor(j->number))
        return true;
    shape_fault(l, j->line, j->col, "found %.40s, expected a whole number", j->text);
    return false;
}

static void load_count(struct load *l, const struct field *f, const struct json *j, void *value)
{
    if (expect_whole_number(l, j, f->min, f->max != 0 ? f->max : SHAPE_COUNT_MAX))
        *(long long *)field_of(f, value) = (long long)j->number;
}

static void load_place(struct load *l, const struct field *f, const struct json *j, void *value)
{
    if (expect_whole_number(l, j, 0, INT_MAX))
        *(int *)field_of(f, value) = (int)j->number;
}

static void load_size(struct load *l, const struct field *f, const struct json *j, void *value)
{
    if (expect_whole_number(l, j, 0, SHAPE_COUNT_MAX))
        *(size_t *)field_of(f, value) = (size_t)j->number;
}

static void load_named(struct load *l, const struct field *f, const struct json *j, void *value)
{
    if (!expect_kind(l, j, JSON_STRING, "a string"))
        return;
    for (int i = 0; f->choices[i]; i++)
        if (strcmp(f->choices[i], j->text) == 0) {
            *(int *)field_of(f, value) = i; /* enums are as large as int (shape_save.c) */
            return;
        }
    shape_fault(l, j->line, j->col, "found \"%.*s\", expected one of %s", text_cut(j->text, 80),
                j->text, list_choices(f, l->ctx.arena));
}

void shape_load_reals(struct load *l, const struct field *f, const char *text, size_t len,
                      const struct json *j, void *value)
{
    struct bytes bytes;
    if (!base64_decode(text, len, l->ctx.arena, &bytes) || bytes.len % sizeof(double) != 0) {
        shape_fault(l, j->line, j->col, "found a string, expected the base64 of numbers");
        return;
    }
    size_t n = bytes.len / sizeof(double), *count = field_count_of(f, value);
    if (*count && *count != n)
        shape_fault(l, j->line, j->col, "found %zu numbers, expected %zu as in the list beside it",
                    n, *count);
    *(const void **)field_of(f, value) = bytes.data; /* where an arena begins anything may lie */
    *count = n;
}

static void load_reals(struct load *l, const struct field *f, const struct json *j, void *value)
{
    if (expect_kind(l, j, JSON_STRING, "a string"))
        shape_load_reals(l, f, j->text, strlen(j->text), j, value);
}

static void load_flag(struct load *l, const struct field *f, const struct json *j, void *value)
{
    if (expect_kind(l, j, JSON_BOOL, "true or false"))
        *(bool *)field_of(f, value) = j->truth;
}

static bool expect_list(struct load *l, const struct field *f, const struct json *j,
                        const char *expected)
{
    if (!expect_kind(l, j, JSON_ARRAY, expected))
        return false;
    if (f->max != 0 && (double)j->n > f->max)
        shape_fault(l, j->line, j->col, "found %zu items, expected at most %.0f", j->n, f->max);
    return f->max == 0 || (double)j->n <= f->max;
}

static void load_texts(struct load *l, const struct field *f, const struct json *j, void *value)
{
    if (!expect_list(l, f, j, "an array of strings"))
        return;
    const char **texts = arena_array(l->ctx.arena, j->n, sizeof *texts);
    size_t n = 0;
    for (const struct json *item = j->child; item; item = item->next)
        if (expect_kind(l, item, JSON_STRING, "a string"))
            texts[n++] = keep_text(l, item);
    *(const char ***)field_of(f, value) = texts;
    *field_count_of(f, value) = n;
}

static void load_inner(struct load *l, const struct field *f, const struct json *j, void *value)
{
    if (!expect_kind(l, j, JSON_OBJECT, "an object"))
        return;
    void *inner = arena_alloc(l->ctx.arena, f->shape->size);
    load_object(l, f->shape, j, inner);
    *(void **)field_of(f, value) = inner;
}

static void load_inside(struct load *l, const struct field *f, const struct json *j, void *value)
{
    if (expect_kind(l, j, JSON_OBJECT, "an object"))
        load_object(l, f->shape, j, field_of(f, value));
}

static void load_objects(struct load *l, const struct field *f, const struct json *j, void *value)
{
    if (!expect_list(l, f, j, "an array of objects"))
        return;
    char *items = arena_array(l->ctx.arena, j->n, f->shape->size);
    size_t n = 0;
    for (const struct json *item = j->child; item; item = item->next)
        if (expect_kind(l, item, JSON_OBJECT, "an object"))
            load_object(l, f->shape, item, items + n++ * f->shape->size);
    *(void **)field_of(f, value) = items;
    *field_count_of(f, value) = n;
}

static void load_cell(struct load *l, const struct json *j, struct cell *cell)
{
    const struct json *kept = json_get(j, "as_published");
    const struct json *at = kept ? kept : j;
    *cell = (struct cell){.line = at->line, .col = at->byte, .character = at->col, .text = ""};
    if (j->kind == JSON_STRING) {
        cell->text = keep_text(l, j);
        return;
    }
    if (j->kind != JSON_OBJECT || j->n != 1 || !kept || kept->kind != JSON_STRING) {
        shape_fault(l, j->line, j->col, "found %s, expected a string or {\"as_published\": \"…\"}",
                    json_kind_name(j->kind));
        return;
    }
    cell->text = keep_text(l, kept);
    cell->as_published = true;
}

static void load_rows(struct load *l, const struct field *f, const struct json *j, void *value)
{
    if (!expect_kind(l, j, JSON_ARRAY, "an array of rows"))
        return;
    struct row *rows = arena_array(l->ctx.arena, j->n, sizeof *rows);
    size_t n = 0;
    for (const struct json *r = j->child; r; r = r->next) {
        if (!expect_kind(l, r, JSON_ARRAY, "an array of cells"))
            continue;
        struct row *row = &rows[n++];
        row->line = r->line;
        row->cells = arena_array(l->ctx.arena, r->n, sizeof *row->cells);
        for (const struct json *c = r->child; c; c = c->next)
            load_cell(l, c, &row->cells[row->n_cells++]);
    }
    *(struct row **)field_of(f, value) = rows;
    *field_count_of(f, value) = n;
}

typedef void load_fn(struct load *, const struct field *, const struct json *, void *);

static load_fn *const loaders[] = {
    [FIELD_TEXT] = load_text,       [FIELD_ID] = load_text,     [FIELD_CHOICE] = load_text,
    [FIELD_SHA256] = load_text,     [FIELD_DATE] = load_text,   [FIELD_PATH] = load_text,
    [FIELD_WORDS] = load_words,     [FIELD_REAL] = load_real,   [FIELD_COUNT] = load_count,
    [FIELD_FLAG] = load_flag,       [FIELD_TEXTS] = load_texts, [FIELD_OBJECT] = load_inner,
    [FIELD_OBJECTS] = load_objects, [FIELD_ROWS] = load_rows,   [FIELD_PLACE] = load_place,
    [FIELD_SIZE] = load_size,       [FIELD_NAMED] = load_named, [FIELD_REALS] = load_reals,
    [FIELD_INSIDE] = load_inside,
};

/* Members mostly stand in the order of the rows: `from` is behind the one before. */
static const struct field *find_field(const struct shape *shape, const char *key, size_t from)
{
    for (size_t k = 0; k < shape->n_fields; k++) {
        const struct field *f = &shape->fields[(from + k) % shape->n_fields];
        if (f->side != FIELD_SHOWN && strcmp(f->key, key) == 0)
            return f;
    }
    return NULL;
}

static const char *list_keys(const struct shape *shape, struct arena *a)
{
    char *list = arena_strdup(a, shape->schema ? "schema" : "");
    for (size_t i = 0; i < shape->n_fields; i++)
        list = arena_printf(a, "%s%s%s", list, *list ? ", " : "", shape->fields[i].key);
    return list;
}

static void check_schema(struct load *l, const struct shape *shape, const struct json *json)
{
    const struct json *schema = json_get(json, "schema");
    if (!schema)
        shape_fault(l, json->line, json->col,
                    "found no key \"schema\", expected \"schema\": \"%s\"", shape->schema);
    else if (schema->kind != JSON_STRING)
        shape_fault(l, schema->line, schema->col, "found %s, expected \"%s\"",
                    json_kind_name(schema->kind), shape->schema);
    else if (strcmp(schema->text, shape->schema) != 0)
        shape_fault(l, schema->line, schema->col, "found schema \"%.*s\", expected \"%s\"",
                    text_cut(schema->text, 60), schema->text, shape->schema);
}

static void check_required(struct load *l, const struct shape *shape, const struct json *json)
{
    for (size_t i = 0; i < shape->n_fields; i++)
        if (shape->fields[i].required && !json_get(json, shape->fields[i].key))
            shape_fault(l, json->line, json->col, "found no key \"%s\", expected it in every %s",
                        shape->fields[i].key, shape->name);
}

void shape_load_value(struct load *l, const struct field *f, const struct json *m, void *value)
{
    if (m->kind != JSON_NULL || !f->null)
        loaders[f->kind](l, f, m, value);
}

static void load_members(struct load *l, const struct shape *shape, const struct json *json,
                         void *value)
{
    size_t next = 0;
    for (const struct json *m = json->child; m; m = m->next) {
        const struct field *f = find_field(shape, m->key, next);
        if (f) {
            next = (size_t)(f - shape->fields) + 1;
            shape_load_value(l, f, m, value);
        } else if (!shape->open && (!shape->schema || strcmp(m->key, "schema") != 0)) {
            shape_fault(l, m->key_line, m->key_col,
                        "found unknown key \"%.*s\" in %s, expected one of %s",
                        text_cut(m->key, 60), m->key, shape->name, list_keys(shape, l->ctx.arena));
        }
    }
}

static void load_object(struct load *l, const struct shape *shape, const struct json *json,
                        void *value)
{
    bool failed_before = l->failed;
    l->failed = false;
    shape_init(shape, value);
    if (!shape->unplaced)
        *(int *)value = json->line;
    if (shape->schema)
        check_schema(l, shape, json);
    load_members(l, shape, json, value);
    check_required(l, shape, json);
    if (shape->check && !l->failed) {
        size_t errors = l->ctx.diags->errors;
        shape->check(value, json, &l->ctx);
        l->failed = l->ctx.diags->errors != errors;
    }
    l->failed = l->failed || failed_before;
}

void shape_init(const struct shape *shape, void *value)
{
    memset(value, 0, shape->size);
    for (size_t i = 0; i < shape->n_fields; i++)
        if (shape->fields[i].kind == FIELD_REAL)
            *(double *)field_of(&shape->fields[i], value) = NAN;
        else if (shape->fields[i].kind == FIELD_INSIDE)
            shape_init(shape->fields[i].shape, field_of(&shape->fields[i], value));
}

int shape_load(const struct shape *shape, const struct json *json, const char *file, void *value,
               struct arena *arena, struct diags *diags)
{
    struct load l = {.ctx = {file, arena, diags}};
    if (!expect_kind(&l, json, JSON_OBJECT, "an object"))
        return -1;
    load_object(&l, shape, json, value);
    return l.failed ? -1 : 0;
}

int shape_load_file(const struct shape *shape, const char *path, void *value, struct arena *arena,
                    struct diags *diags)
{
    struct arena tree = ARENA_INIT;
    struct json *json;
    int rc = json_load(path, &tree, &json, diags);
    if (rc == 0)
        rc = shape_load(shape, json, path, value, arena, diags);
    arena_release(&tree);
    return rc;
}

int shape_load_text(const struct shape *shape, const char *path, struct bytes text, void *value,
                    struct arena *arena, struct diags *diags)
{
    struct arena tree = ARENA_INIT;
    struct json *json;
    int rc = json_parse(path, text, &tree, &json, diags);
    if (rc == 0)
        rc = shape_load(shape, json, path, value, arena, diags);
    arena_release(&tree);
    return rc;
}

void shape_unpack_text(const struct shape *shape, void *value, struct arena *arena,
                       struct unpack *u)
{
    const char *text = unpack_text(u);
    struct bytes bytes = {text, text ? strlen(text) : 0};
    u->bad |= !text || !shape_take(shape, bytes, value, arena);
}
