/* The memory plan against what the trainer allocates, and against figures worked out by hand. */
#include "base/files/file.h"
#include "tests/oracle/tiny_llama.h"
#include "tests/unit/unit.h"
#include "trainer/machine/memory_plan.h"
#include "trainer/optimizer/transfer.h"
#include "trainer/ranks/comm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a device that counts ------------------------------------------------------------------- */

#define HELD_MAX 64

static struct counting {
    int (*alloc)(struct device *, void **out, size_t bytes, struct err *);
    void (*release)(struct device *, void *memory);
    struct held {
        void *memory;
        size_t bytes;
    } held[HELD_MAX];
    size_t now, most;
    int left; /* allocations until one fails; 0: none does */
} counts;

static int counting_alloc(struct device *d, void **out, size_t bytes, struct err *err)
{
    if (counts.left > 0 && --counts.left == 0)
        return err_set(err, ERR_IO, "no memory, as the test wants it");
    if (counts.alloc(d, out, bytes, err) < 0)
        return -1;
    for (int i = 0; i < HELD_MAX; i++)
        if (!counts.held[i].memory) {
            counts.held[i] = (struct held){*out, bytes};
            break;
        }
    counts.now += bytes;
    counts.most = counts.now > counts.most ? counts.now : counts.most;
    return 0;
}

static void counting_release(struct device *d, void *memory)
{
    for (int i = 0; memory && i < HELD_MAX; i++)
        if (counts.held[i].memory == memory) {
            counts.now -= counts.held[i].bytes;
            counts.held[i] = (struct held){NULL, 0};
        }
    counts.release(d, memory);
}

/* ---- ranks of which there is one ------------------------------------------------------------ */

static int all_reduce(struct comm *c, void *data, size_t n, enum comm_element e, struct err *err)
{
    (void)c, (void)data, (void)n, (void)e, (void)err;
    return 0;
}

static int move(struct comm *c, void *to, const void *from, size_t n, enum comm_element e,
                struct err *err)
{
    (void)c, (void)to, (void)from, (void)n, (void)e, (void)err;
    return 0;
}

static int broadcast(struct comm *c, void *data, size_t n, enum comm_element e, int root,
                     struct err *err)
{
    (void)c, (void)data, (void)n, (void)e, (void)root, (void)err;
    return 0;
}

static int nothing(struct comm *c, struct err *err)
{
    (void)c, (void)err;
    return 0;
}

static const struct comm_operations alone = {.all_reduce = all_reduce,
                                             .reduce_scatter = move,
                                             .all_gather = move,
                                             .broadcast = broadcast,
                                             .join = nothing,
                                             .barrier = nothing};

/* ---- what is taken is what was planned ------------------------------------------------------ */

static int keep_start(void *context, const struct train_start *start)
{
    *(struct train_start *)context = *start;
    return 0;
}

static void train_counted(const struct training *t, int world)
{
    struct err err = ERR_INIT;
    struct device *d;
    struct device_operations counting;
    struct train_start start;
    struct memory_plan plan;
    const struct train_observer observer = {.context = &start, .started = keep_start};
    size_t scratch;
    assert_int_equal(device_cpu_open(&d, &err), 0);
    counting = *d->operations;
    counts = (struct counting){.alloc = counting.alloc, .release = counting.release};
    counting.alloc = counting_alloc;
    counting.release = counting_release;
    d->operations = &counting;
    struct comm comm = {&alone, d, 0, world};
    assert_int_equal(memory_plan_make(&plan, t, 0, world, d, &err), 0);
    assert_int_equal(counts.most, 0); /* a plan takes nothing */
    if (train_native(t, &comm, &observer, &err) < 0)
        fail_msg("%s", err.text);
    assert_int_equal(counts.now, 0);
    const struct attention_shape attention = {t->micro_batch, t->sequence_length,   t->heads,
                                              t->kv_heads,    t->hidden / t->heads, NULL};
    assert_int_equal(counting.workspace_bytes(d, &attention, 0, &scratch, &err), 0);
    assert_int_equal(counts.most + scratch, plan.total);
    assert_int_equal(start.weight_bytes, plan.weights);
    assert_int_equal(start.gradient_bytes, plan.gradients);
    assert_int_equal(start.optimizer_bytes, plan.optimizer);
    assert_int_equal(start.activation_bytes, plan.activations);
    assert_int_equal(start.parameters, plan.parameters);
    assert_int_equal(start.device_bytes + plan.workspace, plan.total);
    device_close(d);
}

