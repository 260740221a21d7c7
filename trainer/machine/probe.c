#include "trainer/machine/probe.h"

#include "base/reals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LAUNCHES_MAX 256
#define SEED 1

/* Sorts them. */
static double median(double *x, size_t n)
{
    qsort(x, n, sizeof *x, reals_by_size);
    return n % 2 ? x[n / 2] : (x[n / 2 - 1] + x[n / 2]) / 2;
}

/* ---- of all ranks --------------------------------------------------------------------------- */

/* all[world][PROBE_REPETITIONS] on every rank, from what each one has. */
static int gather_times(struct probing *p, const double *mine, double *all)
{
    struct device *d = p->machine->device;
    struct comm *c = p->machine->comm;
    size_t bytes = PROBE_REPETITIONS * sizeof *mine;
    void *one = NULL, *every = NULL;
    int rc = d->operations->alloc(d, &one, bytes, p->err);
    if (rc == 0)
        rc = d->operations->alloc(d, &every, bytes * (size_t)c->world, p->err);
    if (rc == 0) {
        d->operations->upload(d, one, mine, bytes);
        rc = c->operations->all_gather(c, every, one, PROBE_REPETITIONS, COMM_FP64, p->err);
    }
    if (rc == 0)
        rc = c->operations->join(c, p->err);
    if (rc == 0)
        rc = d->operations->download(d, all, every, bytes * (size_t)c->world, p->err);
    d->operations->release(d, every);
    d->operations->release(d, one);
    return rc;
}

int probing_report(struct probing *p, enum measure_id id, size_t size, const double *rates)
{
    size_t world = (size_t)p->machine->comm->world, n = world * PROBE_REPETITIONS;
    const struct measure_kind *kind = &measure_kinds[id];
    double *all = arena_array(p->arena, n, sizeof *all);
    struct measure x = {.key = kind->key,
                        .unit = kind->unit,
                        .size = (double)size,
                        .repetitions = PROBE_REPETITIONS,
                        .slowest = NAN};
    if (gather_times(p, rates, all) < 0)
        return -1;
    for (size_t r = 0; r < world && world > 1; r++) {
        double its = median(all + r * PROBE_REPETITIONS, PROBE_REPETITIONS);
        if (!(its >= x.slowest)) {
            x.slowest = its;
            x.slowest_rank = (int)r;
        }
    }
    x.median = median(all, n);
    x.min = all[0];
    x.max = all[n - 1];
    *(struct measure *)ARENA_PUSH(p->arena, p->out->items, p->out->n) = x;
    return 0;
}

/* ---- work that is done again and again ------------------------------------------------------ */

struct work {
    struct device *device;
    void (*queue)(struct work *); /* once */
    double amount;                /* of operations or bytes, of one; in units of the figure */
    void *to, *from, *other;
    size_t n;
    struct err *err;
    bool failed;
};

static int timed(struct work *w, int launches, double *seconds)
{
    w->device->operations->timer_start(w->device);
    for (int i = 0; i < launches; i++)
        w->queue(w);
    if (w->device->operations->timer_stop(w->device, seconds, w->err) < 0 || w->failed)
        return -1;
    *seconds = *seconds > 1e-9 ? *seconds : 1e-9; /* of a clock that is too coarse */
    return 0;
}

static int repeat(struct work *w, double repetition, double *rates)
{
    double seconds;
    if (timed(w, 1, &seconds) < 0 || timed(w, 1, &seconds) < 0) /* the first chooses, loads … */
        return -1;
    double launches = fmin(fmax(ceil(repetition / seconds), 1), LAUNCHES_MAX);
    for (int i = 0; i < PROBE_REPETITIONS; i++) {
        if (timed(w, (int)launches, &seconds) < 0)
            return -1;
        rates[i] = w->amount * launches / seconds;
    }
    return 0;
}

/* Measure and report; the work's buffers are let go. */
static int measure_work(struct probing *p, struct work *w, enum measure_id id, size_t size)
{
    double rates[PROBE_REPETITIONS];
    return repeat(w, p->scale.repetition, rates) < 0 ? -1 : probing_report(p, id, size, rates);
}

/* ---- matrix products ------------------------------------------------------------------------ */

static void queue_product(struct work *w)
{
    const struct matrix_product product = {.m = (int)w->n,
                                           .n = (int)w->n,
                                           .k = (int)w->n,
                                           .alpha = 1,
                                           .a = w->from,
                                           .b = w->other,
                                           .c = w->to};
    w->device->operations->multiply(w->device, &product);
}

/* Random numbers in the device's format, by way of fp32. */
static int draw_matrix(struct work *w, void **out, float *room, uint64_t which)
{
    struct device *d = w->device;
    struct rng start;
    if (d->operations->alloc(d, out, w->n * w->n * d->element_bytes, w->err) < 0)
        return -1;
    rng_init(&start, SEED, RNG_WEIGHTS, which);
    d->operations->draw(d, room, w->n * w->n, 1, &start);
    d->operations->narrow(d, *out, room, w->n * w->n);
    return 0;
}

