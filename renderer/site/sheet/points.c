#include "renderer/site/sheet/points.h"

#include "base/figures/figure.h"
#include "base/project/peaks.h"
#include "renderer/charts/scatter.h"
#include "renderer/site/sheet/difference.h"

#include <math.h>
#include <string.h>

bool site_drawn_value(const struct metric *m, struct arena *arena, double *value)
{
    struct site_value one;
    if (m && m->found && metrics_is_extra(m->name)) /* no page states it */
        return (*value = figure_has_value(m->found) ? m->found->value : 0) > 0;
    bool is_one = site_value(m, arena, &one);
    if (!is_one && !(m && figure_has_value(m->says)))
        return false;
    *value = is_one ? one.value : m->says->value;
    return *value > 0;
}

static int standing_of(const struct site_row *row)
{
    const struct verdict *v = row->entry->verdict;
    return v->state == STATE_VERIFIED               ? 0
           : v->state == STATE_PARTIAL              ? 1
           : row->place && row->place->contradicted ? 3
                                                    : 2;
}

struct site_best site_best_of_row(const struct site_row *row, const char *const *names, size_t n,
                                  struct arena *arena)
{
    struct site_best best = {.row = row, .standing = standing_of(row), .name = n};
    for (size_t i = 0; i < n && !best.figure; i++) {
        const struct metric *m = site_row_metric(row, names[i]);
        if (!site_drawn_value(m, arena, &best.value))
            continue;
        best.figure = m;
        best.name = i;
        best.standing = site_metric_wrong(m) ? 3 : best.standing;
    }
    return best;
}

bool site_best_before(const struct site_best *a, const struct site_best *b)
{
    if (!a->figure != !b->figure)
        return a->figure != NULL;
    if (a->standing != b->standing)
        return a->standing < b->standing;
    return a->name != b->name ? a->name < b->name : a->value > b->value;
}

struct site_best site_best_of(const struct site_row *const *rows, size_t n,
                              const char *const *names, size_t n_names, struct arena *arena)
{
    struct site_best best = {.row = NULL};
    for (size_t i = 0; i < n; i++) {
        if (rows[i]->entry->verdict->state == STATE_WITHDRAWN)
            continue;
        const struct site_best one = site_best_of_row(rows[i], names, n_names, arena);
        if (!best.row || site_best_before(&one, &best))
            best = one;
    }
    return best;
}

static bool is_mfu(const struct site_best *best)
{
    const struct metrics_column *c = metrics_by_key(best->figure->name);
    return c && c->kind == COLUMN_MFU;
}

const char *sheet_best_text(struct sheet *s, const struct site_best *best)
{
    return is_mfu(best)         ? arena_printf(s->arena, "%.1f %% MFU", best->value)
           : best->value >= 100 ? sheet_grouped(s, best->value)
                                : arena_printf(s->arena, "%.3g", best->value);
}

const char *sheet_best_unit(struct sheet *s, const struct site_best *best)
{
    return is_mfu(best) ? "" : sheet_unit(s, best->figure->unit);
}

#define SERIES_MAX 6 /* with a name of their own; others share the last */

/* Points that are being gathered. */
struct points {
    struct chart_dot *dots;
    enum state *states;
    const char **marks;
    size_t n;
    const char *names[SERIES_MAX];
    size_t n_names;
};

static struct points points_for(struct sheet *s, size_t n)
{
    return (struct points){.dots = arena_array(s->arena, n + 1, sizeof(struct chart_dot)),
                           .states = arena_array(s->arena, n + 1, sizeof(enum state)),
                           .marks = arena_array(s->arena, n + 1, sizeof(const char *))};
}

static size_t series_of_point(struct sheet *s, struct points *p, const char *name)
{
    for (size_t i = 0; i < p->n_names; i++)
        if (strcmp(p->names[i], name) == 0)
            return i;
    if (p->n_names < SERIES_MAX) {
        p->names[p->n_names] = name;
        return p->n_names++;
    }
    p->names[SERIES_MAX - 1] = sheet_t(s, "points.others");
    return SERIES_MAX - 1;
}

