#include "base/calendar.h"
#include "verifier/claims/rule.h"
#include "verifier/proofs/proof.h"

/* The first folder and the machine of the file's place; NULL: it stands in none. */
static const char *folder_of_proof(const struct proof *p, struct arena *arena, const char **host)
{
    const char *log = p->log_name;
    const char *slash = log ? strchr(log, '/') : NULL;
    const char *node = log ? strstr(log, "_noderank") : NULL;
    *host = NULL;
    if (node) {
        const char *begin = node;
        while (begin > log && begin[-1] != '/')
            begin--;
        *host = arena_strndup(arena, begin, (size_t)(node - begin));
    }
    return slash ? arena_strndup(arena, log, (size_t)(slash - log)) : NULL;
}

/* A run's seconds are cut off, and those of time(2) are a tick of the kernel behind (10 ms at
 * most), by which earlier runs say when they ended. */
#define RUN_SLACK_S 1.01

/* PerfLog's stamps are Unix time; those of other logs have no zone. */
static const char *stamps_fault(struct audit *a, const struct proof *p, double started,
                                double finished)
{
    bool absolute = p->log.format && strcmp(p->log.format, "perflog") == 0;
    for (size_t i = 0; absolute && i < p->log.n_points; i++) {
        double at = p->log.points[i].clock_ms / 1000;
        if (at < started - 1 || at > finished + RUN_SLACK_S)
            return sentence_say(a->arena, "line %d of the log has a timestamp outside the run",
                                p->log.points[i].line);
    }
    return NULL;
}

/* Whole seconds may be cut off at both ends; PerfLog has milliseconds. */
#define STAMP_SLACK_S 1.1

#define STAMP_SLACK_PERFLOG_S 0.002

/* A step cannot end before the one before it, nor take longer than the time since then. In a log
 * that one process wrote; stamps of whole seconds may be equal. */
static const char *order_fault(struct audit *a, const struct proof *p)
{
    const struct log_point *before = NULL;
    bool perflog = p->log.format && strcmp(p->log.format, "perflog") == 0;
    double slack = perflog ? STAMP_SLACK_PERFLOG_S : STAMP_SLACK_S;
    for (size_t i = 0; i < p->log.n_points; i++) {
        const struct log_point *x = &p->log.points[i];
        if (isnan(x->clock_ms))
            continue;
        bool next = before && x->rank == before->rank && x->step > before->step;
        double passed = before ? (x->clock_ms - before->clock_ms) / 1000 : NAN;
        if (next && passed < 0)
            return sentence_say(a->arena,
                                "the step in line %d of the log ends before the step in line %d",
                                x->line, before->line);
        if (next && x->seconds * (x->step - before->step) > passed * 1.01 + slack)
            return sentence_say(a->arena,
                                "line %d of the log states %s s per step, but was written %s s "
                                "after the previous line",
                                x->line, audit_number(a->arena, x->seconds),
                                audit_fixed(a->arena, passed, 3));
        before = x;
    }
    return NULL;
}

/* Ours write UTC; a minute is more than they sample before and behind a run. */
#define MONITOR_SLACK_S 60

static const char *monitors_fault(struct audit *a, const struct proof *p, double started,
                                  double finished)
{
    for (size_t i = 0; i < p->n_monitors; i++) {
        const struct monitor *m = &p->monitors[i]->monitor;
        bool ours = strcmp(m->kind ? m->kind : "", "cpu") == 0 ||
                    strcmp(m->kind ? m->kind : "", "mem") == 0;
        if (ours && p->monitors[i]->place.node == 0 &&
            (m->begins < started - MONITOR_SLACK_S || m->ends > finished + MONITOR_SLACK_S))
            return sentence_say(a->arena, "the %s monitor has timestamps outside the run", m->kind);
    }
    return NULL;
}

/* Clocks of several machines may be minutes apart. */
#define TAKEN_SLACK_S 3600

/* A fingerprint is taken when its run begins: one of another day came from another run. */
static const char *taken_fault(struct audit *a, const struct proof *p, double started,
                               double finished)
{
    const char *taken = facts_value(&p->facts, FACT_TAKEN);
    long long at;
    if (!taken || !calendar_time(taken, &at))
        return NULL;
    return (double)at < started - TAKEN_SLACK_S || (double)at > finished + TAKEN_SLACK_S
               ? sentence_say(a->arena,
                              "the fingerprint was taken at %s, more than one hour before or after "
                              "the run (%s to %s)",
                              taken, json_get_text(p->run, "started", ""),
                              json_get_text(p->run, "finished", ""))
               : NULL;
}

