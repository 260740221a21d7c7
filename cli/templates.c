/* Where templates are found: a file of its own, because fptrain has none. */
#include "cli/cli.h"

#include "base/files/file.h"
#include "renderer/templates/templates.h"

void cli_templates(struct cli *cli, struct templates *t)
{
    const char *dirs[CLI_DATADIRS_MAX];
    size_t n = cli_datadirs(cli, dirs);
    templates_init(t, &cli->arena);
    templates_add_folder(t, "templates");
    for (size_t i = 0; i < n; i++)
        templates_add_folder(t, path_join(&cli->arena, dirs[i], "templates"));
}
