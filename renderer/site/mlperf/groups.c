/* groups: the page of each benchmark of a round, and of each package of a round. */
#include "renderer/site/mlperf/mlperf.h"

#include <string.h>

typedef const char *group_name_fn(const struct mlperf_place *place);

static const char *benchmark_of(const struct mlperf_place *place)
{
    return place->score->benchmark;
}

static const char *package_of(const struct mlperf_place *place)
{
    return place->record->package;
}

/* The first score of each group, in the order of the records; `i` SIZE_MAX: how many there are. */
static size_t find_group(const struct site_index *index, group_name_fn *name_of, size_t i,
                         struct mlperf_place *out)
{
    struct arena scratch = ARENA_INIT;
    const struct mlperf_places all =
        mlperf_places_of(index->site->project, NULL, NULL, NULL, &scratch);
    size_t n = 0;
    for (size_t k = 0; k < all.n; k++) {
        const struct mlperf_place *p = &all.items[k];
        bool said = false;
        for (size_t b = 0; b < k && !said; b++)
            said = strcmp(all.items[b].record->round, p->record->round) == 0 &&
                   strcmp(name_of(&all.items[b]), name_of(p)) == 0;
        if (said)
            continue;
        if (n == i)
            *out = *p;
        n++;
    }
    arena_release(&scratch);
    return n;
}

static size_t count_benchmarks(const struct site_index *index)
{
    return find_group(index, benchmark_of, SIZE_MAX, NULL);
}

static size_t count_packages(const struct site_index *index)
{
    return find_group(index, package_of, SIZE_MAX, NULL);
}

static const char *name_of_bench_page(const struct site_index *index, size_t i, struct arena *arena)
{
    struct mlperf_place p;
    find_group(index, benchmark_of, i, &p);
    return arena_printf(arena, "%s/benchmark/%s", p.record->round, p.score->benchmark);
}

static const char *name_of_org_page(const struct site_index *index, size_t i, struct arena *arena)
{
    struct mlperf_place p;
    find_group(index, package_of, i, &p);
    return arena_printf(arena, "%s/submitter/%s", p.record->round, p.record->package);
}

static void fill_mlperf_benchmark(struct sheet *s, size_t i)
{
    struct mlperf_place first;
    find_group(s->index, benchmark_of, i, &first);
    const struct mlperf_places places = mlperf_places_of(s->site->project, first.record->round,
                                                         NULL, first.score->benchmark, s->arena);
    mlperf_set_page(s,
                    arena_printf(s->arena, "MLPerf Training %s: %s", first.record->round,
                                 first.score->benchmark),
                    first.record->round);
    mlperf_set_scatter(s, s->view, "minutes_chart", &places, MLPERF_MINUTES, false);
    mlperf_set_scatter(s, s->view, "samples_chart", &places, MLPERF_SAMPLES, false);
    mlperf_set_rows(s, s->view, &places);
}

static void fill_mlperf_package(struct sheet *s, size_t i)
{
    struct mlperf_place first;
    find_group(s->index, package_of, i, &first);
    const struct mlperf_places places = mlperf_places_of(s->site->project, first.record->round,
                                                         first.record->package, NULL, s->arena);
    mlperf_set_page(s,
                    arena_printf(s->arena, "MLPerf Training %s: %s", first.record->round,
                                 sheet_short(s, first.record->submitter)),
                    first.record->round);
    mlperf_set_scatter(s, s->view, "minutes_chart", &places, MLPERF_MINUTES, true);
    view_set_raw(s->view, "samples_chart", "");
    mlperf_set_rows(s, s->view, &places);
}

const struct site_kind site_kind_mlperf_bench = {
    .name = "mlperf_bench",
    .path = "mlperf/{name}/index.html",
    .template = "site/mlperf_group.html",
    .section = "mlperf",
    .count = count_benchmarks,
    .name_of = name_of_bench_page,
    .fill = fill_mlperf_benchmark,
};

const struct site_kind site_kind_mlperf_org = {
    .name = "mlperf_org",
    .path = "mlperf/{name}/index.html",
    .template = "site/mlperf_group.html",
    .section = "mlperf",
    .count = count_packages,
    .name_of = name_of_org_page,
    .fill = fill_mlperf_package,
};
