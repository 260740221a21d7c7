/*
 * FP4026: gradient norms, waits and durations of a native run that no run gives.
 *
 * Measured on 290 honest native runs on processors and H100s, in fp32, tf32, bf16 and fp16, all
 * norms of a run differ in their nine digits, lie between 0.05 and 190, and one is at most 95 times
 * as large as the middle one of those beside it; waits that are not 0 differ, too; and the seconds
 * that FINISHED tells begin no later than INIT_START is stamped. A whole time below the sum of its
 * parts is no measurement but an edited figure.
 */
#include "base/lines/span.h"
#include "base/reals.h"
#include "verifier/claims/rule.h"
#include "verifier/proofs/proof.h"

#include <stdio.h>
#include <stdlib.h>

/* So far beyond these that neither another model nor another rate explains it. */
#define NORM_LEAST 1e-6
#define NORM_MOST 1e5
#define NORM_ABOVE_MIDDLE 1e4

/* Fewer figures may be equal by chance, or because the clock is coarse. */
#define FIGURES_LEAST 10

/* Seconds that a stamp in milliseconds may be off. */
#define STAMP_SLACK_S 0.5

/* Seconds that the sum of two durations may be off. */
#define PARTS_SLACK_S 1e-3

struct native_figures {
    struct audit *a;
    const struct proof *p;
    double *norms, *waits;
    size_t n_norms, n_waits;
    double begins, ready, ends; /* stamps of INIT_START, INIT_END and FINISHED, in seconds; NaN */
    double init_time, train_time, e2e_time; /* of FINISHED; NaN */
    double saved;                           /* seconds of all CHECKPOINT_SAVED */
    int end_line;
};

static struct check_result *find_figure(struct native_figures *f, int line, const char *message)
{
    struct check_result *r = proof_report(f->a, f->p, f->p->log_name, OUTCOME_FAIL, message);
    r->line = line;
    return r;
}

/* ---- what the events say --------------------------------------------------------------------- */

static double figure_of(struct span event, const char *key)
{
    char mark[32];
    struct span rest;
    double value;
    snprintf(mark, sizeof mark, "\"%s\":", key);
    return span_after(event, mark, &rest) && span_number(rest, &value) ? value : NAN;
}

static void take_event(struct native_figures *f, struct span line, int number)
{
    double at = figure_of(line, "time_ms") / 1000, wait;
    struct span event;
    if (!span_after(line, "\"event\":", &event))
        return;
    event = span_trim(event);
    if (span_starts(event, "\"INIT_START\"")) {
        f->begins = at;
    } else if (span_starts(event, "\"INIT_END\"")) {
        f->ready = at;
    } else if (span_starts(event, "\"FINISHED\"")) {
        f->ends = at;
        f->end_line = number;
        f->init_time = figure_of(event, "init_time");
        f->train_time = figure_of(event, "pure_training_computing_time");
        f->e2e_time = figure_of(event, "e2e_time");
    } else if (span_starts(event, "\"STEP_END\"")) {
        wait = figure_of(event, "input_wait_s");
        if (wait > 0)
            *(double *)ARENA_PUSH(f->a->arena, f->waits, f->n_waits) = wait;
    } else if (span_starts(event, "\"CHECKPOINT_SAVED\"")) {
        f->saved += fmax(0, figure_of(event, "seconds"));
    }
}

/* ---- what is looked for ---------------------------------------------------------------------- */

static size_t count_different(struct arena *arena, const double *values, size_t n)
{
    double *sorted = arena_copy(arena, values, n, sizeof *sorted);
    size_t different = n > 0;
    qsort(sorted, n, sizeof *sorted, reals_by_size);
    for (size_t i = 1; i < n; i++)
        different += sorted[i] != sorted[i - 1];
    return different;
}

