/*
 * Matrix products by cuBLASLt.
 *
 * cuBLASLt counts by columns: a row-major [rows, columns] with leading dimension ld is its
 * column-major [columns, rows] with the same ld. So C = op(A) op(B) is asked for as
 * C^T = op(B)^T op(A)^T, and no byte moves.
 *
 * Every shape is a plan: descriptors and an algorithm, made when the shape comes up first. Which
 * algorithm is best is found by timing the library's proposals on the operands at hand, with the
 * product going to memory of its own. Algorithms that add up parts of a sum in no fixed order are
 * not asked for (reduction in place), so that the same plan gives the same bits.
 */
#include "trainer/cuda/cuda.h"

#include "base/arena.h"

#include <cublasLt.h>
#include <stdlib.h>
#include <string.h>

#define PROPOSALS 16
#define TRIES                                                                           \
    4 /* of each proposal; the first warms up. One at a time, at the clock of a moment: \
         what wins so also wins in a training, what wins in a long run does not         \
         (docs/PERFORMANCE.md) */

/* What tells plans apart. Alpha is always passed at run time. */
struct product_key {
    int m, n, k, lda, ldb, ldc, batch;
    int transpose_a, transpose_b, adds, c_fp32;
    size_t stride_a, stride_b, stride_c;
};

struct plan {
    struct product_key key;
    cublasLtMatmulDesc_t operation;
    cublasLtMatrixLayout_t a, b, c;
    cublasLtMatmulAlgo_t algorithm;
    double microseconds; /* when it was chosen by timing; 0 */
};

struct products {
    cublasLtHandle_t handle;
    struct plan *plans;
    size_t n_plans;
    struct plan *recorded; /* key and algorithm only, from an earlier run */
    size_t n_recorded;
    bool timed;
};

static bool lt_check(struct cuda *c, cublasStatus_t code, const char *what)
{
    if (code != CUBLAS_STATUS_SUCCESS)
        cuda_fail(c, "%s: %s", what, cublasLtGetStatusString(code));
    return code == CUBLAS_STATUS_SUCCESS;
}

/* ---- plans ---------------------------------------------------------------------------------- */

static struct product_key key_of(const struct matrix_product *p)
{
    struct product_key key;
    memset(&key, 0, sizeof key); /* compared as bytes */
    key.m = p->m;
    key.n = p->n;
    key.k = p->k;
    key.lda = p->lda ? p->lda : p->transpose_a ? p->m : p->k;
    key.ldb = p->ldb ? p->ldb : p->transpose_b ? p->k : p->n;
    key.ldc = p->ldc ? p->ldc : p->n;
    key.batch = p->batch ? p->batch : 1;
    key.transpose_a = p->transpose_a;
    key.transpose_b = p->transpose_b;
    key.adds = p->beta != 0;
    key.c_fp32 = p->c_fp32;
    key.stride_a = p->stride_a;
    key.stride_b = p->stride_b;
    key.stride_c = p->stride_c;
    return key;
}

static cudaDataType_t data_type(enum number number)
{
    static const cudaDataType_t types[] = {
        [NUMBER_FP32] = CUDA_R_32F, [NUMBER_BF16] = CUDA_R_16BF, [NUMBER_FP16] = CUDA_R_16F};
    return types[number];
}

static bool layout_make(struct cuda *c, cublasLtMatrixLayout_t *out, cudaDataType_t type, int rows,
                        int columns, int ld, int batch, size_t stride)
{
    int64_t apart = (int64_t)stride;
    return lt_check(c, cublasLtMatrixLayoutCreate(out, type, rows, columns, ld), "matrix layout") &&
           lt_check(c,
                    cublasLtMatrixLayoutSetAttribute(*out, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT,
                                                     &batch, sizeof batch),
                    "batch count") &&
           lt_check(c,
                    cublasLtMatrixLayoutSetAttribute(
                        *out, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &apart, sizeof apart),
                    "batch stride");
}

