/*
 * The page of two results that were asked for side by side: which of their rows may be compared,
 * figure by figure; how they scale, where they are of one vendor; else what keeps them apart.
 */
#include "renderer/site/index/pairing.h"
#include "renderer/site/index/recompute.h"
#include "renderer/site/sheet/chart.h"
#include "renderer/site/sheet/difference.h"
#include "renderer/site/sheet/kind.h"
#include "renderer/site/sheet/scaling.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

/* ---- who they are ------------------------------------------------------------------------- */

/* Both parts, or the one that is there. */
static const char *join_two_texts(struct sheet *s, const char *a, const char *between,
                                  const char *b)
{
    return arena_printf(s->arena, "%s%s%s", a, *a && *b ? between : "", b);
}

/* "4 × NVIDIA H200": what all rows run on; "" where they differ in it or nobody says. */
static const char *machine_of(struct sheet *s, const struct site_entry *e)
{
    const struct site_row *first = e->rows[0];
    bool one_card = first->accelerator != NULL, one_size = site_row_cards(first) > 0;
    for (size_t i = 1; i < e->n_rows; i++) {
        one_card = one_card && e->rows[i]->accelerator == first->accelerator;
        one_size = one_size && site_row_cards(e->rows[i]) == site_row_cards(first);
    }
    if (!one_card)
        return "";
    const char *name = sheet_short(s, first->accelerator->name);
    return one_size ? arena_printf(s->arena, "%ld × %s", site_row_cards(first), name) : name;
}

static const char *side_name(struct sheet *s, const struct site_entry *e)
{
    const char *machine = machine_of(s, e), *vendor = sheet_vendor(s, e);
    return *machine ? sheet_fill(s, "pair.side", {"vendor", vendor}, {"machine", machine}) : vendor;
}

/* What both are, once where it is the same. */
static const char *of_both(struct sheet *s, const char *a, const char *b)
{
    return strcmp(a, b) == 0 ? a : join_two_texts(s, a, " / ", b);
}

static const char *machine_or_case(struct sheet *s, const struct site_entry *e)
{
    const char *machine = machine_of(s, e);
    return *machine ? machine : e->result->case_id;
}

/* A scaling is of one vendor. */
static const char *pair_title(struct sheet *s, const struct site_compared *pair, bool scaling)
{
    const struct site_entry *a = pair->a, *b = pair->b;
    const char *model = of_both(s, sheet_model(s, a), sheet_model(s, b));
    const char *cases = of_both(s, a->result->case_id, b->result->case_id);
    const char *of = join_two_texts(s, model, " · ", cases);
    if (scaling)
        return sheet_fill(s, "pair.scaling", {"vendor", sheet_vendor(s, a)},
                          {"a", machine_or_case(s, a)}, {"b", machine_or_case(s, b)}, {"of", of});
    return sheet_fill(s, "pair.title", {"a", side_name(s, a)}, {"b", side_name(s, b)}, {"of", of});
}

static void set_side(struct sheet *s, const char *key, const struct site_entry *e)
{
    struct view *v = view_set_object(s->view, key);
    sheet_set_of(s, v, e);
    sheet_set_state(s, v, e->verdict->state);
}

/* ---- what keeps them apart ---------------------------------------------------------------- */

static const char *pair_row_word(struct sheet *s, const struct site_row *row, enum site_criterion c)
{
    const char *words[SITE_CRITERIA];
    if (c == CONDITION_RECOMPUTE)
        return sheet_recompute(s, site_recompute_of(row));
    if (c == CONDITION_PRECISION)
        return *row->precision ? row->precision : sheet_t(s, "figure.none");
    sheet_criteria(s, row, words);
    return words[c];
}

/* Every word that rows of the result have, once. */
static const char *pair_entry_words(struct sheet *s, const struct site_entry *e,
                                    enum site_criterion c)
{
    const struct site_row **rows = arena_array(s->arena, e->n_rows, sizeof(*rows));
    size_t n = site_criterion_rows(e, c, s->arena, rows);
    const char *all = "";
    for (size_t i = 0; i < n; i++)
        all = join_two_texts(s, all, sheet_t(s, "list.and"), pair_row_word(s, rows[i], c));
    return all;
}

static const char *const criterion_names[SITE_CONDITIONS] = {
    [CRITERION_CASE] = "criterion.case",         [CRITERION_PRECISION] = "criterion.precision",
    [CRITERION_STAGE] = "criterion.stage",       [CRITERION_FACTOR] = "criterion.factor",
    [CRITERION_SEQUENCE] = "criterion.sequence", [CONDITION_RECOMPUTE] = "pair.recompute",
    [CONDITION_PRECISION] = "col.precision",
};

