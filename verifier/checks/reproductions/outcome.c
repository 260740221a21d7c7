#include "verifier/checks/reproductions/findings.h"
#include "verifier/claims/rule.h"

static void check_reproduction_outcome(struct audit *a, const struct reproduction_proof *t)
{
    reproduction_report_compared(a, t, REPRODUCTION_OUTCOME,
                                 "the reproduction agrees with the result");
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the reproduction agrees with the result",
     .zh = "复现与结果一致"},
    {NULL, NULL},
};

static const struct words *const quoted[] = {reproduction_messages, NULL};

const struct rule rule_fp5005 = {
    .id = "FP5005",
    .kind = "reproduction",
    .since = "2026.2",
    .severity = SEVERITY_WARNING,
    .quotes = RULE_QUOTES_ALL,
    .reproduction = check_reproduction_outcome,
    .title = {.en = "Outcome of a reproduction", .zh = "复现的结果"},
    .statement = {.en = "A reproduction must agree with the result in its losses and in all figures "
                        "that can be compared.",
                  .zh = "复现得到的损失值及其他可比较的数字，必须与原结果一致。"},
    .why = {.en = "A second run with different losses or figures is a strong reason to doubt the "
                  "result. The finding is only a warning, because the second run may be the faulty "
                  "run.",
            .zh = "第二次运行得到不同的结果，是有力的质疑；但出错的也可能是第二次运行，因此检查结果"
                  "只算警告。"},
    .how = {.en = "Native runs on the same kind of device, with the same libraries and version, "
                  "must give bit-identical losses in every step. All other runs follow the "
                  "alignment rule. Rates may differ by 10 % on the same kind of accelerator; on "
                  "another kind of accelerator, the difference is only reported.",
            .zh = "内置训练器在同类设备、相同的库与版本上运行时，每一步的损失必须逐位相同；其他运行"
                  "的损失按对齐规则比较。在同种加速卡上，速度允许相差 10 %；在其他加速卡上，只报告"
                  "速度的差异。"},
    .fix = {.en = "Compare the fingerprints first (`facts` of the record), then the curves with "
                  "`fpreport diff`.",
            .zh = "先比较指纹（记录的 `facts`），再用 `fpreport diff` 比较曲线。"},
    .messages = messages,
    .quoted = quoted,
    .example = {.in = EXAMPLE_SECOND_RUN,
                .file = "rank0.out.log",
                .honest = "\"loss\": 4.80594683",
                .changed = "\"loss\": 4.80594684"},
};
/* clang-format on */
