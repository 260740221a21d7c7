/*
 * Every way to divide a model and its data among up to eight ranks against one rank: losses and
 * every gradient, weights after three steps, and a checkpoint of each plan that another one goes on
 * with. Ranks are threads, so that hundreds of plans take a minute; `make check-plans` (PLANS=all)
 * tries all of them, a test among others every SAMPLE-th.
 *
 * With beta1 = 0 AdamW's first moment is the gradient itself, which a checkpoint behind the first
 * step shows tensor by tensor, as the whole model has it.
 */
#include "tests/unit/folder.h"
#include "tests/unit/under_asan.h"
#include "tests/unit/unit.h"

#include "tests/small_training.h"
#include "tests/tcp_ranks.h"
#include "tests/thread_ranks.h"
#include "trainer/tensors/tensor_files.h"

#include "base/arena.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SAMPLE (UNDER_ASAN ? 401 : 83)
#define STEPS 3
#define SEQUENCES 16 /* of a step */
#define TOLERANCE 1e-5

/* 4 query heads on 2 key heads (of which 4 tensor ranks have copies), 131 tokens (which nothing
 * divides), 8 layers (one a chunk at the most). */
static const struct training base = {
    SMALL_TRAINING,        .layers = 8,
    .hidden = 32,          .ffn = 48,
    .sequence_length = 8,  .gradient_accumulation = 4,
    .steps = STEPS,        .lr = 1e-3,
    .min_lr = 1e-4,        .seed = 7,
    .checkpoint_every = 1,
};

struct variant {
    struct plan plan;
    int zero;
    enum recompute recompute;
    int family; /* of families */
};

/* Besides a Llama whose head is its own: one that is tied, a Baichuan, and adapters of a Llama. */
enum { FREE, TIED, BAICHUAN, ADAPTERS, FAMILIES };

static const char *const family_names[FAMILIES] = {"", " tied", " baichuan", " adapters"};

static struct training training_of(const struct variant *v, const char *dir)
{
    struct training t = base;
    t.vocab = 131;
    t.init_std = 0.1;
    t.beta1 = 0;
    t.eps = 1e-5;
    t.clip_norm = 0.7; /* less than it is */
    t.plan = v->plan;
    t.zero = v->zero;
    t.recompute = v->recompute;
    t.tied = v->family == TIED;
    if (v->family == BAICHUAN) {
        t.architecture = (struct architecture){POSITION_ALIBI, true, NAMES_BAICHUAN};
        t.targets_inside = true;
        t.decays = DECAYS_ALL;
    }
    if (v->family == ADAPTERS) {
        t.eps = 1e-3; /* B begins as zeros: its first updates would tell rounding apart */
        t.lora = (struct lora){.r = 3,
                               .alpha = 6,
                               .dropout = 0.25,
                               .targets = 1u << LORA_Q | 1u << LORA_K | 1u << LORA_UP};
    }
    t.micro_batch = SEQUENCES / t.gradient_accumulation / v->plan.data;
    t.checkpoint_dir = dir;
    return t;
}

struct seen_plan {
    double loss[STEPS + 1], norm[STEPS + 1];
    char weights[65];
};

static int see_step(void *context, const struct train_step *step)
{
    struct seen_plan *s = context;
    s->loss[step->step] = step->loss;
    s->norm[step->step] = step->grad_norm;
    return 0;
}

static void see_end(void *context, const struct train_end *end)
{
    snprintf(((struct seen_plan *)context)->weights, 65, "%s", end->weights_sha256);
}

static const char *name_of(const struct variant *v, char text[128])
{
    char plan[PLAN_TEXT];
    plan_text(&v->plan, plan);
    snprintf(text, 128, "%s zero %d recompute %s%s%s", plan, v->zero, recompute_name(v->recompute),
             family_names[v->family], v->plan.chunk_layers ? " uneven" : "");
    return text;
}

static void train_variant(const struct variant *v, const struct training *t,
                          const struct disturbance *disturbance, struct seen_plan *seen)
{
    const struct train_observer observer = {.context = seen, .stepped = see_step, .ended = see_end};
    struct err err = ERR_INIT;
    char name[128];
    if (threads_train(t, plan_ranks(&v->plan), &observer, disturbance, &err) < 0)
        fail_msg("%s: %s", name_of(v, name), err.text);
}

/* ---- files against files -------------------------------------------------------------------- */

static float *values_of(const struct tensor_files *files, const char *name, size_t n)
{
    struct err err = ERR_INIT;
    const struct safetensors *file;
    const struct safetensors_tensor *t = tensor_files_find(files, name, &file);
    float *out = memory_alloc(n * sizeof *out);
    assert_non_null(t);
    if (safetensors_read(file, t, 0, n, out, &err) < 0)
        fail_msg("%s", err.text);
    return out;
}

