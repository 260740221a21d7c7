/*
 * The operations of models that see, on the CPU device: against inputs whose exact answer is known,
 * and against finite differences.
 */
#include "tests/unit/device_bench.h"
#include "tests/unit/gradient.h"

#include <math.h>

static void rows_are_put_to_their_places(void **state)
{
    struct fixture *f = *state;
    const float x[6] = {1, 2, 3, 4, 5, 6}, want[8] = {5, 6, 9, 9, 1, 2, 9, 9};
    float y[8] = {9, 9, 9, 9, 9, 9, 9, 9};
    const int32_t places[3] = {2, -1, 0};
    f->op->put_rows(f->device, y, x, places, 3, 2);
    assert_memory_equal(y, want, sizeof y);
}

/* 1, 3 and their sums have means and deviations that are exact. */
static void layer_norm_of_known_rows(void **state)
{
    struct fixture *f = *state;
    const float x[8] = {1, 3, 1, 3, 8, 8, 8, 8}, residual[8] = {0, 4, 0, 4};
    const float weight[4] = {1, 2, -1, 1}, bias[4] = {0, 0.5f, 10, 0};
    const float sums[8] = {1, 7, 1, 7, 8, 8, 8, 8};
    const float want[8] = {-1, 2.5f, 11, 1, 0, 0.5f, 10, 0};
    float sum[8], y[8];
    struct layer_norm n = {2, 4, 0, x, residual, weight, bias, sum, y};
    n.eps = 1e-12f; /* the second row has no deviation */
    f->op->layer_norm(f->device, &n);
    assert_memory_equal(sum, sums, sizeof sums);
    for (int i = 0; i < 8; i++)
        assert_float_equal(y[i], want[i], 1e-6);
    n.residual = NULL;
    n.x = n.sum = sum; /* in place */
    n.y = y;
    f->op->layer_norm(f->device, &n);
    assert_memory_equal(sum, sums, sizeof sums);
    assert_float_equal(y[1], 2.5, 1e-6);
}

