/*
 * What is stated beside what was recomputed and reproduced (result.h): one body of the table
 * for each row of figures.
 */
#include "renderer/site/result/result.h"
#include "renderer/site/sheet/difference.h"
#include "renderer/words/ratio.h"

#include "base/figures/figure.h"
#include "base/markdown/markdown.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The recomputed figure less the stated one, and how far apart they may be, both in the unit of
 * what is stated: "+0.010 pp" and "0.104 pp"; and the same in percent of what is stated. */
static void set_metric_difference(struct sheet *s, struct view *v, const struct metric *m)
{
    struct site_difference d;
    bool both = site_difference(m, &d);
    const char *sign = d.value < 0 ? "−" : d.value > 0 ? "+" : "±";
    const char *size =
        arena_printf(s->arena, "%s%.*f", sign, d.value != 0 ? d.decimals : 0, fabs(d.value));
    view_set_flag(v, "no_difference", !both);
    view_set_text(v, "difference",
                  both ? sheet_with_points(s, size, d.points) : sheet_t(s, "figure.incomparable"));
    view_set_text(
        v, "end",
        !both || d.end == DIFFERENCE_WHOLE
            ? ""
            : sheet_t(s, d.end == DIFFERENCE_UPPER ? "difference.upper" : "difference.lower"));
    bool relative = both && d.value != 0 && isfinite(d.percent);
    view_set_text(v, "relative", relative ? sheet_difference(s, d.percent) : "");
    view_set_flag(v, "no_tolerance", !m->tolerance);
    view_set_text(v, "tolerance",
                  m->tolerance
                      ? sheet_with_points(s, figure_print(m->tolerance, s->arena), d.points)
                      : sheet_t(s, "figure.inapplicable"));
}

static void set_cell(struct view *v, const char *key, const char *absent_key, const char *text,
                     const char *absent)
{
    view_set_text(v, key, text && *text ? text : absent);
    view_set_flag(v, absent_key, !text || !*text);
}

static const char *repeat_word(struct sheet *s, const struct repeated_figure *r)
{
    static const struct {
        const char *outcome, *word;
    } words[] = {
        {"agrees", "repeat.agrees"},
        {"differs", "repeat.differs"},
        {"reported", "repeat.reported"},
    };
    for (size_t i = 0; r && i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i].outcome, r->outcome) == 0)
            return sheet_t(s, words[i].word);
    return "";
}

/* Where the figure is from: a line of a file inside the archive, several, or the file. */
static const char *log_line(struct sheet *s, const struct metric *m)
{
    if (!m->input)
        return "";
    const char *slash = strrchr(m->input, '/');
    const char *base = slash ? slash + 1 : m->input;
    return m->input_line
               ? arena_printf(s->arena, "%s:%s", base, sheet_cited_lines(m, "–", s->arena))
               : base;
}

/* Has it something to say of how it was found? */
static bool push_compared_metric(struct sheet *s, struct view *list, const struct verdict *of,
                                 const struct metric *m)
{
    const struct metrics_column *column = metrics_by_key(m->name);
    const char *none = sheet_t(s, "figure.notrun");
    struct view *v = view_push_object(list);
    view_set_text(v, "name", column ? sheet_words(s, column->label) : m->name);
    view_set_text(v, "key", m->name);
    view_set_text(v, "unit", sheet_unit(s, m->unit));
    const char *absent = sheet_figure_absent(s, m);
    bool extra = metrics_is_extra(m->name);
    set_cell(v, "stated", "no_stated",
             absent ? NULL
                    : sheet_short(s, ratio_read(m->name,
                                                sheet_flag(s, markdown_plain(s->arena, m->stated)),
                                                m->says, s->arena)),
             extra    ? sheet_t(s, "figure.none")
             : absent ? absent
                      : "");
    view_set_text(v, "words", absent ? sheet_absent_words(s, m) : "");
    view_set_text(v, "stated_lang", sheet_foreign(s, view_get(v, "stated")->text));
    set_cell(v, "recomputed", "no_recomputed",
             m->found ? ratio_read(m->name, sheet_flag(s, figure_print(m->found, s->arena)),
                                   m->found, s->arena)
                      : NULL,
             none);
    set_cell(v, "measured_again", "no_reproduced",
             m->reproduced
                 ? ratio_read(m->name, sheet_flag(s, m->reproduced->measured), m->again, s->arena)
                 : NULL,
             none);
    view_set_text(v, "repeat", repeat_word(s, m->reproduced));
    view_set_text(v, "rule", m->rule ? m->rule : "");
    view_set_flag(v, "no_rule", !m->rule || !*m->rule);
    view_set_text(v, "rule_word", sheet_t(s, "figure.norule"));
    view_set_flag(v, "no_log", !*log_line(s, m));
    view_set_text(v, "log_word", sheet_t(s, "figure.inapplicable"));
    sheet_set_joined(s, v, "log", log_line(s, m));
    view_set_text(v, "log_title", m->input ? m->input : "");
    view_set_text(v, "log_anchor", sheet_cited_anchor(of, m, s->arena));
    view_set_text(v, "source",
                  !m->source                           ? ""
                  : strcmp(m->source, "evidence") == 0 ? sheet_t(s, "source.evidence")
                                                       : sheet_t(s, "source.stated"));
    bool published = m->claimed || extra;
    const char *reason = published && m->reason ? m->reason : "";
    const char *how = m->derivation ? m->derivation : reason;
    view_set_flag(v, "has_how", *how);
    view_set_flag(v, "formula", m->derivation);
    sheet_set_said(s, v, "how", how, m->derivation ? m->derivation_made : m->reason_made);
    sheet_set_direction(s, v, column ? column->better : DIRECTION_NONE);
    set_metric_difference(s, v, m);
    sheet_set_outcome(s, v, m);
    return *how;
}

