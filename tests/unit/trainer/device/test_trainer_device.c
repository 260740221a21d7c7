/*
 * The operations of the CPU device. Forward passes against the formula written out in double or
 * against inputs whose exact answer is known; backward passes against finite differences.
 */
#include "tests/unit/device_bench.h"
#include "tests/unit/gradient.h"

#include "trainer/ranks/comm.h"

/* ---- memory and products ------------------------------------------------------------------- */

static void memory_is_zeroed_and_its_lack_is_an_error(void **state)
{
    struct fixture *f = *state;
    struct err err = ERR_INIT;
    void *memory;
    assert_int_equal(f->op->alloc(f->device, &memory, 1000, &err), 0);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(((char *)memory)[i], 0);
    assert_int_equal((uintptr_t)memory % 256, 0);
    f->op->release(f->device, memory);
    f->op->release(f->device, NULL);
    assert_int_equal(f->op->alloc(f->device, &memory, SIZE_MAX, &err), -1);
    assert_string_equal(err.text, "cpu: not enough memory for 18446744073709551615 bytes");
}

/* Whole numbers below 2^24 are exact in fp32 whatever the order: the difference must be 0. */
static void product_is_exact_on_whole_numbers(void **state)
{
    struct fixture *f = *state;
    enum { M = 5, N = 7, K = 6, LD = 11, BATCH = 2, ROOM = BATCH * 128 };
    float a[ROOM], b[ROOM], c[ROOM], c0[ROOM];
    for (int i = 0; i < ROOM; i++) {
        a[i] = (float)rng_below(&f->rng, 64) - 32;
        b[i] = (float)rng_below(&f->rng, 64) - 32;
        c0[i] = (float)rng_below(&f->rng, 64) - 32;
    }
    for (int t = 0; t < 8; t++) {
        bool ta = t & 1, tb = t & 2, gaps = t & 4;
        int lda = gaps ? LD : ta ? M : K, ldb = gaps ? LD : tb ? K : N, ldc = gaps ? LD : N;
        memcpy(c, c0, sizeof c);
        f->op->multiply(f->device, &(struct matrix_product){ta, tb, M, N, K, 2, 3, a, b, c, false,
                                                            gaps ? LD : 0, gaps ? LD : 0,
                                                            gaps ? LD : 0, BATCH, 128, 128, 128});
        for (int p = 0; p < BATCH; p++)
            for (int i = 0; i < M; i++)
                for (int j = 0; j < N; j++) {
                    float sum = 0;
                    for (int k = 0; k < K; k++)
                        sum += a[128 * p + (ta ? k * lda + i : i * lda + k)] *
                               b[128 * p + (tb ? j * ldb + k : k * ldb + j)];
                    int at = 128 * p + i * ldc + j;
                    assert_true(c[at] == 2 * sum + 3 * c0[at]);
                    c[at] = c0[at];
                }
        assert_memory_equal(c, c0, sizeof c); /* nothing between the rows was touched */
    }
}

static void product_with_beta_0_does_not_read_c(void **state)
{
    struct fixture *f = *state;
    float a[4] = {1, 2, 3, 4}, b[4] = {1, 0, 0, 1}, c[4] = {NAN, NAN, NAN, NAN};
    f->op->multiply(f->device, &(struct matrix_product){
                                   .m = 2, .n = 2, .k = 2, .alpha = 1, .a = a, .b = b, .c = c});
    assert_memory_equal(a, c, sizeof a);
}

