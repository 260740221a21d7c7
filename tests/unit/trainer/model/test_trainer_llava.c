/*
 * LLaVA against transformers: the small case of ../shared/oracles/native/oracle_llava, whose rows,
 * losses and gradients were made by its classes in float64. Skipped where that folder is not.
 */
#include "tests/unit/unit.h"

#include "base/arena.h"
#include "base/json/json.h"
#include "tests/trainer_ground.h"
#include "trainer/tensors/tensor_files.h"
#include "trainer/training/llava_files.h"
#include "trainer/training/model_files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ORACLE "../shared/oracles/native/oracle_llava/"
#define IMAGE (-200)
#define IGNORED (-100)

enum { SAMPLES = 3, LENGTH_MAX = 64, PATCHES_MAX = 16 };

struct oracle {
    struct arena arena;
    struct json *root;
    struct model_shape shape;
    struct tower_shape tower;
    int length, targets, with_picture;
    int32_t inputs[SAMPLES * LENGTH_MAX], labels[SAMPLES * LENGTH_MAX];
    int32_t places[SAMPLES * PATCHES_MAX];
    int pictures[SAMPLES]; /* samples that have one */
};

static double number(const struct json *object, const char *key)
{
    const struct json *value = json_get(object, key);
    assert_non_null(value);
    return value->number;
}

static int count_of(const struct json *array)
{
    int n = 0;
    for (const struct json *i = array->child; i; i = i->next)
        n++;
    return n;
}

/* A sample's rows: a picture's place becomes its rows, a target is the label of the row behind. */
static void read_sample(struct oracle *o, int sample, const struct json *from)
{
    int at = sample * o->length, row = at;
    const struct json *label = json_get(from, "labels")->child;
    for (const struct json *id = json_get(from, "ids")->child; id;
         id = id->next, label = label->next) {
        bool image = id->number == IMAGE;
        for (int i = 0; i < (image ? o->shape.picture_rows : 1); i++, row++) {
            bool target = label->number != IGNORED;
            o->inputs[row] = image ? -1 : (int32_t)id->number;
            if (image)
                o->places[o->with_picture * o->shape.picture_rows + i] = row;
            if (row > at)
                o->labels[row - 1] = target ? (int32_t)label->number : TARGET_NONE;
            o->targets += row > at && target;
        }
        if (image)
            o->pictures[o->with_picture++] = sample;
    }
}

static void oracle_open(struct oracle *o)
{
    struct diags diags;
    *o = (struct oracle){.arena = ARENA_INIT};
    if (access(ORACLE "case.json", F_OK) < 0)
        skip();
    diags_init(&diags, &o->arena);
    assert_int_equal(json_load(ORACLE "case.json", &o->arena, &o->root, &diags), 0);
    const struct json *text = json_get(o->root, "text"), *vision = json_get(o->root, "vision");
    o->tower = (struct tower_shape){.layers = (int)number(vision, "layers") + 1 +
                                              (int)number(vision, "select_layer"),
                                    .hidden = (int)number(vision, "hidden"),
                                    .heads = (int)number(vision, "heads"),
                                    .ffn = (int)number(vision, "ffn"),
                                    .side = (int)number(vision, "side"),
                                    .patch = (int)number(vision, "patch"),
                                    .eps = (float)number(vision, "eps")};
    const struct json *labels = json_get(o->root, "spliced_labels");
    o->length = count_of(labels->child);
    o->shape = (struct model_shape){.vocabulary = (int)number(text, "vocabulary"),
                                    .layers = (int)number(text, "layers"),
                                    .heads = (int)number(text, "heads"),
                                    .kv_heads = (int)number(text, "kv_heads"),
                                    .hidden = (int)number(text, "hidden"),
                                    .ffn = (int)number(text, "ffn"),
                                    .sequence_length = o->length + 8,
                                    .micro_batch = SAMPLES,
                                    .rope_theta = (float)number(text, "theta"),
                                    .norm_eps = (float)number(text, "eps"),
                                    .architecture = {.names = NAMES_LLAVA_HF},
                                    .picture_width = o->tower.hidden,
                                    .picture_rows = tower_patches(&o->tower)};
    assert_true(o->length <= LENGTH_MAX && o->shape.picture_rows <= PATCHES_MAX);
    for (int i = 0; i < SAMPLES * o->length; i++)
        o->labels[i] = TARGET_NONE;
    const struct json *sample = json_get(o->root, "samples")->child;
    for (int i = 0; i < SAMPLES; i++, sample = sample->next)
        read_sample(o, i, sample);
    assert_int_equal(o->targets, (int)number(o->root, "targets"));
}

