#include "trainer/model/model_parameters.h"

#include "base/arena.h"

#include <stdio.h>
#include <stdlib.h>

/* Sizes that a tensor's dimensions are named by. */
enum dimension {
    ONE, /* a vector has one row */
    VOCABULARY,
    HIDDEN,
    QUERIES, /* heads * head width */
    KEYS,    /* kv_heads * head width */
    FFN,
    DIMENSIONS
};

/* Where in the model a tensor lies. */
enum place { BEFORE_LAYERS, IN_LAYER, AFTER_LAYERS };

struct parameter_kind {
    const char *name; /* of Hugging Face's Llama; %d is the layer */
    enum place place;
    enum dimension rows, width;
    bool decays;
    bool is_head; /* absent when tied to the embedding */
};

/* In the order in which they lie in memory: q, k, v and gate, up must stay neighbours. */
enum kind {
    EMBEDDING,
    ATTENTION_NORM,
    Q,
    K,
    V,
    O,
    FFN_NORM,
    GATE,
    UP,
    DOWN,
    FINAL_NORM,
    HEAD,
    KINDS
};

#define LAYER "model.layers.%d."

static const struct parameter_kind kinds[KINDS] = {
    [EMBEDDING] = {"model.embed_tokens.weight", BEFORE_LAYERS, VOCABULARY, HIDDEN, .decays = false},
    [ATTENTION_NORM] = {LAYER "input_layernorm.weight", IN_LAYER, ONE, HIDDEN, .decays = false},
    [Q] = {LAYER "self_attn.q_proj.weight", IN_LAYER, QUERIES, HIDDEN, .decays = true},
    [K] = {LAYER "self_attn.k_proj.weight", IN_LAYER, KEYS, HIDDEN, .decays = true},
    [V] = {LAYER "self_attn.v_proj.weight", IN_LAYER, KEYS, HIDDEN, .decays = true},
    [O] = {LAYER "self_attn.o_proj.weight", IN_LAYER, HIDDEN, QUERIES, .decays = true},
    [FFN_NORM] = {LAYER "post_attention_layernorm.weight", IN_LAYER, ONE, HIDDEN, .decays = false},
    [GATE] = {LAYER "mlp.gate_proj.weight", IN_LAYER, FFN, HIDDEN, .decays = true},
    [UP] = {LAYER "mlp.up_proj.weight", IN_LAYER, FFN, HIDDEN, .decays = true},
    [DOWN] = {LAYER "mlp.down_proj.weight", IN_LAYER, HIDDEN, FFN, .decays = true},
    [FINAL_NORM] = {"model.norm.weight", AFTER_LAYERS, ONE, HIDDEN, .decays = false},
    [HEAD] = {"lm_head.weight", AFTER_LAYERS, VOCABULARY, HIDDEN, .decays = true, .is_head = true},
};

/* Generous caps: the largest published models stay below them, and no product of sizes overflows.
 */
static const struct limit {
    const char *name;
    size_t offset;
    int min, max;
} limits[] = {
    {"vocab", offsetof(struct model_shape, vocabulary), 2, 1 << 20},
    {"layers", offsetof(struct model_shape, layers), 1, 1024},
    {"heads", offsetof(struct model_shape, heads), 1, 1024},
    {"kv_heads", offsetof(struct model_shape, kv_heads), 1, 1024},
    {"hidden", offsetof(struct model_shape, hidden), 2, 1 << 16},
    {"ffn", offsetof(struct model_shape, ffn), 1, 1 << 18},
    {"sequence_length", offsetof(struct model_shape, sequence_length), 1, 1 << 17},
    {"micro_batch", offsetof(struct model_shape, micro_batch), 1, 1 << 12},
};

int model_shape_check(const struct model_shape *s, struct err *err)
{
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        const struct limit *l = &limits[i];
        int value = *(const int *)((const char *)s + l->offset);
        if (value < l->min || value > l->max)
            return err_set(err, ERR_USAGE, "%s: found %d, expected %d to %d", l->name, value,
                           l->min, l->max);
    }
    if (s->hidden % (2 * s->heads) != 0)
        return err_set(err, ERR_USAGE, "hidden: found %d, expected a multiple of 2 * heads = %d",
                       s->hidden, 2 * s->heads);
    if (s->heads % s->kv_heads != 0)
        return err_set(err, ERR_USAGE, "kv_heads: found %d, expected a divisor of heads = %d",
                       s->kv_heads, s->heads);
    if ((int64_t)s->micro_batch * s->sequence_length > INT32_MAX / 16)
        return err_set(err, ERR_USAGE, "micro_batch * sequence_length: found %lld, at most %d",
                       (long long)s->micro_batch * s->sequence_length, INT32_MAX / 16);
    return 0;
}

