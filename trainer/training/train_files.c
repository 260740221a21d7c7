#include "trainer/training/train_files.h"

#include "base/calendar.h"
#include "base/files/file.h"
#include "trainer/optimizer/weights.h"
#include "trainer/tensors/partial_folder.h"
#include "trainer/tensors/tensor_files.h"
#include "trainer/training/checkpoint_dir.h"
#include "trainer/training/model_config.h"
#include "trainer/training/model_files.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* The arrays, and the files that hold them. */
static const struct array_file {
    enum transfer_array array;
    const char *name;
} array_files[] = {
    {TRANSFER_WEIGHTS, NULL}, /* model_file_name's */
    {TRANSFER_M, "adam_m.safetensors"},
    {TRANSFER_V, "adam_v.safetensors"},
};
#define ARRAY_FILES (sizeof array_files / sizeof *array_files)

static const char *checkpoint_array_name(const struct checkpoints *c, size_t i)
{
    return array_files[i].name ? array_files[i].name : model_file_name(c->training);
}

/* Two trainings would take each other's folders away. The lock ends with the process; a file system
 * that knows no locks on folders is no reason not to train. */
static int lock(const char *dir, int *fd, struct err *err)
{
    *fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*fd < 0)
        return err_errno(err, ERR_IO, "%s: cannot open folder", dir);
    if (flock(*fd, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK)
        return err_set(err, ERR_USAGE,
                       "checkpoint_dir: %s: another training is writing checkpoints there", dir);
    return 0;
}

void checkpoint_release(struct checkpoints *c)
{
    if (c->lock >= 0)
        close(c->lock);
    c->lock = -1;
}

static int prepare_checkpoint(struct checkpoints *c, uint64_t step, struct arena *arena,
                              struct err *err)
{
    const char *dir = c->training->checkpoint_dir, **names;
    size_t n;
    if (file_mkdirs(dir, err) < 0 || lock(dir, &c->lock, err) < 0 ||
        checkpoint_dir_clear(dir, arena, err) < 0 ||
        checkpoint_dir_list(dir, "", arena, &names, &n, err) < 0)
        return -1;
    if (n > 0 && checkpoint_step(names[n - 1]) > step)
        return err_set(err, ERR_USAGE,
                       "checkpoint_dir: found %s/%s, expected none behind step %" PRIu64
                       ": resume from it, or name another folder",
                       dir, names[n - 1], step);
    return 0;
}

static int checkpoint_prepare(struct checkpoints *c, uint64_t step, struct err *err)
{
    struct arena arena = ARENA_INIT;
    struct err failed = ERR_INIT;
    if (c->transfer->leads)
        prepare_checkpoint(c, step, &arena, &failed);
    arena_release(&arena);
    return transfer_agree(c->transfer, &failed, err);
}

/* ---- writing -------------------------------------------------------------------------------- */

static size_t file_bytes(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 ? (size_t)st.st_size : 0;
}

static int save_arrays(struct checkpoints *c, struct partial_folder *partial, size_t *bytes,
                       struct err *err)
{
    *bytes = 0;
    for (size_t i = 0; i < ARRAY_FILES; i++) {
        const char *path = partial_folder_path(partial, checkpoint_array_name(c, i));
        if (model_file_save(c->transfer, array_files[i].array, model_trained(c->transfer), path,
                            err) < 0)
            return -1;
        *bytes += c->transfer->leads ? file_bytes(path) : 0;
    }
    return transfer_share(c->transfer, bytes, sizeof *bytes, err);
}

/* On rank 0: what remains once the arrays are there. */
static int complete(struct checkpoints *c, struct partial_folder *partial,
                    const struct checkpoint_state *state, struct err *err)
{
    const struct training *t = c->training;
    if (model_config_save(c->transfer->optimizer->zero->model, t, partial, err) < 0 ||
        checkpoint_state_write(partial_folder_path(partial, CHECKPOINT_STATE_NAME), state, t,
                               &c->context, err) < 0 ||
        partial_folder_commit(partial, err) < 0)
        return -1;
    return checkpoint_dir_prune(t->checkpoint_dir, t->checkpoint_keep, &partial->arena, err);
}

/* What the observer has to add. Any rank may fail in it, and all hear of the first that did. */
static int add_to(struct checkpoints *c, struct partial_folder *partial,
                  const struct train_observer *observer, struct err *err)
{
    struct err failed = ERR_INIT;
    if (!observer->saving)
        return 0;
    observer->saving(observer->context, partial->partial, &failed);
    return transfer_agree_all(c->transfer, &failed, err);
}

