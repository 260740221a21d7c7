/*
 * Figures recomputed from logs and monitors, each with what it was computed from.
 *
 * Tolerance is one unit in the last printed place of the stated figure: a page that truncates and
 * one that rounds both agree.
 */
#include "verifier/checks.h"

#include "verifier/mfu.h"
#include "verifier/proof.h"

#include <math.h>
#include <string.h>

/* A recomputed figure on its way into the verdict. */
struct recomputed {
    const char *key; /* of the column */
    double value, second;
    int decimals; /* printed when nothing is stated */
    bool pair, percent;
    const char *derivation;
    const char *file;
    int line;
};

static const char *shown(struct audit *a, const struct recomputed *x, int decimals)
{
    const char *sign = x->percent ? "%" : "";
    const char *value = audit_fixed(a->arena, x->value, decimals);
    if (x->pair)
        return arena_printf(a->arena, "%s/%s", value, audit_fixed(a->arena, x->second, decimals));
    return arena_printf(a->arena, "%s%s", value, sign);
}

/* Without a result nothing is stated: the figure alone goes into the verdict. */
static void note_alone(struct audit *a, const struct recomputed *x)
{
    const struct metrics_column *column = metrics_by_key(x->key);
    struct metric *m = ARENA_PUSH(a->arena, a->verdict->metrics, a->verdict->n_metrics);
    *m = (struct metric){.name = x->key,
                         .unit = column->unit,
                         .recomputed = shown(a, x, x->decimals),
                         .source = "evidence",
                         .derivation = x->derivation,
                         .outcome = OUTCOME_PASS};
}

static double in_printed_unit(const struct recomputed *x, const struct figure *f, double value)
{
    /* MFU as a ratio is read as a ratio, a score of 0.35 beside 35 % likewise. */
    return x->percent && !f->percent && f->value <= 1 ? value / 100 : value;
}

static bool agrees(const struct recomputed *x, const struct figure *f, double *tolerance)
{
    double value = in_printed_unit(x, f, x->value);
    *tolerance = figure_last_place(f->decimals);
    bool first = fabs(f->value - value) <= *tolerance * (1 + 1e-9);
    bool second = !x->pair || f->kind != FIGURE_PAIR ||
                  fabs(f->second - x->second) <= figure_last_place(f->second_decimals) * (1 + 1e-9);
    return first && second;
}

static void compare_claim(struct audit *a, const struct claim *c, const struct recomputed *x)
{
    struct metric *m = audit_metric(a, c, x->key);
    struct figure f;
    double tolerance;
    if (!m)
        return;
    m->derivation = x->derivation;
    m->source = "evidence";
    m->recomputed = shown(a, x, x->decimals);
    figure_parse(m->stated, a->arena, &f);
    if (!figure_has_value(&f))
        return;
    bool ok = agrees(x, &f, &tolerance);
    int decimals = f.decimals > x->decimals ? f.decimals : x->decimals;
    m->recomputed = shown(a, x, decimals);
    m->tolerance = audit_fixed(a->arena, tolerance, f.decimals);
    m->outcome = ok ? OUTCOME_PASS : OUTCOME_FAIL;
    m->reason = NULL;
    struct check_result *r =
        audit_report(a, m->outcome, c, 0, "%s is stated as %s, the evidence gives %s: %s", x->key,
                     m->stated, m->recomputed, x->derivation);
    r->stated = m->stated;
    r->expected = m->recomputed;
    r->tolerance = m->tolerance;
    if (!ok && x->file) {
        r->file = x->file;
        r->line = x->line;
    }
}

static void put(struct audit *a, const struct proof *p, const struct recomputed *x)
{
    size_t i = 0;
    if (!p->evidence)
        note_alone(a, x);
    for (const struct claim *c; (c = proof_next_claim(a, p, &i)) != NULL;)
        compare_claim(a, c, x);
}

static void cannot(struct audit *a, const struct proof *p, const char *key, const char *why)
{
    size_t i = 0;
    for (const struct claim *c; (c = proof_next_claim(a, p, &i)) != NULL;) {
        struct metric *m = audit_metric(a, c, key);
        if (!m || !m->claimed)
            continue;
        m->reason = m->recomputed ? m->reason : why;
        audit_cannot(a, c, "%s cannot be recomputed: %s", key, why);
    }
}

