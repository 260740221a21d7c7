/*
 * Figures recomputed from logs, each with what it was computed from: MFU, loss, what a log ends
 * with, alignment. Rates are those of rate.c, memory and power of checks_usage.c.
 */
#include "verifier/checks/checks.h"

#include "verifier/claims/mfu.h"
#include "verifier/proofs/rate.h"
#include "verifier/proofs/recompute.h"

#include <math.h>
#include <string.h>

/* --- MFU --- */

/* A model whose experts are not all used has more parameters than it computes with. */
#define SPARSE 1.5

/* Why the exact MFU is not defined; NULL when it is. */
static const char *exact_missing(const struct audit *a, const struct mfu_inputs *in,
                                 const struct rate *rate)
{
    const struct model *m = a->model;
    if (isnan(m->exact_parameters) || !m->shape || !m->shape->layers || !m->shape->hidden)
        return "the model's record has no exact number of parameters and shape";
    if (m->exact_parameters > SPARSE * m->nominal_parameters)
        return "not all of the model's parameters are used for each token";
    if (in->factor != 6)
        return "it is defined for the training of all parameters";
    return isnan(rate->length) ? "the length of a sequence is not known" : NULL;
}

/*
 * Floating-point operations of one token, forward and backward: 6 for each parameter and
 * 12 * layers * hidden * length for the scores of the attention (Chowdhery et al., PaLM, 2022,
 * appendix B), without a discount for the causal mask.
 */
static void put_mfu_exact(struct audit *a, const struct claim *c, const struct mfu_inputs *in,
                          const struct rate *rate)
{
    const char *key = "mfu_exact", *missing = exact_missing(a, in, rate);
    if (missing) {
        recompute_cannot(a, c, key, missing);
        return;
    }
    const struct model *m = a->model;
    double attention = 12.0 * (double)m->shape->layers * (double)m->shape->hidden * rate->length;
    double ratio = (6 * m->exact_parameters + attention) * rate->tokens_per_s_per_card / in->peak;
    const char *derivation = arena_printf(
        a->arena,
        "(6 * %.0f + 12 * %lld * %lld * %s) * %s / %s = %s %% ((6 * N + 12 * layers * hidden * "
        "MPE) * token/p/s / peak; N and shape of models/%s.json, %s)",
        m->exact_parameters, m->shape->layers, m->shape->hidden,
        audit_number(a->arena, rate->length), audit_number(a->arena, rate->tokens_per_s_per_card),
        audit_number(a->arena, in->peak), audit_fixed(a->arena, 100 * ratio, 4), m->id,
        in->peak_name);
    const struct recomputed x = {.key = key,
                                 .value = 100 * ratio,
                                 .decimals = 2,
                                 .percent = true,
                                 .derivation = derivation,
                                 .file = rate->file,
                                 .line = rate->line,
                                 .from = rate->from};
    recompute_put(a, c, &x);
}

/* More than a card can do: the log, the number of cards or the peak is not what it seems. */
static void judge_limit(struct audit *a, const struct claim *c, const struct recomputed *x,
                        const struct rate *rate)
{
    if (x->value <= 100)
        return;
    struct check_result *r = audit_report(
        a, OUTCOME_FAIL, c, rate->line, "the log gives more than a card can do: %s", x->derivation);
    r->file = rate->file;
    r->severity = rate->assumed ? SEVERITY_WARNING : SEVERITY_ERROR;
}

static void put_mfu(struct audit *a, const struct claim *c, const struct claim *by,
                    const struct rate *rate)
{
    struct mfu_inputs in;
    const char *why;
    if (!mfu_find_inputs(a, by, &in, &why)) {
        recompute_cannot(a, c, "mfu", why);
        recompute_cannot(a, c, "mfu_exact", why);
        return;
    }
    const struct recomputed x = {.key = "mfu",
                                 .value = 100 * mfu_ratio(&in, rate->tokens_per_s_per_card),
                                 .decimals = 2,
                                 .percent = true,
                                 .derivation =
                                     mfu_derivation(&in, rate->tokens_per_s_per_card, a->arena),
                                 .file = rate->file,
                                 .line = rate->line,
                                 .from = rate->from};
    recompute_put(a, c, &x);
    judge_limit(a, c, &x, rate);
    put_mfu_exact(a, c, &in, rate);
}

