#include "renderer/site/answer.h"

#include "renderer/charts/bars.h"
#include "renderer/site/sheet/points.h"

#include "base/figures/figure.h"
#include "base/foreign.h"

#include <stdlib.h>
#include <string.h>

#define PICTURES_MAX 24 /* groups: what a reader opens; tables below have all */

/* The figures that are drawn, and the columns that may hold each, the first that a row of the group
 * has. Each has a picture of its own. */
#define NAMES_MAX 5
static const struct picture_kind {
    const char *key; /* for the address */
    const char *names[NAMES_MAX];
    const char *per; /* a figure that it is divided by; NULL */
} picture_kinds[] = {
    {"throughput", {"token_per_s_per_card", "throughput", "p_core", "p_train", "p_whole"}, NULL},
    {"mfu", {"mfu"}, NULL},
    {"exact", {"mfu_exact"}, NULL},
    {"joule", {"token_per_s_per_card"}, "card_power"}, /* tokens of a joule: of W by the monitor */
};
#define PICTURE_KINDS (sizeof picture_kinds / sizeof *picture_kinds)

/* A comparable group, the best row of each of its cards by each kind of picture. */
struct picture_group {
    const struct site_row *const *rows;
    size_t n;
    struct site_best *best[PICTURE_KINDS]; /* one a card, by their order in the group */
    size_t n_cards, drawn[PICTURE_KINDS];
    struct site_best first; /* the best of all, by the first kind of picture that is drawn */
    size_t given;
};

/* ---- the best row of each card --------------------------------------------------------------- */

/* Rows without an accelerator are of their vendor's unnamed one. */
static bool is_same_card(const struct site_row *a, const struct site_row *b)
{
    const char *x = a->card_id ? a->card_id : "", *y = b->card_id ? b->card_id : "";
    return strcmp(x, y) == 0 && strcmp(a->entry->result->vendor, b->entry->result->vendor) == 0;
}

/* The rows of each card together, cards in the order of their first rows; how many cards. */
static size_t rows_by_card(struct sheet *s, const struct picture_group *g,
                           const struct site_row **sorted, size_t *begins)
{
    size_t n = 0, cards = 0;
    bool *taken = arena_array(s->arena, g->n, sizeof *taken);
    for (size_t i = 0; i < g->n; i++) {
        if (taken[i])
            continue;
        begins[cards++] = n;
        for (size_t k = i; k < g->n; k++)
            if (!taken[k] && is_same_card(g->rows[i], g->rows[k])) {
                taken[k] = true;
                sorted[n++] = g->rows[k];
            }
    }
    begins[cards] = n;
    return cards;
}

/* How a row speaks by a figure of this kind. */
static struct site_best picture_of_row(struct sheet *s, const struct picture_kind *kind,
                                       const char *const *name, const struct site_row *row)
{
    struct site_best best = site_best_of_row(row, name, 1, s->arena);
    double per;
    if (!kind->per)
        return best;
    if (best.figure && site_drawn_value(site_row_metric(row, kind->per), s->arena, &per))
        best.value /= per;
    else
        best.figure = NULL;
    return best;
}

/* The best of these rows; .row is NULL where all are withdrawn. */
static struct site_best picture_of_card(struct sheet *s, const struct picture_kind *kind,
                                        const char *const *name, const struct site_row **rows,
                                        size_t n)
{
    struct site_best best = {.row = NULL};
    for (size_t i = 0; i < n; i++) {
        if (rows[i]->entry->verdict->state == STATE_WITHDRAWN)
            continue;
        const struct site_best one = picture_of_row(s, kind, name, rows[i]);
        if (!best.row || site_best_before(&one, &best))
            best = one;
    }
    return best;
}

/* The column of this kind that rows of the group have a figure in; NULL. */
static const char *const *name_of_picture(struct sheet *s, const struct picture_group *g,
                                          const struct picture_kind *kind)
{
    double value;
    for (size_t k = 0; k < NAMES_MAX && kind->names[k]; k++)
        for (size_t r = 0; r < g->n; r++)
            if (site_drawn_value(site_row_metric(g->rows[r], kind->names[k]), s->arena, &value))
                return &kind->names[k];
    return NULL;
}

static void find_card_bests(struct sheet *s, struct picture_group *g)
{
    const struct site_row **sorted = arena_array(s->arena, g->n, sizeof *sorted);
    size_t *begins = arena_array(s->arena, g->n + 1, sizeof *begins);
    g->n_cards = rows_by_card(s, g, sorted, begins);
    for (size_t k = 0; k < PICTURE_KINDS; k++) {
        const char *const *name = name_of_picture(s, g, &picture_kinds[k]);
        g->best[k] = arena_array(s->arena, g->n_cards, sizeof *g->best[k]);
        for (size_t c = 0; name && c < g->n_cards; c++) {
            g->best[k][c] = picture_of_card(s, &picture_kinds[k], name, sorted + begins[c],
                                            begins[c + 1] - begins[c]);
            g->drawn[k] += g->best[k][c].figure != NULL;
        }
    }
    for (size_t k = 0; k < PICTURE_KINDS && !g->first.figure; k++)
        for (size_t c = 0; c < g->n_cards; c++)
            if (g->best[k][c].figure &&
                (!g->first.figure || site_best_before(&g->best[k][c], &g->first)))
                g->first = g->best[k][c];
}

