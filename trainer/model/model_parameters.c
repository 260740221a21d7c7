#include "trainer/model/model_parameters.h"

#include "base/arena.h"
#include "trainer/model/model_shape.h"

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

/* The rank's part of a dimension that tensor ranks divide. */
struct slice {
    int first, n, whole;
};

struct parameter_kind {
    const char *name; /* of Hugging Face's Llama; %d is the layer */
    enum place place;
    enum dimension rows, width;
    enum linear_cut cut; /* among tensor ranks */
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
#define PER_LAYER (FINAL_NORM - ATTENTION_NORM) /* kinds */

static const struct parameter_kind kinds[KINDS] = {
    [EMBEDDING] = {"model.embed_tokens.weight", BEFORE_LAYERS, VOCABULARY, HIDDEN, LINEAR_ROWS,
                   .decays = false},
    [ATTENTION_NORM] = {LAYER "input_layernorm.weight", IN_LAYER, ONE, HIDDEN, LINEAR_WHOLE,
                        .decays = false},
    [Q] = {LAYER "self_attn.q_proj.weight", IN_LAYER, QUERIES, HIDDEN, LINEAR_ROWS, .decays = true},
    [K] = {LAYER "self_attn.k_proj.weight", IN_LAYER, KEYS, HIDDEN, LINEAR_ROWS, .decays = true},
    [V] = {LAYER "self_attn.v_proj.weight", IN_LAYER, KEYS, HIDDEN, LINEAR_ROWS, .decays = true},
    [O] = {LAYER "self_attn.o_proj.weight", IN_LAYER, HIDDEN, QUERIES, LINEAR_COLUMNS,
           .decays = true},
    [FFN_NORM] = {LAYER "post_attention_layernorm.weight", IN_LAYER, ONE, HIDDEN, LINEAR_WHOLE,
                  .decays = false},
    [GATE] = {LAYER "mlp.gate_proj.weight", IN_LAYER, FFN, HIDDEN, LINEAR_ROWS, .decays = true},
    [UP] = {LAYER "mlp.up_proj.weight", IN_LAYER, FFN, HIDDEN, LINEAR_ROWS, .decays = true},
    [DOWN] = {LAYER "mlp.down_proj.weight", IN_LAYER, HIDDEN, FFN, LINEAR_COLUMNS, .decays = true},
    [FINAL_NORM] = {"model.norm.weight", AFTER_LAYERS, ONE, HIDDEN, LINEAR_WHOLE, .decays = false},
    [HEAD] = {"lm_head.weight", AFTER_LAYERS, VOCABULARY, HIDDEN, LINEAR_ROWS, .decays = true,
              .is_head = true},
};

/* ---- what a rank has of a dimension --------------------------------------------------------- */

static int dimension_size(const struct model_shape *s, enum dimension d)
{
    int head_width = s->hidden / s->heads;
    const int sizes[DIMENSIONS] = {
        [ONE] = 1,
        [VOCABULARY] = s->vocabulary,
        [HIDDEN] = s->hidden,
        [QUERIES] = s->heads * head_width,
        [KEYS] = s->kv_heads * head_width,
        [FFN] = s->ffn,
    };
    return sizes[d];
}

/* How many neighbouring tensor ranks have the same part: where there are fewer key heads than
 * ranks, several have one. */
static int copies_of(const struct model_shape *s, enum dimension d, enum linear_cut cut)
{
    int t = model_tensor_ranks(s);
    return cut == LINEAR_WHOLE ? t : d == KEYS && s->kv_heads < t ? t / s->kv_heads : 1;
}

static struct slice slice_of(const struct model_shape *s, enum dimension d, enum linear_cut cut)
{
    int copies = copies_of(s, d, cut), whole = dimension_size(s, d);
    int64_t parts = model_tensor_ranks(s) / copies, part = s->part.tensor_rank / copies;
    int first = (int)(whole * part / parts);
    return (struct slice){first, (int)(whole * (part + 1) / parts) - first, whole};
}

/* A file of Baichuan's has one tensor for queries, keys and values. */
static void pack_in_files(struct parameter *p, const struct model_shape *s, enum kind k, int layer)
{
    int head_width = s->hidden / s->heads, queries = s->heads * head_width;
    int keys = s->kv_heads * head_width;
    if (s->architecture.names != NAMES_BAICHUAN || k < Q || k > V)
        return;
    snprintf(p->name, sizeof p->name, LAYER "self_attn.W_pack.weight", layer);
    p->file_row = (size_t)(k == Q ? 0 : k == K ? queries : queries + keys);
    p->file_rows = (size_t)(queries + 2 * keys);
}

static struct parameter parameter_of(const struct model_shape *s, enum kind kind, int layer)
{
    const struct parameter_kind *k = &kinds[kind];
    bool by_rows = k->cut != LINEAR_COLUMNS;
    struct slice rows = slice_of(s, k->rows, by_rows ? k->cut : LINEAR_WHOLE);
    struct slice width = slice_of(s, k->width, by_rows ? LINEAR_WHOLE : k->cut);
    struct parameter p = {.rows = (size_t)rows.n,
                          .width = (size_t)width.n,
                          .is_vector = k->rows == ONE,
                          .decays = k->decays,
                          .whole_rows = (size_t)rows.whole,
                          .whole_width = (size_t)width.whole,
                          .first_row = (size_t)rows.first,
                          .first_column = (size_t)width.first,
                          .copies = by_rows ? copies_of(s, k->rows, k->cut) : 1};
    p.leads = s->part.tensor_rank % p.copies == 0;
    int n = snprintf(p.name, sizeof p.name, "%s",
                     s->architecture.names == NAMES_LLAVA_HF ? "language_model." : "");
    snprintf(p.name + n, sizeof p.name - (size_t)n, k->name, layer); /* without %d: it is ignored */
    pack_in_files(&p, s, kind, layer);
    return p;
}

/* ---- the whole model's table ---------------------------------------------------------------- */

/* Adapters of a layer's target: A, then B. */
static const struct target {
    const char *module;
    enum kind kind;
} targets[LORA_TARGETS] = {
    [LORA_Q] = {"self_attn.q_proj", Q}, [LORA_K] = {"self_attn.k_proj", K},
    [LORA_V] = {"self_attn.v_proj", V}, [LORA_GATE] = {"mlp.gate_proj", GATE},
    [LORA_UP] = {"mlp.up_proj", UP},
};

static bool is_target(const struct model_shape *s, int t)
{
    return s->lora.r > 0 && (s->lora.targets >> t & 1);
}

/* By peft's name. Of tensor ranks each has all of A, and of B the rows of its own columns. */
static struct parameter adapter_of(const struct model_shape *s, int target, bool b, int layer)
{
    const struct parameter_kind *k = &kinds[targets[target].kind];
    size_t r = (size_t)s->lora.r, in = (size_t)s->hidden;
    struct slice out = slice_of(s, k->rows, k->cut);
    struct parameter p = {.role = b ? ROLE_ADAPTER_B : ROLE_ADAPTER_A,
                          .rows = b ? (size_t)out.n : r,
                          .width = b ? r : in,
                          .whole_rows = b ? (size_t)out.whole : r,
                          .whole_width = b ? r : in,
                          .first_row = b ? (size_t)out.first : 0,
                          .decays = true,
                          .beside = true,
                          .copies = copies_of(s, k->rows, b ? k->cut : LINEAR_WHOLE)};
    p.leads = s->part.tensor_rank % p.copies == 0;
    snprintf(p.name, sizeof p.name, "base_model.model.model.layers.%d.%s.lora_%c.weight", layer,
             targets[target].module, b ? 'B' : 'A');
    return p;
}

static bool exists(const struct model_shape *s, enum kind k)
{
    return !(kinds[k].is_head && s->tied);
}

static size_t index_of(const struct model_shape *s, enum kind k, int layer)
{
    if (kinds[k].place == BEFORE_LAYERS)
        return 0;
    size_t after = 1 + (size_t)PER_LAYER * s->layers;
    return kinds[k].place == IN_LAYER ? 1 + (size_t)PER_LAYER * layer + (k - ATTENTION_NORM)
                                      : after + (k - FINAL_NORM);
}

static void list_tensors(struct model *m)
{
    struct model_shape whole = m->shape;
    whole.part = (struct model_part){0};
    size_t most = 3 + PROJECTOR_TENSORS + (size_t)(PER_LAYER + 2 * LORA_TARGETS) * whole.layers;
    m->tensors = memory_alloc(most * sizeof *m->tensors);
    m->n_tensors = 0;
    for (int k = 0; k < KINDS; k++)
        for (int l = 0; l < (kinds[k].place == IN_LAYER ? whole.layers : 1); l++) {
            size_t index = index_of(&whole, (enum kind)k, l);
            if (!exists(&whole, (enum kind)k))
                continue;
            m->tensors[index] = parameter_of(&whole, (enum kind)k, l);
            m->tensors[index].index = index;
            m->n_tensors++;
        }
    for (int i = 0; i < whole.layers * LORA_TARGETS * 2; i++) {
        int layer = i / (LORA_TARGETS * 2), target = i / 2 % LORA_TARGETS;
        if (!is_target(&whole, target))
            continue;
        m->tensors[m->n_tensors] = adapter_of(&whole, target, i % 2, layer);
        m->tensors[m->n_tensors].index = m->n_tensors;
        m->n_tensors++;
    }
    for (int i = 0; whole.picture_width > 0 && i < PROJECTOR_TENSORS; i++) {
        projector_parameter(&m->tensors[m->n_tensors], &whole, (enum projector_tensor)i);
        m->tensors[m->n_tensors].index = m->n_tensors;
        m->n_tensors++;
    }
}

/* ---- a rank's parameters -------------------------------------------------------------------- */

/* Append every tensor of one place, and note where each kind began. */
static void place_tensors(struct model *m, enum place place, int layer, size_t began[KINDS])
{
    for (int k = 0; k < KINDS; k++) {
        if (kinds[k].place != place || !exists(&m->shape, (enum kind)k))
            continue;
        struct parameter *p = &m->parameters[m->n_parameters++];
        *p = parameter_of(&m->shape, (enum kind)k, layer);
        p->index = index_of(&m->shape, (enum kind)k, layer);
        p->offset = began[k] = m->n_weights;
        m->n_weights += p->rows * p->width;
    }
}

/* The bucket that began where the last one ended: all that was placed since. */
static int close_bucket(struct model *m)
{
    struct bucket *b = &m->buckets[m->n_buckets++];
    size_t multiple = 64 * (size_t)model_or_one(m->shape.ranks);
    b->begin = m->n_buckets > 1 ? b[-1].begin + b[-1].n : 0;
    m->n_weights = (m->n_weights + multiple - 1) / multiple * multiple;
    b->n = m->n_weights - b->begin;
    return m->n_buckets - 1;
}

static void add_layer(struct model *m, int layer)
{
    size_t began[KINDS];
    int t = model_tensor_ranks(&m->shape), hidden = m->shape.hidden, ffn = m->shape.ffn / t;
    int head_width = hidden / m->shape.heads;
    int queries = m->heads * head_width, qkv = queries + 2 * m->kv_heads * head_width;
    enum linear_cut rows = t > 1 ? LINEAR_ROWS : LINEAR_WHOLE;
    enum linear_cut columns = t > 1 ? LINEAR_COLUMNS : LINEAR_WHOLE;
    place_tensors(m, IN_LAYER, layer, began);
    int bucket = close_bucket(m);
    m->blocks[m->n_blocks++] =
        (struct block){.kind = BLOCK_ATTENTION,
                       .bucket = bucket,
                       .norm = began[ATTENTION_NORM],
                       .into = {began[Q], hidden, qkv, rows, NULL, 0, {{0}}},
                       .out = {began[O], queries, hidden, columns, NULL, 0, {{0}}}};
    m->blocks[m->n_blocks++] =
        (struct block){.kind = BLOCK_FFN,
                       .bucket = bucket,
                       .norm = began[FFN_NORM],
                       .into = {began[GATE], hidden, 2 * ffn, rows, NULL, 0, {{0}}},
                       .out = {began[DOWN], ffn, hidden, columns, NULL, 0, {{0}}}};
}

static void add_head(struct model *m)
{
    size_t began[KINDS];
    began[HEAD] = m->embedding; /* unless there is a head of its own */
    place_tensors(m, AFTER_LAYERS, 0, began);
    m->final_norm = began[FINAL_NORM];
    m->head = (struct linear){
        began[HEAD],   m->shape.hidden,
        m->vocabulary, model_tensor_ranks(&m->shape) > 1 ? LINEAR_ROWS : LINEAR_WHOLE,
        NULL,          0,
        {{0}}};
    m->head_bucket = close_bucket(m);
}

static size_t add_adapter_matrix(struct model *m, int target, bool b, int layer, size_t index)
{
    struct parameter *p = &m->parameters[m->n_parameters++];
    *p = adapter_of(&m->shape, target, b, layer);
    p->index = index;
    p->offset = m->n_weights;
    m->n_weights += p->rows * p->width;
    return p->offset;
}

/* What this rank has of a target's rows. */
static int own_rows_of(const struct model *m, int target)
{
    const struct parameter_kind *k = &kinds[targets[target].kind];
    return slice_of(&m->shape, k->rows, k->cut).n;
}

/* Each is beside some columns of a layer's first products. `index` is of the layer's first. */
static void add_layer_adapters(struct model *m, int layer, struct block blocks[2], size_t index)
{
    for (int t = 0, first = 0; t < LORA_TARGETS; first += own_rows_of(m, t++)) {
        bool attends = t <= LORA_V;
        struct linear *l = &blocks[!attends].into;
        first = t == LORA_GATE ? 0 : first;
        if (!is_target(&m->shape, t))
            continue;
        struct adapter *a = &l->adapters[l->n_adapters++];
        a->a = add_adapter_matrix(m, t, false, layer, index++);
        a->b = add_adapter_matrix(m, t, true, layer, index++);
        a->first = first;
        a->out = own_rows_of(m, t);
        a->key = device_mix((uint64_t)layer * LORA_TARGETS + (uint64_t)t);
    }
}

static int layers_before(const struct model_shape *s, int chunk)
{
    int before = 0;
    for (int i = 0; i < chunk; i++)
        before += s->part.chunk_layers ? s->part.chunk_layers[i] : s->layers / model_all_chunks(s);
    return before;
}

static void add_chunk(struct model *m, int c)
{
    const struct model_part *part = &m->shape.part;
    int number = c * model_or_one(part->stages) + part->stage;
    int first = layers_before(&m->shape, number), end = layers_before(&m->shape, number + 1);
    m->chunks[c] = (struct model_chunk){.first_block = m->n_blocks,
                                        .n_blocks = 2 * (end - first),
                                        .embeds = number == 0,
                                        .heads = number == model_all_chunks(&m->shape) - 1,
                                        .slots = model_or_one(part->micro_batches[c])};
    for (int l = first; l < end; l++)
        add_layer(m, l);
}

/* Behind all else, in one bucket: of this rank's layers. */
static void add_adapters(struct model *m)
{
    size_t of_layer = 2 * (size_t)__builtin_popcount(m->shape.lora.targets);
    size_t before = m->n_tensors - of_layer * (size_t)m->shape.layers;
    int stages = model_or_one(m->shape.part.stages);
    for (int c = 0; c < m->n_chunks; c++) {
        const struct model_chunk *chunk = &m->chunks[c];
        int first = layers_before(&m->shape, c * stages + m->shape.part.stage);
        for (int i = 0; i < chunk->n_blocks / 2; i++)
            add_layer_adapters(m, first + i, &m->blocks[chunk->first_block + 2 * i],
                               before + of_layer * (size_t)(first + i));
    }
    m->adapter_bucket = close_bucket(m);
}

/* Before all else, in a bucket of its own; last in the table. */
static void add_projector(struct model *m)
{
    for (int i = 0; i < PROJECTOR_TENSORS; i++) {
        struct parameter *p = &m->parameters[m->n_parameters++];
        projector_parameter(p, &m->shape, (enum projector_tensor)i);
        p->index = m->n_tensors - PROJECTOR_TENSORS + (size_t)i;
        p->offset = m->projector.tensor[i] = m->n_weights;
        m->n_weights += p->rows * p->width;
    }
    m->projector.bucket = close_bucket(m);
    if (m->shape.projector_alone)
        m->adapter_bucket = m->projector.bucket;
}

static void place_parameters(struct model *m)
{
    const struct model_part *part = &m->shape.part;
    int stages = model_or_one(part->stages), layers = m->shape.layers;
    bool first = part->stage == 0, last = part->stage == stages - 1;
    m->buckets = memory_alloc((layers + 4) * sizeof *m->buckets);
    m->parameters = memory_alloc((KINDS + 2 * LORA_TARGETS) * (layers + 1) * sizeof *m->parameters);
    m->blocks = memory_alloc(2 * layers * sizeof *m->blocks);
    m->n_parameters = m->n_weights = 0;
    m->n_buckets = m->n_blocks = 0;
    m->embedding_bucket = m->head_bucket = m->adapter_bucket = m->projector.bucket = -1;
    m->n_chunks = model_or_one(part->chunks);
    if (m->shape.picture_width > 0)
        add_projector(m);
    if (first || (last && m->shape.tied)) {
        size_t began[KINDS];
        place_tensors(m, BEFORE_LAYERS, 0, began);
        m->embedding = began[EMBEDDING];
        m->embedding_bucket = close_bucket(m);
        if (m->shape.part.stage > 0) /* a copy, for a head that is tied to it */
            m->parameters[m->n_parameters - 1].leads = false;
    }
    for (int c = 0; c < m->n_chunks; c++)
        add_chunk(m, c);
    if (last)
        add_head(m);
    if (m->shape.lora.r > 0)
        add_adapters(m);
}

void model_describe(struct model *m, const struct model_shape *shape)
{
    int t = model_tensor_ranks(shape);
    struct slice vocabulary = slice_of(shape, VOCABULARY, LINEAR_ROWS);
    m->shape = *shape;
    m->length = shape->sequence_length;
    m->rows = shape->micro_batch * shape->sequence_length;
    m->own_rows = m->rows / t;
    m->heads = shape->heads / t;
    m->kv_heads = shape->kv_heads < t ? 1 : shape->kv_heads / t;
    m->vocabulary = vocabulary.n;
    m->first_token = vocabulary.first;
    list_tensors(m);
    place_parameters(m);
}

void model_forget(struct model *m)
{
    free(m->tensors);
    free(m->parameters);
    free(m->blocks);
    free(m->buckets);
}

const struct parameter *model_own(const struct model *m, const struct parameter *tensor)
{
    for (size_t i = 0; i < m->n_parameters; i++)
        if (m->parameters[i].index == tensor->index)
            return &m->parameters[i];
    return NULL;
}

/* Elements of the tensor before this part's row that `at` lies in; rows that are whole are one. */
bool parameter_next_run(const struct parameter *p, size_t *begin, size_t end,
                        struct parameter_run *run)
{
    bool whole = p->width == p->whole_width;
    size_t stride = p->whole_width, rows = whole ? 1 : p->rows;
    size_t length = whole ? p->rows * p->width : p->width;
    size_t first = p->first_row * stride + p->first_column;
    size_t row = !whole && *begin > first ? (*begin - first) / stride : 0;
    for (; row < rows; row++) {
        size_t from = first + row * stride, to = from + length;
        size_t at = from > *begin ? from : *begin;
        if (at >= end)
            return false;
        if (at >= to)
            continue;
        size_t n = (to < end ? to : end) - at;
        *run = (struct parameter_run){at, p->offset + row * length + (at - from), n};
        *begin = at + n;
        return true;
    }
    return false;
}
