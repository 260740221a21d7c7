/*
 * product: matrix products by cuBLASLt, in three files.
 *
 *   product.c          plans, running them, opening and closing
 *   product_choice.c   which algorithm a plan takes: found by trying
 *   product_record.c   the choices as text, for a later run to repeat
 *
 * cuBLASLt counts by columns: a row-major [rows, columns] with leading dimension ld is its
 * column-major [columns, rows] with the same ld. So C = op(A) op(B) is asked for as
 * C^T = op(B)^T op(A)^T, and no byte moves.
 *
 * Every shape is a plan: descriptors and an algorithm, made when the shape comes up first. Which
 * algorithm is best is found by timing the library's proposals, and each with other orders of its
 * blocks, on the operands at hand, with the product going to memory of its own. Algorithms that add
 * up parts of a sum in no fixed order are not asked for (reduction in place), so that the same
 * choice gives the same bits.
 */
#ifndef TRAINER_CUDA_PRODUCT_H
#define TRAINER_CUDA_PRODUCT_H

#include "trainer/cuda/cuda.h"

#include <cublasLt.h>

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

/* False when the code is no success; the device has failed then. */
bool product_check(struct cuda *c, cublasStatus_t code, const char *what);

cublasStatus_t product_run(struct cuda *c, const struct plan *plan,
                           const cublasLtMatmulAlgo_t *algorithm, const struct matrix_product *p,
                           void *to);

/* Gives a new plan its algorithm. */
void product_choose(struct cuda *c, struct plan *plan, const struct matrix_product *p);

/* What the text says goes to `recorded`. NULL is no text. ERR_INPUT names a malformed line. */
int product_record_read(struct products *all, const char *text, struct err *err);

#endif
