/* Schedule, clipping, and whole trainings of a model small enough for a unit test. */
#include "tests/unit/unit.h"

#include "base/arena.h"
#include "base/files/file.h"
#include "tests/small_training.h"
#include "tests/train_cpu.h"
#include "tests/trainer_ground.h"
#include "trainer/data/data.h"
#include "trainer/optimizer/optimizer.h"
#include "trainer/training/train.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- schedule and clipping ----------------------------------------------------------------- */

static void schedule_meets_its_end_points(void **state)
{
    (void)state;
    const struct schedule s = {.steps = 100, .warmup_steps = 10, .lr = 1e-3, .min_lr = 1e-4};
    /* step and rate, from two lines of Python */
    const double want[][2] = {{1, 1e-4},    {5, 5e-4},   {10, 1e-3}, {11, 0.000999725872158593},
                              {55, 5.5e-4}, {100, 1e-4}, {101, 1e-4}};
    for (size_t i = 0; i < sizeof want / sizeof *want; i++)
        assert_float_equal(schedule_lr(&s, (int)want[i][0]), want[i][1], 1e-15);
    for (int step = 11; step <= 100; step++)
        assert_true(schedule_lr(&s, step) < schedule_lr(&s, step - 1));
}

/* transformers' get_cosine_schedule_with_warmup, 10 steps of which 2 warm up, by its lambda. */
static void schedule_from_zero_is_transformers(void **state)
{
    (void)state;
    const struct schedule s = {.steps = 10, .warmup_steps = 2, .lr = 1, .from_zero = true};
    const double want[10] = {0,
                             0.5,
                             1,
                             0.961939766255643,
                             0.853553390593274,
                             0.691341716182545,
                             0.5,
                             0.308658283817455,
                             0.146446609406726,
                             0.038060233744357};
    for (int step = 1; step <= 10; step++)
        assert_float_equal(schedule_lr(&s, step), want[step - 1], 1e-14);
}

static void schedule_without_warm_up_or_without_decay(void **state)
{
    (void)state;
    const struct schedule cold = {.steps = 10, .lr = 1, .min_lr = 0};
    const struct schedule ramp = {.steps = 10, .warmup_steps = 10, .lr = 1, .min_lr = 0};
    assert_float_equal(schedule_lr(&cold, 1), (1 + cos(acos(-1) / 10)) / 2, 1e-15);
    assert_true(schedule_lr(&cold, 10) == 0);
    assert_true(schedule_lr(&ramp, 10) == 1);
}

static void clipping_shortens_only_what_is_too_long(void **state)
{
    (void)state;
    const struct adamw one = {.clip_norm = 1}, never = {.clip_norm = 0};
    assert_true(optimizer_clip_factor(&one, 0.5) == 1);
    assert_true(optimizer_clip_factor(&one, 0) == 1);
    assert_true(optimizer_clip_factor(&one, 4) == (float)(1 / (4 + 1e-6)));
    assert_true(optimizer_clip_factor(&never, 4) == 1);
}

/* With no gradient only decay moves a weight, and after one step exactly the matrices have it:
 * neither norms nor the embedding, nor a head that is the embedding. */
static void decay_shrinks_matrices_only(void **state)
{
    (void)state;
    struct err err = ERR_INIT;
    const struct model_shape shape = {.vocabulary = 5,
                                      .layers = 2,
                                      .heads = 2,
                                      .kv_heads = 1,
                                      .hidden = 8,
                                      .ffn = 6,
                                      .sequence_length = 2,
                                      .micro_batch = 1,
                                      .tied = true,
                                      .rope_theta = 10000,
                                      .norm_eps = 1e-5f};
    const struct adamw settings = {.beta1 = 0.9, .beta2 = 0.95, .eps = 1e-8, .weight_decay = 0.5};
    struct ground g;
    assert_int_equal(ground_open(&g, &shape, &settings, &err), 0);
    struct model *m = g.model;
    float *w = m->weights;
    for (size_t i = 0; i < m->n_weights; i++)
        w[i] = 8;
    assert_int_equal(optimizer_step(&g.optimizer, 0, 0.25, 1, &err), 0);
    for (size_t i = 0; i < m->n_parameters; i++) {
        const struct parameter *p = &m->parameters[i];
        bool still = strstr(p->name, "norm") || strstr(p->name, "embed");
        for (size_t j = 0; j < p->rows * p->width; j++)
            assert_true(w[p->offset + j] == (still ? 8 : 7)); /* 8 - 0.25 * 0.5 * 8 */
    }
    ground_close(&g);
}

