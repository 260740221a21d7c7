#include "verifier/verify.h"

#include "verifier/audit.h"
#include "verifier/checks.h"
#include "verifier/mfu.h"
#include "verifier/proof.h"
#include "verifier/rules.h"
#include "verifier/trial.h"

#include <math.h>
#include <string.h>

static bool is_verified(const struct metric *m)
{
    return m->outcome == OUTCOME_PASS && m->source && strcmp(m->source, "evidence") == 0;
}

/* What rules that were left out would say is not known: then no figure counts as verified. */
enum state verify_state(const struct verdict *v, bool withdrawn)
{
    size_t claimed = 0, verified = 0;
    if (withdrawn)
        return STATE_WITHDRAWN;
    for (size_t i = 0; i < v->n_checks; i++) {
        const struct check_result *c = &v->checks[i];
        if (c->outcome == OUTCOME_FAIL && c->severity == SEVERITY_ERROR && !c->aside)
            return STATE_FAILED;
    }
    for (size_t i = 0; i < v->n_metrics; i++) {
        claimed += v->metrics[i].claimed;
        verified += v->metrics[i].claimed && is_verified(&v->metrics[i]);
    }
    if (!verified || v->found || v->only)
        return STATE_UNVERIFIED;
    return verified == claimed ? STATE_VERIFIED : STATE_PARTIAL;
}

static void note_rows(struct audit *a)
{
    struct verdict *v = a->verdict;
    v->n_rows = a->n_claims;
    v->rows = arena_array(a->arena, v->n_rows, sizeof *v->rows);
    for (size_t i = 0; i < a->n_claims; i++) {
        const struct claim *c = &a->claims[i];
        v->rows[i] = (struct verdict_row){.table = c->table,
                                          .row = c->row,
                                          .precision = c->precision,
                                          .stage = c->config.stage,
                                          .mfu_factor = a->model ? mfu_factor(a, c) : NAN,
                                          .sequence_length = audit_batch(a, c, "MPE", NULL)};
    }
}

static void verify_from(const struct project *project, const struct rules *rules,
                        const struct result *result, const char *records,
                        const struct bytes *packed, const struct bytes *repeated,
                        struct arena *arena, struct verdict *out)
{
    struct audit a = {.project = project,
                      .rules = rules,
                      .result = result,
                      .file = result->file,
                      .records = records ? records : project->root,
                      .packed = packed,
                      .repeated = repeated,
                      .arena = arena,
                      .verdict = out};
    *out = (struct verdict){.id = arena_printf(arena, "%s/%s", result->vendor, result->case_id),
                            .file = result->file,
                            .rules = rules_version(rules),
                            .only = rules_only_text(rules, arena),
                            .result = result};
    audit_open(&a);
    note_rows(&a);
    proofs_open(&a);
    trials_open(&a);
    checks_run(&a);
    audit_place(&a);
    proofs_note(&a);
    trials_note(&a);
    out->state = verify_state(out, result->withdrawn != NULL);
}

void verify_result(const struct project *project, const struct rules *rules,
                   const struct result *result, const char *records, struct arena *arena,
                   struct verdict *out)
{
    verify_from(project, rules, result, records, NULL, NULL, arena, out);
}

void verify_result_with(const struct project *project, const struct result *result,
                        const struct bytes *packed, const struct bytes *repeated,
                        struct arena *arena, struct verdict *out)
{
    verify_from(project, NULL, result, NULL, packed, repeated, arena, out);
}

static const char *first_fault(const struct proof *p)
{
    return p->faults.n ? p->faults.items[0].message : "cannot be read";
}

int verify_archive(const struct project *project, const struct rules *rules, const char *path,
                   struct arena *arena, struct verdict *out, struct err *err)
{
    struct proof *proof = arena_alloc(arena, sizeof *proof); /* the verdict points into it */
    struct audit a = {.project = project,
                      .rules = rules,
                      .file = path,
                      .records = project->root,
                      .arena = arena,
                      .verdict = out,
                      .proofs = proof,
                      .n_proofs = 1};
    *out = (struct verdict){.id = path_base(path),
                            .file = path,
                            .rules = rules_version(rules),
                            .only = rules_only_text(rules, arena)};
    proof_open(&a, proof, NULL, path);
    if (!proof->opened || !proof->submission.canonical)
        return err_set(err, ERR_INPUT, "%s: %s", path, first_fault(proof));
    if (proof->kase)
        a.kase = project_case(project, proof->kase->id);
    const struct case_record *kase = a.kase ? a.kase : proof->kase;
    a.model = kase ? project_model(project, kase->model) : NULL;
    checks_run(&a);
    proofs_note(&a);
    out->state = verify_state(out, false);
    return 0;
}
