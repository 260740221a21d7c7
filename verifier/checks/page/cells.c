/* Rules about single cells and rows: is it a figure, is it in its place, does it agree with
 * itself. */
#include "verifier/checks/checks.h"
#include "verifier/checks/page/older.h"

#include "base/buf.h"
#include "base/text.h"
#include "verifier/curves/align.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

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
        audit_report(a, OUTCOME_FAIL, NULL, row->line ? row->line : t->line,
                     "row %zu of table %d has %zu %s, its header has %zu", i + 1, table,
                     row->n_cells, row->n_cells == 1 ? "cell" : "cells", t->n_columns);
    if (row->n_cells > t->n_columns && cells_used(row) <= t->n_columns)
        r->severity = SEVERITY_WARNING;
    r->table = table;
    r->row = (int)i + 1;
    r->stated = arena_printf(a->arena, "%zu cells", row->n_cells);
    r->expected = arena_printf(a->arena, "%zu cells", t->n_columns);
}

/* Nothing but signs: no letter, no digit, no character beyond ASCII. */
static bool says_nothing(const char *text)
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
        if (!r->performance[i - 1].table || !text || !says_nothing(text))
            continue;
        struct check_result *c =
            audit_report(a, OUTCOME_FAIL, NULL, r->performance[i].line,
                         "found '%.60s' under the table, expected a row of %zu cells or nothing",
                         text, r->performance[i - 1].table->n_columns);
        c->severity = text_starts(text, "|") ? SEVERITY_ERROR : SEVERITY_WARNING;
        c->stated = text;
        c->expected = "a whole row";
    }
}

static void report_no_rule(struct audit *a, const struct table *t)
{
    struct check_result *r = audit_report(
        a, OUTCOME_FAIL, NULL, t->line,
        "found no rule (|---|) below the header: to Markdown the %zu rows are text", t->n_rows);
    r->stated = "no rule";
    r->expected = arena_printf(a->arena, "a rule of %zu cells", t->n_columns);
}

/* A cell too many in the general table is empty on published pages, and harms nobody. */
static void count_general_cells(struct audit *a)
{
    const struct table *t = a->result->general;
    for (size_t i = 0; t && i < t->n_rows; i++) {
        const struct row *row = &t->rows[i];
        if (row->n_cells == t->n_columns)
            continue;
        struct check_result *r =
            audit_report(a, OUTCOME_FAIL, NULL, row->line ? row->line : t->line,
                         "'%s' has %zu cells, the header of the general table has %zu",
                         row->n_cells ? row->cells[0].text : "", row->n_cells, t->n_columns);
        r->severity = cells_used(row) > t->n_columns ? SEVERITY_WARNING : SEVERITY_NOTICE;
        r->stated = arena_printf(a->arena, "%zu cells", row->n_cells);
        r->expected = arena_printf(a->arena, "%zu cells", t->n_columns);
    }
}

void check_cell_count(struct audit *a)
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
    count_general_cells(a);
    if (n && a->verdict->n_checks == before)
        audit_pass(a, NULL, "every row has as many cells as its header");
}

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
    r->stated = text;
    r->expected = "True or False";
}

void check_numbers(struct audit *a, const struct claim *c)
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
        r->stated = c->cells->cells[i].text;
        r->expected = "a number";
    }
    if (sound)
        audit_pass(a, c, "every figure is a number, or says why there is none");
}

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

