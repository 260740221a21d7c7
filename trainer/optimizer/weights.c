#include "trainer/optimizer/weights.h"

#include "base/arena.h"
#include "trainer/device/rng.h"

#include <math.h>
#include <stdlib.h>

#define PART ((size_t)1 << 24) /* elements that are made at a time: 64 MiB */

/* peft's beginning: A uniform within 1 / sqrt(width), B zeros; and torch's of a linear layer:
 * weight and bias uniform within 1 / sqrt(inputs). */
static void fill_uniform(struct device *d, const struct parameter *p, float *values, size_t n,
                         struct rng *rng)
{
    float *drawn = memory_alloc(n * sizeof *drawn);
    size_t inputs = p->role == ROLE_PROJECTOR ? p->inputs : p->whole_width;
    double bound = 1 / sqrt((double)inputs);
    for (size_t i = 0; p->role != ROLE_ADAPTER_B && i < n; i++)
        drawn[i] = (float)(bound * ((double)(rng_next(rng) >> 11) * 0x1p-52 - 1));
    d->operations->upload(d, values, drawn, n * sizeof *drawn);
    free(drawn);
}

/* Where a tensor's sequence goes on; a leap over as much as the one before is not made anew. */
struct drawing {
    struct rng rng;
    struct rng_leap leap;
    size_t leaps; /* draws that it goes over */
};

static void skip(struct drawing *g, size_t draws)
{
    if (draws == 0)
        return;
    if (draws != g->leaps)
        rng_leap_init(&g->leap, draws);
    g->leaps = draws;
    rng_leap(&g->rng, &g->leap);
}

/* From this rank's first element to its last, room by room. Columns are cut out of whole rows: a
 * row of a few thousand elements takes longer to find in the sequence than to draw. */
static void initialise_tensor(struct optimizer *o, const struct parameter *p, float *values,
                              float std, uint64_t seed, struct drawing *g)
{
    struct model *m = o->zero->model;
    struct device *d = m->device;
    size_t room = weights_room(m->n_weights) / sizeof(float);
    size_t at = p->first_row * p->whole_width + p->first_column;
    size_t end = at + (p->rows - 1) * p->whole_width + p->width;
    size_t draws = p->role == ROLE_MODEL ? RNG_BELL_DRAWS : 1;
    rng_init(&g->rng, seed, RNG_WEIGHTS, p->index);
    skip(g, at * draws);
    for (size_t n; at < end; at += n) {
        n = end - at < room ? end - at : room;
        if (p->role != ROLE_MODEL)
            fill_uniform(d, p, values, n, &g->rng);
        else if (p->is_vector) {
            /* A vector's values: ones. */
            float *ones = memory_alloc(n * sizeof *ones);
            for (size_t i = 0; i < n; i++)
                ones[i] = 1;
            d->operations->upload(d, values, ones, n * sizeof *ones);
            free(ones);
        } else
            d->operations->draw(d, values, n, std, &g->rng);
        /* Of what this rank has, [at, at + n) of the tensor lies in values. */
        struct parameter_run run;
        size_t next = at;
        while (parameter_next_run(p, &next, at + n, &run))
            optimizer_set_weights(o, run.offset, values + (run.in_tensor - at), run.n);
        if (p->role == ROLE_MODEL && at + n < end)
            skip(g, n * draws); /* other numbers were drawn from g itself */
    }
}

size_t weights_room(size_t n_weights)
{
    return (n_weights < PART ? n_weights : PART) * sizeof(float);
}

int weights_initialise(struct optimizer *o, float std, uint64_t seed, struct err *err)
{
    const struct model *m = o->zero->model;
    struct device *d = m->device;
    struct drawing drawing = {.leaps = 0};
    float *values;
    if (d->operations->alloc(d, (void **)&values, weights_room(m->n_weights), err) < 0)
        return err_prefix(err, "initial weights");
    for (size_t i = 0; i < m->n_parameters; i++)
        initialise_tensor(o, &m->parameters[i], values, std, seed, &drawing);
    int rc = d->operations->synchronize(d, err);
    d->operations->release(d, values);
    return rc;
}

/* ---- the hash ------------------------------------------------------------------------------- */

