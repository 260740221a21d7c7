/*
 * projector: the way of a picture's rows into a language model's stream (Liu et al. 2023, LLaVA
 * 1.5's mlp2x_gelu), and their place in it.
 *
 *   y = gelu(x W1^T + b1) W2^T + b2        x[rows, picture_width], y[rows, hidden]
 *   stream[places[row]] = y[row]
 *
 * The places' own tokens are -1, so that the embedding leaves rows of zeros there; a row without a
 * place (-1) was cut off. Backward the gradients of the stream are taken from where the rows were
 * put. What the rows come from (tower.h) is frozen: there is no dx.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct model;
struct model_shape;
struct parameter;

enum projector_tensor {
    PROJECTOR_FIRST,
    PROJECTOR_FIRST_BIAS,
    PROJECTOR_SECOND,
    PROJECTOR_SECOND_BIAS,
    PROJECTOR_TENSORS
};

/* Of the micro-batch whose passes come. */
struct pictures {
    int n;
    const void *rows;      /* [n * picture_rows, picture_width], device memory */
    const int32_t *places; /* [n * picture_rows], of the host: row of the micro-batch, or -1 */
};

struct projector {
    int bucket;                       /* -1: there is none */
    size_t tensor[PROJECTOR_TENSORS]; /* offsets */
    int32_t *places;                  /* [rows_max], as all that follows device memory */
    void *inner, *active;             /* x W1^T + b1, and gelu of it  [rows_max, hidden] */
    void *outer;                      /* y, backward its gradient     [rows_max, hidden] */
    void *d_inner;                    /*                              [rows_max, hidden] */
};

/* What is called so in files, and its shape. */
void projector_parameter(struct parameter *p, const struct model_shape *shape,
                         enum projector_tensor which);

/* Into the stream's rows; the other way, into the gradients of the bucket that has begun. */
void projector_forward(struct model *m, void *stream);
void projector_backward(struct model *m, const void *d_stream);
