/*
 * mfu_numbers: the numbers that an MFU was recomputed from, out of its derivation.
 *
 *   mfu        factor * N * token/p/s / peak
 *   mfu_exact  (6 * parameters + 12 * layers * hidden * MPE) * token/p/s / peak
 *
 * Both derivations end with the name of the peak: "A100 bf16", or what the row calls it. Their
 * values come in the order of these formulas, with the result behind the peak
 * (verifier/claims/mfu.c, verifier/checks/speed/mfu_of_log.c).
 */
#pragma once

#include "base/records/verdict.h"

struct mfu_numbers {
    bool exact;
    double factor, parameters;
    double layers, hidden, sequence; /* NaN where it is not exact */
    double rate;                     /* tokens per second and card */
    double peak;                     /* FLOP/s */
    const char *peak_name;
};

/* False: the metric is no such figure, or nothing was recomputed. */
bool mfu_numbers_of(const struct metric *m, struct mfu_numbers *out);