bool weights_are_whole(const struct zero *z)
{
    return z->groups->world == z->comm && !z->shard;
}

size_t weights_hash_room(size_t part, const struct device *d)
{
    return d->number == NUMBER_FP32 ? 0 : part * d->element_bytes;
}

static int hash_whole(const struct model *m, const struct parameter *p, void *host,
                      struct hash *hash, struct err *err)
{
    struct device *d = m->device;
    size_t left = p->rows * p->width;
    for (size_t offset = p->offset; left > 0; offset += PART) {
        size_t n = left < PART ? left : PART, bytes = n * d->element_bytes;
        if (d->operations->download(d, host, device_at(d, m->weights, offset), bytes, err) < 0)
            return -1;
        hash_add(hash, host, bytes);
        left -= n;
    }
    return 0;
}

/* Frozen weights are kept in the device's format alone. Into t->host, from whom has them; the rest
 * is -0, which changes no sum. */
static int fetch_frozen(struct transfer *t, const struct parameter *p, size_t begin, size_t n,
                        void *room, struct err *err)
{
    const struct zero *z = t->optimizer->zero;
    struct device *d = z->model->device;
    const struct parameter *own = model_own(z->model, p);
    struct parameter_run run;
    size_t at = begin;
    d->operations->narrow(d, room, t->nothing, n);
    while (own && own->leads && z->comm->rank == 0 && parameter_next_run(own, &at, begin + n, &run))
        d->operations->copy(d, device_at(d, room, run.in_tensor - begin),
                            device_at(d, z->model->weights, run.offset), run.n * d->element_bytes);
    if (t->comm->operations->all_reduce(t->comm, room, n, comm_element_of(d), err) < 0 ||
        t->comm->operations->join(t->comm, err) < 0)
        return -1;
    return d->operations->download(d, t->host, room, n * d->element_bytes, err);
}

/* `narrow` is device memory for a part in the device's format; NULL where that is fp32. */
static int hash_fetched(struct transfer *t, const struct parameter *p, void *narrow,
                        struct hash *hash, struct err *err)
{
    const struct model *m = t->optimizer->zero->model;
    struct device *d = m->device;
    bool frozen = narrow && m->adapter_bucket >= 0 && !p->beside;
    size_t size = p->rows * p->width, n;
    for (size_t done = 0; done < size; done += n) {
        n = size - done < t->part ? size - done : t->part;
        if (frozen ? fetch_frozen(t, p, done, n, narrow, err) < 0
                   : transfer_fetch(t, TRANSFER_WEIGHTS, p, done, n, err) < 0)
            return -1;
        if (narrow && !frozen)
            d->operations->narrow(d, narrow, t->room, n);
        if (narrow && !frozen &&
            d->operations->download(d, t->host, narrow, n * d->element_bytes, err) < 0)
            return -1;
        hash_add(hash, t->host, n * d->element_bytes);
    }
    return 0;
}

/* Device memory for a transfer, the host's otherwise. */
static int take_room(struct device *d, const struct transfer *transfer, void **room,
                     struct err *err)
{
    size_t bytes = transfer ? weights_hash_room(transfer->part, d) : PART * d->element_bytes;
    *room = NULL;
    if (transfer)
        return bytes > 0 ? d->operations->alloc(d, room, bytes, err) : 0;
    *room = memory_alloc(bytes);
    return 0;
}

int weights_sha256(struct optimizer *o, struct transfer *transfer, char hex[HASH_HEX_SIZE],
                   struct err *err)
{
    struct device *d = o->zero->model->device;
    struct hash hash;
    void *room;
    if (take_room(d, transfer, &room, err) < 0)
        return -1;
    hash_init(&hash);
    const struct model *m = o->zero->model;
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < m->n_tensors; i++)
        rc = transfer ? hash_fetched(transfer, &m->tensors[i], room, &hash, err)
                      : hash_whole(m, model_own(m, &m->tensors[i]), room, &hash, err);
    hash_final(&hash, hex);
    if (transfer)
        d->operations->release(d, room);
    else
        free(room);
    return rc < 0 || !transfer ? rc : transfer_share(transfer, hex, HASH_HEX_SIZE, err);
}
