/*
 * FP4024: run.json, monitors, lines of the log and the times at which they came share one clock.
 *
 * All but the stamps of a command's own lines are written by fpreport, in UTC: its sampler puts one
 * time on the samples of all monitors, the first within seconds of the start and the last at the
 * end. A command's stamps may be of another zone. Zones differ by whole quarters of an hour, so
 * that stamps must fit into the run when they are moved by some number of these; and no line comes
 * before the time that it bears, or before the steps that it reports could be over.
 */
#include "base/records/seen.h"
#include "verifier/claims/rule.h"
#include "verifier/proofs/proof.h"

/* Whole seconds at both ends, and a tool that takes some to answer. */
#define CLOCK_SLACK_S 10.0

/* A sample is due every 5 s and at the end: so late only on a machine that stood still. */
#define COVER_SLACK_S 120.0

/* Nodes of a run have clocks of their own. */
#define NODES_SLACK_S 60.0

#define QUARTER_S 900.0

#define SAMPLES_LEAST 3

/* A step may be over a little before its line says. */
#define STEPS_SHARE 0.95

struct run_clock {
    double started, finished;
};

static void find_off_clock(struct audit *a, const struct proof *p, const char *name, int line,
                           const char *message)
{
    proof_report(a, p, name, OUTCOME_FAIL, message)->line = line;
}

/* ---- monitors -------------------------------------------------------------------------------- */

static size_t folder_length(const char *name)
{
    const char *slash = strrchr(name, '/');
    return slash ? (size_t)(slash - name) : 0;
}

static bool lie_together(const char *a, const char *b)
{
    size_t n = folder_length(a);
    return n == folder_length(b) && memcmp(a, b, n) == 0;
}

static bool look_monitor(struct audit *a, const struct proof *p, const struct run_monitor *x,
                         const struct run_clock *t)
{
    const struct monitor *m = &x->monitor;
    double slack = lie_together(x->name, p->log_name) ? CLOCK_SLACK_S : NODES_SLACK_S;
    if (!m->stamps || isnan(m->begins))
        return false;
    if (m->begins < t->started - slack || m->ends > t->finished + slack)
        find_off_clock(a, p, x->name, 0,
                       "the samples of this monitor were taken outside the time of the run (both "
                       "times are in UTC)");
    else if (m->stamps >= SAMPLES_LEAST && !(m->ends > m->begins))
        find_off_clock(a, p, x->name, 0,
                       sentence_say(a->arena, "all %zu samples of this monitor have the same time",
                                    m->stamps));
    else if (m->begins > t->started + COVER_SLACK_S + slack ||
             m->ends < t->finished - COVER_SLACK_S - slack)
        find_off_clock(
            a, p, x->name, 0,
            sentence_say(a->arena,
                         "the samples of this monitor begin %s s after the start of the run and "
                         "end %s s before its end, but fpreport takes samples during the whole run",
                         audit_fixed(a->arena, m->begins - t->started, 0),
                         audit_fixed(a->arena, t->finished - m->ends, 0)));
    else
        return false;
    return true;
}

/* One sampler writes all monitors of a folder, each time all of them. */
static bool look_together(struct audit *a, const struct proof *p, const struct run_monitor *x)
{
    for (size_t i = 0; i < p->n_monitors; i++) {
        const struct run_monitor *of = p->monitors[i];
        const struct monitor *m = &of->monitor;
        if (of == x || !m->kind || strcmp(m->kind, "mem") != 0 ||
            !lie_together(x->name, of->name) || isnan(m->begins) || isnan(x->monitor.begins))
            continue;
        if (fabs(m->begins - x->monitor.begins) <= CLOCK_SLACK_S &&
            fabs(m->ends - x->monitor.ends) <= CLOCK_SLACK_S && x->monitor.stamps * 2 >= m->stamps)
            continue;
        find_off_clock(a, p, x->name, 0,
                       sentence_say(a->arena,
                                    "this monitor has %zu samples in %s s, but the memory monitor "
                                    "has %zu samples in %s s, although fpreport takes the samples "
                                    "of all monitors at the same times",
                                    x->monitor.stamps,
                                    audit_fixed(a->arena, x->monitor.ends - x->monitor.begins, 0),
                                    m->stamps, audit_fixed(a->arena, m->ends - m->begins, 0)));
        return true;
    }
    return false;
}

/* ---- stamps of lines ------------------------------------------------------------------------- */

