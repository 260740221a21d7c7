/*
 * Gradients of a small Llama in fp32 on all ranks together, beside those on the processor and on
 * one GPU: the same weights, the same 16 sequences in two micro-batches, every level of ZeRO.
 *
 * Each rank is a process on its own GPU, started as ranks.h says; without such variables it is one
 * rank. What is compared is what the optimizer would be given: behind zero_after, the pieces that
 * the ranks keep, put together again; for every tensor |a - b| / |b| in the Euclidean norm, and
 * the loss. Rank 0 speaks, in TAP.
 */
#include "tests/gpu/place.h"
#include "tests/gpu/tap.h"
#include "tests/trainer_ground.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LENGTH 128
#define SEQUENCES 16
#define MICRO_BATCHES 2
#define LIMIT 1e-5

static const struct model_shape shape = {
    .vocabulary = 1000,
    .layers = 3,
    .heads = 8,
    .kv_heads = 4,
    .hidden = 256,
    .ffn = 688,
    .sequence_length = LENGTH,
    .rope_theta = 10000,
    .norm_eps = 1e-5f,
};

static int32_t inputs[SEQUENCES * LENGTH], targets[SEQUENCES * LENGTH];

/* Tensor after tensor, without what pads the buckets. */
struct outcome {
    double loss;
    float *gradients;
};

static void stop(int rank, const struct err *err)
{
    printf("Bail out! rank %d: %s\n", rank, err->text);
    fflush(stdout);
    _exit(1); /* without the other ranks */
}

static void tokens_draw(void)
{
    struct rng rng;
    rng_init(&rng, 3, RNG_ORDER, 0);
    for (int i = 0; i < SEQUENCES * LENGTH; i++) {
        inputs[i] = (int32_t)rng_below(&rng, (uint64_t)shape.vocabulary);
        targets[i] = (int32_t)rng_below(&rng, (uint64_t)shape.vocabulary);
    }
}

/* ---- one pass ------------------------------------------------------------------------------- */

/* What a pass stands on; with one rank, ground of its own. */
struct stand {
    struct device *device;
    struct comm *comm;
    struct model *model;
    struct groups groups;
    struct zero zero;
    struct optimizer optimizer;
};

static int stand_open(struct stand *s, int level, struct err *err)
{
    struct model_shape own = shape;
    const struct model_passing passing = zero_passing(level, s->comm);
    s->groups = groups_of_data(s->comm);
    own.ranks = s->comm->world;
    own.micro_batch = SEQUENCES / MICRO_BATCHES / s->comm->world;
    if (model_new_passing(&s->model, &own, &passing, s->device, err) < 0 ||
        zero_init(&s->zero, level, s->model, &s->groups, err) < 0 ||
        optimizer_init(&s->optimizer, &s->zero, &(struct adamw){0}, err) < 0)
        return -1;
    return weights_initialise(&s->optimizer, 0.05f, 7, err);
}

static void stand_close(struct stand *s)
{
    optimizer_release(&s->optimizer);
    zero_release(&s->zero);
    model_free(s->model);
}

static int gradients_make(struct stand *s, struct err *err)
{
    size_t rows = (size_t)s->model->rows;
    model_zero_gradients(s->model);
    for (int micro = 0; micro < MICRO_BATCHES; micro++) {
        size_t at = ((size_t)micro * s->comm->world + s->comm->rank) * rows;
        model_forward(s->model, inputs + at);
        model_loss(s->model, targets + at, 1.0f / (SEQUENCES * LENGTH));
        zero_before(&s->zero, micro == MICRO_BATCHES - 1);
        model_backward(s->model);
    }
    return zero_after(&s->zero, err);
}

/* A bucket's gradients from the pieces of all ranks, on the host of each. */
static int bucket_fetch(struct stand *s, int b, float *host, struct err *err)
{
    const struct device_operations *o = s->device->operations;
    const struct zero_piece *p = &s->zero.pieces[b];
    size_t n = s->model->buckets[b].n;
    void *whole;
    if (!s->zero.divided)
        return o->download(s->device, host, p->gradient, n * sizeof *host, err);
    if (o->alloc(s->device, &whole, n * sizeof *host, err) < 0)
        return -1;
    int rc = s->comm->operations->all_gather(s->comm, whole, p->gradient, p->n, COMM_FP32, err);
    if (rc == 0)
        rc = s->comm->operations->join(s->comm, err);
    if (rc == 0)
        rc = o->download(s->device, host, whole, n * sizeof *host, err);
    o->release(s->device, whole);
    return rc;
}

