/* rounds: the list of rounds, and the page of each: its result table. */
#include "renderer/site/mlperf/mlperf.h"

#include <string.h>

static size_t any_round(const struct site_index *index)
{
    return index->site->project->n_mlperf_rounds > 0;
}

static void fill_rounds(struct sheet *s, size_t i)
{
    const struct project *p = s->site->project;
    struct view *list = view_set_list(s->view, "rounds");
    (void)i;
    for (size_t r = p->n_mlperf_rounds; r > 0; r--) { /* the newest first */
        const struct mlperf_round_record *round = &p->mlperf_rounds[r - 1];
        struct mlperf_places places = mlperf_places_of(p, round->round, NULL, NULL, s->arena);
        struct view *v = view_push_object(list);
        view_set_text(v, "round_title", sheet_short(s, round->title));
        view_set_text(v, "path", mlperf_round_path(round->round, s->arena));
        view_set_text(v, "date", round->date ? round->date : "");
        view_set_text(v, "count", sheet_fill(s, "mlperf.count", {"n", sheet_number(s, places.n)}));
    }
}

const struct site_kind site_kind_mlperf = {
    .name = "mlperf",
    .path = "mlperf/index.html",
    .template = "site/mlperf.html",
    .title = "mlperf.title",
    .description = "mlperf.description",
    .nav = "mlperf.title",
    .count = any_round,
    .fill = fill_rounds,
};

void mlperf_set_page(struct sheet *s, const char *title, const char *round)
{
    sheet_set_title(s, title, sheet_fill(s, "mlperf.page", {"title", title}));
    view_set_text(s->view, "round", round);
    view_set_text(s->view, "trademark", sheet_fill(s, "mlperf.trademark", {"round", round}));
    view_set_text(s->view, "round_path", mlperf_round_path(round, s->arena));
}

static size_t count_rounds(const struct site_index *index)
{
    return index->site->project->n_mlperf_rounds;
}

static const char *name_of_round(const struct site_index *index, size_t i, struct arena *arena)
{
    (void)arena;
    return index->site->project->mlperf_rounds[i].round;
}

static void fill_round(struct sheet *s, size_t i)
{
    const struct project *p = s->site->project;
    const struct mlperf_round_record *round = &p->mlperf_rounds[i];
    const struct mlperf_places places = mlperf_places_of(p, round->round, NULL, NULL, s->arena);
    mlperf_set_page(s, sheet_short(s, round->title), round->round);
    view_set_text(s->view, "ruleset", round->ruleset);
    view_set_text(s->view, "repository", round->repository ? round->repository : "");
    view_set_text(s->view, "commit", round->commit ? round->commit : "");
    /* Benchmarks of the round, with links. */
    struct view *list = view_set_list(s->view, "benchmarks");
    for (size_t j = 0; j < places.n; j++) {
        const char *name = places.items[j].score->benchmark;
        bool said = false;
        for (size_t k = 0; k < j && !said; k++)
            said = strcmp(places.items[k].score->benchmark, name) == 0;
        if (said)
            continue;
        struct view *v = view_push_object(list);
        view_set_text(v, "benchmark", name);
        view_set_text(v, "path",
                      mlperf_benchmark_path(places.items[j].record->round, name, s->arena));
    }
    mlperf_set_rows(s, s->view, &places);
}

const struct site_kind site_kind_mlperf_round = {
    .name = "mlperf_round",
    .path = "mlperf/{name}/index.html",
    .template = "site/mlperf_round.html",
    .section = "mlperf",
    .count = count_rounds,
    .name_of = name_of_round,
    .fill = fill_round,
};
