#include "verifier/claims/audit.h"
#include "verifier/claims/rule.h"

#include <math.h>

static void check_expression(struct audit *a, const struct claim *c)
{
    for (size_t i = 0; i < c->of->n_columns && i < c->cells->n_cells; i++) {
        const struct metrics_column *m = c->columns[i];
        const struct figure f = c->figures[i];
        if (!m || !metrics_is_numeric(m->kind) || f.kind != FIGURE_EXPRESSION || !f.stated)
            continue;
        double tolerance = figure_last_place(f.decimals);
        bool ok = fabs(f.evaluated - f.value) <= tolerance;
        const char *result = audit_fixed(a->arena, f.evaluated, f.decimals + 2);
        struct check_result *r = audit_report(a, ok ? OUTCOME_PASS : OUTCOME_FAIL, c, 0,
                                              "column %s: '%s' evaluates to %s", c->of->columns[i],
                                              c->cells->cells[i].text, result);
        audit_cell(r, &c->cells->cells[i]);
        r->stated = audit_fixed(a->arena, f.value, f.decimals);
        r->expected = result;
        r->tolerance = audit_fixed(a->arena, tolerance, f.decimals);
    }
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "column %s: '%s' evaluates to %s",
     .zh = "{1} 列：“{2}”的计算结果是 {3}"},
    {NULL, NULL},
};

const struct rule rule_fp2010 = {
    .id = "FP2010",
    .kind = "sums",
    .since = "2026.1",
    .severity = SEVERITY_ERROR,
    .claim = check_expression,
    .title = {.en = "Expressions in cells", .zh = "单元格中的算式"},
    .statement = {.en = "An expression in a cell, such as '1600 / 8 = 200', must evaluate to the "
                        "result that is printed after it.",
                  .zh = "单元格中的算式（例如“1600 / 8 = 200”），其计算结果必须与其后所写的结果一致"
                        "。"},
    .why = {.en = "Readers use an expression in a cell to follow a calculation, so the expression "
                  "must be right.",
            .zh = "单元格中的算式供读者验算，所以必须正确。"},
    .how = {.en = "The left side of '=' is computed and compared with the right side, to within "
                  "one unit of its last digit.",
            .zh = "计算“=”左边的值并与右边比较，允许差一个末位单位。"},
    .fix = {.en = "Correct the factor or the result that is wrong.",
            .zh = "改正算式中写错的因子或结果。"},
    .messages = messages,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "8*400=3200",
                .changed = "8*400=3400"},
};
/* clang-format on */
