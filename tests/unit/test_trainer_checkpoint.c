/*
 * Checkpoints and weights in files: a training that is stopped, resumed, killed or given files of
 * others. Ranks and levels of ZeRO are tests/cli/checkpoint.sh's.
 */
#include "tests/unit/folder.h"

#include "tests/small_training.h"
#include "tests/trainer_ground.h"
#include "trainer/checkpoint_state.h"
#include "trainer/model_files.h"
#include "trainer/tensor_files.h"
#include "trainer/train.h"
#include "trainer/train_settings.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- trainings ----------------------------------------------------------------------------- */

static const struct training small = {
    SMALL_TRAINING,
    .layers = 2,
    .hidden = 32,
    .ffn = 48,
    .sequence_length = 16,
    .micro_batch = 2,
    .gradient_accumulation = 2,
    .steps = 20,
    .warmup_steps = 2,
    .lr = 3e-3,
    .min_lr = 3e-4,
    .seed = 18446744073709551615u,
};

struct seen {
    int stop_after, resumed, first_saved, saved, steps;
    double loss[21];
    char weights[65], path[256], initial[65], went_on[65];
};

static int see_start(void *context, const struct train_start *start)
{
    struct seen *s = context;
    s->resumed = start->resumed;
    snprintf(s->initial, sizeof s->initial, "%s",
             start->initial_sha256 ? start->initial_sha256 : "");
    snprintf(s->went_on, sizeof s->went_on, "%s",
             start->resumed_sha256 ? start->resumed_sha256 : "");
    return 0;
}

static int see_step(void *context, const struct train_step *step)
{
    struct seen *s = context;
    s->loss[step->step] = step->loss;
    return step->step == s->stop_after;
}

static void see_saved(void *context, const struct train_saved *saved)
{
    struct seen *s = context;
    if (!s->first_saved)
        s->first_saved = saved->step;
    s->saved = saved->step;
    assert_true(file_exists(saved->path));
    assert_true(saved->bytes > 0 && saved->seconds > 0);
    snprintf(s->path, sizeof s->path, "%s", saved->path);
}

static void see_end(void *context, const struct train_end *end)
{
    struct seen *s = context;
    s->steps = end->steps;
    snprintf(s->weights, sizeof s->weights, "%s", end->weights_sha256);
}

static int train(const struct training *t, struct seen *seen, struct err *err)
{
    const struct train_observer observer = {.context = seen,
                                            .started = see_start,
                                            .stepped = see_step,
                                            .ended = see_end,
                                            .saved = see_saved};
    return train_on_cpu(t, &observer, err);
}

static void trains(const struct training *t, struct seen *seen)
{
    struct err err = ERR_INIT;
    if (train(t, seen, &err) < 0)
        fail_msg("%s", err.text);
}

static void refuses(const struct training *t, enum err_kind kind, const char *message)
{
    struct err err = ERR_INIT;
    struct seen seen = {0};
    assert_int_equal(train(t, &seen, &err), -1);
    if (!strstr(err.text, message) || err.kind != kind)
        fail_msg("%d: %s\n    expected %d: %s", err.kind, err.text, kind, message);
    assert_int_equal(seen.steps, 0);
}

static void ten_and_ten_steps_are_twenty(void **state)
{
    struct seen whole = {0}, both = {.stop_after = 10};
    struct training t = small;
    trains(&t, &whole);
    t.checkpoint_dir = in_folder(state, "a/b");
    trains(&t, &both);
    assert_int_equal(both.saved, 10);
    t.resume = t.checkpoint_dir;
    both.stop_after = 0;
    trains(&t, &both);
    assert_int_equal(both.resumed, 10);
    assert_int_equal(both.saved, 20);
    assert_int_equal(both.steps, 20);
    assert_memory_equal(whole.loss, both.loss, sizeof whole.loss);
    assert_string_equal(whole.weights, both.weights);

    /* at its end there is nothing left to do, and nothing to write */
    struct seen none = {0};
    trains(&t, &none);
    assert_int_equal(none.resumed, 20);
    assert_int_equal(none.saved, 0);
    assert_string_equal(whole.weights, none.weights);
}

