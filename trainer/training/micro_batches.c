#include "trainer/training/micro_batches.h"

#include "base/arena.h"
#include "trainer/model/tower.h"

#include <stdlib.h>

int micro_batches_init(struct micro_batches *b, struct model *model, struct zero *zero,
                       const struct groups *groups, int micro_batches, bool means_of_ranks,
                       struct err *err)
{
    const struct plan *plan = &groups->plan;
    *b = (struct micro_batches){
        .model = model,
        .zero = zero,
        .groups = groups,
        .pipeline = {plan->pipeline, plan->chunks, micro_batches},
        .n = 2 * micro_batches * plan->chunks,
        .reads = model->chunks[0].embeds || model->chunks[model->n_chunks - 1].heads,
    };
    b->passes = memory_alloc((size_t)b->n * sizeof *b->passes);
    pipeline_order(&b->pipeline, groups->place.pipeline, b->passes);
    if (!means_of_ranks)
        return 0;
    size_t bytes = (size_t)micro_batches * sizeof *b->parts;
    b->weights = memory_alloc(bytes);
    return model->device->operations->alloc(model->device, (void **)&b->parts, bytes, err);
}

void micro_batches_release(struct micro_batches *b)
{
    if (b->parts)
        b->model->device->operations->release(b->model->device, b->parts);
    free(b->weights);
    free(b->passes);
    *b = (struct micro_batches){.model = NULL};
}

/* ---- rows of the stream between stages ------------------------------------------------------ */

static void note_stream_failure(struct micro_batches *b, int rc, const struct err *err)
{
    if (rc < 0 && !b->failed) {
        b->failed = true;
        b->failure = *err;
    }
}

static size_t passed_bytes(const struct model *m)
{
    return (size_t)m->own_rows * (size_t)m->shape.hidden * m->device->element_bytes;
}

static void receive(struct micro_batches *b, struct comm *from, void *rows)
{
    struct err err = ERR_INIT;
    if (b->failed)
        return;
    note_stream_failure(
        b,
        from->operations->receive(from, rows, passed_bytes(b->model), 1 - from->rank, &err) < 0
            ? -1
            : from->operations->join(from, &err),
        &err);
}

/* From this place, beside what comes next. */
static void send(struct micro_batches *b, struct comm *to, const void *rows, int place)
{
    struct err err = ERR_INIT;
    if (b->failed)
        return;
    note_stream_failure(b,
                        to->operations->send(to, rows, passed_bytes(b->model), 1 - to->rank, &err) <
                                0
                            ? -1
                            : comm_mark(to, place, &err),
                        &err);
}

/* The next place, which what was sent from there has left. */
static int next_place(struct micro_batches *b, struct comm *to, int place)
{
    struct err err = ERR_INIT;
    place = b->pipeline.chunks > 1 ? !place : 0;
    if (to && !b->failed)
        note_stream_failure(b, comm_join_mark(to, place, &err), &err);
    return place;
}

/* ---- the passes ----------------------------------------------------------------------------- */

static int slot_of(const struct micro_batches *b, const struct pipeline_pass *p)
{
    return p->micro_batch % b->model->chunks[p->chunk].slots;
}

/* Of either pass: others may lie between the two of a micro-batch. */
static void place_dropout(struct micro_batches *b, int micro_batch, uint64_t step)
{
    const struct groups *g = b->groups;
    uint64_t sequences = (uint64_t)micro_batch * g->plan.data + g->place.data;
    b->model->dropout_step = step;
    b->model->dropout_row = sequences * (uint64_t)b->model->rows;
}

