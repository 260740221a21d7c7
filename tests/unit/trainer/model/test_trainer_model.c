/*
 * The whole model: every parameter's gradient against finite differences, and the properties that
 * a causal transformer has whatever its weights are.
 */
#include "tests/unit/unit.h"

#include "base/arena.h"
#include "tests/trainer_ground.h"
#include "trainer/device/rng.h"
#include "trainer/model/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct model_shape small = {
    .vocabulary = 11,
    .layers = 2,
    .heads = 4,
    .kv_heads = 2,
    .hidden = 16,
    .ffn = 20,
    .sequence_length = 6,
    .micro_batch = 2,
    .rope_theta = 10000,
    .norm_eps = 1e-5f,
};
#define ROWS 12 /* of small */

struct fixture {
    struct ground ground;
    struct device *device; /* of the ground, as is the model */
    struct model *model;
    int32_t inputs[ROWS], targets[ROWS];
};

static void fixture_open(struct fixture *f, const struct model_shape *shape, float std)
{
    struct err err = ERR_INIT;
    struct rng rng;
    assert_int_equal(ground_open(&f->ground, shape, &(struct adamw){0}, &err), 0);
    assert_int_equal(weights_initialise(&f->ground.optimizer, std, 7, &err), 0);
    f->device = f->ground.device;
    f->model = f->ground.model;
    rng_init(&rng, 3, RNG_ORDER, 0);
    for (int i = 0; i < ROWS; i++) {
        f->inputs[i] = (int32_t)rng_below(&rng, shape->vocabulary);
        f->targets[i] = (int32_t)rng_below(&rng, shape->vocabulary);
    }
}

static void fixture_close(struct fixture *f)
{
    ground_close(&f->ground);
}

/* Mean loss of all rows, gradients beside it. On the CPU device memory is the host's. */
static double loss_and_gradients(struct fixture *f)
{
    struct model *m = f->model;
    model_zero_gradients(m);
    model_forward(m, f->inputs);
    model_loss(m, f->targets, 1 / (float)m->rows);
    model_backward(m);
    return *m->loss_sum / m->rows;
}

/* ---- parameters ---------------------------------------------------------------------------- */

static const struct parameter *parameter_find(const struct model *m, const char *name)
{
    for (size_t i = 0; i < m->n_parameters; i++)
        if (strcmp(m->parameters[i].name, name) == 0)
            return &m->parameters[i];
    fail_msg("no parameter %s", name);
    return NULL;
}

static void parameters_have_hugging_face_names_and_shapes(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        size_t rows, width;
        bool decays;
    } want[] = {
        {"model.embed_tokens.weight", 11, 16, false},
        {"model.layers.1.input_layernorm.weight", 1, 16, false},
        {"model.layers.1.self_attn.q_proj.weight", 16, 16, true},
        {"model.layers.1.self_attn.k_proj.weight", 8, 16, true},
        {"model.layers.1.self_attn.v_proj.weight", 8, 16, true},
        {"model.layers.1.self_attn.o_proj.weight", 16, 16, true},
        {"model.layers.1.post_attention_layernorm.weight", 1, 16, false},
        {"model.layers.1.mlp.gate_proj.weight", 20, 16, true},
        {"model.layers.1.mlp.up_proj.weight", 20, 16, true},
        {"model.layers.1.mlp.down_proj.weight", 16, 20, true},
        {"model.norm.weight", 1, 16, false},
        {"lm_head.weight", 11, 16, true},
    };
    struct fixture f;
    fixture_open(&f, &small, 0.02f);
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        const struct parameter *p = parameter_find(f.model, want[i].name);
        assert_int_equal(p->rows, want[i].rows);
        assert_int_equal(p->width, want[i].width);
        assert_int_equal(p->decays, want[i].decays);
        assert_int_equal(p->is_vector, want[i].rows == 1);
    }
    assert_int_equal(f.model->n_parameters, 3 + 2 * 9);
    fixture_close(&f);
}

