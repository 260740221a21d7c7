/* FP7025: A run is evaluated as often as the policy says */
#include "base/reals.h"
#include "verifier/checks/mlperf/mlperf_rule.h"

#include "verifier/checks/mlperf/log/target.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Distinct measures of progress before the last run_stop, ascending. */
static size_t distinct_progress(struct mlperf_log_audit *a, double **out)
{
    const struct mllog_record *stop = mllog_last(a->log, "run_stop");
    uint32_t accuracy = mllog_names_find(&a->log->names, SPAN("eval_accuracy"));
    double *all = NULL;
    size_t n = 0, distinct = 0;
    for (const struct mllog_record *r = a->log->records; stop && r < stop; r++) {
        double progress = r->name == accuracy ? mlperf_progress(a->benchmark, r) : NAN;
        if (isfinite(progress))
            *(double *)ARENA_PUSH(a->arena, all, n) = progress;
    }
    if (n > 1)
        qsort(all, n, sizeof *all, reals_by_size);
    for (size_t i = 0; i < n; i++)
        if (!distinct || all[distinct - 1] != all[i])
            all[distinct++] = all[i];
    *out = all;
    return distinct;
}

static void check_first(struct mlperf_log_audit *a, double first, double step,
                        const struct mllog_value *batch)
{
    const struct mlperf_schedule *s = &a->benchmark->schedule;
    struct mllog_value skip = mllog_number(0);
    if (s->skip)
        skip = mlperf_expression_value(s->skip, NULL, batch);
    double expected = (skip.number + 1) * step;
    if (skip.kind == MLLOG_NUMBER && first < expected - step / 2)
        mlperf_found(
            &a->facts->findings, a->arena, "FP7025", SEVERITY_NOTICE, NULL, 0,
            "the first evaluation is after %g samples, but the rules require the first evaluation "
            "after %g samples",
            first, expected);
}

static void check_log_schedule(struct mlperf_log_audit *a)
{
    const struct mlperf_schedule *s = a->benchmark ? &a->benchmark->schedule : NULL;
    const struct mllog_record *r = mllog_first(a->log, "global_batch_size");
    struct mllog_value batch = r ? mllog_value(r->value) : (struct mllog_value){0};
    double *progress;
    if (!mlperf_log_is_closed(a) || !s || s->every <= 0)
        return;
    bool samples = strcmp(s->unit, "samples") == 0;
    if (samples && (batch.kind != MLLOG_NUMBER || batch.number <= 0))
        return;
    double step = samples ? ceil(s->every / batch.number) * batch.number : s->every;
    size_t n = distinct_progress(a, &progress);
    double distance = n > 1 ? (progress[n - 1] - progress[0]) / (double)(n - 1) : step;
    bool often = distance < 0.95 * step;
    if (often || distance > 1.05 * step)
        mlperf_found(&a->facts->findings, a->arena, "FP7025",
                     often ? SEVERITY_WARNING : SEVERITY_NOTICE, NULL, 0,
                     samples ? "the log evaluates every %g samples, but the rules require an "
                               "evaluation every %g "
                               "samples"
                             : "the log evaluates every %g epochs, but the rules require an "
                               "evaluation every %g epochs",
                     distance, step);
    if (n && samples && !often)
        check_first(a, progress[0], step, &batch);
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the first evaluation is after %g samples, but the rules require the first evaluation "
           "after %g samples",
     .zh = "日志的首次评估在第 {1} 个样本之后，但规则规定在第 {2} 个样本之后"},
    {.en = "the log evaluates every %g samples, but the rules require an evaluation every %g "
           "samples",
     .zh = "日志中每 {1} 个样本评估一次，但规则规定每 {2} 个样本评估一次"},
    {.en = "the log evaluates every %g epochs, but the rules require an evaluation every %g epochs",
     .zh = "日志中每 {1} 个 epoch 评估一次，但规则规定每 {2} 个 epoch 评估一次"},
    {NULL, NULL},
};
/* clang-format on */

const struct mlperf_rule mlperf_rule_fp7025 = {
    .id = "FP7025",
    .severity = SEVERITY_WARNING,
    .also = ALSO_NOTICE,
    .title = {"评估的间隔", "Schedule of evaluations"},
    .statement = {"评估的间隔必须符合 MLPerf 规则的规定。",
                  "A run must evaluate its model as often as the MLPerf rules say."},
    .source = "training_policies d73e20f1, \"Quality measure\" (may be younger than the round)",
    .example = "evaluated every 46080 samples, the policy says 18432",
    .messages = messages,
    .log = check_log_schedule,
};
