#include "cli/build/reuse.h"

#include "base/text.h"
#include "cli/build/verdicts.h"
#include "renderer/output/list.h"
#include "verifier/claims/duplicates.h"
#include "verifier/verify_many.h"

#include <stdlib.h>
#include <string.h>

/* A file that was made, and from what. */
struct build_known {
    const char *path;
    struct reuse_key key;
};

/* ---- keys of results --------------------------------------------------------------------- */

/* What the record is: of the file, as it was seen before it was read. False: one was not seen. */
static bool key_records(struct build_reuse *r, const struct build_cache *cache)
{
    for (size_t i = 0; i < r->project->n_results; i++) {
        const char *file = r->project->results[i].file;
        const struct seen *seen = build_cache_seen(cache, file);
        struct hash h;
        if (!seen)
            return false;
        hash_init(&h);
        reuse_hash_text(&h, file);
        hash_add(&h, seen, sizeof *seen);
        r->results[i] = reuse_hash_final(&h);
    }
    return true;
}

static const struct reuse_key *key_of_record(const struct build_reuse *r,
                                             const struct reuse_key *keys,
                                             const struct result *result)
{
    return &keys[result - r->project->results];
}

static bool is_same_result(const struct duplicate *a, const struct duplicate *b)
{
    return a->result == b->result;
}

/* A row's duplicate is the first row of another result that states the same figures. */
static void hash_duplicate(struct build_reuse *r, const struct duplicate *row,
                           const struct duplicate *duplicate, const struct reuse_key *records)
{
    struct reuse_key *own = &r->results[row->result - r->project->results];
    struct hash h;
    hash_init(&h);
    reuse_hash_key(&h, own);
    reuse_hash_key(&h, key_of_record(r, records, duplicate->result));
    reuse_hash_number(&h, (uint64_t)duplicate->table);
    reuse_hash_number(&h, (uint64_t)duplicate->row);
    *own = reuse_hash_final(&h);
}

static void hash_duplicates(struct build_reuse *r, const struct reuse_key *records)
{
    const struct duplicate *rows;
    for (size_t from = 0, n; (n = duplicates_group(r->project->duplicates, from, &rows)) > 0;
         from += n) {
        size_t other = 1;
        while (other < n && is_same_result(&rows[0], &rows[other]))
            other++;
        for (size_t i = 0; i < n && other < n; i++)
            hash_duplicate(r, &rows[i],
                           is_same_result(&rows[0], &rows[i]) ? &rows[other] : &rows[0], records);
    }
}

/* Results of one case are compared with each other. */
static void add_peers(struct build_reuse *r, const struct reuse_key *records)
{
    for (size_t i = 0; i < r->project->n_results; i++) {
        size_t n;
        struct hash h;
        const struct result **peers =
            project_case_results(r->project, r->project->results[i].case_id, &n);
        if (n < 2)
            continue;
        hash_init(&h);
        reuse_hash_key(&h, &r->results[i]);
        for (size_t k = 0; k < n; k++)
            reuse_hash_key(&h, key_of_record(r, records, peers[k]));
        r->results[i] = reuse_hash_final(&h);
    }
}

static bool key_results(struct build_reuse *r, const struct build_cache *cache)
{
    size_t n = r->project->n_results;
    struct reuse_key *records = arena_array(r->arena, n, sizeof *records);
    if (!key_records(r, cache))
        return false;
    memcpy(records, r->results, n * sizeof *records);
    hash_duplicates(r, records);
    add_peers(r, records);
    return true;
}

/* ---- files ------------------------------------------------------------------------------- */

#define NEAR 12 /* places: about the files of one result */
/* Files are asked for in about the order of the list: most stand just behind the one before. */
static size_t place_in_list(struct build_reuse *r, const char *path)
{
    const struct outdir_file *files = r->od->old->files;
    size_t place = r->near, end = place + NEAR < r->n_before ? place + NEAR : r->n_before;
    while (place < end && strcmp(files[place].path, path) != 0)
        place++;
    if (place >= end)
        place = r->n_before ? outdir_list_place(r->od->old, path) : OUTDIR_NOWHERE;
    if (place != OUTDIR_NOWHERE)
        r->near = place + 1;
    return place;
}

static bool keeps_at(struct build_reuse *r, size_t place, const char *path,
                     const struct reuse_key *key)
{
    return place != OUTDIR_NOWHERE && reuse_key_equal(&r->before[place], key) &&
           outdir_keep(r->od, place, path);
}

static void note_made_file(struct build_reuse *r, const char *path, const struct reuse_key *key)
{
    *(struct build_known *)ARENA_PUSH(r->arena, r->made, r->n_made) =
        (struct build_known){arena_strdup(r->arena, path), *key};
}

static bool keeps(void *self, const char *path, const struct reuse_key *key)
{
    struct build_reuse *r = self;
    bool kept = keeps_at(r, place_in_list(r, path), path, key);
    if (!kept)
        note_made_file(r, path, key);
    return kept;
}

static bool keeps_folder(void *self, const char *path, const struct reuse_key *key)
{
    struct build_reuse *r = self;
    const struct outdir_file *files = r->od->old->files;
    size_t place = place_in_list(r, path), len = (size_t)(path_base(path) - path), i;
    if (!keeps_at(r, place, path, key)) {
        note_made_file(r, path, key);
        return false;
    }
    for (i = place; i-- > 0 && strncmp(files[i].path, path, len) == 0;)
        keeps_at(r, i, files[i].path, key);
    for (i = place + 1; i < r->n_before && strncmp(files[i].path, path, len) == 0; i++)
        keeps_at(r, i, files[i].path, key);
    r->near = i;
    return true;
}

