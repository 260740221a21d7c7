#include "trainer/model/tower.h"

#include "base/arena.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- tensors -------------------------------------------------------------------------------- */

enum tower_kind {
    CLASS_ROW,
    PATCHES,
    PLACES,
    BEFORE_WEIGHT,
    BEFORE_BIAS,
    TOWER_NORM1,
    TOWER_NORM1_BIAS,
    TOWER_Q,
    TOWER_K,
    TOWER_V,
    TOWER_Q_BIAS,
    TOWER_K_BIAS,
    TOWER_V_BIAS,
    TOWER_O,
    TOWER_O_BIAS,
    TOWER_NORM2,
    TOWER_NORM2_BIAS,
    FC1,
    FC1_BIAS,
    FC2,
    FC2_BIAS,
    TOWER_KINDS
};

enum tower_size { OF_ONE, OF_HIDDEN, OF_FFN, OF_PATCH, OF_PLACES };

#define MODEL "vision_tower.vision_model."
#define LAYER MODEL "encoder.layers.%d."

/* In the order in which they lie in memory. */
static const struct tower_row {
    const char *name;
    enum tower_size rows, width;
    bool is_bias, is_norm;
    bool follows; /* the one before without a gap */
} tower_rows[TOWER_KINDS] = {
    [CLASS_ROW] = {MODEL "embeddings.class_embedding", OF_ONE, OF_HIDDEN, false, false, false},
    [PATCHES] = {MODEL "embeddings.patch_embedding.weight", OF_HIDDEN, OF_PATCH, false, false,
                 false},
    [PLACES] = {MODEL "embeddings.position_embedding.weight", OF_PLACES, OF_HIDDEN, false, false,
                false},
    [BEFORE_WEIGHT] = {MODEL "pre_layrnorm.weight", OF_ONE, OF_HIDDEN, false, true, false},
    [BEFORE_BIAS] = {MODEL "pre_layrnorm.bias", OF_ONE, OF_HIDDEN, true, false, false},
    [TOWER_NORM1] = {LAYER "layer_norm1.weight", OF_ONE, OF_HIDDEN, false, true, false},
    [TOWER_NORM1_BIAS] = {LAYER "layer_norm1.bias", OF_ONE, OF_HIDDEN, true, false, false},
    [TOWER_Q] = {LAYER "self_attn.q_proj.weight", OF_HIDDEN, OF_HIDDEN, false, false, false},
    [TOWER_K] = {LAYER "self_attn.k_proj.weight", OF_HIDDEN, OF_HIDDEN, false, false, true},
    [TOWER_V] = {LAYER "self_attn.v_proj.weight", OF_HIDDEN, OF_HIDDEN, false, false, true},
    [TOWER_Q_BIAS] = {LAYER "self_attn.q_proj.bias", OF_ONE, OF_HIDDEN, true, false, false},
    [TOWER_K_BIAS] = {LAYER "self_attn.k_proj.bias", OF_ONE, OF_HIDDEN, true, false, true},
    [TOWER_V_BIAS] = {LAYER "self_attn.v_proj.bias", OF_ONE, OF_HIDDEN, true, false, true},
    [TOWER_O] = {LAYER "self_attn.out_proj.weight", OF_HIDDEN, OF_HIDDEN, false, false, false},
    [TOWER_O_BIAS] = {LAYER "self_attn.out_proj.bias", OF_ONE, OF_HIDDEN, true, false, false},
    [TOWER_NORM2] = {LAYER "layer_norm2.weight", OF_ONE, OF_HIDDEN, false, true, false},
    [TOWER_NORM2_BIAS] = {LAYER "layer_norm2.bias", OF_ONE, OF_HIDDEN, true, false, false},
    [FC1] = {LAYER "mlp.fc1.weight", OF_FFN, OF_HIDDEN, false, false, false},
    [FC1_BIAS] = {LAYER "mlp.fc1.bias", OF_ONE, OF_FFN, true, false, false},
    [FC2] = {LAYER "mlp.fc2.weight", OF_HIDDEN, OF_FFN, false, false, false},
    [FC2_BIAS] = {LAYER "mlp.fc2.bias", OF_ONE, OF_HIDDEN, true, false, false},
};

