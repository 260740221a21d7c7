#include "verifier/claims/rule.h"

static bool lacks_sign(const struct claim *c)
{
    const struct figure *f = claim_figure(c, "mfu");
    return figure_has_value(f) && !f->percent;
}

/* "2, 3": the other rows of the claim's table that lack the sign. */
static const char *others_without_sign(const struct audit *a, const struct claim *c)
{
    struct buf rows = BUF_INIT(BUF_DEFAULT_MAX);
    for (const struct claim *x = c + 1; x < a->claims + a->n_claims; x++)
        if (x->of == c->of && lacks_sign(x))
            buf_printf(&rows, "%s%d", rows.len ? ", " : "", x->row);
    const char *copy = arena_strdup(a->arena, rows.data);
    buf_release(&rows);
    return copy;
}

static void report_form(struct audit *a, const struct claim *c)
{
    const char *text = claim_cell(c, "mfu"), *others = others_without_sign(a, c);
    const struct figure *f = claim_figure(c, "mfu");
    const char *said = sentence_say(a->arena, "MFU '%s' has no percent sign", text);
    if (f->value <= 1)
        said = sentence_say(a->arena, "%s; fpreport reads this MFU as a ratio", said);
    if (*others)
        said = sentence_say(a->arena, "%s; the same applies to the rows %s", said, others);
    audit_expect(
        audit_fail(a, c, "%s", said), text,
        f->value <= 1
            ? arena_printf(a->arena, "%s%%", audit_fixed(a->arena, f->value * 100, f->decimals - 2))
            : arena_printf(a->arena, "%s%%", text));
}

/* MFU is printed as a percentage; a ratio is readable, and worth a word. A column without the sign
 * is one finding: at its first row, naming the others. */
static void check_mfu_form(struct audit *a)
{
    const struct table *said = NULL;
    for (size_t i = 0; i < a->n_claims; i++) {
        const struct claim *c = &a->claims[i];
        if (c->of == said || !lacks_sign(c))
            continue;
        report_form(a, c);
        said = c->of;
    }
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "MFU '%s' has no percent sign",
     .zh = "MFU“{1}”缺少百分号"},
    {.en = "%s; fpreport reads this MFU as a ratio",
     .zh = "{1:said}；fpreport 把这个 MFU 当作比值，而不是百分数"},
    {.en = "%s; the same applies to the rows %s",
     .zh = "{1:said}；同一张表第 {2} 行的 MFU 也缺少百分号"},
    {NULL, NULL},
};

const struct rule rule_fp1008 = {
    .id = "FP1008",
    .kind = "sums",
    .since = "2026.1",
    .severity = SEVERITY_NOTICE,
    .page = check_mfu_form,
    .title = {.en = "MFU written as a percentage", .zh = "MFU 应写成百分数"},
    .statement = {.en = "Every MFU must be written as a percentage with a percent sign, for example "
                        "48 %.",
                  .zh = "MFU 必须写成带百分号的百分数，例如 48 %。"},
    .why = {.en = "An MFU of 0.48 equals 48 %, but an MFU of 0.48 % is a hundredth of that value. "
                  "Without a percent sign, a reader has to guess whether 0.48 is a ratio or a "
                  "percentage.",
            .zh = "MFU 写作 0.48 时等于 48 %，写作 0.48 % 时只有 48 % 的百分之一。MFU 没有百分号时"
                  "，读者只能猜测 0.48 是比值还是百分数。"},
    .how = {.en = "The rule checks that the text of each MFU cell ends in a percent sign.",
            .zh = "检查每个 MFU 单元格的内容是否以百分号结尾。"},
    .fix = {.en = "Write the MFU as a percentage, for example 48 %.",
            .zh = "把 MFU 写成百分数，例如 48 %。"},
    .messages = messages,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "48.0%",
                .changed = "0.480"},
};
/* clang-format on */
