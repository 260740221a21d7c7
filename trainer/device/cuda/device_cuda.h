/*
 * device_cuda: how to open the device that runs on an NVIDIA GPU (cuda.h is what it is made of).
 *
 *   fp32   fp32 throughout                        tf32   factors of products rounded to tf32
 *   bf16, fp16   activations and weights in 16 bits, sums and statistics in fp32
 *
 * The algorithms of matrix products are chosen by timing unless `fixed` asks for the library's
 * first proposals; device_cuda_choices writes down what was chosen, and a later run that is given
 * that text repeats it, and with it the bits: on the same kind of card, with the same cuBLASLt and
 * in the same precision. Elsewhere it is chosen again, with a remark (product_record.h).
 */
#pragma once

#include "base/arena.h"
#include "trainer/device/device.h"

#include <stdbool.h>

/* Which attention: BEST is the first of the others that can do a shape: cuDNN's (16 bits), our own
 * fused kernels (16 bits, heads 64 or 128 wide), tiles of scores (fp32, heads 128 wide), whole rows
 * of scores. cuDNN cannot do a shape that it has no deterministic engine for. What another one than
 * BEST cannot do is left to the last; but who asks for CUDNN and has no engine is told so when the
 * shape comes up. */
enum attention_choice {
    ATTENTION_BEST,
    ATTENTION_CUDNN,
    ATTENTION_FLASH,
    ATTENTION_TRIANGLE,
    ATTENTION_PLAIN,
};

struct device_cuda_options {
    int ordinal; /* which GPU, as CUDA counts */
    enum number number;
    bool tf32;
    bool fixed; /* no timing */
    enum attention_choice attention;
    const char *choices; /* of an earlier run; NULL */
};

/* ERR_USAGE when there is no such GPU or it is too old; ERR_IO when it fails. *out is the caller's;
 * device_close() ends it. */
int device_cuda_open(struct device **out, const struct device_cuda_options *options,
                     struct err *err);

void device_cuda_choices(struct device *d, struct buf *out);

/* What whoever runs this should know and is no failure, a line each, since the last call: recorded
 * algorithms that are not taken, cuDNN that is not used, products that could not be timed. */
void device_cuda_remarks(struct device *d, struct buf *out);

/* What computes attention of this shape here: "cuDNN; forward: …", "fpreport's fused kernels". It
 * is decided by asking. */
void device_cuda_attention(struct device *d, const struct attention_shape *s, struct buf *out);

/* The stream that everything is queued on (a cudaStream_t), for collectives in order with it. */
void *device_cuda_stream(struct device *d);

/* Which GPU a rank takes that is the i-th of its machine: the i-th, or the only one that it is
 * shown, as by `srun --gpus-per-task=1`. */
int device_cuda_of_rank(int local_rank);

#define DEVICE_CUDA_NAME 128

/* "NVIDIA H200, GPU-5c89f1ae-…": what no other GPU has. It is this thread's from here on. */
int device_cuda_name(int ordinal, char text[DEVICE_CUDA_NAME], struct err *err);

/* Is there a driver for GPUs here? Quick; opening says what is wrong with them. */
bool device_cuda_present(void);

/* Versions of the libraries in use: "CUDA 13.0, cuBLASLt 13.1.0, cuDNN 9.14.0". */
void device_cuda_libraries(struct buf *out);
