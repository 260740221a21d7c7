/*
 * attention_cudnn_graph: causal attention as the graphs of small steps that cuDNN's attention
 * engines recognise. The way from a graph to something that runs is cudnn_plan.h's.
 */
#pragma once

#include "trainer/device/cuda/cudnn_plan.h"
#include "trainer/device/device.h"

/* The tensors of both graphs. Names are those of device.h. */
enum attention_tensor {
    T_QUERIES,
    T_KEYS_ACROSS, /* transposed: [width, length] */
    T_VALUES,
    T_VALUES_ACROSS,
    T_SCALE,
    T_MASKED, /* -inf */
    T_RAW,    /* q k */
    T_SLOPES, /* of the heads */
    T_SCALED, /* s without the slope's term */
    T_LEAN_ROW,
    T_LEAN_COLUMN,
    T_DISTANCE, /* j - i */
    T_LEAN,     /* slope * (j - i) */
    T_SCORES,   /* s, all pairs */
    T_ROW,      /* i and j of each score, and whether j <= i */
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

/* With grouped queries the gradients of keys and values take one step more. */
enum attention_pass { PASS_FORWARD, PASS_BACKWARD, PASS_BACKWARD_GROUPED };

const char *attention_pass_name(enum attention_pass pass); /* "forward", "backward" */

/* What one execution covers: all sequences and heads, or a part of them in the same rows. */
struct attention_part {
    int batch, heads, kv_heads;
};

/*
 * The graph of a pass over `part` of `shape`, for activations of the format `narrow`. Packed rows,
 * rows of y and statistics are those of the whole shape; addresses of tensors are those of the
 * part's first sequence and head. `graph` points to the other members.
 */
struct attention_graph {
    struct cudnn_tensor tensors[TENSORS];
    struct cudnn_step steps[TENSORS]; /* each tensor is made by one step at most */
    struct cudnn_graph graph;
};
void attention_graph(struct attention_graph *g, enum attention_pass pass,
                     const struct attention_shape *shape, const struct attention_part *part,
                     cudnnDataType_t narrow);
