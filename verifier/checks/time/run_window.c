/*
 * FP4017: steps happen within the run that they are of, on its day.
 *
 * Logs, monitors and run.json share one clock. Stamps of logs and vendors' monitors have no zone,
 * so that they may be half a day and more off run.json's, which is UTC, and no more.
 */
#include "verifier/claims/rule.h"
#include "verifier/proofs/proof.h"

/* As FP4007: run.json has whole seconds at both ends. */
#define RUN_SLACK_S 2.0

#define RUN_SHARE 1.02

/* Zones reach from UTC-12 to UTC+14; and a minute for clocks. */
#define ZONES_S (14 * 3600.0 + 60)

struct run_time {
    double started, finished;
};

static double sum_of_steps(const struct log *log)
{
    double sum = 0;
    for (size_t i = 0; i < log->n_points; i++) {
        const struct log_point *x = &log->points[i];
        double steps =
            i && x->step > log->points[i - 1].step ? x->step - log->points[i - 1].step : 1;
        if (x->rank == log->points[0].rank && x->seconds > 0)
            sum += x->seconds * steps;
    }
    return sum;
}

static bool look_sum(struct audit *a, const struct proof *p, const struct run_time *t)
{
    double run = t->finished - t->started, steps = sum_of_steps(&p->log);
    if (!(steps > run * RUN_SHARE + RUN_SLACK_S))
        return false;
    proof_report(a, p, p->log_name, OUTCOME_FAIL,
                 sentence_say(a->arena,
                              "the step times add up to %s s, but run.json states a run of %s s",
                              audit_fixed(a->arena, steps, 1), audit_fixed(a->arena, run, 1)));
    return true;
}

static bool is_outside(double at, const struct run_time *t)
{
    return at < t->started - ZONES_S || at > t->finished + ZONES_S;
}

static bool look_days_of_steps(struct audit *a, const struct proof *p, const struct run_time *t)
{
    const struct log_point *first = NULL, *last = NULL;
    for (size_t i = 0; i < p->log.n_points; i++) {
        const struct log_point *x = &p->log.points[i];
        if (isnan(x->clock_ms))
            continue;
        if (is_outside(x->clock_ms / 1000, t)) {
            proof_report(a, p, p->log_name, OUTCOME_FAIL, "a step has a timestamp outside the run")
                ->line = x->line;
            return true;
        }
        first = first ? first : x;
        last = x;
    }
    double span = first ? (last->clock_ms - first->clock_ms) / 1000 : NAN;
    if (!(span > (t->finished - t->started) * RUN_SHARE + RUN_SLACK_S))
        return false;
    proof_report(a, p, p->log_name, OUTCOME_FAIL,
                 sentence_say(a->arena,
                              "the step timestamps span %s s, but run.json states a run of %s s",
                              audit_fixed(a->arena, span, 1),
                              audit_fixed(a->arena, t->finished - t->started, 1)))
        ->line = last->line;
    return true;
}

/* Lines of a log that begin with a date, though their steps have no clock. */
static bool look_days_of_lines(struct audit *a, const struct proof *p, const struct run_time *t)
{
    for (size_t i = 0; i < p->log.n_stamps; i++) {
        if (!is_outside(p->log.stamps[i].ms / 1000, t))
            continue;
        proof_report(a, p, p->log_name, OUTCOME_FAIL, "a line has a timestamp outside the run")
            ->line = p->log.stamps[i].line;
        return true;
    }
    return false;
}

static bool look_days_of_monitors(struct audit *a, const struct proof *p, const struct run_time *t)
{
    for (size_t i = 0; i < p->n_monitors; i++) {
        const struct monitor *m = &p->monitors[i]->monitor;
        if (!m->stamps || isnan(m->begins) ||
            (!is_outside(m->begins, t) && !is_outside(m->ends, t)))
            continue;
        proof_report(a, p, p->monitors[i]->name, OUTCOME_FAIL,
                     "a monitor has a timestamp outside the run");
        return true;
    }
    return false;
}

static void check_window(struct audit *a, struct proof *p)
{
    const struct run_time t = {proof_time(p, "started"), proof_time(p, "finished")};
    if (!p->opened || !p->run || !p->main_log || isnan(t.started) || isnan(t.finished))
        return;
    bool sum = look_sum(a, p, &t), stamps = look_days_of_steps(a, p, &t),
         lines = !stamps && look_days_of_lines(a, p, &t), beside = look_days_of_monitors(a, p, &t);
    if (!sum && !stamps && !lines && !beside)
        proof_report(a, p, p->log_name, OUTCOME_PASS, "the steps lie within the time of the run");
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the step times add up to %s s, but run.json states a run of %s s",
     .zh = "日志中各步耗时合计 {1} 秒，但 run.json 记录的运行时长只有 {2} 秒"},
    {.en = "a step has a timestamp outside the run",
     .zh = "日志中有一步的时间戳不在运行期间"},
    {.en = "a line has a timestamp outside the run",
     .zh = "日志中有一行的时间戳不在运行期间"},
    {.en = "the step timestamps span %s s, but run.json states a run of %s s",
     .zh = "日志中各步的首末时间戳相差 {1} 秒，但 run.json 记录的运行时长只有 {2} 秒"},
    {.en = "a monitor has a timestamp outside the run",
     .zh = "监控文件中有时间戳不在运行期间"},
    {.en = "the steps lie within the time of the run",
     .zh = "日志的各步都在运行期间"},
    {NULL, NULL},
};

const struct rule rule_fp4017 = {
    .id = "FP4017",
    .kind = "evidence",
    .since = "2026.3",
    .severity = SEVERITY_ERROR,
    .quotes = RULE_QUOTES_LOG | RULE_QUOTES_MONITOR | RULE_QUOTES_RUN,
    .proof = check_window,
    .title = {.en = "Steps between start and end of the run", .zh = "日志的各步必须在运行期间"},
    .statement = {.en = "The steps of a log may not take longer than the run, and their timestamps "
                        "must lie between the start and the end of the run.",
                  .zh = "日志中各步耗时之和不得超过运行时长，各步的时间戳必须在运行的开始与结束之间"
                        "。"},
    .why = {.en = "If somebody prints the log of an earlier run again, the printed log is not a "
                  "new run, even if its figures are right.",
            .zh = "命令如果只是把以前运行的日志再输出一遍，即使数字都正确，也不算一次新的运行。"},
    .how = {.en = "The sum of the step times, and the span of their timestamps, may exceed the "
                  "duration of the run in run.json by at most 2 % and 2 s. The timestamps of log "
                  "and monitors must lie between the start and the end of the run, with 14 hours of "
                  "tolerance for time zones.",
            .zh = "日志中各步耗时之和，以及各步的首末时间戳之差，都不得超过 run.json 记录的运行时长"
                  "的 102 % 加 2 秒。日志和监控文件的时间戳必须在运行的开始与结束之间，允许有 14 小"
                  "时的误差，因为时区可能不同。"},
    .fix = {.en = "Run the case again, and seal the log of the new run.",
            .zh = "重新运行用例，并封存这次新运行的日志。"},
    .messages = messages,
    .example = {.in = EXAMPLE_RUN,
                .file = "rank0.out.log",
                .honest = "\"step_time_s\": 0.013448867999613867",
                .changed = "\"step_time_s\": 99.013448867999613"},
};
/* clang-format on */
