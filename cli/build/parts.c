#include "cli/build/parts.h"

#include "base/files/beneath.h"
#include "base/sealed/archive.h"
#include "cli/build/build.h"
#include "cli/build/evidence.h"
#include "renderer/output/list.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ---- what they were found with ----------------------------------------------------------- */

/* Adds what a file of the archive was before it was read; false: nobody looked. */
static bool hash_seen(const struct build *b, struct hash *h, const char *path)
{
    const struct seen *seen = build_cache_seen(b->cache, path);
    if (seen)
        hash_add(h, seen, sizeof *seen);
    return seen != NULL;
}

/* The log, and the archives that it names in place of submissions. */
static struct reuse_key store_key(const struct build *b)
{
    struct hash h;
    struct arena *arena = &b->cli->arena;
    const struct withheld *w = &b->withheld;
    bool seen = b->cache && !b->cache->off;
    hash_init(&h);
    seen = seen && hash_seen(b, &h, path_join(arena, w->store->root, STORE_LOG_NAME));
    for (size_t i = 0; seen && i < w->n_decisions; i++)
        seen = hash_seen(b, &h, store_object_path(w->store->root, w->decisions[i]->object, arena));
    const struct reuse_key key = reuse_hash_final(&h), none = {0};
    return seen ? key : none;
}

static bool is_key_set(const struct reuse_key *key)
{
    return key->high || key->low;
}

/* ---- which files are withheld ------------------------------------------------------------ */

/* The decision in this line of the log. */
static const struct store_entry *decision_at(const struct withheld *w, long long line)
{
    size_t from = 0, to = w->n_decisions;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (w->decisions[middle]->line < line)
            from = middle + 1;
        else
            to = middle;
    }
    return from < w->n_decisions && w->decisions[from]->line == line ? w->decisions[from] : NULL;
}

/* Sorted as they were. */
static bool take_part_sums(struct withheld *w, const struct build_parts *p, struct arena *arena)
{
    w->sums = arena_array(arena, p->n_sums, sizeof *w->sums);
    for (size_t i = 0; i < p->n_sums; i++) {
        const struct store_entry *by = decision_at(w, p->sums[i].line);
        if (!by || !hash_is_hex(p->sums[i].sha256))
            return false;
        w->sums[i] = (struct withheld_sum){p->sums[i].sha256, by};
    }
    w->n = p->n_sums;
    return true;
}

int build_parts_open(struct build *b, struct err *err)
{
    struct build_parts *p = &b->parts;
    struct withheld *w = &b->withheld;
    withheld_begin(w, b->project.store, &b->cli->arena);
    p->withheld = w;
    p->by_asked =
        (struct lookup){.stride = sizeof *p->items, .at = offsetof(struct build_part, asked)};
    p->by_other =
        (struct lookup){.stride = sizeof *p->items, .at = offsetof(struct build_part, other)};
    p->key = store_key(b);
    if (!is_key_set(&p->key) || !reuse_key_equal(&p->key, &p->last_key))
        p->n_last = 0;
    else if (take_part_sums(w, p, &b->cli->arena))
        return 0;
    w->sums = NULL;
    w->n = 0;
    p->n_last = 0;
    return withheld_open(w, &b->cli->arena, err);
}

/* ---- what is handed out ------------------------------------------------------------------ */

static struct seen seen_of(const struct build *b, const char *path, const char *sha256)
{
    struct arena *arena = &b->cli->arena;
    const struct store_place at =
        store_place_of(b->project.store, b->project.root, path, sha256, arena);
    const struct seen *seen = b->cache && !b->cache->off
                                  ? build_cache_seen(b->cache, path_join(arena, at.folder, at.path))
                                  : NULL;
    return seen ? *seen : (struct seen){0};
}

/* What is asked of whoever wants the bytes again. */
static int check_part_bytes(struct bytes bytes, const char *sha256, const char *path,
                            struct err *err)
{
    char hex[HASH_HEX_SIZE];
    hash_sha256(bytes.data, bytes.len, hex);
    return strcmp(hex, sha256) == 0
               ? 0
               : err_set(err, ERR_INPUT, "%s: changed while the site was being built; build again",
                         path);
}

