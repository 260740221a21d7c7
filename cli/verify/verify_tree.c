#include "cli/verify/verify_tree.h"

#include "cli/intake/inputs.h"
#include "cli/train/command_layout.h"

#include <stdlib.h>
#include <string.h>

/* "2" or "1.2" behind '#': a row of the only table, or of a table. */
static bool read_row_number(const char *text, struct verify_against *out)
{
    char *end;
    long first = strtol(text, &end, 10), second = 0;
    bool pair = end != text && *end == '.';
    if (pair)
        second = strtol(end + 1, &end, 10);
    if (*end || first < 1 || first > 100000 || (pair && (second < 1 || second > 100000)))
        return false;
    out->table = pair ? (int)first : 0;
    out->row = (int)(pair ? second : first);
    return true;
}

/* --accelerator, --model, --cards, what logs do not say of themselves. */
static int read_said_of_logs(struct cli *cli, const struct project *p, struct verify_against *out)
{
    const char *card = cli->opt.accelerator, *model = cli->opt.model;
    const struct accelerator *found = card ? project_find_accelerator(p, card, NULL) : NULL;
    struct layout *laid = arena_alloc(&cli->arena, sizeof *laid);
    struct err err = ERR_INIT;
    *laid = (struct layout){0};
    if (card && !found)
        return cli_usage(cli, "--accelerator %s: found no such card in %s/accelerators", card,
                         p->root);
    if (model && !(out->model = project_find_model(p, model)))
        return cli_usage(cli, "--model %s: found no such model in %s/models", model, p->root);
    if (command_layout_options(cli, laid, &err) < 0)
        return cli_fail(cli, &err);
    out->card = found ? found->id : NULL;
    out->laid = laid;
    return 0;
}

/* --against VENDOR/CASE[#[TABLE.]ROW] or a file, --case ID. */
int cli_read_against(struct cli *cli, struct project *project, struct verify_against *out)
{
    const char *name = cli->opt.against, *kase = cli->opt.case_id;
    size_t n = name ? strcspn(name, "#") : 0;
    int said = read_said_of_logs(cli, project, out);
    if (said)
        return said;
    if (kase && !(out->kase = project_case(project, kase)))
        return cli_usage(cli, "--case %s: found no such case in %s/cases", kase, project->root);
    if (!name)
        return 0;
    const char *what = arena_strndup(&cli->arena, name, n);
    enum input_kind kind = input_by_name(cli, what);
    int code = 0;
    if (kind == INPUT_PAGE)
        code = input_read_page(cli, what, &out->result);
    else if (kind == INPUT_RECORD)
        code = input_read_record(cli, project, what, &out->result);
    else
        out->result = project_result_by_name(project, what, &cli->arena);
    if (code)
        return exit_worse(code, cli_diags(cli));
    if (!out->result)
        return cli_usage(cli,
                         "--against %s: found no such result, expected VENDOR/CASE, a page "
                         "(.md) or a record (.json)",
                         name);
    if (name[n] && !read_row_number(name + n + 1, out))
        return cli_usage(cli, "--against %s: expected a row after '#', such as 2 or 1.2", name);
    return 0;
}

int cli_verify_tree(struct cli *cli, const struct project *project,
                    const struct verify_against *against, const char *path,
                    struct verdict **verdicts, size_t *n)
{
    struct err err = ERR_INIT;
    if (verify_tree(project, path, against, &cli->arena, verdicts, n, &cli->diags, &err) < 0) {
        cli_diags(cli); /* which files, and why */
        return cli_fail(cli, &err);
    }
    return 0;
}
