#include "base/figures/figure.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER_CHARS_MAX 64 /* more digits than any double needs */
#define TOLERANCE_MOST 0.05 /* of the value: more would make every figure agree */
#define DIGITS_LEAST 3      /* that "1e4", "1k" and sums of them are held to */

/* Whole cells (text_fold form) that are no figure but say why, or that are a flag. */
static const struct word {
    const char *text;
    enum figure_kind kind;
    double value;
    bool prefix; /* what follows is a remark */
} words[] = {
    {"n/a", FIGURE_WITHHELD, NAN, false},
    {"na", FIGURE_WITHHELD, NAN, false},
    {"notdisclosed", FIGURE_WITHHELD, NAN, false},
    {"未公开", FIGURE_WITHHELD, NAN, false},
    {"oom", FIGURE_OOM, NAN, true},
    {"outofmemory", FIGURE_OOM, NAN, true},
    {"doing", FIGURE_PENDING, NAN, true},
    {"pending", FIGURE_PENDING, NAN, true},
    {"true", FIGURE_FLAG, 1, true},
    {"yes", FIGURE_FLAG, 1, false},
    {"是", FIGURE_FLAG, 1, false},
    {"false", FIGURE_FLAG, 0, true},
    {"no", FIGURE_FLAG, 0, false},
    {"否", FIGURE_FLAG, 0, false},
};

static bool is_unit_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static const char *skip_figure_spaces(const char *s)
{
    while (*s == ' ' || *s == '\t')
        s++;
    return s;
}

bool figure_has_value(const struct figure *f)
{
    return f->kind == FIGURE_NUMBER || f->kind == FIGURE_PAIR || f->kind == FIGURE_RANGE ||
           f->kind == FIGURE_EXPRESSION;
}

bool figure_is_absent(const struct figure *f)
{
    return f->kind == FIGURE_MISSING || f->kind == FIGURE_WITHHELD || f->kind == FIGURE_OOM ||
           f->kind == FIGURE_PENDING;
}

double figure_last_place(int decimals)
{
    return pow(10, -decimals);
}

double figure_tolerance(const struct figure *f)
{
    return fmax(figure_last_place(f->decimals),
                fmin(f->tolerance, TOLERANCE_MOST * fabs(f->value)));
}

/* The decimals of a value whose last place an exponent or a letter moved to the left of the point:
 * no coarser than its third digit, else "1e4" would be within 5000 of anything. */
static int held_decimals(double value, int decimals)
{
    if (decimals >= 0)
        return decimals;
    double first = value != 0 ? floor(log10(fabs(value))) : 0;
    return (int)fmax(decimals, fmin(0, DIGITS_LEAST - 1 - first));
}

/* Digits in groups of three ("1,234") or plain; copies them without commas. */
static size_t scan_integer(const char *s, char *to, size_t *n)
{
    size_t at = 0, group = 0;
    bool grouped = false;
    while (text_is_digit(s[at]) ||
           (s[at] == ',' && at > 0 && text_is_digit(s[at + 1]) && text_is_digit(s[at + 2]) &&
            text_is_digit(s[at + 3]) && !text_is_digit(s[at + 4]))) {
        if (s[at] == ',') {
            if (group > 3 || (grouped && group != 3))
                return at;
            grouped = true;
            group = 0;
        } else {
            if (*n + 1 < NUMBER_CHARS_MAX)
                to[(*n)++] = s[at];
            group++;
        }
        at++;
    }
    return at;
}

size_t figure_scan_number(const char *s, double *value, int *decimals)
{
    char digits[NUMBER_CHARS_MAX + 16];
    size_t n = 0, at = 0;
    *decimals = 0;
    if (s[at] == '+' || s[at] == '-')
        digits[n++] = s[at++];
    size_t whole = scan_integer(s + at, digits, &n), fraction = 0;
    at += whole;
    if (s[at] == '.' && text_is_digit(s[at + 1])) {
        digits[n++] = '.';
        for (at++; text_is_digit(s[at]); at++, fraction++)
            if (n + 1 < NUMBER_CHARS_MAX)
                digits[n++] = s[at];
    }
    if (whole + fraction == 0)
        return 0;
    *decimals = (int)(fraction < 1000 ? fraction : 1000);
    size_t sign = s[at] && (s[at + 1] == '+' || s[at + 1] == '-');
    if ((s[at] == 'e' || s[at] == 'E') && text_is_digit(s[at + 1 + sign])) {
        long power = strtol(s + at + 1, NULL, 10);
        power = power > 999 ? 999 : power < -999 ? -999 : power;
        *decimals -= (int)power;
        n += (size_t)snprintf(digits + n, sizeof digits - n, "e%ld", power);
        for (at += 1 + sign; text_is_digit(s[at]); at++)
            continue;
    }
    digits[n] = '\0';
    *value = strtod(digits, NULL);
    if (!isfinite(*value))
        return 0;
    *decimals = held_decimals(*value, *decimals);
    return at;
}