#define PER_TOWER_LAYER (TOWER_KINDS - TOWER_NORM1)

static size_t tower_size_of(const struct tower_shape *s, enum tower_size size)
{
    const size_t sizes[] = {
        [OF_ONE] = 1,
        [OF_HIDDEN] = (size_t)s->hidden,
        [OF_FFN] = (size_t)s->ffn,
        [OF_PATCH] = 3 * (size_t)s->patch * (size_t)s->patch,
        [OF_PLACES] = 1 + (size_t)tower_patches(s),
    };
    return sizes[size];
}

static void add_tower_tensor(struct tower *t, enum tower_kind kind, int layer)
{
    const struct tower_row *row = &tower_rows[kind];
    struct tower_tensor *tensor = &t->tensors[t->n_tensors++];
    size_t begin = row->follows ? t->n_weights : (t->n_weights + 63) / 64 * 64;
    *tensor = (struct tower_tensor){.rows = tower_size_of(&t->shape, row->rows),
                                    .width = tower_size_of(&t->shape, row->width),
                                    .offset = begin,
                                    .is_vector = row->rows == OF_ONE,
                                    .is_bias = row->is_bias,
                                    .is_norm = row->is_norm,
                                    .patch = kind == PATCHES ? t->shape.patch : 0};
    snprintf(tensor->name, sizeof tensor->name, row->name, layer); /* without %d: it is ignored */
    t->n_weights = begin + tensor->rows * tensor->width;
}

static void list_tower_tensors(struct tower *t)
{
    size_t n = TOWER_NORM1 + (size_t)PER_TOWER_LAYER * (size_t)t->shape.layers;
    t->tensors = memory_alloc(n * sizeof *t->tensors);
    for (int k = 0; k < TOWER_NORM1; k++)
        add_tower_tensor(t, (enum tower_kind)k, 0);
    for (int l = 0; l < t->shape.layers; l++)
        for (int k = TOWER_NORM1; k < TOWER_KINDS; k++)
            add_tower_tensor(t, (enum tower_kind)k, l);
}

static const void *tower_weight(const struct tower *t, enum tower_kind kind, int layer)
{
    size_t i = (size_t)kind + (size_t)PER_TOWER_LAYER * (size_t)layer;
    return device_at(t->device, t->weights, t->tensors[i].offset);
}

/* ---- one layer ------------------------------------------------------------------------------ */

static const struct device_operations *tower_operations(const struct tower *t)
{
    return t->device->operations;
}

/* y = x W^T */
static void tower_multiply(struct tower *t, int rows, enum tower_kind weight, int layer, void *y,
                           int out, const void *x, int in)
{
    const struct matrix_product product = {
        .transpose_b = true,
        .m = rows,
        .n = out,
        .k = in,
        .alpha = 1,
        .a = x,
        .b = tower_weight(t, weight, layer),
        .c = y,
    };
    tower_operations(t)->multiply(t->device, &product);
}

static void tower_bias(struct tower *t, int rows, enum tower_kind bias, int layer,
                       enum activation activation, void *y, int width)
{
    const struct bias_forward b = {
        .rows = rows,
        .width = width,
        .activation = activation,
        .bias = tower_weight(t, bias, layer),
        .x = y,
        .y = y,
    };
    tower_operations(t)->bias_forward(t->device, &b);
}

