#include "renderer/site_previous.h"

#include "base/json.h"

#include <stdlib.h>
#include <string.h>

#define INDEX_SCHEMA "fpreport.index/1"

static bool read_state(const struct json *at, enum state *out)
{
    const char *name = json_get_text(at, "state", "");
    for (int s = STATE_VERIFIED; s <= STATE_WITHDRAWN; s++)
        if (strcmp(state_name((enum state)s), name) == 0) {
            *out = (enum state)s;
            return true;
        }
    return false;
}

static bool read_moment(const struct json *at, struct site_moment *out)
{
    out->tool = json_get_text(at, "tool", "");
    out->rules = json_get_text(at, "rules", "");
    out->date = json_get_text(at, "date", NULL);
    return read_state(at, &out->state);
}

static bool read_result(const struct json *at, struct arena *arena, struct site_was *out)
{
    const struct json *history = json_get(at, "history");
    *out = (struct site_was){.id = json_get_text(at, "id", NULL)};
    if (!out->id || !history || history->kind != JSON_ARRAY || history->n == 0)
        return false;
    size_t place = 0;
    for (const struct json *m = history->child; m; m = m->next, place++) {
        struct site_moment moment;
        if (!read_moment(m, &moment))
            return false;
        if (place == 0 || history->n - place < SITE_HISTORY_MAX)
            *(struct site_moment *)ARENA_PUSH(arena, out->history, out->n_history) = moment;
    }
    return true;
}

static int by_id(const void *a, const void *b)
{
    return strcmp(((const struct site_was *)a)->id, ((const struct site_was *)b)->id);
}

static int fault(struct diags *diags, const char *path, const struct json *at, const char *expected)
{
    diags_add(diags, SEVERITY_ERROR, path, at->line, at->col, "expected %s", expected);
    return -1;
}

int site_previous_load(struct site_previous *out, const char *folder, struct arena *arena,
                       struct diags *diags)
{
    const char *path = path_join(arena, folder, SITE_INDEX_FILE);
    struct bytes text;
    struct err err = ERR_INIT;
    *out = (struct site_previous){0};
    if (file_read(path, SITE_INDEX_BYTES_MAX, arena, &text, &err) == 0)
        return site_previous_read(out, path, text, arena, diags);
    diags_add_err(diags, path, 0, 0, &err);
    return -1;
}

int site_previous_read(struct site_previous *out, const char *path, struct bytes text,
                       struct arena *arena, struct diags *diags)
{
    struct json *root;
    *out = (struct site_previous){0};
    if (json_parse_large(path, text, SITE_INDEX_BYTES_MAX, arena, &root, diags) < 0)
        return -1;
    const struct json *results = json_get(root, "results");
    if (strcmp(json_get_text(root, "schema", ""), INDEX_SCHEMA) != 0 || !results ||
        results->kind != JSON_ARRAY)
        return fault(diags, path, root, "\"schema\": \"" INDEX_SCHEMA "\" and a list of results");
    out->tool = json_get_text(root, "tool", "");
    out->rules = json_get_text(root, "rules", "");
    out->items = arena_array(arena, results->n, sizeof *out->items);
    for (const struct json *r = results->child; r; r = r->next)
        if (!read_result(r, arena, &out->items[out->n++]))
            return fault(diags, path, r, "an id and a history of states");
    qsort(out->items, out->n, sizeof *out->items, by_id);
    return 0;
}

enum state site_was_state(const struct site_was *was)
{
    return was->history[was->n_history - 1].state;
}

const struct site_was *site_previous_find(const struct site_previous *previous, const char *id)
{
    const struct site_was wanted = {.id = id};
    if (!previous || previous->n == 0)
        return NULL;
    return bsearch(&wanted, previous->items, previous->n, sizeof *previous->items, by_id);
}
