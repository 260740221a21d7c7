/* Notices about two curves. The rates were measured on accepted logs of MLPerf Training v4.0 and
 * v5.1 and on runs of a small character model; each is printed with its number. */
#include "verifier/diff/diff.h"

#include <stdio.h>
#include <stdlib.h>

#define HALF_BITS 11 /* significand of fp16; bf16 has fewer */
#define FEW_DIGITS 5

/* A step's sum of times may be off against the clock by rounding and by this much. */
#define CLOCK_SHARE 1.02
#define CLOCK_SLACK_S 1.0

struct look {
    struct diff *d;
    struct arena *arena;
};

__attribute__((format(printf, 6, 7))) static struct diff_notice *
add_notice(struct look *l, const char *kind, const struct diff_side *side, double from, double to,
           const char *fmt, ...)
{
    struct err said;
    struct diff_notice *n = ARENA_PUSH(l->arena, l->d->notices, l->d->n_notices);
    va_list ap;
    va_start(ap, fmt);
    err_vset(&said, ERR_INPUT, fmt, ap);
    va_end(ap);
    *n = (struct diff_notice){.kind = kind,
                              .message = arena_strdup(l->arena, said.text),
                              .from_step = from,
                              .to_step = to,
                              .file = side->log,
                              .line = diff_side_line(side, from)};
    return n;
}

static const char *side_word(const struct look *l, const struct diff_side *side)
{
    return side == l->d->run ? "run" : "reference";
}

/* --- facts --- */

static void look_side(struct look *l, const struct diff_side *side)
{
    const struct curve *c = &side->curve;
    struct occurrence o = {0, NAN};
    for (size_t i = 0; i < c->n; i++)
        if (!isfinite(c->loss[i]) && o.n++ == 0)
            o.first = c->step[i];
    if (o.n)
        add_notice(l, "not_finite", side, o.first, o.first,
                   "%zu losses of the %s are NaN or infinite, the first at step %.15g", o.n,
                   side_word(l, side), o.first);
    if (side->skipped > 0)
        add_notice(l, "skipped", side, NAN, NAN, "%.15g of %.15g steps of the %s were skipped",
                   side->skipped, side->skipped_of, side_word(l, side));
}

static void look_not_finite(struct look *l)
{
    look_side(l, l->d->run);
    look_side(l, l->d->reference);
}

static void look_zero(struct look *l)
{
    const struct occurrence *o = &l->d->stats.reference_zero;
    if (o->n)
        add_notice(l, "zero", l->d->reference, o->first, o->first,
                   "the reference is 0 at %zu common steps, the first %.15g: no deviation can be "
                   "given there, they are left out of the mean",
                   o->n, o->first);
}

static void look_steps_of(struct look *l, const struct diff_side *side)
{
    const char *word = side_word(l, side);
    if (side->repeated) {
        struct diff_notice *n = add_notice(
            l, "steps", side, side->first_repeated, side->first_repeated,
            "the %s reports %zu steps again (%zu with another loss), the first %.15g; the last "
            "report counts",
            word, side->repeated, side->changed, side->first_repeated);
        n->line = side->first_repeated_line;
    }
    if (!side->rising && !side->repeated)
        add_notice(l, "steps", side, NAN, NAN, "the steps of the %s do not rise; they were sorted",
                   word)
            ->line = side->fall_line;
}

static void look_steps(struct look *l)
{
    const struct curve_stats *s = &l->d->stats;
    const struct alignment *a = &l->d->alignment;
    if (s->missing.n)
        add_notice(
            l, "steps", l->d->reference, s->missing.first, NAN,
            "%zu steps of the reference are not in the run, the first %.15g (%zu are compared)",
            s->missing.n, s->missing.first, a->steps);
    if (s->extra.n)
        add_notice(
            l, "steps", l->d->run, s->extra.first, NAN,
            "%zu steps of the run are not in the reference, the first %.15g (%zu are compared)",
            s->extra.n, s->extra.first, a->steps);
    look_steps_of(l, l->d->run);
    look_steps_of(l, l->d->reference);
}

static void look_plan(struct look *l)
{
    const char *run = diff_side_plan(l->d->run, l->arena);
    const char *reference = diff_side_plan(l->d->reference, l->arena);
    if (run && reference && strcmp(run, reference) != 0)
        add_notice(l, "plan", l->d->run, NAN, NAN,
                   "the run's parallel plan is %s, the reference's %s", run, reference);
}

/* --- what honest runs show rarely --- */

/* Printed with enough digits, and not a value of a 16-bit format, which repeat by chance. */
static bool is_fine(double loss)
{
    char text[40];
    int exponent;
    double scaled = ldexp(frexp(loss, &exponent), HALF_BITS);
    snprintf(text, sizeof text, "%.*g", FEW_DIGITS, loss);
    return isfinite(loss) && scaled != floor(scaled) && strtod(text, NULL) != loss;
}

