#include "verifier/logs/log_say.h"

#include "base/lines/decimal.h"
#include "base/text.h"
#include "verifier/logs/log_format.h"

struct log_said log_said_none(const struct log_reader *r)
{
    return (struct log_said){log_point_at(r, NAN), NAN, NAN, NAN, NAN};
}

bool log_is_rank(double rank)
{
    return rank >= 0 && rank < LOG_RANKS_MAX;
}

static bool add_said_number(struct log_draft *d, const struct log_number *number)
{
    if (d->n == LOG_NUMBERS_MAX)
        return false;
    d->numbers[d->n++] = *number;
    return true;
}

/* Notes a number; false when the text is something else, or something more. */
static bool note_said_number(struct log_draft *d, struct span text, size_t at, double scale)
{
    text = span_trim(text);
    return text.n > 0 && decimal_run(text.p, text.n) == text.n &&
           add_said_number(d, &(struct log_number){text, at, scale, false});
}

bool log_say_number(struct log_reader *r, struct log_said *said, struct span text, size_t at,
                    double scale)
{
    double value;
    size_t n = span_number(text, &value);
    bool taken = n > 0 && (at != LOG_SAID(rank) || log_is_rank(value));
    if (!taken || !note_said_number(r->draft, text, at, scale))
        r->draft->unfit = true;
    if (!taken)
        return false;
    value *= scale;
    memcpy((char *)said + at, &value, sizeof value);
    said->point.has_loss = said->point.has_loss || at == LOG_SAID(point.loss);
    said->point.has_grad_norm = said->point.has_grad_norm || at == LOG_SAID(point.grad_norm);
    return true;
}

void log_say_other(struct log_reader *r, struct span text)
{
    note_said_number(r->draft, text, LOG_OTHER, 1);
}

double log_stamp_ms(struct span text)
{
    return 1000 * stamp_read(text, ' ');
}

void log_say_stamp(struct log_reader *r, struct log_said *said, struct span text)
{
    said->point.clock_ms = log_stamp_ms(text);
    if (isnan(said->point.clock_ms))
        return;
    const struct log_number stamp = {{text.p, STAMP_LENGTH}, LOG_SAID(point.clock_ms), 1, true};
    r->draft->unfit |= !add_said_number(r->draft, &stamp);
}

struct log_point log_said_point(const struct log_said *said)
{
    struct log_point p = said->point;
    if (log_is_rank(said->rank))
        p.rank = (short)said->rank;
    if (said->nans > 0)
        p.skipped = fmax(p.skipped, said->nans);
    if (isnan(p.samples_per_s))
        p.samples_per_s = said->batch / p.seconds;
    return p;
}

bool log_says_no_number(struct span text)
{
    size_t n = 0;
    text = span_trim(text);
    while (n < text.n && !strchr(" ,;|}", text.p[n]))
        if (text_is_digit(text.p[n++]))
            return false;
    return n > 0;
}

void log_note_most(struct log_most *to, double value, int line)
{
    if (isfinite(value) && !(value <= to->value))
        *to = (struct log_most){value, line};
}

void log_say(struct log_reader *r, const struct log_said *said)
{
    struct log_point p = log_said_point(said);
    log_add_point(r, &p);
    log_note_most(&r->log->tflops, said->tflops, p.line);
    r->draft->said = *said;
    r->draft->is_point = r->draft->done = true;
}

void log_say_nothing(struct log_reader *r)
{
    r->draft->is_point = false;
    r->draft->done = true;
}
