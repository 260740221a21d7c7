#include "cli/train/declared_tools.h"

#include "base/cards/declared.h"
#include "base/files/file.h"
#include "base/project/project.h"

struct declared_tools declared_tools(struct cli *cli)
{
    struct project project;
    struct diags found = DIAGS_INIT(&cli->arena);
    const struct card_tool **rows = NULL;
    size_t n = 0;
    if (!file_is_dir(arena_printf(&cli->arena, "%s/vendors", cli_records(cli))))
        return (struct declared_tools){NULL, 0};
    project_load_vendors(cli_records(cli), &project, &cli->arena, &found);
    for (size_t i = 0; i < found.n; i++)
        cli_note(cli, "%s:%d: %s; no card tool is taken from it", found.items[i].file,
                 found.items[i].line, found.items[i].message);
    for (size_t i = 0; i < project.n_vendors; i++) {
        const struct vendor *v = &project.vendors[i];
        if (v->card_tool)
            *(const struct card_tool **)ARENA_PUSH(&cli->arena, rows, n) =
                declared_tool_row(v->card_tool, v->id, &cli->arena);
    }
    return (struct declared_tools){rows, n};
}