static size_t count_fine(const struct curve *c, double from, double to)
{
    size_t n = 0;
    for (size_t i = 0; i < c->n && c->step[i] <= to && n < DIFF_IDENTICAL; i++)
        n += c->step[i] >= from && is_fine(c->loss[i]);
    return n;
}

enum machines { MACHINES_UNKNOWN, MACHINES_SAME, MACHINES_DIFFERENT };

/* By the device that computes: the accelerator, or the CPU where neither names one. */
static enum machines compare_machines(const struct diff *d, const char **run, const char **ref)
{
    const enum fact_id kinds[] = {FACT_ACCELERATOR_MODEL, FACT_CPU_MODEL};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        *run = facts_value(&d->run->facts, kinds[i]);
        *ref = facts_value(&d->reference->facts, kinds[i]);
        if (*run && *ref)
            return strcmp(*run, *ref) == 0 ? MACHINES_SAME : MACHINES_DIFFERENT;
        if (*run || *ref)
            return MACHINES_UNKNOWN;
    }
    return MACHINES_UNKNOWN;
}

static void look_identical(struct look *l)
{
    const struct curve_stats *s = &l->d->stats;
    const char *run, *reference;
    enum machines machines = compare_machines(l->d, &run, &reference);
    l->d->comparisons += l->d->alignment.steps >= DIFF_IDENTICAL && machines != MACHINES_SAME;
    if (s->identical < DIFF_IDENTICAL || machines == MACHINES_SAME ||
        count_fine(&l->d->run->curve, s->identical_from, s->identical_to) < DIFF_IDENTICAL)
        return;
    const char *who =
        machines == MACHINES_DIFFERENT
            ? arena_printf(l->arena, "by their fingerprints on '%s' and on '%s'", run, reference)
            : "whether the machines differ is not known: the same device repeats "
              "its bits, two kinds of device do not";
    struct diff_notice *n = add_notice(
        l, "identical", l->d->run, s->identical_from, s->identical_to,
        "%zu losses, one after another from step %.15g to %.15g, are the reference's to the "
        "last digit; %s",
        s->identical, s->identical_from, s->identical_to, who);
    n->false_alarms = "of the logs published with MLPerf Training v4.0 and v5.1, none of 3276 loss "
                      "curves has 5 losses in a row that are those of a curve of another "
                      "organisation; inside of one organisation 15 pairs of files do";
}

/* Four significant digits and more: coarser clocks repeat by chance. */
static bool is_fine_time(double seconds)
{
    char text[40];
    snprintf(text, sizeof text, "%.3g", seconds);
    return isfinite(seconds) && seconds > 0 && strtod(text, NULL) != seconds;
}

/* A stretch of common steps, one after another, that took the same time. */
struct same_times {
    size_t n, compared;
    double from, to;
};

static struct same_times find_same_times(const struct curve *run, const struct curve *reference)
{
    struct same_times best = {0, 0, NAN, NAN}, now = best;
    for (size_t i = 0, k = 0; i < run->n && k < reference->n;) {
        double a = run->step[i], b = reference->step[k];
        double x = run->seconds[i], y = reference->seconds[k];
        i += !(a > b);
        k += !(b > a);
        if (a != b || !isfinite(x) || !isfinite(y))
            continue;
        best.compared++;
        bool same = x == y && is_fine_time(x);
        now.from = now.n ? now.from : a;
        now.to = a;
        now.n = same ? now.n + 1 : 0;
        if (now.n > best.n)
            best = (struct same_times){now.n, best.compared, now.from, now.to};
    }
    return best;
}

static void look_times(struct look *l)
{
    struct same_times t = find_same_times(&l->d->run->curve, &l->d->reference->curve);
    l->d->comparisons += t.compared >= DIFF_TIMES;
    if (t.n >= DIFF_TIMES)
        add_notice(l, "times", l->d->run, t.from, t.to,
                   "%zu steps, one after another from step %.15g to %.15g, took the reference's "
                   "time to the last digit",
                   t.n, t.from, t.to)
            ->false_alarms =
            "of 1206 timed steps that 5 pairs of published runs of the same training (Megatron-LM "
            "on A100, H100 and GB200) have in common, none took the same time";
}

static void look_spikes(struct look *l)
{
    const struct occurrence *run = &l->d->stats.run_spikes;
    const struct occurrence *reference = &l->d->stats.reference_spikes;
    if (run->n > reference->n)
        add_notice(
            l, "spikes", l->d->run, run->first, run->first,
            "the loss of the run jumps up %zu time%s, first at step %.15g; that of the reference "
            "%zu time%s",
            run->n, run->n == 1 ? "" : "s", run->first, reference->n, reference->n == 1 ? "" : "s");
}

