/*
 * Families of models against transformers: the small cases of ../shared/oracles/native, whose
 * losses and gradients were made by its classes in float64. Skipped where that folder is not.
 */
#include "tests/unit/unit.h"

#include "base/arena.h"
#include "base/json/json.h"
#include "tests/trainer_ground.h"
#include "trainer/tensors/tensor_files.h"
#include "trainer/training/model_files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ORACLES "../shared/oracles/native/"
#define TOKENS_MAX 4096

struct oracle {
    struct arena arena;
    struct json *root;
    struct model_shape shape;
    struct adamw adamw;
    double lr;
    int32_t inputs[2][TOKENS_MAX], targets[2][TOKENS_MAX]; /* two batches take turns */
};

static double number(const struct json *object, const char *key)
{
    const struct json *value = json_get(object, key);
    assert_non_null(value);
    return value->number;
}

static const struct json *element(const struct json *array, int i)
{
    const struct json *item = array->child;
    while (i-- > 0)
        item = item->next;
    assert_non_null(item);
    return item;
}

static void read_tokens(struct oracle *o)
{
    const struct json *tokens = json_get(o->root, "tokens");
    int length = o->shape.sequence_length;
    for (int batch = 0; batch < 2; batch++)
        for (int b = 0; b < o->shape.micro_batch; b++) {
            const struct json *row = element(element(tokens, batch), b)->child;
            for (int i = 0; i <= length; i++, row = row->next) {
                if (i < length)
                    o->inputs[batch][b * length + i] = (int32_t)row->number;
                if (i > 0)
                    o->targets[batch][b * length + i - 1] = (int32_t)row->number;
            }
        }
}

static void oracle_open(struct oracle *o, const char *name)
{
    char path[128];
    struct diags diags;
    *o = (struct oracle){.arena = ARENA_INIT};
    snprintf(path, sizeof path, ORACLES "%s/case.json", name);
    if (access(path, F_OK) < 0)
        skip();
    diags_init(&diags, &o->arena);
    assert_int_equal(json_load(path, &o->arena, &o->root, &diags), 0);
    const struct json *shape = json_get(o->root, "shape"),
                      *optimizer = json_get(o->root, "optimizer");
    o->shape = (struct model_shape){.vocabulary = (int)number(shape, "vocabulary"),
                                    .layers = (int)number(shape, "layers"),
                                    .heads = (int)number(shape, "heads"),
                                    .kv_heads = (int)number(shape, "kv_heads"),
                                    .hidden = (int)number(shape, "hidden"),
                                    .ffn = (int)number(shape, "ffn"),
                                    .sequence_length = (int)number(o->root, "length"),
                                    .micro_batch = (int)number(o->root, "batch"),
                                    .rope_theta = 10000,
                                    .norm_eps = (float)number(shape, "eps")};
    o->adamw = (struct adamw){.beta1 = number(optimizer, "beta1"),
                              .beta2 = number(optimizer, "beta2"),
                              .eps = number(optimizer, "eps"),
                              .weight_decay = number(optimizer, "decay"),
                              .decays = DECAYS_ALL};
    o->lr = number(optimizer, "lr");
    read_tokens(o);
}

/* ---- a model with the oracle's weights ------------------------------------------------------ */

static void ground_load(struct ground *g, const struct oracle *o, const char *name)
{
    char path[128];
    struct transfer transfer = {0};
    struct err err = ERR_INIT;
    snprintf(path, sizeof path, ORACLES "%s/model.safetensors", name);
    if (ground_open(g, &o->shape, &o->adamw, &err) < 0 ||
        transfer_init(&transfer, &g->optimizer, &err) < 0 ||
        model_files_load(&transfer, TRANSFER_WEIGHTS, TENSORS_OF_MODEL, path, NULL, &err) < 0)
        fail_msg("%s", err.text);
    transfer_release(&transfer);
}