/* Far from 0 both are x or 0, at 0 they are 0 with slope 1/2, and at 1 what tables have. */
static void activations_at_known_points(void **state)
{
    struct fixture *f = *state;
    const float from[4] = {-101, -1, 0, 99}, bias[4] = {1, 1, 1, 1}, ones[4] = {1, 1, 1, 1};
    const struct {
        enum activation activation;
        float y[4], slope[4];
    } rows[] = {
        {ACTIVATION_NONE, {-100, 0, 1, 100}, {1, 1, 1, 1}},
        {ACTIVATION_GELU, {0, 0, 0.8413447f, 100}, {0, 0.5f, 1.0833155f, 1}},
        {ACTIVATION_QUICK_GELU, {0, 0, 0.8457958f, 100}, {0, 0.5f, 1.0677796f, 1}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        float x[4], y[4], dx[4], d_bias[4] = {7, 7, 7, 7};
        memcpy(x, from, sizeof x);
        f->op->bias_forward(f->device,
                            &(struct bias_forward){1, 4, rows[i].activation, bias, x, y});
        f->op->bias_backward(
            f->device, &(struct bias_backward){1, 4, rows[i].activation, x, ones, dx, d_bias});
        for (int j = 0; j < 4; j++) {
            assert_float_equal(x[j], from[j] + 1, 0);
            assert_float_equal(y[j], rows[i].y[j], 1e-6);
            assert_float_equal(dx[j], rows[i].slope[j], 1e-6);
            assert_float_equal(d_bias[j], 7 + dx[j], 1e-6);
        }
    }
}

enum { ROWS = 5, WIDTH = 6, N = ROWS * WIDTH };

struct bias_case {
    struct fixture *f;
    enum activation activation;
    float *x, *bias, *y, *cy;
};

static double bias_loss(void *context)
{
    struct bias_case *c = context;
    float *x = copy(c->f, c->x, N);
    c->f->op->bias_forward(c->f->device,
                           &(struct bias_forward){ROWS, WIDTH, c->activation, c->bias, x, c->y});
    return dot(c->cy, c->y, N);
}

static void bias_gradients(void **state)
{
    struct fixture *f = *state;
    for (int a = ACTIVATION_NONE; a <= ACTIVATION_QUICK_GELU; a++) {
        struct bias_case c = {f,           (enum activation)a, randoms(f, N), randoms(f, WIDTH),
                              zeros(f, N), randoms(f, N)};
        float *x = copy(f, c.x, N), *d = copy(f, c.cy, N), *d_bias = zeros(f, WIDTH);
        f->op->bias_forward(f->device,
                            &(struct bias_forward){ROWS, WIDTH, c.activation, c.bias, x, c.y});
        f->op->bias_backward(f->device, &(struct bias_backward){ROWS, WIDTH, c.activation, x, d, d,
                                                                d_bias}); /* in place */
        check_gradient("x", c.x, d, N, bias_loss, &c);
        check_gradient("bias", c.bias, d_bias, WIDTH, bias_loss, &c);
    }
}

/* A pixel's bytes say where it is: picture, row, column, channel. */
static void patches_are_cut_in_reading_order(void **state)
{
    struct fixture *f = *state;
    enum { PICTURES = 2, SIDE = 6, SIZE = 3, ACROSS = SIDE / SIZE, ELEMENTS = 3 * SIZE * SIZE };
    unsigned char pixels[PICTURES * SIDE * SIDE * 3];
    float rows[PICTURES * ACROSS * ACROSS * ELEMENTS];
    const struct patch_rows p = {PICTURES,     SIDE,       SIZE,        pixels,
                                 {1, 0.5f, 2}, {0, 1, -1}, .rows = rows};
    for (int i = 0; i < (int)sizeof pixels; i++) /* 108 to a picture, 18 to a row */
        pixels[i] = (unsigned char)i;
    f->op->patch_rows(f->device, &p);
    for (int i = 0; i < (int)(sizeof rows / sizeof *rows); i++) {
        int element = i % ELEMENTS, patch = i / ELEMENTS % (ACROSS * ACROSS);
        int picture = i / ELEMENTS / (ACROSS * ACROSS), channel = element / (SIZE * SIZE);
        int y = patch / ACROSS * SIZE + element / SIZE % SIZE;
        int x = patch % ACROSS * SIZE + element % SIZE;
        float byte = (float)(108 * picture + 18 * y + 3 * x + channel);
        assert_float_equal(rows[i], p.scale[channel] * byte + p.shift[channel], 0);
    }
}

static void a_row_stands_in_front_of_the_patches(void **state)
{
    struct fixture *f = *state;
    const float x[4] = {1, 2, 3, 4}, first[1] = {50}, places[3] = {100, 200, 300};
    const float want[6] = {150, 201, 302, 150, 203, 304};
    float y[6];
    f->op->placed_rows(f->device, &(struct placed_rows){2, 2, 1, x, first, places, y});
    assert_memory_equal(y, want, sizeof want);
}

/* Where queries are 0, each row is the mean of all values, those behind it among them. */
static void attention_that_sees_all_is_a_mean(void **state)
{
    struct fixture *f = *state;
    const struct attention_shape s = {2, 4, 1, 1, 2, NULL};
    float qkv[48], y[16];
    for (int row = 0; row < 8; row++)
        for (int i = 0; i < 6; i++)
            qkv[row * 6 + i] = i < 2 ? 0 : i < 4 ? (float)row : (float)(row * 10 + i);
    f->op->attend_all(f->device, &(struct attention_forward){s, qkv, y, NULL});
    for (int row = 0; row < 8; row++) {
        double mean = row < 4 ? 15 : 55; /* of rows 0 to 3, 4 to 7, times 10 */
        assert_float_equal(y[row * 2], mean + 4, 1e-5);
        assert_float_equal(y[row * 2 + 1], mean + 5, 1e-5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_DEVICE(rows_are_put_to_their_places),
        ON_DEVICE(layer_norm_of_known_rows),
        ON_DEVICE(activations_at_known_points),
        ON_DEVICE(bias_gradients),
        ON_DEVICE(patches_are_cut_in_reading_order),
        ON_DEVICE(a_row_stands_in_front_of_the_patches),
        ON_DEVICE(attention_that_sees_all_is_a_mean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
