/* paths: where records and templates are found. */
#include "cli/cli.h"

#include "base/file.h"
#include "renderer/templates.h"

#include <string.h>
#include <unistd.h>

/* <prefix>/share/fpreport beside the <prefix>/bin that the program runs from, so that an
 * installed tree may be moved; else the place that was compiled in. */
const char *cli_datadir(struct cli *cli)
{
    char exe[4096];
    ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);
    char *slash = NULL;
    if (n > 0) {
        exe[n] = '\0';
        slash = strrchr(exe, '/');
    }
    if (slash) {
        *slash = '\0';
        const char *beside = arena_printf(&cli->arena, "%s/../share/fpreport", exe);
        if (file_is_dir(beside))
            return beside;
    }
    return FPREPORT_DATADIR;
}

const char *cli_records(struct cli *cli)
{
    if (cli->opt.records)
        return cli->opt.records;
    return file_is_dir("records") ? "records" : path_join(&cli->arena, cli_datadir(cli), "records");
}

void cli_templates(struct cli *cli, struct templates *t)
{
    templates_init(t, &cli->arena);
    templates_add_folder(t, "templates");
    templates_add_folder(t, path_join(&cli->arena, cli_datadir(cli), "templates"));
}
