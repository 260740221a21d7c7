#include "verifier/runs.h"

#include "base/pack.h"
#include "base/signers.h"
#include "base/sshsig.h"
#include "base/statement.h"
#include "base/store.h"
#include "base/submission.h"
#include "verifier/audit.h"
#include "verifier/kept.h"
#include "verifier/pack_values.h"

#include <stdlib.h>
#include <string.h>

#define RUN_ANSWER_MAX ((size_t)4 << 20) /* 20,000 sums and their lengths */

struct named {
    struct evidence *evidence;
    const char *vendor;
    bool rival; /* another's result of the case has evidence */
    bool known; /* the log says whose run it is */
};

struct finding {
    struct project *project;
    const char *records; /* that paths of evidence are below */
    struct named *items; /* whose files are read */
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

static void name_evidence(struct finding *f, struct evidence *e, struct named of, bool asked)
{
    const struct store *s = f->project->store;
    const struct store_item *item = s ? store_submission_of(&s->index, e->sha256) : NULL;
    of.evidence = e;
    of.known = item != NULL;
    if (item) {
        e->run = item->submission;
        e->own = item->added->signer && strcmp(item->added->signer, of.vendor) == 0;
    }
    if (of.rival || (asked && !item))
        *(struct named *)ARENA_PUSH(f->project->arena, f->items, f->n) = of;
}

static void name_all(struct finding *f, struct result *results, size_t n)
{
    struct project *p = f->project;
    bool all = has_withdrawn(p->store);
    for (size_t i = 0; i < n; i++) {
        struct result *r = &results[i];
        const struct named of = {.vendor = r->vendor, .rival = r->n_evidence && has_rival(p, r)};
        for (size_t k = 0; k < r->n_evidence && k < AUDIT_EVIDENCE_MAX; k++)
            name_evidence(f, &r->evidence[k], of, all);
    }
}

/* ---- in the worker ----------------------------------------------------------------------- */

static void read_one(void *context, size_t i, struct worker *w)
{
    struct finding *f = context;
    const struct project *p = f->project;
    const struct evidence *e = f->items[i].evidence;
    f->kept = (struct kept){.worker = w};
    kept_read(&f->kept, e->archive,
              store_place_of(p->store, f->records, e->archive, e->sha256, &w->arena), &w->arena);
    w->packed = f->kept.total;
    pack_text(&w->head, f->kept.files->fault == ERR_IO ? f->kept.files->why : NULL);
}

static bool is_own(const struct project *p, const struct submission *s, const char *vendor,
                   struct arena *arena)
{
    const struct bytes *statement = submission_file(s, SUBMISSION_STATEMENT);
    const struct bytes *armour = submission_file(s, SUBMISSION_SIGNATURE);
    const struct signers *signers = p->signers;
    struct err ignored = ERR_INIT;
    struct sshsig sig;
    const char *why;
    if (!signers || !s->intact || !statement || !armour ||
        sshsig_parse(*armour, arena, &sig, &ignored) < 0 ||
        !sshsig_holds(&sig, SSHSIG_SUBMISSION, *statement))
        return false;
    const struct signers_question q = {.key = &sig.key,
                                       .principal = vendor,
                                       .namespace = SSHSIG_SUBMISSION,
                                       .at = signers->at ? signers->at
                                             : signers->otherwise
                                                 ? signers->otherwise
                                                 : statement_finished(*statement, arena)};
    return signers_find(signers, &q, arena, &why) != NULL;
}

static void look(void *context, size_t i, struct worker *w)
{
    struct finding *f = context;
    const struct kept_file *file = kept_find(&f->kept, f->items[i].evidence->archive, &w->arena);
    struct submission s;
    struct diags ignored;
    diags_init(&ignored, &w->arena);
    bool opened =
        !file->why && submission_open_bytes(file->bytes, file->path, &w->arena, &s, &ignored) == 0;
    pack_text(&w->answer, opened ? s.id : "");
    pack_number(&w->answer, opened && is_own(f->project, &s, f->items[i].vendor, &w->arena));
    size_t n = opened && s.intact && f->items[i].rival ? s.n_sums : 0;
    pack_number(&w->answer, n);
    for (size_t k = 0; k < n; k++)
        pack_text(&w->answer, s.sums[k].sha256);
}

/* ---- here -------------------------------------------------------------------------------- */

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void take_sums(struct finding *f, struct evidence *e, struct unpack *u)
{
    size_t n = unpack_list(u, HASH_HEX_SIZE, ARCHIVE_ENTRIES_MAX, sizeof *e->sums + HASH_HEX_SIZE);
    const char **sums = arena_array(f->project->arena, n, sizeof *sums);
    for (size_t i = 0; i < n; i++) {
        const char *sum = unpack_text(u);
        if (!hash_is_hex(sum))
            return;
        sums[i] = arena_strdup(f->project->arena, sum);
    }
    if (n > 1)
        qsort(sums, n, sizeof *sums, by_text);
    e->sums = sums;
    e->n_sums = n;
}

static void take_answer(struct finding *f, const struct named *of, struct bytes in)
{
    struct unpack u = unpack_answer(in.data, in.len);
    const char *id = unpack_text(&u);
    bool own = unpack_number(&u) == 1;
    take_sums(f, of->evidence, &u);
    if (!unpack_end(&u) || of->known)
        return;
    of->evidence->own = own;
    if (hash_is_hex(id))
        of->evidence->run = arena_strdup(f->project->arena, id);
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
        f->rc = err_set(f->err, ERR_IO, "%s: %s", f->items[i].evidence->archive, machine);
    if (end->outcome == WORKER_ANSWERED)
        take_answer(f, &f->items[i], end->answer);
    return false;
}

static int find(struct project *p, struct result *results, size_t n, const char *records,
                struct err *err)
{
    struct finding f = {.project = p, .records = records, .err = err};
    const struct worker_crew crew = {
        .context = &f, .read = read_one, .work = look, .take = take, .answer_max = RUN_ANSWER_MAX};
    name_all(&f, results, n);
    worker_each(&crew, f.n);
    return f.rc;
}

int runs_find(struct project *p, struct err *err)
{
    return find(p, p->results, p->n_results, p->root, err);
}

int runs_find_of(struct project *p, struct result *r, const char *records, struct err *err)
{
    return find(p, r, 1, records, err);
}
