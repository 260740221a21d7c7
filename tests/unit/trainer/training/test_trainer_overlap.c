/*
 * What runs beside what: collectives that are put off as long as comm.h lets them be give the same
 * bits, so that nothing reads or changes a buffer too early; weights are on their way before the
 * optimizer is at the next bucket, and a forward pass waits for no more than it reads; and micro-
 * batches are read ahead.
 */
#include "tests/tcp_ranks.h"

#include "tests/small_training.h"
#include "trainer/data/reader.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- a comm that puts everything off --------------------------------------------------------- */

#define QUEUE_MAX 64

enum late_kind { LATE_REDUCE, LATE_SCATTER, LATE_GATHER, LATE_BROADCAST };

struct late {
    struct comm comm;   /* first, so that the one is the other */
    struct comm *inner; /* does it in the end */
    struct call {
        enum late_kind kind;
        void *to;
        const void *from;
        size_t n;
        enum comm_element element;
        int root;
    } calls[QUEUE_MAX];
    int n, done;           /* calls that were made; that were carried out */
    int marks[COMM_MARKS]; /* calls in front of it */
    int adamw, gathers;    /* operations of the optimizer, and weights that were sent, so far */
    int ahead;             /* gathers that were begun before the optimizer's last operation */
    int spared;            /* calls that a mark left for later */
};

static struct late *late_of(struct comm *c)
{
    return (struct late *)c;
}

static int carry_out(struct late *l, const struct call *call, struct err *err)
{
    const struct comm_operations *o = l->inner->operations;
    switch (call->kind) {
    case LATE_REDUCE:
        return o->all_reduce(l->inner, call->to, call->n, call->element, err);
    case LATE_SCATTER:
        return o->reduce_scatter(l->inner, call->to, call->from, call->n, call->element, err);
    case LATE_GATHER:
        return o->all_gather(l->inner, call->to, call->from, call->n, call->element, err);
    default:
        return o->broadcast(l->inner, call->to, call->n, call->element, call->root, err);
    }
}

static int carry_out_to(struct late *l, int n, struct err *err)
{
    int rc = 0;
    for (; rc == 0 && l->done < n; l->done++)
        rc = carry_out(l, &l->calls[l->done % QUEUE_MAX], err);
    return rc;
}

static int put_off(struct comm *c, const struct call *call)
{
    struct late *l = late_of(c);
    assert_true(l->n - l->done < QUEUE_MAX);
    l->calls[l->n++ % QUEUE_MAX] = *call;
    return 0;
}

static int late_reduce(struct comm *c, void *data, size_t n, enum comm_element e, struct err *err)
{
    (void)err;
    return put_off(c, &(struct call){LATE_REDUCE, data, NULL, n, e, 0});
}

static int late_scatter(struct comm *c, void *to, const void *from, size_t n, enum comm_element e,
                        struct err *err)
{
    (void)err;
    return put_off(c, &(struct call){LATE_SCATTER, to, from, n, e, 0});
}

static int late_gather(struct comm *c, void *to, const void *from, size_t n, enum comm_element e,
                       struct err *err)
{
    (void)err;
    late_of(c)->gathers++;
    return put_off(c, &(struct call){LATE_GATHER, to, from, n, e, 0});
}

static int late_broadcast(struct comm *c, void *data, size_t n, enum comm_element e, int root,
                          struct err *err)
{
    (void)err;
    return put_off(c, &(struct call){LATE_BROADCAST, data, NULL, n, e, root});
}

static int late_join(struct comm *c, struct err *err)
{
    return carry_out_to(late_of(c), late_of(c)->n, err);
}

static int late_mark(struct comm *c, int mark, struct err *err)
{
    (void)err;
    late_of(c)->marks[mark] = late_of(c)->n;
    return 0;
}

static int late_join_mark(struct comm *c, int mark, struct err *err)
{
    struct late *l = late_of(c);
    int rc = carry_out_to(l, l->marks[mark], err);
    l->spared += l->n - l->done;
    return rc;
}