/* The stream t->x grows by a branch (NULL: it stays), and is normed. */
static void tower_norm(struct tower *t, int rows, enum tower_kind weight, int layer, void *branch)
{
    const struct layer_norm norm = {
        .rows = rows,
        .width = t->shape.hidden,
        .eps = t->shape.eps,
        .x = t->x,
        .residual = branch,
        .weight = tower_weight(t, weight, layer),
        .bias = tower_weight(t, (enum tower_kind)(weight + 1), layer),
        .sum = t->x,
        .y = t->normed,
    };
    tower_operations(t)->layer_norm(t->device, &norm);
}

struct attention_shape tower_attention(const struct tower_shape *s, int pictures)
{
    return (struct attention_shape){.batch = pictures,
                                    .length = 1 + tower_patches(s),
                                    .heads = s->heads,
                                    .kv_heads = s->heads,
                                    .head_width = s->hidden / s->heads};
}

static void tower_attend(struct tower *t, int pictures, int layer)
{
    int hidden = t->shape.hidden, rows = pictures * (1 + tower_patches(&t->shape));
    const struct attention_forward attend = {
        .shape = tower_attention(&t->shape, pictures), .qkv = t->wide, .y = t->narrow};
    tower_multiply(t, rows, TOWER_Q, layer, t->wide, 3 * hidden, t->normed, hidden);
    tower_bias(t, rows, TOWER_Q_BIAS, layer, ACTIVATION_NONE, t->wide, 3 * hidden);
    tower_operations(t)->attend_all(t->device, &attend);
    tower_multiply(t, rows, TOWER_O, layer, t->branch, hidden, t->narrow, hidden);
    tower_bias(t, rows, TOWER_O_BIAS, layer, ACTIVATION_NONE, t->branch, hidden);
}

/* ---- the whole ------------------------------------------------------------------------------ */

/* Patches become rows with the class in front, normed; the stream begins with those. */
static void tower_begin(struct tower *t, int pictures)
{
    int patches = tower_patches(&t->shape), hidden = t->shape.hidden;
    const struct placed_rows placed = {
        .pictures = pictures,
        .patches = patches,
        .width = hidden,
        .x = t->branch,
        .first = tower_weight(t, CLASS_ROW, 0),
        .places = tower_weight(t, PLACES, 0),
        .y = t->x,
    };
    int in = (int)tower_size_of(&t->shape, OF_PATCH), rows = pictures * (1 + patches);
    tower_multiply(t, pictures * patches, PATCHES, 0, t->branch, hidden, t->patches, in);
    tower_operations(t)->placed_rows(t->device, &placed);
    tower_norm(t, rows, BEFORE_WEIGHT, 0, NULL);
    void *begun = t->normed;
    t->normed = t->x;
    t->x = begun;
}

void tower_see_patches(struct tower *t, int pictures)
{
    int patches = tower_patches(&t->shape), rows = pictures * (1 + patches);
    size_t elements = (size_t)rows * (size_t)t->shape.hidden;
    tower_begin(t, pictures);
    for (int l = 0; l < t->shape.layers; l++) {
        tower_norm(t, rows, TOWER_NORM1, l, l > 0 ? t->branch : NULL);
        tower_attend(t, pictures, l);
        tower_norm(t, rows, TOWER_NORM2, l, t->branch);
        int hidden = t->shape.hidden, ffn = t->shape.ffn;
        tower_multiply(t, rows, FC1, l, t->wide, ffn, t->normed, hidden);
        tower_bias(t, rows, FC1_BIAS, l, ACTIVATION_QUICK_GELU, t->wide, ffn);
        tower_multiply(t, rows, FC2, l, t->branch, hidden, t->wide, ffn);
        tower_bias(t, rows, FC2_BIAS, l, ACTIVATION_NONE, t->branch, hidden);
    }
    tower_operations(t)->add_rows(t->device, t->normed, t->x, t->branch, elements);
    tower_operations(t)->embed_forward(t->device, t->rows, t->behind_class, t->normed,
                                       pictures * patches, t->shape.hidden);
}