/* Figures are only worth anything when the evidence is what it says. */
static bool is_sound(const struct proof *p)
{
    return p->opened && p->submission.intact &&
           !(p->evidence && p->evidence->sha256 &&
             strcmp(p->evidence->sha256, p->submission.archive_sha256) != 0);
}

/* --- throughput --- */

struct rate {
    double tokens_per_s_per_card; /* NaN: cannot */
    const char *derivation, *why;
    int line;
};

/* Cards of the run: of the row, else of the fingerprint, else one. */
static double run_cards(const struct audit *a, const struct proof *p)
{
    size_t i = 0;
    const struct claim *c = proof_next_claim(a, p, &i);
    const char *count = facts_value(&p->facts, FACT_ACCELERATOR_COUNT);
    struct figure f;
    if (c && c->cards)
        return (double)c->cards;
    figure_parse(count, a->arena, &f);
    return f.kind == FIGURE_NUMBER && f.value >= 1 ? f.value : 1;
}

/* Tokens of one step, with its factors as text. */
static double step_tokens(const struct audit *a, const struct case_record *k, const char **factors)
{
    long long data = k->parallel && k->parallel->data ? k->parallel->data : 1;
    long long accumulation = k->gradient_accumulation ? k->gradient_accumulation : 1;
    *factors = arena_printf(a->arena, "(%lld * %lld * %lld * %lld)", k->micro_batch, accumulation,
                            data, k->sequence_length);
    return case_sequences(k) * (double)k->sequence_length;
}

struct steps_time {
    double seconds, steps, first, last;
    int line;
};

/*
 * Seconds of the steps that count: "mean" takes all after the warm-up together (tokens over time,
 * not a mean of rates), "last" only the last one, as Megatron's case scripts do.
 */
static struct steps_time count_steps(const struct proof *p, const struct case_report *report)
{
    struct steps_time t = {0, 0, NAN, NAN, 0};
    bool last_only = report && report->throughput && strcmp(report->throughput, "last") == 0;
    double warmup = report ? (double)report->warmup_steps : 0, before = -INFINITY;
    for (size_t i = 0; i < p->log.n_points; i++) {
        const struct log_point *x = &p->log.points[i];
        if (isnan(x->seconds) || x->step <= warmup || x->step <= before)
            continue;
        if (last_only)
            t = (struct steps_time){0, 0, NAN, NAN, 0};
        t.first = isnan(t.first) ? x->step : t.first;
        t.last = before = x->step;
        t.seconds += x->seconds;
        t.steps++;
        t.line = x->line;
    }
    return t;
}

static struct rate rate_by_steps(const struct audit *a, const struct proof *p)
{
    struct rate r = {NAN, NULL, "the log has no time of its steps", 0};
    const struct case_report *report = a->kase ? a->kase->report : p->kase->report;
    struct steps_time t = count_steps(p, report);
    const char *factors;
    double tokens = step_tokens(a, p->kase, &factors), cards = run_cards(a, p);
    if (!(t.seconds > 0))
        return r;
    r.tokens_per_s_per_card = t.steps * tokens / t.seconds / cards;
    r.line = t.line;
    r.derivation = arena_printf(
        a->arena,
        "%s * %s / %s / %s = %s (steps %s to %s * LBS * GAS * DP * MPE / seconds / cards)",
        audit_number(a->arena, t.steps), factors, audit_number(a->arena, t.seconds),
        audit_number(a->arena, cards), audit_fixed(a->arena, r.tokens_per_s_per_card, 4),
        audit_number(a->arena, t.first), audit_number(a->arena, t.last));
    return r;
}

/* DeepSpeed's running average of the samples of all cards. */
static struct rate rate_by_samples(const struct audit *a, const struct proof *p)
{
    struct rate r = {NAN, NULL, "the log has no time of its steps", 0};
    const struct log_value *v = log_get(&p->log, "RunningAvgSamplesPerSec");
    double cards = run_cards(a, p);
    if (!v)
        return r;
    r.tokens_per_s_per_card = v->value * (double)p->kase->sequence_length / cards;
    r.line = v->line;
    r.derivation = arena_printf(
        a->arena, "%s * %lld / %s = %s (RunningAvgSamplesPerSec * MPE / cards)",
        audit_number(a->arena, v->value), p->kase->sequence_length, audit_number(a->arena, cards),
        audit_fixed(a->arena, r.tokens_per_s_per_card, 4));
    return r;
}

