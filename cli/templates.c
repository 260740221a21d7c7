/* Where templates are found: a file of its own, because fptrain has none. */
#include "cli/cli.h"

#include "base/file.h"
#include "renderer/templates.h"

void cli_templates(struct cli *cli, struct templates *t)
{
    templates_init(t, &cli->arena);
    templates_add_folder(t, "templates");
    templates_add_folder(t, path_join(&cli->arena, cli_datadir(cli), "templates"));
}
