#include "verifier/claims/rule.h"

#include <ctype.h>

static void older_count_cells(struct audit *a)
{
    for (size_t i = 0; i < a->n_older; i++) {
        const struct older_table *t = &a->older[i];
        if (t->has_rule && t->rule_cells != t->n_columns)
            audit_expect(audit_fail_at(a, t->line + 1,
                                       "the separator row below the header has %zu cells, but the "
                                       "header has %zu, so Markdown does not recognise the table",
                                       t->rule_cells, t->n_columns),
                         sentence_say(a->arena, "%zu cells", t->rule_cells),
                         sentence_say(a->arena, "%zu cells", t->n_columns));
        for (size_t k = 0; k < t->n_rows; k++)
            if (t->rows[k].n_cells != t->n_columns && t->rule_cells == t->n_columns)
                audit_expect(audit_fail_at(a, t->rows[k].line,
                                           "the row has %zu cells, but the header of its table has "
                                           "%zu",
                                           t->rows[k].n_cells, t->n_columns),
                             sentence_say(a->arena, "%zu cells", t->rows[k].n_cells),
                             sentence_say(a->arena, "%zu cells", t->n_columns));
    }
}

/* Cells beyond the header that hold nothing are a slip of the pen, or leave a figure one column
 * off: a warning. */
static size_t cells_used(const struct row *row)
{
    size_t n = row->n_cells;
    while (n && strspn(row->cells[n - 1].text, " \t") == strlen(row->cells[n - 1].text))
        n--;
    return n;
}

static void count_cells(struct audit *a, const struct table *t, int table, size_t i)
{
    const struct row *row = &t->rows[i];
    if (row->n_cells == t->n_columns)
        return;
    struct check_result *r =
        audit_fail_at(a, row->line ? row->line : t->line,
                      "row %zu of table %d has %zu %s, but the table header has %zu", i + 1, table,
                      row->n_cells, row->n_cells == 1 ? "cell" : "cells", t->n_columns);
    if (row->n_cells > t->n_columns && cells_used(row) <= t->n_columns)
        r->severity = SEVERITY_WARNING;
    r->table = table;
    r->row = (int)i + 1;
    r->stated = sentence_say(a->arena, "%zu cells", row->n_cells);
    r->expected = sentence_say(a->arena, "%zu cells", t->n_columns);
}

/* Nothing but signs: no letter, no digit, no character beyond ASCII. */
static bool is_empty_sign(const char *text)
{
    for (; *text; text++)
        if ((*text & 0x80) || isalnum((unsigned char)*text))
            return false;
    return true;
}

/* A line like "|" directly under a table is no table row to Markdown, and meant as one; "~" is
 * left over from something. */
static void find_stray_rows(struct audit *a)
{
    const struct result *r = a->result;
    for (size_t i = 1; i < r->n_performance; i++) {
        const char *text = r->performance[i].text.zh;
        if (!r->performance[i - 1].table || !text || !is_empty_sign(text))
            continue;
        struct check_result *c = audit_fail_at(
            a, r->performance[i].line,
            "found '%.60s' below the table, expected a table row of %zu cells or no text", text,
            r->performance[i - 1].table->n_columns);
        c->severity = text_starts(text, "|") ? SEVERITY_ERROR : SEVERITY_WARNING;
        audit_expect(c, text, "a complete row");
    }
}

static void report_no_rule(struct audit *a, const struct table *t)
{
    struct check_result *r = audit_fail_at(a, t->line,
                                           "found no separator row (|---|) below the header: "
                                           "Markdown shows the %zu rows as plain text",
                                           t->n_rows);
    r->stated = "no separator row";
    r->expected = sentence_say(a->arena, "a separator row of %zu cells", t->n_columns);
}

