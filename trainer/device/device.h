/*
 * device: the table of operations that models are trained with, and nothing about what runs them.
 *
 * trainer/model/model.c is written once over this table. device_cpu.c is the slow twin that is
 * obviously right; cuda/ is the fast one, which implements the same rows and is held to it.
 *
 * Memory. What device_alloc() returns is an address in the device's memory: the host may compute
 * with it (device_at) but never read it; upload() and download() carry bytes across. Activations
 * and weights hold elements of the device's `number` format and are passed as `void *`. Whatever
 * needs more precision than a narrow format has (statistics of a norm, losses, gradients of
 * weights, optimizer state) is fp32 and passed as `float *`; sums over many elements are `double`.
 *
 * Order. Operations are queued and take effect in the order of the calls. They return nothing:
 * a failure is kept by the device, later operations do nothing, and the next download() or
 * synchronize() returns it. Uploaded bytes may be changed as soon as upload() returns.
 *
 * Same bits. An operation gives the same bits for the same input on the same device, however busy
 * the machine is: sums have a fixed order and nothing is accumulated by atomic float additions.
 *
 * Shapes. Matrices are row-major, rows one after the other without gaps unless a leading dimension
 * says otherwise. `rows` is always batch * length: one row per token, the tokens of one sequence
 * following each other. "+=" below means that the buffer is added to, "=" that it is overwritten.
 * Output buffers do not overlap inputs unless the operation says "in place".
 */
#pragma once

#include "base/err.h"
#include "trainer/device/rng.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Format of activations and weights. */
enum number { NUMBER_FP32, NUMBER_BF16, NUMBER_FP16 };

struct device {
    const struct device_operations *operations;
    const char *name;     /* "cpu", "NVIDIA H200" */
    enum number number;   /* format of what is passed as void * */
    size_t element_bytes; /* size of one such element */
};

/*
 * C = alpha * op(A) op(B) + beta * C for `batch` independent products.
 *
 * op(A) is [m, k], op(B) is [k, n], C is [m, n]; op transposes where asked. lda, ldb and ldc are
 * the distances between rows of A, B and C as they are stored, in elements; 0 stands for "no gap".
 * Product i of the batch uses A + i * stride_a and so on; batch 0 stands for 1. With beta 0, C is
 * not read.
 */
struct matrix_product {
    bool transpose_a, transpose_b;
    int m, n, k;
    float alpha, beta;
    const void *a, *b;
    void *c;
    bool c_fp32; /* C holds fp32 whatever the device's format: gradients of weights */
    int lda, ldb, ldc;
    int batch;
    size_t stride_a, stride_b, stride_c;
};

/*
 * Root mean square norm of a sum, the step between two branches of the residual stream.
 *
 *   s = x + residual             sum[rows, width]; with residual NULL s = x, and sum may be x
 *   r = 1 / sqrt(mean(s^2) + eps)     inverse_rms[rows]
 *   y = s * r * weight           y[rows, width], weight[width]
 *
 * Zhang and Sennrich 2019, "Root Mean Square Layer Normalization".
 */
struct norm_forward {
    int rows, width;
    float eps;
    const void *x, *residual, *weight;
    void *sum, *y;
    float *inverse_rms;
};

/*
 * With g = dy * weight:  ds = d_stream + r * (g - s * r^2 * mean(g * s));
 * the gradient of both x and residual is ds. d_weight[width] += sum over rows of dy * s * r, unless
 * NULL.
 * `d_stream` is what flows past the norm along the residual stream; NULL stands for zeros.
 * ds may be d_stream (in place). `y_again`, unless NULL, becomes the forward pass's y once more, to
 * the bit; it may be dy.
 */
struct norm_backward {
    int rows, width;
    const void *sum, *weight, *dy, *d_stream;
    const float *inverse_rms;
    void *ds;
    float *d_weight;
    void *y_again;
};

