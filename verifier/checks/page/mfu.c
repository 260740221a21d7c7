/* Rules about MFU, recomputed from the throughput that the same row states. */
#include "verifier/checks/checks.h"

#include "base/text.h"
#include "verifier/claims/mfu.h"
#include "verifier/claims/mfu_convention.h"

#include <math.h>
#include <string.h>

/*
 * Within this share of the figure a difference is a warning only: some case scripts divide by a
 * throughput with more digits, or average over steps, and no ranking turns on it. Beyond it the
 * two printed figures contradict each other.
 */
#define SMALL_DIFFERENCE 0.005

/* Stated and recomputed in the form in which MFU is printed: percent, or ratio without '%'. */
struct comparison {
    double stated, other, place; /* place: one unit in the last printed place */
    double rounding;             /* what the rounding of the stated throughput amounts to */
    int decimals;
    const char *unit;
    bool below_only, above_only; /* of a bound: the truth may lie on its one side only */
};

static bool agrees(const struct comparison *x)
{
    /* The sum has a rounding error of its own: 37.0 and 37.1 are not exactly 0.1 apart. */
    double slack = x->place + x->rounding + 1e-9 * fabs(x->other);
    double over = x->stated - x->other;
    return (over <= slack || x->below_only) && (-over <= slack || x->above_only);
}

static bool is_small(const struct comparison *x)
{
    return fabs(x->stated - x->other) <= SMALL_DIFFERENCE * fabs(x->other);
}

static struct comparison compare(const struct figure *f, double stated, double ratio,
                                 const struct figure *tps)
{
    bool percent = f->percent || f->value > 1;
    double scale = percent ? 100 : 1;
    double half =
        fmax(figure_last_place(tps->decimals) / 2, tps->tolerance > 0 ? figure_tolerance(tps) : 0);
    return (struct comparison){.stated = stated,
                               .other = ratio * scale,
                               .place = figure_tolerance(f),
                               .rounding = ratio * scale * half / tps->value,
                               .decimals = f->decimals,
                               .unit = f->percent ? "%" : "",
                               .below_only = f->kind == FIGURE_BOUND && !f->least,
                               .above_only = f->kind == FIGURE_BOUND && f->least};
}

static const char *shown(struct audit *a, double value, const struct comparison *x, int more)
{
    return arena_printf(a->arena, "%s%s", audit_fixed(a->arena, value, x->decimals + more),
                        x->unit);
}

/* What the two figures have to do with each other, as a sentence. */
static const char *explain(struct audit *a, const struct comparison *x, const struct figure *f,
                           const char *derivation)
{
    struct comparison ratio = *x;
    ratio.other /= 100;
    ratio.rounding /= 100;
    const char *said =
        arena_printf(a->arena,
                     f->kind == FIGURE_RANGE   ? "MFU is stated as %s (one end of the range); %s"
                     : f->kind != FIGURE_BOUND ? "MFU is stated as %s; %s"
                     : f->least                ? "MFU is stated as %s or more; %s"
                                               : "MFU is stated as %s or less; %s",
                     shown(a, x->stated, x, 0), derivation);
    return f->percent && agrees(&ratio)
               ? arena_printf(a->arena, "%s: the ratio was printed as if it were a percentage",
                              said)
               : said;
}

/* Another peak of the same card that gives the stated figure: scripts divide by one peak whatever
 * the precision of the row is. NULL when there is none. */
static const char *other_peak(struct audit *a, const struct comparison *x,
                              const struct mfu_inputs *in)
{
    for (size_t i = 0; in->card && i < in->card->n_peaks; i++) {
        const struct peak *p = &in->card->peaks[i];
        struct comparison y = *x;
        double scale = in->peak / (p->tflops * 1e12);
        y.other *= scale;
        y.rounding *= scale;
        if (agrees(&y))
            return arena_printf(a->arena, "the peak of %s", p->precision);
    }
    return NULL;
}

/* By another convention than FlagPerf's: it passes where the page names the one that gives the
 * stated figure, which *x then holds. Words that leave room, with a figure inside of it, leave
 * nothing to compare. */