static size_t elements_of(const struct safetensors_tensor *t)
{
    size_t n = 1;
    for (int d = 0; d < t->dimensions; d++)
        n *= t->shape[d];
    return n;
}

/* The largest distance between two tensors of this name, as a share of the first one's length. */
static double largest_difference(const char *reference, const char *path, char tensor[64])
{
    struct tensor_files a, b;
    struct err err = ERR_INIT;
    double worst = 0;
    if (tensor_files_open(&a, reference, &err) < 0 || tensor_files_open(&b, path, &err) < 0)
        fail_msg("%s", err.text);
    assert_int_equal(a.files[0].n, b.files[0].n);
    for (size_t i = 0; i < a.files[0].n; i++) {
        const struct safetensors_tensor *t = &a.files[0].tensors[i];
        size_t n = elements_of(t);
        float *x = values_of(&a, t->name, n), *y = values_of(&b, t->name, n);
        double apart = 0, length = 0;
        for (size_t j = 0; j < n; j++) {
            apart += ((double)x[j] - y[j]) * ((double)x[j] - y[j]);
            length += (double)x[j] * x[j];
        }
        if (!(sqrt(apart / length) <= worst)) {
            worst = sqrt(apart / length);
            snprintf(tensor, 64, "%s", t->name);
        }
        free(x);
        free(y);
    }
    tensor_files_close(&a);
    tensor_files_close(&b);
    return worst;
}

/* ---- one plan ------------------------------------------------------------------------------- */

/* Of one rank that is alone, one for each model. */
static void reference(int family, const char *dir, struct seen_plan *seen)
{
    const struct variant alone = {.plan = {1, 1, 1, 1, .data = 1}, .family = family};
    struct training t = training_of(&alone, dir);
    train_variant(&alone, &t, NULL, seen);
}

/* The largest relative difference of anything: losses and norms of all steps, gradients of the
 * first, weights behind the last. */
static double compare(const struct seen_plan *one, const struct seen_plan *many, const char *dir,
                      int family, char what[64])
{
    /* Behind the first step an adapter's A has no gradient. */
    static const struct behind {
        const char *step, *file;
    } of_model[] = {{"1", "adam_m.safetensors"}, {"3", "model.safetensors"}},
      of_adapters[] = {{"2", "adam_m.safetensors"}, {"3", "adapter_model.safetensors"}};
    const struct behind *files = family == ADAPTERS ? of_adapters : of_model;
    double worst = 0;
    for (int i = 1; i <= STEPS; i++) {
        double loss = fabs(many->loss[i] / one->loss[i] - 1);
        double norm = fabs(many->norm[i] / one->norm[i] - 1);
        if (!(fmax(loss, norm) <= worst)) {
            worst = fmax(loss, norm);
            snprintf(what, 64, "loss or norm of step %d", i);
        }
    }
    for (size_t i = 0; i < sizeof of_model / sizeof *of_model; i++) {
        char a[96], b[96], tensor[64];
        snprintf(a, sizeof a, "one%d/step-00000000%s/%s", family, files[i].step, files[i].file);
        snprintf(b, sizeof b, "%s/step-00000000%s/%s", dir, files[i].step, files[i].file);
        double apart = largest_difference(a, b, tensor);
        if (!(apart <= worst)) {
            worst = apart;
            memcpy(what, tensor, 64);
        }
    }
    return worst;
}

static void remove_folder(const char *dir)
{
    struct err err = ERR_INIT;
    if (access(dir, F_OK) == 0 && file_remove_tree(dir, &err) < 0)
        fail_msg("%s", err.text);
}

/* What the plan before left behind its second step goes on under `v`: the third loss is the same.
 */
static void resume(const struct variant *v, const struct seen_plan *one)
{
    struct training t = training_of(v, NULL);
    struct seen_plan seen = {.loss = {0}};
    char name[128], from[64];
    snprintf(from, sizeof from, "last%d/step-000000002", v->family);
    t.resume = from;
    t.checkpoint_every = 0;
    train_variant(v, &t, NULL, &seen);
    if (!(fabs(seen.loss[3] / one->loss[3] - 1) <= TOLERANCE))
        fail_msg("%s, resumed: loss %.9g, expected %.9g", name_of(v, name), seen.loss[3],
                 one->loss[3]);
}

/* Trains under a plan, and goes on under it with the checkpoint of the family's plan before. */
static double try_plan(const struct variant *v, const struct seen_plan ones[FAMILIES], bool *last)
{
    struct training t = training_of(v, "many");
    struct seen_plan seen = {.loss = {0}};
    char name[128], what[64] = "";
    if (last[v->family])
        resume(v, &ones[v->family]);
    train_variant(v, &t, NULL, &seen);
    double worst = compare(&ones[v->family], &seen, "many", v->family, what);
    if (!(worst <= TOLERANCE))
        fail_msg("%s: %s is %.3g off", name_of(v, name), what, worst);
    snprintf(name, sizeof name, "last%d", v->family);
    remove_folder(name);
    assert_int_equal(rename("many", name), 0);
    last[v->family] = true;
    return worst;
}

