#include "verifier/claims/rule.h"
#include "verifier/proofs/proof.h"

static void check_witness(struct audit *a, struct proof *p)
{
    if (!p->opened || p->loose || !proof_is_adopted(p))
        return;
    struct check_result *r =
        proof_report(a, p, "run.json", OUTCOME_FAIL,
                     "adopted: fpreport did not witness the run; its logs were handed in later and "
                     "recomputed, so the result is partially verified at most");
    audit_expect(r, "adopted", "witnessed");
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "adopted: fpreport did not witness the run; its logs were handed in later and "
           "recomputed, so the result is partially verified at most",
     .zh = "收录：fpreport 没有见证这次运行；日志是事后提交并复算的，结果至多为部分验证"},
    {NULL, NULL},
};

const struct rule rule_fp4020 = {
    .id = "FP4020",
    .kind = "evidence",
    .since = "2026.3",
    .severity = SEVERITY_NOTICE,
    .quotes = RULE_QUOTES_RUN,
    .proof = check_witness,
    .title = {.en = "Run that fpreport watched", .zh = "由 fpreport 见证的运行"},
    .statement = {.en = "fpreport must have started the training run and monitored it to its end.",
                  .zh = "训练运行必须由 fpreport 启动，并由它监控到结束。"},
    .why = {.en = "If a vendor submits the logs of an earlier run, fpreport can still recompute the "
                  "figures. But fpreport took no monitor samples during such a run, and nobody "
                  "knows how its logs were written.",
            .zh = "厂商事后提交日志时，fpreport 仍能由日志复算数字；但运行期间没有 fpreport 的监控"
                  "采样，也无人知道日志是怎样写出的。"},
    .how = {.en = "The rule looks for the field `adopted` in run.json. `fpreport collect LOG… "
                  "--case` writes this field when it seals the logs of a run that `fpreport train` "
                  "did not start. A result with such a run as its evidence can be at most partially "
                  "verified.",
            .zh = "检查 run.json 中是否有 `adopted` 字段。`fpreport collect LOG… --case` 封存并非由"
                  " `fpreport train` 启动的运行的日志时，会写入这个字段。以这样的运行为证据的结果，"
                  "至多为部分验证。"},
    .fix = {.en = "Run the case again with `fpreport train CASE -- COMMAND…`, and submit this run.",
            .zh = "用 `fpreport train CASE -- COMMAND…` 重新运行该用例，并提交这次运行。"},
    .messages = messages,
    .example = {.in = EXAMPLE_RUN,
                .file = "run.json",
                .honest = "\"state\": \"complete\"",
                .changed = "\"adopted\": true, \"state\": \"complete\""},
};
/* clang-format on */
