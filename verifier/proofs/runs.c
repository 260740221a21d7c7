#include "verifier/proofs/runs.h"

#include "base/sealed/statement.h"
#include "base/sealed/submission.h"
#include "base/signing/signers.h"
#include "base/signing/sshsig.h"
#include "base/store/store.h"
#include "verifier/claims/audit.h"
#include "verifier/proofs/rivals.h"
#include "verifier/runs/read_ahead.h"

#include <stdlib.h>

static void add(struct sketch *s, enum sketch_series which, double value, struct arena *arena)
{
    if (s->series[which].n < SKETCH_MAX && isfinite(value))
        *(double *)ARENA_PUSH(arena, s->series[which].values, s->series[which].n) = value;
}

static void take_samples(struct sketch *s, enum sketch_series which, const struct samples *from,
                         struct arena *arena)
{
    if (!s->series[which].n)
        for (size_t i = 0; i < from->n; i++)
            add(s, which, from->value[i], arena);
}

void sketch_make(const struct run_log *log, const struct run_monitor *const *monitors, size_t n,
                 struct arena *arena, struct sketch *out)
{
    for (size_t i = 0; log && i < log->log.n_points; i++) {
        const struct log_point *x = &log->log.points[i];
        if (x->rank != log->log.points[0].rank)
            continue;
        add(out, SKETCH_TIMES, x->seconds, arena);
        add(out, SKETCH_LOSSES, x->loss > 0 ? log10(x->loss) : NAN, arena);
    }
    for (size_t i = 0; i < n; i++) {
        const struct monitor *m = &monitors[i]->monitor;
        if (m->kind && m->kind[0] == 'c' && m->kind[1] == 'p' && !m->n_cards)
            take_samples(out, SKETCH_CPU, &m->series.points, arena);
        if (m->n_cards)
            take_samples(out, SKETCH_WATTS, &m->cards[0].watts.points, arena);
    }
}

static void sketch_of_tree(const struct run_tree *t, struct arena *arena, struct sketch *out)
{
    const struct run_log **logs = arena_array(arena, t->n_logs, sizeof *logs);
    const struct run_monitor **monitors = arena_array(arena, t->n_monitors, sizeof *monitors);
    for (size_t i = 0; i < t->n_logs; i++)
        logs[i] = &t->logs[i];
    for (size_t i = 0; i < t->n_monitors; i++)
        monitors[i] = &t->monitors[i];
    sketch_make(run_log_main(logs, t->n_logs), monitors, t->n_monitors, arena, out);
}

static void sketch_pack(const struct sketch *s, struct buf *out)
{
    for (size_t i = 0; i < SKETCH_SERIES; i++) {
        pack_number(out, s->series[i].n);
        pack_bytes(out, s->series[i].values, s->series[i].n * sizeof(double));
    }
}

static void sketch_unpack(struct sketch *s, struct arena *arena, struct unpack *u)
{
    for (size_t i = 0; i < SKETCH_SERIES; i++) {
        size_t n = unpack_list(u, sizeof(double), SKETCH_MAX, sizeof(double));
        const void *values = unpack_bytes(u, n * sizeof(double));
        s->series[i].n = values ? n : 0;
        s->series[i].values = arena_copy(arena, values, s->series[i].n, sizeof(double));
    }
}

struct likeness sketch_likeness(const struct sketch *a, const struct sketch *b,
                                enum sketch_series which, struct arena *scratch)
{
    const struct series x = {a->series[which].values, a->series[which].n};
    const struct series y = {b->series[which].values, b->series[which].n};
    return series_likeness(x, y, which != SKETCH_TIMES, scratch);
}

#define RUN_ANSWER_MAX ((size_t)4 << 20) /* 20,000 sums and their lengths */

struct named {
    struct evidence *evidence;
    const struct result *of;
    const char *records; /* that its path is below */
    bool rival;          /* another's result of the case has evidence */
    bool known;          /* the log says whose run it is */
};

struct finding {
    struct project *project;
    struct named *items; /* whose files are read */
    size_t n;
    struct rivals *rivals; /* their files */
    struct arena *arena;   /* for these */
    struct err *err;
    int rc;
    struct read_ahead read_ahead; /* in a worker */
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
    for (size_t i = 0; r->n_evidence && i < n; i++)
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
        e->own = item->added->signer && strcmp(item->added->signer, of.of->vendor) == 0;
    }
    if (of.rival || (asked && !item))
        *(struct named *)ARENA_PUSH(f->project->arena, f->items, f->n) = of;
}

static void name_result(struct finding *f, struct result *r, const char *records, bool rival,
                        bool asked)
{
    const struct named of = {.of = r, .records = records, .rival = rival};
    for (size_t k = 0; k < r->n_evidence && k < AUDIT_EVIDENCE_MAX; k++)
        name_evidence(f, &r->evidence[k], of, asked);
}

static bool is_whole(const struct rivals *all, const char *case_id)
{
    for (size_t i = 0; i < all->n_whole; i++)
        if (strcmp(all->whole[i], case_id) == 0)
            return true;
    return false;
}

/* What only one vendor's results have was dropped: a record that comes later may have it, too. */
static void name_case(struct finding *f, const struct result *r)
{
    struct project *p = f->project;
    if (!has_rival(p, r) || is_whole(&p->rivals, r->case_id))
        return;
    *(const char **)ARENA_PUSH(p->arena, p->rivals.whole, p->rivals.n_whole) = r->case_id;
    for (size_t i = 0; i < p->n_results; i++)
        if (strcmp(p->results[i].case_id, r->case_id) == 0)
            name_result(f, &p->results[i], p->root, true, false);
}

