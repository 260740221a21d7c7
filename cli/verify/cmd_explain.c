#include "cli/cli.h"

#include "base/columns.h"
#include "base/files/file.h"
#include "base/project/project.h"
#include "base/text.h"
#include "cli/archive/archive.h"
#include "cli/intake/inputs.h"
#include "cli/verify/explain_example.h"
#include "cli/verify/explain_figure.h"
#include "cli/verify/verify_bundle.h"
#include "cli/verify/verify_mlperf.h"
#include "cli/verify/verify_tree.h"
#include "verifier/checks/list.h"
#include "verifier/checks/mlperf/mlperf_rule.h"
#include "verifier/checks/rules.h"
#include "verifier/verify.h"

#include <stdlib.h>
#include <string.h>

static void put_folded_text(struct buf *out, const char *text)
{
    columns_paragraph(out, 2, 2, text);
}

static void put_section(struct buf *out, const char *heading, const char *text)
{
    buf_printf(out, "\n%s\n", heading);
    put_folded_text(out, text);
}

/* The first line that differs; lines that both begin with are only passed over. */
static int skip_same_lines(const char **honest, const char **changed)
{
    int lines = 0;
    for (;;) {
        size_t n = strcspn(*honest, "\n");
        if ((*honest)[n] != '\n' || strncmp(*honest, *changed, n + 1) != 0)
            return lines;
        *honest += n + 1;
        *changed += n + 1;
        lines++;
    }
}

static const struct check_result *find_failure(const struct verdict *v, const char *rule)
{
    for (size_t i = 0; i < v->n_checks; i++)
        if (v->checks[i].outcome == OUTCOME_FAIL && strcmp(v->checks[i].rule, rule) == 0)
            return &v->checks[i];
    return NULL;
}

static void put_explained_finding(struct cli *cli, const struct check_result *c)
{
    struct buf *out = &cli->out;
    const char *line = c->line ? arena_printf(&cli->arena, ":%d", c->line) : "";
    buf_str(out, "  gives\n");
    put_folded_text(out, arena_printf(&cli->arena, "%s%s: %s: %s [%s]", c->file, line,
                                      severity_name(c->severity), c->message, c->rule));
    if (c->stated && c->expected)
        put_folded_text(out, arena_printf(&cli->arena, "stated %s, expected %s%s%s", c->stated,
                                          c->expected, c->tolerance ? ", tolerance " : "",
                                          c->tolerance ? c->tolerance : ""));
}

static int put_example(struct cli *cli, const struct rule *r)
{
    struct explain_example x;
    struct err err = ERR_INIT;
    if (explain_example_run(cli, &r->example, r->example.in, &x, &err) < 0) {
        cli_note(cli, "the example cannot be shown: %s", err.text);
        return EXIT_INPUT;
    }
    /* The change as a reader of patches knows it; a text over lines keeps only the first that
     * differs. */
    const char *honest = r->example.honest, *changed = r->example.changed;
    int line = x.line + skip_same_lines(&honest, &changed);
    buf_printf(&cli->out, "\nExample (%s, line %d)\n", x.file, line);
    changed += strspn(changed, "\n");
    if (*honest)
        buf_printf(&cli->out, "  - %.*s\n", (int)strcspn(honest, "\n"), honest);
    buf_printf(&cli->out, "  + %.*s\n", (int)strcspn(changed, "\n"), changed);
    if (r->example.times)
        buf_printf(&cli->out, "  %d times\n", r->example.times);
    const struct check_result *found = find_failure(&x.verdict, r->id);
    if (!found)
        return cli_usage(cli, "%s: the rule does not find its own example", r->id);
    put_explained_finding(cli, found);
    return EXIT_AGREED;
}

/* A format with "…" for its values. */
static void put_format(struct buf *out, const char *format)
{
    for (const char *at; (at = strchr(format, '%')); format = at + strlen("%s")) {
        buf_add(out, format, (size_t)(at - format));
        buf_str(out, "…");
    }
    buf_str(out, format);
}