/*
 * Of y = silu(g) * u (swiglu_forward, below), with d_gate_up packed like gate_up:
 *
 *   du = dy * silu(g);  dg = dy * u * sigmoid(g) * (1 + g * (1 - sigmoid(g)))
 *
 * `y_again`, unless NULL, becomes the forward pass's y once more, to the bit; it may be dy.
 */
struct swiglu_backward {
    int rows, width;
    const void *gate_up, *dy;
    void *d_gate_up, *y_again;
};

/*
 * Attention operates on a packed row per token: heads query vectors, then kv_heads key vectors,
 * then kv_heads value vectors, each of head_width elements. Rows are batch * length.
 */
struct attention_shape {
    int batch, length, heads, kv_heads, head_width;
    const float *slopes; /* of the heads, device memory; NULL: a key's distance does not count */
};

static inline bool attention_shape_same(const struct attention_shape *a,
                                        const struct attention_shape *b)
{
    return a->batch == b->batch && a->length == b->length && a->heads == b->heads &&
           a->kv_heads == b->kv_heads && a->head_width == b->head_width && !a->slopes == !b->slopes;
}

/*
 * Rotary position embedding, in place on the query and key vectors of qkv (values are untouched).
 * The rotate-half convention of Hugging Face's Llama: elements i and i + w/2 of a head of width w
 * turn by the angle  position * theta^(-2i/w):
 *
 *   (a, b) -> (a cos - b sin, b cos + a sin)
 *
 * cosine and sine are fp32 [length, w/2]; position is the row's place in its sequence. The
 * backward pass is the rotation by the opposite angle. Su et al. 2021, "RoFormer".
 */
struct rotation {
    struct attention_shape shape;
    const float *cosine, *sine;
    void *qkv;
};

/*
 * Causal attention with grouped queries: query head h reads key and value head
 * h / (heads / kv_heads); kv_heads == heads is multi-head attention, 1 is multi-query.
 *
 *   s[i, j] = q_i . k_j / sqrt(head_width) + slope * (j - i)   for j <= i
 *   p[i, j] = exp(s[i, j] - log_sum_exp[i])
 *   y_i     = sum over j <= i of p[i, j] v_j
 *
 * Slopes are fp32 [heads]; without them there is no such term (Press et al. 2022, "ALiBi"). y is
 * [rows, heads * head_width]; log_sum_exp is fp32 [batch, heads, length], all that the backward
 * pass needs beside qkv and y: p is computed again there and never stored whole. Ainslie et al.
 * 2023, "GQA"; Dao 2023, "FlashAttention-2".
 */
struct attention_forward {
    struct attention_shape shape;
    const void *qkv;
    void *y;
    float *log_sum_exp;
};

/*
 * dp[i, j] = dy_i . v_j;  ds = p * (dp - dy_i . y_i);  then
 * dq_i = sum_j ds k_j / sqrt(w),  dk_j = sum_i ds q_i / sqrt(w),  dv_j = sum_i p dy_i,
 * the sums for k and v also running over the query heads that share them. d_qkv (packed like qkv)
 * is overwritten.
 */
struct attention_backward {
    struct attention_shape shape;
    const void *qkv, *y, *dy;
    const float *log_sum_exp;
    void *d_qkv;
};

/*
 * Layer normalization of a sum (Ba, Kiros and Hinton 2016), forward only: those who use it are
 * frozen. s = x + residual as norm_forward has it, with residual NULL s = x, and sum may be x;
 *
 *   y = (s - mean(s)) / sqrt(mean((s - mean(s))^2) + eps) * weight + bias
 */
struct layer_norm {
    int rows, width;
    float eps;
    const void *x, *residual, *weight, *bias;
    void *sum, *y;
};

/*
 * A bias and what follows it:  x += bias (in place);  y = f(x), and y may be x.
 * Backward, with x as the forward pass left it (not read where f(x) = x):
 *
 *   dx = dy * f'(x), and dx may be dy;   d_bias[width] += sum over rows of dx
 *
 *   none         x
 *   gelu         x * Phi(x) with Phi(x) = (1 + erf(x / sqrt(2))) / 2   (Hendrycks and Gimpel 2016)
 *   quick_gelu   x / (1 + exp(-1.702 x))                               (CLIP's)
 */
