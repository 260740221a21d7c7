#include "verifier/proofs/reproduction.h"

#include "verifier/proofs/proof.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static struct reproduction_fault *add_fault(const struct audit *a, struct reproduction_proof *t,
                                            enum reproduction_fault_kind kind, const char *message)
{
    struct reproduction_fault *f = ARENA_PUSH(a->arena, t->faults, t->n_faults);
    *f = (struct reproduction_fault){
        .kind = kind, .message = message, .file = t->stated->file, .line = t->stated->line};
    t->sound = t->sound && kind == REPRODUCTION_OUTCOME;
    return f;
}

/* What fails for evidence fails for a reproduction. Its environment and its settings may be
 * others than the page says: they are compared, not judged. */
static const struct {
    const char *rule;
    enum reproduction_fault_kind kind;
} rules_of_evidence[] = {
    {"FP4001", REPRODUCTION_ARCHIVE}, {"FP4002", REPRODUCTION_ARCHIVE},
    {"FP4003", REPRODUCTION_CASE},    {"FP4004", REPRODUCTION_CASE},
    {"FP4005", REPRODUCTION_CASE},    {"FP4007", REPRODUCTION_CASE},
    {"FP4009", REPRODUCTION_ARCHIVE}, {"FP4010", REPRODUCTION_CASE},
};

static void take_faults(const struct audit *a, const struct verdict *again,
                        struct reproduction_proof *t)
{
    for (size_t i = 0; i < again->n_checks; i++) {
        const struct check_result *c = &again->checks[i];
        if (c->outcome != OUTCOME_FAIL || c->severity != SEVERITY_ERROR)
            continue;
        for (size_t k = 0; k < sizeof rules_of_evidence / sizeof *rules_of_evidence; k++) {
            if (strcmp(c->rule, rules_of_evidence[k].rule) != 0)
                continue;
            struct reproduction_fault *f = add_fault(a, t, rules_of_evidence[k].kind, c->message);
            f->file = c->file;
            f->line = c->line;
            f->stated = c->stated;
            f->expected = c->expected;
        }
    }
}

/* The evidence of this row, else of the whole result; NULL when nothing can be compared with. */
static const struct proof *find_original(const struct audit *a, const struct reproduction *r)
{
    for (size_t i = 0; i < a->n_proofs; i++) {
        const struct evidence *e = a->proofs[i].evidence;
        if ((e->table == 0 || e->table == r->table) && (e->row == 0 || e->row == r->row) &&
            a->proofs[i].opened && a->proofs[i].submission.intact &&
            strcmp(a->proofs[i].evidence->sha256, a->proofs[i].submission.archive_sha256) == 0)
            return &a->proofs[i];
    }
    return NULL;
}

/* Do the steps of both take equally long, to the last digit, for longer than chance explains? */
static bool same_times(const struct log *a, const struct log *b)
{
    size_t n = a->n_points < b->n_points ? a->n_points : b->n_points, timed = 0;
    for (size_t i = 0; i < n; i++) {
        double x = a->points[i].seconds, y = b->points[i].seconds;
        if (isnan(x) || isnan(y))
            continue;
        if (x != y)
            return false;
        timed++;
    }
    return timed >= REPRODUCTION_COPY_STEPS;
}

/* Why it is the same run, or NULL when it is another. */
static const char *copy_of(const struct proof *run, const struct proof *original)
{
    if (strcmp(run->submission.id, original->submission.id) == 0)
        return "the reproduction has the same files as the evidence: it is a copy, not a new run";
    const struct bytes *x = run->log_name ? submission_file(&run->submission, run->log_name) : NULL;
    const struct bytes *y =
        original->log_name ? submission_file(&original->submission, original->log_name) : NULL;
    if (x && y && x->len == y->len && memcmp(x->data, y->data, x->len) == 0)
        return "the log of the reproduction is byte-identical to that of the evidence";
    if (same_times(&run->log, &original->log))
        return "the steps of the reproduction took exactly as long as the steps of the evidence";
    return NULL;
}

static void look_for_copies(const struct audit *a, const struct proof *run,
                            struct reproduction_proof *t)
{
    for (size_t i = 0; i < a->n_proofs; i++) {
        const struct proof *original = &a->proofs[i];
        const char *why = original->opened ? copy_of(run, original) : NULL;
        if (!why)
            continue;
        struct reproduction_fault *f =
            add_fault(a, t, REPRODUCTION_COPY,
                      sentence_say(a->arena, "the reproduction is not a second run: %s", why));
        f->stated = t->stated->archive;
        f->expected = "a run that is not the run of the evidence";
        return;
    }
}

static const char *seed_words(const struct audit *a, const struct proof *p)
{
    return isnan(p->log.seed) ? "no seed" : sentence_say(a->arena, "seed %.0f", p->log.seed);
}

