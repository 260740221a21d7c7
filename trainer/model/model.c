/* The walk over the blocks of model.h. Each backward function undoes its forward function line by
 * line, last line first. */
#include "trainer/model/model.h"

#include "base/arena.h"
#include "trainer/model/model_memory.h"
#include "trainer/model/model_parameters.h"
#include "trainer/model/model_shape.h"

#include <stdlib.h>

static bool is_divided(const struct model *m)
{
    return m->own_rows != m->rows;
}

/* ---- buckets -------------------------------------------------------------------------------- */

/* From here on a pass reads its weights. */
static void want_bucket(struct model *m, int bucket, int next)
{
    m->weights_bucket = bucket;
    if (m->bucket_wanted)
        m->bucket_wanted(m->context, bucket, next);
}

/* Is the embedding that is here the head, too? */
static bool embedding_is_head(const struct model *m)
{
    return m->shape.tied && m->head_bucket >= 0;
}

/* What is only ever added to begins at zero: vectors, padding, and an embedding that is no head. */
static void bucket_clear(struct model *m, const struct bucket *b)
{
    size_t clean = b->begin; /* up to here, nothing is left to clear */
    for (size_t i = 0; i < m->n_parameters; i++) {
        const struct parameter *p = &m->parameters[i];
        bool embeds = m->embedding_bucket >= 0 && p->offset == m->embedding;
        bool added_to = p->is_vector || (embeds && !embedding_is_head(m));
        size_t n = p->rows * p->width;
        if (p->offset < b->begin || p->offset >= b->begin + b->n)
            continue;
        if (added_to)
            model_operations(m)->zero(m->device, bucket_gradient(b, p->offset), n * sizeof(float));
        clean = p->offset + n;
    }
    model_operations(m)->zero(m->device, bucket_gradient(b, clean),
                              (b->begin + b->n - clean) * sizeof(float));
}

static bool is_frozen(const struct model *m, int bucket)
{
    return m->adapter_bucket >= 0 && bucket != m->adapter_bucket;
}

/* Where gradients pass, in the place that was not used last: what is on its way from there may not
 * have left. */
static void bucket_begin(struct model *m, int bucket)
{
    struct bucket *b = &m->buckets[bucket];
    m->gradient_bucket = bucket;
    if (is_frozen(m, bucket))
        return;
    if (m->passing && m->adapter_bucket < 0 && bucket != m->embedding_bucket) {
        size_t largest = model_largest_bucket(m);
        m->turn = !m->turn;
        b->gradient = m->gradients + (m->n_gradients - 2 * largest) + (size_t)m->turn * largest;
    }
    if (b->fresh)
        bucket_clear(m, b);
}

static void bucket_end(struct model *m, int bucket)
{
    if (is_frozen(m, bucket))
        return;
    m->buckets[bucket].fresh = false;
    if (m->bucket_ready)
        m->bucket_ready(m->context, bucket);
}

static bool has_adapters(const struct model *m)
{
    return m->shape.lora.r > 0;
}

/* Of all adapters: those of another chunk are added to it later, and it is ready behind the chunk
 * whose pass comes last. */
static void adapters_begin(struct model *m)
{
    struct bucket *b = &m->buckets[m->adapter_bucket];
    bucket_begin(m, m->adapter_bucket);
    if (b->fresh && m->n_chunks > 1) {
        model_operations(m)->zero(m->device, b->gradient, b->n * sizeof(float));
        b->fresh = false;
    }
}

static void adapters_end(struct model *m, int chunk)
{
    if (chunk == 0)
        bucket_end(m, m->adapter_bucket);
    else
        m->buckets[m->adapter_bucket].fresh = false;
}

/* ---- tokens of a divided vocabulary --------------------------------------------------------- */