/* What a finding may say, and what to do then. */
static void put_cases(struct cli *cli, const struct rule *r)
{
    for (const struct rule_case *c = r->cases; c && c->says; c++) {
        const char *next = c[1].says ? c[1].fix.en : NULL;
        buf_str(&cli->out, "\n  \"");
        put_format(&cli->out, c->says);
        buf_str(&cli->out, "\"\n");
        if (!next || strcmp(next, c->fix.en) != 0)
            put_folded_text(&cli->out, c->fix.en);
    }
}

static int explain_rule(struct cli *cli, const struct rule *r)
{
    struct buf *out = &cli->out;
    buf_printf(out, "%s %s (%s, rules %s)\n", r->id, r->title.en, rule_severities(r, &cli->arena),
               RULES_CURRENT);
    put_folded_text(out, r->statement.en);
    put_section(out, "Why", r->why.en);
    put_section(out, "How it is computed", r->how.en);
    int code = put_example(cli, r);
    put_section(out, "How to fix it", r->fix.en);
    put_cases(cli, r);
    return code;
}

static int list_rules(struct cli *cli)
{
    size_t n;
    const struct rule *const *rules = rules_all(&n);
    for (size_t i = 0; i < n; i++)
        buf_printf(&cli->out, "%s  %-25s  %s\n", rules[i]->id,
                   rule_severities(rules[i], &cli->arena), rules[i]->title.en);
    const struct mlperf_rule *const *about_mlperf = mlperf_rules(&n);
    for (size_t i = 0; i < n; i++)
        buf_printf(&cli->out, "%s  %-25s  %s\n", about_mlperf[i]->id,
                   mlperf_rule_severities(about_mlperf[i], &cli->arena), about_mlperf[i]->title.en);
    buf_str(&cli->out, "\n`fpreport explain RULE` explains one rule.\n");
    return EXIT_AGREED;
}

static int explain_mlperf_rule(struct cli *cli, const struct mlperf_rule *r)
{
    struct buf *out = &cli->out;
    buf_printf(out, "%s %s (%s)\n", r->id, r->title.en, mlperf_rule_severities(r, &cli->arena));
    put_folded_text(out, r->statement.en);
    put_section(out, "Source", r->source);
    put_section(out, "A finding", r->example);
    return EXIT_AGREED;
}

static const struct rule *find_rule(const char *id)
{
    size_t n;
    const struct rule *const *rules = rules_all(&n);
    for (size_t i = 0; i < n; i++)
        if (text_same(rules[i]->id, id))
            return rules[i];
    return NULL;
}

static int explain_held(struct cli *cli, const struct project *project, const struct result *r,
                        const char *records, const char *metric)
{
    struct verdict v;
    verify_result(project, NULL, r, records, &cli->arena, &v);
    return explain_figures(cli, project, &v, 1, metric);
}

static int explain_record(struct cli *cli, struct project *project, const char *what,
                          const char *metric)
{
    const struct result *r;
    int code = input_read_record(cli, project, what, &r);
    code = exit_worse(code, cli_diags(cli));
    return r ? explain_held(cli, project, r, input_records_of(cli, what, project->root), metric)
             : code;
}

static int explain_page(struct cli *cli, struct project *project, const char *what,
                        const char *metric)
{
    const struct result *r;
    int code = input_read_page(cli, what, &r);
    code = exit_worse(code, cli_diags(cli));
    return r ? explain_held(cli, project, r, NULL, metric) : code;
}

static int explain_submission(struct cli *cli, struct project *project, const char *what,
                              const char *metric)
{
    struct verdict v;
    struct err err = ERR_INIT;
    if (verify_archive(project, NULL, what, &cli->arena, &v, &err) < 0)
        return cli_fail(cli, &err);
    return explain_figures(cli, project, &v, 1, metric);
}

static int explain_bundle(struct cli *cli, struct project *project, const char *what,
                          const char *metric)
{
    struct bundle *b;
    struct verdict v;
    (void)project;
    int code = cli_bundle_open(cli, what, &b);
    if (code)
        return exit_worse(code, cli_diags(cli));
    cli_bundle_verify(cli, b, NULL, &v);
    return explain_figures(cli, &b->project, &v, 1, metric);
}

/* Loose files: a run, a case, a round, a node or a log. */
static int explain_loose(struct cli *cli, struct project *project, const char *what,
                         const char *metric)
{
    struct verdict *v = NULL;
    size_t n = 0;
    struct verify_against against = {.rules = NULL};
    int code = cli_read_against(cli, project, &against);
    code = code ? code : cli_verify_tree(cli, project, &against, what, &v, &n);
    code = exit_worse(code, cli_diags(cli));
    return code ? code : explain_figures(cli, project, v, n, metric);
}

