/*
 * site_points: rows as points (private to renderer/site/): throughput against MFU, what rows
 * reach below the peaks of their card, throughput over cards with its ideal.
 *
 * States are the signs of points, cards or models their colours. What a row states is drawn as it
 * is stated; withdrawn results are left out.
 */
#pragma once

#include "base/arena.h"
#include "renderer/site/sheet/scaling.h"
#include "renderer/site/sheet/sheet.h"

/* Each writes nothing where there are fewer than two points; `id` is unique in the page. */
void sheet_write_rate_and_mfu(struct sheet *s, struct buf *out, const char *id,
                              const struct site_row *const *rows, size_t n);

/* The same of rows of any model, one sign a state, in axes that do not move: a script places the
 * points of other rows. How many points it drew; without points it draws the empty axes. */
size_t sheet_write_all_points(struct sheet *s, struct buf *out, const char *id,
                              const struct site_row *const *rows, size_t n);

/* TFLOP/s of a card over parameters of the model: factor × N × tokens/s, else the stated MFU of the
 * peak. Records have no bandwidth of memory, so that the roof is that of arithmetic alone. */
void sheet_write_roof(struct sheet *s, struct buf *out, const char *id, const struct accelerator *a,
                      const struct site_row *const *rows, size_t n);

void sheet_write_scaling(struct sheet *s, struct buf *out, const char *id,
                         const struct site_scaling *of);

/* Of several rows the one that speaks for all of them, and by which figure (private to
 * renderer/site/): the best row of a vendor for a model, of a card in a comparable group.
 *
 * What was checked comes first (verified, then partly), then what no check contradicts, then what
 * an error contradicts; withdrawn results never speak. Among rows of one standing the first figure
 * of the list of names counts, and of one figure the better value. So no figure stands before one
 * that can be believed more because it is larger. */

struct site_best {
    const struct site_row *row;
    const struct metric *figure; /* NULL: no row has one */
    double value;                /* of it, shares in percent */
    int standing;                /* 0 verified, 1 partly, 2 not contradicted, 3 contradicted */
    size_t name;                 /* which of the names the figure has */
};

/* The value of a figure as pictures draw it; false where it has none. */
bool site_drawn_value(const struct metric *m, struct arena *arena, double *value);

/* How a row speaks by its figure of this name (base/figures/metrics.h); .figure is NULL where it
 * does not. */
struct site_best site_best_of_row(const struct site_row *row, const char *const *names, size_t n,
                                  struct arena *arena);

/* Does `a` speak before `b`? */
bool site_best_before(const struct site_best *a, const struct site_best *b);

/* Of these rows; without any figure .row is the one of the best standing, NULL where all are
 * withdrawn. */
struct site_best site_best_of(const struct site_row *const *rows, size_t n,
                              const char *const *names, size_t n_names, struct arena *arena);

/* The value, rounded for a heading or a picture: "8,103", "40.4 % MFU"; its unit is another matter
 * (empty where the text has it). */
const char *sheet_best_text(struct sheet *s, const struct site_best *best);
const char *sheet_best_unit(struct sheet *s, const struct site_best *best);
