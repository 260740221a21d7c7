#include "trainer/model/zero.h"

#include "base/arena.h"

#include <stdlib.h>

bool zero_passes(int level, const struct comm *comm)
{
    return level == 2 && comm->world > 1;
}

/* ---- pieces --------------------------------------------------------------------------------- */

static struct piece piece_of(const struct zero *z, const struct bucket *b, size_t state)
{
    size_t n = z->divided ? b->n / (size_t)z->comm->world : b->n;
    size_t at = z->divided ? n * (size_t)z->comm->rank : 0;
    return (struct piece){.begin = b->begin + at,
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

struct span piece_span(const struct piece *p, size_t offset, size_t n)
{
    size_t begin = offset > p->begin ? offset : p->begin;
    size_t end = offset + n < p->begin + p->n ? offset + n : p->begin + p->n;
    return (struct span){begin, end > begin ? end - begin : 0};
}

int zero_bucket_of(const struct zero *z, size_t offset)
{
    int b = z->model->n_buckets - 1;
    while (b > 0 && z->model->buckets[b].begin > offset)
        b--;
    return b;
}

/* Ranks keep equal parts, and hence have them at the same place of their state. */
struct piece zero_piece(const struct zero *z, int bucket, int rank)
{
    struct piece p = z->pieces[bucket];
    if (rank == z->comm->rank)
        return p;
    if (z->divided)
        p.begin = z->model->buckets[bucket].begin + p.n * (size_t)rank;
    p.gradient = NULL;
    return p;
}

/* ---- what travels --------------------------------------------------------------------------- */

static void note(struct zero *z, int rc, const struct err *err)
{
    if (rc < 0 && !z->failed) {
        z->failed = true;
        z->failure = *err;
    }
}

static void join(struct zero *z)
{
    struct err err = ERR_INIT;
    if (!z->failed)
        note(z, z->comm->operations->join(z->comm, &err), &err);
}

static void all_reduce(struct zero *z, const struct bucket *b)
{
    struct err err = ERR_INIT;
    if (!z->failed)
        note(z, z->comm->operations->all_reduce(z->comm, b->gradient, b->n, COMM_FP32, &err), &err);
}

/* Into this rank's part of the bucket itself. */
static float *part_of(const struct zero *z, const struct bucket *b)
{
    return b->gradient + b->n / (size_t)z->comm->world * (size_t)z->comm->rank;
}

static void reduce_scatter(struct zero *z, const struct bucket *b)
{
    struct err err = ERR_INIT;
    size_t n = b->n / (size_t)z->comm->world;
    if (!z->failed)
        note(z,
             z->comm->operations->reduce_scatter(z->comm, part_of(z, b), b->gradient, n, COMM_FP32,
                                                 &err),
             &err);
}

/* Level 2: what has arrived is kept, and its place is free for another bucket. */
static void keep_arrived(struct zero *z)
{
    struct device *d = z->model->device;
    if (z->travelling < 0)
        return;
    join(z);
    const struct bucket *b = &z->model->buckets[z->travelling];
    const struct piece *p = &z->pieces[z->travelling];
    if (z->first)
        d->operations->copy(d, p->gradient, part_of(z, b), p->n * sizeof(float));
    else
        d->operations->add(d, p->gradient, part_of(z, b), p->n);
    z->travelling = -1;
}

/* The bucket before this one has arrived meanwhile, and its place is needed next. */
static void pass_on(struct zero *z, int bucket)
{
    keep_arrived(z);
    reduce_scatter(z, &z->model->buckets[bucket]);
    z->travelling = bucket;
}

static void bucket_ready(void *context, int bucket)
{
    struct zero *z = context;
    const struct bucket *b = &z->model->buckets[bucket];
    if (z->level == 2)
        pass_on(z, bucket);
    else if (z->last && z->level == 1)
        reduce_scatter(z, b);
    else if (z->last)
        all_reduce(z, b);
}

/* Marks are fewer than the buckets of a very deep model; one that two share is that of the later
 * one, which is later than need be, and right. */
static int mark_of(int bucket)
{
    return bucket % COMM_MARKS;
}

static void bucket_wanted(void *context, int bucket)
{
    struct zero *z = context;
    struct err err = ERR_INIT;
    if (!z->arriving || z->failed)
        return;
    note(z, comm_join_mark(z->comm, mark_of(bucket), &err), &err);
    z->arriving = bucket < z->n_pieces - 1;
}

/* ---- the step ------------------------------------------------------------------------------- */

void zero_before(struct zero *z, bool first, bool last)
{
    keep_arrived(z); /* of the micro-batch before, hence before `first` changes */
    z->first = first;
    z->last = last;
    if (z->level == 2)
        z->model->fresh = true;
}

int zero_after(struct zero *z, struct err *err)
{
    keep_arrived(z);
    join(z);
    return z->failed ? err_set(err, z->failure.kind, "%s", z->failure.text) : 0;
}

int zero_gather(struct zero *z, int bucket, struct err *err)
{
    struct model *m = z->model;
    if (!z->divided)
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

int zero_init(struct zero *z, int level, struct model *model, struct comm *comm, struct err *err)
{
    struct device *d = model->device;
    *z = (struct zero){.level = level, .model = model, .comm = comm, .travelling = -1};
    if (comm->world == 1)
        z->level = 0;
    z->divided = z->level > 0;
    z->pieces = memory_alloc(model->n_buckets * sizeof *z->pieces);
    pieces_make(z);
    if (z->level == 2) {
        if (d->operations->alloc(d, (void **)&z->kept, zero_kept_bytes(z), err) < 0)
            return err_prefix(err, "gradients that are kept");
        pieces_make(z); /* now they have a place */
    }
    if (comm->world > 1) {
        model->bucket_ready = bucket_ready;
        model->bucket_wanted = z->divided ? bucket_wanted : NULL;
        model->context = z;
    }
    return 0;
}

void zero_release(struct zero *z)
{
    if (z->kept)
        z->model->device->operations->release(z->model->device, z->kept);
    free(z->pieces);
    *z = (struct zero){0};
}

size_t zero_kept_bytes(const struct zero *z)
{
    return z->level == 2 ? z->n_state * sizeof(float) : 0;
}
