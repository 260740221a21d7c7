#include "renderer/site/index/criteria.h"

#include "renderer/site/index/recompute.h"
#include "renderer/site/index/row.h"

#include "base/text.h"

#include <string.h>
#include <strings.h>

static const char *criterion_text(const char *text)
{
    return *text ? text : NULL;
}

static const char *value_of_case(const struct site_row *row, struct arena *arena)
{
    (void)arena;
    return row->entry->result->case_id;
}

static const char *value_of_stage(const struct site_row *row, struct arena *arena)
{
    (void)arena;
    return criterion_text(row->stage);
}

static const char *value_of_factor(const struct site_row *row, struct arena *arena)
{
    return arena_printf(arena, "%g", site_row_factor(row));
}

static const char *value_of_sequence(const struct site_row *row, struct arena *arena)
{
    double sequence = site_row_sequence(row);
    return sequence > 0 ? arena_printf(arena, "%.10g", sequence) : NULL;
}

static const char *value_of_recompute(const struct site_row *row, struct arena *arena)
{
    static const char *const values[] = {
        [RECOMPUTE_UNSAID] = NULL,      [RECOMPUTE_NONE] = "none", [RECOMPUTE_SOME] = "used",
        [RECOMPUTE_PART] = "selective", [RECOMPUTE_ALL] = "full",
    };
    (void)arena;
    return values[site_recompute_of(row)];
}

static const char *value_of_precision(const struct site_row *row, struct arena *arena)
{
    (void)arena;
    return criterion_text(row->precision);
}

static const struct {
    const char *name;
    const char *(*value)(const struct site_row *row, struct arena *arena);
} criteria[SITE_CONDITIONS] = {
    [CRITERION_CASE] = {"case", value_of_case},
    [CRITERION_PRECISION] = {"precision_class", site_row_class},
    [CRITERION_STAGE] = {"stage", value_of_stage},
    [CRITERION_FACTOR] = {"mfu_factor", value_of_factor},
    [CRITERION_SEQUENCE] = {"sequence_length", value_of_sequence},
    [CONDITION_RECOMPUTE] = {"recompute", value_of_recompute},
    [CONDITION_PRECISION] = {"precision", value_of_precision},
};

const char *site_criterion_name(enum site_criterion c)
{
    return criteria[c].name;
}

const char *site_criterion_value(const struct site_row *row, enum site_criterion c,
                                 struct arena *arena)
{
    return criteria[c].value(row, arena);
}

size_t site_criterion_rows(const struct site_entry *e, enum site_criterion c, struct arena *arena,
                           const struct site_row **out)
{
    const char **values = arena_array(arena, e->n_rows, sizeof *values);
    size_t n = 0;
    for (size_t i = 0; i < e->n_rows; i++) {
        bool known = false;
        values[n] = site_criterion_value(e->rows[i], c, arena);
        for (size_t k = 0; k < n && !known; k++)
            known = text_equal_or_empty(values[k], values[n]);
        if (!known)
            out[n++] = e->rows[i];
    }
    return n;
}

static enum site_likeness likeness_if(bool same)
{
    return same ? LIKENESS_SAME : LIKENESS_DIFFERENT;
}

/* What is used somehow may be a part or all. */
static enum site_likeness recomputes_alike(const struct site_row *a, const struct site_row *b)
{
    enum site_recompute x = site_recompute_of(a), y = site_recompute_of(b);
    return site_recompute_differs(x, y) ? LIKENESS_DIFFERENT
           : x && x == y                ? LIKENESS_SAME
                                        : LIKENESS_UNKNOWN;
}

enum site_likeness site_rows_alike(const struct site_row *a, const struct site_row *b,
                                   enum site_criterion c)
{
    struct arena scratch = ARENA_INIT;
    enum site_likeness like;
    if (c == CONDITION_RECOMPUTE)
        like = recomputes_alike(a, b);
    else if (c == CONDITION_PRECISION)
        like = !*a->precision || !*b->precision
                   ? LIKENESS_UNKNOWN
                   : likeness_if(strcasecmp(a->precision, b->precision) == 0);
    else
        like = likeness_if(text_equal_or_empty(site_criterion_value(a, c, &scratch),
                                               site_criterion_value(b, c, &scratch)));
    arena_release(&scratch);
    return like;
}

enum site_likeness site_results_alike(const struct site_compared *pair, enum site_criterion c)
{
    struct arena scratch = ARENA_INIT;
    const struct site_row **a = arena_array(&scratch, pair->a->n_rows, sizeof(*a));
    const struct site_row **b = arena_array(&scratch, pair->b->n_rows, sizeof(*b));
    size_t n = site_criterion_rows(pair->a, c, &scratch, a), counts[LIKENESS_SAME + 1] = {0};
    size_t m = site_criterion_rows(pair->b, c, &scratch, b);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < m; k++)
            counts[site_rows_alike(a[i], b[k], c)]++;
    arena_release(&scratch);
    return counts[LIKENESS_SAME]                 ? (n * m == 1 ? LIKENESS_SAME : LIKENESS_PARTLY)
           : counts[LIKENESS_DIFFERENT] == n * m ? LIKENESS_DIFFERENT
                                                 : LIKENESS_UNKNOWN;
}
