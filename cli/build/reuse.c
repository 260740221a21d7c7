#include "cli/build/reuse.h"

#include "base/files/file.h"
#include "cli/build/verdicts.h"
#include "renderer/output/list.h"
#include "verifier/claims/duplicates.h"
#include "verifier/verify.h"

#include <string.h>

/* ---- keys of results --------------------------------------------------------------------- */

/* What the record is: of the file, as it was seen before it was read. False: one was not seen. */
static bool key_records(struct build_reuse *r)
{
    for (size_t i = 0; i < r->project->n_results; i++) {
        const char *file = r->project->results[i].file;
        const struct seen *seen = build_cache_seen(r->cache, file);
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

static bool key_results(struct build_reuse *r)
{
    size_t n = r->project->n_results;
    struct reuse_key *records = arena_array(&r->cache->arena, n, sizeof *records);
    if (!key_records(r))
        return false;
    memcpy(records, r->results, n * sizeof *records);
    hash_duplicates(r, records);
    add_peers(r, records);
    return true;
}

/* ---- files ------------------------------------------------------------------------------- */

static bool keeps(void *self, const char *path, const struct reuse_key *key)
{
    struct build_reuse *r = self;
    struct build_entry *entry = build_cache_find(r->cache, BUILD_CACHE_FILE, path, key);
    bool kept = entry && outdir_keep(r->od, path);
    if (kept && entry->stored) /* with its folder */
        return true;
    if (kept)
        entry->stored = true;
    build_cache_put(r->cache, BUILD_CACHE_FILE, path, key, NULL);
    return kept;
}

static bool is_known(const struct build_reuse *r, const char *path, const struct reuse_key *key)
{
    return build_cache_find(r->cache, BUILD_CACHE_FILE, path, key) != NULL;
}

static bool keeps_folder(void *self, const char *path, const struct reuse_key *key)
{
    struct build_reuse *r = self;
    struct outdir_list *old = r->od->old;
    size_t place = outdir_list_place(old, path), len = (size_t)(path_base(path) - path), i;
    if (!keeps(r, path, key))
        return false;
    for (i = place; i-- > 0 && strncmp(old->files[i].path, path, len) == 0;)
        if (is_known(r, old->files[i].path, key))
            keeps(r, old->files[i].path, key);
    for (i = place + 1; i < old->n && strncmp(old->files[i].path, path, len) == 0; i++)
        if (is_known(r, old->files[i].path, key))
            keeps(r, old->files[i].path, key);
    return true;
}

/* ---- verdicts ---------------------------------------------------------------------------- */

static bool cached_verdict(struct build_reuse *r, size_t i, struct verdict *out)
{
    const struct result *result = &r->project->results[i];
    const struct build_entry *entry =
        build_cache_find(r->cache, BUILD_CACHE_VERDICT, result->file, &r->results[i]);
    if (!entry)
        return false;
    struct unpack u = {
        .at = entry->value, .end = (const char *)entry->value + entry->len, .lasts = true};
    build_verdict_take(out, &r->cache->arena, &u);
    if (!unpack_end(&u))
        return false;
    out->result = result;
    verdict_read_metrics(out, &r->cache->arena);
    return true;
}

void build_reuse_verify(struct build_reuse *r, struct build_cache *cache, struct outdir *od,
                        struct project *project, struct arena *arena, struct verdict *verdicts)
{
    size_t n = project->n_results;
    size_t *wanted = arena_array(&cache->arena, n, sizeof *wanted);
    *r = (struct build_reuse){.cache = cache, .od = od, .project = project};
    r->reuse = (struct reuse){.keeps = keeps, .keeps_folder = keeps_folder, .self = r};
    duplicates_index(project);
    r->reuse.results = r->results = arena_array(&cache->arena, n, sizeof *r->results);
    if (!key_results(r)) /* a record came after the look: nothing is known of it */
        cache->settled = cache->usable = false;
    for (size_t i = 0; i < n; i++)
        if (!cached_verdict(r, i, &verdicts[i]))
            wanted[r->verified++] = i;
    verify_some(project, NULL, project->results, wanted, r->verified, arena, verdicts);
}

void build_reuse_store(const struct build_reuse *r, const struct verdict *verdicts)
{
    struct buf value;
    buf_init(&value, BUF_DEFAULT_MAX);
    for (size_t i = 0; i < r->project->n_results; i++) {
        buf_clear(&value);
        if (!build_verdict_is_kept(&verdicts[i]))
            continue;
        build_verdict_keep(&verdicts[i], &value);
        if (!value.overflow)
            build_cache_put(r->cache, BUILD_CACHE_VERDICT, r->project->results[i].file,
                            &r->results[i], &value);
    }
    buf_release(&value);
}