/* The seed of a challenge gives another order of the data and other weights than the case's, or
 * that of another challenge: two such runs have nothing to agree upon. */
static bool has_other_seed(const struct audit *a, const struct proof *run,
                           const struct proof *original, struct reproduction_proof *t)
{
    const struct json *mine = json_get(run->run, "challenge");
    const struct json *theirs = original ? json_get(original->run, "challenge") : NULL;
    bool asked = (mine && mine->kind == JSON_OBJECT) || (theirs && theirs->kind == JSON_OBJECT);
    if (!original || !asked || run->log.seed == original->log.seed)
        return false;
    struct reproduction_fault *f =
        add_fault(a, t, REPRODUCTION_CASE,
                  "one of the two runs answers a challenge, so the runs differ in their seeds, "
                  "initial weights and data order");
    f->stated = seed_words(a, run);
    f->expected = seed_words(a, original);
    return true;
}

/* "SHA-256 0123456789abcdef…"; NULL: none. */
static const char *sum_words(const struct audit *a, const char *sha256)
{
    return sha256 ? sentence_say(a->arena, "SHA-256 %.16s…", sha256) : "none";
}

/* Is the evidence another than the one that was reproduced? Then the record cannot say what the
 * two archives give, and nobody has changed it. */
static bool look_for_replacement(const struct audit *a, struct reproduction_proof *t)
{
    const char *then = t->stated->original_sha256, *now = t->measured.original_sha256;
    if (!t->stated->outcome || (!then && !now) || (then && now && strcmp(then, now) == 0))
        return false;
    struct reproduction_fault *f = add_fault(
        a, t, REPRODUCTION_REPLACED,
        sentence_say(a->arena,
                     "the evidence was replaced after the reproduction: it was %s, now it is %s",
                     sum_words(a, then), sum_words(a, now)));
    f->stated = then ? then : "no evidence";
    f->expected = now ? now : "no evidence";
    return true;
}

/* The record beside what its archive gives. A record that is only being made says nothing yet. */
static void compare_record(const struct audit *a, struct reproduction_proof *t)
{
    const char *difference =
        t->stated->outcome ? shape_diff(&reproduction_shape, t->stated, &t->measured, a->arena)
                           : NULL;
    if (difference)
        add_fault(a, t, REPRODUCTION_RECORD,
                  sentence_say(a->arena, "the record disagrees with the two submissions: %s",
                               difference));
}

static void look_at_outcome(const struct audit *a, struct reproduction_proof *t)
{
    const struct repeated_loss *loss = t->measured.loss;
    if (reproduction_is_reproduced(&t->measured))
        return;
    const char *what = reproduction_loss_words(&t->measured, a->arena);
    for (size_t i = 0; loss->agrees && i < t->measured.n_figures; i++) {
        const struct repeated_figure *f = &t->measured.figures[i];
        if (strcmp(f->outcome, "differs") == 0)
            what = sentence_say(a->arena, "%s is %s, but the result states %s", f->name,
                                f->measured, f->stated);
    }
    add_fault(a, t, REPRODUCTION_OUTCOME,
              sentence_say(a->arena, "%s ran the case on %s on %s with a different result: %s",
                           t->stated->by, t->measured.device, t->measured.date, what));
}

static bool has_result_row(const struct audit *a, const struct reproduction *r)
{
    for (size_t i = 0; i < a->n_claims; i++)
        if (a->claims[i].table == r->table && a->claims[i].row == r->row)
            return true;
    return false;
}

/* The result with the new run as its only evidence. */
static void examine(const struct audit *a, struct reproduction_proof *t, reproduction_judge *judge)
{
    struct arena *arena = a->arena;
    const struct reproduction *r = t->stated;
    struct evidence *evidence = arena_alloc(arena, sizeof *evidence);
    struct result *result = arena_alloc(arena, sizeof *result);
    struct project *bare = arena_alloc(arena, sizeof *bare);
    struct verdict *verdict = arena_alloc(arena, sizeof *verdict);
    *evidence = (struct evidence){
        .archive = r->archive, .sha256 = r->sha256, .table = r->table, .row = r->row};
    *result = *a->result;
    result->evidence = evidence;
    result->n_evidence = 1;
    *bare = *a->project;
    bare->n_reproductions = 0;
    struct audit again = {.project = bare,
                          .result = result,
                          .file = a->file,
                          .records = a->records,
                          .packed = a->repeated,
                          .read_ahead = a->read_ahead,
                          .checkout = a->checkout,
                          .arena = arena,
                          .verdict = verdict};
    audit_open(&again);
    proofs_open(&again);
    judge(&again);
    take_faults(a, verdict, t);
    if (again.proofs[0].missing) /* a result without its evidence is open, a second run is none */
        add_fault(a, t, REPRODUCTION_ARCHIVE, "the submission is missing")->file =
            t->stated->archive;
    if (!t->sound)
        return;
    look_for_copies(a, &again.proofs[0], t);
    if (has_other_seed(a, &again.proofs[0], find_original(a, r), t))
        return;
    reproduction_compare(&again, find_original(a, r), t);
    if (look_for_replacement(a, t))
        return;
    compare_record(a, t);
    look_at_outcome(a, t);
}

