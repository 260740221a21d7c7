/*
 * cudnn_api: cuDNN's graph interface, loaded while the program runs.
 *
 * The only file that includes cuDNN's header. Nothing links against the library: a machine without
 * cuDNN starts the trainer all the same and is told here what is missing. Functions are called as
 * NVIDIA's "cuDNN Backend API" reference has them (9.x); their meaning is not repeated.
 *
 * A `struct cudnn` is one library handle on one stream of one device. Descriptors of the graph
 * interface depend on the device only through `device`, a description of it, so that everything up
 * to the execution works from a description alone, on a machine without a GPU: that is how plans
 * are tested and memory is planned ahead (cudnn_open_described).
 */
#pragma once

#include "base/err.h"

#include <cudnn.h>

#define CUDNN_LIBRARY "libcudnn.so.9"
/* Causal masks with -inf, and softmax statistics in natural logarithms without work-arounds. */
#define CUDNN_OLDEST 91100

/* Member and name of every function that is used. */
#define CUDNN_FUNCTIONS(X)                    \
    X(version, cudnnGetVersion)               \
    X(status_text, cudnnGetErrorString)       \
    X(last_text, cudnnGetLastErrorString)     \
    X(handle_create, cudnnCreate)             \
    X(handle_destroy, cudnnDestroy)           \
    X(handle_set_stream, cudnnSetStream)      \
    X(create, cudnnBackendCreateDescriptor)   \
    X(destroy, cudnnBackendDestroyDescriptor) \
    X(set, cudnnBackendSetAttribute)          \
    X(get, cudnnBackendGetAttribute)          \
    X(finalize, cudnnBackendFinalize)         \
    X(execute, cudnnBackendExecute)

struct cudnn {
    void *library;
    cudnnHandle_t handle;            /* NULL where there is only a description of the device */
    cudnnBackendDescriptor_t device; /* what heuristics and plans are made for */
#define CUDNN_MEMBER(member, name) __typeof__(name) *member;
    CUDNN_FUNCTIONS(CUDNN_MEMBER)
#undef CUDNN_MEMBER
};

/* A handle for the calling thread's current device, whose work goes to `stream`. */
int cudnn_open(struct cudnn *c, const char *library, cudaStream_t stream, struct err *err);

/* No device: plans can be built for the one that `json` describes, and not be run. The text is what
 * cuDNN gives as CUDNN_ATTR_DEVICEPROP_JSON_REPRESENTATION (cudnn_describe). */
int cudnn_open_described(struct cudnn *c, const char *library, const char *json, struct err *err);

/* That text for the device at hand, NUL-terminated; it is cut at `size`. */
int cudnn_describe(const struct cudnn *c, char *json, size_t size, struct err *err);

/* As cuDNN counts: 91400 is 9.14.0. 0: there is none that can be used. */
size_t cudnn_version(const char *library);

void cudnn_close(struct cudnn *c); /* all zero is allowed */

/* What cuDNN itself said last, in one line. */
#define CUDNN_WORD 384
void cudnn_last_word(const struct cudnn *c, char *text, size_t size);

/* err_set with "cuDNN <what>: <status>: <cuDNN's own words>"; -1. */
int cudnn_failed(const struct cudnn *c, cudnnStatus_t status, const char *what, struct err *err);
