#include "trainer/model/transfer.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

static struct device *device_of(const struct transfer *t)
{
    return t->optimizer->zero->model->device;
}

size_t transfer_part(size_t largest)
{
    size_t least = (sizeof(struct err) + sizeof(float) - 1) / sizeof(float);
    size_t part = largest > least ? largest : least;
    return part < TRANSFER_PART_MAX ? part : TRANSFER_PART_MAX;
}

int transfer_init(struct transfer *t, struct optimizer *optimizer, struct err *err)
{
    struct comm *comm = optimizer->zero->comm;
    *t = (struct transfer){.optimizer = optimizer, .comm = comm, .leads = comm->rank == 0};
    struct device *d = device_of(t);
    t->part = transfer_part(model_largest_tensor(optimizer->zero->model));
    if (d->operations->alloc(d, (void **)&t->room, t->part * sizeof *t->room, err) < 0)
        return err_prefix(err, "room for checkpoints");
    t->host = memory_alloc(t->part * sizeof *t->host);
    return 0;
}

void transfer_release(struct transfer *t)
{
    if (t->room)
        device_of(t)->operations->release(device_of(t), t->room);
    free(t->host);
    *t = (struct transfer){0};
}

/* ---- from the ranks ------------------------------------------------------------------------- */

/* The array as this rank keeps it, and whether that is the whole. */
static float *array_of(const struct transfer *t, enum transfer_array array, bool *whole)
{
    const struct optimizer *o = t->optimizer;
    float *const kept[] = {
        [TRANSFER_WEIGHTS] = o->master,
        [TRANSFER_M] = o->m,
        [TRANSFER_V] = o->v,
    };
    *whole = !kept[array] || !o->zero->divided; /* without masters, everybody has all weights */
    return kept[array] ? kept[array] : o->zero->model->weights;
}

/* Into room[n], which everybody then has: each rank's part from that rank. */
static int collect(struct transfer *t, const float *kept, size_t offset, size_t n, struct err *err)
{
    const struct zero *z = t->optimizer->zero;
    struct device *d = device_of(t);
    int bucket = zero_bucket_of(z, offset);
    for (int rank = 0; rank < t->comm->world; rank++) {
        struct piece piece = zero_piece(z, bucket, rank);
        struct span part = piece_span(&piece, offset, n);
        if (part.n == 0)
            continue;
        float *room = t->room + (part.begin - offset);
        if (rank == t->comm->rank)
            d->operations->copy(d, room, kept + piece.state + (part.begin - piece.begin),
                                part.n * sizeof *room);
        if (t->comm->operations->broadcast(t->comm, room, part.n, COMM_FP32, rank, err) < 0 ||
            t->comm->operations->join(t->comm, err) < 0)
            return -1;
    }
    return 0;
}

int transfer_fetch(struct transfer *t, enum transfer_array array, size_t offset, size_t n,
                   struct err *err)
{
    struct device *d = device_of(t);
    bool whole;
    const float *kept = array_of(t, array, &whole), *from = whole ? kept + offset : t->room;
    if (zero_settle(t->optimizer->zero, err) < 0)
        return -1;
    if (!whole && collect(t, kept, offset, n, err) < 0)
        return -1;
    return t->leads ? d->operations->download(d, t->host, from, n * sizeof *from, err) : 0;
}

/* ---- to the ranks --------------------------------------------------------------------------- */

static void keep_own(struct transfer *t, enum transfer_array array, size_t offset, size_t n)
{
    const struct zero *z = t->optimizer->zero;
    struct device *d = device_of(t);
    bool whole;
    float *kept = array_of(t, array, &whole);
    for (int i = 0; i < z->n_pieces; i++) {
        const struct piece *p = &z->pieces[i];
        struct span part = piece_span(p, offset, n);
        if (part.n > 0)
            d->operations->copy(d, kept + p->state + (part.begin - p->begin),
                                t->room + (part.begin - offset), part.n * sizeof *kept);
    }
}

int transfer_spread(struct transfer *t, enum transfer_array array, size_t offset, size_t n,
                    struct err *err)
{
    if (transfer_share(t, t->host, n * sizeof *t->host, err) < 0)
        return -1;
    if (array == TRANSFER_WEIGHTS)
        optimizer_set_weights(t->optimizer, offset, t->room, n);
    else
        keep_own(t, array, offset, n);
    return 0;
}

/* What is shared also stays in the room. */
static int share_from(struct transfer *t, int root, void *bytes, size_t n, struct err *err)
{
    struct device *d = device_of(t);
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
    struct device *d = device_of(t);
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
