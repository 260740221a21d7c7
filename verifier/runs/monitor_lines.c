#include "verifier/runs/monitor_lines.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* `31C 57W 15MiB 40536MiB 0%`, and the same from a card that does not tell its power. */
#define FIVE "{t}C {w}W {u}MiB {m}MiB {b}%"
#define FIVE_UNPOWERED "{t}C {-} {u}MiB {m}MiB {b}%"

static const struct monitor_vendor vendors[] = {
    {.name = "nvidia", .file = "nvidia_monitor.log", .cards = {FIVE, FIVE_UNPOWERED}},
    /* fpreport's own: `1980MHz 3201MHz power+thermal`, the last what keeps the clocks down */
    {.name = "nvidia",
     .file = "nvidia_clock_monitor.log",
     .cards = {"{c}MHz {k}MHz {-}", "{c}MHz {-} {-}", "{-} {k}MHz {-}"}},
    {.name = "iluvatar",
     .file = "iluvatar_monitor.log",
     .cards = {FIVE, FIVE_UNPOWERED},
     .paired = true},
    {.name = "kunlunxin", .file = "kunlunxin_monitor.log", .cards = {FIVE, FIVE_UNPOWERED}},
    /* `45C 109.51W 1MiB 32768MiB 0%` */
    {.name = "mthreads", .file = "mthreads_monitor.log", .cards = {FIVE, FIVE_UNPOWERED}},
    /* `31C 75 W/ 1024 MiB/ 81920 35%`: temperature, power, -, used, -, there, utilisation. An older
     * monitor has the fan in the last place and the utilisations, one a line, behind all cards. */
    {.name = "cambricon",
     .file = "cambricon_monitor.log",
     .cards = {"{t}C {w} W/ {u} MiB/ {m} {b}%", "{t}C {w} W/ {u} MiB/ {m}*"},
     .more = {"{b}%"}},
    /* | 0     MetaX C500       | 0000:0e:00.0   | 12%          |
     * | 35C   54W / 350W       | 826/65536 MiB  |              |   or `35C 55W 914/65536 MiB` */
    {.name = "metax",
     .file = "mx-smi_monitor.log",
     .cards = {"| {t}C {w}W*| {u}/{m} MiB*", "{t}C {w}W {u}/{m} MiB*", "*| {u}/{m} MiB*"},
     .more = {"| {i} {-}*|*:*:*| {b}%*"},
     .dump = true},
    {.name = "metax",
     .file = "mx_monitor.log",
     .cards = {"| {t}C {w}W*| {u}/{m} MiB*", "{t}C {w}W {u}/{m} MiB*", "*| {u}/{m} MiB*"},
     .more = {"| {i} {-}*|*:*:*| {b}%*"},
     .dump = true},
    /* | 4       910A    | OK            | NA        43           0     / 970  |
     * | 0       0       | 0000:81:00.0  | 0         861  / 21534              |
     * and newer cards, which have two memories, of which the second is the card's:
     * | 0               | 0000:C1:00.0  | 0         0 / 0      861 / 32768    |
     * The second chip of a card tells no power of its own: "-". */
    {.name = "ascend",
     .file = "ascend_monitor.log",
     .cards = {"|*|*:*:*| {b} {-} / {-} {u} / {m} |", "|*|*:*:*| {b} {u} / {m} |"},
     .more = {"|*|*| {w} {t} {-} / {-} |"},
     .dump = true},
    /* `0    31.0c  39.0W   0.0%  manual  280.0W   37%   0%`, hy-smi `0  51.0C  112.0W  auto  350.0W
     * 0%  0.0%  Normal`; memory is "N/A" where the driver does not tell it */
    {.name = "dcu",
     .file = "dcu_monitor.log",
     .cards = {"{i} {t}c {w}W {-} {-} {-} {s}% {b}%", "{i} {t}C {w}W {-} {-} {s}% {b}% {-}",
               "{i} {t}C {w}W {-} {-} {s}% {b}%", "{i} {t}c {w}W {-} {-} {-} {s} {b}%"},
     .dump = true},
};

static const struct field_letter {
    char letter;
    enum reading_field field;
} letters[] = {
    {'t', READING_CELSIUS},   {'w', READING_WATTS},  {'u', READING_USED_MIB},
    {'m', READING_TOTAL_MIB}, {'b', READING_BUSY},   {'s', READING_SHARE},
    {'i', READING_CARD},      {'c', READING_SM_MHZ}, {'k', READING_MEMORY_MHZ},
};

const struct monitor_vendor *monitor_vendor_of(const char *base)
{
    for (size_t i = 0; i < sizeof vendors / sizeof vendors[0]; i++)
        if (strcmp(base, vendors[i].file) == 0)
            return &vendors[i];
    return NULL;
}

static size_t word_length(struct span s)
{
    size_t n = 0;
    while (n < s.n && s.p[n] != ' ' && s.p[n] != '\t')
        n++;
    return n;
}

/* Bytes of a number or of "NA", "N/A", "-"; 0 when it is none of them. */
static size_t read_number(struct span s, double *value)
{
    *value = NAN;
    if (span_starts(s, "N/A"))
        return 3;
    if (span_starts(s, "NA"))
        return 2;
    if (span_starts(s, "- "))
        return 1;
    if (s.n == 0 || !(isdigit((unsigned char)s.p[0]) || s.p[0] == '-'))
        return 0;
    return span_number(s, value);
}

/* One field of the pattern; advances *s, false when it does not match. */
static bool match_field(char letter, struct span *s, struct reading *out)
{
    size_t n = letter == '-' ? word_length(*s) : 0;
    for (size_t i = 0; i < sizeof letters / sizeof letters[0]; i++)
        if (letters[i].letter == letter)
            n = read_number(*s, &out->value[letters[i].field]);
    *s = span_from(*s, n);
    return n > 0;
}

static bool match_blanks(struct span *s)
{
    while (s->n && (s->p[0] == ' ' || s->p[0] == '\t'))
        *s = span_from(*s, 1);
    return true;
}

static bool match_rest(char next, struct span *s)
{
    const char *hit = next && s->n ? memchr(s->p, next, s->n) : NULL;
    if (next && !hit)
        return false;
    *s = next ? span_from(*s, (size_t)(hit - s->p)) : (struct span){s->p, 0};
    return true;
}

static bool match_byte(char c, struct span *s)
{
    if (s->n == 0 || s->p[0] != c)
        return false;
    *s = span_from(*s, 1);
    return true;
}

static bool match(const char *pattern, struct span s, struct reading *out)
{
    for (size_t i = 0; i < READINGS; i++)
        out->value[i] = NAN;
    bool same = true;
    for (const char *p = pattern; *p && same; p++) {
        if (*p == '{') {
            same = match_field(p[1], &s, out);
            p += 2;
        } else if (*p == '*')
            same = match_rest(p[1], &s);
        else
            same = *p == ' ' ? match_blanks(&s) : match_byte(*p, &s);
    }
    return same && s.n == 0;
}

bool monitor_match(const char *const *patterns, struct span line, struct reading *out)
{
    for (size_t i = 0; i < PATTERNS_MAX && patterns[i]; i++)
        if (match(patterns[i], line, out))
            return true;
    return false;
}