static int compare_groups(const void *a, const void *b)
{
    const struct picture_group *x = a, *y = b;
    int xs = x->first.figure ? x->first.standing : 4, ys = y->first.figure ? y->first.standing : 4;
    if ((xs > 1 || ys > 1) && (xs <= 1 || ys <= 1)) /* something checked before nothing checked */
        return xs - ys;
    for (size_t k = 0; k < PICTURE_KINDS; k++)
        if (x->drawn[k] != y->drawn[k])
            return x->drawn[k] > y->drawn[k] ? -1 : 1;
    return xs != ys ? xs - ys : x->given < y->given ? -1 : x->given > y->given;
}

static size_t picture_groups(struct sheet *s, const struct site_list *model,
                             struct picture_group **out)
{
    struct picture_group *groups = arena_array(s->arena, model->n, sizeof *groups);
    size_t n = 0;
    for (size_t i = 0, end; i < model->n; i = end) {
        for (end = i + 1; end < model->n && site_rows_compare(model->rows[i], model->rows[end]);)
            end++;
        groups[n] = (struct picture_group){
            .rows = (const struct site_row *const *)model->rows + i, .n = end - i, .given = n};
        find_card_bests(s, &groups[n++]);
    }
    qsort(groups, n, sizeof *groups, compare_groups);
    *out = groups;
    return n;
}

/* ---- names -------------------------------------------------------------------------------------
 */

/* "NVIDIA H100", "NVIDIA" where no card is named. */
static const char *picture_card_name(struct sheet *s, const struct site_row *row)
{
    const char *vendor = sheet_vendor(s, row->entry);
    const char *card = row->accelerator ? sheet_card(s, row->accelerator) : row->card;
    bool named = *card && !sheet_absent(s, card);
    bool says_vendor = named && strncmp(card, vendor, strlen(vendor)) == 0;
    return sheet_short(s, !named        ? vendor
                          : says_vendor ? card
                                        : arena_printf(s->arena, "%s %s", vendor, card));
}

/* "NVIDIA H100 · 1×8 · TP2PP1DP4": what there is of it. */
static const char *row_label(struct sheet *s, const struct site_row *row)
{
    const char *name = picture_card_name(s, row);
    if (row->cards)
        name = arena_printf(s->arena, "%s · %ld×%ld", name, row->nodes, row->cards);
    return *row->plan
               ? arena_printf(s->arena, "%s · %s", name, foreign_line(s->arena, row->plan, 32))
               : name;
}

static const char *group_name(struct sheet *s, const struct picture_group *g)
{
    return arena_printf(s->arena, "%s · %s", g->rows[0]->entry->result->case_id,
                        sheet_group(s, g->rows[0]));
}

static void set_target(struct sheet *s, struct view *v, const struct site_row *row)
{
    view_set_text(v, "path", row->entry->path);
    view_set_text(v, "anchor",
                  row->row ? arena_printf(s->arena, "f%d-%d", row->table, row->row) : "figures");
    sheet_set_state(s, v, row->entry->verdict->state);
}

/* ---- pictures ----------------------------------------------------------------------------------
 */

static struct chart_bar bar_of_best(struct sheet *s, const struct site_best *best)
{
    return (struct chart_bar){.label = row_label(s, best->row),
                              .figure = sheet_best_text(s, best),
                              .value = best->value,
                              .state = best->row->entry->verdict->state,
                              .state_word = sheet_state_word(s, best->row->entry->verdict->state),
                              .contradicted = best->standing == 3};
}

static void push_lacking(struct sheet *s, struct view *list, const struct site_best *best,
                         const char *name)
{
    struct view *v = view_push_object(list);
    const struct metric *m = site_row_metric(best->row, name);
    const char *word = m ? sheet_figure_absent(s, m) : NULL;
    view_set_flag(v, "next", list->n > 1);
    sheet_set_pieces(s, v, "name", picture_card_name(s, best->row));
    view_set_text(v, "word", word ? word : sheet_t(s, "figure.none"));
    set_target(s, v, best->row);
}