enum activation { ACTIVATION_NONE, ACTIVATION_GELU, ACTIVATION_QUICK_GELU };

struct bias_forward {
    int rows, width;
    enum activation activation;
    const void *bias;
    void *x, *y;
};

struct bias_backward {
    int rows, width;
    enum activation activation;
    const void *x, *dy;
    void *dx;
    float *d_bias;
};

/*
 * The patches of square pictures as rows, from left to right, then from top to bottom:
 *
 *   rows[picture, patch, (channel * size + y) * size + x] = scale[channel] * pixel + shift[channel]
 *
 * pixels are bytes [pictures, side, side, 3] in device memory, side is a multiple of size.
 */
struct patch_rows {
    int pictures, side, size;
    const uint8_t *pixels;
    float scale[3], shift[3];
    void *rows;
};

/* A row in front of those of each picture, and all of them moved by their places:
 * y[picture, 0] = first + places[0];  y[picture, 1 + i] = x[picture, i] + places[1 + i];
 * x[pictures * patches, width], y[pictures * (1 + patches), width]. */
struct placed_rows {
    int pictures, patches, width;
    const void *x, *first, *places;
    void *y;
};

/* A finalizer of splitmix64 (Steele et al. 2014): every bit of x counts in every bit of the result.
 */
static inline uint64_t device_mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/*
 * Thin products of adapters: between wide rows x[rows, width] and thin ones [rows, r], with
 * w[r, width], or w[width, r] where it lies `across`. Of x, dropout keeps some:
 *
 *   thin_down       thin = scale * kept(x) w^T
 *   thin_up         x += scale * kept(thin w)
 *   thin_gradient   gradient = scale * thin^T kept(x), added to it unless `fresh`; as w lies, fp32
 *
 * What is kept is divided by `keep`, the rest is 0. thin_down draws it by counters, element
 * (row, column) is kept where
 *
 *   mix(key ^ ((first_row + row) * width + column)) >> 40 < keep * 2^24
 *
 * and writes it down for the others: bits[rows, thin_bits_bytes(width)], bit column % 8 of byte
 * column / 8. Without bits, all is kept. Each function takes up to THIN_MAX of the same rows and r;
 * those that go up to the same x come one after the other.
 */
#define THIN_MAX 3

struct thin {
    int rows, width, r;
    int ld; /* between rows of x; 0: no gap */
    bool across, fresh;
    float scale, keep;
    uint64_t key, first_row;
    uint8_t *bits;
    void *x; /* written by thin_up alone */
    const void *w;
    void *thin;
    float *gradient;
};

#define thin_bits_bytes(width) (((size_t)(width) + 7) / 8)

/*
 * Rows of length 1, which stand in for a matrix where only its rows' directions count:
 *
 *   inverse[row] = 1 / max(|w[row]|, 1e-12);   unit[row] = w[row] * inverse[row]
 *
 * w and unit are [rows, width]. Backward, in place on fp32 gradients [rows, width] of unit:
 * gradient[row] = inverse[row] * (gradient[row] - unit[row] * (unit[row] . gradient[row])).
 */
struct unit_rows {
    int rows, width;
    const void *w;
    void *unit;
    float *inverse;
};

/*
 * Cross-entropy of softmax(logits) against one target per row, forward and backward in one pass:
 *
 *   losses[row]       = log(sum_j exp(logits[row, j])) - logits[row, target]      (nats)
 *   logits[row, j]    = scale * (softmax(logits[row])[j] - (j == target))         (in place)
 *
 * scale is the weight of one row in the loss that is differentiated: 1 / (tokens of a whole step).
 * Targets lie in [0, vocabulary), or are TARGET_NONE: such a row has loss 0 and gradients 0.
 * Whoever reads the data has checked that.
 */
#define TARGET_NONE (-2)