static int read_from_site(const struct build *b, const struct build_part *part, struct arena *arena,
                          struct bytes *out, struct err *err)
{
    if (beneath_read(b->od->path, part->from, OUTDIR_FILE_MAX, arena, out, err) < 0)
        return -1;
    return check_part_bytes(*out, part->sha256, path_join(arena, b->od->path, part->from), err);
}

/* Is what was handed out by the last build in the site that stands? */
static bool is_in_site(const struct build *b, const struct build_part *part)
{
    struct arena own = ARENA_INIT;
    struct bytes bytes;
    struct err ignored = ERR_INIT;
    bool there = b->od && part->from && outdir_list_has(b->od->old, part->from, part->sha256);
    if (there && !b->cache->partial) /* else nobody touched the site */
        there = read_from_site(b, part, &own, &bytes, &ignored) == 0;
    arena_release(&own);
    return there;
}

static bool is_object(const struct build *b, const char *sha256)
{
    return store_object_of(&b->project.store->index, sha256) != NULL;
}

/* Of the last build; NULL: it has to be looked into. */
static const struct build_part *known_part(const struct build *b, const char *asked,
                                           const struct seen *seen)
{
    const struct build_parts *p = &b->parts;
    size_t i = p->n_last && seen->mode ? lookup_find(&p->last_by_asked, asked) : LOOKUP_NONE;
    const struct build_part *last = i != LOOKUP_NONE ? &p->last[i] : NULL;
    if (!last || !seen_equal(&last->seen, seen))
        return NULL;
    if (last->all && last->whole && withheld_some(&b->withheld, last->whole))
        return NULL; /* as of a worker: nobody is believed that all of it may be handed out */
    bool whole = last->all || !last->sha256 || is_object(b, last->sha256);
    return whole || is_in_site(b, last) ? last : NULL;
}

static const char *spool_folder(const struct build *b)
{
    const char *temporary = getenv("TMPDIR");
    size_t n = b->od ? (size_t)(path_base(b->od->path) - b->od->path) : 0;
    return n                         ? arena_strndup(&b->cli->arena, b->od->path, n)
           : temporary && *temporary ? temporary
                                     : "/tmp";
}

static int make_part(struct build *b, struct build_part *part, const char *sha256,
                     struct arena *own, struct err *err)
{
    struct arena *arena = &b->cli->arena;
    struct withheld_part made;
    struct bytes packed;
    char hex[HASH_HEX_SIZE];
    if (build_evidence_read(b, part->path, sha256, own, &packed, hex, err) < 0 ||
        withheld_part(&b->withheld, part->path, packed, hex, own, &made, err) < 0)
        return -1;
    part->whole = arena_strdup(arena, hex);
    part->all = made.all;
    if (made.all || !made.bytes.data) {
        part->sha256 = made.all ? part->whole : NULL;
        return 0;
    }
    part->sha256 = arena_strdup(arena, made.sha256);
    if (is_object(b, part->sha256))
        return 0;
    part->len = made.bytes.len;
    return spool_add(&b->parts.spool, spool_folder(b), made.bytes.data, made.bytes.len, &part->at,
                     err);
}

static struct build_part *keep_part(struct build *b, struct build_part part)
{
    struct build_parts *p = &b->parts;
    struct arena *arena = &b->cli->arena;
    part.other = part.all ? NULL : part.sha256;
    *(struct build_part *)ARENA_PUSH(arena, p->items, p->n) = part;
    lookup_grow(&p->by_asked, p->items, p->n, arena);
    lookup_grow(&p->by_other, p->items, p->n, arena);
    return &p->items[p->n - 1];
}

