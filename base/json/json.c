#include "base/json/json.h"

#include "base/files/file.h"
#include "base/json/json_scan.h"
#include "base/text.h"

#include <cJSON.h>
#include <stdlib.h>
#include <string.h>

#define FEW_NAMES 16

const char *json_kind_name(enum json_kind kind)
{
    static const char *const names[] = {
        [JSON_NULL] = "null",       [JSON_BOOL] = "a boolean", [JSON_NUMBER] = "a number",
        [JSON_STRING] = "a string", [JSON_ARRAY] = "an array", [JSON_OBJECT] = "an object",
    };
    return names[kind];
}

/* Walks cJSON's tree beside the scanner's marks: both are in document order. */
struct join {
    const char *file, *text;
    const struct json_mark *mark;
    struct arena *arena;
    struct diags *diags;
};

/* ---- cJSON's memory ------------------------------------------------------------------------ */

/* What cJSON builds while this thread parses lives in the arena of the document. cJSON asks for
 * memory without saying for which document, so that it is noted here. */
static struct arena **arena_of_document(void)
{
    static _Thread_local struct arena *arena;
    return &arena;
}

static void *take_item_memory(size_t size)
{
    struct arena *arena = *arena_of_document();
    return arena ? arena_room(arena, size) : malloc(size);
}

static void free_item_memory(void *item)
{
    if (!*arena_of_document())
        free(item);
}

/* Before there are threads. */
__attribute__((constructor)) static void set_item_memory(void)
{
    cJSON_InitHooks(&(cJSON_Hooks){take_item_memory, free_item_memory});
}

static const cJSON *build_items(struct bytes in, struct arena *arena)
{
    *arena_of_document() = arena;
    /* It notes where it failed in a variable of its own, which threads write at the same time and
     * nobody reads; cJSON allows that as long as nobody does. */
    const cJSON *root = cJSON_ParseWithLength(in.data, in.len);
    *arena_of_document() = NULL;
    if (!root) /* the scanner found nothing wrong with it */
        memory_end("cJSON, ", in.len);
    return root;
}

/* ---- values -------------------------------------------------------------------------------- */

static enum json_kind kind_of_item(const cJSON *item)
{
    switch (item->type & 0xFF) {
    case cJSON_False:
    case cJSON_True:
        return JSON_BOOL;
    case cJSON_Number:
        return JSON_NUMBER;
    case cJSON_String:
        return JSON_STRING;
    case cJSON_Array:
        return JSON_ARRAY;
    case cJSON_Object:
        return JSON_OBJECT;
    default:
        return JSON_NULL;
    }
}

static struct json *join_value(struct join *j, const cJSON *item);

static int by_position(const struct json *a, const struct json *b)
{
    int lines = (a->key_line > b->key_line) - (a->key_line < b->key_line);
    return lines ? lines : (a->key_col > b->key_col) - (a->key_col < b->key_col);
}

static int compare_member_keys(const void *a, const void *b)
{
    const struct json *x = *(const struct json *const *)a, *y = *(const struct json *const *)b;
    int keys = strcmp(x->key, y->key);
    return keys ? keys : by_position(x, y);
}

/* Of few names each is compared with all others. */
static bool may_repeat_names(const struct json *object)
{
    if (object->n > FEW_NAMES)
        return true;
    for (const struct json *m = object->child; m; m = m->next)
        for (const struct json *other = m->next; other; other = other->next)
            if (*m->key == *other->key && strcmp(m->key, other->key) == 0)
                return true;
    return false;
}

/* Names are compared as they read, after escapes. Of several the first repetition is reported. */
static int refuse_duplicates(struct join *j, const struct json *object)
{
    if (!may_repeat_names(object))
        return 0;
    const struct json **members = memory_alloc((object->n + 1) * sizeof *members);
    const struct json *first = NULL, *again = NULL;
    size_t n = 0;
    for (const struct json *m = object->child; m; m = m->next)
        members[n++] = m;
    qsort(members, n, sizeof *members, compare_member_keys);
    for (size_t i = 1; i < n; i++)
        if (strcmp(members[i - 1]->key, members[i]->key) == 0 &&
            (!again || by_position(members[i], again) < 0)) {
            first = members[i - 1];
            again = members[i];
        }
    free(members);
    if (!again)
        return 0;
    diags_add(j->diags, SEVERITY_ERROR, j->file, again->key_line, again->key_col,
              "found key \"%.*s\" again, expected each key once (first at line %d)",
              text_cut(again->key, 60), again->key, first->key_line);
    return -1;
}

static int join_children(struct join *j, const cJSON *item, struct json *value)
{
    struct json **end = &value->child;
    for (const cJSON *c = item->child; c; c = c->next) {
        struct json *child = join_value(j, c);
        if (!child)
            return -1;
        *end = child;
        end = &child->next;
        value->n++;
    }
    return value->kind == JSON_OBJECT ? refuse_duplicates(j, value) : 0;
}

static struct json *join_value(struct join *j, const cJSON *item)
{
    const struct json_mark *mark = j->mark++;
    struct json *v = (struct json *)(void *)arena_room(j->arena, sizeof *v);
    *v = (struct json){.kind = kind_of_item(item),
                       .line = mark->line,
                       .col = mark->col,
                       .byte = mark->byte,
                       .key_line = mark->key_line,
                       .key_col = mark->key_col,
                       .key = item->string,
                       .text = item->valuestring,
                       .truth = cJSON_IsTrue(item)};
    if (v->kind == JSON_NUMBER) {
        v->text = arena_strndup(j->arena, j->text + mark->begin, mark->end - mark->begin);
        v->number = item->valuedouble;
    }
    return join_children(j, item, v) < 0 ? NULL : v;
}

int json_parse(const char *file, struct bytes in, struct arena *arena, struct json **out,
               struct diags *diags)
{
    return json_parse_large(file, in, JSON_BYTES_MAX, arena, out, diags);
}

int json_parse_large(const char *file, struct bytes in, size_t max, struct arena *arena,
                     struct json **out, struct diags *diags)
{
    struct join j = {.file = file, .text = in.data, .arena = arena, .diags = diags};
    struct arena own = ARENA_INIT; /* for the marks, which take as much as the values */
    struct json_mark *marks;
    size_t n;
    *out = NULL;
    if (json_scan(file, in, max, &own, &marks, &n, diags) < 0) {
        arena_release(&own);
        return -1;
    }
    j.mark = marks;
    *out = join_value(&j, build_items(in, arena));
    arena_release(&own);
    return *out ? 0 : -1;
}

int json_load(const char *path, struct arena *arena, struct json **out, struct diags *diags)
{
    struct err err = ERR_INIT;
    struct bytes in;
    if (file_read(path, JSON_BYTES_MAX, arena, &in, &err) < 0) {
        int there = file_exists(path); /* 1:1 of a file that is there but cannot be taken */
        diags_add_err(diags, path, there, there, &err);
        return -1;
    }
    return json_parse(path, in, arena, out, diags);
}

struct json *json_get(const struct json *object, const char *key)
{
    if (!object || object->kind != JSON_OBJECT)
        return NULL;
    for (struct json *m = object->child; m; m = m->next)
        if (strcmp(m->key, key) == 0)
            return m;
    return NULL;
}

const char *json_get_text(const struct json *object, const char *key, const char *otherwise)
{
    const struct json *m = json_get(object, key);
    return m && m->kind == JSON_STRING ? m->text : otherwise;
}

const char *json_library_version(void)
{
    return cJSON_Version();
}
