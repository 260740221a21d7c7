/*
 * Rules that compare a result with what other vendors state for the same case. They have trained
 * the same model on the same data for as many steps, so that losses are alike; which of two
 * vendors is wrong nobody can tell from that. And with all other results, whose times and rates
 * nobody else can have to the last digit.
 */
#include "verifier/checks/checks.h"
#include "verifier/checks/page/older.h"
#include "verifier/claims/twins.h"
#include "verifier/curves/curve_spikes.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

#define PEERS_MAX 16 /* the first by vendor; enough for a median */
#define FACTOR 1.5

/* A median of what others state. */
struct peers {
    double values[PEERS_MAX];
    size_t n;
    const char *names; /* "nvidia 4.25, iluvatar 4.31" */
};

static const struct metrics_column *loss_column(const char *header)
{
    const struct metrics_column *m = strstr(header, "loss") ? metrics_column(header) : NULL;
    return m && strcmp(m->key, "loss") == 0 ? m : NULL;
}

/* The first loss that a table states for this stage; NaN. */
static double stated_loss(const struct audit *a, const struct table *t, const char *stage)
{
    size_t at = 0;
    while (at < t->n_columns && !loss_column(t->columns[at]))
        at++;
    for (size_t i = 0; at < t->n_columns && i < t->n_rows; i++) {
        const struct row *row = &t->rows[i];
        struct configuration c;
        if (at >= row->n_cells || !configuration_parse(row->cells[0].text, a->arena, &c) ||
            !text_same(c.stage ? c.stage : "", stage))
            continue;
        if (row->figures[at].kind == FIGURE_NUMBER && row->figures[at].value > 0)
            return row->figures[at].value;
    }
    return NAN;
}

static double peer_loss(const struct audit *a, const struct result *r, const char *stage)
{
    double loss = NAN;
    for (size_t i = 0; i < r->n_performance && isnan(loss); i++)
        if (r->performance[i].table)
            loss = stated_loss(a, r->performance[i].table, stage);
    return loss;
}

static void collect_losses(const struct audit *a, const char *stage, struct peers *out)
{
    size_t n;
    const struct result **all = project_case_results(a->project, a->result->case_id, &n);
    for (size_t i = 0; i < n && out->n < PEERS_MAX; i++) {
        double loss;
        if (strcmp(all[i]->vendor, a->result->vendor) == 0 ||
            isnan(loss = peer_loss(a, all[i], stage)))
            continue;
        out->names = arena_printf(a->arena, "%s%s%s %s", out->names, out->n ? ", " : "",
                                  all[i]->vendor, audit_number(a->arena, loss));
        out->values[out->n++] = loss;
    }
}

/* With one other vendor it may be the other's mistake: a notice. */
void check_peer_loss(struct audit *a, const struct claim *c)
{
    struct peers peers = {.names = ""};
    const struct figure f = *claim_figure(c, "loss");
    const char *text = claim_cell(c, "loss");
    if (f.kind != FIGURE_NUMBER || f.value <= 0)
        return;
    collect_losses(a, c->config.stage ? c->config.stage : "", &peers);
    if (!peers.n)
        return;
    double ratio = f.value / curve_median(peers.values, peers.n);
    bool ok = ratio <= FACTOR && ratio >= 1 / FACTOR;
    struct check_result *r = audit_report(a, ok ? OUTCOME_PASS : OUTCOME_FAIL, c, 0,
                                          "the loss is %s, others state %s", text, peers.names);
    if (peers.n == 1)
        r->severity = SEVERITY_NOTICE;
    r->stated = text;
    r->expected = peers.names;
}

/* Columns of scores that hold a figure, as " acc ppl ". */
static const char *score_keys(const struct audit *a, const struct result *r)
{
    const struct table **tables;
    const char *keys = " ";
    size_t n = result_figure_tables(r, a->arena, &tables);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < tables[i]->n_columns; k++) {
            const struct metrics_column *m = metrics_column(tables[i]->columns[k]);
            if (m && m->kind == COLUMN_SCORE && !strstr(keys, m->key))
                keys = arena_printf(a->arena, "%s%s ", keys, m->key);
        }
    return keys;
}

/* "acc" and "final_acc1" are one word in two spellings. */
static bool share_key(const char *keys, const char *others)
{
    for (const char *s = keys; *s; s++) {
        size_t n = strcspn(s, " ");
        for (const char *o = others; n && *o; o++) {
            size_t m = strcspn(o, " ");
            if (m && (memmem(s, n, o, m) || memmem(o, m, s, n)))
                return true;
            o += m ? m - 1 : 0;
        }
        s += n ? n - 1 : 0;
    }
    return false;
}

