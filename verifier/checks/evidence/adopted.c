#include "verifier/claims/rule.h"
#include "verifier/proofs/proof.h"

static void check_witness(struct audit *a, struct proof *p)
{
    if (!p->opened || p->loose || !proof_is_adopted(p))
        return;
    struct check_result *r = proof_report(
        a, p, "run.json", OUTCOME_FAIL,
        "adopted: fpreport did not start or monitor this run; it recomputed the figures from logs "
        "that were handed in later, so the result can be at most partially verified");
    audit_expect(r, "adopted", "witnessed");
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "adopted: fpreport did not start or monitor this run; it recomputed the figures from "
           "logs that were handed in later, so the result can be at most partially verified",
     .zh = "导入的运行：fpreport 没有启动也没有监控这次运行，只由事后提交的日志复算数字，因此结果至"
           "多为部分验证"},
    {NULL, NULL},
};

const struct rule rule_fp4020 = {
    .id = "FP4020",
    .kind = "evidence",
    .since = "2026.3",
    .severity = SEVERITY_NOTICE,
    .quotes = RULE_QUOTES_RUN,
    .proof = check_witness,
    .title = {.en = "Run that fpreport watched", .zh = "由 fpreport 监控的运行"},
    .statement = {.en = "fpreport must have started the training run and monitored the run to its "
                        "end.",
                  .zh = "训练运行必须由 fpreport 启动，并由 fpreport 监控到结束。"},
    .why = {.en = "If a vendor submits the logs of a run that fpreport did not start, fpreport can "
                  "still recompute the figures. However, fpreport took no monitor samples during a "
                  "run that it did not start, and nobody knows how the logs of that run were "
                  "written.",
            .zh = "如果厂商提交的日志不是由 fpreport 启动的运行写出的，fpreport 仍能由日志复算数字"
                  "。对于不是由 fpreport 启动的运行，fpreport 没有监控采样，也无法知道它的日志是怎"
                  "样写出的。"},
    .how = {.en = "The rule looks for the field `adopted` in run.json. If `fpreport collect LOG… "
                  "--case` seals the logs of a run that `fpreport train` did not start, it writes "
                  "the field `adopted` into run.json. If the evidence of a result is a run with the "
                  "field `adopted`, the result can be at most partially verified.",
            .zh = "检查 run.json 中是否有 `adopted` 字段（运行并非由 fpreport 启动）。命令 "
                  "`fpreport collect LOG… --case` 封存的日志若不是由 `fpreport train` 启动的运行写"
                  "出的，该命令就在 run.json 中写入 `adopted` 字段。如果作为证据的运行在 run.json "
                  "中有 `adopted` 字段，结果的核验状态至多为“部分验证”。"},
    .fix = {.en = "Run the case again with `fpreport train CASE -- COMMAND…`, and submit this run.",
            .zh = "用 `fpreport train CASE -- COMMAND…` 重新运行用例，并提交这次新的运行。"},
    .messages = messages,
    .example = {.in = EXAMPLE_RUN,
                .file = "run.json",
                .honest = "\"state\": \"complete\"",
                .changed = "\"adopted\": true, \"state\": \"complete\""},
};
/* clang-format on */
