#include "verifier/proofs/rate.h"

#include "base/records/seen.h"
#include "base/text.h"
#include "verifier/logs/log_format.h"

/* --- cards and settings --- */

/* Of the row, else of the run, else of the fingerprint; NaN: not known. */
static double count_cards(const struct audit *a, const struct proof *p, const struct claim *c)
{
    const char *count = facts_value(&p->facts, FACT_ACCELERATOR_COUNT);
    struct figure f;
    if (c && c->cards)
        return (double)c->cards;
    if (p->laid.size[LAYOUT_CARDS])
        return (double)p->laid.size[LAYOUT_CARDS];
    figure_parse(count, a->arena, &f);
    if (f.kind == FIGURE_NUMBER && f.value >= 1)
        return f.value;
    return p->loose && !p->facts.n ? NAN : 1;
}

/* Of the case that was run; of one that is only assumed, the row's first. */
static double setting(const struct audit *a, const struct proof *p, const struct claim *c,
                      enum batch_symbol symbol, long long of_case)
{
    double stated = p->kase_assumed && c ? audit_batch(a, c, symbol) : NAN;
    if (!isnan(stated))
        return stated;
    return of_case ? (double)of_case : NAN;
}

/* --- tokens of a step --- */

struct batch {
    double tokens;
    const char *factors, *legend;
};

/* Sequences of one step as the log counts them; NaN when it does not. */
static double logged_batch(const struct proof *p)
{
    const struct log_point *first = NULL, *last = NULL;
    for (size_t i = 0; i < p->log.n_points; i++) {
        const struct log_point *x = &p->log.points[i];
        if (isnan(x->samples))
            continue;
        first = first ? first : x;
        last = x;
    }
    if (!first)
        return NAN;
    double batch = first == last ? first->samples_per_s * first->seconds
                                 : (last->samples - first->samples) / (last->step - first->step);
    return batch > 0 && fabs(batch - round(batch)) < 1e-6 * batch ? round(batch) : NAN;
}

/* Ranks with sequences of their own. The row's plan counts where the run names none; without any
 * every rank is a replica. */
static double replicas(const struct audit *a, const struct proof *p, const struct claim *c,
                       double cards)
{
    const struct accelerator *card = c && c->accelerator ? c->accelerator : proof_accelerator(a, p);
    const struct layout_source *run = &p->laid;
    double ranks = run->size[LAYOUT_RANKS] ? (double)run->size[LAYOUT_RANKS]
                                           : cards * plan_factor(card ? card->ranks_per_card : 0);
    if (proof_is_native(p)) /* the factors are its case's, whatever plan it ran under */
        return p->kase->parallel ? plan_factor(p->kase->parallel->data) : 1;
    if (layout_has_plan(run))
        return (double)run->size[LAYOUT_DATA];
    if (c && c->has_plan)
        return c->plan.data ? (double)c->plan.data
                            : ranks / (plan_factor(c->plan.tensor) * plan_factor(c->plan.pipeline));
    return run->size[LAYOUT_DATA] ? (double)run->size[LAYOUT_DATA] : ranks;
}

/* A case that was run and names all of its batch is what the run is held to; what another one
 * leaves open, or merely assumes, the log says better. */
static struct batch find_batch(const struct audit *a, const struct proof *p, const struct claim *c,
                               const struct rate *r)
{
    /* LBS * GAS * DP * MPE by the case; tokens NaN when it does not say. */
    const struct case_record *k = p->kase;
    double micro = setting(a, p, c, BATCH_LBS, k->micro_batch);
    double steps = setting(a, p, c, BATCH_GAS, k->gradient_accumulation);
    double data = replicas(a, p, c, r->cards);
    steps = isnan(steps) ? 1 : steps;
    struct batch by_case = {micro * steps * data * r->length, NULL, "LBS * GAS * DP * MPE"};
    by_case.factors = sentence_say(a->arena, "(%s * %s * %s * %s)", audit_number(a->arena, micro),
                                   audit_number(a->arena, steps), audit_number(a->arena, data),
                                   audit_number(a->arena, r->length));
    double sequences = logged_batch(p);
    struct batch by_log = {sequences * r->length, NULL,
                           "sequences per step, as counted by the log * MPE"};
    by_log.factors = sentence_say(a->arena, "(%s * %s)", audit_number(a->arena, sequences),
                                  audit_number(a->arena, r->length));
    bool whole = !p->kase_assumed && (p->kase->parallel || r->cards == 1);
    if (isnan(by_log.tokens) || (whole && !isnan(by_case.tokens)))
        return by_case;
    return by_log;
}

/* --- by the steps --- */

