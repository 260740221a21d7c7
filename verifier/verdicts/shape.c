#include "verifier/verdicts/shape.h"

#include "base/records/handed_on.h"
#include "base/sealed/archive.h"
#include "verifier/claims/audit.h"
#include "verifier/mlperf/result/result.h"
#include "verifier/verdicts/verdicts.h"

#define AGREEMENTS_MAX 256 /* more than there are fields to agree upon */
#define CARDS_MAX 65536    /* of all nodes of a run */

#define TEXT_AT(type, member) .kind = FIELD_TEXT, FIELD_AT(type, member)
#define REAL_AT(type, member) .kind = FIELD_REAL, FIELD_AT(type, member)
#define PLACE_AT(type, member) .kind = FIELD_PLACE, FIELD_AT(type, member)
#define FLAG_AT(type, member) .kind = FIELD_FLAG, FIELD_AT(type, member)
#define NAMED_AT(type, member, names) \
    .kind = FIELD_NAMED, .required = true, .choices = names, FIELD_AT(type, member)
#define OBJECT_AT(type, member, of) .kind = FIELD_OBJECT, .shape = &of, FIELD_AT(type, member)
#define INSIDE_AT(type, member, of) .kind = FIELD_INSIDE, .shape = &of, FIELD_AT(type, member)
#define OBJECTS_AT(type, member, of, most) \
    .kind = FIELD_OBJECTS, .shape = &of, .max = most, FIELD_LIST_AT(type, member)
#define HANDED_ON .side = FIELD_HANDED_ON
#define SHOWN .side = FIELD_SHOWN
#define DERIVED(shape_name, type, fields) \
    .name = shape_name, .size = sizeof(type), .unplaced = true, SHAPE_FIELDS(fields)
#define FLAT(shape_name, type, fields) .flat = true, DERIVED(shape_name, type, fields)

/* ---- figures ------------------------------------------------------------------------------ */

static void put_figures_found(const void *value, struct json_writer *w)
{
    const struct metric *m = value;
    struct arena scratch = ARENA_INIT;
    json_string(w, "recomputed", figure_print(m->found, &scratch));
    json_string(w, "reproduced", m->reproduced ? m->reproduced->measured : NULL);
    json_string(w, "tolerance", figure_print(m->tolerance, &scratch));
    arena_release(&scratch);
}

static void put_ok(const void *value, struct json_writer *w)
{
    const struct metric *m = value;
    if (m->outcome == OUTCOME_CANNOT)
        json_null(w, "ok");
    else
        json_bool(w, "ok", m->outcome == OUTCOME_PASS);
}

/* How the reproduced figure compares, and whose it is. */
static void put_reproduced(const void *value, struct json_writer *w)
{
    const struct metric *m = value;
    if (!m->reproduced)
        return;
    if (!isnan(m->reproduced->ratio))
        json_number(w, "reproduced_ratio", m->reproduced->ratio);
    json_string(w, "reproduced_outcome", m->reproduced->outcome);
    json_string(w, "reproduced_by", m->reproduction->by);
    json_string(w, "reproduced_on", m->reproduction->device);
    json_string(w, "reproduction", m->reproduction->id);
}

static const struct shape sentence_shapes[SENTENCE_DEPTH_MAX + 1];

#define SENTENCE_AT(type, member) \
    HANDED_ON, OBJECT_AT(type, member, sentence_shapes[SENTENCE_DEPTH_MAX])

static const struct field metric_fields[] = {
    {.key = "name", .required = true, TEXT_AT(struct metric, name)},
    {.key = "unit", .null = true, TEXT_AT(struct metric, unit)},
    {.key = "stated", .null = true, TEXT_AT(struct metric, stated)},
    {.key = "recomputed", .kind = FIELD_PUT, SHOWN, .put = put_figures_found},
    {.key = "found", HANDED_ON, OBJECT_AT(struct metric, found, figure_shape)},
    {.key = "tolerance", HANDED_ON, OBJECT_AT(struct metric, tolerance, figure_shape)},
    {.key = "ok", .kind = FIELD_PUT, SHOWN, .put = put_ok},
    {.key = "outcome", HANDED_ON, NAMED_AT(struct metric, outcome, outcome_names)},
    {.key = "table", PLACE_AT(struct metric, table)},
    {.key = "row", PLACE_AT(struct metric, row)},
    {.key = "source", TEXT_AT(struct metric, source)},
    {.key = "derivation", TEXT_AT(struct metric, derivation)},
    {.key = "reason", TEXT_AT(struct metric, reason)},
    {.key = "reproduced_outcome", .kind = FIELD_PUT, SHOWN, .put = put_reproduced},
    {.key = "elsewhere", HANDED_ON, TEXT_AT(struct metric, elsewhere)},
    {.key = "input", HANDED_ON, TEXT_AT(struct metric, input)},
    {.key = "input_line", HANDED_ON, PLACE_AT(struct metric, input_line)},
    {.key = "input_from", HANDED_ON, PLACE_AT(struct metric, input_from)},
    {.key = "rule", HANDED_ON, TEXT_AT(struct metric, rule)},
    {.key = "claimed", HANDED_ON, FLAG_AT(struct metric, claimed)},
    {.key = "warned", HANDED_ON, FLAG_AT(struct metric, warned)},
    {.key = "reproduced", HANDED_ON, OBJECT_AT(struct metric, reproduced, repeated_figure_shape)},
    {.key = "reproduction", HANDED_ON, TEXT_AT(struct metric, reproduction_id)},
    {.key = "derivation_made", SENTENCE_AT(struct metric, derivation_made)},
    {.key = "reason_made", SENTENCE_AT(struct metric, reason_made)},
};

