#include "base/figures/figure.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DECIMALS_MOST 17 /* a double has no more digits than that */
#define PRINTED_SIZE 352 /* the largest number, a point and those decimals */
#define INTEGER_MOST 1e6 /* whole numbers below it are exact without an exponent */

/* Only as much of it as will be printed: whoever takes the figure takes the same, be it from here,
 * from a worker or from a document. */
static double rounded_as(const char *format, int digits, double value)
{
    char text[PRINTED_SIZE];
    snprintf(text, sizeof text, format, digits, value);
    return strtod(text, NULL) + 0.0; /* no -0 */
}

struct figure figure_fixed(double value, int decimals)
{
    struct figure f = figure_missing;
    f.kind = isfinite(value) ? FIGURE_NUMBER : FIGURE_MALFORMED;
    f.decimals = decimals < 0 ? 0 : decimals > DECIMALS_MOST ? DECIMALS_MOST : decimals;
    f.value = value == floor(value) ? value + 0.0 : rounded_as("%.*f", f.decimals, value);
    return f;
}

/* How many of `digits` are left of a number without the zeros at its end; *power: of its first. */
static int digits_left_of(double value, int digits, int *power)
{
    char text[PRINTED_SIZE];
    snprintf(text, sizeof text, "%.*e", digits - 1, value);
    char *e = strchr(text, 'e');
    *power = (int)strtol(e + 1, NULL, 10);
    while (digits > 1 && e[-1] == '0') {
        digits--;
        e--;
    }
    return digits;
}

/* Of which `left` of `digits` are left, and `power` is that of the first. */
static struct figure with_digits(double value, int digits, int left, int power)
{
    struct figure f = figure_missing;
    f.kind = FIGURE_NUMBER;
    f.value = value;
    f.decimals = left - 1 > power ? left - 1 - power : 0;
    f.digits = power < -4 || power >= digits ? left : 0;
    return f;
}

struct figure figure_significant(double value, int digits)
{
    int power;
    if (!isfinite(value))
        return figure_fixed(value, 0);
    int left = digits_left_of(value, digits, &power);
    return with_digits(rounded_as("%.*e", digits - 1, value), digits, left, power);
}

struct figure figure_exact(double value)
{
    if (!isfinite(value) || (fabs(value) < INTEGER_MOST && value == floor(value)))
        return figure_fixed(value, 0);
    /* What 15 digits can say comes back from a double; of the smallest, which have fewer, less. */
    int power, digits = fabs(value) < DBL_MIN ? 1 : DBL_DIG;
    while (digits < DECIMALS_MOST && rounded_as("%.*e", digits - 1, value) != value)
        digits++;
    int left = digits_left_of(value, digits, &power);
    return with_digits(value, left, left, power);
}

struct figure figure_joined(enum figure_kind kind, struct figure first, struct figure second)
{
    bool both = first.kind == FIGURE_NUMBER && second.kind == FIGURE_NUMBER;
    first.kind = both ? kind : FIGURE_MALFORMED;
    first.second = second.value;
    first.second_decimals = second.decimals;
    return first;
}

const struct figure *figure_kept(struct figure f, struct arena *arena)
{
    struct figure *kept = arena_alloc(arena, sizeof *kept);
    *kept = f;
    return kept;
}

/* "1.2e7", as C writes it but for the sign and the zeros of the power. */
static const char *print_exponent(double value, int digits, struct arena *arena)
{
    char text[PRINTED_SIZE];
    snprintf(text, sizeof text, "%.*e", digits - 1, value);
    char *e = strstr(text, "e+");
    return e ? arena_printf(arena, "%.*se%s", (int)(e - text), text, e + 2 + strspn(e + 2, "0"))
             : arena_strdup(arena, text);
}

static const char *print_figure_value(double value, int decimals, const struct figure *f,
                                      struct arena *arena)
{
    int places = decimals < 0 ? 0 : decimals > DECIMALS_MOST ? DECIMALS_MOST : decimals;
    const char *text = isnan(value) ? "nan"
                       : f->digits  ? print_exponent(value, f->digits, arena)
                                    : arena_printf(arena, "%.*f", places, value);
    return f->percent ? arena_printf(arena, "%s%%", text) : text;
}

const char *figure_print(const struct figure *f, struct arena *arena)
{
    if (!f)
        return NULL;
    if (f->kind == FIGURE_FLAG)
        return f->value == 1 ? "True" : "False";
    if (f->kind != FIGURE_MALFORMED && !figure_has_value(f))
        return "";
    const char *first = print_figure_value(f->value, f->decimals, f, arena);
    if (f->kind != FIGURE_PAIR && f->kind != FIGURE_RANGE)
        return first;
    return arena_printf(arena, "%s%c%s", first, f->kind == FIGURE_PAIR ? '/' : '-',
                        print_figure_value(f->second, f->second_decimals, f, arena));
}

const struct figure *figure_read_back(const char *text, struct arena *arena)
{
    if (!text)
        return NULL;
    struct figure f;
    figure_parse(text, arena, &f);
    if (f.kind == FIGURE_MALFORMED) /* "inf" */
        f.value = strtod(text, NULL);
    bool printed = figure_has_value(&f) || f.kind == FIGURE_FLAG || f.kind == FIGURE_MALFORMED;
    return printed ? figure_kept(f, arena) : NULL;
}
