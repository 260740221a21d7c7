#include "verifier/claims/audit.h"
#include "verifier/claims/rule.h"

static void check_size(struct audit *a)
{
    if (a->too_many)
        audit_fail(a, NULL, "the result has more %s than the checks allow", a->too_many);
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the result has more %s than the checks allow",
     .zh = "结果的{1:said}超出检查上限"},
    {NULL, NULL},
};

const struct rule rule_fp1009 = {
    .id = "FP1009",
    .kind = "plan",
    .since = "2026.1",
    .severity = SEVERITY_ERROR,
    .page = check_size,
    .title = {.en = "Result too large to check", .zh = "结果超出检查上限"},
    .statement = {.en = "A result may not have more rows, batch sizes, accelerators or evidence "
                        "files than fpreport can check.",
                  .zh = "一个结果的行数、批大小数、加速卡数与证据数，不得超过 fpreport 的检查上限。"},
    .why = {.en = "fpreport compares all rows of a result with each other, so it limits the number "
                  "of rows. The rows beyond the limit are not checked, and must not look as if they "
                  "were correct.",
            .zh = "fpreport 要把一个结果的各行两两比较，因此行数有上限。超出上限的行没有检查，不能"
                  "让人误以为正确。"},
    .how = {.en = "The rule counts the rows with figures, the bullets of the environment section, "
                  "the batch sizes and the evidence files of a result. All published pages are far "
                  "below the limits.",
            .zh = "统计一个结果中有数字的行、环境说明的条目、批大小与证据的数量。已发布的页面都远低"
                  "于检查上限。"},
    .fix = {.en = "Split the large result into several smaller results.",
            .zh = "把过大的结果拆成几个较小的结果。"},
    .messages = messages,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "| A100单机单卡（1x1） | / | / | 9.1 | 9.5 | 10.0 | 30.2/40 |\n",
                .changed = "| A100单机单卡（1x1） | / | / | 9.1 | 9.5 | 10.0 | 30.2/40 |\n",
                .times = 401},
};
/* clang-format on */
