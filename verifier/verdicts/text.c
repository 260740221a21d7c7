/* Verdicts for people at a terminal: plain text, at most 80 columns where the words allow it. */
#include "verifier/verdicts/verdicts.h"

#include "base/columns.h"
#include "base/foreign.h"
#include "base/lookup.h"
#include "verifier/checks/list.h"
#include "verifier/checks/rules.h"
#include "verifier/verdicts/mlperf.h"

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

void verdict_put_state(struct buf *out, bool color, enum state state, size_t width)
{
    buf_str(out, color ? state_colors[state] : "");
    if (width)
        columns_pad(out, state_name(state), width);
    else
        buf_str(out, state_name(state));
    buf_str(out, color ? PLAIN : "");
}

void verdict_put_severity(struct buf *out, bool color, enum severity severity)
{
    put_colored(out, color, severity_colors[severity], severity_name(severity));
}

#define SHOWN_MAX 200 /* bytes of what was stated, and of what should have been */

/* One verdict being written; what others wrote is copied here without what is hidden in it. */
struct text {
    const struct verdict *v;
    const struct verdicts *options;
    struct lookup failed; /* rules of failed checks, by their place in `v` */
    struct arena scratch;
    struct buf *out;
};

static const char *shown_in_text(struct text *t, const char *text)
{
    return foreign_line(&t->scratch, text, SHOWN_MAX);
}

/* Where both already stand in the sentence, they are not said again. */
static void put_finding_values(struct text *t, const struct check_result *c)
{
    const char *stated = shown_in_text(t, c->stated), *expected = shown_in_text(t, c->expected);
    if (!c->tolerance && strstr(c->message, c->stated) && strstr(c->message, c->expected))
        return;
    const char *tolerance = c->tolerance ? arena_printf(&t->scratch, " +/- %s", c->tolerance) : "";
    columns_paragraph(t->out, 2, 4,
                      arena_printf(&t->scratch, "stated %s, %s %s%s", stated,
                                   c->tolerance ? "recomputed" : "expected", expected, tolerance));
}

/* Was this said of an earlier finding of the rule? */
static bool is_said_before(const struct text *t, const struct check_result *c, const char *fix)
{
    const struct check_result *first = &t->v->checks[lookup_find(&t->failed, c->rule)];
    const struct rule *r = rule_find(c->rule);
    if (!r->cases)
        return first != c;
    for (; first < c; first++)
        if (first->outcome == OUTCOME_FAIL && strcmp(first->rule, c->rule) == 0 &&
            strcmp(rule_fix(r, first), fix) == 0)
            return true;
    return false;
}

static void put_text_finding(struct text *t, const struct check_result *c)
{
    bool failed = c->outcome == OUTCOME_FAIL, color = t->options->color;
    buf_str(t->out, foreign_line(&t->scratch, c->file ? c->file : "-", 0));
    if (c->line)
        buf_printf(t->out, ":%d", c->line);
    if (c->line && c->column)
        buf_printf(t->out, ":%d", c->column);
    buf_str(t->out, ": ");
    if (failed)
        put_colored(t->out, color, severity_colors[c->severity], severity_name(c->severity));
    else
        put_colored(t->out, color, outcome_colors[c->outcome], outcome_name(c->outcome));
    buf_printf(t->out, ": %s [%s]\n", foreign_line(&t->scratch, c->message, 0), c->rule);
    if (failed && c->stated && c->expected)
        put_finding_values(t, c);
    if (failed && !t->options->errors_only) {
        /* Once for each rule, or for each case of it. */
        const struct rule *r = rule_find(c->rule);
        const char *fix = r ? rule_fix(r, c) : NULL;
        if (fix && !is_said_before(t, c, fix))
            columns_paragraph(t->out, 2, 4, arena_printf(&t->scratch, "help: %s", fix));
    }
}

#define REASON_COLUMNS 14 /* what is left behind a figure and its verdict */

