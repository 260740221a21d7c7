/* Rules about the page as a text: empty fields, headings of another vendor, rows that are named
 * but not there. */
#include "verifier/checks/checks.h"

#include "base/figures/labels.h"
#include "base/text.h"
#include "verifier/claims/alike.h"

#include <stdlib.h>
#include <string.h>

static void note_doubled(struct audit *a, const struct item *item)
{
    struct check_result *r =
        audit_report(a, OUTCOME_FAIL, NULL, item->line, "'%s' stands again in its own value '%s'",
                     item->label, item->value);
    r->stated = item->value;
    r->expected = "the value alone";
}

/* "机器型号: 机器型号: R5300"; "cuda: cuda_11.8" is a name that begins with another. */
static bool repeats_label(const struct item *item)
{
    size_t n = strlen(item->label);
    if (strncmp(item->value, item->label, n) != 0)
        return false;
    const char *rest = item->value + n + strspn(item->value + n, " ");
    return *rest == ':' || text_starts(rest, "：");
}

static void note_empty(void *data, const struct item *item, const char *key)
{
    struct audit *a = data;
    (void)key;
    if (item->label && repeats_label(item)) {
        note_doubled(a, item);
        return;
    }
    /* A bullet whose value is its sub-bullets is not empty. */
    if (!item->label || item->n_items || strspn(item->value, " \t\n") != strlen(item->value))
        return;
    struct check_result *r =
        audit_report(a, OUTCOME_FAIL, NULL, item->line,
                     "'%s' is empty; '/' says that it is withheld", item->label);
    r->stated = item->label;
    r->expected = "a value";
}

/* The same label twice in one group, with two values: which one holds? */
static void note_repeated(struct audit *a, const struct group *g)
{
    size_t n = g->n_items < AUDIT_BULLETS_MAX ? g->n_items : AUDIT_BULLETS_MAX;
    const char **labels = arena_array(a->arena, n, sizeof *labels);
    for (size_t i = 0; i < n; i++)
        labels[i] = g->items[i].label;
    const size_t *first = alike_number(labels, n, a->arena);
    for (size_t i = 0; i < n; i++) {
        const struct item *item = &g->items[i], *before = &g->items[first[i]];
        if (before == item)
            continue;
        struct check_result *r =
            audit_report(a, OUTCOME_FAIL, NULL, item->line, "'%s' stands there twice: '%s', '%s'",
                         item->label, before->value, item->value);
        r->stated = item->value;
        r->expected = "one value";
    }
}

/* What every page states in its general table. */
static const char *const required[] = {"task", "model", "dataset", "precision", "device"};

static void note_empty_rows(struct audit *a)
{
    const struct table *t = a->result->general;
    for (size_t i = 0; t && i < t->n_rows; i++) {
        const struct row *row = &t->rows[i];
        const struct label *label =
            row->n_cells > 1 ? label_find(LABEL_GENERAL, row->cells[0].text) : NULL;
        if (!label || *text_trim(a->arena, row->cells[1].text))
            continue;
        for (size_t k = 0; k < sizeof required / sizeof required[0]; k++) {
            if (strcmp(required[k], label->key) != 0)
                continue;
            struct check_result *r =
                audit_report(a, OUTCOME_FAIL, NULL, row->line ? row->line : t->line,
                             "'%s' is empty; '/' says that it is withheld", row->cells[0].text);
            r->stated = row->cells[0].text;
            r->expected = "a value";
        }
    }
}

void check_empty_fields(struct audit *a)
{
    size_t before = a->verdict->n_checks;
    audit_items(a, note_empty, a);
    note_empty_rows(a);
    for (size_t i = 0; i < a->result->n_environments; i++)
        for (size_t k = 0; k < a->result->environments[i].n_groups; k++)
            note_repeated(a, &a->result->environments[i].groups[k]);
    if (a->verdict->n_checks == before && a->result->n_environments)
        audit_pass(a, NULL, "every field of the environment says something");
}

/* The vendor that a heading names: by accelerator, else by name. */
static const char *named_vendor(const struct audit *a, const char *heading)
{
    const struct accelerator *card = audit_card(a, heading);
    if (card)
        return card->vendor;
    const struct vendor *vendor = NULL;
    const char *folded = text_fold(a->arena, heading);
    for (size_t i = 0; i < a->project->n_vendor_names; i++)
        if (strstr(folded, a->project->vendor_names[i].text))
            vendor = a->project->vendor_names[i].of;
    return vendor ? vendor->id : NULL;
}

