#include "cli/train/training_files.h"

#include "base/files/dir.h"
#include "base/files/file.h"
#include "base/json/json.h"
#include "base/sealed/submission.h"
#include "cli/train/native_settings.h"
#include "trainer/training/checkpoint_dir.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

#define KEEP_MAX 1000
#define LATEST "latest" /* of --resume */

static int read_checkpoints(const struct options *o, struct native_files *f, struct err *err)
{
    if (cli_number("checkpoint-every", o->checkpoint_every, 1, 1 << 28, &f->checkpoint_every, err) <
            0 ||
        cli_number("keep", o->keep, 1, KEEP_MAX, &f->checkpoint_keep, err) < 0)
        return -1;
    if (f->checkpoint_keep && !f->checkpoint_every)
        return err_set(err, ERR_USAGE,
                       "--keep needs --checkpoint-every, because otherwise the run writes no "
                       "checkpoints");
    if (!f->checkpoint_keep)
        f->checkpoint_keep = TRAINING_KEEP;
    return 0;
}

/* ---- first weights -------------------------------------------------------------------------- */

static int find_initial(struct cli *cli, const struct case_record *c, bool looks,
                        struct native_files *f, struct err *err)
{
    const struct case_weights *w = c->initial_weights;
    if (cli->opt.init)
        f->initial_weights = cli->opt.init;
    else if (w && w->path)
        f->initial_weights = native_beside(&cli->arena, c, w->path);
    else if (w && cli->opt.resume)
        f->initial_weights = w->name ? w->name : "given"; /* it is not read */
    if (w)
        f->initial_sha256 = w->sha256;
    if (w && !f->initial_weights)
        return err_set(
            err, ERR_INPUT,
            "%s:%d: found initial_weights without a path, expected --init DIR with these "
            "weights%s%s",
            c->file, w->line, w->name ? ": " : "", w->name ? w->name : "");
    if (f->initial_weights && looks && !cli->opt.resume && !file_exists(f->initial_weights))
        return err_set(
            err, ERR_INPUT,
            "%s: found no file or folder, expected initial weights: a .safetensors file, or a "
            "folder with model.safetensors or model.safetensors.index.json",
            f->initial_weights);
    if (f->initial_weights)
        f->initial_name =
            w && w->name ? w->name : path_base(path_trimmed(&cli->arena, f->initial_weights));
    return 0;
}

/* ---- what it goes on from ------------------------------------------------------------------- */

/* Name and case of the run whose checkpoints these are, where they still lie in it. */
static void find_run(struct cli *cli, const char *checkpoint, struct run_origin *out)
{
    char whole[PATH_MAX];
    const char *at = realpath(checkpoint, whole) ? path_folder(&cli->arena, whole) : "/";
    const char *root = path_folder(&cli->arena, at);
    struct diags quiet = DIAGS_INIT(&cli->arena);
    struct json *run;
    if (strcmp(path_base(at), SUBMISSION_CHECKPOINTS) != 0 ||
        json_load(path_join(&cli->arena, root, "run.json"), &cli->arena, &run, &quiet) < 0)
        return;
    out->run = path_base(root);
    out->case_id = json_get_text(run, "case", NULL);
}

/* Which checkpoint --resume means: itself, or the newest of a run. */
static int find_checkpoint(struct cli *cli, struct native_files *f, struct err *err)
{
    struct arena *arena = &cli->arena;
    const char *path = cli->opt.resume;
    bool is_run = file_exists(path_join(arena, path, "run.json"));
    if (is_run && !file_is_dir(path_join(arena, path, SUBMISSION_CHECKPOINTS)))
        return err_set(err, ERR_INPUT,
                       "--resume: %s: found no checkpoints/ in it, expected a run that was trained "
                       "with --checkpoint-every",
                       path);
    if (is_run)
        path = path_join(arena, path, SUBMISSION_CHECKPOINTS);
    if (checkpoint_find(path, arena, &f->resume, err) < 0)
        return -1;
    cli->opt.resume = f->resume;
    return 0;
}