static size_t dimension_size(const struct model_shape *s, enum dimension d)
{
    size_t head_width = s->hidden / s->heads;
    const size_t sizes[DIMENSIONS] = {
        [ONE] = 1,
        [VOCABULARY] = s->vocabulary,
        [HIDDEN] = s->hidden,
        [QUERIES] = s->heads * head_width,
        [KEYS] = s->kv_heads * head_width,
        [FFN] = s->ffn,
    };
    return sizes[d];
}

static size_t kind_elements(const struct model_shape *s, const struct parameter_kind *k)
{
    if (k->is_head && s->tied)
        return 0;
    return dimension_size(s, k->rows) * dimension_size(s, k->width);
}

/* Append every tensor of one place, and note where each kind began. */
static void place_tensors(struct model *m, enum place place, int layer, size_t began[KINDS])
{
    for (size_t i = 0; i < KINDS; i++) {
        const struct parameter_kind *k = &kinds[i];
        size_t elements = kind_elements(&m->shape, k);
        if (k->place != place || elements == 0)
            continue;
        struct parameter *p = &m->parameters[m->n_parameters++];
        p->offset = began[i] = m->n_weights;
        p->rows = dimension_size(&m->shape, k->rows);
        p->width = dimension_size(&m->shape, k->width);
        p->is_vector = k->rows == ONE;
        p->decays = k->decays;
        snprintf(p->name, sizeof p->name, k->name, layer); /* names without %d ignore layer */
        m->n_weights += elements;
    }
}

static size_t round_up(size_t n, size_t multiple)
{
    return (n + multiple - 1) / multiple * multiple;
}

/* The bucket that began where the last one ended: all that was placed since. */
static void close_bucket(struct model *m)
{
    struct bucket *b = &m->buckets[m->n_buckets++];
    size_t ranks = m->shape.ranks > 0 ? (size_t)m->shape.ranks : 1;
    b->begin = m->n_buckets > 1 ? b[-1].begin + b[-1].n : 0;
    m->n_weights = round_up(m->n_weights, 64 * ranks);
    b->n = m->n_weights - b->begin;
}

static void place_parameters(struct model *m)
{
    size_t began[KINDS];
    m->buckets = memory_alloc((m->shape.layers + 2) * sizeof *m->buckets);
    m->n_buckets = 0;
    m->parameters = memory_alloc(KINDS * (m->shape.layers + 1) * sizeof *m->parameters);
    m->offsets = memory_alloc(m->shape.layers * sizeof *m->offsets);
    m->n_parameters = m->n_weights = 0;
    place_tensors(m, BEFORE_LAYERS, 0, began);
    close_bucket(m);
    for (int l = 0; l < m->shape.layers; l++) {
        place_tensors(m, IN_LAYER, l, began);
        close_bucket(m);
        m->offsets[l] = (struct layer_offsets){
            .attention_norm = began[ATTENTION_NORM],
            .qkv = began[Q],
            .attention_out = began[O],
            .ffn_norm = began[FFN_NORM],
            .gate_up = began[GATE],
            .ffn_down = began[DOWN],
        };
    }
    began[HEAD] = began[EMBEDDING]; /* unless there is a head of its own */
    place_tensors(m, AFTER_LAYERS, 0, began);
    close_bucket(m);
    m->embedding = began[EMBEDDING];
    m->final_norm = began[FINAL_NORM];
    m->head = began[HEAD];
}

void model_describe(struct model *m, const struct model_shape *shape)
{
    m->shape = *shape;
    m->rows = shape->micro_batch * shape->sequence_length;
    m->qkv_width = shape->hidden / shape->heads * (shape->heads + 2 * shape->kv_heads);
    place_parameters(m);
}

void model_forget(struct model *m)
{
    free(m->parameters);
    free(m->offsets);
    free(m->buckets);
}
