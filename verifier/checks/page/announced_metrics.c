#include "verifier/checks/page/column_match.h"
#include "verifier/claims/rule.h"

/* What the tables of figures must have a column for: "val_loss" of "val_loss,见“性能指标”"; NULL
 * when the cell gives the value itself. */
static const char *announced(const struct audit *a, const char *cell)
{
    const char *see = strstr(cell, "见");
    if (!see)
        return NULL;
    const char *name = text_trim_n(a->arena, cell, (size_t)(see - cell));
    name = text_fold(a->arena, name);
    size_t n = strlen(name);
    while (n && strchr(",;:", name[n - 1]))
        n--;
    return n ? arena_strndup(a->arena, name, n) : NULL;
}

static void report_announced(struct audit *a, const struct row *row, const struct table *t,
                             const char *name, enum column_match best, const char *nearest)
{
    const char *label = row->cells[0].text;
    int line = row->line ? row->line : t->line;
    struct check_result *r =
        best == COLUMN_EQUAL
            ? audit_report(a, OUTCOME_PASS, NULL, line, "%s is in column %s", label, name)
        : best == COLUMN_ALIKE
            ? audit_fail_at(
                  a, line,
                  "the page says that %s is in column %s, but the table calls the column %s", label,
                  name, nearest)
            : audit_fail_at(a, line,
                            "the page says that %s is in column %s, but no table has this column",
                            label, name);
    r->severity = best == COLUMN_ALIKE ? SEVERITY_NOTICE : r->severity;
    audit_expect(r, name, best == COLUMN_ALIKE ? nearest : "a column of the tables");
}

static void check_announced(struct audit *a)
{
    const struct table **tables, *t = a->result->general;
    size_t n = result_figure_tables(a->result, a->arena, &tables), n_headers = 0, n_names = 0;
    const char **headers = NULL;
    struct column_name *names = NULL;
    for (size_t k = 0; t && k < n; k++)
        for (size_t j = 0; j < tables[k]->n_columns; j++) {
            const char *header = tables[k]->columns[j];
            *(const char **)ARENA_PUSH(a->arena, headers, n_headers) = header;
            *(struct column_name *)ARENA_PUSH(a->arena, names, n_names) = column_name(a, header);
        }
    for (size_t i = 0; n_names && i < t->n_rows; i++) {
        const struct row *row = &t->rows[i];
        const char *text = row->n_cells > 1 ? announced(a, row->cells[1].text) : NULL;
        if (!text)
            continue;
        const struct column_name name = column_name(a, text);
        enum column_match best = COLUMN_UNLIKE;
        const char *nearest = "";
        for (size_t j = 0; j < n_names; j++) {
            enum column_match one = column_compare(&names[j], &name);
            nearest = one > best ? headers[j] : nearest;
            best = one > best ? one : best;
        }
        report_announced(a, row, t, text, best, nearest);
    }
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "%s is in column %s",
     .zh = "指标“{1}”在性能表的 {2} 列中"},
    {.en = "the page says that %s is in column %s, but the table calls the column %s",
     .zh = "页面称指标“{1}”在 {2} 列，但性能表中这一列名为 {3}"},
    {.en = "the page says that %s is in column %s, but no table has this column",
     .zh = "页面称指标“{1}”在 {2} 列，但所有性能表都没有这一列"},
    {.en = "a column of the tables",
     .zh = "性能表中的一列"},
    {NULL, NULL},
};

const struct rule rule_fp1010 = {
    .id = "FP1010",
    .kind = "page",
    .since = "2026.2",
    .severity = SEVERITY_WARNING,
    .also = RULE_ALSO(SEVERITY_NOTICE),
    .page = check_announced,
    .title = {.en = "Metrics without a column", .zh = "性能表中没有对应列的指标"},
    .statement = {.en = "If the general metrics table says that a metric is in the performance "
                        "tables, one of these tables must have a column for it.",
                  .zh = "通用指标表写明某项指标见性能表时，性能表中必须有这项指标的列。"},
    .why = {.en = "The general metrics table tells readers which column contains a metric. If no "
                  "table has the named column, somebody renamed the column or removed it.",
            .zh = "通用指标表告诉读者每项指标在性能表的哪一列。性能表中没有通用指标表所指的列，说明"
                  "这一列改了名或被删除了。"},
    .how = {.en = "For each row 'NAME,见“性能指标”' (NAME, see \"performance figures\") of the "
                  "general metrics table, the rule looks for NAME among the headers of the "
                  "performance tables. If a table has only a similar header (acc instead of "
                  "final_acc1), the rule gives a notice.",
            .zh = "通用指标表的某一行写作“名称,见“性能指标””时，在性能表的表头中查找同一名称。性能"
                  "表只有名称相近的表头（例如写 acc 而不是 final_acc1）时，只给出提示，不判错。"},
    .fix = {.en = "Write the same metric name in the general metrics table and in the performance "
                  "table, or add the missing column.",
            .zh = "在通用指标表和性能表中使用同一个指标名称，或在性能表中补上缺少的列。"},
    .messages = messages,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "| 计算使用率   | MFU,见",
                .changed = "| 计算使用率   | ppl,见"},
};
/* clang-format on */
