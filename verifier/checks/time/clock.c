/*
 * FP4007: do the times of a log fit the clocks that ran beside it?
 *
 * A duration that is claimed (the steps together, raw_train_time, e2e_time) cannot be longer than
 * the time in which it passed (run.json, the monitors), nor shorter than what happened in it (the
 * time stamps of its steps). Neither proves anything, for clocks are files, too; but who changes
 * one has to change all.
 *
 * The native trainer does nothing between its steps but write checkpoints, whose seconds it logs,
 * so that both together must also fill the time between their stamps. Other trainers evaluate and
 * save between some steps; what they claim for a step is compared with the stamps over many
 * windows, of which the one in the middle counts.
 */
#include "base/calendar.h"
#include "base/reals.h"
#include "verifier/claims/rule.h"
#include "verifier/curves/curve_spikes.h"
#include "verifier/proofs/proof.h"

#include <stdlib.h>

/* Seconds that a clock may be off against the sum of the steps: start-up and rounding. */
#define CLOCK_SLACK_S 1.0

/* run.json has whole seconds at both ends; monitors sample every few seconds. */
#define RUN_SLACK_S 2.0

#define CLOCK_SHARE 1.02

/* A native run spends at least this share of its time in steps, but for this many seconds, and
 * but for the longest pauses between its steps, one of so many: a machine that is busy, short of
 * disk or suspended may hold any run up at any place, but not after every step. */
#define NATIVE_SHARE 0.9

#define NATIVE_SLACK_S 0.25

#define STEPS_PER_PAUSE 50

/* A monitor's first or last interval may be cut short: the interval is known from this many on. */
#define MONITOR_STAMPS_MIN 3

/* Windows of at least so many seconds and steps, and so many of them; stamps may have whole
 * seconds. Half of them claim less than this share of their time: the steps are too short. */
#define WINDOW_S 20.0

#define WINDOWS_MIN 8

#define WINDOW_SHARE 0.9

static struct check_result *report_clock(struct audit *a, const struct proof *p, bool ok, int line,
                                         const char *message)
{
    struct check_result *r = proof_report(a, p, NULL, outcome_of(ok), message);
    r->file = p->log.file;
    r->line = line;
    return r;
}

/* Most of the time went into checkpoints: how long the steps took is not to be seen. */
#define SAVED_SHARE 0.5

struct passing {
    double claimed, clock; /* seconds from the first stamp to the last */
    int line;              /* of the last; 0: fewer than two stamps */
    double *shares;        /* claimed / clock of each window */
    size_t n_shares;
    double *pauses; /* seconds by which each step was later than it claims */
    size_t n_pauses;
    double saved; /* seconds of these in which checkpoints were written, as the log says */
};

/* A report stands for all steps since the one before. */
static double claimed_since(const struct log_point *before, const struct log_point *x)
{
    double steps = x->step - before->step;
    return x->seconds * (steps > 1 ? steps : 1);
}

static struct passing pass_steps(struct arena *arena, const struct log *log)
{
    struct passing t = {.clock = NAN};
    const struct log_point *first = NULL, *before = NULL;
    double claimed = 0, begins = 0;
    for (size_t i = 0; i < log->n_points; i++) {
        const struct log_point *x = &log->points[i];
        if (isnan(x->clock_ms) || isnan(x->seconds))
            continue;
        begins = first ? begins : x->clock_ms;
        if (before) {
            double more = claimed_since(before, x);
            *(double *)ARENA_PUSH(arena, t.pauses, t.n_pauses) =
                (x->clock_ms - before->clock_ms) / 1000 - more;
            t.claimed += more;
            claimed += more;
            t.line = x->line;
            t.clock = (x->clock_ms - first->clock_ms) / 1000;
        }
        if (x->clock_ms - begins >= 1000 * WINDOW_S) {
            double *share = ARENA_PUSH(arena, t.shares, t.n_shares);
            *share = claimed / ((x->clock_ms - begins) / 1000);
            begins = x->clock_ms;
            claimed = 0;
        }
        first = first ? first : x;
        before = x;
    }
    for (size_t i = 0; first && i < log->n_saves; i++)
        if (log->saves[i].line > first->line && log->saves[i].line < before->line)
            t.saved += log->saves[i].seconds;
    return t;
}

/* Evaluations and checkpoints fall into some windows, never into most. */
static void judge_windows(struct audit *a, const struct proof *p, struct passing *t)
{
    if (proof_is_native(p) || t->n_shares < WINDOWS_MIN)
        return;
    double middle = curve_median_upper(t->shares, t->n_shares);
    bool ok = middle >= WINDOW_SHARE;
    report_clock(a, p, ok, ok ? 0 : t->line,
                 sentence_say(a->arena,
                              "the log was divided into %zu windows of %g s or more: in the median "
                              "window, the step times add up to %s %% of the span of their "
                              "timestamps",
                              t->n_shares, WINDOW_S, audit_fixed(a->arena, 100 * middle, 1)));
}