/* One picture, and beside it the cards that have no figure to draw. */
static void push_picture(struct sheet *s, struct view *list, const struct picture_group *g,
                         size_t kind, size_t at)
{
    struct chart_bar bars[CHART_BARS_MAX];
    const struct metrics_column *column = NULL;
    struct view *v = view_push_object(list), *lacking = view_set_list(v, "lacking");
    const char *name = *name_of_picture(s, g, &picture_kinds[kind]);
    size_t n = 0;
    column = metrics_by_key(name);
    for (size_t c = 0; c < g->n_cards; c++) {
        const struct site_best *best = &g->best[kind][c];
        if (best->figure && n < CHART_BARS_MAX)
            bars[n++] = bar_of_best(s, best);
        else if (best->row && !best->figure)
            push_lacking(s, lacking, best,
                         picture_kinds[kind].per ? picture_kinds[kind].per : name);
    }
    bool is_ratio = picture_kinds[kind].per != NULL;
    const char *label = is_ratio ? sheet_t(s, "answer.joule") : sheet_words(s, column->label);
    const char *unit = is_ratio ? sheet_t(s, "unit.joule") : sheet_unit(s, column->unit);
    const struct chart_bars chart = {
        .id = arena_printf(s->arena, "best-%zu-%s", at, picture_kinds[kind].key),
        .title = sheet_fill(s, "answer.picture", {"figure", label}),
        .description = sheet_t(s, "bars.description"),
        .unit = sheet_fill(s, "bars.unit", {"unit", unit}),
        .others_heading = sheet_t(s, "bars.apart"),
        .cut = sheet_t(s, "bars.cut"),
        .empty = sheet_t(s, "rows.empty"),
        .bars = bars,
        .n = n};
    struct buf svg = BUF_INIT(BUF_DEFAULT_MAX);
    chart_bars_write(&svg, &chart, CHART_BOTH);
    view_set_text(v, "key", picture_kinds[kind].key);
    view_set_text(v, "label", label);
    view_set_raw(v, "svg", svg.data);
    view_set_flag(v, "lacks", lacking->n > 0);
    buf_release(&svg);
}

/* All rows of the group, throughput against MFU. */
static void push_scatter(struct sheet *s, struct view *list, const struct picture_group *g,
                         size_t at)
{
    struct buf svg = BUF_INIT(BUF_DEFAULT_MAX);
    sheet_write_rate_and_mfu(s, &svg, arena_printf(s->arena, "both-%zu", at), g->rows, g->n);
    if (svg.len) {
        struct view *v = view_push_object(list);
        view_set_text(v, "key", "both");
        view_set_text(v, "label", sheet_t(s, "points.mfu"));
        view_set_raw(v, "svg", svg.data);
        view_set_flag(v, "lacks", false);
    }
    buf_release(&svg);
}

static void push_group(struct sheet *s, struct view *list, const struct picture_group *g)
{
    struct view *v = view_push_object(list);
    size_t at = list->n;
    sheet_set_pieces(s, v, "group", group_name(s, g));
    view_set_printf(v, "target", "g-%s-%s", g->rows[0]->entry->result->case_id, g->rows[0]->group);
    view_set_text(v, "best", sheet_best_text(s, &g->first));
    view_set_text(v, "unit", sheet_best_unit(s, &g->first));
    view_set_text(v, "count", sheet_row_count(s, g->n));
    view_set_flag(v, "open", at == 1);
    sheet_set_state(s, v, g->first.row->entry->verdict->state);
    struct view *pictures = view_set_list(v, "metrics");
    for (size_t k = 0; k < PICTURE_KINDS; k++)
        if (g->drawn[k])
            push_picture(s, pictures, g, k, at);
    push_scatter(s, pictures, g, at);
}

/* ---- the answer --------------------------------------------------------------------------------
 */

static const char *headline_of(struct sheet *s, const struct site_best *best)
{
    const char *unit = sheet_best_unit(s, best);
    const char *figure =
        arena_printf(s->arena, "%s%s%s", sheet_best_text(s, best), *unit ? " " : "", unit);
    return sheet_fill(s, best->standing == 0 ? "answer.verified" : "answer.stated",
                      {"figure", figure}, {"name", row_label(s, best->row)});
}

const char *sheet_answer_of(struct sheet *s, const struct site_list *model,
                            const struct site_row **row)
{
    struct picture_group *groups;
    size_t n = picture_groups(s, model, &groups);
    bool answered = n > 0 && groups[0].first.figure;
    *row = answered ? groups[0].first.row : NULL;
    return answered ? headline_of(s, &groups[0].first) : sheet_t(s, "answer.none");
}

static void set_headline(struct sheet *s, const struct picture_group *g)
{
    const struct site_best *best = &g->first;
    struct view *v = view_set_object(s->view, "answer");
    sheet_set_pieces(s, v, "headline", headline_of(s, best));
    sheet_set_pieces(s, v, "group", group_name(s, g));
    set_target(s, v, best->row);
    sheet_set_why(s, v, best->row);
    size_t with = 0;
    for (size_t i = 0; i < g->n; i++)
        with += g->rows[i]->evidence != NULL;
    view_set_text(v, "evidence",
                  sheet_fill(s, "answer.evidence", {"n", sheet_number(s, with)},
                             {"of", sheet_row_count(s, g->n)}));
}

void sheet_set_answer(struct sheet *s, const struct site_list *model)
{
    struct picture_group *groups;
    size_t n = picture_groups(s, model, &groups);
    bool answered = n > 0 && groups[0].first.figure;
    struct view *list = view_set_list(s->view, "pictures");
    view_set_flag(s->view, "answer", false);
    view_set_flag(s->view, "unanswered", !answered);
    if (answered)
        set_headline(s, &groups[0]);
    for (size_t i = 0; i < n && i < PICTURES_MAX; i++)
        if (groups[i].first.figure)
            push_group(s, list, &groups[i]);
}
