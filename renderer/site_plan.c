/*
 * The parallel plan of each row that names one ("TP4PP8DP1"), drawn over its machines and cards
 * (site_result.h). Of rows with the same plan on as many cards, the first is drawn.
 */
#include "renderer/site_chart.h"
#include "renderer/site_result.h"
#include "renderer/site_tables.h"

#include "renderer/chart_plan.h"

#include <stddef.h>
#include <string.h>

/* The number behind these two letters, in any case; 1 when they are not there. */
static long size_of(const char *text, const char *letters)
{
    for (; *text; text++)
        if (strncasecmp(text, letters, 2) == 0 && text[2] >= '1' && text[2] <= '9') {
            long size = 0;
            for (text += 2; *text >= '0' && *text <= '9' && size < CHART_PLAN_WORLD_MAX; text++)
                size = size * 10 + (*text - '0');
            return size;
        }
    return 1;
}

static const char *plan_cell(const struct site_row *row)
{
    for (size_t c = 0; row->of && c < row->of->n_columns; c++) {
        const struct metrics_column *column = metrics_column(row->of->columns[c]);
        const struct row *cells = &row->of->rows[row->row - 1];
        if (column && column->kind == COLUMN_PARALLEL && c < cells->n_cells)
            return cells->cells[c].text;
    }
    return NULL;
}

bool site_plan_of(const struct site_row *row, struct site_plan *out)
{
    const char *cell = plan_cell(row);
    const struct case_record *c = row->entry->case_record;
    *out =
        (struct site_plan){.tp = 1, .pp = 1, .dp = 1, .machines = row->nodes, .cards = row->cards};
    if (cell) {
        out->tp = size_of(cell, "TP");
        out->pp = size_of(cell, "PP");
        out->dp = size_of(cell, "DP");
    } else if (c && c->parallel) {
        out->tp = c->parallel->tensor > 0 ? (long)c->parallel->tensor : 1;
        out->pp = c->parallel->pipeline > 0 ? (long)c->parallel->pipeline : 1;
        out->dp = c->parallel->data > 0 ? (long)c->parallel->data : 1;
    }
    return out->tp > 1 || out->pp > 1 || out->dp > 1;
}

static const struct sheet_word plan_words[] = {
    {offsetof(struct chart_plan, description), "plan.description"},
    {offsetof(struct chart_plan, machine), "plan.machine"},
    {offsetof(struct chart_plan, alike), "plan.alike"},
    {offsetof(struct chart_plan, others), "plan.others"},
    {offsetof(struct chart_plan, stage), "plan.stage"},
    {offsetof(struct chart_plan, replica), "plan.replica"},
    {offsetof(struct chart_plan, tensor), "plan.tensor"},
};

static bool draw(struct sheet *s, struct view *list, const struct site_row *row,
                 const struct site_plan *p)
{
    struct buf svg;
    const char *title = arena_printf(s->arena, "TP%ld × PP%ld × DP%ld", p->tp, p->pp, p->dp);
    struct chart_plan plan = {
        .id = arena_printf(s->arena, "plan-%d-%d", row->table, row->row),
        .title = title,
        .machines = p->machines,
        .cards = p->cards,
        .tp = p->tp,
        .pp = p->pp,
        .dp = p->dp,
    };
    sheet_put_words(s, &plan, plan_words, sizeof plan_words / sizeof *plan_words);
    buf_init(&svg, BUF_DEFAULT_MAX);
    bool drawn = chart_plan_write(&svg, &plan, CHART_BOTH);
    if (drawn) {
        struct view *v = view_push_object(list);
        view_set_raw(v, "svg", svg.data);
        view_set_printf(v, "tensor", "%ld", p->tp);
        view_set_printf(v, "pipeline", "%ld", p->pp);
        view_set_printf(v, "data", "%ld", p->dp);
        view_set_printf(v, "machines", "%ld", p->machines);
        view_set_printf(v, "cards", "%ld", p->cards);
        sheet_set_place(s, v, row->table, row->row);
    }
    buf_release(&svg);
    return drawn;
}

/* More drawings than a page should weigh; the others are named below them. */
#define PLANS_MAX 12
#define PLANS_SHOWN 4 /* the others are folded */
#define NAMED_MAX 24

static const char *name_of(struct sheet *s, const struct site_plan *p)
{
    return arena_printf(s->arena, "TP%ld × PP%ld × DP%ld (%ld×%ld)", p->tp, p->pp, p->dp,
                        p->machines, p->cards);
}

static bool has_plan(const struct site_plan *plans, size_t n, const struct site_plan *p)
{
    for (size_t i = 0; i < n; i++)
        if (memcmp(&plans[i], p, sizeof *p) == 0)
            return true;
    return false;
}

/* {"drawn", "further"}: those that are seen at once, and those below them. */
static void set_folded(struct sheet *s, const struct view *plans)
{
    struct view *drawn = view_set_list(s->view, "drawn");
    struct view *further = view_set_list(s->view, "further");
    size_t shown = plans->n <= PLANS_SHOWN + 1 ? plans->n : PLANS_SHOWN; /* not one alone */
    for (size_t i = 0; i < plans->n; i++)
        view_push(i < shown ? drawn : further, plans->items[i]);
    view_set_flag(s->view, "has_folded_plans", further->n > 0);
    view_set_text(s->view, "folded_plans",
                  sheet_fill(s, "plan.further", {"n", sheet_number(s, further->n)}));
}

/* Those that do not fit their cards cannot be drawn; they are named as well. */
void sheet_set_plans(struct sheet *s, const struct site_entry *e)
{
    struct view *list = view_set_list(s->view, "plans");
    struct site_plan *seen = arena_array(s->arena, e->n_rows, sizeof *seen), p;
    const char *others = "";
    size_t n = 0, left_out = 0;
    for (size_t i = 0; i < e->n_rows; i++) {
        if (!e->rows[i]->row || !site_plan_of(e->rows[i], &p) || has_plan(seen, n, &p))
            continue;
        seen[n++] = p;
        if (list->n < PLANS_MAX && draw(s, list, e->rows[i], &p))
            continue;
        if (left_out++ < NAMED_MAX)
            others = arena_printf(s->arena, "%s%s%s", others, *others ? sheet_t(s, "list.and") : "",
                                  name_of(s, &p));
    }
    if (left_out > NAMED_MAX)
        others = arena_printf(s->arena, "%s …", others);
    set_folded(s, list);
    view_set_flag(s->view, "has_plans", list->n > 0);
    view_set_text(
        s->view, "more_plans",
        left_out ? sheet_fill(s, "plan.more", {"n", sheet_number(s, left_out)}, {"plans", others})
                 : "");
}
