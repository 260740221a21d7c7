/* The format of records, as documents: made from the same field tables that load them. */
#include "base/figures/metrics.h"
#include "base/project/project.h"
#include "cli/cli.h"
#include "verifier/logs/rows/own_rows.h"

#include <string.h>

/* NULL after a message that lists the kinds. */
static const struct shape *find_kind(struct cli *cli, const char *name)
{
    const struct shape *shape = project_shape(name), *format = &own_format_shape;
    const char *names = format->name;
    if (strcmp(name, format->name) == 0)
        return format;
    for (const struct shape *const *s = project_shapes; *s; s++)
        names = arena_printf(&cli->arena, "%s, %s", names, (*s)->name);
    if (!shape)
        cli_usage(cli, "unknown kind of record '%s', expected one of %s", name, names);
    return shape;
}

/* The columns of figure tables: how published headers spell them, what their cells hold. */
static void document_columns(struct buf *out)
{
    static const char *const cells[] = {
        [COLUMN_CONFIGURATION] = "accelerator and `NxM`",
        [COLUMN_CONFIG_NAME] = "name",
        [COLUMN_PRECISION] = "precision",
        [COLUMN_PARALLEL] = "`TPxPPyDPz`",
        [COLUMN_STRATEGY] = "text",
        [COLUMN_HYPERPARAMETERS] = "`NAME=value` …",
        [COLUMN_FIGURE] = "figure",
        [COLUMN_SCORE] = "figure, or actual/target",
        [COLUMN_MEMORY] = "used/total",
        [COLUMN_MEMORY_TOTAL] = "per card * cards",
        [COLUMN_MFU] = "figure",
        [COLUMN_FLAG] = "`True` or `False`",
    };
    static const char *const better[] = {"", "higher", "lower"};
    size_t n;
    const struct metrics_column *columns = metrics_columns(&n);
    buf_str(out, "### columns\n\nIn performance tables, these columns contain figures. "
                 "Cells under all other headers contain text.\n\n"
                 "| key | headers | cells | unit | better |\n| --- | --- | --- | --- | --- |\n");
    for (size_t i = 0; i < n; i++) {
        buf_printf(out, "| %s | ", columns[i].key);
        for (size_t k = 0; columns[i].spellings[k]; k++)
            buf_printf(out, "%s`%s`", k ? ", " : "", columns[i].spellings[k]);
        buf_printf(out, " | %s | %s | %s |\n", cells[columns[i].kind], columns[i].unit,
                   better[columns[i].better]);
    }
    buf_char(out, '\n');
}

static int run_fields(struct cli *cli)
{
    bool columns = cli->n_args && strcmp(cli->args[0], "columns") == 0;
    const struct shape *one = cli->n_args && !columns ? find_kind(cli, cli->args[0]) : NULL;
    if (cli->n_args && !columns && !one)
        return EXIT_USAGE;
    for (const struct shape *const *s = project_shapes; *s && !columns; s++)
        if (!one || one == *s)
            shape_document(*s, &cli->out);
    if (!columns && (!one || one == &own_format_shape))
        shape_document(&own_format_shape, &cli->out);
    if (!one)
        document_columns(&cli->out);
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

const struct command command_fields = {
    .name = "fields",
    .formerly = "format",
    .summary = "print the fields of records, as in docs/FIELDS.md",
    .arguments = "[KIND]",
    .examples = "  fpreport fields           all kinds, as Markdown\n"
                "  fpreport fields result    one of them\n"
                "  fpreport fields columns   the columns of figure tables\n",
    .options = options,
    .out_meaning = "write to this file; - is standard output",
    .max_arguments = 1,
    .run = run_fields,
};

const struct command command_schema = {
    .name = "schema",
    .summary = "print the JSON Schema of a kind of record",
    .arguments = "KIND",
    .examples = "  fpreport schema result\n",
    .details = "The schemas are also in records/schema/. When fpreport loads a record, it also\n"
               "checks conditions that a schema cannot express, for example that the id equals\n"
               "the file name.\n",
    .options = options,
    .out_meaning = "write to this file; - is standard output",
    .min_arguments = 1,
    .max_arguments = 1,
    .run = run_schema,
};
