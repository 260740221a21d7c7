/* Verdicts for people at a terminal: plain text, at most 80 columns where the words allow it. */
#include "verifier/verify.h"

#include "base/columns.h"

#include <string.h>

#define PLAIN "\033[0m"

static const char *const severity_colors[] = {
    [SEVERITY_NOTICE] = "\033[1;34m",
    [SEVERITY_WARNING] = "\033[1;33m",
    [SEVERITY_ERROR] = "\033[1;31m",
};
static const char *const outcome_colors[] = {
    [OUTCOME_PASS] = "\033[32m",
    [OUTCOME_FAIL] = "\033[1;31m",
    [OUTCOME_CANNOT] = "\033[33m",
};
static const char *const state_colors[] = {
    [STATE_VERIFIED] = "\033[1;32m",   [STATE_PARTIAL] = "\033[1;33m",
    [STATE_UNVERIFIED] = "\033[1;33m", [STATE_FAILED] = "\033[1;31m",
    [STATE_WITHDRAWN] = "\033[1m",
};

static void put_colored(struct buf *out, bool color, const char *code, const char *word)
{
    buf_printf(out, "%s%s%s", color ? code : "", word, color ? PLAIN : "");
}

static void put_finding(const struct check_result *c, bool color, struct buf *out)
{
    buf_str(out, c->file ? c->file : "-");
    if (c->line)
        buf_printf(out, ":%d", c->line);
    buf_str(out, ": ");
    if (c->outcome == OUTCOME_FAIL)
        put_colored(out, color, severity_colors[c->severity], severity_name(c->severity));
    else
        put_colored(out, color, outcome_colors[c->outcome], outcome_name(c->outcome));
    buf_printf(out, ": %s [%s]\n", c->message, c->rule);
    if (c->outcome == OUTCOME_FAIL && c->stated && c->expected) {
        buf_printf(out, "  stated %s, expected %s", c->stated, c->expected);
        if (c->tolerance)
            buf_printf(out, " (tolerance %s)", c->tolerance);
        buf_char(out, '\n');
    }
}

#define REASON_COLUMNS 14 /* what is left behind a figure and its verdict */

static const char *row_name(const struct verdict *v, const struct metric *m, struct arena *scratch)
{
    const struct table **tables;
    const char *name = "";
    size_t n = v->result ? result_figure_tables(v->result, scratch, &tables) : 0;
    if (m->table >= 1 && (size_t)m->table <= n) {
        const struct table *t = tables[m->table - 1];
        if (m->row >= 1 && (size_t)m->row <= t->n_rows && t->rows[m->row - 1].n_cells)
            name = t->rows[m->row - 1].cells[0].text;
    }
    return name;
}

static void put_metric(const struct metric *m, bool color, struct arena *scratch, struct buf *out)
{
    buf_str(out, "    ");
    columns_pad(out, m->name, 20);
    columns_pad(out, m->stated ? m->stated : "", 12);
    columns_pad(out, m->recomputed ? m->recomputed : "", 12);
    columns_pad(out, m->tolerance ? m->tolerance : "", 7);
    put_colored(out, color, outcome_colors[m->outcome], outcome_name(m->outcome));
    if (!m->reason && m->source)
        buf_printf(out, " from %s", strcmp(m->source, "stated") == 0 ? "the page" : "logs");
    bool fits = m->reason && columns_width(m->reason) <= REASON_COLUMNS;
    if (fits)
        buf_printf(out, " %s", m->reason);
    buf_char(out, '\n');
    if (m->reason && !fits)
        columns_paragraph(out, 6, 8, m->reason);
    if (m->derivation)
        columns_paragraph(out, 6, 8, arena_printf(scratch, "= %s", m->derivation));
}

/* A submission by itself has no rows: its figures are what a row could state. */
static void put_row(const struct verdict *v, const struct metric *m, struct arena *scratch,
                    struct buf *out)
{
    if (v->result)
        buf_printf(out, "  row %d.%d %s\n", m->table, m->row, row_name(v, m, scratch));
    else
        buf_str(out, v->found ? "  from its logs (nothing is stated beside them)\n"
                              : "  from its logs (nothing is stated beside a submission)\n");
}

