#include "verifier/logs/log_skips.h"

enum saying { SAYS_SKIPPED, SAYS_OVERFLOW };

/* Each word is found by one of the two roots below. */
static const struct skip_words {
    const char *words;
    enum saying says;
} rows[] = {
    {"is_skip: True", SAYS_SKIPPED},
    {"is_skip:True", SAYS_SKIPPED},
    {"is_skip=True", SAYS_SKIPPED},
    {"is_skip': True", SAYS_SKIPPED},
    {"is_skip\": true", SAYS_SKIPPED},
    {"is_skip: 1", SAYS_SKIPPED},
    {"skipped\": true", SAYS_SKIPPED},
    {"skipped\":true", SAYS_SKIPPED},
    {"skipped': True", SAYS_SKIPPED},
    {"skipped: True", SAYS_SKIPPED},
    {"skipped=True", SAYS_SKIPPED},
    {"kipping optimizer step", SAYS_SKIPPED},
    {"overflow.  Skipping step", SAYS_SKIPPED},
    {"verflow. Skipping step", SAYS_SKIPPED},
    {"OVERFLOW! ", SAYS_OVERFLOW}, /* DeepSpeed counts them as skipped itself */
    {"overflow, still update", SAYS_OVERFLOW},
    {"overflow cond: True", SAYS_OVERFLOW},
    {"overflow: True", SAYS_OVERFLOW},
};

static const char *const roots[] = {"kip", "verflow", "OVERFLOW"};

static bool may_say_skip(struct span s)
{
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++)
        if (span_find(s, roots[i]) < s.n)
            return true;
    return false;
}

/* "step=20, skipped=7" */
static bool read_so_far(struct log_reader *r, struct span s)
{
    struct span rest;
    double step, skipped;
    if (!span_after(s, "step=", &rest))
        return false;
    size_t n = span_number(rest, &step);
    rest = span_from(rest, n);
    if (!n || !span_starts(rest, ", skipped=") ||
        !span_number(span_from(rest, sizeof ", skipped=" - 1), &skipped) || !isfinite(skipped))
        return false;
    /* Several ranks may say the same step. */
    double steps = step - (isnan(r->log->skips.of) ? 0 : r->log->skips.of);
    double more = skipped - (isnan(r->log->skips.so_far) ? 0 : r->log->skips.so_far);
    if (steps != 0)
        r->log->skips.ends = steps > 0 && more >= steps;
    if (!r->log->skips.ends) {
        r->log->skips.good_step = step;
        r->log->skips.good_line = r->line;
    }
    r->log->skips.so_far = skipped;
    r->log->skips.of = step;
    if (skipped > 0 && !r->log->skips.line)
        r->log->skips.line = r->line;
    return true;
}

bool log_skips(struct log_reader *r, struct span s)
{
    struct log_skips *to = &r->log->skips;
    if (!may_say_skip(s))
        return false;
    if (read_so_far(r, s))
        return true;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (span_find(s, rows[i].words) == s.n)
            continue;
        to->said += rows[i].says == SAYS_SKIPPED;
        to->overflows += rows[i].says == SAYS_OVERFLOW;
        to->overflow_line = rows[i].says == SAYS_OVERFLOW ? r->line : to->overflow_line;
        to->line = to->line ? to->line : r->line;
        return true;
    }
    return false;
}
