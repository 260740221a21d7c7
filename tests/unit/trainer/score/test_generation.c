/*
 * generation: a model that sees, with weights that are drawn, goes on with the same tokens whether
 * rows that were read are remembered or read again, and what it goes on with depends on its
 * picture.
 */
#include "tests/unit/folder.h"

#include "tests/trainer_ground.h"
#include "trainer/data/conversations.h"
#include "trainer/score/scored_model.h"
#include "trainer/training/llava_files.h"
#include "trainer/training/model_files.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct tokens {
    int32_t ids[512];
    size_t n;
};

#define NO_END (-1)

enum { LENGTH = 320, NEW_TOKENS = 90, SIDE = 28, PIXELS = SIDE * SIDE * 3 };

static struct training seeing_training(void)
{
    return (struct training){
        .vocab = 96,
        .layers = 2,
        .heads = 4,
        .kv_heads = 2,
        .hidden = 64,
        .ffn = 96,
        .rope_theta = 10000,
        .norm_eps = 1e-5,
        .architecture = {.names = NAMES_LLAVA_HF},
        .tower = {.layers = 1,
                  .hidden = 32,
                  .heads = 2,
                  .ffn = 48,
                  .side = SIDE,
                  .patch = 14,
                  .eps = 1e-5f},
        .sequence_length = LENGTH,
        .micro_batch = 1,
        .gradient_accumulation = 1,
    };
}

static struct model_shape shape_of(const struct training *t)
{
    return (struct model_shape){
        .vocabulary = t->vocab,
        .layers = t->layers,
        .heads = t->heads,
        .kv_heads = t->kv_heads,
        .hidden = t->hidden,
        .ffn = t->ffn,
        .sequence_length = 16,
        .micro_batch = 1,
        .rope_theta = (float)t->rope_theta,
        .norm_eps = (float)t->norm_eps,
        .architecture = t->architecture,
        .picture_width = t->tower.hidden,
        .picture_rows = tower_patches(&t->tower),
    };
}

struct asked {
    struct device *device;
    struct scored_model model;
};

/* Through files: that is how a model is asked. */
static void make_asked(struct asked *a, struct folder *f, const struct training *t)
{
    const struct adamw adamw = {.beta1 = 0.9, .beta2 = 0.999, .eps = 1e-8};
    const struct model_shape shape = shape_of(t);
    const char *weights = path_join(&f->arena, f->path, "model.safetensors");
    const char *tower_path = path_join(&f->arena, f->path, "tower.safetensors");
    const struct scored_model_files files = {.weights = weights, .tower = tower_path};
    struct ground g;
    struct tower *tower = NULL;
    struct transfer transfer = {0};
    struct err err = ERR_INIT;
    if (ground_open(&g, &shape, &adamw, &err) < 0 ||
        weights_initialise(&g.optimizer, 0.3f, 7, &err) < 0 ||
        tower_new(&tower, &t->tower, 1, g.device, &err) < 0 ||
        tower_draw(tower, 0.3f, 8, &err) < 0 || transfer_init(&transfer, &g.optimizer, &err) < 0 ||
        model_file_save(&transfer, TRANSFER_WEIGHTS, TENSORS_OF_MODEL, weights, &err) < 0 ||
        llava_tower_save(tower, tower_path, &err) < 0)
        fail_msg("%s", err.text);
    transfer_release(&transfer);
    tower_free(tower);
    ground_close(&g);
    if (device_cpu_open(&a->device, &err) < 0 ||
        scored_model_open(&a->model, t, &files, LENGTH, a->device, &err) < 0)
        fail_msg("%s", err.text);
}

static void forget_asked(struct asked *a)
{
    scored_model_close(&a->model);
    device_close(a->device);
}

static void draw_pixels(uint8_t pixels[PIXELS], uint64_t seed)
{
    struct rng rng;
    rng_init(&rng, seed, RNG_CORPUS, 0);
    for (int i = 0; i < PIXELS; i++)
        pixels[i] = (uint8_t)rng_below(&rng, 256);
}

static int32_t first_largest(const float *logits, int n)
{
    int32_t best = 0;
    for (int32_t i = 1; i < n; i++)
        best = logits[i] > logits[best] ? i : best;
    return best;
}

/* What comes next, of all that stands there read from the beginning. */
static int32_t next_by_reading(struct asked *a, const struct tokens *so_far, const uint8_t *pixels)
{
    const float *logits;
    struct err err = ERR_INIT;
    if (scored_model_read(&a->model, so_far->ids, so_far->n, pixels, &logits, &err) < 0)
        fail_msg("%s", err.text);
    return first_largest(logits, a->model.vocabulary);
}

