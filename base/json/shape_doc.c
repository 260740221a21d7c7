/* shape, as documents: JSON Schema and the field lists of docs/FIELDS.md (shape.h). */
#include "base/json/shape.h"

#include <stdio.h>
#include <string.h>

#define SHAPES_MAX 32

/* Inner shapes in the order in which they are first met, each once. */
struct inner {
    const struct shape *at[SHAPES_MAX];
    size_t n;
};

static void collect_inner_shapes(const struct shape *shape, struct inner *inner)
{
    for (size_t i = 0; i < shape->n_fields; i++) {
        const struct shape *s = shape->fields[i].shape;
        bool known = !s;
        for (size_t k = 0; k < inner->n && !known; k++)
            known = inner->at[k] == s;
        if (known || inner->n == SHAPES_MAX)
            continue;
        inner->at[inner->n++] = s;
        collect_inner_shapes(s, inner);
    }
}

static void schema_items_of(struct json_writer *w, const char *name)
{
    char ref[80];
    snprintf(ref, sizeof ref, "#/$defs/%s", name);
    json_begin_object_flat(w, "items");
    json_string(w, "$ref", ref);
    json_end_object(w);
}

static void schema_items(const struct field *f, struct json_writer *w)
{
    json_string(w, "type", "array");
    if (f->kind == FIELD_OBJECTS) {
        schema_items_of(w, f->shape->name);
    } else if (f->kind == FIELD_TEXTS) {
        json_begin_object_flat(w, "items");
        json_string(w, "type", "string");
        json_end_object(w);
    } else {
        json_begin_object_flat(w, "items");
        json_string(w, "type", "array");
        schema_items_of(w, "cell");
        json_end_object(w);
    }
}

static void schema_field(const struct field *f, struct json_writer *w)
{
    const struct shape_kind *kind = &shape_kinds[f->kind];
    json_begin_object(w, f->key);
    json_string_if(w, "x-unit", f->unit);
    json_string_if(w, "description", f->doc);
    json_string_if(w, "type", kind->type);
    json_string_if(w, "pattern", kind->pattern);
    if (f->kind == FIELD_WORDS)
        json_string(w, "$ref", "#/$defs/words");
    else if (f->kind == FIELD_OBJECT) {
        char ref[80];
        snprintf(ref, sizeof ref, "#/$defs/%s", f->shape->name);
        json_string(w, "$ref", ref);
    } else if (!kind->type)
        schema_items(f, w);
    bool count = f->kind == FIELD_COUNT;
    if (count || (f->kind == FIELD_REAL && (f->min != 0 || f->max != 0)))
        json_number(w, "minimum", f->min);
    if (count || (f->kind == FIELD_REAL && f->max != 0 && f->max < HUGE_VAL))
        json_number(w, "maximum", f->max != 0 ? f->max : SHAPE_COUNT_MAX);
    if (f->choices) {
        json_begin_array_flat(w, "enum");
        for (const char *const *c = f->choices; *c; c++)
            json_string(w, NULL, *c);
        json_end_array(w);
    }
    json_end_object(w);
}

static void schema_body(const struct shape *s, struct json_writer *w)
{
    json_string(w, "type", "object");
    json_bool(w, "additionalProperties", false);
    json_begin_array_flat(w, "required");
    if (s->schema)
        json_string(w, NULL, "schema");
    for (size_t i = 0; i < s->n_fields; i++)
        if (s->fields[i].required)
            json_string(w, NULL, s->fields[i].key);
    json_end_array(w);
    json_begin_object(w, "properties");
    if (s->schema) {
        json_begin_object_flat(w, "schema");
        json_string(w, "const", s->schema);
        json_end_object(w);
    }
    for (size_t i = 0; i < s->n_fields; i++)
        schema_field(&s->fields[i], w);
    json_end_object(w);
}

/* {"oneOf": [a string, an object with these string members]}: words and cells. */
/* Of the keys the first is required. */
static void schema_string_or(struct json_writer *w, const char *name, const char *const *keys)
{
    json_begin_object(w, name);
    json_begin_array(w, "oneOf");
    json_begin_object_flat(w, NULL);
    json_string(w, "type", "string");
    json_end_object(w);
    json_begin_object(w, NULL);
    json_string(w, "type", "object");
    json_bool(w, "additionalProperties", false);
    json_begin_array_flat(w, "required");
    json_string(w, NULL, keys[0]);
    json_end_array(w);
    json_begin_object(w, "properties");
    for (size_t i = 0; keys[i]; i++) {
        json_begin_object_flat(w, keys[i]);
        json_string(w, "type", "string");
        json_end_object(w);
    }
    json_end_object(w);
    json_end_object(w);
    json_end_array(w);
    json_end_object(w);
}

void shape_schema(const struct shape *shape, struct buf *out)
{
    static const char *const words[] = {"zh", "en", NULL}, *const cell[] = {"as_published", NULL};
    struct json_writer w = JSON_WRITER_INIT(out);
    struct inner inner = {.n = 0};
    collect_inner_shapes(shape, &inner);
    json_begin_object(&w, NULL);
    json_string(&w, "$schema", "https://json-schema.org/draft/2020-12/schema");
    json_string(&w, "title", shape->schema ? shape->schema : shape->name);
    json_string(&w, "description", shape->doc);
    schema_body(shape, &w);
    json_begin_object(&w, "$defs");
    schema_string_or(&w, "words", words);
    schema_string_or(&w, "cell", cell);
    for (size_t i = 0; i < inner.n; i++) {
        json_begin_object(&w, inner.at[i]->name);
        json_string(&w, "description", inner.at[i]->doc);
        schema_body(inner.at[i], &w);
        json_end_object(&w);
    }
    json_end_object(&w);
    json_end_object(&w);
    json_finish(&w);
}

static void document_one(const struct shape *s, struct buf *out)
{
    buf_printf(out, "### %s\n\n%s\n\n| key | kind | unit | meaning |\n| --- | --- | --- | --- |\n",
               s->name, s->doc);
    if (s->schema)
        buf_printf(out, "| **schema** | text `%s` |  | names this format and its version |\n",
                   s->schema);
    for (size_t i = 0; i < s->n_fields; i++) {
        const struct field *f = &s->fields[i];
        buf_printf(out, f->required ? "| **%s** | " : "| %s | ", f->key);
        buf_str(out, shape_kinds[f->kind].words);
        if (f->shape)
            buf_printf(out, " [%s](#%s)", f->shape->name, f->shape->name);
        for (size_t j = 0; f->choices && f->choices[j]; j++)
            buf_printf(out, "%s `%s`", j ? "," : "", f->choices[j]);
        if (f->max != 0 && f->max < HUGE_VAL)
            buf_printf(out, ", %g to %g", f->min, f->max);
        else if (f->min > 0)
            buf_printf(out, ", at least %g", f->min);
        buf_printf(out, " | %s | %s |\n", f->unit ? f->unit : "", f->doc ? f->doc : "");
    }
    buf_char(out, '\n');
}

void shape_document(const struct shape *shape, struct buf *out)
{
    struct inner inner = {.n = 0};
    collect_inner_shapes(shape, &inner);
    document_one(shape, out);
    for (size_t i = 0; i < inner.n; i++)
        document_one(inner.at[i], out);
}