/* Mean loss of the rows that have targets. */
static double pass(struct ground *g, const struct oracle *o, int batch, const int32_t *targets,
                   int rows)
{
    model_zero_gradients(g->model);
    model_forward(g->model, o->inputs[batch]);
    model_loss(g->model, targets, 1 / (float)rows);
    model_backward(g->model);
    return *g->model->loss_sum / rows;
}

static float *read_rows(const struct tensor_files *files, const struct parameter *p)
{
    const struct safetensors *file;
    const struct safetensors_tensor *t = tensor_files_find(files, p->name, &file);
    size_t n = p->rows * p->width;
    float *values = memory_alloc(n * sizeof *values);
    struct err err = ERR_INIT;
    assert_non_null(t);
    assert_int_equal(safetensors_read(file, t, p->file_row * p->width, n, values, &err), 0);
    return values;
}

/* Each of the arrays' tensors against the file's: the distance as a share of the tensor's length.
 */
static void compare(const struct model *m, const float *array, const char *name, const char *file,
                    double limit)
{
    char path[128];
    struct tensor_files files;
    struct err err = ERR_INIT;
    double worst = 0;
    snprintf(path, sizeof path, ORACLES "%s/%s", name, file);
    assert_int_equal(tensor_files_open(&files, path, &err), 0);
    for (size_t i = 0; i < m->n_parameters; i++) {
        const struct parameter *p = &m->parameters[i];
        if (m->adapter_bucket >= 0 && p->role == ROLE_MODEL)
            continue;
        float *expected = read_rows(&files, p);
        double apart = 0, length = 0;
        for (size_t j = 0; j < p->rows * p->width; j++) {
            double difference = (double)array[p->offset + j] - expected[j];
            apart += difference * difference;
            length += (double)expected[j] * expected[j];
        }
        free(expected);
        worst = fmax(worst, sqrt(apart / length));
        if (!(sqrt(apart / length) <= limit))
            fail_msg("%s of %s: %g of its length off", p->name, file, sqrt(apart / length));
    }
    tensor_files_close(&files);
    print_message("%s: %.2g of a tensor's length off at most\n", file, worst);
}

/*
 * Ten steps at a constant rate. The oracle's curve was made without setting gradients to zero
 * between steps (its weights are one tensor in all of them), so that each step has the sum of all
 * gradients so far; `sums` does the same. Its first step is that of the reference.
 */
static void follow(struct ground *g, struct oracle *o, bool sums)
{
    const struct json *losses = json_get(o->root, "losses");
    size_t n = g->model->n_gradients;
    float *sum = memory_alloc(n * sizeof *sum), *gradients = g->model->gradients;
    struct err err = ERR_INIT;
    for (int i = 0; i < 10; i++) {
        double loss = pass(g, o, i % 2, o->targets[i % 2], g->model->rows), norm;
        for (size_t j = 0; j < n; j++)
            gradients[j] = sum[j] = gradients[j] + (sums ? sum[j] : 0);
        assert_float_equal(loss / element(losses, i)->number, 1, 1e-4);
        assert_int_equal(optimizer_gradient_norm(&g->optimizer, 1, &norm, &err), 0);
        assert_int_equal(optimizer_step(&g->optimizer, norm, o->lr, 1, &err), 0);
    }
    free(sum);
}

/* ---- Baichuan 2 13B ------------------------------------------------------------------------- */

static const struct architecture baichuan = {POSITION_ALIBI, true, NAMES_BAICHUAN};

static void baichuan_is_transformers(void **state)
{
    (void)state;
    static struct oracle o;
    struct ground g;
    oracle_open(&o, "oracle_baichuan");
    o.shape.architecture = baichuan;
    o.adamw.clip_norm = number(json_get(o.root, "optimizer"), "clip");
    for (int r = RECOMPUTE_NONE; r <= RECOMPUTE_FULL; r++) {
        o.shape.recompute = (enum recompute)r;
        ground_load(&g, &o, "oracle_baichuan");
        double loss = pass(&g, &o, 0, o.targets[0], g.model->rows);
        assert_float_equal(loss / number(o.root, "loss"), 1, 1e-5);
        compare(g.model, g.model->gradients, "oracle_baichuan", "reference_gradients.safetensors",
                1e-5);
        follow(&g, &o, true);
        compare(g.model, g.model->weights, "oracle_baichuan", "final.safetensors", 1e-4);
        ground_close(&g);
    }
    arena_release(&o.arena);
}

