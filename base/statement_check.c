/* Does a statement say what the files say (statement.h)? */
#include "base/statement.h"

#include "base/calendar.h"

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

struct comparison {
    struct arena *arena;
    const char *difference;
};

static void compare(struct comparison *c, const char *path, const struct json *said,
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

static void differ(struct comparison *c, const char *path, const struct json *said,
                   const struct json *expected)
{
    if (!c->difference)
        c->difference = arena_printf(c->arena, "%s: found %s, expected %s", path, shown(c, said),
                                     expected ? shown(c, expected) : "none");
}

/* Fields that we would not write are passed over, and so are those that were left out. */
static void compare_objects(struct comparison *c, const char *path, const struct json *said,
                            const struct json *expected)
{
    for (const struct json *s = said->child; s; s = s->next) {
        const struct json *e = json_get(expected, s->key);
        if (e)
            compare(c, *path ? arena_printf(c->arena, "%s.%s", path, s->key) : s->key, s, e);
    }
}

/* Of descriptors by their names, of anything else one by one. */
static void compare_arrays(struct comparison *c, const char *path, const struct json *said,
                           const struct json *expected)
{
    const struct json *e = expected->child;
    for (const struct json *s = said->child; s; s = s->next, e = e ? e->next : NULL) {
        const char *name = json_get_text(s, "name", NULL);
        const struct json *same = e;
        for (const struct json *x = expected->child; name && x; x = x->next)
            if (strcmp(json_get_text(x, "name", ""), name) == 0)
                same = x;
        if (name && same && strcmp(json_get_text(same, "name", ""), name) != 0)
            continue;
        if (same)
            compare(c, arena_printf(c->arena, "%s[%s]", path, name ? name : ""), s, same);
        else if (!name)
            differ(c, path, s, NULL);
    }
}

static void compare(struct comparison *c, const char *path, const struct json *said,
                    const struct json *expected)
{
    if (c->difference)
        return;
    if (said->kind != expected->kind)
        differ(c, path, said, expected);
    else if (said->kind == JSON_OBJECT)
        compare_objects(c, path, said, expected);
    else if (said->kind == JSON_ARRAY)
        compare_arrays(c, path, said, expected);
    else if (strcmp(shown(c, said), shown(c, expected)) != 0)
        differ(c, path, said, expected);
}

const char *statement_difference(const char *file, struct bytes text,
                                 const struct tar_member *members, size_t n,
                                 const char *manifest_sha256, struct arena *arena,
                                 struct diags *diags)
{
    struct buf ours;
    struct json *said, *expected;
    struct comparison c = {arena, NULL};
    if (json_parse(file, text, arena, &said, diags) < 0)
        return diags->items[diags->n - 1].message;
    buf_init(&ours, BUF_DEFAULT_MAX);
    statement_write(members, n, manifest_sha256, arena, &ours);
    const struct bytes bytes = {arena_strndup(arena, ours.data, ours.len), ours.len};
    buf_release(&ours);
    if (json_parse("statement.json", bytes, arena, &expected, diags) < 0)
        return "cannot be made from the files";
    compare(&c, "", said, expected);
    return c.difference;
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
