/* reproduction_make: a run is measured in a worker, as its archive and the evidence of the result
 * are those of somebody else. */
#include "verifier/proofs/reproduction.h"

#include "base/files/file.h"
#include "base/json/shape_pack.h"
#include "base/pack.h"
#include "verifier/proofs/checkout.h"
#include "verifier/runs/read_ahead.h"

#define REPRODUCTION_ANSWER_MAX ((size_t)16 << 20) /* figures and what is wrong with them */

struct making {
    const struct reproduction *begun;
    reproduction_judge *judge;
    struct arena *arena; /* the caller's */
    struct reproduction_proof *out;
    struct err *err;
    int rc;
    struct audit audit;
    struct verdict ignored;
    struct read_ahead read_ahead;
};

/* ---- in the worker ----------------------------------------------------------------------- */

static void keep_one(struct making *m, const char *path, const char *sha256, struct worker *w)
{
    const struct audit *a = &m->audit;
    read_ahead_add(&m->read_ahead, path_join(&w->arena, a->records, path),
                   store_place_of(a->project->store, a->records, path, sha256, &w->arena),
                   &w->arena);
}

static void read_archives(void *context, size_t i, struct worker *w)
{
    struct making *m = context;
    struct audit *a = &m->audit;
    (void)i;
    a->arena = &w->arena;
    a->verdict = &m->ignored;
    m->read_ahead = (struct read_ahead){.worker = w};
    audit_open(a);
    for (size_t k = 0; k < a->result->n_evidence && k < AUDIT_EVIDENCE_MAX; k++)
        keep_one(m, a->result->evidence[k].archive, a->result->evidence[k].sha256, w);
    if (a->kase && a->kase->alignment && a->kase->alignment->reference)
        keep_one(m, a->kase->alignment->reference, NULL, w);
    a->checkout = checkout_keep(a);
    a->read_ahead = &m->read_ahead;
    w->packed = m->read_ahead.total + a->repeated->len;
}

static void answer_with_measured(void *context, size_t i, struct worker *w)
{
    struct making *m = context;
    struct reproduction_proof t;
    (void)i;
    reproduction_measure(&m->audit, m->begun, m->judge, &t);
    pack_number(&w->answer, t.sound);
    pack_number(&w->answer, t.n_faults);
    for (size_t k = 0; k < t.n_faults; k++) {
        const struct reproduction_fault *f = &t.faults[k];
        pack_number(&w->answer, f->kind);
        pack_text(&w->answer, f->message);
        pack_text(&w->answer, f->file);
        pack_text(&w->answer, f->stated);
        pack_text(&w->answer, f->expected);
        pack_number(&w->answer, (uint64_t)f->line);
    }
    if (t.sound)
        shape_pack(&reproduction_shape, &t.measured, &w->answer);
}

/* ---- here -------------------------------------------------------------------------------- */

static void unpack_fault(struct reproduction_fault *f, struct arena *arena, struct unpack *u)
{
    f->kind = (enum reproduction_fault_kind)unpack_choice(u, REPRODUCTION_FAULTS - 1);
    f->message = take_words(u, arena);
    f->file = take_words(u, arena);
    f->stated = take_words(u, arena);
    f->expected = take_words(u, arena);
    f->line = unpack_int(u);
    u->bad |= !f->message;
}

static bool take_reproduction(struct making *m, struct bytes in)
{
    struct unpack u = unpack_answer(in.data, in.len);
    struct reproduction_proof *t = m->out;
    t->sound = unpack_choice(&u, 1) != 0;
    t->n_faults = unpack_list(&u, 6, SIZE_MAX, sizeof *t->faults);
    t->faults = arena_array(m->arena, t->n_faults, sizeof *t->faults);
    for (size_t i = 0; i < t->n_faults; i++)
        unpack_fault(&t->faults[i], m->arena, &u);
    if (t->sound && !u.bad)
        shape_unpack(&reproduction_shape, &t->measured, m->arena, &u);
    t->measured.file = m->begun->file;
    return unpack_end(&u);
}

static bool take_measured(void *context, size_t i, const struct worker_end *end)
{
    struct making *m = context;
    (void)i;
    *m->out = (struct reproduction_proof){.stated = m->begun};
    if (end->outcome == WORKER_ANSWERED && take_reproduction(m, end->answer))
        return false;
    *m->out = (struct reproduction_proof){.stated = m->begun};
    m->rc = worker_fault(end, m->begun->archive, m->err);
    return false;
}

int reproduction_make(const struct project *project, const struct result *result,
                      const char *records, const struct reproduction *begun,
                      const struct bytes *packed, reproduction_judge *judge, struct arena *arena,
                      struct reproduction_proof *out, struct err *err)
{
    struct making m = {.begun = begun,
                       .judge = judge,
                       .arena = arena,
                       .out = out,
                       .err = err,
                       .ignored = {.result = result},
                       .audit = {.project = project,
                                 .result = result,
                                 .file = result->file,
                                 .records = records,
                                 .repeated = packed}};
    const struct worker_crew crew = {.context = &m,
                                     .read = read_archives,
                                     .work = answer_with_measured,
                                     .take = take_measured,
                                     .answer_max = REPRODUCTION_ANSWER_MAX};
    worker_each(&crew, 1);
    return m.rc;
}