/* What is left of a cell, as a remark: without the brackets, comma or star around it. */
static const char *remark_of(struct arena *arena, const char *s)
{
    char *remark = arena_strdup(arena, s + strspn(s, " ,;*("));
    size_t n = strlen(remark);
    while (n > 0 && strchr(" *)", remark[n - 1]))
        remark[--n] = '\0';
    return remark;
}

/* "/", dashes, "\", "*", alone or with a remark behind a comma or in brackets. */
static bool parse_withheld(const char *s, struct arena *arena, struct figure *out)
{
    /* The bytes of dashes at s, in any of their spellings: "-", "--", "—", "–", "−". */
    size_t n = 0, step, len = strlen(s);
    uint32_t c;
    while ((step = utf8_next(s + n, len - n, &c)) &&
           (c == '-' || (c >= 0x2010 && c <= 0x2015) || c == 0x2212 || c == 0x2500 || c == 0xFE58))
        n += step;
    n = n ? n : strspn(s, s[0] == '/' ? "/" : s[0] == '\\' ? "\\" : "*");
    const char *rest = skip_figure_spaces(s + n);
    double total;
    int decimals;
    /* "/80": how much was used is withheld, how much there is is not. */
    bool half =
        n == 1 && s[0] == '/' && figure_scan_number(rest, &total, &decimals) == strlen(rest);
    if (n == 0 || !(*rest == '\0' || *rest == ',' || *rest == '(' || half))
        return false;
    out->kind = FIGURE_WITHHELD;
    out->remark = remark_of(arena, rest);
    return true;
}

static bool parse_word(const char *s, struct arena *arena, struct figure *out)
{
    if (text_is_digit(*s)) /* none of the words begins so */
        return false;
    const char *folded = text_fold(arena, s);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        const struct word *w = &words[i];
        size_t n = strlen(w->text);
        bool same = w->prefix ? strncmp(folded, w->text, n) == 0 && !is_unit_letter(folded[n])
                              : strcmp(folded, w->text) == 0;
        if (!same)
            continue;
        out->kind = w->kind;
        out->value = w->value;
        if (w->prefix)
            out->remark = remark_of(arena, strlen(s) >= n ? s + n : "");
        return true;
    }
    return false;
}

/* A Chinese character in UTF-8 (U+4000 to U+9FFF), the only non-ASCII letters of units. */
static bool is_unit_ideograph(const char *s)
{
    return s[0] >= '\xE4' && s[0] <= '\xE9' && s[1] && s[2];
}

/* Letters with '/' between letters ("tokens/s", "tokens/s/卡"), at most 24 bytes. Returns what
 * follows. */
static const char *scan_unit(const char *s, struct arena *arena, const char **unit)
{
    const char *from = skip_figure_spaces(s);
    size_t n = 0;
    while (is_unit_letter(from[n]) || (n > 0 && from[n] == '/' && is_unit_letter(from[n + 1])))
        n++;
    while (n > 0 && ((from[n] == '/' && is_unit_ideograph(from + n + 1)) ||
                     (is_unit_ideograph(from + n) && memchr(from, '/', n))))
        n += from[n] == '/' ? 1 : 3;
    if (n == 0 || n > 24)
        return s;
    *unit = arena_strndup(arena, from, n);
    return from + n;
}

/* "3.56k", "3.56K tokens/s": thousands. M is of bytes as often as of tokens, so it counts in front
 * of what is counted only. Returns the powers of ten, with the bytes of the letter in *n. */
static int scan_thousands(const char *s, size_t *n)
{
    bool thousand = *s == 'k' || *s == 'K';
    const char *behind = thousand || *s == 'M' ? skip_figure_spaces(s + 1) : "";
    bool counted = text_starts(behind, "tok") || text_starts(behind, "sample");
    bool alone = thousand && !is_unit_letter(s[1]) && s[1] != '/';
    *n = counted || alone;
    return *n ? thousand ? 3 : 6 : 0;
}

/* A number with its '%' or unit. NULL when there is none. */
static const char *scan_figure(const char *s, struct arena *arena, double *value, int *decimals,
                               bool *percent, const char **unit)
{
    size_t n = figure_scan_number(s, value, decimals);
    if (n == 0)
        return NULL;
    size_t letter;
    int power = scan_thousands(s + n, &letter);
    *value *= pow(10, power);
    n += letter;
    if (!isfinite(*value))
        return NULL;
    *decimals = held_decimals(*value, *decimals - power);
    const char *rest = skip_figure_spaces(s + n);
    *percent = *rest == '%';
    return *percent ? rest + 1 : scan_unit(s + n, arena, unit);
}