static int save(struct checkpoints *c, struct partial_folder *partial,
                const struct checkpoint_state *state, const struct train_observer *observer,
                size_t *bytes, struct err *err)
{
    struct err failed = ERR_INIT;
    if (c->transfer->leads)
        partial_folder_begin(partial, &failed);
    if (transfer_agree(c->transfer, &failed, err) < 0 || save_arrays(c, partial, bytes, err) < 0 ||
        add_to(c, partial, observer, err) < 0)
        return -1;
    if (c->transfer->leads)
        complete(c, partial, state, &failed);
    return transfer_agree(c->transfer, &failed, err);
}

/* One more in training->checkpoint_dir, to which the observer may add. Fills step, path (lives
 * until `arena` is released) and bytes of *saved. */
static int checkpoint_save(struct checkpoints *c, const struct checkpoint_state *state,
                           const struct train_observer *observer, struct arena *arena,
                           struct train_saved *saved, struct err *err)
{
    struct partial_folder partial;
    struct checkpoint_state now = *state;
    const char *name = checkpoint_name(state->step, arena);
    const char *path = path_join(arena, c->training->checkpoint_dir, name);
    now.optimizer_steps = c->transfer->optimizer->steps;
    partial_folder_init(&partial, path);
    int rc = save(c, &partial, &now, observer, &saved->bytes, err);
    partial_folder_end(&partial, c->transfer->leads);
    saved->step = (int)state->step;
    saved->path = path;
    return rc < 0 ? err_prefix(err, "checkpoint of step %" PRIu64, state->step) : 0;
}

/* ---- resuming ------------------------------------------------------------------------------- */

static int load_arrays(struct checkpoints *c, const char *path, struct arena *arena,
                       char sha256[HASH_HEX_SIZE], struct err *err)
{
    for (size_t i = 0; i < ARRAY_FILES; i++)
        if (model_files_load(c->transfer, array_files[i].array, model_trained(c->transfer),
                             path_join(arena, path, checkpoint_array_name(c, i)),
                             array_files[i].array == TRANSFER_WEIGHTS ? sha256 : NULL, err) < 0)
            return -1;
    return 0;
}

/* On rank 0: which checkpoint, and its state. */
static int read_checkpoint_on_rank_0(struct checkpoints *c, struct checkpoint_state *state,
                                     struct arena *arena, const char **path, struct err *err)
{
    if (checkpoint_find(c->training->resume, arena, path, err) < 0)
        return -1;
    return checkpoint_state_read(path_join(arena, *path, CHECKPOINT_STATE_NAME), state, c->training,
                                 &c->context, err);
}

/*
 * Weights, moments and state from `training->resume`: one checkpoint, or a folder of them, whose
 * newest is taken. ERR_INPUT when there is none, when it is malformed, or when it is one of
 * another training: the file, what was found and what was expected. `sha256` as model_files_load's.
 */
static int checkpoint_resume(struct checkpoints *c, struct checkpoint_state *state,
                             char sha256[HASH_HEX_SIZE], struct err *err)
{
    struct arena arena = ARENA_INIT;
    struct err failed = ERR_INIT;
    const char *path = c->training->resume; /* the others only name it */
    if (c->transfer->leads)
        read_checkpoint_on_rank_0(c, state, &arena, &path, &failed);
    int rc = transfer_agree(c->transfer, &failed, err);
    if (rc == 0)
        rc = transfer_share(c->transfer, state, sizeof *state, err);
    if (rc == 0)
        rc = load_arrays(c, path, &arena, sha256, err);
    if (rc == 0)
        c->transfer->optimizer->steps = state->optimizer_steps;
    arena_release(&arena);
    return rc;
}

bool train_files_wanted(const struct training *t, bool weights_are_whole)
{
    return !weights_are_whole || t->initial_weights || t->resume || t->each_looked ||
           t->checkpoint_dir || t->initial_projector || t->initial_tower || t->final_weights;
}

int train_files_open(struct train_files *f, const struct training *t, struct optimizer *optimizer,
                     const struct checkpoint_context *context, struct err *err)
{
    *f = (struct train_files){.training = t, .optimizer = optimizer};
    f->checkpoints = (struct checkpoints){t, &f->transfer, *context, -1};
    bool wanted = train_files_wanted(t, weights_are_whole(optimizer->zero));
    return wanted ? transfer_init(&f->transfer, optimizer, err) : 0;
}

void train_files_close(struct train_files *f)
{
    if (f->training)
        checkpoint_release(&f->checkpoints);
    transfer_release(&f->transfer);
}

size_t train_files_bytes(const struct train_files *f)
{
    return f->transfer.part ? transfer_bytes(f->transfer.part, transfer_collects(&f->transfer)) : 0;
}

