#include "verifier/logs/log_tail.h"

#include "base/lines/decimal.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

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