static void a_step_may_be_split_otherwise(void **state)
{
    struct seen whole = {0}, resumed = {.stop_after = 10};
    struct training t = small;
    trains(&t, &whole);
    t.checkpoint_dir = in_folder(state, "c");
    trains(&t, &resumed);
    t.resume = resumed.path;
    t.micro_batch = 4;
    t.gradient_accumulation = 1;
    t.recompute = RECOMPUTE_FULL;
    resumed.stop_after = 0;
    trains(&t, &resumed);
    for (int i = 1; i <= 20; i++)
        assert_float_equal(whole.loss[i] / resumed.loss[i], 1, 1e-4);
}

static size_t count_in(const char *path)
{
    struct arena arena = ARENA_INIT;
    struct err err = ERR_INIT;
    struct dir_entry *entries;
    size_t n;
    assert_int_equal(dir_list(path, &arena, &entries, &n, &err), 0);
    arena_release(&arena);
    return n;
}

static void old_ones_go_and_leftovers_too(void **state)
{
    struct err err = ERR_INIT;
    struct seen seen = {0};
    struct training t = small;
    t.checkpoint_dir = in_folder(state, "c");
    t.checkpoint_every = 3;
    t.checkpoint_keep = 2;
    assert_int_equal(file_write(in_folder(state, "c/step-000000009.partial/junk"), "x", 1, &err),
                     0);
    assert_int_equal(file_write(in_folder(state, "c/step-9/mine"), "x", 1, &err), 0);
    assert_int_equal(file_write(in_folder(state, "c/step-000000001x"), "x", 1, &err), 0);
    trains(&t, &seen);
    assert_int_equal(seen.first_saved, 3);
    assert_int_equal(seen.saved, 20);
    assert_int_equal(count_in(t.checkpoint_dir), 4); /* two, and two that are not ours */
    assert_true(file_exists(in_folder(state, "c/step-000000018/training.json")));
    assert_true(file_exists(in_folder(state, "c/step-000000020/training.json")));
    assert_true(file_exists(in_folder(state, "c/step-9/mine")));

    refuses(&t, ERR_USAGE, "/c/step-000000020, expected none behind step 0: resume from it");
    t.resume = in_folder(state, "c/step-000000018");
    refuses(&t, ERR_USAGE, "/c/step-000000020, expected none behind step 18");
}

/* ---- a training that is killed ------------------------------------------------------------- */

/* The system calls that change a folder end the process when the countdown does: 0 never ends. */
static int countdown;

static void count_call(void)
{
    if (countdown > 0 && --countdown == 0)
        _exit(9);
}

/* Bytes that the disk has room for; negative: any number. */
static long long room = -1;

int mkdir(const char *path, mode_t mode)
{
    count_call();
    return mkdirat(AT_FDCWD, path, mode);
}

int rename(const char *from, const char *to)
{
    count_call();
    return renameat(AT_FDCWD, from, AT_FDCWD, to);
}

int unlinkat(int fd, const char *path, int flags)
{
    count_call();
    return (int)syscall(SYS_unlinkat, fd, path, flags);
}

int fsync(int fd)
{
    count_call();
    (void)fd; /* the power stays on here */
    return 0;
}

ssize_t write(int fd, const void *data, size_t n)
{
    count_call();
    if (room >= 0 && (long long)n > room) {
        errno = ENOSPC;
        return -1;
    }
    room -= room >= 0 ? (long long)n : 0;
    return syscall(SYS_write, fd, data, n);
}

/* Trains in a process that ends at the n-th of these calls; is it the training's own end? */
static bool trains_until(const struct training *t, int n)
{
    int status;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        struct seen seen = {0};
        struct err err = ERR_INIT;
        countdown = n;
        _exit(train(t, &seen, &err) < 0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && (WEXITSTATUS(status) == 9 || WEXITSTATUS(status) == 0));
    return WEXITSTATUS(status) == 0;
}