static void check_cell_count(struct audit *a)
{
    const struct table **tables;
    size_t n = result_figure_tables(a->result, a->arena, &tables), before = a->verdict->n_checks;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < tables[i]->n_rows; k++)
            count_cells(a, tables[i], (int)i + 1, k);
    for (size_t i = 0; i < a->n_loose; i++)
        report_no_rule(a, &a->loose[i]);
    find_stray_rows(a);
    older_count_cells(a);
    /* A cell too many in the general metrics table is empty on published pages, and harms nobody.
     */
    const struct table *t = a->result->general;
    for (size_t i = 0; t && i < t->n_rows; i++) {
        const struct row *row = &t->rows[i];
        if (row->n_cells == t->n_columns)
            continue;
        struct check_result *r = audit_fail_at(
            a, row->line ? row->line : t->line,
            "row '%s' has %zu cells, but the header of the general metrics table has %zu",
            row->n_cells ? row->cells[0].text : "", row->n_cells, t->n_columns);
        r->severity = cells_used(row) > t->n_columns ? SEVERITY_WARNING : SEVERITY_NOTICE;
        r->stated = sentence_say(a->arena, "%zu cells", row->n_cells);
        r->expected = sentence_say(a->arena, "%zu cells", t->n_columns);
    }
    if (n && a->verdict->n_checks == before)
        audit_pass(a, NULL, "every row has as many cells as its header");
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "the separator row below the header has %zu cells, but the header has %zu, so Markdown "
           "does not recognise the table",
     .zh = "表头下方的分隔行有 {1} 个单元格，但表头有 {2} 个，因此 Markdown 不会显示这张表格"},
    {.en = "%zu cells",
     .zh = "{1} 个单元格"},
    {.en = "the row has %zu cells, but the header of its table has %zu",
     .zh = "表格的这一行有 {1} 个单元格，但表头有 {2} 个"},
    {.en = "row %zu of table %d has %zu %s, but the table header has %zu",
     .zh = "第 {2} 张表的第 {1} 行有 {3} {4:said}，但表头有 {5} 个单元格"},
    {.en = "cell",
     .zh = "个单元格"},
    {.en = "cells",
     .zh = "个单元格"},
    {.en = "found '%.60s' below the table, expected a table row of %zu cells or no text",
     .zh = "表格下方写有“{1}”，表格下方应为一个表格行（{2} 个单元格）或留空"},
    {.en = "a complete row",
     .zh = "完整的一个表格行"},
    {.en = "found no separator row (|---|) below the header: Markdown shows the %zu rows as plain "
           "text",
     .zh = "表头下方缺少分隔行（|---|），因此 Markdown 会把表格的 {1} 行显示为普通文字"},
    {.en = "no separator row",
     .zh = "表头下方没有分隔行"},
    {.en = "a separator row of %zu cells",
     .zh = "有 {1} 个单元格的分隔行"},
    {.en = "row '%s' has %zu cells, but the header of the general metrics table has %zu",
     .zh = "通用指标表的“{1}”行有 {2} 个单元格，但表头有 {3} 个"},
    {.en = "every row has as many cells as its header",
     .zh = "表格每一行的单元格数都与表头相同"},
    {NULL, NULL},
};

const struct rule rule_fp1001 = {
    .id = "FP1001",
    .kind = "page",
    .since = "2026.1",
    .severity = SEVERITY_ERROR,
    .also = RULE_ALSO(SEVERITY_WARNING) | RULE_ALSO(SEVERITY_NOTICE),
    .page = check_cell_count,
    .title = {.en = "Number of cells in a table row", .zh = "表格每行的单元格数"},
    .statement = {.en = "Every row of a table must have as many cells as the table header, and a "
                        "separator row (|---|) must stand between the header and the first row.",
                  .zh = "表格每一行的单元格数必须与表头相同，表头与第一行之间必须有分隔行（|---|）"
                        "。"},
    .why = {.en = "If a table row has one cell too many or too few, all later values of the row "
                  "stand under the wrong headings, and a reader cannot see which cell is wrong.",
            .zh = "如果表格的一行多了或少了一个单元格，后面的值就都落在错误的列中，而读者看不出是哪"
                  "个单元格有误。"},
    .how = {.en = "The rule compares the number of cells in each row of a performance table with "
                  "the number of cells in the table header. If the surplus cells of a row are all "
                  "empty, the rule gives only a warning. Markdown does not display a table that has "
                  "no separator row (|---|) below its header, but the rule checks the rows of such "
                  "a table anyway.",
            .zh = "把性能表每一行的单元格数与表头的单元格数比较。如果表格一行多出的单元格都是空的，"
                  "只给出警告，不判错。表格的表头下方没有分隔行（|---|）时，Markdown 不会显示这张表"
                  "格，但这条规则仍检查表格的各行。"},
    .fix = {.en = "Add the missing cell to the table row, or remove the surplus cell. If the "
                  "vendor withholds a value, write '/' into its cell.",
            .zh = "补上表格行缺少的单元格，或删去多余的单元格。厂商不公开某个值时，在该值的单元格中"
                  "写“/”。"},
    .messages = messages,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "| 3564 | 1.95 |",
                .changed = "| 3564 |"},
};
/* clang-format on */
