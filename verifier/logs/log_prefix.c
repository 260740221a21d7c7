#include "verifier/logs/log_prefix.h"

#include "base/text.h"
#include "verifier/logs/log_say.h"

#include <ctype.h>

#define BRACKET_MAX 100 /* "[INFO|trainer.py:1234]" and the like */
#define WORD_MAX 80     /* "llama_recipes.finetuning:main:120", a host's name */
#define RANK_DIGITS 4

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '-' || c == '<' ||
           c == '>'; /* __main__:<module>:120 */
}

static size_t count_digits(struct span s)
{
    size_t n = 0;
    while (n < s.n && text_is_digit(s.p[n]))
        n++;
    return n;
}

/* All of `s` is a rank. */
static void take_rank(struct span s, short *rank)
{
    size_t n = count_digits(s);
    int value = 0;
    if (n == 0 || n != s.n || n > RANK_DIGITS)
        return;
    for (size_t i = 0; i < n; i++)
        value = value * 10 + (s.p[i] - '0');
    if (log_is_rank(value))
        *rank = (short)value;
}

/* "[…]", then perhaps "<stdout>" and a colon. */
static size_t bracket(struct span s, short *rank)
{
    if (s.p[0] != '[' && s.p[0] != '(')
        return 0;
    char close = s.p[0] == '[' ? ']' : ')';
    const char *end = memchr(s.p, close, s.n < BRACKET_MAX ? s.n : BRACKET_MAX);
    if (!end)
        return 0;
    struct span in = {s.p + 1, (size_t)(end - s.p) - 1}, rest = span_from(s, in.n + 2), job;
    if (span_after(in, "|", &job) && span_starts(in, "trainer"))
        take_rank(job, rank);
    else if (span_starts(in, "rank"))
        take_rank(span_from(in, 4), rank);
    else if (span_starts(in, "default"))
        take_rank(span_from(in, 7), rank);
    else if (span_starts(rest, "<std") && span_after(in, ",", &job))
        take_rank(job, rank);
    if (span_starts(rest, "<stdout>") || span_starts(rest, "<stderr>"))
        rest = span_from(rest, sizeof "<stdout>" - 1);
    return s.n - rest.n + span_starts(rest, ":");
}

/* "2023-05-01 12:00:00,123", "12:00:00.5", "2024-05-06T10:11:12Z": two colons at least. */
static size_t stamp(struct span s, short *rank)
{
    size_t n = 0, colons = 0;
    (void)rank;
    if (!text_is_digit(s.p[0]))
        return 0;
    for (; n < s.n && (text_is_digit(s.p[n]) || strchr("-/:.,TZ+ ", s.p[n])) && s.p[n]; n++) {
        colons += s.p[n] == ':';
        if (s.p[n] == ' ' && colons)
            break;
    }
    return colons >= 2 ? n : 0;
}

/* "3: " of srun, "10.0.0.1: " of pdsh, "worker-0: ": one word with a digit. */
static size_t label(struct span s, short *rank)
{
    size_t n = 0;
    bool digit = false;
    while (n < s.n && n < WORD_MAX && is_word(s.p[n]))
        digit = text_is_digit(s.p[n++]) || digit;
    if (!digit || !span_starts(span_from(s, n), ": "))
        return 0;
    take_rank((struct span){s.p, n}, rank);
    return n + 1;
}

static size_t level(struct span s, short *rank)
{
    static const char *const levels[] = {"DEBUG", "INFO", "WARNING", "WARN", "ERROR"};
    (void)rank;
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
        size_t n = strlen(levels[i]);
        if (span_starts(s, levels[i]) && s.n > n && strchr(" :|\t", s.p[n]))
            return n + (s.p[n] == ':');
    }
    return 0;
}

/* "root - ", "__main__:train:120 - ", "- ", "| ": a word, or none, in front of a divider. */
static size_t divided(struct span s, short *rank)
{
    size_t n = 0;
    (void)rank;
    while (n < s.n && n < WORD_MAX && (is_word(s.p[n]) || s.p[n] == ':') && s.p[n] != '-')
        n++;
    size_t word = n;
    while (n < s.n && s.p[n] == ' ')
        n++;
    struct span rest = span_from(s, n);
    bool blank = n > word || word == 0;
    return blank && (span_starts(rest, "- ") || span_starts(rest, "| ")) ? n + 2 : 0;
}

static size_t (*const kinds[])(struct span, short *) = {bracket, stamp, label, level, divided};

bool log_prefix_drop(struct span *s, short *rank)
{
    for (size_t i = 0; s->n && i < sizeof kinds / sizeof kinds[0]; i++) {
        size_t n = kinds[i](*s, rank);
        if (n == 0)
            continue;
        *s = span_trim(span_from(*s, n));
        return true;
    }
    return false;
}

/* Length of the sequence that begins with the escape s.p[0]: "ESC [ … letter", else two bytes. */
static size_t escape_length(struct span s)
{
    size_t n = 2;
    if (s.n < 2 || s.p[1] != '[')
        return n < s.n ? n : s.n;
    while (n < s.n && !isalpha((unsigned char)s.p[n]))
        n++;
    return n < s.n ? n + 1 : s.n;
}

struct span log_prefix_plain(struct span s, struct buf *scratch)
{
    buf_clear(scratch);
    while (s.n) {
        const char *hit = memchr(s.p, '\x1b', s.n);
        size_t n = hit ? (size_t)(hit - s.p) : s.n;
        buf_add(scratch, s.p, n);
        s = span_from(s, n);
        s = span_from(s, s.n ? escape_length(s) : 0);
    }
    return (struct span){scratch->data, scratch->len};
}
