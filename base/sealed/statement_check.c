/* Does a statement say what the files say (statement.h)? */
#include "base/sealed/statement.h"

#include "base/calendar.h"
#include "base/sentence.h"

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
        return "the statement is larger than 1 MiB";
    if (text.len < strlen(head) || memcmp(text.data, head, strlen(head)) != 0)
        return "the file is not a statement about the SHA256SUMS of this submission";
    if (memchr(text.data, '\n', text.len) != text.data + text.len - 1)
        return "the statement is not a single line";
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

static void compare_statements(struct comparison *c, const struct place *at,
                               const struct json *said, const struct json *expected);

static const char *statement_value_shown(struct comparison *c, const struct json *v)
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
static void put_statement_place(const struct place *at, struct buf *out)
{
    if (!at->above)
        return;
    put_statement_place(at->above, out);
    if (at->in_array)
        buf_printf(out, "[%s]", at->name);
    else
        buf_printf(out, "%s%s", at->above->above ? "." : "", at->name);
}

static void report_difference(struct comparison *c, const struct place *at, const struct json *said,
                              const struct json *expected)
{
    struct buf place = BUF_INIT(STATEMENT_BYTES_MAX * 2);
    if (c->difference)
        return;
    put_statement_place(at, &place);
    c->difference = sentence_say(c->arena, "%s: found %s, expected %s", place.data,
                                 statement_value_shown(c, said),
                                 expected ? statement_value_shown(c, expected) : "none");
    buf_release(&place);
}

/* Members of an object by their keys, descriptors of an array by their names. */
struct named {
    const char *name;
    size_t order;
    const struct json *value;
};

static int compare_named(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    int names = strcmp(x->name, y->name);
    return names ? names : (x->order > y->order) - (x->order < y->order);
}

/* "" is what has none. */
static const char *named_value(const struct json *v)
{
    return v->key ? v->key : json_get_text(v, "name", "");
}

static struct named *sort_named(struct comparison *c, const struct json *group)
{
    struct named *all = arena_array(c->arena, group->n, sizeof *all);
    size_t n = 0;
    for (const struct json *v = group->child; v; v = v->next, n++)
        all[n] = (struct named){named_value(v), n, v};
    if (n > 1)
        qsort(all, n, sizeof *all, compare_named);
    return all;
}

/* What a value of the statement is held to. */
struct match {
    const struct json *expected; /* NULL: nothing */
    bool too_many;               /* there is no other of its name left, or none in its place */
};

/* What has a name: the first of one name to the first, the second to the second. Both sides are
 * untrusted and may be long: one value of the files held against many would be a square.
 */
static void match_named(struct comparison *c, const struct json *said, const struct json *expected,
                        struct match *out)
{
    const struct named *s = sort_named(c, said), *e = sort_named(c, expected);
    for (size_t i = 0, k = 0; i < said->n; i++) {
        bool again = i > 0 && strcmp(s[i - 1].name, s[i].name) == 0;
        const struct match *before = again ? &out[s[i - 1].order] : NULL;
        struct match *to = &out[s[i].order];
        while (k < expected->n && strcmp(e[k].name, s[i].name) < 0)
            k++;
        if (k < expected->n && strcmp(e[k].name, s[i].name) == 0)
            to->expected = e[k++].value;
        else
            to->too_many = before && (before->expected || before->too_many);
    }
}

/* What has none: to what stands in its place and has none, either. */
static void match_places(const struct json *said, const struct json *expected, struct match *out)
{
    const struct json *e = expected->child;
    for (const struct json *s = said->child; s; s = s->next, out++, e = e ? e->next : NULL)
        if (!*named_value(s)) {
            out->expected = e && !*named_value(e) ? e : NULL;
            out->too_many = !out->expected;
        }
}

/* SLSA Provenance v1: what a run was asked for is told whole, and whoever verifies it refuses what
 * he does not know. */
static bool is_shown_whole(const struct place *at)
{
    static const char *const path[] = {"externalParameters", "buildDefinition", "predicate"};
    size_t n = sizeof path / sizeof *path, depth = 0;
    for (const struct place *p = at; p->above; p = p->above)
        depth++;
    for (; depth > n; depth--)
        at = at->above;
    if (depth < n)
        return false;
    for (size_t i = 0; i < n; i++, at = at->above)
        if (at->in_array || strcmp(at->name, path[i]) != 0)
            return false;
    return true;
}

/* Fields that we would not write are passed over elsewhere, and so are those that were left out. */
static void compare_members(struct comparison *c, const struct place *at, const struct json *said,
                            const struct json *expected)
{
    struct match *all = arena_array(c->arena, said->n, sizeof *all), *match = all;
    bool in_array = said->kind == JSON_ARRAY, shown_whole = is_shown_whole(at);
    match_named(c, said, expected, all);
    match_places(said, expected, all);
    for (const struct json *s = said->child; s; s = s->next, match++) {
        const struct place below = {at, named_value(s), in_array};
        if (match->expected)
            compare_statements(c, &below, s, match->expected);
        else if (match->too_many || shown_whole)
            report_difference(c, *named_value(s) ? &below : at, s, NULL);
    }
}

static void compare_statements(struct comparison *c, const struct place *at,
                               const struct json *said, const struct json *expected)
{
    if (c->difference)
        return;
    if (said->kind != expected->kind)
        report_difference(c, at, said, expected);
    else if (said->kind == JSON_OBJECT || said->kind == JSON_ARRAY)
        compare_members(c, at, said, expected);
    else if (strcmp(statement_value_shown(c, said), statement_value_shown(c, expected)) != 0)
        report_difference(c, at, said, expected);
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
        return "fpreport cannot derive the statement from the files";
    compare_statements(&c, &whole, said, expected);
    return c.difference;
}

const char *statement_difference(const char *file, struct bytes text,
                                 const struct tar_member *members, size_t n,
                                 const char *manifest_sha256, struct arena *arena,
                                 struct diags *diags)
{
    struct buf ours = BUF_INIT(BUF_DEFAULT_MAX);
    struct arena own = ARENA_INIT;
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
    struct diags ignored = DIAGS_INIT(arena);
    if (json_parse("statement.json", text, arena, &root, &ignored) < 0)
        return 0;
    const struct json *details = json_get(json_get(root, "predicate"), "runDetails");
    const char *when = json_get_text(json_get(details, "metadata"), "finishedOn", "");
    long long at;
    return calendar_time(when, &at) ? at : 0;
}
