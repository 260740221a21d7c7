#include "verifier/claims/rule.h"

#include <ctype.h>

/* What a figure of this kind must not be, although it is one. */
static const char *unfit(enum column_kind kind, const struct figure *f)
{
    if (f->kind == FIGURE_TEXT || f->kind == FIGURE_FLAG)
        return "words";
    if (f->kind == FIGURE_PAIR && kind == COLUMN_MFU)
        return "a pair";
    if (f->percent && (kind == COLUMN_MEMORY || kind == COLUMN_MEMORY_TOTAL))
        return "a percentage";
    return NULL;
}

/* Units that a cell may name although its column has one; with others the figure is another. */
static const struct units {
    const char *key;
    const char *allowed[8];
} units[] = {
    {"e2e_time", {"s", "sec", "second", "seconds", NULL}},
    {"memory", {"G", "GB", "GiB", "g", "MiB", "MB", NULL}},
    {"memory_total", {"G", "GB", "GiB", "g", NULL}},
};

static bool has_other_unit(const char *key, const char *unit)
{
    for (size_t i = 0; *unit && i < sizeof units / sizeof units[0]; i++) {
        if (strcmp(units[i].key, key) != 0)
            continue;
        for (size_t k = 0; units[i].allowed[k]; k++)
            if (text_same(units[i].allowed[k], unit))
                return false;
        return true;
    }
    return false;
}

/* A well-formed number and then words ("3564左右"): somebody meant a figure. "80.83.2%" is none. */
static bool is_in_words(const char *text, struct arena *arena)
{
    const char *s = figure_plain(arena, text);
    double value;
    int decimals;
    size_t n = figure_scan_number(s, &value, &decimals);
    bool words = false;
    s += n;
    for (; *s && !isdigit((unsigned char)*s); s++)
        words |= (*s & 0x80) || isalpha((unsigned char)*s);
    return n && words && *s == '\0';
}

/* "Tru": one word that is no answer. Sentences and other scripts are left to readers. */
static void check_answer(struct audit *a, const struct claim *c, size_t column)
{
    static const char *const answers[] = {"true",   "false", "yes", "no", "pass",
                                          "passed", "ok",    "y",   "n",  "aligned"};
    const char *text = c->cells->cells[column].text;
    const char *word = text_fold(a->arena, text);
    size_t n = strspn(word, "abcdefghijklmnopqrstuvwxyz");
    if (!n || word[n])
        return;
    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++)
        if (strcmp(word, answers[i]) == 0)
            return;
    struct check_result *r =
        audit_fail(a, c, "column %s: '%s' is neither True nor False", c->of->columns[column], text);
    r->severity = SEVERITY_WARNING;
    audit_expect(r, text, "True or False");
}

static void check_numbers(struct audit *a, const struct claim *c)
{
    bool sound = true;
    for (size_t i = 0; i < c->of->n_columns && i < c->cells->n_cells; i++) {
        const struct metrics_column *m = c->columns[i];
        const struct figure f = c->figures[i];
        if (m && m->kind == COLUMN_FLAG && f.kind == FIGURE_TEXT)
            check_answer(a, c, i);
        if (!m || !metrics_is_numeric(m->kind))
            continue;
        const char *other = has_other_unit(m->key, f.unit) ? "another unit" : unfit(m->kind, &f);
        if (f.kind != FIGURE_MALFORMED && !other)
            continue;
        bool garbled =
            f.kind == FIGURE_MALFORMED && !is_in_words(c->cells->cells[i].text, a->arena);
        sound = false;
        struct check_result *r = audit_fail(
            a, c, garbled ? "column %s: '%s' is not a number" : "column %s: '%s' is not a figure",
            c->of->columns[i], c->cells->cells[i].text);
        r->severity = garbled ? SEVERITY_ERROR : SEVERITY_WARNING;
        audit_expect(r, c->cells->cells[i].text, "a number");
    }
    if (sound)
        audit_pass(a, c, "every cell holds a number, or states why the number is missing");
}

static const enum older_column figures[] = {OLDER_SECONDS, OLDER_TARGET, OLDER_REACHED, OLDER_STEPS,
                                            OLDER_RATE};

static bool is_ascii_cell(const char *text)
{
    while (*text && !(*text & 0x80))
        text++;
    return *text == '\0';
}