/* What is wrong in the files themselves; it was said when they were read, too. */
static void look_reading(struct look *l)
{
    const struct diff_side *sides[] = {l->d->run, l->d->reference};
    for (size_t i = 0; i < 2; i++)
        for (size_t k = 0; k < sides[i]->faults.n; k++) {
            const struct diag *d = &sides[i]->faults.items[k];
            struct diff_notice *n = add_notice(l, DIFF_READING, sides[i], NAN, NAN, "%s: %s",
                                               side_word(l, sides[i]), d->message);
            n->file = d->file;
            n->line = d->line;
        }
}

/* Length of the stretch of equal losses that begins at i. */
static size_t equal_from(const struct curve *c, size_t i)
{
    size_t n = 1;
    while (i + n < c->n && c->loss[i + n] == c->loss[i])
        n++;
    return n;
}

static void look_repeated(struct look *l)
{
    const struct curve *c = &l->d->run->curve;
    l->d->comparisons += c->n >= DIFF_REPEATED;
    for (size_t i = 0, n; i < c->n; i += n) {
        n = equal_from(c, i);
        if (n < DIFF_REPEATED || !is_fine(c->loss[i]))
            continue;
        double to = c->step[i + n - 1];
        add_notice(l, "repeated", l->d->run, c->step[i], to,
                   "the loss of steps %.15g to %.15g of the run is %.17g each time", c->step[i], to,
                   c->loss[i])
            ->false_alarms = "0 of 971 runs have even two equal neighbouring training losses "
                             "(MLPerf Training v4.0, v5.1)";
        return;
    }
}

#define ORDER_RATES                                                                       \
    "same order: 0 of 84 honest runs below 0.98; other order: none above 0.184 from 200 " \
    "single steps on (58 pairs; a small character model, not measured again on large models)"

static void notice_order(struct look *l)
{
    const struct curve_stats *s = &l->d->stats;
    double r = s->diff_correlation;
    if (s->diff_pairs < DIFF_ORDER_PAIRS || isnan(r) || l->d->order == DIFF_ORDER_UNKNOWN)
        return;
    l->d->comparisons++;
    bool together = r > DIFF_ORDER_CORRELATION, same = l->d->order == DIFF_ORDER_SAME;
    if (together == same)
        return;
    add_notice(l, same ? "order" : "copy", l->d->run, NAN, NAN,
               "first differences of the losses correlate with %.4f over %zu single steps, and %s "
               "data order is claimed",
               r, s->diff_pairs, same ? "the same" : "another")
        ->false_alarms = ORDER_RATES;
}

static void look_shifted(struct look *l)
{
    const struct curve_stats *s = &l->d->stats;
    if (s->shift_pairs < DIFF_ORDER_PAIRS || s->diff_pairs < DIFF_ORDER_PAIRS)
        return;
    l->d->comparisons++;
    if (s->shift == 0 || !(s->shift_correlation > DIFF_SHIFT_CORRELATION) ||
        s->diff_correlation > DIFF_ORDER_CORRELATION)
        return;
    add_notice(l, "shifted", l->d->run, NAN, NAN,
               "step k of the run goes with step k%+d of the reference: first differences "
               "correlate with %.4f there and with %.4f at the same step (%zu pairs); the steps "
               "may be numbered differently",
               s->shift, s->shift_correlation, s->diff_correlation, s->shift_pairs)
        ->false_alarms = "0 of 84 honest runs have their peak elsewhere than at 0 (a small "
                         "character model)";
}

#define COPY_RATES                                                                               \
    "0 of 384 stretches of 50 to 10000 reports of 5 pairs of real trainings, 0 of 380 of small " \
    "ones made to measure it"
#define NOISE_RATES                                                                              \
    "0 of 30 stretches of 2000 and more reports of 4 pairs of real trainings, 0 of 40 of small " \
    "ones made to measure it"

/* --- relations that training does not give by itself --- */

static const char *mean_name(const struct look *l, const struct curve_copy *c)
{
    return c->window ? arena_printf(l->arena, "the mean of %d reports", c->window)
                     : arena_printf(l->arena, "the exponential mean of weight %.2g", c->weight);
}

static void look_smooth(struct look *l)
{
    const struct curve_copy *c = &l->d->copy;
    if (c->n < DIFF_SMOOTH_REPORTS || isnan(c->smooth))
        return;
    l->d->comparisons++;
    if (c->smooth >= 1.0 / DIFF_SMOOTH)
        return;
    add_notice(l, "smooth", l->d->run, NAN, NAN,
               "the run follows %s of the reference to %.2g of the reference's own noise (%zu "
               "reports); a run that logs means of the same training does, too",
               mean_name(l, c), c->smooth, c->n)
        ->false_alarms = COPY_RATES;
}

static bool is_scaled(const struct curve_copy *c)
{
    return c->factor != 1 && fabs(c->factor - 1) > DIFF_SCALED * c->factor_spread;
}

