/* Weights in files: a training's own, those of others, and those of another model. */
#include "tests/checkpoint_ground.h"

#include "tests/trainer_ground.h"
#include "trainer/tensors/tensor_files.h"
#include "trainer/training/model_files.h"
#include "trainer/training/train_settings.h"

static void final_weights_are_initial_weights(void **state)
{
    struct seen one = {0}, zero = {0};
    struct training t = small;
    t.steps = 2;
    t.final_weights = in_folder(state, "out/");
    trains(&t, &one);
    assert_int_equal(count_in(t.final_weights), 2);
    t.initial_weights = t.final_weights;
    t.final_weights = NULL;
    t.seed = 1;
    t.lr = t.min_lr = 0; /* nothing is learnt: the weights stay as they were loaded */
    trains(&t, &zero);
    assert_string_equal(one.weights, zero.weights);
}

/* Which weights a training began with is known to all that go on with it, and held to. */
static void first_weights_are_told(void **state)
{
    static const char other[] = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
    struct seen one = {0}, begun = {.stop_after = 10}, on = {0};
    struct training t = small, drawn;
    t.final_weights = in_folder(state, "w");
    trains(&t, &one);
    assert_string_equal(one.initial, "");
    assert_string_equal(one.went_on, "");
    t.initial_weights = t.final_weights;
    t.final_weights = NULL;
    t.checkpoint_dir = in_folder(state, "c");
    t.initial_sha256 = other;
    refuses(&t, ERR_INPUT, "expected those of 0123456789abcdef");
    t.initial_sha256 = one.weights; /* fp32: what lies in memory is what is in the file */
    trains(&t, &begun);
    assert_string_equal(begun.initial, one.weights);
    assert_string_equal(begun.went_on, "");
    t.resume = t.checkpoint_dir;
    drawn = t;
    drawn.initial_weights = drawn.initial_sha256 = NULL;
    refuses(&drawn, ERR_INPUT, "expected null, since the weights are drawn from the seed");
    t.initial_sha256 = other;
    refuses(&t, ERR_INPUT, "expected 0123456789abcdef");
    t.initial_sha256 = NULL; /* any will do */
    trains(&t, &on);
    assert_string_equal(on.initial, one.weights);
    assert_string_equal(on.went_on, begun.weights);
}

static void ground(struct ground *g, struct transfer *transfer, const struct training *t)
{
    struct err err = ERR_INIT;
    struct model_shape shape = training_model_shape(t);
    struct adamw adamw = training_adamw(t);
    if (ground_open(g, &shape, &adamw, &err) < 0 ||
        weights_initialise(&g->optimizer, 1, t->seed, &err) < 0 ||
        transfer_init(transfer, &g->optimizer, &err) < 0)
        fail_msg("%s", err.text);
    transfer->part = 1000; /* fewer than it has room for: tensors travel in several parts */
}

static void unground(struct ground *g, struct transfer *transfer)
{
    transfer_release(transfer);
    ground_close(g);
}

/* A file as others write it: narrow tensors, in an order of their own, with a buffer beside. */
static void narrow_file_make(const char *path, const struct model *m, enum safetensors_type type)
{
    struct buf header, data;
    struct err err = ERR_INIT;
    buf_init(&header, BUF_DEFAULT_MAX);
    buf_init(&data, BUF_DEFAULT_MAX);
    buf_str(&header, "{\"model.layers.0.self_attn.rotary_emb.inv_freq\": {\"dtype\": \"F32\", "
                     "\"shape\": [1], \"data_offsets\": [0, 4]}");
    buf_add(&data, "\0\0\0\0", 4);
    for (size_t i = m->n_parameters; i-- > 0;) {
        const struct parameter *p = &m->parameters[i];
        size_t n = p->rows * p->width, begin = data.len;
        for (size_t k = 0; k < n; k++) {
            /* 1 + k % 8 / 8, which all formats know */
            unsigned eighths = k % 8;
            uint16_t bits = (uint16_t)(type == SAFETENSORS_BF16 ? 0x3F80 | eighths << 4
                                                                : 0x3C00 | eighths << 7);
            buf_add(&data, (const char *)&bits, 2);
        }
        buf_printf(&header, ", \"%s\": {\"shape\": [", p->name);
        if (!p->is_vector)
            buf_printf(&header, "%zu, ", p->rows);
        buf_printf(&header, "%zu], \"data_offsets\": [%zu, %zu], \"dtype\": \"%s\"}", p->width,
                   begin, data.len, safetensors_type_name(type));
    }
    buf_str(&header, "}");
    struct buf file;
    buf_init(&file, BUF_DEFAULT_MAX);
    buf_add(&file, (const char *)&(uint64_t){header.len}, 8);
    buf_add(&file, header.data, header.len);
    buf_add(&file, data.data, data.len);
    assert_int_equal(file_write(path, file.data, file.len, &err), 0);
    buf_release(&header);
    buf_release(&data);
    buf_release(&file);
}

