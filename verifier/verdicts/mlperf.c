#include "verifier/verdicts/mlperf.h"

#include "base/foreign.h"
#include "verifier/mlperf/result/result.h"

#include <ctype.h>

/* Findings that read alike. */
struct alike {
    const struct check_result *first;
    const char *words; /* its message without numbers */
    size_t n;
};

struct gathered {
    struct alike *items;
    size_t n;
    struct arena arena;
};

static const char *without_numbers(struct arena *arena, const char *message)
{
    char *copy = arena_strdup(arena, message), *to = copy;
    for (; *message; message++)
        if (!isdigit((unsigned char)*message) && !strchr(".,", *message))
            *to++ = *message;
    *to = '\0';
    return copy;
}

/* Two findings of one rule stand side by side, or nearly so. */
static void gather_finding(struct gathered *g, const struct check_result *c)
{
    const char *words = without_numbers(&g->arena, c->message);
    for (size_t i = g->n; i > 0 && strcmp(g->items[i - 1].first->rule, c->rule) == 0; i--)
        if (g->items[i - 1].first->severity == c->severity &&
            strcmp(g->items[i - 1].words, words) == 0) {
            g->items[i - 1].n++;
            return;
        }
    *(struct alike *)ARENA_PUSH(&g->arena, g->items, g->n) = (struct alike){c, words, 1};
}

static void put_alike(struct gathered *g, const struct verdict *v, const struct alike *x,
                      const struct verdicts *options, struct buf *out)
{
    const struct check_result *c = x->first;
    const char *file = foreign_line(&g->arena, x->n > 1 ? v->file : c->file, 0);
    buf_str(out, file);
    if (x->n == 1 && c->line)
        buf_printf(out, ":%d", c->line);
    buf_str(out, ": ");
    verdict_put_severity(out, options->color, c->severity);
    buf_str(out, ": ");
    if (x->n > 1)
        buf_printf(out, "%zu logs: ", x->n);
    buf_printf(out, "%s%s [%s]\n", foreign_line(&g->arena, c->message, 0), x->n > 1 ? ", …" : "",
               c->rule);
}

void verdict_mlperf_text(const struct verdict *v, const struct verdicts *options, struct buf *out)
{
    struct gathered g = {.arena = ARENA_INIT};
    if (!options->errors_only)
        mlperf_result_logs_text(v->mlperf, options->all, out);
    for (size_t i = 0; i < v->n_checks; i++)
        if (v->checks[i].outcome == OUTCOME_FAIL)
            gather_finding(&g, &v->checks[i]);
    for (int s = SEVERITY_ERROR; s >= (options->errors_only ? SEVERITY_ERROR : SEVERITY_NOTICE);
         s--)
        for (size_t i = 0; i < g.n; i++)
            if (g.items[i].first->severity == (enum severity)s)
                put_alike(&g, v, &g.items[i], options, out);
    if (!options->errors_only)
        mlperf_result_text(v->mlperf, out);
    arena_release(&g.arena);
}