/* The convention of the page: as many tokens, one target less. */
static void targets_inside_are_one_less(void **state)
{
    (void)state;
    static struct oracle o;
    struct ground g;
    oracle_open(&o, "oracle_baichuan");
    o.shape.architecture = baichuan;
    int length = o.shape.sequence_length, rows = o.shape.micro_batch * (length - 1);
    for (int b = 0; b < o.shape.micro_batch; b++)
        o.targets[0][(b + 1) * length - 1] = TARGET_NONE;
    ground_load(&g, &o, "oracle_baichuan");
    assert_float_equal(pass(&g, &o, 0, o.targets[0], rows) / number(o.root, "inside"), 1, 1e-6);
    ground_close(&g);
    arena_release(&o.arena);
}

static void slopes_are_those_of_any_number_of_heads(void **state)
{
    (void)state;
    static struct oracle o;
    char key[8];
    oracle_open(&o, "oracle_baichuan");
    for (int heads = 1; heads <= 128; heads++) {
        snprintf(key, sizeof key, "%d", heads);
        const struct json *slope = json_get(json_get(o.root, "slopes"), key)->child;
        for (int h = 0; h < heads; h++, slope = slope->next)
            assert_float_equal(architecture_slope(h, heads) / slope->number, 1, 1e-14);
        assert_null(slope);
    }
    arena_release(&o.arena);
}

/* ---- adapters ------------------------------------------------------------------------------- */

static void lora_load(struct ground *g, struct oracle *o)
{
    struct transfer transfer = {0};
    struct err err = ERR_INIT;
    ground_load(g, o, "oracle_lora");
    if (transfer_init(&transfer, &g->optimizer, &err) < 0 ||
        model_files_load(&transfer, TRANSFER_WEIGHTS, TENSORS_OF_ADAPTERS,
                         ORACLES "oracle_lora/adapter_model.safetensors", NULL, &err) < 0)
        fail_msg("%s", err.text);
    transfer_release(&transfer);
}

static void lora_open(struct oracle *o)
{
    oracle_open(o, "oracle_lora");
    const struct json *lora = json_get(o->root, "lora");
    o->shape.lora = (struct lora){.r = (int)number(lora, "r"),
                                  .alpha = number(lora, "alpha"),
                                  .targets = 1u << LORA_Q | 1u << LORA_V};
}

/* The weights of the model stay; its adapters' gradients are peft's. */
static void lora_is_peft(void **state)
{
    (void)state;
    static struct oracle o;
    struct ground g;
    lora_open(&o);
    for (int r = RECOMPUTE_NONE; r <= RECOMPUTE_FULL; r++) {
        o.shape.recompute = (enum recompute)r;
        lora_load(&g, &o);
        const struct model *m = g.model;
        size_t frozen = m->buckets[m->adapter_bucket].begin;
        float *before = memory_alloc(frozen * sizeof *before);
        memcpy(before, m->weights, frozen * sizeof *before);
        double loss = pass(&g, &o, 0, o.targets[0], m->rows);
        assert_float_equal(loss / number(o.root, "loss"), 1, 1e-5);
        compare(m, m->gradients - frozen, "oracle_lora", "reference_plain.safetensors", 1e-5);
        follow(&g, &o, false);
        compare(m, m->weights, "oracle_lora", "final.safetensors", 1e-4);
        assert_memory_equal(before, m->weights, frozen * sizeof *before);
        assert_int_equal(g.zero.n_state, m->n_weights - frozen); /* no state for what is frozen */
        free(before);
        ground_close(&g);
    }
    arena_release(&o.arena);
}

/*
 * With dropout the loss is another function of the adapters, for the same counters always the same:
 * its gradient against differences along itself, as in test_trainer_model.c.
 */
