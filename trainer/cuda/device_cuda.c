#include "trainer/cuda/device_cuda.h"

#include "base/arena.h"
#include "trainer/cuda/attention_cudnn.h"
#include "trainer/cuda/cuda.h"

#include <cublasLt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- failures ------------------------------------------------------------------------------- */

void cuda_fail(struct cuda *c, const char *fmt, ...)
{
    va_list ap;
    if (c->failed)
        return;
    c->failed = true;
    va_start(ap, fmt);
    err_vset(&c->failure, ERR_IO, fmt, ap);
    va_end(ap);
    err_prefix(&c->failure, "GPU %d", c->ordinal);
}

bool cuda_check(struct cuda *c, cudaError_t code, const char *what)
{
    if (code != cudaSuccess)
        cuda_fail(c, "%s: %s", what, cudaGetErrorString(code));
    return code == cudaSuccess;
}

int cuda_status(struct cuda *c, struct err *err)
{
    return c->failed ? err_set(err, c->failure.kind, "%s", c->failure.text) : 0;
}

/* ---- rows that are one kernel --------------------------------------------------------------- */

/* Launch unless something failed before, and see whether the launch did. */
#define LAUNCH(device, kernel, ...)                        \
    do {                                                   \
        struct cuda *c = cuda_of(device);                  \
        if (!c->failed) {                                  \
            kernel(&c->launch, __VA_ARGS__);               \
            cuda_check(c, cudaPeekAtLastError(), #kernel); \
        }                                                  \
    } while (0)

static void embed_forward(struct device *d, void *y, const int32_t *tokens, const void *table,
                          int rows, int width)
{
    LAUNCH(d, kernel_embed_forward, y, tokens, table, rows, width);
}

static void embed_backward(struct device *d, float *d_table, const int32_t *tokens, const void *dy,
                           int rows, int width)
{
    LAUNCH(d, kernel_embed_backward, d_table, tokens, dy, rows, width);
}

static void norm_forward(struct device *d, const struct norm_forward *f)
{
    LAUNCH(d, kernel_norm_forward, f);
}

static void norm_backward(struct device *d, const struct norm_backward *b)
{
    LAUNCH(d, kernel_norm_backward, b);
}

static void rotate_forward(struct device *d, const struct rotation *r)
{
    LAUNCH(d, kernel_rotate, r, 1);
}

static void rotate_backward(struct device *d, const struct rotation *r)
{
    LAUNCH(d, kernel_rotate, r, -1);
}

static void swiglu_forward(struct device *d, void *y, const void *gate_up, int rows, int width)
{
    LAUNCH(d, kernel_swiglu_forward, y, gate_up, rows, width);
}

static void swiglu_backward(struct device *d, const struct swiglu_backward *b)
{
    LAUNCH(d, kernel_swiglu_backward, b);
}

static void cross_entropy(struct device *d, const struct cross_entropy *e)
{
    LAUNCH(d, kernel_cross_entropy, e);
}

static void narrow(struct device *d, void *to, const float *from, size_t n)
{
    LAUNCH(d, kernel_narrow, to, from, n);
}

static void add(struct device *d, float *to, const float *x, size_t n)
{
    LAUNCH(d, kernel_add, to, x, n);
}

static void adamw(struct device *d, const struct adamw_step *a)
{
    LAUNCH(d, kernel_adamw, a);
}

static void add_sum(struct device *d, double *total, const float *x, size_t n)
{
    LAUNCH(d, kernel_add_sum, total, x, n);
}

static void add_sum_of_squares(struct device *d, double *total, const float *x, size_t n)
{
    LAUNCH(d, kernel_add_sum_of_squares, total, x, n);
}

/* ---- rows that are more --------------------------------------------------------------------- */

/* As many parts at a time as scratch has room for the starts of. */
static void draw(struct device *d, float *out, size_t n, float std, const struct rng *start)
{
    const size_t room = (KERNEL_SCRATCH / sizeof(struct rng)) / 64;
    struct rng *starts = memory_alloc(room * sizeof *starts), r = *start;
    struct rng_leap leap;
    rng_leap_init(&leap, (uint64_t)KERNEL_DRAW_PART * RNG_BELL_DRAWS);
    for (size_t done = 0; done < n;) {
        size_t part = n - done < room * KERNEL_DRAW_PART ? n - done : room * KERNEL_DRAW_PART;
        for (size_t i = 0; i * KERNEL_DRAW_PART < part; i++) {
            starts[i] = r;
            rng_leap(&r, &leap);
        }
        LAUNCH(d, kernel_draw, out + done, part, std, starts);
        done += part;
    }
    free(starts);
}

/* ---- attention, by the first of its kinds that can ------------------------------------------- */

static bool cudnn_fits(const struct cuda *c, const struct attention_shape *s)
{
    return c->attention && s->head_width % 8 == 0; /* 16 bytes of a head at once */
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

static int cudnn_bytes(const struct cuda *c, const struct attention_shape *s, size_t *bytes,
                       struct err *err)
{
    struct attention_cudnn_plans plans;
    if (attention_cudnn_plans(c->attention, s, &plans, err) < 0)
        return -1;
    *bytes = plans.workspace;
    return 0;
}

static bool flash_fits(const struct cuda *c, const struct attention_shape *s)
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

static int flash_bytes(const struct cuda *c, const struct attention_shape *s, size_t *bytes,
                       struct err *err)
{
    (void)c, (void)err;
    *bytes = kernel_flash_bytes(s);
    return 0;
}

static bool plain_fits(const struct cuda *c, const struct attention_shape *s)
{
    (void)c, (void)s;
    return true;
}

static int plain_bytes(const struct cuda *c, const struct attention_shape *s, size_t *bytes,
                       struct err *err)
{
    (void)err;
    *bytes = attention_plain_bytes(c, s);
    return 0;
}

static const struct attention_kind {
    enum attention_choice choice;
    bool (*fits)(const struct cuda *, const struct attention_shape *);
    void (*forward)(struct cuda *, const struct attention_forward *);
    void (*backward)(struct cuda *, const struct attention_backward *);
    int (*bytes)(const struct cuda *, const struct attention_shape *, size_t *, struct err *);
} attention_kinds[] = {
    {ATTENTION_CUDNN, cudnn_fits, cudnn_forward, cudnn_backward, cudnn_bytes},
    {ATTENTION_FLASH, flash_fits, flash_forward, flash_backward, flash_bytes},
    {ATTENTION_PLAIN, plain_fits, attention_plain_forward, attention_plain_backward, plain_bytes},
};

/* The last kind takes what is left over. */
static const struct attention_kind *kind_for(const struct cuda *c, const struct attention_shape *s)
{
    const struct attention_kind *k = attention_kinds;
    bool any = c->attention_choice == ATTENTION_BEST;
    while (k->choice != ATTENTION_PLAIN &&
           !((any || c->attention_choice == k->choice) && k->fits(c, s)))
        k++;
    return k;
}

static void attend_forward(struct device *d, const struct attention_forward *f)
{
    struct cuda *c = cuda_of(d);
    if (!c->failed)
        kind_for(c, &f->shape)->forward(c, f);
}

static void attend_backward(struct device *d, const struct attention_backward *b)
{
    struct cuda *c = cuda_of(d);
    if (!c->failed)
        kind_for(c, &b->shape)->backward(c, b);
}

static int free_bytes(struct device *d, size_t *bytes, struct err *err)
{
    struct cuda *c = cuda_of(d);
    size_t total;
    if (!c->failed)
        cuda_check(c, cudaMemGetInfo(bytes, &total), "cudaMemGetInfo");
    return cuda_status(c, err);
}

static int workspace_bytes(struct device *d, const struct attention_shape *s, size_t *bytes,
                           struct err *err)
{
    const struct cuda *c = cuda_of(d);
    return kind_for(c, s)->bytes(c, s, bytes, err);
}

/* ---- the table ------------------------------------------------------------------------------ */

static void cuda_close(struct device *d)
{
    struct cuda *c = cuda_of(d);
    products_close(c);
    attention_cudnn_close(c->attention);
    cudaFree(c->scores);
    cudaFree(c->launch.scratch);
    cuda_timer_close(c);
    if (c->launch.stream)
        cudaStreamDestroy(c->launch.stream);
    free(c);
}

static const struct device_operations operations = {
    .close = cuda_close,
    .alloc = cuda_alloc,
    .release = cuda_release,
    .zero = cuda_zero,
    .copy = cuda_copy,
    .upload = cuda_upload,
    .download = cuda_download,
    .synchronize = cuda_synchronize,
    .host_alloc = cuda_host_alloc,
    .host_release = cuda_host_release,
    .timer_start = cuda_timer_start,
    .timer_stop = cuda_timer_stop,
    .free_bytes = free_bytes,
    .workspace_bytes = workspace_bytes,
    .multiply = cuda_multiply,
    .embed_forward = embed_forward,
    .embed_backward = embed_backward,
    .norm_forward = norm_forward,
    .norm_backward = norm_backward,
    .rotate_forward = rotate_forward,
    .rotate_backward = rotate_backward,
    .attend_forward = attend_forward,
    .attend_backward = attend_backward,
    .swiglu_forward = swiglu_forward,
    .swiglu_backward = swiglu_backward,
    .cross_entropy = cross_entropy,
    .draw = draw,
    .narrow = narrow,
    .add = add,
    .adamw = adamw,
    .add_sum = add_sum,
    .add_sum_of_squares = add_sum_of_squares,
};

static int find(struct cuda *c, struct err *err)
{
    int n = 0;
    cudaError_t code = cudaGetDeviceCount(&n);
    if (code != cudaSuccess || n == 0)
        return err_set(err, ERR_USAGE, "found no NVIDIA GPU: %s", cudaGetErrorString(code));
    if (c->ordinal < 0 || c->ordinal >= n)
        return err_set(err, ERR_USAGE, "GPU %d: found %d GPUs, expected 0 to %d", c->ordinal, n,
                       n - 1);
    cuda_check(c, cudaGetDeviceProperties(&c->properties, c->ordinal), "cudaGetDeviceProperties");
    if (!c->failed && c->properties.major < 8)
        return err_set(err, ERR_USAGE,
                       "GPU %d: found %s with compute capability %d.%d, expected 8.0 or newer",
                       c->ordinal, c->properties.name, c->properties.major, c->properties.minor);
    return cuda_status(c, err);
}

/* The part of the GPU's memory that cuDNN's ds may take at a time: 4.4 GiB of an H200's 140. */
#define CUDNN_PART 32

/* A cuDNN that is not there is an error only for who asked for it. */
static int attention_open(struct cuda *c, const struct device_cuda_options *options,
                          struct err *err)
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
    return options->attention == ATTENTION_CUDNN ? err_set(err, missing.kind, "%s", missing.text)
                                                 : 0;
}

static int start(struct cuda *c, const struct device_cuda_options *options, struct err *err)
{
    if (find(c, err) < 0)
        return -1;
    c->device.name = c->properties.name;
    c->launch.multiprocessors = c->properties.multiProcessorCount;
    cuda_check(c, cudaSetDevice(c->ordinal), "cudaSetDevice");
    if (!c->failed)
        cuda_check(c, cudaStreamCreateWithFlags(&c->launch.stream, cudaStreamNonBlocking),
                   "cudaStreamCreate");
    if (!c->failed)
        cuda_check(c, cudaMalloc(&c->launch.scratch, KERNEL_SCRATCH), "cudaMalloc of scratch");
    if (cuda_status(c, err) < 0)
        return -1;
    if (products_open(c, options->choices, !options->fixed, err) < 0)
        return -1;
    return attention_open(c, options, err);
}

int device_cuda_open(struct device **out, const struct device_cuda_options *options,
                     struct err *err)
{
    struct cuda *c = memory_alloc(sizeof *c);
    c->device = (struct device){
        .operations = &operations,
        .number = options->number,
        .element_bytes = options->number == NUMBER_FP32 ? sizeof(float) : sizeof(uint16_t),
    };
    c->ordinal = options->ordinal;
    c->tf32 = options->tf32;
    c->launch.number = options->number;
    if (start(c, options, err) < 0) {
        cuda_close(&c->device);
        return -1;
    }
    *out = &c->device;
    return 0;
}

int device_cuda_of_rank(int local_rank)
{
    int n = 0;
    return cudaGetDeviceCount(&n) == cudaSuccess && n == 1 ? 0 : local_rank;
}

int device_cuda_name(int ordinal, char text[DEVICE_CUDA_NAME], struct err *err)
{
    struct cuda c = {.ordinal = ordinal};
    if (find(&c, err) < 0)
        return -1;
    const unsigned char *u = (const unsigned char *)c.properties.uuid.bytes;
    int n = snprintf(text, DEVICE_CUDA_NAME, "%.64s, GPU", c.properties.name);
    for (int i = 0; i < 16; i++)
        n += snprintf(text + n, (size_t)(DEVICE_CUDA_NAME - n), "%s%02x",
                      i == 0 || i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", u[i]);
    cuda_check(&c, cudaSetDevice(ordinal), "cudaSetDevice");
    return cuda_status(&c, err);
}

void device_cuda_choices(struct device *d, struct buf *out)
{
    products_choices(cuda_of(d), out);
}

void *device_cuda_stream(struct device *d)
{
    return cuda_of(d)->launch.stream;
}

/* By the driver's device file (dxg: in WSL), so that nothing of CUDA is begun in a process that is
 * going to fork. */
bool device_cuda_present(void)
{
    return access("/dev/nvidiactl", F_OK) == 0 || access("/dev/dxg", F_OK) == 0;
}

void device_cuda_libraries(struct buf *out)
{
    int runtime = 0;
    size_t blas = cublasLtGetVersion();
    cudaRuntimeGetVersion(&runtime);
    buf_printf(out, "CUDA %d.%d, cuBLASLt %zu.%zu.%zu", runtime / 1000, runtime % 1000 / 10,
               blas / 10000, blas % 10000 / 100, blas % 100);
}
