/*
 * cudnn_plan: a computation given as tables of tensors and steps becomes one plan that cuDNN runs.
 *
 * cuDNN fuses a whole graph of small steps into few kernels when it recognises the pattern; which
 * graphs it recognises is its own business (attention_cudnn.c knows those for attention). Here is
 * only the way from tables to something that runs: descriptors, the search for an engine, the
 * execution.
 *
 * Engines are taken in the order in which cuDNN's heuristics rank them, the first that can run the
 * graph; for one version of the library, one kind of device and one graph that is always the same.
 * An engine that cuDNN marks as not deterministic is never taken. That mark alone does not make a
 * plan deterministic (9.19 leaves it out for attention with atomic additions): the graph must be
 * one that needs none, and the tests compare bits.
 */
#pragma once

#include "base/err.h"
#include "trainer/device/cuda/cudnn_api.h"

#include <stddef.h>
#include <stdint.h>

/* Where a tensor is while the plan runs. */
enum cudnn_place {
    CUDNN_PLACE_NOWHERE, /* between two steps, inside of a kernel */
    CUDNN_PLACE_DEVICE,  /* in device memory */
    CUDNN_PLACE_HOST,    /* one number, read from the host's memory when the plan is started */
};

#define CUDNN_DIMS 4
#define CUDNN_ALIGNMENT 16

struct cudnn_tensor {
    enum cudnn_place place;
    cudnnDataType_t type;
    int64_t dims[CUDNN_DIMS], strides[CUDNN_DIMS]; /* strides in elements */
    int64_t alignment;                             /* bytes; 0: CUDNN_ALIGNMENT */
};

enum cudnn_step_kind {
    CUDNN_STEP_MULTIPLY,  /* y = x b, matrices in the last two dimensions */
    CUDNN_STEP_POINTWISE, /* y = mode(x, b, t); which of them there are depends on the mode */
    CUDNN_STEP_REDUCE,    /* y = mode of x along the dimensions that are 1 in y */
    CUDNN_STEP_RESHAPE,   /* y is x with other dimensions and strides */
};

#define CUDNN_NO_TENSOR (-1)

/* Tensors are named by their place in the array; all arithmetic is fp32, but differences of indices
 * are whole. */
struct cudnn_step {
    enum cudnn_step_kind kind;
    int mode;     /* cudnnPointwiseMode_t or cudnnReduceTensorOp_t */
    int64_t axis; /* CUDNN_POINTWISE_GEN_INDEX: which index */
    int x, b, t, y;
};

struct cudnn_graph {
    const struct cudnn_tensor *tensors;
    int n_tensors;
    const struct cudnn_step *steps;
    int n_steps;
};

#define CUDNN_PLAN_TEXT 512

struct cudnn_plan;

/* ERR_CHECK, with what the last engine said, when no engine can run the graph. */
int cudnn_plan_new(struct cudnn_plan **out, const struct cudnn *cudnn,
                   const struct cudnn_graph *graph, struct err *err);
void cudnn_plan_free(struct cudnn_plan *p); /* NULL is allowed */

size_t cudnn_plan_workspace(const struct cudnn_plan *p); /* bytes of device memory */

/* "cuDNN 9.19.0 engine 6 knobs 24=31 40=3 notes tensor_core workspace 1073741824" */
const char *cudnn_plan_text(const struct cudnn_plan *p);

/*
 * Queue the plan on the handle's stream. addresses[i] belongs to tensors[i] of the graph and is
 * read for those that are on the device or the host. `workspace` is aligned to 256 bytes.
 */
int cudnn_plan_run(const struct cudnn_plan *p, void *const *addresses, void *workspace,
                   struct err *err);