static bool is_moved(const struct curve_copy *c)
{
    return c->offset != 0 && fabs(c->offset) > DIFF_SCALED * c->offset_spread;
}

static void look_scaled(struct look *l)
{
    const struct curve_copy *c = &l->d->copy;
    if (c->n < COPY_MIN)
        return;
    l->d->comparisons++;
    if (is_scaled(c))
        add_notice(l, "scaled", l->d->run, NAN, NAN,
                   "the run is %.6g times the reference at each of %zu reports (spread %.1g)",
                   c->factor, c->n, c->factor_spread)
            ->false_alarms = COPY_RATES;
    else if (is_moved(c))
        add_notice(l, "scaled", l->d->run, NAN, NAN,
                   "the run lies %+.6g from the reference at each of %zu reports (spread %.1g)",
                   c->offset, c->n, c->offset_spread)
            ->false_alarms = COPY_RATES;
}

static bool is_noise(const struct copy_noise *n)
{
    return fabs(n->lag1) < DIFF_NOISE_LAG1 && n->kurtosis < DIFF_NOISE_KURTOSIS &&
           n->blocks < DIFF_NOISE_BLOCKS && n->growth < DIFF_NOISE_GROWTH;
}

static void look_noise(struct look *l)
{
    const struct curve_copy *c = &l->d->copy;
    if (c->n < DIFF_NOISE_REPORTS || is_scaled(c) || is_moved(c))
        return;
    l->d->comparisons++;
    bool relative = is_noise(&c->relative);
    if (!(c->correlation > DIFF_NOISE_CORRELATION) || (!relative && !is_noise(&c->absolute)))
        return;
    const struct copy_noise *n = relative ? &c->relative : &c->absolute;
    add_notice(l, "noise", l->d->run, NAN, NAN,
               "the %s is white noise of %.2g from the first of %zu reports to the last "
               "(autocorrelation %.2f, kurtosis %.2f, largest to smallest part %.2f), while first "
               "differences correlate with %.4f",
               relative ? "relative deviation from the reference" : "difference from the reference",
               n->spread, c->n, n->lag1, n->kurtosis, n->growth, c->correlation)
        ->false_alarms = NOISE_RATES;
}

/* --- clocks --- */

static void look_fall(struct look *l, const struct diff_side *side)
{
    const struct curve *c = &side->curve;
    for (size_t i = 1; side->rising && !side->repeated && i < c->n; i++) {
        if (!(side->clock_ms[i] < side->clock_ms[i - 1]))
            continue;
        add_notice(l, "clock", side, c->step[i], c->step[i],
                   "step %.15g of the %s has a time stamp %.3f s before the step in front of it",
                   c->step[i], side_word(l, side),
                   (side->clock_ms[i - 1] - side->clock_ms[i]) / 1000)
            ->false_alarms = "0 of 3618 logs fall within one series (MLPerf Training v4.0, v5.1)";
        return;
    }
}

static void look_longer(struct look *l, const struct diff_side *side)
{
    const struct curve *c = &side->curve;
    double seconds = 0, clock = 0;
    size_t from = 0, last = 0, n = 0;
    for (size_t i = 1; i < c->n; i++) {
        double gap = (side->clock_ms[i] - side->clock_ms[i - 1]) / 1000;
        double steps = (c->step[i] - c->step[i - 1]) * c->seconds[i];
        if (!isfinite(gap) || !isfinite(steps))
            continue;
        from = n++ ? from : i;
        last = i;
        seconds += steps;
        clock += gap;
    }
    if (n == 0 || seconds <= clock * CLOCK_SHARE + CLOCK_SLACK_S)
        return;
    add_notice(
        l, "clock", side, c->step[from], c->step[last],
        "steps %.15g to %.15g of the %s add up to %.3f s, their time stamps lie %.3f s apart",
        c->step[from], c->step[last], side_word(l, side), seconds, clock)
        ->line = side->line[last];
}

static void look_clock(struct look *l)
{
    const struct diff_side *sides[] = {l->d->run, l->d->reference};
    for (size_t i = 0; i < 2; i++) {
        l->d->comparisons += isfinite(sides[i]->clock_ms[0]);
        look_fall(l, sides[i]);
        look_longer(l, sides[i]);
    }
}

static void (*const looks[])(struct look *) = {
    look_not_finite, look_zero,   look_steps,    look_plan,    look_identical,
    look_times,      look_spikes, look_repeated, notice_order, look_shifted,
    look_smooth,     look_scaled, look_noise,    look_clock,   look_reading,
};

void diff_look(struct diff *d, struct arena *arena)
{
    struct look l = {d, arena};
    for (size_t i = 0; i < sizeof looks / sizeof looks[0]; i++)
        looks[i](&l);
}
