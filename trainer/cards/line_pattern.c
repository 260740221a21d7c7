#include "trainer/cards/line_pattern.h"

#include <string.h>

struct match {
    const char *end; /* of the line */
    const char *from;
    size_t len;
    int steps;
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && is_blank(*at))
        at++;
    return at;
}

static size_t digits(const char *at, const char *end)
{
    size_t n = 0;
    while (at + n < end && at[n] >= '0' && at[n] <= '9')
        n++;
    return n;
}

/* `more`: what follows in the pattern may end a word, too: "{w}," of "a,". */
static size_t word(const char *at, const char *end, char more)
{
    size_t n = 0;
    while (at + n < end && !is_blank(at[n]) && at[n] != '|' && (!more || at[n] != more))
        n++;
    return n;
}

static size_t text(const char *at, const char *end)
{
    size_t n = 0;
    while (at + n < end && at[n] != '|' && at[n] != '\t' &&
           !(at[n] == ' ' && (at + n + 1 >= end || at[n + 1] == ' ' || at[n + 1] == '|')))
        n++;
    return n;
}

static bool fits(struct match *m, const char *pattern, const char *at);

static bool fits_part(struct match *m, const char *pattern, const char *at)
{
    char kind = pattern[1], after = pattern[3];
    bool plain = after && after != ' ' && after != '*' && after != '|';
    size_t n = kind == 'i' || kind == 'n' ? digits(at, m->end)
               : kind == 't'              ? text(at, m->end)
                                          : word(at, m->end, plain ? after : '\0');
    if (n == 0 || !fits(m, pattern + 3, at + n))
        return false;
    if (kind != 'i' && kind != '-') {
        m->from = at;
        m->len = n;
    }
    return true;
}

static bool fits_anything(struct match *m, const char *pattern, const char *at)
{
    for (; at <= m->end; at++)
        if (fits(m, pattern, at))
            return true;
    return false;
}

/* Patterns are ours: {x} is always whole, and they are short, so that this is not deep. */
static bool fits(struct match *m, const char *pattern, const char *at)
{
    for (; m->steps-- > 0; pattern++) {
        if (!*pattern)
            return at == m->end;
        if (*pattern == '*')
            return fits_anything(m, pattern + 1, at);
        if (*pattern == '{')
            return fits_part(m, pattern, at);
        if (*pattern == ' ') {
            const char *next = skip_blanks(at, m->end);
            bool beside = pattern[1] == '|' || pattern[1] == '/' ||
                          (next < m->end && *next == '|') || next == m->end || at[-1] == '|';
            if (next == at && !beside)
                return false;
            at = next;
        } else if (at == m->end || *at++ != *pattern) {
            return false;
        }
    }
    return false;
}

bool line_pattern_take(const char *pattern, const char *line, size_t n, const char **from,
                       size_t *len)
{
    struct match m = {.steps = LINE_PATTERN_STEPS};
    const char *end = line + n;
    while (line < end && (is_blank(*line) || *line == '\r'))
        line++;
    while (end > line && (is_blank(end[-1]) || end[-1] == '\r'))
        end--;
    m.end = end;
    if (line == end || end - line > LINE_PATTERN_MAX || !fits(&m, pattern, line) || !m.from)
        return false;
    *from = m.from;
    *len = m.len;
    return true;
}