/* Only between buckets there are gaps, of less than 64 * ranks elements. */
static void parameters_fill_their_buckets(void **state)
{
    (void)state;
    struct fixture f;
    struct model_shape shape = small;
    shape.ranks = 3;
    fixture_open(&f, &shape, 0.02f);
    size_t end = 0;
    int bucket = 0;
    for (size_t i = 0; i < f.model->n_parameters; i++) {
        const struct parameter *p = &f.model->parameters[i];
        const struct bucket *b = &f.model->buckets[bucket];
        if (p->offset == b->begin + b->n) {
            assert_true(p->offset - end < 64 * 3);
            assert_int_equal(b->n % (64 * 3), 0);
            bucket++;
        } else {
            assert_int_equal(p->offset, end);
        }
        end = p->offset + p->rows * p->width;
    }
    assert_int_equal(bucket + 1, f.model->n_buckets);
    assert_int_equal(f.model->n_buckets, 4);
    assert_true(end <= f.model->n_weights && end + 64 * 3 > f.model->n_weights);
    /* 2 V d + L (2 d + 2 d^2 + 2 d kv_width + 3 d ffn) + d */
    assert_int_equal(model_elements(f.model), 2 * 11 * 16 + 2 * (32 + 512 + 256 + 960) + 16);
    fixture_close(&f);
}

static void a_tied_head_is_the_embedding(void **state)
{
    (void)state;
    struct fixture f;
    struct model_shape tied = small;
    tied.tied = true;
    fixture_open(&f, &tied, 0.02f);
    assert_int_equal(f.model->n_parameters, 2 + 2 * 9);
    assert_int_equal(f.model->head.weight, f.model->embedding);
    fixture_close(&f);
}

static void impossible_shapes_are_refused(void **state)
{
    (void)state;
    static const struct {
        size_t field;
        int value;
        const char *message;
    } bad[] = {
        {offsetof(struct model_shape, vocabulary), 1, "vocab: found 1, expected 2 to 1048576"},
        {offsetof(struct model_shape, layers), 0, "layers: found 0, expected 1 to 1024"},
        {offsetof(struct model_shape, hidden), 20,
         "hidden: found 20, expected a multiple of 2 * heads = 8"},
        {offsetof(struct model_shape, kv_heads), 3,
         "kv_heads: found 3, expected a divisor of heads = 4"},
        {offsetof(struct model_shape, kv_heads), 8,
         "kv_heads: found 8, expected a divisor of heads = 4"},
        {offsetof(struct model_shape, ffn), -5, "ffn: found -5, expected 1 to 262144"},
        {offsetof(struct model_shape, sequence_length), 1 << 30,
         "sequence_length: found 1073741824, expected 1 to 131072"},
    };
    struct err err = ERR_INIT;
    struct device *device;
    assert_int_equal(device_cpu_open(&device, &err), 0);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct model_shape shape = small;
        struct model *m;
        *(int *)((char *)&shape + bad[i].field) = bad[i].value;
        assert_int_equal(model_new(&m, &shape, device, &err), -1);
        assert_string_equal(err.text, bad[i].message);
        assert_int_equal(err.kind, ERR_USAGE);
    }
    device_close(device);
}

/* ---- gradients ----------------------------------------------------------------------------- */

/*
 * The loss along a line through the weights of one tensor, w + t * direction, has the slope
 * gradient . direction at t = 0. `direction` has length 1.
 *
 * Tolerance. As in gradient.h the slope is a fourth-order difference, here with t = 1/256: at
 * 1/32, 1/64 and 1/128 the largest error over all tensors was measured as 0.098, 0.014 and 0.0011,
 * the fall by up to 16 per halving that the truncation must show, so 7e-5 of it is left. The loss
 * is a mean of 12 fp32 losses of order 2, each the end of some forty roundings: about 1e-6 in the
 * mean, hence 1.5 * 1e-6 / (2/256) = 2e-4 in the slope. Allowed are 3e-4; slopes along a gradient
 * are asserted to be a hundred times that.
 */
