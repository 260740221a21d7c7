/*
 * log_health: what of a log's training trained nothing.
 *
 * A report whose loss is NaN or infinite, or left out because it was; losses of exactly 0; gradient
 * norms that are NaN; steps that were skipped, and overflows. Of a file with ranks the reports of
 * the first one count. Rules judge (verifier/checks/loss); a diff says it.
 *
 * A report is dead when its loss is no number, when all of its steps were skipped (be it
 * that a line beside it says so), or when its loss
 * is exactly 0 while the gradient norm is NaN, or is 0 in the report beside it and no gradient norm
 * above 0 is there. Who ends with dead reports has no final loss.
 */
#pragma once

#include "verifier/logs/log.h"

/* How often, and where first. */
struct log_ailment {
    size_t n;
    double step; /* NaN: never */
    int line;
};

struct log_health {
    size_t reports, losses, grad_norms; /* of the first rank */
    struct log_ailment not_finite, zero, nan_gradient;
    double skipped, of; /* steps; 0 of NaN: nothing is said of skipping */
    int skipped_line;
    size_t overflows;
    struct log_ailment dead;     /* reports at the end, one behind the other */
    double last_step, last_loss; /* in front of them; NaN: all are dead */
};

void log_health(const struct log *log, struct log_health *out);
