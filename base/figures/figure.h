/*
 * figure: what one cell of a figure table says.
 *
 * Published pages write figures in many ways: `3698.7`, `37.0%`, `62/64` (used/total, actual/
 * target), `0.376 && 0.336`, `25.4%-50.6%`, `66.27 * 8 GB`, `17.23 * 2048 / 8 = 4410 tokens/s`.
 * And they write why there is none: empty (missing), `/` `-` `\` `*` `N/A` (withheld), `OOM`,
 * `doing*` (pending): different things, none of them zero. What surrounds a figure is read and
 * set aside: `3564±12`, `~3564`, `3.56k`, `47.9%<sup>1</sup>`, `MFU 47.9%`; `> 47%` is a bound and
 * no value. A cell that begins like a number but is none (`80.83.2%`) is malformed; everything
 * else is text.
 *
 * Values are in the unit that was printed (37.0% is 37.0, not 0.37). The number of printed
 * decimals is kept, because a printed figure claims no more than that: figure_last_place() of it
 * is the tolerance of every comparison. Reading never depends on the locale. Strings live in the
 * arena that figure_parse was given.
 */
#pragma once

#include "base/arena.h"

#include <stdbool.h>

enum figure_kind {
    FIGURE_MISSING,    /* nothing there */
    FIGURE_WITHHELD,   /* "/", any dash and the like: known, not published */
    FIGURE_OOM,        /* ran out of memory */
    FIGURE_PENDING,    /* "doing*" */
    FIGURE_NUMBER,     /* value */
    FIGURE_PAIR,       /* value / second */
    FIGURE_RANGE,      /* value - second */
    FIGURE_EXPRESSION, /* value is the result: as stated after '=', else as evaluated */
    FIGURE_FLAG,       /* "True", "False": value 1 or 0 */
    FIGURE_BOUND,      /* "> 67%": value (and second) are a limit, `least` says of which side */
    FIGURE_TEXT,       /* words */
    FIGURE_MALFORMED,  /* begins like a number and is none, or says so: nan, inf */
};

struct figure {
    enum figure_kind kind;
    double value, second; /* NaN where there is none */
    int decimals, second_decimals;
    int digits;         /* of value, when it was printed with an exponent; 0: it was not */
    double tolerance;   /* behind '±', in the unit of value; 0 when none was printed */
    bool least;         /* bounds: at least value, not at most */
    bool percent;       /* value (and second) were printed with '%' */
    double evaluated;   /* expressions: the left side, as computed here */
    bool stated;        /* expressions: there was a "= result" */
    double each, units; /* expressions: largest leading factor of a term, and the sum of the
                         * other factors: 46.77*2 + 36.59*2 has each 46.77, units 4 */
    const char *unit;   /* "GB", "tokens/s"; "" when none was printed */
    const char *remark; /* what stands in brackets or after a comma; "" */
};

/* What no text says. */
extern const struct figure figure_missing;

void figure_parse(const char *text, struct arena *arena, struct figure *out);

/* The same, kept in the arena. */
const struct figure *figure_read(const char *text, struct arena *arena);

/* Why a text is no figure: FIGURE_MISSING, _WITHHELD, _OOM or _PENDING; FIGURE_TEXT: it does not
 * say that. What figure_parse says as well, without reading a number. */
enum figure_kind figure_absence(const char *text, struct arena *arena);

/* Does it hold a value to compare (number, pair, range, expression)? */
bool figure_has_value(const struct figure *f);

/* No figure, and nothing wrong with that (missing, withheld, out of memory, pending). */
bool figure_is_absent(const struct figure *f);

/* One unit in the last printed place: 10^-decimals (in printed units). Negative decimals, as in
 * 1.20e6 and 3.56k, count places before the point, down to the third digit of the value: 1e4 and
 * 10k are within 100, not within 10000, so that a spelling is no way to loosen a check. */
double figure_last_place(int decimals);

/* How far from the truth the printed value may be: one unit in its last place, or the tolerance
 * printed behind it, which counts up to a twentieth of the value. */
double figure_tolerance(const struct figure *f);

/* The text without Markdown marks (backslash escapes, backticks, bold), with full-width signs
 * as their ASCII twins, trimmed. Asterisks that are not marks stay. */
char *figure_plain(struct arena *arena, const char *text);

/* The text without HTML marks: a footnote's mark and what makes bold or italic goes, ';' stands for
 * a line break, so that what follows is a remark. */
const char *figure_without_tags(struct arena *arena, const char *text);

/*
 * A decimal number at the start of s: [+-]digits[,digits][.digits][e[+-]digits]. Returns the bytes
 * read, 0 when there is none. *decimals is the power of ten of the last printed digit, negated;
 * an exponent moves it no further than to the third digit of the value (figure_last_place()).
 */
size_t figure_scan_number(const char *s, double *value, int *decimals);

/* ---- figures that are made, not read -------------------------------------------------------- */

/* A number with so many decimals, at most 17; one with so many digits, with an exponent where %g
 * would have it; one that reads as the same double. They hold no more digits than are printed;
 * nan and inf are malformed, and are its value. */
struct figure figure_fixed(double value, int decimals);
struct figure figure_significant(double value, int digits);
struct figure figure_exact(double value);

/* FIGURE_PAIR or FIGURE_RANGE of two numbers. */
struct figure figure_joined(enum figure_kind kind, struct figure first, struct figure second);

const struct figure *figure_kept(struct figure f, struct arena *arena);

/* As it is written: "3560.9", "47.94%", "37.1/40.0", "True", "nan", "1.2e7". "" of what holds no
 * number and no flag; NULL of NULL. */
const char *figure_print(const struct figure *f, struct arena *arena);

/* What such a text says; NULL of NULL, and of one that holds no number and no flag. */
const struct figure *figure_read_back(const char *text, struct arena *arena);
