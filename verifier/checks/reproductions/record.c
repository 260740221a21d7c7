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
     .zh = "复现记录与两份提交包一致"},
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
    .title = {.en = "Record of a reproduction and its submission", .zh = "复现记录与提交包"},
    .statement = {.en = "The outcome in the record of a reproduction must follow from the two "
                        "submissions: that of the reproduction and that of the original run.",
                  .zh = "复现记录所写的比较结果，必须能由复现的提交包与原运行的提交包得出。"},
    .why = {.en = "Readers see only the record of a reproduction, but the proof is in the two "
                  "submissions. So the record of a reproduction must agree with the two "
                  "submissions.",
            .zh = "读者看到的只是复现记录，而证据在复现与原运行的两份提交包中，因此复现记录必须与这"
                  "两份提交包一致。"},
    .how = {.en = "The rule compares the fingerprints, losses and figures of the two submissions "
                  "again, and compares the outcome with the record of the reproduction, field by "
                  "field. All fields of the record except `by` must follow from the two "
                  "submissions.",
            .zh = "重新比较复现与原运行两份提交包中的指纹、损失与数字，再把比较结果与复现记录逐个字"
                  "段核对。复现记录的 `by` 字段（谁做的复现）不能由提交包得出，因此不核对。"},
    .fix = {.en = "Do not change the record that `fpreport reproduce` wrote. If the evidence of the "
                  "result was replaced, reproduce the new evidence.",
            .zh = "不要改动 `fpreport reproduce` 写出的复现记录。如果结果的证据在复现之后被替换，请"
                  "针对新的证据重新复现。"},
    .messages = messages,
    .quoted = quoted,
    .example = {.in = EXAMPLE_REPRODUCTION,
                .honest = "\"measured\": \"0.9077\"",
                .changed = "\"measured\": \"0.8077\""},
};
/* clang-format on */
