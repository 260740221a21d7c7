/* probe: a device whose clock is made up, so that every rate is known; sums that are wrong; and the
 * processor as it is. */
#include "tests/unit/unit.h"

#include "trainer/machine/probe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The processor's device, but an operation takes a second of this clock for so many operations or
 * bytes, and nothing is multiplied. */
struct fake {
    struct device device; /* first */
    struct device *cpu;
    struct device_operations operations;
    double seconds, started; /* of the clock */
    int products;
};

static struct fake *fake_of(struct device *d)
{
    return (struct fake *)d;
}

static void fake_multiply(struct device *d, const struct matrix_product *p)
{
    struct fake *f = fake_of(d);
    f->products++;
    f->seconds += 1e-11 * p->m * p->n * p->k;
}

static void fake_copy(struct device *d, void *to, const void *from, size_t bytes)
{
    memcpy(to, from, bytes);
    fake_of(d)->seconds += 1e-9 * (double)bytes;
}

static void fake_add(struct device *d, float *to, const float *x, size_t n)
{
    (void)to, (void)x;
    fake_of(d)->seconds += 1e-8 * (double)n;
}

static void fake_upload(struct device *d, void *to, const void *from, size_t bytes)
{
    memcpy(to, from, bytes);
    fake_of(d)->seconds += 2e-9 * (double)bytes;
}

static int fake_download(struct device *d, void *to, const void *from, size_t bytes,
                         struct err *err)
{
    (void)err;
    memcpy(to, from, bytes);
    fake_of(d)->seconds += 4e-9 * (double)bytes;
    return 0;
}

static int fake_host_alloc(struct device *d, void **out, size_t bytes, struct err *err)
{
    (void)d, (void)err;
    *out = malloc(bytes);
    return 0;
}

static void fake_host_release(struct device *d, void *memory)
{
    (void)d;
    free(memory);
}

static void fake_timer_start(struct device *d)
{
    fake_of(d)->started = fake_of(d)->seconds;
}

static int fake_timer_stop(struct device *d, double *seconds, struct err *err)
{
    (void)err;
    *seconds = fake_of(d)->seconds - fake_of(d)->started;
    return 0;
}

static void fake_close(struct device *d)
{
    device_close(fake_of(d)->cpu);
    free(d);
}

static int fake_open(struct device **out, struct err *err)
{
    struct fake *f = calloc(1, sizeof *f);
    if (device_cpu_open(&f->cpu, err) < 0)
        return -1;
    f->operations = *f->cpu->operations;
    f->operations.close = fake_close;
    f->operations.multiply = fake_multiply;
    f->operations.copy = fake_copy;
    f->operations.add = fake_add;
    f->operations.upload = fake_upload;
    f->operations.download = fake_download;
    f->operations.host_alloc = fake_host_alloc;
    f->operations.host_release = fake_host_release;
    f->operations.timer_start = fake_timer_start;
    f->operations.timer_stop = fake_timer_stop;
    f->device = *f->cpu;
    f->device.operations = &f->operations;
    f->device.name = "made up";
    *out = &f->device;
    return 0;
}

static int fake_another(const struct machine *m, const struct precision *p, struct device **out,
                        struct err *err)
{
    (void)m, (void)p;
    return fake_open(out, err);
}

static bool in_all_but_fp16(const struct precision *p)
{
    return strcmp(p->name, "fp16") != 0;
}

static int fake_libraries(struct buf *out, struct err *err)
{
    (void)err;
    buf_str(out, "Made 1.0, Up 2.0");
    return 0;
}

static const struct probe_scale fake_scale = {
    .product = 64, .memory = 1 << 16, .host = 1 << 14, .reduce = 8 << 20, .repetition = 0.02};

static const struct machine_kind fake_kind = {.name = "fake",
                                              .computes = in_all_but_fp16,
                                              .libraries = fake_libraries,
                                              .another = fake_another,
                                              .scale = &fake_scale};

