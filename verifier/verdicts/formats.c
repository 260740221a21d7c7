/* verdict_formats: the formats, and what more than one of them counts. */
#include "verifier/verdicts/verdicts.h"

#include "base/columns.h"
#include "base/foreign.h"

const struct verdict_format verdict_formats[] = {
    {"text", "for people, 80 columns", verdicts_text},
    {"json", "schema fpreport.verify/1", verdicts_json},
    {"junit", "JUnit XML, for test reports", verdicts_junit},
    {"sarif", "SARIF 2.1.0, for code scanning", verdicts_sarif},
    {NULL, NULL, NULL},
};

size_t verdict_claimed(const struct verdict *v, size_t *recomputed)
{
    size_t claimed = 0;
    *recomputed = 0;
    for (size_t i = 0; i < v->n_metrics; i++) {
        const struct metric *m = &v->metrics[i];
        claimed += m->claimed;
        *recomputed += m->claimed && m->found && m->source && strcmp(m->source, "evidence") == 0;
    }
    return claimed;
}

/* The worst finding: of the highest severity, the first; NULL when there is none. */
static const struct check_result *verdict_worst(const struct verdict *v)
{
    const struct check_result *worst = NULL;
    for (size_t i = 0; i < v->n_checks; i++) {
        const struct check_result *c = &v->checks[i];
        if (c->outcome == OUTCOME_FAIL && (!worst || c->severity > worst->severity))
            worst = c;
    }
    return worst;
}

bool verdict_fails(const struct verdict *v, int fail_on)
{
    const struct check_result *worst = verdict_worst(v);
    return worst && v->state != STATE_WITHDRAWN && (int)worst->severity >= fail_on;
}

/* Many verdicts at a glance, in 80 columns, and one line that adds them up. */

#define NAME_COLUMNS 38
#define STATE_COLUMNS 10
#define FIGURES_COLUMNS 7 /* "100/100" */

static void put_table_line(const struct verdict *v, bool color, size_t names, struct buf *out)
{
    struct arena scratch = ARENA_INIT;
    const struct check_result *worst = verdict_worst(v);
    size_t errors = verdict_count(v, OUTCOME_FAIL, SEVERITY_ERROR), measured;
    size_t warnings = verdict_count(v, OUTCOME_FAIL, SEVERITY_WARNING);
    size_t all = verdict_count(v, OUTCOME_FAIL, SEVERITY_NOTICE);
    size_t claimed = verdict_claimed(v, &measured);
    columns_fit(out, foreign_line(&scratch, v->id, 0), names);
    verdict_put_state(out, color, v->state, STATE_COLUMNS);
    columns_pad(out, claimed ? arena_printf(&scratch, "%zu/%zu", measured, claimed) : "-",
                FIGURES_COLUMNS);
    buf_printf(out, "%4zu %4zu %4zu  %s\n", errors, warnings - errors, all - warnings,
               worst ? worst->rule : "-");
    arena_release(&scratch);
}

void verdicts_table(const struct verdicts *v, struct buf *out)
{
    /* That of the longest name, where none is to be cut. */
    struct arena scratch = ARENA_INIT;
    size_t names = NAME_COLUMNS;
    for (size_t i = 0; v->whole_names && i < v->n; i++) {
        size_t width = columns_width(foreign_line(&scratch, v->items[i].id, 0));
        names = width > names ? width : names;
    }
    arena_release(&scratch);
    columns_pad(out, "result", names);
    columns_pad(out, "state", STATE_COLUMNS);
    columns_pad(out, "figures", FIGURES_COLUMNS);
    buf_str(out, " err warn note  worst\n");
    for (size_t i = 0; i < v->n; i++)
        put_table_line(&v->items[i], v->color, names, out);
}

void verdicts_totals(const struct verdict *v, size_t n, struct buf *out)
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
