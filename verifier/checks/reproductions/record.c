#include "verifier/checks/reproductions/findings.h"
#include "verifier/claims/rule.h"

static void check_reproduction_record(struct audit *a, const struct reproduction_proof *t)
{
    reproduction_report_compared(a, t, REPRODUCTION_RECORD,
                                 "its record says what the archives give");
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "its record says what the archives give",
     .zh = "其记录与提交包给出的一致"},
    {NULL, NULL},
};

static const struct words *const quoted[] = {reproduction_messages, NULL};

const struct rule rule_fp5004 = {
    .id = "FP5004",
    .kind = "reproduction",
    .since = "2026.2",
    .severity = SEVERITY_ERROR,
    .quotes = RULE_QUOTES_ALL,
    .reproduction = check_reproduction_record,
    .title = {.en = "Record of a reproduction", .zh = "复现的记录"},
    .statement = {.en = "What the record of a reproduction says is what its archive gives beside "
                        "the evidence.",
                  .zh = "复现记录所写的内容，与其提交包和证据对照得出的一致。"},
    .why = {.en = "The record is for readers, the archives are what counts: both have to say the "
                  "same.",
            .zh = "记录给读者看，提交包才算数：两者必须说同样的话。"},
    .how = {.en = "Fingerprints, losses and figures of both archives are compared again and the "
                  "outcome derived; the record is held to it field by field. All but `by` follows "
                  "from the archives.",
            .zh = "重新比较两份提交包的指纹、损失与数值并得出结论；把记录与之逐项对照。除 `by` 以外"
                  "的一切都由提交包得出。"},
    .fix = {.en = "Leave the record as `fpreport reproduce` wrote it; when the evidence of the "
                  "result was replaced, reproduce the new one.",
            .zh = "保留 `fpreport reproduce` 写出的记录；如果结果的证据已被替换，就复现新的证据。"},
    .messages = messages,
    .quoted = quoted,
    .example = {.in = EXAMPLE_REPRODUCTION,
                .honest = "\"measured\": \"0.9077\"",
                .changed = "\"measured\": \"0.8077\""},
};
/* clang-format on */