static float *read_all(struct oracle *o, const char *file, const char *name, size_t *n)
{
    char path[128];
    struct tensor_files files;
    const struct safetensors *in;
    struct err err = ERR_INIT;
    snprintf(path, sizeof path, ORACLE "%s", file);
    assert_int_equal(tensor_files_open(&files, path, &err), 0);
    const struct safetensors_tensor *t = tensor_files_find(&files, name, &in);
    assert_non_null(t);
    *n = 1;
    for (int d = 0; d < t->dimensions; d++)
        *n *= t->shape[d];
    float *values = arena_array(&o->arena, *n, sizeof *values);
    assert_int_equal(safetensors_read(in, t, 0, *n, values, &err), 0);
    tensor_files_close(&files);
    return values;
}

/* As a share of what is expected. */
static double apart(const float *found, const float *expected, size_t n)
{
    double squares = 0, length = 0;
    for (size_t i = 0; i < n; i++) {
        squares += ((double)found[i] - expected[i]) * ((double)found[i] - expected[i]);
        length += (double)expected[i] * expected[i];
    }
    return sqrt(squares / length);
}

/* ---- model and tower with the oracle's weights ---------------------------------------------- */

struct llava {
    struct ground g;
    struct tower *tower;
    bool picks; /* rows with a target pass the last feed-forward block alone */
};

static void load(struct llava *l, const struct oracle *o)
{
    const struct adamw adamw = {.beta1 = 0.9, .beta2 = 0.999, .eps = 1e-8};
    struct transfer transfer = {0};
    struct err err = ERR_INIT;
    l->picks = false;
    if (ground_open(&l->g, &o->shape, &adamw, &err) < 0 ||
        tower_new(&l->tower, &o->tower, SAMPLES, l->g.device, &err) < 0 ||
        weights_initialise(&l->g.optimizer, 0.02f, 1, &err) < 0 ||
        transfer_init(&transfer, &l->g.optimizer, &err) < 0 ||
        model_files_load(&transfer, TRANSFER_WEIGHTS, TENSORS_OF_MODEL, ORACLE "model.safetensors",
                         NULL, &err) < 0 ||
        llava_tower_load(&transfer, l->tower, ORACLE "model.safetensors", &err) < 0)
        fail_msg("%s", err.text);
    transfer_release(&transfer);
}

/* A projector that is trained alone is not in a model's files; here it is. */
static void load_projector(struct llava *l, struct oracle *o)
{
    const struct model *m = l->g.model;
    for (size_t i = 0; i < m->n_parameters; i++) {
        const struct parameter *p = &m->parameters[i];
        size_t n;
        if (p->role == ROLE_PROJECTOR)
            memcpy((float *)m->weights + p->offset, read_all(o, "model.safetensors", p->name, &n),
                   p->rows * p->width * sizeof(float));
    }
}

static void unload(struct llava *l)
{
    tower_free(l->tower);
    ground_close(&l->g);
}

/* Pixels, which the oracle has as CLIP's norms leave them, to rows of patches. */
static void see(struct llava *l, struct oracle *o)
{
    const struct tower_shape *s = &o->tower;
    size_t n, side = (size_t)s->side, patch = (size_t)s->patch, across = side / patch;
    const float *pixels = read_all(o, "pixels.safetensors", "pixel_values", &n);
    float *rows = l->tower->patches;
    for (int picture = 0; picture < o->with_picture; picture++)
        for (size_t p = 0; p < across * across; p++)
            for (size_t i = 0; i < 3 * patch * patch; i++) {
                size_t channel = i / (patch * patch), y = p / across * patch + i / patch % patch;
                size_t x = p % across * patch + i % patch;
                *rows++ =
                    pixels[(((size_t)o->pictures[picture] * 3 + channel) * side + y) * side + x];
            }
    tower_see_patches(l->tower, o->with_picture);
}