/* The norm of 3 and 4 is 5, and what is fed to the moments is a fifth of them when clipped to 1. */
static void the_gradient_norm_is_global(void **state)
{
    (void)state;
    struct err err = ERR_INIT;
    const struct model_shape shape = {.vocabulary = 2,
                                      .layers = 1,
                                      .heads = 1,
                                      .kv_heads = 1,
                                      .hidden = 2,
                                      .ffn = 1,
                                      .sequence_length = 1,
                                      .micro_batch = 1,
                                      .rope_theta = 10000,
                                      .norm_eps = 1e-5f};
    const struct adamw settings = {.beta1 = 0.5, .beta2 = 0.5, .eps = 1e-8, .clip_norm = 1};
    struct ground g;
    double norm;
    assert_int_equal(ground_open(&g, &shape, &settings, &err), 0);
    const struct model *m = g.model;
    size_t last = m->head.weight + 3;
    m->gradients[0] = 3;     /* of the embedding */
    m->gradients[last] = -4; /* of the head, 2 x 2 */
    assert_int_equal(optimizer_gradient_norm(&g.optimizer, 1, &norm, &err), 0);
    assert_true(norm == 5);
    assert_int_equal(optimizer_step(&g.optimizer, norm, 0, 1, &err), 0);
    assert_float_equal(g.optimizer.m[0], 0.5 * 3 / 5, 1e-6);
    assert_float_equal(g.optimizer.v[last], 0.5 * 16 / 25, 1e-6);
    ground_close(&g);
}

/* ---- trainings ----------------------------------------------------------------------------- */

#define STEPS_MAX 128

/* What an observer saw. */
struct seen {
    int steps, stop_after;
    double loss[STEPS_MAX + 1], grad_norm[STEPS_MAX + 1], entropy;
    size_t parameters, tokens_per_step, data_tokens;
    char data_sha256[65], weights_sha256[65];
    int steps_at_end;
};

static int see_start(void *context, const struct train_start *start)
{
    struct seen *s = context;
    s->parameters = start->parameters;
    s->tokens_per_step = start->tokens_per_step;
    s->data_tokens = start->data_tokens;
    s->entropy = start->unigram_entropy_nats;
    assert_in_range(start->weight_bytes, 4 * start->parameters,
                    4 * (start->parameters + 64 * 8));          /* each bucket is padded */
    assert_true(start->device_bytes > 4 * start->weight_bytes); /* gradients, two moments, more */
    strcpy(s->data_sha256, start->data_sha256);
    return s->stop_after < 0;
}

static int see_step(void *context, const struct train_step *step)
{
    struct seen *s = context;
    assert_int_equal(step->step, ++s->steps);
    assert_int_equal(step->tokens, s->tokens_per_step);
    assert_true(step->seconds >= 0);
    s->loss[s->steps] = step->loss;
    s->grad_norm[s->steps] = step->grad_norm;
    return s->steps == s->stop_after;
}

static void see_end(void *context, const struct train_end *end)
{
    struct seen *s = context;
    s->steps_at_end = end->steps;
    strcpy(s->weights_sha256, end->weights_sha256);
}

static const struct training small = {
    SMALL_TRAINING,
    .layers = 1,
    .hidden = 32,
    .ffn = 48,
    .sequence_length = 32,
    .micro_batch = 4,
    .gradient_accumulation = 1,
    .steps = 8,
    .warmup_steps = 2,
    .lr = 3e-3,
    .min_lr = 3e-4,
    .seed = 1234,
};

static int train(const struct training *t, struct seen *seen, struct err *err)
{
    const struct train_observer observer = {
        .context = seen, .started = see_start, .stepped = see_step, .ended = see_end};
    return train_on_cpu(t, &observer, err);
}

static void trains(const struct training *t, struct seen *seen)
{
    struct err err = ERR_INIT;
    if (train(t, seen, &err) < 0)
        fail_msg("%s", err.text);
    assert_int_equal(seen->steps_at_end, seen->steps);
}

static void the_observer_is_told_everything(void **state)
{
    (void)state;
    struct seen seen = {0};
    trains(&small, &seen);
    assert_int_equal(seen.steps, 8);
    assert_int_equal(seen.tokens_per_step, 128);
    assert_int_equal(seen.data_tokens, CORPUS_BYTES);
    assert_string_equal(seen.data_sha256, CORPUS_SHA256);
    /* embedding and head 2 * 128 * 32; layer 2 * 32 + 2 * 32^2 + 2 * 16 * 32 + 3 * 48 * 32 */
    assert_int_equal(seen.parameters, 8192 + 64 + 2048 + 1024 + 4608 + 32);
    /* ln 128 plus half the variance of the logits, 0.02^2 * 32; 128 tokens scatter it by 0.01 */
    assert_float_equal(seen.loss[1], log(128) + 0.0064, 0.03);
}

