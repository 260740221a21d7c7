#include "trainer/optimizer/zero.h"

#include "base/arena.h"
#include "trainer/model/model_memory.h"

#include <stdlib.h>

static int level_of(int level, const struct comm *data)
{
    return data->world > 1 ? level : 0;
}

struct model_passing zero_passing(int level, const struct comm *data)
{
    level = level_of(level, data);
    return (struct model_passing){.gradients = level >= 2, .weights = level >= 3};
}

/* ---- pieces --------------------------------------------------------------------------------- */

static struct zero_piece piece_of(const struct zero *z, const struct bucket *b, size_t state)
{
    bool frozen =
        z->model->adapter_bucket >= 0 && b != &z->model->buckets[z->model->adapter_bucket];
    size_t n = z->divided ? b->n / (size_t)z->comm->world : b->n;
    if (frozen) /* nothing is kept of it */
        return (struct zero_piece){.begin = b->begin, .state = state};
    size_t at = z->divided ? n * (size_t)z->comm->rank : 0;
    return (struct zero_piece){.begin = b->begin + at,
                               .n = n,
                               .state = state,
                               .gradient = z->kept ? z->kept + state : b->gradient + at};
}

static void pieces_make(struct zero *z)
{
    struct model *m = z->model;
    z->n_pieces = m->n_buckets;
    z->n_state = 0;
    for (int b = 0; b < m->n_buckets; b++) {
        z->pieces[b] = piece_of(z, &m->buckets[b], z->n_state);
        z->n_state += z->pieces[b].n;
    }
}

struct span piece_span(const struct zero_piece *p, size_t offset, size_t n)
{
    size_t begin = offset > p->begin ? offset : p->begin;
    size_t end = offset + n < p->begin + p->n ? offset + n : p->begin + p->n;
    return (struct span){begin, end > begin ? end - begin : 0};
}

void *zero_weight(const struct zero *z, const struct zero_piece *p, size_t offset)
{
    const struct model *m = z->model;
    return z->shard ? device_at(m->device, z->shard, p->state + (offset - p->begin))
                    : device_at(m->device, m->weights, offset);
}

/* ---- what travels --------------------------------------------------------------------------- */

static void note_zero_failure(struct zero *z, int rc, const struct err *err)
{
    if (rc < 0 && !z->failed) {
        z->failed = true;
        z->failure = *err;
    }
}

static void join_parts(struct zero *z)
{
    struct err err = ERR_INIT;
    if (!z->failed)
        note_zero_failure(z, z->comm->operations->join(z->comm, &err), &err);
}

/* This rank's part of the bucket itself. */
static float *part_of_bucket(const struct zero *z, const struct bucket *b)
{
    return b->gradient + b->n / (size_t)z->comm->world * (size_t)z->comm->rank;
}

static void reduce_scatter(struct zero *z, const struct bucket *b)
{
    struct err err = ERR_INIT;
    size_t n = b->n / (size_t)z->comm->world;
    if (!z->failed)
        note_zero_failure(z,
                          z->comm->operations->reduce_scatter(z->comm, part_of_bucket(z, b),
                                                              b->gradient, n, COMM_FP32, &err),
                          &err);
}

/* What has arrived is kept, and its place is free for another bucket. */
static void keep_arrived(struct zero *z)
{
    struct device *d = z->model->device;
    if (z->travelling < 0)
        return;
    join_parts(z);
    const struct zero_piece *p = &z->pieces[z->travelling];
    if (z->kept_any[z->travelling])
        d->operations->add(d, p->gradient, z->arrival, p->n);
    else
        d->operations->copy(d, p->gradient, z->arrival, p->n * sizeof(float));
    z->kept_any[z->travelling] = true;
    z->travelling = -1;
}

/* The bucket before this one has arrived meanwhile, and its place is needed next. */
static void pass_on(struct zero *z, int bucket)
{
    keep_arrived(z);
    reduce_scatter(z, &z->model->buckets[bucket]);
    z->travelling = bucket;
    z->arrival = part_of_bucket(z, &z->model->buckets[bucket]);
}

