#include "cli/train/native_plan.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* 0 stands for 1; what no int holds is out of every range of plan.h. */
static int size_of(long long n)
{
    return n < 1 ? 1 : n > INT_MAX ? INT_MAX : (int)n;
}

int native_data_ranks(const struct case_record *c)
{
    return c->parallel ? size_of(c->parallel->data) : 1;
}

int native_ranks(const struct case_record *c)
{
    const struct case_parallel *p = c->parallel;
    double ranks = p ? (double)size_of(p->tensor) * size_of(p->pipeline) * size_of(p->data) : 1;
    return ranks > INT_MAX ? INT_MAX : (int)ranks;
}

/* "9 9 10 10": as many numbers as there are chunks. */
static int read_layers(const struct case_record *c, struct arena *arena, struct plan *plan,
                       struct err *err)
{
    const char *text = c->parallel->stage_layers, *at = text;
    int n = plan->pipeline * plan->chunks, found = 0;
    int *layers = arena_array(arena, (size_t)n, sizeof *layers);
    while (text && *at) {
        char *end;
        long number = strtol(at, &end, 10);
        if (end == at || number < 1 || number > INT_MAX || found == n)
            break;
        layers[found++] = (int)number;
        at = end + strspn(end, " ");
    }
    plan->chunk_layers = text ? layers : NULL;
    if (!text || (!*at && found == n))
        return 0;
    return err_set(err, ERR_INPUT,
                   "%s:%d: stage_layers: found '%.60s', expected %d numbers, one for each chunk of "
                   "each stage",
                   c->file, c->parallel->line, text, n);
}

int native_plan(const struct case_record *c, struct arena *arena, struct plan *plan,
                struct err *err)
{
    const struct case_parallel *p = c->parallel;
    *plan = (struct plan){.data = native_data_ranks(c)};
    if (p) {
        plan->tensor = size_of(p->tensor);
        plan->pipeline = size_of(p->pipeline);
        plan->chunks = size_of(p->chunks);
    }
    if (plan_complete(plan, native_ranks(c), err) == 0)
        return p ? read_layers(c, arena, plan, err) : 0;
    err->kind = ERR_INPUT;
    return err_prefix(err, "%s:%d: parallel", c->file, p ? p->line : c->line);
}

/* The largest part of `sequences`, at most `most`, that leaves a multiple of `multiple` parts;
 * 0: none. */
static long long part_of(long long sequences, long long most, long long multiple)
{
    for (long long part = most; part > 0; part--)
        if (sequences % part == 0 && sequences / part % multiple == 0)
            return part;
    return 0;
}

int native_replan(struct case_record *c, const char *text, struct arena *arena, struct err *err)
{
    struct plan plan;
    long long zero = c->parallel ? c->parallel->zero : 0;
    long long sequences = (long long)case_sequences(c), micro = size_of(c->micro_batch);
    if (plan_read(text, &plan, err) < 0)
        return err_prefix(err, "--parallel");
    if (plan.context > 1)
        return err_set(err, ERR_USAGE,
                       "--parallel: found CP%d, expected 1: the native trainer "
                       "does not divide sequences",
                       plan.context);
    struct case_parallel *p = arena_array(arena, 1, sizeof *p);
    *p = (struct case_parallel){.line = c->line,
                                .tensor = size_of(plan.tensor),
                                .pipeline = size_of(plan.pipeline),
                                .data = plan.data,
                                .chunks = size_of(plan.chunks),
                                .zero = zero};
    long long own = sequences / p->data;
    long long part = sequences % p->data == 0
                         ? part_of(own, micro < own ? micro : own, p->chunks > 1 ? p->pipeline : 1)
                         : 0;
    if (part == 0)
        return err_set(err, ERR_USAGE,
                       "--parallel: found %s for %lld sequences a step, expected data ranks (and, "
                       "with VP, stages) that divide them",
                       text, sequences);
    c->parallel = p;
    c->micro_batch = part;
    c->gradient_accumulation = own / part;
    return 0;
}
