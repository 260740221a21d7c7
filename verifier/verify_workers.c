/* verify_result, verify_archive and verify_some: what looks into evidence does so in a worker of
 * its own (base/process/worker.h), one for each result or submission; the rest is done here, on all
 * cores.
 */
#include "base/files/file.h"
#include "base/parallel.h"
#include "verifier/checks/rules.h"
#include "verifier/proofs/checkout.h"
#include "verifier/proofs/proof.h"
#include "verifier/proofs/reproduction.h"
#include "verifier/runs/read_ahead.h"
#include "verifier/verdicts/shape.h"
#include "verifier/verify.h"
#include "verifier/verify_parts.h"

#include <string.h>

/* One verification. */
struct job {
    const struct result *result; /* NULL: a submission by itself */
    const char *file, *records;
    struct verdict *out;
    struct err *err; /* of a submission by itself */
    int rc;
    verify_look *look; /* NULL; reads as much again as the rules do */
    const char *said;
    /* The file that a worker did not come back from, and why; WORKER_NOWHERE: none. */
    size_t refused;
    const char *why;
};

struct verify_jobs {
    const struct project *project;
    const struct rules *rules;
    struct job *jobs;
    struct arena *arena; /* the caller's */
    struct audit audit;  /* in a worker, or for what is refused */
    struct read_ahead read_ahead;
};

static struct audit audit_of(const struct verify_jobs *x, const struct job *job,
                             struct arena *arena)
{
    return (struct audit){.project = x->project,
                          .rules = x->rules,
                          .sealed_only = rules_sealed(x->rules),
                          .result = job->result,
                          .file = job->file,
                          .records = job->records,
                          .arena = arena,
                          .verdict = job->out};
}

/* ---- which files ------------------------------------------------------------------------- */

typedef void each_file(void *self, const char *path, struct store_place there);

/* Below the records; what a SHA-256 is known of may be in the archive of submissions instead. */
static void name_file(const struct audit *a, const char *archive, const char *sha256,
                      each_file *each, void *self)
{
    each(self, path_join(a->arena, a->records, archive),
         store_place_of(a->project->store, a->records, archive, sha256, a->arena));
}

static void name_reference(const struct audit *a, const struct case_record *c, each_file *each,
                           void *self)
{
    if (c && c->alignment && c->alignment->reference)
        name_file(a, c->alignment->reference, NULL, each, self);
}

/* Of a submission by itself it is not known yet which case it is of. */
static void name_files(const struct audit *a, each_file *each, void *self)
{
    const struct result *r = a->result;
    if (!r)
        each(self, a->file, (struct store_place){.path = a->file});
    for (size_t i = 0; !r && i < a->project->n_cases; i++)
        name_reference(a, &a->project->cases[i], each, self);
    if (!r)
        return;
    for (size_t i = 0; i < r->n_evidence && i < AUDIT_EVIDENCE_MAX; i++)
        name_file(a, r->evidence[i].archive, r->evidence[i].sha256, each, self);
    name_reference(a, a->kase, each, self);
    for (size_t i = 0; i < a->n_stated; i++)
        name_file(a, a->stated[i]->archive, a->stated[i]->sha256, each, self);
}

/* ---- in the worker ----------------------------------------------------------------------- */

struct reading {
    struct verify_jobs *x;
    const struct job *job;
    struct worker *worker;
};

static void read_named_file(void *self, const char *path, struct store_place there)
{
    struct reading *r = self;
    struct read_ahead *k = &r->x->read_ahead;
    if (k->n == r->job->refused)
        read_ahead_refuse(k, path, ERR_INPUT,
                          sentence_carry(&r->worker->arena, r->x->arena, r->job->why),
                          &r->worker->arena);
    else
        read_ahead_add(k, path, there, &r->worker->arena);
}

/* What is known before anything is looked at: the first file that this machine could not read, and
 * the sums of those that are named first, which are the evidence. */
static void note_read_files(const struct read_ahead *k, const char *machine, struct buf *out)
{
    struct err err = ERR_INIT;
    for (size_t i = 0; i < k->n && !machine; i++)
        if (k->files[i].fault == ERR_IO && read_ahead_fault(&k->files[i], &err) < 0)
            machine = err.text;
    pack_text(out, machine);
    for (size_t i = 0; i < k->n && i < AUDIT_EVIDENCE_MAX; i++)
        pack_text(out, k->files[i].sha256);
}