static struct rate find_rate(const struct audit *a, const struct proof *p)
{
    struct rate r = {NAN, NULL, "the evidence is not intact", 0};
    if (!is_sound(p))
        return r;
    r.why = "the case that was run does not say its batch and length";
    if (!p->kase || !p->kase->micro_batch || !p->kase->sequence_length)
        return r;
    r = rate_by_steps(a, p);
    return isnan(r.tokens_per_s_per_card) ? rate_by_samples(a, p) : r;
}

void check_throughput(struct audit *a, struct proof *p)
{
    const char *key = "token_per_s_per_card";
    struct rate r = find_rate(a, p);
    if (isnan(r.tokens_per_s_per_card)) {
        cannot(a, p, key, r.why);
        return;
    }
    const struct recomputed x = {.key = key,
                                 .value = r.tokens_per_s_per_card,
                                 .decimals = 1,
                                 .derivation = r.derivation,
                                 .file = proof_place(a, p, p->log_name),
                                 .line = r.line};
    put(a, p, &x);
}

/* --- MFU --- */

/* A claim for a submission without a result: its precision is the case's. */
static struct claim claim_of_run(struct audit *a, const struct proof *p)
{
    const char *card = facts_value(&p->facts, FACT_ACCELERATOR_MODEL);
    struct claim c = {.precision = p->kase ? p->kase->precision : NULL};
    c.config.accelerator = card ? card : "CPU";
    c.config.card_memory = NAN;
    hyperparameters_parse("", a->arena, &c.hyper);
    c.accelerator = card ? project_find_accelerator(a->project, card, NULL) : NULL;
    return c;
}

static void put_mfu(struct audit *a, const struct proof *p, const struct claim *c, double rate)
{
    struct mfu_inputs in;
    const char *why;
    if (!mfu_find_inputs(a, c, &in, &why)) {
        struct metric *m = p->evidence ? audit_metric(a, c, "mfu") : NULL;
        if (m && m->claimed)
            m->reason = why;
        return;
    }
    const struct recomputed x = {.key = "mfu",
                                 .value = 100 * mfu_ratio(&in, rate),
                                 .decimals = 2,
                                 .percent = true,
                                 .derivation = mfu_derivation(&in, rate, a->arena)};
    if (p->evidence)
        compare_claim(a, c, &x);
    else
        note_alone(a, &x);
}

void check_evidence_mfu(struct audit *a, struct proof *p)
{
    struct rate r = find_rate(a, p);
    size_t i = 0;
    if (isnan(r.tokens_per_s_per_card)) {
        cannot(a, p, "mfu", r.why);
        return;
    }
    if (!p->evidence) {
        struct claim c = claim_of_run(a, p);
        put_mfu(a, p, &c, r.tokens_per_s_per_card);
    }
    for (const struct claim *c; (c = proof_next_claim(a, p, &i)) != NULL;)
        put_mfu(a, p, c, r.tokens_per_s_per_card);
}

/* --- loss, memory, final values --- */

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
    if (!is_sound(p) || !p->curve.n) {
        cannot(a, p, "loss", is_sound(p) ? "the log has no loss" : "the evidence is not intact");
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
    put(a, p, &x);
}

#define MIB_PER_GIB 1024

