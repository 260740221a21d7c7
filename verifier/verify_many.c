#include "verifier/verify_many.h"

#include "base/parallel.h"

struct many {
    const struct project *project;
    const struct rules *rules;
    const struct result *results;
    const size_t *which; /* NULL: all */
    struct verdict *out;
};

static void verify_item(void *context, size_t i, struct arena *arena)
{
    const struct many *m = context;
    size_t k = m->which ? m->which[i] : i;
    verify_result(m->project, m->rules, &m->results[k], NULL, arena, &m->out[k]);
}

void verify_many(const struct project *project, const struct rules *rules,
                 const struct result *results, size_t n, struct arena *arena, struct verdict *out)
{
    struct many m = {project, rules, results, NULL, out};
    parallel_each(n, verify_item, &m, arena);
}

void verify_some(const struct project *project, const struct rules *rules,
                 const struct result *results, const size_t *which, size_t n, struct arena *arena,
                 struct verdict *out)
{
    struct many m = {project, rules, results, which, out};
    parallel_each(n, verify_item, &m, arena);
}