static void embedding_gathers_and_scatters(void **state)
{
    struct fixture *f = *state;
    float table[6] = {1, 2, 3, 4, 5, 6}, y[8], d_table[6] = {10, 10, 10, 10, 10, 10};
    const int32_t tokens[4] = {2, 0, 2, 2};
    const float y_want[8] = {5, 6, 1, 2, 5, 6, 5, 6};
    const float d_want[6] = {13, 14, 10, 10, 10 + 1 + 5 + 7, 10 + 2 + 6 + 8};
    const float dy[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    f->op->embed_forward(f->device, y, tokens, table, 4, 2);
    assert_memory_equal(y, y_want, sizeof y);
    f->op->embed_backward(f->device, d_table, tokens, dy, 4, 2);
    assert_memory_equal(d_table, d_want, sizeof d_want);
}

/* ---- norm ---------------------------------------------------------------------------------- */

enum { NORM_ROWS = 3, NORM_WIDTH = 10, NORM_N = NORM_ROWS * NORM_WIDTH };

struct norm_case {
    struct fixture *f;
    struct norm_forward forward;
    float *cy, *cs; /* the loss is cy . y + cs . sum */
};

static double norm_loss(void *context)
{
    struct norm_case *c = context;
    c->f->op->norm_forward(c->f->device, &c->forward);
    return dot(c->cy, c->forward.y, NORM_N) + dot(c->cs, c->forward.sum, NORM_N);
}

static void norm_gradients(void **state)
{
    struct fixture *f = *state;
    float *x = randoms(f, NORM_N), *residual = randoms(f, NORM_N);
    float *weight = randoms(f, NORM_WIDTH), *d_weight = zeros(f, NORM_WIDTH);
    struct norm_case c = {f,
                          {NORM_ROWS, NORM_WIDTH, 1e-5f, x, residual, weight, zeros(f, NORM_N),
                           zeros(f, NORM_N), zeros(f, NORM_ROWS)},
                          randoms(f, NORM_N),
                          randoms(f, NORM_N)};
    norm_loss(&c);
    float *ds = copy(f, c.cs, NORM_N); /* in place, as the model does it */
    f->op->norm_backward(f->device,
                         &(struct norm_backward){NORM_ROWS, NORM_WIDTH, c.forward.sum, weight, c.cy,
                                                 ds, c.forward.inverse_rms, ds, d_weight, NULL});
    check_gradient("x", x, ds, NORM_N, norm_loss, &c);
    check_gradient("residual", residual, ds, NORM_N, norm_loss, &c);
    check_gradient("weight", weight, d_weight, NORM_WIDTH, norm_loss, &c);
    float *once = copy(f, ds, NORM_N), *again = copy(f, c.cy, NORM_N);
    memcpy(ds, c.cs, NORM_N * sizeof *ds);
    f->op->norm_backward(
        f->device, &(struct norm_backward){NORM_ROWS, NORM_WIDTH, c.forward.sum, weight, again, ds,
                                           c.forward.inverse_rms, ds, d_weight, again});
    norm_loss(&c); /* y of the weight as it is */
    assert_memory_equal(ds, once, NORM_N * sizeof *ds);
    assert_memory_equal(again, c.forward.y, NORM_N * sizeof *again);
}

static void norm_without_residual_and_stream(void **state)
{
    struct fixture *f = *state;
    float *x = randoms(f, NORM_N), *weight = randoms(f, NORM_WIDTH);
    float *ds = zeros(f, NORM_N), *d_weight = randoms(f, NORM_WIDTH);
    float *before = copy(f, d_weight, NORM_WIDTH);
    struct norm_case c = {f,
                          {NORM_ROWS, NORM_WIDTH, 1e-5f, x, NULL, weight, zeros(f, NORM_N),
                           zeros(f, NORM_N), zeros(f, NORM_ROWS)},
                          randoms(f, NORM_N),
                          zeros(f, NORM_N)};
    norm_loss(&c);
    assert_memory_equal(c.forward.sum, x, NORM_N * sizeof *x);
    f->op->norm_backward(f->device,
                         &(struct norm_backward){NORM_ROWS, NORM_WIDTH, c.forward.sum, weight, c.cy,
                                                 NULL, c.forward.inverse_rms, ds, d_weight, NULL});
    for (int i = 0; i < NORM_WIDTH; i++)
        d_weight[i] -= before[i]; /* it was added to */
    check_gradient("x", x, ds, NORM_N, norm_loss, &c);
    check_gradient("weight", weight, d_weight, NORM_WIDTH, norm_loss, &c);
}

static void norm_gives_unit_rows(void **state)
{
    struct fixture *f = *state;
    float x[4] = {3, -3, 3, -3}, weight[4] = {1, 1, 2, 1}, sum[4], y[4], inverse;
    f->op->norm_forward(f->device,
                        &(struct norm_forward){1, 4, 0, x, NULL, weight, sum, y, &inverse});
    const float want[4] = {1, -1, 2, -1};
    for (int i = 0; i < 4; i++)
        assert_float_equal(y[i], want[i], 2e-7); /* one rounding of 1/3, one of the product */
}

/* ---- feed-forward and loss ----------------------------------------------------------------- */

enum { ROWS = 4, WIDTH = 5 };

struct swiglu_case {
    struct fixture *f;
    float *x, *y, *cy;
};

static double swiglu_loss(void *context)
{
    struct swiglu_case *c = context;
    c->f->op->swiglu_forward(c->f->device, c->y, c->x, ROWS, WIDTH);
    return dot(c->cy, c->y, ROWS * WIDTH);
}

static void swiglu_gradients(void **state)
{
    struct fixture *f = *state;
    struct swiglu_case c = {f, randoms(f, 2 * ROWS * WIDTH), zeros(f, ROWS * WIDTH),
                            randoms(f, ROWS * WIDTH)};
    float *dx = zeros(f, 2 * ROWS * WIDTH);
    struct swiglu_backward b = {ROWS, WIDTH, c.x, c.cy, dx, NULL};
    f->op->swiglu_backward(f->device, &b);
    check_gradient("gate_up", c.x, dx, 2 * ROWS * WIDTH, swiglu_loss, &c);
    float *once = copy(f, dx, 2 * ROWS * WIDTH);
    b.y_again = c.cy; /* in place of dy, as the model does it */
    f->op->swiglu_backward(f->device, &b);
    assert_memory_equal(dx, once, 2 * ROWS * WIDTH * sizeof *dx);
    f->op->swiglu_forward(f->device, c.y, c.x, ROWS, WIDTH);
    assert_memory_equal(c.cy, c.y, ROWS * WIDTH * sizeof *c.y);
}

static void swiglu_saturates_cleanly(void **state)
{
    struct fixture *f = *state;
    const float gate_up[6] = {-200, 0, 200, 3, 3, 3}, dy[3] = {1, 1, 1};
    float y[3], d[6];
    f->op->swiglu_forward(f->device, y, gate_up, 1, 3);
    f->op->swiglu_backward(f->device, &(struct swiglu_backward){1, 3, gate_up, dy, d, NULL});
    const float y_want[3] = {0, 0, 600}, d_want[6] = {0, 1.5f, 3, 0, 0, 200};
    for (int i = 0; i < 3; i++)
        assert_true(y[i] == y_want[i]);
    for (int i = 0; i < 6; i++)
        assert_true(d[i] == d_want[i]);
}

struct loss_case {
    struct fixture *f;
    float *logits;
    const int32_t *targets;
};

static double cross_entropy_loss(void *context)
{
    struct loss_case *c = context;
    float losses[ROWS];
    float *work = copy(c->f, c->logits, ROWS * WIDTH);
    c->f->op->cross_entropy(c->f->device,
                            &(struct cross_entropy){ROWS, WIDTH, 0.5f, work, c->targets, losses});
    double total = 0;
    c->f->op->add_sum(c->f->device, &total, losses, ROWS);
    return total * 0.5;
}

static void cross_entropy_gradients(void **state)
{
    struct fixture *f = *state;
    const int32_t targets[ROWS] = {0, 4, 2, 4};
    struct loss_case c = {f, randoms(f, ROWS * WIDTH), targets};
    float *d = copy(f, c.logits, ROWS * WIDTH), losses[ROWS];
    f->op->cross_entropy(f->device, &(struct cross_entropy){ROWS, WIDTH, 0.5f, d, targets, losses});
    check_gradient("logits", c.logits, d, ROWS * WIDTH, cross_entropy_loss, &c);
}

static void cross_entropy_of_known_rows(void **state)
{
    struct fixture *f = *state;
    float logits[6] = {7, 7, 7, -500, 500, 500}, losses[2];
    const int32_t targets[2] = {1, 0};
    f->op->cross_entropy(f->device, &(struct cross_entropy){2, 3, 3, logits, targets, losses});
    assert_float_equal(losses[0], log(3), 1e-6);
    assert_float_equal(losses[1], 1000 + log(2), 1e-4); /* fp32 near 1000 */
    const float want[6] = {1, -2, 1, -3, 1.5f, 1.5f};
    for (int i = 0; i < 6; i++)
        assert_float_equal(logits[i], want[i], 1e-6);
}

/* ---- optimizer and sums -------------------------------------------------------------------- */

/* The expected numbers are those of ten lines of Python over doubles. */
static void adamw_takes_the_steps_of_the_formula(void **state)
{
    struct fixture *f = *state;
    const float gradients[3][2] = {{1, -6}, {-0.5f, 2}, {0.25f, 4}}; /* halved by the scale */
    const double decayed[3] = {0.890000002, 0.8544662986878464, 0.8118787219097757};
    const double plain[3] = {-1.9000000003333333, -1.8599781433169098, -1.8680079067635196};
    float w[2] = {1, -2}, m[2] = {0}, v[2] = {0};
    for (int t = 1; t <= 3; t++)
        for (int i = 0; i < 2; i++) {
            f->op->adamw(f->device,
                         &(struct adamw_step){.n = 1,
                                              .weight = w + i,
                                              .master = w + i,
                                              .m = m + i,
                                              .v = v + i,
                                              .gradient = &gradients[t - 1][i],
                                              .gradient_scale = 0.5f,
                                              .lr = 0.1f,
                                              .beta1 = 0.9,
                                              .beta2 = 0.999,
                                              .eps = 1e-8f,
                                              .decay = i == 0 ? 0.1f : 0,
                                              .correction1 = (float)(1 - pow(0.9, t)),
                                              .correction2 = (float)(1 - pow(0.999, t))});
            assert_float_equal(w[i], i == 0 ? decayed[t - 1] : plain[t - 1], 5e-7);
        }
    assert_float_equal(m[0], 0.0305, 1e-8);
    assert_float_equal(v[1], 0.013981009, 1e-8);
}

static void sums_add_to_what_is_there(void **state)
{
    struct fixture *f = *state;
    const float x[4] = {1, 2, -3, 1e8f};
    double total = 5;
    f->op->add_sum(f->device, &total, x, 4);
    assert_true(total == 100000005);
    f->op->add_sum_of_squares(f->device, &total, x, 3);
    assert_true(total == 100000019);
}

/* ---- collectives of one rank --------------------------------------------------------------- */

static void one_rank_keeps_its_data(void **state)
{
    struct fixture *f = *state;
    struct err err = ERR_INIT;
    struct comm *comm;
    float x[3] = {1, 2, 3}, y[3] = {0}, z[3] = {0};
    const float want[3] = {1, 2, 3};
    assert_int_equal(comm_self_open(&comm, f->device, &err), 0);
    assert_int_equal(comm->rank, 0);
    assert_int_equal(comm->world, 1);
    const struct comm_operations *op = comm->operations;
    assert_int_equal(op->all_reduce(comm, x, 3, COMM_FP32, &err), 0);
    assert_int_equal(op->broadcast(comm, x, 12, COMM_BYTE, 0, &err), 0);
    assert_int_equal(op->reduce_scatter(comm, y, x, 3, COMM_FP32, &err), 0);
    assert_int_equal(op->all_gather(comm, z, y, 12, COMM_BYTE, &err), 0);
    assert_int_equal(op->all_gather(comm, z, z, 3, COMM_FP32, &err), 0);
    assert_int_equal(op->barrier(comm, &err), 0);
    assert_memory_equal(x, want, sizeof x);
    assert_memory_equal(z, want, sizeof z);
    comm_close(comm);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_DEVICE(memory_is_zeroed_and_its_lack_is_an_error),
        ON_DEVICE(product_is_exact_on_whole_numbers),
        ON_DEVICE(product_with_beta_0_does_not_read_c),
        ON_DEVICE(embedding_gathers_and_scatters),
        ON_DEVICE(norm_gradients),
        ON_DEVICE(norm_without_residual_and_stream),
        ON_DEVICE(norm_gives_unit_rows),
        ON_DEVICE(swiglu_gradients),
        ON_DEVICE(swiglu_saturates_cleanly),
        ON_DEVICE(cross_entropy_gradients),
        ON_DEVICE(cross_entropy_of_known_rows),
        ON_DEVICE(adamw_takes_the_steps_of_the_formula),
        ON_DEVICE(sums_add_to_what_is_there),
        ON_DEVICE(one_rank_keeps_its_data),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