int build_parts_find(struct build *b, const char *path, const char *sha256, struct build_part **out,
                     struct err *err)
{
    struct build_parts *p = &b->parts;
    const char *asked = arena_printf(&b->cli->arena, "%s %s", sha256 ? sha256 : "", path);
    struct build_part part = {.asked = asked, .path = path};
    struct arena own = ARENA_INIT;
    size_t i = lookup_find(&p->by_asked, asked);
    int rc = 0;
    if (i != LOOKUP_NONE) {
        *out = &p->items[i];
        return 0;
    }
    part.seen = seen_of(b, path, sha256);
    const struct build_part *last = known_part(b, asked, &part.seen);
    if (last)
        part = *last;
    else
        rc = make_part(b, &part, sha256, &own, err);
    arena_release(&own);
    *out = rc == 0 ? keep_part(b, part) : NULL;
    return rc;
}

int build_parts_read(struct build *b, const char *sha256, struct arena *arena, struct bytes *out,
                     struct err *err)
{
    size_t i = lookup_find(&b->parts.by_other, sha256);
    if (i == LOOKUP_NONE)
        return 1;
    const struct build_part *part = &b->parts.items[i];
    if (part->len)
        return spool_read(&b->parts.spool, part->at, part->len, arena, out, err) < 0
                   ? -1
                   : check_part_bytes(*out, sha256, part->path, err);
    if (!is_object(b, sha256))
        return read_from_site(b, part, arena, out, err);
    const char *root = b->project.store->root, *path = store_object_path("", sha256, arena);
    return beneath_read(root, path, ARCHIVE_PACKED_MAX, arena, out, err) < 0
               ? -1
               : check_part_bytes(*out, sha256, path_join(arena, root, path), err);
}

/* ---- for the next build ------------------------------------------------------------------ */

void build_parts_pack(const struct build_parts *p, struct buf *out)
{
    const struct withheld *w = p->withheld;
    bool kept = w && is_key_set(&p->key);
    reuse_pack_key(&p->key, out);
    pack_number(out, kept ? w->n : 0);
    for (size_t i = 0; kept && i < w->n; i++) {
        pack_text(out, w->sums[i].sha256);
        pack_number(out, (uint64_t)w->sums[i].by->line);
    }
    pack_number(out, kept ? p->n : 0);
    for (size_t i = 0; kept && i < p->n; i++) {
        const struct build_part *part = &p->items[i];
        pack_text(out, part->asked);
        pack_text(out, part->path);
        pack_text(out, part->whole);
        pack_text(out, part->sha256);
        pack_text(out, part->to);
        pack_number(out, part->all);
        pack_bytes(out, &part->seen, sizeof part->seen);
    }
}

static void unpack_part(struct build_part *part, struct unpack *u)
{
    *part = (struct build_part){.asked = unpack_text(u)};
    part->path = unpack_text(u);
    part->whole = unpack_text(u);
    part->sha256 = unpack_text(u);
    part->from = unpack_text(u);
    part->all = unpack_number(u) == 1;
    const void *seen = unpack_bytes(u, sizeof part->seen);
    if (seen)
        memcpy(&part->seen, seen, sizeof part->seen);
}

void build_parts_unpack(struct build_parts *p, bool known, struct unpack *u, struct arena *arena)
{
    *p = (struct build_parts)BUILD_PARTS_INIT;
    if (!known)
        return;
    p->last_key = reuse_unpack_key(u);
    p->n_sums = unpack_count(u, 2);
    p->sums = arena_array(arena, p->n_sums, sizeof *p->sums);
    for (size_t i = 0; i < p->n_sums; i++) {
        p->sums[i].sha256 = unpack_text(u);
        p->sums[i].line = (long long)unpack_number(u);
    }
    p->n_last = unpack_count(u, sizeof(struct seen));
    p->last = arena_array(arena, p->n_last, sizeof *p->last);
    for (size_t i = 0; i < p->n_last; i++)
        unpack_part(&p->last[i], u);
    p->last_by_asked =
        lookup_of(p->last, p->n_last, sizeof *p->last, offsetof(struct build_part, asked), arena);
    if (u->bad)
        *p = (struct build_parts)BUILD_PARTS_INIT;
}
