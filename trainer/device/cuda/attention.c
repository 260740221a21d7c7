/*
 * Attention by the first of its kinds that can. What a shape is computed by is decided when it
 * comes up first, and stays so: asking cuDNN takes 0.1 s, and one training has the same bits
 * throughout.
 */
#include "base/arena.h"
#include "trainer/device/cuda/attention_cudnn.h"
#include "trainer/device/cuda/cuda.h"

#include <stdlib.h>

struct attention_kind {
    enum attention_choice choice;
    bool (*fits)(struct cuda *, const struct attention_shape *);
    void (*forward)(struct cuda *, const struct attention_forward *);
    void (*backward)(struct cuda *, const struct attention_backward *);
    /* With room to try a product's algorithms in: within cuDNN's workspace, beside ours. */
    int (*bytes)(struct cuda *, const struct attention_shape *, size_t product, size_t *,
                 struct err *);
    void (*text)(struct cuda *, const struct attention_shape *, struct buf *);
};

struct attention_decision {
    struct attention_shape shape;
    const struct attention_kind *kind;
};

/* ---- cuDNN's -------------------------------------------------------------------------------- */

/* It has no engine for some shapes. Who asked for cuDNN itself hears so as a failure, when the
 * shape is run; all others have kinds that follow. */
static bool cudnn_fits(struct cuda *c, const struct attention_shape *s)
{
    struct attention_cudnn_plans plans;
    struct err err = ERR_INIT;
    if (!c->attention || s->head_width % 8 != 0) /* 16 bytes of a head at once */
        return false;
    if (c->attention_choice == ATTENTION_CUDNN ||
        attention_cudnn_plans(c->attention, s, &plans, &err) == 0)
        return true;
    cuda_remark(c, "attention is not computed by cuDNN: %s", err.text);
    return false;
}

/* Plans are made when a shape comes up first. */
static void cudnn_forward(struct cuda *c, const struct attention_forward *f)
{
    struct err err = ERR_INIT;
    if (attention_cudnn_prepare(c->attention, &f->shape, &err) < 0 ||
        attention_cudnn_forward(c->attention, f, &err) < 0)
        cuda_fail(c, "attention: %s", err.text);
}

static void cudnn_backward(struct cuda *c, const struct attention_backward *b)
{
    struct err err = ERR_INIT;
    if (attention_cudnn_prepare(c->attention, &b->shape, &err) < 0 ||
        attention_cudnn_backward(c->attention, b, &err) < 0)
        cuda_fail(c, "attention backward: %s", err.text);
}

static int cudnn_bytes(struct cuda *c, const struct attention_shape *s, size_t product,
                       size_t *bytes, struct err *err)
{
    struct attention_cudnn_plans plans;
    if (attention_cudnn_plans(c->attention, s, &plans, err) < 0)
        return -1;
    size_t room = products_room(c, product);
    *bytes = plans.workspace > room ? plans.workspace : room;
    return 0;
}

static void cudnn_text(struct cuda *c, const struct attention_shape *s, struct buf *out)
{
    struct attention_cudnn_plans plans;
    struct err err = ERR_INIT;
    if (attention_cudnn_plans(c->attention, s, &plans, &err) < 0)
        buf_str(out, "cuDNN");
    else
        buf_printf(out, "cuDNN; forward: %s; backward, in %d parts: %s", plans.forward,
                   plans.backward_parts, plans.backward);
}

/* ---- our own, fused ------------------------------------------------------------------------- */

static bool flash_fits(struct cuda *c, const struct attention_shape *s)
{
    return kernel_flash_fits(c->device.number, s);
}

static void flash_forward(struct cuda *c, const struct attention_forward *f)
{
    kernel_flash_forward(&c->launch, f);
    cuda_check(c, cudaPeekAtLastError(), "kernel_flash_forward");
}

static void flash_backward(struct cuda *c, const struct attention_backward *b)
{
    if (!cuda_scores_take(c, kernel_flash_bytes(&b->shape)))
        return;
    kernel_flash_backward(&c->launch, b, c->scores);
    cuda_check(c, cudaPeekAtLastError(), "kernel_flash_backward");
}

static int flash_bytes(struct cuda *c, const struct attention_shape *s, size_t product,
                       size_t *bytes, struct err *err)
{
    (void)err;
    *bytes = kernel_flash_bytes(s) + products_room(c, product);
    return 0;
}

static void flash_text(struct cuda *c, const struct attention_shape *s, struct buf *out)
{
    (void)c, (void)s;
    buf_str(out, "fpreport's fused kernels");
}

/* ---- tiles of scores, in fp32 ------------------------------------------------------------------
 */

static bool triangle_fits(struct cuda *c, const struct attention_shape *s)
{
    return c->device.number == NUMBER_FP32 && !c->tf32 && kernel_triangle_fits(s);
}

static void triangle_forward(struct cuda *c, const struct attention_forward *f)
{
    if (!cuda_scores_take(c, kernel_triangle_bytes(&f->shape)))
        return;
    kernel_triangle_forward(&c->launch, f, c->scores);
    cuda_check(c, cudaPeekAtLastError(), "kernel_triangle_forward");
}

static void triangle_backward(struct cuda *c, const struct attention_backward *b)
{
    if (!cuda_scores_take(c, kernel_triangle_bytes(&b->shape)))
        return;
    kernel_triangle_backward(&c->launch, b, c->scores);
    cuda_check(c, cudaPeekAtLastError(), "kernel_triangle_backward");
}

