#include "verifier/span.h"

#include "verifier/decimal.h"

#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

struct span span_of(const char *text)
{
    return (struct span){text, strlen(text)};
}

struct span span_from(struct span s, size_t at)
{
    at = at < s.n ? at : s.n;
    return (struct span){s.p + at, s.n - at};
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

struct span span_trim(struct span s)
{
    while (s.n && is_blank(s.p[0]))
        s = span_from(s, 1);
    while (s.n && is_blank(s.p[s.n - 1]))
        s.n--;
    return s;
}

bool span_is(struct span s, const char *text)
{
    return s.n == strlen(text) && memcmp(s.p, text, s.n) == 0;
}

bool span_starts(struct span s, const char *prefix)
{
    size_t n = strlen(prefix);
    return s.n >= n && memcmp(s.p, prefix, n) == 0;
}

size_t span_find(struct span s, const char *text)
{
    const char *hit = s.n ? memmem(s.p, s.n, text, strlen(text)) : NULL;
    return hit ? (size_t)(hit - s.p) : s.n;
}

bool span_after(struct span s, const char *text, struct span *rest)
{
    size_t at = span_find(s, text);
    if (at == s.n)
        return false;
    *rest = span_from(s, at + strlen(text));
    return true;
}

struct span span_cut(struct span *s, char c)
{
    const char *hit = s->n ? memchr(s->p, c, s->n) : NULL;
    struct span head = {s->p, hit ? (size_t)(hit - s->p) : s->n};
    *s = span_from(*s, head.n + (hit != NULL));
    return head;
}

static const struct word {
    const char *text;
    double value;
} words[] = {
    {"nan", NAN},
    {"infinity", INFINITY},
    {"inf", INFINITY},
};

/* The word in any letter case, and nothing that goes on with a letter. */
static bool is_number_word(struct span s, const char *text)
{
    size_t n = strlen(text);
    return s.n >= n && strncasecmp(s.p, text, n) == 0 &&
           (s.n == n || !isalpha((unsigned char)s.p[n]));
}

static size_t word_number(struct span s, double *value)
{
    if (s.n == 0 || !strchr("NnIi+-", s.p[0]) || s.p[0] == '\0')
        return 0;
    size_t sign = s.p[0] == '-' || s.p[0] == '+';
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (is_number_word(span_from(s, sign), words[i].text)) {
            *value = s.p[0] == '-' ? -words[i].value : words[i].value;
            return sign + strlen(words[i].text);
        }
    return 0;
}

size_t span_number(struct span s, double *value)
{
    size_t blanks = 0;
    while (blanks < s.n && is_blank(s.p[blanks]))
        blanks++;
    s = span_from(s, blanks);
    size_t n = decimal_read(s.p, s.n, value);
    if (n == 0)
        n = word_number(s, value);
    return n ? blanks + n : 0;
}
