/* Where a case is trained. This program's machines are rows of program.machines; fptrain is asked
 * for what is not among them. */
#include "base/files/file.h"
#include "cli/program.h"
#include "cli/train/native_plan.h"
#include "cli/train/train_native.h"
#include "cli/train/training.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define GPU "cuda" /* the machine that fptrain adds */
#define GPU_PROGRAM "fptrain"
#define GPU_BUILD "`make fptrain` builds it on a machine with CUDA and NCCL"

/* ---- what the options say ------------------------------------------------------------------- */

static int check_ranks(const struct training *t, int wanted, struct err *err)
{
    int planned = native_ranks(&t->record);
    if (!wanted || wanted == planned)
        return 0;
    return err_set(err, ERR_USAGE,
                   "found %d ranks, expected %d: the work of case %s depends on the number of "
                   "ranks, which its field parallel or --parallel states",
                   wanted, planned, t->record.id);
}

/* Name of the machine that is asked for, NULL when any will do, and the number of a GPU. */
static int read_device(struct cli *cli, struct training *t, const char **name)
{
    const char *device = cli->opt.device;
    t->ordinal = -1;
    *name = cli->opt.gpus ? GPU : NULL;
    if (!device)
        return EXIT_AGREED;
    bool number = *device && strspn(device, "0123456789") == strlen(device) && strlen(device) < 5;
    if (!number && strcmp(device, "cpu") != 0 && strcmp(device, GPU) != 0)
        return cli_usage(cli, "--device: found '%s', expected cpu, " GPU " or the number of a GPU",
                         device);
    if (*name && strcmp(device, "cpu") == 0)
        return cli_usage(cli, "--gpus with --device cpu: expected --ranks");
    if (number)
        t->ordinal = atoi(device);
    *name = number ? GPU : device;
    return EXIT_AGREED;
}

/* ---- the machine ---------------------------------------------------------------------------- */

static const struct machine_kind *find_machine_kind(const char *name)
{
    for (size_t i = 0; program.machines[i]; i++)
        if (strcmp(program.machines[i]->name, name) == 0)
            return program.machines[i];
    return NULL;
}

const struct machine_kind *program_machine(const char *precision)
{
    const struct precision *p = precision_find(precision);
    for (size_t i = 0; p && program.machines[i]; i++)
        if (program.machines[i]->present() && program.machines[i]->computes(p))
            return program.machines[i];
    return NULL;
}

static const char *precision_of(const struct training *t)
{
    return t->record.precision ? t->record.precision : "fp32";
}

const char *training_gpu_program(struct cli *cli)
{
    const char *folder = cli_program_folder(cli);
    const char *path = folder ? path_join(&cli->arena, folder, GPU_PROGRAM) : NULL;
    return path && access(path, X_OK) == 0 ? path : NULL;
}

/* No machine of ours will do. */
static int refuse_place(struct cli *cli, const struct training *t, bool asked, struct err *err)
{
    if (!find_machine_kind(GPU) && t->hands_over) {
        /* Become fptrain; returns only when there is none. */
        const char *path = training_gpu_program(cli);
        if (path)
            execv(path, (char *const *)(uintptr_t)training_argv(cli, path));
    }
    if (!find_machine_kind(GPU) && asked)
        return err_set(err, ERR_USAGE, "GPUs are for " GPU_PROGRAM "%s; " GPU_BUILD,
                       t->hands_over ? ", which does not lie beside this program" : "");
    return err_set(err, ERR_INPUT, "%s: precision: found %s, expected fp32 on a CPU; %s",
                   t->record.file, precision_of(t),
                   find_machine_kind(GPU) ? "no NVIDIA GPU is here"
                                          : "GPUs are for " GPU_PROGRAM ": " GPU_BUILD);
}