struct cross_entropy {
    int rows, vocabulary;
    float scale;
    void *logits;
    const int32_t *targets;
    float *losses;
};

/*
 * The same where the columns of the logits are divided among ranks: `of` is this rank's part of
 * them, with targets counted from its first column and -1 for those on other ranks.
 *
 *   entropy_tops        tops[row] = the largest of the row's logits that are here
 *   entropy_sums        sums[row] = sum of exp(logit - tops[row]) over those that are here,
 *                       sums[rows + row] = the target's logit - tops[row], or 0
 *   entropy_gradients   losses and, in place, gradients as above
 *
 * Between the first two, tops become the largest over ranks; between the last two, sums the sum
 * over ranks (Shoeybi et al. 2019, "Megatron-LM", section 3).
 */
struct divided_entropy {
    struct cross_entropy of;
    float *tops, *sums; /* [rows], [2 * rows] */
};

/*
 * One AdamW step (Loshchilov and Hutter 2019) on n weights, with g = gradient * gradient_scale:
 *
 *   m = beta1 * m + (1 - beta1) * g          v = beta2 * v + (1 - beta2) * g^2
 *   w = w - lr * (decay * w + (m / correction1) / (sqrt(v / correction2) + eps))
 *
 * correction1 = 1 - beta1^t and correction2 = 1 - beta2^t with t counted from 1. `master` is fp32
 * and is what w means; `weight` receives it in the device's format. On an fp32 device they are
 * the same address.
 */
struct adamw_step {
    size_t n;
    void *weight;
    float *master, *m, *v;
    const float *gradient;
    float gradient_scale, lr, eps, decay, correction1, correction2;
    double beta1, beta2; /* double, because 1 - beta2 is taken before it is rounded to fp32 */
};

struct device_operations {
    void (*close)(struct device *);

    /* Zeroed memory, aligned to 256 bytes; ERR_IO with the size when there is not enough. */
    int (*alloc)(struct device *, void **out, size_t bytes, struct err *);
    void (*release)(struct device *, void *memory); /* NULL is allowed */
    void (*zero)(struct device *, void *memory, size_t bytes);
    void (*copy)(struct device *, void *to, const void *from, size_t bytes); /* on the device */
    void (*upload)(struct device *, void *to, const void *host, size_t bytes);
    int (*download)(struct device *, void *host, const void *from, size_t bytes, struct err *);
    int (*synchronize)(struct device *, struct err *); /* all that was queued is done */

    /* Memory of the host that the device copies from and to without a detour (page-locked); what
     * is uploaded from there may be changed only after synchronize(). NULL: the device's memory is
     * the host's. */
    int (*host_alloc)(struct device *, void **out, size_t bytes, struct err *);
    void (*host_release)(struct device *, void *memory); /* NULL is allowed */

    /* By the device's own clock: from when all that was queued before the start is done until all
     * that was queued before the stop is. */
    void (*timer_start)(struct device *);
    int (*timer_stop)(struct device *, double *seconds, struct err *);

    /* How much could be allocated at this moment (on the processor: what the system says is
     * available to programs). */
    int (*free_bytes)(struct device *, size_t *bytes, struct err *);
    /* What the device will take for itself when attention of this shape comes up, and products
     * whose results have up to `product` bytes, for which it may try algorithms; nothing is taken
     * by asking. */
    int (*workspace_bytes)(struct device *, const struct attention_shape *, size_t product,
                           size_t *bytes, struct err *);
    /* What attend_all of a shape takes beyond that, where it is used beside causal attention. */
    size_t (*attend_all_bytes)(struct device *, const struct attention_shape *all,
                               const struct attention_shape *causal);

    void (*multiply)(struct device *, const struct matrix_product *);