static void put_metrics(const struct verdict *v, bool color, struct buf *out)
{
    struct arena scratch = ARENA_INIT;
    const struct metric *before = NULL;
    for (size_t i = 0; i < v->n_metrics; i++) {
        const struct metric *m = &v->metrics[i];
        bool said = m->claimed || m->recomputed || (v->found && m->reason && !m->stated);
        if (!said)
            continue;
        if (!before)
            buf_str(out, "    figure               stated       recomputed   +/-     verdict\n");
        if (!before || before->table != m->table || before->row != m->row)
            put_row(v, m, &scratch, out);
        put_metric(m, color, &scratch, out);
        before = m;
    }
    arena_release(&scratch);
}

static void put_alignment(const struct row_evidence *e, struct buf *out)
{
    const struct alignment *x = e->alignment;
    if (!x)
        return;
    buf_printf(out, "  loss: %s with %s\n", x->aligned ? "aligned" : "not aligned", x->reference);
    buf_printf(out, "      %zu steps from %d on: mean deviation %.4f %% (limit %g %%),\n", x->steps,
               x->from_step, 100 * x->mean_rel_error, 100 * x->limit);
    buf_printf(out, "      largest %.4f %% at step %.0f\n", 100 * x->max_rel_error, x->max_step);
}

static void put_count(struct buf *out, size_t n, const char *what, const char *after)
{
    buf_printf(out, "%zu %s%s%s", n, what, n == 1 ? "" : "s", after);
}

/* Figures that are claimed, and how many of them were recomputed from evidence. */
static void put_figures(const struct verdict *v, struct buf *out)
{
    size_t claimed = 0, measured = 0;
    for (size_t i = 0; i < v->n_metrics; i++) {
        const struct metric *m = &v->metrics[i];
        claimed += m->claimed;
        measured += m->claimed && m->recomputed && m->source && strcmp(m->source, "evidence") == 0;
    }
    if (claimed)
        buf_printf(out, "; %zu of %zu stated figures recomputed from evidence", measured, claimed);
}

static void put_state(const struct verdict *v, bool color, struct buf *out)
{
    size_t errors = verdict_count(v, OUTCOME_FAIL, SEVERITY_ERROR);
    size_t warnings = verdict_count(v, OUTCOME_FAIL, SEVERITY_WARNING);
    size_t all = verdict_count(v, OUTCOME_FAIL, SEVERITY_NOTICE);
    buf_printf(out, "%s: ", v->id);
    put_colored(out, color, state_colors[v->state], state_name(v->state));
    buf_str(out, " (");
    put_count(out, errors, "error", ", ");
    put_count(out, warnings - errors, "warning", ", ");
    put_count(out, all - warnings, "notice", "; ");
    put_count(out, verdict_count(v, OUTCOME_PASS, SEVERITY_NOTICE), "check", " passed, ");
    buf_printf(out, "%zu could not be made", verdict_count(v, OUTCOME_CANNOT, SEVERITY_NOTICE));
    put_figures(v, out);
    buf_str(out, ")\n");
}

static void put_failed(const struct verdict *v, enum severity severity, bool color, struct buf *out)
{
    for (size_t i = 0; i < v->n_checks; i++)
        if (v->checks[i].outcome == OUTCOME_FAIL && v->checks[i].severity == severity)
            put_finding(&v->checks[i], color, out);
}

void verdict_text(const struct verdict *v, const struct verdict_text_options *o, struct buf *out)
{
    put_failed(v, SEVERITY_ERROR, o->color, out);
    if (o->errors_only)
        return;
    put_failed(v, SEVERITY_WARNING, o->color, out);
    put_failed(v, SEVERITY_NOTICE, o->color, out);
    for (size_t i = 0; o->all && i < v->n_checks; i++)
        if (v->checks[i].outcome != OUTCOME_FAIL)
            put_finding(&v->checks[i], o->color, out);
    if (v->found)
        verdict_found_text(v->found, out);
    put_metrics(v, o->color, out);
    for (size_t i = 0; i < v->n_evidence; i++)
        put_alignment(&v->evidence[i], out);
    if (v->result && v->result->withdrawn)
        buf_printf(out, "  withdrawn on %s by %s: %s\n", v->result->withdrawn->date,
                   v->result->withdrawn->by, v->result->withdrawn->reason.zh);
    put_state(v, o->color, out);
}

void verdicts_summary_text(const struct verdict *v, size_t n, struct buf *out)
{
    const char *comma = "";
    for (enum state s = STATE_VERIFIED; s <= STATE_WITHDRAWN; s++) {
        size_t count = 0;
        for (size_t i = 0; i < n; i++)
            count += v[i].state == s;
        if (!count)
            continue;
        buf_printf(out, "%s%zu %s", comma, count, state_name(s));
        comma = ", ";
    }
    buf_char(out, '\n');
}
