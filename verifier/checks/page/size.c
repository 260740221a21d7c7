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
    .title = {.en = "Too many rows to check", .zh = "超出检查上限"},
    .statement = {.en = "A result may not have more rows, batch sizes, accelerators or pieces of "
                        "evidence than the checks allow.",
                  .zh = "一个结果的行数、批大小数、加速卡数与证据数不得超过检查上限。"},
    .why = {.en = "The checks compare all rows of a result with each other, so the number of rows "
                  "is limited. Rows beyond the limit are not checked, and must not look as if they "
                  "were correct.",
            .zh = "检查要把结果的各行两两比较，因此行数有上限；超出上限的行没有检查，不能让人误以为"
                  "正确。"},
    .how = {.en = "Rows with claims, bullets, batch sizes and pieces of evidence are counted. The "
                  "limits are far above the numbers of any published page.",
            .zh = "统计有数字的行、条目、批大小与证据的数量；检查上限远高于任何已发布页面的数量。"},
    .fix = {.en = "Split the result into several results.",
            .zh = "把这个结果拆成几个结果。"},
    .messages = messages,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "| A100单机单卡（1x1） | / | / | 9.1 | 9.5 | 10.0 | 30.2/40 |\n",
                .changed = "| A100单机单卡（1x1） | / | / | 9.1 | 9.5 | 10.0 | 30.2/40 |\n",
                .times = 401},
};
/* clang-format on */