const char *verdict_row_name(const struct verdict *v, int table, int row, struct arena *scratch)
{
    const struct table **tables;
    size_t n = v->result ? result_figure_tables(v->result, scratch, &tables) : 0;
    if (table < 1 || (size_t)table > n)
        return "";
    const struct table *t = tables[table - 1];
    bool named = row >= 1 && (size_t)row <= t->n_rows && t->rows[row - 1].n_cells;
    return named ? t->rows[row - 1].cells[0].text : "";
}

static void put_text_metric(struct text *t, const struct metric *m)
{
    struct buf *out = t->out;
    const char *reason = m->reason ? foreign_line(&t->scratch, m->reason, 0) : NULL;
    buf_str(out, "    ");
    columns_pad(out, shown_in_text(t, m->name), 20);
    columns_pad(out, m->stated ? shown_in_text(t, m->stated) : "", 12);
    columns_pad(out, m->found ? figure_print(m->found, &t->scratch) : "", 12);
    if (t->v->n_reproductions)
        columns_pad(out, m->reproduced ? m->reproduced->measured : "", 10);
    columns_pad(out, m->tolerance ? figure_print(m->tolerance, &t->scratch) : "", 7);
    put_colored(out, t->options->color, outcome_colors[m->outcome], metric_word(m));
    if (!reason && m->source && !t->v->n_reproductions)
        buf_printf(out, " from %s", strcmp(m->source, "stated") == 0 ? "the page" : "logs");
    bool fits = reason && columns_width(reason) <= REASON_COLUMNS;
    if (fits)
        buf_printf(out, " %s", reason);
    buf_char(out, '\n');
    if (reason && !fits)
        columns_paragraph(out, 6, 8, reason);
    if (m->derivation)
        columns_paragraph(
            out, 6, 8,
            arena_printf(&t->scratch, "= %s", foreign_line(&t->scratch, m->derivation, 0)));
}

/* What was asked about a submission by itself: is it whole, whose is it, is it the answer? */
static void put_shown_passes(struct text *t)
{
    bool by_itself = !t->v->result && !t->v->found && !t->options->all;
    for (size_t i = 0; by_itself && i < t->v->n_checks; i++) {
        const struct check_result *c = &t->v->checks[i];
        const struct rule *r = rule_find(c->rule);
        if (c->outcome != OUTCOME_FAIL && r && r->shows_pass)
            columns_paragraph(t->out, 2, 4,
                              arena_printf(&t->scratch, "%s [%s]",
                                           foreign_line(&t->scratch, c->message, 0), c->rule));
    }
}

static void put_metrics(struct text *t)
{
    const struct metric *before = NULL;
    for (size_t i = 0; i < t->v->n_metrics; i++) {
        const struct metric *m = &t->v->metrics[i];
        bool said = m->claimed || m->found || (t->v->found && m->reason && !m->stated);
        if (!said)
            continue;
        if (!before)
            buf_printf(t->out,
                       "    figure               stated       recomputed   %s+/-     verdict\n",
                       t->v->n_reproductions ? "reproduced " : "");
        if (!before || before->table != m->table || before->row != m->row) {
            /* A submission by itself has no rows: its figures are what a row could state. */
            if (t->v->result)
                buf_printf(t->out, "  row %d.%d %s\n", m->table, m->row,
                           shown_in_text(t, verdict_row_name(t->v, m->table, m->row, &t->scratch)));
            else
                buf_str(t->out, t->v->found
                                    ? "  from its logs (nothing is stated beside them)\n"
                                    : "  from its logs (nothing is stated beside a submission)\n");
        }
        put_text_metric(t, m);
        before = m;
    }
}

