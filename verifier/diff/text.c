#include "verifier/diff/table.h"

#include "base/columns.h"
#include "base/json/json.h"

#include <stdio.h>

#define LABEL_COLUMNS 22

__attribute__((format(printf, 3, 4))) static void put_labelled(struct buf *out, const char *label,
                                                               const char *fmt, ...)
{
    char text[ERR_TEXT_MAX];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    buf_printf(out, "  %-*s%s\n", LABEL_COLUMNS, label, text);
}

/* What diff_text prints first of a side, and all of its notices. */
static void diff_text_side(const char *word, const struct diff_side *s, struct buf *out)
{
    struct arena scratch = ARENA_INIT;
    const struct curve *c = &s->curve;
    const char *plan = diff_side_plan(s, &scratch);
    buf_printf(out, "%-10s %s\n", word, s->name);
    if (strcmp(s->log, s->name) != 0)
        buf_printf(out, "           %s\n", s->log);
    buf_printf(out, "           %s, %zu %s%s from %.15g to %.15g%s%s\n",
               s->format ? s->format : s->kind, c->n, c->by_epoch ? "epoch" : "step",
               c->n == 1 ? "" : "s", c->step[0], c->step[c->n - 1], plan ? ", " : "",
               plan ? plan : "");
    arena_release(&scratch);
}

static void put_verdict(struct buf *out, const struct alignment *a)
{
    if (!a->steps) {
        buf_printf(out, "cannot be compared: no common step from %d on\n", a->from_step);
        return;
    }
    buf_printf(out, "%s: mean relative error %.8f over %zu steps from %d on\n",
               a->aligned ? "aligned" : "not aligned", a->mean_rel_error, a->steps, a->from_step);
    buf_printf(out, "  (%.4f %%, the limit is %.15g %%)\n", 100 * a->mean_rel_error,
               100 * a->limit);
    put_labelled(out, "largest", "%.8f at step %.15g", a->max_rel_error, a->max_step);
}

static void put_occurrence_text(struct buf *out, const char *label, const struct occurrence *o)
{
    if (o->n)
        put_labelled(out, label, "%zu, the first at step %.15g", o->n, o->first);
}

static void put_drift(struct buf *out, const struct curve_stats *s)
{
    if (isnan(s->drift))
        return;
    put_labelled(out, "drift", "%+.3g +/- %.1g per 1000 steps", s->drift, s->drift_error);
    if (s->residual_lag1 > 0)
        put_labelled(out, "", "(+/- %.1g with the residuals' autocorrelation %.2f)",
                     s->drift_error_lag1, s->residual_lag1);
}

static void put_divergence(struct buf *out, const struct diff *d)
{
    const struct curve_stats *s = &d->stats;
    if (!isnan(s->onset_step))
        put_labelled(out, "divergence", "running mean at or above the limit from step %.15g on",
                     s->onset_step);
    else if (d->not_finite)
        put_labelled(out, "divergence", "not to be said: %zu losses are NaN or infinite",
                     d->not_finite);
    else
        put_labelled(out, "divergence", "none: at the end the running mean is below the limit");
}

static void put_statistics_text(struct buf *out, const struct diff *d)
{
    const struct curve_stats *s = &d->stats;
    buf_str(out, "beside the rule, and no part of it:\n");
    if (s->n && s->run_not_finite.n)
        put_labelled(out, "signed mean", "%+.8f of the %zu steps with a finite loss",
                     s->signed_mean, s->n);
    else if (s->n)
        put_labelled(out, "signed mean", "%+.8f", s->signed_mean);
    put_drift(out, s);
    put_divergence(out, d);
    /* Where a loss is not finite, the run may have gone on behind this step. */
    bool whole = !s->run_not_finite.n && !s->reference_not_finite.n;
    if (!isnan(s->final_step))
        put_labelled(out, whole ? "final loss" : "last finite loss",
                     "%.8g and %.8g (%+.3g) at step %.15g", s->final_run, s->final_reference,
                     s->final_run - s->final_reference, s->final_step);
    if (s->timed)
        put_labelled(out, "time per step", "%.4g times the reference's (median of %zu steps)",
                     s->time_ratio, s->timed);
    if (!isnan(s->diff_correlation))
        put_labelled(out, "first differences", "correlation %.4f over %zu single steps",
                     s->diff_correlation, s->diff_pairs);
    put_occurrence_text(out, "only in the run", &s->extra);
    put_occurrence_text(out, "only in the reference", &s->missing);
    put_occurrence_text(out, "run not finite", &s->run_not_finite);
    put_occurrence_text(out, "reference not finite", &s->reference_not_finite);
    put_occurrence_text(out, "reference is 0", &s->reference_zero);
    put_occurrence_text(out, "spikes of the run", &s->run_spikes);
    put_occurrence_text(out, "of the reference", &s->reference_spikes);
    if (s->identical > 1)
        put_labelled(out, "identical losses", "%zu one after another, from step %.15g",
                     s->identical, s->identical_from);
}