static bool look_few_values(struct native_figures *f, const char *name, const double *values,
                            size_t n)
{
    size_t different = n < FIGURES_LEAST ? n : count_different(f->a->arena, values, n);
    if (n < FIGURES_LEAST || different * 2 > n)
        return false;
    find_figure(f, 0,
                sentence_say(f->a->arena,
                             "of the %zu values of '%s' above 0, only %zu are different from each "
                             "other",
                             n, name, different));
    return true;
}

static double middle_norm(const struct log *log, size_t at)
{
    double near[11];
    size_t n = 0;
    for (size_t i = at > 5 ? at - 5 : 0; i < log->n_points && i <= at + 5; i++)
        if (isfinite(log->points[i].grad_norm))
            near[n++] = log->points[i].grad_norm;
    qsort(near, n, sizeof *near, reals_by_size);
    return n ? near[n / 2] : NAN;
}

static bool look_sizes(struct native_figures *f)
{
    const struct log *log = &f->p->log;
    for (size_t i = 0; i < log->n_points; i++) {
        double norm = log->points[i].grad_norm, middle = middle_norm(log, i);
        if (!isfinite(norm) ||
            (norm >= NORM_LEAST && norm <= NORM_MOST && norm <= middle * NORM_ABOVE_MIDDLE))
            continue;
        find_figure(
            f, log->points[i].line,
            sentence_say(f->a->arena,
                         "the gradient norm is %s, but the median of the neighbouring steps is %s",
                         audit_number(f->a->arena, norm), audit_number(f->a->arena, middle)));
        return true;
    }
    return false;
}

/* The clock of a duration begins no later than the event in front of it is stamped. */
static bool look_duration(struct native_figures *f, const char *name, double said, double stamps)
{
    if (!(said < stamps - STAMP_SLACK_S))
        return false;
    find_figure(
        f, f->end_line,
        sentence_say(f->a->arena, "%s is %s s, but the timestamps of its events are %s s apart",
                     name, audit_fixed(f->a->arena, said, 3), audit_fixed(f->a->arena, stamps, 3)));
    return true;
}

/* One clock tells them all, one after another, and the whole behind the others. */
static bool look_parts(struct native_figures *f)
{
    double parts = f->init_time + f->train_time + f->saved;
    if (!(f->e2e_time < parts - PARTS_SLACK_S))
        return false;
    find_figure(f, f->end_line,
                sentence_say(f->a->arena,
                             "e2e_time is %s s, but init_time, pure_training_computing_time and "
                             "the checkpoints add up to %s s",
                             audit_fixed(f->a->arena, f->e2e_time, 3),
                             audit_fixed(f->a->arena, parts, 3)))
        ->severity = SEVERITY_ERROR;
    return true;
}

static void check_native_figures(struct audit *a, struct proof *p)
{
    struct native_figures f = {.a = a, .p = p, .begins = NAN, .ready = NAN, .ends = NAN};
    f.init_time = f.train_time = f.e2e_time = NAN;
    if (!p->opened || p->loose || !p->main_log || !log_is_native(&p->log))
        return;
    const struct bytes *text = submission_file(&p->submission, p->log_name);
    if (!text)
        return;
    struct span left = {text->data, text->len};
    for (int line = 1; left.n; line++)
        take_event(&f, span_cut(&left, '\n'), line);
    for (size_t i = 0; i < f.p->log.n_points; i++)
        if (isfinite(f.p->log.points[i].grad_norm))
            *(double *)ARENA_PUSH(f.a->arena, f.norms, f.n_norms) = f.p->log.points[i].grad_norm;
    bool norms = look_few_values(&f, "grad_norm", f.norms, f.n_norms) || look_sizes(&f);
    bool waits = look_few_values(&f, "input_wait_s", f.waits, f.n_waits);
    bool times = look_parts(&f) ||
                 look_duration(&f, "init_time", f.init_time, f.ready - f.begins) ||
                 look_duration(&f, "e2e_time", f.e2e_time, f.ends - f.begins);
    if (!norms && !waits && !times)
        proof_report(a, p, p->log_name, OUTCOME_PASS,
                     "gradient norms, input waits and durations are plausible for a native run");
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "of the %zu values of '%s' above 0, only %zu are different from each other",
     .zh = "日志中“{2}”有 {1} 个大于 0 的值，其中只有 {3} 个不同的数值"},
    {.en = "the gradient norm is %s, but the median of the neighbouring steps is %s",
     .zh = "这一步的梯度范数为 {1}，但相邻各步梯度范数的中位数为 {2}"},
    {.en = "%s is %s s, but the timestamps of its events are %s s apart",
     .zh = "日志写的 {1} 为 {2} 秒，但计时的起止两个事件的时间戳相隔 {3} 秒"},
    {.en = "e2e_time is %s s, but init_time, pure_training_computing_time and the checkpoints add "
           "up to %s s",
     .zh = "日志写的 e2e_time 为 {1} 秒，但 init_time、pure_training_computing_time 与写检查点的"
           "时间之和为 {2} 秒"},
    {.en = "gradient norms, input waits and durations are plausible for a native run",
     .zh = "日志中的梯度范数、等待输入的时间与各段时长，都是 fpreport 内置训练器可能产生的值"},
    {NULL, NULL},
};