/* The library's A is our B and the other way round (see above). */
static bool plan_describe(struct cuda *c, struct plan *plan)
{
    const struct product_key *k = &plan->key;
    cudaDataType_t narrow = data_type(c->device.number);
    cudaDataType_t type_c = k->c_fp32 ? CUDA_R_32F : narrow;
    cublasComputeType_t compute = c->tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F;
    cublasOperation_t first = k->transpose_b ? CUBLAS_OP_T : CUBLAS_OP_N;
    cublasOperation_t second = k->transpose_a ? CUBLAS_OP_T : CUBLAS_OP_N;
    return lt_check(c, cublasLtMatmulDescCreate(&plan->operation, compute, CUDA_R_32F),
                    "product descriptor") &&
           lt_check(c,
                    cublasLtMatmulDescSetAttribute(plan->operation, CUBLASLT_MATMUL_DESC_TRANSA,
                                                   &first, sizeof first),
                    "transposition") &&
           lt_check(c,
                    cublasLtMatmulDescSetAttribute(plan->operation, CUBLASLT_MATMUL_DESC_TRANSB,
                                                   &second, sizeof second),
                    "transposition") &&
           layout_make(c, &plan->a, narrow, k->transpose_b ? k->k : k->n,
                       k->transpose_b ? k->n : k->k, k->ldb, k->batch, k->stride_b) &&
           layout_make(c, &plan->b, narrow, k->transpose_a ? k->m : k->k,
                       k->transpose_a ? k->k : k->m, k->lda, k->batch, k->stride_a) &&
           layout_make(c, &plan->c, type_c, k->n, k->m, k->ldc, k->batch, k->stride_c);
}

static void plan_release(struct plan *plan)
{
    if (plan->operation)
        cublasLtMatmulDescDestroy(plan->operation);
    cublasLtMatrixLayout_t layouts[] = {plan->a, plan->b, plan->c};
    for (int i = 0; i < 3; i++)
        if (layouts[i])
            cublasLtMatrixLayoutDestroy(layouts[i]);
}

static cublasStatus_t plan_run(struct cuda *c, const struct plan *plan,
                               const cublasLtMatmulAlgo_t *algorithm,
                               const struct matrix_product *p, void *to)
{
    return cublasLtMatmul(c->products->handle, plan->operation, &p->alpha, p->b, plan->a, p->a,
                          plan->b, &p->beta, to, plan->c, to, plan->c, algorithm, c->launch.scratch,
                          KERNEL_SCRATCH, c->launch.stream);
}

/* ---- the choice of an algorithm ------------------------------------------------------------- */

static int proposals_get(struct cuda *c, const struct plan *plan, const struct matrix_product *p,
                         cublasLtMatmulHeuristicResult_t *out)
{
    cublasLtMatmulPreference_t wishes = NULL;
    size_t room = KERNEL_SCRATCH;
    uint32_t reductions = CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE;
    uint32_t aligned = 16;
    int n = 0;
    bool wide = (uintptr_t)p->a % 16 == 0 && (uintptr_t)p->b % 16 == 0 && (uintptr_t)p->c % 16 == 0;
    uint32_t alignment = wide ? aligned : (uint32_t)c->device.element_bytes;
    const struct {
        cublasLtMatmulPreferenceAttributes_t attribute;
        const void *value;
        size_t bytes;
    } wanted[] = {
        {CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &room, sizeof room},
        {CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, &reductions, sizeof reductions},
        {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, &alignment, sizeof alignment},
        {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, &alignment, sizeof alignment},
        {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, &alignment, sizeof alignment},
        {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, &alignment, sizeof alignment},
    };
    bool ok = lt_check(c, cublasLtMatmulPreferenceCreate(&wishes), "preferences");
    for (size_t i = 0; ok && i < sizeof wanted / sizeof *wanted; i++)
        ok = lt_check(c,
                      cublasLtMatmulPreferenceSetAttribute(wishes, wanted[i].attribute,
                                                           wanted[i].value, wanted[i].bytes),
                      "preferences");
    if (ok)
        lt_check(c,
                 cublasLtMatmulAlgoGetHeuristic(c->products->handle, plan->operation, plan->a,
                                                plan->b, plan->c, plan->c, wishes, PROPOSALS, out,
                                                &n),
                 "no algorithm for a matrix product");
    if (wishes)
        cublasLtMatmulPreferenceDestroy(wishes);
    return n;
}

