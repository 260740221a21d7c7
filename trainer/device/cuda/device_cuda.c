#include "trainer/device/cuda/device_cuda.h"

#include "base/arena.h"
#include "trainer/device/cuda/attention_cudnn.h"
#include "trainer/device/cuda/cuda.h"

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

#define REMARKS_MAX ((size_t)64 << 10)

void cuda_remark(struct cuda *c, const char *fmt, ...)
{
    char line[512];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(line, sizeof line, fmt, ap);
    va_end(ap);
    if (c->remarks.len + sizeof line < REMARKS_MAX)
        buf_printf(&c->remarks, "%s\n", line);
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
    if (!kernel_embed_fits(rows))
        cuda_fail(cuda_of(d), "embedding backward: found %d rows, more than there is scratch for",
                  rows);
    LAUNCH(d, kernel_embed_backward, d_table, tokens, dy, rows, width);
}

static void put_rows(struct device *d, void *y, const void *x, const int32_t *places, int rows,
                     int width)
{
    LAUNCH(d, kernel_put_rows, y, x, places, rows, width);
}

static void layer_norm(struct device *d, const struct layer_norm *n)
{
    LAUNCH(d, kernel_layer_norm, n);
}

static void bias_forward(struct device *d, const struct bias_forward *b)
{
    LAUNCH(d, kernel_bias_forward, b);
}

static void bias_backward(struct device *d, const struct bias_backward *b)
{
    LAUNCH(d, kernel_bias_backward, b);
}

static void patch_rows(struct device *d, const struct patch_rows *p)
{
    LAUNCH(d, kernel_patch_rows, p);
}

