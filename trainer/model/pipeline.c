#include "trainer/model/pipeline.h"

#include "base/arena.h"

#include <stdlib.h>

int pipeline_check(const struct pipeline *p, struct err *err)
{
    if (p->chunks == 1 || p->micro_batches % p->stages == 0)
        return 0;
    return err_set(err, ERR_USAGE,
                   "gradient_accumulation: found %d for %d chunks on each of %d stages, expected a "
                   "multiple of the stages",
                   p->micro_batches, p->chunks, p->stages);
}

/* Number i of all forward passes, or of all backward ones: groups of micro-batches, as many as
 * there are stages, go through the first chunk, then through the next one. */
static struct pipeline_pass pass_at(const struct pipeline *p, bool backward, int i)
{
    if (p->chunks == 1)
        return (struct pipeline_pass){backward, 0, i};
    int of_group = p->stages * p->chunks, chunk = i % of_group / p->stages;
    return (struct pipeline_pass){backward, backward ? p->chunks - 1 - chunk : chunk,
                                  i / of_group * p->stages + i % p->stages};
}

/* Forward passes before the first backward one. */
static int warm_up(const struct pipeline *p, int stage, int all)
{
    int behind = p->stages - stage - 1;
    int n = p->chunks == 1 ? behind : 2 * behind + (p->chunks - 1) * p->stages;
    return n < all ? n : all;
}

void pipeline_order(const struct pipeline *p, int stage, struct pipeline_pass *passes)
{
    int all = p->micro_batches * p->chunks, warm = warm_up(p, stage, all), n = 0;
    for (int i = 0; i < warm; i++)
        passes[n++] = pass_at(p, false, i);
    for (int i = 0; i < all; i++) {
        if (warm + i < all)
            passes[n++] = pass_at(p, false, warm + i);
        passes[n++] = pass_at(p, true, i);
    }
}

void pipeline_under_way(const struct pipeline *p, int stage, int *under_way)
{
    int n = 2 * p->micro_batches * p->chunks;
    struct pipeline_pass *passes = memory_alloc((size_t)n * sizeof *passes);
    int *now = memory_alloc((size_t)p->chunks * sizeof *now);
    pipeline_order(p, stage, passes);
    for (int c = 0; c < p->chunks; c++)
        under_way[c] = 0;
    for (int i = 0; i < n; i++) {
        int c = passes[i].chunk;
        now[c] += passes[i].backward ? -1 : 1;
        under_way[c] = now[c] > under_way[c] ? now[c] : under_way[c];
    }
    free(now);
    free(passes);
}
