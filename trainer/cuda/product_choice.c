/* Which algorithm a plan takes (product.h): the library's proposals, varied, tried on the GPU. */
#include "trainer/cuda/product.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

#define PROPOSALS 16
#define SWIZZLES 4 /* orders in which the blocks of a product walk over it; 0 is none */
#define FINALISTS 6
#define ROUNDS 7

/* ---- proposals ------------------------------------------------------------------------------ */

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
    bool ok = product_check(c, cublasLtMatmulPreferenceCreate(&wishes), "preferences");
    for (size_t i = 0; ok && i < sizeof wanted / sizeof *wanted; i++)
        ok = product_check(c,
                           cublasLtMatmulPreferenceSetAttribute(wishes, wanted[i].attribute,
                                                                wanted[i].value, wanted[i].bytes),
                           "preferences");
    if (ok)
        product_check(c,
                      cublasLtMatmulAlgoGetHeuristic(c->products->handle, plan->operation, plan->a,
                                                     plan->b, plan->c, plan->c, wishes, PROPOSALS,
                                                     out, &n),
                      "no algorithm for a matrix product");
    if (wishes)
        cublasLtMatmulPreferenceDestroy(wishes);
    return n;
}

/* The algorithm with another order of its blocks: what neighbours read from memory they then share
 * in the cache, which saves power where the clock hangs on it. False where that is none. */
static bool swizzled(struct cuda *c, const struct plan *plan, cublasLtMatmulAlgo_t *algorithm,
                     uint32_t order)
{
    cublasLtMatmulHeuristicResult_t checked;
    uint32_t present;
    size_t bytes;
    return cublasLtMatmulAlgoConfigGetAttribute(algorithm, CUBLASLT_ALGO_CONFIG_CTA_SWIZZLING,
                                                &present, sizeof present,
                                                &bytes) == CUBLAS_STATUS_SUCCESS &&
           present != order &&
           cublasLtMatmulAlgoConfigSetAttribute(algorithm, CUBLASLT_ALGO_CONFIG_CTA_SWIZZLING,
                                                &order, sizeof order) == CUBLAS_STATUS_SUCCESS &&
           cublasLtMatmulAlgoCheck(c->products->handle, plan->operation, plan->a, plan->b, plan->c,
                                   plan->c, algorithm, &checked) == CUBLAS_STATUS_SUCCESS &&
           checked.workspaceSize <= KERNEL_SCRATCH;
}

/* An algorithm, and how long it took in microseconds. */
struct candidate {
    cublasLtMatmulAlgo_t algorithm;
    double microseconds;
};

static int vary(struct cuda *c, const struct plan *plan,
                const cublasLtMatmulHeuristicResult_t *proposals, int n, struct candidate *out)
{
    int made = 0;
    for (int i = 0; i < n; i++) {
        out[made++].algorithm = proposals[i].algo;
        for (uint32_t order = 0; order < SWIZZLES; order++) {
            out[made].algorithm = proposals[i].algo;
            made += swizzled(c, plan, &out[made].algorithm, order);
        }
    }
    return made;
}

/* ---- trials --------------------------------------------------------------------------------- */

/* What is tried, and where the product goes meanwhile. */
struct trial {
    struct cuda *c;
    const struct plan *plan;
    const struct matrix_product *product;
    void *to;
    cudaEvent_t begin, end;
};