static bool heading_is_foreign(struct audit *a, const char *heading, int line)
{
    const char *vendor = heading ? named_vendor(a, heading) : NULL;
    if (!vendor || strcmp(vendor, a->result->vendor) == 0)
        return false;
    struct check_result *r =
        audit_report(a, OUTCOME_FAIL, NULL, line, "the heading '%s' names %s, the result is of %s",
                     heading, vendor, a->result->vendor);
    r->stated = heading;
    r->expected = a->result->vendor;
    return true;
}

void check_foreign_heading(struct audit *a)
{
    const struct result *r = a->result;
    if (!project_vendor(a->project, r->vendor)) {
        audit_cannot(a, NULL, "the project has no record of the vendor '%s'", r->vendor);
        return;
    }
    bool foreign = heading_is_foreign(a, r->title, r->line);
    for (size_t i = 0; i < r->n_environments; i++) {
        const struct environment *e = &r->environments[i];
        foreign |= heading_is_foreign(a, e->title, e->line);
        for (size_t k = 0; k < e->n_groups; k++)
            foreign |= heading_is_foreign(a, e->groups[k].label, e->groups[k].line);
    }
    if (!foreign)
        audit_pass(a, NULL, "no heading names another vendor");
}

/* "第4组" in the text: which row it names; *s moves behind it. 0 at the end. */
static long next_reference(const char **s)
{
    for (const char *at; (at = strstr(*s, "第")) != NULL;) {
        char *end;
        *s = at + strlen("第");
        long n = strtol(*s, &end, 10);
        while (*end == ' ')
            end++;
        if (n > 0 && n < 10000 && text_starts(end, "组"))
            return n;
    }
    return 0;
}

/* The text stands before the table whose rows it counts. */
void check_row_reference(struct audit *a)
{
    const struct result *r = a->result;
    for (size_t i = 0; i < r->n_performance; i++) {
        const char *text = r->performance[i].text.zh;
        size_t rows = 0;
        for (size_t k = i; k < r->n_performance && !rows; k++)
            rows = r->performance[k].table ? r->performance[k].table->n_rows : 0;
        for (long n; text && rows && (n = next_reference(&text)) > 0;) {
            bool there = (size_t)n <= rows;
            struct check_result *c =
                audit_report(a, there ? OUTCOME_PASS : OUTCOME_FAIL, NULL, r->performance[i].line,
                             "the text names row %ld; the table has %zu %s", n, rows,
                             rows == 1 ? "row" : "rows");
            c->stated = arena_printf(a->arena, "第%ld组", n);
            c->expected = arena_printf(a->arena, "at most %zu", rows);
        }
    }
}

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

enum likeness { UNLIKE, ALIKE, EQUAL };

/* "memory(actual/total)" is "memory" or "mem"; "acc" is much like "final_acc1". */
static enum likeness compare_column(const struct audit *a, const char *header, const char *name)
{
    const struct metrics_column *column = metrics_column(header), *wanted = metrics_column(name);
    const char *folded = text_fold(a->arena, header);
    bool memory = column && wanted && text_starts(column->key, "memory") &&
                  text_starts(wanted->key, "memory");
    if (memory || strcmp(folded, name) == 0)
        return EQUAL;
    bool kind = !column || !wanted || column->kind == wanted->kind;
    bool alike = kind && (strstr(folded, name) || strstr(name, folded));
    alike |= column && column == wanted;
    /* A batch size per card is set in fix_hp. */
    bool batch = strcmp(name, "bs") == 0 && column && column->kind == COLUMN_HYPERPARAMETERS;
    return *folded && (alike || batch) ? ALIKE : UNLIKE;
}

static void report_announced(struct audit *a, const struct row *row, const struct table *t,
                             const char *name, enum likeness best, const char *nearest)
{
    const char *label = row->cells[0].text;
    int line = row->line ? row->line : t->line;
    struct check_result *r =
        best == EQUAL ? audit_report(a, OUTCOME_PASS, NULL, line, "%s is in column %s", label, name)
        : best == ALIKE
            ? audit_report(a, OUTCOME_FAIL, NULL, line,
                           "%s is said to be in column %s, the table calls it %s", label, name,
                           nearest)
            : audit_report(a, OUTCOME_FAIL, NULL, line,
                           "%s is said to be in column %s, which is in no table", label, name);
    r->severity = best == ALIKE ? SEVERITY_NOTICE : r->severity;
    r->stated = name;
    r->expected = best == ALIKE ? nearest : "a column of the tables";
}

