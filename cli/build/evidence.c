#include "cli/build/evidence.h"

#include "base/files/beneath.h"
#include "base/sealed/archive.h"
#include "base/signing/hash.h"
#include "base/store/store.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

struct piece {
    const char *path;   /* below the records, and in the site */
    const char *sha256; /* of what was judged; NULL: not known */
};

struct pieces {
    struct piece *items;
    size_t n;
    struct arena *arena;
};

static void name(struct pieces *p, const char *path, const char *sha256)
{
    *(struct piece *)ARENA_PUSH(p->arena, p->items, p->n) = (struct piece){path, sha256};
}

/* Submissions that could be read, and the curves that they were compared with. */
static void name_all(struct pieces *p, const struct verdict *v)
{
    for (size_t i = 0; i < v->n_reproductions; i++) {
        const struct verdict_reproduction *r = &v->reproductions[i];
        if (r->sound && !r->held)
            name(p, r->record->archive, r->record->sha256);
    }
    for (size_t i = 0; i < v->n_evidence; i++) {
        const struct row_evidence *e = &v->evidence[i];
        if (e->sha256)
            name(p, e->archive, e->sha256);
        if (e->alignment)
            name(p, e->alignment->reference, NULL);
    }
}

/* Of one path, those whose sum is known first. */
static int compare_pieces(const void *a, const void *b)
{
    const struct piece *x = a, *y = b;
    int order = strcmp(x->path, y->path);
    return order                    ? order
           : x->sha256 && y->sha256 ? strcmp(x->sha256, y->sha256)
                                    : !x->sha256 - !y->sha256;
}

/* What is a case's reference, too: a file that is withheld of some run under another name; a
 * submission of which something is withheld: the archive without it takes its place. */
static int swap_withheld(struct build *b, const char *path, const char *sha256, struct arena *arena,
                         struct bytes *bytes, struct err *err)
{
    struct withheld_part part;
    const struct store_entry *by = withheld_by(&b->withheld, NULL, path, sha256);
    if (by)
        return err_set(err, ERR_INPUT,
                       "%s: the archive withholds this reference, because it is a file of the "
                       "submission %.12s (line %d of the log); expected a reference that may be "
                       "published",
                       path, by->submission, by->line);
    if (!b->withheld.any || !text_ends(path, ".tar.zst"))
        return 0;
    if (withheld_part(&b->withheld, path, *bytes, sha256, arena, &part, err) < 0)
        return -1;
    if (!part.all && !part.bytes.data)
        return err_set(err, ERR_INPUT,
                       "%s: not published: the archive's log withholds a part of this submission, "
                       "and the file is incomplete; expected the complete file",
                       path);
    *bytes = part.all ? *bytes : part.bytes;
    return 0;
}

int build_evidence_read(const struct build *b, const char *path, const char *sha256,
                        struct arena *arena, struct bytes *out, char found[HASH_HEX_SIZE],
                        struct err *err)
{
    struct store_place at = store_place_of(b->project.store, b->project.root, path, sha256, arena);
    if (beneath_read(at.folder, at.path, ARCHIVE_PACKED_MAX, arena, out, err) < 0)
        return -1;
    hash_sha256(out->data, out->len, found);
    if (sha256 && strcmp(found, sha256) != 0)
        return err_set(err, ERR_INPUT, "%s: changed while it was being verified; build again",
                       path_join(arena, at.folder, at.path));
    return 0;
}

/* With a sum: what is published must be the bytes that were judged. */
int build_evidence_published(struct build *b, const char *path, const char *sha256,
                             struct arena *arena, struct bytes *out, struct err *err)
{
    char hex[HASH_HEX_SIZE];
    int rc = sha256 ? build_parts_read(b, sha256, arena, out, err) : 1;
    if (rc != 1)
        return rc;
    if (build_evidence_read(b, path, sha256, arena, out, hex, err) < 0)
        return -1;
    return sha256 ? 0 : swap_withheld(b, path, hex, arena, out, err);
}

/* Is what the last build wrote there known to be this? */
static bool is_piece_kept(const struct build *b, const struct piece *p)
{
    struct hash h;
    if (!p->sha256 || !b->reuse.od)
        return false;
    hash_init(&h);
    reuse_hash_text(&h, p->sha256);
    const struct reuse_key key = reuse_hash_final(&h);
    return reuse_keeps(&b->reuse.reuse, p->path, &key);
}

static int publish_piece(struct build *b, const struct piece *p, struct arena *arena,
                         struct err *err)
{
    struct bytes bytes;
    if (is_piece_kept(b, p))
        return 0;
    if (build_evidence_published(b, p->path, p->sha256, arena, &bytes, err) < 0)
        return -1;
    return b->emit(b->self, p->path, bytes.data, bytes.len, err);
}

static void name_sealed_scores(struct pieces *p, const struct mlperf_record *r)
{
    for (size_t i = 0; i < r->n_results; i++)
        if (r->results[i].seal && r->results[i].seal->there)
            name(p, r->results[i].evidence, r->results[i].evidence_sha256);
}

int build_evidence(struct build *b, struct err *err)
{
    struct arena list = ARENA_INIT;
    struct pieces p = {.arena = &list};
    int rc = 0;
    for (size_t i = 0; i < b->project.n_results; i++)
        name_all(&p, &b->verdicts[i]);
    for (size_t i = 0; i < b->project.n_mlperf_results; i++)
        name_sealed_scores(&p, &b->project.mlperf_results[i]);
    if (p.n)
        qsort(p.items, p.n, sizeof *p.items, compare_pieces);
    for (size_t i = 0; rc == 0 && i < p.n; i++) {
        struct arena one = ARENA_INIT;
        if (!i || strcmp(p.items[i].path, p.items[i - 1].path) != 0)
            rc = publish_piece(b, &p.items[i], &one, err);
        arena_release(&one);
    }
    arena_release(&list);
    return rc;
}