/* Counted from the first that is here; -1 stands for one that is on another rank. */
static void upload_tokens(struct model *m, int32_t *to, const int32_t *tokens)
{
    size_t bytes = (size_t)m->rows * sizeof *tokens;
    int32_t *here = is_divided(m) ? memory_alloc(bytes) : NULL;
    for (int i = 0; here && i < m->rows; i++) {
        int32_t token = tokens[i] - m->first_token;
        bool none = tokens[i] == TARGET_NONE;
        here[i] = none ? TARGET_NONE : token >= 0 && token < m->vocabulary ? token : -1;
    }
    model_operations(m)->upload(m->device, to, here ? here : tokens, bytes);
    free(here);
}

/* ---- the ends ------------------------------------------------------------------------------- */

static bool projects(const struct model *m)
{
    return m->projector.bucket >= 0;
}

static void embedding_forward(struct model *m, const struct activations *a, const int32_t *inputs,
                              int next)
{
    upload_tokens(m, a->inputs, inputs);
    want_bucket(m, m->embedding_bucket, projects(m) ? m->projector.bucket : next);
    model_operations(m)->embed_forward(m->device, rows_room(m, m->branch), a->inputs,
                                       weight_at(m, m->embedding), m->rows, m->shape.hidden);
    rows_scatter(m, m->branch);
    if (projects(m)) {
        want_bucket(m, m->projector.bucket, next);
        projector_forward(m, m->branch);
    }
}

static void pictures_backward(struct model *m)
{
    want_bucket(m, m->projector.bucket, -1);
    bucket_begin(m, m->projector.bucket);
    projector_backward(m, m->d_stream);
    bucket_end(m, m->projector.bucket);
}

/* A tied head has begun its gradients, where it is on the same rank. */
static void embedding_backward(struct model *m, const struct activations *a)
{
    m->gradient_bucket = m->embedding_bucket;
    if (is_frozen(m, m->embedding_bucket))
        return;
    if (!embedding_is_head(m))
        bucket_begin(m, m->embedding_bucket);
    model_operations(m)->embed_backward(m->device, gradient_at(m, m->embedding), a->inputs,
                                        rows_gather(m, m->d_stream), m->rows, m->shape.hidden);
    bucket_end(m, m->embedding_bucket);
}

static struct norm_place output_norm(const struct model *m)
{
    return (struct norm_place){m->final_norm, m->output, m->output_norm, m->output_inverse};
}

static struct unit_rows unit_head(const struct model *m)
{
    return (struct unit_rows){.rows = m->vocabulary,
                              .width = m->shape.hidden,
                              .w = weight_at(m, m->head.weight),
                              .unit = m->unit_head,
                              .inverse = m->unit_inverse};
}

static void head_forward(struct model *m, const void *stream)
{
    const struct norm_place norm = output_norm(m);
    want_bucket(m, m->head_bucket, -1);
    norm_pass(m, &norm, m->branch, stream);
    if (m->shape.tied)
        want_bucket(m, m->embedding_bucket, -1);
    if (m->unit_head) {
        const struct unit_rows unit = unit_head(m);
        model_operations(m)->unit_rows(m->device, &unit);
    }
    linear_forward(m, &m->head, NULL, m->logits, m->output_norm);
}

static void head_backward(struct model *m, int next)
{
    const struct norm_place norm = output_norm(m);
    int weights = m->shape.tied ? m->embedding_bucket : m->head_bucket;
    want_bucket(m, weights, m->shape.tied ? m->head_bucket : next);
    bucket_begin(m, weights);
    linear_backward(m, &m->head, NULL, m->d_branch, m->logits, m->output_norm);
    /* The gradient of unit rows becomes that of the weights, once all of it is there: the one is
     * linear in the other. */
    const struct unit_rows unit = unit_head(m);
    if (m->unit_head && !is_frozen(m, m->head_bucket) && (m->last || m->passing))
        model_operations(m)->unit_rows_backward(m->device, &unit, gradient_at(m, m->head.weight));
    /* The head's part completes the embedding's gradient on a last stage that does not embed. */
    if (m->shape.tied && m->shape.part.stage > 0)
        bucket_end(m, weights);
    if (m->shape.tied) {
        want_bucket(m, m->head_bucket, next);
        bucket_begin(m, m->head_bucket);
    }
    norm_return(m, &norm, NULL, NULL);
    bucket_end(m, m->head_bucket);
}