void check_evidence_mfu(struct audit *a, struct proof *p)
{
    const char *unsound = recompute_unsound(p);
    const struct claim of_run = unsound ? (struct claim){0} : proof_claim(a, p);
    size_t i = 0;
    for (const struct claim *c; recompute_next(a, p, &i, &c);) {
        struct rate r = {.tokens_per_s_per_card = NAN, .why = unsound};
        if (!unsound)
            rate_find(a, p, c, &r);
        if (isnan(r.tokens_per_s_per_card))
            recompute_cannot(a, c, "mfu", r.why);
        else
            put_mfu(a, c, c ? c : &of_run, &r);
    }
}

/* --- loss --- */

static int line_of_step(const struct log *log, double step)
{
    int line = 0;
    for (size_t i = 0; i < log->n_points; i++)
        if (log->points[i].step == step)
            line = log->points[i].line;
    return line;
}

void check_final_loss(struct audit *a, struct proof *p)
{
    const char *unsound = recompute_unsound(p);
    const char *unseen = proof_unseen(a, p);
    if (unsound || !p->curve.n || unseen) {
        recompute_cannot_all(a, p, "loss",
                             unsound      ? unsound
                             : p->curve.n ? unseen
                                          : "the log has no loss");
        return;
    }
    double step = p->curve.step[p->curve.n - 1], loss = p->curve.loss[p->curve.n - 1];
    int line = line_of_step(&p->log, step);
    const struct log_value *final = log_get(&p->log, "final_loss");
    if (final && !(final->value == loss) && strcmp(p->log.format, "perflog") == 0) {
        struct check_result *r = audit_report(
            a, OUTCOME_FAIL, NULL, final->line, "final_loss is %s, the loss of the last step is %s",
            audit_number(a->arena, final->value), audit_number(a->arena, loss));
        /* Some case scripts print an average as their final loss. */
        r->severity = SEVERITY_WARNING;
        r->file = proof_place(a, p, p->log_name);
    }
    const struct recomputed x = {.key = "loss",
                                 .value = loss,
                                 .decimals = 4,
                                 .derivation =
                                     arena_printf(a->arena, "%s (loss of step %s, line %d)",
                                                  audit_number(a->arena, loss),
                                                  audit_number(a->arena, step), line),
                                 .file = proof_place(a, p, p->log_name),
                                 .line = line};
    recompute_put_all(a, p, &x);
}

/* --- final values --- */

/* Columns whose figure a log prints at its end, under these names, the best first. */
#define NAMES_MAX 5
static const struct final_value {
    const char *column, *names[NAMES_MAX];
    int decimals;
    bool always; /* most logs have it: that this one has not is said without a claim, too */
} final_values[] = {
    {"e2e_time", {"e2e_time"}, 1, true},
    {"acc", {"final_accuracy", "acc", "final_acc", "final_mlm_accuracy", "final_acc1"}, 4, false},
    {"acc1", {"final_acc1", "acc1"}, 4, false},
    {"final_acc1", {"final_acc1"}, 4, false},
    {"mlm_acc", {"final_mlm_accuracy"}, 4, false},
    {"lambada_acc", {"final_lambada_acc", "lambada_acc", "final_accuracy", "acc"}, 4, false},
    {"map", {"final_mAP", "final_accuracy"}, 4, false},
    {"auc", {"final_auc", "best_auc"}, 4, false},
    {"bleu", {"final_bleu", "bleu", "final_acc"}, 4, false},
    {"nuv", {"final_nuv"}, 4, false},
    {"acc_mmmu", {"MMMU"}, 4, false},
    {"acc_mmlu", {"MMLU", "MMLU5-shots Acc"}, 4, false},
    {"rouge1", {"rouge1"}, 2, false},
    {"rouge2", {"rouge2"}, 2, false},
    {"rougel", {"rougeL"}, 2, false},
    {"rougelsum", {"rougeLsum"}, 2, false},
    {"val_loss", {"val_loss", "best_validation_loss"}, 4, false},
    {"ppl", {"final_ppl", "ppl", "eval_ppl", "final_ppl_accuracy"}, 4, false},
};

