/*
 * FP4023: what only a run that fpreport witnessed leaves behind.
 *
 * `train` names the machine's folder, takes a fingerprint, samples processor and memory at least
 * once, keeps the output of a command as rankN.out.log and, since its run.json has a layout, when
 * its lines came. Logs that were handed in have none of these: who takes "adopted" out of their
 * run.json has to invent all of them. A disk that was full excuses what is missing.
 */
#include "base/records/layout.h"
#include "base/records/seen.h"
#include "verifier/claims/rule.h"
#include "verifier/proofs/proof.h"

#define ADOPTED_FOLDER "/adopted_noderank"
#define ADOPTED_REASON "fpreport did not witness the run" /* of facts, collector/submission */

/* Whole seconds at both ends, and the last lines of a pipe. */
#define LINES_SLACK_S 2.0

static bool find_unwitnessed(struct audit *a, const struct proof *p, const char *inside,
                             enum severity severity, const char *message)
{
    struct check_result *r = proof_report(a, p, inside, OUTCOME_FAIL, message);
    r->severity = severity;
    return true;
}

/* ---- run.json and names ---------------------------------------------------------------------- */

static bool look_adopted(struct audit *a, const struct proof *p)
{
    if (!json_get(p->run, "adopted"))
        return false;
    return find_unwitnessed(a, p, "run.json", SEVERITY_ERROR,
                            "run.json contains 'adopted' with a value other than true");
}

static bool look_run_keys(struct audit *a, const struct proof *p)
{
    static const char *const always[] = {"state",    "exit_status", "signal", "started",
                                         "finished", "command",     "host",   "fpreport"};
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        if (!json_get(p->run, always[i]))
            return find_unwitnessed(
                a, p, "run.json", SEVERITY_ERROR,
                sentence_say(
                    a->arena,
                    "run.json has no '%s', but fpreport writes it for every run that it starts",
                    always[i]));
    if (json_get_text(p->run, "host", NULL))
        return false;
    return find_unwitnessed(a, p, "run.json", SEVERITY_ERROR,
                            "run.json does not name the machine that fpreport ran on");
}

/* --cards is of `collect` and `verify`: a command's cards are seen. */
static bool look_layout(struct audit *a, const struct proof *p)
{
    for (size_t i = 0; i < p->layout.n; i++)
        if (strcmp(p->layout.items[i].name, "--cards") == 0)
            return find_unwitnessed(
                a, p, "run.json", SEVERITY_ERROR,
                "run.json says that the numbers of nodes and cards were given with --cards, but "
                "only `collect` of an existing log has this option");
    return false;
}

static bool is_rank_log(const char *name)
{
    static const char rank[] = "rank", ending[] = ".out.log";
    size_t digits =
        strncmp(name, rank, strlen(rank)) == 0 ? strspn(name + strlen(rank), "0123456789") : 0;
    return digits && strcmp(name + strlen(rank) + digits, ending) == 0;
}

static bool look_log_name(struct audit *a, const struct proof *p)
{
    const char *slash = strrchr(p->log_name, '/');
    if (!slash || is_rank_log(slash + 1))
        return false;
    return find_unwitnessed(a, p, p->log_name, SEVERITY_ERROR,
                            "the log of a run that fpreport starts is named rankN.out.log");
}

static bool look_folder(struct audit *a, const struct proof *p)
{
    if (!strstr(p->log_name, ADOPTED_FOLDER))
        return false;
    return find_unwitnessed(a, p, p->log_name, SEVERITY_ERROR,
                            "the log is in the folder for logs of runs that fpreport did not "
                            "start");
}

static bool look_facts(struct audit *a, const struct proof *p)
{
    for (size_t i = 0; i < p->facts.n; i++) {
        const struct fact *f = &p->facts.items[i];
        if (!f->value && f->unknown && strcmp(f->unknown, ADOPTED_REASON) == 0)
            return find_unwitnessed(a, p, "fingerprint.json", SEVERITY_ERROR,
                                    "the fingerprint says that fpreport did not witness the run");
    }
    return false;
}

/* ---- files beside the log -------------------------------------------------------------------- */