/* One line of a table: what both sides say of a criterion. */
static void set_pair_sides(struct sheet *s, struct view *v, enum site_criterion c, const char *left,
                           const char *right, enum site_likeness like)
{
    view_set_text(v, "name", sheet_t(s, criterion_names[c]));
    view_set_text(v, "left", left);
    view_set_text(v, "right", right);
    view_set_text(v, "left_lang", sheet_language(s, left));
    view_set_text(v, "right_lang", sheet_language(s, right));
    view_set_flag(v, "needed", c < SITE_CRITERIA);
    view_set_flag(v, "other", like == LIKENESS_DIFFERENT);
    view_set_flag(v, "alike", like == LIKENESS_SAME);
    view_set_flag(v, "partly", like == LIKENESS_PARTLY);
    view_set_flag(v, "unknown", like == LIKENESS_UNKNOWN);
}

/* ---- figure by figure --------------------------------------------------------------------- */

/* What the right one is beside the left one, and whether more of it is better. */
static void set_pair_difference(struct sheet *s, struct view *v,
                                const struct metrics_column *column, const struct site_row *a,
                                const struct site_row *b)
{
    double percent;
    const char *why;
    bool both = site_rows_between(a, b, column->key, s->arena, &percent, &why);
    view_set_flag(v, "no_difference", !both);
    view_set_text(v, "difference",
                  !both ? sheet_t(s, why)
                        : arena_printf(s->arena, "%s%s %%",
                                       percent < 0   ? "−"
                                       : percent > 0 ? "+"
                                                     : "",
                                       site_percent_text(fabs(percent), fabs(percent) < 1 ? 4 : 2,
                                                         s->arena)));
    sheet_set_direction(s, v, column->better);
}

static void push_pair_metric(struct sheet *s, struct view *list,
                             const struct metrics_column *column, const struct site_row *a,
                             const struct site_row *b)
{
    const struct metric *x = site_row_metric(a, column->key), *y = site_row_metric(b, column->key);
    if (!x && !y)
        return;
    struct view *v = view_push_object(list);
    view_set_text(v, "label", sheet_words(s, column->label));
    view_set_text(v, "unit", sheet_unit(s, column->unit));
    sheet_set_figure(s, v, "left", x);
    sheet_set_figure(s, v, "right", y);
    set_pair_difference(s, v, column, a, b);
    view_set_text(v, "left_label", ""); /* the head of the table has them at any width */
    view_set_text(v, "right_label", "");
}

static const char *side_label(struct sheet *s, const struct metrics_column *column,
                              const struct site_row *row)
{
    const char *label = sheet_words(s, column->label), *unit = sheet_unit(s, column->unit);
    return join_two_texts(s, join_two_texts(s, sheet_vendor(s, row->entry), ": ", label), ", ",
                          unit);
}

/* A figure of lists, for the summary. */
static void set_outline(struct sheet *s, struct view *v, const char *key, const char *metric,
                        const struct site_row *a, const struct site_row *b)
{
    const struct metrics_column *column = metrics_by_key(metric);
    struct view *figure = view_set_object(v, key);
    sheet_set_figure(s, figure, "left", site_row_metric(a, metric));
    sheet_set_figure(s, figure, "right", site_row_metric(b, metric));
    set_pair_difference(s, figure, column, a, b);
    view_set_text(figure, "left_label", side_label(s, column, a));
    view_set_text(figure, "right_label", side_label(s, column, b));
}

static void set_name(struct sheet *s, struct view *v, const char *key, const struct site_row *row)
{
    const struct site_entry *e = row->entry;
    const char *name = sheet_row_traits(s, row, e->rows, e->n_rows);
    name = *name ? name : e->result->case_id;
    view_set_text(v, key, name);
    view_set_text(v, arena_printf(s->arena, "%s_lang", key), sheet_language(s, name));
}