static enum outcome by_convention(struct audit *a, const struct claim *c, struct comparison *x,
                                  const struct mfu_inputs *in, const char **other)
{
    struct mfu_conventions known;
    mfu_conventions_find(a, c, in, &known);
    for (size_t i = 0; i < known.n; i++) {
        struct comparison y = *x;
        y.other *= known.all[i].scale;
        y.rounding *= known.all[i].scale;
        if (!agrees(&y))
            continue;
        *other = known.all[i].name;
        if (!known.all[i].named)
            return OUTCOME_FAIL;
        *x = y;
        return OUTCOME_PASS;
    }
    double slack = x->place + x->rounding;
    if (x->stated < known.least * x->other - slack || !(x->stated <= known.most * x->other + slack))
        return OUTCOME_FAIL;
    return OUTCOME_CANNOT;
}

static enum outcome report_mfu(struct audit *a, const struct claim *c, const struct figure *f,
                               struct comparison *x, const struct mfu_inputs *in,
                               const char *derivation)
{
    const char *other = NULL;
    /* A bound on its side of anything agrees with everything beyond: nothing explains it. */
    bool bound = f->kind == FIGURE_BOUND;
    enum outcome outcome = agrees(x) ? OUTCOME_PASS
                           : bound   ? OUTCOME_FAIL
                                     : by_convention(a, c, x, in, &other);
    bool ok = outcome != OUTCOME_FAIL;
    other = ok || other || bound ? other : other_peak(a, x, in);
    const char *said = explain(a, x, f, derivation);
    struct check_result *r =
        outcome == OUTCOME_CANNOT
            ? audit_cannot(a, c, "%s; the row counts operations that it does not describe in full",
                           said)
        : other ? audit_report(a, outcome, c, 0, "%s; it follows from %s", said, other)
                : audit_report(a, outcome, c, 0, "%s", said);
    r->severity =
        is_small(x) || other || outcome == OUTCOME_CANNOT ? SEVERITY_WARNING : r->severity;
    r->stated = shown(a, x->stated, x, 0);
    r->expected = shown(a, x->other, x, 2);
    r->tolerance = shown(a, x->place + x->rounding, x, 2);
    return outcome;
}

static void cannot_mfu(struct audit *a, const struct claim *c, struct metric *m, const char *why)
{
    m->reason = why;
    audit_cannot(a, c, "MFU cannot be recomputed: %s", why);
}

/* The throughput that MFU is computed from: token/p/s, or an expression that ends in one. */
static bool stated_throughput(const struct claim *c, struct figure *tps)
{
    *tps = *claim_figure(c, "token_per_s_per_card");
    return (tps->kind == FIGURE_NUMBER || tps->kind == FIGURE_EXPRESSION) && tps->value > 0;
}

void check_mfu(struct audit *a, const struct claim *c)
{
    struct metric *m = audit_metric(a, c, "mfu");
    const struct figure f = *claim_figure(c, "mfu");
    struct figure tps;
    struct mfu_inputs in;
    const char *why = "the row states no throughput";
    if (!m || !(figure_has_value(&f) || f.kind == FIGURE_BOUND))
        return;
    if (!stated_throughput(c, &tps) || !mfu_find_inputs(a, c, &in, &why)) {
        cannot_mfu(a, c, m, why);
        return;
    }
    bool range = f.kind == FIGURE_RANGE;
    double high = mfu_ratio(&in, tps.value);
    struct comparison x = compare(&f, range ? f.second : f.value, high, &tps);
    const char *derivation = mfu_derivation(&in, tps.value, a->arena);
    enum outcome outcome = report_mfu(a, c, &f, &x, &in, derivation);
    m->recomputed = shown(a, x.other, &x, 2);
    if (range && !isnan(in.low_peak)) {
        in.peak = in.low_peak;
        struct comparison low = compare(&f, f.value, mfu_ratio(&in, tps.value), &tps);
        enum outcome lower =
            report_mfu(a, c, &f, &low, &in, mfu_derivation(&in, tps.value, a->arena));
        outcome = outcome == OUTCOME_PASS ? lower : outcome;
        m->recomputed =
            arena_printf(a->arena, "%s-%s", shown(a, low.other, &low, 2), m->recomputed);
    }
    m->tolerance = shown(a, x.place + x.rounding, &x, 2);
    m->source = "stated";
    m->rule = a->check->id;
    m->derivation = derivation;
    m->outcome = outcome;
    m->reason = outcome == OUTCOME_CANNOT ? "the row counts other operations" : NULL;
}

