/*
 * cuda: the device of trainer/device/device.h on one NVIDIA GPU.
 *
 * Everything is queued on one stream. The first failure is kept with the call that saw it; after
 * it, operations do nothing, and the next download() or synchronize() returns it (device.h).
 *
 *   device_cuda.c       opening, and the table
 *   memory.c            allocation, copies and their times
 *   staging.c           what is uploaded goes through page-locked memory
 *   product.c           matrix products, by cuBLASLt
 *   attention.c         which of the four that follow computes attention of a shape
 *   attention_cudnn.h   attention in 16 bits, where cuDNN is there
 *   attention_flash*.cu attention in 16 bits, our own
 *   triangle.cu         attention in fp32, our own
 *   attention_plain.c   attention by matrix products with whole rows of scores: every format, any
 *                       GPU, slow; what the fast ones are tested against
 *   trainer/device/cuda/kernels/kernels.h, *.cu     all the rest
 */
#pragma once

#include "base/arena.h"
#include "trainer/device/cuda/device_cuda.h"
#include "trainer/device/cuda/kernels/kernels.h"
#include "trainer/device/device.h"

#include <stdbool.h>

struct products;
struct staging;
struct attention_decision;

struct cuda {
    struct device device; /* first, so that the one is the other */
    int ordinal;
    struct cudaDeviceProp properties;
    struct launch launch; /* its stream is the one that everything goes through */
    bool tf32;            /* fp32 products may round their factors to tf32 */
    struct products *products;
    struct staging *staging;           /* NULL until something is uploaded */
    struct attention_cudnn *attention; /* NULL: cuDNN is not used */
    enum attention_choice attention_choice;
    struct attention_decision *decisions; /* of the shapes that came up */
    size_t n_decisions;
    cudaEvent_t started, stopped; /* of the timer; NULL until it is used */
    float *scores;                /* scratch of attention that is not cuDNN's */
    size_t scores_bytes;
    struct buf remarks; /* lines for whoever runs this */
    bool failed;
    struct err failure; /* the first */
};

static inline struct cuda *cuda_of(struct device *d)
{
    return (struct cuda *)d;
}

/* Keep what went wrong, unless something did before. */
void cuda_fail(struct cuda *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Keep a CUDA call's failure; true when it was none. */
bool cuda_check(struct cuda *c, cudaError_t code, const char *what);

/* The failure that was kept: -1 and a copy of it, or 0. */
int cuda_status(struct cuda *c, struct err *err);

/* Keep a sentence for device_cuda_remarks(). */
void cuda_remark(struct cuda *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* memory.c, rows of the table, and the end of the timer */
int cuda_alloc(struct device *d, void **out, size_t bytes, struct err *err);
void cuda_release(struct device *d, void *memory);
void cuda_zero(struct device *d, void *memory, size_t bytes);
void cuda_copy(struct device *d, void *to, const void *from, size_t bytes);
void cuda_upload(struct device *d, void *to, const void *host, size_t bytes);
int cuda_download(struct device *d, void *host, const void *from, size_t bytes, struct err *err);
int cuda_synchronize(struct device *d, struct err *err);
int cuda_host_alloc(struct device *d, void **out, size_t bytes, struct err *err);
void cuda_host_release(struct device *d, void *memory);
void cuda_timer_start(struct device *d);
int cuda_timer_stop(struct device *d, double *seconds, struct err *err);
void cuda_timer_close(struct cuda *c);

/* staging.c: queue a copy of host memory that may be changed when this returns. False: there are
 * too many bytes for it, or no page-locked memory. */
bool staging_upload(struct cuda *c, void *to, const void *host, size_t bytes);
void staging_close(struct cuda *c);

/* Make c->scores as large as that, unless it is; false after a failure. */
bool cuda_scores_take(struct cuda *c, size_t bytes);

/* product.c. `choices` (may be NULL): algorithms that an earlier run chose, as products_choices
 * wrote them; shapes that are not among them are timed, or take the library's first proposal
 * where `timed` is false. */
int products_open(struct cuda *c, const char *choices, bool timed, struct err *err);
void products_close(struct cuda *c);
void products_choices(const struct cuda *c, struct buf *out);
/* What choosing takes for a while, for products whose results have up to so many bytes. */
size_t products_room(const struct cuda *c, size_t largest);
void cuda_multiply(struct device *d, const struct matrix_product *p);

/* attention.c: rows of the table, and what it takes and says */
int attention_open(struct cuda *c, const struct device_cuda_options *options, struct err *err);
void attention_close(struct cuda *c);
void attention_forward_any(struct device *d, const struct attention_forward *f);
void attention_backward_any(struct device *d, const struct attention_backward *b);
int attention_workspace(struct device *d, const struct attention_shape *s, size_t product,
                        size_t *bytes, struct err *err);
size_t attention_all_bytes(struct device *d, const struct attention_shape *all,
                           const struct attention_shape *causal);
/* So many bytes of what attention took and no product reads or writes; NULL: there are none. */
void *attention_spare(struct cuda *c, size_t bytes);

/* attention_plain.c */
void attention_all(struct device *d, const struct attention_forward *f);
void attention_plain_forward(struct cuda *c, const struct attention_forward *f);
void attention_plain_backward(struct cuda *c, const struct attention_backward *b);
/* of scratch for this shape */
size_t attention_plain_bytes(const struct cuda *c, const struct attention_shape *s);
/* of the scores of one product */
size_t attention_plain_score_bytes(const struct attention_shape *s);
