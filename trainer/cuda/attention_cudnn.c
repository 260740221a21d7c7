#include "trainer/cuda/attention_cudnn.h"

#include "base/arena.h"
#include "trainer/cuda/cudnn_plan.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define WORKSPACE_ALIGNMENT 256
#define SHAPES_MAX 16
#define PART_MAX ((size_t)1 << 30)

/* The tensors of both graphs. Names are those of device.h. */
enum tensor {
    T_QUERIES,
    T_KEYS_ACROSS, /* transposed: [width, length] */
    T_VALUES,
    T_VALUES_ACROSS,
    T_SCALE,
    T_MASKED, /* -inf */
    T_RAW,    /* q k */
    T_SCORES, /* s, all pairs */
    T_ROW,    /* i and j of each score, and whether j <= i */
    T_COLUMN,
    T_VISIBLE,
    T_CAUSAL,  /* s, -inf beyond the diagonal */
    T_MAXIMUM, /* of a row */
    T_LOWERED, /* what goes into exp */
    T_EXP,
    T_SUM,
    T_LOG,
    T_LOG_SUM_EXP,
    T_P,
    T_Y,
    T_DY,
    T_ONE,
    T_DY_Y, /* products, their sum over a head, that sum in memory */
    T_DY_Y_SUM,
    T_DELTA,
    T_SHIFTED, /* s - log_sum_exp */
    T_P_ACROSS,
    T_DP,
    T_DP_SHIFTED,
    T_DP_P,
    T_DS,
    T_DS_ACROSS,
    T_KEYS,
    T_DK_EACH, /* of each query head, before the sum over those that share a key head */
    T_DV_EACH,
    T_DQ,
    T_DK,
    T_DV,
    TENSORS
};

/* Dimensions are [batch, heads, rows, columns]. */
enum layout {
    L_ONE,    /* one number */
    L_ROWS,   /* [.., length, 1] of the query heads */
    L_SCORES, /* [.., length, length] */
    L_SCORES_ACROSS,
    L_HEADS,   /* [.., length, width] of the query heads, one after the other */
    L_OUTPUT,  /* the same in rows of all heads, as y */
    L_QUERIES, /* the same in packed rows of qkv */
    L_KEYS,    /* keys or values in packed rows */
    L_KEYS_ACROSS,
};

/* CUDNN_DATA_… or the format of activations */
#define TYPE_NARROW (-1)

