#include "base/text.h"
#include "verifier/checks/page/column_match.h"
#include "verifier/claims/rule.h"

#include <string.h>

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
                       "'%s' is no known precision, expected fp32, bf16, amp or the like", own);
        r->stated = own;
        r->expected = "fp32, tf32, fp16, bf16, fp8, amp or a sum of them";
    }
}

/* A literal "amp" in the general table, and bf16 in a row. Lists ("fp32/amp") are of what may be.
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
        bool same = column_compare(a, own, text_fold(a->arena, general)) != COLUMN_UNLIKE;
        struct check_result *r =
            audit_report(a, same ? OUTCOME_PASS : OUTCOME_FAIL, &a->claims[i], 0,
                         "the row is in %s, the general table says %s", own, general);
        r->stated = own;
        r->expected = general;
        return;
    }
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "precision",
     .zh = "精度"},
    {.en = "'%s' is no known precision, expected fp32, bf16, amp or the like",
     .zh = "“{1}”不是已知的精度，应为 fp32、bf16、amp 之类"},
    {.en = "fp32, tf32, fp16, bf16, fp8, amp or a sum of them",
     .zh = "fp32、tf32、fp16、bf16、fp8、amp 或它们的组合"},
    {.en = "the row is in %s, the general table says %s",
     .zh = "该行的精度是 {1}，通用指标写的是 {2}"},
    {NULL, NULL},
};

const struct rule rule_fp1013 = {
    .id = "FP1013",
    .kind = "settings",
    .since = "2026.2",
    .severity = SEVERITY_WARNING,
    .page = check_precision,
    .title = {.en = "Precision", .zh = "数据精度"},
    .statement = {.en = "The precision of the general table is the one of the rows.",
                  .zh = "通用指标中的数据精度与各行的精度一致。"},
    .why = {.en = "Throughput depends on the precision more than on most other things, so it may "
                  "not be told in two ways.",
            .zh = "吞吐量受精度的影响比受其他多数因素的影响都大，所以精度不能有两种说法。"},
    .how = {.en = "A single precision in the general table is compared with the first row that "
                  "names one; lists ('fp32/amp') are not.",
            .zh = "把通用指标中单一的精度，与第一个写明精度的行比较；列出多种的写法（“fp32/amp”）"
                  "不比较。"},
    .fix = {.en = "Write 'precision,见“性能指标”' into the general table.",
            .zh = "在通用指标中写“precision,见“性能指标””。"},
    .messages = messages,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "precision,见“性能指标”",
                .changed = "amp"},
};
/* clang-format on */
