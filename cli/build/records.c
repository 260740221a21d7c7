#include "cli/build/records.h"

#include <string.h>

struct build_record {
    const char *path;
    struct seen seen; /* of the file when it was read */
    const char *bytes;
    size_t len;
};

/* Bytes of the file as it is now; NULL: they are not known. */
static const struct build_record *find_record(const struct build_records *r, const char *path)
{
    size_t i = lookup_find(&r->by_path, path);
    const struct seen *now = i == LOOKUP_NONE ? NULL : build_cache_seen(r->cache, path);
    return now && seen_equal(now, &r->items[i].seen) ? &r->items[i] : NULL;
}

static bool knows(const void *self, const struct shape *shape, const char *path, void *value,
                  struct arena *arena)
{
    const struct build_record *record = find_record(self, path);
    if (!record || (shape != &result_shape && shape != &case_shape))
        return false;
    struct unpack u = {.at = record->bytes, .end = record->bytes + record->len, .lasts = true};
    shape_unpack(shape, value, arena, &u);
    if (unpack_end(&u)) {
        if (shape == &result_shape)
            result_read_figures(value, arena);
        return true;
    }
    memset(value, 0, shape->size);
    return false;
}

void build_records_unpack(struct build_records *r, const struct build_cache *cache, bool known,
                          struct unpack *u, struct arena *arena)
{
    *r = (struct build_records){.memory = {knows, r}, .cache = cache};
    while (known && !u->bad) {
        struct build_record item = {.path = unpack_text(u)};
        const void *seen = item.path ? unpack_bytes(u, sizeof item.seen) : NULL;
        item.len = seen ? (size_t)unpack_number(u) : 0;
        item.bytes = seen ? unpack_bytes(u, item.len) : NULL;
        if (!item.bytes)
            break;
        memcpy(&item.seen, seen, sizeof item.seen);
        *(struct build_record *)ARENA_PUSH(arena, r->items, r->n) = item;
    }
    r->by_path =
        lookup_of(r->items, r->n, sizeof *r->items, offsetof(struct build_record, path), arena);
}

/* ---- for the next build ------------------------------------------------------------------ */

struct packing {
    const struct build_records *records;
    struct lookup reported; /* files that something was said of */
    struct buf record;
    struct buf *out;
};

static void pack_one(struct packing *k, const struct shape *shape, const void *value,
                     const char *path)
{
    const struct build_record *known = find_record(k->records, path);
    const struct seen *seen = build_cache_seen(k->records->cache, path);
    if (!seen || lookup_find(&k->reported, path) != LOOKUP_NONE)
        return;
    if (!known) {
        buf_clear(&k->record);
        shape_pack(shape, value, &k->record);
        if (k->record.overflow)
            return;
    }
    size_t len = known ? known->len : k->record.len;
    pack_text(k->out, path);
    pack_bytes(k->out, seen, sizeof *seen);
    pack_number(k->out, len);
    pack_bytes(k->out, known ? known->bytes : k->record.data, len);
}

void build_records_pack(const struct build_records *r, const struct project *project,
                        struct buf *out)
{
    struct arena arena = ARENA_INIT;
    struct packing k = {.records = r, .out = out};
    k.reported =
        lookup_of(project->reported, project->n_reported, sizeof *project->reported, 0, &arena);
    buf_init(&k.record, BUF_DEFAULT_MAX);
    for (size_t i = 0; i < project->n_cases; i++)
        pack_one(&k, &case_shape, &project->cases[i], project->cases[i].file);
    for (size_t i = 0; i < project->n_results; i++)
        pack_one(&k, &result_shape, &project->results[i], project->results[i].file);
    pack_text(out, NULL); /* there are no more */
    buf_release(&k.record);
    arena_release(&arena);
}
