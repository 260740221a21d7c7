#include "verifier/logs/log_order.h"

#include "base/lines/decimal.h"
#include "base/reals.h"
#include "base/text.h"
#include "verifier/curves/curve_spikes.h"

#include <stdlib.h>

/* --- the last line --- */

/* Bytes of the number that s begins with; 0 when it is none. */
static size_t number_length(struct span s)
{
    return s.n && text_is_digit(s.p[0]) ? decimal_run(s.p, s.n) : 0;
}

/* Bytes behind the decimal point. */
static size_t decimals_of(struct span number)
{
    const char *point = memchr(number.p, '.', number.n);
    return point ? number.n - (size_t)(point - number.p) - 1 : 0;
}

/* Columns of numbers are set with blanks, of which there are as many as the digits leave. */
static struct span without_blanks(struct span s)
{
    while (s.n && (s.p[0] == ' ' || s.p[0] == '-'))
        s = span_from(s, 1);
    return s;
}

bool log_tail_is_cut(struct span like, struct span last)
{
    like = span_trim(like);
    last = span_trim(last);
    while (last.n) {
        like = without_blanks(like);
        last = without_blanks(last);
        if (!last.n)
            break;
        size_t n = number_length(like), m = number_length(last);
        if (n && m == last.n) /* it ends in a number */
            return n < like.n ||
                   decimals_of((struct span){last.p, m}) < decimals_of((struct span){like.p, n});
        if (!like.n || !n != !m || (!n && like.p[0] != last.p[0]))
            return false; /* another kind of line */
        like = span_from(like, n ? n : 1);
        last = span_from(last, m ? m : 1);
    }
    return span_trim(like).n > 0;
}

/* --- the last step --- */

void log_tail_goal(struct log_reader *r, double at, double total)
{
    r->goal = (struct log_goal){at, total, r->line};
}

/* First, last and last but one of the steps. */
struct ends {
    double first, last, before;
    int line; /* of the last */
};

/* Every 10th step is reported by some: the next report would still be one of the training. */
static bool goes_on(const struct ends *e, double total)
{
    double next = e->last + (isfinite(e->before) ? e->last - e->before : 1);
    return e->first == 0 ? next < total : next <= total;
}

void log_tail_end(const struct log_reader *r)
{
    const struct log_goal *g = &r->goal;
    struct ends e = {INFINITY, -INFINITY, -INFINITY, 0};
    for (size_t i = 0; i < r->log->n_points; i++) {
        const struct log_point *x = &r->log->points[i];
        e.first = fmin(e.first, x->step);
        if (x->step > e.last) {
            e.before = e.last;
            e.last = x->step;
            e.line = x->line;
        } else if (x->step < e.last && x->step > e.before)
            e.before = x->step;
    }
    bool counted = !isnan(g->at);
    if (!isfinite(g->total) || r->log->n_points == 0 ||
        !(counted ? g->at < g->total : goes_on(&e, g->total)))
        return;
    diags_add(r->diags, SEVERITY_WARNING, r->log->file, counted ? g->line : e.line, 0,
              "by its own count, the log ends at %s %.15g of %.15g: the log is truncated, or the "
              "run ended early",
              log_step_word(r->log), counted ? g->at : e.last, g->total);
}

/* The reports of one rank, as they stand in the file, and by step. */
struct order {
    const struct log *log;
    const struct log_point **file, **steps;
    size_t n;
    struct diags *diags;
};

__attribute__((format(printf, 4, 5))) static void
note_order(const struct order *o, enum severity severity, int line, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    diags_vadd(o->diags, severity, o->log->file, line, 0, fmt, ap);
    va_end(ap);
}

static int compare_places_by_step(const void *a, const void *b)
{
    const struct log_point *x = *(const struct log_point *const *)a,
                           *y = *(const struct log_point *const *)b;
    return x->step != y->step ? (x->step > y->step) - (x->step < y->step) : (x > y) - (x < y);
}

static void collect_order(struct order *o, struct arena *scratch)
{
    const struct log *log = o->log;
    o->file = arena_array(scratch, log->n_points, sizeof *o->file);
    o->steps = arena_array(scratch, log->n_points, sizeof *o->steps);
    for (size_t i = 0; i < log->n_points; i++) {
        const struct log_point *x = &log->points[i];
        if (x->has_loss && (!o->n || x->rank == o->file[0]->rank))
            o->file[o->n++] = x;
    }
    for (size_t i = 0; i < o->n; i++)
        o->steps[i] = o->file[i];
    if (o->n > 1)
        qsort(o->steps, o->n, sizeof *o->steps, compare_places_by_step);
}