/* Rows of one card, model, precision and stage have one peak, whatever it is. */
static bool same_peak(const struct claim *x, const struct claim *y)
{
    bool same_stage =
        (!x->config.stage && !y->config.stage) ||
        (x->config.stage && y->config.stage && text_same(x->config.stage, y->config.stage));
    bool same_precision = (!x->precision && !y->precision) ||
                          (x->precision && y->precision && text_same(x->precision, y->precision));
    bool theory = isnan(x->hyper.theory_flops) && isnan(y->hyper.theory_flops);
    return x->of == y->of && same_stage && same_precision && theory &&
           text_same(x->config.accelerator, y->config.accelerator);
}

/* MFU and throughput of a row, both plain numbers. */
static bool read_pair(const struct claim *c, struct figure *mfu, struct figure *tps)
{
    *mfu = *claim_figure(c, "mfu");
    return mfu->kind == FIGURE_NUMBER && mfu->value > 0 && stated_throughput(c, tps);
}

/* A row whose MFU and throughput are compared with those of others. */
struct proportion {
    const struct claim *of;
    struct figure mfu, tps;
    double mfu_tolerance, tps_share; /* asked once a row, not once a pair; of tps its share */
};

/* What the MFU of `x` would be in proportion to `to`, and how far it may be off. */
static double in_proportion(const struct proportion *x, const struct proportion *to,
                            double *tolerance)
{
    double expected = to->mfu.value * x->tps.value / to->tps.value;
    *tolerance = x->mfu_tolerance + to->mfu_tolerance * x->tps.value / to->tps.value +
                 expected * (x->tps_share + to->tps_share);
    return expected;
}

static bool are_in_proportion(const struct proportion *x, const struct proportion *to)
{
    double tolerance, expected = in_proportion(x, to, &tolerance);
    return fabs(x->mfu.value - expected) <= tolerance;
}

/* Rows that share the peak of `c`, itself among them; `out` has room for all. One that FP2003
 * contradicts is no measure for others. */
static size_t peers_of(struct audit *a, const struct claim *c, const struct figure *mfu,
                       struct proportion *out)
{
    size_t n = 0;
    for (size_t i = 0; i < a->n_claims; i++) {
        struct proportion *p = &out[n];
        const struct claim *x = &a->claims[i];
        *p = (struct proportion){.of = x};
        if (!same_peak(x, c) || !read_pair(x, &p->mfu, &p->tps) || p->mfu.percent != mfu->percent)
            continue;
        p->mfu_tolerance = figure_tolerance(&p->mfu);
        p->tps_share = figure_tolerance(&p->tps) / p->tps.value;
        const struct metric *m = audit_metric(a, x, "mfu");
        n += x == c || !m || m->outcome != OUTCOME_FAIL;
    }
    return n;
}

/* The one that most others are in proportion to, the first of several: where one row is wrong, it
 * is not the measure of the others. */
static const struct proportion *measure_of(const struct proportion *rows, size_t n)
{
    size_t best = 0, most = 0;
    for (size_t i = 0; i < n; i++) {
        size_t agree = 0;
        for (size_t k = 0; k < n; k++)
            agree += k != i && are_in_proportion(&rows[k], &rows[i]);
        if (agree > most) {
            best = i;
            most = agree;
        }
    }
    return &rows[best];
}