/* The first fact of this list that this version does not write there; NULL. */
static const char *unknown_fact(const struct fact *list, size_t n, bool unstable)
{
    for (size_t i = 0; i < n; i++) {
        bool known = false;
        for (size_t k = 0; k < FACT_KINDS; k++)
            known = known || (fact_is_unstable(fact_kinds[k].class) == unstable &&
                              strcmp(fact_kinds[k].key, list[i].key) == 0);
        if (!known)
            return list[i].key;
    }
    return NULL;
}

/* This version knows the facts that it writes; whatever wrote them, their digest is theirs. */
static const char *facts_fault(struct audit *a, const struct proof *p)
{
    const struct facts *f = &p->facts;
    const char *version = facts_value(f, FACT_FPREPORT), *key;
    const char *digest = f->sha256 ? facts_digest(f, a->arena) : NULL;
    if (digest && strcmp(digest, f->sha256) != 0)
        return sentence_say(a->arena,
                            "the facts of the fingerprint have the SHA-256 %s, but the fingerprint "
                            "states %s",
                            digest, f->sha256);
    if (!version || strcmp(version, FPREPORT_VERSION) != 0)
        return NULL;
    key = unknown_fact(f->items, f->n, false);
    key = key ? key : unknown_fact(f->unstable, f->n_unstable, true);
    return key ? sentence_say(a->arena,
                              "the fingerprint contains '%s', which fpreport %s does not write",
                              key, version)
               : NULL;
}

static const char *is_not(struct audit *a, const char *what, const char *found,
                          const char *expected)
{
    if (!found || !expected || strcmp(found, expected) == 0)
        return NULL;
    return sentence_say(a->arena, "%s is '%s', expected '%s'", what, found, expected);
}

static double number_of_run(const struct json *run, const char *key)
{
    const struct json *x = json_get(run, key);
    return x && x->kind == JSON_NUMBER ? x->number : 0;
}

static const char *resumed_fault(struct audit *a, const struct proof *p)
{
    double said = number_of_run(json_get(p->run, "resumed"), "step"), logged = proof_resumed(p);
    if (said == logged || !proof_is_native(p) || !p->log_name)
        return NULL;
    return sentence_say(a->arena,
                        "run.json says that the run continued after step %s, but the log says that "
                        "it continued after step %s (step 0 means from the beginning)",
                        audit_number(a->arena, said), audit_number(a->arena, logged));
}