static void check_generation(struct asked *a, const int32_t *prompt, size_t n,
                             const uint8_t *pixels, int32_t end, struct tokens *out)
{
    const struct generation g = {end, NEW_TOKENS};
    struct tokens all = {0};
    struct err err = ERR_INIT;
    if (generation_run(&g, &a->model, prompt, n, pixels, out->ids, &out->n, &err) < 0)
        fail_msg("%s", err.text);
    for (size_t i = 0; i < n; i++)
        all.ids[all.n++] = prompt[i];
    for (size_t i = 0; i < out->n; i++) {
        assert_int_equal(out->ids[i], next_by_reading(a, &all, pixels));
        all.ids[all.n++] = out->ids[i];
    }
    if (out->n < NEW_TOKENS)
        assert_int_equal(next_by_reading(a, &all, pixels), end);
}

/* Prompts whose rows end before, at and behind a multiple of MODEL_ROWS_STEP. */
static void remembered_rows_are_those_read_again(void **state)
{
    const struct training t = seeing_training();
    struct asked a;
    uint8_t pixels[PIXELS];
    int32_t prompt[150];
    make_asked(&a, *state, &t);
    draw_pixels(pixels, 3);
    static const size_t lengths[] = {2, 7, 60, 61, 62, 124, 125, 150};
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
        struct tokens seen = {0}, unseen = {0};
        for (size_t i = 0; i < lengths[k]; i++)
            prompt[i] = (int32_t)((i * 37 + k * 11) % 96);
        check_generation(&a, prompt, lengths[k], NULL, NO_END, &unseen);
        assert_int_equal(unseen.n, NEW_TOKENS);
        prompt[1] = CONVERSATION_IMAGE;
        check_generation(&a, prompt, lengths[k], pixels, NO_END, &seen);
    }
    forget_asked(&a);
}

static void an_answer_ends_before_its_end(void **state)
{
    const struct training t = seeing_training();
    const int32_t prompt[] = {5, 9, 13};
    struct asked a;
    struct tokens whole = {0}, cut = {0};
    make_asked(&a, *state, &t);
    check_generation(&a, prompt, 3, NULL, NO_END, &whole);
    int32_t end = whole.ids[whole.n / 2];
    check_generation(&a, prompt, 3, NULL, end, &cut);
    assert_true(cut.n <= whole.n / 2);
    assert_memory_equal(cut.ids, whole.ids, cut.n * sizeof *cut.ids);
    assert_int_equal(whole.ids[cut.n], end);
    forget_asked(&a);
}

/* Logits of a row that is added, against those of all rows at once: far nearer than two pictures
 * are. */
static void logits_agree_and_pictures_count(void **state)
{
    const struct training t = seeing_training();
    const int32_t prompt[] = {5, CONVERSATION_IMAGE, 13, 40, 41};
    struct asked a;
    struct err err = ERR_INIT;
    const float *logits;
    float added[96], whole[96];
    double apart = 0, pictures = 0;
    uint8_t pixels[PIXELS], others[PIXELS];
    make_asked(&a, *state, &t);
    draw_pixels(pixels, 3);
    draw_pixels(others, 4);
    assert_int_equal(scored_model_read(&a.model, prompt, 4, pixels, &logits, &err), 0);
    assert_int_equal(scored_model_go_on(&a.model, prompt[4], &logits, &err), 0);
    memcpy(added, logits, sizeof added);
    assert_int_equal(scored_model_read(&a.model, prompt, 5, pixels, &logits, &err), 0);
    memcpy(whole, logits, sizeof whole);
    assert_int_equal(scored_model_read(&a.model, prompt, 5, others, &logits, &err), 0);
    for (int i = 0; i < 96; i++) {
        apart = fmax(apart, fabs((double)added[i] - whole[i]));
        pictures = fmax(pictures, fabs((double)logits[i] - whole[i]));
    }
    print_message("one row more: %.2g apart, another picture: %.2g\n", apart, pictures);
    assert_true(apart < 1e-4 && pictures > 100 * apart && pictures > 1e-2);
    forget_asked(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(remembered_rows_are_those_read_again),
        IN_FOLDER(an_answer_ends_before_its_end),
        IN_FOLDER(logits_agree_and_pictures_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