struct line_stamps {
    double first, last; /* in seconds, without a zone; NaN: there are none */
    double before_line; /* the most by which a stamp is behind the time its line came; NaN */
    int last_line, ahead_line;
};

static void add_line_stamp(struct line_stamps *s, double at, int line, double came)
{
    s->first = fmin(s->first, at);
    if (!(at <= s->last)) {
        s->last = at;
        s->last_line = line;
    }
    if (at - came > s->before_line || (isnan(s->before_line) && !isnan(came))) {
        s->before_line = at - came;
        s->ahead_line = line;
    }
}

static struct line_stamps stamps_of_lines(const struct proof *p, const struct bytes *seen)
{
    struct line_stamps s = {.first = NAN, .last = NAN, .before_line = NAN};
    size_t at = 0;
    for (size_t i = 0; i < p->log.n_points; i++)
        if (!isnan(p->log.points[i].clock_ms))
            add_line_stamp(&s, p->log.points[i].clock_ms / 1000, p->log.points[i].line,
                           seen ? seen_line_ms(*seen, p->log.points[i].line, &at) / 1000 : NAN);
    at = 0;
    for (size_t i = 0; i < p->log.n_stamps; i++)
        add_line_stamp(&s, p->log.stamps[i].ms / 1000, p->log.stamps[i].line,
                       seen ? seen_line_ms(*seen, p->log.stamps[i].line, &at) / 1000 : NAN);
    return s;
}

/* Is there a zone in which the stamps lie within the run, and no line came before its own? */
static bool look_stamps(struct audit *a, const struct proof *p, const struct run_clock *t,
                        const struct bytes *seen)
{
    struct line_stamps s = stamps_of_lines(p, seen);
    if (isnan(s.first))
        return false;
    double least = ceil((t->started - CLOCK_SLACK_S - s.first) / QUARTER_S);
    double most = floor((t->finished + CLOCK_SLACK_S - s.last) / QUARTER_S);
    if (proof_is_ours(p))
        least = fmax(least, 0), most = fmin(most, 0);
    if (least > most) {
        find_off_clock(a, p, p->log_name, s.last_line,
                       "no time zone places the timestamps of the lines within the run that "
                       "run.json states");
        return true;
    }
    most = isnan(s.before_line) ? most
                                : fmin(most, floor((CLOCK_SLACK_S - s.before_line) / QUARTER_S));
    if (least <= most)
        return false;
    find_off_clock(a, p, p->log_name, s.ahead_line,
                   "the line arrived before its own timestamp, in every time zone");
    return true;
}

/* ---- steps and the times of lines -------------------------------------------------------------
 */

/* The first report is left out: what it stands for may have begun in another run. */
static bool look_lines_of_steps(struct audit *a, const struct proof *p, const struct run_clock *t,
                                const struct bytes *seen)
{
    double taken = 0;
    size_t at = 0;
    for (size_t i = 1; seen && i < p->log.n_points; i++) {
        const struct log_point *x = &p->log.points[i], *before = x - 1;
        if (x->rank != p->log.points[0].rank || !(x->seconds > 0) || !(x->step > before->step))
            continue;
        taken += x->seconds * (x->step - before->step);
        double came = seen_line_ms(*seen, x->line, &at) / 1000 - t->started;
        if (isnan(came) || came + CLOCK_SLACK_S >= taken * STEPS_SHARE)
            continue;
        find_off_clock(a, p, p->log_name, x->line,
                       sentence_say(a->arena,
                                    "the line arrived %s s after the start of the run, but the "
                                    "steps before it take %s s",
                                    audit_fixed(a->arena, came, 1),
                                    audit_fixed(a->arena, taken, 1)));
        return true;
    }
    return false;
}

