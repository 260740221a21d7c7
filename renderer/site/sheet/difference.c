#include "renderer/site/sheet/difference.h"

#include "base/figures/figure.h"
#include "base/figures/metrics.h"
#include "renderer/words/ratio.h"

#include <math.h>
#include <string.h>

/* A range has no one value. */
static bool is_one_value(const struct figure *f)
{
    return f->kind == FIGURE_NUMBER || f->kind == FIGURE_PAIR || f->kind == FIGURE_EXPRESSION;
}

/* "62/80" and "62/64" are of another whole: neither their parts nor their shares have a difference
 * that would be one of the figures. */
static bool same_form(const struct figure *a, const struct figure *b)
{
    bool pairs = a->kind == FIGURE_PAIR && b->kind == FIGURE_PAIR;
    return (a->kind == FIGURE_PAIR) == (b->kind == FIGURE_PAIR) && a->percent == b->percent &&
           strcmp(a->unit, b->unit) == 0 && (!pairs || a->second == b->second);
}

static bool is_withdrawn_row(const struct site_row *row)
{
    return row->entry->verdict->state == STATE_WITHDRAWN;
}

bool site_rows_between(const struct site_row *a, const struct site_row *b, const char *name,
                       struct arena *arena, double *percent, const char **why)
{
    const struct metric *x = site_row_metric(a, name), *y = site_row_metric(b, name);
    struct site_value v = {.value = NAN}, w = {.value = NAN};
    bool read = site_value(x, arena, &v) && site_value(y, arena, &w);
    bool wrong = x && y && (site_metric_wrong(x) || site_metric_wrong(y));
    *why = wrong                                        ? "compare.wrong"
           : is_withdrawn_row(a) || is_withdrawn_row(b) ? "compare.withdrawn"
           : !read                                      ? "compare.unread"
           : strcmp(v.form, w.form) != 0                ? "compare.form"
           : v.value == 0                               ? "figure.incomparable"
                                                        : NULL;
    *percent = *why ? 0 : (w.value - v.value) / fabs(v.value) * 100;
    return !*why;
}

bool site_percent_between(const struct figure *first, const struct figure *second, double *percent)
{
    bool both = is_one_value(first) && is_one_value(second) && first->value != 0 &&
                same_form(first, second);
    *percent = both ? (second->value - first->value) / fabs(first->value) * 100 : 0;
    return both;
}

/* 0.463 in a column of shares is 46.3 %, as the verifier takes it. */
static double figure_in_percent(const struct metrics_column *c, const struct figure *f)
{
    bool score = c && c->range == RANGE_SHARE && !f->percent && f->value > 0 && f->value <= 1;
    return score || ratio_is(c, f) ? f->value * 100 : f->value;
}

bool site_value(const struct metric *m, struct arena *arena, struct site_value *out)
{
    const struct figure f = m ? *m->says : figure_missing;
    *out = (struct site_value){.value = NAN, .form = ""};
    if (!is_one_value(&f) || !isfinite(f.value))
        return false;
    const struct metrics_column *c = m->name ? metrics_by_key(m->name) : NULL;
    bool of_each = f.kind == FIGURE_EXPRESSION && c && c->kind == COLUMN_MEMORY_TOTAL;
    out->value = of_each && isfinite(f.each) ? f.each : figure_in_percent(c, &f);
    out->form = f.kind == FIGURE_PAIR ? arena_printf(arena, "/%.15g%s", f.second, f.unit)
                                      : arena_strdup(arena, f.unit);
    return true;
}

/* Of a range the end that is farther from what was recomputed for it. Of what is stated one value
 * is compared with the upper end, as the verifier does; of evidence with the lower one. */
static void take_end(const struct metric *m, struct figure *stated, struct figure *again,
                     struct site_difference *out)
{
    bool evidence = m->source && strcmp(m->source, "evidence") == 0;
    bool both = again->kind == FIGURE_RANGE;
    bool upper = both ? fabs(again->second - stated->second) > fabs(again->value - stated->value)
                      : !evidence;
    if (stated->kind != FIGURE_RANGE || !(both || is_one_value(again)))
        return;
    stated->kind = FIGURE_NUMBER;
    out->end = upper ? DIFFERENCE_UPPER : DIFFERENCE_LOWER;
    if (upper) {
        stated->value = stated->second;
        stated->decimals = stated->second_decimals;
    }
    if (both && upper) {
        again->value = again->second;
        again->decimals = again->second_decimals;
    }
    again->kind = both ? FIGURE_NUMBER : again->kind;
}

bool site_difference(const struct metric *m, struct site_difference *out)
{
    *out = (struct site_difference){.percent = NAN};
    struct figure a = *m->says, b = m->found ? *m->found : figure_missing;
    bool percentage = m->unit && strcmp(m->unit, "%") == 0;
    out->points = a.percent || (percentage && fabs(a.value) > 1);
    take_end(m, &a, &b, out);
    if (!is_one_value(&a) || !is_one_value(&b))
        return false;
    /* "66.27 * 8" is what eight cards have; memory is recomputed of one. */
    bool of_each = a.kind == FIGURE_EXPRESSION && b.kind == FIGURE_PAIR;
    double stated = of_each ? a.each : a.value;
    /* As the verifier compares them: 0.463 beside 46.30 %, 35 % beside 0.35. */
    int places = b.percent && !a.percent && fabs(a.value) <= 1   ? 2
                 : !b.percent && a.percent && fabs(b.value) <= 1 ? -2
                                                                 : 0;
    b.value *= pow(10, -places);
    b.decimals += places;
    int decimals =
        (int)fmax(fmax(a.decimals, b.decimals), m->tolerance ? m->tolerance->decimals : 0);
    out->value = b.value - stated;
    out->decimals = decimals < 0 ? 0 : decimals > 17 ? 17 : decimals;
    if (fabs(out->value) < figure_last_place(out->decimals) / 2)
        out->value = 0;
    out->percent = stated != 0 ? out->value / fabs(stated) * 100 : NAN;
    return true;
}

const char *site_percent_data(double percent, int places, struct arena *arena)
{
    double size = fabs(percent);
    bool fits = size == 0 || (size >= pow(10, -places) && size < 1e9);
    return arena_printf(arena, fits ? "%.*f" : "%.*g", places, size == 0 ? 0 : percent);
}

const char *site_percent_text(double percent, int places, struct arena *arena)
{
    double least = pow(10, -places);
    if (percent != 0 && fabs(percent) < least)
        return arena_printf(arena, "%s<%.*f", percent < 0 ? "-" : "", places, least);
    return arena_printf(arena, fabs(percent) < 1e9 ? "%.*f" : "%.*g", percent == 0 ? 0 : places,
                        percent == 0 ? 0 : percent);
}