struct falls {
    size_t n;
    const struct log_point *from, *to; /* the first */
};

struct repeats {
    size_t distinct, again, changed;
    const struct log_point *first; /* that changed */
};

static struct repeats count_repeats(const struct order *o)
{
    struct repeats r = {o->n > 0, 0, 0, NULL};
    for (size_t i = 1; i < o->n; i++) {
        const struct log_point *x = o->steps[i], *before = o->steps[i - 1];
        bool again = x->step == before->step, changed = again && !reals_same(x->loss, before->loss);
        r.distinct += !again;
        r.again += again;
        r.changed += changed;
        if (changed && (!r.first || x->line < r.first->line))
            r.first = x;
    }
    return r;
}

/* Their lines mix: every few reports the steps fall, or none does and all are there twice. */
static bool has_several_writers(const struct falls *f, const struct repeats *r)
{
    return 2 * r->again >= r->distinct && (f->n == 0 || 4 * f->n >= r->again);
}

static void judge_order(const struct order *o)
{
    struct falls f = {0, NULL, NULL};
    for (size_t i = 1; i < o->n; i++) {
        if (!(o->file[i]->step < o->file[i - 1]->step))
            continue;
        if (f.n++ == 0) {
            f.from = o->file[i - 1];
            f.to = o->file[i];
        }
    }
    struct repeats r = count_repeats(o);
    r.changed = o->log->by_epoch ? 0 : r.changed;
    if (r.changed && has_several_writers(&f, &r)) {
        note_order(o, SEVERITY_NOTICE, r.first->line,
                   "%zu reports repeat one of %zu steps with another loss: several processes write "
                   "to this log, or a step has several reports; the last one counts",
                   r.again, r.distinct);
        return;
    }
    if (f.n && !has_several_writers(&f, &r))
        note_order(o, SEVERITY_WARNING, f.to->line,
                   "the %s number decreases %zu %s, first from %s %.15g to %.15g: the training was "
                   "restarted, or the file contains several runs",
                   log_step_word(o->log), f.n, f.n == 1 ? "time" : "times", log_step_word(o->log),
                   f.from->step, f.to->step);
    if (r.changed)
        note_order(o, SEVERITY_WARNING, r.first->line,
                   "%zu %s again with a different loss, the first is step %.15g; the last report "
                   "of a step counts",
                   r.changed, r.changed == 1 ? "step appears" : "steps appear", r.first->step);
}

/* The distance that most steps have; NaN when there is none. */
static double usual_distance(const struct order *o, struct arena *scratch)
{
    double *gaps = arena_array(scratch, o->n, sizeof *gaps);
    size_t n = 0;
    for (size_t i = 1; i < o->n; i++)
        if (o->steps[i]->step > o->steps[i - 1]->step)
            gaps[n++] = o->steps[i]->step - o->steps[i - 1]->step;
    return n < 3 ? NAN : curve_median_upper(gaps, n);
}

static void look_missing(const struct order *o, struct arena *scratch)
{
    double usual = o->log->by_epoch ? NAN : usual_distance(o, scratch), missing = 0, have = 1;
    const struct log_point *behind = NULL;
    for (size_t i = 1; i < o->n && !isnan(usual); i++) {
        double gap = o->steps[i]->step - o->steps[i - 1]->step;
        have += gap > 0;
        if (!(gap >= 2 * usual))
            continue;
        behind = behind ? behind : o->steps[i - 1];
        missing += floor(gap / usual) - 1;
    }
    if (behind && missing <= LOG_ORDER_MISSING * (have + missing))
        note_order(o, SEVERITY_NOTICE, behind->line,
                   "%.0f of %.0f steps are missing, the first after step %.15g", missing,
                   have + missing, behind->step);
}

void log_order(const struct log *log, struct arena *scratch, struct diags *diags)
{
    struct order o = {.log = log, .diags = diags};
    if (log->n_points >= LOG_POINTS_MAX)
        return;
    collect_order(&o, scratch);
    const struct log_point *first = NULL;
    size_t n = 0;
    for (size_t i = 0; i < o.n; i++)
        if (!isfinite(o.file[i]->loss)) {
            first = first ? first : o.file[i];
            n++;
        }
    if (n)
        note_order(&o, SEVERITY_WARNING, first->line,
                   "%zu of %zu losses %s NaN or infinite, the first at %s %.15g", n, o.n,
                   n == 1 ? "is" : "are", log_step_word(o.log), first->step);
    judge_order(&o);
    look_missing(&o, scratch);
}