static size_t count_checkpoints(const char *path)
{
    struct arena arena = ARENA_INIT;
    struct err err = ERR_INIT;
    struct dir_entry *entries;
    size_t n = 0, found = 0;
    if (file_exists(path))
        assert_int_equal(dir_list(path, &arena, &entries, &n, &err), 0);
    for (size_t i = 0; i < n; i++)
        found += strlen(entries[i].name) == strlen("step-000000001");
    arena_release(&arena);
    return found;
}

/* Wherever it is killed, what is there is whole: the training goes on from it and ends as if it
 * had not been. Once there is a checkpoint there always is one, old or new. */
static void a_killed_training_goes_on(void **state)
{
    struct seen whole = {0};
    struct err err = ERR_INIT;
    struct training t = small;
    bool ends = false, ever = false;
    t.steps = 2;
    t.layers = 1;
    trains(&t, &whole);
    t.checkpoint_dir = in_folder(state, "c");
    t.checkpoint_every = t.checkpoint_keep = 1;
    for (int n = 1; !ends; n++) {
        struct seen resumed = {0};
        t.resume = NULL;
        ends = trains_until(&t, n);
        size_t there = count_checkpoints(t.checkpoint_dir);
        assert_true(there > 0 || !ever);
        ever = there > 0;
        t.resume = ever ? t.checkpoint_dir : NULL;
        trains(&t, &resumed);
        assert_string_equal(whole.weights, resumed.weights);
        assert_int_equal(count_in(t.checkpoint_dir), ever && resumed.saved == 0 ? there : 1);
        assert_int_equal(file_remove_tree(t.checkpoint_dir, &err), 0);
        assert_true(n < 1000);
    }
    assert_true(ever);
}

/* A full disk ends the training with the file's name; what was there before stays, alone. */
static void a_full_disk_leaves_the_last_checkpoint(void **state)
{
    struct seen seen = {0};
    struct err err = ERR_INIT;
    struct training t = small;
    t.checkpoint_dir = in_folder(state, "c");
    t.checkpoint_every = 1;
    room = 700000; /* one has 290,000 bytes */
    int rc = train(&t, &seen, &err);
    room = -1;
    assert_int_equal(rc, -1);
    assert_int_equal(err.kind, ERR_IO);
    assert_non_null(strstr(err.text, "checkpoint of step 3: "));
    assert_non_null(
        strstr(err.text, "step-000000003.partial/adam_m.safetensors: cannot write: No space"));
    assert_int_equal(seen.saved, 2);
    assert_int_equal(count_in(t.checkpoint_dir), 2);
    t.resume = t.checkpoint_dir;
    trains(&t, &seen);
    assert_int_equal(seen.resumed, 2);
}

static void two_trainings_do_not_share_a_folder(void **state)
{
    struct training t = small;
    t.checkpoint_dir = in_folder(state, "c");
    assert_int_equal(mkdir(t.checkpoint_dir, 0777), 0);
    int fd = open(t.checkpoint_dir, O_RDONLY);
    assert_int_equal(flock(fd, LOCK_EX), 0);
    refuses(&t, ERR_USAGE, "another training is writing checkpoints there");
    close(fd);
    trains(&t, &(struct seen){0});
}

/* ---- what does not fit --------------------------------------------------------------------- */