static void allocation_is_the_plan(void **state)
{
    (void)state;
    static const enum recompute all[] = {RECOMPUTE_NONE, RECOMPUTE_SELECTIVE, RECOMPUTE_FULL};
    struct training t = tiny_llama;
    t.steps = 2;
    t.warmup_steps = 1;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (int world = 1; world <= 3; world++)
            for (t.zero = 0; t.zero <= 2; t.zero++) {
                t.recompute = all[i];
                t.tied = world == 2;
                train_counted(&t, world);
            }
}

/* What checkpoints and weights in files pass through is planned where there are any, and only
 * there; weights that are not drawn need no room to be drawn in. */
static void files_are_planned(void **state)
{
    (void)state;
    char folder[] = "/tmp/fpreport-plan-XXXXXX", checkpoints[64], weights[64];
    struct err err = ERR_INIT;
    struct training t = tiny_llama;
    t.steps = 2;
    t.warmup_steps = 1;
    assert_non_null(mkdtemp(folder));
    snprintf(checkpoints, sizeof checkpoints, "%s/c", folder);
    snprintf(weights, sizeof weights, "%s/w", folder);
    t.checkpoint_dir = checkpoints;
    t.checkpoint_every = 1;
    t.final_weights = weights;
    train_counted(&t, 1);
    t.final_weights = NULL;
    t.resume = checkpoints;
    train_counted(&t, 1);
    t.checkpoint_dir = t.resume = NULL;
    t.checkpoint_every = 0;
    t.initial_weights = weights;
    train_counted(&t, 1);
    assert_int_equal(file_remove_tree(folder, &err), 0);
}

/* Whichever allocation fails: that is said, and all that was taken is given back, once. */
static void every_allocation_may_fail(void **state)
{
    (void)state;
    struct err err = ERR_INIT;
    struct device *d;
    struct training t = tiny_llama;
    const struct train_observer quiet = {.context = NULL};
    int failed = 0, rc = -1;
    t.steps = t.warmup_steps = 1;
    assert_int_equal(device_cpu_open(&d, &err), 0);
    struct device_operations counting = *d->operations;
    for (int nth = 1; rc < 0 && nth < HELD_MAX; nth++) {
        struct comm comm = {&alone, d, 0, 1};
        counts = (struct counting){
            .alloc = d->operations->alloc, .release = d->operations->release, .left = nth};
        const struct device_operations *own = d->operations;
        counting.alloc = counting_alloc;
        counting.release = counting_release;
        d->operations = &counting;
        struct err failure = ERR_INIT;
        rc = train_native(&t, &comm, &quiet, &failure);
        d->operations = own;
        failed += rc < 0;
        assert_int_equal(counts.now, 0);
        assert_true(rc == 0 || strstr(failure.text, "as the test wants it") != NULL);
    }
    assert_int_equal(rc, 0);
    assert_true(failed > 3);
    device_close(d);
}

/* ---- a model that no test could hold --------------------------------------------------------- */

static const struct training llama2_7b = {
    .vocab = 32000,
    .layers = 32,
    .heads = 32,
    .kv_heads = 32,
    .hidden = 4096,
    .ffn = 11008,
    .sequence_length = 4096,
    .micro_batch = 1,
    .gradient_accumulation = 1,
};

#define N 6738415616u /* its parameters: every bucket is a multiple of 64 * 8 of them */

static struct memory_plan plan_of(const struct training *t, int world)
{
    struct err err = ERR_INIT;
    struct device *d;
    struct memory_plan plan;
    assert_int_equal(device_cpu_open(&d, &err), 0);
    struct device narrow = {.operations = d->operations,
                            .name = "as a GPU in bf16",
                            .number = NUMBER_BF16,
                            .element_bytes = 2};
    assert_int_equal(memory_plan_make(&plan, t, 0, world, &narrow, &err), 0);
    device_close(d);
    return plan;
}

