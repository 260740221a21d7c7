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
 * not asked for (reduction in place), so that the same plan gives the same bits. What an earlier
 * run chose (trainer/device/product_record.h) is taken where the library, the card and the
 * precision are that run's and the library says of the algorithm that it can run here; else it is
 * chosen again.
 */
#include "trainer/device/cuda/cuda.h"

#include "base/arena.h"
#include "trainer/device/product_record.h"

#include <cublasLt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROPOSALS 64
#define TRIES                                                                           \
    4 /* of each proposal; the first warms up. One at a time, at the clock of a moment: \
         what wins so also wins in a training, what wins in a long run does not         \
         (docs/PERFORMANCE.md) */

struct plan {
    struct product_choice choice; /* its algorithm, in the library's form, is `algorithm` */
    cublasLtMatmulDesc_t operation;
    cublasLtMatrixLayout_t a, b, c;
    cublasLtMatmulAlgo_t algorithm;
};

_Static_assert(sizeof(cublasLtMatmulAlgo_t) == PRODUCT_ALGORITHM_WORDS * sizeof(uint64_t),
               "an algorithm of another size");

/* Sums in parts are added up in fp32, in an order that is the algorithm's. */
#define REDUCTIONS ((uint32_t)CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE)

struct products {
    cublasLtHandle_t handle;
    cudaEvent_t begin, end; /* of a try */
    struct plan *plans;
    size_t n_plans;
    struct product_record recorded;
    bool timed;
    bool noted_untimed, noted_refused; /* in remarks, once */
};

static bool lt_check(struct cuda *c, cublasStatus_t code, const char *what)
{
    if (code != CUBLAS_STATUS_SUCCESS)
        cuda_fail(c, "%s: %s", what, cublasLtGetStatusString(code));
    return code == CUBLAS_STATUS_SUCCESS;
}

/* ---- plans ---------------------------------------------------------------------------------- */

static cudaDataType_t data_type(enum number number)
{
    static const cudaDataType_t types[] = {
        [NUMBER_FP32] = CUDA_R_32F, [NUMBER_BF16] = CUDA_R_16BF, [NUMBER_FP16] = CUDA_R_16F};
    return types[number];
}

static bool layout_make(struct cuda *c, cublasLtMatrixLayout_t *out, cudaDataType_t type, int rows,
                        int columns, int ld, int batch, int64_t stride)
{
    return lt_check(c, cublasLtMatrixLayoutCreate(out, type, rows, columns, ld), "matrix layout") &&
           lt_check(c,
                    cublasLtMatrixLayoutSetAttribute(*out, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT,
                                                     &batch, sizeof batch),
                    "batch count") &&
           lt_check(c,
                    cublasLtMatrixLayoutSetAttribute(
                        *out, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &stride, sizeof stride),
                    "batch stride");
}