/* The first thing that does not fit; NULL when all does. */
static const char *run_fault(struct audit *a, const struct proof *p)
{
    const struct json *run = p->run;
    const char *host, *folder = folder_of_proof(p, a->arena, &host);
    double started = proof_time(p, "started"), finished = proof_time(p, "finished");
    bool adopted = proof_is_adopted(p); /* when it ran, and by which program, nobody saw */
    const char *faults[] = {
        is_not(a, "the schema", json_get_text(run, "schema", ""), "fpreport.run/1"),
        is_not(a, "the folder of the case", folder, json_get_text(run, "key", NULL)),
        is_not(a, "the machine in the log's path", host, json_get_text(run, "host", NULL)),
        adopted ? NULL
                : is_not(a, "the version", json_get_text(run, "fpreport", NULL),
                         facts_value(&p->facts, FACT_FPREPORT)),
        !submission_ended_on_full_disk(run) &&
                (number_of_run(run, "exit_status") != 0 || number_of_run(run, "signal") != 0)
            ? "a complete run ends with exit status 0 and without a signal"
            : NULL,
        !adopted && (isnan(started) || isnan(finished))
            ? "run.json does not state when the run started and finished"
            : NULL,
        finished < started ? "the run finished before it started" : NULL,
        stamps_fault(a, p, started, finished),
        order_fault(a, p),
        monitors_fault(a, p, started, finished),
        taken_fault(a, p, started, finished),
        resumed_fault(a, p),
        facts_fault(a, p),
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        if (faults[i])
            return faults[i];
    return NULL;
}

/* Our own run.json only: others may mean other things by these keys. */
static void check_run_json(struct audit *a, struct proof *p)
{
    if (!p->opened || p->loose || !p->run || !json_get(p->run, "key"))
        return;
    const char *fault = run_fault(a, p);
    proof_report(a, p, "run.json", fault ? OUTCOME_FAIL : OUTCOME_PASS,
                 fault ? fault : "run.json agrees with the files of the run");
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "line %d of the log has a timestamp outside the run",
     .zh = "日志第 {1} 行的时间戳不在运行的起止时间之内"},
    {.en = "the step in line %d of the log ends before the step in line %d",
     .zh = "日志第 {1} 行那一步的结束时间早于日志第 {2} 行那一步"},
    {.en = "line %d of the log states %s s per step, but was written %s s after the previous line",
     .zh = "日志第 {1} 行写明每步耗时 {2} 秒，但该行只比上一步的日志行晚 {3} 秒写出"},
    {.en = "the %s monitor has timestamps outside the run",
     .zh = "{1} 监控的时间戳不在运行的起止时间之内"},
    {.en = "the fingerprint was taken at %s, more than one hour before or after the run (%s to %s)",
     .zh = "机器指纹的采集时间是 {1}，比运行的起止时间（{2} 至 {3}）早或晚一小时以上"},
    {.en = "the facts of the fingerprint have the SHA-256 %s, but the fingerprint states %s",
     .zh = "由机器指纹的内容算出的 SHA-256 是 {1}，但指纹自己写的是 {2}"},
    {.en = "the fingerprint contains '%s', which fpreport %s does not write",
     .zh = "机器指纹中有“{1}”一项，但 fpreport {2} 不会写出这一项"},
    {.en = "%s is '%s', expected '%s'",
     .zh = "{1:said}为“{2}”，应为“{3}”"},
    {.en = "run.json says that the run continued after step %s, but the log says that it continued "
           "after step %s (step 0 means from the beginning)",
     .zh = "run.json 写明运行从第 {1} 步之后继续，但日志写明运行从第 {2} 步之后继续（第 0 步表示"
           "从头开始）"},
    {.en = "the schema",
     .zh = "run.json 的格式名"},
    {.en = "the folder of the case",
     .zh = "运行目录名中的用例"},
    {.en = "the machine in the log's path",
     .zh = "日志路径中的机器"},
    {.en = "the version",
     .zh = "run.json 中的 fpreport 版本"},
    {.en = "fpreport",
     .zh = "fpreport"},
    {.en = "a complete run ends with exit status 0 and without a signal",
     .zh = "run.json 称运行已完成，但退出码不是 0，或运行收到过信号"},
    {.en = "run.json does not state when the run started and finished",
     .zh = "run.json 没有写明运行的开始时间和结束时间"},
    {.en = "the run finished before it started",
     .zh = "run.json 所写的运行结束时间早于开始时间"},
    {.en = "run.json agrees with the files of the run",
     .zh = "run.json 与这次运行的其他文件相符"},
    {NULL, NULL},
};

const struct rule rule_fp4010 = {
    .id = "FP4010",
    .kind = "evidence",
    .since = "2026.2",
    .severity = SEVERITY_ERROR,
    .quotes = RULE_QUOTES_LOG | RULE_QUOTES_MONITOR | RULE_QUOTES_RUN | RULE_QUOTES_MACHINE,
    .proof = check_run_json,
    .title = {.en = "run.json and the other files of the run", .zh = "run.json 与这次运行的其他"
                                                                     "文件"},
    .statement = {.en = "The names, the times and the exit status in run.json must agree with the "
                        "other files of the run.",
                  .zh = "run.json 所写的名称、时间与退出码，必须与这次运行的其他文件相符。"},
    .why = {.en = "Somebody who edits a run, or joins two runs into one, must change all names and "
                  "times consistently, and often forgets one of them.",
            .zh = "如果有人改动一次运行，或把两次运行拼成一次，就必须把所有文件中的名称与时间都改得"
                  "一致，而这往往会漏改一处。"},
    .how = {.en = "The case in the folder name, the machine and the version must agree with "
                  "run.json, and a complete run must have the exit status 0. The timestamps of "
                  "PerfLog lines must lie between the start and the end of the run. The fingerprint "
                  "of the machine may be taken up to one hour before the start or after the end of "
                  "the run. No step may end before the previous step.",
            .zh = "运行目录名中的用例、日志路径中的机器、指纹中的 fpreport 版本，都必须与 run.json "
                  "一致。run.json 称运行已完成时，退出码必须为 0。PerfLog 日志各行的时间戳必须在运"
                  "行的开始与结束之间。机器指纹可以在运行开始前一小时至运行结束后一小时之内采集。训"
                  "练的任何一步，结束时间都不得早于前一步的结束时间。"},
    .fix = {.en = "Seal the run folder with `fpreport collect`, exactly as it was when the run "
                  "ended. If files of the run were changed, run the case again.",
            .zh = "运行结束后不要改动运行目录，直接用 `fpreport collect` 封存。如果运行的文件已"
                  "被改动，请重新运行用例。"},
    .messages = messages,
    .example = {.in = EXAMPLE_RUN,
                .file = "run.json",
                .honest = "\"exit_status\": 0",
                .changed = "\"exit_status\": 3"},
};
/* clang-format on */
