/*
 * Rates recomputed from logs: tokens per second and card (verifier/proofs/rate.h), FlagPerf's three
 * throughputs, and whether what the log prints at its end follows from what it holds.
 *
 * A FINISHED event names its samples and its seconds:
 *   p_whole = num_trained_samples / raw_train_time                 all of the training
 *   p_train = num_trained_samples / train_no_eval_time             without its evaluations
 *   p_core  = num_trained_samples / pure_training_computing_time   forward, backward, update
 * (training/benchmarks/<case>/run_pretraining.py of FlagPerf); samples and rates are of all cards.
 */
#include "verifier/checks/checks.h"

#include "verifier/claims/mfu.h"
#include "verifier/proofs/rate.h"
#include "verifier/proofs/recompute.h"

#include <math.h>
#include <string.h>

/* --- tokens per second and card --- */

static void put_rate(struct audit *a, const struct proof *p, const struct claim *c, const char *key)
{
    struct rate r;
    rate_find(a, p, c, &r);
    if (isnan(r.tokens_per_s_per_card)) {
        recompute_cannot(a, c, key, r.why);
        return;
    }
    const struct recomputed x = {.key = key,
                                 .value = r.tokens_per_s_per_card,
                                 .decimals = 1,
                                 .derivation = r.derivation,
                                 .file = r.file,
                                 .line = r.line,
                                 .from = r.from};
    recompute_put(a, c, &x);
}

void check_throughput(struct audit *a, struct proof *p)
{
    const char *unsound = recompute_unsound(p);
    size_t i = 0;
    for (const struct claim *c; recompute_next(a, p, &i, &c);) {
        if (unsound) {
            recompute_cannot(a, c, "token_per_s_per_card", unsound);
            recompute_cannot(a, c, "throughput", unsound);
            continue;
        }
        put_rate(a, p, c, "token_per_s_per_card");
        if (c)
            put_rate(a, p, c, "throughput");
    }
}

/* --- samples over seconds --- */

#define NAMES_MAX 3

static const struct throughput {
    const char *column, *seconds[NAMES_MAX], *printed[NAMES_MAX];
} throughputs[] = {
    {"p_whole",
     {"raw_train_time", "train_time", NULL},
     {"throughput(ips)_raw", "throughput(sps)_raw", "throuhgput(ips)_raw"}},
    {"p_train",
     {"train_no_eval_time", "no_eval_time", NULL},
     {"throughput(ips)_no_eval", "throughput(sps)_no_eval", "throuhgput(ips)_no_eval"}},
    {"p_core",
     {"pure_training_computing_time", "pure_compute_time", NULL},
     {"throughput(ips)_pure_compute", "throughput(sps)_pure_compute",
      "throuhgput(ips)_pure_compute"}},
};

#define N_THROUGHPUTS (sizeof throughputs / sizeof throughputs[0])

static const struct log_value *first_of(const struct proof *p, const char *const names[NAMES_MAX],
                                        const struct run_log **from)
{
    const struct log_value *v = NULL;
    for (size_t i = 0; i < NAMES_MAX && names[i] && !v; i++)
        v = proof_value(p, names[i], from);
    return v;
}

/* Samples / seconds with its derivation; false when the log does not have both. */
static bool divide_samples(struct audit *a, const struct proof *p, const struct throughput *t,
                           struct recomputed *x)
{
    const struct run_log *from;
    const struct log_value *samples = proof_value(p, "num_trained_samples", &from);
    const struct log_value *seconds = first_of(p, t->seconds, &from);
    if (!samples || !seconds || !(seconds->value > 0))
        return false;
    double value = samples->value / seconds->value;
    *x = (struct recomputed){
        .key = t->column,
        .value = value,
        .decimals = 1,
        .derivation = arena_printf(a->arena, "%s / %s = %s (num_trained_samples / %s, line %d)",
                                   audit_number(a->arena, samples->value),
                                   audit_number(a->arena, seconds->value),
                                   audit_fixed(a->arena, value, 4), seconds->key, seconds->line),
        .file = from->log.file,
        .line = seconds->line};
    return true;
}

/* What the log prints, where it has not what it was made from. */
static bool take_printed(struct audit *a, const struct proof *p, const struct throughput *t,
                         struct recomputed *x)
{
    const struct run_log *from;
    const struct log_value *v = first_of(p, t->printed, &from);
    if (!v)
        return false;
    *x = (struct recomputed){.key = t->column,
                             .value = v->value,
                             .decimals = 1,
                             .derivation =
                                 arena_printf(a->arena, "%s (%s, line %d)",
                                              audit_number(a->arena, v->value), v->key, v->line),
                             .file = from->log.file,
                             .line = v->line};
    return true;
}

