#include "verifier/claims/rule.h"

/* "/80", "80/": one side of a pair, and nothing on the other. */
static bool is_half_pair(const char *text, struct arena *arena)
{
    const char *s = figure_plain(arena, text);
    size_t n = strlen(s);
    double value;
    int decimals;
    if (n < 2 || strchr(s, '/') != strrchr(s, '/'))
        return false;
    if (s[0] == '/')
        return figure_scan_number(s + 1 + strspn(s + 1, " "), &value, &decimals) > 0;
    return s[n - 1] == '/' && figure_scan_number(s, &value, &decimals) > 0;
}

/* A figure and nothing else: settings are words. Of hyperparameters FP1003 says it. */
static bool is_bare_number(const char *text, struct arena *arena)
{
    const char *s = figure_plain(arena, text);
    double value;
    int decimals;
    size_t n = figure_scan_number(s, &value, &decimals);
    return n > 0 && !s[n];
}

static bool holds_settings(const struct metrics_column *m)
{
    return m->kind == COLUMN_PARALLEL || m->kind == COLUMN_STRATEGY || m->kind == COLUMN_PRECISION;
}

/* Settings that are switched on have a name beside it. */
static bool is_bare_truth(const struct metrics_column *m, const char *text, struct arena *arena)
{
    const char *folded = text_fold(arena, text);
    return (holds_settings(m) || m->kind == COLUMN_HYPERPARAMETERS) &&
           (strcmp(folded, "true") == 0 || strcmp(folded, "false") == 0);
}

/* The row has the column, and its cell is empty. */
static bool lacks_throughput(const struct claim *c)
{
    const char *cell = claim_cell(c, "token_per_s_per_card");
    return cell && claim_figure(c, "token_per_s_per_card")->kind == FIGURE_MISSING;
}

static void find_half(struct audit *a, const struct claim *c, size_t i, const char *message)
{
    struct check_result *r = audit_fail(a, c, "%s", message);
    r->stated = c->cells->cells[i].text;
    audit_cell(r, &c->cells->cells[i]);
}

static void check_half_cell(struct audit *a, const struct claim *c, size_t i)
{
    const struct metrics_column *m = c->columns[i];
    const char *text = c->cells->cells[i].text, *column = c->of->columns[i];
    bool pair = m->kind == COLUMN_MEMORY || m->kind == COLUMN_SCORE;
    if (pair && is_half_pair(text, a->arena))
        find_half(a, c, i,
                  sentence_say(a->arena,
                               "column %s holds '%s', half of a pair: the other number is missing",
                               column, text));
    else if (holds_settings(m) && lacks_throughput(c) && is_bare_number(text, a->arena))
        find_half(a, c, i,
                  sentence_say(a->arena,
                               "column %s holds only a number, '%s', and the throughput is empty",
                               column, text));
    else if (is_bare_truth(m, text, a->arena))
        find_half(a, c, i,
                  sentence_say(a->arena, "column %s holds '%s' but does not name the setting",
                               column, text));
    else if (m->kind == COLUMN_MFU && lacks_throughput(c) && figure_has_value(&c->figures[i]))
        find_half(a, c, i,
                  sentence_say(a->arena,
                               "the row states an MFU of '%s' but no throughput to compute it from",
                               text));
}

static void check_half_figures(struct audit *a, const struct claim *c)
{
    for (size_t i = 0; i < c->of->n_columns && i < c->cells->n_cells; i++)
        if (c->columns[i])
            check_half_cell(a, c, i);
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "column %s holds '%s', half of a pair: the other number is missing",
     .zh = "{1} 列填写的是“{2}”，应有两个数字，却缺了一个"},
    {.en = "column %s holds only a number, '%s', and the throughput is empty",
     .zh = "{1} 列只写了一个数字“{2}”，而同一行的吞吐量为空"},
    {.en = "column %s holds '%s' but does not name the setting",
     .zh = "{1} 列填写的是“{2}”，但没有写明这是哪项设置的值"},
    {.en = "the row states an MFU of '%s' but no throughput to compute it from",
     .zh = "表格的这一行填写了 MFU“{1}”，但没有填写用来算出 MFU 的吞吐量"},
    {NULL, NULL},
};

const struct rule rule_fp1019 = {
    .id = "FP1019",
    .kind = "page",
    .since = "2026.3",
    .severity = SEVERITY_WARNING,
    .claim = check_half_figures,
    .title = {.en = "Incomplete cells and rows", .zh = "表格中填写不完整的单元格与行"},
    .statement = {.en = "A cell for a pair must contain both numbers, a settings cell must name its "
                        "setting, and a table row with an MFU must also state a throughput.",
                  .zh = "应写两个数字的单元格（例如显存“已用/总量”），两个数字必须齐全。“设置”列的"
                        "单元格必须写明设置的名称。表格的一行填写了 MFU 时，也必须填写吞吐量。"},
    .why = {.en = "If only half of a cell is filled in, somebody usually lost a value or typed the "
                  "value into another column.",
            .zh = "单元格只填了一半，通常是漏写了一个值，或把值写到了另一列。"},
    .how = {.en = "The rule reports four faults: a cell for memory or scores begins or ends with "
                  "'/'; a settings cell contains only a number, and the throughput of the row is "
                  "empty; a settings cell contains only True or False; a row has an MFU but no "
                  "throughput.",
            .zh = "显存或得分的单元格以“/”开头或结尾时，检查不通过。“设置”列的单元格只有一个数字，"
                  "而同一行的吞吐量为空时，检查不通过。“设置”列的单元格只有 True 或 False，没有设置"
                  "的名称时，检查不通过。表格的一行填写了 MFU，却没有填写吞吐量时，检查也不通过。"},
    .fix = {.en = "Write the missing value in its own column, or write `/` if the vendor withholds "
                  "the value.",
            .zh = "把表格行缺少的值写到它所属的列。厂商不公开表格中的某个值时，在该值的单元格中写 "
                  "`/`。"},
    .messages = messages,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "| 3564 | 1.95 |",
                .changed = "|  | 1.95 |"},
};
/* clang-format on */
