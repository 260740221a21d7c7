#include "trainer/optimizer/transfer.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

static struct device *device_of_transfer(const struct transfer *t)
{
    return t->optimizer->zero->model->device;
}

size_t transfer_part(size_t largest)
{
    size_t least = (sizeof(struct err) + sizeof(float) - 1) / sizeof(float);
    size_t part = largest > least ? largest : least;
    return part < TRANSFER_PART_MAX ? part : TRANSFER_PART_MAX;
}

size_t transfer_bytes(size_t part, bool collects)
{
    return (collects ? 2 : 1) * part * sizeof(float);
}

bool transfer_collects(const struct transfer *t)
{
    return t->comm->world > 1 || t->optimizer->zero->model->adapter_bucket >= 0;
}

static int take_nothing(struct transfer *t, struct err *err)
{
    struct device *d = device_of_transfer(t);
    if (d->operations->alloc(d, (void **)&t->nothing, t->part * sizeof *t->nothing, err) < 0)
        return err_prefix(err, "room for checkpoints");
    for (size_t i = 0; i < t->part; i++)
        t->host[i] = -0.0f;
    d->operations->upload(d, t->nothing, t->host, t->part * sizeof *t->host);
    return 0;
}

int transfer_init(struct transfer *t, struct optimizer *optimizer, struct err *err)
{
    struct comm *comm = optimizer->zero->groups->world;
    *t = (struct transfer){.optimizer = optimizer, .comm = comm, .leads = comm->rank == 0};
    struct device *d = device_of_transfer(t);
    t->part = transfer_part(model_largest_tensor(optimizer->zero->model));
    if (d->operations->alloc(d, (void **)&t->room, t->part * sizeof *t->room, err) < 0)
        return err_prefix(err, "room for checkpoints");
    t->host = memory_alloc(t->part * sizeof *t->host);
    return transfer_collects(t) ? take_nothing(t, err) : 0;
}

void transfer_release(struct transfer *t)
{
    if (t->room) {
        struct device *d = device_of_transfer(t);
        d->operations->release(d, t->room);
        d->operations->release(d, t->nothing);
    }
    free(t->host);
    *t = (struct transfer){0};
}

/* ---- from the ranks ------------------------------------------------------------------------- */

/* An array as this rank keeps it: by the model's offsets, or piece after piece. */
struct kept {
    float *at;
    bool in_pieces;
};

static struct kept kept_of(const struct transfer *t, enum transfer_array array)
{
    const struct optimizer *o = t->optimizer;
    float *const arrays[] = {
        [TRANSFER_WEIGHTS] = o->master ? o->master : o->zero->shard,
        [TRANSFER_M] = o->m,
        [TRANSFER_V] = o->v,
    };
    bool in_pieces = o->zero->divided || o->zero->model->adapter_bucket >= 0;
    if (arrays[array]) /* else the weights are fp32, and everybody has all of them */
        return (struct kept){arrays[array], in_pieces};
    return (struct kept){o->zero->model->weights, false};
}

/* What this rank keeps of [offset, offset + n), to or from other[n]. */
static void copy_kept(struct transfer *t, const struct kept *kept, size_t offset, size_t n,
                      float *other, bool fetches)
{
    const struct zero *z = t->optimizer->zero;
    struct device *d = device_of_transfer(t);
    float *own = kept->at + offset;
    if (!kept->in_pieces)
        d->operations->copy(d, fetches ? other : own, fetches ? own : other, n * sizeof *own);
    for (int i = 0; kept->in_pieces && i < z->n_pieces; i++) {
        const struct zero_piece *p = &z->pieces[i];
        struct span part = piece_span(p, offset, n);
        if (part.n == 0)
            continue;
        float *there = other + (part.begin - offset);
        own = kept->at + p->state + (part.begin - p->begin);
        d->operations->copy(d, fetches ? there : own, fetches ? own : there, part.n * sizeof *own);
    }
}

/* Is what this rank has of a tensor what all ranks' copies of it are told from? */
static bool tells(const struct transfer *t, const struct kept *kept, const struct parameter *own)
{
    const struct zero *z = t->optimizer->zero;
    return own->leads && ((kept->in_pieces && z->divided) || z->comm->rank == 0);
}