/* `name` NULL: any will do. */
static int find_machine(struct cli *cli, struct training *t, const char *name, struct err *err)
{
    const struct precision *p = precision_find(precision_of(t));
    t->machine = name ? find_machine_kind(name) : program_machine(precision_of(t));
    if (!t->machine || !t->machine->computes(p))
        return refuse_place(cli, t, name && !t->machine, err);
    if (!t->machine->present())
        return err_set(err, ERR_USAGE, "found no NVIDIA GPU here, expected one for %s",
                       cli->opt.gpus ? "--gpus" : "--device");
    return 0;
}

/* ---- the rank ------------------------------------------------------------------------------- */

static int find_rank(struct training *t, struct err *err)
{
    int planned = native_ranks(&t->record);
    t->report = rank_report_find();
    if (ranks_find(&t->ranks, err) < 0)
        return -1;
    t->launches = t->ranks.world == 1 && planned > 1;
    if (!t->launches)
        return check_ranks(t, t->ranks.world, err);
    if (t->ordinal >= 0)
        return err_set(err, ERR_USAGE,
                       "--device %d: found one GPU for a case of %d ranks, expected " GPU,
                       t->ordinal, planned);
    t->ranks.world = t->ranks.local_world = planned;
    return 0;
}

int training_place(struct cli *cli, struct training *t)
{
    struct err err = ERR_INIT;
    int gpus = 0, ranks = 0; /* not given */
    const char *name;
    if (cli_number("gpus", cli->opt.gpus, 1, RANKS_MAX, &gpus, &err) < 0 ||
        cli_number("ranks", cli->opt.ranks, 1, RANKS_MAX, &ranks, &err) < 0)
        return cli_fail(cli, &err);
    int code = read_device(cli, t, &name);
    if (code)
        return code;
    if (check_ranks(t, gpus, &err) < 0 || check_ranks(t, ranks, &err) < 0 ||
        find_machine(cli, t, name, &err) < 0 || find_rank(t, &err) < 0)
        return training_fail(cli, &err);
    return EXIT_AGREED;
}

int training_machine(struct cli *cli, struct training *t)
{
    struct err err = ERR_INIT;
    const char *name;
    int code = read_device(cli, t, &name);
    return code ? code : find_machine(cli, t, name, &err) < 0 ? cli_fail(cli, &err) : EXIT_AGREED;
}

int training_fail(struct cli *cli, const struct err *err)
{
    int code = cli_fail(cli, err);
    training_decline(err->text);
    return code;
}

void training_decline(const char *cause)
{
    struct err ignored = ERR_INIT;
    struct ranks ranks;
    if (ranks_find(&ranks, &ignored) == 0)
        machine_decline(&ranks, cause);
}

const char *const *training_argv(struct cli *cli, const char *path)
{
    const struct options *o = &cli->opt;
    const struct {
        const char *name, *value;
    } given[] = {
        {"--out", o->out},
        {"--records", o->records},
        {"--gpus", o->gpus},
        {"--ranks", o->ranks},
        {"--device", o->device},
        {"--repeat", o->repeat},
        {"--parallel", o->parallel},
        {"--color", o->color},
        {"--checkpoint-every", o->checkpoint_every},
        {"--keep", o->keep},
        {"--resume", o->resume},
        {"--init", o->init},
        {"--challenge", o->challenge},
        {"--vendor", o->vendor},
    };
    size_t n = 0, most = 2 * sizeof given / sizeof *given + 8;
    const char **argv = arena_array(&cli->arena, most, sizeof *argv);
    argv[n++] = path;
    argv[n++] = "train";
    for (size_t i = 0; i < sizeof given / sizeof *given; i++)
        if (given[i].value) {
            argv[n++] = given[i].name;
            argv[n++] = given[i].value;
        }
    if (o->quiet)
        argv[n++] = "-q";
    if (o->verbose)
        argv[n++] = "-v";
    if (o->measure)
        argv[n++] = "--measure";
    if (o->no_measure)
        argv[n++] = "--no-measure";
    argv[n++] = cli->args[0];
    return argv;
}