static double pass(struct llava *l, struct oracle *o)
{
    struct model *m = l->g.model;
    see(l, o);
    m->pictures = (struct pictures){o->with_picture, l->tower->rows, o->places};
    model_set_length(m, o->length);
    if (l->picks)
        tail_pick(m, o->labels);
    model_zero_gradients(m);
    model_forward(m, o->inputs);
    model_loss(m, o->labels, 1 / (float)o->targets);
    model_backward(m);
    return *m->loss_sum / o->targets;
}

static void rows_of_pictures(void **state)
{
    (void)state;
    static struct oracle o;
    struct llava l;
    oracle_open(&o);
    load(&l, &o);
    pass(&l, &o);
    size_t n, patches = (size_t)o.shape.picture_rows, width = (size_t)o.tower.hidden;
    const float *tower = read_all(&o, "features.safetensors", "tower", &n);
    for (int i = 0; i < o.with_picture; i++) {
        size_t from = (size_t)o.pictures[i] * patches * width;
        double d = apart((float *)l.tower->rows + (size_t)i * patches * width, tower + from,
                         patches * width);
        print_message("picture %d: %.2g of the tower's rows off\n", i, d);
        assert_true(d < 1e-5);
    }
    unload(&l);
    arena_release(&o.arena);
}

/* What enters the first layer: the oracle has zeros where it pads. */
static void spliced_rows(void **state)
{
    (void)state;
    static struct oracle o;
    struct llava l;
    oracle_open(&o);
    load(&l, &o);
    pass(&l, &o);
    size_t n, hidden = (size_t)o.shape.hidden;
    const float *expected = read_all(&o, "spliced.safetensors", "embeddings", &n);
    const struct json *length = json_get(o.root, "lengths")->child;
    const float *sum = l.g.model->chunks[0].activations[0].blocks[0].sum;
    assert_int_equal(n, (size_t)SAMPLES * (size_t)o.length * hidden);
    for (int i = 0; i < SAMPLES; i++, length = length->next) {
        size_t at = (size_t)i * (size_t)o.length * hidden;
        assert_true(apart(sum + at, expected + at, (size_t)length->number * hidden) < 1e-5);
    }
    unload(&l);
    arena_release(&o.arena);
}

static void stage_is_transformers(struct oracle *o, const char *stage)
{
    struct llava l;
    char file[64];
    snprintf(file, sizeof file, "reference_%s.safetensors", stage);
    for (int k = 0; k < 2 * (RECOMPUTE_FULL + 1); k++) {
        double worst = 0;
        o->shape.recompute = (enum recompute)(k / 2);
        load(&l, o);
        l.picks = k % 2;
        load_projector(&l, o);
        assert_float_equal(pass(&l, o) / number(json_get(o->root, "loss"), stage), 1, 1e-5);
        const struct model *m = l.g.model;
        int step = 1 + SAMPLES * o->length / 64;
        assert_int_equal(m->tail.n, l.picks ? (o->targets + step - 1) / step * step : 0);
        for (size_t i = 0; i < m->n_parameters; i++) {
            const struct parameter *p = &m->parameters[i];
            size_t n, bucket = 0;
            if (o->shape.projector_alone && p->role != ROLE_PROJECTOR)
                continue;
            while (p->offset >= m->buckets[bucket].begin + m->buckets[bucket].n)
                bucket++;
            const float *expected = read_all(o, file, p->name, &n);
            assert_int_equal(n, p->rows * p->width);
            double d = apart(bucket_gradient(&m->buckets[bucket], p->offset), expected, n);
            worst = fmax(worst, d);
            if (!(d < 1e-5))
                fail_msg("%s: %g of its gradient's length off", p->name, d);
        }
        print_message("%s: %.2g of a gradient's length off at most\n", stage, worst);
        unload(&l);
    }
}

static void pretraining_is_transformers(void **state)
{
    (void)state;
    static struct oracle o;
    oracle_open(&o);
    o.shape.projector_alone = true;
    stage_is_transformers(&o, "pretrain");
    arena_release(&o.arena);
}

