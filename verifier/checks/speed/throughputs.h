/*
 * throughputs: FlagPerf's three throughputs, recomputed from what a log ends with.
 *
 * A FINISHED event names its samples and its seconds:
 *   p_whole = num_trained_samples / raw_train_time                 all of the training
 *   p_train = num_trained_samples / train_no_eval_time             without its evaluations
 *   p_core  = num_trained_samples / pure_training_computing_time   forward, backward, update
 * (training/benchmarks/<case>/run_pretraining.py of FlagPerf); samples and rates are of all cards.
 */
#pragma once

#include "verifier/proofs/recompute.h"

#define THROUGHPUT_NAMES_MAX 3

struct throughput {
    const char *column, *seconds[THROUGHPUT_NAMES_MAX], *printed[THROUGHPUT_NAMES_MAX];
};

#define THROUGHPUTS 3
extern const struct throughput throughputs[THROUGHPUTS];

const struct log_value *throughput_value(const struct proof *p,
                                         const char *const names[THROUGHPUT_NAMES_MAX],
                                         const struct run_log **from);

/* Samples / seconds with its derivation; false when the log does not have both. */
bool throughput_divide(struct audit *a, const struct proof *p, const struct throughput *t,
                       struct recomputed *x);

void throughputs_recompute(struct audit *a, const struct proof *p);

/* What it says, for the rules that quote it (verifier/claims/rule.h). */
extern const struct words throughput_messages[];