static void gradients_with_dropout(void **state)
{
    (void)state;
    static struct oracle o;
    struct ground g;
    double losses[3], slope = 0;
    lora_open(&o);
    o.shape.lora.dropout = 0.3;
    lora_load(&g, &o);
    struct model *m = g.model;
    const struct bucket *b = &m->buckets[m->adapter_bucket];
    float *w = (float *)m->weights + b->begin, *gradient = memory_alloc(b->n * sizeof *gradient);
    m->dropout_row = 1000;
    losses[0] = pass(&g, &o, 0, o.targets[0], m->rows);
    assert_true(fabs(losses[0] / number(o.root, "loss") - 1) > 1e-4);
    memcpy(gradient, b->gradient, b->n * sizeof *gradient);
    for (size_t i = 0; i < b->n; i++)
        slope += (double)gradient[i] * gradient[i];
    const double t = 0.01 / sqrt(slope);
    for (int side = 1; side <= 2; side++) {
        double step = side == 1 ? t : -2 * t;
        for (size_t i = 0; i < b->n; i++)
            w[i] += (float)(step * gradient[i]);
        losses[side] = pass(&g, &o, 0, o.targets[0], m->rows);
    }
    assert_float_equal((losses[1] - losses[2]) / (2 * t) / slope, 1, 2e-3);
    m->dropout_row = 2000;
    assert_true(pass(&g, &o, 0, o.targets[0], m->rows) != losses[2]);
    free(gradient);
    ground_close(&g);
    arena_release(&o.arena);
}

static size_t bits_of(const uint8_t *bits, size_t bytes)
{
    size_t sum = 0;
    for (size_t i = 0; i < bytes; i++)
        sum += (size_t)__builtin_popcount(bits[i]);
    return sum;
}

/* What is kept of an element does not depend on which rows are dropped together; a thin row sums
 * what is kept, and what goes up again goes where something was. */
static void dropout_keeps_as_often_as_it_says(void **state)
{
    (void)state;
    struct err err = ERR_INIT;
    struct device *d;
    static float x[1000 * 64], w[64], sums[1000];
    static uint8_t bits[1000 * 8], part[10 * 8];
    assert_int_equal(device_cpu_open(&d, &err), 0);
    for (int i = 0; i < 1000 * 64; i++)
        x[i] = 1;
    for (int i = 0; i < 64; i++)
        w[i] = 1;
    struct thin all = {.rows = 1000,
                       .width = 64,
                       .r = 1,
                       .scale = 1,
                       .keep = 0.95f,
                       .key = 77,
                       .bits = bits,
                       .x = x,
                       .w = w,
                       .thin = sums};
    d->operations->thin_down(d, &all, 1);
    double n = (double)bits_of(bits, sizeof bits);
    assert_float_equal(n / (1000 * 64) / 0.95f, 1, 4 * sqrt(0.05 / 0.95 / (1000 * 64)));
    for (int row = 0; row < 1000; row++)
        assert_float_equal(sums[row], bits_of(bits + row * 8, 8) / 0.95, 1e-4);
    struct thin some = all;
    some.rows = 10, some.first_row = 500, some.bits = part, some.thin = sums + 500;
    d->operations->thin_down(d, &some, 1);
    assert_memory_equal(part, bits + 500 * 8, sizeof part);
    for (int row = 0; row < 1000; row++)
        sums[row] = 1;
    d->operations->thin_up(d, &all, 1);
    for (int i = 0; i < 1000 * 64; i++)
        assert_float_equal(x[i], (bits[i / 8] >> i % 8 & 1) ? 1 + 1 / 0.95 : 1, 1e-6);
    device_close(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(baichuan_is_transformers),
        cmocka_unit_test(targets_inside_are_one_less),
        cmocka_unit_test(slopes_are_those_of_any_number_of_heads),
        cmocka_unit_test(lora_is_peft),
        cmocka_unit_test(gradients_with_dropout),
        cmocka_unit_test(dropout_keeps_as_often_as_it_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