static void another_training_is_refused(void **state)
{
    struct seen seen = {.stop_after = 5};
    struct training t = small, other;
    t.checkpoint_dir = in_folder(state, "c");
    trains(&t, &seen);
    t.resume = t.checkpoint_dir;
    t.checkpoint_dir = NULL;
#define REFUSES(change, message)             \
    do {                                     \
        other = t;                           \
        change;                              \
        refuses(&other, ERR_INPUT, message); \
    } while (0)
    REFUSES(other.layers = 3, "step-000000005/training.json:10: layers: found 2, expected 3");
    REFUSES(other.tied = true, "tied: found false, expected true");
    REFUSES(other.lr = 0.004, "lr: found 0.003, expected 0.004");
    REFUSES(other.seed = 7, "seed: found 18446744073709551615, expected 7");
    REFUSES(other.steps = 21, "steps: found 20, expected 21");
    REFUSES(other.micro_batch = 4, "sequences_per_step: found 4, expected 8");
    REFUSES(other.sequence_length = 8, "sequence_length: found 16, expected 8");
    REFUSES(other.resume = in_folder(state, "none"), "resume: ");
    REFUSES(other.resume = in_folder(state, ""), "found neither training.json nor a folder");
#undef REFUSES
}

/* Replaces the first `from` in a file by `to`. */
static void file_replace(const char *path, const char *from, const char *to)
{
    struct arena arena = ARENA_INIT;
    struct err err = ERR_INIT;
    struct bytes file;
    struct buf out;
    assert_int_equal(file_read(path, 1 << 20, &arena, &file, &err), 0);
    const char *at = memmem(file.data, file.len, from, strlen(from));
    assert_non_null(at);
    buf_init(&out, BUF_DEFAULT_MAX);
    buf_add(&out, file.data, (size_t)(at - file.data));
    buf_str(&out, to);
    at += strlen(from);
    buf_add(&out, at, (size_t)(file.data + file.len - at));
    assert_int_equal(file_write(path, out.data, out.len, &err), 0);
    buf_release(&out);
    arena_release(&arena);
}