struct steps_time rate_count_steps(const struct proof *p, const struct case_report *report)
{
    struct steps_time t = {.first = NAN, .last = NAN};
    bool last_only = report && report->throughput && strcmp(report->throughput, "last") == 0;
    /* A run that goes on warms up again. */
    double warmup = (report ? (double)report->warmup_steps : 0) + proof_resumed(p);
    double before = -INFINITY;
    for (size_t i = 0; i < p->log.n_points; i++) {
        const struct log_point *x = &p->log.points[i];
        if (isnan(x->seconds) || x->step <= warmup || x->step <= before)
            continue;
        if (last_only)
            t = (struct steps_time){.first = NAN, .last = NAN};
        t.first = isnan(t.first) ? x->step : t.first;
        t.last = before = x->step;
        t.seconds += x->seconds;
        t.tokens += x->tokens_per_s * x->seconds;
        t.pictures += x->pictures;
        t.real_tokens += x->real_tokens;
        t.targets += x->targets;
        double tokens = x->tokens_per_s * x->seconds;
        bool counted = !isnan(x->attention_pairs);
        double sequences = p->kase ? case_sequences(p->kase) : NAN;
        t.attention_pairs += counted         ? x->attention_pairs
                             : sequences > 0 ? tokens * tokens / sequences
                                             : NAN;
        t.pairs_by_mean = t.pairs_by_mean || !counted;
        t.steps++;
        t.from = t.from ? t.from : x->line;
        t.line = x->line;
    }
    return t;
}

/* Where samples differ in length, no case says how many tokens a step has: the log does, padding
 * among them, as the page's convention counts. */
static struct batch batch_of_steps(const struct audit *a, const struct steps_time *t)
{
    struct batch b = {t->tokens / t->steps, NULL,
                      "tokens per step with padding, as counted by the log"};
    b.factors = audit_number(a->arena, b.tokens);
    return b;
}

static void by_steps(const struct audit *a, const struct proof *p, const struct claim *c,
                     struct rate *r)
{
    const struct case_report *report = a->kase ? a->kase->report : p->kase->report;
    struct steps_time t = rate_count_steps(p, report);
    struct batch batch = p->kase->stage ? batch_of_steps(a, &t) : find_batch(a, p, c, r);
    if (!(t.seconds > 0)) {
        r->why = "the log gives no step times";
        return;
    }
    if (isnan(batch.tokens)) {
        r->why = "neither the case nor the log gives the number of tokens per step";
        return;
    }
    r->tokens_per_s_per_card = t.steps * batch.tokens / t.seconds / r->cards;
    r->line = t.line;
    r->from = t.from < t.line ? t.from : 0;
    r->derivation = sentence_say(
        a->arena, "%s * %s / %s / %s = %s (steps %s to %s * %s / seconds / cards)",
        audit_number(a->arena, t.steps), batch.factors, audit_number(a->arena, t.seconds),
        audit_number(a->arena, r->cards), audit_fixed(a->arena, r->tokens_per_s_per_card, 4),
        audit_number(a->arena, t.first), audit_number(a->arena, t.last), batch.legend);
}

/* --- by when train saw the lines --- */

/* The file that says so; data NULL: there is none. */
static struct bytes times_of_lines(const struct audit *a, const struct proof *p)
{
    const char *name = p->log_name ? seen_name(p->log_name, a->arena) : NULL;
    const struct bytes *sealed = name && !p->loose ? submission_file(&p->submission, name) : NULL;
    return sealed ? *sealed : (struct bytes){NULL, 0};
}

/* Reports behind the warm-up, from the first line to the last; a report stands behind its steps. */
static void by_seen(const struct audit *a, const struct proof *p, const struct claim *c,
                    struct rate *r)
{
    const struct case_report *report = a->kase ? a->kase->report : p->kase->report;
    const struct bytes seen = times_of_lines(a, p);
    const struct batch batch = find_batch(a, p, c, r);
    const struct log_point *first = NULL, *last = NULL;
    double began = NAN, ended = NAN;
    size_t at = 0;
    for (size_t i = 0; seen.data && !p->log.counted && i < p->log.n_points; i++) {
        const struct log_point *x = &p->log.points[i];
        double ms = seen_line_ms(seen, x->line, &at);
        if (isnan(ms) || x->step < (report ? (double)report->warmup_steps : 0) ||
            (last && (x->step <= last->step || x->line <= last->line)))
            continue;
        first = first ? first : x;
        began = first == x ? ms : began;
        last = x;
        ended = ms;
    }
    double seconds = (ended - began) / 1000, steps = first ? last->step - first->step : 0;
    if (!(seconds > 0) || steps < 1 || isnan(batch.tokens))
        return;
    r->tokens_per_s_per_card = steps * batch.tokens / seconds / r->cards;
    r->line = last->line;
    r->from = first->line;
    r->derivation = sentence_say(
        a->arena,
        "%s * %s / %s / %s = %s (steps after %s to %s * %s / seconds between the arrival of their "
        "lines / cards)",
        audit_number(a->arena, steps), batch.factors, audit_number(a->arena, seconds),
        audit_number(a->arena, r->cards), audit_fixed(a->arena, r->tokens_per_s_per_card, 4),
        audit_number(a->arena, first->step), audit_number(a->arena, last->step), batch.legend);
}

