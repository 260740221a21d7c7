/* Changed verdicts for people at a terminal. */
#include "verifier/verdicts/diff.h"

#include "base/columns.h"
#include "base/foreign.h"
#include "verifier/verdicts/verdicts.h"

#define SHOWN_MAX 200 /* bytes of one value */

struct text {
    struct arena scratch;
    bool color;
    struct buf *out;
};

static const char *shown_in_change(struct text *t, const char *text)
{
    return text ? foreign_line(&t->scratch, text, SHOWN_MAX) : "-";
}

static void put_side_text(struct text *t, const char *name, const struct verdict_doc *doc)
{
    buf_printf(t->out, "%s: %s, fpreport %s, rules %s", name,
               foreign_line(&t->scratch, doc->file, 0), shown_in_change(t, doc->tool),
               shown_in_change(t, doc->rules));
    if (doc->only)
        buf_printf(t->out, ", only %s", shown_in_change(t, doc->only));
    buf_char(t->out, '\n');
}

static void put_why_text(struct text *t, unsigned why, size_t indent)
{
    const char *list = "why: ", *comma = "";
    for (int i = 0; i < N_WHY; i++) {
        if (!(why & 1u << i))
            continue;
        list = arena_printf(&t->scratch, "%s%s%s", list, comma, why_words((enum why)i));
        comma = ", ";
    }
    if (why)
        columns_paragraph(t->out, indent, indent + 2, list);
}

static const char *row_place_text(struct text *t, int table, int row)
{
    return row ? arena_printf(&t->scratch, " row %d.%d", table, row) : "";
}

/* One reason for all that changed is said once, above. */
static bool has_one_why(const struct run_change *c)
{
    for (size_t i = 0; i < c->n_findings; i++)
        if (c->findings[i].why != c->why)
            return false;
    for (size_t i = 0; i < c->n_metrics; i++)
        if (c->metrics[i].why != c->why)
            return false;
    return c->why != 1u << WHY_ROWS; /* which the rows say */
}

static void put_finding_change_text(struct text *t, const struct finding_change *c, bool why)
{
    const struct doc_finding *f = c->new ? c->new : c->old;
    const char *change = !c->old ? "new" : !c->new ? "gone" : "now";
    columns_paragraph(t->out, 2, 4,
                      arena_printf(&t->scratch, "%s %s%s: %s [%s]", change,
                                   severity_name(f->severity), row_place_text(t, f->table, f->row),
                                   foreign_line(&t->scratch, f->message, 0),
                                   shown_in_change(t, f->rule)));
    put_why_text(t, why ? c->why : 0, 4);
}

static const char *said(struct text *t, const struct doc_metric *m)
{
    if (!m)
        return "not there";
    return arena_printf(&t->scratch, "stated %s, recomputed %s (%s)", shown_in_change(t, m->stated),
                        shown_in_change(t, m->recomputed), outcome_name(m->outcome));
}

static void put_metric_change_text(struct text *t, const struct metric_change *c, bool why)
{
    const struct doc_metric *m = c->new ? c->new : c->old;
    columns_paragraph(t->out, 2, 4,
                      arena_printf(&t->scratch, "%s%s: %s -> %s", shown_in_change(t, m->name),
                                   row_place_text(t, m->table, m->row), said(t, c->old),
                                   said(t, c->new)));
    put_why_text(t, why ? c->why : 0, 4);
}

static void put_row_change_text(struct text *t, const struct row_change *c)
{
    const char *line = arena_printf(&t->scratch, "%s%s", c->is_new ? "new" : "gone",
                                    row_place_text(t, c->table, c->row)),
               *comma = ": ";
    if (c->configuration && *c->configuration)
        line = arena_printf(&t->scratch, "%s (%s)", line, shown_in_change(t, c->configuration));
    for (size_t i = 0; i < c->n_figures; i++, comma = ", ")
        line = arena_printf(&t->scratch, "%s%s%s %s", line, comma,
                            shown_in_change(t, c->figures[i]->name),
                            shown_in_change(t, c->figures[i]->stated));
    columns_paragraph(t->out, 2, 4, line);
}

static void put_state_change(struct text *t, const struct doc_run *run)
{
    if (run)
        verdict_put_state(t->out, t->color, run->state, 0);
    else
        buf_str(t->out, "not there");
}

void verdict_diff_run_text(const struct run_change *c, bool color, struct buf *out)
{
    struct text t = {ARENA_INIT, color, out};
    const struct doc_run *any = c->new ? c->new : c->old;
    bool same = c->old && c->new && c->old->state == c->new->state;
    buf_printf(t.out, "%s: ", foreign_line(&t.scratch, any->id, 0));
    put_state_change(&t, c->old);
    if (!same) {
        buf_str(t.out, " -> ");
        put_state_change(&t, c->new);
    }
    buf_str(t.out, c->worse ? " (worse)\n" : "\n");
    bool one_why = has_one_why(c);
    put_why_text(&t, one_why ? c->why : c->why & 1u << WHY_WITHDRAWN,
                 2); /* which nothing below says */
    for (size_t i = 0; i < c->n_rows; i++)
        put_row_change_text(&t, &c->rows[i]);
    for (size_t i = 0; i < c->n_findings; i++)
        put_finding_change_text(&t, &c->findings[i],
                                !one_why && c->findings[i].why != 1u << WHY_ROWS);
    for (size_t i = 0; i < c->n_metrics; i++)
        put_metric_change_text(&t, &c->metrics[i], !one_why);
    arena_release(&t.scratch);
}

void verdict_diff_text(const struct verdict_diff *d, bool color, struct buf *out)
{
    struct text t = {ARENA_INIT, color, out};
    put_side_text(&t, "old", d->old);
    put_side_text(&t, "new", d->new);
    if (d->by_place)
        columns_paragraph(out, 0, 2,
                          "rows: paired by their places, since one document has no keys of them: "
                          "where a row was put in front of others, these are told as changed");
    for (size_t i = 0; i < d->n_runs; i++)
        verdict_diff_run_text(&d->runs[i], color, out);
    for (size_t i = 0; i < d->n_written; i++)
        buf_add(out, d->written[i].text, d->written[i].len);
    buf_printf(out, "%zu the same, %zu changed, %zu new, %zu gone; %zu for the worse\n", d->same,
               d->changed, d->added, d->gone, d->worse);
    arena_release(&t.scratch);
}
