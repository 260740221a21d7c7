#include "renderer/charts/scale.h"

#include "base/arena.h"
#include "base/reals.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VALUE_MAX 1e15
#define SPAN_MIN 1e-280 /* below it powers of ten and quotients stop being numbers */
#define MINUS "\xE2\x88\x92"

/* ---- ranges ---------------------------------------------------------------------------- */

struct range range_none(void)
{
    return (struct range){INFINITY, -INFINITY};
}

bool range_is_empty(struct range r)
{
    return !(r.low <= r.high);
}

bool value_is_drawable(double value)
{
    return isfinite(value) && fabs(value) <= VALUE_MAX;
}

struct range range_with(struct range r, double value)
{
    if (!value_is_drawable(value))
        return r;
    return (struct range){fmin(r.low, value), fmax(r.high, value)};
}

/* A span that is below what a double resolves at that size counts as one value. */
struct range range_widened(struct range r)
{
    double size = fmax(fabs(r.low), fabs(r.high));
    if (r.high - r.low > fmax(SPAN_MIN, size * 1e-12))
        return r;
    double room = size > SPAN_MIN ? size * 0.1 : 0.5;
    return (struct range){r.low - room, r.high + room};
}

double scale_place(const struct scale *s, double value)
{
    double low = s->data.low, high = s->data.high, v = fmin(fmax(value, low), high);
    double part = s->log ? log(v / low) / log(high / low) : (v - low) / (high - low);
    return s->from + part * (s->to - s->from);
}

void values_sort(double *values, size_t n)
{
    if (n > 1)
        qsort(values, n, sizeof *values, reals_by_size);
}

bool values_ask_for_log(const double *values, size_t n)
{
    size_t m = 0;
    double *sorted = memory_alloc(n * sizeof *sorted);
    for (size_t i = 0; i < n; i++)
        if (value_is_drawable(values[i]))
            sorted[m++] = values[i];
    values_sort(sorted, m);
    bool asks = m && sorted[0] > SPAN_MIN && sorted[m - 1] / sorted[0] >= 50 &&
                sorted[m / 2] - sorted[0] < (sorted[m - 1] - sorted[0]) / 10;
    free(sorted);
    return asks;
}

/* ---- how a number is written ----------------------------------------------------------- */

static void put_minus(char out[NUMBER_MAX], const char *ascii)
{
    bool zero = strspn(ascii, "-0.") == strlen(ascii);
    if (*ascii == '-')
        snprintf(out, NUMBER_MAX, "%s%.27s", zero ? "" : MINUS, ascii + 1);
    else
        snprintf(out, NUMBER_MAX, "%.30s", ascii);
}

/* The unit that all ticks of an axis share. */
struct unit {
    double size;
    const char *name;
};

static const struct unit units[] = {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}};

static int decimals_of_step(double step)
{
    return (int)fmin(fmax(0, -floor(log10(step) + 1e-9)), 300);
}

/* From 10 000 on; a unit that would need more than two decimals is none. */
static struct unit scale_unit(double most, double step)
{
    for (size_t i = 0; most >= 1e4 && i < sizeof units / sizeof *units; i++)
        if (most >= units[i].size && decimals_of_step(step / units[i].size) <= 2)
            return units[i];
    return (struct unit){1, ""};
}

static void exponent_text(char out[NUMBER_MAX], double value)
{
    char ascii[NUMBER_MAX], mantissa[NUMBER_MAX];
    snprintf(ascii, sizeof ascii, "%.2e", value);
    char *e = strchr(ascii, 'e');
    int power = atoi(e + 1);
    *e = '\0';
    for (char *end = e - 1; end > ascii && (*end == '0' || *end == '.'); end--) {
        bool point = *end == '.';
        *end = '\0';
        if (point)
            break;
    }
    put_minus(mantissa, ascii);
    snprintf(out, NUMBER_MAX, "%.14se%s%d", mantissa, power < 0 ? MINUS : "", abs(power));
}

static void tick_text(struct tick *t, double most, double step)
{
    char ascii[64];
    struct unit unit = scale_unit(most, step);
    if (t->value == 0) {
        strcpy(t->text, "0");
    } else if (most < 1e-3) {
        exponent_text(t->text, t->value);
    } else {
        int digits = decimals_of_step(step / unit.size);
        snprintf(ascii, sizeof ascii, "%.*f%s", digits < 9 ? digits : 9, t->value / unit.size,
                 unit.name);
        put_minus(t->text, ascii);
    }
}