static void check_cell(struct audit *a, const struct older_table *t, const struct older_row *row,
                       enum older_column kind)
{
    const char *text = older_cell(t, row, kind);
    const struct figure f = *older_figure(t, row, kind);
    bool number = figure_is_absent(&f) || figure_has_value(&f);
    bool unit = kind == OLDER_SECONDS && *f.unit && strcmp(f.unit, "s") != 0;
    if (number && !unit)
        return;
    struct check_result *r = audit_fail_at(a, row->line,
                                           number ? "column %s: '%s' is in another unit"
                                                  : "column %s: '%s' is not one number",
                                           older_header(t, kind), text);
    /* "3-4天" is a figure in words, "80.83.2%" is none at all. */
    bool words = number || !is_ascii_cell(text);
    r->severity = f.kind == FIGURE_MALFORMED && !words ? SEVERITY_ERROR : SEVERITY_WARNING;
    audit_expect(r, text, "a number");
}

static void older_check_numbers(struct audit *a, const struct older_table *t,
                                const struct older_row *row)
{
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++)
        check_cell(a, t, row, figures[i]);
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "words",
     .zh = "文字"},
    {.en = "a pair",
     .zh = "数对"},
    {.en = "a percentage",
     .zh = "百分数"},
    {.en = "e2e_time",
     .zh = "e2e_time"},
    {.en = "column %s: '%s' is neither True nor False",
     .zh = "{1} 列：“{2}”既不是 True 也不是 False"},
    {.en = "True or False",
     .zh = "True 或 False"},
    {.en = "another unit",
     .zh = "与该列不同的单位"},
    {.en = "column %s: '%s' is not a number",
     .zh = "{1} 列：“{2}”不是数字"},
    {.en = "column %s: '%s' is not a figure",
     .zh = "{1} 列：“{2}”不是有效的数值"},
    {.en = "a number",
     .zh = "数字"},
    {.en = "every cell holds a number, or states why the number is missing",
     .zh = "数字列的每个单元格都填有数字，或写明数字缺失的原因"},
    {.en = "column %s: '%s' is in another unit",
     .zh = "{1} 列：“{2}”所用的单位与该列的单位不同"},
    {.en = "column %s: '%s' is not one number",
     .zh = "{1} 列：“{2}”不是单独一个数字"},
    {NULL, NULL},
};

const struct rule rule_fp1004 = {
    .id = "FP1004",
    .kind = "sums",
    .since = "2026.1",
    .severity = SEVERITY_ERROR,
    .also = RULE_ALSO(SEVERITY_WARNING),
    .claim = check_numbers,
    .older = older_check_numbers,
    .title = {.en = "Cells that are not numbers", .zh = "数字列中不是数字的单元格"},
    .statement = {.en = "Every cell in a column of numbers must contain a number, or state why the "
                        "number is missing.",
                  .zh = "表格数字列的每个单元格都必须填写数字，或写明数字缺失的原因。"},
    .why = {.en = "A cell without a valid number cannot be compared, sorted or recomputed. For "
                  "example, a cell with '80.83.2%' may contain two numbers.",
            .zh = "单元格中的数字无效时，无法对这个单元格进行比较、排序或复算。例如，单元格写作“"
                  "80.83.2%”时，无法判断写的是一个数字还是两个数字。"},
    .how = {.en = "The rule reads each cell in a column of numbers. A cell must contain a number, "
                  "a range, a pair, a calculation, or a mark for a missing number: '/' (withheld), "
                  "nothing (not filled in) or OOM (out of memory). The rule reports a cell with "
                  "any other text.",
            .zh = "读取表格数字列的每个单元格。数字列的单元格必须填写数字、区间、两个数字（a/b）或"
                  "算式；没有数字时，填写“/”（不公开）或 OOM（显存不足），或者留空（未填写）。数字"
                  "列的单元格写有其他内容时，检查不通过。"},
    .fix = {.en = "Write one number into the cell, or one of the marks for a missing number: '/' "
                  "(withheld), an empty cell (not filled in) or OOM (out of memory).",
            .zh = "在单元格中填写一个数字；没有数字时，填写“/”（不公开）或 OOM（显存不足），或者留"
                  "空（未填写）。"},
    .messages = messages,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "| 3564 |",
                .changed = "| 35.6.4 |"},
};
/* clang-format on */