static void lose(struct micro_batches *b, int micro_batch, const struct batch *batch,
                 const struct micro_batches_step *step)
{
    struct model *m = b->model;
    const struct device_operations *o = m->device->operations;
    /* Of a token in the step's loss. */
    double all = (double)b->pipeline.micro_batches * b->groups->plan.data;
    double weight = !b->parts                 ? 1 / (double)batch->step.targets
                    : batch->targets_here > 0 ? 1 / (all * (double)batch->targets_here)
                                              : 0;
    model_loss(m, batch->targets,
               b->parts ? (float)(step->loss_scale * weight)
                        : (float)step->loss_scale / (float)batch->step.targets);
    if (!b->parts)
        return;
    b->weights[micro_batch] = weight;
    o->copy(m->device, b->parts + micro_batch, m->loss_sum, sizeof *b->parts);
    o->zero(m->device, m->loss_sum, sizeof *m->loss_sum);
}

static void forward(struct micro_batches *b, const struct pipeline_pass *p,
                    struct micro_batches_step *step)
{
    struct model *m = b->model;
    const struct model_chunk *c = &m->chunks[p->chunk];
    struct batch batch = {.inputs = NULL};
    if (c->embeds || c->heads) {
        batches_next(step->batches, &step->input_seconds, &batch);
        step->counts = batch.step;
        /* Its pictures are seen before the pass, which begins with what the tower makes of them. */
        if (m->tower) {
            model_set_length(m, batch.length);
            tail_pick(m, batch.targets);
            tower_see(m->tower, batch.pixels, batch.pictures);
            m->pictures = (struct pictures){batch.pictures, m->tower->rows, batch.places};
        }
    }
    if (!c->embeds)
        receive(b, b->groups->activations.in, m->branch);
    if (!c->heads) {
        b->passed = next_place(b, b->groups->activations.out, b->passed);
        m->passed = m->passed_places[b->passed];
    }
    chunk_forward(m, p->chunk, slot_of(b, p), c->embeds ? batch.inputs : NULL);
    if (c->heads)
        lose(b, p->micro_batch, &batch, step);
    else
        send(b, b->groups->activations.out, m->passed, b->passed);
}

static void backward(struct micro_batches *b, const struct pipeline_pass *p)
{
    struct model *m = b->model;
    const struct model_chunk *c = &m->chunks[p->chunk];
    b->returned = next_place(b, b->groups->gradients.out, b->returned);
    m->d_stream = m->d_stream_places[b->returned];
    if (!c->heads)
        receive(b, b->groups->gradients.in, m->d_stream);
    zero_before(b->zero, p->micro_batch == b->pipeline.micro_batches - 1);
    chunk_backward(m, p->chunk, slot_of(b, p));
    if (!c->embeds)
        send(b, b->groups->gradients.out, m->d_stream, b->returned);
}

void micro_batches_run(struct micro_batches *b, struct micro_batches_step *step)
{
    model_zero_gradients(b->model);
    for (int i = 0; i < b->n; i++) {
        const struct pipeline_pass *p = &b->passes[i];
        if (!p->backward && step->leaves(step->context))
            return;
        place_dropout(b, p->micro_batch, step->number);
        if (p->backward)
            backward(b, p);
        else
            forward(b, p, step);
    }
}

int micro_batches_loss(struct micro_batches *b, const struct micro_batches_step *step,
                       struct err *err)
{
    struct model *m = b->model;
    const struct device_operations *o = m->device->operations;
    size_t n = b->parts ? (size_t)b->pipeline.micro_batches : 0;
    double *parts = memory_alloc((n + 1) * sizeof *parts), loss = 0;
    int rc = n > 0 ? o->download(m->device, parts, b->parts, n * sizeof *parts, err) : 0;
    for (size_t i = 0; i < n; i++)
        loss += parts[i] * b->weights[i] * (double)step->counts.targets;
    if (n > 0)
        o->upload(m->device, m->loss_sum, &loss, sizeof loss);
    free(parts);
    return rc;
}

int micro_batches_status(const struct micro_batches *b, struct err *err)
{
    return b->failed ? err_set(err, b->failure.kind, "%s", b->failure.text)
                     : model_status(b->model, err);
}
