/* Does a statement say what the files say (statement.h)? */
#include "base/statement.h"

#include "base/calendar.h"

#include <stdlib.h>
#include <string.h>

const char *statement_problem(struct bytes text, const char *manifest_sha256, struct arena *arena)
{
    const char *head = arena_printf(
        arena,
        "{\"_type\": \"https://in-toto.io/Statement/v1\", \"subject\": [{\"name\": \"SHA256SUMS\", "
        "\"digest\": {\"sha256\": \"%s\"}}], \"predicateType\": "
        "\"https://slsa.dev/provenance/v1\", \"predicate\": {",
        manifest_sha256);
    if (text.len > STATEMENT_BYTES_MAX)
        return "is larger than 1 MiB";
    if (text.len < strlen(head) || memcmp(text.data, head, strlen(head)) != 0)
        return "is no statement about this SHA256SUMS";
    if (memchr(text.data, '\n', text.len) != text.data + text.len - 1)
        return "is not one line";
    return NULL;
}

/* ---- a statement beside the one that the files give -------------------------------------- */

/* Where in both a value stands. Made a text only where they differ: keys may be long, and values
 * below them many. */
struct place {
    const struct place *above; /* NULL: this is the statement itself */
    const char *name;
    bool in_array;
};

struct comparison {
    struct arena *arena;
    const char *difference;
};

static void compare(struct comparison *c, const struct place *at, const struct json *said,
                    const struct json *expected);

static const char *shown(struct comparison *c, const struct json *v)
{
    switch (v->kind) {
    case JSON_STRING:
        return arena_printf(c->arena, "\"%s\"", v->text);
    case JSON_NUMBER:
        return v->text;
    case JSON_BOOL:
        return v->truth ? "true" : "false";
    default:
        return json_kind_name(v->kind);
    }
}

/* "predicate.buildDefinition.resolvedDependencies[data].digest.sha256" */
static void put_place(const struct place *at, struct buf *out)
{
    if (!at->above)
        return;
    put_place(at->above, out);
    if (at->in_array)
        buf_printf(out, "[%s]", at->name);
    else
        buf_printf(out, "%s%s", at->above->above ? "." : "", at->name);
}

static void differ(struct comparison *c, const struct place *at, const struct json *said,
                   const struct json *expected)
{
    struct buf place;
    if (c->difference)
        return;
    buf_init(&place, STATEMENT_BYTES_MAX * 2);
    put_place(at, &place);
    c->difference = arena_printf(c->arena, "%s: found %s, expected %s", place.data, shown(c, said),
                                 expected ? shown(c, expected) : "none");
    buf_release(&place);
}

/* Members of an object by their keys, descriptors of an array by their names. */
struct named {
    const char *name;
    size_t order;
    const struct json *value;
};

static int by_name(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    int names = strcmp(x->name, y->name);
    return names ? names : (x->order > y->order) - (x->order < y->order);
}

/* Of several with one name the last counts. Sorted: both sides are a stranger's, and as long as he
 * likes. */
static struct named *sorted(struct comparison *c, const struct json *group, size_t *n)
{
    struct named *all = arena_array(c->arena, group->n, sizeof *all);
    size_t order = 0, kept = 0;
    for (const struct json *v = group->child; v; v = v->next, order++)
        all[order] = (struct named){v->key ? v->key : json_get_text(v, "name", ""), order, v};
    if (order > 1)
        qsort(all, order, sizeof *all, by_name);
    for (size_t i = 0; i < order; i++)
        if (i + 1 == order || strcmp(all[i].name, all[i + 1].name) != 0)
            all[kept++] = (struct named){all[i].name, 0, all[i].value};
    *n = kept;
    return all;
}

static const struct json *named(const struct named *all, size_t n, const char *name)
{
    const struct named key = {name, 0, NULL};
    const struct named *found = n ? bsearch(&key, all, n, sizeof key, by_name) : NULL;
    return found ? found->value : NULL;
}

/* Fields that we would not write are passed over, and so are those that were left out. */
static void compare_objects(struct comparison *c, const struct place *at, const struct json *said,
                            const struct json *expected)
{
    size_t n;
    const struct named *all = sorted(c, expected, &n);
    for (const struct json *s = said->child; s; s = s->next) {
        const struct json *e = named(all, n, s->key);
        const struct place below = {at, s->key, false};
        if (e)
            compare(c, &below, s, e);
    }
}

/* Of descriptors by their names, of anything else one by one. */
static void compare_arrays(struct comparison *c, const struct place *at, const struct json *said,
                           const struct json *expected)
{
    size_t n;
    const struct named *all = sorted(c, expected, &n);
    const struct json *next = expected->child;
    for (const struct json *s = said->child; s; s = s->next, next = next ? next->next : NULL) {
        const char *name = json_get_text(s, "name", NULL);
        const struct json *e = name ? named(all, n, name) : next;
        const struct place below = {at, name ? name : "", true};
        if (e)
            compare(c, &below, s, e);
        else if (!name)
            differ(c, at, s, NULL);
    }
}

static void compare(struct comparison *c, const struct place *at, const struct json *said,
                    const struct json *expected)
{
    if (c->difference)
        return;
    if (said->kind != expected->kind)
        differ(c, at, said, expected);
    else if (said->kind == JSON_OBJECT)
        compare_objects(c, at, said, expected);
    else if (said->kind == JSON_ARRAY)
        compare_arrays(c, at, said, expected);
    else if (strcmp(shown(c, said), shown(c, expected)) != 0)
        differ(c, at, said, expected);
}

/* The first difference, or what is wrong with it; NULL: nothing. */
static const char *difference(const char *file, struct bytes text, struct bytes ours,
                              struct arena *arena, struct diags *diags)
{
    struct json *said, *expected;
    struct comparison c = {arena, NULL};
    const struct place whole = {NULL, "", false};
    if (json_parse(file, text, arena, &said, diags) < 0)
        return diags->items[diags->n - 1].message;
    if (json_parse("statement.json", ours, arena, &expected, diags) < 0)
        return "cannot be made from the files";
    compare(&c, &whole, said, expected);
    return c.difference;
}

const char *statement_difference(const char *file, struct bytes text,
                                 const struct tar_member *members, size_t n,
                                 const char *manifest_sha256, struct arena *arena,
                                 struct diags *diags)
{
    struct buf ours;
    struct arena own = ARENA_INIT;
    buf_init(&ours, BUF_DEFAULT_MAX);
    statement_write(members, n, manifest_sha256, &ours);
    const char *found = difference(file, text, (struct bytes){ours.data, ours.len}, &own, diags);
    found = found ? arena_strdup(arena, found) : NULL;
    buf_release(&ours);
    arena_release(&own);
    return found;
}

long long statement_finished(struct bytes text, struct arena *arena)
{
    struct json *root;
    struct diags ignored;
    diags_init(&ignored, arena);
    if (json_parse("statement.json", text, arena, &root, &ignored) < 0)
        return 0;
    const struct json *details = json_get(json_get(root, "predicate"), "runDetails");
    const char *when = json_get_text(json_get(details, "metadata"), "finishedOn", "");
    long long at;
    return calendar_time(when, &at) ? at : 0;
}
