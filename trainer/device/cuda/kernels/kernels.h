/*
 * kernels: what runs on the GPU, callable from C.
 *
 * One function per operation of trainer/device/device.h that is no matrix product; shapes, formulas
 * and formats are documented there. Each queues its work on a stream and returns; a launch that
 * failed shows in cudaPeekAtLastError(). Activations and weights are in `number`, computed in fp32.
 *
 * Same bits. Every sum has an order that depends on shapes and on the GPU's number of
 * multiprocessors only: partial sums go to `scratch` and are added up in order by a second kernel.
 * There are no float atomics.
 *
 * Memory. Rows are read and written in packs of 16 bytes where width and addresses allow it.
 */
#pragma once

#include "trainer/device/device.h"

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

struct launch {
    cudaStream_t stream;
    enum number number;
    int multiprocessors;
    void *scratch; /* KERNEL_SCRATCH bytes, free to use until the kernel is done */
};

#define KERNEL_SCRATCH ((size_t)64 << 20)

/* Of the key heads of all sequences, those that are computed together where one needs `one` bytes
 * and there are `most`: in as few parts as can be, all of them about as large. */
static inline int key_heads_at_once(const struct attention_shape *s, size_t one, size_t most)
{
    size_t all = (size_t)s->batch * s->kv_heads, fit = most / one;
    size_t parts = fit < 1 ? all : (all + fit - 1) / fit;
    return (int)((all + parts - 1) / parts);
}

/* norm.cu */
void kernel_norm_forward(const struct launch *, const struct norm_forward *);
void kernel_norm_backward(const struct launch *, const struct norm_backward *);

/* attention_parts.cu: direction is +1 or -1 */
void kernel_rotate(const struct launch *, const struct rotation *, float direction);
/* p[rows, length] = softmax of scores (fp32) over columns 0 … row % length, 0 behind;
 * log_sum_exp[rows]; slopes[rows / length], or NULL */
void kernel_softmax_causal(const struct launch *, void *p, float *log_sum_exp, const float *scores,
                           const float *slopes, int rows, int length);
/* From scores and dp (fp32): p and ds, both in `number`; delta[rows] = dy . y */
void kernel_softmax_backward(const struct launch *, void *p, void *ds, const float *scores,
                             const float *dp, const float *log_sum_exp, const float *delta,
                             const float *slopes, float scale, int rows, int length);
/* delta[batch, heads, length] = sum over a head of dy * y */
void kernel_row_dots(const struct launch *, float *delta, const struct attention_shape *,
                     const void *dy, const void *y);

/* attention_flash.cu and attention_flash_backward.cu: only shapes that fit; backward needs
 * batch * heads * length floats of scratch, and kernel_flash_bytes() of memory for ds */
bool kernel_flash_fits(enum number, const struct attention_shape *);
size_t kernel_flash_bytes(const struct attention_shape *);
void kernel_flash_forward(const struct launch *, const struct attention_forward *);
void kernel_flash_backward(const struct launch *, const struct attention_backward *, void *ds);

/* triangle.cu: fp32, only shapes that fit; both need kernel_triangle_bytes() for scores, and
 * backward batch * heads * length floats of scratch */
bool kernel_triangle_fits(const struct attention_shape *);
size_t kernel_triangle_bytes(const struct attention_shape *);
void kernel_triangle_forward(const struct launch *, const struct attention_forward *,
                             float *scores);
void kernel_triangle_backward(const struct launch *, const struct attention_backward *,
                              float *scores);

/* pictures.cu: p[rows, length] = softmax of scores (fp32) over all columns */
void kernel_put_rows(const struct launch *, void *y, const void *x, const int32_t *places, int rows,
                     int width);
void kernel_placed_rows(const struct launch *, const struct placed_rows *);
void kernel_patch_rows(const struct launch *, const struct patch_rows *);
void kernel_layer_norm(const struct launch *, const struct layer_norm *);
void kernel_bias_forward(const struct launch *, const struct bias_forward *);
void kernel_bias_backward(const struct launch *, const struct bias_backward *);
void kernel_softmax_all(const struct launch *, void *p, const float *scores, int rows, int length);

/* pointwise.cu */
void kernel_swiglu_forward(const struct launch *, void *y, const void *gate_up, int rows,
                           int width);
void kernel_swiglu_backward(const struct launch *, const struct swiglu_backward *);
void kernel_narrow(const struct launch *, void *to, const float *from, size_t n);
void kernel_add_rows(const struct launch *, void *to, const void *a, const void *b, size_t n);
void kernel_add(const struct launch *, float *to, const float *x, size_t n);
void kernel_adamw(const struct launch *, const struct adamw_step *);

/* thin.cu */
void kernel_thin_down(const struct launch *, const struct thin *, int n);
void kernel_thin_up(const struct launch *, const struct thin *, int n);
void kernel_thin_gradient(const struct launch *, const struct thin *, int n);

/* embed.cu: backward only for so many rows as fit */
bool kernel_embed_fits(int rows);
void kernel_embed_forward(const struct launch *, void *y, const int32_t *tokens, const void *table,
                          int rows, int width);
void kernel_embed_backward(const struct launch *, float *d_table, const int32_t *tokens,
                           const void *dy, int rows, int width);

/* loss.cu */
void kernel_unit_rows(const struct launch *, const struct unit_rows *);
void kernel_unit_rows_backward(const struct launch *, const struct unit_rows *, float *gradient);
void kernel_cross_entropy(const struct launch *, const struct cross_entropy *);
void kernel_entropy_tops(const struct launch *, const struct divided_entropy *);
void kernel_entropy_sums(const struct launch *, const struct divided_entropy *);
void kernel_entropy_gradients(const struct launch *, const struct divided_entropy *);

/* sums.cu */
void kernel_add_sum(const struct launch *, double *total, const float *x, size_t n);
void kernel_add_sum_of_squares(const struct launch *, double *total, const float *x, size_t n);

/* draw.cu: `starts` on the host, one per KERNEL_DRAW_PART elements of out; at most
 * KERNEL_SCRATCH / sizeof(struct rng) of them */
#define KERNEL_DRAW_PART 4096
void kernel_draw(const struct launch *, float *out, size_t n, float std, const struct rng *starts);

#ifdef __cplusplus
}
#endif