/* Of tensors that several tensor ranks have alike, each has the gradient of what it saw. */
static void sum_copies(struct zero *z, const struct bucket *b)
{
    const struct model *m = z->model;
    struct err err = ERR_INIT;
    for (size_t i = 0; i < m->n_parameters && !z->failed; i++) {
        const struct parameter *p = &m->parameters[i];
        if (p->copies == 1 || p->offset < b->begin || p->offset >= b->begin + b->n)
            continue;
        struct comm *alike =
            p->copies == z->groups->tensor->world ? z->groups->tensor : z->groups->copies;
        note_zero_failure(
            z, comm_sum_now(alike, bucket_gradient(b, p->offset), p->rows * p->width, &err), &err);
    }
}

static void bucket_ready(void *context, int bucket)
{
    struct zero *z = context;
    struct bucket *b = &z->model->buckets[bucket];
    bool last = z->model->last, leaves = z->level >= 2 || last;
    if (leaves && z->groups->tensor)
        sum_copies(z, b);
    if (z->level >= 2) {
        pass_on(z, bucket);
        b->fresh = true;
    } else if (last && z->level == 1) {
        reduce_scatter(z, b);
    } else if (last && z->comm->world > 1) {
        struct err err = ERR_INIT;
        if (!z->failed)
            note_zero_failure(
                z, z->comm->operations->all_reduce(z->comm, b->gradient, b->n, COMM_FP32, &err),
                &err);
    }
}

/* ---- weights that come ---------------------------------------------------------------------- */

/* Marks are fewer than the buckets of a very deep model; one that two share is that of the later
 * one, which is later than need be, and right. */
static int mark_of(int bucket)
{
    return bucket % COMM_MARKS;
}

static void join_bucket(struct zero *z, int bucket)
{
    struct err err = ERR_INIT;
    note_zero_failure(z, comm_join_mark(z->comm, mark_of(bucket), &err), &err);
}

/* Gathered to where nothing is that the pass reads now, unless it is there. */
static int bring(struct zero *z, int bucket)
{
    struct model *m = z->model;
    struct err err = ERR_INIT;
    /* Where a bucket is, or is on its way to; WEIGHTS_PLACES: nowhere. */
    int there = 0;
    while (there < WEIGHTS_PLACES && z->places[there].holds != bucket)
        there++;
    int place = bucket == m->embedding_bucket ? PLACE_OF_EMBEDDING
                : z->turn == PLACE_IN_TURN    ? PLACE_IN_TURN_TOO
                                              : PLACE_IN_TURN;
    if (there < WEIGHTS_PLACES)
        return there;
    const struct zero_piece *p = &z->pieces[bucket];
    const void *own = device_at(m->device, z->shard, p->state);
    z->places[place].holds = bucket;
    m->buckets[bucket].weights = z->places[place].at;
    if (z->failed)
        return place;
    note_zero_failure(z,
                      z->comm->operations->all_gather(z->comm, z->places[place].at, own, p->n,
                                                      comm_element_of(m->device), &err),
                      &err);
    note_zero_failure(z, comm_mark(z->comm, mark_of(bucket), &err), &err);
    return place;
}

static void bucket_wanted(void *context, int bucket, int next)
{
    struct zero *z = context;
    if (z->shard) {
        int place = bring(z, bucket);
        z->turn = place == PLACE_OF_EMBEDDING ? z->turn : place;
        join_bucket(z, bucket);
        if (next >= 0)
            bring(z, next);
    } else if (z->arriving && !z->failed) {
        join_bucket(z, bucket);
        z->arriving = bucket < z->n_pieces - 1;
    }
}

/* ---- the step ------------------------------------------------------------------------------- */

void zero_before(struct zero *z, bool last)
{
    keep_arrived(z); /* of the pass before: a tied head begins with the bucket that came last */
    z->model->last = last;
}

/* An embedding of the first stage and its copy on the last, which is the head. */
static void sum_ends(struct zero *z)
{
    struct comm *ends = z->groups->ends;
    int bucket = z->model->embedding_bucket;
    struct err err = ERR_INIT;
    if (ends && bucket >= 0 && !z->failed)
        note_zero_failure(
            z, comm_sum_now(ends, z->pieces[bucket].gradient, z->pieces[bucket].n, &err), &err);
}

