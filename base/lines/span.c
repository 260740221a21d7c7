#include "base/lines/span.h"

#include "base/lines/decimal.h"

#include <ctype.h>
#include <math.h>
#include <strings.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

static bool is_span_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

struct span span_trim(struct span s)
{
    while (s.n && is_span_blank(s.p[0]))
        s = span_from(s, 1);
    while (s.n && is_span_blank(s.p[s.n - 1]))
        s.n--;
    return s;
}

#ifdef __SSE2__
#define STARTS 16 /* places that are looked at together */

/* The first of the STARTS places from p on where the text stands, or STARTS. */
static inline size_t find_near(const char *p, const char *text, size_t n)
{
    __m128i first =
        _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)(const void *)p), _mm_set1_epi8(text[0]));
    __m128i last = _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)(const void *)(p + n - 1)),
                                  _mm_set1_epi8(text[n - 1]));
    unsigned both = (unsigned)_mm_movemask_epi8(_mm_and_si128(first, last));
    for (; both; both &= both - 1)
        if (memcmp(p + __builtin_ctz(both), text, n) == 0)
            return (size_t)__builtin_ctz(both);
    return STARTS;
}

/* For each of the bytes: is it among these sixteen? */
static inline void note_marks(__m128i found[SPAN_MARKS], const char *p, const char *bytes)
{
    __m128i here = _mm_loadu_si128((const __m128i *)(const void *)p);
#pragma GCC unroll 4
    for (int i = 0; i < SPAN_MARKS; i++)
        found[i] = _mm_or_si128(found[i], _mm_cmpeq_epi8(here, _mm_set1_epi8(bytes[i])));
}

static unsigned marks_in_blocks(struct span s, const char *bytes)
{
    __m128i found[SPAN_MARKS] = {_mm_setzero_si128(), _mm_setzero_si128(), _mm_setzero_si128(),
                                 _mm_setzero_si128()};
    unsigned marks = 0;
    for (size_t at = 0; at < s.n - STARTS; at += STARTS)
        note_marks(found, s.p + at, bytes);
    note_marks(found, s.p + s.n - STARTS, bytes);
    for (int i = 0; i < SPAN_MARKS; i++)
        marks |= (unsigned)(_mm_movemask_epi8(found[i]) != 0) << i;
    return marks;
}

#endif

unsigned span_marks(struct span s, const char bytes[SPAN_MARKS])
{
    unsigned marks = 0;
#ifdef __SSE2__
    if (s.n >= STARTS)
        return marks_in_blocks(s, bytes);
#endif
    for (size_t at = 0; at < s.n; at++)
        for (int i = 0; i < SPAN_MARKS; i++)
            marks |= (unsigned)(s.p[at] == bytes[i]) << i;
    return marks;
}

size_t span_find(struct span s, const char *text)
{
    size_t n = strlen(text);
#ifdef __SSE2__
    if (n && s.n >= n + STARTS - 1) {
        /* s holds STARTS places for the text at least. */
        size_t at = 0, last = s.n - n + 1 - STARTS, hit;
        for (; at < last; at += STARTS) {
            hit = find_near(s.p + at, text, n);
            if (hit < STARTS)
                return at + hit;
        }
        hit = find_near(s.p + last, text, n);
        return hit < STARTS ? last + hit : s.n;
    }
#endif
    const char *hit = s.n ? memmem(s.p, s.n, text, n) : NULL;
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
} words[] = {{"nan", NAN}, {"infinity", INFINITY}, {"inf", INFINITY}};

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
    while (blanks < s.n && is_span_blank(s.p[blanks]))
        blanks++;
    s = span_from(s, blanks);
    size_t n = decimal_read(s.p, s.n, value);
    if (n == 0)
        n = word_number(s, value);
    return n ? blanks + n : 0;
}

/* Days of the civil calendar since 1970-01-01 (Hinnant's algorithm, years from 1970 on). */
static double days_of(int y, int m, int d)
{
    y -= m <= 2;
    int era = y / 400, yoe = y - era * 400;
    int doy = (153 * (m + (m > 2 ? -3 : 9)) + 2) / 5 + d - 1;
    return era * 146097.0 + (yoe * 365 + yoe / 4 - yoe / 100 + doy) - 719468.0;
}

/* Two digits; a negative number when they are none. */
static inline int two_digits(const char *s)
{
    unsigned high = (unsigned)(s[0] - '0'), low = (unsigned)(s[1] - '0');
    return high > 9 || low > 9 ? -1 : (int)(high * 10 + low);
}

double stamp_read(struct span s, char between)
{
    if (s.n < STAMP_LENGTH || s.p[4] != '-' || s.p[7] != '-' || s.p[10] != between ||
        s.p[13] != ':' || s.p[16] != ':')
        return NAN;
    int century = two_digits(s.p), year = two_digits(s.p + 2), month = two_digits(s.p + 5),
        day = two_digits(s.p + 8), hour = two_digits(s.p + 11), minute = two_digits(s.p + 14),
        second = two_digits(s.p + 17);
    if ((century | year | month | day | hour | minute | second) < 0 || month < 1 || month > 12)
        return NAN;
    return days_of(century * 100 + year, month, day) * 86400 + hour * 3600.0 + minute * 60.0 +
           second;
}
