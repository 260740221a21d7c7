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
    .title = {.en = "Witnessed run", .zh = "有见证的运行"},
    .statement = {.en = "The run must be started and monitored by fpreport.",
                  .zh = "运行必须由 fpreport 启动并全程监控。"},
    .why = {.en = "Logs that a vendor submits after the run are read like all other logs. But "
                  "fpreport took no monitor samples during the run, and nobody witnessed how the "
                  "logs were written.",
            .zh = "事后提交的日志与其他日志一样读取，但 fpreport 没有在运行期间采样监控，也没有人见"
                  "证日志是怎样写出的。"},
    .how = {.en = "run.json contains `adopted` if `fpreport collect LOG… --case` sealed the logs "
                  "of a run that `fpreport train` did not start. A result with such evidence is "
                  "partially verified at most.",
            .zh = "由 `fpreport collect LOG… --case` 封存、而非 `fpreport train` 启动的运行，其 "
                  "run.json 含有 `adopted`。以这样的运行为证据的结果，至多为部分验证。"},
    .fix = {.en = "Run the case with `fpreport train CASE -- COMMAND…`.",
            .zh = "用 `fpreport train CASE -- COMMAND…` 运行该用例。"},
    .messages = messages,
    .example = {.in = EXAMPLE_RUN,
                .file = "run.json",
                .honest = "\"state\": \"complete\"",
                .changed = "\"adopted\": true, \"state\": \"complete\""},
};
/* clang-format on */