static void read_named_files(void *context, size_t i, struct worker *w)
{
    struct verify_jobs *x = context;
    struct reading r = {x, &x->jobs[i], w};
    x->audit = audit_of(x, r.job, &w->arena);
    x->read_ahead = (struct read_ahead){.worker = w};
    verify_begin(&x->audit);
    name_files(&x->audit, read_named_file, &r);
    x->audit.checkout = x->audit.result ? checkout_keep(&x->audit) : NULL;
    x->audit.read_ahead = &x->read_ahead;
    w->packed = x->read_ahead.total;
    note_read_files(&x->read_ahead, x->audit.verdict->machine, &w->head); /* of a checkout */
    if (r.job->look)
        w->cpu_seconds += WORKER_CPU_SECONDS;
}

static void answer_with_verdict(void *context, size_t i, struct worker *w)
{
    struct verify_jobs *x = context;
    struct err err = ERR_INIT;
    int rc = verify_finish(&x->audit, &err);
    pack_number(&w->answer, (uint64_t)err.kind);
    if (rc < 0) {
        pack_text(&w->answer, err.text);
        return;
    }
    if (x->jobs[i].look) {
        verify_look *look = x->jobs[i].look;
        struct buf said = BUF_INIT(VERIFY_SAID_MAX);
        look(&x->audit.proofs[0].submission, &said);
        pack_text(&w->answer, said.data);
        buf_release(&said);
    }
    shape_hand_on(&verdict_shape, x->audit.verdict, &w->answer);
}

/* ---- here -------------------------------------------------------------------------------- */

struct noted {
    const char *machine;                  /* NULL: every file could be read */
    const char *sums[AUDIT_EVIDENCE_MAX]; /* of each file once, in the order of its name; NULL */
};

static struct noted noted_before(struct bytes head)
{
    struct unpack u = {.at = head.data, .end = head.data + head.len};
    struct noted noted = {.machine = unpack_text(&u)};
    for (size_t i = 0; i < AUDIT_EVIDENCE_MAX && u.at < u.end && !u.bad; i++) {
        const char *sum = unpack_text(&u);
        noted.sums[i] = sum && *sum ? sum : NULL;
    }
    return noted;
}

/* A file that is named again is kept once. */
static const char *next_sum(const struct noted *noted, size_t *files,
                            const struct verdict_evidence *list, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (strcmp(list[k].archive, list[i].archive) == 0)
            return list[k].sha256;
    return noted->sums[(*files)++];
}

/* What the answer has to be about. */
static size_t list_evidence(const struct job *job, const struct verify_jobs *x,
                            const struct noted *noted, struct arena *arena,
                            struct verdict_evidence **out)
{
    const struct result *r = job->result;
    size_t files = 0;
    const struct case_record *kase = r ? project_case(x->project, r->case_id) : NULL;
    size_t n = !r ? 1 : r->n_evidence < AUDIT_EVIDENCE_MAX ? r->n_evidence : AUDIT_EVIDENCE_MAX;
    struct verdict_evidence *list = arena_array(arena, n, sizeof *list);
    for (size_t i = 0; i < n; i++) {
        const struct evidence *e = r ? &r->evidence[i] : NULL;
        list[i].archive = e ? e->archive : job->file;
        list[i].table = e ? (int)e->table : 0;
        list[i].row = e ? (int)e->row : 0;
        list[i].sha256 = next_sum(noted, &files, list, i);
        list[i].kase = kase;
    }
    *out = list;
    return n;
}

static void take_refusal(struct job *job, enum err_kind kind, struct unpack *u)
{
    const char *text = unpack_text(u);
    if (text && unpack_end(u)) {
        err_set(job->err, kind, "%s", text);
        job->rc = -1;
    }
    u->bad |= !text;
}