static double line_slope(struct fixture *f, float *w, const float *direction, size_t n)
{
    static const double t[4] = {1.0 / 256, -1.0 / 256, 2.0 / 256, -2.0 / 256};
    float *kept = memory_alloc(n * sizeof *kept);
    double l[4];
    memcpy(kept, w, n * sizeof *w);
    for (int i = 0; i < 4; i++) {
        for (size_t j = 0; j < n; j++)
            w[j] = (float)(kept[j] + t[i] * direction[j]);
        l[i] = loss_and_gradients(f);
    }
    memcpy(w, kept, n * sizeof *w);
    free(kept);
    return (8 * (l[0] - l[1]) - (l[2] - l[3])) / (12 * t[0]);
}

static double check_line(struct fixture *f, const struct parameter *p, const char *which,
                         const float *gradient, float *direction)
{
    size_t n = p->rows * p->width;
    double length = 0, analytic = 0;
    for (size_t i = 0; i < n; i++)
        length += (double)direction[i] * direction[i];
    for (size_t i = 0; i < n; i++)
        direction[i] = (float)(direction[i] / sqrt(length));
    for (size_t i = 0; i < n; i++)
        analytic += (double)gradient[i] * direction[i];
    double numeric = line_slope(f, (float *)f->model->weights + p->offset, direction, n);
    if (!(fabs(numeric - analytic) <= 3e-4))
        fail_msg("%s, %s direction: backward pass %.7g, finite difference %.7g", p->name, which,
                 analytic, numeric);
    return analytic;
}

/* Along the gradient itself, where every element counts with its sign and size, and along two
 * random lines. */
static void check_tensor(struct fixture *f, const struct parameter *p, const float *gradient,
                         struct rng *rng)
{
    size_t n = p->rows * p->width;
    float *direction = memory_alloc(n * sizeof *direction);
    memcpy(direction, gradient, n * sizeof *direction);
    assert_true(check_line(f, p, "gradient", gradient, direction) > 0.03);
    for (int k = 0; k < 2; k++) {
        for (size_t i = 0; i < n; i++)
            direction[i] = rng_bell(rng);
        check_line(f, p, "random", gradient, direction);
    }
    free(direction);
}

static void check_all_tensors(const struct model_shape *shape)
{
    struct fixture f;
    struct rng rng;
    fixture_open(&f, shape, 0.3f); /* large enough that no part of the model is nearly linear */
    rng_init(&rng, 5, RNG_WEIGHTS, 0);
    struct model *m = f.model;
    for (size_t i = 0; i < m->n_weights; i++) /* norms away from 1 */
        ((float *)m->weights)[i] += 0.1f * rng_bell(&rng);
    loss_and_gradients(&f);
    float *gradients = memory_alloc(m->n_weights * sizeof *gradients);
    memcpy(gradients, m->gradients, m->n_weights * sizeof *gradients);
    for (size_t i = 0; i < m->n_parameters; i++)
        check_tensor(&f, &m->parameters[i], gradients + m->parameters[i].offset, &rng);
    free(gradients);
    fixture_close(&f);
}

static void gradients_of_every_tensor(void **state)
{
    (void)state;
    check_all_tensors(&small);
}

static void gradients_with_a_tied_head(void **state)
{
    (void)state;
    struct model_shape tied = small;
    tied.tied = true;
    tied.kv_heads = 1;
    check_all_tensors(&tied);
}

/* ---- properties ---------------------------------------------------------------------------- */

/* Logits are a normed row (length sqrt(hidden)) times weights of std 0.02: normal with std
 * 0.02 * sqrt(16) = 0.08, which adds 0.08^2 / 2 to ln(vocabulary), and the 12 targets scatter
 * the mean by 0.08 / sqrt(12) = 0.023. Three times that. */
static void the_first_loss_is_that_of_a_guess(void **state)
{
    (void)state;
    struct fixture f;
    fixture_open(&f, &small, 0.02f);
    assert_float_equal(loss_and_gradients(&f), log(11), 0.07);
    fixture_close(&f);
}

static void the_same_bits_twice(void **state)
{
    (void)state;
    struct fixture f, g;
    fixture_open(&f, &small, 0.3f);
    fixture_open(&g, &small, 0.3f);
    assert_true(loss_and_gradients(&f) == loss_and_gradients(&g));
    assert_memory_equal(f.model->gradients, g.model->gradients, f.model->n_weights * sizeof(float));
    fixture_close(&g);
    fixture_close(&f);
}