/* ---- all of them ---------------------------------------------------------------------------- */

static const int uneven[] = {1, 2, 3, 2};

static size_t add_variants(struct variant *list, size_t n, const struct plan *plan)
{
    for (int zero = 0; zero <= (plan->data > 1 ? 3 : 0); zero++)
        for (int r = RECOMPUTE_NONE; r <= RECOMPUTE_FULL; r++)
            for (int family = 0; family < (zero > 1 ? ADAPTERS : FAMILIES); family++)
                list[n++] = (struct variant){*plan, zero, (enum recompute)r, family};
    return n;
}

static size_t all_variants(struct variant *list)
{
    static const int sizes[] = {1, 2, 4};
    size_t n = 0;
    for (int i = 0; i < 27; i++)
        for (int chunks = 1; chunks <= 2; chunks++) {
            struct plan plan = {.tensor = sizes[i / 9],
                                .context = 1,
                                .pipeline = sizes[i / 3 % 3],
                                .chunks = chunks,
                                .data = sizes[i % 3]};
            if (plan_ranks(&plan) > 8 || (chunks > 1 && plan.pipeline == 1))
                continue;
            n = add_variants(list, n, &plan);
            if (plan.pipeline * chunks == 4) {
                plan.chunk_layers = uneven;
                n = add_variants(list, n, &plan);
            }
        }
    return n;
}

/* Paths are short, and relative to the test's folder. */
static void enter(void **state)
{
    assert_int_equal(chdir(((const struct folder *)*state)->path), 0);
}

static void every_plan_is_one_rank(void **state)
{
    enter(state);
    static struct variant variants[4096];
    struct seen_plan ones[FAMILIES];
    bool last[FAMILIES] = {false};
    size_t n = all_variants(variants), tried = 0;
    const char *wish = getenv("PLANS");
    size_t every = wish && strcmp(wish, "all") == 0 ? 1 : SAMPLE;
    double worst = 0;
    reference(FREE, "one0", &ones[FREE]);
    reference(TIED, "one1", &ones[TIED]);
    reference(BAICHUAN, "one2", &ones[BAICHUAN]);
    reference(ADAPTERS, "one3", &ones[ADAPTERS]);
    for (size_t i = 0; i < n; i += every, tried++)
        worst = fmax(worst, try_plan(&variants[i], ones, last));
    print_message("%zu of %zu plans, %.3g off at most\n", tried, n, worst);
}

/* The comparison sees a gradient that is 1e-3 off on one of eight ranks. */
static void a_disturbed_gradient_is_seen(void **state)
{
    enter(state);
    const struct variant v = {.plan = {2, 1, 2, 1, .data = 2}, .zero = 1};
    struct seen_plan one, seen = {.loss = {0}};
    char what[64] = "";
    reference(FREE, "one0", &one);
    for (int rank = 0; rank < 8; rank += 3) {
        const struct disturbance off = {.rank = rank, .n = 2, .factor = 1.001f};
        struct training t = training_of(&v, "many");
        train_variant(&v, &t, &off, &seen);
        assert_true(compare(&one, &seen, "many", FREE, what) > TOLERANCE);
        remove_folder("many");
    }
}

/* ---- ranks that are processes --------------------------------------------------------------- */

static void work_over_tcp(struct comm *comm, const void *context, void *result)
{
    const struct training *t = context;
    const struct train_observer observer = {
        .context = result, .stepped = see_step, .ended = see_end};
    struct err err = ERR_INIT;
    if (train_native(t, comm, &observer, &err) < 0)
        _exit(1);
}

/* Two chunks on each of two stages: activations and gradients go both ways at the same time. */
static void the_same_over_tcp(void **state)
{
    enter(state);
    static const struct variant v = {.plan = {2, 1, 2, 2, .data = 2}, .zero = 3, .family = TIED};
    struct training t = training_of(&v, "many");
    struct seen_plan one, seen[8];
    char what[64] = "";
    reference(TIED, "one1", &one);
    ranks_run(8, work_over_tcp, &t, seen, sizeof *seen);
    assert_true(compare(&one, &seen[0], "many", TIED, what) <= TOLERANCE);
    for (int rank = 1; rank < 8; rank++) {
        assert_true(seen[rank].loss[STEPS] == seen[0].loss[STEPS]);
        assert_string_equal(seen[rank].weights, seen[0].weights);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(every_plan_is_one_rank),
        IN_FOLDER(a_disturbed_gradient_is_seen),
        IN_FOLDER(the_same_over_tcp),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
