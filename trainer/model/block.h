/*
 * block: half of a transformer's layer, written in two linear layers and a core between them.
 *
 *   sum = stream + branch;   normed = norm(sum)
 *   wide = normed Winto^T;   narrow = core(wide);   branch = narrow Wout^T
 *
 *   kind         into           core                          out
 *   attention    q, k, v        turned (or not), then attended   o
 *   ffn          gate, up       silu(gate) * up               down
 *
 * The residual stream is never written by a block directly. It leaves its result in m->branch, and
 * the next norm adds it to the stream as it reads both. Backward, the gradient of the stream,
 * m->d_stream, flows past each norm and gathers what comes out of it.
 */
#pragma once

#include "trainer/model/linear.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct model;

enum block_kind { BLOCK_ATTENTION, BLOCK_FFN, BLOCK_KINDS };

struct block {
    enum block_kind kind;
    int bucket;
    size_t norm; /* offset of its weight */
    struct linear into, out;
};

/* What the backward pass of one block needs. */
struct block_activations {
    void *sum;                 /* residual stream at the norm     [own_rows, hidden] */
    void *normed;              /* that, normed                    [own_rows, hidden] */
    float *inverse;            /* 1 / rms                         [own_rows] */
    void *wide;                /* into's result                   [rows, into.out] */
    void *narrow;              /* the core's                      [rows, out.in] */
    float *log_sum_exp;        /* attention: of the scores        [rows, heads] */
    struct adapters_kept kept; /* of into's adapters */
};

/* Of one micro-batch in one chunk. */
struct activations {
    int32_t *inputs;                  /* [rows], where the chunk embeds, counted as targets are */
    struct block_activations *blocks; /* [n_blocks] */
};

/* Gradients of a kind's activations. */
struct block_gradients {
    void *wide, *narrow;
};

/* `stream` is NULL where what is in m->branch begins it. */
void block_forward(struct model *m, const struct block *b, const struct block_activations *a,
                   const void *stream);
void block_backward(struct model *m, const struct block *b, const struct block_activations *a);

/* Before the backward passes of a layer (its attention and its ffn) of which only the first sum was
 * kept: what they read. The same rows normed again: a norm with nothing to add leaves its sum as it
 * is. */
void layer_restore(struct model *m, const struct block b[2], const struct block_activations a[2]);

/* norm(m->branch + stream), and its gradient behind m->d_branch: m->d_stream becomes past + what
 * flows out of the norm; `again` (or NULL) becomes the normed rows once more. */
struct norm_place {
    size_t weight;
    void *sum, *normed;
    float *inverse;
};
void norm_pass(struct model *m, const struct norm_place *at, const void *branch,
               const void *stream);
void norm_return(struct model *m, const struct norm_place *at, const void *past, void *again);
