/* fptrain: the commands that a compute node has use for. */
#include "cli/program.h"
#include "trainer/machine/machine_cuda.h"

static int version(struct cli *cli)
{
    buf_str(&cli->out, "fptrain " FPREPORT_VERSION "\n");
    struct err err = ERR_INIT;
    int rc = 0;
    for (size_t i = 0; rc == 0 && program.machines[i]; i++) {
        rc = program.machines[i]->libraries(&cli->out, &err);
        buf_char(&cli->out, '\n');
    }
    return rc < 0 ? cli_fail(cli, &err) : EXIT_AGREED;
}

static const struct command command_fptrain_version = {
    .name = "version",
    .summary = "print the version, and those of the libraries in use",
    .arguments = "",
    .examples = "  fptrain version\n",
    .run = version,
};

extern const struct command command_train, command_prepare, command_score, command_fingerprint,
    command_help;

static const struct command *const commands[] = {
    &command_train, &command_prepare,         &command_score, &command_fingerprint,
    &command_help,  &command_fptrain_version, NULL,
};

static const struct machine_kind *const machines[] = {&machine_cuda, &machine_cpu, NULL};

const struct program program = {
    .name = "fptrain",
    .summary = "run benchmark cases of AI training on GPUs",
    .overview = "  fptrain train llama2_7b-native    run a case on one GPU\n"
                "  fptrain train llama2_7b-native-8  run a case of eight ranks, each on a GPU\n",
    .commands = commands,
    .machines = machines,
};
