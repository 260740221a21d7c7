/* drawings: scores over accelerators, both axes logarithmic. */
#include "renderer/site/mlperf/mlperf.h"

#include <string.h>

#define SERIES_MAX 6 /* with a name of their own; others share the last */

struct scatter_series {
    const char *names[SERIES_MAX];
    size_t n;
};

static size_t series_of(struct sheet *s, struct scatter_series *all, const char *name)
{
    for (size_t i = 0; i < all->n; i++)
        if (strcmp(all->names[i], name) == 0)
            return i;
    if (all->n == SERIES_MAX) {
        all->names[SERIES_MAX - 1] = sheet_t(s, "mlperf.others");
        return SERIES_MAX - 1;
    }
    all->names[all->n] = name;
    return all->n++;
}

static double measured(const struct mlperf_place *p, enum mlperf_measure measure)
{
    return measure == MLPERF_MINUTES ? mlperf_minutes(p->score) : p->score->samples;
}

void mlperf_set_scatter(struct sheet *s, struct view *v, const char *key,
                        const struct mlperf_places *places, enum mlperf_measure measure,
                        bool joined)
{
    struct scatter_series series = {{NULL}, 0};
    struct chart_dot *dots = arena_array(s->arena, places->n, sizeof *dots);
    bool minutes = measure == MLPERF_MINUTES;
    size_t n = 0;
    for (size_t i = 0; i < places->n; i++) {
        const struct mlperf_place *p = &places->items[i];
        const struct mlperf_record *r = p->record;
        const char *card = r->accelerator ? sheet_short(s, r->accelerator) : "";
        double y = measured(p, measure);
        if (!(y > 0) || r->accelerators <= 0)
            continue;
        dots[n++] = (struct chart_dot){
            .x = (double)r->accelerators,
            .y = y,
            .series = series_of(s, &series, joined ? p->score->benchmark : card),
            .hollow = strcmp(r->division, "closed") != 0,
            .name = arena_printf(s->arena, "%s, %s, %lld: %.10g", sheet_short(s, r->submitter),
                                 sheet_short(s, r->system_name ? r->system_name : r->system),
                                 r->accelerators, y)};
    }
    const struct chart_scatter chart = {
        .id = arena_printf(s->arena, "mlperf-%s", key),
        .title = sheet_t(s, minutes ? "mlperf.chart.minutes" : "mlperf.chart.samples"),
        .description = sheet_t(s, "mlperf.chart.description"),
        .x_label = sheet_t(s, "mlperf.accelerators"),
        .y_label = sheet_t(s, minutes ? "mlperf.minutes" : "mlperf.samples"),
        .empty = sheet_t(s, "rows.empty"),
        .log_x = true,
        .log_y = true,
        .joined = joined,
        .series = series.names,
        .n_series = series.n,
        .dots = dots,
        .n = n};
    struct buf svg = BUF_INIT(BUF_DEFAULT_MAX);
    if (n > 1)
        chart_scatter_write(&svg, &chart, CHART_BOTH);
    view_set_raw(v, key, n > 1 ? svg.data : "");
    buf_release(&svg);
}
