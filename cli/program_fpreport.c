/* fpreport: a command is one file, which exports `const struct command command_NAME`, and one line
 * here, in the order of the help: docs/CONTRIBUTING.md. */
#include "cli/program.h"
#include "verifier/runs/layout_shown.h"

#define COMMANDS(X) \
    X(build)        \
    X(verify)       \
    X(merge)        \
    X(diff)         \
    X(list)         \
    X(status)       \
    X(summary)      \
    X(formats)      \
    X(explain)      \
    X(reproduce)    \
    X(collect)      \
    X(import)       \
    X(render)       \
    X(train)        \
    X(prepare)      \
    X(score)        \
    X(fingerprint)  \
    X(challenge)    \
    X(new)          \
    X(serve)        \
    X(publish)      \
    X(archive)      \
    X(fsck)         \
    X(fields)       \
    X(schema)       \
    X(help)         \
    X(version)

#define DECLARED(name) extern const struct command command_##name;
#define LISTED(name) &command_##name,

COMMANDS(DECLARED)

static const struct command *const commands[] = {COMMANDS(LISTED) NULL};

static const struct machine_kind *const machines[] = {&machine_cpu, NULL};

const struct program program = {
    .name = "fpreport",
    .summary = "check and publish benchmark results of AI training",
    .overview = "  fpreport build                    records/ to site/: verify, render, publish\n"
                "  fpreport verify page.md           check one published page\n"
                "  fpreport train tiny_llama         run a case, leave a run directory\n",
    .commands = commands,
    .machines = machines,
    .layout_of_run = layout_of_run,
};