static void check_one_clock(struct audit *a, struct proof *p)
{
    const struct run_clock t = {proof_time(p, "started"), proof_time(p, "finished")};
    if (!p->opened || p->loose || !p->run || !p->log_name || !json_get(p->run, "key") ||
        proof_is_adopted(p) || isnan(t.started) || isnan(t.finished) ||
        submission_ended_on_full_disk(p->run))
        return;
    const char *name = seen_name(p->log_name, a->arena);
    const struct bytes *seen = name ? submission_file(&p->submission, name) : NULL;
    bool found = false;
    for (size_t i = 0; i < p->n_monitors && !found; i++)
        found = look_monitor(a, p, p->monitors[i], &t) || look_together(a, p, p->monitors[i]);
    bool monitors = found, stamps = look_stamps(a, p, &t, seen),
         steps = look_lines_of_steps(a, p, &t, seen);
    if (!monitors && !stamps && !steps)
        proof_report(a, p, "run.json", OUTCOME_PASS, "all clocks of the run agree");
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the samples of this monitor were taken outside the time of the run (both times are in "
           "UTC)",
     .zh = "这个监控文件的采样时间不在运行期间（采样时间和运行时间都是 UTC）"},
    {.en = "all %zu samples of this monitor have the same time",
     .zh = "这个监控文件有 {1} 个采样，采样的时间全部相同"},
    {.en = "the samples of this monitor begin %s s after the start of the run and end %s s before "
           "its end, but fpreport takes samples during the whole run",
     .zh = "这个监控文件的采样在运行开始 {1} 秒后才开始，在运行结束前 {2} 秒就结束，但 fpreport 在"
           "整个运行期间都采样"},
    {.en = "this monitor has %zu samples in %s s, but the memory monitor has %zu samples in %s s, "
           "although fpreport takes the samples of all monitors at the same times",
     .zh = "这个监控文件在 {2} 秒内有 {1} 个采样，内存监控文件在 {4} 秒内有 {3} 个采样，但 "
           "fpreport 对这两个文件的采样是同时进行的"},
    {.en = "no time zone places the timestamps of the lines within the run that run.json states",
     .zh = "不论按哪个时区，日志行的时间戳都不在 run.json 记录的运行期间"},
    {.en = "the line arrived before its own timestamp, in every time zone",
     .zh = "不论按哪个时区，日志的这一行写出的时间都早于这一行自己的时间戳"},
    {.en = "the line arrived %s s after the start of the run, but the steps before it take %s s",
     .zh = "日志的这一行在运行开始 {1} 秒后写出，而这一行之前的各步需要 {2} 秒"},
    {.en = "all clocks of the run agree",
     .zh = "run.json、监控文件和日志行的时间出自同一个时钟"},
    {NULL, NULL},
};

const struct rule rule_fp4024 = {
    .id = "FP4024",
    .kind = "evidence",
    .since = "2026.3",
    .severity = SEVERITY_WARNING,
    .quotes = RULE_QUOTES_LOG | RULE_QUOTES_MONITOR | RULE_QUOTES_RUN,
    .proof = check_one_clock,
    .title = {.en = "Times of one run from one clock", .zh = "同一次运行的时间必须出自同一个时钟"},
    .statement = {.en = "run.json, the monitor files and the log lines of a run must take their "
                        "times from the same clock.",
                  .zh = "同一次运行的 run.json、监控文件和日志行，时间必须出自同一个时钟。"},
    .why = {.en = "If a log line was written before the start or after the end of a run, it does "
                  "not belong to this run.",
            .zh = "在运行开始之前或结束之后写出的日志行，不属于这次运行。"},
    .how = {.en = "Monitor samples must lie between the start and the end of the run in run.json "
                  "(with 10 s of tolerance); the first and the last sample must lie within two "
                  "minutes of the start and the end. The samples of a monitor may not all have the "
                  "same time, and all monitors of a folder must come from one sampling process. The "
                  "timestamps of log lines must lie within the run after a shift by a time zone "
                  "(whole quarters of an hour); those of the native trainer must lie within the run "
                  "without a shift. No log line may arrive before its own timestamp, or before the "
                  "steps that it reports can be over.",
            .zh = "监控采样的时间必须在 run.json 记录的运行开始与结束之间（允许误差 10 秒）。监控的"
                  "第一次采样与运行开始相差不得超过两分钟，最后一次采样与运行结束相差也不得超过两分"
                  "钟。同一个监控文件的采样时间不得全部相同，同一目录下的监控文件必须出自同一个采样"
                  "进程。日志行的时间戳按时区（一刻钟的整数倍）平移后，必须在运行期间。fpreport 内"
                  "置训练器的日志行，时间戳不平移就必须在运行期间。任何日志行的写出时间都不得早于该"
                  "行自己的时间戳，也不得早于该行所报告的各步可能完成的时间。"},
    .fix = {.en = "Run the case with `fpreport train CASE -- COMMAND…`, and seal this run.",
            .zh = "用 `fpreport train CASE -- COMMAND…` 运行用例，并封存这次运行。"},
    .messages = messages,
    .example = {.in = EXAMPLE_RUN,
                .file = "run.json",
                .honest = "\"finished\": \"2026-11-20T",
                .changed = "\"finished\": \"2026-11-21T"},
};
/* clang-format on */
