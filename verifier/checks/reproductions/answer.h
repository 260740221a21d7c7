/*
 * answer: a run that answers a challenge (base/records/challenge.h), for the rules FP6001 to
 * FP6004.
 *
 * They apply where a challenge is asked about: project->retraining has it, and the first steps of
 * its case as they were trained here with its seed. FP6001 is arithmetic. The others compare
 * curves, and are as good as they were measured to be: tests/bench/challenge_rates.py, whose
 * figures are in `measured` of each and in docs/SECURITY.md.
 */
#pragma once

#include "base/records/challenge.h"
#include "verifier/proofs/proof.h"

/* Of runs that were trained as they say, how many a rule calls odd; and of those that were not, how
 * many it does not. */
struct answer_rate {
    int honest, alarms, forged, missed;
};

/* How far a run may be from one in fp32, relatively, by its precision: at step 0, and in the mean
 * of steps 2 to EARLY_STEPS. Five times what was measured, and more. */
struct answer_closeness {
    const char *precision;
    double start, early;
};

const struct retraining *answer_asked(struct audit *a, const struct proof *p);

/* NULL: the submission answers this challenge; else why not, and the file that says so. */
const char *answer_other(struct audit *a, const struct proof *p, const struct challenge *c,
                         const char **file);

/* What was trained here, and how it went; NULL after a finding that says why it cannot be used. */
const struct retraining *answer_trained(struct audit *a, struct proof *p, size_t steps);

/* Its first n steps. */
struct curve answer_curve(const struct retraining *r, size_t n, struct arena *arena);

const char *answer_rate_shown(const struct answer_rate *m, struct arena *arena);

/* Where it was trained in another precision than the run's. */
const char *answer_trained_in(const struct proof *p, const struct retraining *r,
                              struct arena *arena);

/* NULL after a finding. */
const struct answer_closeness *answer_closeness_of(struct audit *a, struct proof *p);

/* What it says, for the rules that quote it (verifier/claims/rule.h). */
extern const struct words answer_messages[];