/* Into room[n], which everybody then has: each rank's part from that rank. */
static int collect_tensor(struct transfer *t, const struct kept *kept,
                          const struct parameter *tensor, size_t begin, size_t n, struct err *err)
{
    struct device *d = device_of_transfer(t);
    const struct parameter *own = model_own(t->optimizer->zero->model, tensor);
    struct parameter_run run;
    size_t at = begin;
    d->operations->copy(d, t->room, t->nothing, n * sizeof *t->room);
    while (own && tells(t, kept, own) && parameter_next_run(own, &at, begin + n, &run))
        copy_kept(t, kept, run.offset, run.n, t->room + (run.in_tensor - begin), true);
    return comm_sum_now(t->comm, t->room, n, err);
}

int transfer_fetch(struct transfer *t, enum transfer_array array, const struct parameter *tensor,
                   size_t begin, size_t n, struct err *err)
{
    struct device *d = device_of_transfer(t);
    const struct zero *z = t->optimizer->zero;
    const struct kept kept = kept_of(t, array);
    const float *from = t->room;
    if (zero_settle(z, err) < 0)
        return -1;
    if (z->groups->world == z->comm && !kept.in_pieces)
        from = kept.at + model_own(z->model, tensor)->offset + begin;
    else if (collect_tensor(t, &kept, tensor, begin, n, err) < 0)
        return -1;
    return t->leads ? d->operations->download(d, t->host, from, n * sizeof *from, err) : 0;
}

/* ---- to the ranks --------------------------------------------------------------------------- */

int transfer_spread(struct transfer *t, enum transfer_array array, const struct parameter *tensor,
                    size_t begin, size_t n, struct err *err)
{
    const struct parameter *own = model_own(t->optimizer->zero->model, tensor);
    const struct kept kept = kept_of(t, array);
    struct parameter_run run;
    size_t at = begin;
    if (transfer_share(t, t->host, n * sizeof *t->host, err) < 0)
        return -1;
    while (own && parameter_next_run(own, &at, begin + n, &run)) {
        float *values = t->room + (run.in_tensor - begin);
        if (array == TRANSFER_WEIGHTS)
            optimizer_set_weights(t->optimizer, run.offset, values, run.n);
        else
            copy_kept(t, &kept, run.offset, run.n, values, false);
    }
    return 0;
}

/* What is shared also stays in the room. */
static int share_from(struct transfer *t, int root, void *bytes, size_t n, struct err *err)
{
    struct device *d = device_of_transfer(t);
    bool ours = t->comm->rank == root;
    if (ours)
        d->operations->upload(d, t->room, bytes, n);
    if (t->comm->operations->broadcast(t->comm, t->room, n, COMM_BYTE, root, err) < 0 ||
        t->comm->operations->join(t->comm, err) < 0)
        return -1;
    return ours ? 0 : d->operations->download(d, bytes, t->room, n, err);
}

int transfer_share(struct transfer *t, void *bytes, size_t n, struct err *err)
{
    return share_from(t, 0, bytes, n, err);
}

int transfer_agree(struct transfer *t, const struct err *failed, struct err *err)
{
    struct err first = *failed;
    if (transfer_share(t, &first, sizeof first, err) < 0)
        return -1;
    return first.kind == ERR_NONE ? 0 : err_set(err, first.kind, "%s", first.text);
}

/* How many ranks have something to tell is asked first: mostly none. */
int transfer_agree_all(struct transfer *t, const struct err *failed, struct err *err)
{
    struct device *d = device_of_transfer(t);
    double n = failed->kind != ERR_NONE;
    d->operations->upload(d, t->room, &n, sizeof n);
    if (t->comm->operations->all_reduce(t->comm, t->room, 1, COMM_FP64, err) < 0 ||
        t->comm->operations->join(t->comm, err) < 0 ||
        d->operations->download(d, &n, t->room, sizeof n, err) < 0)
        return -1;
    for (int rank = 0; n > 0 && rank < t->comm->world; rank++) {
        struct err first = *failed;
        if (share_from(t, rank, &first, sizeof first, err) < 0)
            return -1;
        if (first.kind != ERR_NONE)
            return err_set(err, first.kind, "%s", first.text);
    }
    return 0;
}
