/*
 * Rows of figures that stand there twice. Each row is held against all rows before it; so that this
 * takes no longer than reading them, equal texts get equal numbers first, and the numbers are
 * compared.
 */
#include "verifier/claims/alike.h"
#include "verifier/claims/rule.h"

#include <stdint.h>

#define SHARED 3 /* rates and times: so many that are the same to the last digit are no chance */

#define REPEATED 0.05 /* of a figure: further apart, a repetition is no explanation */

/* What is measured, and so another in each row; the first five are times and rates. */
static const char *const measured[] = {
    "e2e_time",   "p_whole",      "p_train", "p_core", "token_per_s_per_card",
    "throughput", "memory_total", "memory"};

#define N_MEASURED (sizeof measured / sizeof measured[0])

#define N_RATES 5

static const size_t of_models[] = {0, 4, 5, 6, 7}; /* those that tell models apart */

/* One row under examination. Texts that are the same have the same number. */
struct compared {
    const struct claim *claim;
    const size_t *cells;         /* the numbers of their texts */
    size_t measured[N_MEASURED]; /* places of cells; SIZE_MAX: there is no such column */
    bool exact[N_RATES];         /* of the rates: a number of at least three digits */
    size_t n_exact;
    const char *group; /* the group line ("LLaMA-13B") that the row stands below; NULL */
};

static size_t place_of_column(const struct claim *c, const char *key)
{
    const struct figure *f = claim_figure(c, key);
    return f == &c->figures[c->cells->n_cells] ? SIZE_MAX : (size_t)(f - c->figures);
}

/* The group line of the row that stands `before` this one, unless another lies between them. */
static const char *group_line_of(const struct compared *before, const struct claim *c,
                                 struct arena *arena)
{
    bool same = before && before->claim->of == c->of;
    const char *group = same ? before->group : NULL;
    for (int i = same ? before->claim->row : 1; i < c->row; i++) {
        struct configuration ignored;
        const struct row *row = &c->of->rows[i - 1];
        if (row->n_cells && !configuration_parse(row->cells[0].text, arena, &ignored))
            group = row->cells[0].text;
    }
    return group;
}

static void read_compared_row(const struct audit *a, struct compared *rows, size_t i)
{
    const struct claim *c = &a->claims[i];
    rows[i].claim = c;
    rows[i].group = group_line_of(i ? &rows[i - 1] : NULL, c, a->arena);
    for (size_t k = 0; k < N_MEASURED; k++)
        rows[i].measured[k] = place_of_column(c, measured[k]);
    for (size_t k = 0; k < N_RATES; k++) {
        size_t at = rows[i].measured[k];
        rows[i].exact[k] = at != SIZE_MAX && c->figures[at].kind == FIGURE_NUMBER &&
                           strspn(c->cells->cells[at].text, "0123456789.") >= 3;
        rows[i].n_exact += rows[i].exact[k];
    }
}

static const struct compared *read_rows(const struct audit *a)
{
    struct compared *rows = arena_array(a->arena, a->n_claims, sizeof *rows);
    const char **texts = NULL;
    size_t n = 0;
    for (size_t i = 0; i < a->n_claims; i++) {
        read_compared_row(a, rows, i);
        for (size_t k = 0; k < a->claims[i].cells->n_cells; k++) {
            *(const char **)ARENA_PUSH(a->arena, texts, n) = a->claims[i].cells->cells[k].text;
        }
    }
    const size_t *numbers = alike_number(texts, n, a->arena);
    for (size_t i = 0; i < a->n_claims; numbers += a->claims[i++].cells->n_cells)
        rows[i].cells = numbers;
    return rows;
}

/* How many cells of two rows hold a figure, when all cells are the same; 0 when they differ. */
static size_t same_figures(const struct compared *x, const struct compared *y)
{
    size_t figures = 0, n = x->claim->cells->n_cells;
    if (x->claim->of != y->claim->of || n != y->claim->cells->n_cells)
        return 0;
    for (size_t i = 0; i < n; i++) {
        if (x->cells[i] != y->cells[i])
            return 0;
        figures += i > 0 && figure_has_value(&x->claim->figures[i]);
    }
    return figures;
}

/* Do two rows share three rates or times, to the last digit? */
static bool share_rates(const struct compared *x, const struct compared *y)
{
    size_t n = 0;
    for (size_t i = 0; i < N_RATES && x->n_exact >= SHARED; i++) {
        size_t at = x->measured[i], other = y->measured[i];
        n += x->exact[i] && other != SIZE_MAX && x->cells[at] == y->cells[other];
    }
    return n >= SHARED;
}

