#include "collector/store/files.h"

#include "base/files/file.h"
#include "base/foreign.h"
#include "base/pack.h"
#include "base/process/worker.h"
#include "base/sealed/archive.h"
#include "base/text.h"
#include "collector/store/withheld.h"

#include <stdlib.h>
#include <string.h>

#define NAMED_MOST 20
#define LINE_LEAST (HASH_HEX_SIZE + 1) /* of a sum and a name, packed */

int store_files_object(const struct store *s, const struct store_item *item, struct arena *own,
                       struct bytes *packed, struct err *err)
{
    char hex[HASH_HEX_SIZE];
    const char *path = store_object_path(s->root, item->object, own);
    if (file_read(path, ARCHIVE_PACKED_MAX, own, packed, err) < 0)
        return -1;
    hash_sha256(packed->data, packed->len, hex);
    if (strcmp(hex, item->object) != 0)
        return err_set(err, ERR_INPUT,
                       "%s: the bytes of this object were changed; `fpreport fsck` shows the "
                       "details",
                       path);
    return 0;
}

/* ---- what is in it ----------------------------------------------------------------------- */

struct looking {
    struct arena *arena;
    const char *path;
    struct bytes packed;
    struct store_files *out;
    struct err *err;
    int rc;
};

static void look_work(void *context, size_t i, struct worker *w)
{
    const struct looking *l = context;
    struct submission sub;
    struct diags found;
    (void)i;
    diags_init(&found, &w->arena);
    bool whole =
        submission_open_bytes(l->packed, l->path, &w->arena, &sub, &found) == 0 && sub.intact;
    pack_text(&w->answer, whole ? NULL : found.n ? found.items[0].message : "is not intact");
    pack_number(&w->answer, whole ? sub.n_sums : 0);
    for (size_t k = 0; whole && k < sub.n_sums; k++) {
        pack_text(&w->answer, sub.sums[k].sha256);
        pack_text(&w->answer, sub.sums[k].path);
    }
}

/* In their order, and such as may be in an archive: the log takes these names. */
static bool take_files(struct looking *l, struct bytes in)
{
    struct unpack u = unpack_answer(in.data, in.len);
    const char *fault = unpack_text(&u);
    size_t n = unpack_list(&u, LINE_LEAST, ARCHIVE_ENTRIES_MAX, sizeof(struct submission_sum));
    struct submission_sum *items = arena_array(l->arena, n, sizeof *items);
    for (size_t i = 0; i < n && !u.bad; i++) {
        const char *sha256 = unpack_text(&u), *name = unpack_text(&u);
        if (!sha256 || !name || !hash_is_hex(sha256) || foreign_name_problem(name) ||
            submission_is_outside(name) || (i && strcmp(items[i - 1].path, name) >= 0))
            return false;
        items[i] =
            (struct submission_sum){arena_strdup(l->arena, sha256), arena_strdup(l->arena, name)};
    }
    if (!unpack_end(&u) || (fault && n))
        return false;
    *l->out = (struct store_files){items, n};
    l->rc = fault ? err_set(l->err, ERR_INPUT, "%s: %s", l->path, fault) : 0;
    return true;
}

static bool look_take(void *context, size_t i, const struct worker_end *end)
{
    struct looking *l = context;
    (void)i;
    if (end->outcome == WORKER_ANSWERED && take_files(l, end->answer))
        return false;
    l->rc = worker_fault(end, l->path, l->err);
    return false;
}

int store_files_read(const struct store *s, const struct store_item *item, struct store_files *out,
                     struct arena *arena, struct err *err)
{
    struct arena own = ARENA_INIT;
    struct looking l = {.arena = arena,
                        .path = store_object_path(s->root, item->object, arena),
                        .out = out,
                        .err = err};
    *out = (struct store_files){NULL, 0};
    l.rc = store_files_object(s, item, &own, &l.packed, err);
    const struct worker_crew crew = {
        .context = &l, .packed = l.packed.len, .work = look_work, .take = look_take};
    if (l.rc == 0)
        worker_each(&crew, 1);
    arena_release(&own);
    return l.rc;
}

/* ---- names ------------------------------------------------------------------------------- */

const char *store_files_names(const char *const *names, size_t n, struct arena *arena)
{
    const char *list = !n ? "" : text_list(arena, names, n < NAMED_MOST ? n : NAMED_MOST);
    return n <= NAMED_MOST ? list : arena_printf(arena, "%s and %zu more", list, n - NAMED_MOST);
}

/* ---- published again --------------------------------------------------------------------- */

int store_files_again(const struct store *s, const struct store_item *item,
                      const struct store_files *files, const char *const *withheld,
                      size_t n_withheld, bool *again, struct arena *arena, struct err *err)
{
    struct withheld held;
    withheld_begin(&held, s, arena);
    /* Those about other runs: what one about this run withholds is in the log, or is all of it. */
    size_t n = 0;
    for (size_t i = 0; i < held.n_decisions; i++)
        if (strcmp(held.decisions[i]->submission, item->submission) != 0)
            held.decisions[n++] = held.decisions[i];
    held.n_decisions = n;
    if (withheld_open(&held, arena, err) < 0)
        return -1;
    const struct store_entry *own = withheld_decision(&held, item->object, item->submission);
    for (size_t i = 0; i < files->n; i++) {
        const struct submission_sum *f = &files->items[i];
        bool next =
            n_withheld && bsearch(&f->path, withheld, n_withheld, sizeof *withheld, text_by_bytes);
        again[i] = again[i] || (!next && withheld_by(&held, own, f->path, f->sha256));
    }
    return 0;
}