static void put_evidence_alignment(const struct row_evidence *e, struct buf *out)
{
    const struct alignment *x = e->alignment;
    if (!x)
        return;
    buf_printf(out, "  loss: %s with %s\n", x->aligned ? "aligned" : "not aligned", x->reference);
    buf_printf(out, "      %zu steps from %d on: mean deviation %.4f %% (limit %g %%),\n", x->steps,
               x->from_step, 100 * x->mean_rel_error, 100 * x->limit);
    buf_printf(out, "      largest %.4f %% at step %.0f\n", 100 * x->max_rel_error, x->max_step);
}

/* Beside the figures of the run: what its machine was measured to do before it. */
static void put_measured(struct text *t, const struct row_evidence *e)
{
    const struct measured none = {0}, *m = e->facts ? &e->facts->measured : &none;
    if (m->n)
        buf_printf(t->out, "  measured here: %s\n", shown_in_text(t, m->device));
    for (size_t i = 0; i < m->n; i++) {
        buf_printf(t->out, "    %-36s ", measure_name(&m->items[i], &t->scratch));
        columns_wrap(t->out, 41, 41, measure_text(&m->items[i], &t->scratch));
    }
}

static void put_reproductions(struct text *t)
{
    for (size_t i = 0; i < t->v->n_reproductions; i++) {
        const struct verdict_reproduction *x = &t->v->reproductions[i];
        const struct reproduction *r = x->record;
        const char *outcome = !x->sound                       ? "does not count"
                              : reproduction_is_reproduced(r) ? "reproduced"
                                                              : "not reproduced";
        columns_paragraph(t->out, 2, 6,
                          arena_printf(&t->scratch, "row %lld.%lld %s by %s on %s, %s: %s",
                                       r->table, r->row, outcome, shown_in_text(t, r->by),
                                       shown_in_text(t, r->device), r->date,
                                       reproduction_loss_words(r, &t->scratch)));
    }
}

static void put_error_count(struct buf *out, size_t n, const char *what, const char *after)
{
    buf_printf(out, "%zu %s%s%s", n, what, n == 1 ? "" : "s", after);
}

static void put_text_state(struct text *t)
{
    const struct verdict *v = t->v;
    struct buf *out = t->out;
    size_t informational = verdict_count_informational(v, SEVERITY_ERROR), measured;
    size_t errors = verdict_count(v, OUTCOME_FAIL, SEVERITY_ERROR);
    size_t warnings = verdict_count(v, OUTCOME_FAIL, SEVERITY_WARNING);
    size_t all = verdict_count(v, OUTCOME_FAIL, SEVERITY_NOTICE);
    size_t claimed = verdict_claimed(v, &measured);
    buf_printf(out, "%s: ", foreign_line(&t->scratch, v->id, 0));
    verdict_put_state(out, t->options->color, v->state, 0);
    /* The state is about the claims alone: what is wrong with a second run is said for itself. */
    if (informational) {
        buf_str(t->out, t->v->n_reproductions > 1 ? "; of its reproductions, one or more fail: "
                                                  : "; a reproduction of it fails: ");
        put_error_count(t->out, informational, "error", "");
    }
    buf_str(out, informational ? "\n    (" : " (");
    put_error_count(out, errors - informational, "error", ", ");
    put_error_count(out, warnings - errors, "warning", ", ");
    put_error_count(out, all - warnings, "notice", ";\n    ");
    put_error_count(out, verdict_count(v, OUTCOME_PASS, SEVERITY_NOTICE), "check", " passed, ");
    buf_printf(out, "%zu could not be made", verdict_count(v, OUTCOME_CANNOT, SEVERITY_NOTICE));
    if (claimed)
        buf_printf(out, ";\n    %zu of %zu stated figures recomputed from evidence", measured,
                   claimed);
    if (verdict_is_reproduced(v))
        buf_str(out, "; reproduced");
    if (!v->result && !v->found && v->state == STATE_UNVERIFIED)
        buf_str(out, ";\n    a submission by itself states no figures that could be verified");
    buf_str(out, ")\n");
}