static int (*const explain_kind[INPUT_KINDS])(struct cli *, struct project *, const char *what,
                                              const char *metric) = {
    [INPUT_RECORD] = explain_record,         [INPUT_PAGE] = explain_page,
    [INPUT_SUBMISSION] = explain_submission, [INPUT_BUNDLE] = explain_bundle,
    [INPUT_LOOSE] = explain_loose,
};

/* `metric` NULL: nobody named one yet, so all are listed. */
static int explain_result(struct cli *cli, const char *what, const char *metric)
{
    struct project project;
    if (cli_mlperf_input(cli, what) != MLPERF_NO_INPUT)
        return cli_explain_mlperf(cli, metric);
    cli_load_records(cli, &project);
    int unread = cli->diags.machine ? EXIT_IO : cli_archive(cli, &project);
    if (unread)
        return exit_worse(unread, cli_diags(cli));
    const char *archived = cli_archive_find(cli, &project, what);
    if (archived)
        return explain_submission(cli, &project, archived, metric);
    enum input_kind kind = input_by_name(cli, what);
    const struct result *r =
        kind == INPUT_UNKNOWN ? project_result_by_name(&project, what, &cli->arena) : NULL;
    if (r)
        return explain_held(cli, &project, r, NULL, metric);
    if (kind == INPUT_UNKNOWN && file_exists(what))
        kind = input_by_content(cli, what);
    if (kind != INPUT_UNKNOWN)
        return explain_kind[kind](cli, &project, what, metric);
    int code = cli_diags(cli); /* it may be one of those that could not be loaded */
    return exit_worse(code, input_refuse(cli, what,
                                         "VENDOR/CASE, a record (.json), a page (.md), a "
                                         "submission (.tar.zst), a log or the folder of a run"));
}

static int explain_words(struct cli *cli)
{
    if (cli->n_args == 2)
        return explain_result(cli, cli->args[0], cli->args[1]);
    if (cli->n_args == 0)
        return list_rules(cli);
    const struct rule *c = find_rule(cli->args[0]);
    if (c)
        return explain_rule(cli, c);
    const struct mlperf_rule *m = mlperf_rule_find(cli->args[0]);
    if (m)
        return explain_mlperf_rule(cli, m);
    return strchr(cli->args[0], '/') || input_is_path(cli->args[0])
               ? explain_result(cli, cli->args[0], NULL)
               : cli_usage(cli, "%s: found no such rule; `fpreport explain` lists them",
                           cli->args[0]);
}

static int run_explain(struct cli *cli)
{
    int code = explain_words(cli);
    return exit_worse(code, cli_deliver(cli));
}

static const enum option_id options[] = {OPTION_OUT,     OPTION_RECORDS, OPTION_CASE,
                                         OPTION_AGAINST, OPTION_ARCHIVE, OPTION_RULESET,
                                         OPTION_END};

const struct command command_explain = {
    .name = "explain",
    .summary = "explain a rule, or how a number was recomputed",
    .arguments = "[RULE | RESULT [METRIC]]",
    .examples = "  fpreport explain                              all rules\n"
                "  fpreport explain FP2003\n"
                "  fpreport explain nvidia/baichuan2_13b-deepspeed mfu\n"
                "  fpreport explain result/run20240506101112 p_core\n",
    .details =
        "\n"
        "RESULT is VENDOR/CASE of the records, a record (.json), a page (.md), a\n"
        "submission (.tar.zst), a run directory, a log, or a directory of MLPerf runs.\n"
        "METRIC is the heading or key of a table column (\"token/p/s\",\n"
        "\"token_per_s_per_card\"), or a metric that only evidence gives (\"memory_typical\",\n"
        "\"card_power\", \"mfu_exact\"). Without METRIC, explain lists all metrics.\n"
        "For a rule, explain also shows an example: a correct file with one change, and\n"
        "what the rule reports about this file.\n",
    .options = options,
    .out_meaning = "write the explanation to this file",
    .max_arguments = 2,
    .run = run_explain,
};