/* Throughput and memory of a row below another model's line, to the last digit. */
static bool has_figures_of_other(const struct compared *x, const struct compared *c)
{
    size_t n = 0;
    if (x->claim->of != c->claim->of || !x->group || !c->group)
        return false;
    for (size_t i = 0; i < sizeof of_models / sizeof of_models[0]; i++) {
        size_t at = x->measured[of_models[i]], other = c->measured[of_models[i]];
        if (at == SIZE_MAX || other == SIZE_MAX || !figure_has_value(&x->claim->figures[at]))
            continue;
        if (x->cells[at] != c->cells[other])
            return false;
        n++;
    }
    return n >= 2 && !text_same(c->group, x->group);
}

/* Do they differ in a rate by more than repeating it explains? */
static bool rates_differ(const struct claim *x, const struct claim *c, size_t column)
{
    const struct figure *f = &c->figures[column], *g = &x->figures[column];
    const char *key = c->columns[column]->key;
    return (strcmp(key, "token_per_s_per_card") == 0 || strcmp(key, "throughput") == 0) &&
           figure_has_value(f) && figure_has_value(g) &&
           fabs(f->value - g->value) > REPEATED * fabs(g->value);
}

/* Two rows that differ in nothing but their figures; `figure` is a rate in which they do. */
static bool same_settings(const struct compared *before, const struct compared *row, size_t *figure)
{
    const struct claim *x = before->claim, *c = row->claim;
    *figure = SIZE_MAX;
    if (x->of != c->of || !c->has_config || x->cells->n_cells != c->cells->n_cells)
        return false;
    for (size_t i = 0; i < c->cells->n_cells && i < c->of->n_columns; i++) {
        if (before->cells[i] == row->cells[i])
            continue;
        if (!c->columns[i] || !metrics_is_numeric(c->columns[i]->kind))
            return false;
        if (*figure == SIZE_MAX && rates_differ(x, c, i))
            *figure = i;
    }
    /* Without such a column a table has no place to say what differs. */
    if (*figure == SIZE_MAX || !claim_cell(c, "hyperparameters"))
        return false;
    return text_same(row->group ? row->group : "", before->group ? before->group : "");
}

static struct check_result *report_doubled(struct audit *a, const struct compared *before,
                                           const struct compared *row)
{
    const struct claim *x = before->claim, *c = row->claim;
    struct check_result *r = NULL;
    size_t figure;
    if (x->cards && c->cards && x->cards != c->cards && share_rates(before, row))
        r = audit_fail(a, c,
                       "the row for %ld cards has the same times and rates as the row for %ld "
                       "cards (row %d), to the last digit",
                       c->cards, x->cards, x->row);
    else if (has_figures_of_other(before, row))
        r = audit_fail(
            a, c,
            "the row has the same figures as a row of another model (row %d), to the last digit",
            x->row);
    if (r) {
        r->severity = SEVERITY_ERROR;
        return r;
    }
    if (same_figures(before, row))
        return audit_fail(a, c, "the row is identical to row %d, including its figures", x->row);
    if (!same_settings(before, row, &figure))
        return NULL;
    r = audit_fail(
        a, c, "column %s holds '%s' but '%s' in row %d, although both rows have the same settings",
        c->of->columns[figure], c->cells->cells[figure].text, x->cells->cells[figure].text, x->row);
    r->severity = SEVERITY_NOTICE;
    return r;
}

/* A row given twice is odd; the same times and rates on another number of cards cannot be. */
static void check_doubled(struct audit *a)
{
    const struct compared *rows = read_rows(a);
    for (size_t i = 0; i < a->n_claims; i++) {
        struct check_result *r = NULL;
        for (size_t k = 0; k < i && !r; k++)
            r = report_doubled(a, &rows[k], &rows[i]);
        if (!r)
            continue;
        audit_expect(r, rows[i].claim->cells->cells[0].text, "a row that differs from the others");
    }
}

static size_t equal_figures(const struct older_table *t, const struct older_row *x,
                            const struct older_row *y)
{
    static const enum older_column of_older[] = {OLDER_SECONDS, OLDER_REACHED, OLDER_STEPS,
                                                 OLDER_RATE};
    size_t n = 0;
    for (size_t i = 0; i < sizeof of_older / sizeof of_older[0]; i++) {
        const char *text = older_cell(t, x, of_older[i]);
        n += figure_has_value(older_figure(t, x, of_older[i])) &&
             text_same(text, older_cell(t, y, of_older[i]));
    }
    return n;
}

/* Two sizes cannot take the same seconds and steps at the same rate, to the last digit. */
static void report_repeated(struct check_result *r, const struct older_table *t,
                            const struct older_row *row)
{
    audit_expect(r, older_cell(t, row, OLDER_SECONDS), "figures of this row's own run")->severity =
        SEVERITY_ERROR;
}

