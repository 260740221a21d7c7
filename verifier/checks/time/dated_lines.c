/*
 * FP4025: lines of a log that bear a date bear one of the run.
 *
 * FP4017 sees the lines that a format knows, and fails. All others are those of whatever the
 * command started: loggers of every form (verifier/logs/log_dates.h). A date that can be read in
 * two ways is one of the run when either is.
 */
#include "verifier/claims/rule.h"
#include "verifier/logs/log_dates.h"
#include "verifier/logs/log_prefix.h"
#include "verifier/proofs/proof.h"

/* As FP4017: zones reach from UTC-12 to UTC+14; and a minute for clocks. */
#define ZONES_S (14 * 3600.0 + 60)

struct run_days {
    double from, to, started;
};

/* The first line of another day; 0: there is none. */
static int line_dated_off(const struct bytes *text, const struct run_days *t)
{
    struct span left = {text->data, text->len};
    struct buf plain = BUF_INIT(0);
    int line = 1, found = 0;
    for (; left.n && !found; line++) {
        struct span s = span_cut(&left, '\n');
        if (s.n && memchr(s.p, '\033', s.n))
            s = log_prefix_plain(s, &plain);
        double dates[LOG_DATES_MAX];
        size_t n = log_dates(s, t->started, dates), off = 0;
        for (size_t i = 0; i < n; i++)
            off += dates[i] < t->from || dates[i] > t->to;
        found = n && off == n ? line : 0;
    }
    buf_release(&plain);
    return found;
}

static void check_dated_lines(struct audit *a, struct proof *p)
{
    const double started = proof_time(p, "started"), finished = proof_time(p, "finished");
    const struct run_days t = {started - ZONES_S, finished + ZONES_S, started};
    bool found = false;
    if (!p->opened || p->loose || !p->run || isnan(started) || isnan(finished))
        return;
    for (size_t i = 0; i < p->n_logs && !found; i++) {
        const char *name = p->logs[i]->name;
        const struct bytes *text = submission_file(&p->submission, name);
        int line = text ? line_dated_off(text, &t) : 0;
        if (!line)
            continue;
        proof_report(a, p, name, OUTCOME_FAIL,
                     "the date in this line is outside the time of the run")
            ->line = line;
        found = true;
    }
    if (!found && p->n_logs)
        proof_report(a, p, p->logs[0]->name, OUTCOME_PASS,
                     "every date in a log line is within the time of the run");
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the date in this line is outside the time of the run",
     .zh = "日志的这一行所带的日期不在运行期间"},
    {.en = "every date in a log line is within the time of the run",
     .zh = "日志行所带的日期都在运行期间"},
    {NULL, NULL},
};

const struct rule rule_fp4025 = {
    .id = "FP4025",
    .kind = "evidence",
    .since = "2026.3",
    .severity = SEVERITY_WARNING,
    .quotes = RULE_QUOTES_LOG | RULE_QUOTES_RUN,
    .proof = check_dated_lines,
    .title = {.en = "Dates in the log lines", .zh = "日志行所带的日期"},
    .statement = {.en = "If a log line contains a date, this date must lie between the start and "
                        "the end of the run.",
                  .zh = "如果日志的一行带有日期，该日期必须在运行的开始与结束之间。"},
    .why = {.en = "If somebody prints the log of another day again, no training ran on the new day.",
            .zh = "把另一天的日志重新打印一遍，不等于在新的一天做过训练。"},
    .how = {.en = "The rule reads dates at the start of a log line, or after `datetime`, "
                  "`timestamp`, `time` or `ts`. Each date must lie between the start and the end of "
                  "the run in run.json, with 14 hours of tolerance for time zones. If day and month "
                  "of a date can be exchanged, one of the two readings must lie within the run.",
            .zh = "读取日志行首的日期，以及日志行中 `datetime`、`timestamp`、`time` 或 `ts` 之后的"
                  "日期。日志行中的每个日期都必须在 run.json 记录的运行开始与结束之间，允许有 14 小"
                  "时的误差，因为时区可能不同。如果日期的日和月可以互换，那么两种读法中至少有一种必"
                  "须在运行期间。"},
    .fix = {.en = "Run the case again, and seal the log of the new run.",
            .zh = "重新运行用例，并封存这次新运行的日志。"},
    .messages = messages,
    .example = {.in = EXAMPLE_RUN,
                .file = "rank0.out.log",
                .honest = "[PerfLog] {\"event\": \"FINISHED\"",
                .changed = "2024-03-01T10:00:00Z INFO end\n[PerfLog] {\"event\": \"FINISHED\""},
};
/* clang-format on */
