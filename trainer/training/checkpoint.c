#include "trainer/training/checkpoint.h"

#include "base/files/file.h"
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
        checkpoint_dir_list(dir, arena, &names, &n, err) < 0)
        return -1;
    if (n > 0 && checkpoint_step(names[n - 1]) > step)
        return err_set(err, ERR_USAGE,
                       "checkpoint_dir: found %s/%s, expected none behind step %" PRIu64
                       ": resume from it, or name another folder",
                       dir, names[n - 1], step);
    return 0;
}

int checkpoint_prepare(struct checkpoints *c, uint64_t step, struct err *err)
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

int checkpoint_save(struct checkpoints *c, const struct checkpoint_state *state,
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

int checkpoint_resume(struct checkpoints *c, struct checkpoint_state *state,
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
