#include "base/figures/worded_number.h"

#include "base/figures/figure.h"
#include "base/text.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

struct numeral {
    const char *text;
    double value;
};

static const struct numeral han_digits[] = {
    {"零", 0}, {"〇", 0}, {"一", 1}, {"二", 2}, {"两", 2}, {"三", 3}, {"四", 4},
    {"五", 5}, {"六", 6}, {"七", 7}, {"八", 8}, {"九", 9}, {"壹", 1}, {"贰", 2},
    {"叁", 3}, {"肆", 4}, {"伍", 5}, {"陆", 6}, {"柒", 7}, {"捌", 8}, {"玖", 9},
};

static const struct numeral han_scales[] = {
    {"十", 10},   {"拾", 10},  {"百", 100}, {"佰", 100}, {"千", 1000},
    {"仟", 1000}, {"万", 1e4}, {"萬", 1e4}, {"亿", 1e8}, {"億", 1e8},
};

static const struct numeral english[] = {
    {"zero", 0},     {"one", 1},      {"two", 2},        {"three", 3},     {"four", 4},
    {"five", 5},     {"six", 6},      {"seven", 7},      {"eight", 8},     {"nine", 9},
    {"ten", 10},     {"eleven", 11},  {"twelve", 12},    {"thirteen", 13}, {"fourteen", 14},
    {"fifteen", 15}, {"sixteen", 16}, {"seventeen", 17}, {"eighteen", 18}, {"nineteen", 19},
    {"twenty", 20},  {"thirty", 30},  {"forty", 40},     {"fifty", 50},    {"sixty", 60},
    {"seventy", 70}, {"eighty", 80},  {"ninety", 90},
};

static const struct numeral english_scales[] = {
    {"hundred", 1e2}, {"thousand", 1e3}, {"million", 1e6}, {"billion", 1e9}, {"trillion", 1e12}};

#define COUNT(table) (sizeof(table) / sizeof *(table))

static const struct numeral *numeral_at(const char *s, const struct numeral *of, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (text_starts(s, of[i].text))
            return &of[i];
    return NULL;
}

/* The same, where a word of letters ends behind it. */
static const struct numeral *numeral_word_at(const char *s, const struct numeral *of, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (text_starts(s, of[i].text) && !isalnum((unsigned char)s[strlen(of[i].text)]))
            return &of[i];
    return NULL;
}

/* "七点五": the digits behind the point. */
static size_t scan_han_fraction(const char *s, double *value, int *decimals)
{
    const struct numeral *digit;
    const size_t point = strlen("点");
    size_t n = point;
    if (!text_starts(s, "点"))
        return 0;
    while ((digit = numeral_at(s + n, han_digits, COUNT(han_digits)))) {
        *value += digit->value * pow(10, -++*decimals);
        n += strlen(digit->text);
    }
    return n > point ? n : 0;
}

/* 八百万: units of ten multiply the digit before them, 万 and 亿 all before them. Digits that
 * follow each other are places: 九七. */
static size_t scan_han(const char *s, struct worded_number *out)
{
    double total = 0, section = 0, digit = 0;
    bool has_digit = false;
    size_t n = 0;
    for (;;) {
        const struct numeral *d = numeral_at(s + n, han_digits, COUNT(han_digits));
        const struct numeral *x = d ? NULL : numeral_at(s + n, han_scales, COUNT(han_scales));
        if (d) {
            digit = has_digit ? 10 * digit + d->value : d->value;
        } else if (x && !(x->value == 1000 && text_starts(s + n, "千瓦"))) {
            section += x->value < 1e4 ? (has_digit ? digit : 1) * x->value : digit;
            digit = 0;
        } else {
            break;
        }
        if (x && x->value >= 1e4) {
            section = fmax(section, total > 0 ? 0 : 1);
            total = x->value > 1e4 ? (total + section) * x->value : total + section * x->value;
            section = 0;
        }
        has_digit = d;
        n += strlen(d ? d->text : x->text);
    }
    out->value = total + section + digit;
    out->decimals = 0;
    return n ? n + scan_han_fraction(s + n, &out->value, &out->decimals) : 0;
}

/* "eight million", "ninety-seven". */
static size_t scan_english(const char *s, struct worded_number *out)
{
    double total = 0, section = 0;
    size_t n = 0, end = 0;
    for (;;) {
        const struct numeral *w = numeral_word_at(s + n, english, COUNT(english));
        const struct numeral *x =
            w ? NULL : numeral_word_at(s + n, english_scales, COUNT(english_scales));
        if (!w && !(x && end))
            break;
        if (w)
            section += w->value;
        else if (x->value < 1e3)
            section *= x->value;
        else
            total = (total + section) * x->value, section = 0;
        end = n + strlen(w ? w->text : x->text);
        n = end + strspn(s + end, " -");
        n += text_starts(s + n, "and ") ? 4 : 0;
    }
    out->value = total + section;
    out->decimals = 0;
    return end;
}

/* What digits are multiplied by: "800万", "99.9k", "8 million", "8m tokens". */
static size_t scan_scale(const char *s, double *scale)
{
    static const struct numeral letters[] = {{"k", 1e3}, {"m", 1e6}, {"b", 1e9}, {"t", 1e12}};
    size_t spaces = strspn(s, " "), n = spaces;
    const struct numeral *x;
    *scale = 1;
    while ((x = numeral_at(s + n, han_scales, COUNT(han_scales))) && !text_starts(s + n, "千瓦")) {
        *scale *= x->value;
        n += strlen(x->text);
    }
    if (n > spaces)
        return n;
    x = numeral_word_at(s + n, english_scales, COUNT(english_scales));
    x = x ? x : numeral_word_at(s + n, letters, COUNT(letters));
    *scale = x ? x->value : 1;
    return x ? n + strlen(x->text) : 0;
}

static size_t scan_worded_digits(const char *s, struct worded_number *out)
{
    double scale;
    size_t n = figure_scan_number(s, &out->value, &out->decimals);
    if (!n)
        return 0;
    n += scan_scale(s + n, &scale);
    out->value *= scale;
    out->decimals -= (int)lrint(log10(scale));
    return isfinite(out->value) ? n : 0;
}

static size_t scan_percent(const char *s)
{
    size_t n = strspn(s, " ");
    if (s[n] == '%')
        return n + 1;
    static const char *const words[] = {"percent", "per cent"};
    for (size_t i = 0; i < COUNT(words); i++)
        if (text_starts(s + n, words[i]))
            return n + strlen(words[i]);
    return 0;
}

size_t worded_number_scan(const char *s, struct worded_number *out)
{
    static const char *const share = "百分之";
    size_t before = text_starts(s, share) ? strlen(share) : 0;
    size_t n = scan_worded_digits(s + before, out);
    n = n ? n : scan_han(s + before, out);
    n = n || before ? n : scan_english(s, out);
    if (!n)
        return 0;
    size_t sign = before ? 0 : scan_percent(s + n);
    out->percent = before || sign;
    return before + n + sign;
}