/* ---- verdicts ---------------------------------------------------------------------------- */

/* Verdicts of the last build, by the key of their result: a key is nobody else's. */
static void unpack_verdicts(struct build_reuse *r, struct unpack *u, struct build_reuse_last *out)
{
    out->n = unpack_count(u, 3);
    out->items = arena_array(r->arena, out->n, sizeof *out->items);
    out->verdicts = arena_array(r->arena, out->n, sizeof *out->verdicts);
    for (size_t i = 0; i < out->n; i++) {
        out->items[i].key = reuse_unpack_key(u);
        build_verdict_take(&out->verdicts[i], r->arena, u);
    }
}

static void unpack_noted_files(struct build_reuse *r, struct unpack *u)
{
    r->n_before = unpack_count(u, 2);
    r->before = arena_array(r->arena, r->n_before, sizeof *r->before);
    for (size_t i = 0; i < r->n_before; i++)
        r->before[i] = reuse_unpack_key(u);
}

/* Both are in the order of the results. */
static size_t *verdicts_wanted(struct build_reuse *r, const struct build_reuse_last *kept,
                               struct verdict *verdicts)
{
    size_t n = r->project->n_results, at = 0;
    size_t *wanted = arena_array(r->arena, n, sizeof *wanted);
    for (size_t i = 0; i < n; i++) {
        size_t found = at;
        const char *file = r->project->results[i].file;
        while (found < kept->n && strcmp(kept->verdicts[found].file, file) != 0)
            found++;
        if (found < kept->n && reuse_key_equal(&kept->items[found].key, &r->results[i])) {
            verdicts[i] = kept->verdicts[found];
            verdicts[i].result = &r->project->results[i];
            verdict_read_metrics(&verdicts[i], r->arena);
        } else {
            wanted[r->verified++] = i;
        }
        at = found < kept->n ? found + 1 : at;
    }
    return wanted;
}

void build_reuse_open(struct build_reuse *r, struct build_reuse_last *last,
                      struct build_cache *cache, struct outdir *od, struct project *project)
{
    *last = (struct build_reuse_last){.n = 0};
    struct unpack u = cache->parts;
    *r = (struct build_reuse){.arena = &cache->arena, .od = od, .project = project};
    r->reuse = (struct reuse){.keeps = keeps, .keeps_folder = keeps_folder, .self = r};
    duplicates_index(project);
    r->reuse.results = r->results = arena_array(r->arena, project->n_results, sizeof *r->results);
    if (!key_results(r, cache)) /* it came after the look: nothing is known of it */
        cache->settled = cache->partial = false;
    if (cache->partial) {
        unpack_verdicts(r, &u, last);
        unpack_noted_files(r, &u);
        if (!unpack_end(&u) || r->n_before != od->old->n)
            last->n = r->n_before = 0;
    }
}

void build_reuse_verify(struct build_reuse *r, const struct build_reuse_last *last,
                        const struct build_cache *cache, struct arena *arena,
                        struct verdict *verdicts)
{
    const struct build_reuse_last nothing = {.n = 0};
    if (!cache->partial) {
        r->n_before = 0;
        last = &nothing;
    }
    size_t *wanted = verdicts_wanted(r, last, verdicts);
    verify_some(r->project, NULL, r->project->results, wanted, r->verified, arena, verdicts);
}

/* ---- for the next build ------------------------------------------------------------------ */

/* The place in the list before of the next file that was kept, from `at` on; its length: no more
 * was.
 */
static size_t next_kept(const struct build_reuse *r, size_t at)
{
    while (at < r->n_before && !r->od->kept[at])
        at++;
    return at;
}

/* A file that nobody asked for has no key: {0} is that of nothing. What was kept stands in both
 * lists in one order, and shares its path. */
void build_reuse_pack_files(const struct build_reuse *r, struct buf *out)
{
    const struct outdir_list *now = r->od->now;
    pack_number(out, now->n);
    if (r->n_made)
        qsort(r->made, r->n_made, sizeof *r->made, text_by_bytes);
    size_t kept = r->od->kept ? next_kept(r, 0) : r->n_before;
    for (size_t i = 0, m = 0; i < now->n; i++) {
        const char *path = now->files[i].path;
        struct reuse_key key = {0};
        while (m < r->n_made && strcmp(r->made[m].path, path) < 0)
            m++;
        if (m < r->n_made && strcmp(r->made[m].path, path) == 0) {
            key = r->made[m].key;
        } else if (kept < r->n_before && r->od->old->files[kept].path == path) {
            key = r->before[kept];
            kept = next_kept(r, kept + 1);
        }
        reuse_pack_key(&key, out);
    }
}

void build_reuse_pack_verdicts(const struct build_reuse *r, const struct verdict *verdicts,
                               struct buf *out)
{
    size_t n = 0;
    for (size_t i = 0; i < r->project->n_results; i++)
        n += build_verdict_is_kept(&verdicts[i]);
    pack_number(out, n);
    for (size_t i = 0; i < r->project->n_results; i++)
        if (build_verdict_is_kept(&verdicts[i])) {
            reuse_pack_key(&r->results[i], out);
            build_verdict_keep(&verdicts[i], out);
        }
}
