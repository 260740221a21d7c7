/* Plans of matrix products, and running them (product.h). */
#include "trainer/cuda/product.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

bool product_check(struct cuda *c, cublasStatus_t code, const char *what)
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
    return product_check(c, cublasLtMatrixLayoutCreate(out, type, rows, columns, ld),
                         "matrix layout") &&
           product_check(c,
                         cublasLtMatrixLayoutSetAttribute(*out, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT,
                                                          &batch, sizeof batch),
                         "batch count") &&
           product_check(
               c,
               cublasLtMatrixLayoutSetAttribute(*out, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET,
                                                &apart, sizeof apart),
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
    return product_check(c, cublasLtMatmulDescCreate(&plan->operation, compute, CUDA_R_32F),
                         "product descriptor") &&
           product_check(c,
                         cublasLtMatmulDescSetAttribute(
                             plan->operation, CUBLASLT_MATMUL_DESC_TRANSA, &first, sizeof first),
                         "transposition") &&
           product_check(c,
                         cublasLtMatmulDescSetAttribute(
                             plan->operation, CUBLASLT_MATMUL_DESC_TRANSB, &second, sizeof second),
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

cublasStatus_t product_run(struct cuda *c, const struct plan *plan,
                           const cublasLtMatmulAlgo_t *algorithm, const struct matrix_product *p,
                           void *to)
{
    return cublasLtMatmul(c->products->handle, plan->operation, &p->alpha, p->b, plan->a, p->a,
                          plan->b, &p->beta, to, plan->c, to, plan->c, algorithm, c->launch.scratch,
                          KERNEL_SCRATCH, c->launch.stream);
}

/* The number of the shape's plan, which is made when there is none; negative when that fails. */
static ptrdiff_t plan_for(struct cuda *c, const struct matrix_product *p)
{
    struct products *all = c->products;
    struct plan plan = {.key = key_of(p)};
    for (size_t i = 0; i < all->n_plans; i++)
        if (memcmp(&all->plans[i].key, &plan.key, sizeof plan.key) == 0)
            return (ptrdiff_t)i;
    if (plan_describe(c, &plan))
        product_choose(c, &plan, p);
    if (c->failed) {
        plan_release(&plan);
        return -1;
    }
    all->plans = memory_grow(all->plans, (all->n_plans + 1) * sizeof plan);
    all->plans[all->n_plans] = plan;
    return (ptrdiff_t)all->n_plans++;
}

void cuda_multiply(struct device *d, const struct matrix_product *p)
{
    struct cuda *c = cuda_of(d);
    ptrdiff_t which = c->failed ? -1 : plan_for(c, p);
    if (which < 0)
        return;
    const struct plan *plan = &c->products->plans[which];
    product_check(c, product_run(c, plan, &plan->algorithm, p, p->c), "matrix product");
}

/* ---- birth and death ------------------------------------------------------------------------ */

int products_open(struct cuda *c, const char *choices, bool timed, struct err *err)
{
    c->products = memory_alloc(sizeof *c->products);
    c->products->timed = timed;
    if (product_record_read(c->products, choices, err) < 0)
        return -1;
    product_check(c, cublasLtCreate(&c->products->handle), "cublasLtCreate");
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