/* Shortest of a few runs, in microseconds; negative when it cannot run. */
static double algorithm_time(struct cuda *c, const struct plan *plan,
                             const cublasLtMatmulAlgo_t *algorithm, const struct matrix_product *p,
                             void *to)
{
    cudaEvent_t begin, end;
    double best = -1;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    for (int i = 0; i < TRIES; i++) {
        float milliseconds;
        cudaEventRecord(begin, c->launch.stream);
        if (plan_run(c, plan, algorithm, p, to) != CUBLAS_STATUS_SUCCESS)
            break;
        cudaEventRecord(end, c->launch.stream);
        if (cudaEventSynchronize(end) != cudaSuccess ||
            cudaEventElapsedTime(&milliseconds, begin, end) != cudaSuccess)
            break;
        if (i > 0 && (best < 0 || milliseconds * 1e3 < best))
            best = milliseconds * 1e3;
    }
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    return best;
}

static size_t product_bytes(const struct cuda *c, const struct product_key *k)
{
    size_t size = k->c_fp32 ? sizeof(float) : c->device.element_bytes;
    return (k->stride_c * (k->batch - 1) + (size_t)k->ldc * k->m) * size;
}

/* The fastest proposal; the first one where there is no memory to try them in. */
static void plan_time(struct cuda *c, struct plan *plan, const struct matrix_product *p,
                      const cublasLtMatmulHeuristicResult_t *proposals, int n)
{
    void *to = NULL;
    plan->algorithm = proposals[0].algo;
    if (n < 2 || cudaMalloc(&to, product_bytes(c, &plan->key)) != cudaSuccess) {
        cudaGetLastError();
        return;
    }
    cudaMemsetAsync(to, 0, product_bytes(c, &plan->key), c->launch.stream);
    for (int i = 0; i < n; i++) {
        double time = algorithm_time(c, plan, &proposals[i].algo, p, to);
        if (time > 0 && (plan->microseconds <= 0 || time < plan->microseconds)) {
            plan->microseconds = time;
            plan->algorithm = proposals[i].algo;
        }
    }
    cudaFree(to);
}

static const struct plan *plan_recorded(const struct products *all, const struct product_key *key)
{
    for (size_t i = 0; i < all->n_recorded; i++)
        if (memcmp(&all->recorded[i].key, key, sizeof *key) == 0)
            return &all->recorded[i];
    return NULL;
}

static void plan_choose(struct cuda *c, struct plan *plan, const struct matrix_product *p)
{
    cublasLtMatmulHeuristicResult_t proposals[PROPOSALS];
    const struct plan *recorded = plan_recorded(c->products, &plan->key);
    if (recorded) {
        plan->algorithm = recorded->algorithm;
        plan->microseconds = recorded->microseconds;
        return;
    }
    int n = proposals_get(c, plan, p, proposals);
    if (n == 0)
        cuda_fail(c, "no algorithm for a product of [%d, %d] by [%d, %d]", p->m, p->k, p->k, p->n);
    else if (c->products->timed)
        plan_time(c, plan, p, proposals, n);
    else
        plan->algorithm = proposals[0].algo;
}

