#include "cli/cli.h"

#include "base/columns.h"
#include "base/figures/figure.h"
#include "base/figures/metrics.h"
#include "base/files/file.h"
#include "base/project/project.h"
#include "base/records/mfu_numbers.h"
#include "base/text.h"
#include "cli/archive/archive.h"
#include "cli/intake/inputs.h"
#include "cli/verify/explain_example.h"
#include "cli/verify/verify_mlperf.h"
#include "cli/verify/verify_tree.h"
#include "verifier/checks/list.h"
#include "verifier/checks/mlperf/mlperf_rule.h"
#include "verifier/checks/rules.h"
#include "verifier/runs/monitor.h"
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

/* The change as a reader of patches knows it; a text over lines keeps only the first that
 * differs. */
static void put_change(struct buf *out, const struct rule_example *e,
                       const struct explain_example *x)
{
    const char *honest = e->honest, *changed = e->changed;
    int line = x->line + skip_same_lines(&honest, &changed);
    buf_printf(out, "\nExample (%s, line %d)\n", x->file, line);
    changed += strspn(changed, "\n");
    if (*honest)
        buf_printf(out, "  - %.*s\n", (int)strcspn(honest, "\n"), honest);
    buf_printf(out, "  + %.*s\n", (int)strcspn(changed, "\n"), changed);
    if (e->times)
        buf_printf(out, "  %d times\n", e->times);
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
    put_change(&cli->out, &r->example, &x);
    const struct check_result *found = find_failure(&x.verdict, r->id);
    if (!found)
        return cli_usage(cli, "%s: its example is not found by the checker", r->id);
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
    buf_str(&cli->out, "\n`fpreport explain RULE` says more about one of them.\n");
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

/* --- a figure --- */

static const char *or_dash(const char *text)
{
    return text && *text ? text : "-";
}

#define PART_COLUMNS 12 /* what a part of a derivation is called */

/* "  verdict     PASS": 80 columns, the text below itself. */
static void put_explained_part(struct cli *cli, const char *name, const char *text)
{
    buf_str(&cli->out, "  ");
    columns_pad(&cli->out, name, PART_COLUMNS - 1);
    columns_wrap(&cli->out, 2 + PART_COLUMNS, 2 + PART_COLUMNS, text);
}

static const struct row *row_of_figure(const struct verdict *v, const struct metric *m,
                                       const struct table **table, struct arena *arena)
{
    const struct table **tables;
    size_t n = result_figure_tables(v->result, arena, &tables);
    if (m->table < 1 || (size_t)m->table > n || m->row < 1)
        return NULL;
    *table = tables[m->table - 1];
    return (size_t)m->row <= (*table)->n_rows ? &(*table)->rows[m->row - 1] : NULL;
}

/* The cells of the row that a figure of the page is computed from, by their columns. */
static void put_explained_row(struct cli *cli, const struct verdict *v, const struct metric *m)
{
    const struct table *t = NULL;
    const struct row *row = v->result ? row_of_figure(v, m, &t, &cli->arena) : NULL;
    if (!row)
        return;
    put_explained_part(cli, "inputs",
                       arena_printf(&cli->arena, "the row, %s:%d", or_dash(v->file),
                                    row->line ? row->line : t->line));
    for (size_t i = 0; i < row->n_cells && i < t->n_columns; i++)
        columns_paragraph(
            &cli->out, 16, 18,
            arena_printf(&cli->arena, "%s: %s", t->columns[i], or_dash(row->cells[i].text)));
}

/* The file that a figure of the evidence is from. */
static const char *input_of_figure(struct cli *cli, const struct verdict *v,
                                   const struct row_evidence *e, const struct metric *m)
{
    if (m->input && monitor_is(m->input))
        return arena_printf(&cli->arena, "the monitor, %s%s", m->input,
                            m->input_line ? arena_printf(&cli->arena, ":%d", m->input_line) : "");
    return arena_printf(&cli->arena, "the log, %s%c%s", e->archive, v->found ? '/' : ':',
                        or_dash(e->log));
}

/* The row, and the logs that it was recomputed from. */
static void put_inputs(struct cli *cli, const struct verdict *v, const struct metric *m)
{
    put_explained_row(cli, v, m);
    for (size_t i = 0; i < v->n_evidence; i++) {
        const struct row_evidence *e = &v->evidence[i];
        bool of_row =
            !m->row || ((!e->table || e->table == m->table) && (!e->row || e->row == m->row));
        if (!of_row || !m->source || strcmp(m->source, "evidence") != 0)
            continue;
        put_explained_part(cli, v->result ? "" : "inputs", input_of_figure(cli, v, e, m));
        if (e->sha256)
            buf_printf(&cli->out, "                sha256 %s\n", e->sha256);
        else
            buf_str(&cli->out, "                loose files, not sealed\n");
    }
}

/* N and the peak, with the records that they are from and where those have them from. */
static void put_constants(struct cli *cli, const struct project *p, const struct verdict *v,
                          const struct mfu_numbers *x)
{
    const struct case_record *kase =
        v->found && v->found->kase ? project_case(p, v->found->kase) : NULL;
    const struct model *model = v->result ? project_result_model(p, v->result)
                                : kase    ? project_model(p, kase->model)
                                          : NULL;
    if (model)
        put_explained_part(cli, "",
                           arena_printf(&cli->arena, "N, %s/models/%s.json: %s", p->root, model->id,
                                        or_dash(model->source)));
    for (size_t i = 0; i < p->n_accelerators; i++) {
        const struct accelerator *a = &p->accelerators[i];
        for (size_t k = 0; k < a->n_peaks; k++) {
            const struct peak *peak = &a->peaks[k];
            const char *name = arena_printf(&cli->arena, "%s %s", a->name, peak->precision);
            if (strcmp(x->peak_name, name) == 0)
                put_explained_part(cli, "",
                                   arena_printf(&cli->arena, "peak, %s/accelerators/%s.json:%d: %s",
                                                p->root, a->id, peak->line, or_dash(peak->source)));
        }
    }
}

/* Findings about this figure: of its row, naming what is stated in it. */
static void put_explained_findings(struct cli *cli, const struct verdict *v, const struct metric *m)
{
    for (size_t i = 0; i < v->n_checks; i++) {
        const struct check_result *c = &v->checks[i];
        bool same = c->table == m->table && c->row == m->row && c->outcome == OUTCOME_FAIL;
        if (!same || !c->stated || !m->stated || !text_same(c->stated, m->stated))
            continue;
        put_folded_text(&cli->out,
                        arena_printf(&cli->arena, "%s:%d: %s: %s [%s]", or_dash(c->file), c->line,
                                     severity_name(c->severity), c->message, c->rule));
    }
}

/* Is it a figure in its column's unit, without naming it? What has no '%' may be a ratio; OOM, a
 * dash and words have no unit. */
static bool lacks_unit(const struct metric *m)
{
    const struct figure *f = m->says;
    return (figure_has_value(f) || f->kind == FIGURE_BOUND) && !*f->unit && m->unit && *m->unit &&
           strcmp(m->unit, "%") != 0;
}

static void explain_figure(struct cli *cli, const struct project *project, const struct verdict *v,
                           const struct metric *m)
{
    struct buf *out = &cli->out;
    const struct table *t = NULL;
    const struct row *row = v->result ? row_of_figure(v, m, &t, &cli->arena) : NULL;
    if (v->result)
        buf_printf(out, "%s, row %d.%d%s%s\n", m->name, m->table, m->row, row ? " " : "",
                   row && row->n_cells ? row->cells[0].text : "");
    else
        buf_printf(out, "%s, %s\n", m->name, v->id);
    bool unit = lacks_unit(m);
    put_explained_part(cli, "stated",
                       arena_printf(&cli->arena, "%s%s%s", or_dash(m->stated), unit ? " " : "",
                                    unit ? m->unit : ""));
    put_inputs(cli, v, m);
    struct mfu_numbers numbers;
    if (mfu_numbers_of(m, &numbers))
        put_constants(cli, project, v, &numbers);
    if (m->derivation) {
        buf_str(out, "  formula\n");
        columns_paragraph(out, 4, 4, m->derivation);
    }
    put_explained_part(cli, "recomputed", or_dash(m->recomputed));
    put_explained_part(cli, "tolerance", or_dash(m->tolerance));
    put_explained_part(cli, "verdict",
                       arena_printf(&cli->arena, "%s%s%s", metric_word(m), m->reason ? ": " : "",
                                    m->reason ? m->reason : ""));
    put_explained_findings(cli, v, m);
}

static bool is_metric(const struct metric *m, const char *name)
{
    const struct metrics_column *by_name = metrics_column(name);
    return text_same(m->name, name) || (by_name && strcmp(by_name->key, m->name) == 0);
}

/* How many figures of this name there are; `known` collects all names. */
static size_t explain_verdict(struct cli *cli, const struct project *project,
                              const struct verdict *v, const char *name, const char **all)
{
    size_t found = 0;
    const char *known = *all;
    for (size_t i = 0; i < v->n_metrics; i++) {
        const struct metric *m = &v->metrics[i];
        if (!strstr(known, m->name))
            known = arena_printf(&cli->arena, "%s%s%s", known, *known ? ", " : "", m->name);
        if (!name || !is_metric(m, name))
            continue;
        if (found++ || cli->out.len)
            buf_char(&cli->out, '\n');
        explain_figure(cli, project, v, m);
    }
    *all = known;
    return found;
}

static int explain_metric(struct cli *cli, const struct project *project, const struct verdict *v,
                          size_t n, const char *name)
{
    const char *known = "", *of = n ? v[0].id : "it";
    size_t found = 0;
    for (size_t i = 0; i < n; i++)
        found += explain_verdict(cli, project, &v[i], name, &known);
    if (found)
        return EXIT_AGREED;
    known = *known ? known : "none: it has no figures";
    return name ? cli_usage(cli, "found no figure '%s' in %s, expected one of %s", name, of, known)
                : cli_usage(cli, "%s: name a METRIC, one of %s", of, known);
}

static int explain_held(struct cli *cli, const struct project *project, const struct result *r,
                        const char *records, const char *metric)
{
    struct verdict v;
    verify_result(project, NULL, r, records, &cli->arena, &v);
    return explain_metric(cli, project, &v, 1, metric);
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
    return explain_metric(cli, project, &v, 1, metric);
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
    return code ? code : explain_metric(cli, project, v, n, metric);
}

static int (*const explain_kind[INPUT_KINDS])(struct cli *, struct project *, const char *what,
                                              const char *metric) = {
    [INPUT_RECORD] = explain_record,
    [INPUT_PAGE] = explain_page,
    [INPUT_SUBMISSION] = explain_submission,
    [INPUT_LOOSE] = explain_loose,
};

/* `metric` NULL: nobody named one yet; the message lists them. */
static int explain_result(struct cli *cli, const char *what, const char *metric)
{
    struct project project;
    if (cli_mlperf_input(cli, what) != MLPERF_NO_INPUT)
        return cli_explain_mlperf(cli, metric);
    project_load(cli_records(cli), &project, &cli->arena, &cli->diags);
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
    .summary = "what a rule means, or how a figure was recomputed",
    .arguments = "[RULE | RESULT METRIC]",
    .examples = "  fpreport explain                              all rules\n"
                "  fpreport explain FP2003\n"
                "  fpreport explain nvidia/baichuan2_13b-deepspeed mfu\n"
                "  fpreport explain result/run20240506101112 p_core\n",
    .details = "\nRESULT is VENDOR/CASE of the records, a record (.json), a page (.md), a\n"
               "submission (.tar.zst), the folder of a run, a log, or a directory of MLPerf\n"
               "runs; METRIC a column by its\n"
               "heading or its key (\"token/p/s\", \"token_per_s_per_card\"), or a figure that\n"
               "only evidence has (\"memory_typical\", \"card_power\", \"mfu_exact\"). Without\n"
               "METRIC those that there are are listed. The example of a rule is one change to\n"
               "something honest, put to the checker as you read it.\n",
    .options = options,
    .out_meaning = "write the explanation to this file",
    .max_arguments = 2,
    .run = run_explain,
};