/* A score that is printed as actual/target: its target is the one that the log names. */
static void judge_target(struct audit *a, const struct proof *p, const struct claim *c,
                         const char *column)
{
    const struct metric *m = c ? audit_metric(a, c, column) : NULL;
    const struct run_log *from;
    const struct log_value *target = m ? proof_value(p, "target score", &from) : NULL;
    const struct figure f = m ? *m->says : figure_missing;
    if (!target || f.kind != FIGURE_PAIR)
        return;
    bool same = fabs(f.second - target->value) <= figure_last_place(f.second_decimals) * (1 + 1e-9);
    struct check_result *r =
        audit_report(a, same ? OUTCOME_PASS : OUTCOME_FAIL, c, 0,
                     same ? "%s: the target %s is the one that the log names"
                          : "%s: the target is stated as %s, the log names another one",
                     column, audit_number(a->arena, f.second));
    r->stated = audit_number(a->arena, f.second);
    r->expected = audit_number(a->arena, target->value);
    if (!same) {
        r->file = from->log.file;
        r->line = target->line;
    }
}

static void put_final(struct audit *a, const struct proof *p, const struct final_value *f)
{
    const char *unseen = proof_unseen(a, p);
    const struct run_log *from = NULL;
    if (unseen) { /* the time and the scores of part of a training */
        recompute_cannot_all(a, p, f->column, unseen);
        return;
    }
    const struct log_value *v = NULL;
    const char *looked = "";
    for (size_t k = 0; k < NAMES_MAX && f->names[k] && !v; k++) {
        v = proof_value(p, f->names[k], &from);
        looked = arena_printf(a->arena, "%s%s%s", looked, k ? ", " : "", f->names[k]);
    }
    size_t i = 0;
    for (const struct claim *c; recompute_next(a, p, &i, &c);) {
        const struct recomputed x = {
            .key = f->column,
            .value = v ? v->value : NAN,
            .decimals = f->decimals,
            .derivation = v ? arena_printf(a->arena, "%s (%s, line %d)",
                                           audit_number(a->arena, v->value), v->key, v->line)
                            : NULL,
            .file = from ? from->log.file : NULL,
            .line = v ? v->line : 0};
        judge_target(a, p, c, f->column);
        /* A name that stands in for another is one figure, not two, where nothing is stated. */
        if (v && (c || strcmp(v->key, f->names[0]) == 0))
            recompute_put(a, c, &x);
        else if (!v && (c || f->always))
            recompute_cannot(a, c, f->column,
                             arena_printf(a->arena, "no log ends with it (looked for %s)", looked));
    }
}

/* Boxes && masks. */
static void put_both_maps(struct audit *a, const struct proof *p)
{
    const struct run_log *from;
    const struct log_value *box = proof_value(p, "final_map_bbox", &from);
    const struct log_value *mask = proof_value(p, "final_map_segm", &from);
    const char *key = "map_bbox_segm";
    size_t i = 0;
    for (const struct claim *c; recompute_next(a, p, &i, &c);) {
        if (c && (!box || !mask))
            recompute_cannot(a, c, key, "no log ends with final_map_bbox and final_map_segm");
        if (!box || !mask)
            continue;
        const struct recomputed x = {
            .key = key,
            .value = box->value,
            .second = mask->value,
            .decimals = 4,
            .pair = true,
            .derivation = arena_printf(a->arena, "%s (%s, line %d), %s (%s, line %d)",
                                       audit_number(a->arena, box->value), box->key, box->line,
                                       audit_number(a->arena, mask->value), mask->key, mask->line),
            .file = from->log.file,
            .line = box->line};
        recompute_put(a, c, &x);
    }
}

void check_final_values(struct audit *a, struct proof *p)
{
    const char *unsound = recompute_unsound(p);
    size_t n = sizeof final_values / sizeof final_values[0];
    for (size_t i = 0; i < n && !unsound; i++)
        put_final(a, p, &final_values[i]);
    for (size_t i = 0; i < n && unsound; i++)
        recompute_cannot_all(a, p, final_values[i].column, unsound);
    recompute_throughputs(a, p);
    if (!unsound)
        put_both_maps(a, p);
}

/* --- target --- */

