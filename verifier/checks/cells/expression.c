#include "verifier/claims/rule.h"

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
        struct check_result *r = audit_judge(a, ok, c, "column %s: the calculation '%s' gives %s",
                                             c->of->columns[i], c->cells->cells[i].text, result);
        audit_cell(r, &c->cells->cells[i]);
        audit_expect(r, audit_fixed(a->arena, f.value, f.decimals), result);
        r->tolerance = audit_fixed(a->arena, tolerance, f.decimals);
    }
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "column %s: the calculation '%s' gives %s",
     .zh = "{1} 列：算式“{2}”的计算结果是 {3}"},
    {NULL, NULL},
};

const struct rule rule_fp2010 = {
    .id = "FP2010",
    .kind = "sums",
    .since = "2026.1",
    .severity = SEVERITY_ERROR,
    .claim = check_expression,
    .title = {.en = "Calculations in table cells", .zh = "单元格中的算式"},
    .statement = {.en = "A calculation in a table cell, such as '1600 / 8 = 200', must give the "
                        "result that is printed after the equals sign.",
                  .zh = "表格单元格中有算式（例如“1600 / 8 = 200”）时，等号后面的数字必须与算式的计"
                        "算结果一致。"},
    .why = {.en = "Readers follow the calculation in a cell to see where a number comes from, so "
                  "the calculation must be correct.",
            .zh = "读者根据单元格中的算式了解数字的来历，所以算式必须正确。"},
    .how = {.en = "The rule computes the value to the left of '=' and compares it with the printed "
                  "value to the right of '='. The values on the two sides of '=' may differ by one "
                  "unit in the last printed digit.",
            .zh = "算出单元格的算式中“=”左边的值，再与“=”右边的值比较。算式中“=”左右两边的值最多可"
                  "以相差一个末位单位。"},
    .fix = {.en = "Correct the wrong factor or the wrong result in the calculation.",
            .zh = "改正单元格的算式中写错的因子或结果。"},
    .messages = messages,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "8*400=3200",
                .changed = "8*400=3400"},
};
/* clang-format on */