/* A model that knows only how often each byte occurs is at 2.98 nats. */
static void training_beats_the_unigram_entropy(void **state)
{
    (void)state;
    struct seen seen = {0};
    struct training t = small;
    t.steps = STEPS_MAX;
    t.hidden = 64;
    t.ffn = 128;
    trains(&t, &seen);
    double mean = 0;
    for (int i = STEPS_MAX - 9; i <= STEPS_MAX; i++)
        mean += seen.loss[i] / 10;
    if (!(mean < 0.75 * seen.entropy))
        fail_msg("loss %g, unigram entropy %g", mean, seen.entropy);
}

static void the_same_case_gives_the_same_bits(void **state)
{
    (void)state;
    struct seen one = {0}, two = {0}, other = {0};
    struct training t = small;
    trains(&t, &one);
    trains(&t, &two);
    assert_memory_equal(one.loss, two.loss, sizeof one.loss);
    assert_memory_equal(one.grad_norm, two.grad_norm, sizeof one.grad_norm);
    assert_string_equal(one.weights_sha256, two.weights_sha256);
    t.seed++;
    trains(&t, &other);
    assert_string_not_equal(one.weights_sha256, other.weights_sha256);
}

/*
 * 4 micro-batches of 1 are 1 micro-batch of 4. The first loss is the same sum of the same terms,
 * in double. The first gradient norm differs by the order of fp32 sums, 1e-6 (test_trainer_model
 * argues 12 * 2^-24 for 12 rows; errors of 128 rows partly cancel). Adam divides a gradient by its
 * own size, so elements near zero turn such differences into steps of lr in either direction:
 * later losses may drift apart, here by less than 1e-4 of themselves over 8 steps.
 */
static void accumulation_equals_a_larger_batch(void **state)
{
    (void)state;
    struct seen one = {0}, four = {0};
    struct training t = small;
    trains(&t, &one);
    t.micro_batch = 1;
    t.gradient_accumulation = 4;
    trains(&t, &four);
    assert_int_equal(one.tokens_per_step, four.tokens_per_step);
    assert_float_equal(one.loss[1], four.loss[1], 1e-6);
    assert_float_equal(one.grad_norm[1], four.grad_norm[1], 1e-5);
    for (int i = 2; i <= 8; i++)
        assert_float_equal(one.loss[i] / four.loss[i], 1, 1e-4);
}

/* The corpus as a .npy file of int32 trains to the same bits as the corpus itself. */
static void data_kinds_give_the_same_bits(void **state)
{
    (void)state;
    struct seen generated = {0}, npy = {0};
    struct err err = ERR_INIT;
    struct training t = small;
    char path[] = "/tmp/fpreport-train-XXXXXX";
    unsigned char *text = memory_alloc(CORPUS_BYTES);
    char *file = memory_alloc(128 + 4 * CORPUS_BYTES);
    close(mkstemp(path));
    assert_int_equal(corpus_generate(text, &err), 0);
    memset(file, ' ', 128);
    memcpy(file, "\x93NUMPY\x01\x00\x76\x00", 10);
    memcpy(file + 10, "{'descr': '<i4', 'fortran_order': False, 'shape': (262144,), }", 62);
    for (int i = 0; i < CORPUS_BYTES; i++)
        memcpy(file + 128 + 4 * i, &(int32_t){text[i]}, 4);
    assert_int_equal(file_write(path, file, 128 + 4 * CORPUS_BYTES, &err), 0);
    trains(&t, &generated);
    t.data_kind = "npy";
    t.data_path = path;
    trains(&t, &npy);
    assert_string_equal(generated.weights_sha256, npy.weights_sha256);
    assert_string_not_equal(generated.data_sha256, npy.data_sha256);
    unlink(path);
    free(file);
    free(text);
}

static void a_tied_model_trains(void **state)
{
    (void)state;
    struct seen seen = {0};
    struct training t = small;
    t.tied = true;
    trains(&t, &seen);
    assert_int_equal(seen.parameters, 4096 + 64 + 2048 + 1024 + 4608 + 32);
    assert_true(seen.loss[8] < seen.loss[1]);
}

static void the_observer_may_stop(void **state)
{
    (void)state;
    struct seen after_3 = {.stop_after = 3}, at_once = {.stop_after = -1};
    trains(&small, &after_3);
    assert_int_equal(after_3.steps, 3);
    trains(&small, &at_once);
    assert_int_equal(at_once.steps, 0);
    const struct train_observer nobody = {0};
    struct err err = ERR_INIT;
    assert_int_equal(train_on_cpu(&small, &nobody, &err), 0);
}

struct asked {
    struct seen seen; /* first, so that the one is the other */
    int left;
};

static int ask(void *context)
{
    struct asked *a = context;
    return --a->left == 0;
}