static void put_failed(struct text *t, enum severity severity)
{
    for (size_t i = 0; i < t->v->n_checks; i++)
        if (t->v->checks[i].outcome == OUTCOME_FAIL && t->v->checks[i].severity == severity)
            put_text_finding(t, &t->v->checks[i]);
}

void verdict_text(const struct verdict *v, const struct verdicts *options, struct buf *out)
{
    struct text t = {.v = v, .options = options, .scratch = ARENA_INIT, .out = out};
    const char **rules = arena_array(&t.scratch, v->n_checks, sizeof *rules);
    for (size_t i = 0; i < v->n_checks; i++)
        rules[i] = v->checks[i].outcome == OUTCOME_FAIL ? v->checks[i].rule : NULL;
    t.failed = lookup_of(rules, v->n_checks, sizeof *rules, 0, &t.scratch);
    put_failed(&t, SEVERITY_ERROR);
    if (!options->errors_only) {
        put_failed(&t, SEVERITY_WARNING);
        put_failed(&t, SEVERITY_NOTICE);
        for (size_t i = 0; options->all && i < v->n_checks; i++)
            if (v->checks[i].outcome != OUTCOME_FAIL)
                put_text_finding(&t, &v->checks[i]);
        if (v->found)
            verdict_found_text(v->found, out);
        put_metrics(&t);
        for (size_t i = 0; rules_has(options->rules, rule_find("FP2001")) && i < v->n_evidence; i++)
            put_evidence_alignment(&v->evidence[i], out);
        for (size_t i = 0; i < v->n_evidence; i++)
            put_measured(&t, &v->evidence[i]);
        put_reproductions(&t);
        put_shown_passes(&t);
        if (v->result && v->result->withdrawn) {
            const struct withdrawal *w = v->result->withdrawn;
            buf_printf(t.out, "  withdrawn on %s by %s: %s\n", w->date, shown_in_text(&t, w->by),
                       foreign_line(&t.scratch, w->reason.en ? w->reason.en : w->reason.zh, 0));
        }
        put_text_state(&t);
    }
    arena_release(&t.scratch);
}

static bool has_findings(const struct verdicts *v)
{
    for (size_t i = 0; i < v->n; i++)
        if (verdict_count(&v->items[i], OUTCOME_FAIL, SEVERITY_NOTICE))
            return true;
    return false;
}

/* Who judged, by which rules. */
static void put_rules(const struct verdicts *v, struct buf *out)
{
    struct arena scratch = ARENA_INIT;
    size_t all, n = rules_count(v->rules, &all);
    const char *version = rules_version(v->rules);
    const char *only = rules_only_text(v->rules, &scratch);
    buf_printf(out, "by fpreport %s, rules %s", FPREPORT_VERSION, version);
    if (strcmp(version, RULES_CURRENT) != 0)
        buf_printf(out, " (the current ones are %s)", RULES_CURRENT);
    if (has_findings(v))
        buf_str(out, "; `fpreport explain RULE` says more");
    buf_char(out, '\n');
    if (only)
        columns_paragraph(out, 0, 2,
                          arena_printf(&scratch,
                                       "only %s: %zu of %zu rules; the rest was not looked at, so "
                                       "nothing counts as verified",
                                       only, n, all));
    if (v->records)
        columns_paragraph(out, 0, 2, v->records);
    arena_release(&scratch);
}

void verdicts_text(const struct verdicts *v, struct buf *out)
{
    for (size_t i = 0; i < v->n; i++)
        if (v->items[i].mlperf)
            verdict_mlperf_text(&v->items[i], v, out);
        else
            verdict_text(&v->items[i], v, out);
    if (v->errors_only || !v->n)
        return;
    put_rules(v, out);
    if (v->n <= 1 || v->items[0].mlperf)
        return;
    verdicts_table(v, out);
    verdicts_totals(v->items, v->n, out);
}