static const char *card_of_point(struct sheet *s, const struct site_row *row)
{
    const char *card = row->accelerator ? sheet_card(s, row->accelerator) : row->card;
    bool named = *card && !sheet_absent(s, card);
    return sheet_short(s, named ? card : sheet_vendor(s, row->entry));
}

/* `series` is NULL where points have the colours of their states. What a pointer on it says:
 * "NVIDIA · H100, 1 node …, failed: 8,103 tokens/s per card, 39.3 %". */
static void add_point(struct sheet *s, struct points *p, const struct site_row *row, double x,
                      double y, const char *series, const char *says)
{
    const char *name = sheet_row_name(s, row, (const struct site_row *const *)&row, 1);
    p->states[p->n] = row->entry->verdict->state;
    p->marks[p->n] = sheet_row_mark(s, row);
    p->dots[p->n++] = (struct chart_dot){
        .x = x,
        .y = y,
        .series = series ? series_of_point(s, p, series) : 0,
        .name = arena_printf(s->arena, "%s, %s: %s", name,
                             sheet_state_word(s, row->entry->verdict->state), says)};
}

static bool is_in_force(const struct site_row *row)
{
    return row->entry->verdict->state != STATE_WITHDRAWN;
}

static void write_points(struct sheet *s, struct buf *out, struct chart_scatter *chart,
                         const struct points *p)
{
    const char **words = arena_array(s->arena, SITE_STATES, sizeof *words);
    for (int i = 0; i < SITE_STATES; i++)
        words[i] = sheet_state_word(s, (enum state)i);
    chart->empty = sheet_t(s, "rows.empty");
    chart->series = p->n_names ? p->names : NULL;
    chart->n_series = p->n_names;
    chart->dots = p->dots;
    chart->n = p->n;
    chart->states = p->states;
    chart->marks = p->marks;
    chart->state_words = words;
    if (p->n > 1 || chart->frame)
        chart_scatter_write(out, chart, CHART_BOTH);
}

/* ---- throughput against MFU ----------------------------------------------------------------- */

static struct points rates_and_mfus(struct sheet *s, const struct site_row *const *rows, size_t n,
                                    bool by_card)
{
    struct points p = points_for(s, n);
    const char *unit = sheet_t(s, "unit.card");
    for (size_t i = 0; i < n; i++) {
        double rate = site_row_rate(rows[i]), mfu;
        if (is_in_force(rows[i]) && !isnan(rate) &&
            site_drawn_value(site_row_metric(rows[i], "mfu"), s->arena, &mfu))
            add_point(s, &p, rows[i], mfu, rate, by_card ? card_of_point(s, rows[i]) : NULL,
                      arena_printf(s->arena, "%.6g %s, %.4g %% MFU", rate, unit, mfu));
    }
    return p;
}

size_t sheet_write_all_points(struct sheet *s, struct buf *out, const char *id,
                              const struct site_row *const *rows, size_t n)
{
    static const struct chart_frame frame = {0, 104, 1, 1e5}; /* "100" has room */
    struct points p = rates_and_mfus(s, rows, n, false);
    struct chart_scatter chart = {.id = id,
                                  .title = sheet_t(s, "points.mfu"),
                                  .description = sheet_t(s, "points.all.description"),
                                  .x_label = "MFU (%)",
                                  .y_label = sheet_t(s, "unit.card"),
                                  .log_y = true,
                                  .frame = &frame};
    write_points(s, out, &chart, &p);
    return p.n < SCATTER_DOTS_MAX ? p.n : SCATTER_DOTS_MAX;
}

void sheet_write_rate_and_mfu(struct sheet *s, struct buf *out, const char *id,
                              const struct site_row *const *rows, size_t n)
{
    struct points p = rates_and_mfus(s, rows, n, true);
    struct chart_scatter chart = {.id = id,
                                  .title = sheet_t(s, "points.mfu"),
                                  .description = sheet_t(s, "points.mfu.description"),
                                  .x_label = "MFU (%)",
                                  .y_label = sheet_t(s, "unit.card")};
    write_points(s, out, &chart, &p);
}

/* ---- below the peaks of a card -------------------------------------------------------------- */

