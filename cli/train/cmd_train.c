#include "cli/train/training.h"

#include <string.h>

static int run_train(struct cli *cli)
{
    struct training t = {.name = cli->args[0], .folder = cli->opt.out, .hands_over = true};
    if (cli->opt.out && strcmp(cli->opt.out, "-") == 0)
        return cli_usage(cli, "-o -: found standard output, expected a folder for the run "
                              "directory");
    int code = training_load(cli, &t);
    if (code)
        return code;
    code = training_run(cli, &t);
    if (t.began)
        buf_printf(&cli->out, "%s\n", t.session.dir.root);
    return code;
}

static const enum option_id options[] = {
    OPTION_GPUS,   OPTION_RANKS,   OPTION_NODES,      OPTION_PARALLEL,         OPTION_DEVICE,
    OPTION_REPEAT, OPTION_MEASURE, OPTION_NO_MEASURE, OPTION_CHECKPOINT_EVERY, OPTION_KEEP,
    OPTION_RESUME, OPTION_INIT,    OPTION_CHALLENGE,  OPTION_ACCELERATOR,      OPTION_VENDOR,
    OPTION_OUT,    OPTION_RECORDS, OPTION_END};

const struct command command_train = {
    .name = "train",
    .summary = "train a case, and write logs and samples into a run directory",
    .arguments = "CASE [-- COMMAND…]",
    .examples = "  fpreport train tiny_llama\n"
                "  fpreport train llama2_7b-native-8 --gpus 8\n"
                "  fpreport train tiny_llama --challenge challenge.json\n"
                "  fpreport train llama2_7b -- torchrun --nproc-per-node 8 train.py\n",
    .details = "\n"
               "CASE is the id of a case in records/cases, or a case file. With COMMAND,\n"
               "fpreport runs this training program, stores its output, samples the machine, and\n"
               "returns its exit status. Without COMMAND, fpreport's trainer trains: fp32 on the\n"
               "CPU, other precisions on GPUs with fptrain (`make fptrain`). fptrain, mpirun,\n"
               "srun or torchrun starts the ranks. The seed (of the case or of --challenge)\n"
               "determines data and initial weights. If a signal stops the training, train\n"
               "writes a checkpoint, from which --resume continues with bit-identical losses.\n",
    .options = options,
    .out_meaning = "write run directories into this folder (result)",
    .min_arguments = 1,
    .max_arguments = 1,
    .rest_is_command = true,
    .run = run_train,
};