int zero_after(struct zero *z, struct err *err)
{
    keep_arrived(z);
    join_parts(z);
    sum_ends(z);
    for (int b = 0; z->kept && b < z->n_pieces; b++)
        z->kept_any[b] = false;
    return z->failed ? err_set(err, z->failure.kind, "%s", z->failure.text) : 0;
}

int zero_gather(struct zero *z, int bucket, struct err *err)
{
    struct model *m = z->model;
    for (int i = 0; i < WEIGHTS_PLACES; i++)
        if (z->places[i].holds == bucket)
            z->places[i].holds = -1;
    if (!z->divided || z->shard || z->pieces[bucket].n == 0)
        return 0;
    void *to = device_at(m->device, m->weights, m->buckets[bucket].begin);
    const void *from = device_at(m->device, m->weights, z->pieces[bucket].begin);
    size_t bytes = z->pieces[bucket].n * m->device->element_bytes;
    z->arriving = true;
    if (z->comm->operations->all_gather(z->comm, to, from, bytes, COMM_BYTE, err) < 0)
        return -1;
    return comm_mark(z->comm, mark_of(bucket), err);
}

int zero_settle(const struct zero *z, struct err *err)
{
    return z->comm->operations->join(z->comm, err);
}

/* ---- birth and death ------------------------------------------------------------------------ */

static int take_kept(struct zero *z, struct err *err)
{
    struct device *d = z->model->device;
    z->kept_any = memory_alloc(z->n_pieces * sizeof *z->kept_any);
    if (d->operations->alloc(d, (void **)&z->kept, z->n_state * sizeof(float), err) < 0)
        return err_prefix(err, "gradients that are kept");
    pieces_make(z); /* now they have a place */
    return 0;
}

static int take_shard(struct zero *z, struct err *err)
{
    struct model *m = z->model;
    struct device *d = m->device;
    size_t largest = model_largest_bucket(m), room = model_passing_elements(m);
    if (d->operations->alloc(d, &z->shard, z->n_state * d->element_bytes, err) < 0 ||
        d->operations->alloc(d, &z->room, room * d->element_bytes, err) < 0)
        return err_prefix(err, "weights");
    z->places[PLACE_OF_EMBEDDING].at = z->room;
    z->places[PLACE_IN_TURN].at = device_at(d, z->room, room - 2 * largest);
    z->places[PLACE_IN_TURN_TOO].at = device_at(d, z->room, room - largest);
    return 0;
}

int zero_init(struct zero *z, int level, struct model *model, const struct groups *groups,
              struct err *err)
{
    *z = (struct zero){.level = level_of(level, groups->data),
                       .model = model,
                       .groups = groups,
                       .comm = groups->data,
                       .travelling = -1,
                       .turn = PLACE_IN_TURN};
    for (int i = 0; i < WEIGHTS_PLACES; i++)
        z->places[i].holds = -1;
    z->divided = z->level > 0;
    z->pieces = memory_alloc(model->n_buckets * sizeof *z->pieces);
    pieces_make(z);
    if ((z->level >= 2 && take_kept(z, err) < 0) || (z->level >= 3 && take_shard(z, err) < 0))
        return -1;
    if (z->comm->world > 1 || groups->tensor) {
        model->bucket_ready = bucket_ready;
        model->bucket_wanted = z->divided ? bucket_wanted : NULL;
        model->context = z;
    }
    return 0;
}

void zero_release(struct zero *z)
{
    struct device *d = z->model->device;
    d->operations->release(d, z->kept);
    d->operations->release(d, z->shard);
    d->operations->release(d, z->room);
    free(z->kept_any);
    free(z->pieces);
    *z = (struct zero){0};
}

size_t zero_gradient_bytes(const struct zero *z)
{
    return (z->model->n_gradients + (z->kept ? z->n_state : 0)) * sizeof(float);
}

size_t zero_weight_bytes(const struct zero *z)
{
    const struct model *m = z->model;
    size_t n = z->shard ? z->n_state + model_passing_elements(m) : m->n_weights;
    return n * m->device->element_bytes;
}
