/*
 * site_points: rows as points (private to renderer/site/): throughput against MFU, what rows
 * reach below the peaks of their card, throughput over cards with its ideal.
 *
 * States are the signs of points, cards or models their colours. What a row states is drawn as it
 * is stated; withdrawn results are left out.
 */
#pragma once

#include "base/buf.h"
#include "renderer/site/sheet/scaling.h"

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