static int late_barrier(struct comm *c, struct err *err)
{
    return late_join(c, err) < 0 ? -1
                                 : late_of(c)->inner->operations->barrier(late_of(c)->inner, err);
}

static const struct comm_operations late_operations = {
    .all_reduce = late_reduce,
    .reduce_scatter = late_scatter,
    .all_gather = late_gather,
    .broadcast = late_broadcast,
    .join = late_join,
    .mark = late_mark,
    .join_mark = late_join_mark,
    .barrier = late_barrier,
};

/* The optimizer's operation, counted: how many weights are on their way when it comes. */
static struct late *counting; /* of this process */
static void (*plain_adamw)(struct device *, const struct adamw_step *);

static void counted_adamw(struct device *d, const struct adamw_step *step)
{
    counting->adamw++;
    counting->ahead = counting->gathers;
    plain_adamw(d, step);
}

/* ---- the same bits --------------------------------------------------------------------------- */

static const struct training small = {SMALL_TRAINING,
                                      .layers = 3,
                                      .hidden = 32,
                                      .ffn = 48,
                                      .lr = 3e-3,
                                      .min_lr = 3e-4,
                                      .sequence_length = 16,
                                      .micro_batch = 1,
                                      .gradient_accumulation = 2,
                                      .steps = 4,
                                      .seed = 7};

struct outcome {
    double loss[8], norm[8];
    char weights[65], fault[256];
    int gathers, ahead, spared;
};

static int see_step(void *context, const struct train_step *step)
{
    struct outcome *o = context;
    o->loss[step->step] = step->loss;
    o->norm[step->step] = step->grad_norm;
    return 0;
}

static void see_end(void *context, const struct train_end *end)
{
    snprintf(((struct outcome *)context)->weights, 65, "%s", end->weights_sha256);
}

static void train_on(struct comm *comm, const struct training *t, struct outcome *o)
{
    const struct train_observer observer = {.context = o, .stepped = see_step, .ended = see_end};
    struct err err = ERR_INIT;
    if (train_native(t, comm, &observer, &err) < 0)
        snprintf(o->fault, sizeof o->fault, "%.255s", err.text);
}

static void train_at_once(struct comm *comm, const void *context, void *result)
{
    train_on(comm, context, result);
}

static void train_late(struct comm *comm, const void *context, void *result)
{
    struct device *d = comm->device;
    const struct device_operations *own = d->operations;
    struct device_operations operations = *own;
    struct late l = {.comm = {&late_operations, d, comm->rank, comm->world}, .inner = comm};
    struct outcome *o = result;
    counting = &l;
    plain_adamw = operations.adamw;
    operations.adamw = counted_adamw;
    d->operations = &operations;
    train_on(&l.comm, context, o);
    d->operations = own;
    o->gathers = l.gathers;
    o->ahead = l.ahead;
    o->spared = l.spared;
}

static void what_is_put_off_gives_the_same_bits(void **state)
{
    (void)state;
    for (int world = 2; world <= 4; world += 2)
        for (int level = 0; level <= 2; level++) {
            struct outcome once[4] = {0}, late[4] = {0};
            struct training t = small;
            t.zero = level;
            ranks_run(world, train_at_once, &t, once, sizeof *once);
            ranks_run(world, train_late, &t, late, sizeof *late);
            for (int r = 0; r < world; r++) {
                assert_string_equal(late[r].fault, "");
                assert_string_equal(once[r].weights, once[0].weights);
                assert_string_equal(late[r].weights, once[0].weights);
                assert_memory_equal(late[r].loss, once[0].loss, sizeof once[0].loss);
                assert_memory_equal(late[r].norm, once[0].norm, sizeof once[0].norm);
            }
        }
}

/* Five buckets: embedding, three layers, the rest. When the optimizer comes to the last one in the
 * last of four steps, all weights but those are on their way; and each forward pass behind a step
 * has waited for one bucket after the other, with 4, 3, 2, 1 and 0 still on their way. */
