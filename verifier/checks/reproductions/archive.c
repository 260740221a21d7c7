#include "verifier/checks/reproductions/findings.h"
#include "verifier/claims/rule.h"

static void check_reproduction_archive(struct audit *a, const struct reproduction_proof *t)
{
    reproduction_report_faults(
        a, t, REPRODUCTION_ARCHIVE,
        "the submission is intact and has the SHA-256 that the record states");
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the submission is intact and has the SHA-256 that the record states",
     .zh = "提交包完整，且 SHA-256 与复现记录所写的一致"},
    {NULL, NULL},
};

static const struct words *const quoted[] = {reproduction_messages, NULL};

const struct rule rule_fp5001 = {
    .id = "FP5001",
    .kind = "reproduction",
    .since = "2026.2",
    .severity = SEVERITY_ERROR,
    .quotes = RULE_QUOTES_RUN,
    .reproduction = check_reproduction_archive,
    .title = {.en = "Submission file of a reproduction", .zh = "复现的提交包文件"},
    .statement = {.en = "The submission file of a reproduction must be unchanged: its SHA-256 must "
                        "equal the SHA-256 in the record of the reproduction.",
                  .zh = "复现的提交包文件不得改动：提交包的 SHA-256 必须与复现记录所写的一致。"},
    .why = {.en = "Anybody can claim that a result was reproduced; only the logs of the new run "
                  "prove the claim.",
            .zh = "谁都可以声称结果已复现，只有新运行的日志才能证明。"},
    .how = {.en = "The rule opens the submission that the record of the reproduction names, and "
                  "checks it like evidence (rules FP4001, FP4002 and FP4009). The SHA-256 of the "
                  "submission must equal that in the record, and every file must match its checksum "
                  "in the manifest.",
            .zh = "打开复现记录所写的提交包，并按检查证据的方式检查它（规则 FP4001、FP4002、"
                  "FP4009）。提交包的 SHA-256 必须与复现记录所写的一致，包内每个文件的校验和必须与"
                  "清单所列的一致。"},
    .fix = {.en = "Provide the submission file that `fpreport reproduce` wrote beside the record, "
                  "or reproduce the result again.",
            .zh = "提供 `fpreport reproduce` 写在复现记录旁边的提交包文件，或重新复现该结果。"},
    .messages = messages,
    .quoted = quoted,
    .example = {.in = EXAMPLE_REPRODUCTION,
                .honest = "\"archive\": \"reproductions/",
                .changed = "\"archive\": \"lost/"},
};
/* clang-format on */