void model_row_logits(struct model *m, int row, float *to)
{
    const struct matrix_product product = {
        .transpose_b = true,
        .m = 1,
        .n = m->head.out,
        .k = m->head.in,
        .alpha = 1,
        .a = device_at(m->device, m->output_norm, (size_t)row * m->head.in),
        .b = linear_factor(m, &m->head),
        .c = to,
        .c_fp32 = true,
    };
    model_operations(m)->multiply(m->device, &product);
}

/* ---- the passes ----------------------------------------------------------------------------- */

/* Of a chunk's block; -1 beyond its ends. */
static int bucket_of(const struct model *m, const struct model_chunk *c, int block)
{
    return block >= 0 && block < c->n_blocks ? m->blocks[c->first_block + block].bucket : -1;
}

void chunk_forward(struct model *m, int chunk, int slot, const int32_t *inputs)
{
    const struct model_chunk *c = &m->chunks[chunk];
    const struct activations *a = &c->activations[slot];
    const void *stream = NULL; /* what is in m->branch is the first to be added to it */
    if (has_adapters(m))
        want_bucket(m, m->adapter_bucket, -1);
    if (c->embeds)
        embedding_forward(m, a, inputs, bucket_of(m, c, 0));
    for (int i = 0; i < c->n_blocks; i++) {
        int after = bucket_of(m, c, i + 2);
        if (i % 2 == 0)
            want_bucket(m, bucket_of(m, c, i), after < 0 && c->heads ? m->head_bucket : after);
        if (tail_begins(m, &m->blocks[c->first_block + i]))
            stream = tail_gather(m, stream);
        block_forward(m, &m->blocks[c->first_block + i], &a->blocks[i], stream);
        stream = a->blocks[i].sum;
    }
    if (c->heads)
        head_forward(m, stream);
    else
        model_operations(m)->add_rows(m->device, m->passed, m->branch, stream,
                                      (size_t)m->own_rows * m->shape.hidden);
    tail_leave(m);
}

void chunk_backward(struct model *m, int chunk, int slot)
{
    const struct model_chunk *c = &m->chunks[chunk];
    const struct activations *a = &c->activations[slot];
    if (has_adapters(m))
        adapters_begin(m);
    tail_enter(m);
    if (c->heads)
        head_backward(m, bucket_of(m, c, c->n_blocks - 1));
    for (int i = c->n_blocks - 2; i >= 0; i -= 2) {
        const struct block *b = &m->blocks[c->first_block + i];
        want_bucket(m, b->bucket, bucket_of(m, c, i - 2));
        if (m->shape.recompute == RECOMPUTE_FULL)
            layer_restore(m, b, &a->blocks[i]);
        bucket_begin(m, b->bucket);
        block_backward(m, &b[1], &a->blocks[i + 1]);
        if (tail_begins(m, &b[1]))
            tail_spread(m);
        block_backward(m, &b[0], &a->blocks[i]);
        bucket_end(m, b->bucket);
    }
    if (c->embeds && projects(m))
        pictures_backward(m);
    if (c->embeds)
        embedding_backward(m, a);
    if (has_adapters(m))
        adapters_end(m, chunk);
}

void model_set_length(struct model *m, int length)
{
    m->length = length;
    m->rows = m->own_rows = m->shape.micro_batch * length;
    m->tail.n = 0;
}

void model_set_rows(struct model *m, int first, int n)
{
    model_set_length(m, n);
    m->first = first;
}