/* Pixels are bytes; CLIP's means and deviations are of shares of 255. */
void tower_see(struct tower *t, const uint8_t *pixels, int pictures)
{
    static const double mean[3] = {0.48145466, 0.4578275, 0.40821073};
    static const double deviation[3] = {0.26862954, 0.26130258, 0.27577711};
    const struct tower_shape *s = &t->shape;
    struct patch_rows p = {.pictures = pictures,
                           .side = s->side,
                           .size = s->patch,
                           .pixels = t->pixels,
                           .rows = t->patches};
    for (int i = 0; i < 3; i++) {
        p.scale[i] = (float)(1 / (255 * deviation[i]));
        p.shift[i] = (float)(-mean[i] / deviation[i]);
    }
    if (pictures == 0)
        return;
    tower_operations(t)->upload(t->device, t->pixels, pixels,
                                (size_t)pictures * (size_t)s->side * (size_t)s->side * 3);
    tower_operations(t)->patch_rows(t->device, &p);
    tower_see_patches(t, pictures);
}

/* ---- birth and death ------------------------------------------------------------------------ */

static const struct tower_limit {
    const char *name;
    size_t offset;
    int min, max;
} tower_limits[] = {
    {"layers", offsetof(struct tower_shape, layers), 1, 1024},
    {"hidden", offsetof(struct tower_shape, hidden), 1, 1 << 16},
    {"heads", offsetof(struct tower_shape, heads), 1, 1024},
    {"ffn", offsetof(struct tower_shape, ffn), 1, 1 << 18},
    {"image_size", offsetof(struct tower_shape, side), 1, 4096},
    {"patch_size", offsetof(struct tower_shape, patch), 1, 4096},
};

static int check_tower(const struct tower_shape *s, struct err *err)
{
    for (size_t i = 0; i < sizeof tower_limits / sizeof *tower_limits; i++) {
        const struct tower_limit *l = &tower_limits[i];
        int value = *(const int *)((const char *)s + l->offset);
        if (value < l->min || value > l->max)
            return err_set(err, ERR_USAGE, "tower %s: found %d, expected %d to %d", l->name, value,
                           l->min, l->max);
    }
    if (s->hidden % s->heads != 0)
        return err_set(err, ERR_USAGE, "tower hidden: found %d, expected a multiple of heads = %d",
                       s->hidden, s->heads);
    if (s->side % s->patch != 0 || tower_patches(s) >= 1 << 16)
        return err_set(err, ERR_USAGE,
                       "tower image_size: found %d, expected a multiple of patch_size = %d with "
                       "fewer than 65536 patches",
                       s->side, s->patch);
    return 0;
}

static void *take_tower_memory(size_t *used, size_t base, size_t n, size_t size)
{
    void *place = (void *)(base + *used);
    *used += (n * size + 255) / 256 * 256;
    return place;
}

/* From `base` on; returns how much it is. */
static size_t place_tower(struct tower *t, size_t base)
{
    const struct tower_shape *s = &t->shape;
    size_t used = 0, size = t->device->element_bytes, n = (size_t)t->pictures_max;
    size_t patches = n * (size_t)tower_patches(s), rows = patches + n, hidden = (size_t)s->hidden;
    size_t widest = 3 * hidden > (size_t)s->ffn ? 3 * hidden : (size_t)s->ffn;
    t->pixels = take_tower_memory(&used, base, n * (size_t)s->side * (size_t)s->side, 3);
    t->patches = take_tower_memory(&used, base, patches * tower_size_of(s, OF_PATCH), size);
    t->behind_class = take_tower_memory(&used, base, patches, sizeof(int32_t));
    t->x = take_tower_memory(&used, base, rows * hidden, size);
    t->normed = take_tower_memory(&used, base, rows * hidden, size);
    t->branch = take_tower_memory(&used, base, rows * hidden, size);
    t->wide = take_tower_memory(&used, base, rows * widest, size);
    t->narrow = take_tower_memory(&used, base, rows * hidden, size);
    t->rows = take_tower_memory(&used, base, patches * hidden, size);
    return used;
}

