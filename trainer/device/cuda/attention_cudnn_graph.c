#include "trainer/device/cuda/attention_cudnn_graph.h"

#include <string.h>

/* Dimensions are [batch, heads, rows, columns]. */
enum layout {
    L_ONE,    /* one number */
    L_HEAD,   /* [1, heads, 1, 1] */
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
    [T_SLOPES] = {L_HEAD, CUDNN_PLACE_DEVICE, CUDNN_DATA_FLOAT},
    [T_SCALED] = {L_SCORES, CUDNN_PLACE_NOWHERE, CUDNN_DATA_FLOAT},
    [T_LEAN_ROW] = {L_SCORES, CUDNN_PLACE_NOWHERE, CUDNN_DATA_INT32},
    [T_LEAN_COLUMN] = {L_SCORES, CUDNN_PLACE_NOWHERE, CUDNN_DATA_INT32},
    [T_DISTANCE] = {L_SCORES, CUDNN_PLACE_NOWHERE, CUDNN_DATA_INT32},
    [T_LEAN] = {L_SCORES, CUDNN_PLACE_NOWHERE, CUDNN_DATA_FLOAT},
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

#define NO CUDNN_NO_TENSOR /* what a step makes comes first, as in an assignment */
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
static const struct cudnn_step scores_steps[] = {
    MULTIPLY(T_RAW, T_QUERIES, T_KEYS_ACROSS),
    POINTWISE(T_SCORES, MUL, T_RAW, T_SCALE, NO),
};

/* With slopes: behind the scaling, before the mask. */
static const struct cudnn_step leaning_scores_steps[] = {
    MULTIPLY(T_RAW, T_QUERIES, T_KEYS_ACROSS),
    POINTWISE(T_SCALED, MUL, T_RAW, T_SCALE, NO),
    INDEX(T_LEAN_ROW, T_SCALED, 2),
    INDEX(T_LEAN_COLUMN, T_SCALED, 3),
    POINTWISE(T_DISTANCE, SUB, T_LEAN_COLUMN, T_LEAN_ROW, NO),
    POINTWISE(T_LEAN, MUL, T_DISTANCE, T_SLOPES, NO),
    POINTWISE(T_SCORES, ADD, T_SCALED, T_LEAN, NO),
};

static const struct cudnn_step forward_steps[] = {
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

static const struct cudnn_step delta_steps[] = {
    POINTWISE(T_DY_Y, MUL, T_DY, T_Y, NO),
    REDUCE(T_DY_Y_SUM, ADD, T_DY_Y),
    POINTWISE(T_DELTA, MUL, T_DY_Y_SUM, T_ONE, NO),
};

/* All but the gradients of keys and values. */
static const struct cudnn_step backward_steps[] = {
    POINTWISE(T_SHIFTED, SUB, T_SCORES, T_LOG_SUM_EXP, NO),
    INDEX(T_ROW, T_SHIFTED, 2),
    INDEX(T_COLUMN, T_SHIFTED, 3),
    POINTWISE(T_VISIBLE, CMP_GE, T_ROW, T_COLUMN, NO),
    POINTWISE(T_LOWERED, BINARY_SELECT, T_SHIFTED, T_MASKED, T_VISIBLE),
    POINTWISE(T_EXP, EXP, T_LOWERED, NO, NO),
    RESHAPE(T_P_ACROSS, T_EXP),
    MULTIPLY(T_DP, T_DY, T_VALUES_ACROSS),
    POINTWISE(T_DP_SHIFTED, SUB, T_DP, T_DELTA, NO),
    POINTWISE(T_DP_P, MUL, T_DP_SHIFTED, T_EXP, NO),
    POINTWISE(T_DS, MUL, T_DP_P, T_SCALE, NO),
    RESHAPE(T_DS_ACROSS, T_DS),
    RESHAPE(T_KEYS, T_KEYS_ACROSS),
    MULTIPLY(T_DQ, T_DS, T_KEYS),
};

static const struct cudnn_step keys_steps[] = {
    MULTIPLY(T_DV, T_P_ACROSS, T_DY),
    MULTIPLY(T_DK, T_DS_ACROSS, T_QUERIES),
};

static const struct cudnn_step grouped_keys_steps[] = {
    MULTIPLY(T_DV_EACH, T_P_ACROSS, T_DY),
    REDUCE(T_DV, ADD, T_DV_EACH),
    MULTIPLY(T_DK_EACH, T_DS_ACROSS, T_QUERIES),
    REDUCE(T_DK, ADD, T_DK_EACH),
};

struct steps {
    const struct cudnn_step *items;
    int n;
};

#define STEPS(array)                                  \
    {                                                 \
        array, (int)(sizeof(array) / sizeof *(array)) \
    }
static const struct {
    const char *name;
    struct steps before, after[2]; /* the scores */
} passes[] = {
    [PASS_FORWARD] = {"forward", {NULL, 0}, {STEPS(forward_steps)}},
    [PASS_BACKWARD] = {"backward", STEPS(delta_steps), {STEPS(backward_steps), STEPS(keys_steps)}},
    [PASS_BACKWARD_GROUPED] = {"backward",
                               STEPS(delta_steps),
                               {STEPS(backward_steps), STEPS(grouped_keys_steps)}},
};

const char *attention_pass_name(enum attention_pass pass)
{
    return passes[pass].name;
}

static void set_layout(struct cudnn_tensor *t, enum layout layout, const struct attention_shape *s,
                       const struct attention_part *p)
{
    const int64_t length = s->length, width = s->head_width, all = s->heads, heads = p->heads;
    const int64_t packed = (all + 2 * (int64_t)s->kv_heads) * width, pairs = length * length;
    const struct {
        int64_t dims[CUDNN_DIMS], strides[CUDNN_DIMS];
    } rows[] = {
        [L_ONE] = {{1, 1, 1, 1}, {1, 1, 1, 1}},
        [L_HEAD] = {{1, heads, 1, 1}, {heads, 1, 1, 1}},
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
    t->alignment = layout == L_HEAD ? sizeof(float) : 0; /* a part's first head may be any */
}

static void add_steps(struct attention_graph *g, const struct steps *list)
{
    for (int i = 0; i < list->n; i++)
        g->steps[g->graph.n_steps++] = list->items[i];
}

void attention_graph(struct attention_graph *g, enum attention_pass pass,
                     const struct attention_shape *shape, const struct attention_part *part,
                     cudnnDataType_t narrow)
{
    static const struct steps scores[] = {STEPS(scores_steps), STEPS(leaning_scores_steps)};
    for (int i = 0; i < TENSORS; i++) {
        int type = tensor_rows[i].type;
        g->tensors[i].place = tensor_rows[i].place;
        g->tensors[i].type = type == TYPE_NARROW ? narrow : (cudnnDataType_t)type;
        set_layout(&g->tensors[i], tensor_rows[i].layout, shape, part);
    }
    g->graph = (struct cudnn_graph){g->tensors, TENSORS, g->steps, 0};
    add_steps(g, &passes[pass].before);
    add_steps(g, &scores[shape->slopes != NULL]);
    add_steps(g, &passes[pass].after[0]);
    add_steps(g, &passes[pass].after[1]);
}