static bool look_files_beside(struct audit *a, const struct proof *p)
{
    static const char *const always[] = {"fingerprint.json", "sys_info.log", "cpu_monitor.log",
                                         "mem_monitor.log"};
    const char *slash = strrchr(p->log_name, '/');
    for (size_t i = 0; slash && i < sizeof always / sizeof *always; i++) {
        const char *name =
            arena_printf(a->arena, "%.*s/%s", (int)(slash - p->log_name), p->log_name, always[i]);
        if (!submission_file(&p->submission, name))
            return find_unwitnessed(a, p, p->log_name, SEVERITY_ERROR,
                                    sentence_say(a->arena,
                                                 "%s is missing beside the log, but fpreport "
                                                 "writes this file in every run that it starts",
                                                 always[i]));
    }
    return false;
}

static bool keeps_times_of_lines(const struct proof *p)
{
    const struct json *command = json_get(p->run, "command");
    return command && command->kind != JSON_NULL && json_get(p->run, "layout");
}

/* When the first and the last line came, as far as they are timed. */
static bool look_lines(struct audit *a, const struct proof *p)
{
    const char *name = seen_name(p->log_name, a->arena);
    const struct bytes *seen = name ? submission_file(&p->submission, name) : NULL;
    double started = proof_time(p, "started") - LINES_SLACK_S;
    double finished = proof_time(p, "finished") + LINES_SLACK_S, before = started;
    size_t at = 0;
    if (!keeps_times_of_lines(p) || !p->log.lines)
        return false;
    if (!seen)
        return find_unwitnessed(a, p, p->log_name, SEVERITY_WARNING,
                                "the arrival times of the log lines are missing, but fpreport "
                                "records them for every command that it starts");
    for (int line = 1; line <= p->log.lines; line++) {
        double ms = seen_line_ms(*seen, line, &at);
        if (isnan(ms) && line == 1)
            return find_unwitnessed(a, p, name, SEVERITY_ERROR,
                                    "the arrival time of the first log line is missing");
        if (isnan(ms))
            break;
        if (ms / 1000 < before || ms / 1000 > finished)
            return find_unwitnessed(
                a, p, name, SEVERITY_ERROR,
                sentence_say(
                    a->arena,
                    "line %d of the log arrived before the previous line, or outside the run",
                    line));
        before = ms / 1000;
    }
    if (isnan(seen_line_ms(*seen, p->log.lines + 1, &at)))
        return false;
    return find_unwitnessed(
        a, p, name, SEVERITY_ERROR,
        sentence_say(a->arena, "the file of arrival times has more lines than the log (%d)",
                     p->log.lines));
}

static void check_witnessed(struct audit *a, struct proof *p)
{
    static bool (*const looks[])(struct audit *, const struct proof *) = {
        look_adopted, look_run_keys, look_layout, look_log_name, look_folder, look_facts,
    };
    bool found = false;
    if (!p->opened || p->loose || !p->run || !p->log_name || !json_get(p->run, "key") ||
        proof_is_adopted(p))
        return;
    for (size_t i = 0; i < sizeof looks / sizeof *looks; i++)
        found |= looks[i](a, p);
    if (!submission_ended_on_full_disk(p->run)) {
        found |= look_files_beside(a, p);
        found |= look_lines(a, p);
    }
    if (!found)
        proof_report(
            a, p, "run.json", OUTCOME_PASS,
            "the run has all files and fields that fpreport writes for a run that it starts");
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "run.json contains 'adopted' with a value other than true",
     .zh = "run.json 含有字段“adopted”，但它的值不是 true"},
    {.en = "run.json has no '%s', but fpreport writes it for every run that it starts",
     .zh = "run.json 缺少字段“{1}”，但 fpreport 启动的每次运行都会写这个字段"},
    {.en = "run.json does not name the machine that fpreport ran on",
     .zh = "run.json 没有写明 fpreport 在哪台机器上运行"},
    {.en = "run.json says that the numbers of nodes and cards were given with --cards, but only "
           "`collect` of an existing log has this option",
     .zh = "run.json 写明节点数与卡数由选项 --cards 给出，但只有用 `collect` 封存已有的日志时才"
           "有这个选项"},
    {.en = "the log of a run that fpreport starts is named rankN.out.log",
     .zh = "fpreport 启动的运行，训练日志的文件名应为 rankN.out.log"},
    {.en = "the log is in the folder for logs of runs that fpreport did not start",
     .zh = "日志所在的目录，只用于存放并非由 fpreport 启动的运行的日志"},
    {.en = "the fingerprint says that fpreport did not witness the run",
     .zh = "机器指纹写明 fpreport 没有监控这次运行"},
    {.en = "%s is missing beside the log, but fpreport writes this file in every run that it "
           "starts",
     .zh = "日志所在的目录缺少文件 {1}，但 fpreport 启动的每次运行都会写出这个文件"},
    {.en = "the arrival times of the log lines are missing, but fpreport records them for every "
           "command that it starts",
     .zh = "缺少日志各行的到达时间，但 fpreport 会为它启动的每条命令记录输出各行的到达时间"},
    {.en = "the arrival time of the first log line is missing",
     .zh = "缺少日志第一行的到达时间"},
    {.en = "line %d of the log arrived before the previous line, or outside the run",
     .zh = "日志第 {1} 行的到达时间早于前一行的到达时间，或不在运行的起止时间之内"},
    {.en = "the file of arrival times has more lines than the log (%d)",
     .zh = "到达时间文件的行数，多于日志的行数（{1} 行）"},
    {.en = "the run has all files and fields that fpreport writes for a run that it starts",
     .zh = "这次运行有 fpreport 启动运行时写出的全部文件与字段"},
    {NULL, NULL},
};

