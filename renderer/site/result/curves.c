/* Curves of a run (result.h): each is drawn, and told as a table for those who do not see it.
 */
#include "renderer/site/result/result.h"
#include "renderer/site/sheet/chart.h"

#include <math.h>

static long cards_of_evidence(const struct site_entry *of, const struct row_evidence *e)
{
    for (size_t i = 0; i < of->n_rows; i++)
        if (e->row == 0 || (of->rows[i]->table == e->table && of->rows[i]->row == e->row))
            return of->rows[i]->nodes * of->rows[i]->cards;
    return 0;
}

/* Steps that say how long they took, as tokens per second and card. */
static void push_throughput(struct sheet *s, struct view *list, const struct site_entry *of,
                            const struct row_evidence *e, size_t i)
{
    const struct case_record *c = of->case_record;
    const struct curve *curve = &e->curve;
    long cards = cards_of_evidence(of, e);
    /* Tokens of one step by the case; 0 when it does not say. */
    double tokens = c ? case_sequences(c) * (double)c->sequence_length : 0;
    double *rate = arena_array(s->arena, curve->n, sizeof *rate);
    size_t known = 0;
    for (size_t k = 0; k < curve->n; k++) {
        rate[k] = curve->seconds[k] > 0 ? tokens / curve->seconds[k] / (double)cards : NAN;
        known += isfinite(rate[k]);
    }
    if (tokens <= 0 || cards <= 0 || known < 2)
        return;
    const char *title = sheet_t(s, "chart.throughput");
    struct chart_text words =
        sheet_chart_words(s, "rate", i, title, "chart.throughput.description");
    words.y_label = sheet_t(s, "unit.card");
    const struct chart_series series = {.x = curve->step, .y = rate, .n = curve->n};
    sheet_push_chart(s, list,
                     chart_throughput(s->arena, &words, &series,
                                      c->report ? (double)c->report->warmup_steps : NAN),
                     title);
}

/* ---- monitors ---------------------------------------------------------------------------- */

static const struct {
    const char *label;
    double scale; /* from what was monitored to the unit of the label */
    bool from_zero;
} panels[MONITORED] = {
    [MONITORED_MEMORY] = {"monitor.memory", 1 / 1024.0, true},
    [MONITORED_POWER] = {"monitor.power", 1, true},
    [MONITORED_HEAT] = {"monitor.heat", 1, false},
    [MONITORED_CPU] = {"monitor.cpu", 100, true},
    [MONITORED_MAIN] = {"monitor.main", 100, true},
    [MONITORED_TOTAL] = {"monitor.total", 1, true},
};

static double *scaled(const double *values, size_t n, double scale, struct arena *arena)
{
    double *out = arena_array(arena, n, sizeof *out);
    for (size_t i = 0; i < n; i++)
        out[i] = values[i] * scale;
    return out;
}

static struct chart_monitor panel_of(struct sheet *s, const struct monitored_cards *m, size_t kind)
{
    struct chart_series *cards = arena_array(s->arena, m->n, sizeof *cards);
    for (size_t i = 0; i < m->n; i++)
        cards[i] = (struct chart_series){
            .x = scaled(m->cards[i].at, m->cards[i].n, 1 / 60.0, s->arena),
            .y = scaled(m->cards[i].value, m->cards[i].n, panels[kind].scale, s->arena),
            .n = m->cards[i].n,
            .label = m->n > 1 ? sheet_fill(s, "monitor.card", {"n", sheet_number(s, i)}) : NULL};
    return (struct chart_monitor){.label = sheet_t(s, panels[kind].label),
                                  .cards = cards,
                                  .n = m->n,
                                  .from_zero = panels[kind].from_zero};
}

/* One sample is no course of anything. */
static bool has_course(const struct monitored_cards *m)
{
    return m->n > 0 && m->cards[0].n > 1;
}

static void set_monitors(struct sheet *s, struct view *v, const struct row_evidence *e, size_t i)
{
    struct chart_monitor monitors[MONITORED];
    size_t n = 0, cards = 0;
    for (size_t kind = 0; kind < MONITORED; kind++)
        if (has_course(&e->monitored[kind])) {
            monitors[n++] = panel_of(s, &e->monitored[kind], kind);
            cards = e->monitored[kind].n > cards ? e->monitored[kind].n : cards;
        }
    view_set_flag(v, "machine", false);
    if (!n)
        return;
    struct view *list = view_set_list(view_set_object(v, "machine"), "charts");
    const char *title = sheet_t(s, "monitor.title");
    struct chart_text words = sheet_chart_words(s, "monitors", i, title, "monitor.description");
    words.x_label = sheet_t(s, "monitor.minutes");
    words.band = sheet_fill(s, "monitor.band", {"n", sheet_number(s, cards)});
    sheet_push_chart(s, list, chart_monitors(s->arena, &words, monitors, n), title);
}

void sheet_set_charts(struct sheet *s, struct view *v, const struct site_entry *of,
                      const struct row_evidence *e, size_t i)
{
    struct view *list = view_set_list(v, "charts");
    if (e->curve.n > 0) {
        const char *title = sheet_t(s, e->reference.n ? "chart.convergence" : "chart.lossonly");
        struct chart_text words = sheet_chart_words(s, "loss", i, title, "chart.loss.description");
        const struct chart_series run = {.x = e->curve.step,
                                         .y = e->curve.loss,
                                         .n = e->curve.n,
                                         .label = sheet_t(s, "chart.run")};
        const struct chart_series reference = {.x = e->reference.step,
                                               .y = e->reference.loss,
                                               .n = e->reference.n,
                                               .label = sheet_t(s, "chart.reference")};
        const struct alignment *a = e->alignment;
        const struct chart *chart =
            chart_convergence(s->arena, &words, &run, e->reference.n ? &reference : NULL,
                              a ? a->limit : NAN, a ? a->from_step : 0);
        sheet_push_chart(s, list, chart, title);
        push_throughput(s, list, of, e, i);
    }
    set_monitors(s, v, e, i);
}