/* Exactly none: a later token does not take part in an earlier row's arithmetic. */
static void a_later_token_changes_no_earlier_logit(void **state)
{
    (void)state;
    struct fixture f;
    fixture_open(&f, &small, 0.3f);
    size_t row_bytes = 11 * sizeof(float), bytes = ROWS * row_bytes;
    char *before = memory_alloc(bytes);
    for (int changed = 0; changed < ROWS; changed++) {
        int32_t kept = f.inputs[changed];
        model_forward(f.model, f.inputs);
        memcpy(before, f.model->logits, bytes);
        f.inputs[changed] = (kept + 1) % 11;
        model_forward(f.model, f.inputs);
        f.inputs[changed] = kept;
        for (int row = 0; row < ROWS; row++) {
            bool same = memcmp(before + row * row_bytes, (char *)f.model->logits + row * row_bytes,
                               row_bytes) == 0;
            bool sees = row / 6 == changed / 6 && row >= changed;
            assert_int_equal(same, !sees);
        }
    }
    free(before);
    fixture_close(&f);
}

/*
 * Two micro-batches of one sequence against one of two. The products sum over rows in another
 * order: an element of a gradient is a sum of 12 terms, each rounded to 2^-24 of itself, and the
 * two sums may differ by 12 * 2^-24 = 7e-7 of the sum of the magnitudes, for which the largest
 * gradient of the tensor stands here with a factor of 4 for cancellation.
 */
static void micro_batches_add_up(void **state)
{
    (void)state;
    struct fixture whole, parts;
    struct model_shape one = small;
    one.micro_batch = 1;
    fixture_open(&whole, &small, 0.3f);
    fixture_open(&parts, &one, 0.3f);
    loss_and_gradients(&whole);
    model_zero_gradients(parts.model);
    for (int i = 0; i < 2; i++) {
        model_forward(parts.model, whole.inputs + 6 * i);
        model_loss(parts.model, whole.targets + 6 * i, 1.0f / ROWS);
        model_backward(parts.model);
    }
    assert_float_equal(*parts.model->loss_sum / *whole.model->loss_sum, 1, 1e-6);
    for (size_t i = 0; i < whole.model->n_parameters; i++) {
        const struct parameter *p = &whole.model->parameters[i];
        const float *a = whole.model->gradients + p->offset,
                    *b = parts.model->gradients + p->offset;
        double largest = 0;
        for (size_t j = 0; j < p->rows * p->width; j++)
            largest = fmax(largest, fabs((double)a[j]));
        for (size_t j = 0; j < p->rows * p->width; j++)
            assert_float_equal(a[j], b[j], 3e-6 * largest);
    }
    fixture_close(&parts);
    fixture_close(&whole);
}

/* Position 0 sees only itself and is not turned: a model of one token per sequence must agree with
 * the first row of a longer one. */
static void the_first_row_stands_alone(void **state)
{
    (void)state;
    struct fixture f, g;
    struct model_shape one = small;
    one.sequence_length = 1;
    fixture_open(&f, &small, 0.3f);
    fixture_open(&g, &one, 0.3f);
    const int32_t first[2] = {f.inputs[0], f.inputs[6]};
    model_forward(f.model, f.inputs);
    model_forward(g.model, first);
    for (int i = 0; i < 2 * 11; i++)
        assert_float_equal(((float *)g.model->logits)[i],
                           ((float *)f.model->logits)[i / 11 * 6 * 11 + i % 11], 1e-5);
    fixture_close(&g);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parameters_have_hugging_face_names_and_shapes),
        cmocka_unit_test(parameters_fill_their_buckets),
        cmocka_unit_test(a_tied_head_is_the_embedding),
        cmocka_unit_test(impossible_shapes_are_refused),
        cmocka_unit_test(gradients_of_every_tensor),
        cmocka_unit_test(gradients_with_a_tied_head),
        cmocka_unit_test(the_first_loss_is_that_of_a_guess),
        cmocka_unit_test(the_same_bits_twice),
        cmocka_unit_test(a_later_token_changes_no_earlier_logit),
        cmocka_unit_test(micro_batches_add_up),
        cmocka_unit_test(the_first_row_stands_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
