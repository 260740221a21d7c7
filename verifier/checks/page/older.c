/* What rules find in the older table (verifier/claims/older_table.h); each is called by the rule
 * that says the same of the present one. Rows are named by their lines. */
#include "verifier/checks/page/older.h"

#include "verifier/checks/checks.h"
#include "verifier/claims/cards.h"

#include "base/text.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* Throughput per card against that of a smaller size, as in checks_scaling.c. */
#define OLDER_MOST 1.25
#define OLDER_LEAST 0.5

static void refine(struct check_result *r, const char *stated, const char *expected)
{
    r->stated = stated;
    r->expected = expected;
}

void older_count_cells(struct audit *a)
{
    for (size_t i = 0; i < a->n_older; i++) {
        const struct older_table *t = &a->older[i];
        if (t->has_rule && t->rule_cells != t->n_columns)
            refine(audit_report(a, OUTCOME_FAIL, NULL, t->line + 1,
                                "the rule below the header has %zu cells, the header %zu: to "
                                "Markdown that is no table",
                                t->rule_cells, t->n_columns),
                   arena_printf(a->arena, "%zu cells", t->rule_cells),
                   arena_printf(a->arena, "%zu cells", t->n_columns));
        for (size_t k = 0; k < t->n_rows; k++)
            if (t->rows[k].n_cells != t->n_columns && t->rule_cells == t->n_columns)
                refine(audit_report(a, OUTCOME_FAIL, NULL, t->rows[k].line,
                                    "the row has %zu cells, its header has %zu", t->rows[k].n_cells,
                                    t->n_columns),
                       arena_printf(a->arena, "%zu cells", t->rows[k].n_cells),
                       arena_printf(a->arena, "%zu cells", t->n_columns));
    }
}

static const enum older_column figures[] = {OLDER_SECONDS, OLDER_TARGET, OLDER_REACHED, OLDER_STEPS,
                                            OLDER_RATE};

static bool is_ascii(const char *text)
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
    struct check_result *r =
        audit_report(a, OUTCOME_FAIL, NULL, row->line,
                     number ? "column %s: '%s' is in another unit" : "column %s: '%s' is no number",
                     older_header(t, kind), text);
    /* "3-4天" is a figure in words, "80.83.2%" is none at all. */
    bool words = number || !is_ascii(text);
    r->severity = f.kind == FIGURE_MALFORMED && !words ? SEVERITY_ERROR : SEVERITY_WARNING;
    refine(r, text, "a number");
}

void older_check_numbers(struct audit *a, const struct older_table *t, const struct older_row *row)
{
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++)
        check_cell(a, t, row, figures[i]);
}

/* "单机8卡" in front of config_A100x1x8. */
void older_check_words(struct audit *a, const struct older_table *t, const struct older_row *row)
{
    const char *words = older_cell(t, row, OLDER_RESOURCES);
    const char *file = older_cell(t, row, OLDER_CONFIG);
    struct configuration c;
    struct config_name name;
    if (!configuration_parse(words, a->arena, &c) || !c.nodes || !c.cards ||
        !config_name_parse(file, a->arena, &name))
        return;
    bool ok =
        c.nodes == name.nodes && (c.cards == name.cards || c.cards == name.nodes * name.cards);
    refine(audit_report(a, ok ? OUTCOME_PASS : OUTCOME_FAIL, NULL, row->line,
                        "the words say %s, the configuration file is %s", words, file),
           words, file);
}

/* Rows of one table train to one target; those of another may be of another version. */
static void check_same_target(struct audit *a, const struct older_table *t,
                              const struct older_row *row, const struct figure *target)
{
    for (const struct older_row *first = t->rows; first < row; first++) {
        const struct figure f = *older_figure(t, first, OLDER_TARGET);
        if (f.kind != FIGURE_NUMBER || f.value == target->value)
            continue;
        struct check_result *r = audit_report(
            a, OUTCOME_FAIL, NULL, row->line, "the target is %s, that of line %d %s",
            older_cell(t, row, OLDER_TARGET), first->line, older_cell(t, first, OLDER_TARGET));
        r->severity = SEVERITY_NOTICE;
        refine(r, older_cell(t, row, OLDER_TARGET), older_cell(t, first, OLDER_TARGET));
        return;
    }
}

static bool is_met(double value, double target, bool lower)
{
    return isnan(value) || isnan(target) || (lower ? value <= target : value >= target);
}

