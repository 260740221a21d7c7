/* What is read, each with a line of it: docs/FORMATS.md is what this prints. */
#include "base/cards/card_tool.h"
#include "cli/cli.h"
#include "cli/verify/learn.h"
#include "verifier/logs/log_format.h"
#include "verifier/logs/rows/pattern_rows.h"

#include <string.h>

static void print_sample(struct buf *out, const char *text)
{
    size_t end = strlen(text);
    buf_str(out, "\n```\n");
    buf_str(out, text);
    buf_str(out, end && text[end - 1] == '\n' ? "```\n\n" : "\n```\n\n");
}

static void print_logs(struct buf *out)
{
    buf_str(out,
            "## Logs\n\nfpreport recognises the format of a log by its lines, never by the file "
            "name. Each format in this list has an example.\n\n");
    for (size_t i = 0; log_formats[i]; i++) {
        buf_printf(out, "The format **%s** is for %s%s.\n", log_formats[i]->name,
                   log_formats[i]->reads,
                   log_formats[i]->steps ? "" : " (final numbers, but no steps)");
        print_sample(out, log_formats[i]->sample);
    }
}

/* Read as the lines that the reader makes of it. */
static void print_event_file(struct buf *out)
{
    buf_str(out,
            "The format **tensorboard** is for TensorBoard's binary event files "
            "(`events.out.tfevents.…`: records with CRC-32C, scalars and tensors of one number). "
            "fpreport reads a step as:\n");
    print_sample(out, "{\"step\": 20, \"wall_time\": 1700000000.5, \"train/loss\": 2.5, "
                      "\"train/grad_norm\": 0.7}");
}

static void print_rows(struct buf *out)
{
    buf_str(
        out,
        "## Frameworks that report each step on one line\n\nThe log lines in this section belong "
        "to the "
        "format `patterns`. In these lines, `…` matches any text. Other text before and after the "
        "line is ignored.\n\n");
    for (const struct pattern_row *row = pattern_rows; row->line; row++) {
        bool first = row == pattern_rows || strcmp(row->name, row[-1].name) != 0;
        bool last = !row[1].line || strcmp(row->name, row[1].name) != 0;
        if (first)
            buf_printf(out, "**%s**\n\n```\n", row->name);
        pattern_row_example(row, out);
        buf_str(out, last ? "\n```\n\n" : "\n");
    }
}

/* Of a row without a tool, as tables and columns are, the vendor alone. */
static void print_tool(struct buf *out, const struct card_tool *t)
{
    const char *const *question = t->argv[0] ? t->argv : t->ask;
    buf_printf(out, "| %s | ", t->vendor);
    if (question[0])
        buf_str(out, "`");
    for (size_t i = 0; question[i]; i++)
        buf_printf(out, "%s%s", i ? " " : "", question[i]);
    buf_str(out, question[0] ? "` | " : "a table | ");
    for (size_t i = 0; i < CARD_SAMPLE_LINES_MAX && t->cards[i]; i++) {
        buf_str(out, i ? "<br>`` " : "`` ");
        for (const char *c = t->cards[i]; *c; c++)
            buf_printf(out, "%s%c", *c == '|' ? "\\" : "", *c);
        buf_str(out, " ``");
    }
    buf_str(out, " |\n");
}

static void print_monitors(struct buf *out)
{
    buf_str(out,
            "## Monitors\n\nThe following table shows the lines of a monitor sample as patterns "
            "(`base/lines/pattern.h`). fpreport also reads tables with a header: `nvidia-smi "
            "dmon`, `nvidia-smi --query-gpu=… --format=csv`, `hl-smi --query-aip=…`, `dcgmi dmon`, "
            "`amd-smi monitor`, `xpu-smi dump`, `rocm-smi --csv` and `efsmi -dmon`. fpreport also "
            "reads "
            "the output of `nvidia-smi -q`, `rocm-smi --json`, `amd-smi metric` and `amd-smi "
            "--json`.\n\n"
            "| vendor | command | lines |\n| --- | --- | --- |\n");
    for (size_t i = 0; card_tools[i]; i++)
        if (card_tools[i]->cards[0])
            print_tool(out, card_tools[i]);
    for (size_t i = 0; card_tables[i]; i++)
        print_tool(out, card_tables[i]);
}

static int run_formats(struct cli *cli)
{
    struct buf *out = &cli->out;
    if (cli->opt.learn)
        return cli_learn(cli);
    buf_str(out, "# What fpreport reads\n\n`fpreport formats` prints this document.\n\n");
    print_logs(out);
    print_event_file(out);
    print_rows(out);
    print_monitors(out);
    return cli_deliver(cli);
}

static const enum option_id options[] = {OPTION_OUT,  OPTION_LEARN, OPTION_LINE,
                                         OPTION_STEP, OPTION_LOSS,  OPTION_END};

const struct command command_formats = {
    .name = "formats",
    .summary = "list the formats of logs, curves and monitors, with examples",
    .arguments = "",
    .examples = "  fpreport formats\n"
                "  fpreport formats --learn a.log --line 7 --step 12 --loss 2.5\n",
    .details = "\n"
               "If fpreport cannot read a log, --learn drafts a description of its format from\n"
               "one example line of LOG, and counts the other lines that this draft reads.\n"
               "formats exits with 1 if the draft reads no other line, or if the step numbers\n"
               "decrease. Save the draft in records/formats/; verify and diff then read logs of\n"
               "this format.\n",
    .options = options,
    .out_meaning = "write the list to this file",
    .run = run_formats,
};