/* What else tells rows that may be compared from each other; returns whether recomputation does. */
static bool set_conditions(struct sheet *s, struct view *v, const struct site_row *a,
                           const struct site_row *b)
{
    struct view *list = view_set_list(v, "conditions");
    set_pair_sides(
        s, view_push_object(list), CONDITION_PRECISION, pair_row_word(s, a, CONDITION_PRECISION),
        pair_row_word(s, b, CONDITION_PRECISION), site_rows_alike(a, b, CONDITION_PRECISION));
    enum site_likeness like = site_rows_alike(a, b, CONDITION_RECOMPUTE);
    if (site_recompute_of(a) || site_recompute_of(b))
        set_pair_sides(s, view_push_object(list), CONDITION_RECOMPUTE,
                       pair_row_word(s, a, CONDITION_RECOMPUTE),
                       pair_row_word(s, b, CONDITION_RECOMPUTE), like);
    return like == LIKENESS_DIFFERENT;
}

static bool push_pair_rows(struct sheet *s, struct view *list, const struct site_row *a,
                           const struct site_row *b)
{
    size_t n;
    const struct metrics_column *columns = metrics_columns(&n);
    struct view *v = view_push_object(list);
    view_set_printf(v, "number", "%zu", list->n);
    set_name(s, v, "a", a);
    set_name(s, v, "b", b);
    set_outline(s, v, "rate", "token_per_s_per_card", a, b);
    set_outline(s, v, "mfu", "mfu", a, b);
    sheet_set_detail(s, view_set_object(v, "a_detail"), a);
    sheet_set_detail(s, view_set_object(v, "b_detail"), b);
    struct view *metrics = view_set_list(v, "metrics");
    for (size_t c = 0; c < n; c++)
        push_pair_metric(s, metrics, &columns[c], a, b);
    return set_conditions(s, v, a, b);
}

/* ---- both together ------------------------------------------------------------------------ */

/* Rows side by side, and how many that may be compared are left out. */
static size_t pair_rows(struct sheet *s, const struct site_compared *pair)
{
    struct site_pairing beside;
    struct view *rows = view_set_list(s->view, "rows");
    site_pairing_of(pair, s->arena, &beside);
    bool recomputed = false;
    for (size_t i = 0; i < beside.n; i++)
        recomputed |= push_pair_rows(s, rows, beside.items[i].a, beside.items[i].b);
    view_set_flag(s->view, "recomputed", recomputed);
    size_t left = beside.comparable - beside.n;
    view_set_text(s->view, "left_out",
                  left ? sheet_fill(s, "pair.left", {"n", sheet_number(s, left)}) : "");
    view_set_flag(s->view, "unequal", beside.n > 0 && beside.unequal);
    return beside.n;
}

static void fill_pair_page(struct sheet *s, size_t i)
{
    const struct site_compared *pair = &s->index->pairs[i];
    const struct site_entry *a = pair->a, *b = pair->b;
    bool same_case = strcmp(a->result->case_id, b->result->case_id) == 0;
    size_t n = a->n_rows + b->n_rows, compared = pair_rows(s, pair);
    const struct site_row **rows = arena_array(s->arena, n, sizeof *rows);
    memcpy(rows, a->rows, a->n_rows * sizeof *rows);
    memcpy(rows + a->n_rows, b->rows, b->n_rows * sizeof *rows);
    size_t scalings = sheet_set_scalings(s, s->view, rows, n);
    const char *title = pair_title(s, pair, scalings && !compared);
    sheet_set_title(s, title, sheet_t(s, "compare.description"));
    /* The title, with the names in it that are Chinese on an English page, for site/said.html. */
    sheet_push_said(s, view_set_list(s->view, "heading"), title, false);
    view_set_text(s->view, "pair", pair->name);
    set_side(s, "left_side", a);
    set_side(s, "right_side", b);
    view_set_flag(s->view, "any", compared > 0);
    view_set_flag(s->view, "many", compared > 1);
    /* Not the precision of each row: its class is there. */
    struct view *list = view_set_list(s->view, "criteria");
    for (int c = 0; c <= CONDITION_RECOMPUTE; c++)
        set_pair_sides(s, view_push_object(list), c, pair_entry_words(s, a, c),
                       pair_entry_words(s, b, c), site_results_alike(pair, c));
    /* Losses of one case follow one reference, at whatever precision. */
    sheet_set_overlay(s, s->view, rows, same_case ? n : 0, 2);
}

static const char *name_pair(const struct site_index *index, size_t i, struct arena *arena)
{
    (void)arena;
    return index->pairs[i].name;
}

const struct site_kind site_kind_pair = {
    .name = "pair",
    .path = "compare/{name}/index.html",
    .template = "site/pair.html",
    .section = "compare",
    .counted = SITE_COUNT(n_pairs),
    .name_of = name_pair,
    .fill = fill_pair_page,
    .depends = SITE_ON_PAIR,
};
