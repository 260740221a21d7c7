#include "verifier/checks/page/column_match.h"
#include "verifier/claims/rule.h"

/* "bf16+fp8", and what stands in front of `level="O2"`; everything else is no precision. */
static bool is_precision(const struct audit *a, const char *text)
{
    const char *s = text_fold(a->arena, text);
    size_t all = strcspn(s, ",(;"), n;
    for (const char *end = s + all; s < end; s += n + (s + n < end)) {
        n = strcspn(s, "+/&,(;");
        if (!precision_is_name(s, n))
            return false;
    }
    return all > 0;
}

static void check_names(struct audit *a)
{
    for (size_t i = 0; i < a->n_claims; i++) {
        const char *own = claim_cell(&a->claims[i], "precision");
        if (!own || figure_is_absent(claim_figure(&a->claims[i], "precision")) ||
            is_precision(a, own))
            continue;
        struct check_result *r =
            audit_fail(a, &a->claims[i],
                       "'%s' is not a known precision, expected fp32, bf16, amp or similar", own);
        audit_expect(r, own, "fp32, tf32, fp16, bf16, fp8, amp or a combination joined by +");
    }
}

/* A literal "amp" in the general metrics table, and bf16 in a row. Lists ("fp32/amp") are of what
 * may be.
 */
static void check_precision(struct audit *a)
{
    check_names(a);
    const char *general = audit_general(a, "precision");
    if (!general || figure_absence(general, a->arena) != FIGURE_TEXT || strpbrk(general, "/,") ||
        strstr(general, "、"))
        return;
    for (size_t i = 0; i < a->n_claims; i++) {
        const char *own = claim_cell(&a->claims[i], "precision");
        if (!own || figure_is_absent(claim_figure(&a->claims[i], "precision")))
            continue;
        const struct column_name of_row = column_name(a, own), stated = column_name(a, general);
        bool same = column_compare(&of_row, &stated) != COLUMN_UNLIKE;
        struct check_result *r =
            audit_judge(a, same, &a->claims[i],
                        "the row uses %s; the general metrics table states %s", own, general);
        audit_expect(r, own, general);
        return;
    }
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "precision",
     .zh = "精度"},
    {.en = "'%s' is not a known precision, expected fp32, bf16, amp or similar",
     .zh = "精度“{1}”未知，应为 fp32、bf16、amp 等"},
    {.en = "fp32, tf32, fp16, bf16, fp8, amp or a combination joined by +",
     .zh = "fp32、tf32、fp16、bf16、fp8、amp 或以 + 连接的组合"},
    {.en = "the row uses %s; the general metrics table states %s",
     .zh = "性能表这一行的精度是 {1}；通用指标表写的精度是 {2}"},
    {NULL, NULL},
};

const struct rule rule_fp1013 = {
    .id = "FP1013",
    .kind = "settings",
    .since = "2026.2",
    .severity = SEVERITY_WARNING,
    .page = check_precision,
    .title = {.en = "Precision stated in two tables", .zh = "通用指标表与性能表的数据精度"},
    .statement = {.en = "The general metrics table and the rows of the performance table must state "
                        "the same precision.",
                  .zh = "通用指标表所写的数据精度必须与性能表各行的数据精度一致。"},
    .why = {.en = "The precision affects the throughput more than most other settings, so a page "
                  "must not state two different precisions for one result.",
            .zh = "精度对吞吐量的影响大于多数其他设置，因此页面不能对同一结果写两种精度。"},
    .how = {.en = "If the general metrics table states one precision, the rule compares this "
                  "precision with the first row of the performance table that states a precision. "
                  "If the general metrics table lists several precisions ('fp32/amp'), the rule "
                  "does not compare them.",
            .zh = "通用指标表只写一种数据精度时，把这种精度与性能表中第一个写明精度的行比较。通用指"
                  "标表列出多种数据精度（如“fp32/amp”）时，不与性能表比较。"},
    .fix = {.en = "In the general metrics table, write 'precision,见“性能指标”' (precision, see "
                  "\"performance figures\") instead of a precision.",
            .zh = "在通用指标表的数据精度一栏中不写具体精度，改写“precision,见“性能指标””。"},
    .messages = messages,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "precision,见“性能指标”",
                .changed = "amp"},
};
/* clang-format on */
