/* What a command says of the sandbox of its workers, and --require-landlock. */
#include "base/process/sandbox.h"
#include "cli/cli.h"

int cli_sandbox(struct cli *cli)
{
    struct err err = ERR_INIT;
    char words[64];
    bool whole = !SANDBOX_WIDE && sandbox_landlock() > 0;
    if (cli->opt.require_landlock && !whole) {
        err_set(&err, ERR_IO, "sandbox: %s; --require-landlock needs Landlock, so nothing is read",
                sandbox_words(words));
        return cli_fail(cli, &err);
    }
    if (!whole && !SANDBOX_WIDE)
        cli_note(cli, "sandbox: %s", sandbox_words(words));
    return EXIT_AGREED;
}
