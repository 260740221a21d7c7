#include "verifier/runs.h"

#include "base/pack.h"
#include "base/store.h"
#include "base/submission.h"
#include "verifier/audit.h"
#include "verifier/kept.h"

#include <string.h>

#define RUN_ANSWER_MAX ((size_t)4 << 10)

struct finding {
    struct project *project;
    struct evidence **items; /* whose files are read */
    size_t n;
    struct err *err;
    int rc;
    struct kept kept; /* in a worker */
};

/* ---- which files ------------------------------------------------------------------------- */

static bool has_withdrawn(const struct store *s)
{
    for (size_t i = 0; s && i < s->log.n; i++)
        if (strcmp(s->log.entries[i].kind, STORE_WITHDRAWN) == 0)
            return true;
    return false;
}

static bool has_rival(const struct project *p, const struct result *r)
{
    size_t n;
    const struct result **all = project_case_results(p, r->case_id, &n);
    for (size_t i = 0; i < n; i++)
        if (all[i]->n_evidence && strcmp(all[i]->vendor, r->vendor) != 0)
            return true;
    return false;
}

static void name_evidence(struct finding *f, struct evidence *e, bool asked)
{
    const struct store *s = f->project->store;
    const struct store_item *item = s ? store_submission_of(&s->index, e->sha256) : NULL;
    if (item)
        e->run = item->submission;
    else if (asked)
        *(struct evidence **)ARENA_PUSH(f->project->arena, f->items, f->n) = e;
}

static void name_all(struct finding *f)
{
    struct project *p = f->project;
    bool all = has_withdrawn(p->store);
    for (size_t i = 0; i < p->n_results; i++) {
        struct result *r = &p->results[i];
        bool asked = r->n_evidence && (all || has_rival(p, r));
        for (size_t k = 0; k < r->n_evidence && k < AUDIT_EVIDENCE_MAX; k++)
            name_evidence(f, &r->evidence[k], asked);
    }
}

/* ---- in the worker ----------------------------------------------------------------------- */

static void read_one(void *context, size_t i, struct worker *w)
{
    struct finding *f = context;
    const struct project *p = f->project;
    const struct evidence *e = f->items[i];
    f->kept = (struct kept){.worker = w};
    kept_read(&f->kept, e->archive,
              store_place_of(p->store, p->root, e->archive, e->sha256, &w->arena), &w->arena);
    w->packed = f->kept.total;
    pack_text(&w->head, f->kept.files->fault == ERR_IO ? f->kept.files->why : NULL);
}

static void look(void *context, size_t i, struct worker *w)
{
    struct finding *f = context;
    const struct kept_file *file = kept_find(&f->kept, f->items[i]->archive, &w->arena);
    struct submission s;
    struct diags ignored;
    diags_init(&ignored, &w->arena);
    bool opened =
        !file->why && submission_open_bytes(file->bytes, file->path, &w->arena, &s, &ignored) == 0;
    pack_text(&w->answer, opened ? s.id : "");
}

/* ---- here -------------------------------------------------------------------------------- */

static void take_id(struct finding *f, struct evidence *e, struct bytes in)
{
    struct unpack u = unpack_answer(in.data, in.len);
    const char *id = unpack_text(&u);
    if (unpack_end(&u) && id && strlen(id) == HASH_HEX_SIZE - 1 &&
        strspn(id, "0123456789abcdef") == HASH_HEX_SIZE - 1)
        e->run = arena_strdup(f->project->arena, id);
}

/* A file that hurts its reader has no run, and no verdict that it could do any good to. */
static bool take(void *context, size_t i, const struct worker_end *end)
{
    struct finding *f = context;
    struct unpack head = {.at = end->head.data, .end = end->head.data + end->head.len};
    const char *machine = end->outcome == WORKER_MACHINE ? end->why
                          : end->head.len                ? unpack_text(&head)
                                                         : NULL;
    if (machine && f->rc == 0)
        f->rc = err_set(f->err, ERR_IO, "%s: %s", f->items[i]->archive, machine);
    if (end->outcome == WORKER_ANSWERED)
        take_id(f, f->items[i], end->answer);
    return false;
}

int runs_find(struct project *p, struct err *err)
{
    struct finding f = {.project = p, .err = err};
    const struct worker_crew crew = {
        .context = &f, .read = read_one, .work = look, .take = take, .answer_max = RUN_ANSWER_MAX};
    name_all(&f);
    worker_each(&crew, f.n);
    return f.rc;
}