static void report_proportion(struct audit *a, const struct proportion *row,
                              const struct proportion *to)
{
    const struct claim *c = row->of;
    double tolerance, expected = in_proportion(row, to, &tolerance);
    struct check_result *r =
        audit_report(a, are_in_proportion(row, to) ? OUTCOME_PASS : OUTCOME_FAIL, c, 0,
                     "MFU is %s at %s token/p/s, and %s at %s in row %d: in proportion %s",
                     claim_cell(c, "mfu"), audit_number(a->arena, row->tps.value),
                     claim_cell(to->of, "mfu"), audit_number(a->arena, to->tps.value), to->of->row,
                     audit_fixed(a->arena, expected, row->mfu.decimals + 1));
    r->stated = claim_cell(c, "mfu");
    r->expected = audit_fixed(a->arena, expected, row->mfu.decimals + 1);
    r->tolerance = audit_fixed(a->arena, tolerance, row->mfu.decimals + 1);
}

/* Rows of one peak, once for all of them. */
static void check_peers(struct audit *a, const struct claim *c, struct proportion *rows, bool *done)
{
    struct figure mfu, tps;
    struct mfu_inputs in;
    const char *why;
    if (done[c - a->claims] || !read_pair(c, &mfu, &tps) || mfu_find_inputs(a, c, &in, &why))
        return;
    size_t n = peers_of(a, c, &mfu, rows);
    const struct proportion *to = measure_of(rows, n);
    for (size_t i = 0; i < n; i++) {
        const struct claim *x = rows[i].of;
        if (x != to->of && !mfu_find_inputs(a, x, &in, &why))
            report_proportion(a, &rows[i], to);
        done[x - a->claims] = true;
    }
}

/* Where the peak is not known MFU is in proportion to throughput all the same. */
void check_mfu_proportion(struct audit *a)
{
    struct proportion *rows = arena_array(a->arena, a->n_claims, sizeof *rows);
    bool *done = arena_array(a->arena, a->n_claims, sizeof *done);
    for (size_t i = 0; i < a->n_claims; i++)
        check_peers(a, &a->claims[i], rows, done);
}

/* Where no MFU is printed the throughput implies one: beyond all peaks of the card it cannot be,
 * beyond that of the row's precision it is odd. */
static void check_implied(struct audit *a, const struct claim *c)
{
    struct figure tps;
    struct mfu_inputs in;
    const char *why;
    if (!stated_throughput(c, &tps) || !mfu_find_inputs(a, c, &in, &why))
        return;
    double ratio = mfu_ratio(&in, tps.value), least = ratio;
    if (!isnan(in.low_peak))
        ratio = least = ratio * in.peak / in.low_peak;
    if (ratio <= 1)
        return;
    for (size_t i = 0; in.card && i < in.card->n_peaks; i++)
        least =
            fmin(least, mfu_ratio(&in, tps.value) * in.peak / (in.card->peaks[i].tflops * 1e12));
    struct check_result *r =
        audit_fail(a, c, "the throughput is more than the card can do: MFU would be %s",
                   mfu_derivation(&in, tps.value, a->arena));
    r->severity = least > 1 ? SEVERITY_ERROR : SEVERITY_WARNING;
    r->stated = claim_cell(c, "token_per_s_per_card");
    r->expected = "an MFU of at most 100 %";
}

void check_mfu_limit(struct audit *a, const struct claim *c)
{
    const struct figure f = *claim_figure(c, "mfu");
    if (!figure_has_value(&f)) {
        check_implied(a, c);
        return;
    }
    double most = f.kind == FIGURE_RANGE && f.second > f.value ? f.second : f.value;
    /* Without a sign it may be a ratio or a percentage; only beyond 100 is it neither. */
    bool ok = most > 0 && most <= 100;
    struct check_result *r =
        audit_report(a, ok ? OUTCOME_PASS : OUTCOME_FAIL, c, 0, "MFU '%s' lies %s 0 %% and 100 %%",
                     claim_cell(c, "mfu"), ok ? "between" : "outside of");
    r->stated = claim_cell(c, "mfu");
    r->expected = "between 0 % and 100 %";
}
