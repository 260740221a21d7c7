/* verdict_table: many verdicts at a glance, in 80 columns, and one line that adds them up. */
#include "verifier/verdicts/verdicts.h"

#include "base/columns.h"
#include "base/foreign.h"

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
