#include "base/file.h"
#include "base/shape.h"
#include "cli/cli.h"
#include "cli/import_apart.h"
#include "collector/import.h"

#include <string.h>

#define DEFAULT_OUT "records/results"

/* Vendor and case: as given, else from a path that ends <vendor>/<case>/README.md. */
static int name_page(const struct cli *cli, const char *path, struct arena *arena,
                     const char **vendor, const char **case_id)
{
    if (!import_path_ids(path, arena, vendor, case_id))
        *vendor = *case_id = NULL;
    if (cli->opt.vendor)
        *vendor = cli->opt.vendor;
    if (cli->opt.case_id)
        *case_id = cli->opt.case_id;
    if (!*vendor || !*case_id)
        return cli_usage(
            cli, "%s: does not end <vendor>/<case>/README.md; give --vendor and --case", path);
    if (!shape_is_id(*vendor) || !shape_is_id(*case_id))
        return cli_usage(cli, "\"%s/%s\" is no name for a result: letters, digits and . _ + - only",
                         *vendor, *case_id);
    return 0;
}

/* A record that is there already may hold what no page does (evidence, English words). */
static int write_record(struct cli *cli, const char *path, const struct buf *text)
{
    struct err err = ERR_INIT;
    struct bytes old;
    if (file_exists(path) && !cli->opt.force) {
        if (file_read(path, BUF_DEFAULT_MAX, &cli->arena, &old, &err) == 0 &&
            old.len == text->len && memcmp(old.data, text->data, old.len) == 0)
            return 0;
        return cli_usage(cli, "%s: is there already and differs; --force replaces it", path);
    }
    if (file_write(path, text->data, text->len, &err) < 0)
        return cli_fail(cli, &err);
    cli_detail(cli, "wrote %s", path);
    return 0;
}

static int save(struct cli *cli, const struct result *r)
{
    const char *out = cli->opt.out ? cli->opt.out : DEFAULT_OUT;
    if (strcmp(out, "-") == 0) {
        shape_save_text(&result_shape, r, &cli->out);
        return 0;
    }
    struct buf text;
    buf_init(&text, BUF_DEFAULT_MAX);
    shape_save_text(&result_shape, r, &text);
    struct arena *a = &cli->arena;
    int code =
        write_record(cli, arena_printf(a, "%s/%s/%s.json", out, r->vendor, r->case_id), &text);
    buf_release(&text);
    return code;
}

static int import_one(struct cli *cli, const char *path)
{
    const char *vendor, *case_id;
    struct err err = ERR_INIT;
    struct bytes page;
    struct result r;
    int code = name_page(cli, path, &cli->arena, &vendor, &case_id);
    if (code)
        return code;
    if (file_read(path, IMPORT_PAGE_MAX, &cli->arena, &page, &err) < 0)
        return cli_fail(cli, &err);
    code = import_page_apart(page, path, vendor, case_id, &cli->arena, &r, &cli->diags);
    int found = cli_diags(cli);
    return code < 0 ? found : exit_worse(found, save(cli, &r));
}

static int run(struct cli *cli)
{
    int code = 0;
    if (cli->n_args > 1 && (cli->opt.case_id || (cli->opt.out && !strcmp(cli->opt.out, "-"))))
        return cli_usage(cli, "--case and -o - are for one page at a time");
    for (int i = 0; i < cli->n_args; i++)
        code = exit_worse(code, import_one(cli, cli->args[i]));
    return code;
}

const struct command command_import = {
    .name = "import",
    .summary = "read published pages into result records",
    .arguments = "PAGE.md…",
    .examples = "  fpreport import training/nvidia/llama2_7b-deepspeed/README.md\n"
                "  fpreport import --vendor acme --case llama2_7b -o - page.md\n",
    .details = "Writes DIR/<vendor>/<case>.json. What the page grammar does not know is\n"
               "kept as it is and reported as a warning with its line.\n",
    .options =
        (const enum option_id[]){OPTION_OUT, OPTION_VENDOR, OPTION_CASE, OPTION_FORCE, OPTION_END},
    .out_meaning = "folder (default " DEFAULT_OUT "); - prints",
    .min_arguments = 1,
    .max_arguments = -1,
    .run = run,
};