static int draw_operands(struct work *w)
{
    struct device *d = w->device;
    void *room = NULL;
    int rc = d->operations->alloc(d, &room, w->n * w->n * sizeof(float), w->err);
    if (rc == 0)
        rc = draw_matrix(w, &w->from, room, 0);
    if (rc == 0)
        rc = draw_matrix(w, &w->other, room, 1);
    if (rc == 0)
        rc = d->operations->synchronize(d, w->err);
    d->operations->release(d, room);
    if (rc == 0)
        rc = d->operations->alloc(d, &w->to, w->n * w->n * d->element_bytes, w->err);
    return rc;
}

static void release_work(struct work *w)
{
    w->device->operations->release(w->device, w->to);
    w->device->operations->release(w->device, w->from);
    w->device->operations->release(w->device, w->other);
}

/* On a device of its own, since a device computes in one precision. */
static int probe_product(struct probing *p, enum measure_id id, const struct precision *precision)
{
    double n = p->scale.product;
    struct work w = {.queue = queue_product,
                     .n = (size_t)p->scale.product,
                     .amount = 2 * n * n * n * 1e-12,
                     .err = p->err};
    if (p->machine->kind->another(p->machine, precision, &w.device, p->err) < 0)
        return -1;
    int rc = draw_operands(&w);
    if (rc == 0)
        rc = measure_work(p, &w, id, w.n);
    release_work(&w);
    device_close(w.device);
    return rc;
}

static int probe_products(struct probing *p)
{
    static const struct {
        enum measure_id id;
        const char *precision;
    } rows[] = {
        {MEASURE_GEMM_BF16, "bf16"},
        {MEASURE_GEMM_FP16, "fp16"},
        {MEASURE_GEMM_TF32, "tf32"},
        {MEASURE_GEMM_FP32, "fp32"},
    };
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < sizeof rows / sizeof *rows; i++) {
        const struct precision *precision = precision_find(rows[i].precision);
        if (p->machine->kind->computes(precision))
            rc = probe_product(p, rows[i].id, precision);
    }
    return rc;
}

/* ---- memory --------------------------------------------------------------------------------- */

static void queue_copy(struct work *w)
{
    w->device->operations->copy(w->device, w->to, w->from, w->n);
}

static void queue_update(struct work *w)
{
    w->device->operations->add(w->device, w->to, w->from, w->n / sizeof(float));
}

static void queue_upload(struct work *w)
{
    w->device->operations->upload(w->device, w->to, w->other, w->n);
}

static void queue_download(struct work *w)
{
    if (!w->failed &&
        w->device->operations->download(w->device, w->other, w->from, w->n, w->err) < 0)
        w->failed = true;
}

static int probe_device_memory(struct probing *p)
{
    struct device *d = p->machine->device;
    size_t n = p->scale.memory;
    struct work w = {
        .device = d, .queue = queue_copy, .n = n, .amount = 2e-9 * (double)n, .err = p->err};
    int rc = d->operations->alloc(d, &w.to, n, p->err);
    if (rc == 0)
        rc = d->operations->alloc(d, &w.from, n, p->err);
    if (rc == 0)
        rc = measure_work(p, &w, MEASURE_MEMORY_COPY, n);
    w.queue = queue_update;
    w.amount = 3e-9 * (double)n;
    if (rc == 0)
        rc = measure_work(p, &w, MEASURE_MEMORY_UPDATE, n);
    release_work(&w);
    return rc;
}

static int probe_host_memory(struct probing *p)
{
    struct device *d = p->machine->device;
    size_t n = p->scale.host;
    struct work w = {
        .device = d, .queue = queue_upload, .n = n, .amount = 1e-9 * (double)n, .err = p->err};
    if (!d->operations->host_alloc)
        return 0;
    int rc = d->operations->host_alloc(d, &w.other, n, p->err);
    if (rc == 0)
        memset(w.other, 1, n); /* pages that were never touched are not there */
    if (rc == 0)
        rc = d->operations->alloc(d, &w.to, n, p->err);
    if (rc == 0)
        rc = measure_work(p, &w, MEASURE_HOST_TO_DEVICE, n);
    w.queue = queue_download;
    w.from = w.to;
    if (rc == 0)
        rc = measure_work(p, &w, MEASURE_DEVICE_TO_HOST, n);
    d->operations->release(d, w.to);
    d->operations->host_release(d, w.other);
    return rc;
}

/* ---- all ------------------------------------------------------------------------------------ */

int probe_machine(struct machine *m, const struct probe_scale *scale, struct arena *arena,
                  struct measured *out, struct err *err)
{
    static int (*const probes[])(struct probing *) = {probe_products, probe_device_memory,
                                                      probe_host_memory, probing_all_reduce};
    struct probing p = {.machine = m,
                        .scale = scale ? *scale : *m->kind->scale,
                        .arena = arena,
                        .out = out,
                        .err = err};
    *out =
        (struct measured){.device = arena_strdup(arena, m->device->name), .ranks = m->comm->world};
    if (machine_libraries(m->kind, arena, &out->with, err) < 0)
        return -1;
    for (size_t i = 0; i < sizeof probes / sizeof *probes; i++)
        if (probes[i](&p) < 0)
            return err_prefix(err, "while the machine was measured");
    return 0;
}
