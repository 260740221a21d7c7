#include "collector/store/redact.h"

#include "base/files/file.h"
#include "base/foreign.h"
#include "base/pack.h"
#include "base/process/worker.h"
#include "base/sealed/archive.h"
#include "base/text.h"
#include "collector/store/withheld.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#define NAMED_MOST 20
#define LINE_LEAST (HASH_HEX_SIZE + 1) /* of a sum and a name, packed */

/* The file of a submission as it came: the bytes that the log names. In the arena `own`. */
static int store_files_object(const struct store *s, const struct store_item *item,
                              struct arena *own, struct bytes *packed, struct err *err)
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
    struct diags found = DIAGS_INIT(&w->arena);
    (void)i;
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

struct redacting {
    const struct store_redaction *of;
    const char *path; /* of the object */
    struct bytes packed;
    struct store_redacted *out;
    struct arena *arena;
    struct err *err;
    int rc;
};

bool store_redaction_fits(const struct store_redaction *of, const char *path)
{
    for (int i = 0; i < of->n_patterns; i++)
        if (fnmatch(of->patterns[i], path, 0) == 0)
            return true;
    return false;
}

/* ---- in the worker ----------------------------------------------------------------------- */

struct taking {
    const struct redacting *r;
    struct arena *arena;
    const char **names;
    size_t n;
    bool stated;
};

static bool withholds(void *self, const char *path)
{
    struct taking *t = self;
    bool found = t->r->of->n_patterns == 0 || store_redaction_fits(t->r->of, path);
    if (found)
        *(const char **)ARENA_PUSH(t->arena, t->names, t->n) = path;
    return found;
}

static int redact_in_worker(struct taking *t, struct buf *out, struct err *err)
{
    struct submission sub;
    struct diags found = DIAGS_INIT(t->arena);
    if (submission_open_bytes(t->r->packed, t->r->path, t->arena, &sub, &found) < 0 || !sub.intact)
        return err_set(err, ERR_INPUT, "%s: %s", t->r->path,
                       found.n ? found.items[0].message : "is not intact");
    t->stated = submission_file(&sub, SUBMISSION_STATEMENT);
    return submission_redact(&sub, withholds, t, t->arena, out, err);
}

static void redact_work(void *context, size_t i, struct worker *w)
{
    struct taking t = {.r = context, .arena = &w->arena};
    struct err err = ERR_INIT;
    struct buf out = BUF_INIT(ARCHIVE_PACKED_MAX);
    (void)i;
    int rc = redact_in_worker(&t, &out, &err);
    pack_number(&w->answer, rc < 0 ? (uint64_t)err.kind : 0);
    pack_text(&w->answer, rc < 0 ? err.text : NULL);
    pack_number(&w->answer, t.stated);
    pack_number(&w->answer, t.n);
    for (size_t k = 0; k < t.n; k++)
        pack_text(&w->answer, t.names[k]);
    pack_number(&w->answer, rc < 0 ? 0 : out.len);
    if (rc == 0)
        pack_bytes(&w->answer, out.data, out.len);
    buf_release(&out);
}

/* ---- here -------------------------------------------------------------------------------- */

/* With patterns those that fit, which the log takes; else all, which it does not. */
static bool take_names(struct redacting *r, struct unpack *u)
{
    struct store_redacted *out = r->out;
    out->n = unpack_list(u, 2, ARCHIVE_ENTRIES_MAX, sizeof *out->names);
    out->names = arena_array(r->arena, out->n, sizeof *out->names);
    for (size_t i = 0; i < out->n && !u->bad; i++) {
        const char *name = unpack_text(u);
        if (!name ||
            (r->of->n_patterns && (i == r->of->n_fitting || strcmp(r->of->fitting[i], name) != 0)))
            return false;
        out->names[i] = arena_strdup(r->arena, name);
    }
    return !u->bad;
}

static bool take_redacted(struct redacting *r, struct bytes in)
{
    struct unpack u = unpack_answer(in.data, in.len);
    uint64_t kind = unpack_number(&u);
    const char *text = unpack_text(&u);
    uint64_t stated = unpack_number(&u);
    if (kind > ERR_UNKNOWN || (kind && !text) || stated > 1 || !take_names(r, &u))
        return false;
    r->out->stated = stated;
    size_t len = (size_t)unpack_number(&u);
    const void *data = unpack_bytes(&u, len);
    if (!unpack_end(&u) || len > ARCHIVE_PACKED_MAX || (!kind && (!len || !r->out->n)) ||
        (!kind && r->of->n_patterns && r->out->n != r->of->n_fitting))
        return false;
    r->rc = kind ? err_set(r->err, (enum err_kind)kind, "%s", text) : 0;
    if (!kind)
        buf_add(r->out->packed, data, len);
    return true;
}

static bool redact_take(void *context, size_t i, const struct worker_end *end)
{
    struct redacting *r = context;
    (void)i;
    if (end->outcome == WORKER_ANSWERED && take_redacted(r, end->answer))
        return false;
    r->rc = worker_fault(end, r->path, r->err);
    return false;
}

int store_redact(const struct store *s, const struct store_item *item,
                 const struct store_redaction *of, struct arena *arena, struct store_redacted *out,
                 struct err *err)
{
    struct arena own = ARENA_INIT;
    struct redacting r = {.of = of,
                          .path = store_object_path(s->root, item->object, arena),
                          .out = out,
                          .arena = arena,
                          .err = err};
    r.rc = store_files_object(s, item, &own, &r.packed, err);
    const struct worker_crew crew = {
        .context = &r, .packed = r.packed.len, .work = redact_work, .take = redact_take};
    if (r.rc == 0)
        worker_each(&crew, 1);
    arena_release(&own);
    return r.rc;
}

/* ---- what the log says of it -------------------------------------------------------------- */

bool store_is_overtaken(const struct store *s, const struct store_entry *last,
                        const char *submission)
{
    for (size_t i = last ? (size_t)last->line : 0; i < s->log.n; i++) {
        const struct store_entry *e = &s->log.entries[i];
        if (strcmp(e->kind, STORE_REDACTION) == 0 && strcmp(e->submission, submission) != 0)
            return true;
    }
    return false;
}

const struct store_item *store_came_with(const struct store *s, const struct store_entry *added,
                                         const char *submission)
{
    if (strcmp(added->kind, STORE_ADDED) != 0 || strcmp(added->submission, submission) != 0)
        return NULL;
    const struct store_item *item = store_submission_of(&s->index, added->object);
    return item && item->added->line == added->line ? item : NULL;
}