/* TFLOP/s of one card, as MFU counts them; NaN: the row states neither figure. */
static double reached_tflops(struct sheet *s, const struct accelerator *a,
                             const struct site_row *row)
{
    double rate = site_row_rate(row), factor = site_row_factor(row), mfu;
    struct peaks peaks;
    if (!isnan(rate) && factor > 0)
        return factor * row->entry->model->nominal_parameters * rate / 1e12;
    bool has_mfu = site_drawn_value(site_row_metric(row, "mfu"), s->arena, &mfu);
    return has_mfu && peaks_find(a, row->precision, s->arena, &peaks)
               ? mfu / 100 * peaks.peak / 1e12
               : NAN;
}

/* A line for each peak that is another: "bf16, fp16: 989 TFLOP/s". */
static size_t roofs_of(struct sheet *s, const struct accelerator *a, struct chart_rule *rules)
{
    size_t n = 0;
    for (size_t i = 0; i < a->n_peaks; i++) {
        size_t at = 0;
        while (at < n && rules[at].y != a->peaks[i].tflops)
            at++;
        const char *before = at < n ? arena_printf(s->arena, "%s, ", rules[at].name) : "";
        rules[at] = (struct chart_rule){
            a->peaks[i].tflops, arena_printf(s->arena, "%s%s", before, a->peaks[i].precision)};
        n += at == n;
    }
    for (size_t i = 0; i < n; i++)
        rules[i].name =
            arena_printf(s->arena, "%s: %g TFLOP/s", sheet_short(s, rules[i].name), rules[i].y);
    return n;
}

void sheet_write_roof(struct sheet *s, struct buf *out, const char *id, const struct accelerator *a,
                      const struct site_row *const *rows, size_t n)
{
    struct points p = points_for(s, n);
    struct chart_rule *rules = arena_array(s->arena, a->n_peaks + 1, sizeof *rules);
    for (size_t i = 0; i < n; i++) {
        const struct model *m = rows[i]->entry->model;
        if (!is_in_force(rows[i]) || !m || !(m->nominal_parameters > 0))
            continue;
        double reached = reached_tflops(s, a, rows[i]);
        if (!isnan(reached))
            add_point(s, &p, rows[i], m->nominal_parameters / 1e9, reached,
                      sheet_model(s, rows[i]->entry),
                      arena_printf(s->arena, "%.4g TFLOP/s", reached));
    }
    struct chart_scatter chart = {.id = id,
                                  .title = sheet_t(s, "points.roof"),
                                  .description = sheet_t(s, "points.roof.description"),
                                  .x_label = sheet_t(s, "points.parameters"),
                                  .y_label = sheet_t(s, "points.reached"),
                                  .log_x = true,
                                  .log_y = true,
                                  .rules = rules,
                                  .n_rules = roofs_of(s, a, rules)};
    write_points(s, out, &chart, &p);
}

/* ---- throughput over cards ------------------------------------------------------------------ */

void sheet_write_scaling(struct sheet *s, struct buf *out, const char *id,
                         const struct site_scaling *of)
{
    struct points p = points_for(s, of->n);
    const struct site_row *first = of->rows[0], *last = of->rows[of->n - 1];
    double rate = site_row_rate(first), from = (double)site_row_cards(first),
           to = (double)site_row_cards(last);
    const struct chart_guide ideal = {from, rate * from, to, rate * to,
                                      sheet_t(s, "scaling.ideal")};
    for (size_t i = 0; i < of->n; i++) {
        double cards = (double)site_row_cards(of->rows[i]), own = site_row_rate(of->rows[i]);
        add_point(s, &p, of->rows[i], cards, own * cards,
                  sheet_short(s, of->rows[i]->entry->result->case_id),
                  arena_printf(s->arena, "%.6g %s, %.1f %%", own * cards, sheet_t(s, "unit.whole"),
                               own / rate * 100));
    }
    struct chart_scatter chart = {.id = id,
                                  .title = sheet_t(s, "scaling.chart"),
                                  .description = sheet_t(s, "scaling.chart.description"),
                                  .x_label = sheet_t(s, "scaling.cards"),
                                  .y_label = sheet_t(s, "unit.whole"),
                                  .log_x = true,
                                  .log_y = true,
                                  .guides = &ideal,
                                  .n_guides = 1};
    write_points(s, out, &chart, &p);
}
