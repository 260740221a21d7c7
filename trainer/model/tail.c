#include "trainer/model/tail.h"

#include "base/arena.h"
#include "trainer/model/model.h"

#include <stdlib.h>

/* Numbers of picked rows that batches of one length can have. */
#define TAIL_SIZES 64

static size_t row_bytes(const struct model *m)
{
    return (size_t)m->shape.hidden * m->device->element_bytes;
}

static int all_rows(const struct model *m)
{
    return m->shape.micro_batch * m->length;
}

void tail_pick(struct model *m, const int32_t *targets)
{
    struct tail *t = &m->tail;
    int rows = all_rows(m), step = 1 + rows / TAIL_SIZES, n = 0;
    int32_t *places = memory_alloc((size_t)(rows + step) * sizeof *places);
    for (int i = 0; i < rows; i++)
        if (targets[i] != TARGET_NONE)
            places[n++] = i;
    while (n == 0 || n % step != 0)
        places[n++] = -1;
    t->n = t->places && n < rows ? n : 0;
    if (t->n > 0)
        model_operations(m)->upload(m->device, t->places, places, (size_t)n * sizeof *places);
    free(places);
}

void tail_targets(const struct model *m, const int32_t *targets, int32_t *to)
{
    int n = 0;
    for (int i = 0; i < all_rows(m); i++)
        if (targets[i] != TARGET_NONE)
            to[n++] = targets[i];
    while (n < m->tail.n)
        to[n++] = TARGET_NONE;
}

bool tail_begins(const struct model *m, const struct block *b)
{
    return m->tail.n > 0 && b == &m->blocks[m->n_blocks - 1];
}

static void gather_rows(struct model *m, void *to, const void *from)
{
    const struct tail *t = &m->tail;
    model_operations(m)->embed_forward(m->device, to, t->places, from, t->n, m->shape.hidden);
}

const void *tail_gather(struct model *m, const void *stream)
{
    const struct tail *t = &m->tail;
    gather_rows(m, t->picked, m->branch);
    model_operations(m)->copy(m->device, m->branch, t->picked, (size_t)t->n * row_bytes(m));
    gather_rows(m, t->picked, stream);
    tail_enter(m);
    return t->picked;
}

void tail_enter(struct model *m)
{
    if (m->tail.n > 0)
        m->rows = m->own_rows = m->tail.n;
}

void tail_leave(struct model *m)
{
    if (m->tail.n > 0)
        m->rows = m->own_rows = all_rows(m);
}

void tail_spread(struct model *m)
{
    const struct device_operations *o = model_operations(m);
    const struct tail *t = &m->tail;
    o->copy(m->device, t->picked, m->d_stream, (size_t)t->n * row_bytes(m));
    o->zero(m->device, m->d_stream, (size_t)all_rows(m) * row_bytes(m));
    o->put_rows(m->device, m->d_stream, t->picked, t->places, t->n, m->shape.hidden);
    tail_leave(m);
}