/* Of the card by its monitor; of the machine where there is no card. */
void check_peak_memory(struct audit *a, struct proof *p)
{
    const struct monitor_peaks *m = &p->peaks;
    const char *memory = facts_value(&p->facts, FACT_MEMORY);
    bool card = facts_value(&p->facts, FACT_ACCELERATOR_MODEL) || m->card_samples;
    struct figure total;
    struct recomputed x = {.key = "memory", .decimals = 1, .pair = true};
    figure_parse(memory, a->arena, &total);
    if (!is_sound(p)) {
        cannot(a, p, "memory", "the evidence is not intact");
        return;
    }
    if (m->card_samples) {
        x.value = m->card_mib / MIB_PER_GIB;
        x.second = m->card_total_mib / MIB_PER_GIB;
        x.derivation = arena_printf(a->arena, "%s / 1024 of %s / 1024 GiB (largest of %zu samples)",
                                    audit_number(a->arena, m->card_mib),
                                    audit_number(a->arena, m->card_total_mib), m->card_samples);
    } else if (!card && !isnan(m->memory_share) && total.kind == FIGURE_NUMBER) {
        x.value = m->memory_share * total.value;
        x.second = total.value;
        x.derivation = arena_printf(a->arena, "%s * %s GiB (largest share of the machine's memory)",
                                    audit_number(a->arena, m->memory_share),
                                    audit_number(a->arena, total.value));
    } else {
        cannot(a, p, "memory",
               p->monitor_fault ? p->monitor_fault : "no monitor has samples of the memory");
        return;
    }
    put(a, p, &x);
}

/* Columns whose figure a log prints at its end, under these names. */
static const struct final_value {
    const char *column, *names[4];
    int decimals;
} final_values[] = {
    {"e2e_time", {"e2e_time", NULL}, 1},
    {"p_whole", {"throughput(ips)_raw", "throughput(sps)_raw", "throuhgput(ips)_raw", NULL}, 1},
    {"p_train",
     {"throughput(ips)_no_eval", "throughput(sps)_no_eval", "throuhgput(ips)_no_eval"},
     1},
    {"p_core",
     {"throughput(ips)_pure_compute", "throughput(sps)_pure_compute",
      "throuhgput(ips)_pure_compute"},
     1},
    {"acc", {"final_accuracy", "acc", "final_mlm_accuracy", "final_acc1"}, 4},
    {"final_acc1", {"final_acc1", NULL}, 4},
    {"mlm_acc", {"final_mlm_accuracy", NULL}, 4},
    {"map", {"final_mAP", NULL}, 4},
    {"auc", {"final_auc", "best_auc", NULL}, 4},
    {"acc_mmmu", {"MMMU", NULL}, 4},
    {"rouge1", {"rouge1", NULL}, 2},
    {"rouge2", {"rouge2", NULL}, 2},
    {"rougel", {"rougeL", NULL}, 2},
    {"rougelsum", {"rougeLsum", NULL}, 2},
    {"val_loss", {"val_loss", NULL}, 4},
};

void check_final_values(struct audit *a, struct proof *p)
{
    if (!is_sound(p))
        return;
    for (size_t i = 0; i < sizeof final_values / sizeof final_values[0]; i++) {
        const struct final_value *f = &final_values[i];
        const struct log_value *v = NULL;
        for (size_t k = 0; k < 4 && f->names[k] && !v; k++)
            v = log_get(&p->log, f->names[k]);
        if (!v)
            continue;
        const struct recomputed x = {.key = f->column,
                                     .value = v->value,
                                     .decimals = f->decimals,
                                     .derivation = arena_printf(a->arena, "%s (%s, line %d)",
                                                                audit_number(a->arena, v->value),
                                                                v->key, v->line),
                                     .file = proof_place(a, p, p->log_name),
                                     .line = v->line};
        put(a, p, &x);
    }
}

/* --- alignment --- */

static void note_aligned(struct audit *a, const struct claim *c, const struct alignment *x)
{
    struct metric *m = audit_metric(a, c, "aligned");
    struct figure f;
    if (!m)
        return;
    figure_parse(m->stated, a->arena, &f);
    m->recomputed = x->aligned ? "True" : "False";
    m->source = "evidence";
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
    if (!is_sound(p) || !x) {
        const char *why = !is_sound(p)         ? "the evidence is not intact"
                          : !p->reference_path ? "the case names no reference"
                          : p->reference_fault ? p->reference_fault
                                               : "the log has no loss";
        cannot(a, p, "aligned", why);
        audit_cannot(a, NULL, "the loss is not compared: %s", why);
        return;
    }
    struct check_result *r = audit_report(
        a, x->aligned ? OUTCOME_PASS : OUTCOME_FAIL, NULL, 0,
        "loss against %s from step %d on, %zu steps: mean deviation %s %%, maximum %s %% at step "
        "%.0f (limit of the mean %s %%)",
        x->reference, x->from_step, x->steps, audit_fixed(a->arena, 100 * x->mean_rel_error, 4),
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