static void a_damaged_checkpoint_is_refused(void **state)
{
    static const struct {
        const char *file, *from, *to, *message;
    } cases[] = {
        {"training.json", "checkpoint/1", "checkpoint/9",
         "training.json:2: format: found fpreport.checkpoint/9, expected fpreport.checkpoint/1"},
        {"training.json", "\"step\": 5", "\"step\": 4.5",
         "step: found 4.5, expected a whole number"},
        {"training.json", "\"step\": 5", "\"step\": 21",
         "step: found 21, expected a whole number up to 20"},
        {"training.json", "\"sequences\": 20", "\"sequences\": 24",
         "sequences: found 24, expected 20"},
        {"training.json", "\"optimizer_steps\": 5", "\"optimizer_steps\": 6",
         "optimizer_steps: found 6, expected a whole number up to 5"},
        {"training.json", "\"loss_scale\": 1", "\"loss_scale\": -1", "loss_scale: found -1"},
        {"training.json", "\"precision\": \"fp32\"", "\"precision\": \"bf16\"",
         "precision: found bf16, expected fp32"},
        {"training.json", "\"tied\": false", "\"tied\": \"false\"", "tied: found false"},
        {"training.json", "\"vocab\": 128,", "", "vocab: found none, expected 128"},
        {"training.json", "\"vocab\": 128", "\"more\": 1, \"vocab\": 128",
         "settings: found an object, expected only those of this version"},
        {"training.json", "{", "", "training.json:2:"},
        {"adam_m.safetensors", "\"F32\"", "\"F64\"", "adam_m.safetensors: tensor lm_head.weight: "},
        {"adam_v.safetensors", "model.norm.weight", "model.nose.weight",
         "adam_v.safetensors: model.norm.weight: missing; model.nose.weight: found, but the model "
         "has none"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct seen seen = {.stop_after = 5};
        struct err err = ERR_INIT;
        struct training t = small;
        char path[512];
        t.checkpoint_dir = in_folder(state, "c");
        trains(&t, &seen);
        snprintf(path, sizeof path, "%s/%s", seen.path, cases[i].file);
        file_replace(path, cases[i].from, cases[i].to);
        t.resume = t.checkpoint_dir;
        refuses(&t, ERR_INPUT, cases[i].message);
        assert_int_equal(file_remove_tree(t.checkpoint_dir, &err), 0);
    }
}

/* A state with more in it than a processor's training has. */
static void the_loss_scale_is_kept(void **state)
{
    const char *path = in_folder(state, "training.json");
    const struct checkpoint_context context = {.sequences_per_step = 4, .data_sha256 = "ab"};
    const struct checkpoint_state written = {12, 9, {true, 0x1p40f, 999}, ""};
    struct checkpoint_state read = {.loss_scale.moves = true};
    struct err err = ERR_INIT;
    assert_int_equal(checkpoint_state_write(path, &written, &small, &context, &err), 0);
    assert_int_equal(checkpoint_state_read(path, &read, &small, &context, &err), 0);
    assert_true(read.step == 12 && read.optimizer_steps == 9);
    assert_true(read.loss_scale.scale == 0x1p40f && read.loss_scale.calm == 999);
    assert_true(read.loss_scale.moves);
}

static void folders_that_cannot_be_written_are_refused(void **state)
{
    struct err err = ERR_INIT;
    struct training t = small;
    t.checkpoint_every = 5;
    refuses(&t, ERR_USAGE, "checkpoint_every: found 5, expected 0 without a checkpoint_dir");
    t.checkpoint_dir = in_folder(state, "file");
    assert_int_equal(file_write(t.checkpoint_dir, "x", 1, &err), 0);
    refuses(&t, ERR_IO, "file: not a folder");
    t = small;
    t.final_weights = *state;
    refuses(&t, ERR_USAGE, "there already, expected a new folder");
}

/* ---- weights of others --------------------------------------------------------------------- */

static void final_weights_are_initial_weights(void **state)
{
    struct seen one = {0}, zero = {0};
    struct training t = small;
    t.steps = 2;
    t.final_weights = in_folder(state, "out/");
    trains(&t, &one);
    assert_int_equal(count_in(t.final_weights), 2);
    t.initial_weights = t.final_weights;
    t.final_weights = NULL;
    t.seed = 1;
    t.lr = t.min_lr = 0; /* nothing is learnt: the weights stay as they were loaded */
    trains(&t, &zero);
    assert_string_equal(one.weights, zero.weights);
}

/* Which weights a training began with is known to all that go on with it, and held to. */
static void first_weights_are_told(void **state)
{
    static const char other[] = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
    struct seen one = {0}, begun = {.stop_after = 10}, on = {0};
    struct training t = small, drawn;
    t.final_weights = in_folder(state, "w");
    trains(&t, &one);
    assert_string_equal(one.initial, "");
    assert_string_equal(one.went_on, "");
    t.initial_weights = t.final_weights;
    t.final_weights = NULL;
    t.checkpoint_dir = in_folder(state, "c");
    t.initial_sha256 = other;
    refuses(&t, ERR_INPUT, "expected those of 0123456789abcdef");
    t.initial_sha256 = one.weights; /* fp32: what lies in memory is what is in the file */
    trains(&t, &begun);
    assert_string_equal(begun.initial, one.weights);
    assert_string_equal(begun.went_on, "");
    t.resume = t.checkpoint_dir;
    drawn = t;
    drawn.initial_weights = drawn.initial_sha256 = NULL;
    refuses(&drawn, ERR_INPUT, "expected null, since the weights are drawn from the seed");
    t.initial_sha256 = other;
    refuses(&t, ERR_INPUT, "expected 0123456789abcdef");
    t.initial_sha256 = NULL; /* any will do */
    trains(&t, &on);
    assert_string_equal(on.initial, one.weights);
    assert_string_equal(on.went_on, begun.weights);
}

/* ---- what others add ----------------------------------------------------------------------- */

static int add_one(void *context, const char *folder, struct err *err)
{
    char path[512];
    snprintf(path, sizeof path, "%s/added", folder);
    assert_true(strstr(folder, ".partial") != NULL);
    return file_write(path, context, strlen(context), err);
}

static int add_none(void *context, const char *folder, struct err *err)
{
    (void)folder;
    return err_set(err, ERR_IO, "%s", (const char *)context);
}

static void others_may_add_to_a_checkpoint(void **state)
{
    struct err err = ERR_INIT;
    struct training t = small;
    char what[] = "which algorithms";
    struct train_observer observer = {.context = what, .saving = add_one};
    t.checkpoint_dir = in_folder(state, "c");
    t.checkpoint_every = 10;
    assert_int_equal(train_on_cpu(&t, &observer, &err), 0);
    assert_true(file_exists(in_folder(state, "c/step-000000010/added")));
    assert_true(file_exists(in_folder(state, "c/step-000000020/added")));
    t.resume = in_folder(state, "c/step-000000010");
    t.checkpoint_dir = in_folder(state, "d");
    observer.saving = add_none;
    assert_int_equal(train_on_cpu(&t, &observer, &err), -1);
    assert_int_equal(err.kind, ERR_IO);
    assert_string_equal(err.text, "checkpoint of step 20: which algorithms");
    assert_int_equal(count_in(t.checkpoint_dir), 0);
}

static void ground(struct ground *g, struct transfer *transfer, const struct training *t)
{
    struct err err = ERR_INIT;
    struct model_shape shape = training_model_shape(t);
    struct adamw adamw = training_adamw(t);
    if (ground_open(g, &shape, &adamw, &err) < 0 ||
        weights_initialise(&g->optimizer, 1, t->seed, &err) < 0 ||
        transfer_init(transfer, &g->optimizer, &err) < 0)
        fail_msg("%s", err.text);
    transfer->part = 1000; /* fewer than it has room for: tensors travel in several parts */
}

static void unground(struct ground *g, struct transfer *transfer)
{
    transfer_release(transfer);
    ground_close(g);
}

/* A file as others write it: narrow tensors, in an order of their own, with a buffer beside. */
static void narrow_file_make(const char *path, const struct model *m, enum safetensors_type type)
{
    struct buf header, data;
    struct err err = ERR_INIT;
    buf_init(&header, BUF_DEFAULT_MAX);
    buf_init(&data, BUF_DEFAULT_MAX);
    buf_str(&header, "{\"model.layers.0.self_attn.rotary_emb.inv_freq\": {\"dtype\": \"F32\", "
                     "\"shape\": [1], \"data_offsets\": [0, 4]}");
    buf_add(&data, "\0\0\0\0", 4);
    for (size_t i = m->n_parameters; i-- > 0;) {
        const struct parameter *p = &m->parameters[i];
        size_t n = p->rows * p->width, begin = data.len;
        for (size_t k = 0; k < n; k++) {
            /* 1 + k % 8 / 8, which all formats know */
            unsigned eighths = k % 8;
            uint16_t bits = (uint16_t)(type == SAFETENSORS_BF16 ? 0x3F80 | eighths << 4
                                                                : 0x3C00 | eighths << 7);
            buf_add(&data, (const char *)&bits, 2);
        }
        buf_printf(&header, ", \"%s\": {\"shape\": [", p->name);
        if (!p->is_vector)
            buf_printf(&header, "%zu, ", p->rows);
        buf_printf(&header, "%zu], \"data_offsets\": [%zu, %zu], \"dtype\": \"%s\"}", p->width,
                   begin, data.len, safetensors_type_name(type));
    }
    buf_str(&header, "}");
    struct buf file;
    buf_init(&file, BUF_DEFAULT_MAX);
    buf_add(&file, (const char *)&(uint64_t){header.len}, 8);
    buf_add(&file, header.data, header.len);
    buf_add(&file, data.data, data.len);
    assert_int_equal(file_write(path, file.data, file.len, &err), 0);
    buf_release(&header);
    buf_release(&data);
    buf_release(&file);
}

static void narrow_weights_load_exactly(void **state)
{
    static const enum safetensors_type types[] = {SAFETENSORS_BF16, SAFETENSORS_F16};
    for (int i = 0; i < 2; i++) {
        struct ground g;
        struct transfer transfer;
        struct err err = ERR_INIT;
        const char *path = in_folder(state, "narrow.safetensors");
        ground(&g, &transfer, &small);
        narrow_file_make(path, g.model, types[i]);
        if (model_files_load(&transfer, TRANSFER_WEIGHTS, path, NULL, &err) < 0)
            fail_msg("%s", err.text);
        for (size_t k = 0; k < g.model->n_parameters; k++) {
            const struct parameter *p = &g.model->parameters[k];
            const float *w = (const float *)g.model->weights + p->offset;
            for (size_t j = 0; j < p->rows * p->width; j++)
                assert_true(w[j] == 1 + (float)(j % 8) / 8);
        }
        unground(&g, &transfer);
    }
}

/* Where weights are narrower than fp32, the masters are what is written and read. */
static void masters_are_saved_exactly(void **state)
{
    struct ground g;
    struct transfer transfer;
    struct err err = ERR_INIT;
    const char *path = in_folder(state, "masters.safetensors");
    ground(&g, &transfer, &small);
    struct optimizer *o = &g.optimizer;
    size_t n = g.zero.n_state;
    assert_int_equal(g.device->operations->alloc(g.device, (void **)&o->master, n * 4, &err), 0);
    for (size_t i = 0; i < n; i++)
        o->master[i] = (float)i + 0.25f;
    assert_int_equal(model_file_save(&transfer, TRANSFER_WEIGHTS, path, &err), 0);
    memset(o->master, 0, n * 4);
    assert_int_equal(model_files_load(&transfer, TRANSFER_WEIGHTS, path, NULL, &err), 0);
    for (size_t k = 0; k < g.model->n_parameters; k++) {
        const struct parameter *p = &g.model->parameters[k];
        for (size_t j = p->offset; j < p->offset + p->rows * p->width; j++)
            assert_true(o->master[j] == (float)j + 0.25f &&
                        ((float *)g.model->weights)[j] == o->master[j]);
    }
    unground(&g, &transfer);
}

static void weights_of_another_model_are_refused(void **state)
{
    struct seen seen = {0};
    struct training t = small, other;
    t.steps = 2;
    t.final_weights = in_folder(state, "out");
    trains(&t, &seen);
    t.final_weights = NULL;
    t.initial_weights = in_folder(state, "out");
    other = t;
    other.vocab = 256;
    refuses(&other, ERR_INPUT,
            "model.embed_tokens.weight: found [128, 32], expected [256, 32]; lm_head.weight: found "
            "[128, 32], expected [256, 32]");
    other = t;
    other.tied = true;
    refuses(&other, ERR_INPUT, "out: lm_head.weight: found, but the model has none");
    other = t;
    other.layers = 3;
    refuses(&other, ERR_INPUT, "model.layers.2.input_layernorm.weight: missing; ");
    refuses(&other, ERR_INPUT, "; and 3 more");
    other = t;
    other.kv_heads = 4;
    refuses(&other, ERR_INPUT, "k_proj.weight: found [16, 32], expected [32, 32]");
    other = t;
    other.initial_weights = in_folder(state, "none");
    refuses(&other, ERR_INPUT, "none: No such file");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(ten_and_ten_steps_are_twenty),
        IN_FOLDER(a_step_may_be_split_otherwise),
        IN_FOLDER(old_ones_go_and_leftovers_too),
        IN_FOLDER(a_killed_training_goes_on),
        IN_FOLDER(a_full_disk_leaves_the_last_checkpoint),
        IN_FOLDER(two_trainings_do_not_share_a_folder),
        IN_FOLDER(another_training_is_refused),
        IN_FOLDER(a_damaged_checkpoint_is_refused),
        IN_FOLDER(the_loss_scale_is_kept),
        IN_FOLDER(folders_that_cannot_be_written_are_refused),
        IN_FOLDER(final_weights_are_initial_weights),
        IN_FOLDER(first_weights_are_told),
        IN_FOLDER(others_may_add_to_a_checkpoint),
        IN_FOLDER(narrow_weights_load_exactly),
        IN_FOLDER(masters_are_saved_exactly),
        IN_FOLDER(weights_of_another_model_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
