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
     .zh = "提交包完整，且 SHA-256 与记录一致"},
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
    .title = {.en = "Submission of a reproduction", .zh = "复现的提交包"},
    .statement = {.en = "The submission of a reproduction must be intact, and its SHA-256 must "
                        "be stated in the record.",
                  .zh = "复现的提交包必须完整，且其 SHA-256 与记录一致。"},
    .why = {.en = "Anybody can claim that a result was reproduced; only the run of the "
                  "reproduction proves it.",
            .zh = "谁都可以声称结果已复现，只有复现的运行才是凭据。"},
    .how = {.en = "The submission that the record names is opened like evidence (FP4001, FP4002, "
                  "FP4009). Its SHA-256 must equal the stated one, and every file must agree with "
                  "its manifest.",
            .zh = "像证据一样打开记录所写的提交包（FP4001、FP4002、FP4009）：其 SHA-256 与记录一致"
                  "，每个文件都与清单一致。"},
    .fix = {.en = "Provide the submission that `fpreport reproduce` wrote beside the record, or "
                  "run the case again.",
            .zh = "提供 `fpreport reproduce` 写在记录旁边的提交包，或重新运行用例。"},
    .messages = messages,
    .quoted = quoted,
    .example = {.in = EXAMPLE_REPRODUCTION,
                .honest = "\"archive\": \"reproductions/",
                .changed = "\"archive\": \"lost/"},
};
/* clang-format on */