void check_peer_metrics(struct audit *a)
{
    size_t n, compared = 0;
    const char *own = score_keys(a, a->result), *names = "";
    const struct result **all =
        strcmp(own, " ") != 0 ? project_case_results(a->project, a->result->case_id, &n) : NULL;
    for (size_t i = 0; all && i < n && compared < PEERS_MAX; i++) {
        const char *keys = score_keys(a, all[i]);
        if (strcmp(all[i]->vendor, a->result->vendor) == 0 || strcmp(keys, " ") == 0)
            continue;
        if (share_key(own, keys))
            return;
        compared++;
        names = arena_printf(a->arena, "%s%s%s%s", names, *names ? "; " : "", all[i]->vendor, keys);
    }
    if (!compared)
        return;
    struct check_result *r =
        audit_fail(a, NULL, "the result is stated as%s; others state %s", own, names);
    r->severity = compared == 1 ? SEVERITY_NOTICE : r->severity;
    r->stated = own;
    r->expected = names;
}

/* Scores of 0 to 1 are also printed as percentages. */
static double as_share(const struct metrics_column *m, const struct figure *f)
{
    bool share = m->better == DIRECTION_HIGHER && strcmp(m->key, "nuv") != 0;
    return share && (f->percent || f->value > 1) ? f->value / 100 : f->value;
}

/* The first score that a result states in this column; NaN. */
static double stated_score(const struct audit *a, const struct result *r,
                           const struct metrics_column *wanted)
{
    const struct table **tables;
    size_t n = result_figure_tables(r, a->arena, &tables);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < tables[i]->n_columns; k++)
            for (size_t j = 0; metrics_column(tables[i]->columns[k]) == wanted &&
                               j < tables[i]->n_rows && k < tables[i]->rows[j].n_cells;
                 j++) {
                const struct figure *f = &tables[i]->rows[j].figures[k];
                if (figure_has_value(f) && f->value > 0)
                    return as_share(wanted, f);
            }
    return NAN;
}

static void collect_scores(const struct audit *a, const struct metrics_column *m, struct peers *out)
{
    size_t n;
    const struct result **all = project_case_results(a->project, a->result->case_id, &n);
    for (size_t i = 0; i < n && out->n < PEERS_MAX; i++) {
        double score;
        if (strcmp(all[i]->vendor, a->result->vendor) == 0 ||
            isnan(score = stated_score(a, all[i], m)))
            continue;
        out->names = arena_printf(a->arena, "%s%s%s %s", out->names, out->n ? ", " : "",
                                  all[i]->vendor, audit_number(a->arena, score));
        out->values[out->n++] = score;
    }
}

/* Against one or two others it is a notice: runs stop at different targets. */
static void check_score(struct audit *a, const struct claim *c, size_t column)
{
    const struct metrics_column *m = c->columns[column];
    const char *text = c->cells->cells[column].text;
    struct peers peers = {.names = ""};
    const struct figure f = c->figures[column];
    if (!figure_has_value(&f) || f.value <= 0)
        return;
    collect_scores(a, m, &peers);
    if (!peers.n)
        return;
    double ratio = as_share(m, &f) / curve_median(peers.values, peers.n);
    bool ok = ratio <= FACTOR && ratio >= 1 / FACTOR;
    struct check_result *r =
        audit_report(a, ok ? OUTCOME_PASS : OUTCOME_FAIL, c, 0, "%s is %s, others state %s",
                     c->of->columns[column], text, peers.names);
    if (peers.n < 3)
        r->severity = SEVERITY_NOTICE;
    r->stated = text;
    r->expected = peers.names;
}

void check_peer_scores(struct audit *a, const struct claim *c)
{
    for (size_t i = 0; i < c->of->n_columns && i < c->cells->n_cells; i++)
        if (c->columns[i] && c->columns[i]->kind == COLUMN_SCORE)
            check_score(a, c, i);
}

/* A vendor that has one run for two models contradicts itself. Which of two vendors is the copy
 * nobody can tell, and two cases of one model may have been one: a warning. */
static struct check_result *report_twin(struct audit *a, const struct claim *c, int line,
                                        const char *figures)
{
    const struct twin *t = twins_find(a->project, a->result, figures);
    if (!t || a->result->withdrawn || !project_vendor(a->project, a->result->vendor))
        return NULL;
    const char *of = arena_printf(a->arena, "%s/%s#%d.%d", t->result->vendor, t->result->case_id,
                                  t->table, t->row);
    struct check_result *r = audit_report(
        a, OUTCOME_FAIL, c, line, "%s has the same figures, to the last digit: %s", of, figures);
    const struct model *model = project_result_model(a->project, t->result);
    if (strcmp(t->result->vendor, a->result->vendor) != 0 || (model && model == a->model))
        r->severity = SEVERITY_WARNING;
    r->expected = "figures of its own";
    return r;
}

void check_twins(struct audit *a, const struct claim *c)
{
    struct check_result *r =
        report_twin(a, c, 0, twins_figures(c->columns, c->of->n_columns, c->cells, a->arena));
    if (r)
        r->stated = c->cells->cells[0].text;
}

void older_check_twins(struct audit *a, const struct older_table *t, const struct older_row *row)
{
    struct check_result *r = report_twin(a, NULL, row->line, twins_older_figures(t, row, a->arena));
    if (r)
        r->stated = older_cell(t, row, OLDER_SECONDS);
}