void model_zero_gradients(struct model *m)
{
    model_operations(m)->zero(m->device, m->loss_sum, sizeof *m->loss_sum);
    for (int b = 0; b < m->n_buckets; b++)
        m->buckets[b].fresh = true;
}

/* ---- the loss ------------------------------------------------------------------------------- */

void model_note_failure(struct model *m, int rc, const struct err *err)
{
    if (rc < 0 && !m->failed) {
        m->failed = true;
        m->failure = *err;
    }
}

static int largest_of_ranks(struct model *m, struct err *err)
{
    struct comm *t = m->tensor;
    return t->operations->all_reduce_max(t, m->tops, (size_t)m->rows, err) < 0
               ? -1
               : t->operations->join(t, err);
}

/* Of a vocabulary that tensor ranks divide: each row's largest logit, then the sum of what they are
 * to it and the target's, then the gradients of those that are here. */
static void divided_loss(struct model *m, const struct cross_entropy *loss)
{
    const struct divided_entropy divided = {.of = *loss, .tops = m->tops, .sums = m->sums};
    struct err err = ERR_INIT;
    model_operations(m)->entropy_tops(m->device, &divided);
    if (!m->failed)
        model_note_failure(m, largest_of_ranks(m, &err), &err);
    model_operations(m)->entropy_sums(m->device, &divided);
    if (!m->failed)
        model_note_failure(m, comm_sum_now(m->tensor, m->sums, 2 * (size_t)m->rows, &err), &err);
    model_operations(m)->entropy_gradients(m->device, &divided);
}

void model_loss(struct model *m, const int32_t *targets, float token_weight)
{
    int32_t *picked = memory_alloc((size_t)m->rows * sizeof *picked);
    if (m->tail.n > 0)
        tail_targets(m, targets, picked);
    tail_enter(m);
    upload_tokens(m, m->targets, m->tail.n > 0 ? picked : targets);
    free(picked);
    const struct cross_entropy loss = {
        .rows = m->rows,
        .vocabulary = m->vocabulary,
        .scale = token_weight,
        .logits = m->logits,
        .targets = m->targets,
        .losses = m->losses,
    };
    if (is_divided(m))
        divided_loss(m, &loss);
    else
        model_operations(m)->cross_entropy(m->device, &loss);
    model_operations(m)->add_sum(m->device, m->loss_sum, m->losses, m->rows);
    tail_leave(m);
}

int model_status(const struct model *m, struct err *err)
{
    return m->failed ? err_set(err, m->failure.kind, "%s", m->failure.text) : 0;
}

/* ---- birth and death ------------------------------------------------------------------------ */

int model_new_passing(struct model **out, const struct model_shape *shape,
                      const struct model_passing *passing, struct device *device, struct err *err)
{
    if (model_shape_check(shape, err) < 0)
        return -1;
    struct model *m = memory_alloc(sizeof *m);
    m->device = device;
    m->last = true;
    model_describe(m, shape);
    if (model_take_memory(m, passing, err) < 0) {
        model_free(m);
        return -1;
    }
    *out = m;
    return 0;
}

int model_new(struct model **out, const struct model_shape *shape, struct device *device,
              struct err *err)
{
    return model_new_passing(out, shape, &(struct model_passing){0}, device, err);
}

static size_t tensor_elements(const struct parameter *p)
{
    return p->rows * p->width;
}

size_t model_largest_tensor(const struct model *m)
{
    size_t largest = 0;
    for (size_t i = 0; i < m->n_tensors; i++) {
        size_t n = tensor_elements(&m->tensors[i]);
        largest = n > largest ? n : largest;
    }
    return largest;
}

size_t model_elements(const struct model *m)
{
    size_t n = 0;
    for (size_t i = 0; i < m->n_tensors; i++)
        n += tensor_elements(&m->tensors[i]);
    return n;
}

void model_free(struct model *m)
{
    if (!m)
        return;
    model_return_memory(m);
    model_forget(m);
    free(m);
}
