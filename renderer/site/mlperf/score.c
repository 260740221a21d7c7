/* score: the page of one directory of runs: its runs, kept and dropped, the RCP bound, findings. */
#include "renderer/site/mlperf/mlperf.h"

#include <string.h>

static struct mlperf_place place_at(const struct site_index *index, size_t i)
{
    const struct project *p = index->site->project;
    for (size_t r = 0; r < p->n_mlperf_results; r++) {
        if (i < p->mlperf_results[r].n_results)
            return (struct mlperf_place){&p->mlperf_results[r], &p->mlperf_results[r].results[i]};
        i -= p->mlperf_results[r].n_results;
    }
    return (struct mlperf_place){NULL, NULL};
}

static size_t count_scores(const struct site_index *index)
{
    const struct project *p = index->site->project;
    size_t n = 0;
    for (size_t r = 0; r < p->n_mlperf_results; r++)
        n += p->mlperf_results[r].n_results;
    return n;
}

static const char *name_of_score(const struct site_index *index, size_t i, struct arena *arena)
{
    const struct mlperf_place p = place_at(index, i);
    return arena_printf(arena, "%s/result/%s/%s/%s", p.record->round, p.record->package,
                        p.record->system, p.score->benchmark);
}

static void set_runs_chart(struct sheet *s, const char *key,
                           const struct mlperf_score_record *score, bool samples)
{
    const struct chart_rule rules[] = {
        {score->least, sheet_t(s, "mlperf.least")},
        {score->reference, sheet_t(s, "mlperf.reference")},
    };
    const char *series[] = {sheet_t(s, "mlperf.kept"), sheet_t(s, "mlperf.dropped")};
    struct chart_dot *dots = arena_array(s->arena, score->n_runs, sizeof *dots);
    for (size_t i = 0; i < score->n_runs; i++) {
        const struct mlperf_run_record *run = &score->runs[i];
        double y = samples ? run->samples : run->minutes;
        dots[i] = (struct chart_dot){
            .x = (double)i + 1,
            .y = y,
            .series = run->kept ? 0 : 1,
            .hollow = !run->kept,
            .name = arena_printf(s->arena, "%s: %.10g", sheet_short(s, run->log), y)};
    }
    const struct chart_scatter chart = {
        .id = arena_printf(s->arena, "mlperf-%s", key),
        .title = sheet_t(s, samples ? "mlperf.chart.runsamples" : "mlperf.chart.runs"),
        .description = sheet_t(s, "mlperf.chart.rundescription"),
        .x_label = sheet_t(s, "mlperf.run"),
        .y_label = sheet_t(s, samples ? "mlperf.samples" : "mlperf.minutes"),
        .empty = sheet_t(s, "rows.empty"),
        .series = series,
        .n_series = 2,
        .dots = dots,
        .n = score->n_runs,
        .rules = rules,
        .n_rules = samples ? 2 : 0};
    struct buf svg = BUF_INIT(BUF_DEFAULT_MAX);
    if (score->n_runs)
        chart_scatter_write(&svg, &chart, CHART_BOTH);
    view_set_raw(s->view, key, score->n_runs ? svg.data : "");
    buf_release(&svg);
}

static void set_runs(struct sheet *s, const struct mlperf_score_record *score)
{
    struct view *list = view_set_list(s->view, "runs");
    view_set_flag(s->view, "any_run", score->n_runs > 0);
    for (size_t i = 0; i < score->n_runs; i++) {
        const struct mlperf_run_record *run = &score->runs[i];
        struct view *v = view_push_object(list);
        const char *word = run->kept       ? "mlperf.kept"
                           : run->complies ? "mlperf.dropped"
                                           : "mlperf.failing";
        sheet_set_joined(s, v, "log", run->log);
        view_set_text(v, "minutes",
                      isnan(run->minutes) ? "" : arena_printf(s->arena, "%.3f", run->minutes));
        view_set_text(v, "samples",
                      isnan(run->samples) ? "" : arena_printf(s->arena, "%.10g", run->samples));
        view_set_text(v, "what", sheet_t(s, word));
    }
}