static void figures_of_7b(void **state)
{
    (void)state;
    struct training t = llama2_7b;
    struct memory_plan one = plan_of(&t, 1);
    assert_int_equal(one.parameters, N);
    assert_int_equal(one.weights, 2 * (size_t)N);
    assert_int_equal(one.gradients, 4 * (size_t)N);
    assert_int_equal(one.optimizer, 12 * (size_t)N + 8);
    assert_int_equal(one.files, 0);
    t.checkpoint_dir = "anywhere"; /* the embedding is larger than a part */
    assert_int_equal(plan_of(&t, 1).files, 4 * TRANSFER_PART_MAX);
    assert_int_equal(plan_of(&t, 1).host, 16 << 20);
    assert_int_equal(plan_of(&t, 1).total, one.total + (16 << 20));
    t.checkpoint_dir = NULL;
    t.zero = 1;
    assert_int_equal(plan_of(&t, 1).optimizer, one.optimizer); /* nobody to divide it with */
    assert_int_equal(plan_of(&t, 8).optimizer, 12 * (size_t)N / 8 + 8);
    assert_int_equal(plan_of(&t, 8).gradients, one.gradients);
    t.zero = 2;
    size_t layer = 202383360, embedding = 131072000;
    assert_int_equal(plan_of(&t, 8).gradients, 4 * (embedding + 2 * layer + (size_t)N / 8));
    t.recompute = RECOMPUTE_FULL;
    struct memory_plan full = plan_of(&t, 8);
    /* 31 layers less of all that a layer keeps beside its input: norms 2 h, qkv 3 h, attended h,
     * middle h, gate_up 2 f, gated f in bf16; 32 heads of log_sum_exp in fp32 */
    size_t kept = 4096u * (2 * (7 * 4096u + 3 * 11008u) + 4 * 32u);
    /* of the layer that is there, the normed rows and gated lie where gradients will */
    size_t elsewhere = 4096u * 2 * (2 * 4096u + 11008u);
    assert_int_equal(one.activations - full.activations, 31 * kept + elsewhere);
    t.recompute = RECOMPUTE_SELECTIVE;
    assert_int_equal(one.activations - plan_of(&t, 8).activations, 32 * elsewhere);
}

/* ---- a device that tries algorithms -------------------------------------------------------------
 */

/* Half a gigabyte for attention, and beside it what products are tried in. */
static int trying_bytes(struct device *d, const struct attention_shape *s, size_t product,
                        size_t *bytes, struct err *err)
{
    (void)d, (void)err;
    assert_int_equal(s->length, 4096);
    *bytes = ((size_t)1 << 29) + product;
    return 0;
}

static size_t workspace_of(const struct training *t)
{
    struct err err = ERR_INIT;
    struct device *d;
    struct memory_plan plan;
    assert_int_equal(device_cpu_open(&d, &err), 0);
    struct device_operations operations = *d->operations;
    operations.workspace_bytes = trying_bytes;
    struct device narrow = {&operations, "as a GPU in bf16", NUMBER_BF16, 2};
    assert_int_equal(memory_plan_make(&plan, t, 0, 1, &narrow, &err), 0);
    device_close(d);
    return plan.workspace;
}

/* Of the 7B shape: the gradient of the head in fp32 with one sequence, logits with four. */
static void tries_are_planned(void **state)
{
    (void)state;
    struct training t = llama2_7b;
    t.initial_weights = "anywhere"; /* so that none are drawn */
    assert_int_equal(workspace_of(&t), (1u << 29) + 4 * 32000u * 4096u);
    t.micro_batch = 4;
    assert_int_equal(workspace_of(&t), (1u << 29) + 2 * 4 * 4096u * 32000u);
}

/* ---- what does not fit ------------------------------------------------------------------------
 */

static size_t room;

static int free_bytes(struct device *d, size_t *bytes, struct err *err)
{
    (void)d, (void)err;
    *bytes = room;
    return 0;
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    const struct memory_plan plan = {.weights = (size_t)3 << 30,
                                     .gradients = (size_t)6 << 30,
                                     .optimizer = (size_t)12 << 30,
                                     .activations = 5 << 20,
                                     .workspace = 7 << 10,
                                     .total = ((size_t)21 << 30) + (5 << 20) + (7 << 10)};
    const struct device_operations operations = {.free_bytes = free_bytes};
    struct device device = {.operations = &operations, .name = "a small one"};
    struct err err = ERR_INIT;
    size_t left;
    room = plan.total;
    assert_int_equal(memory_plan_check(&plan, &device, &left, &err), 0);
    assert_int_equal(left, room);
    room--;
    assert_int_equal(memory_plan_check(&plan, &device, &left, &err), -1);
    assert_int_equal(err.kind, ERR_USAGE);
    assert_non_null(strstr(err.text, "found 21.0 GiB free on a small one"));
    assert_non_null(strstr(err.text, "weights 3.0 GiB, gradients 6.0 GiB, optimizer 12.0 GiB, "
                                     "activations 5.0 MiB, workspace 7.0 KiB; 21.0 GiB in all"));
}

static void memory_of_this_machine(void **state)
{
    (void)state;
    struct err err = ERR_INIT;
    struct device *d;
    size_t left = 0;
    assert_int_equal(device_cpu_open(&d, &err), 0);
    assert_int_equal(d->operations->free_bytes(d, &left, &err), 0);
    assert_true(left > 1 << 20 && left < (size_t)1 << 46);
    device_close(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(allocation_is_the_plan), cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(files_are_planned),      cmocka_unit_test(figures_of_7b),
        cmocka_unit_test(tries_are_planned),      cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(memory_of_this_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