static const struct {
    enum layout layout;
    enum cudnn_place place;
    int type;
} tensor_rows[TENSORS] = {
    [T_QUERIES] = {L_QUERIES, CUDNN_PLACE_DEVICE, TYPE_NARROW},
    [T_KEYS_ACROSS] = {L_KEYS_ACROSS, CUDNN_PLACE_DEVICE, TYPE_NARROW},
    [T_VALUES] = {L_KEYS, CUDNN_PLACE_DEVICE, TYPE_NARROW},
    [T_VALUES_ACROSS] = {L_KEYS_ACROSS, CUDNN_PLACE_DEVICE, TYPE_NARROW},
    [T_SCALE] = {L_ONE, CUDNN_PLACE_HOST, CUDNN_DATA_FLOAT},
    [T_MASKED] = {L_ONE, CUDNN_PLACE_HOST, CUDNN_DATA_FLOAT},
    [T_RAW] = {L_SCORES, CUDNN_PLACE_NOWHERE, CUDNN_DATA_FLOAT},
    [T_SCORES] = {L_SCORES, CUDNN_PLACE_NOWHERE, CUDNN_DATA_FLOAT},
    [T_ROW] = {L_SCORES, CUDNN_PLACE_NOWHERE, CUDNN_DATA_INT32},
    [T_COLUMN] = {L_SCORES, CUDNN_PLACE_NOWHERE, CUDNN_DATA_INT32},
    [T_VISIBLE] = {L_SCORES, CUDNN_PLACE_NOWHERE, CUDNN_DATA_BOOLEAN},
    [T_CAUSAL] = {L_SCORES, CUDNN_PLACE_NOWHERE, CUDNN_DATA_FLOAT},
    [T_MAXIMUM] = {L_ROWS, CUDNN_PLACE_NOWHERE, CUDNN_DATA_FLOAT},
    [T_LOWERED] = {L_SCORES, CUDNN_PLACE_NOWHERE, CUDNN_DATA_FLOAT},
    [T_EXP] = {L_SCORES, CUDNN_PLACE_NOWHERE, CUDNN_DATA_FLOAT},
    [T_SUM] = {L_ROWS, CUDNN_PLACE_NOWHERE, CUDNN_DATA_FLOAT},
    [T_LOG] = {L_ROWS, CUDNN_PLACE_NOWHERE, CUDNN_DATA_FLOAT},
    [T_LOG_SUM_EXP] = {L_ROWS, CUDNN_PLACE_DEVICE, CUDNN_DATA_FLOAT},
    [T_P] = {L_SCORES, CUDNN_PLACE_NOWHERE, TYPE_NARROW},
    [T_Y] = {L_OUTPUT, CUDNN_PLACE_DEVICE, TYPE_NARROW},
    [T_DY] = {L_OUTPUT, CUDNN_PLACE_DEVICE, TYPE_NARROW},
    [T_ONE] = {L_ONE, CUDNN_PLACE_HOST, CUDNN_DATA_FLOAT},
    [T_DY_Y] = {L_HEADS, CUDNN_PLACE_NOWHERE, CUDNN_DATA_FLOAT},
    [T_DY_Y_SUM] = {L_ROWS, CUDNN_PLACE_NOWHERE, CUDNN_DATA_FLOAT},
    [T_DELTA] = {L_ROWS, CUDNN_PLACE_DEVICE, CUDNN_DATA_FLOAT},
    [T_SHIFTED] = {L_SCORES, CUDNN_PLACE_NOWHERE, CUDNN_DATA_FLOAT},
    [T_P_ACROSS] = {L_SCORES_ACROSS, CUDNN_PLACE_NOWHERE, TYPE_NARROW},
    [T_DP] = {L_SCORES, CUDNN_PLACE_NOWHERE, CUDNN_DATA_FLOAT},
    [T_DP_SHIFTED] = {L_SCORES, CUDNN_PLACE_NOWHERE, CUDNN_DATA_FLOAT},
    [T_DP_P] = {L_SCORES, CUDNN_PLACE_NOWHERE, CUDNN_DATA_FLOAT},
    [T_DS] = {L_SCORES, CUDNN_PLACE_NOWHERE, CUDNN_DATA_FLOAT},
    [T_DS_ACROSS] = {L_SCORES_ACROSS, CUDNN_PLACE_NOWHERE, TYPE_NARROW},
    [T_KEYS] = {L_KEYS, CUDNN_PLACE_NOWHERE, TYPE_NARROW},
    [T_DK_EACH] = {L_HEADS, CUDNN_PLACE_NOWHERE, TYPE_NARROW},
    [T_DV_EACH] = {L_HEADS, CUDNN_PLACE_NOWHERE, TYPE_NARROW},
    [T_DQ] = {L_QUERIES, CUDNN_PLACE_DEVICE, TYPE_NARROW},
    [T_DK] = {L_KEYS, CUDNN_PLACE_DEVICE, TYPE_NARROW},
    [T_DV] = {L_KEYS, CUDNN_PLACE_DEVICE, TYPE_NARROW},
};

#define NO CUDNN_NO_TENSOR
#define MULTIPLY(y, x, b)                      \
    {                                          \
        CUDNN_STEP_MULTIPLY, 0, 0, x, b, NO, y \
    }
#define POINTWISE(y, mode, x, b, t)                                 \
    {                                                               \
        CUDNN_STEP_POINTWISE, CUDNN_POINTWISE_##mode, 0, x, b, t, y \
    }
