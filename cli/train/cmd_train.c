#include "cli/train/training.h"

#include <string.h>

static int run(struct cli *cli)
{
    struct training t = {.name = cli->args[0], .folder = cli->opt.out, .hands_over = true};
    if (cli->opt.out && strcmp(cli->opt.out, "-") == 0)
        return cli_usage(cli, "-o -: a run is a directory, expected a folder to put it in");
    int code = training_load(cli, &t);
    if (code)
        return code;
    code = training_run(cli, &t);
    if (t.began)
        buf_printf(&cli->out, "%s\n", t.session.dir.root);
    return code;
}

static const enum option_id options[] = {
    OPTION_GPUS,   OPTION_RANKS,   OPTION_PARALLEL,   OPTION_DEVICE,
    OPTION_REPEAT, OPTION_MEASURE, OPTION_NO_MEASURE, OPTION_CHECKPOINT_EVERY,
    OPTION_KEEP,   OPTION_RESUME,  OPTION_INIT,       OPTION_CHALLENGE,
    OPTION_VENDOR, OPTION_OUT,     OPTION_RECORDS,    OPTION_END};

const struct command command_train = {
    .name = "train",
    .summary = "run a case and leave a run directory",
    .arguments = "CASE [-- COMMAND…]",
    .examples = "  fpreport train tiny_llama\n"
                "  fpreport train llama2_7b-native-8 --gpus 8\n"
                "  fpreport train tiny_llama --challenge challenge.json\n"
                "  fpreport train llama2_7b -- torchrun --nproc-per-node 8 train.py\n",
    .details = "\nCASE is an id below records/cases or a case file. With a COMMAND, that command\n"
               "is run as the case: its output is kept, the machine is sampled while it runs,\n"
               "and its exit status is ours. A run that fails is marked failed.\n"
               "Without one, fpreport trains it: fp32 on every processor, the rest on GPUs, by\n"
               "the fptrain (`make fptrain`) beside it, which measures them first (3 s). A case\n"
               "of ranks is started here, a process each, or by mpirun, srun or torchrun; with\n"
               "--parallel under another plan than its own, with as many sequences a step. Data\n"
               "order and first weights follow from its seed, or from that of --challenge.\n"
               "Checkpoints (checkpoints/ of the run, 12 bytes a parameter; --keep and one more)\n"
               "are left by a run that a signal stops, too. --resume begins a new run directory\n"
               "behind that step: same settings and sequences a step; same ranks, same bits.\n",
    .options = options,
    .out_meaning = "folder for run directories (result)",
    .min_arguments = 1,
    .max_arguments = 1,
    .rest_is_command = true,
    .run = run,
};