static const struct plan *plan_for(struct cuda *c, const struct matrix_product *p)
{
    struct products *all = c->products;
    struct product_key key = key_of(p);
    for (size_t i = 0; i < all->n_plans; i++)
        if (memcmp(&all->plans[i].key, &key, sizeof key) == 0)
            return &all->plans[i];
    struct plan plan = {.key = key};
    if (plan_describe(c, &plan))
        plan_choose(c, &plan, p);
    if (c->failed) {
        plan_release(&plan);
        return NULL;
    }
    all->plans = memory_grow(all->plans, (all->n_plans + 1) * sizeof plan);
    all->plans[all->n_plans] = plan;
    return &all->plans[all->n_plans++];
}

void cuda_multiply(struct device *d, const struct matrix_product *p)
{
    struct cuda *c = cuda_of(d);
    if (c->failed)
        return;
    const struct plan *plan = plan_for(c, p);
    if (plan)
        lt_check(c, plan_run(c, plan, &plan->algorithm, p, p->c), "matrix product");
}

/* ---- the record of choices ------------------------------------------------------------------ */

/* One line per plan: the numbers of the key, the time, the 64 bytes of the algorithm in hex. */
void products_choices(const struct cuda *c, struct buf *out)
{
    for (size_t i = 0; i < c->products->n_plans; i++) {
        const struct plan *plan = &c->products->plans[i];
        const struct product_key *k = &plan->key;
        buf_printf(out, "%d %d %d %d %d %d %d %d %d %d %d %zu %zu %zu %.1f ", k->m, k->n, k->k,
                   k->lda, k->ldb, k->ldc, k->batch, k->transpose_a, k->transpose_b, k->adds,
                   k->c_fp32, k->stride_a, k->stride_b, k->stride_c, plan->microseconds);
        for (size_t word = 0; word < 8; word++)
            buf_printf(out, "%016llx", (unsigned long long)plan->algorithm.data[word]);
        buf_printf(out, "\n");
    }
}

static bool choice_read(const char *line, struct plan *out)
{
    struct product_key *k = &out->key;
    unsigned long long word;
    int used = 0, digits;
    memset(out, 0, sizeof *out);
    if (sscanf(line, "%d %d %d %d %d %d %d %d %d %d %d %zu %zu %zu %lf %n", &k->m, &k->n, &k->k,
               &k->lda, &k->ldb, &k->ldc, &k->batch, &k->transpose_a, &k->transpose_b, &k->adds,
               &k->c_fp32, &k->stride_a, &k->stride_b, &k->stride_c, &out->microseconds,
               &used) != 15)
        return false;
    line += used;
    for (int i = 0; i < 8; i++, line += digits) {
        if (sscanf(line, "%16llx%n", &word, &digits) != 1 || digits != 16)
            return false;
        out->algorithm.data[i] = word;
    }
    return *line == '\n' || *line == '\0';
}

static int choices_read(struct products *all, const char *text, struct err *err)
{
    for (int number = 1; text && *text; number++) {
        struct plan plan;
        if (!choice_read(text, &plan))
            return err_set(err, ERR_INPUT, "line %d of the recorded products is malformed", number);
        all->recorded = memory_grow(all->recorded, (all->n_recorded + 1) * sizeof plan);
        all->recorded[all->n_recorded++] = plan;
        const char *end = strchr(text, '\n');
        text = end ? end + 1 : NULL;
    }
    return 0;
}

/* ---- birth and death ------------------------------------------------------------------------ */

int products_open(struct cuda *c, const char *choices, bool timed, struct err *err)
{
    c->products = memory_alloc(sizeof *c->products);
    c->products->timed = timed;
    if (choices_read(c->products, choices, err) < 0)
        return -1;
    lt_check(c, cublasLtCreate(&c->products->handle), "cublasLtCreate");
    return cuda_status(c, err);
}

void products_close(struct cuda *c)
{
    if (!c->products)
        return;
    for (size_t i = 0; i < c->products->n_plans; i++)
        plan_release(&c->products->plans[i]);
    if (c->products->handle)
        cublasLtDestroy(c->products->handle);
    free(c->products->plans);
    free(c->products->recorded);
    free(c->products);
}
