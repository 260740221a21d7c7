#include "verifier/verdicts/doc.h"

#include "base/files/file.h"
#include "base/json/json_parts.h"
#include "base/records/handed_on.h"
#include "verifier/claims/audit.h"

#include <string.h>

bool verdict_doc_is(const char *path)
{
    struct arena scratch = ARENA_INIT;
    struct err err = ERR_INIT;
    struct bytes text;
    bool is = file_read(path, VERDICT_DOC_LARGE_MAX, &scratch, &text, &err) == 0 &&
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
static int read_doc_part(const struct shape *shape, const char *file, struct bytes bytes,
                         struct arena *arena, void *out, struct diags *diags)
{
    struct arena tree = ARENA_INIT;
    struct json *root;
    int rc = json_parse_large(file, bytes, VERDICT_DOC_MAX, &tree, &root, diags);
    if (rc == 0)
        rc = shape_load(shape, root, file, out, arena, diags);
    arena_release(&tree);
    return rc;
}

int verdict_doc_read_run(const char *file, struct bytes bytes, struct arena *arena,
                         struct doc_run *out, struct diags *diags)
{
    return read_doc_part(&run_shape, file, bytes, arena, out, diags);
}

static int lines_between(const char *from, const char *to)
{
    int n = 0;
    for (; from < to && (from = memchr(from, '\n', (size_t)(to - from))); from++)
        n++;
    return n;
}

/* One run after the other, so that no more than one tree is in memory. */
static int read_doc_runs(const char *file, struct bytes whole, struct bytes list,
                         struct arena *arena, struct verdict_doc *out, struct diags *diags)
{
    struct json_parts runs = json_parts_of(list);
    struct json_part run;
    const char *counted = whole.data;
    int line = 0, rc = 0;
    while (rc == 0 && json_parts_next(&runs, &run)) {
        struct arena own = ARENA_INIT;
        struct bytes text = {arena_strndup(&own, run.value.data, run.value.len), run.value.len};
        struct diags found = DIAGS_INIT(arena);
        line += lines_between(counted, run.value.data);
        counted = run.value.data;
        rc = verdict_doc_read_run(file, text, arena, ARENA_PUSH(arena, out->runs, out->n_runs),
                                  &found);
        for (size_t i = 0; i < found.n; i++)
            found.items[i].line += found.items[i].line ? line : 0;
        diags_append(diags, &found);
        arena_release(&own);
    }
    if (rc == 0 && runs.bad)
        diags_add(diags, SEVERITY_ERROR, file, line + 1, 0,
                  "found no end of the list of runs, expected a whole document");
    return rc == 0 && runs.bad ? -1 : rc;
}

/* The document without its runs is read as a whole. */
static int read_large_doc(const char *file, struct bytes bytes, struct bytes list,
                          struct arena *arena, struct verdict_doc *out, struct diags *diags)
{
    struct arena own = ARENA_INIT;
    size_t front = (size_t)(list.data - bytes.data), back = bytes.len - front - list.len;
    char *rest = arena_alloc(&own, front + back + 3);
    memcpy(rest, bytes.data, front);
    memcpy(rest + front, "[]", 2);
    memcpy(rest + front + 2, list.data + list.len, back);
    rest[front + 2 + back] = '\0';
    int rc = read_doc_part(&document_shape, file, (struct bytes){rest, front + 2 + back}, arena,
                           out, diags);
    arena_release(&own);
    out->runs = NULL;
    out->n_runs = 0;
    return rc < 0 ? -1 : read_doc_runs(file, bytes, list, arena, out, diags);
}

int verdict_doc_read(const char *file, struct bytes bytes, struct arena *arena,
                     struct verdict_doc *out, struct diags *diags)
{
    struct json_parts members = json_parts_of(bytes);
    struct json_part part;
    struct bytes list = {NULL, 0};
    while (bytes.len > VERDICT_DOC_SMALL && json_parts_next(&members, &part))
        if (json_part_is(&part, "runs") && *part.value.data == '[' && !list.data)
            list = part.value;
    int rc = list.data ? read_large_doc(file, bytes, list, arena, out, diags)
                       : read_doc_part(&document_shape, file, bytes, arena, out, diags);
    out->file = file;
    return rc;
}

int verdict_doc_load(const char *path, struct arena *arena, struct verdict_doc *out,
                     struct diags *diags)
{
    struct err err = ERR_INIT;
    struct arena text = ARENA_INIT;
    struct bytes bytes;
    int rc = file_read(path, VERDICT_DOC_LARGE_MAX, &text, &bytes, &err);
    if (rc == 0)
        rc = verdict_doc_read(path, bytes, arena, out, diags);
    else
        diags_add_err(diags, path, 0, 0, &err);
    arena_release(&text);
    return rc;
}
