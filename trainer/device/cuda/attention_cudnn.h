/*
 * attention_cudnn: causal attention (device.h) by cuDNN's fused kernels, forward and backward.
 *
 * Queries, keys and values are read where they lie in the packed rows of qkv and gradients are
 * written there: only strides tell cuDNN, nothing is copied. Numbers are bf16 or fp16 in memory and
 * fp32 inside; the scores p and ds are rounded to the narrow format where they enter a matrix
 * product, and with grouped queries so are a query head's dk and dv before they are added up.
 *
 * Same bits: no engine that cuDNN marks as not deterministic is taken, and the backward graph is
 * the one whose dq is a plain matrix product. That costs memory: ds is stored whole, 2 bytes for
 * each query head and pair of positions. To bound it the backward pass runs in parts, a number of
 * sequences and of key heads (with the query heads that read them) at a time.
 *
 * Workspace: device memory that belongs to the engine and is shared by everything it does, all of
 * which is on one stream. It grows in attention_cudnn_prepare(), never in forward() or backward().
 * A plan is made once for a shape and kept; making one takes 0.1 s, the first of a process 0.8.
 */
#pragma once

#include "base/err.h"
#include "trainer/device/device.h"

#include <cuda_runtime_api.h>

struct attention_cudnn;

/* What a shape's plans are, for the run's record and for the memory plan. */
struct attention_cudnn_plans {
    const char *forward, *backward; /* the engine's; "cuDNN 9.19.0 engine … workspace …" */
    int backward_parts;             /* times that the backward plan runs */
    size_t workspace;               /* bytes that this shape needs */
};

/* ERR_IO when there is no cuDNN, or one that is too old; ERR_USAGE when `number` is fp32. */
int attention_cudnn_open(struct attention_cudnn **out, cudaStream_t stream, enum number number,
                         struct err *err);

/* Plans only, for a device that is described and need not be there (cudnn_open_described). */
int attention_cudnn_open_described(struct attention_cudnn **out, const char *device,
                                   enum number number, struct err *err);

/* How much of ds may be stored at a time, for plans made after the call; 2 GiB until it is called.
 * Less memory is slower: on an H200, 4 sequences of 4096 (32 heads, 1 GiB each) take 3.08 ms at
 * once, 3.21 by two, 3.48 one by one, and half a sequence at a time costs another 17 %. Bits do not
 * depend on it. */
void attention_cudnn_limit(struct attention_cudnn *a, size_t bytes);

/* Of the cuDNN that would be used, as it counts them; 0: there is none. */
size_t attention_cudnn_version(void);

void attention_cudnn_close(struct attention_cudnn *a); /* NULL is allowed; synchronizes */

/* Plans for a shape, and their texts and bytes; no device memory is taken. ERR_CHECK when cuDNN has
 * no deterministic engine for it, ERR_USAGE when the shape is none. The texts live until close. */
int attention_cudnn_plans(struct attention_cudnn *a, const struct attention_shape *shape,
                          struct attention_cudnn_plans *out, struct err *err);

/* Also grow the workspace to what the shape needs. */
int attention_cudnn_prepare(struct attention_cudnn *a, const struct attention_shape *shape,
                            struct err *err);

/* The workspace, if it has grown to so many bytes; NULL. Others may write there what they need no
 * longer than until the next call of the two below. */
void *attention_cudnn_workspace(const struct attention_cudnn *a, size_t bytes);

/* Queue the work. The shape must have been prepared. */
int attention_cudnn_forward(struct attention_cudnn *a, const struct attention_forward *f,
                            struct err *err);
int attention_cudnn_backward(struct attention_cudnn *a, const struct attention_backward *b,
                             struct err *err);
