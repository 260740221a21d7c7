#include "verifier/claims/rule.h"
#include "verifier/proofs/proof.h"

/* Without a run.json: is this the case that it is held to, and did a log come to its end? */
static void check_loose_state(struct audit *a, const struct proof *p)
{
    const char *folder = p->round && *p->round->key.text ? p->round->key.text : NULL;
    const char *named = p->named_case ? p->named_case : "";
    const char *expected = a->kase ? a->kase->id : "";
    struct check_result *r;
    if (*named && *expected && strcmp(named, expected) != 0) {
        r = proof_report(
            a, p, NULL, OUTCOME_FAIL,
            sentence_say(
                a->arena,
                "the files belong to case '%s', expected '%s': they are the logs of another case",
                folder ? folder : named, expected));
        audit_expect(r, named, expected);
        return;
    }
    bool ends = p->log.format && strcmp(p->log.format, "perflog") == 0;
    bool finished = false;
    for (size_t i = 0; i < p->n_logs; i++)
        finished = finished || p->logs[i]->log.finished;
    /* Only the main process writes one: a single log of another rank proves nothing. */
    bool expected_here = ends && (p->tree.n_logs > 1 || p->main_log->place.rank == 0);
    r = proof_report(
        a, p, NULL, expected_here && !finished ? OUTCOME_FAIL : OUTCOME_CANNOT,
        finished
            ? "run.json is missing, so only the FINISHED event in the log shows that the run ended"
        : expected_here
            ? "no log has a FINISHED event: the run did not end, or its log is truncated"
            : "run.json is missing, and the log does not show how the run ended");
    r->severity = SEVERITY_WARNING;
}

/* The run failed because nothing more could be written: were all steps logged before? */
static bool logged_all_steps(const struct proof *p)
{
    size_t n = p->curve.n;
    return submission_ended_on_full_disk(p->run) && p->kase && p->kase->steps && n &&
           p->curve.step[n - 1] >= (double)p->kase->steps;
}

static void check_run_state(struct audit *a, struct proof *p)
{
    if (!p->opened)
        return;
    const char *state = json_get_text(p->run, "state", NULL);
    const char *kase = json_get_text(p->run, "case", NULL);
    if (!state && p->loose) {
        check_loose_state(a, p);
        return;
    }
    if (!state) {
        proof_report(a, p, "run.json", OUTCOME_FAIL,
                     "run.json is missing, so it is unknown how the run ended");
        return;
    }
    const char *expected = a->result ? a->result->case_id : kase;
    bool complete = strcmp(state, "complete") == 0;
    bool same = kase && expected && strcmp(kase, expected) == 0;
    bool logged = !complete && same && logged_all_steps(p);
    struct check_result *r = proof_report(
        a, p, "run.json", outcome_of(complete && same),
        p->ended_silently ? "the run ended without a final state: run.json says 'running', but no "
                            "process holds the lock of the run"
        : logged          ? "the disk was full when the run ended, but all steps had been logged"
        : !complete ? sentence_say(a->arena, "the state of the run is '%s', not complete", state)
        : same      ? "the run is complete"
               : sentence_say(a->arena, "the run belongs to case '%s', but the result is for '%s'",
                              kase ? kase : "", expected));
    if (logged)
        r->severity = SEVERITY_NOTICE;
    audit_expect(r, complete ? kase : state, complete ? expected : "complete");
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the files belong to case '%s', expected '%s': they are the logs of another case",
     .zh = "作为证据的文件属于用例“{1}”，但应属于用例“{2}”：这些是另一个用例的日志"},
    {.en = "run.json is missing, so only the FINISHED event in the log shows that the run ended",
     .zh = "缺少 run.json，因此只有日志中的 FINISHED 事件表明运行已经结束"},
    {.en = "no log has a FINISHED event: the run did not end, or its log is truncated",
     .zh = "没有一份日志含有 FINISHED 事件：运行没有结束，或日志被截断"},
    {.en = "run.json is missing, and the log does not show how the run ended",
     .zh = "缺少 run.json，日志也没有写明运行是怎样结束的"},
    {.en = "run.json is missing, so it is unknown how the run ended",
     .zh = "缺少 run.json，因此不知道运行是怎样结束的"},
    {.en = "the disk was full when the run ended, but all steps had been logged",
     .zh = "运行结束时磁盘已满，但全部训练步都已记入日志"},
    {.en = "the state of the run is '%s', not complete",
     .zh = "run.json 所写的运行状态是“{1}”，说明运行没有完成"},
    {.en = "the run ended without a final state: run.json says 'running', but no process holds the "
           "lock of the run",
     .zh = "运行结束时没有写入最终状态：run.json 写的状态是“running”，但没有进程持有这次运行的锁"},
    {.en = "the run is complete",
     .zh = "训练运行已完成"},
    {.en = "the run belongs to case '%s', but the result is for '%s'",
     .zh = "作为证据的运行属于用例“{1}”，但结果属于用例“{2}”"},
    {NULL, NULL},
};

const struct rule rule_fp4003 = {
    .id = "FP4003",
    .kind = "evidence",
    .since = "2026.1",
    .severity = SEVERITY_ERROR,
    .also = RULE_ALSO(SEVERITY_WARNING) | RULE_ALSO(SEVERITY_NOTICE),
    .quotes = RULE_QUOTES_RUN,
    .proof = check_run_state,
    .title = {.en = "Run completed", .zh = "训练运行已完成"},
    .statement = {.en = "The training run must be complete, and it must be a run of the result's "
                        "case.",
                  .zh = "训练运行必须已经完成，且运行的必须是结果所属的用例。"},
    .why = {.en = "The figures of a run that ended early do not describe the whole case.",
            .zh = "提前结束的运行没有跑完用例，因此它的数字不能代表整个用例。"},
    .how = {.en = "The rule reads run.json, which must state that the run is complete and that it "
                  "used the result's case. If the disk became full only after the last step was "
                  "logged, the rule gives a notice instead of an error.",
            .zh = "读取 run.json：run.json 必须写明运行已经完成，且运行的是结果所属的用例。如果训练"
                  "的最后一步记入日志之后磁盘才写满，只给出提示，不算错误。"},
    .fix = {.en = "Run the case again and let it finish its last step.",
            .zh = "重新运行用例，直到最后一步完成。"},
    .messages = messages,
    .example = {.in = EXAMPLE_RUN,
                .file = "run.json",
                .honest = "\"state\": \"complete\"",
                .changed = "\"state\": \"failed\""},
};
/* clang-format on */