/* What it is called, and what it is of, is known here. */
static bool read_verdict(struct verify_jobs *x, struct job *job, const struct noted *noted,
                         struct bytes text, struct arena *arena)
{
    struct verdict_evidence *known;
    struct verdict v;
    struct audit a = audit_of(x, job, arena);
    verify_name(&a);
    size_t n = list_evidence(job, x, noted, arena, &known);
    if (!shape_take(&verdict_shape, text, &v, arena))
        return false;
    v.id = job->out->id;
    v.file = job->out->file;
    v.state = job->out->state;
    v.rules = job->out->rules;
    v.only = job->out->only;
    v.result = job->result;
    if (!verdict_take(&v, x->project, known, n) || (v.machine && !noted->machine))
        return false;
    *job->out = v;
    verdict_read_metrics(job->out, arena);
    job->rc = 0;
    return true;
}

/* That this machine is at fault is not believed of an answer, but of what was noted before. */
static bool read_verification(struct verify_jobs *x, struct job *job, const struct worker_end *end,
                              struct arena *arena)
{
    struct unpack u = unpack_answer(end->answer.data, end->answer.len);
    const struct noted noted = noted_before(end->head);
    uint64_t kind = unpack_number(&u);
    u.bad |= kind && (job->result || (kind != ERR_INPUT && !(kind == ERR_IO && noted.machine)));
    if (job->look && !kind) {
        const char *said = unpack_text(&u);
        u.bad |= !said || strlen(said) > VERIFY_SAID_MAX;
        job->said = u.bad ? "" : arena_strdup(x->arena, said);
    }
    if (!u.bad && !kind)
        return read_verdict(x, job, &noted, (struct bytes){u.at, (size_t)(u.end - u.at)}, arena);
    take_refusal(job, (enum err_kind)kind, &u);
    return unpack_end(&u);
}

/* False: it is not an answer, and nothing of it is kept. */
static bool take_verdict(struct verify_jobs *x, struct job *job, const struct worker_end *end)
{
    struct arena own = ARENA_INIT;
    bool good = read_verification(x, job, end, &own);
    if (good)
        arena_adopt(x->arena, &own);
    else
        arena_release(&own);
    return good;
}

static void refuse_file(void *self, const char *path, struct store_place there)
{
    (void)there;
    struct reading *r = self;
    enum err_kind kind = r->job->refused == WORKER_NOWHERE ? ERR_IO : ERR_INPUT;
    read_ahead_refuse(&r->x->read_ahead, path, kind, r->job->why, r->x->arena);
}

/* A worker that does not come back is asked once more without the file that it was looking at, so
 * that one bad piece of evidence does not take others with it; then nothing is looked at. */
static bool take_verification(void *context, size_t i, const struct worker_end *end)
{
    struct verify_jobs *x = context;
    struct job *job = &x->jobs[i];
    if (end->outcome == WORKER_ANSWERED && take_verdict(x, job, end))
        return false;
    bool again = end->outcome == WORKER_BROKEN && job->refused == WORKER_NOWHERE &&
                 end->place != WORKER_NOWHERE && job->result;
    job->why = sentence_carry(x->arena, end->said, worker_why(end));
    job->refused = end->outcome == WORKER_MACHINE ? WORKER_NOWHERE : again ? end->place : 0;
    if (!again) {
        /* The verdict without any of its files: nothing is opened. */
        struct err ignored = ERR_INIT;
        struct reading r = {x, job, NULL};
        job->said = "";
        x->audit = audit_of(x, job, x->arena);
        x->read_ahead = (struct read_ahead){.n = 0};
        verify_begin(&x->audit);
        name_files(&x->audit, refuse_file, &r);
        x->audit.checkout = job->result ? checkout_keep(&x->audit) : NULL;
        x->audit.read_ahead = &x->read_ahead;
        job->rc = verify_finish(&x->audit, job->err ? job->err : &ignored);
        verdict_read_metrics(job->out, x->arena);
    }
    return again;
}

static const struct worker_crew crew = {
    .read = read_named_files, .work = answer_with_verdict, .take = take_verification};

static void run_items(struct verify_jobs *x, size_t n)
{
    struct worker_crew own = crew;
    own.context = x;
    worker_each(&own, n);
    for (size_t i = 0; i < n; i++) {
        const struct result *r = x->jobs[i].result;
        struct verdict *v = x->jobs[i].out;
        if (x->jobs[i].rc == 0)
            v->state = verify_state(v, r && r->withdrawn);
    }
}

