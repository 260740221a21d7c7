/*
 * The parallel plan of each row that names one ("TP4PP8DP1"), drawn over its machines and cards
 * (result.h). Of rows with the same plan on as many cards, the first is drawn.
 */
#include "renderer/site/result/result.h"
#include "renderer/site/sheet/chart.h"

#include "renderer/charts/plan.h"
#include "renderer/site/sheet/scaling.h"

#include <stddef.h>
#include <string.h>

static const struct sheet_word plan_words[] = {
    {offsetof(struct chart_plan, description), "plan.description"},
    {offsetof(struct chart_plan, machine), "plan.machine"},
    {offsetof(struct chart_plan, alike), "plan.alike"},
    {offsetof(struct chart_plan, others), "plan.others"},
    {offsetof(struct chart_plan, stage), "plan.stage"},
    {offsetof(struct chart_plan, replica), "plan.replica"},
    {offsetof(struct chart_plan, tensor), "plan.tensor"},
};

static bool draw_plan(struct sheet *s, struct view *list, const struct site_row *row,
                      const struct site_plan *p)
{
    struct buf svg = BUF_INIT(BUF_DEFAULT_MAX);
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

/* Why a plan is not drawn, and those of which it is true. */
enum undrawn { UNDRAWN_MANY, UNDRAWN_RANKS, UNDRAWN_UNKNOWN, UNDRAWN_LARGE, UNDRAWN };

struct undrawn_plans {
    const char *names;
    size_t n;
};

static double ranks_of(const struct site_plan *p)
{
    return (double)p->tp * (double)p->pp * (double)p->dp;
}

static enum undrawn why_undrawn(const struct site_plan *p)
{
    double cards = (double)p->machines * (double)p->cards;
    if (p->machines < 1 || p->cards < 1)
        return UNDRAWN_UNKNOWN;
    if (ranks_of(p) != cards)
        return UNDRAWN_RANKS;
    return p->cards > CHART_PLAN_CARDS_MAX || cards > CHART_PLAN_WORLD_MAX ? UNDRAWN_LARGE
                                                                           : UNDRAWN_MANY;
}

/* "TP2 × PP2 × DP4 (1×8)"; of one that does not fit its cards with how many they are. */
static const char *undrawn_plan_name(struct sheet *s, const struct site_plan *p, enum undrawn why)
{
    const char *plan = arena_printf(s->arena, "TP%ld × PP%ld × DP%ld", p->tp, p->pp, p->dp);
    if (why == UNDRAWN_UNKNOWN)
        return plan;
    const char *size = arena_printf(s->arena, "%ld×%ld", p->machines, p->cards);
    if (why != UNDRAWN_RANKS)
        return arena_printf(s->arena, "%s (%s)", plan, size);
    return sheet_fill(s, "plan.ranks", {"plan", plan},
                      {"ranks", arena_printf(s->arena, "%.0f", ranks_of(p))},
                      {"n", arena_printf(s->arena, "%.0f", (double)p->machines * (double)p->cards)},
                      {"size", size});
}

/* A sentence for each reason. */
static void set_left_out(struct sheet *s, const struct undrawn_plans *left)
{
    static const char *const sentences[UNDRAWN] = {
        [UNDRAWN_MANY] = "plan.more",
        [UNDRAWN_RANKS] = "plan.unfit",
        [UNDRAWN_UNKNOWN] = "plan.unknown",
        [UNDRAWN_LARGE] = "plan.large",
    };
    struct view *list = view_set_list(s->view, "more_plans");
    for (int why = 0; why < UNDRAWN; why++) {
        const struct undrawn_plans *of = &left[why];
        const char *more = of->n > NAMED_MAX ? " …" : "";
        if (of->n)
            view_set_text(view_push_object(list), "sentence",
                          sheet_fill(s, sentences[why], {"n", sheet_number(s, of->n)},
                                     {"plans", arena_printf(s->arena, "%s%s", of->names, more)}));
    }
}

static bool has_plan(const struct site_plan *plans, size_t n, const struct site_plan *p)
{
    for (size_t i = 0; i < n; i++)
        if (memcmp(&plans[i], p, sizeof *p) == 0)
            return true;
    return false;
}

/* Those that do not fit their cards cannot be drawn; they are named as well, with the reason. */
void sheet_set_plans(struct sheet *s, const struct site_entry *e)
{
    struct view *list = view_set_list(s->view, "plans");
    struct site_plan *seen = arena_array(s->arena, e->n_rows, sizeof *seen), p;
    struct undrawn_plans left[UNDRAWN] = {0};
    size_t n = 0;
    for (size_t i = 0; i < e->n_rows; i++) {
        if (!e->rows[i]->row || !site_plan_of(e->rows[i], &p) || has_plan(seen, n, &p))
            continue;
        seen[n++] = p;
        if (list->n < PLANS_MAX && draw_plan(s, list, e->rows[i], &p))
            continue;
        enum undrawn why = why_undrawn(&p);
        struct undrawn_plans *of = &left[why];
        if (of->n++ < NAMED_MAX)
            of->names = arena_printf(s->arena, "%s%s%s", of->n > 1 ? of->names : "",
                                     of->n > 1 ? sheet_t(s, "list.and") : "",
                                     undrawn_plan_name(s, &p, why));
    }
    /* {"drawn", "further"}: those that are seen at once, and those below them. */
    struct view *drawn = view_set_list(s->view, "drawn");
    struct view *further = view_set_list(s->view, "further");
    size_t shown = list->n <= PLANS_SHOWN + 1 ? list->n : PLANS_SHOWN; /* not one alone */
    for (size_t i = 0; i < list->n; i++)
        view_push(i < shown ? drawn : further, list->items[i]);
    view_set_flag(s->view, "has_folded_plans", further->n > 0);
    view_set_text(s->view, "folded_plans",
                  sheet_fill(s, "plan.further", {"n", sheet_number(s, further->n)}));
    view_set_flag(s->view, "has_plans", n > 0);
    view_set_flag(s->view, "has_drawn", list->n > 0);
    set_left_out(s, left);
}