static const struct shape metric_shape = {FLAT("metric", struct metric, metric_fields)};

static const struct field row_fields[] = {
    {.key = "table", PLACE_AT(struct verdict_row, table)},
    {.key = "row", PLACE_AT(struct verdict_row, row)},
    {.key = "key", TEXT_AT(struct verdict_row, key)},
    {.key = "configuration", TEXT_AT(struct verdict_row, configuration)},
    {.key = "precision", .null = true, TEXT_AT(struct verdict_row, precision)},
    {.key = "stage", TEXT_AT(struct verdict_row, stage)},
    {.key = "card", HANDED_ON, TEXT_AT(struct verdict_row, card)},
    {.key = "mfu_factor", REAL_AT(struct verdict_row, mfu_factor)},
    {.key = "sequence_length", REAL_AT(struct verdict_row, sequence_length)},
};

static const struct shape row_shape = {FLAT("row", struct verdict_row, row_fields)};

/* ---- findings ----------------------------------------------------------------------------- */

#define SENTENCE_FIELDS(depth)                                               \
    {                                                                        \
        {.key = "text", .required = true, TEXT_AT(struct sentence, text)},   \
            {.key = "format", TEXT_AT(struct sentence, format)},             \
            {.key = "values",                                                \
             OBJECTS_AT(struct sentence, values, sentence_shapes[(depth)-1], \
                        SENTENCE_VALUES_MAX)},                               \
    }

static const struct field sentence_fields[SENTENCE_DEPTH_MAX][3] = {
    SENTENCE_FIELDS(1), SENTENCE_FIELDS(2), SENTENCE_FIELDS(3),
    SENTENCE_FIELDS(4), SENTENCE_FIELDS(5), SENTENCE_FIELDS(6),
};

#define SENTENCE(depth) [depth] = {FLAT("sentence", struct sentence, sentence_fields[(depth)-1])}

/* By how deep texts lie in them; what is deeper than any is, is handed on without its pattern. */
static const struct shape sentence_shapes[SENTENCE_DEPTH_MAX + 1] = {
    [0] = {.name = "sentence",
           .size = sizeof(struct sentence),
           .flat = true,
           .unplaced = true,
           .fields = sentence_fields[0],
           .n_fields = 1},
    SENTENCE(1),
    SENTENCE(2),
    SENTENCE(3),
    SENTENCE(4),
    SENTENCE(5),
    SENTENCE(6),
};

#define PLACE_OF_CHECK                                                               \
    {.key = "file", .null = true, TEXT_AT(struct check_result, file)},               \
        {.key = "line", .required = true, PLACE_AT(struct check_result, line)},      \
        {.key = "column", PLACE_AT(struct check_result, column)},                    \
        {.key = "table", PLACE_AT(struct check_result, table)},                      \
        {.key = "row", PLACE_AT(struct check_result, row)},                          \
        {.key = "message", .required = true, TEXT_AT(struct check_result, message)}, \
        {.key = "stated", TEXT_AT(struct check_result, stated)},                     \
        {.key = "expected", TEXT_AT(struct check_result, expected)},                 \
    {                                                                                \
        .key = "tolerance", TEXT_AT(struct check_result, tolerance)                  \
    }

