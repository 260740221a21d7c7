/*
 * Changed verdicts as one JSON document:
 *
 *   {"schema": "fpreport.verify-diff/1",
 *    "old": {"file", "tool", "rules", "only"}, "new": {…}, "rows_by_place": 0,
 *    "runs": [{"id", "old": "verified", "new": "failed", "worse": true, "why": ["rule-new"],
 *              "rows": [{"change": "new", "table", "row", "key", "configuration",
 *                        "figures": [{"name", "stated", "recomputed", "ok"}]}],
 *              "findings": [{"change": "new", "rule", "old", "new", "table", "row", "message",
 *                            "stated", "why": […]}],
 *              "metrics": [{"name", "table", "row", "old": {"stated", "recomputed", "ok"},
 *                           "new": {…}, "why": […]}]}],
 *    "summary": {"same", "changed", "added", "gone", "worse"}}
 *
 * "old" and "new" of a run are its states, of a finding its severities; null: not there. "rows" are
 * those that are new or gone, with the table and row of the document that has them; others are
 * where the new one has them. "rows_by_place" counts the runs whose rows were paired by their
 * places, since one document has no keys of them. Keys are only ever added within schema /1.
 */
#include "verifier/verdicts/diff.h"

static void put_side_json(struct json_writer *w, const char *key, const struct verdict_doc *doc)
{
    json_begin_object_flat(w, key);
    json_string(w, "file", doc->file);
    json_string(w, "tool", doc->tool);
    json_string(w, "rules", doc->rules);
    json_string_if(w, "only", doc->only);
    json_end_object(w);
}

static void put_why_json(struct json_writer *w, unsigned why)
{
    json_begin_array_flat(w, "why");
    for (int i = 0; i < N_WHY; i++)
        if (why & 1u << i)
            json_string(w, NULL, why_name((enum why)i));
    json_end_array(w);
}

static void put_place_json(struct json_writer *w, int table, int row)
{
    if (table)
        json_integer(w, "table", table);
    if (row)
        json_integer(w, "row", row);
}

static void put_finding_change_json(struct json_writer *w, const struct finding_change *c)
{
    const struct doc_finding *f = c->new ? c->new : c->old;
    json_begin_object_flat(w, NULL);
    json_string(w, "change", !c->old ? "new" : !c->new ? "gone" : "severity");
    json_string(w, "rule", f->rule);
    json_string(w, "old", c->old ? severity_name(c->old->severity) : NULL);
    json_string(w, "new", c->new ? severity_name(c->new->severity) : NULL);
    put_place_json(w, f->table, f->row);
    json_string(w, "message", f->message);
    json_string(w, "stated", f->stated);
    put_why_json(w, c->why);
    json_end_object(w);
}

static void put_figure_json(struct json_writer *w, const struct doc_metric *m)
{
    json_string(w, "stated", m->stated);
    json_string(w, "recomputed", m->recomputed);
    if (m->outcome == OUTCOME_CANNOT)
        json_null(w, "ok");
    else
        json_bool(w, "ok", m->outcome == OUTCOME_PASS);
}

static void put_values_json(struct json_writer *w, const char *key, const struct doc_metric *m)
{
    if (!m) {
        json_null(w, key);
        return;
    }
    json_begin_object_flat(w, key);
    put_figure_json(w, m);
    json_end_object(w);
}

static void put_row_change_json(struct json_writer *w, const struct row_change *c)
{
    json_begin_object(w, NULL);
    json_string(w, "change", c->is_new ? "new" : "gone");
    put_place_json(w, c->table, c->row);
    json_string(w, "key", c->key);
    json_string(w, "configuration", c->configuration);
    json_begin_array(w, "figures");
    for (size_t i = 0; i < c->n_figures; i++) {
        json_begin_object_flat(w, NULL);
        json_string(w, "name", c->figures[i]->name);
        put_figure_json(w, c->figures[i]);
        json_end_object(w);
    }
    json_end_array(w);
    json_end_object(w);
}

static void put_metric_change_json(struct json_writer *w, const struct metric_change *c)
{
    const struct doc_metric *m = c->new ? c->new : c->old;
    json_begin_object_flat(w, NULL);
    json_string(w, "name", m->name);
    put_place_json(w, m->table, m->row);
    put_values_json(w, "old", c->old);
    put_values_json(w, "new", c->new);
    put_why_json(w, c->why);
    json_end_object(w);
}

void verdict_diff_run_json(const struct run_change *c, struct json_writer *w)
{
    json_begin_object(w, NULL);
    json_string(w, "id", c->new ? c->new->id : c->old->id);
    json_string(w, "old", c->old ? state_name(c->old->state) : NULL);
    json_string(w, "new", c->new ? state_name(c->new->state) : NULL);
    json_bool(w, "worse", c->worse);
    put_why_json(w, c->why);
    json_begin_array(w, "rows");
    for (size_t i = 0; i < c->n_rows; i++)
        put_row_change_json(w, &c->rows[i]);
    json_end_array(w);
    json_begin_array(w, "findings");
    for (size_t i = 0; i < c->n_findings; i++)
        put_finding_change_json(w, &c->findings[i]);
    json_end_array(w);
    json_begin_array(w, "metrics");
    for (size_t i = 0; i < c->n_metrics; i++)
        put_metric_change_json(w, &c->metrics[i]);
    json_end_array(w);
    json_end_object(w);
}

void verdict_diff_json(const struct verdict_diff *d, struct buf *out)
{
    struct json_writer w = JSON_WRITER_INIT(out);
    json_begin_object(&w, NULL);
    json_string(&w, "schema", "fpreport.verify-diff/1");
    put_side_json(&w, "old", d->old);
    put_side_json(&w, "new", d->new);
    json_integer(&w, "rows_by_place", (long long)d->by_place);
    json_begin_array(&w, "runs");
    for (size_t i = 0; i < d->n_runs; i++)
        verdict_diff_run_json(&d->runs[i], &w);
    for (size_t i = 0; i < d->n_written; i++)
        json_again(&w, d->written[i].text, d->written[i].len);
    json_end_array(&w);
    json_begin_object_flat(&w, "summary");
    json_integer(&w, "same", (long long)d->same);
    json_integer(&w, "changed", (long long)d->changed);
    json_integer(&w, "added", (long long)d->added);
    json_integer(&w, "gone", (long long)d->gone);
    json_integer(&w, "worse", (long long)d->worse);
    json_end_object(&w);
    json_end_object(&w);
    json_finish(&w);
}
