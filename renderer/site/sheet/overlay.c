/* Losses of several runs of one case in one drawing (chart.h): where results are compared. */
#include "renderer/site/sheet/chart.h"
#include "renderer/site/sheet/difference.h"

#include <math.h>

/* The evidence of a row that has a curve. */
struct overlaid {
    const struct site_row *row;
    const struct row_evidence *evidence;
};

struct overlay {
    struct overlaid runs[CHART_OVERLAID_MAX];
    size_t n, left_out;
    const struct row_evidence *compared; /* the first with a reference; NULL: none */
};

static bool has_run(const struct overlay *o, const struct row_evidence *e)
{
    for (size_t i = 0; i < o->n; i++)
        if (o->runs[i].evidence == e)
            return true;
    return false;
}

/* One archive may stand for several rows. */
static struct overlay collect_overlay(const struct site_row *const *rows, size_t n)
{
    struct overlay o = {.n = 0};
    const struct row_evidence *last = NULL;
    for (size_t i = 0; i < n; i++) {
        const struct row_evidence *e = rows[i]->evidence;
        if (!e || e->curve.n == 0 || e == last || has_run(&o, e))
            continue;
        last = e;
        if (o.n == CHART_OVERLAID_MAX) {
            o.left_out++;
            continue;
        }
        o.runs[o.n++] = (struct overlaid){rows[i], e};
        if (!o.compared && e->reference.n > 0)
            o.compared = e;
    }
    return o;
}

/* Runs are told from each other, in the drawing and in its table. */
static const char *overlaid_run_name(struct sheet *s, const struct overlay *o,
                                     const struct site_row *row)
{
    const struct site_row *rows[CHART_OVERLAID_MAX];
    for (size_t i = 0; i < o->n; i++)
        rows[i] = o->runs[i].row;
    return sheet_row_name(s, row, rows, o->n);
}

static void draw_overlay(struct sheet *s, struct view *list, const struct overlay *o, size_t at)
{
    const char *title = sheet_t(s, o->compared ? "chart.convergence" : "chart.lossonly");
    struct chart_text words = sheet_chart_words(s, "overlay", at, title, "overlay.description");
    struct chart_series runs[CHART_OVERLAID_MAX], reference;
    for (size_t i = 0; i < o->n; i++)
        runs[i] = (struct chart_series){.x = o->runs[i].evidence->curve.step,
                                        .y = o->runs[i].evidence->curve.loss,
                                        .n = o->runs[i].evidence->curve.n,
                                        .label = overlaid_run_name(s, o, o->runs[i].row)};
    const struct alignment *a = o->compared ? o->compared->alignment : NULL;
    if (o->compared)
        reference = (struct chart_series){.x = o->compared->reference.step,
                                          .y = o->compared->reference.loss,
                                          .n = o->compared->reference.n,
                                          .label = sheet_t(s, "chart.reference")};
    else
        words.deviation = sheet_fill(s, "overlay.deviation", {"name", runs[0].label});
    sheet_push_chart(s, list,
                     chart_overlay(s->arena, &words, runs, o->n, o->compared ? &reference : NULL,
                                   a ? a->limit : NAN, a ? a->from_step : 0),
                     title);
}

/* What the alignment rule says of each run: the numbers of the picture. */
static void push_run(struct sheet *s, struct view *list, const struct overlay *o,
                     const struct overlaid *run)
{
    const struct alignment *a = run->evidence->alignment;
    struct view *v = view_push_object(list);
    view_set_text(v, "name", overlaid_run_name(s, o, run->row));
    view_set_text(v, "path", run->row->entry->path);
    sheet_set_state(s, v, run->row->entry->verdict->state);
    view_set_flag(v, "compared", a != NULL);
    view_set_text(v, "logged", sheet_number(s, run->evidence->curve.n));
    if (!a)
        return;
    view_set_text(v, "steps", sheet_number(s, a->steps));
    view_set_text(v, "mean", site_percent_text(a->mean_rel_error * 100, 4, s->arena));
    view_set_text(v, "max", site_percent_text(a->max_rel_error * 100, 4, s->arena));
    view_set_printf(v, "step", "%.10g", a->max_step);
    view_set_flag(v, "aligned", a->aligned);
}

void sheet_set_overlay(struct sheet *s, struct view *v, const struct site_row *const *rows,
                       size_t n, size_t least)
{
    const struct overlay o = collect_overlay(rows, n);
    struct view *charts = view_set_list(v, "charts");
    view_set_flag(v, "overlaid", false);
    if (o.n < least)
        return;
    draw_overlay(s, charts, &o, s->n_overlays++);
    struct view *overlaid = view_set_object(v, "overlaid");
    struct view *runs = view_set_list(overlaid, "runs");
    for (size_t i = 0; i < o.n; i++)
        push_run(s, runs, &o, &o.runs[i]);
    view_set_text(overlaid, "left_out",
                  o.left_out ? sheet_fill(s, "overlay.more", {"n", sheet_number(s, o.left_out)})
                             : "");
}
