#include "verifier/claims/rule.h"

static void check_size(struct audit *a)
{
    if (a->too_many)
        audit_fail(a, NULL, "the result has more %s than the checks allow", a->too_many);
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the result has more %s than the checks allow",
     .zh = "结果的{1:said}超过 fpreport 的检查上限"},
    {NULL, NULL},
};

const struct rule rule_fp1009 = {
    .id = "FP1009",
    .kind = "plan",
    .since = "2026.1",
    .severity = SEVERITY_ERROR,
    .page = check_size,
    .title = {.en = "Result too large to check", .zh = "结果过大，无法全部检查"},
    .statement = {.en = "A result may not have more rows, batch sizes, accelerators or evidence "
                        "files than fpreport can check.",
                  .zh = "一个结果的表格行、批大小、加速卡和证据文件的数量，都不得超过 fpreport 的检"
                        "查上限。"},
    .why = {.en = "fpreport compares every row of a result with every other row. This work grows "
                  "with the square of the number of rows, so fpreport limits the number of rows. "
                  "The rows beyond the limit are not checked, and must not look as if they were "
                  "correct.",
            .zh = "fpreport 要把一个结果的所有表格行两两比较，因此限制表格的行数。超出上限的表格行"
                  "没有检查过，所以必须让读者知道，以免误以为它们正确。"},
    .how = {.en = "The rule counts the rows with figures, the bullets of the environment section, "
                  "the batch sizes and the evidence files of a result. All published pages are far "
                  "below the limits of this rule.",
            .zh = "统计一个结果中填有数字的表格行、环境说明的字段、批大小和证据文件，各项数量都不得"
                  "超过检查上限。已发布的所有页面，各项数量都远低于检查上限。"},
    .fix = {.en = "Split the large result into several smaller results.",
            .zh = "把过大的结果拆成几个较小的结果。"},
    .messages = messages,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "| A100单机单卡（1x1） | / | / | 9.1 | 9.5 | 10.0 | 30.2/40 |\n",
                .changed = "| A100单机单卡（1x1） | / | / | 9.1 | 9.5 | 10.0 | 30.2/40 |\n",
                .times = 401},
};
/* clang-format on */
