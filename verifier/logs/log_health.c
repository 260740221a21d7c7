#include "verifier/logs/log_health.h"

static void count(struct log_ailment *x, const struct log_point *p)
{
    if (x->n++ == 0) {
        x->step = p->step;
        x->line = p->line;
    }
}

/* The report before or behind it of the same rank; NULL. */
static const struct log_point *beside(const struct log *log, size_t i, bool behind)
{
    short rank = log->points[i].rank;
    while (behind ? i + 1 < log->n_points : i > 0) {
        i = behind ? i + 1 : i - 1;
        if (log->points[i].rank == rank)
            return &log->points[i];
    }
    return NULL;
}

static bool is_zero(const struct log_point *p)
{
    return p && p->has_loss && p->loss == 0;
}

static bool is_dead_zero(const struct log *log, size_t i)
{
    const struct log_point *p = &log->points[i];
    if (!is_zero(p))
        return false;
    bool repeated = is_zero(beside(log, i, false)) || is_zero(beside(log, i, true));
    return p->has_grad_norm ? isnan(p->grad_norm) || (repeated && !(p->grad_norm > 0)) : repeated;
}

static bool is_point_not_finite(const struct log_point *p)
{
    return p->has_loss && !isfinite(p->loss);
}

/* Steps that a report stands for. */
static double steps_of_report(const struct log *log, size_t i)
{
    const struct log_point *before = beside(log, i, false), *x = &log->points[i];
    return before && x->step > before->step ? x->step - before->step : 1;
}

/* DeepSpeed says beside its reports that the steps to the last were skipped, or that the last one
 * overflowed. */
static bool is_skipped_beside(const struct log *log, size_t i)
{
    const struct log_point *p = &log->points[i];
    const struct log_skips *s = &log->skips;
    bool behind = s->ends && p->line > s->good_line && !(p->step <= s->good_step);
    return behind || (s->overflow_line > p->line && !beside(log, i, true) &&
                      beside(log, i, false) && steps_of_report(log, i) == 1);
}

static bool is_dead(const struct log *log, size_t i)
{
    const struct log_point *p = &log->points[i];
    bool lossless = !p->has_loss && p->skipped > 0;
    return is_point_not_finite(p) || is_dead_zero(log, i) || lossless ||
           p->skipped >= steps_of_report(log, i) || is_skipped_beside(log, i);
}

static void count_skipped(const struct log *log, struct log_health *h)
{
    const struct log_point *first = NULL, *last = NULL;
    double sum = log->skips.said;
    for (size_t i = 0; i < log->n_points; i++) {
        const struct log_point *p = &log->points[i];
        if (p->rank != log->points[0].rank)
            continue;
        first = first ? first : p;
        last = p;
        sum += p->skipped > 0 && isfinite(p->skipped) ? p->skipped : 0;
        if (p->skipped > 0 && !h->skipped_line)
            h->skipped_line = p->line;
    }
    double each = h->reports > 1 ? (last->step - first->step) / (double)(h->reports - 1) : NAN;
    h->skipped = sum;
    h->of = first ? last->step - fmax(0, h->reports > 1 ? first->step - each : 0) : NAN;
    if (log->skips.so_far > sum) {
        h->skipped = log->skips.so_far;
        h->of = log->skips.of;
    }
    h->skipped_line = h->skipped_line ? h->skipped_line : log->skips.line;
    h->overflows = log->skips.overflows;
}

/* The dead reports at the end, the first of them last. */
static void find_end(const struct log *log, struct log_health *h)
{
    h->last_step = h->last_loss = NAN;
    for (size_t i = log->n_points; i-- > 0;) {
        const struct log_point *p = &log->points[i];
        if (p->rank != log->points[0].rank || (!p->has_loss && !(p->skipped > 0)))
            continue;
        if (!is_dead(log, i)) {
            h->last_step = p->step;
            h->last_loss = p->loss;
            return;
        }
        h->dead.n++;
        h->dead.step = p->step;
        h->dead.line = p->line;
    }
}

void log_health(const struct log *log, struct log_health *out)
{
    *out = (struct log_health){.not_finite.step = NAN, .zero.step = NAN, .nan_gradient.step = NAN};
    for (size_t i = 0; i < log->n_points; i++) {
        const struct log_point *p = &log->points[i];
        if (p->rank != log->points[0].rank)
            continue;
        out->reports++;
        out->losses += p->has_loss;
        out->grad_norms += p->has_grad_norm;
        if (is_point_not_finite(p))
            count(&out->not_finite, p);
        if (is_zero(p))
            count(&out->zero, p);
        if (p->has_grad_norm && isnan(p->grad_norm))
            count(&out->nan_gradient, p);
    }
    count_skipped(log, out);
    find_end(log, out);
}