static void placed_rows(struct device *d, const struct placed_rows *p)
{
    LAUNCH(d, kernel_placed_rows, p);
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

static void cuda_swiglu_forward(struct device *d, void *y, const void *gate_up, int rows, int width)
{
    LAUNCH(d, kernel_swiglu_forward, y, gate_up, rows, width);
}

static void cuda_swiglu_backward(struct device *d, const struct swiglu_backward *b)
{
    LAUNCH(d, kernel_swiglu_backward, b);
}

static void cuda_thin_down(struct device *d, const struct thin *t, int n)
{
    LAUNCH(d, kernel_thin_down, t, n);
}

static void cuda_thin_up(struct device *d, const struct thin *t, int n)
{
    LAUNCH(d, kernel_thin_up, t, n);
}

static void cuda_thin_gradient(struct device *d, const struct thin *t, int n)
{
    LAUNCH(d, kernel_thin_gradient, t, n);
}

static void unit_rows(struct device *d, const struct unit_rows *u)
{
    LAUNCH(d, kernel_unit_rows, u);
}

static void unit_rows_backward(struct device *d, const struct unit_rows *u, float *gradient)
{
    LAUNCH(d, kernel_unit_rows_backward, u, gradient);
}

static void cross_entropy(struct device *d, const struct cross_entropy *e)
{
    LAUNCH(d, kernel_cross_entropy, e);
}

static void entropy_tops(struct device *d, const struct divided_entropy *e)
{
    LAUNCH(d, kernel_entropy_tops, e);
}

static void entropy_sums(struct device *d, const struct divided_entropy *e)
{
    LAUNCH(d, kernel_entropy_sums, e);
}

static void entropy_gradients(struct device *d, const struct divided_entropy *e)
{
    LAUNCH(d, kernel_entropy_gradients, e);
}

static void narrow(struct device *d, void *to, const float *from, size_t n)
{
    LAUNCH(d, kernel_narrow, to, from, n);
}

static void cuda_add_rows(struct device *d, void *to, const void *a, const void *b, size_t n)
{
    LAUNCH(d, kernel_add_rows, to, a, b, n);
}

static void cuda_add(struct device *d, float *to, const float *x, size_t n)
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

static int free_bytes(struct device *d, size_t *bytes, struct err *err)
{
    struct cuda *c = cuda_of(d);
    size_t total;
    if (!c->failed)
        cuda_check(c, cudaMemGetInfo(bytes, &total), "cudaMemGetInfo");
    return cuda_status(c, err);
}

/* ---- the table ------------------------------------------------------------------------------ */

static void cuda_close(struct device *d)
{
    struct cuda *c = cuda_of(d);
    products_close(c);
    attention_close(c);
    staging_close(c);
    cudaFree(c->scores);
    cudaFree(c->launch.scratch);
    cuda_timer_close(c);
    if (c->launch.stream)
        cudaStreamDestroy(c->launch.stream);
    buf_release(&c->remarks);
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
    .workspace_bytes = attention_workspace,
    .attend_all_bytes = attention_all_bytes,
    .multiply = cuda_multiply,
    .embed_forward = embed_forward,
    .embed_backward = embed_backward,
    .put_rows = put_rows,
    .norm_forward = norm_forward,
    .norm_backward = norm_backward,
    .rotate_forward = rotate_forward,
    .rotate_backward = rotate_backward,
    .attend_forward = attention_forward_any,
    .attend_backward = attention_backward_any,
    .attend_all = attention_all,
    .swiglu_forward = cuda_swiglu_forward,
    .swiglu_backward = cuda_swiglu_backward,
    .layer_norm = layer_norm,
    .bias_forward = bias_forward,
    .bias_backward = bias_backward,
    .patch_rows = patch_rows,
    .placed_rows = placed_rows,
    .thin_down = cuda_thin_down,
    .thin_up = cuda_thin_up,
    .thin_gradient = cuda_thin_gradient,
    .unit_rows = unit_rows,
    .unit_rows_backward = unit_rows_backward,
    .cross_entropy = cross_entropy,
    .entropy_tops = entropy_tops,
    .entropy_sums = entropy_sums,
    .entropy_gradients = entropy_gradients,
    .draw = draw,
    .narrow = narrow,
    .add_rows = cuda_add_rows,
    .add = cuda_add,
    .adamw = adamw,
    .add_sum = add_sum,
    .add_sum_of_squares = add_sum_of_squares,
};

/* The driver has 8 queues for all streams of a process unless it is told otherwise, and streams
 * that share one wait for each other: a stage's send would wait for its receive, and both stages
 * for ever. A rank of every axis has some 30 streams, NCCL's own among them; 32 queues are the
 * most. */
static cudaError_t count_devices(int *n)
{
    setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 0);
    return cudaGetDeviceCount(n);
}

static int find_cuda_card(struct cuda *c, struct err *err)
{
    int n = 0;
    cudaError_t code = count_devices(&n);
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

static int start_cuda(struct cuda *c, const struct device_cuda_options *options, struct err *err)
{
    if (find_cuda_card(c, err) < 0)
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
    buf_init(&c->remarks, REMARKS_MAX);
    if (start_cuda(c, options, err) < 0) {
        cuda_close(&c->device);
        return -1;
    }
    *out = &c->device;
    return 0;
}

int device_cuda_of_rank(int local_rank)
{
    int n = 0;
    return count_devices(&n) == cudaSuccess && n == 1 ? 0 : local_rank;
}

int device_cuda_name(int ordinal, char text[DEVICE_CUDA_NAME], struct err *err)
{
    struct cuda c = {.ordinal = ordinal};
    if (find_cuda_card(&c, err) < 0)
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

void device_cuda_remarks(struct device *d, struct buf *out)
{
    struct buf *kept = &cuda_of(d)->remarks;
    buf_printf(out, "%s", kept->len ? kept->data : "");
    buf_clear(kept);
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
    size_t dnn = attention_cudnn_version();
    if (dnn)
        buf_printf(out, ", cuDNN %zu.%zu.%zu", dnn / 10000, dnn / 100 % 100, dnn % 100);
}