/* Something that lies in files of its own, beside what is frozen? */
static bool trains_beside(const struct training *t)
{
    return t->lora.r > 0 || t->projector_alone;
}

/* Adapters, and a projector that is trained alone, are beside a model, which their checkpoints do
 * not have, and given weights have none. */
bool train_files_draws(const struct training *t)
{
    return trains_beside(t) || !(t->resume || t->initial_weights);
}

static int given_weights(struct train_files *f, struct err *err)
{
    const struct training *t = f->training;
    const char *wanted = t->initial_sha256 ? t->initial_sha256 : "";
    enum model_tensors which = t->initial_projector ? TENSORS_OF_LANGUAGE : TENSORS_OF_MODEL;
    if (model_files_load(&f->transfer, TRANSFER_WEIGHTS, which, t->initial_weights,
                         f->initial_sha256, err) < 0)
        return -1;
    if (!*wanted || strcmp(wanted, f->initial_sha256) == 0)
        return 0;
    return err_set(err, ERR_INPUT,
                   "initial weights: %s: found values of SHA-256 %s, expected those of %s",
                   t->initial_weights, f->initial_sha256, wanted);
}

/* Ranks that do not begin at one step would wait for each other for ever. */
static int agree_to_resume(struct train_files *f, struct err *err)
{
    struct err failed = ERR_INIT;
    bool here = f->training->resume, on_rank_0 = here;
    if (!f->training->each_looked)
        return 0;
    if (transfer_share(&f->transfer, &on_rank_0, sizeof on_rank_0, err) < 0)
        return -1;
    if (here != on_rank_0)
        err_set(&failed, ERR_INPUT,
                "resume: found %s checkpoint here, but rank 0 found %s; expected a folder of runs "
                "that all ranks share",
                here ? "a" : "no", on_rank_0 ? "one" : "none");
    return transfer_agree_all(&f->transfer, &failed, err);
}

static int first_weights(struct train_files *f, struct checkpoint_state *state, struct err *err)
{
    const struct training *t = f->training;
    if (agree_to_resume(f, err) < 0)
        return -1;
    if (train_files_draws(t) &&
        weights_initialise(f->optimizer, (float)t->init_std, t->seed, err) < 0)
        return -1;
    if (t->initial_weights && (!t->resume || trains_beside(t)) && given_weights(f, err) < 0)
        return -1;
    if (t->initial_projector && !t->resume &&
        model_files_load(&f->transfer, TRANSFER_WEIGHTS, TENSORS_OF_PROJECTOR, t->initial_projector,
                         NULL, err) < 0)
        return -1;
    if (!t->resume)
        return 0;
    if (checkpoint_resume(&f->checkpoints, state, f->resumed_sha256, err) < 0)
        return -1;
    memcpy(f->initial_sha256, state->initial_sha256, sizeof f->initial_sha256);
    return 0;
}

static int check_final(struct train_files *f, struct err *err)
{
    struct err failed = ERR_INIT;
    if (f->transfer.leads && file_exists(f->training->final_weights))
        err_set(&failed, ERR_USAGE, "final_weights: %s: there already, expected a new folder",
                f->training->final_weights);
    return transfer_agree(&f->transfer, &failed, err);
}

int train_files_begin(struct train_files *f, struct checkpoint_state *state, struct err *err)
{
    const struct training *t = f->training;
    if (t->final_weights && check_final(f, err) < 0)
        return -1;
    if (first_weights(f, state, err) < 0)
        return -1;
    f->saved = state->step;
    return t->checkpoint_dir ? checkpoint_prepare(&f->checkpoints, state->step, err) : 0;
}

int train_files_stepped(struct train_files *f, const struct checkpoint_state *state, bool last,
                        const struct train_observer *observer, struct err *err)
{
    const struct training *t = f->training;
    bool due = t->checkpoint_every > 0 && state->step % (uint64_t)t->checkpoint_every == 0;
    struct checkpoint_state now = *state;
    struct train_saved saved;
    struct arena arena = ARENA_INIT;
    double began = clock_seconds();
    if (!t->checkpoint_dir || !(due || last) || state->step == f->saved)
        return 0;
    memcpy(now.initial_sha256, f->initial_sha256, sizeof now.initial_sha256);
    int rc = checkpoint_save(&f->checkpoints, &now, observer, &arena, &saved, err);
    saved.seconds = clock_seconds() - began;
    f->saved = state->step;
    if (rc == 0 && observer->saved)
        observer->saved(observer->context, &saved);
    arena_release(&arena);
    return rc;
}

int train_files_end(struct train_files *f, struct err *err)
{
    const struct training *t = f->training;
    return t->final_weights ? model_folder_save(&f->transfer, t, t->final_weights, err) : 0;
}