void check_reached(struct audit *a, struct proof *p)
{
    static const char *const names[] = {"converged", "converged_success", "MMLU achieved"};
    const struct run_log *from, *ignored;
    const struct log_value *v = NULL;
    if (recompute_unsound(p))
        return;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && !v; i++)
        v = proof_value(p, names[i], &from);
    if (!v) {
        recompute_cannot_all(a, p, "target_reached", "no log says whether a target was reached");
        return;
    }
    bool reached = v->value != 0;
    const struct log_value *score = proof_value(p, "eval score", &ignored);
    const struct log_value *target = proof_value(p, "target score", &ignored);
    const char *derivation =
        arena_printf(a->arena, "%s is %s, line %d", v->key, reached ? "True" : "False", v->line);
    if (score && target)
        derivation = arena_printf(a->arena, "%s; the score is %s, its target %s", derivation,
                                  audit_number(a->arena, score->value),
                                  audit_number(a->arena, target->value));
    struct check_result *r = audit_report(a, reached ? OUTCOME_PASS : OUTCOME_FAIL, NULL, v->line,
                                          reached ? "the run reached its target (%s)"
                                                  : "the run ended without its target (%s False)",
                                          v->key);
    r->file = from->log.file;
    const struct recomputed x = {.key = "target_reached",
                                 .value = reached,
                                 .flag = true,
                                 .derivation = derivation,
                                 .file = from->log.file,
                                 .line = v->line};
    recompute_put_all(a, p, &x);
}

/* --- alignment --- */

static void note_aligned(struct audit *a, const struct claim *c, const struct alignment *x)
{
    struct metric *m = audit_metric(a, c, "aligned");
    if (!m)
        return;
    const struct figure f = *m->says;
    m->recomputed = x->aligned ? "True" : "False";
    m->source = "evidence";
    m->rule = a->check->id;
    m->derivation =
        arena_printf(a->arena,
                     "mean of |loss - reference| / |reference| over %zu steps from %d on "
                     "is %s, the limit %s",
                     x->steps, x->from_step, audit_number(a->arena, x->mean_rel_error),
                     audit_number(a->arena, x->limit));
    if (f.kind != FIGURE_FLAG)
        return;
    m->outcome = (f.value == 1) == x->aligned ? OUTCOME_PASS : OUTCOME_FAIL;
    m->reason = NULL;
}

void check_alignment(struct audit *a, struct proof *p)
{
    const struct alignment *x = p->alignment;
    size_t i = 0;
    if (!p->opened)
        return;
    const char *unseen = proof_unseen(a, p);
    if (recompute_unsound(p) || !x || unseen) {
        const char *why = recompute_unsound(p) ? recompute_unsound(p)
                          : unseen             ? unseen
                          : !a->kase && !p->kase
                              ? "which case this is is not known, and with it the reference"
                          : !p->reference_path ? "the case names no reference"
                          : p->reference_fault ? p->reference_fault
                                               : "the log has no loss";
        recompute_cannot_all(a, p, "aligned", why);
        audit_cannot(a, NULL, "the loss is not compared: %s", why);
        return;
    }
    const struct json *challenge = json_get(p->run, "challenge"); /* with a seed of its own */
    bool answer = !x->aligned && challenge && challenge->kind == JSON_OBJECT;
    const char *words =
        answer
            ? "loss against %s from step %d on, %zu steps: mean deviation %s %%, maximum %s %% at "
              "step %.0f (limit of the mean %s %%); run.json says that it answers a challenge, "
              "which "
              "has a seed of its own: `fpreport verify --challenge FILE` compares it with that "
              "seed's run"
            : "loss against %s from step %d on, %zu steps: mean deviation %s %%, maximum %s %% at "
              "step %.0f (limit of the mean %s %%)";
    struct check_result *r =
        audit_report(a, x->aligned ? OUTCOME_PASS : OUTCOME_FAIL, NULL, 0, words, x->reference,
                     x->from_step, x->steps, audit_fixed(a->arena, 100 * x->mean_rel_error, 4),
                     audit_fixed(a->arena, 100 * x->max_rel_error, 4), x->max_step,
                     audit_number(a->arena, 100 * x->limit));
    r->file = proof_place(a, p, p->log_name);
    r->line = x->aligned ? 0 : line_of_step(&p->log, x->max_step);
    r->stated =
        arena_printf(a->arena, "mean %s %%", audit_fixed(a->arena, 100 * x->mean_rel_error, 4));
    r->expected = arena_printf(a->arena, "< %s %%", audit_number(a->arena, 100 * x->limit));
    for (const struct claim *c; (c = proof_next_claim(a, p, &i)) != NULL;)
        note_aligned(a, c, x);
}