/* A fact of the score: "batch size: 8"; nothing where there is no figure. */
static void push_fact(struct sheet *s, struct view *facts, const char *key, const char *text)
{
    if (!text || !*text)
        return;
    struct view *v = view_push_object(facts);
    view_set_text(v, "name", sheet_t(s, key));
    view_set_text(v, "text", text);
}

static const char *plain_figure(struct sheet *s, double x)
{
    return isnan(x) ? NULL : arena_printf(s->arena, "%.10g", x);
}

static void set_score_facts(struct sheet *s, const struct mlperf_place *p)
{
    const struct mlperf_record *r = p->record;
    struct view *facts = view_set_list(s->view, "facts");
    push_fact(s, facts, p->score->published ? "mlperf.published" : "mlperf.minutes",
              p->score->minutes);
    push_fact(s, facts, "mlperf.factor", plain_figure(s, p->score->factor));
    push_fact(s, facts, "mlperf.division", sheet_short(s, r->division));
    push_fact(s, facts, "mlperf.availability",
              r->availability ? sheet_short(s, r->availability) : NULL);
    push_fact(s, facts, "mlperf.accelerator",
              r->accelerator ? sheet_short(s, r->accelerator) : NULL);
    push_fact(s, facts, "mlperf.accelerators",
              r->accelerators ? arena_printf(s->arena, "%lld", r->accelerators) : NULL);
    push_fact(s, facts, "mlperf.framework", r->framework ? sheet_short(s, r->framework) : NULL);
    push_fact(s, facts, "mlperf.batch", plain_figure(s, p->score->batch_size));
    push_fact(s, facts, "mlperf.samples", plain_figure(s, p->score->samples));
    push_fact(s, facts, "mlperf.rcp", p->score->rcp);
    push_fact(s, facts, "mlperf.reference", plain_figure(s, p->score->reference));
    push_fact(s, facts, "mlperf.least", plain_figure(s, p->score->least));
    push_fact(s, facts, "mlperf.energy", plain_figure(s, p->score->energy_j));
}

static void set_sealed_logs(struct sheet *s, const struct mlperf_score_record *score)
{
    const struct mlperf_seal *seal = score->seal;
    struct view *list = view_set_list(s->view, "sealed");
    sheet_set_state(s, s->view, mlperf_score_state(score));
    if (!seal)
        return;
    struct view *v = view_push_object(list);
    view_set_text(v, "path", seal->there ? score->evidence : "");
    view_set_text(v, "sha256", score->evidence_sha256 ? score->evidence_sha256 : "");
    view_set_flag(v, "agrees", seal->agrees);
    sheet_set_said(s, v, "fault", seal->fault ? seal->fault : "", NULL);
    view_set_text(v, "recomputed",
                  seal->fault ? ""
                              : sheet_fill(s, "mlperf.recomputed",
                                           {"minutes", seal->minutes ? seal->minutes
                                                                     : sheet_t(s, "mlperf.none")}));
}

static void fill_score(struct sheet *s, size_t i)
{
    const struct mlperf_place p = place_at(s->index, i);
    const struct mlperf_record *r = p.record;
    const char *system = sheet_short(s, r->system_name ? r->system_name : r->system);
    mlperf_set_page(s, arena_printf(s->arena, "%s: %s", system, p.score->benchmark), r->round);
    view_set_text(s->view, "submitter", sheet_short(s, r->submitter));
    view_set_text(s->view, "submitter_path", mlperf_package_path(r->round, r->package, s->arena));
    view_set_text(s->view, "benchmark", p.score->benchmark);
    view_set_text(s->view, "benchmark_path",
                  mlperf_benchmark_path(r->round, p.score->benchmark, s->arena));
    set_score_facts(s, &p);
    set_runs_chart(s, "runs_chart", p.score, false);
    set_runs_chart(s, "samples_chart", p.score, true);
    set_runs(s, p.score);
    set_sealed_logs(s, p.score);
    mlperf_set_findings(s, s->view, p.score);
}

const struct site_kind site_kind_mlperf_score = {
    .name = "mlperf_score",
    .path = "mlperf/{name}/index.html",
    .template = "site/mlperf_score.html",
    .section = "mlperf",
    .count = count_scores,
    .name_of = name_of_score,
    .fill = fill_score,
};