/* After the value: the end, or a remark in brackets, behind a comma, or a lone star. */
static bool parse_end(const char *rest, struct arena *arena, struct figure *out)
{
    rest = skip_figure_spaces(rest);
    bool decimal_comma = *rest == ',' && text_is_digit(rest[1]);
    if (decimal_comma || (*rest && !strchr("(,;", *rest) && strcmp(rest, "*") != 0))
        return false;
    out->remark = remark_of(arena, rest);
    return true;
}

static const struct separator {
    const char *text;
    enum figure_kind kind;
} separators[] = {
    {"&&", FIGURE_PAIR}, {"/", FIGURE_PAIR},  {"-", FIGURE_RANGE},
    {"~", FIGURE_RANGE}, {"–", FIGURE_RANGE},
};

/* "62/64", "0.376 && 0.336", "25.4%-50.6%": what follows the first value. */
static bool parse_second(const char *rest, struct arena *arena, struct figure *out)
{
    rest = skip_figure_spaces(rest);
    for (size_t i = 0; i < sizeof separators / sizeof separators[0]; i++) {
        if (!text_starts(rest, separators[i].text))
            continue;
        bool percent = false;
        const char *from = skip_figure_spaces(rest + strlen(separators[i].text));
        rest = scan_figure(from, arena, &out->second, &out->second_decimals, &percent, &out->unit);
        if (!rest || *from == '-' || *from == '+')
            return false;
        out->kind = separators[i].kind;
        out->percent = out->percent || percent;
        return parse_end(rest, arena, out);
    }
    return false;
}

/* "3564±12", "47.9%±0.2%": what follows the value up to the end; NULL when it is no tolerance. */
static const char *scan_tolerance(const char *rest, struct arena *arena, struct figure *out)
{
    static const char *const signs[] = {"±", "+/-", "+-"};
    rest = skip_figure_spaces(rest);
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        int ignored;
        bool percent = false;
        if (!text_starts(rest, signs[i]))
            continue;
        rest = scan_figure(skip_figure_spaces(rest + strlen(signs[i])), arena, &out->tolerance,
                           &ignored, &percent, &out->unit);
        out->percent = out->percent || percent;
        return out->tolerance >= 0 ? rest : NULL;
    }
    return NULL;
}

/* "55~57/80": between 55 and 57 of 80. The larger counts. */
static bool parse_total(const char *rest, struct arena *arena, struct figure *out)
{
    struct figure range = *out;
    rest = skip_figure_spaces(rest);
    if (*rest == '-' || *rest == '~')
        rest = scan_figure(skip_figure_spaces(rest + 1), arena, &range.value, &range.decimals,
                           &range.percent, &range.unit);
    else
        return false;
    rest = rest ? skip_figure_spaces(rest) : "";
    if (*rest != '/' || range.value < out->value || !parse_second(rest, arena, &range))
        return false;
    *out = range;
    return true;
}

/* One term: factor (* factor | / factor)*. Only the first factor has printed decimals. */
static const char *scan_term(const char *s, double *term, double *leading, int *decimals)
{
    int ignored;
    size_t n = figure_scan_number(s, term, decimals);
    if (n == 0)
        return NULL;
    *leading = *term;
    for (s = skip_figure_spaces(s + n); *s == '*' || *s == '/' || *s == 'x';
         s = skip_figure_spaces(s + n)) {
        double factor;
        char op = *s;
        s = skip_figure_spaces(s + 1);
        n = figure_scan_number(s, &factor, &ignored);
        if (n == 0)
            return NULL;
        *term = op == '/' ? *term / factor : *term * factor;
    }
    return s;
}

/* term (+ term)* [unit] [= number [unit]] with at least one operator. */
static bool parse_expression(const char *s, struct arena *arena, struct figure *out)
{
    double term, leading;
    int decimals = 0;
    out->evaluated = out->units = out->each = 0;
    out->decimals = -1000;
    for (;;) {
        s = scan_term(s, &term, &leading, &decimals);
        if (!s || !isfinite(term))
            return false;
        out->evaluated += term;
        out->units += leading != 0 ? term / leading : 0;
        out->each = leading > out->each ? leading : out->each;
        out->decimals = decimals > out->decimals ? decimals : out->decimals;
        if (*s != '+')
            break;
        s = skip_figure_spaces(s + 1);
    }
    out->value = out->evaluated;
    out->decimals = held_decimals(out->value, out->decimals);
    s = skip_figure_spaces(scan_unit(s, arena, &out->unit));
    if (*s == '=') {
        s = scan_figure(skip_figure_spaces(s + 1), arena, &out->value, &out->decimals,
                        &out->percent, &out->unit);
        out->stated = true;
    }
    out->kind = FIGURE_EXPRESSION;
    bool only_divides = !out->stated && out->units < 1; /* "44.2/48.0/3": three values */
    return s && !only_divides && parse_end(s, arena, out);
}

