#include "verifier/verdicts/verdict_doc.h"

#include "base/files/file.h"
#include "base/records/handed_on.h"
#include "verifier/claims/audit.h"

#include <string.h>

bool verdict_doc_is(const char *path)
{
    struct arena scratch = ARENA_INIT;
    struct err err = ERR_INIT;
    struct bytes text;
    bool is = file_read(path, VERDICT_DOC_MAX, &scratch, &text, &err) == 0 &&
              text.data[strspn(text.data, " \t\r\n")] == '{' &&
              memmem(text.data, text.len, VERDICT_DOC_SCHEMA, strlen(VERDICT_DOC_SCHEMA));
    arena_release(&scratch);
    return is;
}

/* ---- fields of which something is made; a document has more ------------------------------- */

#define DOC_SHAPE(of_name, type, of_fields)                                    \
    {                                                                          \
        .name = of_name, .size = sizeof(type), .unplaced = true, .open = true, \
        SHAPE_FIELDS(of_fields)                                                \
    }

static const struct field metric_fields[] = {
    FIELD(TEXT, struct doc_metric, name, .required = true),
    FIELD(TEXT, struct doc_metric, stated, .null = true),
    FIELD(TEXT, struct doc_metric, recomputed, .null = true),
    FIELD(TEXT, struct doc_metric, source, .null = true),
    FIELD(PLACE, struct doc_metric, table),
    FIELD(PLACE, struct doc_metric, row),
};

static void check_metric(const void *value, const struct json *at, struct shape_load_ctx *ctx)
{
    const struct json *ok = json_get(at, "ok");
    enum outcome *outcome = &((struct doc_metric *)value)->outcome;
    *outcome = OUTCOME_CANNOT;
    if (ok && ok->kind == JSON_BOOL)
        *outcome = ok->truth ? OUTCOME_PASS : OUTCOME_FAIL;
    else if (!ok || ok->kind != JSON_NULL)
        diags_add(ctx->diags, SEVERITY_ERROR, ctx->file, at->line, at->col,
                  "found %s as \"ok\", expected true, false or null",
                  ok ? json_kind_name(ok->kind) : "nothing");
}

static const struct shape metric_shape =
    SHAPE("metric", struct doc_metric, metric_fields, .unplaced = true, .open = true,
          .check = check_metric);

static const struct field finding_fields[] = {
    FIELD(TEXT, struct doc_finding, rule, .required = true),
    FIELD(TEXT, struct doc_finding, message, .required = true),
    FIELD(TEXT, struct doc_finding, stated, .null = true),
    FIELD(PLACE, struct doc_finding, table),
    FIELD(PLACE, struct doc_finding, row),
    FIELD(NAMED, struct doc_finding, severity, .required = true, .choices = severity_names),
};

static const struct shape finding_shape = DOC_SHAPE("finding", struct doc_finding, finding_fields);

static const struct field evidence_fields[] = {
    FIELD(PLACE, struct doc_evidence, table),
    FIELD(PLACE, struct doc_evidence, row),
    FIELD(TEXT, struct doc_evidence, sha256, .null = true),
};

static const struct shape evidence_shape =
    DOC_SHAPE("evidence", struct doc_evidence, evidence_fields);

static const struct field row_fields[] = {
    FIELD(PLACE, struct doc_row, table),
    FIELD(PLACE, struct doc_row, row),
    FIELD(TEXT, struct doc_row, key, .null = true),
    FIELD(TEXT, struct doc_row, configuration, .null = true),
};

static const struct shape row_shape = DOC_SHAPE("row", struct doc_row, row_fields);

static const struct field run_fields[] = {
    FIELD(TEXT, struct doc_run, id, .required = true),
    FIELD(NAMED, struct doc_run, state, .required = true, .choices = state_names),
    FIELD_LIST(OBJECTS, struct doc_run, metrics, .required = true, .shape = &metric_shape),
    FIELD_LIST(OBJECTS, struct doc_run, findings, .required = true, .shape = &finding_shape),
    /* Every row of one side is held against every row of the other. */
    FIELD_LIST(OBJECTS, struct doc_run, evidence, .required = true, .shape = &evidence_shape,
               .max = AUDIT_EVIDENCE_MAX),
    FIELD_LIST(OBJECTS, struct doc_run, rows, .shape = &row_shape),
};

static const struct shape run_shape = DOC_SHAPE("run", struct doc_run, run_fields);

static const struct field document_fields[] = {
    FIELD(TEXT, struct verdict_doc, tool, .required = true),
    FIELD(TEXT, struct verdict_doc, rules, .required = true),
    FIELD(TEXT, struct verdict_doc, only, .null = true),
    FIELD(FLAG, struct verdict_doc, incomplete),
    FIELD_LIST(OBJECTS, struct verdict_doc, runs, .required = true, .shape = &run_shape),
};

static const struct shape document_shape =
    SHAPE("document", struct verdict_doc, document_fields, .schema = VERDICT_DOC_SCHEMA,
          .unplaced = true, .open = true);

/* The tree is many times as large as what is kept of it. */
int verdict_doc_read(const char *file, struct bytes bytes, struct arena *arena,
                     struct verdict_doc *out, struct diags *diags)
{
    struct arena tree = ARENA_INIT;
    struct json *root;
    int rc = json_parse_large(file, bytes, VERDICT_DOC_MAX, &tree, &root, diags);
    if (rc == 0)
        rc = shape_load(&document_shape, root, file, out, arena, diags);
    out->file = file;
    arena_release(&tree);
    return rc;
}

int verdict_doc_load(const char *path, struct arena *arena, struct verdict_doc *out,
                     struct diags *diags)
{
    struct err err = ERR_INIT;
    struct arena text = ARENA_INIT;
    struct bytes bytes;
    int rc = file_read(path, VERDICT_DOC_MAX, &text, &bytes, &err);
    if (rc == 0)
        rc = verdict_doc_read(path, bytes, arena, out, diags);
    else
        diags_add_err(diags, path, 0, 0, &err);
    arena_release(&text);
    return rc;
}