/* The longest pauses together. */
static double held_up(struct passing *t)
{
    double sum = 0;
    size_t n = t->n_pauses / STEPS_PER_PAUSE + 1;
    if (t->n_pauses)
        qsort(t->pauses, t->n_pauses, sizeof *t->pauses, reals_by_size);
    for (size_t i = 0; i < n && i < t->n_pauses; i++)
        sum += fmax(0, t->pauses[t->n_pauses - 1 - i]);
    return sum;
}

static void judge_stamps(struct audit *a, const struct proof *p, struct passing *t)
{
    if (proof_is_native(p) && t->saved > t->clock * SAVED_SHARE) {
        audit_cannot(a, NULL,
                     "checkpoint writing took %s of the %s s between the first and the last step: "
                     "the step time cannot be determined",
                     audit_fixed(a->arena, t->saved, 3), audit_fixed(a->arena, t->clock, 3));
        return;
    }
    bool longer = t->claimed > t->clock * CLOCK_SHARE + CLOCK_SLACK_S;
    bool shorter =
        proof_is_native(p)
            ? t->claimed < (t->clock - fmax(held_up(t), t->saved)) * NATIVE_SHARE - NATIVE_SLACK_S
            : t->claimed < t->clock / 2 - CLOCK_SLACK_S;
    const char *claimed = audit_fixed(a->arena, t->claimed, 3);
    const char *clock = audit_fixed(a->arena, t->clock, 3);
    const char *said =
        t->saved > 0
            ? sentence_say(a->arena,
                           "the step times add up to %s s and the times for writing checkpoints "
                           "to %s s, but the timestamps span %s s",
                           claimed, audit_fixed(a->arena, t->saved, 3), clock)
            : sentence_say(a->arena, "the step times add up to %s s, but the timestamps span %s s",
                           claimed, clock);
    struct check_result *r = report_clock(a, p, !(longer || shorter), t->line, said);
    r->severity = proof_is_native(p) ? SEVERITY_ERROR : longer ? SEVERITY_WARNING : SEVERITY_NOTICE;
}

/* The longest time that a monitor may have run: from its first sample to its last, and an interval
 * before and behind. NaN when none has enough samples to tell its interval. */
static double monitor_seconds(const struct proof *p)
{
    double most = NAN;
    for (size_t i = 0; i < p->n_monitors; i++) {
        const struct monitor *m = &p->monitors[i]->monitor;
        if (m->stamps >= MONITOR_STAMPS_MIN && m->gap > 0)
            most = fmax(most, m->ends - m->begins + 2 * m->gap);
    }
    return most;
}

static double logged_steps(const struct log *log)
{
    double sum = 0;
    for (size_t i = 0; i < log->n_points; i++) {
        const struct log_point *x = &log->points[i];
        if (!isnan(x->seconds))
            sum += i ? claimed_since(&log->points[i - 1], x) : x->seconds;
    }
    return sum;
}

static double first_to_last(const struct log *log)
{
    double first = NAN, last = NAN;
    for (size_t i = 0; i < log->n_points; i++) {
        double at = log->points[i].clock_ms / 1000;
        first = isnan(first) ? at : first;
        last = isnan(at) ? last : at;
    }
    return last - first;
}

static double final_seconds(const struct proof *p, const char *key)
{
    const struct run_log *from;
    const struct log_value *v = proof_value(p, key, &from);
    return v ? v->value : NAN;
}