static void open_reproduction(const struct audit *a, struct reproduction_proof *t,
                              const struct reproduction *stated, reproduction_judge *judge)
{
    *t = (struct reproduction_proof){.stated = stated, .sound = true};
    if (has_result_row(a, stated))
        examine(a, t, judge);
    else
        add_fault(a, t, REPRODUCTION_RECORD,
                  sentence_say(a->arena, "the result has no row %lld.%lld with figures",
                               stated->table, stated->row));
}

/* The same run twice in the records would count twice. */
static void look_for_duplicates(const struct audit *a)
{
    for (size_t i = 1; i < a->n_reproductions; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(a->reproductions[i].stated->sha256, a->reproductions[k].stated->sha256) ==
                    0 &&
                a->reproductions[i].stated->row == a->reproductions[k].stated->row &&
                a->reproductions[i].stated->table == a->reproductions[k].stated->table)
                add_fault(a, &a->reproductions[i], REPRODUCTION_COPY,
                          sentence_say(a->arena, "this run already counts as the reproduction %s",
                                       a->reproductions[k].stated->id));
}

static bool same_folder(const char *a, const char *b)
{
    char x[PATH_MAX], y[PATH_MAX];
    return strcmp(a, b) == 0 || (realpath(a, x) && realpath(b, y) && strcmp(x, y) == 0);
}

/* Those of the project are of its own results: not of a record in another folder that has the same
 * name, nor of a published page, which names no evidence. */
void reproductions_find(struct audit *a)
{
    const struct project *p = a->project;
    if (p->n_reproductions && !same_folder(p->root, a->records))
        return;
    for (size_t i = 0; i < p->n_reproductions; i++) {
        const struct reproduction *r = &p->reproductions[i];
        if (strcmp(r->vendor, a->result->vendor) != 0 ||
            strcmp(r->case_id, a->result->case_id) != 0 ||
            (r->original_sha256 && !a->result->n_evidence))
            continue;
        if (a->n_stated == AUDIT_EVIDENCE_MAX) {
            a->too_many = "reproductions";
            break;
        }
        *(const struct reproduction **)ARENA_PUSH(a->arena, a->stated, a->n_stated) = r;
    }
}

void reproductions_open(struct audit *a, reproduction_judge *judge)
{
    for (size_t i = 0; i < a->n_stated; i++)
        open_reproduction(a, ARENA_PUSH(a->arena, a->reproductions, a->n_reproductions),
                          a->stated[i], judge);
    look_for_duplicates(a);
}

void reproduction_measure(struct audit *a, const struct reproduction *begun,
                          reproduction_judge *judge, struct reproduction_proof *out)
{
    proofs_open(a);
    open_reproduction(a, out, begun, judge);
}

static void note_figures(struct audit *a, const struct reproduction_proof *t)
{
    for (size_t i = 0; i < a->verdict->n_metrics; i++) {
        struct metric *m = &a->verdict->metrics[i];
        const struct repeated_figure *f = m->table == t->stated->table && m->row == t->stated->row
                                              ? reproduction_figure(&t->measured, m->name)
                                              : NULL;
        if (!f)
            continue;
        m->reproduced = f;
        m->reproduction = t->stated;
        m->reproduction_id = t->stated->id;
    }
}

/* Records are sorted by the time of their run: of several, the last one is shown beside the
 * figure. */
void reproductions_note(struct audit *a)
{
    for (size_t i = 0; i < a->n_reproductions; i++) {
        const struct reproduction_proof *t = &a->reproductions[i];
        struct verdict_reproduction *r =
            ARENA_PUSH(a->arena, a->verdict->reproductions, a->verdict->n_reproductions);
        *r = (struct verdict_reproduction){
            .id = t->stated->id, .record = t->stated, .sound = t->sound};
        if (t->sound)
            note_figures(a, t);
    }
}

const struct reproduction_fault *reproduction_next_fault(const struct reproduction_proof *t,
                                                         enum reproduction_fault_kind kind,
                                                         size_t *i)
{
    while (*i < t->n_faults) {
        const struct reproduction_fault *f = &t->faults[(*i)++];
        if (f->kind == kind)
            return f;
    }
    return NULL;
}
