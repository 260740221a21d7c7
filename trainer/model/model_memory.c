#include "trainer/model/model_memory.h"

#include "base/arena.h"
#include "trainer/model/model_parameters.h"
#include "trainer/model/model_shape.h"

#include <math.h>
#include <stdlib.h>

/* A walk over the arena. To measure, it walks where no memory is; not from address 0 on, because
 * NULL stands for a place that is not taken yet. */
struct cursor {
    uintptr_t base;
    size_t used;
};

#define NOWHERE 256

static void *take_model_memory(struct cursor *c, size_t n, size_t size)
{
    void *place = (void *)(c->base + c->used);
    c->used += (n * size + 255) / 256 * 256;
    return place;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* ---- activations ---------------------------------------------------------------------------- */

/* One buffer of a block: a place of its own, or, where it is computed again from `again` on, the
 * one that all blocks of its kind share, if it is there already. */
static void *take_again(struct cursor *c, const struct model *m, enum recompute again, void *shared,
                        size_t elements, size_t size)
{
    return shared && m->shape.recompute >= again ? shared : take_model_memory(c, elements, size);
}

static size_t stream_elements(const struct model *m)
{
    return (size_t)m->own_rows * m->shape.hidden;
}

static void place_kept(struct adapters_kept *kept, const struct adapters_kept *shared,
                       const struct linear *l, const struct model *m, struct cursor *c)
{
    size_t rows = m->rows, bits = rows * thin_bits_bytes(l->in);
    for (int i = 0; i < l->n_adapters; i++) {
        kept->thin[i] = take_again(c, m, RECOMPUTE_FULL, shared->thin[i], rows * m->shape.lora.r,
                                   m->device->element_bytes);
        if (m->shape.lora.dropout > 0)
            kept->bits[i] = take_again(c, m, RECOMPUTE_FULL, shared->bits[i], bits, 1);
    }
}

/* `shared` are those of the first block of its kind; for that one, what has a place elsewhere. What
 * attention adds to is kept in any case; the ffn's sum is made of it again. */
static void place_block(struct block_activations *a, const struct block_activations *shared,
                        const struct block *b, const struct model *m, struct cursor *c)
{
    const enum recompute cheap = RECOMPUTE_SELECTIVE, full = RECOMPUTE_FULL;
    const bool attends = b->kind == BLOCK_ATTENTION;
    size_t size = m->device->element_bytes, rows = m->rows;
    a->sum = take_again(c, m, full, attends ? NULL : shared->sum, stream_elements(m), size);
    a->normed = take_again(c, m, cheap, shared->normed, stream_elements(m), size);
    a->wide = take_again(c, m, full, attends && m->shape.remembers ? NULL : shared->wide,
                         rows * b->into.out, size);
    a->narrow = take_again(c, m, attends ? full : cheap, shared->narrow, rows * b->out.in, size);
    a->inverse = take_model_memory(c, m->own_rows, sizeof(float));
    place_kept(&a->kept, &shared->kept, &b->into, m, c);
    if (attends)
        a->log_sum_exp =
            take_again(c, m, full, shared->log_sum_exp, rows * m->heads, sizeof(float));
}

/* No gradient flows in a forward pass. */
static void place_slots(struct model *m, struct cursor *c)
{
    struct block_activations first[BLOCK_KINDS] = {
        [BLOCK_ATTENTION] = {.normed = m->d_branch},
        [BLOCK_FFN] = {.normed = m->d_branch, .narrow = m->d_blocks[BLOCK_FFN].narrow},
    };
    bool begun[BLOCK_KINDS] = {false};
    for (int k = 0; k < m->n_chunks; k++)
        for (int slot = 0; slot < m->chunks[k].slots; slot++) {
            struct activations *a = &m->chunks[k].activations[slot];
            a->inputs = m->chunks[k].embeds ? take_model_memory(c, m->rows, sizeof(int32_t)) : NULL;
            for (int i = 0; i < m->chunks[k].n_blocks; i++) {
                const struct block *b = &m->blocks[m->chunks[k].first_block + i];
                place_block(&a->blocks[i], &first[b->kind], b, m, c);
                if (!begun[b->kind])
                    first[b->kind] = a->blocks[i];
                begun[b->kind] = true;
            }
        }
}

static void take_places(const struct model *m, struct cursor *c, void *places[2])
{
    size_t size = m->device->element_bytes;
    places[0] = take_model_memory(c, stream_elements(m), size);
    places[1] = m->n_chunks > 1 ? take_model_memory(c, stream_elements(m), size) : places[0];
}

/* Those of a kind's blocks and the logits (until the head's backward pass has read them) take turns
 * in one place. */
static void place_gradients_of_activations(struct model *m, struct cursor *c)
{
    size_t size = m->device->element_bytes, rows = m->rows;
    const struct block *attention = &m->blocks[0], *ffn = &m->blocks[1];
    take_places(m, c, m->d_stream_places);
    m->d_stream = m->d_stream_places[0];
    m->d_branch = take_model_memory(c, stream_elements(m), size);
    size_t begin = c->used, end;
    m->d_blocks[BLOCK_FFN].wide = take_model_memory(c, rows * ffn->into.out, size);
    m->d_blocks[BLOCK_FFN].narrow = take_model_memory(c, rows * ffn->out.in, size);
    end = c->used;
    c->used = begin;
    m->logits = m->head_bucket >= 0 ? take_model_memory(c, rows * m->vocabulary, size) : NULL;
    end = larger(end, c->used);
    c->used = begin;
    m->d_blocks[BLOCK_ATTENTION].wide = take_model_memory(c, rows * attention->into.out, size);
    m->d_blocks[BLOCK_ATTENTION].narrow = m->d_branch;
    c->used = larger(end, c->used);
}

static void place_head(struct model *m, struct cursor *c)
{
    size_t rows = m->rows, size = m->device->element_bytes;
    bool divided = m->own_rows != m->rows;
    m->output = take_model_memory(c, stream_elements(m), size);
    m->output_norm = take_model_memory(c, stream_elements(m), size);
    m->output_inverse = take_model_memory(c, m->own_rows, sizeof(float));
    m->targets = take_model_memory(c, rows, sizeof(int32_t));
    m->losses = take_model_memory(c, rows, sizeof(float));
    m->tops = divided ? take_model_memory(c, rows, sizeof(float)) : NULL;
    m->sums = divided ? take_model_memory(c, 2 * rows, sizeof(float)) : NULL;
    if (m->shape.architecture.normed_head) {
        m->unit_head = take_model_memory(c, (size_t)m->vocabulary * m->shape.hidden, size);
        m->unit_inverse = take_model_memory(c, m->vocabulary, sizeof(float));
        m->head.instead = m->unit_head;
    }
}

static void place_projector(struct model *m, struct cursor *c)
{
    size_t rows = (size_t)m->shape.micro_batch * m->shape.picture_rows;
    size_t size = m->device->element_bytes, elements = rows * m->shape.hidden;
    m->projector.places = take_model_memory(c, rows, sizeof(int32_t));
    m->projector.inner = take_model_memory(c, elements, size);
    m->projector.active = take_model_memory(c, elements, size);
    m->projector.outer = take_model_memory(c, elements, size);
    m->projector.d_inner = take_model_memory(c, elements, size);
    m->tail.places = take_model_memory(c, m->rows, sizeof(int32_t));
    m->tail.picked = take_model_memory(c, stream_elements(m), size);
}

static void place_all(struct model *m, struct cursor *c)
{
    const struct model_shape *s = &m->shape;
    size_t size = m->device->element_bytes;
    size_t angles = (size_t)s->sequence_length * (s->hidden / s->heads / 2);
    bool turns = s->architecture.position == POSITION_ROPE;
    m->cosine = turns ? take_model_memory(c, angles, sizeof(float)) : NULL;
    m->sine = turns ? take_model_memory(c, angles, sizeof(float)) : NULL;
    m->slopes = turns ? NULL : take_model_memory(c, m->heads, sizeof(float));
    place_gradients_of_activations(m, c);
    place_slots(m, c);
    m->branch = take_model_memory(c, stream_elements(m), size);
    if (m->n_chunks > 1 || !m->chunks[0].heads)
        take_places(m, c, m->passed_places);
    m->passed = m->passed_places[0];
    if (s->lora.r > 0)
        m->d_thin = take_model_memory(c, LORA_OF_LINEAR * (size_t)m->rows * s->lora.r, size);
    if (m->projector.bucket >= 0)
        place_projector(m, c);
    bool divided = m->own_rows != m->rows;
    m->whole = divided ? take_model_memory(c, (size_t)m->rows * s->hidden, size) : NULL;
    m->whole_input = divided ? take_model_memory(c, (size_t)m->rows * s->hidden, size) : NULL;
    if (m->head_bucket >= 0)
        place_head(m, c);
    m->loss_sum = take_model_memory(c, 2, sizeof(double));
}

/* Angles in double, rounded once. */
static void fill_rotations(struct model *m)
{
    int half = m->shape.hidden / m->shape.heads / 2;
    size_t n = (size_t)m->shape.sequence_length * half;
    float *cosine = memory_alloc(n * sizeof *cosine), *sine = memory_alloc(n * sizeof *sine);
    for (size_t i = 0; i < n; i++) {
        double turn = pow(m->shape.rope_theta, -(double)(i % half) / half);
        double angle = (double)(i / half) * turn;
        cosine[i] = (float)cos(angle);
        sine[i] = (float)sin(angle);
    }
    m->device->operations->upload(m->device, m->cosine, cosine, n * sizeof *cosine);
    m->device->operations->upload(m->device, m->sine, sine, n * sizeof *sine);
    free(cosine);
    free(sine);
}

/* Of the heads that are here. */
static void fill_slopes(struct model *m)
{
    float *slopes = memory_alloc(m->heads * sizeof *slopes);
    for (int h = 0; h < m->heads; h++)
        slopes[h] =
            (float)architecture_slope(m->shape.part.tensor_rank * m->heads + h, m->shape.heads);
    m->device->operations->upload(m->device, m->slopes, slopes, m->heads * sizeof *slopes);
    free(slopes);
}

/* ---- weights and gradients ------------------------------------------------------------------ */

size_t model_largest_bucket(const struct model *m)
{
    size_t largest = 0;
    for (int b = 0; b < m->n_buckets; b++)
        if (b != m->embedding_bucket)
            largest = larger(largest, m->buckets[b].n);
    return largest;
}

size_t model_passing_elements(const struct model *m)
{
    int embedding = m->embedding_bucket;
    return (embedding >= 0 ? m->buckets[embedding].n : 0) + 2 * model_largest_bucket(m);
}

static size_t gradient_elements(const struct model *m, bool passing)
{
    if (m->adapter_bucket >= 0)
        return m->buckets[m->adapter_bucket].n;
    return passing ? model_passing_elements(m) : m->n_weights;
}

/* Where they do not stay, a bucket gets its place when it begins (model.c) or is brought (zero.c);
 * the embedding's is the first. */
static int take_gradients(struct model *m, bool passing, struct err *err)
{
    m->passing = passing;
    m->n_gradients = gradient_elements(m, passing);
    if (m->device->operations->alloc(m->device, (void **)&m->gradients,
                                     m->n_gradients * sizeof(float), err) < 0)
        return err_prefix(err, "gradients");
    size_t first = m->adapter_bucket >= 0 ? m->buckets[m->adapter_bucket].begin : 0;
    for (int b = 0; b < m->n_buckets; b++)
        if (m->adapter_bucket < 0 || b == m->adapter_bucket) /* others are frozen */
            m->buckets[b].gradient = m->gradients + (passing ? 0 : m->buckets[b].begin - first);
    return 0;
}

static int take_weights(struct model *m, struct err *err)
{
    if (m->device->operations->alloc(m->device, &m->weights,
                                     m->n_weights * m->device->element_bytes, err) < 0)
        return err_prefix(err, "weights");
    for (int b = 0; b < m->n_buckets; b++)
        m->buckets[b].weights = device_at(m->device, m->weights, m->buckets[b].begin);
    return 0;
}

static void free_slots(struct model *m)
{
    for (int k = 0; k < m->n_chunks; k++) {
        struct model_chunk *c = &m->chunks[k];
        for (int i = 0; c->activations && i < c->slots; i++)
            free(c->activations[i].blocks);
        free(c->activations);
    }
}

static size_t arena_of(struct model *m)
{
    struct cursor cursor = {.base = NOWHERE};
    for (int k = 0; k < m->n_chunks; k++) {
        struct model_chunk *c = &m->chunks[k];
        c->activations = memory_alloc(c->slots * sizeof *c->activations);
        for (int i = 0; i < c->slots; i++)
            c->activations[i].blocks = memory_alloc(c->n_blocks * sizeof *c->activations[i].blocks);
    }
    place_all(m, &cursor);
    return cursor.used;
}

int model_take_memory(struct model *m, const struct model_passing *passing, struct err *err)
{
    const struct device_operations *o = m->device->operations;
    m->arena_bytes = arena_of(m);
    if (!passing->weights && take_weights(m, err) < 0)
        return -1;
    if (take_gradients(m, passing->gradients, err) < 0)
        return -1;
    if (o->alloc(m->device, &m->arena, m->arena_bytes, err) < 0)
        return err_prefix(err, "activations");
    struct cursor cursor = {.base = (uintptr_t)m->arena};
    place_all(m, &cursor);
    if (m->cosine)
        fill_rotations(m);
    if (m->slopes)
        fill_slopes(m);
    return 0;
}

void model_return_memory(struct model *m)
{
    const struct device_operations *o = m->device->operations;
    o->release(m->device, m->weights);
    o->release(m->device, m->gradients);
    o->release(m->device, m->arena);
    free_slots(m);
}

/* ---- measured, not taken -------------------------------------------------------------------- */

/* Products write rows of a width, or fp32 gradients of a weight that has it and the hidden one. */
static size_t largest_product(const struct model *m)
{
    size_t hidden = m->shape.hidden, widest = larger(m->vocabulary, m->blocks[1].into.out);
    widest = larger(widest, larger(m->blocks[0].into.out, hidden));
    return widest * larger(m->rows * m->device->element_bytes, hidden * sizeof(float));
}

int model_measure(struct model_memory *out, const struct model_shape *shape, struct device *device,
                  const struct model_passing *passing, struct err *err)
{
    if (model_shape_check(shape, err) < 0)
        return -1;
    struct model m = {.device = device};
    model_describe(&m, shape);
    *out = (struct model_memory){
        .elements = model_elements(&m),
        .n_weights = m.n_weights,
        .n_trained = m.adapter_bucket >= 0 ? m.buckets[m.adapter_bucket].n : m.n_weights,
        .largest = model_largest_tensor(&m),
        .n_passing = model_passing_elements(&m),
        .n_gradients = gradient_elements(&m, passing->gradients),
        .arena_bytes = arena_of(&m),
        .largest_product = largest_product(&m),
    };
    free_slots(&m);
    model_forget(&m);
    return 0;
}
