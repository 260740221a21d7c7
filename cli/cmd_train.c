#include "cli/training.h"

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

static const enum option_id options[] = {OPTION_GPUS,
                                         OPTION_RANKS,
                                         OPTION_DEVICE,
                                         OPTION_REPEAT,
                                         OPTION_MEASURE,
                                         OPTION_NO_MEASURE,
                                         OPTION_CHECKPOINT_EVERY,
                                         OPTION_KEEP,
                                         OPTION_RESUME,
                                         OPTION_INIT,
                                         OPTION_OUT,
                                         OPTION_RECORDS,
                                         OPTION_END};

const struct command command_train = {
    .name = "train",
    .summary = "run a case and leave a run directory",
    .arguments = "CASE [-- COMMAND…]",
    .examples = "  fpreport train tiny_llama\n"
                "  fpreport train llama2_7b-native-8 --gpus 8\n"
                "  fpreport train tiny_llama --checkpoint-every 50\n"
                "  fpreport train tiny_llama --resume result/run20261120190000\n"
                "  fpreport train llama2_7b -- torchrun --nproc-per-node 8 train.py\n",
    .details = "\nCASE is an id below records/cases or a case file. With a COMMAND, that command\n"
               "is run as the case: its output is kept, the machine is sampled while it runs,\n"
               "and its exit status is ours. A run that fails is marked failed.\n"
               "Without one, fpreport trains it: fp32 on every processor, the rest on GPUs, by\n"
               "the fptrain (`make fptrain`) beside it, which measures them first (3 s). A case\n"
               "of ranks is started here, a process each, or by mpirun, srun or torchrun.\n"
               "\nCheckpoints go to checkpoints/ of the run directory: 12 bytes a parameter each,\n"
               "and room for one more than --keep says. A run that is stopped by a signal leaves\n"
               "one, too. --resume begins a new run directory behind the checkpoint's step: same\n"
               "settings, as many sequences a step; with as many ranks it has the same bits.\n",
    .options = options,
    .out_meaning = "folder for run directories (result)",
    .min_arguments = 1,
    .max_arguments = 1,
    .rest_is_command = true,
    .run = run,
};
