#include "collector/store/redact.h"

#include "base/pack.h"
#include "base/process/worker.h"
#include "base/sealed/archive.h"
#include "base/sealed/submission.h"
#include "collector/store/files.h"

#include <fnmatch.h>
#include <string.h>

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
    struct diags found;
    diags_init(&found, t->arena);
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
    struct buf out;
    (void)i;
    buf_init(&out, ARCHIVE_PACKED_MAX);
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