/* One rank leaves a step when it wants to stop between two micro-batches (asked four times in the
 * first step, once for all ranks behind it, and twice in the next): as if it had not begun it. */
static void a_step_may_be_left(void **state)
{
    (void)state;
    struct training t = small;
    struct asked asked = {.left = 4 + 1 + 2};
    struct seen stopped = {.stop_after = 1};
    struct err err = ERR_INIT;
    const struct train_observer observer = {.context = &asked,
                                            .started = see_start,
                                            .asked = ask,
                                            .stepped = see_step,
                                            .ended = see_end};
    t.micro_batch = 1;
    t.gradient_accumulation = 4;
    assert_int_equal(train_on_cpu(&t, &observer, &err), 0);
    trains(&t, &stopped);
    assert_int_equal(asked.left, 0);
    assert_int_equal(asked.seen.steps_at_end, 1);
    assert_string_equal(asked.seen.weights_sha256, stopped.weights_sha256);
}

/* Times of steps leave no gaps: what is done with a step is in the next one's. */
static int take_time(void *context, const struct train_step *step)
{
    double *times = context;
    times[step->step] = step->seconds;
    nanosleep(&(struct timespec){.tv_nsec = 30000000}, NULL);
    return 0;
}

static void a_steps_time_begins_where_the_last_one_ended(void **state)
{
    (void)state;
    double times[4] = {0};
    struct training t = small;
    struct err err = ERR_INIT;
    const struct train_observer observer = {.context = times, .stepped = take_time};
    t.steps = 3;
    assert_int_equal(train_on_cpu(&t, &observer, &err), 0);
    assert_true(times[2] >= 0.03 && times[3] >= 0.03);
}

static void a_loss_that_is_not_finite_ends_the_training(void **state)
{
    (void)state;
    struct seen seen = {0};
    struct err err = ERR_INIT;
    struct training t = small;
    t.lr = 1000; /* weights of 1e3, logits of 1e10 and more */
    t.weight_decay = 1000;
    t.steps = STEPS_MAX;
    assert_int_equal(train(&t, &seen, &err), -1);
    assert_int_equal(err.kind, ERR_CHECK);
    char step[64];
    snprintf(step, sizeof step, "step %d: the training diverged", seen.steps + 1);
    assert_true(strncmp(err.text, step, strlen(step)) == 0);
    assert_non_null(strstr(err.text, "expected finite numbers"));
    assert_int_equal(seen.steps_at_end, 0); /* nobody is told that it ended well */
}

static void settings_out_of_range_are_usage_errors(void **state)
{
    (void)state;
    struct seen seen = {0};
    struct err err = ERR_INIT;
    struct training bad[7];
    const char *messages[7] = {
        "steps: found 0, expected 1 to 268435456",
        "lr: found nan, expected 0 to 1000",
        "beta2: found 1, expected 0 to 0.999999",
        "warmup_steps: found 9, expected at most steps = 8",
        "min_lr: found 0.1, expected at most lr = 0.003",
        "hidden: found 36, expected a multiple of 2 * heads = 8",
        "data_kind: missing, expected generated, npy or megatron",
    };
    for (int i = 0; i < 7; i++)
        bad[i] = small;
    bad[0].steps = 0;
    bad[1].lr = NAN;
    bad[2].beta2 = 1;
    bad[3].warmup_steps = 9;
    bad[4].min_lr = 0.1;
    bad[5].hidden = 36;
    bad[6].data_kind = NULL;
    for (int i = 0; i < 7; i++) {
        assert_int_equal(train(&bad[i], &seen, &err), -1);
        assert_string_equal(err.text, messages[i]);
        assert_int_equal(err.kind, ERR_USAGE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(schedule_meets_its_end_points),
        cmocka_unit_test(schedule_from_zero_is_transformers),
        cmocka_unit_test(schedule_without_warm_up_or_without_decay),
        cmocka_unit_test(clipping_shortens_only_what_is_too_long),
        cmocka_unit_test(decay_shrinks_matrices_only),
        cmocka_unit_test(the_gradient_norm_is_global),
        cmocka_unit_test(the_observer_is_told_everything),
        cmocka_unit_test(training_beats_the_unigram_entropy),
        cmocka_unit_test(the_same_case_gives_the_same_bits),
        cmocka_unit_test(accumulation_equals_a_larger_batch),
        cmocka_unit_test(data_kinds_give_the_same_bits),
        cmocka_unit_test(a_tied_model_trains),
        cmocka_unit_test(the_observer_may_stop),
        cmocka_unit_test(a_step_may_be_left),
        cmocka_unit_test(a_steps_time_begins_where_the_last_one_ended),
        cmocka_unit_test(a_loss_that_is_not_finite_ends_the_training),
        cmocka_unit_test(settings_out_of_range_are_usage_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