#define INDEX(y, x, axis)                                                   \
    {                                                                       \
        CUDNN_STEP_POINTWISE, CUDNN_POINTWISE_GEN_INDEX, axis, x, NO, NO, y \
    }
#define REDUCE(y, mode, x)                                             \
    {                                                                  \
        CUDNN_STEP_REDUCE, CUDNN_REDUCE_TENSOR_##mode, 0, x, NO, NO, y \
    }
#define RESHAPE(y, x)                          \
    {                                          \
        CUDNN_STEP_RESHAPE, 0, 0, x, NO, NO, y \
    }

/*
 * The graphs are written as cuDNN's documentation of scaled dot product attention draws them, which
 * is how its engines recognise them: a division by the sum before the second product, the mask
 * after the subtraction of the statistics in the backward pass, products with transposed reshapes.
 */
static const struct cudnn_step forward_steps[] = {
    MULTIPLY(T_RAW, T_QUERIES, T_KEYS_ACROSS),
    POINTWISE(T_SCORES, MUL, T_RAW, T_SCALE, NO),
    INDEX(T_ROW, T_SCORES, 2),
    INDEX(T_COLUMN, T_SCORES, 3),
    POINTWISE(T_VISIBLE, CMP_GE, T_ROW, T_COLUMN, NO),
    POINTWISE(T_CAUSAL, BINARY_SELECT, T_SCORES, T_MASKED, T_VISIBLE),
    REDUCE(T_MAXIMUM, MAX, T_CAUSAL),
    POINTWISE(T_LOWERED, SUB, T_CAUSAL, T_MAXIMUM, NO),
    POINTWISE(T_EXP, EXP, T_LOWERED, NO, NO),
    REDUCE(T_SUM, ADD, T_EXP),
    POINTWISE(T_LOG, LOG, T_SUM, NO, NO),
    POINTWISE(T_LOG_SUM_EXP, ADD, T_MAXIMUM, T_LOG, NO),
    POINTWISE(T_P, DIV, T_EXP, T_SUM, NO),
    MULTIPLY(T_Y, T_P, T_VALUES),
};

#define BACKWARD_SOFTMAX                                                                           \
    POINTWISE(T_DY_Y, MUL, T_DY, T_Y, NO), REDUCE(T_DY_Y_SUM, ADD, T_DY_Y),                        \
        POINTWISE(T_DELTA, MUL, T_DY_Y_SUM, T_ONE, NO), MULTIPLY(T_RAW, T_QUERIES, T_KEYS_ACROSS), \
        POINTWISE(T_SCORES, MUL, T_RAW, T_SCALE, NO),                                              \
        POINTWISE(T_SHIFTED, SUB, T_SCORES, T_LOG_SUM_EXP, NO), INDEX(T_ROW, T_SHIFTED, 2),        \
        INDEX(T_COLUMN, T_SHIFTED, 3), POINTWISE(T_VISIBLE, CMP_GE, T_ROW, T_COLUMN, NO),          \
        POINTWISE(T_LOWERED, BINARY_SELECT, T_SHIFTED, T_MASKED, T_VISIBLE),                       \
        POINTWISE(T_EXP, EXP, T_LOWERED, NO, NO), RESHAPE(T_P_ACROSS, T_EXP)

#define BACKWARD_SCORES                                                                     \
    MULTIPLY(T_DP, T_DY, T_VALUES_ACROSS), POINTWISE(T_DP_SHIFTED, SUB, T_DP, T_DELTA, NO), \
        POINTWISE(T_DP_P, MUL, T_DP_SHIFTED, T_EXP, NO),                                    \
        POINTWISE(T_DS, MUL, T_DP_P, T_SCALE, NO), RESHAPE(T_DS_ACROSS, T_DS)

#define BACKWARD_QUERIES RESHAPE(T_KEYS, T_KEYS_ACROSS), MULTIPLY(T_DQ, T_DS, T_KEYS)

