#include "verifier/shard_merge.h"

#include "base/files/dir.h"
#include "base/json/json_parts.h"
#include "base/project/shard.h"
#include "base/text.h"
#include "verifier/verdicts/verdicts.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- one verification? -------------------------------------------------------------------- */

static int shard_differs(const struct shard_doc *first, const struct shard_doc *d, const char *what,
                         const char *a, const char *b, struct err *err)
{
    if (strcmp(a ? a : "all", b ? b : "all") == 0)
        return 0;
    return err_set(err, ERR_USAGE,
                   "%s: found %s %s, expected %s as in %s: shards of one verification have one "
                   "list of records, rules, tool and options; verify it again",
                   d->path, what, b ? b : "all", a ? a : "all", first->path);
}

static int is_of_set(const struct shard_doc *first, const struct shard_doc *d, struct err *err)
{
    const struct shard_head *a = &first->head, *b = &d->head;
    if (a->of != b->of || b->number >= b->of)
        return err_set(err, ERR_USAGE, "%s: found shard %d of %d, expected one of %d as %s is",
                       d->path, b->number, b->of, a->of, first->path);
    const struct {
        const char *what, *a, *b;
    } same[] = {{"tool", a->tool, b->tool},
                {"rules", a->rules, b->rules},
                {"rules (--only)", a->only, b->only},
                {"the list of records", a->list, b->list},
                {"options", a->settings, b->settings},
                {"--fail-on", a->fail_on <= SEVERITY_ERROR ? severity_name(a->fail_on) : "never",
                 b->fail_on <= SEVERITY_ERROR ? severity_name(b->fail_on) : "never"}};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        if (shard_differs(first, d, same[i].what, same[i].a, same[i].b, err) < 0)
            return -1;
    return 0;
}

static int name_missing(const struct shard_set *s, const char *folder, struct err *err)
{
    const char *missing = "";
    size_t n = 0, there = 0;
    for (size_t i = 0; i < s->n; i++) {
        there += s->docs[i].path != NULL;
        if (!s->docs[i].path && n++ < 8)
            missing = arena_printf(s->arena, "%s%s%zu", missing, n > 1 ? ", " : "", i);
    }
    if (!n)
        return 0;
    return err_set(err, ERR_USAGE,
                   "%s: found %zu of %zu shards; not there: %s%s. Verify them with --shard K/%zu",
                   folder, there, s->n, missing, n > 8 ? ", …" : "", s->n);
}

/* ---- what is noted of each document -------------------------------------------------------- */

static int note_lists(struct shard_set *s, const struct shard_doc *d, struct arena *scratch,
                      struct err *err)
{
    struct json_part part;
    struct json_parts lent = json_parts_of(d->lent), paths = json_parts_of(d->paths);
    while (json_parts_next(&lent, &part)) {
        struct shard_lent *x = ARENA_PUSH(s->arena, s->lent, s->n_lent);
        if (shard_doc_take(d, &shard_lent_shape, part.value, x, scratch, err) < 0)
            return -1;
        *x = (struct shard_lent){arena_strdup(s->arena, x->name), arena_strdup(s->arena, x->vendor),
                                 arena_strdup(s->arena, x->case_id), x->place, x->seen};
    }
    while (json_parts_next(&paths, &part)) {
        struct shard_path *x = ARENA_PUSH(s->arena, s->paths, s->n_paths);
        if (shard_doc_take(d, &shard_path_shape, part.value, x, scratch, err) < 0)
            return -1;
        *x = (struct shard_path){arena_strdup(s->arena, x->path), arena_strdup(s->arena, x->file)};
    }
    return 0;
}

static int note_runs(struct shard_set *s, const struct shard_doc *d, struct err *err)
{
    struct json_parts across = json_parts_of(d->across), runs = json_parts_of(d->runs);
    struct json_part line, run;
    while (json_parts_next(&across, &line)) {
        struct arena own = ARENA_INIT;
        struct across_result r;
        int rc = json_parts_next(&runs, &run)
                     ? shard_doc_take(d, &across_shape, line.value, &r, &own, err)
                     : err_set(err, ERR_USAGE, "%s: found fewer runs than results", d->path);
        if (rc == 0) {
            r.id = arena_strdup(s->arena, r.id);
            r.model = r.model ? arena_strdup(s->arena, r.model) : NULL;
            across_add(&s->rows, &r, s->arena);
            s->states[r.state]++;
            *(struct shard_run *)ARENA_PUSH(s->arena, s->runs, s->n_runs) =
                (struct shard_run){.place = r.place,
                                   .at = (size_t)(run.value.data - d->text.data),
                                   .len = run.value.len,
                                   .shard = (unsigned)d->head.number};
        }
        arena_release(&own);
        if (rc < 0)
            return -1;
    }
    return 0;
}

static struct shard_head keep_head(const struct shard_head *h, struct arena *arena)
{
    struct shard_head kept = *h;
    kept.tool = arena_strdup(arena, h->tool);
    kept.rules = arena_strdup(arena, h->rules);
    kept.only = h->only ? arena_strdup(arena, h->only) : NULL;
    kept.settings = arena_strdup(arena, h->settings);
    kept.list = arena_strdup(arena, h->list);
    kept.own = arena_strdup(arena, h->own);
    return kept;
}

