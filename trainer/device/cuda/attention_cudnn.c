#include "trainer/device/cuda/attention_cudnn.h"

#include "base/arena.h"
#include "trainer/device/cuda/attention_cudnn_graph.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#define WORKSPACE_ALIGNMENT 256
#define PART_DEFAULT ((size_t)2 << 30)

struct prepared {
    struct attention_shape shape;
    struct attention_part part; /* of the backward pass */
    struct cudnn_plan *forward, *backward;
    size_t delta; /* bytes in front of the backward plan's workspace */
};

struct attention_cudnn {
    struct cudnn cudnn;
    cudnnDataType_t type;     /* of activations */
    size_t part_max;          /* bytes of ds in one part of the backward pass */
    struct prepared **shapes; /* each in a place of its own: texts of plans stay where they are */
    size_t n_shapes;
    void *workspace;
    size_t workspace_bytes;
};

static int new_plan(const struct attention_cudnn *a, struct cudnn_plan **out,
                    enum attention_pass pass, const struct attention_shape *s,
                    const struct attention_part *part, struct err *err)
{
    struct attention_graph g;
    attention_graph(&g, pass, s, part, a->type);
    if (cudnn_plan_new(out, &a->cudnn, &g.graph, err) == 0)
        return 0;
    return err_prefix(err, "attention %s, %d x %d tokens, %d:%d heads of %d",
                      attention_pass_name(pass), s->batch, s->length, s->heads, s->kv_heads,
                      s->head_width);
}

static size_t aligned(size_t bytes)
{
    return (bytes + WORKSPACE_ALIGNMENT - 1) / WORKSPACE_ALIGNMENT * WORKSPACE_ALIGNMENT;
}

/* The largest divisor of n that is at most `limit`, and at least 1. */
static int divisor(int n, size_t limit)
{
    int d = n;
    while (d > 1 && ((size_t)d > limit || n % d != 0))
        d--;
    return d;
}

/* As many whole sequences as fit, else as many key heads of one. */
static struct attention_part choose_part(const struct attention_shape *s, size_t part_max)
{
    const int group = s->heads / s->kv_heads;
    const size_t one = 2 * (size_t)group * (size_t)s->length * (size_t)s->length;
    const size_t fit = part_max / one; /* key heads */
    struct attention_part p = {.batch = divisor(s->batch, fit / (size_t)s->kv_heads),
                               .kv_heads = divisor(s->kv_heads, fit)};
    p.heads = p.kv_heads * group;
    return p;
}

static const struct prepared *find_prepared_shape(const struct attention_cudnn *a,
                                                  const struct attention_shape *shape)
{
    for (size_t i = 0; i < a->n_shapes; i++) {
        if (attention_shape_same(&a->shapes[i]->shape, shape))
            return a->shapes[i];
    }
    return NULL;
}

static void free_prepared(struct prepared *p)
{
    cudnn_plan_free(p->forward);
    cudnn_plan_free(p->backward);
    free(p);
}

static int check_shape(const struct attention_shape *s, struct err *err)
{
    if (s->batch > 0 && s->length > 0 && s->kv_heads > 0 && s->heads > 0 &&
        s->heads % s->kv_heads == 0 && s->head_width > 0 && s->head_width % 8 == 0)
        return 0;
    return err_set(err, ERR_USAGE,
                   "attention of %d x %d tokens, %d:%d heads of %d: expected heads that are a "
                   "multiple of the key heads, and a width that is one of 8",
                   s->batch, s->length, s->heads, s->kv_heads, s->head_width);
}

static int make_plans(struct attention_cudnn *a, const struct attention_shape *s, struct err *err)
{
    if (check_shape(s, err) != 0)
        return -1;
    const struct attention_part whole = {s->batch, s->heads, s->kv_heads};
    struct prepared *p = memory_alloc(sizeof *p);
    *p = (struct prepared){.shape = *s, .part = choose_part(s, a->part_max)};
    p->delta =
        aligned(sizeof(float) * (size_t)p->part.batch * (size_t)s->heads * (size_t)s->length);
    if (new_plan(a, &p->forward, PASS_FORWARD, s, &whole, err) != 0 ||
        new_plan(a, &p->backward, s->heads == s->kv_heads ? PASS_BACKWARD : PASS_BACKWARD_GROUPED,
                 s, &p->part, err) != 0) {
        free_prepared(p);
        return -1;
    }
    a->shapes = memory_grow(a->shapes, (a->n_shapes + 1) * sizeof *a->shapes);
    a->shapes[a->n_shapes++] = p;
    return 0;
}