static const struct cudnn_step backward_steps[] = {
    BACKWARD_SOFTMAX, MULTIPLY(T_DV, T_P_ACROSS, T_DY),
    BACKWARD_SCORES,  MULTIPLY(T_DK, T_DS_ACROSS, T_QUERIES),
    BACKWARD_QUERIES,
};

static const struct cudnn_step backward_grouped_steps[] = {
    BACKWARD_SOFTMAX, MULTIPLY(T_DV_EACH, T_P_ACROSS, T_DY),       REDUCE(T_DV, ADD, T_DV_EACH),
    BACKWARD_SCORES,  MULTIPLY(T_DK_EACH, T_DS_ACROSS, T_QUERIES), REDUCE(T_DK, ADD, T_DK_EACH),
    BACKWARD_QUERIES,
};

struct pass {
    const char *name;
    const struct cudnn_step *steps;
    int n_steps;
};
#define PASS(name, array)                                   \
    {                                                       \
        name, array, (int)(sizeof(array) / sizeof *(array)) \
    }
enum { PASS_FORWARD, PASS_BACKWARD, PASS_BACKWARD_GROUPED };
static const struct pass passes[] = {
    [PASS_FORWARD] = PASS("forward", forward_steps),
    [PASS_BACKWARD] = PASS("backward", backward_steps),
    [PASS_BACKWARD_GROUPED] = PASS("backward", backward_grouped_steps),
};

/* What one execution covers: all sequences and heads, or a part of them in the same rows. */
struct part {
    int batch, heads, kv_heads;
};

struct prepared {
    struct attention_shape shape;
    struct part part; /* of the backward pass */
    struct cudnn_plan *forward, *backward;
    size_t delta; /* bytes in front of the backward plan's workspace */
};

struct attention_cudnn {
    struct cudnn cudnn;
    cudnnDataType_t type; /* of activations */
    size_t part_max;      /* bytes of ds in one part of the backward pass */
    struct prepared *shapes[SHAPES_MAX];
    int n_shapes;
    void *workspace;
    size_t workspace_bytes;
};

static void set_layout(struct cudnn_tensor *t, enum layout layout, const struct attention_shape *s,
                       const struct part *p)
{
    const int64_t length = s->length, width = s->head_width, all = s->heads, heads = p->heads;
    const int64_t packed = (all + 2 * (int64_t)s->kv_heads) * width, pairs = length * length;
    const struct {
        int64_t dims[CUDNN_DIMS], strides[CUDNN_DIMS];
    } rows[] = {
        [L_ONE] = {{1, 1, 1, 1}, {1, 1, 1, 1}},
        [L_ROWS] = {{p->batch, heads, length, 1}, {all * length, length, 1, 1}},
        [L_SCORES] = {{p->batch, heads, length, length}, {heads * pairs, pairs, length, 1}},
        [L_SCORES_ACROSS] = {{p->batch, heads, length, length}, {heads * pairs, pairs, 1, length}},
        [L_HEADS] = {{p->batch, heads, length, width},
                     {heads * length * width, length * width, width, 1}},
        [L_OUTPUT] = {{p->batch, heads, length, width},
                      {length * all * width, width, all * width, 1}},
        [L_QUERIES] = {{p->batch, heads, length, width}, {length * packed, width, packed, 1}},
        [L_KEYS] = {{p->batch, p->kv_heads, length, width}, {length * packed, width, packed, 1}},
        [L_KEYS_ACROSS] = {{p->batch, p->kv_heads, width, length},
                           {length * packed, width, 1, packed}},
    };
    memcpy(t->dims, rows[layout].dims, sizeof t->dims);
    memcpy(t->strides, rows[layout].strides, sizeof t->strides);
}

