#include "verifier/curves/align.h"

struct errors {
    struct sum finite;
    double other; /* NaN or infinity, when a loss of the run was; else 0 */
};

bool align_is_reference(double loss)
{
    return isfinite(loss) && loss != 0;
}

static void compare_step(const struct curve *run, size_t i, double reference, struct errors *errors,
                         struct alignment *out)
{
    double error = fabs(run->loss[i] - reference) / fabs(reference);
    out->steps++;
    if (isfinite(error))
        sum_add(&errors->finite, error);
    else
        errors->other += error;
    /* The first that is not finite stays. */
    if (out->steps == 1 || (isfinite(out->max_rel_error) && !(error <= out->max_rel_error))) {
        out->max_rel_error = error;
        out->max_step = run->step[i];
    }
}

void align_curves(const struct curve *run, const struct curve *reference, struct align_rule rule,
                  struct alignment *out)
{
    struct errors errors = {{0, 0}, 0};
    *out = (struct alignment){.from_step = rule.from_step,
                              .limit = rule.limit,
                              .mean_rel_error = NAN,
                              .max_rel_error = NAN,
                              .max_step = NAN,
                              .reference = reference->source};
    for (size_t i = 0, k = 0; i < run->n && k < reference->n;) {
        double a = run->step[i], b = reference->step[k];
        if (a == b && a >= rule.from_step && align_is_reference(reference->loss[k]))
            compare_step(run, i, reference->loss[k], &errors, out);
        i += a <= b;
        k += b <= a;
    }
    if (out->steps)
        out->mean_rel_error =
            errors.other != 0 ? errors.other : sum_value(&errors.finite) / (double)out->steps;
    out->aligned = out->mean_rel_error < rule.limit;
}

void align_write(struct json_writer *w, const struct alignment *x)
{
    json_integer(w, "from_step", x->from_step);
    json_integer(w, "steps", (long long)x->steps);
    json_number(w, "mean_rel_error", x->mean_rel_error);
    json_number(w, "max_rel_error", x->max_rel_error);
    json_number(w, "max_step", x->max_step);
    json_number(w, "limit", x->limit);
    if (x->steps)
        json_bool(w, "aligned", x->aligned);
    else
        json_null(w, "aligned");
}

size_t curve_step_at(const struct curve *c, size_t from, double step)
{
    size_t stride = 1, low = from;
    while (low + stride <= c->n && c->step[low + stride - 1] < step) {
        low += stride;
        stride *= 2;
    }
    size_t high = low + stride <= c->n ? low + stride : c->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (c->step[middle] < step)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
