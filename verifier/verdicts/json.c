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
 * read; "records" says of which records it is where they are none of a project. Keys are only ever
 * added within schema /1.
 */
#include "verifier/verdicts/verdicts.h"

#include "verifier/checks/rules.h"
#include "verifier/verdicts/shape.h"

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
    const char *only = rules_only_text(v->rules, &scratch);
    struct json_writer w = JSON_WRITER_INIT(out);
    json_begin_object(&w, NULL);
    json_string(&w, "schema", "fpreport.verify/1");
    json_string(&w, "tool", FPREPORT_VERSION);
    json_string(&w, "rules", rules_version(v->rules));
    json_string_if(&w, "only", only);
    json_string_if(&w, "records", v->records);
    if (v->incomplete)
        json_bool(&w, "incomplete", true);
    json_begin_array(&w, "runs");
    for (size_t i = 0; i < v->n; i++)
        shape_write(&verdict_shape, &v->items[i], FIELD_SHOWN, &w, NULL);
    json_end_array(&w);
    put_summary(&w, v->items, v->n);
    json_end_object(&w);
    json_finish(&w);
    arena_release(&scratch);
}
