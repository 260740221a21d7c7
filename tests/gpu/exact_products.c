#include "tests/gpu/exact.h"

#include <stdio.h>

struct product {
    bool ta, tb, wide;
    int m, n, k, gap, batch;
    float beta;
};

/* Element [row, column] of op(X) for product i of the batch; `columns` are X's as it is stored. */
static size_t element(const struct product *p, int i, int rows, int columns, int row, int column)
{
    return ((size_t)i * rows + row) * (columns + p->gap) + column;
}

static float product_at(const struct product *p, const float *a, const float *b, int i, int row,
                        int column)
{
    float sum = 0;
    for (int l = 0; l < p->k; l++)
        sum +=
            a[p->ta ? element(p, i, p->k, p->m, l, row) : element(p, i, p->m, p->k, row, l)] *
            b[p->tb ? element(p, i, p->n, p->k, column, l) : element(p, i, p->k, p->n, l, column)];
    return 0.5f * sum;
}

static void product(struct exact *b, const struct product *p)
{
    char what[120];
    int a_columns = p->ta ? p->m : p->k, b_columns = p->tb ? p->k : p->n;
    size_t a_n = (size_t)(p->ta ? p->k : p->m) * (a_columns + p->gap);
    size_t b_n = (size_t)(p->tb ? p->n : p->k) * (b_columns + p->gap);
    size_t c_n = (size_t)p->m * (p->n + p->gap);
    float *av = exact_wholes(b, a_n * p->batch, 2, 0),
          *bv = exact_wholes(b, b_n * p->batch, 2, 77777);
    float *expected = exact_wholes(b, c_n * p->batch, 2, 5555);
    void *a = exact_put(b, av, a_n * p->batch), *bb = exact_put(b, bv, b_n * p->batch);
    void *c = p->wide ? exact_put_wide(b, expected, c_n * p->batch)
                      : exact_put(b, expected, c_n * p->batch);
    for (int i = 0; i < p->batch; i++)
        for (int row = 0; row < p->m; row++)
            for (int column = 0; column < p->n; column++) {
                float *e = &expected[element(p, i, p->m, p->n, row, column)];
                *e = product_at(p, av, bv, i, row, column) + p->beta * *e;
            }
    const struct matrix_product m = {.transpose_a = p->ta,
                                     .transpose_b = p->tb,
                                     .m = p->m,
                                     .n = p->n,
                                     .k = p->k,
                                     .alpha = 0.5f,
                                     .beta = p->beta,
                                     .a = a,
                                     .b = bb,
                                     .c = c,
                                     .c_fp32 = p->wide,
                                     .lda = a_columns + p->gap,
                                     .ldb = b_columns + p->gap,
                                     .ldc = p->n + p->gap,
                                     .batch = p->batch,
                                     .stride_a = a_n,
                                     .stride_b = b_n,
                                     .stride_c = c_n};
    b->o->multiply(b->device, &m);
    snprintf(what, sizeof what, "product %c%c [%d, %d, %d], gaps of %d, batch %d, beta %g%s",
             p->ta ? 'T' : 'N', p->tb ? 'T' : 'N', p->m, p->n, p->k, p->gap, p->batch, p->beta,
             p->wide ? ", into fp32" : "");
    (p->wide ? exact_expect_wide : exact_expect)(b, c, expected, c_n * p->batch, what);
    exact_done(b);
}

void exact_products(struct exact *b)
{
    for (int i = 0; i < 4; i++) {
        const struct product kinds[] = {
            {i & 1, i & 2, false, 48, 40, 64, 0, 1, 0},
            {i & 1, i & 2, true, 128, 64, 96, 0, 1, 1},
            {i & 1, i & 2, false, 33, 17, 21, 0, 1, 0},
            {i & 1, i & 2, false, 32, 64, 16, 8, 3, 0},
        };
        for (size_t k = 0; k < COUNT(kinds); k++)
            product(b, &kinds[k]);
    }
}
