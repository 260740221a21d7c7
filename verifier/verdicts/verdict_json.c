/*
 * Verdicts as one JSON document:
 *
 *   {"schema": "fpreport.verify/1", "tool": "0.1.0", "rules": "2026.2", "only": "FP2",
 *    "runs": [{"id", "file", "state", "metrics": […], "rows": […], "findings": […], "checks": […],
 *              "evidence": […], "reproduced": false, "reproductions": […]}],
 *    "summary": {"verified": 1, "partial": 0, "unverified": 0, "failed": 0, "withdrawn": 0}}
 *
 * rows say what the checks took a row of figures to be, and `key` which it is
 * (base/figures/row_key.h): another row may stand in its place in the next document. findings are
 * the checks that failed; checks are all of them. `stated` is text, exactly as it was published.
 * `column` counts bytes. `only` is there when rules were left out (verifier/checks/rules.h),
 * "incomplete": true when something was to be verified that has no verdict, since it could not be
 * read. Keys are only ever added within schema /1.
 */
#include "verifier/verdicts/verdicts.h"

#include "verifier/checks/rules.h"
#include "verifier/curves/align.h"
#include "verifier/mlperf/result/result.h"

static void put_optional(struct json_writer *w, const char *key, const char *text)
{
    if (text)
        json_string(w, key, text);
}

static void put_place(struct json_writer *w, int table, int row)
{
    if (table)
        json_integer(w, "table", table);
    if (row)
        json_integer(w, "row", row);
}

/* How the reproduced figure compares, and whose it is. */
static void put_reproduced(struct json_writer *w, const struct metric *m)
{
    if (!isnan(m->reproduced->ratio))
        json_number(w, "reproduced_ratio", m->reproduced->ratio);
    json_string(w, "reproduced_outcome", m->reproduced->outcome);
    json_string(w, "reproduced_by", m->reproduction->by);
    json_string(w, "reproduced_on", m->reproduction->device);
    json_string(w, "reproduction", m->reproduction->id);
}

static void put_metric(struct json_writer *w, const struct metric *m)
{
    json_begin_object_flat(w, NULL);
    json_string(w, "name", m->name);
    json_string(w, "unit", m->unit);
    json_string(w, "stated", m->stated);
    json_string(w, "recomputed", m->recomputed);
    json_string(w, "reproduced", m->reproduced ? m->reproduced->measured : NULL);
    json_string(w, "tolerance", m->tolerance);
    if (m->outcome == OUTCOME_CANNOT)
        json_null(w, "ok");
    else
        json_bool(w, "ok", m->outcome == OUTCOME_PASS);
    put_place(w, m->table, m->row);
    put_optional(w, "source", m->source);
    put_optional(w, "derivation", m->derivation);
    put_optional(w, "reason", m->reason);
    if (m->reproduced)
        put_reproduced(w, m);
    json_end_object(w);
}

static void put_row(struct json_writer *w, const struct verdict_row *r)
{
    json_begin_object_flat(w, NULL);
    put_place(w, r->table, r->row);
    put_optional(w, "key", r->key);
    put_optional(w, "configuration", r->configuration);
    json_string(w, "precision", r->precision);
    put_optional(w, "stage", r->stage);
    if (!isnan(r->mfu_factor))
        json_number(w, "mfu_factor", r->mfu_factor);
    if (!isnan(r->sequence_length))
        json_number(w, "sequence_length", r->sequence_length);
    json_end_object(w);
}

static void put_check(struct json_writer *w, const struct check_result *c, bool finding)
{
    json_begin_object_flat(w, NULL);
    json_string(w, "rule", c->rule);
    if (finding)
        json_string(w, "severity", severity_name(c->severity));
    else
        json_string(w, "outcome", outcome_name(c->outcome));
    json_string(w, "file", c->file);
    json_integer(w, "line", c->line);
    if (c->column)
        json_integer(w, "column", c->column);
    put_place(w, c->table, c->row);
    json_string(w, "message", c->message);
    put_optional(w, "stated", c->stated);
    put_optional(w, "expected", c->expected);
    put_optional(w, "tolerance", c->tolerance);
    json_end_object(w);
}

static void put_alignment(struct json_writer *w, const struct alignment *x)
{
    json_begin_object_flat(w, "alignment");
    json_string(w, "reference", x->reference);
    align_write(w, x);
    json_end_object(w);
}

static void put_signature(struct json_writer *w, const struct signature *s)
{
    json_begin_object_flat(w, "signature");
    json_string(w, "state", signed_name(s->state));
    put_optional(w, "signer", s->signer);
    put_optional(w, "key", s->key);
    put_optional(w, "reason", s->why);
    json_end_object(w);
}