static size_t workspace_of(const struct prepared *p)
{
    size_t forward = cudnn_plan_workspace(p->forward);
    size_t backward = p->delta + cudnn_plan_workspace(p->backward);
    return aligned(forward > backward ? forward : backward);
}

int attention_cudnn_plans(struct attention_cudnn *a, const struct attention_shape *shape,
                          struct attention_cudnn_plans *out, struct err *err)
{
    const struct prepared *p = find_prepared_shape(a, shape);
    if (!p && make_plans(a, shape, err) != 0)
        return -1;
    p = find_prepared_shape(a, shape);
    *out = (struct attention_cudnn_plans){
        .forward = cudnn_plan_text(p->forward),
        .backward = cudnn_plan_text(p->backward),
        .backward_parts = shape->batch / p->part.batch * (shape->kv_heads / p->part.kv_heads),
        .workspace = workspace_of(p),
    };
    return 0;
}

int attention_cudnn_prepare(struct attention_cudnn *a, const struct attention_shape *shape,
                            struct err *err)
{
    struct attention_cudnn_plans plans;
    if (attention_cudnn_plans(a, shape, &plans, err) != 0)
        return -1;
    if (plans.workspace <= a->workspace_bytes)
        return 0;
    cudaFree(a->workspace); /* waits for what still uses it */
    a->workspace = NULL;
    a->workspace_bytes = 0;
    cudaError_t rc = cudaMalloc(&a->workspace, plans.workspace);
    if (rc != cudaSuccess)
        return err_set(err, ERR_IO, "attention: no %zu bytes of workspace: %s", plans.workspace,
                       cudaGetErrorString(rc));
    a->workspace_bytes = plans.workspace;
    return 0;
}

void *attention_cudnn_workspace(const struct attention_cudnn *a, size_t bytes)
{
    return bytes <= a->workspace_bytes ? a->workspace : NULL;
}

/* Where a part's queries, keys and values lie in packed rows. */
struct packed {
    char *queries, *keys, *values;
};

static struct packed in_rows(const struct attention_shape *s, const void *rows, int sequence,
                             int kv_head)
{
    const size_t head = sizeof(uint16_t) * (size_t)s->head_width;
    const size_t packed = head * (size_t)(s->heads + 2 * s->kv_heads);
    char *at = (char *)(uintptr_t)rows + packed * (size_t)s->length * (size_t)sequence;
    char *keys = at + head * (size_t)(s->heads + kv_head);
    return (struct packed){
        .queries = at + head * (size_t)kv_head * (size_t)(s->heads / s->kv_heads),
        .keys = keys,
        .values = keys + head * (size_t)s->kv_heads,
    };
}

/* Address of a query head in rows like y's, and of its first statistic. */
static void *in_output(const struct attention_shape *s, const void *rows, int sequence, int head)
{
    const size_t bytes = sizeof(uint16_t) * (size_t)s->head_width;
    const size_t row = (size_t)s->heads * (size_t)s->length * (size_t)sequence + (size_t)head;
    return (char *)(uintptr_t)rows + bytes * row;
}

static void *in_statistics(const struct attention_shape *s, const float *x, int sequence, int head)
{
    const size_t rows = (size_t)sequence * (size_t)s->heads + (size_t)head;
    return (float *)(uintptr_t)x + rows * (size_t)s->length;
}

/* Numbers that cuDNN reads from the host when a plan is started. */
struct constants {
    float scale, masked, one;
};

/* `head` is the part's first. */
static void set_constants(struct constants *c, void **at, const struct attention_shape *s, int head)
{
    *c = (struct constants){1.0f / sqrtf((float)s->head_width), -INFINITY, 1.0f};
    at[T_SCALE] = &c->scale;
    at[T_MASKED] = &c->masked;
    at[T_ONE] = &c->one;
    at[T_SLOPES] = s->slopes ? (float *)(uintptr_t)s->slopes + head : NULL;
}

static const struct prepared *find_prepared(const struct attention_cudnn *a,
                                            const struct attention_shape *shape, struct err *err)
{
    const struct prepared *p = find_prepared_shape(a, shape);
    if (p && workspace_of(p) <= a->workspace_bytes)
        return p;
    err_set(err, ERR_IO, "attention of %d x %d tokens is run but was not prepared", shape->batch,
            shape->length);
    return NULL;
}

