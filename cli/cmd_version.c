#include "cli/cli.h"

#include "base/json/json.h"
#include "base/markdown/markdown.h"
#include "base/process/sandbox.h"
#include "base/sealed/archive.h"
#include "base/signing/hash.h"

static int run_version(struct cli *cli)
{
    char words[64];
    buf_str(&cli->out, "fpreport " FPREPORT_VERSION "\n");
    /* The versions at run time: an auditor wants to know which fixes were present. */
    const char *libarchive = archive_library_version(), *zstd = archive_zstd_library_version();
    buf_printf(&cli->out, "%s, zstd %s\n", libarchive ? libarchive : "no libarchive",
               zstd ? zstd : "none");
    buf_printf(&cli->out, "cJSON %s\ncmark %s\n%s\n", json_library_version(),
               markdown_library_version(), hash_library_version());
    buf_printf(&cli->out, "sandbox: %s\n", sandbox_words(words));
    return EXIT_AGREED;
}

const struct command command_version = {
    .name = "version",
    .summary = "print the versions of fpreport and of its libraries",
    .arguments = "",
    .examples = "  fpreport version\n",
    .run = run_version,
};