static int find_origin(struct cli *cli, const struct case_record *c, struct native_files *f,
                       struct err *err)
{
    if (find_checkpoint(cli, f, err) < 0)
        return -1;
    find_run(cli, f->resume, &f->origin);
    const char *path = path_join(&cli->arena, f->resume, CHECKPOINT_STATE_NAME);
    struct diags faults = DIAGS_INIT(&cli->arena);
    struct json *state;
    if (json_load(path, &cli->arena, &state, &faults) < 0)
        return err_set(err, ERR_INPUT, "%s:%d:%d: %s", path, faults.items[0].line,
                       faults.items[0].col, faults.items[0].message);
    const struct json *step = json_get(state, "step");
    if (!step || step->kind != JSON_NUMBER || !(step->number >= 1 && step->number <= 1e9))
        return err_set(err, ERR_INPUT,
                       "%s:%d: found no step number from 1 on, expected the step at which the "
                       "checkpoint was written",
                       path, step ? step->line : state->line);
    f->origin.step = (long long)step->number;
    if (f->origin.step >= c->steps)
        return err_set(err, ERR_USAGE,
                       "--resume: %s was written at step %lld, the last step of case %s, so no "
                       "step is left to train",
                       f->resume, f->origin.step, c->id);
    return 0;
}

/* The newest checkpoint of a run, where it is of this case; NULL. */
static const char *checkpoint_of_run(struct cli *cli, const struct case_record *c, const char *run)
{
    struct run_origin origin = {.step = 0};
    struct err none = ERR_INIT;
    const char *folder = path_join(&cli->arena, run, SUBMISSION_CHECKPOINTS), *found;
    if (!file_is_dir(folder) || checkpoint_find(folder, &cli->arena, &found, &none) < 0)
        return NULL;
    find_run(cli, found, &origin);
    return origin.case_id && strcmp(origin.case_id, c->id) == 0 ? found : NULL;
}

/* --resume latest becomes that checkpoint, or is gone where there is none. A run's name is when it
 * began. */
static int find_latest(struct cli *cli, const struct case_record *c, struct err *err)
{
    const char *parent = cli->opt.out ? cli->opt.out : TRAINING_FOLDER;
    struct dir_entry *entries = NULL;
    size_t n = 0;
    cli->opt.resume = NULL;
    if (file_is_dir(parent) && dir_list(parent, &cli->arena, &entries, &n, err) < 0)
        return -1;
    while (n-- > 0 && !cli->opt.resume)
        cli->opt.resume =
            checkpoint_of_run(cli, c, path_join(&cli->arena, parent, entries[n].name));
    return 0;
}

int training_files(struct cli *cli, const struct case_record *c, bool looks,
                   struct native_files *out, struct err *err)
{
    bool latest = cli->opt.resume && strcmp(cli->opt.resume, LATEST) == 0;
    if (latest && find_latest(cli, c, err) < 0)
        return -1;
    *out = (struct native_files){.resume = cli->opt.resume, .each_looked = latest};
    if (read_checkpoints(&cli->opt, out, err) < 0 || find_initial(cli, c, looks, out, err) < 0)
        return -1;
    if (!cli->opt.resume)
        return 0;
    if (looks)
        return find_origin(cli, c, out, err);
    /* Another rank needs the choices of algorithms there, if it has the disk. */
    return file_exists(cli->opt.resume) || file_is_dir(cli->opt.resume)
               ? find_checkpoint(cli, out, err)
               : 0;
}

void training_files_place(struct cli *cli, struct native_files *f, const char *root)
{
    if (f->checkpoint_every)
        f->checkpoint_dir = path_join(&cli->arena, root ? root : "", SUBMISSION_CHECKPOINTS);
}

void training_files_room(struct cli *cli, const struct native_files *f, size_t parameters)
{
    struct statvfs disk;
    double one = 12.0 * (double)parameters, gib = 1 << 30;
    if (!f->checkpoint_dir || statvfs(f->checkpoint_dir, &disk) < 0)
        return;
    double all = one * (f->checkpoint_keep + 1),
           left = (double)disk.f_bavail * (double)disk.f_frsize;
    if (left < all)
        cli_warn(cli,
                 "%s: %.3g GiB are free, but %d checkpoints to keep and one to write need %.3g",
                 f->checkpoint_dir, left / gib, f->checkpoint_keep, all / gib);
}
