#include "verifier/checks/reproductions/findings.h"
#include "verifier/claims/rule.h"

static void check_reproduction_record(struct audit *a, const struct reproduction_proof *t)
{
    reproduction_report_compared(a, t, REPRODUCTION_RECORD,
                                 "the record agrees with the submissions");
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the record agrees with the submissions",
     .zh = "记录与提交包一致"},
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
    .statement = {.en = "The record of a reproduction must state the outcome that its submission "
                        "and the evidence give.",
                  .zh = "复现记录所写的结果，必须与由复现的提交包和原结果的证据得出的一致。"},
    .why = {.en = "Readers see the record of a reproduction, but only the submissions prove it, so "
                  "the record must agree with the submissions.",
            .zh = "读者看到的是复现记录，而能证明复现的是提交包，因此记录必须与提交包一致。"},
    .how = {.en = "The fingerprints, losses and figures of both submissions are compared again. "
                  "The record is compared, field by field, with the outcome of this comparison. "
                  "All fields except `by` follow from the submissions.",
            .zh = "重新比较两份提交包的指纹、损失与数字并得出结论，再与记录逐项比较。除 `by` 外，"
                  "所有字段都由提交包得出。"},
    .fix = {.en = "Keep the record as `fpreport reproduce` wrote it. If the evidence of the "
                  "result was replaced, reproduce the new evidence.",
            .zh = "保持 `fpreport reproduce` 写出的记录原样；如果结果的证据已被替换，请复现新的证"
                  "据。"},
    .messages = messages,
    .quoted = quoted,
    .example = {.in = EXAMPLE_REPRODUCTION,
                .honest = "\"measured\": \"0.9077\"",
                .changed = "\"measured\": \"0.8077\""},
};
/* clang-format on */