void recompute_throughputs(struct audit *a, const struct proof *p)
{
    /* Samples are counted from the first step of all, seconds from the first of the log. */
    const char *unsound = recompute_unsound(p), *why = unsound ? unsound : proof_unseen(a, p);
    for (size_t i = 0; i < N_THROUGHPUTS; i++) {
        const struct throughput *t = &throughputs[i];
        struct recomputed x;
        if (!why && (divide_samples(a, p, t, &x) || take_printed(a, p, t, &x)))
            recompute_put_all(a, p, &x);
        else
            recompute_cannot_all(a, p, t->column,
                                 why ? why
                                     : arena_printf(a->arena,
                                                    "no FINISHED event has num_trained_samples and "
                                                    "%s, nor %s",
                                                    t->seconds[0], t->printed[0]));
    }
}

/* --- what the log prints about itself --- */

#define PRINTED_SLACK 1e-3 /* relative: some scripts round what they print */
#define PRINTED_MFU 5e-3   /* relative: peaks are configured, and rounded */

static void judge_printed(struct audit *a, const struct proof *p, const struct log_value *printed,
                          const struct run_log *from, double value, double slack,
                          const char *derivation)
{
    bool ok = fabs(printed->value - value) <= slack * fabs(value) + 0.005 * (slack < PRINTED_MFU);
    struct check_result *r =
        audit_report(a, ok ? OUTCOME_PASS : OUTCOME_FAIL, NULL, printed->line,
                     ok ? "%s is printed as %s and follows from the log: %s"
                        : "%s is printed as %s, the log itself gives another figure: %s",
                     printed->key, audit_number(a->arena, printed->value), derivation);
    r->file = from->log.file;
    r->table = p->evidence ? (int)p->evidence->table : 0;
    r->row = p->evidence ? (int)p->evidence->row : 0;
    r->stated = audit_number(a->arena, printed->value);
    r->expected = audit_fixed(a->arena, value, 4);
}

static void judge_throughputs(struct audit *a, const struct proof *p)
{
    for (size_t i = 0; i < N_THROUGHPUTS; i++) {
        const struct run_log *from;
        const struct log_value *v = first_of(p, throughputs[i].printed, &from);
        struct recomputed x;
        if (v && divide_samples(a, p, &throughputs[i], &x))
            judge_printed(a, p, v, from, x.value, PRINTED_SLACK, x.derivation);
    }
}

/* One figure of the whole log, for the first row: the cards of all rows of one proof agree. */
static void judge_rate(struct audit *a, const struct proof *p, const struct claim *c)
{
    const struct run_log *from;
    const struct log_value *v = rate_printed(p, c, &from);
    struct rate r;
    rate_find(a, p, c, &r);
    if (!v || r.printed || isnan(r.tokens_per_s_per_card))
        return;
    /* Scripts divide by ranks, pages by cards: a card that shows two devices has two. */
    const struct accelerator *card = c && c->accelerator ? c->accelerator : proof_accelerator(a, p);
    double ranks = card && card->ranks_per_card ? (double)card->ranks_per_card : 1;
    double per_rank = r.tokens_per_s_per_card / ranks;
    bool of_rank = fabs(v->value - per_rank) <= PRINTED_SLACK * per_rank;
    judge_printed(a, p, v, from, of_rank ? per_rank : r.tokens_per_s_per_card, PRINTED_SLACK,
                  r.derivation);
}

static void judge_mfu(struct audit *a, const struct proof *p, const struct claim *c)
{
    const struct run_log *from, *ignored;
    const struct log_value *v = proof_value(p, "MFU", &from);
    const struct log_value *rate = rate_printed(p, c, &ignored);
    struct claim of_run = proof_claim(a, p);
    struct mfu_inputs in;
    const char *why;
    if (!v || !rate || (c && c->config.stage) || !mfu_find_inputs(a, c ? c : &of_run, &in, &why))
        return;
    double ratio = mfu_ratio(&in, rate->value);
    bool percent = v->value > 1.5;
    judge_printed(a, p, v, from, percent ? 100 * ratio : ratio, PRINTED_MFU,
                  mfu_derivation(&in, rate->value, a->arena));
}

/* An operator's benchmark prints the time of a call and the calls of a second. */
static void judge_operators(struct audit *a, const struct proof *p)
{
    static const char *const names[] = {"cputime", "kerneltime"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const struct run_log *from, *ignored;
        const char *rate = arena_printf(a->arena, "%s throughput (op/s)", names[i]);
        const char *time = arena_printf(a->arena, "%s (us)", names[i]);
        const struct log_value *v = proof_value(p, rate, &from);
        const struct log_value *us = proof_value(p, time, &ignored);
        if (!v || !us || !(us->value > 0))
            continue;
        judge_printed(a, p, v, from, 1e6 / us->value, PRINTED_SLACK + 0.005 / us->value,
                      arena_printf(a->arena, "1e6 / %s = %s (%s)",
                                   audit_number(a->arena, us->value),
                                   audit_fixed(a->arena, 1e6 / us->value, 4), time));
    }
}

void check_printed(struct audit *a, struct proof *p)
{
    const struct claim *c;
    size_t i = 0;
    if (recompute_unsound(p) || !recompute_next(a, p, &i, &c))
        return;
    judge_throughputs(a, p);
    judge_operators(a, p);
    judge_rate(a, p, c);
    judge_mfu(a, p, c);
}