static const struct field check_fields[] = {
    {.key = "rule", .required = true, TEXT_AT(struct check_result, rule)},
    {.key = "outcome", NAMED_AT(struct check_result, outcome, outcome_names)},
    PLACE_OF_CHECK,
    {.key = "severity", HANDED_ON, NAMED_AT(struct check_result, severity, severity_names)},
    {.key = "character", HANDED_ON, PLACE_AT(struct check_result, character)},
    {.key = "aside", HANDED_ON, FLAG_AT(struct check_result, informational)},
    {.key = "of_figure", HANDED_ON, FLAG_AT(struct check_result, of_figure)},
    {.key = "sentence", SENTENCE_AT(struct check_result, sentence)},
};

const struct shape check_shape = {FLAT("check", struct check_result, check_fields)};

static const struct field finding_fields[] = {
    {.key = "rule", .required = true, TEXT_AT(struct check_result, rule)},
    {.key = "severity", NAMED_AT(struct check_result, severity, severity_names)},
    PLACE_OF_CHECK,
};

const struct shape finding_shape = {FLAT("finding", struct check_result, finding_fields)};

/* ---- evidence ----------------------------------------------------------------------------- */

static void put_aligned(const void *value, struct json_writer *w)
{
    const struct alignment *x = value;
    if (x->steps)
        json_bool(w, "aligned", x->aligned);
    else
        json_null(w, "aligned");
}

static const struct field alignment_fields[] = {
    {.key = "reference", .required = true, TEXT_AT(struct alignment, reference)},
    {.key = "from_step", .required = true, PLACE_AT(struct alignment, from_step)},
    {.key = "steps", .kind = FIELD_SIZE, .required = true, FIELD_AT(struct alignment, steps)},
    {.key = "mean_rel_error", .null = true, REAL_AT(struct alignment, mean_rel_error)},
    {.key = "max_rel_error", .null = true, REAL_AT(struct alignment, max_rel_error)},
    {.key = "max_step", .null = true, REAL_AT(struct alignment, max_step)},
    {.key = "limit", .null = true, REAL_AT(struct alignment, limit)},
    {.key = "aligned", .kind = FIELD_PUT, SHOWN, .put = put_aligned},
    {.key = "aligned", HANDED_ON, FLAG_AT(struct alignment, aligned)},
};

static const struct shape alignment_shape = {FLAT("alignment", struct alignment, alignment_fields)};

static const struct field signature_fields[] = {
    {.key = "state", NAMED_AT(struct signature, state, signed_names)},
    {.key = "signer", TEXT_AT(struct signature, signer)},
    {.key = "key", TEXT_AT(struct signature, key)},
    {.key = "reason", TEXT_AT(struct signature, why)},
};

static const struct shape signature_shape = {FLAT("signature", struct signature, signature_fields)};

static const struct field file_fields[] = {
    {.key = "name", .required = true, TEXT_AT(struct evidence_file, name)},
    {.key = "sha256", .kind = FIELD_SHA256, FIELD_AT(struct evidence_file, sha256)},
    {.key = "bytes", .kind = FIELD_SIZE, FIELD_AT(struct evidence_file, bytes)},
};

static const struct shape file_shape = {DERIVED("file", struct evidence_file, file_fields)};

static const struct field said_fields[] = {
    {.key = "by", NAMED_AT(struct said, by, said_by_names)},
    {.key = "value", .required = true, TEXT_AT(struct said, value)},
    {.key = "line", HANDED_ON, PLACE_AT(struct said, line)},
    {.key = "differs", .required = true, FLAG_AT(struct said, differs)},
};

static const struct shape said_shape = {FLAT("said", struct said, said_fields)};

/* Several bullets of a record may say one field: one object for each that says it. */
static const struct field agreement_fields[] = {
    {.key = "field", .required = true, TEXT_AT(struct agreement, key)},
    {.key = "outcome", NAMED_AT(struct agreement, outcome, outcome_names)},
    {.key = "said",
     .kind = FIELD_OBJECTS,
     .shape = &said_shape,
     .required = true,
     .at = offsetof(struct agreement, said),
     .at_n = offsetof(struct agreement, n)},
};

static const struct shape agreement_shape = {
    DERIVED("agreement", struct agreement, agreement_fields)};

static const struct field answered_fields[] = {
    {.key = "round", TEXT_AT(struct answered, round)},
    {.key = "nonce", TEXT_AT(struct answered, nonce)},
    {.key = "vendor", TEXT_AT(struct answered, vendor)},
    {.key = "key", TEXT_AT(struct answered, key)},
};

static const struct shape answered_shape = {DERIVED("answered", struct answered, answered_fields)};

#define SAMPLES_REALS(member) \
    .kind = FIELD_REALS, .at = offsetof(struct samples, member), .at_n = offsetof(struct samples, n)