const struct rule rule_fp4023 = {
    .id = "FP4023",
    .kind = "evidence",
    .since = "2026.3",
    .severity = SEVERITY_ERROR,
    .also = RULE_ALSO(SEVERITY_WARNING),
    .quotes = RULE_QUOTES_NOTHING,
    .partial_at_most = true,
    .proof = check_witnessed,
    .title = {.en = "Files of a run that fpreport started", .zh = "由 fpreport 启动的运行应有的"
                                                                  "文件"},
    .statement = {.en = "If run.json does not contain the field `adopted`, the run must have all "
                        "files that fpreport writes for a run that it starts.",
                  .zh = "如果 run.json 没有 `adopted` 字段，说明运行由 fpreport 启动，就必须有 "
                        "fpreport 启动运行时写出的全部文件。"},
    .why = {.en = "Without this rule, somebody could delete the field `adopted` from run.json, and "
                  "present the logs of another run as a run that fpreport started. From logs "
                  "alone, nobody can derive the monitor samples and arrival times that fpreport "
                  "records during a run.",
            .zh = "如果没有这条规则，有人可以从 run.json 中删去 `adopted` 字段（该字段表示运行不是"
                  "由 fpreport 启动的），把另一次运行的日志当作由 fpreport 启动的运行的日志提交。监"
                  "控采样与日志行的到达时间由 fpreport 在运行期间记录，无法由日志推算出来。"},
    .how = {.en = "run.json must name the machine, the start and end times and the exit status of "
                  "the run. The training log must be named rankN.out.log. It must not be in the "
                  "folder for logs of runs that fpreport did not start. Its folder must also "
                  "contain a fingerprint, `sys_info.log` and the monitor files of CPU and memory. "
                  "If fpreport started a command, the file `rankN.out.seen` must contain the time "
                  "at which each log line arrived. The arrival times in `rankN.out.seen` must "
                  "increase and lie within the run, and there must not be more arrival times than "
                  "log lines.",
            .zh = "run.json 必须写明运行所在的机器、开始时间、结束时间与退出码。训练日志必须名为 "
                  "rankN.out.log，且不得放在只用于存放并非由 fpreport 启动的运行的日志的目录中。训练"
                  "日志所在的目录还必须有机器指纹、`sys_info.log` 以及 CPU 与内存的监控文件。如果训"
                  "练命令由 fpreport 启动，文件 `rankN.out.seen` 必须写明日志每一行的到达时间。文件 "
                  "`rankN.out.seen` 中的到达时间必须递增，都在运行的起止时间之内，且个数不得多于日志"
                  "的行数。"},
    .fix = {.en = "Run the case with `fpreport train CASE -- COMMAND…`, or seal its existing logs "
                  "with `fpreport collect LOG… --case CASE`.",
            .zh = "用 `fpreport train CASE -- COMMAND…` 重新运行用例。如果只有已写好的日志，用 "
                  "`fpreport collect LOG… --case CASE` 封存。"},
    .messages = messages,
    .example = {.in = EXAMPLE_RUN,
                .file = "run.json",
                .honest = "\"state\": \"complete\"",
                .changed = "\"adopted\": false, \"state\": \"complete\""},
};
/* clang-format on */
