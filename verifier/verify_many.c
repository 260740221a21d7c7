#include "verifier/verify_many.h"

#include "base/parallel.h"

struct many {
    const struct project *project;
    const struct rules *rules;
    const struct result *results;
    struct verdict *out;
};

static void verify_item(void *context, size_t i, struct arena *arena)
{
    const struct many *m = context;
    verify_result(m->project, m->rules, &m->results[i], NULL, arena, &m->out[i]);
}

void verify_many(const struct project *project, const struct rules *rules,
                 const struct result *results, size_t n, struct arena *arena, struct verdict *out)
{
    struct many m = {project, rules, results, out};
    parallel_each(n, verify_item, &m, arena);
}