/* ---- four ranks, of which we are the first: a sum over all of them is ten times ours --------- */

struct four {
    struct comm comm;
    float times;         /* what the sum is made with: 10 is right */
    size_t lost;         /* this element is not added up; SIZE_MAX: all are */
    double slow_rank[4]; /* how fast each rank is, beside us */
};

static int four_all_reduce(struct comm *c, void *data, size_t n, enum comm_element e,
                           struct err *err)
{
    struct four *f = (struct four *)c;
    float *x = data;
    (void)e, (void)err;
    for (size_t i = 0; i < n; i++)
        x[i] *= i == f->lost ? 1 : f->times;
    fake_of(c->device)->seconds += 2e-9 * 4 * (double)n;
    return 0;
}

static int four_all_gather(struct comm *c, void *to, const void *from, size_t n,
                           enum comm_element e, struct err *err)
{
    struct four *f = (struct four *)c;
    (void)err;
    assert_int_equal(e, COMM_FP64);
    for (size_t r = 0; r < 4; r++)
        for (size_t i = 0; i < n; i++)
            ((double *)to)[r * n + i] = ((const double *)from)[i] * f->slow_rank[r];
    return 0;
}

static int four_join(struct comm *c, struct err *err)
{
    (void)c, (void)err;
    return 0;
}

static const struct comm_operations four_operations = {
    .all_reduce = four_all_reduce,
    .all_gather = four_all_gather,
    .join = four_join,
    .barrier = four_join,
};

struct fixture {
    struct arena arena;
    struct err err;
    struct machine machine;
    struct measured measured;
};

static void open_fake(struct fixture *f)
{
    memset(f, 0, sizeof *f);
    f->machine.kind = &fake_kind;
    assert_int_equal(fake_open(&f->machine.device, &f->err), 0);
}

static void close_fake(struct fixture *f)
{
    device_close(f->machine.device);
    arena_release(&f->arena);
}

static void expect(const struct fixture *f, enum measure_id id, double size, double rate)
{
    for (size_t i = 0; i < f->measured.n; i++) {
        const struct measure *x = &f->measured.items[i];
        if (strcmp(x->key, measure_kinds[id].key) != 0 || x->size != size)
            continue;
        if (fabs(x->median - rate) > 1e-9 * rate)
            fail_msg("%s: %.12g, expected %.12g", x->key, x->median, rate);
        assert_int_equal(x->repetitions, PROBE_REPETITIONS);
        return;
    }
    fail_msg("%s of %.0f was not measured", measure_kinds[id].key, size);
}

static void rates_are_amounts_over_times(void **state)
{
    (void)state;
    struct fixture f;
    open_fake(&f);
    assert_int_equal(comm_self_open(&f.machine.comm, f.machine.device, &f.err), 0);
    assert_int_equal(probe_machine(&f.machine, NULL, &f.arena, &f.measured, &f.err), 0);
    assert_string_equal(f.measured.device, "made up");
    assert_string_equal(f.measured.with, "Made 1.0, Up 2.0");
    assert_int_equal(f.measured.ranks, 1);
    expect(&f, MEASURE_GEMM_FP32, 64, 0.2); /* 2 operations in 1e-11 s */
    expect(&f, MEASURE_GEMM_TF32, 64, 0.2);
    expect(&f, MEASURE_GEMM_BF16, 64, 0.2);
    expect(&f, MEASURE_MEMORY_COPY, 65536, 2);     /* a byte read, one written in 1e-9 s */
    expect(&f, MEASURE_MEMORY_UPDATE, 65536, 1.2); /* 12 bytes in 1e-8 s */
    expect(&f, MEASURE_HOST_TO_DEVICE, 16384, 0.5);
    expect(&f, MEASURE_DEVICE_TO_HOST, 16384, 0.25);
    assert_int_equal(f.measured.n, 7); /* no fp16, and nobody to reduce with */
    assert_true(isnan(f.measured.items[0].slowest));
    comm_close(f.machine.comm);
    close_fake(&f);
}