static void finetuning_is_transformers(void **state)
{
    (void)state;
    static struct oracle o;
    oracle_open(&o);
    stage_is_transformers(&o, "finetune");
    arena_release(&o.arena);
}

/* The rest of the model is bit for bit what it was, and there is no state for it. */
static void what_is_frozen_stays(void **state)
{
    (void)state;
    static struct oracle o;
    struct llava l;
    struct err err = ERR_INIT;
    double norm;
    oracle_open(&o);
    o.shape.projector_alone = true;
    load(&l, &o);
    struct model *m = l.g.model;
    const struct bucket *b = &m->buckets[m->projector.bucket];
    size_t behind = b->begin + b->n, n = m->n_weights - behind;
    float *before = memory_alloc(n * sizeof *before);
    memcpy(before, (float *)m->weights + behind, n * sizeof *before);
    double first = pass(&l, &o);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(optimizer_gradient_norm(&l.g.optimizer, 1, &norm, &err), 0);
        assert_int_equal(optimizer_step(&l.g.optimizer, norm, 1e-3, 1, &err), 0);
        pass(&l, &o);
    }
    assert_true(pass(&l, &o) < first);
    assert_memory_equal(before, (float *)m->weights + behind, n * sizeof *before);
    assert_int_equal(l.g.zero.n_state, b->n);
    free(before);
    unload(&l);
    arena_release(&o.arena);
}

/* Two micro-batches of other lengths add up, whichever has pictures. */
static void lengths_and_pictures_may_differ(void **state)
{
    (void)state;
    static struct oracle o;
    struct llava l;
    oracle_open(&o);
    load(&l, &o);
    double alone = pass(&l, &o);
    struct model *m = l.g.model;
    const struct bucket *b = &m->buckets[m->projector.bucket];
    float *once = memory_alloc(b->n * sizeof *once);
    memcpy(once, b->gradient, b->n * sizeof *once);
    static int32_t text[SAMPLES * 5], targets[SAMPLES * 5];
    for (int order = 0; order < 2; order++) {
        model_zero_gradients(m);
        for (int i = 0; i < 2; i++) {
            bool pictures = i == order;
            m->pictures.n = pictures ? o.with_picture : 0;
            model_set_length(m, pictures ? o.length : 5);
            tail_pick(m, pictures ? o.labels : targets);
            model_forward(m, pictures ? o.inputs : text);
            model_loss(m, pictures ? o.labels : targets, 1 / (float)o.targets);
            model_backward(m);
        }
        assert_true(apart(b->gradient, once, b->n) < 1e-6); /* text adds nothing to it */
        assert_true(*m->loss_sum / o.targets > alone);
    }
    free(once);
    unload(&l);
    arena_release(&o.arena);
}

static void names_of_all_times(void **state)
{
    (void)state;
    static const char *const alike[][4] = {
        {"language_model.model.layers.0.mlp.up_proj.weight", "model.layers.0.mlp.up_proj.weight",
         "model.language_model.layers.0.mlp.up_proj.weight",
         "language_model.layers.0.mlp.up_proj.weight"},
        {"language_model.lm_head.weight", "lm_head.weight", "lm_head.weight", "lm_head.weight"},
        {"multi_modal_projector.linear_2.bias", "model.mm_projector.2.bias",
         "model.multi_modal_projector.linear_2.bias", "multi_modal_projector.linear_2.bias"},
        {"vision_tower.vision_model.pre_layrnorm.weight",
         "model.vision_tower.vision_tower.vision_model.pre_layrnorm.weight",
         "model.vision_tower.vision_model.pre_layrnorm.weight", "vision_model.pre_layrnorm.weight"},
    };
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            for (int k = 0; k < 4; k++) {
                assert_true(llava_same(alike[i][j], alike[i][k]));
                assert_false(i > 0 && llava_same(alike[i][j], alike[i - 1][k]));
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_pictures),
        cmocka_unit_test(spliced_rows),
        cmocka_unit_test(pretraining_is_transformers),
        cmocka_unit_test(finetuning_is_transformers),
        cmocka_unit_test(what_is_frozen_stays),
        cmocka_unit_test(lengths_and_pictures_may_differ),
        cmocka_unit_test(names_of_all_times),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
