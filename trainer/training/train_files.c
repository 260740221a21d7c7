#include "trainer/training/train_files.h"

#include "base/clock.h"
#include "base/files/file.h"
#include "trainer/optimizer/weights.h"
#include "trainer/training/model_files.h"

#include <string.h>

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