static int new_plan(const struct attention_cudnn *a, struct cudnn_plan **out, int pass,
                    const struct attention_shape *s, const struct part *part, struct err *err)
{
    struct cudnn_tensor tensors[TENSORS];
    const struct cudnn_graph graph = {tensors, TENSORS, passes[pass].steps, passes[pass].n_steps};
    for (int i = 0; i < TENSORS; i++) {
        int type = tensor_rows[i].type;
        tensors[i].place = tensor_rows[i].place;
        tensors[i].type = type == TYPE_NARROW ? a->type : (cudnnDataType_t)type;
        set_layout(&tensors[i], tensor_rows[i].layout, s, part);
    }
    if (cudnn_plan_new(out, &a->cudnn, &graph, 0, err) == 0)
        return 0;
    return err_prefix(err, "attention %s, %d x %d tokens, %d:%d heads of %d", passes[pass].name,
                      s->batch, s->length, s->heads, s->kv_heads, s->head_width);
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
static struct part choose_part(const struct attention_shape *s, size_t part_max)
{
    const int group = s->heads / s->kv_heads;
    const size_t one = 2 * (size_t)group * (size_t)s->length * (size_t)s->length;
    const size_t fit = part_max / one; /* key heads */
    struct part p = {.batch = divisor(s->batch, fit / (size_t)s->kv_heads),
                     .kv_heads = divisor(s->kv_heads, fit)};
    p.heads = p.kv_heads * group;
    return p;
}

static bool same_shape(const struct attention_shape *a, const struct attention_shape *b)
{
    return a->batch == b->batch && a->length == b->length && a->heads == b->heads &&
           a->kv_heads == b->kv_heads && a->head_width == b->head_width;
}

static const struct prepared *find(const struct attention_cudnn *a,
                                   const struct attention_shape *shape)
{
    for (int i = 0; i < a->n_shapes; i++) {
        if (same_shape(&a->shapes[i]->shape, shape))
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

static int make_plans(struct attention_cudnn *a, const struct attention_shape *s, struct err *err)
{
    const struct part whole = {s->batch, s->heads, s->kv_heads};
    if (a->n_shapes == SHAPES_MAX)
        return err_set(err, ERR_USAGE, "attention: more than %d different shapes", SHAPES_MAX);
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
    const struct prepared *p = find(a, shape);
    if (!p && make_plans(a, shape, err) != 0)
        return -1;
    p = find(a, shape);
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

static void set_constants(struct constants *c, void **at, const struct attention_shape *s)
{
    *c = (struct constants){1.0f / sqrtf((float)s->head_width), -INFINITY, 1.0f};
    at[T_SCALE] = &c->scale;
    at[T_MASKED] = &c->masked;
    at[T_ONE] = &c->one;
}

static const struct prepared *find_prepared(const struct attention_cudnn *a,
                                            const struct attention_shape *shape, struct err *err)
{
    const struct prepared *p = find(a, shape);
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
    set_constants(&constants, at, &f->shape);
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
    set_constants(&constants, at, s);
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
static int start(struct attention_cudnn **out, struct cudnn *c, enum number number, struct err *err)
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
    *a = (struct attention_cudnn){.cudnn = *c, .type = types[number], .part_max = PART_MAX};
    *out = a;
    return 0;
}

int attention_cudnn_open(struct attention_cudnn **out, cudaStream_t stream, enum number number,
                         struct err *err)
{
    struct cudnn c;
    return cudnn_open(&c, CUDNN_LIBRARY, stream, err) == 0 ? start(out, &c, number, err) : -1;
}

int attention_cudnn_open_described(struct attention_cudnn **out, const char *device,
                                   enum number number, struct err *err)
{
    struct cudnn c;
    return cudnn_open_described(&c, CUDNN_LIBRARY, device, err) == 0 ? start(out, &c, number, err)
                                                                     : -1;
}

void attention_cudnn_close(struct attention_cudnn *a)
{
    if (!a)
        return;
    if (a->workspace)
        cudaFree(a->workspace);
    while (a->n_shapes > 0)
        free_prepared(a->shapes[--a->n_shapes]);
    cudnn_close(&a->cudnn);
    free(a);
}
