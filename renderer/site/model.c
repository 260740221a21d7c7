/* The page of a model: one table for each group of rows that may be compared, and no other order.
 */
#include "renderer/site/answer.h"
#include "renderer/site/history/timeline.h"
#include "renderer/site/sheet/chart.h"
#include "renderer/site/sheet/kind.h"
#include "renderer/site/sheet/scaling.h"

#include "base/figures/figure.h"
#include "base/markdown/markdown.h"
#include "renderer/charts/bars.h"

#include <math.h>
#include <string.h>

/* The figures that rows of a group have, in the order of metrics.h. */
static struct site_columns columns_of_group(const struct site_part *g)
{
    struct site_columns columns = {.n = 0};
    size_t n;
    const struct metrics_column *known = metrics_columns(&n);
    for (size_t k = 0; k < n && columns.n < SITE_COLUMNS_MAX; k++) {
        bool used = false;
        for (size_t r = 0; r < g->n && !used; r++)
            used = site_row_metric(g->rows[r], known[k].key) != NULL;
        if (used)
            columns.at[columns.n++] = &known[k];
    }
    return columns;
}

static void set_model_columns(struct sheet *s, struct view *v, const struct site_columns *columns)
{
    struct view *list = view_set_list(v, "columns");
    for (size_t c = 0; c < columns->n; c++) {
        struct view *column = view_push_object(list);
        view_set_text(column, "label", sheet_words(s, columns->at[c]->label));
        view_set_text(column, "unit", sheet_unit(s, columns->at[c]->unit));
        view_set_text(column, "key", columns->at[c]->key);
        sheet_set_direction(s, column, columns->at[c]->better);
    }
}

/* ---- the throughput of a group, drawn ---------------------------------------------------- */

/* Is it in token/p/s, as the heading says, and can it be drawn? */
static struct chart_bar bar_of(struct sheet *s, const struct site_part *g,
                               const struct site_row *row)
{
    const struct metric *m = site_row_metric(row, "token_per_s_per_card");
    const char *stated = m && m->stated ? markdown_plain(s->arena, m->stated) : "";
    bool drawn = m && figure_has_value(m->says);
    return (struct chart_bar){.label = sheet_row_name(s, row, g->rows, g->n),
                              .figure = sheet_short(s, stated),
                              .value = drawn ? m->says->value : 0,
                              .missing = drawn ? NULL
                                         : m   ? sheet_absent(s, stated)
                                               : sheet_t(s, "figure.none"),
                              .state = row->entry->verdict->state,
                              .state_word = sheet_state_word(s, row->entry->verdict->state),
                              .mark = sheet_row_mark(s, row),
                              .contradicted = row->place && row->place->contradicted};
}

static void set_bars(struct sheet *s, struct view *v, const struct site_part *g, size_t at)
{
    struct buf svg = BUF_INIT(BUF_DEFAULT_MAX);
    struct chart_bar *bars = arena_array(s->arena, g->n, sizeof *bars);
    size_t drawn = 0;
    for (size_t i = 0; i < g->n; i++) {
        bars[i] = bar_of(s, g, g->rows[i]);
        drawn += bars[i].value > 0;
        if (!bars[i].missing && !(bars[i].value > 0))
            bars[i].missing = bars[i].figure;
    }
    const struct chart_bars chart = {
        .id = arena_printf(s->arena, "bars-%zu", at),
        .title = sheet_t(s, "chart.throughput"),
        .description = sheet_t(s, "bars.description"),
        .unit = sheet_fill(s, "bars.unit", {"unit", sheet_t(s, "unit.card")}),
        .others_heading = sheet_t(s, "bars.apart"),
        .sorted_heading = sheet_t(s, "bars.sorted"),
        .cut = sheet_t(s, "bars.cut"),
        .empty = sheet_t(s, "rows.empty"),
        .bars = bars,
        .n = g->n};
    if (drawn > 1)
        chart_bars_write(&svg, &chart, CHART_BOTH);
    view_set_raw(v, "bars", svg.data);
    buf_release(&svg);
}

/* What a page has of one group, the first of its case or another: all of it, unless it is longer
 * than a page. */
static void push_model_group(struct sheet *s, struct view *groups, const struct site_part *g,
                             bool is_first, size_t page_rows)
{
    struct site_columns columns = columns_of_group(g);
    const struct site_row *first = g->rows[0];
    const struct case_record *c = first->entry->case_record;
    size_t at = groups->n;
    struct view *v = view_push_object(groups);
    view_set_text(v, "case", first->entry->result->case_id);
    sheet_set_pieces(s, v, "case_title", c ? sheet_words(s, c->title) : "");
    view_set_text(v, "class", sheet_group(s, first));
    view_set_text(v, "class_id", first->group);
    view_set_text(v, "sequence",
                  isnan(first->sequence) && c && c->sequence_length
                      ? arena_printf(s->arena, "%lld", c->sequence_length)
                      : "");
    bool said = c && (c->sequence_length || c->micro_batch || c->data); /* a draft says nothing */
    view_set_flag(v, "no_case", !said && is_first);
    view_set_flag(v, "reference", c && c->alignment && c->alignment->reference);
    sheet_set_rows(s, v, g->rows, g->n, &columns);
    view_set_flag(v, "filter", page_rows > SHEET_FEW_ROWS); /* one bar for all tables */
    set_model_columns(s, v, &columns);
    set_bars(s, v, g, at);
    sheet_set_overlay(s, v, g->rows, g->n, 2);
    view_set_printf(v, "span", "%zu", 4 + columns.n);
}

static void push_model_groups(struct sheet *s, const struct site_part *part)
{
    struct view *groups = view_set_list(s->view, "groups");
    for (size_t i = 0, end; i < part->n; i = end) {
        for (end = i + 1; end < part->n && site_rows_compare(part->rows[i], part->rows[end]);)
            end++;
        const struct site_part group = {.list = part->list, .rows = part->rows + i, .n = end - i};
        const char *before = i ? part->rows[i - 1]->entry->result->case_id : "";
        push_model_group(s, groups, &group,
                         strcmp(before, group.rows[0]->entry->result->case_id) != 0, part->n);
    }
}

static void fill_model_page(struct sheet *s, size_t i)
{
    const struct site_part *part = &s->index->model_parts.items[i];
    const struct model *m = part->list->record;
    const char *none = sheet_t(s, "figure.none");
    sheet_set_part(s, part, m ? sheet_words(s, m->name) : part->list->called, "model");
    view_set_flag(s->view, "no_record", !m);
    view_set_text(s->view, "nominal",
                  m && m->nominal_parameters > 0 ? sheet_grouped(s, m->nominal_parameters) : none);
    view_set_text(s->view, "exact",
                  m && m->exact_parameters > 0 ? sheet_grouped(s, m->exact_parameters) : none);
    view_set_text(s->view, "source", m && m->source ? m->source : "");
    view_set_flag(s->view, "begins", part->number == 1);
    if (part->number == 1) {
        sheet_set_answer(s, part->list);
        sheet_set_timeline(s, part->list);
    }
    push_model_groups(s, part);
    sheet_set_scalings(s, s->view, part->rows, part->n);
}

const struct site_kind site_kind_model = {
    .name = "model",
    .path = "model/{name}index.html",
    .template = "site/model.html",
    .section = "directory",
    .parts = SITE_PARTS(model),
    .fill = fill_model_page,
    .depends = SITE_ON_LIST,
};