static int triangle_bytes(struct cuda *c, const struct attention_shape *s, size_t product,
                          size_t *bytes, struct err *err)
{
    (void)err;
    *bytes = kernel_triangle_bytes(s) + products_room(c, product);
    return 0;
}

static void triangle_text(struct cuda *c, const struct attention_shape *s, struct buf *out)
{
    (void)c, (void)s;
    buf_str(out, "fpreport's kernels, by tiles of scores");
}

/* ---- whole rows of scores ------------------------------------------------------------------- */

static bool plain_fits(struct cuda *c, const struct attention_shape *s)
{
    (void)c, (void)s;
    return true;
}

static int plain_bytes(struct cuda *c, const struct attention_shape *s, size_t product,
                       size_t *bytes, struct err *err)
{
    size_t scores = attention_plain_score_bytes(s);
    (void)err;
    *bytes = attention_plain_bytes(c, s) + products_room(c, scores > product ? scores : product);
    return 0;
}

static void plain_text(struct cuda *c, const struct attention_shape *s, struct buf *out)
{
    (void)c, (void)s;
    buf_str(out, "cuBLASLt, by whole rows of scores");
}

/* ---- the choice ----------------------------------------------------------------------------- */

static const struct attention_kind kinds[] = {
    {ATTENTION_CUDNN, cudnn_fits, cudnn_forward, cudnn_backward, cudnn_bytes, cudnn_text},
    {ATTENTION_FLASH, flash_fits, flash_forward, flash_backward, flash_bytes, flash_text},
    {ATTENTION_TRIANGLE, triangle_fits, triangle_forward, triangle_backward, triangle_bytes,
     triangle_text},
    {ATTENTION_PLAIN, plain_fits, attention_plain_forward, attention_plain_backward, plain_bytes,
     plain_text},
};

/* The last kind takes what is left over. */
static const struct attention_kind *decide(struct cuda *c, const struct attention_shape *s)
{
    const struct attention_kind *k = kinds;
    bool any = c->attention_choice == ATTENTION_BEST;
    while (k->choice != ATTENTION_PLAIN &&
           !((any || c->attention_choice == k->choice) && k->fits(c, s)))
        k++;
    return k;
}

static const struct attention_kind *kind_for(struct cuda *c, const struct attention_shape *s)
{
    for (size_t i = 0; i < c->n_decisions; i++)
        if (attention_shape_same(&c->decisions[i].shape, s))
            return c->decisions[i].kind;
    const struct attention_decision d = {*s, decide(c, s)};
    c->decisions = memory_grow(c->decisions, (c->n_decisions + 1) * sizeof d);
    c->decisions[c->n_decisions++] = d;
    return d.kind;
}

void attention_forward_any(struct device *d, const struct attention_forward *f)
{
    struct cuda *c = cuda_of(d);
    if (!c->failed)
        kind_for(c, &f->shape)->forward(c, f);
}

void attention_backward_any(struct device *d, const struct attention_backward *b)
{
    struct cuda *c = cuda_of(d);
    if (!c->failed)
        kind_for(c, &b->shape)->backward(c, b);
}

int attention_workspace(struct device *d, const struct attention_shape *s, size_t product,
                        size_t *bytes, struct err *err)
{
    struct cuda *c = cuda_of(d);
    return kind_for(c, s)->bytes(c, s, product, bytes, err);
}

/* Our own kinds of causal attention use the same scratch, one after the other; cuDNN has its own.
 */
size_t attention_all_bytes(struct device *d, const struct attention_shape *all,
                           const struct attention_shape *causal)
{
    struct cuda *c = cuda_of(d);
    enum attention_choice choice = kind_for(c, causal)->choice;
    size_t more = attention_plain_bytes(c, all);
    size_t there = choice == ATTENTION_PLAIN      ? attention_plain_bytes(c, causal)
                   : choice == ATTENTION_TRIANGLE ? kernel_triangle_bytes(causal)
                   : choice == ATTENTION_FLASH    ? kernel_flash_bytes(causal)
                                                  : 0;
    return more > there ? more - there : 0;
}

/* cuDNN leaves nothing in its workspace for a later call, and everything is on one stream. */
void *attention_spare(struct cuda *c, size_t bytes)
{
    return c->attention ? attention_cudnn_workspace(c->attention, bytes) : NULL;
}

void device_cuda_attention(struct device *d, const struct attention_shape *s, struct buf *out)
{
    struct cuda *c = cuda_of(d);
    kind_for(c, s)->text(c, s, out);
}

/* ---- birth and death ------------------------------------------------------------------------ */

/* The part of the GPU's memory that cuDNN's ds may take at a time: 4.4 GiB of an H200's 140. */
#define CUDNN_PART 32

/* A cuDNN that is not there is an error only for who asked for it. */
int attention_open(struct cuda *c, const struct device_cuda_options *options, struct err *err)
{
    struct err missing = ERR_INIT;
    bool wanted = options->attention == ATTENTION_BEST || options->attention == ATTENTION_CUDNN;
    c->attention_choice = options->attention;
    if (options->number == NUMBER_FP32 || !wanted)
        return 0;
    if (attention_cudnn_open(&c->attention, c->launch.stream, options->number, &missing) == 0) {
        attention_cudnn_limit(c->attention, c->properties.totalGlobalMem / CUDNN_PART);
        return 0;
    }
    c->attention = NULL;
    if (options->attention == ATTENTION_CUDNN)
        return err_set(err, missing.kind, "%s", missing.text);
    cuda_remark(c, "attention is not computed by cuDNN: %s", missing.text);
    return 0;
}

void attention_close(struct cuda *c)
{
    attention_cudnn_close(c->attention);
    free(c->decisions);
}