/* The library's A is our B and the other way round (see above). */
static bool plan_describe(struct cuda *c, struct plan *plan)
{
    const int64_t *k = plan->choice.key.of;
    cudaDataType_t narrow = data_type(c->device.number);
    cudaDataType_t type_c = k[PRODUCT_C_FP32] ? CUDA_R_32F : narrow;
    cublasComputeType_t compute = c->tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F;
    bool across_a = k[PRODUCT_TRANSPOSE_A], across_b = k[PRODUCT_TRANSPOSE_B];
    cublasOperation_t first = across_b ? CUBLAS_OP_T : CUBLAS_OP_N;
    cublasOperation_t second = across_a ? CUBLAS_OP_T : CUBLAS_OP_N;
    int m = (int)k[PRODUCT_M], n = (int)k[PRODUCT_N], inner = (int)k[PRODUCT_K];
    int batch = (int)k[PRODUCT_BATCH];
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
           layout_make(c, &plan->a, narrow, across_b ? inner : n, across_b ? n : inner,
                       (int)k[PRODUCT_LDB], batch, k[PRODUCT_STRIDE_B]) &&
           layout_make(c, &plan->b, narrow, across_a ? m : inner, across_a ? inner : m,
                       (int)k[PRODUCT_LDA], batch, k[PRODUCT_STRIDE_A]) &&
           layout_make(c, &plan->c, type_c, n, m, (int)k[PRODUCT_LDC], batch, k[PRODUCT_STRIDE_C]);
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

/* What the library is asked for; the alignments are those of its A, B and C. */
static bool wishes_set(struct cuda *c, cublasLtMatmulPreference_t wishes, const int64_t *key)
{
    const size_t room = KERNEL_SCRATCH;
    const uint32_t reductions = REDUCTIONS, first = (uint32_t)key[PRODUCT_ALIGN_B],
                   second = (uint32_t)key[PRODUCT_ALIGN_A], out = (uint32_t)key[PRODUCT_ALIGN_C];
    const struct {
        cublasLtMatmulPreferenceAttributes_t attribute;
        const void *value;
        size_t bytes;
    } wanted[] = {
        {CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &room, sizeof room},
        {CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, &reductions, sizeof reductions},
        {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, &first, sizeof first},
        {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, &second, sizeof second},
        {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, &out, sizeof out},
        {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, &out, sizeof out},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (!lt_check(c,
                      cublasLtMatmulPreferenceSetAttribute(wishes, wanted[i].attribute,
                                                           wanted[i].value, wanted[i].bytes),
                      "preferences"))
            return false;
    return true;
}

static int proposals_get(struct cuda *c, const struct plan *plan,
                         cublasLtMatmulHeuristicResult_t *out)
{
    cublasLtMatmulPreference_t wishes = NULL;
    int n = 0;
    if (!lt_check(c, cublasLtMatmulPreferenceCreate(&wishes), "preferences"))
        return 0;
    if (wishes_set(c, wishes, plan->choice.key.of))
        lt_check(c,
                 cublasLtMatmulAlgoGetHeuristic(c->products->handle, plan->operation, plan->a,
                                                plan->b, plan->c, plan->c, wishes, PROPOSALS, out,
                                                &n),
                 "no algorithm for a matrix product");
    cublasLtMatmulPreferenceDestroy(wishes);
    return n;
}

/* Shortest of a few runs, in microseconds; negative when it cannot run. */
static double algorithm_time(struct cuda *c, const struct plan *plan,
                             const cublasLtMatmulAlgo_t *algorithm, const struct matrix_product *p,
                             void *to)
{
    const struct products *all = c->products;
    double best = -1;
    for (int i = 0; i < TRIES; i++) {
        float milliseconds;
        if (cudaEventRecord(all->begin, c->launch.stream) != cudaSuccess ||
            plan_run(c, plan, algorithm, p, to) != CUBLAS_STATUS_SUCCESS ||
            cudaEventRecord(all->end, c->launch.stream) != cudaSuccess ||
            cudaEventSynchronize(all->end) != cudaSuccess ||
            cudaEventElapsedTime(&milliseconds, all->begin, all->end) != cudaSuccess)
            break;
        if (i > 0 && (best < 0 || milliseconds * 1e3 < best))
            best = milliseconds * 1e3;
    }
    return best;
}

static size_t product_bytes(const struct cuda *c, const int64_t *key)
{
    size_t size = key[PRODUCT_C_FP32] ? sizeof(float) : c->device.element_bytes;
    size_t stride = (size_t)key[PRODUCT_STRIDE_C], batch = (size_t)key[PRODUCT_BATCH];
    return (stride * (batch - 1) + (size_t)key[PRODUCT_LDC] * (size_t)key[PRODUCT_M]) * size;
}

/* Without memory to try them in, or when none of them runs, it is the library's first. */
static void plan_untimed(struct cuda *c, const struct plan *plan, const char *why)
{
    const int64_t *k = plan->choice.key.of;
    cudaGetLastError(); /* that one is dealt with; what is broken shows again */
    if (!c->products->noted_untimed)
        cuda_remark(c,
                    "matrix products are not all timed: %s for one of [%lld, %lld] by [%lld, "
                    "%lld], the library's first proposal is taken and another run may choose "
                    "another one",
                    why, (long long)k[PRODUCT_M], (long long)k[PRODUCT_K], (long long)k[PRODUCT_K],
                    (long long)k[PRODUCT_N]);
    c->products->noted_untimed = true;
}

/* The fastest proposal, writing to memory of attention's that it does not need at the moment, or to
 * some that is given back. */
static void plan_time(struct cuda *c, struct plan *plan, const struct matrix_product *p,
                      const cublasLtMatmulHeuristicResult_t *proposals, int n)
{
    void *own = NULL, *to;
    double best = 0;
    size_t bytes = product_bytes(c, plan->choice.key.of);
    plan->algorithm = proposals[0].algo;
    if (n < 2)
        return;
    to = attention_spare(c, bytes);
    if (!to && cudaMalloc(&own, bytes) != cudaSuccess) {
        plan_untimed(c, plan, "there is no memory to time the algorithms");
        return;
    }
    to = to ? to : own;
    cudaMemsetAsync(to, 0, bytes, c->launch.stream);
    for (int i = 0; i < n; i++) {
        double time = algorithm_time(c, plan, &proposals[i].algo, p, to);
        if (time > 0 && (best <= 0 || time < best)) {
            best = time;
            plan->algorithm = proposals[i].algo;
        }
    }
    if (best <= 0)
        plan_untimed(c, plan, "none of the proposals runs");
    plan->choice.microseconds = best;
    cudaFree(own);
}

/* A recorded algorithm is 64 bytes from a file: the library says whether they are one that can run
 * this product here, and adds up in a fixed order. */
static bool algorithm_passes(const struct cuda *c, const struct plan *plan,
                             const cublasLtMatmulAlgo_t *algorithm)
{
    cublasLtMatmulHeuristicResult_t result;
    uint32_t reduction = 0;
    size_t written = 0;
    return cublasLtMatmulAlgoCheck(c->products->handle, plan->operation, plan->a, plan->b, plan->c,
                                   plan->c, algorithm, &result) == CUBLAS_STATUS_SUCCESS &&
           result.state == CUBLAS_STATUS_SUCCESS && result.workspaceSize <= KERNEL_SCRATCH &&
           cublasLtMatmulAlgoConfigGetAttribute(algorithm, CUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME,
                                                &reduction, sizeof reduction,
                                                &written) == CUBLAS_STATUS_SUCCESS &&
           (reduction & ~REDUCTIONS) == 0;
}

static bool plan_repeat(struct cuda *c, struct plan *plan)
{
    struct products *all = c->products;
    const struct product_choice *recorded = product_record_find(&all->recorded, &plan->choice.key);
    const int64_t *k = plan->choice.key.of;
    cublasLtMatmulAlgo_t algorithm;
    if (!recorded)
        return false;
    memcpy(algorithm.data, recorded->algorithm, sizeof algorithm.data);
    if (algorithm_passes(c, plan, &algorithm)) {
        plan->algorithm = algorithm;
        plan->choice.microseconds = recorded->microseconds;
        return true;
    }
    if (!all->noted_refused)
        cuda_remark(c,
                    "the recorded algorithm for a product of [%lld, %lld] by [%lld, %lld] is none "
                    "that this cuBLASLt can run: it is chosen again, and the last digits may "
                    "differ from those of that run",
                    (long long)k[PRODUCT_M], (long long)k[PRODUCT_K], (long long)k[PRODUCT_K],
                    (long long)k[PRODUCT_N]);
    all->noted_refused = true;
    return false;
}

static void plan_choose(struct cuda *c, struct plan *plan, const struct matrix_product *p)
{
    cublasLtMatmulHeuristicResult_t proposals[PROPOSALS];
    if (plan_repeat(c, plan))
        return;
    int n = proposals_get(c, plan, proposals);
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
    struct product_key key = product_key_of(p);
    for (size_t i = 0; i < all->n_plans; i++)
        if (product_key_same(&all->plans[i].choice.key, &key))
            return &all->plans[i];
    struct plan plan = {.choice.key = key};
    if (plan_describe(c, &plan))
        plan_choose(c, &plan, p);
    memcpy(plan.choice.algorithm, plan.algorithm.data, sizeof plan.choice.algorithm);
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

/* What an algorithm depends on beside its product: the library, the card, the precision. */
static const char *place_of_product(const struct cuda *c, char text[PRODUCT_PLACE_MAX])
{
    static const char *const numbers[] = {
        [NUMBER_FP32] = "fp32", [NUMBER_BF16] = "bf16", [NUMBER_FP16] = "fp16"};
    size_t version = cublasLtGetVersion();
    snprintf(text, PRODUCT_PLACE_MAX, "cuBLASLt %zu.%zu.%zu, %.64s, %d.%d, %d multiprocessors, %s",
             version / 10000, version % 10000 / 100, version % 100, c->properties.name,
             c->properties.major, c->properties.minor, c->properties.multiProcessorCount,
             c->tf32 ? "tf32" : numbers[c->device.number]);
    return text;
}

void products_choices(const struct cuda *c, struct buf *out)
{
    char place[PRODUCT_PLACE_MAX];
    product_record_head(out, place_of_product(c, place));
    for (size_t i = 0; i < c->products->n_plans; i++)
        product_record_line(out, &c->products->plans[i].choice);
}

/* Choices that were made elsewhere are none for here. */
static int record_take(struct cuda *c, const char *choices, struct err *err)
{
    struct product_record *r = &c->products->recorded;
    char place[PRODUCT_PLACE_MAX];
    if (product_record_read(r, choices, err) < 0)
        return -1;
    if (!choices || !*choices || strcmp(r->place, place_of_product(c, place)) == 0)
        return 0;
    cuda_remark(c,
                "the recorded algorithms of matrix products are of %s, here it is %s: they are "
                "chosen again, and the last digits may differ from those of that run",
                r->place[0] ? r->place : "a version that did not say where they were chosen",
                place);
    product_record_release(r);
    return 0;
}

size_t products_room(const struct cuda *c, size_t largest)
{
    return c->products->timed ? largest : 0;
}

/* ---- birth and death ------------------------------------------------------------------------ */

int products_open(struct cuda *c, const char *choices, bool timed, struct err *err)
{
    c->products = memory_alloc(sizeof *c->products);
    c->products->timed = timed;
    if (record_take(c, choices, err) < 0)
        return -1;
    if (lt_check(c, cublasLtCreate(&c->products->handle), "cublasLtCreate") &&
        cuda_check(c, cudaEventCreate(&c->products->begin), "cudaEventCreate"))
        cuda_check(c, cudaEventCreate(&c->products->end), "cudaEventCreate");
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
    if (c->products->begin)
        cudaEventDestroy(c->products->begin);
    if (c->products->end)
        cudaEventDestroy(c->products->end);
    free(c->products->plans);
    product_record_release(&c->products->recorded);
    free(c->products);
}
