#include "verifier/claims/audit.h"
#include "verifier/claims/rule.h"

static void check_size(struct audit *a)
{
    if (a->too_many)
        audit_fail(a, NULL, "the result has more %s than are checked", a->too_many);
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the result has more %s than are checked",
     .zh = "结果的{1:said}超出了可检查的数量"},
    {NULL, NULL},
};

const struct rule rule_fp1009 = {
    .id = "FP1009",
    .kind = "plan",
    .since = "2026.1",
    .severity = SEVERITY_ERROR,
    .page = check_size,
    .title = {.en = "Size", .zh = "规模"},
    .statement = {.en = "A result has no more rows, batch sizes, accelerators and evidence than "
                        "are checked.",
                  .zh = "一个结果的行数、批尺寸、加速卡与证据不超过可检查的数量。"},
    .why = {.en = "Checks compare rows with each other; what is beyond a limit would go "
                  "unchecked, and unchecked must not look like correct.",
            .zh = "检查会把各行互相比较；超出上限的部分不会被检查，而没有检查的不能看上去像是正确"
                  "的。"},
    .how = {.en = "Rows with claims, bullets, batch sizes and pieces of evidence are counted "
                  "against limits that are far above those of any published page.",
            .zh = "数出有数字的行、条目、批尺寸与证据，与远高于任何已发布页面的上限比较。"},
    .fix = {.en = "Split the result.",
            .zh = "把结果拆开。"},
    .messages = messages,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "| A100单机单卡（1x1） | / | / | 9.1 | 9.5 | 10.0 | 30.2/40 |\n",
                .changed = "| A100单机单卡（1x1） | / | / | 9.1 | 9.5 | 10.0 | 30.2/40 |\n",
                .times = 401},
};
/* clang-format on */