int attention_cudnn_forward(struct attention_cudnn *a, const struct attention_forward *f,
                            struct err *err)
{
    struct constants constants;
    void *at[TENSORS] = {NULL};
    const struct prepared *p = find_prepared(a, &f->shape, err);
    if (!p)
        return -1;
    const struct packed x = in_rows(&f->shape, f->qkv, 0, 0);
    set_constants(&constants, at, &f->shape, 0);
    at[T_QUERIES] = x.queries;
    at[T_KEYS_ACROSS] = x.keys;
    at[T_VALUES] = x.values;
    at[T_Y] = f->y;
    at[T_LOG_SUM_EXP] = f->log_sum_exp;
    return cudnn_plan_run(p->forward, at, a->workspace, err);
}

static int run_part(struct attention_cudnn *a, const struct prepared *p,
                    const struct attention_backward *b, int sequence, int kv_head, struct err *err)
{
    struct constants constants;
    void *at[TENSORS] = {NULL};
    const struct attention_shape *s = &b->shape;
    const int head = kv_head * (s->heads / s->kv_heads);
    const struct packed x = in_rows(s, b->qkv, sequence, kv_head);
    const struct packed dx = in_rows(s, b->d_qkv, sequence, kv_head);
    set_constants(&constants, at, s, head);
    at[T_QUERIES] = x.queries;
    at[T_KEYS_ACROSS] = x.keys;
    at[T_VALUES_ACROSS] = x.values;
    at[T_Y] = in_output(s, b->y, sequence, head);
    at[T_DY] = in_output(s, b->dy, sequence, head);
    at[T_LOG_SUM_EXP] = in_statistics(s, b->log_sum_exp, sequence, head);
    at[T_DELTA] = a->workspace;
    at[T_DQ] = dx.queries;
    at[T_DK] = dx.keys;
    at[T_DV] = dx.values;
    return cudnn_plan_run(p->backward, at, (char *)a->workspace + p->delta, err);
}

int attention_cudnn_backward(struct attention_cudnn *a, const struct attention_backward *b,
                             struct err *err)
{
    const struct prepared *p = find_prepared(a, &b->shape, err);
    if (!p)
        return -1;
    for (int sequence = 0; sequence < b->shape.batch; sequence += p->part.batch) {
        for (int kv_head = 0; kv_head < b->shape.kv_heads; kv_head += p->part.kv_heads) {
            if (run_part(a, p, b, sequence, kv_head, err) != 0)
                return -1;
        }
    }
    return 0;
}

/* The library is `c`'s already; it is the new engine's from here on. */
static int start_attention(struct attention_cudnn **out, struct cudnn *c, enum number number,
                           struct err *err)
{
    static const cudnnDataType_t types[] = {
        [NUMBER_FP32] = CUDNN_DATA_FLOAT,
        [NUMBER_BF16] = CUDNN_DATA_BFLOAT16,
        [NUMBER_FP16] = CUDNN_DATA_HALF,
    };
    if (number == NUMBER_FP32) {
        cudnn_close(c);
        return err_set(err, ERR_USAGE, "cuDNN's attention takes bf16 and fp16, not fp32");
    }
    struct attention_cudnn *a = memory_alloc(sizeof *a);
    *a = (struct attention_cudnn){.cudnn = *c, .type = types[number], .part_max = PART_DEFAULT};
    *out = a;
    return 0;
}

int attention_cudnn_open(struct attention_cudnn **out, cudaStream_t stream, enum number number,
                         struct err *err)
{
    struct cudnn c;
    return cudnn_open(&c, CUDNN_LIBRARY, stream, err) == 0 ? start_attention(out, &c, number, err)
                                                           : -1;
}

int attention_cudnn_open_described(struct attention_cudnn **out, const char *device,
                                   enum number number, struct err *err)
{
    struct cudnn c;
    return cudnn_open_described(&c, CUDNN_LIBRARY, device, err) == 0
               ? start_attention(out, &c, number, err)
               : -1;
}

size_t attention_cudnn_version(void)
{
    return cudnn_version(CUDNN_LIBRARY);
}

void attention_cudnn_limit(struct attention_cudnn *a, size_t bytes)
{
    a->part_max = bytes;
}

void attention_cudnn_close(struct attention_cudnn *a)
{
    if (!a)
        return;
    if (a->workspace)
        cudaFree(a->workspace);
    while (a->n_shapes > 0)
        free_prepared(a->shapes[--a->n_shapes]);
    free(a->shapes);
    cudnn_close(&a->cudnn);
    free(a);
}
