/*
 * LLaVA against arithmetic of another hand: a model of a few hundred weights, whose loss, rows of
 * its tower and gradients (by central differences) tests/oracle/llava_twin.py has from the papers'
 * formulas in plain Python. It needs no files; test_trainer_llava.c holds a larger one to
 * transformers.
 */
#include "tests/unit/unit.h"

#include "base/arena.h"
#include "tests/trainer_ground.h"
#include "tests/unit/trainer/model/llava_twin.h"
#include "trainer/model/tower.h"

#include <math.h>
#include <string.h>

enum { SAMPLES = 2, LENGTH = 8, SIDE = 4, ROWS = 4, TARGETS = 5 };

#define N TARGET_NONE

static const int32_t inputs[SAMPLES * LENGTH] = {1, -1, -1, -1, -1, 5, 6, 7,
                                                 1, 8,  9,  10, 2,  0, 0, 0};
static const int32_t targets[SAMPLES * LENGTH] = {N, N, N,  N, N, 6, 7, N, /**/
                                                  N, 9, 10, 2, N, N, N, N};
static const int32_t places[ROWS] = {1, 2, 3, 4};

static const struct tower_shape tower_shape = {
    .layers = 2, .hidden = 8, .heads = 2, .ffn = 12, .side = SIDE, .patch = 2, .eps = 1e-5f};
static const struct model_shape model_shape = {
    .vocabulary = 11,
    .layers = 2,
    .heads = 2,
    .kv_heads = 1,
    .hidden = 16,
    .ffn = 12,
    .sequence_length = LENGTH,
    .micro_batch = SAMPLES,
    .rope_theta = 10000,
    .norm_eps = 1e-5f,
    .architecture = {.names = NAMES_LLAVA_HF},
    .picture_width = 8,
    .picture_rows = ROWS,
};

struct twin {
    struct ground g;
    struct tower *tower;
    bool picks; /* rows with a target pass the last feed-forward block alone */
};

/* The same in llava_twin.py. */
static void fill_twin(float *to, const char *name, size_t n)
{
    unsigned h = 0;
    size_t len = strlen(name), end = strlen(".weight");
    bool one = strstr(name, "norm") && len > end && strcmp(name + len - end, ".weight") == 0;
    for (const char *c = name; *c; c++)
        h = (h * 31 + (unsigned char)*c) % 65536;
    for (size_t k = 0; k < n; k++)
        to[k] = (float)(one + 0.4 * sin(0.001 * h + 0.7 * (double)k));
}

static void make_twin(struct twin *t, enum recompute recompute)
{
    const struct adamw adamw = {.beta1 = 0.9, .beta2 = 0.999, .eps = 1e-8};
    struct model_shape shape = model_shape;
    struct err err = ERR_INIT;
    shape.recompute = recompute;
    if (ground_open(&t->g, &shape, &adamw, &err) < 0 ||
        tower_new(&t->tower, &tower_shape, 1, t->g.device, &err) < 0)
        fail_msg("%s", err.text);
    const struct model *m = t->g.model;
    for (size_t i = 0; i < m->n_parameters; i++) {
        const struct parameter *p = &m->parameters[i];
        fill_twin((float *)m->weights + p->offset, p->name, p->rows * p->width);
    }
    for (size_t i = 0; i < t->tower->n_tensors; i++) {
        const struct tower_tensor *w = &t->tower->tensors[i];
        fill_twin((float *)t->tower->weights + w->offset, w->name, w->rows * w->width);
    }
}

static void forget_twin(struct twin *t)
{
    tower_free(t->tower);
    ground_close(&t->g);
}

static double pass_twin(struct twin *t)
{
    struct model *m = t->g.model;
    uint8_t pixels[SIDE * SIDE * 3];
    for (int i = 0; i < SIDE * SIDE * 3; i++)
        pixels[i] = (uint8_t)((7 * i * i + 3 * i) % 256);
    tower_see(t->tower, pixels, 1);
    m->pictures = (struct pictures){1, t->tower->rows, places};
    model_set_length(m, LENGTH);
    if (t->picks)
        tail_pick(m, targets);
    model_zero_gradients(m);
    model_forward(m, inputs);
    model_loss(m, targets, 1.0f / TARGETS);
    model_backward(m);
    return *m->loss_sum / TARGETS;
}

static float gradient_of(const struct model *m, const char *name, int element)
{
    for (size_t i = 0; i < m->n_parameters; i++) {
        const struct parameter *p = &m->parameters[i];
        size_t bucket = 0;
        if (strcmp(p->name, name) != 0)
            continue;
        while (p->offset >= m->buckets[bucket].begin + m->buckets[bucket].n)
            bucket++;
        return bucket_gradient(&m->buckets[bucket], p->offset)[element];
    }
    fail_msg("%s: none in the model", name);
    return 0;
}

static void the_towers_rows_are_the_twins(void **state)
{
    (void)state;
    struct twin t = {.picks = false};
    make_twin(&t, RECOMPUTE_NONE);
    pass_twin(&t);
    const float *rows = t.tower->rows;
    assert_int_equal(sizeof twin_rows / sizeof *twin_rows, ROWS * 8);
    for (size_t i = 0; i < ROWS * 8; i++)
        assert_float_equal(rows[i], twin_rows[i], 1e-5 * (1 + fabs(twin_rows[i])));
    forget_twin(&t);
}

static void loss_and_gradients_are_the_twins(void **state)
{
    (void)state;
    for (int k = 0; k < 2 * (RECOMPUTE_FULL + 1); k++) {
        struct twin t = {.picks = k % 2};
        make_twin(&t, (enum recompute)(k / 2));
        assert_float_equal(pass_twin(&t), twin_loss, 1e-5);
        assert_int_equal(t.g.model->tail.n, t.picks ? TARGETS : 0);
        for (size_t i = 0; i < sizeof twin_gradients / sizeof *twin_gradients; i++) {
            const struct twin_gradient *g = &twin_gradients[i];
            double found = gradient_of(t.g.model, g->name, g->element);
            if (!(fabs(found - g->value) < 2e-6 + 1e-4 * fabs(g->value)))
                fail_msg("%s[%d]: found %.9g, expected %.9g", g->name, g->element, found, g->value);
        }
        forget_twin(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_towers_rows_are_the_twins),
        cmocka_unit_test(loss_and_gradients_are_the_twins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
