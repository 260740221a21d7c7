#include "trainer/model/weights.h"

#include "base/arena.h"
#include "trainer/device/rng.h"

#include <stdlib.h>

#define PART ((size_t)1 << 24) /* elements that are made at a time: 64 MiB */

/* A vector's values: ones. */
static void fill_ones(struct device *d, float *values, size_t n)
{
    float *ones = memory_alloc(n * sizeof *ones);
    for (size_t i = 0; i < n; i++)
        ones[i] = 1;
    d->operations->upload(d, values, ones, n * sizeof *ones);
    free(ones);
}

static void initialise_tensor(struct optimizer *o, const struct parameter *p, float *values,
                              float std, struct rng *rng, const struct rng_leap *over_part)
{
    struct device *d = o->zero->model->device;
    size_t left = p->rows * p->width;
    for (size_t offset = p->offset; left > 0; offset += PART) {
        size_t n = left < PART ? left : PART;
        if (p->is_vector)
            fill_ones(d, values, n);
        else
            d->operations->draw(d, values, n, std, rng);
        optimizer_set_weights(o, offset, values, n);
        rng_leap(rng, over_part);
        left -= n;
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
    struct rng_leap over_part;
    float *values;
    if (d->operations->alloc(d, (void **)&values, weights_room(m->n_weights), err) < 0)
        return err_prefix(err, "initial weights");
    rng_leap_init(&over_part, PART * RNG_BELL_DRAWS);
    for (size_t i = 0; i < m->n_parameters; i++) {
        struct rng rng;
        rng_init(&rng, seed, RNG_WEIGHTS, i);
        initialise_tensor(o, &m->parameters[i], values, std, &rng, &over_part);
    }
    int rc = d->operations->synchronize(d, err);
    d->operations->release(d, values);
    return rc;
}

static int hash_tensor(const struct model *m, const struct parameter *p, void *room,
                       struct hash *hash, struct err *err)
{
    struct device *d = m->device;
    size_t left = p->rows * p->width;
    for (size_t offset = p->offset; left > 0; offset += PART) {
        size_t n = left < PART ? left : PART, bytes = n * d->element_bytes;
        if (d->operations->download(d, room, device_at(d, m->weights, offset), bytes, err) < 0)
            return -1;
        hash_add(hash, room, bytes);
        left -= n;
    }
    return 0;
}

int weights_sha256(const struct model *m, char hex[HASH_HEX_SIZE], struct err *err)
{
    struct hash hash;
    void *room = memory_alloc(PART * m->device->element_bytes);
    int rc = 0;
    hash_init(&hash);
    for (size_t i = 0; rc == 0 && i < m->n_parameters; i++)
        rc = hash_tensor(m, &m->parameters[i], room, &hash, err);
    if (rc == 0)
        hash_final(&hash, hex);
    else
        hash_release(&hash);
    free(room);
    return rc;
}