void check_announced(struct audit *a)
{
    const struct table **tables, *t = a->result->general;
    size_t n = result_figure_tables(a->result, a->arena, &tables);
    for (size_t i = 0; t && n && i < t->n_rows; i++) {
        const struct row *row = &t->rows[i];
        const char *name = row->n_cells > 1 ? announced(a, row->cells[1].text) : NULL;
        enum likeness best = UNLIKE;
        const char *nearest = "";
        for (size_t k = 0; name && k < n; k++)
            for (size_t j = 0; j < tables[k]->n_columns; j++) {
                enum likeness one = compare_column(a, tables[k]->columns[j], name);
                nearest = one > best ? tables[k]->columns[j] : nearest;
                best = one > best ? one : best;
            }
        if (name)
            report_announced(a, row, t, name, best, nearest);
    }
}

/* "bf16+fp8", and what stands in front of `level="O2"`; everything else is no precision. */
static bool is_precision(const struct audit *a, const char *text)
{
    const char *s = text_fold(a->arena, text);
    size_t all = strcspn(s, ",(;"), n;
    for (const char *end = s + all; s < end; s += n + (s + n < end)) {
        n = strcspn(s, "+/&,(;");
        if (!precision_is_name(s, n))
            return false;
    }
    return all > 0;
}

static void check_names(struct audit *a)
{
    for (size_t i = 0; i < a->n_claims; i++) {
        const char *own = claim_cell(&a->claims[i], "precision");
        if (!own || figure_is_absent(claim_figure(&a->claims[i], "precision")) ||
            is_precision(a, own))
            continue;
        struct check_result *r =
            audit_fail(a, &a->claims[i],
                       "'%s' is no known precision, expected fp32, bf16, amp or the like", own);
        r->stated = own;
        r->expected = "fp32, tf32, fp16, bf16, fp8, amp or a sum of them";
    }
}

/* A literal "amp" in the general table, and bf16 in a row. Lists ("fp32/amp") are of what may be.
 */
void check_precision(struct audit *a)
{
    check_names(a);
    const char *general = audit_general(a, "precision");
    if (!general || figure_absence(general, a->arena) != FIGURE_TEXT || strpbrk(general, "/,") ||
        strstr(general, "、"))
        return;
    for (size_t i = 0; i < a->n_claims; i++) {
        const char *own = claim_cell(&a->claims[i], "precision");
        if (!own || figure_is_absent(claim_figure(&a->claims[i], "precision")))
            continue;
        bool same = compare_column(a, own, text_fold(a->arena, general)) != UNLIKE;
        struct check_result *r =
            audit_report(a, same ? OUTCOME_PASS : OUTCOME_FAIL, &a->claims[i], 0,
                         "the row is in %s, the general table says %s", own, general);
        r->stated = own;
        r->expected = general;
        return;
    }
}

static bool says_something(const struct audit *a)
{
    for (size_t i = 0; i < a->n_older; i++)
        if (older_table_says(&a->older[i]))
            return true;
    for (size_t i = 0; i < a->verdict->n_metrics; i++)
        if (a->verdict->metrics[i].stated)
            return true;
    return false;
}

/* All that is left out, in one finding; a table whose cells are empty is only worth a notice. */
void check_substance(struct audit *a)
{
    const struct table **tables;
    const struct result *r = a->result;
    size_t n = result_figure_tables(r, a->arena, &tables);
    const char *missing = !r->n_environments                 ? "no environment"
                          : !n && !a->n_older && !a->n_loose ? "no table of figures"
                                                             : NULL;
    if (missing) {
        audit_fail(a, NULL, "the page has %s", missing);
        return;
    }
    if (!a->n_older && !a->verdict->n_metrics)
        return; /* rows without cells: FP1001 */
    bool any = says_something(a);
    struct check_result *c = audit_report(a, any ? OUTCOME_PASS : OUTCOME_FAIL, NULL,
                                          n            ? tables[0]->line
                                          : a->n_older ? a->older[0].line
                                                       : a->loose[0].line,
                                          any ? "the page has figures"
                                              : "no row of the page states or withholds a figure");
    c->severity = any ? c->severity : SEVERITY_NOTICE;
}

void check_size(struct audit *a)
{
    if (a->too_many)
        audit_fail(a, NULL, "the result has more %s than are checked", a->too_many);
}