static void put_notice_text(struct buf *out, const struct diff_notice *n)
{
    struct arena scratch = ARENA_INIT;
    const char *place = n->line   ? arena_printf(&scratch, "%s:%d: ", n->file, n->line)
                        : n->file ? arena_printf(&scratch, "%s: ", n->file)
                                  : "";
    columns_paragraph(out, 0, 0,
                      arena_printf(&scratch, "%snotice: %s [%s]", place, n->message, n->kind));
    if (n->false_alarms)
        columns_paragraph(out, 2, 2, arena_printf(&scratch, "honest runs: %s", n->false_alarms));
    arena_release(&scratch);
}

static void diff_text_notices(const struct diff *d, struct buf *out)
{
    for (size_t i = 0; i < d->n_notices; i++)
        if (strcmp(d->notices[i].kind, DIFF_READING) != 0)
            put_notice_text(out, &d->notices[i]);
}

void diff_text(const struct diff *d, struct buf *out)
{
    diff_text_side("run", d->run, out);
    diff_text_side("reference", d->reference, out);
    put_verdict(out, &d->alignment);
    if (d->alignment.steps)
        put_statistics_text(out, d);
    diff_text_notices(d, out);
}

#define PLAN_COLUMNS 12

void diff_table_text(const struct diff *diffs, size_t n, struct buf *out)
{
    diff_text_side("reference", diffs[0].reference, out);
    buf_printf(out, "steps from %d on, the limit of the mean is %.15g %%\n\n",
               diffs[0].rule.from_step, 100 * diffs[0].rule.limit);
    buf_printf(out, "  %-*s %8s %9s %9s %9s\n", PLAN_COLUMNS, "plan", "steps", "mean %", "max %",
               "at step");
    for (size_t i = 0; i < n; i++) {
        const struct diff *d = &diffs[i];
        struct arena scratch = ARENA_INIT;
        const struct alignment *a = &d->alignment;
        buf_printf(out, "%s\n  ", d->run->name);
        const char *plan = diff_side_plan(d->run, &scratch);
        columns_pad(out, plan ? plan : "-", PLAN_COLUMNS);
        if (a->steps)
            buf_printf(out, "%8zu %9.4f %9.4f %9.15g  %s\n", a->steps, 100 * a->mean_rel_error,
                       100 * a->max_rel_error, a->max_step, a->aligned ? "aligned" : "not aligned");
        else
            buf_printf(out, "%8d %9s %9s %9s  %s\n", 0, "-", "-", "-", "cannot");
        arena_release(&scratch);
    }
    for (size_t i = 0; i < n; i++) {
        if (!diffs[i].n_notices)
            continue;
        buf_printf(out, "\n%s\n", diffs[i].run->name);
        diff_text_notices(&diffs[i], out);
    }
}

void diff_table_json(const struct diff *diffs, size_t n, struct buf *out)
{
    struct json_writer w = JSON_WRITER_INIT(out);
    json_begin_object(&w, NULL);
    json_string(&w, "schema", "fpreport.diffs/1");
    json_string(&w, "tool", FPREPORT_VERSION);
    diff_json_side("reference", diffs[0].reference, &w);
    json_begin_array(&w, "diffs");
    for (size_t i = 0; i < n; i++) {
        json_begin_object(&w, NULL);
        diff_json_members(&diffs[i], false, &w);
        json_end_object(&w);
    }
    json_end_array(&w);
    json_end_object(&w);
    json_finish(&w);
}
