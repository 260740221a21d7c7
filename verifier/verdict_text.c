/* Verdicts for people at a terminal: plain text, at most 80 columns where the words allow it. */
#include "verifier/verify.h"

#include "base/text.h"

#include <string.h>

static void put_finding(const struct check_result *c, struct buf *out)
{
    buf_str(out, c->file ? c->file : "-");
    if (c->line)
        buf_printf(out, ":%d", c->line);
    buf_printf(out, ": %s: %s [%s]\n",
               c->outcome == OUTCOME_FAIL ? severity_name(c->severity) : outcome_name(c->outcome),
               c->message, c->rule);
    if (c->outcome == OUTCOME_FAIL && c->stated && c->expected) {
        buf_printf(out, "  stated %s, expected %s", c->stated, c->expected);
        if (c->tolerance)
            buf_printf(out, " (tolerance %s)", c->tolerance);
        buf_char(out, '\n');
    }
}

/* Columns that a terminal needs: East Asian characters take two. */
static size_t width(const char *s)
{
    size_t n = 0, at = 0, len = strlen(s);
    while (at < len) {
        uint32_t c = 0;
        size_t step = utf8_next(s + at, len - at, &c);
        at += step ? step : 1;
        n += c >= 0x1100 && c != 0x2026 ? 2 : 1;
    }
    return n;
}

static void put_padded(struct buf *out, const char *s, size_t columns)
{
    buf_str(out, s);
    for (size_t n = width(s); n < columns; n++)
        buf_char(out, ' ');
    buf_char(out, ' ');
}

static const char *row_name(const struct verdict *v, const struct metric *m)
{
    const struct table **tables;
    struct arena scratch = ARENA_INIT;
    const char *name = "";
    size_t n = v->result ? result_figure_tables(v->result, &scratch, &tables) : 0;
    if (m->table >= 1 && (size_t)m->table <= n) {
        const struct table *t = tables[m->table - 1];
        if (m->row >= 1 && (size_t)m->row <= t->n_rows && t->rows[m->row - 1].n_cells)
            name = t->rows[m->row - 1].cells[0].text;
    }
    arena_release(&scratch);
    return name;
}

static void put_metric(const struct metric *m, struct buf *out)
{
    buf_str(out, "    ");
    put_padded(out, m->name, 20);
    put_padded(out, m->stated ? m->stated : "", 13);
    put_padded(out, m->recomputed ? m->recomputed : "", 13);
    put_padded(out, m->tolerance ? m->tolerance : "", 9);
    buf_str(out, outcome_name(m->outcome));
    if (m->reason)
        buf_printf(out, " %s", m->reason);
    else if (m->source)
        buf_printf(out, " from %s", strcmp(m->source, "stated") == 0 ? "stated figures" : "logs");
    buf_char(out, '\n');
    if (m->derivation)
        buf_printf(out, "      = %s\n", m->derivation);
}

static void put_metrics(const struct verdict *v, struct buf *out)
{
    const struct metric *before = NULL;
    for (size_t i = 0; i < v->n_metrics; i++) {
        const struct metric *m = &v->metrics[i];
        if (!m->claimed && !m->recomputed)
            continue;
        if (!before)
            buf_str(out,
                    "    figure               stated        recomputed    +/-       verdict\n");
        if (!before || before->table != m->table || before->row != m->row)
            buf_printf(out, "  row %d.%d %s\n", m->table, m->row, row_name(v, m));
        put_metric(m, out);
        before = m;
    }
}

static void put_alignment(const struct row_evidence *e, struct buf *out)
{
    const struct alignment *x = e->alignment;
    if (!x)
        return;
    buf_printf(out,
               "  loss: %s with %s from step %d on: mean %.4f %%, maximum %.4f %% at step %.0f,\n"
               "        %zu steps, limit %g %%\n",
               x->aligned ? "aligned" : "not aligned", x->reference, x->from_step,
               100 * x->mean_rel_error, 100 * x->max_rel_error, x->max_step, x->steps,
               100 * x->limit);
}

void verdict_text(const struct verdict *v, bool all, struct buf *out)
{
    size_t cannot = 0, passed = 0;
    for (size_t i = 0; i < v->n_checks; i++) {
        const struct check_result *c = &v->checks[i];
        passed += c->outcome == OUTCOME_PASS;
        cannot += c->outcome == OUTCOME_CANNOT;
        if (all || c->outcome == OUTCOME_FAIL)
            put_finding(c, out);
    }
    put_metrics(v, out);
    for (size_t i = 0; i < v->n_evidence; i++)
        put_alignment(&v->evidence[i], out);
    buf_printf(out,
               "%s: %s (%zu errors, %zu warnings, %zu notices; %zu checks passed, %zu could not "
               "be made)\n",
               v->id, state_name(v->state), verdict_count(v, OUTCOME_FAIL, SEVERITY_ERROR),
               verdict_count(v, OUTCOME_FAIL, SEVERITY_WARNING) -
                   verdict_count(v, OUTCOME_FAIL, SEVERITY_ERROR),
               verdict_count(v, OUTCOME_FAIL, SEVERITY_NOTICE) -
                   verdict_count(v, OUTCOME_FAIL, SEVERITY_WARNING),
               passed, cannot);
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