static void fill_behind_class(struct tower *t)
{
    int patches = tower_patches(&t->shape), n = t->pictures_max * patches;
    int32_t *rows = memory_alloc((size_t)n * sizeof *rows);
    for (int i = 0; i < n; i++)
        rows[i] = i / patches * (1 + patches) + 1 + i % patches;
    t->device->operations->upload(t->device, t->behind_class, rows, (size_t)n * sizeof *rows);
    free(rows);
}

int tower_new(struct tower **out, const struct tower_shape *shape, int pictures_max,
              struct device *device, struct err *err)
{
    if (check_tower(shape, err) < 0)
        return -1;
    struct tower *t = memory_alloc(sizeof *t);
    *t = (struct tower){.shape = *shape, .device = device, .pictures_max = pictures_max};
    list_tower_tensors(t);
    t->arena_bytes = place_tower(t, 0);
    const struct device_operations *o = device->operations;
    if (o->alloc(device, &t->weights, t->n_weights * device->element_bytes, err) < 0 ||
        o->alloc(device, &t->arena, t->arena_bytes, err) < 0) {
        tower_free(t);
        return err_prefix(err, "tower");
    }
    place_tower(t, (size_t)t->arena);
    fill_behind_class(t);
    *out = t;
    return 0;
}

void tower_free(struct tower *t)
{
    if (!t)
        return;
    t->device->operations->release(t->device, t->weights);
    t->device->operations->release(t->device, t->arena);
    free(t->tensors);
    free(t);
}

size_t tower_elements(const struct tower *t)
{
    size_t n = 0;
    for (size_t i = 0; i < t->n_tensors; i++)
        n += t->tensors[i].rows * t->tensors[i].width;
    return n;
}

size_t tower_bytes(const struct tower_shape *shape, int pictures_max, size_t element_bytes)
{
    struct device device = {.element_bytes = element_bytes};
    struct tower t = {.shape = *shape, .device = &device, .pictures_max = pictures_max};
    list_tower_tensors(&t);
    free(t.tensors);
    return place_tower(&t, 0) + t.n_weights * element_bytes;
}

/* ---- weights that are not given ------------------------------------------------------------- */

#define TOWER_DRAWS ((uint64_t)1 << 32) /* beyond the numbers of a model's tensors */

static void draw_tensor(struct tower *t, size_t i, float *values, float std, uint64_t seed)
{
    const struct tower_tensor *tensor = &t->tensors[i];
    const struct device_operations *o = t->device->operations;
    size_t n = tensor->rows * tensor->width;
    struct rng rng;
    float *ones = tensor->is_norm ? memory_alloc(n * sizeof *ones) : NULL;
    rng_init(&rng, seed, RNG_WEIGHTS, TOWER_DRAWS + i);
    for (size_t k = 0; ones && k < n; k++)
        ones[k] = 1;
    if (ones)
        o->upload(t->device, values, ones, n * sizeof *ones);
    else if (tensor->is_bias)
        o->zero(t->device, values, n * sizeof *values);
    else
        o->draw(t->device, values, n, std, &rng);
    o->narrow(t->device, device_at(t->device, t->weights, tensor->offset), values, n);
    free(ones);
}

int tower_draw(struct tower *t, float std, uint64_t seed, struct err *err)
{
    const struct device_operations *o = t->device->operations;
    size_t largest = 0;
    float *values;
    for (size_t i = 0; i < t->n_tensors; i++) {
        size_t n = t->tensors[i].rows * t->tensors[i].width;
        largest = n > largest ? n : largest;
    }
    if (o->alloc(t->device, (void **)&values, largest * sizeof *values, err) < 0)
        return err_prefix(err, "tower's first weights");
    for (size_t i = 0; i < t->n_tensors; i++)
        draw_tensor(t, i, values, std, seed);
    int rc = o->synchronize(t->device, err);
    o->release(t->device, values);
    return rc;
}
