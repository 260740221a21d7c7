#include "verifier/claims/rule.h"

#include <stdint.h>

/* What cells of some columns look like, so that one in another column's place is recognised. */
static bool looks_like_memory(const struct claim *c, size_t column, struct arena *arena)
{
    const struct figure *f = &c->figures[column];
    (void)arena;
    /* Used of total, total as cards have it. */
    return f->kind == FIGURE_PAIR && !f->percent && f->value <= f->second * 1.1 && f->second >= 4 &&
           f->second <= 1024;
}

static bool looks_like_plan(const struct claim *c, size_t column, struct arena *arena)
{
    struct plan p;
    return plan_parse(c->cells->cells[column].text, arena, &p);
}

static bool looks_like_precision(const struct claim *c, size_t column, struct arena *arena)
{
    const char *folded = text_fold(arena, c->cells->cells[column].text);
    return precision_is_name(folded, strlen(folded));
}

static const struct likeness {
    const char *key; /* where such a cell belongs */
    bool (*fits)(const struct claim *c, size_t column, struct arena *arena);
    const char *not_in[6]; /* columns whose own cells may look like it */
} likenesses[] = {
    {"memory", looks_like_memory, {"memory", NULL}},
    {"parallel", looks_like_plan, {"parallel", "strategy", "config_name", NULL}},
    {"precision", looks_like_precision, {"precision", NULL}},
};

static bool is_own_place(const struct likeness *l, const struct metrics_column *m)
{
    /* Scores are pairs too (actual/target): nothing can be told from their form. */
    if (!m || m->kind == COLUMN_SCORE || m->kind == COLUMN_CONFIGURATION)
        return true;
    for (size_t i = 0; l->not_in[i]; i++)
        if (strcmp(l->not_in[i], m->key) == 0)
            return true;
    return false;
}

static void report_swapped(struct audit *a, const struct claim *c, size_t found, size_t belongs)
{
    const char *here = c->of->columns[found], *there = c->of->columns[belongs];
    const char *text = c->cells->cells[found].text, *other = c->cells->cells[belongs].text;
    bool swapped = figure_has_value(&c->figures[belongs]);
    struct check_result *r =
        swapped
            ? audit_fail(a, c, "columns %s and %s are swapped: %s holds '%s', %s holds '%s'", here,
                         there, here, text, there, other)
            : audit_fail(
                  a, c, "column %s holds '%s', which belongs in column %s (that column holds '%s')",
                  here, text, there, other);
    audit_cell(r, &c->cells->cells[found]);
    r->stated = arena_printf(a->arena, "%s=%s %s=%s", here, text, there, other);
    r->expected = arena_printf(a->arena, "%s=%s %s=%s", here, swapped ? other : "/", there, text);
    for (size_t i = 0; i < 2; i++) {
        const struct metrics_column *column = metrics_column(i ? there : here);
        if (column && i && !swapped)
            audit_elsewhere(a, c, column->key, here, r);
        else if (column)
            audit_contradict(a, c, column->key, r);
    }
}

/* Hyperparameters are NAME=value: a bare number there has lost its column. */
static bool is_lone_figure(struct audit *a, const struct claim *c)
{
    const char *text = claim_cell(c, "hyperparameters");
    const struct figure f = *claim_figure(c, "hyperparameters");
    if (!text || (f.kind != FIGURE_NUMBER && f.kind != FIGURE_PAIR))
        return false;
    audit_fail(a, c, "the hyperparameters are '%s', expected NAME=value or /", text)->severity =
        SEVERITY_WARNING;
    return true;
}

/*
 * A cell that looks like column B stands in column A, and B's own cell does not look like B: a
 * used/total pair among the losses while the memory column holds one plain number.
 */
static void check_swapped(struct audit *a, const struct claim *c)
{
    bool sound = true;
    for (size_t l = 0; l < sizeof likenesses / sizeof likenesses[0]; l++) {
        const struct likeness *like = &likenesses[l];
        /* Only one column of this key, else it is not clear where a cell belongs. */
        size_t at = SIZE_MAX;
        for (size_t i = 0; i < c->of->n_columns; i++) {
            const struct metrics_column *m = c->columns[i];
            if (m && strcmp(m->key, like->key) == 0)
                at = i;
        }
        size_t home = at < c->cells->n_cells ? at : SIZE_MAX;
        if (home == SIZE_MAX || like->fits(c, home, a->arena))
            continue;
        for (size_t i = 0; i < c->of->n_columns && i < c->cells->n_cells; i++) {
            if (is_own_place(like, c->columns[i]) || !like->fits(c, i, a->arena))
                continue;
            report_swapped(a, c, i, home);
            sound = false;
        }
    }
    if (sound)
        sound = !is_lone_figure(a, c);
    if (sound)
        audit_pass(a, c, "every cell is in its own column");
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "precision",
     .zh = "精度"},
    {.en = "columns %s and %s are swapped: %s holds '%s', %s holds '%s'",
     .zh = "{1} 列与 {2} 列的值写反了：{3} 列写的是“{4}”，{5} 列写的是“{6}”"},
    {.en = "column %s holds '%s', which belongs in column %s (that column holds '%s')",
     .zh = "{1} 列填写的“{2}”应写在 {3} 列（{3} 列现在写的是“{4}”）"},
    {.en = "the hyperparameters are '%s', expected NAME=value or /",
     .zh = "超参数单元格写的是“{1}”，应写成“名称=值”或 /"},
    {.en = "every cell is in its own column",
     .zh = "表格中每个单元格的值都写在正确的列"},
    {NULL, NULL},
};

const struct rule rule_fp1003 = {
    .id = "FP1003",
    .kind = "sums",
    .since = "2026.1",
    .severity = SEVERITY_ERROR,
    .claim = check_swapped,
    .title = {.en = "Values in the wrong column", .zh = "值写在错误的列"},
    .statement = {.en = "Every value must be in the column that its heading names.",
                  .zh = "表格中的每个值都必须写在它所属的列，不得写到其他列。"},
    .why = {.en = "A value in the wrong column causes two errors: one column has a value that does "
                  "not belong there, and another column has no value.",
            .zh = "一个值写错列会造成两处错误：误写的列多出一个不该有的值，正确的列又缺少这个值。"},
    .how = {.en = "The rule checks each cell against the number format of its column. If a cell "
                  "does not fit its own column but fits another column of the same row, the cell is "
                  "reported; for example, '35.1/40' in the MFU column is a memory value.",
            .zh = "检查每个单元格的内容是否符合所在列的数字格式。单元格的内容不符合所在列的格式，却"
                  "符合同一行另一列的格式时，检查不通过。例如，“35.1/40”虽然写在 MFU 列，其实是显存"
                  "（已用/总量）。"},
    .fix = {.en = "Move the value to the column whose heading fits the value.",
            .zh = "把写错列的值移到它所属的列。"},
    .messages = messages,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "35.1/40 | 46.2/45 | 48.0%",
                .changed = "48.0% | 46.2/45 | 35.1/40"},
};
/* clang-format on */