static void narrow_weights_load_exactly(void **state)
{
    static const enum safetensors_type types[] = {SAFETENSORS_BF16, SAFETENSORS_F16};
    for (int i = 0; i < 2; i++) {
        struct ground g;
        struct transfer transfer;
        struct err err = ERR_INIT;
        const char *path = in_folder(state, "narrow.safetensors");
        ground(&g, &transfer, &small);
        narrow_file_make(path, g.model, types[i]);
        if (model_files_load(&transfer, TRANSFER_WEIGHTS, TENSORS_OF_MODEL, path, NULL, &err) < 0)
            fail_msg("%s", err.text);
        for (size_t k = 0; k < g.model->n_parameters; k++) {
            const struct parameter *p = &g.model->parameters[k];
            const float *w = (const float *)g.model->weights + p->offset;
            for (size_t j = 0; j < p->rows * p->width; j++)
                assert_true(w[j] == 1 + (float)(j % 8) / 8);
        }
        unground(&g, &transfer);
    }
}

/* Where weights are narrower than fp32, the masters are what is written and read. */
static void masters_are_saved_exactly(void **state)
{
    struct ground g;
    struct transfer transfer;
    struct err err = ERR_INIT;
    const char *path = in_folder(state, "masters.safetensors");
    ground(&g, &transfer, &small);
    struct optimizer *o = &g.optimizer;
    size_t n = g.zero.n_state;
    assert_int_equal(g.device->operations->alloc(g.device, (void **)&o->master, n * 4, &err), 0);
    for (size_t i = 0; i < n; i++)
        o->master[i] = (float)i + 0.25f;
    assert_int_equal(model_file_save(&transfer, TRANSFER_WEIGHTS, TENSORS_OF_MODEL, path, &err), 0);
    memset(o->master, 0, n * 4);
    assert_int_equal(
        model_files_load(&transfer, TRANSFER_WEIGHTS, TENSORS_OF_MODEL, path, NULL, &err), 0);
    for (size_t k = 0; k < g.model->n_parameters; k++) {
        const struct parameter *p = &g.model->parameters[k];
        for (size_t j = p->offset; j < p->offset + p->rows * p->width; j++)
            assert_true(o->master[j] == (float)j + 0.25f &&
                        ((float *)g.model->weights)[j] == o->master[j]);
    }
    unground(&g, &transfer);
}

static void weights_of_another_model_are_refused(void **state)
{
    struct seen seen = {0};
    struct training t = small, other;
    t.steps = 2;
    t.final_weights = in_folder(state, "out");
    trains(&t, &seen);
    t.final_weights = NULL;
    t.initial_weights = in_folder(state, "out");
    other = t;
    other.vocab = 256;
    refuses(&other, ERR_INPUT,
            "model.embed_tokens.weight: found [128, 32], expected [256, 32]; lm_head.weight: found "
            "[128, 32], expected [256, 32]");
    other = t;
    other.tied = true;
    refuses(&other, ERR_INPUT, "out: lm_head.weight: found, but the model has none");
    other = t;
    other.layers = 3;
    refuses(&other, ERR_INPUT, "model.layers.2.input_layernorm.weight: missing; ");
    refuses(&other, ERR_INPUT, "; and 3 more");
    other = t;
    other.kv_heads = 4;
    refuses(&other, ERR_INPUT, "k_proj.weight: found [16, 32], expected [32, 32]");
    other = t;
    other.initial_weights = in_folder(state, "none");
    refuses(&other, ERR_INPUT, "none: No such file");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(final_weights_are_initial_weights),    IN_FOLDER(first_weights_are_told),
        IN_FOLDER(narrow_weights_load_exactly),          IN_FOLDER(masters_are_saved_exactly),
        IN_FOLDER(weights_of_another_model_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
