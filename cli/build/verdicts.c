#include "cli/build/verdicts.h"

#include "verifier/verdicts/shape.h"

bool build_verdict_is_kept(const struct verdict *v)
{
    return v->n_evidence == 0 && v->n_reproductions == 0 && !v->found && !v->mlperf;
}

static bool is_failed_error(const struct check_result *c)
{
    return c->outcome == OUTCOME_FAIL && c->severity == SEVERITY_ERROR;
}

void build_verdict_keep(const struct verdict *v, struct buf *out)
{
    struct arena arena = ARENA_INIT;
    struct verdict kept = *v;
    kept.checks = arena_array(&arena, v->n_checks, sizeof *kept.checks);
    kept.n_checks = 0;
    for (size_t i = 0; i < v->n_checks; i++)
        if (is_failed_error(&v->checks[i]))
            kept.checks[kept.n_checks++] = v->checks[i];
    shape_pack_text(&verdict_shape, &kept, out);
    arena_release(&arena);
}

void build_verdict_take(struct verdict *v, struct arena *arena, struct unpack *u)
{
    static const struct project none;
    *v = (struct verdict){.id = NULL};
    shape_unpack_text(&verdict_shape, v, arena, u);
    u->bad |= !u->bad && (!v->id || !v->file || !verdict_take(v, &none, NULL, 0));
}