/* ---- what others call -------------------------------------------------------------------- */

/* Does it have untrusted files? */
static bool has_files(const struct project *p, const struct result *r)
{
    bool has = r->n_evidence > 0;
    for (size_t i = 0; i < p->n_reproductions && !has; i++)
        has = strcmp(p->reproductions[i].vendor, r->vendor) == 0 &&
              strcmp(p->reproductions[i].case_id, r->case_id) == 0;
    return has;
}

static void verify_here(const struct project *project, const struct rules *rules,
                        const struct result *result, const char *records, struct arena *arena,
                        struct verdict *out)
{
    struct audit a = {.project = project,
                      .rules = rules,
                      .sealed_only = rules_sealed(rules),
                      .result = result,
                      .file = result->file,
                      .records = records ? records : project->root,
                      .arena = arena,
                      .verdict = out};
    verify_whole(&a);
}

static struct job job_of(const struct project *project, const struct result *result,
                         const char *records, struct verdict *out)
{
    return (struct job){.result = result,
                        .file = result->file,
                        .records = records ? records : project->root,
                        .out = out,
                        .refused = WORKER_NOWHERE};
}

void verify_result(const struct project *project, const struct rules *rules,
                   const struct result *result, const char *records, struct arena *arena,
                   struct verdict *out)
{
    struct job job = job_of(project, result, records, out);
    struct verify_jobs x = {.project = project, .rules = rules, .jobs = &job, .arena = arena};
    if (has_files(project, result))
        run_items(&x, 1);
    else
        verify_here(project, rules, result, records, arena, out);
}

static int verify_alone(struct job job, const struct project *project, const struct rules *rules,
                        struct arena *arena, const char **said)
{
    struct verify_jobs x = {.project = project, .rules = rules, .jobs = &job, .arena = arena};
    job.records = project->root;
    job.refused = WORKER_NOWHERE;
    job.said = "";
    run_items(&x, 1);
    *said = job.said;
    return job.rc;
}

int verify_archive(const struct project *project, const struct rules *rules, const char *path,
                   struct arena *arena, struct verdict *out, struct err *err)
{
    const char *nothing;
    return verify_alone((struct job){.file = path, .out = out, .err = err}, project, rules, arena,
                        &nothing);
}

int verify_archive_looking(const struct project *project, const char *path, verify_look *look,
                           const char **said, struct arena *arena, struct verdict *out,
                           struct err *err)
{
    return verify_alone((struct job){.file = path, .out = out, .err = err, .look = look}, project,
                        NULL, arena, said);
}

struct many {
    const struct project *project;
    const struct rules *rules;
    const struct result *results;
    const size_t *which;
    struct verdict *out;
};

static void verify_item(void *context, size_t i, struct arena *arena)
{
    const struct many *m = context;
    size_t k = m->which[i];
    verify_here(m->project, m->rules, &m->results[k], NULL, arena, &m->out[k]);
}

void verify_some(const struct project *project, const struct rules *rules,
                 const struct result *results, const size_t *which, size_t n, struct arena *arena,
                 struct verdict *out)
{
    size_t *here = arena_array(arena, n, sizeof *here), n_here = 0, n_in_workers = 0;
    struct job *jobs = arena_array(arena, n, sizeof *jobs);
    for (size_t i = 0; i < n; i++)
        if (has_files(project, &results[which[i]]))
            jobs[n_in_workers++] = job_of(project, &results[which[i]], NULL, &out[which[i]]);
        else
            here[n_here++] = which[i];
    struct many m = {project, rules, results, here, out};
    struct verify_jobs x = {.project = project, .rules = rules, .jobs = jobs, .arena = arena};
    parallel_each(n_here, verify_item, &m, arena); /* its threads have ended when it returns */
    run_items(&x, n_in_workers);
}

void verify_many(const struct project *project, const struct rules *rules,
                 const struct result *results, size_t n, struct arena *arena, struct verdict *out)
{
    size_t *all = arena_array(arena, n, sizeof *all);
    for (size_t i = 0; i < n; i++)
        all[i] = i;
    verify_some(project, rules, results, all, n, arena, out);
}
