/* places: scores of the records, and the paths of their pages. */
#include "renderer/site/mlperf/mlperf.h"

#include <stdlib.h>
#include <string.h>

static bool is_named_so(const char *wanted, const char *name)
{
    return !wanted || strcmp(wanted, name) == 0;
}

struct mlperf_places mlperf_places_of(const struct project *p, const char *round,
                                      const char *package, const char *benchmark,
                                      struct arena *arena)
{
    struct mlperf_places found = {NULL, 0};
    for (size_t i = 0; i < p->n_mlperf_results; i++) {
        const struct mlperf_record *r = &p->mlperf_results[i];
        if (!is_named_so(round, r->round) || !is_named_so(package, r->package))
            continue;
        for (size_t k = 0; k < r->n_results; k++)
            if (is_named_so(benchmark, r->results[k].benchmark))
                *(struct mlperf_place *)ARENA_PUSH(arena, found.items, found.n) =
                    (struct mlperf_place){r, &r->results[k]};
    }
    return found;
}

double mlperf_minutes(const struct mlperf_score_record *score)
{
    char *end;
    double x = score->minutes ? strtod(score->minutes, &end) : NAN;
    return score->minutes && !*end && end != score->minutes && x > 0 ? x : NAN;
}

enum state mlperf_score_state(const struct mlperf_score_record *score)
{
    return !score->seal ? STATE_UNVERIFIED : score->seal->agrees ? STATE_VERIFIED : STATE_FAILED;
}

const char *mlperf_round_path(const char *round, struct arena *arena)
{
    return arena_printf(arena, "mlperf/%s/index.html", round);
}

const char *mlperf_benchmark_path(const char *round, const char *benchmark, struct arena *arena)
{
    return arena_printf(arena, "mlperf/%s/benchmark/%s/index.html", round, benchmark);
}

const char *mlperf_package_path(const char *round, const char *package, struct arena *arena)
{
    return arena_printf(arena, "mlperf/%s/submitter/%s/index.html", round, package);
}

const char *mlperf_score_path(const struct mlperf_place *place, struct arena *arena)
{
    return arena_printf(arena, "mlperf/%s/result/%s/%s/%s/index.html", place->record->round,
                        place->record->package, place->record->system, place->score->benchmark);
}
