#include "verifier/mlperf/score/score.h"

#include "base/arena.h"

#include <math.h>
#include <stdlib.h>

static int by_minutes(const void *a, const void *b)
{
    const struct mlperf_run *x = *(struct mlperf_run *const *)a,
                            *y = *(struct mlperf_run *const *)b;
    if (x->minutes != y->minutes)
        return x->minutes < y->minutes ? -1 : 1;
    return (x > y) - (x < y);
}

void mlperf_score(struct mlperf_run *runs, size_t n, size_t k, double factor,
                  struct mlperf_score *out)
{
    struct arena scratch = ARENA_INIT;
    struct mlperf_run **sorted = arena_array(&scratch, n, sizeof *sorted);
    size_t complying = 0, failing = 0;
    double sum = 0;
    *out = (struct mlperf_score){.unscaled = NAN, .minutes = NAN};
    for (size_t i = 0; i < n; i++)
        if (runs[i].complies && !isnan(runs[i].minutes))
            sorted[complying++] = &runs[i];
        else
            failing++;
    if (complying > 1)
        qsort(sorted, complying, sizeof *sorted, by_minutes);
    size_t to = failing > k || complying < k - failing ? 0 : complying - (k - failing);
    for (size_t i = k; i < to; i++) {
        sorted[i]->kept = true;
        sum += sorted[i]->minutes;
        out->n_kept++;
    }
    if (out->n_kept) {
        out->unscaled = sum / (double)out->n_kept;
        out->minutes = out->unscaled * factor;
    }
    arena_release(&scratch);
}
