/* The format of records, as documents: made from the same field tables that load them. */
#include "base/project.h"
#include "cli/cli.h"

/* NULL after a message that lists the kinds. */
static const struct shape *find_kind(struct cli *cli, const char *name)
{
    const struct shape *shape = project_shape(name);
    const char *names = "";
    for (const struct shape *const *s = project_shapes; *s; s++)
        names = arena_printf(&cli->arena, "%s%s%s", names, *names ? ", " : "", (*s)->name);
    if (!shape)
        cli_usage(cli, "unknown kind of record '%s', expected one of %s", name, names);
    return shape;
}

static int run_format(struct cli *cli)
{
    const struct shape *one = cli->n_args ? find_kind(cli, cli->args[0]) : NULL;
    if (cli->n_args && !one)
        return EXIT_USAGE;
    for (const struct shape *const *s = project_shapes; *s; s++)
        if (!one || one == *s)
            shape_document(*s, &cli->out);
    return cli_deliver(cli);
}

static int run_schema(struct cli *cli)
{
    const struct shape *shape = find_kind(cli, cli->args[0]);
    if (!shape)
        return EXIT_USAGE;
    shape_schema(shape, &cli->out);
    return cli_deliver(cli);
}

static const enum option_id options[] = {OPTION_OUT, OPTION_END};

const struct command command_format = {
    .name = "format",
    .summary = "print the fields of records, as in docs/FORMAT.md",
    .arguments = "[KIND]",
    .examples = "  fpreport format           all kinds, as Markdown\n"
                "  fpreport format result    one of them\n",
    .options = options,
    .out_meaning = "the file to write; - is standard output",
    .max_arguments = 1,
    .run = run_format,
};

const struct command command_schema = {
    .name = "schema",
    .summary = "print the JSON Schema of a kind of record",
    .arguments = "KIND",
    .examples = "  fpreport schema result\n",
    .details = "The schemas are shipped in records/schema/. The loader is stricter in what needs\n"
               "more than one field: ids and file names, figures in their columns.\n",
    .options = options,
    .out_meaning = "the file to write; - is standard output",
    .min_arguments = 1,
    .max_arguments = 1,
    .run = run_schema,
};