/* --- by what is printed --- */

/* Figures of all cards together that a log ends with; `tokens`: else sequences. */
static const struct total {
    const char *key;
    bool tokens;
} totals[] = {
    {"RunningAvgSamplesPerSec", false},
    {"effective_tokens_per_second", true},
    {"training_sequences_per_second", false},
    {"train_samples_per_second", false}, /* of transformers' trainer, at its end */
    {LOG_RATE, true},
};

static void by_totals(const struct audit *a, const struct proof *p, struct rate *r)
{
    for (size_t i = 0; i < sizeof totals / sizeof totals[0]; i++) {
        const struct run_log *from;
        const struct log_value *v = proof_value(p, totals[i].key, &from);
        double length = totals[i].tokens ? 1 : r->length;
        if (!v || isnan(length))
            continue;
        r->tokens_per_s_per_card = v->value * length / r->cards;
        r->line = v->line;
        r->file = from->log.file;
        const char *printed = audit_number(a->arena, v->value), *key = totals[i].key;
        if (!totals[i].tokens) {
            printed = sentence_say(a->arena, "%s * %s", printed, audit_number(a->arena, length));
            key = sentence_say(a->arena, "%s * MPE", key);
        }
        r->derivation = sentence_say(a->arena, "%s / %s = %s (%s / cards)", printed,
                                     audit_number(a->arena, r->cards),
                                     audit_fixed(a->arena, r->tokens_per_s_per_card, 4), key);
        return;
    }
}

/* LLaVA's two stages print a figure each; a row is of one of them. */
const struct log_value *rate_printed(const struct proof *p, const struct claim *c,
                                     const struct run_log **from)
{
    const char *stage = c ? c->config.stage : NULL;
    const struct log_value *v = NULL;
    if (stage && strcmp(stage, "pretrain") == 0)
        v = proof_value(p, "Pretrain stage: Tokens/p/s", from);
    else if (stage && strcmp(stage, "finetune") == 0)
        v = proof_value(p, "Finetune stage: Tokens/p/s", from);
    if (!v)
        v = proof_value(p, "Tokens/p/s", from);
    return v ? v : proof_value(p, "Throughput(token per chip per second)", from);
}

static void by_print(const struct audit *a, const struct proof *p, const struct claim *c,
                     struct rate *r)
{
    const struct run_log *from;
    const struct log_value *v = rate_printed(p, c, &from);
    v = v || (c && c->config.stage) ? v : proof_value(p, LOG_CARD_RATE, &from);
    if (!v)
        return;
    r->tokens_per_s_per_card = v->value;
    r->printed = true;
    r->line = v->line;
    r->file = from->log.file;
    r->derivation = sentence_say(a->arena, "%s (%s, line %d, printed by the log: %s)",
                                 audit_number(a->arena, v->value), v->key, v->line, r->why);
}

void rate_find(struct audit *a, const struct proof *p, const struct claim *c, struct rate *out)
{
    *out =
        (struct rate){.tokens_per_s_per_card = NAN,
                      .why = p->missing ? "the evidence is missing" : "the evidence is not intact",
                      .file = p->log.file,
                      .assumed = p->kase_assumed,
                      .cards = count_cards(a, p, c),
                      .length = NAN};
    if (p->kase)
        out->length = setting(a, p, c, BATCH_MPE, p->kase->sequence_length);
    bool staged = c && c->config.stage;
    if (isnan(out->cards))
        out->why = "the number of cards is unknown";
    else if (!p->kase)
        out->why = "the case of the run is unknown, and so is its sequence length";
    else if (!staged)
        by_steps(a, p, c, out);
    else
        out->why = "the log contains several stages";
    if (isnan(out->tokens_per_s_per_card) && !isnan(out->cards) && !staged)
        by_totals(a, p, out);
    if (isnan(out->tokens_per_s_per_card) && !isnan(out->cards) && !staged && p->kase)
        by_seen(a, p, c, out);
    if (isnan(out->tokens_per_s_per_card))
        by_print(a, p, c, out);
}