static const struct field samples_fields[] = {
    {.key = "at", SAMPLES_REALS(at)},
    {.key = "value", SAMPLES_REALS(value)},
    {.key = "each", .kind = FIELD_SIZE, FIELD_AT(struct samples, each)},
    {.key = "in_last", .kind = FIELD_SIZE, FIELD_AT(struct samples, in_last)},
};

static void check_samples(const void *value, const struct json *at, struct shape_load_ctx *ctx)
{
    const struct samples *s = value;
    if (s->n && (!s->at || !s->value))
        diags_add(ctx->diags, SEVERITY_ERROR, ctx->file, at->line, at->col, "%s",
                  "found a list of several, expected samples");
}

static const struct shape samples_shape = {.check = check_samples,
                                           DERIVED("samples", struct samples, samples_fields)};

static const struct field cards_fields[] = {
    {.key = "cards",
     .kind = FIELD_OBJECTS,
     .shape = &samples_shape,
     .max = CARDS_MAX,
     .at = offsetof(struct monitored_cards, cards),
     .at_n = offsetof(struct monitored_cards, n)},
};

static const struct shape cards_shape = {
    DERIVED("monitored", struct monitored_cards, cards_fields)};

static void put_published_part(const void *value, struct json_writer *w)
{
    const struct row_evidence *e = value;
    if (!e->part)
        return;
    json_string(w, "judged_sha256", e->part->whole);
    json_integer(w, "withheld", (long long)e->part->withheld);
}

static void put_steps(const void *value, struct json_writer *w)
{
    json_integer(w, "steps", (long long)((const struct row_evidence *)value)->curve.n);
}

static void put_rates(const void *value, struct json_writer *w)
{
    const struct row_evidence *e = value;
    if (e->facts)
        measured_write(&e->facts->measured, w);
}

#define MONITORED_ROW(name, number)                                                                \
    {                                                                                              \
        .key = name, .kind = FIELD_INSIDE, .shape = &cards_shape, HANDED_ON,                       \
        .at = offsetof(struct row_evidence, monitored) + (number) * sizeof(struct monitored_cards) \
    }

static const struct field evidence_fields[] = {
    {.key = "table", PLACE_AT(struct row_evidence, table)},
    {.key = "row", PLACE_AT(struct row_evidence, row)},
    {.key = "archive", .null = true, TEXT_AT(struct row_evidence, archive)},
    {.key = "sha256", .null = true, TEXT_AT(struct row_evidence, sha256)},
    {.key = "id", .null = true, TEXT_AT(struct row_evidence, id)},
    {.key = "log", .null = true, TEXT_AT(struct row_evidence, log)},
    {.key = "intact", .required = true, FLAG_AT(struct row_evidence, intact)},
    {.key = "sealed", HANDED_ON, FLAG_AT(struct row_evidence, sealed)},
    {.key = "adopted", FLAG_AT(struct row_evidence, adopted)},
    {.key = "part", .kind = FIELD_PUT, SHOWN, .put = put_published_part},
    {.key = "signature",
     .only_if = offsetof(struct row_evidence, sealed),
     INSIDE_AT(struct row_evidence, signature, signature_shape)},
    {.key = "steps", .kind = FIELD_PUT, SHOWN, .put = put_steps},
    {.key = "alignment", OBJECT_AT(struct row_evidence, alignment, alignment_shape)},
    {.key = "environment",
     OBJECTS_AT(struct row_evidence, agreements, agreement_shape, AGREEMENTS_MAX)},
    {.key = "measured", .kind = FIELD_PUT, SHOWN, .put = put_rates},
    {.key = "curve", HANDED_ON, INSIDE_AT(struct row_evidence, curve, curve_shape)},
    {.key = "reference", HANDED_ON, INSIDE_AT(struct row_evidence, reference, curve_shape)},
    {.key = "files",
     HANDED_ON,
     OBJECTS_AT(struct row_evidence, files, file_shape, ARCHIVE_ENTRIES_MAX)},
    {.key = "facts", HANDED_ON, OBJECT_AT(struct row_evidence, facts, facts_shape)},
    {.key = "layout",
     .kind = FIELD_OBJECTS,
     .shape = &layout_shape,
     HANDED_ON,
     .max = LAYOUT_SOURCES_MAX,
     .at = offsetof(struct row_evidence, layout.items),
     .at_n = offsetof(struct row_evidence, layout.n)},
    {.key = "framework", HANDED_ON, TEXT_AT(struct row_evidence, framework)},
    {.key = "finished", HANDED_ON, TEXT_AT(struct row_evidence, finished)},
    {.key = "command", .kind = FIELD_TEXTS, HANDED_ON, FIELD_LIST_AT(struct row_evidence, command)},
    {.key = "answered", HANDED_ON, INSIDE_AT(struct row_evidence, answered, answered_shape)},
    MONITORED_ROW("memory", MONITORED_MEMORY),
    MONITORED_ROW("power", MONITORED_POWER),
    MONITORED_ROW("heat", MONITORED_HEAT),
    MONITORED_ROW("cpu", MONITORED_CPU),
    MONITORED_ROW("main", MONITORED_MAIN),
    MONITORED_ROW("total", MONITORED_TOTAL),
};

