#include "verifier/verify.h"

#include "base/figures/row_key.h"
#include "base/files/file.h"
#include "verifier/checks/list.h"
#include "verifier/checks/rules.h"
#include "verifier/claims/mfu.h"
#include "verifier/proofs/proof.h"
#include "verifier/proofs/reproduction.h"
#include "verifier/verify_parts.h"

#include <string.h>

/* What rules that were left out would say is not known: then no figure counts as verified. */
enum state verify_state(const struct verdict *v, bool withdrawn)
{
    size_t claimed = 0, verified = 0, holding = 0;
    if (withdrawn)
        return STATE_WITHDRAWN;
    for (size_t i = 0; i < v->n_checks; i++) {
        const struct check_result *c = &v->checks[i];
        if (c->outcome == OUTCOME_FAIL && c->severity == SEVERITY_ERROR && !c->informational)
            return STATE_FAILED;
        const struct rule *rule = c->outcome == OUTCOME_FAIL ? rule_find(c->rule) : NULL;
        holding += rule && rule->partial_at_most;
    }
    for (size_t i = 0; i < v->n_evidence; i++)
        holding += v->evidence[i].adopted; /* by every rule set */
    for (size_t i = 0; i < v->n_metrics; i++) {
        const struct metric *m = &v->metrics[i];
        claimed += m->claimed;
        verified += m->claimed && m->outcome == OUTCOME_PASS && m->source &&
                    strcmp(m->source, "evidence") == 0;
    }
    if (!verified || v->found || v->only)
        return STATE_UNVERIFIED;
    return verified == claimed && !holding ? STATE_VERIFIED : STATE_PARTIAL;
}

void verify_name(struct audit *a)
{
    const struct result *r = a->result;
    *a->verdict = (struct verdict){.id = r ? arena_printf(a->arena, "%s/%s", r->vendor, r->case_id)
                                           : path_base(a->file),
                                   .file = a->file,
                                   .rules = rules_version(a->rules),
                                   .only = rules_only_text(a->rules, a->arena),
                                   .result = r};
}

void verify_begin(struct audit *a)
{
    verify_name(a);
    if (!a->result)
        return;
    audit_open(a);
    struct verdict *v = a->verdict;
    v->n_rows = a->n_claims;
    v->rows = arena_array(a->arena, v->n_rows, sizeof *v->rows);
    const struct table *of = NULL;
    const struct row_key *keys = NULL;
    for (size_t i = 0; i < a->n_claims; i++) {
        const struct claim *c = &a->claims[i];
        if (c->of != of)
            keys = row_keys(of = c->of, a->arena);
        v->rows[i] = (struct verdict_row){
            .table = c->table,
            .row = c->row,
            .key = keys[c->row - 1].key,
            .configuration = keys[c->row - 1].words,
            .precision = c->precision,
            .stage = c->config.stage,
            .card = c->config.accelerator && *c->config.accelerator ? c->config.accelerator : NULL,
            .mfu_factor = a->model ? mfu_factor(a, c) : NAN,
            .sequence_length = audit_batch(a, c, BATCH_MPE)};
    }
    reproductions_find(a);
}

int verify_finish(struct audit *a, struct err *err)
{
    if (!a->result) {
        /* A submission by itself: nothing is stated of it. */
        struct proof *proof = arena_alloc(a->arena, sizeof *proof); /* the verdict points into it */
        a->proofs = proof;
        a->n_proofs = 1;
        proof_open(a, proof, NULL, a->file);
        if (!proof->opened || !proof->submission.canonical)
            return err_set(err, proof->faults.machine ? ERR_IO : ERR_INPUT, "%s: %s", a->file,
                           proof->faults.n ? proof->faults.items[0].message : "cannot be read");
        const struct case_record *kase = a->kase ? a->kase : proof->kase;
        a->model = kase ? project_model(a->project, kase->model) : NULL;
        rules_run(a);
        proofs_note(a);
        audit_note_sentences(a);
        return 0;
    }
    proofs_open(a);
    reproductions_open(a, rules_run);
    rules_run(a);
    audit_place(a);
    proofs_note(a);
    reproductions_note(a);
    audit_note_sentences(a);
    return 0;
}

void verify_whole(struct audit *a)
{
    struct err none = ERR_INIT;
    verify_begin(a);
    verify_finish(a, &none);
    verdict_read_metrics(a->verdict, a->arena);
    a->verdict->state = verify_state(a->verdict, a->result->withdrawn != NULL);
}

void verify_result_with(const struct project *project, const struct result *result,
                        const struct bytes *packed, const struct bytes *repeated,
                        struct arena *arena, struct verdict *out)
{
    struct audit a = {.project = project,
                      .result = result,
                      .file = result->file,
                      .records = project->root,
                      .packed = packed,
                      .repeated = repeated,
                      .arena = arena,
                      .verdict = out};
    verify_whole(&a);
}

int verify_archive_with(const struct project *project, const struct rules *rules, const char *path,
                        const struct bytes *packed, struct arena *arena, struct verdict *out,
                        struct err *err)
{
    struct audit a = {.project = project,
                      .rules = rules,
                      .sealed_only = rules_sealed(rules),
                      .file = path,
                      .records = project->root,
                      .packed = packed,
                      .arena = arena,
                      .verdict = out};
    verify_begin(&a);
    if (verify_finish(&a, err) < 0)
        return -1;
    verdict_read_metrics(out, arena);
    out->state = verify_state(out, false);
    return 0;
}
