/*
 * rate: tokens per second and card, from a log.
 *
 * In this order, the first that can be had:
 *   steps     tokens of the steps that count / their seconds / cards. Which steps count is the
 *             case's convention (report): all behind its warm-up together ("mean": tokens over
 *             time, not a mean of rates), or the last iteration only ("last", as Megatron's case
 *             scripts do).
 *   samples   DeepSpeed's running average of the samples of all cards, times the length
 *   seen      where neither is there: tokens of the steps between the first report and the last, by
 *             when `train` saw their lines (base/records/seen.h)
 *   printed   what the log itself prints at its end; nothing is recomputed then
 *
 * Tokens of a step are LBS * GAS * DP * MPE by the case that was run. Where it does not name them,
 * the sequences of a step are those that the log counts. A case that is only assumed (loose files
 * without a case.json) gives way to what the compared row says about its batch.
 */
#pragma once

#include "verifier/proofs/proof.h"

struct rate {
    double tokens_per_s_per_card; /* NaN: cannot, and then */
    const char *why;
    const char *derivation;
    const char *file;
    int line, from; /* of the log; of many lines the last, and the first, else 0 */
    bool printed;   /* by the log; not recomputed */
    bool assumed;   /* the case is: see proof.h */
    double cards;   /* NaN: not known */
    double length;  /* tokens of a sequence; NaN */
};

struct steps_time {
    double seconds, steps, first, last;
    double tokens;                         /* as the log counts them */
    double pictures, real_tokens, targets; /* NaN: it does not */
    /* Over all sequences, the squares of their padded lengths; NaN: no case gives the sequences. Of
     * a step whose log does not count them all sequences have their mean length. */
    double attention_pairs;
    bool pairs_by_mean; /* of a step at least */
    int line, from;
};

/* The steps that count; report NULL: all. */
struct steps_time rate_count_steps(const struct proof *p, const struct case_report *report);

/* For this row; c NULL: for none. */
void rate_find(struct audit *a, const struct proof *p, const struct claim *c, struct rate *out);

/* What the log prints as its own, or NULL. */
const struct log_value *rate_printed(const struct proof *p, const struct claim *c,
                                     const struct run_log **from);