const struct shape row_evidence_shape = {DERIVED("evidence", struct row_evidence, evidence_fields)};

/* ---- second runs -------------------------------------------------------------------------- */

static void put_record(const void *value, struct json_writer *w)
{
    const struct verdict_reproduction *x = value;
    const struct reproduction *r = x->record;
    json_string(w, "id", r->id);
    if (r->table)
        json_integer(w, "table", r->table);
    if (r->row)
        json_integer(w, "row", r->row);
    json_string(w, "by", r->by);
    json_string(w, "date", r->date);
    json_string(w, "device", r->device);
    json_bool(w, "same_device", r->same_device);
    json_string(w, "outcome", r->outcome);
    json_string(w, "loss_rule", r->loss->rule);
    json_bool(w, "loss_agrees", r->loss->agrees);
    json_string(w, "archive", r->archive);
    json_string(w, "sha256", r->sha256);
}

static const struct field reproduction_fields[] = {
    {.key = "record", .kind = FIELD_PUT, SHOWN, .put = put_record},
    {.key = "id", .required = true, HANDED_ON, TEXT_AT(struct verdict_reproduction, id)},
    {.key = "sound", .required = true, FLAG_AT(struct verdict_reproduction, sound)},
};

static const struct shape second_run_shape = {
    FLAT("reproduction", struct verdict_reproduction, reproduction_fields)};

/* ---- the whole ---------------------------------------------------------------------------- */

static void put_found(const void *value, struct json_writer *w)
{
    const struct verdict *v = value;
    if (v->found)
        verdict_found_json(v->found, w);
}

static void put_mlperf(const void *value, struct json_writer *w)
{
    const struct verdict *v = value;
    if (v->mlperf)
        mlperf_result_json(v->mlperf, w);
}

static void put_verdict_findings(const void *value, struct json_writer *w)
{
    const struct verdict *v = value;
    json_begin_array(w, "findings");
    for (size_t i = 0; i < v->n_checks; i++)
        if (v->checks[i].outcome == OUTCOME_FAIL)
            shape_write(&finding_shape, &v->checks[i], FIELD_SHOWN, w, NULL);
    json_end_array(w);
}

static void put_is_reproduced(const void *value, struct json_writer *w)
{
    json_bool(w, "reproduced", verdict_is_reproduced(value));
}

#define LIST_AT(list, of, most) .required = true, OBJECTS_AT(struct verdict, list, of, most)

static const struct field verdict_fields[] = {
    {.key = "id", .null = true, TEXT_AT(struct verdict, id)},
    {.key = "file", .null = true, TEXT_AT(struct verdict, file)},
    {.key = "state", NAMED_AT(struct verdict, state, state_names)},
    {.key = "rules", HANDED_ON, TEXT_AT(struct verdict, rules)},
    {.key = "only", HANDED_ON, TEXT_AT(struct verdict, only)},
    {.key = "machine", HANDED_ON, TEXT_AT(struct verdict, machine)},
    {.key = "found", .kind = FIELD_PUT, SHOWN, .put = put_found},
    {.key = "metrics", LIST_AT(metrics, metric_shape, VERDICT_METRICS_MAX)},
    {.key = "rows", LIST_AT(rows, row_shape, AUDIT_CLAIMS_MAX)},
    {.key = "findings", .kind = FIELD_PUT, SHOWN, .put = put_verdict_findings},
    {.key = "checks", LIST_AT(checks, check_shape, VERDICT_CHECKS_MAX)},
    {.key = "evidence", LIST_AT(evidence, row_evidence_shape, AUDIT_EVIDENCE_MAX)},
    {.key = "reproduced", .kind = FIELD_PUT, SHOWN, .put = put_is_reproduced},
    {.key = "reproductions", LIST_AT(reproductions, second_run_shape, 0)},
    {.key = "mlperf", .kind = FIELD_PUT, SHOWN, .put = put_mlperf},
};

const struct shape verdict_shape = {DERIVED("verdict", struct verdict, verdict_fields)};