/* A loss has to come down to its target, a score up. */
void older_check_target(struct audit *a, const struct older_table *t, const struct older_row *row)
{
    const char *target = older_cell(t, row, OLDER_TARGET);
    const char *reached = older_cell(t, row, OLDER_REACHED);
    bool lower = strstr(older_header(t, OLDER_REACHED), "loss") != NULL;
    const struct figure x = *older_figure(t, row, OLDER_TARGET);
    const struct figure y = *older_figure(t, row, OLDER_REACHED);
    if (!figure_has_value(&x) || !figure_has_value(&y))
        return;
    if (x.kind == FIGURE_NUMBER)
        check_same_target(a, t, row, &x);
    bool met = is_met(y.value, x.value, lower) && is_met(y.second, x.second, lower);
    refine(audit_report(a, met ? OUTCOME_PASS : OUTCOME_FAIL, NULL, row->line,
                        "%s is %s, its target is %s", older_header(t, OLDER_REACHED), reached,
                        target),
           reached, arena_printf(a->arena, "%s %s", lower ? "<=" : ">=", target));
}

/* Nobody trains for a year; the usual cause is a time of day in place of a duration. */
void older_check_seconds(struct audit *a, const struct older_table *t, const struct older_row *row)
{
    const char *text = older_cell(t, row, OLDER_SECONDS);
    const struct figure f = *older_figure(t, row, OLDER_SECONDS);
    if (f.kind != FIGURE_NUMBER)
        return;
    bool ok = f.value > 0 && f.value <= CHECKS_SECONDS_MAX;
    refine(audit_report(a, ok ? OUTCOME_PASS : OUTCOME_FAIL, NULL, row->line,
                        "column %s holds '%s', expected seconds of a training of at most a year",
                        older_header(t, OLDER_SECONDS), text),
           text, "at most a year");
}

/* "BI-V" of "BI-V100": the number was lost. */
static bool is_cut_short(const char *name, const char *card, struct arena *arena)
{
    const char *folded = text_fold(arena, name), *at = strstr(text_fold(arena, card), folded);
    return at && !strpbrk(folded, "0123456789") && isdigit((unsigned char)at[strlen(folded)]);
}

/* A name that no record has is one that nobody has, where the environment's card is known and
 * has another: BI-V for BI-V100, 9100 for Ascend 910A. */
static void report_card(struct audit *a, int line, const char *file, const char *name)
{
    const struct accelerator *card = audit_card(a, name);
    enum identity identity = cards_in_environment(a, name);
    bool cut = !card && is_cut_short(name, a->accelerators[0], a->arena);
    bool unknown = cut || (!card && *name && identity != IDENTITY_SAME);
    bool own_known = audit_accelerator(a) || cards_near(a, a->accelerators[0]);
    if (unknown ? !own_known : identity == IDENTITY_UNKNOWN)
        return;
    struct check_result *r =
        audit_report(a, identity == IDENTITY_SAME && !cut ? OUTCOME_PASS : OUTCOME_FAIL, NULL, line,
                     unknown ? "no known card is called as in %s; the environment has '%s'"
                             : "the rows are of %s and its like; the environment has '%s'",
                     file, a->accelerators[0]);
    if (card && strcmp(card->vendor, a->result->vendor) == 0)
        r->severity = SEVERITY_NOTICE;
    refine(r, file, a->accelerators[0]);
}

/* One row's configuration file, and the card that it names. */
struct named_card {
    const char *name, *file;
    int line;
};

/* One finding for each card that the configuration files name. */
void older_check_cards(struct audit *a)
{
    struct named_card *cards = NULL;
    size_t n = 0;
    for (size_t i = 0; i < a->n_older && a->n_accelerators; i++)
        for (size_t k = 0; k < a->older[i].n_rows; k++) {
            const struct older_row *row = &a->older[i].rows[k];
            const char *file = older_cell(&a->older[i], row, OLDER_CONFIG);
            struct config_name name;
            if (!config_name_parse(file, a->arena, &name))
                continue;
            struct named_card *to = ARENA_PUSH(a->arena, cards, n);
            *to = (struct named_card){name.accelerator, file, row->line};
        }
    const struct lookup first =
        lookup_of(cards, n, sizeof *cards, offsetof(struct named_card, name), a->arena);
    for (size_t i = 0; i < n; i++)
        if (lookup_find(&first, cards[i].name) == i)
            report_card(a, cards[i].line, cards[i].file, cards[i].name);
}

static size_t equal_figures(const struct older_table *t, const struct older_row *x,
                            const struct older_row *y)
{
    static const enum older_column measured[] = {OLDER_SECONDS, OLDER_REACHED, OLDER_STEPS,
                                                 OLDER_RATE};
    size_t n = 0;
    for (size_t i = 0; i < sizeof measured / sizeof measured[0]; i++) {
        const char *text = older_cell(t, x, measured[i]);
        n += figure_has_value(older_figure(t, x, measured[i])) &&
             text_same(text, older_cell(t, y, measured[i]));
    }
    return n;
}