static void check_clock(struct audit *a, struct proof *p)
{
    if (!p->main_log)
        return;
    struct passing t = pass_steps(a->arena, &p->log);
    if (t.line) {
        judge_stamps(a, p, &t);
        judge_windows(a, p, &t);
    }
    double train = final_seconds(p, "raw_train_time"), whole = final_seconds(p, "e2e_time");
    double steps = logged_steps(&p->log), stamps = first_to_last(&p->log);
    double run = proof_time(p, "finished") - proof_time(p, "started"),
           monitors = monitor_seconds(p), pauses = held_up(&t);
    const struct {
        const char *inner, *outer;
        double in, out, slack;
        bool gentle; /* honest, where a monitor came late or ended early: a notice */
    } pairs[] = {
        {"all steps", "the run in run.json", steps, run, RUN_SLACK_S, false},
        {"all steps", "the longest monitor file", steps, monitors, RUN_SLACK_S, true},
        {"the span of the step timestamps", "raw_train_time", stamps, train, CLOCK_SLACK_S + pauses,
         false},
        {"the span of the step timestamps", "e2e_time", stamps, whole, CLOCK_SLACK_S, false},
        {"raw_train_time", "e2e_time", train, whole, CLOCK_SLACK_S, false},
        {"e2e_time", "the run in run.json", whole, run, RUN_SLACK_S, false},
    };
    size_t compared = t.line > 0;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        if (!(pairs[i].in > 0) || isnan(pairs[i].out))
            continue;
        compared++;
        bool ok = pairs[i].in <= pairs[i].out * CLOCK_SHARE + pairs[i].slack;
        struct check_result *r =
            report_clock(a, p, ok, 0,
                         sentence_say(a->arena, "%s: %s s; %s: %s s", pairs[i].inner,
                                      audit_fixed(a->arena, pairs[i].in, 3), pairs[i].outer,
                                      audit_fixed(a->arena, pairs[i].out, 3)));
        r->severity = pairs[i].gentle ? SEVERITY_NOTICE : r->severity;
    }
    if (compared == 0)
        audit_report(a, OUTCOME_CANNOT, NULL, 0,
                     "the log contains no timestamps to compare the step times with")
            ->file = p->log.file;
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the log was divided into %zu windows of %g s or more: in the median window, the step "
           "times add up to %s %% of the span of their timestamps",
     .zh = "日志分为 {1} 个不短于 {2} 秒的窗口：每个窗口的各步耗时之和占该窗口时间戳跨度的比例，中"
           "位数为 {3} %"},
    {.en = "checkpoint writing took %s of the %s s between the first and the last step: the step "
           "time cannot be determined",
     .zh = "日志的首步与末步之间有 {2} 秒，其中 {1} 秒用于写检查点，因此无法确定各步耗时"},
    {.en = "the step times add up to %s s and the times for writing checkpoints to %s s, but the "
           "timestamps span %s s",
     .zh = "日志中各步耗时之和为 {1} 秒，写检查点共用 {2} 秒，而首末时间戳相差 {3} 秒"},
    {.en = "the step times add up to %s s, but the timestamps span %s s",
     .zh = "日志中各步耗时之和为 {1} 秒，而首末时间戳相差 {2} 秒"},
    {.en = "raw_train_time",
     .zh = "raw_train_time"},
    {.en = "e2e_time",
     .zh = "e2e_time"},
    {.en = "all steps",
     .zh = "日志中所有步的耗时"},
    {.en = "the run in run.json",
     .zh = "run.json 记录的运行时长"},
    {.en = "the longest monitor file",
     .zh = "时间最长的监控文件"},
    {.en = "the span of the step timestamps",
     .zh = "各步的首末时间戳之差"},
    {.en = "%s: %s s; %s: %s s",
     .zh = "{1:said}：{2} 秒；{3:said}：{4} 秒"},
    {.en = "the log contains no timestamps to compare the step times with",
     .zh = "日志中没有可以与步耗时比较的时间戳"},
    {NULL, NULL},
};

const struct rule rule_fp4007 = {
    .id = "FP4007",
    .kind = "evidence",
    .since = "2026.1",
    .severity = SEVERITY_WARNING,
    .also = RULE_ALSO(SEVERITY_ERROR) | RULE_ALSO(SEVERITY_NOTICE),
    .quotes = RULE_QUOTES_LOG | RULE_QUOTES_MONITOR | RULE_QUOTES_RUN,
    .proof = check_clock,
    .title = {.en = "Step times and log timestamps", .zh = "日志中的步耗时与时间戳"},
    .statement = {.en = "The sum of the step times in a log must agree with the timestamps of the "
                        "log lines.",
                  .zh = "日志中各步耗时之和，必须与日志行的时间戳相符。"},
    .why = {.en = "Different parts of a program write the timestamps and the step times. Invented "
                  "step times therefore do not fit the timestamps.",
            .zh = "日志的时间戳和步耗时由程序的不同部分写出，因此编造的步耗时会与时间戳对不上。"},
    .how = {.en = "The rule adds up the step times; the sum must not exceed the time from the "
                  "first to the last timestamp. fpreport's native trainer does nothing between two "
                  "steps, so in its logs the sum must not be much shorter than the time from the "
                  "first to the last timestamp. One pause between steps is allowed in every 50 "
                  "steps, because other programs may use the machine. If the monitors cover less "
                  "time than the steps, the rule gives a notice.",
            .zh = "日志中各步耗时之和，不得大于日志的首末时间戳之差。fpreport 内置训练器在两步之间"
                  "不做其他工作，因此内置训练器的日志中，各步耗时之和也不得比首末时间戳之差小很多。"
                  "机器繁忙时训练会停顿，因此每 50 步允许停顿一次。监控文件覆盖的时间短于各步耗时之"
                  "和时，只给出提示。"},
    .fix = {.en = "Write the measured time of each step into the log: the sum of measured step "
                  "times cannot exceed the elapsed time. If the sum of the step times is much "
                  "smaller than the elapsed time, state what the program did between the steps.",
            .zh = "请在日志中记录实测的步耗时：各步耗时之和不可能超过实际经过的时间。如果各步耗时之"
                  "和远小于实际经过的时间，请说明程序在步与步之间做了什么。"},
    .messages = messages,
    .example = {.in = EXAMPLE_RUN,
                .file = "rank0.out.log",
                .honest = "\"step_time_s\": 0.013448867999613867",
                .changed = "\"step_time_s\": 9.013448867999613"},
};
/* clang-format on */
