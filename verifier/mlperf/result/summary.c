#include "verifier/mlperf/result/summary.h"
#include "base/text.h"

#include <stdlib.h>

/* What the columns in front of the minutes say, in their order. */
static const char *sort_key(const struct mlperf_summary_row *row, struct arena *arena)
{
    const struct mlperf_system_facts *s = row->facts;
    const char *means = mlperf_availability(s->status);
    return arena_printf(arena, "%s\n%s\n%s\n%s\n%g\n%s\n%012.0f\n%s\n%012.0f\n%s\n%s",
                        text_or_empty(s->division), means ? means : text_or_empty(s->status),
                        text_or_empty(s->submitter), text_or_empty(s->system_name), s->nodes,
                        text_or_empty(s->processor), s->nodes * s->processors_per_node,
                        text_or_empty(s->accelerator), s->nodes * s->accelerators_per_node,
                        text_or_empty(s->framework), row->system);
}

static struct mlperf_summary_row *summary_row_of(struct mlperf_summary *s,
                                                 const struct mlperf_runs *r, struct arena *arena)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->rows[i].package == r->package &&
            strcmp(s->rows[i].system, r->directory->system) == 0)
            return &s->rows[i];
    struct mlperf_summary_row *row = ARENA_PUSH(arena, s->rows, s->n);
    *row = (struct mlperf_summary_row){
        .package = r->package,
        .system = r->directory->system,
        .facts = r->system,
        .runs = arena_array(arena, s->rules->n_benchmarks, sizeof *row->runs)};
    row->sorted_by = sort_key(row, arena);
    return row;
}

static int compare_summary_rows(const void *a, const void *b)
{
    const struct mlperf_summary_row *x = a, *y = b;
    int order = strcmp(x->sorted_by, y->sorted_by);
    return order ? order : strcmp(x->package->shown, y->package->shown);
}

void mlperf_summarise(const struct verdict *verdicts, size_t n, struct arena *arena,
                      struct mlperf_summary *out)
{
    *out = (struct mlperf_summary){.n = 0};
    for (size_t i = 0; i < n; i++) {
        const struct mlperf_result *m = verdicts[i].mlperf;
        if (m->kind != MLPERF_RESULT_DIRECTORY || !m->runs->system)
            continue;
        if (!out->rules)
            out->rules = m->rules;
        if (m->rules != out->rules || !m->runs->benchmark)
            continue;
        summary_row_of(out, m->runs, arena)->runs[m->runs->benchmark - m->rules->benchmarks] =
            m->runs;
    }
    if (out->n > 1)
        qsort(out->rows, out->n, sizeof *out->rows, compare_summary_rows);
}
