/* Results side by side: the pairs that were asked for, and where rows may be picked. */
#include "renderer/site_chart.h"
#include "renderer/site_tables.h"

#include "base/buf.h"

#include <math.h>
#include <string.h>

static void set_pairs(struct sheet *s)
{
    struct view *pairs = view_set_list(s->view, "pairs");
    for (size_t p = 0; p < s->index->n_pairs; p++) {
        const struct site_compared *pair = &s->index->pairs[p];
        struct view *v = view_push_object(pairs);
        view_set_text(v, "name", pair->name);
        view_set_text(
            v, "a",
            arena_printf(s->arena, "%s · %s", sheet_vendor(s, pair->a), pair->a->result->case_id));
        view_set_text(
            v, "b",
            arena_printf(s->arena, "%s · %s", sheet_vendor(s, pair->b), pair->b->result->case_id));
    }
    view_set_flag(s->view, "has_pairs", pairs->n > 0);
}

/* Who has rows in a group: "MetaX, NVIDIA". */
static const char *vendors_of(struct sheet *s, const struct site_group *g)
{
    size_t n;
    const struct site_entry **vendors = site_group_vendors(g, s->arena, &n);
    struct buf all;
    buf_init(&all, BUF_DEFAULT_MAX);
    for (size_t i = 0; i < n; i++)
        buf_printf(&all, "%s%s", i ? sheet_t(s, "list.and") : "", sheet_vendor(s, vendors[i]));
    const char *text = arena_strndup(s->arena, all.data, all.len);
    buf_release(&all);
    return text;
}

static void push_group(struct sheet *s, struct view *list, const struct site_group *group)
{
    struct view *v = view_push_object(list);
    const struct site_part *page = site_group_part(s->index, group);
    view_set_text(v, "model", site_part_path(page, s->arena));
    view_set_text(v, "model_name", sheet_model(s, group->of));
    view_set_text(v, "case", group->of->result->case_id);
    view_set_text(v, "class_id", group->rows[0]->group);
    view_set_text(v, "class", sheet_group(s, group->rows[0]));
    view_set_text(v, "vendors", vendors_of(s, group));
    view_set_printf(v, "count", "%zu", group->n);
}

/* Groups in which there is something to compare. */
void sheet_compare(struct sheet *s, size_t i)
{
    size_t n = s->index->n_comparable, first = i * SITE_PAGE_ROWS;
    sheet_set_title(s, sheet_t(s, "compare.title"), sheet_t(s, "compare.description"));
    view_set_text(s->view, "data", "data/compare");
    set_pairs(s);
    struct view *groups = view_set_list(s->view, "groups");
    for (size_t g = first; g < n && g < first + SITE_PAGE_ROWS; g++)
        push_group(s, groups, s->index->comparable[g]);
    view_set_flag(s->view, "has_groups", groups->n > 0);
    view_set_text(s->view, "all_rows",
                  s->index->n_rows
                      ? sheet_fill(s, "home.all", {"n", sheet_number(s, s->index->n_rows)})
                      : "");
    sheet_set_pages(s, "compare/", i + 1, (n + SITE_PAGE_ROWS - 1) / SITE_PAGE_ROWS);
}

static void set_side(struct sheet *s, const char *key, const struct site_entry *e)
{
    struct view *v = view_set_object(s->view, key);
    view_set_text(v, "path", e->path);
    view_set_text(v, "vendor_name", sheet_vendor(s, e));
    view_set_text(v, "case", e->result->case_id);
    sheet_set_state(s, v, e->verdict->state);
}

/* What the right one is beside the left one, and whether more of it is better. */
static void set_difference(struct sheet *s, struct view *v, const struct metrics_column *column,
                           const struct metric *x, const struct metric *y)
{
    double percent;
    bool both = x && y && site_percent_between(x->stated, y->stated, s->arena, &percent);
    view_set_flag(v, "no_difference", !both);
    view_set_text(v, "difference",
                  !both ? sheet_t(s, "figure.incomparable")
                        : arena_printf(s->arena, "%s%s %%",
                                       percent < 0   ? "−"
                                       : percent > 0 ? "+"
                                                     : "",
                                       site_percent_text(fabs(percent), fabs(percent) < 1 ? 4 : 2,
                                                         s->arena)));
    sheet_set_direction(s, v, column->better);
}

static void push_metric(struct sheet *s, struct view *list, const struct metrics_column *column,
                        const struct site_row *a, const struct site_row *b)
{
    const struct metric *x = site_row_metric(a, column->key), *y = site_row_metric(b, column->key);
    if (!x && !y)
        return;
    struct view *v = view_push_object(list);
    view_set_text(v, "label", sheet_words(s, column->label));
    view_set_text(v, "unit", sheet_unit(s, column->unit));
    sheet_set_figure(s, v, "left", x);
    sheet_set_figure(s, v, "right", y);
    set_difference(s, v, column, x, y);
}

static void push_rows(struct sheet *s, struct view *list, const struct site_row *a,
                      const struct site_row *b)
{
    size_t n;
    const struct metrics_column *columns = metrics_columns(&n);
    struct view *v = view_push_object(list);
    view_set_printf(v, "number", "%zu", list->n);
    sheet_set_configuration(s, v, "a", *a->configuration ? a->configuration : a->card);
    sheet_set_configuration(s, v, "b", *b->configuration ? b->configuration : b->card);
    sheet_set_detail(s, view_set_object(v, "a_detail"), a);
    sheet_set_detail(s, view_set_object(v, "b_detail"), b);
    view_set_text(v, "a_precision", a->precision);
    view_set_text(v, "b_precision", b->precision);
    struct view *metrics = view_set_list(v, "metrics");
    for (size_t c = 0; c < n; c++)
        push_metric(s, metrics, &columns[c], a, b);
}

/* Losses of one case follow one reference, at whatever precision. */
static void set_losses(struct sheet *s, const struct site_compared *pair)
{
    const struct site_entry *a = pair->a, *b = pair->b;
    bool same = strcmp(a->result->case_id, b->result->case_id) == 0;
    const struct site_row **rows = arena_array(s->arena, a->n_rows + b->n_rows, sizeof *rows);
    for (size_t i = 0; i < a->n_rows; i++)
        rows[i] = a->rows[i];
    for (size_t i = 0; i < b->n_rows; i++)
        rows[a->n_rows + i] = b->rows[i];
    sheet_set_overlay(s, s->view, rows, same ? a->n_rows + b->n_rows : 0, 2);
}

/* Rows are paired where they may be compared; of those, in the order of the pages. */
#define PAIRS_OF_ROWS_MAX 64

void sheet_pair(struct sheet *s, size_t i)
{
    const struct site_compared *pair = &s->index->pairs[i];
    const char *title = sheet_fill(s, "pair.title", {"a", sheet_vendor(s, pair->a)},
                                   {"b", sheet_vendor(s, pair->b)});
    sheet_set_title(s, title, sheet_t(s, "compare.description"));
    view_set_text(s->view, "data", arena_printf(s->arena, "data/compare/%s", pair->name));
    set_side(s, "left_side", pair->a);
    set_side(s, "right_side", pair->b);
    struct view *rows = view_set_list(s->view, "rows");
    for (size_t x = 0; x < pair->a->n_rows; x++)
        for (size_t y = 0; y < pair->b->n_rows && rows->n < PAIRS_OF_ROWS_MAX; y++)
            if (site_rows_compare(pair->a->rows[x], pair->b->rows[y]))
                push_rows(s, rows, pair->a->rows[x], pair->b->rows[y]);
    view_set_flag(s->view, "any", rows->n > 0);
    set_losses(s, pair);
}