/* Two sizes cannot take the same seconds and steps at the same rate, to the last digit. */
static bool report_repeated(struct audit *a, const struct older_row *row, const char *resources,
                            const char *seconds, int line)
{
    struct check_result *r = audit_report(
        a, OUTCOME_FAIL, NULL, row->line,
        "%s has the same figures as the table of line %d, to the last digit", resources, line);
    r->severity = SEVERITY_ERROR;
    r->stated = seconds;
    r->expected = "figures of its own";
    return true;
}

/* Another table of the page is of another model. */
static bool is_of_other_table(struct audit *a, const struct older_table *t,
                              const struct older_row *row)
{
    for (const struct older_table *other = a->older; other < t; other++)
        for (size_t i = 0; i < other->n_rows; i++)
            if (equal_figures(other, row, &other->rows[i]) >= 3)
                return report_repeated(a, row, older_cell(t, row, OLDER_RESOURCES),
                                       older_cell(t, row, OLDER_SECONDS), other->line);
    return false;
}

void older_check_doubled(struct audit *a, const struct older_table *t, const struct older_row *row)
{
    if (is_of_other_table(a, t, row))
        return;
    for (const struct older_row *before = t->rows; before < row; before++) {
        if (equal_figures(t, row, before) < 3 ||
            text_same(older_cell(t, row, OLDER_RESOURCES), older_cell(t, before, OLDER_RESOURCES)))
            continue;
        struct check_result *r =
            audit_report(a, OUTCOME_FAIL, NULL, row->line,
                         "%s has the same figures as %s in line %d, to the last digit",
                         older_cell(t, row, OLDER_RESOURCES),
                         older_cell(t, before, OLDER_RESOURCES), before->line);
        r->severity = SEVERITY_ERROR;
        refine(r, older_cell(t, row, OLDER_SECONDS), "figures of its own");
        return;
    }
}

/* 58.30 where the target is 0.58. */
void older_check_form(struct audit *a, const struct older_table *t, const struct older_row *row)
{
    const char *target = older_cell(t, row, OLDER_TARGET);
    const char *reached = older_cell(t, row, OLDER_REACHED);
    const struct figure x = *older_figure(t, row, OLDER_TARGET);
    const struct figure y = *older_figure(t, row, OLDER_REACHED);
    bool ratio = x.value > 0 && x.value <= 1 && !x.percent;
    if (x.kind != FIGURE_NUMBER || y.kind != FIGURE_NUMBER || y.value <= 0 ||
        strstr(older_header(t, OLDER_REACHED), "loss"))
        return;
    bool same = ratio == (y.value <= 1 && !y.percent);
    refine(audit_report(a, same ? OUTCOME_PASS : OUTCOME_FAIL, NULL, row->line,
                        "%s is %s, its target %s: both are %s", older_header(t, OLDER_REACHED),
                        reached, target,
                        same ? "of one form" : "not of one form, a ratio and a percentage"),
           reached, target);
}

/* Cards of a row and its rate; false when it does not say both. The cards are those of the
 * configuration file's name: 两机8卡 counts one machine's, 两机16卡 those of both. */
static bool read_rate(const struct audit *a, const struct older_table *t,
                      const struct older_row *row, double *cards, double *rate)
{
    struct config_name name;
    const struct figure f = *older_figure(t, row, OLDER_RATE);
    if (!config_name_parse(older_cell(t, row, OLDER_CONFIG), a->arena, &name))
        return false;
    *cards = (double)name.nodes * (double)name.cards;
    *rate = f.value;
    return f.kind == FIGURE_NUMBER && f.value > 0 && *cards > 0;
}

void older_check_scaling(struct audit *a)
{
    for (size_t i = 0; i < a->n_older; i++) {
        const struct older_table *t = &a->older[i];
        double base_cards = 0, base_rate = 0, cards, rate;
        bool per_second = strstr(older_header(t, OLDER_RATE), "/s") != NULL;
        for (size_t k = 0; per_second && k < t->n_rows; k++) {
            if (!read_rate(a, t, &t->rows[k], &cards, &rate))
                continue;
            double efficiency = base_rate > 0 ? rate / cards / (base_rate / base_cards) : 1;
            if (base_rate <= 0 || cards <= base_cards)
                base_cards = cards, base_rate = rate;
            if (efficiency <= OLDER_MOST && efficiency >= OLDER_LEAST)
                continue;
            const char *text = older_cell(t, &t->rows[k], OLDER_RATE);
            refine(audit_report(a, OUTCOME_FAIL, NULL, t->rows[k].line,
                                "%s a second on %g cards is %s times as much per card as on %g",
                                text, cards, audit_fixed(a->arena, efficiency, 2), base_cards),
                   text, arena_printf(a->arena, "%g to %g times", OLDER_LEAST, OLDER_MOST));
        }
    }
}