static int gradients_fetch(struct stand *s, float *to, struct err *err)
{
    const struct model *m = s->model;
    float *padded = malloc(m->n_weights * sizeof *padded);
    int rc = padded ? 0 : err_set(err, ERR_IO, "no memory");
    for (int b = 0; rc == 0 && b < m->n_buckets; b++)
        rc = bucket_fetch(s, b, padded + m->buckets[b].begin, err);
    for (size_t i = 0; rc == 0 && i < m->n_parameters; i++) {
        size_t n = m->parameters[i].rows * m->parameters[i].width;
        memcpy(to, padded + m->parameters[i].offset, n * sizeof *to);
        to += n;
    }
    free(padded);
    return rc;
}

static int loss_fetch(struct stand *s, double *loss, struct err *err)
{
    struct comm *c = s->comm;
    if (c->operations->all_reduce(c, s->model->loss_sum, 1, COMM_FP64, err) < 0 ||
        c->operations->join(c, err) < 0 ||
        s->device->operations->download(s->device, loss, s->model->loss_sum, sizeof *loss, err) < 0)
        return -1;
    *loss /= SEQUENCES * LENGTH;
    return 0;
}

static void pass(struct device *device, struct comm *comm, int level, struct outcome *out)
{
    struct err err = ERR_INIT;
    struct stand s = {.device = device, .comm = comm};
    if (stand_open(&s, level, &err) < 0)
        stop(comm->rank, &err);
    out->gradients = malloc(model_elements(s.model) * sizeof(float));
    if (!out->gradients || gradients_make(&s, &err) < 0 || loss_fetch(&s, &out->loss, &err) < 0 ||
        gradients_fetch(&s, out->gradients, &err) < 0)
        stop(comm->rank, &err);
    stand_close(&s);
}

static void pass_alone(struct device *device, struct outcome *out)
{
    struct err err = ERR_INIT;
    struct comm *comm;
    if (comm_self_open(&comm, device, &err) < 0)
        stop(0, &err);
    pass(device, comm, 0, out);
    comm_close(comm);
}

/* ---- judgement ------------------------------------------------------------------------------ */

struct verdicts {
    const struct model *model; /* its table of tensors */
    struct tap tap;
};

static double apart(const float *a, const float *b, size_t n)
{
    double difference = 0, size = 0;
    for (size_t i = 0; i < n; i++) {
        difference += ((double)a[i] - b[i]) * ((double)a[i] - b[i]);
        size += (double)b[i] * b[i];
    }
    return sqrt(difference / size);
}

static void compare(struct verdicts *v, const char *what, const struct outcome *a,
                    const struct outcome *b)
{
    double worst = -1, loss = fabs(a->loss / b->loss - 1);
    const char *where = "none";
    size_t at = 0;
    for (size_t i = 0; i < v->model->n_parameters; i++) {
        const struct parameter *p = &v->model->parameters[i];
        double d = apart(a->gradients + at, b->gradients + at, p->rows * p->width);
        at += p->rows * p->width;
        if (!(d <= worst)) {
            worst = d;
            where = p->name;
        }
    }
    bool ok = worst <= LIMIT && loss <= LIMIT;
    tap_tell(&v->tap, ok, "gradients, fp32, %s: largest %.2e (%s), loss %.2e, at most %.0e", what,
             worst, where, loss, LIMIT);
}

/* ---- the whole ------------------------------------------------------------------------------ */

static void levels(struct place *p, struct verdicts *v, const struct outcome *cpu,
                   const struct outcome *one)
{
    for (int level = 0; level <= (p->ranks.world > 1 ? 2 : 0); level++) {
        struct outcome all;
        char what[100];
        pass(p->device, p->comm, level, &all);
        if (p->ranks.rank == 0) {
            snprintf(what, sizeof what, "%d ranks, ZeRO-%d, against the processor", p->ranks.world,
                     level);
            compare(v, what, &all, cpu);
            snprintf(what, sizeof what, "%d ranks, ZeRO-%d, against one GPU", p->ranks.world,
                     level);
            compare(v, what, &all, one);
        }
        free(all.gradients);
    }
}

int main(void)
{
    const struct device_cuda_options options = {.number = NUMBER_FP32, .fixed = true};
    struct place p;
    struct outcome cpu = {0}, one = {0};
    struct model_shape small = shape;
    struct err err = ERR_INIT;
    struct verdicts v = {0};
    struct ground g;
    small.micro_batch = 1;
    tokens_draw();
    if (place_open(&p, &options, &err) < 0 || ground_open(&g, &small, &(struct adamw){0}, &err) < 0)
        stop(p.ranks.rank, &err);
    if (p.ranks.rank == 0) {
        v.model = g.model;
        pass_alone(g.device, &cpu);
        pass_alone(p.device, &one);
        compare(&v, "one GPU against the processor", &one, &cpu);
    }
    if (place_meet(&p, &err) < 0)
        stop(p.ranks.rank, &err);
    levels(&p, &v, &cpu, &one);
    place_close(&p, NULL);
    ground_close(&g);
    free(cpu.gradients);
    free(one.gradients);
    return tap_end(&v.tap);
}
