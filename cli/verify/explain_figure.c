#include "cli/verify/explain_figure.h"

#include "base/columns.h"
#include "base/figures/figure.h"
#include "base/figures/metrics.h"
#include "base/records/verdict.h"
#include "base/text.h"
#include "verifier/runs/monitor.h"

#include <string.h>

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
        columns_paragraph(&cli->out, 2, 2,
                          arena_printf(&cli->arena, "%s:%d: %s: %s [%s]", or_dash(c->file), c->line,
                                       severity_name(c->severity), c->message, c->rule));
    }
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
    /* Is it a figure in its column's unit, without naming it? What has no '%' may be a ratio; OOM,
     * a dash and words have no unit. */
    const struct figure *f = m->says;
    bool unit = (figure_has_value(f) || f->kind == FIGURE_BOUND) && !*f->unit && m->unit &&
                *m->unit && strcmp(m->unit, "%") != 0;
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
    put_explained_part(cli, "recomputed", or_dash(figure_print(m->found, &cli->arena)));
    put_explained_part(cli, "tolerance", or_dash(figure_print(m->tolerance, &cli->arena)));
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

/* A line for each figure: what there is to be explained. */
static void list_figures(struct cli *cli, const struct verdict *v)
{
    enum { NAME = 24, ROW = 5, STATED = 14, RECOMPUTED = 14 };
    struct buf *out = &cli->out;
    buf_printf(out, "%s%s\n  ", out->len ? "\n" : "", v->id);
    columns_pad(out, "metric", NAME);
    columns_pad(out, "row", ROW);
    columns_pad(out, "stated", STATED);
    columns_pad(out, "recomputed", RECOMPUTED);
    buf_str(out, "verdict\n");
    for (size_t i = 0; i < v->n_metrics; i++) {
        const struct metric *m = &v->metrics[i];
        buf_str(out, "  ");
        columns_fit(out, m->name, NAME);
        columns_fit(out, m->row ? arena_printf(&cli->arena, "%d.%d", m->table, m->row) : "-", ROW);
        columns_fit(out, or_dash(m->stated), STATED);
        columns_fit(out, or_dash(figure_print(m->found, &cli->arena)), RECOMPUTED);
        buf_printf(out, "%s\n", metric_word(m));
    }
}

static int list_all_figures(struct cli *cli, const struct verdict *v, size_t n, const char *what)
{
    for (size_t i = 0; i < n; i++)
        list_figures(cli, &v[i]);
    buf_printf(&cli->out, "\n`fpreport explain %s METRIC` explains one metric.\n", what);
    return EXIT_AGREED;
}

int explain_figures(struct cli *cli, const struct project *project, const struct verdict *v,
                    size_t n, const char *name)
{
    const char *known = "", *of = n ? v[0].id : "it";
    size_t found = 0;
    for (size_t i = 0; i < n; i++)
        found += explain_verdict(cli, project, &v[i], name, &known);
    if (found)
        return EXIT_AGREED;
    if (*known && !name)
        return list_all_figures(cli, v, n, cli->args[0]);
    return name && *known
               ? cli_usage(cli, "found no figure '%s' in %s, expected one of %s", name, of, known)
               : cli_usage(cli, "%s: has no figures to explain", of);
}