const struct figure figure_missing = {.kind = FIGURE_MISSING,
                                      .value = NAN,
                                      .second = NAN,
                                      .evaluated = NAN,
                                      .each = NAN,
                                      .units = NAN,
                                      .unit = "",
                                      .remark = ""};

static void figure_init(struct figure *out)
{
    *out = figure_missing;
    out->kind = FIGURE_TEXT;
}

/* The digits in front of an exponent, from the first that is not 0; 0: there is none. */
static int digits_before_exponent(const char *s)
{
    size_t end = strspn(s, "+-0123456789,.");
    int digits = 0;
    for (size_t i = strspn(s, "+-0,."); i < end; i++)
        digits += text_is_digit(s[i]);
    return s[end] == 'e' || s[end] == 'E' ? digits : 0;
}

static bool parse_number(const char *s, struct arena *arena, struct figure *out)
{
    const char *rest =
        scan_figure(s, arena, &out->value, &out->decimals, &out->percent, &out->unit);
    if (!rest)
        return false;
    out->kind = FIGURE_NUMBER;
    out->digits = digits_before_exponent(s);
    const char *behind = scan_tolerance(rest, arena, out);
    if (behind)
        return parse_end(behind, arena, out);
    return parse_end(rest, arena, out) || parse_second(rest, arena, out) ||
           parse_total(rest, arena, out);
}

/* What may stand in front of a value: "~3564", "约5.14", ">67%", "MFU 67.9%". */
static const struct front {
    const char *text;
    bool bound, least, word; /* word: what it stands for follows behind a space, ':' or '=' */
} fronts[] = {
    {"~", false, false, false},  {"≈", false, false, false},  {"约", false, false, false},
    {"<=", true, false, false},  {">=", true, true, false},   {"<", true, false, false},
    {">", true, true, false},    {"≤", true, false, false},   {"≥", true, true, false},
    {"MFU", false, false, true}, {"HFU", false, false, true},
};

/* A bound is no value to compare with: it becomes a kind of its own. */
static bool parse_front(const char *s, struct arena *arena, struct figure *out)
{
    for (size_t i = 0; i < sizeof fronts / sizeof fronts[0]; i++) {
        const struct front *x = &fronts[i];
        if (!text_starts(s, x->text))
            continue;
        const char *value = s + strlen(x->text);
        size_t between = strspn(value, x->word ? " :=" : " ");
        if ((x->word && !between) || !(text_is_digit(value[between]) || value[between] == '.') ||
            !parse_number(value + between, arena, out))
            return false;
        out->least = x->least;
        bool single = out->kind == FIGURE_NUMBER || out->kind == FIGURE_PAIR;
        out->kind = x->bound ? FIGURE_BOUND : out->kind;
        return single || !x->bound;
    }
    return false;
}

/* "nan", "-inf", "Infinity %", "∞": what programs print instead of a number. */
static bool is_not_finite(const char *s, struct arena *arena)
{
    static const char *const spellings[] = {"nan", "inf", "infinity", "∞"};
    const char *word = text_fold(arena, s + strspn(s, "+-"));
    for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++) {
        const char *behind = word + strlen(spellings[i]);
        if (text_starts(word, spellings[i]) && strcmp(behind + (*behind == '%'), "") == 0)
            return true;
    }
    return false;
}

static const char *bare_text(const char *text, struct arena *arena)
{
    return figure_plain(arena, figure_without_tags(arena, text ? text : ""));
}

enum figure_kind figure_absence(const char *text, struct arena *arena)
{
    const char *s = bare_text(text, arena);
    struct figure f = figure_missing;
    bool absent = *s == '\0' || parse_withheld(s, arena, &f) ||
                  (parse_word(s, arena, &f) && figure_is_absent(&f));
    return absent ? f.kind : FIGURE_TEXT;
}

void figure_parse(const char *text, struct arena *arena, struct figure *out)
{
    const char *s = bare_text(text, arena);
    static bool (*const readers[])(const char *, struct arena *, struct figure *) = {
        parse_withheld, parse_word, parse_number, parse_expression, parse_front};
    *out = figure_missing;
    if (*s == '\0')
        return;
    figure_init(out);
    for (size_t i = 0; i < sizeof readers / sizeof readers[0]; i++) {
        if (readers[i](s, arena, out))
            return;
        figure_init(out);
    }
    bool numeric = text_is_digit(s[strspn(s, "+-.")]) && strspn(s, "+-.") <= 2;
    if (numeric || is_not_finite(s, arena))
        out->kind = FIGURE_MALFORMED;
}

const struct figure *figure_read(const char *text, struct arena *arena)
{
    struct figure *f = arena_alloc(arena, sizeof *f);
    figure_parse(text, arena, f);
    return f;
}