/* One run, in microseconds; 0 when it could not run. */
static double run_time(const struct trial *t, const cublasLtMatmulAlgo_t *algorithm)
{
    float milliseconds;
    cudaStream_t stream = t->c->launch.stream;
    cudaEventRecord(t->begin, stream);
    if (product_run(t->c, t->plan, algorithm, t->product, t->to) != CUBLAS_STATUS_SUCCESS)
        return 0;
    cudaEventRecord(t->end, stream);
    if (cudaEventSynchronize(t->end) != cudaSuccess ||
        cudaEventElapsedTime(&milliseconds, t->begin, t->end) != cudaSuccess)
        return 0;
    return 1e3 * milliseconds;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int by_time(const void *a, const void *b)
{
    return by_size(&((const struct candidate *)a)->microseconds,
                   &((const struct candidate *)b)->microseconds);
}

/* The shorter of two runs behind one that warms up: enough to find those worth a second look. The
 * ones that work come first, sorted; returns how many. */
static int try_all(const struct trial *t, struct candidate *all, int n)
{
    int worked = 0;
    for (int i = 0; i < n; i++) {
        double first = run_time(t, &all[i].algorithm) > 0 ? run_time(t, &all[i].algorithm) : 0;
        double second = first > 0 ? run_time(t, &all[i].algorithm) : 0;
        if (second > 0) {
            all[worked] = all[i];
            all[worked++].microseconds = first < second ? first : second;
        }
    }
    qsort(all, (size_t)worked, sizeof *all, by_time);
    return worked;
}

/* The best take turns, so that a clock that falls meanwhile falls for all of them: the median
 * decides. */
static void try_finalists(const struct trial *t, struct candidate *all, int n)
{
    double times[FINALISTS][ROUNDS];
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < n; i++)
            times[i][round] = run_time(t, &all[i].algorithm);
    for (int i = 0; i < n; i++) {
        qsort(times[i], ROUNDS, sizeof **times, by_size);
        all[i].microseconds = times[i][ROUNDS / 2];
    }
    qsort(all, (size_t)n, sizeof *all, by_time);
}

static size_t product_bytes(const struct cuda *c, const struct product_key *k)
{
    size_t size = k->c_fp32 ? sizeof(float) : c->device.element_bytes;
    return (k->stride_c * (k->batch - 1) + (size_t)k->ldc * k->m) * size;
}

/* The fastest; where there is no memory to try them in, nothing is changed. */
static void plan_time(struct cuda *c, struct plan *plan, const struct matrix_product *p,
                      const cublasLtMatmulHeuristicResult_t *proposals, int n)
{
    struct candidate all[PROPOSALS * (SWIZZLES + 1)];
    struct trial t = {.c = c, .plan = plan, .product = p};
    if (cudaMalloc(&t.to, product_bytes(c, &plan->key)) != cudaSuccess) {
        cudaGetLastError();
        return;
    }
    cudaMemsetAsync(t.to, 0, product_bytes(c, &plan->key), c->launch.stream);
    if (cuda_check(c, cudaEventCreate(&t.begin), "an event") &&
        cuda_check(c, cudaEventCreate(&t.end), "an event")) {
        int worked = try_all(&t, all, vary(c, plan, proposals, n, all));
        try_finalists(&t, all, worked < FINALISTS ? worked : FINALISTS);
        if (worked > 0) {
            plan->algorithm = all[0].algorithm;
            plan->microseconds = all[0].microseconds;
        }
    }
    if (t.begin)
        cudaEventDestroy(t.begin);
    if (t.end)
        cudaEventDestroy(t.end);
    cudaFree(t.to);
}

static const struct plan *plan_recorded(const struct products *all, const struct product_key *key)
{
    for (size_t i = 0; i < all->n_recorded; i++)
        if (memcmp(&all->recorded[i].key, key, sizeof *key) == 0)
            return &all->recorded[i];
    return NULL;
}

void product_choose(struct cuda *c, struct plan *plan, const struct matrix_product *p)
{
    cublasLtMatmulHeuristicResult_t proposals[PROPOSALS];
    const struct plan *recorded = plan_recorded(c->products, &plan->key);
    if (recorded) {
        plan->algorithm = recorded->algorithm;
        plan->microseconds = recorded->microseconds;
        return;
    }
    int n = proposals_get(c, plan, p, proposals);
    if (n == 0) {
        cuda_fail(c, "no algorithm for a product of [%d, %d] by [%d, %d]", p->m, p->k, p->k, p->n);
        return;
    }
    plan->algorithm = proposals[0].algo;
    if (c->products->timed)
        plan_time(c, plan, p, proposals, n);
}