static struct four four_ranks(struct fixture *f)
{
    struct four four = {.comm = {.operations = &four_operations,
                                 .device = f->machine.device,
                                 .rank = 0,
                                 .world = 4},
                        .times = 10,
                        .lost = SIZE_MAX,
                        .slow_rank = {1, 1, 0.5, 2}};
    return four;
}

static void bus_bandwidth_is_that_of_the_ring(void **state)
{
    (void)state;
    struct fixture f;
    open_fake(&f);
    struct four four = four_ranks(&f);
    f.machine.comm = &four.comm;
    if (probe_machine(&f.machine, NULL, &f.arena, &f.measured, &f.err) < 0)
        fail_msg("%s", f.err.text);
    /* 0.5 GB/s * 2 * 3 / 4; of the rates 1, 1, 0.5 and 2 times that, the middle is 1. */
    expect(&f, MEASURE_ALL_REDUCE, 1 << 20, 0.75);
    expect(&f, MEASURE_ALL_REDUCE, 8 << 20, 0.75);
    assert_int_equal(f.measured.n, 9);
    const struct measure *x = measured_find(&f.measured, MEASURE_ALL_REDUCE);
    assert_true(x->size == 8 << 20 && fabs(x->min - 0.375) < 1e-9 && fabs(x->max - 1.5) < 1e-9);
    assert_true(x->slowest_rank == 2 && fabs(x->slowest - 0.375) < 1e-9);
    assert_int_equal(f.measured.ranks, 4);
    close_fake(&f);
}

static void wrong_sums_are_errors(void **state)
{
    (void)state;
    static const struct {
        float times;
        size_t lost;
        const char *says;
    } faults[] = {
        {9, SIZE_MAX, "all-reduce of 262144 floats over 4 ranks: found"},
        {10, 262143, "in place 262143, expected"}, /* the last one */
        {10, 5, "as the sum, expected"},           /* one that is not looked at alone */
    };
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        struct fixture f;
        open_fake(&f);
        struct four four = four_ranks(&f);
        four.times = faults[i].times;
        four.lost = faults[i].lost;
        f.machine.comm = &four.comm;
        assert_int_equal(probe_machine(&f.machine, NULL, &f.arena, &f.measured, &f.err), -1);
        assert_int_equal(f.err.kind, ERR_IO);
        if (!strstr(f.err.text, faults[i].says))
            fail_msg("%s", f.err.text);
        close_fake(&f);
    }
}

static void the_processor_is_measured(void **state)
{
    (void)state;
    const struct probe_scale small = {
        .product = 96, .memory = 1 << 16, .reduce = 1 << 20, .repetition = 1e-4};
    const struct machine_wish wish = {.precision = precision_find("fp32"), .ordinal = -1};
    const struct ranks alone = {.world = 1, .local_world = 1};
    struct fixture f;
    memset(&f, 0, sizeof f);
    assert_int_equal(machine_open(&f.machine, &machine_cpu, &alone, &wish, &f.err), 0);
    if (probe_machine(&f.machine, &small, &f.arena, &f.measured, &f.err) < 0)
        fail_msg("%s", f.err.text);
    assert_int_equal(f.measured.n, 3); /* one precision, and no memory but the host's */
    for (size_t i = 0; i < f.measured.n; i++) {
        const struct measure *x = &f.measured.items[i];
        assert_true(x->min > 0 && x->min <= x->median && x->median <= x->max && x->max < 1e5);
    }
    machine_close(&f.machine, NULL);
    arena_release(&f.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rates_are_amounts_over_times),
        cmocka_unit_test(bus_bandwidth_is_that_of_the_ring),
        cmocka_unit_test(wrong_sums_are_errors),
        cmocka_unit_test(the_processor_is_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