static void weights_travel_beside_optimizer_and_forward_pass(void **state)
{
    (void)state;
    for (int level = 0; level <= 2; level++) {
        struct outcome late[2] = {0};
        struct training t = small;
        t.zero = level;
        ranks_run(2, train_late, &t, late, sizeof *late);
        assert_int_equal(late[0].gathers, level ? 4 * 5 : 0);
        assert_int_equal(late[0].ahead, level ? 4 * 5 - 1 : 0);
        assert_int_equal(late[0].spared, level ? 3 * (4 + 3 + 2 + 1) : 0);
    }
}

/* ---- reading ahead --------------------------------------------------------------------------- */

static void pause_ms(long ms)
{
    nanosleep(&(struct timespec){.tv_nsec = ms * 1000000}, NULL);
}

struct slow {
    long ms;           /* that a batch takes */
    atomic_ulong next; /* that is read next */
};

static void read_slowly(void *context, uint64_t batch, struct reader_batch *into)
{
    struct slow *s = context;
    pause_ms(s->ms);
    for (int i = 0; i < 8; i++) {
        into->inputs[i] = (int32_t)(100 * batch) + i;
        into->targets[i] = into->inputs[i] + 1;
    }
    assert_int_equal(batch, s->next++);
}

static void take(struct reader *r, int batch, double *waited)
{
    const struct reader_batch *b = reader_next(r, waited);
    for (int i = 0; i < 8; i++) {
        assert_int_equal(b->inputs[i], 100 * batch + i);
        assert_int_equal(b->targets[i], b->inputs[i] + 1);
    }
}

/* While one batch is used the others that there are slots for come, unasked; those that are there
 * are not waited for, not even for a moment. */
static void batches_are_read_beside_the_work(void **state)
{
    (void)state;
    struct slow slow = {.ms = 2, .next = 5};
    const struct reader_plan plan = {
        .first = 5, .end = 20, .tokens = 8, .read = read_slowly, .context = &slow};
    struct reader *r;
    struct err err = ERR_INIT;
    double waited = 0;
    assert_int_equal(reader_open(&r, &plan, &err), 0);
    for (int batch = 5; batch < 20; batch++) {
        int ahead = batch + READER_SLOTS - (batch > 5); /* one slot is still in use */
        for (int tries = 5000; (int)slow.next < (ahead < 20 ? ahead : 20) && tries > 0; tries--)
            pause_ms(2);
        take(r, batch, &waited);
        assert_true(waited == 0);
    }
    reader_close(r);
}

static void what_is_waited_is_measured(void **state)
{
    (void)state;
    struct slow slow = {.ms = 5};
    const struct reader_plan plan = {.end = 20, .tokens = 8, .read = read_slowly, .context = &slow};
    struct reader *r;
    struct err err = ERR_INIT;
    double waited = 0;
    assert_int_equal(reader_open(&r, &plan, &err), 0);
    for (int batch = 0; batch < 20; batch++)
        take(r, batch, &waited);
    reader_close(r);
    assert_true(waited > 0.005); /* of 100 ms, on a machine that lets us run */
}

static void a_reader_may_be_closed_early(void **state)
{
    (void)state;
    struct slow slow = {.ms = 1};
    const struct reader_plan plan = {
        .end = 1000000, .tokens = 8, .read = read_slowly, .context = &slow};
    struct reader *r;
    struct err err = ERR_INIT;
    double waited = 0;
    for (int taken = 0; taken < 4; taken++) {
        slow.next = 0;
        assert_int_equal(reader_open(&r, &plan, &err), 0);
        for (int i = 0; i < taken; i++)
            reader_next(r, &waited);
        reader_close(r);
        assert_true((int)slow.next <= taken + READER_SLOTS);
    }
    reader_close(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_put_off_gives_the_same_bits),
        cmocka_unit_test(weights_travel_beside_optimizer_and_forward_pass),
        cmocka_unit_test(batches_are_read_beside_the_work),
        cmocka_unit_test(what_is_waited_is_measured),
        cmocka_unit_test(a_reader_may_be_closed_early),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
