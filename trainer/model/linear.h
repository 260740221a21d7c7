/*
 * linear: a linear layer y = x W^T, which knows how ranks share it.
 *
 *   cut      W[out, in] here       x                    y
 *   whole    all of it             whole rows           whole rows
 *   rows     out / tensor rows     a part of the rows   a part of every row
 *   columns  in / tensor columns   a part of every row  a part of the rows
 *
 * A layer cut by rows gathers its input's rows first, one cut by columns scatters the sum of what
 * each rank makes (Shoeybi et al. 2019, "Megatron-LM"; with sequence parallelism: Korthikanti et
 * al. 2022). Backward it is the other way round, and the rows of x are gathered again for the
 * gradient of W, so that only a part of them has to be kept. On one rank nothing travels.
 */
#pragma once

#include "trainer/model/lora.h"

#include <stddef.h>

struct model;

enum linear_cut { LINEAR_WHOLE, LINEAR_ROWS, LINEAR_COLUMNS };

struct linear {
    size_t weight; /* offset of W */
    int in, out;   /* of what is here */
    enum linear_cut cut;
    const void *instead; /* of W in products, where that is not what is trained; NULL */
    int n_adapters;
    struct adapter adapters[LORA_OF_LINEAR];
};

/* What x is multiplied by: W, or what stands instead of it. */
const void *linear_factor(const struct model *m, const struct linear *l);

/* `kept` is of the layer's adapters here and below; NULL where it has none. */
void linear_forward(struct model *m, const struct linear *l, const struct adapters_kept *kept,
                    void *y, const void *x);

/* dx = dy W */
void linear_into_input(struct model *m, const struct linear *l, const struct adapters_kept *kept,
                       void *dx, const void *dy);

/* dW += dy^T x. Behind linear_into_input of the same dy, and before any other linear layer. */
void linear_into_weight(struct model *m, const struct linear *l, const struct adapters_kept *kept,
                        const void *dy, const void *x);

/* Both at once, where x is at hand before dx is needed: of a layer cut by rows, x is gathered
 * beside the one product and dx scattered beside the other. dx may not be x. */
void linear_backward(struct model *m, const struct linear *l, const struct adapters_kept *kept,
                     void *dx, const void *dy, const void *x);

/* All ranks' rows of x [own_rows, hidden]: x itself, or m->whole. */
const void *rows_gather(struct model *m, const void *x);

/* Where the rows [rows, hidden] are made whose sum over ranks rows_scatter leaves in y [own_rows,
 * hidden]. */
void *rows_room(struct model *m, void *y);
void rows_scatter(struct model *m, void *y);

/* The addresses of what lies at an offset of the buckets that the pass is at. */
void *weight_at(const struct model *m, size_t offset);
float *gradient_at(const struct model *m, size_t offset);