    /* y[row] = table[tokens[row]];  y[rows, width], table[vocabulary, width]. A token of -1 is on
     * another rank: its row becomes 0, and adds nothing backward. */
    void (*embed_forward)(struct device *, void *y, const int32_t *tokens, const void *table,
                          int rows, int width);
    /* d_table[tokens[row]] += dy[row], rows in ascending order */
    void (*embed_backward)(struct device *, float *d_table, const int32_t *tokens, const void *dy,
                           int rows, int width);

    /* y[places[row]] = x[row] for rows whose place is not -1; no place is there twice */
    void (*put_rows)(struct device *, void *y, const void *x, const int32_t *places, int rows,
                     int width);

    void (*norm_forward)(struct device *, const struct norm_forward *);
    void (*norm_backward)(struct device *, const struct norm_backward *);
    void (*rotate_forward)(struct device *, const struct rotation *);
    void (*rotate_backward)(struct device *, const struct rotation *);
    void (*attend_forward)(struct device *, const struct attention_forward *);
    void (*attend_backward)(struct device *, const struct attention_backward *);
    /* The same where each row sees its whole sequence, j > i too: without slopes, and log_sum_exp
     * is left alone. Forward only: those who use it are frozen. */
    void (*attend_all)(struct device *, const struct attention_forward *);

    /* gate_up[rows, 2 * width]: gate g in the first half of a row, up u in the second.
     * y = silu(g) * u with silu(g) = g / (1 + exp(-g));  y[rows, width]. Shazeer 2020. */
    void (*swiglu_forward)(struct device *, void *y, const void *gate_up, int rows, int width);
    void (*swiglu_backward)(struct device *, const struct swiglu_backward *);

    void (*layer_norm)(struct device *, const struct layer_norm *);
    void (*bias_forward)(struct device *, const struct bias_forward *);
    void (*bias_backward)(struct device *, const struct bias_backward *);
    void (*patch_rows)(struct device *, const struct patch_rows *);
    void (*placed_rows)(struct device *, const struct placed_rows *);

    void (*thin_down)(struct device *, const struct thin *, int n);
    void (*thin_up)(struct device *, const struct thin *, int n);
    void (*thin_gradient)(struct device *, const struct thin *, int n);
    void (*unit_rows)(struct device *, const struct unit_rows *);
    void (*unit_rows_backward)(struct device *, const struct unit_rows *, float *gradient);

    void (*cross_entropy)(struct device *, const struct cross_entropy *);
    void (*entropy_tops)(struct device *, const struct divided_entropy *);
    void (*entropy_sums)(struct device *, const struct divided_entropy *);
    void (*entropy_gradients)(struct device *, const struct divided_entropy *);

    /* out[i] = std * the bell number i of the sequence that begins at `start` (rng.h): the same
     * bits on every device */
    void (*draw)(struct device *, float *out, size_t n, float std, const struct rng *start);
    /* to[i] = from[i], rounded to the device's format (to the nearest, ties to even) */
    void (*narrow)(struct device *, void *to, const float *from, size_t n);

    /* to[i] = a[i] + b[i], all in the device's format */
    void (*add_rows)(struct device *, void *to, const void *a, const void *b, size_t n);

    /* to[i] += x[i] */
    void (*add)(struct device *, float *to, const float *x, size_t n);
    void (*adamw)(struct device *, const struct adamw_step *);

    /* *total += sum of x[0 … n), *total in device memory */
    void (*add_sum)(struct device *, double *total, const float *x, size_t n);
    /* *total += sum of x[0 … n)^2 */
    void (*add_sum_of_squares)(struct device *, double *total, const float *x, size_t n);
};

/* The device that is always there: fp32, one core. *out is the caller's; device_close() ends it. */
int device_cpu_open(struct device **out, struct err *err);

/* Name, version and kernel of the BLAS that the processor's device uses; NULL: it cannot be loaded.
 */
const char *device_cpu_blas(struct err *err);

static inline void device_close(struct device *d)
{
    d->operations->close(d);
}

/* The address of element `index` of an array in the device's number format. */
static inline void *device_at(const struct device *d, const void *base, size_t index)
{
    return (char *)(uintptr_t)base + index * d->element_bytes;
}