/* Several bullets of a record may say one field: one object for each that says it. */
static void put_agreements(struct json_writer *w, const struct row_evidence *e)
{
    json_begin_array(w, "environment");
    for (size_t i = 0; i < e->n_agreements; i++) {
        const struct agreement *x = &e->agreements[i];
        json_begin_object(w, NULL);
        json_string(w, "field", x->key);
        json_string(w, "outcome", outcome_name(x->outcome));
        json_begin_array(w, "said");
        for (size_t k = 0; k < x->n; k++) {
            json_begin_object_flat(w, NULL);
            json_string(w, "by", said_by_name(x->said[k].by));
            json_string(w, "value", x->said[k].value);
            json_bool(w, "differs", x->said[k].differs);
            json_end_object(w);
        }
        json_end_array(w);
        json_end_object(w);
    }
    json_end_array(w);
}

static void put_evidence(struct json_writer *w, const struct row_evidence *e)
{
    json_begin_object(w, NULL);
    put_place(w, e->table, e->row);
    json_string(w, "archive", e->archive);
    json_string(w, "sha256", e->sha256);
    json_string(w, "id", e->id);
    json_string(w, "log", e->log);
    json_bool(w, "intact", e->intact);
    if (e->part) {
        json_string(w, "judged_sha256", e->part->whole);
        json_integer(w, "withheld", (long long)e->part->withheld);
    }
    if (e->sealed)
        put_signature(w, &e->signature);
    json_integer(w, "steps", (long long)e->curve.n);
    if (e->alignment)
        put_alignment(w, e->alignment);
    if (e->n_agreements)
        put_agreements(w, e);
    if (e->facts)
        measured_write(&e->facts->measured, w);
    json_end_object(w);
}

static void put_reproduction(struct json_writer *w, const struct verdict_reproduction *x)
{
    const struct reproduction *r = x->record;
    json_begin_object_flat(w, NULL);
    json_string(w, "id", r->id);
    put_place(w, (int)r->table, (int)r->row);
    json_string(w, "by", r->by);
    json_string(w, "date", r->date);
    json_string(w, "device", r->device);
    json_bool(w, "same_device", r->same_device);
    json_string(w, "outcome", r->outcome);
    json_string(w, "loss_rule", r->loss->rule);
    json_bool(w, "loss_agrees", r->loss->agrees);
    json_string(w, "archive", r->archive);
    json_string(w, "sha256", r->sha256);
    json_bool(w, "sound", x->sound);
    json_end_object(w);
}

static void put_run(struct json_writer *w, const struct verdict *v)
{
    json_begin_object(w, NULL);
    json_string(w, "id", v->id);
    json_string(w, "file", v->file);
    json_string(w, "state", state_name(v->state));
    if (v->found)
        verdict_found_json(v->found, w);
    json_begin_array(w, "metrics");
    for (size_t i = 0; i < v->n_metrics; i++)
        put_metric(w, &v->metrics[i]);
    json_end_array(w);
    json_begin_array(w, "rows");
    for (size_t i = 0; i < v->n_rows; i++)
        put_row(w, &v->rows[i]);
    json_end_array(w);
    json_begin_array(w, "findings");
    for (size_t i = 0; i < v->n_checks; i++)
        if (v->checks[i].outcome == OUTCOME_FAIL)
            put_check(w, &v->checks[i], true);
    json_end_array(w);
    json_begin_array(w, "checks");
    for (size_t i = 0; i < v->n_checks; i++)
        put_check(w, &v->checks[i], false);
    json_end_array(w);
    json_begin_array(w, "evidence");
    for (size_t i = 0; i < v->n_evidence; i++)
        put_evidence(w, &v->evidence[i]);
    json_end_array(w);
    json_bool(w, "reproduced", verdict_is_reproduced(v));
    json_begin_array(w, "reproductions");
    for (size_t i = 0; i < v->n_reproductions; i++)
        put_reproduction(w, &v->reproductions[i]);
    json_end_array(w);
    if (v->mlperf)
        mlperf_result_json(v->mlperf, w);
    json_end_object(w);
}

static void put_summary(struct json_writer *w, const struct verdict *v, size_t n)
{
    json_begin_object_flat(w, "summary");
    for (enum state s = STATE_VERIFIED; s <= STATE_WITHDRAWN; s++) {
        long long count = 0;
        for (size_t i = 0; i < n; i++)
            count += v[i].state == s;
        json_integer(w, state_name(s), count);
    }
    json_end_object(w);
}

void verdicts_json(const struct verdicts *v, struct buf *out)
{
    struct arena scratch = ARENA_INIT;
    struct json_writer w;
    json_writer_init(&w, out);
    json_begin_object(&w, NULL);
    json_string(&w, "schema", "fpreport.verify/1");
    json_string(&w, "tool", FPREPORT_VERSION);
    json_string(&w, "rules", rules_version(v->rules));
    put_optional(&w, "only", rules_only_text(v->rules, &scratch));
    if (v->incomplete)
        json_bool(&w, "incomplete", true);
    json_begin_array(&w, "runs");
    for (size_t i = 0; i < v->n; i++)
        put_run(&w, &v->items[i]);
    json_end_array(&w);
    put_summary(&w, v->items, v->n);
    json_end_object(&w);
    json_finish(&w);
    arena_release(&scratch);
}
