/* fpreport: one row a command, one file a row. */
#include "cli/program.h"

extern const struct command command_build, command_verify, command_collect, command_train,
    command_import, command_render, command_fingerprint, command_fields, command_schema,
    command_diff, command_explain, command_reproduce, command_publish, command_serve, command_new,
    command_challenge, command_archive, command_fsck, command_help, command_version;

static const struct command *const commands[] = {
    &command_build,       &command_verify,    &command_diff,
    &command_explain,     &command_reproduce, &command_collect,
    &command_import,      &command_render,    &command_train,
    &command_fingerprint, &command_challenge, &command_new,
    &command_serve,       &command_publish,   &command_archive,
    &command_fsck,        &command_fields,    &command_schema,
    &command_help,        &command_version,   NULL,
};

static const struct machine_kind *const machines[] = {&machine_cpu, NULL};

const struct program program = {
    .name = "fpreport",
    .overview = "  fpreport build                    records/ to site/: verify, render, publish\n"
                "  fpreport verify page.md           check one published page\n"
                "  fpreport train tiny_llama         run a case, leave a run directory\n",
    .commands = commands,
    .machines = machines,
};