static void older_check_doubled(struct audit *a, const struct older_table *t,
                                const struct older_row *row)
{
    const char *own = older_cell(t, row, OLDER_RESOURCES);
    /* Another table of the page is of another model. */
    for (const struct older_table *other = a->older; other < t; other++)
        for (size_t i = 0; i < other->n_rows; i++)
            if (equal_figures(other, row, &other->rows[i]) >= 3) {
                report_repeated(
                    audit_fail_at(
                        a, row->line,
                        "%s has the same figures as the table at line %d, to the last digit", own,
                        other->line),
                    t, row);
                return;
            }
    for (const struct older_row *before = t->rows; before < row; before++) {
        const char *other = older_cell(t, before, OLDER_RESOURCES);
        if (equal_figures(t, row, before) < 3 || text_same(own, other))
            continue;
        report_repeated(audit_fail_at(a, row->line,
                                      "%s has the same figures as %s at line %d, to the last digit",
                                      own, other, before->line),
                        t, row);
        return;
    }
}

/* clang-format off */
static const struct words messages[] = {
    {.en = "e2e_time",
     .zh = "e2e_time"},
    {.en = "the row for %ld cards has the same times and rates as the row for %ld cards (row %d), "
           "to the last digit",
     .zh = "表格中 {1} 张卡的一行，时间和速率与 {2} 张卡的一行（第 {3} 行）逐位相同"},
    {.en = "the row has the same figures as a row of another model (row %d), to the last digit",
     .zh = "该表格行的数字与另一个模型的表格行（第 {1} 行）逐位相同"},
    {.en = "the row is identical to row %d, including its figures",
     .zh = "该表格行与第 {1} 行完全相同，连数字也相同"},
    {.en = "column %s holds '%s' but '%s' in row %d, although both rows have the same settings",
     .zh = "该表格行的 {1} 列为“{2}”，但第 {4} 行的这一列为“{3}”，而两行的设置相同"},
    {.en = "a row that differs from the others",
     .zh = "与表格其他行不同的一行"},
    {.en = "%s has the same figures as the table at line %d, to the last digit",
     .zh = "表格中 {1} 一行的数字，与始于页面第 {2} 行的表格中的数字逐位相同"},
    {.en = "figures of this row's own run",
     .zh = "由该表格行的运行得到的数字"},
    {.en = "%s has the same figures as %s at line %d, to the last digit",
     .zh = "表格中 {1} 一行的数字，与页面第 {3} 行（{2}）的数字逐位相同"},
    {NULL, NULL},
};

const struct rule rule_fp1011 = {
    .id = "FP1011",
    .kind = "page",
    .since = "2026.2",
    .severity = SEVERITY_WARNING,
    .also = RULE_ALSO(SEVERITY_ERROR) | RULE_ALSO(SEVERITY_NOTICE),
    .page = check_doubled,
    .older = older_check_doubled,
    .title = {.en = "Repeated table rows", .zh = "表格中重复的行"},
    .statement = {.en = "No table row may be repeated, and no row may copy the values of a row for "
                        "another number of cards or another model. Two rows with the same "
                        "configuration must differ in at least one setting.",
                  .zh = "表格的行不得重复，也不得照抄另一种卡数或另一个模型的表格行的数字。表格中配"
                        "置相同的两行，必须至少有一项设置不同。"},
    .why = {.en = "If a table contains the same row twice, somebody probably copied the row to edit "
                  "it and then forgot the edit.",
            .zh = "表格中出现两个相同的行，多半是有人复制了一行准备修改，后来忘了修改。"},
    .how = {.en = "The rule compares the rows of one table cell by cell and skips rows without "
                  "numbers. A table row is an error if three of its times and rates equal, to the "
                  "last digit, those of a row with another number of cards. A table row is also an "
                  "error if its throughput and memory equal those of a row of another model, or "
                  "those of a row in another table of the older page format.",
            .zh = "逐格比较同一张表格的各行，没有数字的行不参与比较。如果表格中卡数不同的两行有至少"
                  "三项时间或速率逐位相同，算错误。表格的一行若吞吐量和显存与另一个模型的一行相同，"
                  "也算错误。旧版格式的页面中，不同表格的两行吞吐量和显存相同，同样算错误。"},
    .fix = {.en = "Remove the repeated table row, or replace its numbers by the numbers of the run "
                  "that the row describes.",
            .zh = "删去重复的表格行，或把该行的数字换成该行所述的运行测得的数字。"},
    .messages = messages,
    .example = {.in = EXAMPLE_PAGE,
                .honest = "| A100单机单卡（1x1） | / | / | 9.1 | 9.5 | 10.0 | 30.2/40 |\n",
                .changed = "| A100单机单卡（1x1） | / | / | 9.1 | 9.5 | 10.0 | 30.2/40 |\n",
                .times = 2},
};
/* clang-format on */
