#include "verifier/align.h"

#include <math.h>

struct sum {
    double total, rest;
};

static void sum_add(struct sum *s, double x)
{
    double t = s->total + x;
    s->rest += fabs(s->total) >= fabs(x) ? (s->total - t) + x : (x - t) + s->total;
    s->total = t;
}

static void compare_step(const struct curve *run, size_t i, double reference, struct sum *sum,
                         struct alignment *out)
{
    double error = fabs(run->loss[i] - reference) / fabs(reference);
    out->steps++;
    sum_add(sum, error);
    if (error > out->max_rel_error || out->steps == 1 || isnan(error)) {
        out->max_rel_error = error;
        out->max_step = run->step[i];
    }
}

void align_curves(const struct curve *run, const struct curve *reference, struct align_rule rule,
                  struct alignment *out)
{
    struct sum sum = {0, 0};
    *out = (struct alignment){.from_step = rule.from_step,
                              .limit = rule.limit,
                              .mean_rel_error = NAN,
                              .max_rel_error = NAN,
                              .max_step = NAN,
                              .reference = reference->source};
    for (size_t i = 0, k = 0; i < run->n && k < reference->n;) {
        double a = run->step[i], b = reference->step[k];
        /* A reference that logged no loss at a step has nothing to say about it. */
        if (a == b && a >= rule.from_step && isfinite(reference->loss[k]))
            compare_step(run, i, reference->loss[k], &sum, out);
        i += a <= b;
        k += b <= a;
    }
    if (out->steps)
        out->mean_rel_error = (sum.total + sum.rest) / (double)out->steps;
    out->aligned = out->mean_rel_error < rule.limit;
}