void number_text(char out[NUMBER_MAX], double value, int digits)
{
    char ascii[64];
    double size = fabs(value);
    if (size != 0 && (size < 1e-4 || size >= 1e12)) {
        exponent_text(out, value);
        return;
    }
    int whole = size < 1 ? 0 : (int)floor(log10(size) + 1e-12) + 1;
    int leading = size != 0 && size < 1 ? -(int)floor(log10(size) + 1e-12) - 1 : 0;
    int places = digits - whole + leading;
    snprintf(ascii, sizeof ascii, "%.*f", places > 0 ? places : 0, value);
    if (strchr(ascii, '.')) {
        char *end = ascii + strlen(ascii);
        while (end[-1] == '0')
            *--end = '\0';
        if (end[-1] == '.')
            end[-1] = '\0';
    }
    put_minus(out, ascii);
}

void percent_text(char out[NUMBER_MAX], double fraction, int digits)
{
    char number[NUMBER_MAX];
    number_text(number, fraction * 100, digits);
    snprintf(out, NUMBER_MAX, "%s%.24s %%", *number == '\xE2' ? "" : "+", number);
}

/* ---- ticks ----------------------------------------------------------------------------- */

/* 1, 2 or 5 times a power of ten, so that about `want` steps make the span. */
static double scale_step(double span, int want)
{
    double raw = span / want, power = pow(10, floor(log10(raw))), lead = raw / power;
    return power * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10);
}

static void linear_ticks(struct ticks *t, struct range r)
{
    double most = fmax(fabs(r.low), fabs(r.high)), first = ceil(r.low / t->step - 1e-6);
    while (t->n < TICKS_MAX) {
        double value = (first + (double)t->n) * t->step;
        if (value > r.high + t->step * 1e-6)
            return;
        struct tick *at = &t->at[t->n++];
        at->value = value;
        tick_text(at, most, t->step);
    }
}

/* Powers of ten, thinned when there are many; with 2 and 5 between when there are few. */
static void log_ticks(struct ticks *t, struct range r, int want)
{
    static const double leads[] = {1, 2, 5};
    int low = (int)floor(log10(r.low) + 1e-9), high = (int)ceil(log10(r.high) - 1e-9);
    int most = want < 2 ? 4 : want * 2, every = (high - low + most - 1) / most;
    bool between = (high - low) * 3 <= want + 2;
    for (int p = low; p <= high; p += every ? every : 1)
        for (int i = 0; i < (between ? 3 : 1) && t->n < TICKS_MAX; i++) {
            double value = leads[i] * pow(10, p);
            if (value < r.low * (1 - 1e-9) || value > r.high * (1 + 1e-9))
                continue;
            struct tick *at = &t->at[t->n++];
            at->value = value;
            tick_text(at, value < 1e4 ? fmax(value, 1e-3) : value, value);
        }
}

void ticks_make(struct ticks *t, struct range r, bool log, int want)
{
    *t = (struct ticks){.n = 0};
    if (log) {
        log_ticks(t, r, want);
    } else {
        t->step = scale_step(r.high - r.low, want);
        linear_ticks(t, r);
    }
}

#define LOG_TICKS_DISTANCE 1.12 /* of a range of less than a decade, so that texts do not meet */

void ticks_make_at(struct ticks *t, const double *values, size_t n)
{
    *t = (struct ticks){.n = 0};
    for (size_t i = 0; i < n && t->n < TICKS_MAX; i++)
        if (!t->n || values[i] > t->at[t->n - 1].value * LOG_TICKS_DISTANCE) {
            struct tick *at = &t->at[t->n++];
            at->value = values[i];
            number_text(at->text, values[i], 4);
        }
}

void ticks_make_rounded(struct ticks *t, struct range *r, bool log, int want)
{
    *t = (struct ticks){.n = 0};
    if (log) {
        *r = (struct range){pow(10, floor(log10(r->low) + 1e-9)),
                            pow(10, ceil(log10(r->high) - 1e-9))};
        log_ticks(t, *r, want);
    } else {
        t->step = scale_step(r->high - r->low, want);
        *r = (struct range){floor(r->low / t->step + 1e-6) * t->step,
                            ceil(r->high / t->step - 1e-6) * t->step};
        linear_ticks(t, *r);
    }
}
