/* What a command says of the sandbox of its workers, and --require-landlock. */
#include "base/process/sandbox.h"
#include "cli/cli.h"

int cli_sandbox(struct cli *cli)
{
    char words[64];
    bool whole = !SANDBOX_WIDE && sandbox_landlock() > 0;
    if (cli->opt.require_landlock && !whole)
        return cli_error(cli, ERR_IO,
                         "sandbox: %s; --require-landlock needs Landlock, so nothing is read",
                         sandbox_words(words));
    if (!whole && !SANDBOX_WIDE)
        cli_note(cli, "sandbox: %s", sandbox_words(words));
    return EXIT_AGREED;
}