/* ---- rows -------------------------------------------------------------------------------- */

/* Figures that evidence might have given, that nobody stated and nobody could measure: one line. */
static void push_idle(struct sheet *s, struct view *list, const struct metric *m)
{
    struct view *v = view_push_object(list);
    view_set_text(v, "name", sheet_words(s, metrics_by_key(m->name)->label));
    sheet_set_said(s, v, "how", m->reason ? m->reason : "", m->reason_made);
}

/* Neither published nor found: withheld, missing, out of memory. One word each, in one line. */
static void push_unstated(struct sheet *s, struct view *list, const struct metric *m)
{
    const struct metrics_column *column = metrics_by_key(m->name);
    struct view *v = view_push_object(list);
    view_set_text(v, "name", column ? sheet_words(s, column->label) : m->name);
    view_set_text(v, "word", sheet_figure_absent(s, m));
    view_set_text(v, "words", sheet_absent_words(s, m));
    view_set_text(v, "words_lang", sheet_foreign(s, view_get(v, "words")->text));
}

/* The parts of the page that rows of figures fill. */
struct parts {
    struct view *bodies;
    struct sheet_folds folds;
};

static void push_compared_row(struct sheet *s, struct parts *to, const struct site_row *row,
                              int table, int number)
{
    const struct verdict *v = row->entry->verdict;
    struct view *body = view_push_object(to->bodies);
    struct view *list = view_set_list(body, "metrics");
    struct view *unstated = view_set_list(body, "unstated");
    struct view *idle = view_set_list(body, "idle");
    sheet_set_place(s, body, table, number);
    bool derivations = false;
    view_set_printf(body, "id", "f%d-%d", table, number);
    sheet_set_configuration(s, body, number ? row->configuration : "");
    sheet_set_detail(s, body, row);
    if (!number)
        view_set_flag(body, "detail", false);
    for (size_t i = 0; i < v->n_metrics; i++) {
        const struct metric *m = &v->metrics[i];
        if (m->table != table || m->row != number)
            continue;
        bool extra = metrics_is_extra(m->name), known = m->found || m->reproduced;
        if (extra && !known && !m->stated) {
            push_idle(s, idle, m);
        } else if (!extra && !known && m->outcome == OUTCOME_CANNOT && sheet_figure_absent(s, m)) {
            push_unstated(s, unstated, m);
        } else {
            derivations |= push_compared_metric(s, list, v, m);
            sheet_fold_row(&to->folds, list->items[list->n - 1]);
        }
    }
    view_set_flag(body, "has_unstated", unstated->n > 0);
    view_set_flag(body, "has_derivations", derivations);
    view_set_flag(body, "has_none", list->n + unstated->n + idle->n == 0);
    view_set_flag(body, "has_idle", idle->n > 0);
}

static bool about_all_rows(const struct verdict *v)
{
    for (size_t i = 0; i < v->n_metrics; i++)
        if (v->metrics[i].row == 0)
            return true;
    return false;
}

void sheet_set_compared(struct sheet *s, const struct site_entry *e)
{
    struct parts to = {view_set_list(s->view, "bodies"), sheet_folds_of_figures()};
    for (size_t i = 0; i < e->n_rows; i++)
        if (e->rows[i]->row)
            push_compared_row(s, &to, e->rows[i], e->rows[i]->table, e->rows[i]->row);
    if (about_all_rows(e->verdict))
        push_compared_row(s, &to, e->rows[0], 0, 0);
    sheet_set_folds(s, s->view, &to.folds);
    view_set_flag(s->view, "has_rows", to.bodies->n > 0);
    view_set_flag(s->view, "has_reproductions", e->verdict->n_reproductions > 0);
    sheet_set_mfu(s, e);
}
