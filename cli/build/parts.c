#include "cli/build/parts.h"

#include "base/files/beneath.h"
#include "base/sealed/archive.h"
#include "cli/build/build.h"
#include "cli/build/evidence.h"
#include "renderer/output/list.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

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

/* Everything that an archive is made from but its submission's sum is in the cache's base. */
static const struct reuse_key base_alone;

static struct build_entry *find_entry(const struct build *b, enum build_cache_kind kind,
                                      const char *name, struct unpack *value)
{
    struct build_entry *entry =
        b->cache ? build_cache_find(b->cache, kind, name, &base_alone) : NULL;
    if (entry)
        *value = (struct unpack){
            .at = entry->value, .end = (const char *)entry->value + entry->len, .lasts = true};
    return entry;
}

/* Sorted as they were. */
static bool take_sums(const struct build *b, struct withheld *w)
{
    struct unpack u;
    if (!find_entry(b, BUILD_CACHE_WITHHELD, "", &u))
        return false;
    size_t n = unpack_count(&u, 2);
    w->sums = arena_array(&b->cli->arena, n, sizeof *w->sums);
    for (size_t i = 0; i < n; i++) {
        const char *sum = unpack_text(&u);
        const struct store_entry *by = decision_at(w, (long long)unpack_number(&u));
        if (!by || !sum || !hash_is_hex(sum))
            return false;
        w->sums[i] = (struct withheld_sum){sum, by};
    }
    w->n = n;
    return unpack_end(&u);
}

int build_parts_open(struct build *b, struct err *err)
{
    struct build_parts *p = &b->parts;
    struct withheld *w = &b->withheld;
    withheld_begin(w, b->project.store, &b->cli->arena);
    p->by_asked =
        (struct lookup){.stride = sizeof *p->items, .at = offsetof(struct build_part, asked)};
    p->by_other =
        (struct lookup){.stride = sizeof *p->items, .at = offsetof(struct build_part, other)};
    p->opened = true;
    if (take_sums(b, w))
        return 0;
    w->sums = NULL;
    w->n = 0;
    return withheld_open(w, &b->cli->arena, err);
}

/* ---- what is handed out ------------------------------------------------------------------ */

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

static bool is_object(const struct build *b, const char *sha256)
{
    return store_object_of(&b->project.store->index, sha256) != NULL;
}

/* As the last build found it; an archive that was made then has to be in the site, which is as it
 * was left. False: it has to be looked into. */
static bool take_part(const struct build *b, struct build_part *part)
{
    struct unpack u;
    struct build_part last = *part;
    if (!find_entry(b, BUILD_CACHE_PART, part->asked, &u))
        return false;
    last.whole = unpack_text(&u);
    last.sha256 = unpack_text(&u);
    last.from = unpack_text(&u);
    last.all = unpack_number(&u) == 1;
    if (!unpack_end(&u) || (last.all && last.whole && withheld_some(&b->withheld, last.whole)))
        return false; /* as of a worker: nobody is believed that all of it may be handed out */
    if (!last.all && last.sha256 && !is_object(b, last.sha256) &&
        !(last.from && outdir_list_has(b->od->old, last.from, last.sha256)))
        return false;
    *part = last;
    return true;
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
    if (!take_part(b, &part))
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
    if (!is_object(b, sha256)) {
        if (beneath_read(b->od->path, part->from, OUTDIR_FILE_MAX, arena, out, err) < 0)
            return -1;
        return check_part_bytes(*out, part->sha256, path_join(arena, b->od->path, part->from), err);
    }
    const char *root = b->project.store->root, *path = store_object_path("", sha256, arena);
    return beneath_read(root, path, ARCHIVE_PACKED_MAX, arena, out, err) < 0
               ? -1
               : check_part_bytes(*out, sha256, path_join(arena, root, path), err);
}

/* ---- for the next build ------------------------------------------------------------------ */

static void store_part(const struct build *b, const struct build_part *part)
{
    struct buf value;
    buf_init(&value, BUF_DEFAULT_MAX);
    pack_text(&value, part->whole);
    pack_text(&value, part->sha256);
    pack_text(&value, part->to);
    pack_number(&value, part->all);
    build_cache_put(b->cache, BUILD_CACHE_PART, part->asked, &base_alone, &value);
    buf_release(&value);
}

void build_parts_store(const struct build *b)
{
    if (!b->parts.opened)
        return;
    const struct withheld *w = &b->withheld;
    struct buf value;
    buf_init(&value, BUF_DEFAULT_MAX);
    pack_number(&value, w->n);
    for (size_t i = 0; i < w->n; i++) {
        pack_text(&value, w->sums[i].sha256);
        pack_number(&value, (uint64_t)w->sums[i].by->line);
    }
    if (!value.overflow)
        build_cache_put(b->cache, BUILD_CACHE_WITHHELD, "", &base_alone, &value);
    buf_release(&value);
    for (size_t i = 0; i < b->parts.n; i++)
        store_part(b, &b->parts.items[i]);
}
