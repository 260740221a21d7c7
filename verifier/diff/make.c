/* Two sides become one comparison: their order of data, alignment, statistics, notices. */
#include "verifier/diff/diff.h"

/* The cases claim the same order when everything that the order depends on is the same. */
static enum diff_order claimed_order(const struct case_record *a, const struct case_record *b)
{
    if (!a || !b || !a->seed || !b->seed)
        return DIFF_ORDER_UNKNOWN;
    if (a->seed != b->seed)
        return DIFF_ORDER_OTHER;
    const char *x = a->data ? a->data->sha256 : NULL, *y = b->data ? b->data->sha256 : NULL;
    bool same = x && y && strcmp(x, y) == 0 && a->sequence_length == b->sequence_length &&
                a->micro_batch == b->micro_batch &&
                a->gradient_accumulation == b->gradient_accumulation;
    return same ? DIFF_ORDER_SAME : DIFF_ORDER_UNKNOWN;
}

static size_t count_points_not_finite(const struct curve *c)
{
    size_t n = 0;
    for (size_t i = 0; i < c->n; i++)
        n += !isfinite(c->loss[i]);
    return n;
}

void diff_make(const struct diff_side *run, const struct diff_side *reference,
               struct align_rule rule, enum diff_order order, struct arena *arena, struct diff *out)
{
    struct arena scratch = ARENA_INIT;
    *out = (struct diff){.run = run, .reference = reference, .rule = rule, .order = order};
    if (order == DIFF_ORDER_UNKNOWN)
        out->order = claimed_order(run->kase, reference->kase);
    out->not_finite =
        count_points_not_finite(&run->curve) + count_points_not_finite(&reference->curve);
    align_curves(&run->curve, &reference->curve, rule, &out->alignment);
    curve_stats(&run->curve, &reference->curve, rule, &scratch, &out->stats);
    curve_copy(&run->curve, &reference->curve, rule, &scratch, &out->copy);
    arena_release(&scratch);
    diff_look(out, arena);
}
