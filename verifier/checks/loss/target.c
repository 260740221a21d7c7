#include "verifier/claims/rule.h"
#include "verifier/curves/align.h"

/* "True(5.2%)": the mean deviation behind the flag, against FlagPerf's limit. */
static void check_deviation(struct audit *a, const struct claim *c)
{
    const char *text = claim_cell(c, "aligned");
    const struct figure f = *claim_figure(c, "aligned");
    struct figure deviation;
    if (f.kind != FIGURE_FLAG || f.value == 0)
        return;
    figure_parse(f.remark, a->arena, &deviation);
    if (deviation.kind != FIGURE_NUMBER || !deviation.percent)
        return;
    bool met = fabs(deviation.value) < 100 * ALIGN_LIMIT;
    struct check_result *r =
        met ? audit_pass(a, c, "the deviation of '%s' is below the limit", text)
            : audit_fail(
                  a, c,
                  "'%s' is stated as aligned, but the deviation is not below the limit of %g %%",
                  text, 100 * ALIGN_LIMIT);
    audit_expect(r, text, arena_printf(a->arena, "< %g%%", 100 * ALIGN_LIMIT));
}

/* "0.647/0.655" in a column of scores is actual/target. */
static void check_loss_target(struct audit *a, const struct claim *c)
{
    check_deviation(a, c);
    for (size_t i = 0; i < c->of->n_columns && i < c->cells->n_cells; i++) {
        const struct metrics_column *m = c->columns[i];
        const struct figure f = c->figures[i];
        if (!m || m->kind != COLUMN_SCORE || f.kind != FIGURE_PAIR)
            continue;
        bool met = m->better == DIRECTION_LOWER ? f.value <= f.second : f.value >= f.second;
        const char *target = audit_fixed(a->arena, f.second, f.second_decimals);
        struct check_result *r =
            met ? audit_pass(a, c, "%s reaches its target %s", c->of->columns[i], target)
                : audit_fail(a, c, "%s is %s, but the target in the same cell is %s",
                             c->of->columns[i], audit_fixed(a->arena, f.value, f.decimals), target);
        r->stated = c->cells->cells[i].text;
        r->expected =
            arena_printf(a->arena, "%s %s", m->better == DIRECTION_LOWER ? "<=" : ">=", target);
    }
}

/* Rows of one table train to one target; those of another may be of another version. */
static void check_same_target(struct audit *a, const struct older_table *t,
                              const struct older_row *row, const struct figure *target)
{
    for (const struct older_row *first = t->rows; first < row; first++) {
        const struct figure f = *older_figure(t, first, OLDER_TARGET);
        if (f.kind != FIGURE_NUMBER || f.value == target->value)
            continue;
        struct check_result *r = audit_fail_at(
            a, row->line, "the target is %s, but the target in line %d is %s",
            older_cell(t, row, OLDER_TARGET), first->line, older_cell(t, first, OLDER_TARGET));
        r->severity = SEVERITY_NOTICE;
        audit_expect(r, older_cell(t, row, OLDER_TARGET), older_cell(t, first, OLDER_TARGET));
        return;
    }
}

static bool is_met(double value, double target, bool lower)
{
    return isnan(value) || isnan(target) || (lower ? value <= target : value >= target);
}

/* A loss has to come down to its target, a score up. */
static void older_check_target(struct audit *a, const struct older_table *t,
                               const struct older_row *row)
{
    const char *target = older_cell(t, row, OLDER_TARGET);
    const char *reached = older_cell(t, row, OLDER_REACHED);
    bool lower = strstr(older_header(t, OLDER_REACHED), "loss") != NULL;
    const struct figure x = *older_figure(t, row, OLDER_TARGET);
    const struct figure y = *older_figure(t, row, OLDER_REACHED);
    if (!figure_has_value(&x) || !figure_has_value(&y))
        return;
    if (x.kind == FIGURE_NUMBER)
        check_same_target(a, t, row, &x);
    bool met = is_met(y.value, x.value, lower) && is_met(y.second, x.second, lower);
    audit_expect(audit_judge_at(a, met, row->line, "the score %s is %s; its target is %s",
                                older_header(t, OLDER_REACHED), reached, target),
                 reached, arena_printf(a->arena, "%s %s", lower ? "<=" : ">=", target));
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the deviation of '%s' is below the limit",
     .zh = "单元格“{1}”所写的损失偏差低于对齐的上限"},
    {.en = "'%s' is stated as aligned, but the deviation is not below the limit of %g %%",
     .zh = "单元格“{1}”称损失已与参考曲线对齐，但所写的偏差不低于上限 {2} %"},
    {.en = "%s reaches its target %s",
     .zh = "得分 {1} 达到目标 {2}"},
    {.en = "%s is %s, but the target in the same cell is %s",
     .zh = "得分 {1} 为 {2}，没有达到同一单元格所写的目标 {3}"},
    {.en = "the target is %s, but the target in line %d is %s",
     .zh = "表格这一行的目标得分为 {1}，而页面文件第 {2} 行的目标得分为 {3}"},
    {.en = "the score %s is %s; its target is %s",
     .zh = "得分 {1} 为 {2}，得分的目标为 {3}"},
    {NULL, NULL},
};

const struct rule rule_fp2008 = {
    .id = "FP2008",
    .kind = "curves",
    .since = "2026.1",
    .severity = SEVERITY_WARNING,
    .also = RULE_ALSO(SEVERITY_NOTICE),
    .claim = check_loss_target,
    .older = older_check_target,
    .title = {.en = "Score and its target", .zh = "得分是否达到所写的目标"},
    .statement = {.en = "A score that is printed together with its target must reach this target. "
                        "If a page calls the deviation of a loss 'aligned', the deviation must be "
                        "below the limit (2 %).",
                  .zh = "单元格写作“得分/目标”时，得分必须达到目标。页面称损失与参考曲线“对齐”时，"
                        "损失的偏差必须低于上限（2 %）。"},
    .why = {.en = "If a target is printed beside a score, readers assume that the run reached the "
                  "target.",
            .zh = "得分旁边写有目标时，读者会以为运行达到了目标。"},
    .how = {.en = "In a cell of the form 'score/target', the score must be at least the target; if "
                  "a lower score is better, the score must be at most the target. If the rows of a "
                  "table in the older page format state different targets, the rule gives a notice.",
            .zh = "单元格写作“得分/目标”时，越高越好的得分不得低于目标，越低越好的得分不得高于目标"
                  "。旧版格式的页面中，同一张表各行的目标得分不同时，只给出提示，不判错。"},
    .fix = {.en = "State in the notes why the run did not reach the target.",
            .zh = "在备注中说明运行没有达到目标得分的原因。"},
    .messages = messages,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "46.2/45",
                .changed = "44.2/45"},
};
/* clang-format on */