const struct rule rule_fp4026 = {
    .id = "FP4026",
    .kind = "evidence",
    .since = "2026.3",
    .severity = SEVERITY_WARNING,
    .also = RULE_ALSO(SEVERITY_ERROR),
    .quotes = RULE_QUOTES_LOG,
    .proof = check_native_figures,
    .title = {.en = "Norms and times of the native trainer", .zh = "内置训练器日志的梯度范数与时"
                                                                   "间"},
    .statement = {.en = "In a log of fpreport's native trainer, gradient norms, input waits and "
                        "durations must have values that a real run can produce.",
                  .zh = "fpreport 内置训练器的日志中，梯度范数、等待输入的时间与各段时长，必须是"
                        "真实运行可能产生的值。"},
    .why = {.en = "Somebody who forges a log usually invents the values that nobody reads without "
                  "much care.",
            .zh = "伪造训练日志的人，往往不会仔细编造梯度范数这类少有人看的数值。"},
    .how = {.en = "If a log contains at least ten gradient norms, at least half of the norms must "
                  "be different from each other. At least half of all input waits above 0 must be "
                  "different from each other, too. Each gradient norm must be between 1e-6 and "
                  "1e5, and at most 10,000 times the median of the eleven steps around it. "
                  "`init_time` and `e2e_time` must not be shorter than the time between the "
                  "timestamps of the events that they measure; half a second of tolerance is "
                  "allowed. An `e2e_time` that is shorter than `init_time`, "
                  "`pure_training_computing_time` and the checkpoint times together is an error.",
            .zh = "日志有十个以上梯度范数时，其中至少一半必须互不相同。日志中大于 0 的等待输入时间"
                  "，也必须至少一半互不相同。每个梯度范数必须在 1e-6 与 1e5 之间，且不超过该步前后"
                  "共十一步的梯度范数中位数的一万倍。日志的 `init_time` 与 `e2e_time` 都不得短于其"
                  "起止两个日志事件的时间戳之差，容差为半秒。日志的 `e2e_time` 若短于 `init_time`、"
                  "`pure_training_computing_time` 与写检查点的时间之和，算错误。"},
    .fix = {.en = "Seal the log with `fpreport collect` as the native trainer wrote it, or run the "
                  "case again.",
            .zh = "用 `fpreport collect` 原样封存 fpreport 内置训练器的日志，不要改动。如果日志已被"
                  "改动，请重新运行用例。"},
    .messages = messages,
    .example = {.in = EXAMPLE_RUN,
                .file = "rank0.out.log",
                .honest = "\"e2e_time\": 3.",
                .changed = "\"e2e_time\": 0."},
};
/* clang-format on */
