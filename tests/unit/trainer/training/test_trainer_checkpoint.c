/*
 * Checkpoints: a training that is stopped and resumed, and what is no checkpoint of it. Killed ones
 * are test_trainer_killed.c's; ranks and levels of ZeRO are tests/cli/train/checkpoint.sh's, and
 * here what fails on one rank.
 */
#include "tests/checkpoint_ground.h"

#include "cli/train/choices.h"
#include "tests/tcp_ranks.h"
#include "trainer/training/checkpoint_state.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

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

/* ---- what fails on one rank ------------------------------------------------------------------ */

struct failing {
    const char *folder;
    int rank; /* that cannot add what it should */
};

struct heard {
    int rc;
    char text[256];
};

static int add_unless(void *context, const char *folder, struct err *err)
{
    (void)folder;
    return *(const bool *)context ? err_set(err, ERR_IO, "this rank has nothing to add") : 0;
}

static void save_on(struct comm *comm, const void *context, void *result)
{
    const struct failing *f = context;
    struct heard *h = result;
    bool fails = comm->rank == f->rank;
    struct err err = ERR_INIT;
    struct training t = small;
    const struct train_observer observer = {.context = &fails, .saving = add_unless};
    t.steps = 2;
    t.zero = 1;
    t.checkpoint_dir = f->folder;
    h->rc = train_native(&t, comm, &observer, &err);
    snprintf(h->text, sizeof h->text, "%.255s", err.text);
}

/* Whichever it is: no rank waits for ever, and no half checkpoint has a name. */
static void what_one_rank_cannot_add_all_ranks_hear(void **state)
{
    for (int rank = 0; rank < 3; rank++) {
        const struct failing failing = {in_folder(state, "c"), rank};
        struct heard heard[3];
        ranks_run(3, save_on, &failing, heard, sizeof *heard);
        for (int r = 0; r < 3; r++) {
            assert_int_equal(heard[r].rc, -1);
            assert_string_equal(heard[r].text,
                                "checkpoint of step 2: this rank has nothing to add");
        }
        assert_int_equal(count_in(failing.folder), 0);
    }
}

/* Algorithms whose text is too long, on rank 1 alone. */
static void choose(struct device *d, struct buf *out)
{
    (void)d;
    buf_str(out, "one algorithm\n");
}

static void choose_too_much(struct device *d, struct buf *out)
{
    (void)d;
    for (size_t i = 0; i < CHOICES_MAX / 8; i++)
        buf_str(out, "12345678");
}

static void keep_on(struct comm *comm, const void *context, void *result)
{
    const struct failing *f = context;
    struct heard *h = result;
    const struct machine_kind kind = {.choices = comm->rank == f->rank ? choose_too_much : choose};
    struct machine m = {.kind = &kind,
                        .ranks = {.rank = comm->rank, .world = comm->world},
                        .device = comm->device,
                        .comm = comm};
    struct choices c;
    struct err err = ERR_INIT;
    h->rc = choices_open(&c, &m, &err) < 0 || choices_keep(&c, f->folder, &err) < 0 ? -1 : 0;
    snprintf(h->text, sizeof h->text, "%.255s", err.text);
    choices_close(&c);
}

static void choices_that_one_rank_cannot_tell_all_ranks_miss(void **state)
{
    struct heard heard[3];
    for (int rank = 0; rank < 3; rank++) {
        const struct failing failing = {in_folder(state, "c"), rank};
        char begin[64];
        ranks_run(3, keep_on, &failing, heard, sizeof *heard);
        snprintf(begin, sizeof begin, "rank %d: choices of algorithms", rank);
        for (int r = 0; r < 3; r++) {
            assert_int_equal(heard[r].rc, -1);
            assert_memory_equal(heard[r].text, begin, strlen(begin));
        }
        assert_false(file_exists(in_folder(state, "c/rank0.products.txt")));
    }
    ranks_run(3, keep_on, &(struct failing){in_folder(state, "c"), -1}, heard, sizeof *heard);
    for (int r = 0; r < 3; r++)
        assert_int_equal(heard[r].rc, 0);
    assert_true(file_exists(in_folder(state, "c/rank0.products.txt")));
    assert_true(file_exists(in_folder(state, "c/rank2.products.txt")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(ten_and_ten_steps_are_twenty),
        IN_FOLDER(a_step_may_be_split_otherwise),
        IN_FOLDER(old_ones_go_and_leftovers_too),
        IN_FOLDER(two_trainings_do_not_share_a_folder),
        IN_FOLDER(another_training_is_refused),
        IN_FOLDER(a_damaged_checkpoint_is_refused),
        IN_FOLDER(the_loss_scale_is_kept),
        IN_FOLDER(folders_that_cannot_be_written_are_refused),
        IN_FOLDER(others_may_add_to_a_checkpoint),
        IN_FOLDER(what_one_rank_cannot_add_all_ranks_hear),
        IN_FOLDER(choices_that_one_rank_cannot_tell_all_ranks_miss),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