static int note_doc(struct shard_set *s, const struct shard_doc *d, const struct shard_doc **first,
                    struct arena *scratch, struct err *err)
{
    if (*first && is_of_set(*first, d, err) < 0)
        return -1;
    if (!*first) {
        if (d->head.of < 1 || d->head.of > SHARDS_MAX || d->head.number >= d->head.of)
            return err_set(err, ERR_USAGE, "%s: found shard %d of %d", d->path, d->head.number,
                           d->head.of);
        s->n = (size_t)d->head.of;
        s->docs = arena_array(s->arena, s->n, sizeof *s->docs);
    }
    struct shard_doc *to = &s->docs[d->head.number];
    if (to->path)
        return err_set(err, ERR_USAGE, "%s: found shard %d of %d, which is in %s, too", d->path,
                       d->head.number, d->head.of, to->path);
    *to = (struct shard_doc){.path = arena_strdup(s->arena, d->path),
                             .head = keep_head(&d->head, s->arena),
                             .end = d->end};
    *first = *first ? *first : to;
    s->code = s->code > d->end.code ? s->code : d->end.code;
    s->incomplete |= d->end.incomplete;
    return note_lists(s, d, scratch, err) < 0 ? -1 : note_runs(s, d, err);
}

static int note_docs(struct shard_set *s, const char *folder, struct err *err)
{
    struct dir_entry *entries;
    size_t n;
    const struct shard_doc *first = NULL;
    if (dir_list(folder, s->arena, &entries, &n, err) < 0)
        return err->kind == ERR_INPUT ? (err->kind = ERR_USAGE, -1) : -1;
    for (size_t i = 0; i < n; i++) {
        struct arena own = ARENA_INIT;
        struct shard_doc d;
        if (!text_ends(entries[i].name, ".json"))
            continue;
        int rc = shard_doc_read(path_join(s->arena, folder, entries[i].name), &own, &d, err);
        if (rc == 0)
            rc = note_doc(s, &d, &first, &own, err);
        arena_release(&own);
        if (rc < 0)
            return -1;
    }
    if (!first)
        return err_set(err, ERR_USAGE, "%s: found no documents of shards (*.json)", folder);
    return name_missing(s, folder, err);
}

/* ---- what crosses cases ------------------------------------------------------------------- */

static int compare_paths_folded(const void *a, const void *b)
{
    const struct shard_path *x = a, *y = b;
    int order = strcasecmp(x->path, y->path);
    return order ? order : strcmp(x->path, y->path);
}

/* One of two such records is left out where all are known (base/project/names.h). */
static int check_paths_folded(struct shard_set *s, struct err *err)
{
    if (s->n_paths)
        qsort(s->paths, s->n_paths, sizeof *s->paths, compare_paths_folded);
    for (size_t i = 1; i < s->n_paths; i++) {
        const struct shard_path *a = &s->paths[i - 1], *b = &s->paths[i];
        if (strcasecmp(a->path, b->path) == 0 && strcmp(a->path, b->path) != 0)
            return err_set(err, ERR_USAGE,
                           "found the path \"%s\" in %s and \"%s\" in %s, which differ in the case "
                           "of letters only: rename one, or verify without --shard",
                           a->path, a->file, b->path, b->file);
    }
    return 0;
}

static void judge_result(struct shard_set *s, const struct across_result *r, struct shard_run *run,
                         int fail_on)
{
    struct across_found *found;
    size_t n = across_judge(&s->rows, r, s->arena, &found);
    if (!n)
        return;
    struct across_ask *asks = arena_array(s->arena, n, sizeof *asks);
    struct shard_patch patch = {.found = found, .n = n, .before = r->state};
    patch.state = across_state(r, found, n);
    for (size_t i = 0; i < n; i++) {
        asks[i] = *found[i].ask;
        found[i].ask = &asks[i];
        found[i].finding.file = arena_strdup(s->arena, r->file);
        if (found[i].finding.stated)
            found[i].finding.stated = arena_strdup(s->arena, found[i].finding.stated);
        if ((int)found[i].finding.severity >= fail_on && s->code < (int)ERR_CHECK)
            s->code = ERR_CHECK;
    }
    s->states[patch.before]--;
    s->states[patch.state]++;
    *(struct shard_patch *)ARENA_PUSH(s->arena, s->patches, s->n_patches) = patch;
    run->patch = (unsigned)s->n_patches;
}

static int judge_shard(struct shard_set *s, const struct shard_doc *of, size_t *run,
                       struct err *err)
{
    struct arena own = ARENA_INIT;
    struct shard_doc d;
    struct json_part line;
    int rc = shard_doc_read(of->path, &own, &d, err);
    struct json_parts across = json_parts_of(rc == 0 ? d.across : (struct bytes){"[]", 2});
    while (rc == 0 && json_parts_next(&across, &line)) {
        struct arena scratch = ARENA_INIT;
        struct across_result r;
        rc = shard_doc_take(&d, &across_shape, line.value, &r, &scratch, err);
        if (rc == 0 && *run < s->n_runs)
            judge_result(s, &r, &s->runs[(*run)++], of->head.fail_on);
        arena_release(&scratch);
    }
    arena_release(&own);
    return rc;
}

static int compare_run_places(const void *a, const void *b)
{
    const struct shard_run *x = a, *y = b;
    return (x->place > y->place) - (x->place < y->place);
}

int shard_set_open(const char *folder, struct arena *arena, struct shard_set *out, struct err *err)
{
    *out = (struct shard_set){.arena = arena};
    if (note_docs(out, folder, err) < 0 || check_paths_folded(out, err) < 0)
        return -1;
    across_sort(&out->rows);
    /* Runs are in the order of the names of the files so far. */
    for (size_t i = 0, before; i < out->n_runs;) {
        const struct shard_doc *d = &out->docs[out->runs[i].shard];
        before = i;
        if (judge_shard(out, d, &i, err) < 0)
            return -1;
        if (i == before)
            return err_set(err, ERR_USAGE, "%s: was changed while it was read", d->path);
    }
    if (out->n_runs)
        qsort(out->runs, out->n_runs, sizeof *out->runs, compare_run_places);
    return 0;
}