/* Only one column of this key, else it is not clear where a cell belongs. */
static size_t find_column(const struct claim *c, const char *key)
{
    size_t at = SIZE_MAX;
    for (size_t i = 0; i < c->of->n_columns; i++) {
        const struct metrics_column *m = c->columns[i];
        if (m && strcmp(m->key, key) == 0)
            at = i;
    }
    return at < c->cells->n_cells ? at : SIZE_MAX;
}

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
        swapped ? audit_fail(a, c, "columns %s and %s are swapped: %s holds '%s', %s holds '%s'",
                             here, there, here, text, there, other)
                : audit_fail(a, c, "column %s holds '%s', which belongs into column %s ('%s')",
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
void check_swapped(struct audit *a, const struct claim *c)
{
    bool sound = true;
    for (size_t l = 0; l < sizeof likenesses / sizeof likenesses[0]; l++) {
        const struct likeness *like = &likenesses[l];
        size_t home = find_column(c, like->key);
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
        audit_pass(a, c, "every cell stands in its own column");
}

void check_config_words(struct audit *a, const struct claim *c)
{
    const struct configuration *f = &c->config;
    const char *text = c->cells->n_cells ? c->cells->cells[0].text : "";
    bool unread = !f->cards && strstr(text, "机") && strstr(text, "卡");
    if (f->by && (unread || strstr(text, "卡卡"))) {
        struct check_result *r =
            audit_fail(a, c, "the words of '%s' are misspelt, or no numbers", text);
        r->severity = SEVERITY_NOTICE;
        r->stated = text;
        r->expected = arena_printf(a->arena, "%ld机%ld卡", f->by, f->of);
        return;
    }
    if (strstr(text, "（0x") || strstr(text, "(0x") || strstr(text, "x0）") ||
        strstr(text, "x0)")) {
        audit_fail(a, c, "'%s' is of no machines or no cards", text);
        return;
    }
    if (!c->has_config || !f->by || !(f->nodes || f->cards)) {
        audit_cannot(a, c, "the row does not state nodes and cards both in words and as (a x b)");
        return;
    }
    bool nodes = f->nodes == 0 || f->nodes == f->by;
    /* 两机8卡 counts per node on most pages, 两机16卡 all of them on some: both are in use. */
    bool cards = f->cards == 0 || f->cards == f->of || f->cards == f->by * f->of;
    if (nodes && cards) {
        audit_pass(a, c, "the words agree with (%ldx%ld)", f->by, f->of);
        return;
    }
    struct check_result *r = audit_fail(
        a, c, "the words say %ld %s of %ld %s, the bracket says (%ldx%ld)", f->nodes,
        f->nodes == 1 ? "node" : "nodes", f->cards, f->cards == 1 ? "card" : "cards", f->by, f->of);
    r->stated = c->cells->cells[0].text;
    r->expected = arena_printf(a->arena, "%ld机%ld卡", f->by, f->of);
}

void check_expression(struct audit *a, const struct claim *c)
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
                                              "column %s: '%s' works out to %s", c->of->columns[i],
                                              c->cells->cells[i].text, result);
        audit_cell(r, &c->cells->cells[i]);
        r->stated = audit_fixed(a->arena, f.value, f.decimals);
        r->expected = result;
        r->tolerance = audit_fixed(a->arena, tolerance, f.decimals);
    }
}

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
            : audit_fail(a, c, "'%s' is said to be aligned, the limit is %g %%", text,
                         100 * ALIGN_LIMIT);
    r->stated = text;
    r->expected = arena_printf(a->arena, "< %g%%", 100 * ALIGN_LIMIT);
}

/* "0.647/0.655" in a column of scores is actual/target. */
void check_target(struct audit *a, const struct claim *c)
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
                : audit_fail(a, c, "%s is %s, its own target is %s", c->of->columns[i],
                             audit_fixed(a->arena, f.value, f.decimals), target);
        r->stated = c->cells->cells[i].text;
        r->expected =
            arena_printf(a->arena, "%s %s", m->better == DIRECTION_LOWER ? "<=" : ">=", target);
    }
}

static bool lacks_sign(const struct claim *c)
{
    const struct figure *f = claim_figure(c, "mfu");
    return figure_has_value(f) && !f->percent;
}

/* "2, 3": the other rows of the claim's table that lack the sign. */
static const char *others_without_sign(const struct audit *a, const struct claim *c)
{
    struct buf rows;
    buf_init(&rows, BUF_DEFAULT_MAX);
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
    const char *said = arena_printf(a->arena, "MFU '%s' is printed without a percent sign", text);
    if (f->value <= 1)
        said = arena_printf(a->arena, "%s; it is read as a ratio", said);
    if (*others)
        said = arena_printf(a->arena, "%s; likewise in rows %s", said, others);
    struct check_result *r = audit_fail(a, c, "%s", said);
    r->stated = text;
    r->expected =
        f->value <= 1
            ? arena_printf(a->arena, "%s%%", audit_fixed(a->arena, f->value * 100, f->decimals - 2))
            : arena_printf(a->arena, "%s%%", text);
}

/* MFU is printed as a percentage; a ratio is readable, and worth a word. A column without the sign
 * is one finding: at its first row, naming the others. */
void check_mfu_form(struct audit *a)
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
