/*
 * curve_csv: a curve as people export it, line by line, as comma-separated values.
 *
 *   step,loss,iteration_time_s
 *   21,8.531234,141.73
 *
 * The first line that is neither empty nor a comment (#) names the columns, in any order and
 * letter case; which names are known is a table in curve_csv.c, other columns are passed over.
 * Where no column has steps, a column of whole epochs has. A file of nothing but numbers is read as
 * step, loss and, if there is a third, seconds. Cells may be quoted; the separator is that of the
 * header: comma, semicolon or tab, or blanks where all of the first line is known names, or a whole
 * number and another number. An empty loss (or NA, null, None) was not logged: the step is left
 * out. NaN and infinities, in any letter case, are losses. A line whose step or loss is something
 * else is malformed.
 *
 * Files as a whole: verifier/diff/csv.h; inside the reader of logs:
 * verifier/logs/formats/curve.c.
 */
#pragma once

#include "base/lines/span.h"

enum curve_column {
    CURVE_OTHER,
    CURVE_STEP,
    CURVE_EPOCH,
    CURVE_LOSS,
    CURVE_SECONDS,
    CURVE_MILLISECONDS,
    CURVE_CLOCK, /* seconds since 1970 */
    CURVE_COLUMNS
};

#define CURVE_LOSSES_MAX 64

/* Where each column stands, from 1; 0: not there. An export of several runs has several losses,
 * of which the first counts until one is chosen; their names borrow the line. */
struct curve_layout {
    size_t column[CURVE_COLUMNS];
    size_t n_losses, losses[CURVE_LOSSES_MAX];
    struct span names[CURVE_LOSSES_MAX];
    char separator;
    bool header;   /* the first line names the columns; else it holds figures */
    bool by_epoch; /* the steps are whole epochs: there is no column of steps, but one of them */
};

/* One report of a step; what is not known is NaN. */
struct curve_point {
    double step, loss, seconds;
    double clock_ms; /* when it was reported, Unix time */
    int line;
    int rank; /* that reports, in a log of several; else the same for all */
};

enum curve_line { CURVE_POINT, CURVE_ABSENT, CURVE_MALFORMED };

/* Is this line, the first that is not skipped, the first of a curve? */
bool curve_csv_first(struct span line, struct curve_layout *out);

/* Takes the loss of the run or column of this name ("tp2" is the run of "tp2 - train/loss"), else
 * of the only column whose name holds the text; false when none does, or several do. */
bool curve_csv_choose(struct curve_layout *layout, const char *text);

/* Empty lines and comments. */
bool curve_csv_skips(struct span line);

/* A point is filled but for its line and rank. */
enum curve_line curve_csv_line(const struct curve_layout *layout, struct span line,
                               struct curve_point *out);
