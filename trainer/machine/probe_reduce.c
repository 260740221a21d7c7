/* The sum of a buffer over all ranks: whether it is right, and how fast. */
#include "trainer/machine/probe.h"

#include "base/arena.h"

#include <math.h>
#include <stdlib.h>

#define PATTERN 65521 /* a prime, so that parts of the buffer that change places are found */
#define LAST 1024     /* elements of the end of a sum that are looked at one by one */

struct reducing {
    struct probing *p;
    struct device *device;
    struct comm *comm;
    void *data, *pattern, *totals; /* totals: two doubles */
    size_t bytes;
};

/* Element i of rank r: a small whole number, so that every sum of them is exact in any order. */
static float element(size_t i, int rank)
{
    return (float)((i % PATTERN % 251 + 1) * ((size_t)rank % 13 + 1));
}

static int reduce(struct reducing *r, size_t bytes)
{
    return r->comm->operations->all_reduce(r->comm, r->data, bytes / sizeof(float), COMM_FP32,
                                           r->p->err);
}

/* What a number of the pattern adds up to over the ranks, as a multiple of rank 0's. */
static double ranks_together(const struct reducing *r)
{
    double sum = 0;
    for (int i = 0; i < r->comm->world; i++)
        sum += (double)element(0, i);
    return sum;
}

/* The last elements one by one, and sum and sum of squares of all of them: nothing is lost, nothing
 * comes twice, and nothing is rounded. */
static int check_last(struct reducing *r, size_t n)
{
    size_t last = n < LAST ? n : LAST;
    float *host = memory_alloc(last * sizeof *host);
    double factor = ranks_together(r);
    struct err *err = r->p->err;
    int rc = r->device->operations->download(r->device, host, (float *)r->data + (n - last),
                                             last * sizeof *host, err);
    for (size_t i = 0; rc == 0 && i < last; i++) {
        double expected = factor * (double)element(n - last + i, 0);
        if ((double)host[i] != expected)
            rc = err_set(err, ERR_IO,
                         "all-reduce of %zu floats over %d ranks: found %.9g in place %zu, "
                         "expected %.9g",
                         n, r->comm->world, (double)host[i], n - last + i, expected);
    }
    free(host);
    return rc;
}

static int check_sums(struct reducing *r, size_t n)
{
    double found[2], expected[2] = {0}, factor = ranks_together(r), one[2] = {0};
    struct device *d = r->device;
    for (size_t i = 0; i < PATTERN; i++) {
        double x = factor * (double)element(i, 0);
        one[0] += x;
        one[1] += x * x;
        expected[0] += i < n % PATTERN ? x : 0;
        expected[1] += i < n % PATTERN ? x * x : 0;
    }
    d->operations->zero(d, r->totals, sizeof found);
    d->operations->add_sum(d, r->totals, r->data, n);
    d->operations->add_sum_of_squares(d, (double *)r->totals + 1, r->data, n);
    if (d->operations->download(d, found, r->totals, sizeof found, r->p->err) < 0)
        return -1;
    for (int i = 0; i < 2; i++) {
        expected[i] += one[i] * (double)(n / PATTERN);
        if (fabs(found[i] - expected[i]) > 1e-11 * expected[i]) /* squares may be beyond 2^53 */
            return err_set(r->p->err, ERR_IO,
                           "all-reduce of %zu floats over %d ranks: found %.17g as the sum%s, "
                           "expected %.17g",
                           n, r->comm->world, found[i], i ? " of squares" : "", expected[i]);
    }
    return 0;
}

static void restore(struct reducing *r, size_t bytes)
{
    r->device->operations->copy(r->device, r->data, r->pattern, bytes);
}

/* The first one warms up, and is looked at. */
static int check_reduce(struct reducing *r, size_t bytes)
{
    restore(r, bytes);
    if (reduce(r, bytes) < 0 || r->comm->operations->join(r->comm, r->p->err) < 0 ||
        check_last(r, bytes / sizeof(float)) < 0)
        return -1;
    return check_sums(r, bytes / sizeof(float));
}

/* Seconds of one. Every rank must take as many, so that their number depends on the size only. */
static int time_reduce(struct reducing *r, size_t bytes, double *seconds)
{
    const size_t enough = (size_t)256 << 20;
    int launches = bytes >= enough / 2 ? 2 : bytes <= enough / 16 ? 16 : (int)(enough / bytes);
    int rc = 0;
    restore(r, bytes);
    if (r->comm->operations->barrier(r->comm, r->p->err) < 0)
        return -1;
    r->device->operations->timer_start(r->device);
    for (int i = 0; rc == 0 && i < launches; i++)
        rc = reduce(r, bytes);
    if (rc == 0)
        rc = r->comm->operations->join(r->comm, r->p->err);
    double all = 0;
    int stopped = r->device->operations->timer_stop(r->device, &all, r->p->err);
    *seconds = fmax(all, 1e-9) / launches;
    return rc < 0 ? rc : stopped;
}

static int probe_size(struct reducing *r, size_t bytes)
{
    double rates[PROBE_REPETITIONS], seconds, n = r->comm->world;
    if (check_reduce(r, bytes) < 0)
        return -1;
    for (int i = 0; i < PROBE_REPETITIONS; i++) {
        if (time_reduce(r, bytes, &seconds) < 0)
            return -1;
        rates[i] = 1e-9 * (double)bytes / seconds * 2 * (n - 1) / n;
    }
    return probing_report(r->p, MEASURE_ALL_REDUCE, bytes, rates);
}

static int probe_sizes(struct reducing *r)
{
    static const int mebibytes[] = {1, 8, 64, 512, 2048};
    /* The whole buffer from one period, by copies that double. */
    size_t period = PATTERN * sizeof(float), filled = r->bytes < period ? r->bytes : period;
    float *host = memory_alloc(period);
    for (size_t i = 0; i < PATTERN; i++)
        host[i] = element(i, r->comm->rank);
    r->device->operations->upload(r->device, r->pattern, host, filled);
    int rc = r->device->operations->synchronize(r->device, r->p->err);
    free(host);
    while (rc == 0 && filled < r->bytes) {
        size_t part = filled < r->bytes - filled ? filled : r->bytes - filled;
        r->device->operations->copy(r->device, (char *)r->pattern + filled, r->pattern, part);
        filled += part;
    }
    for (size_t i = 0; rc == 0 && i < sizeof mebibytes / sizeof *mebibytes; i++)
        if ((size_t)mebibytes[i] << 20 <= r->bytes)
            rc = probe_size(r, (size_t)mebibytes[i] << 20);
    return rc;
}

int probing_all_reduce(struct probing *p)
{
    struct device *d = p->machine->device;
    struct reducing r = {.p = p, .device = d, .comm = p->machine->comm, .bytes = p->scale.reduce};
    if (r.comm->world == 1)
        return 0;
    int rc = d->operations->alloc(d, &r.data, r.bytes, p->err);
    if (rc == 0)
        rc = d->operations->alloc(d, &r.pattern, r.bytes, p->err);
    if (rc == 0)
        rc = d->operations->alloc(d, &r.totals, 2 * sizeof(double), p->err);
    if (rc == 0)
        rc = probe_sizes(&r);
    d->operations->release(d, r.totals);
    d->operations->release(d, r.pattern);
    d->operations->release(d, r.data);
    return rc;
}
