#include "verifier/claims/rule.h"
#include "verifier/proofs/proof.h"

static void check_witness(struct audit *a, struct proof *p)
{
    if (!p->opened || p->loose || !proof_is_adopted(p))
        return;
    struct check_result *r =
        proof_report(a, p, "run.json", OUTCOME_FAIL,
                     "adopted: fpreport did not witness the run; its logs were handed in and "
                     "recomputed, and the result is partial at most");
    audit_expect(r, "adopted", "witnessed");
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "adopted: fpreport did not witness the run; its logs were handed in and recomputed, and "
           "the result is partial at most",
     .zh = "收录：fpreport 没有见证这次运行；日志由他人交来并经复算，结果至多为部分核实"},
    {NULL, NULL},
};

const struct rule rule_fp4020 = {
    .id = "FP4020",
    .kind = "evidence",
    .since = "2026.3",
    .severity = SEVERITY_NOTICE,
    .quotes = RULE_QUOTES_RUN,
    .proof = check_witness,
    .title = {.en = "The witness", .zh = "见证"},
    .statement = {.en = "The run was started and watched by fpreport.",
                  .zh = "运行由 fpreport 启动并全程观察。"},
    .why = {.en = "Logs that are handed in afterwards are read like any other, but nothing beside "
                  "them was sampled, and nobody saw them being written.",
            .zh = "事后交来的日志与其他日志一样读取，但没有与之同时的采样，也没有人看到它们写出。"},
    .how = {.en = "run.json says `adopted` where `fpreport collect LOG… --case` sealed the logs of "
                  "a run that `fpreport train` did not start. The result is then partial at most.",
            .zh = "由 `fpreport collect LOG… --case` 封存、而非 `fpreport train` 启动的运行，其 run.json "
                  "写有 `adopted`。此时结果至多为部分核实。"},
    .fix = {.en = "Run the case behind `fpreport train CASE -- COMMAND…`.",
            .zh = "用 `fpreport train CASE -- COMMAND…` 运行该用例。"},
    .messages = messages,
    .example = {.in = EXAMPLE_RUN,
                .file = "run.json",
                .honest = "\"state\": \"complete\"",
                .changed = "\"adopted\": true, \"state\": \"complete\""},
};
/* clang-format on */