/* ---- in the worker ----------------------------------------------------------------------- */

static void read_evidence_file(void *context, size_t i, struct worker *w)
{
    struct finding *f = context;
    const struct project *p = f->project;
    const struct evidence *e = f->items[i].evidence;
    f->read_ahead = (struct read_ahead){.worker = w};
    read_ahead_add(&f->read_ahead, e->archive,
                   store_place_of(p->store, f->items[i].records, e->archive, e->sha256, &w->arena),
                   &w->arena);
    w->packed = f->read_ahead.total;
    struct err err = ERR_INIT;
    bool of_machine =
        f->read_ahead.files->fault == ERR_IO && read_ahead_fault(f->read_ahead.files, &err) < 0;
    pack_text(&w->head, of_machine ? err.text : NULL);
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

/* What tells the run from others, of a file that is whole. */
static void sketch_submission(const struct submission *s, const char *path, struct arena *arena,
                              struct sketch *out)
{
    struct run_file *files = arena_array(arena, s->n, sizeof *files);
    struct run_tree tree;
    struct diags ignored = DIAGS_INIT(arena);
    for (size_t i = 0; i < s->n; i++)
        files[i] = (struct run_file){s->files[i].name, s->files[i].bytes};
    run_tree_read(path, files, s->n, arena, &ignored, &tree);
    sketch_of_tree(&tree, arena, out);
}

static void look_at_evidence(void *context, size_t i, struct worker *w)
{
    struct finding *f = context;
    const struct read_ahead_file *file =
        read_ahead_find(&f->read_ahead, f->items[i].evidence->archive, &w->arena);
    struct submission s;
    struct diags ignored = DIAGS_INIT(&w->arena);
    bool opened =
        !file->why && submission_open_bytes(file->bytes, file->path, &w->arena, &s, &ignored) == 0;
    pack_text(&w->answer, opened ? s.id : "");
    pack_number(&w->answer, opened && is_own(f->project, &s, f->items[i].of->vendor, &w->arena));
    struct sketch sketched = {.result = NULL};
    size_t n = opened && s.intact && f->items[i].rival ? s.n_sums : 0;
    if (n)
        sketch_submission(&s, file->path, &w->arena, &sketched);
    sketch_pack(&sketched, &w->answer);
    pack_number(&w->answer, n);
    for (size_t k = 0; k < n; k++)
        pack_text(&w->answer, s.sums[k].sha256);
}

/* ---- here -------------------------------------------------------------------------------- */

static void take_found_runs(struct finding *f, size_t item, struct bytes in)
{
    const struct named *of = &f->items[item];
    struct unpack u = unpack_answer(in.data, in.len);
    const char *id = unpack_text(&u);
    bool own = unpack_number(&u) == 1;
    struct sketch sketched = {.result = of->of, .evidence = of->evidence};
    sketch_unpack(&sketched, f->project->arena, &u);
    const struct rival rival = {.place = (uint32_t)(f->rivals->n_places + item),
                                .result = of->of,
                                .evidence = of->evidence};
    if (!rivals_take(f->rivals, rival, &u, f->arena))
        return;
    if (of->rival)
        *(struct sketch *)ARENA_PUSH(f->project->arena, f->rivals->sketches,
                                     f->rivals->n_sketches) = sketched;
    if (of->known)
        return;
    of->evidence->own = own;
    if (hash_is_hex(id))
        of->evidence->run = arena_strdup(f->project->arena, id);
}

/* A file that hurts its reader has no run, and no verdict that it could do any good to. */
static bool take_run_answer(void *context, size_t i, const struct worker_end *end)
{
    struct finding *f = context;
    struct unpack head = {.at = end->head.data, .end = end->head.data + end->head.len};
    const char *machine = end->outcome == WORKER_MACHINE ? end->why
                          : end->head.len                ? unpack_text(&head)
                                                         : NULL;
    if (machine && f->rc == 0)
        f->rc = err_set(f->err, ERR_IO, "%s: %s", f->items[i].evidence->archive, machine);
    if (end->outcome == WORKER_ANSWERED)
        take_found_runs(f, i, end->answer);
    return false;
}

static int find_proof_runs(struct finding *f)
{
    const struct worker_crew crew = {.context = f,
                                     .read = read_evidence_file,
                                     .work = look_at_evidence,
                                     .take = take_run_answer,
                                     .answer_max = RUN_ANSWER_MAX};
    size_t sorted = f->rivals->n;
    worker_each(&crew, f->n);
    rivals_sort(f->rivals, sorted);
    f->rivals->n_places += f->n;
    return f->rc;
}

int runs_find(struct project *p, struct err *err)
{
    struct arena own = ARENA_INIT;
    struct finding f = {.project = p, .rivals = &p->rivals, .arena = &own, .err = err};
    bool all = has_withdrawn(p->store);
    p->rivals = (struct rivals){0};
    for (size_t i = 0; i < p->n_results; i++)
        name_result(&f, &p->results[i], p->root, has_rival(p, &p->results[i]), all);
    int rc = find_proof_runs(&f);
    rivals_keep_shared(&p->rivals, p->arena);
    arena_release(&own);
    return rc;
}

int runs_find_of(struct project *p, struct result *r, const char *records, struct err *err)
{
    struct finding f = {.project = p, .rivals = &p->rivals, .arena = p->arena, .err = err};
    name_case(&f, r);
    name_result(&f, r, records, has_rival(p, r), has_withdrawn(p->store));
    return find_proof_runs(&f);
}
