#include "verifier/verdicts/verdict_doc.h"

#include "base/files/file.h"

#include "verifier/claims/audit.h"

#include <limits.h>
#include <math.h>
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

struct reader {
    const char *file;
    struct arena *arena;
    struct diags *diags;
    bool failed;
};

static void refuse_document(struct reader *r, const struct json *at, const char *key,
                            const char *expected)
{
    const struct json *member = json_get(at, key);
    const struct json *place = member ? member : at;
    r->failed = true;
    diags_add(r->diags, SEVERITY_ERROR, r->file, place->line, place->col,
              "found %s as \"%s\", expected %s", member ? json_kind_name(member->kind) : "nothing",
              key, expected);
}

/* NULL when it is null or missing. */
static const char *optional_text(struct reader *r, const struct json *at, const char *key)
{
    const struct json *j = json_get(at, key);
    if (!j || j->kind == JSON_NULL)
        return NULL;
    if (j->kind != JSON_STRING)
        refuse_document(r, at, key, "a string or null");
    return j->kind == JSON_STRING ? arena_strdup(r->arena, j->text) : NULL;
}

static const char *read_doc_text(struct reader *r, const struct json *at, const char *key)
{
    const struct json *j = json_get(at, key);
    if (j && j->kind == JSON_STRING)
        return arena_strdup(r->arena, j->text);
    refuse_document(r, at, key, "a string");
    return "";
}

static int read_doc_number(struct reader *r, const struct json *at, const char *key)
{
    const struct json *j = json_get(at, key);
    if (!j)
        return 0;
    if (j->kind == JSON_NUMBER && j->number >= 0 && j->number <= INT_MAX &&
        floor(j->number) == j->number)
        return (int)j->number;
    refuse_document(r, at, key, "a whole number");
    return 0;
}

/* Which of the words that `name` gives for 0 to last; 0 after a fault. */
static int word(struct reader *r, const struct json *at, const char *key, const char *(*name)(int),
                int last)
{
    const char *found = read_doc_text(r, at, key);
    for (int i = 0; i <= last; i++)
        if (strcmp(found, name(i)) == 0)
            return i;
    if (!r->failed) {
        const struct json *j = json_get(at, key);
        r->failed = true;
        diags_add(r->diags, SEVERITY_ERROR, r->file, j->line, j->col,
                  "found \"%.60s\" as \"%s\", expected a word of schema %s", found, key,
                  VERDICT_DOC_SCHEMA);
    }
    return 0;
}

static const char *nth_state(int i)
{
    return state_name((enum state)i);
}

static const char *nth_severity(int i)
{
    return severity_name((enum severity)i);
}

static enum outcome read_doc_outcome(struct reader *r, const struct json *at)
{
    const struct json *ok = json_get(at, "ok");
    if (ok && ok->kind == JSON_BOOL)
        return ok->truth ? OUTCOME_PASS : OUTCOME_FAIL;
    if (!ok || ok->kind != JSON_NULL)
        refuse_document(r, at, "ok", "true, false or null");
    return OUTCOME_CANNOT;
}

static void read_metric(struct reader *r, const struct json *at, void *to)
{
    *(struct doc_metric *)to = (struct doc_metric){.name = read_doc_text(r, at, "name"),
                                                   .stated = optional_text(r, at, "stated"),
                                                   .recomputed = optional_text(r, at, "recomputed"),
                                                   .table = read_doc_number(r, at, "table"),
                                                   .row = read_doc_number(r, at, "row"),
                                                   .outcome = read_doc_outcome(r, at),
                                                   .source = optional_text(r, at, "source")};
}

static void read_finding(struct reader *r, const struct json *at, void *to)
{
    int severity = word(r, at, "severity", nth_severity, SEVERITY_ERROR);
    *(struct doc_finding *)to = (struct doc_finding){.rule = read_doc_text(r, at, "rule"),
                                                     .message = read_doc_text(r, at, "message"),
                                                     .stated = optional_text(r, at, "stated"),
                                                     .table = read_doc_number(r, at, "table"),
                                                     .row = read_doc_number(r, at, "row"),
                                                     .severity = (enum severity)severity};
}

static void read_evidence(struct reader *r, const struct json *at, void *to)
{
    *(struct doc_evidence *)to = (struct doc_evidence){.table = read_doc_number(r, at, "table"),
                                                       .row = read_doc_number(r, at, "row"),
                                                       .sha256 = optional_text(r, at, "sha256")};
}

static void read_doc_row(struct reader *r, const struct json *at, void *to)
{
    *(struct doc_row *)to =
        (struct doc_row){.table = read_doc_number(r, at, "table"),
                         .row = read_doc_number(r, at, "row"),
                         .key = optional_text(r, at, "key"),
                         .configuration = optional_text(r, at, "configuration")};
}

/* An array of objects; each is read into an element of `size` bytes. Stops at the first fault. */
static void *read_doc_list(struct reader *r, const struct json *at, const char *key, size_t size,
                           void (*read)(struct reader *, const struct json *, void *), size_t *n)
{
    const struct json *list = json_get(at, key);
    *n = 0;
    if (!list || list->kind != JSON_ARRAY) {
        refuse_document(r, at, key, "an array");
        return NULL;
    }
    char *items = arena_array(r->arena, list->n, size);
    for (const struct json *j = list->child; j && !r->failed; j = j->next) {
        if (j->kind != JSON_OBJECT) {
            r->failed = true;
            diags_add(r->diags, SEVERITY_ERROR, r->file, j->line, j->col,
                      "found %s in \"%s\", expected an object", json_kind_name(j->kind), key);
            break;
        }
        read(r, j, items + size * (*n)++);
    }
    return items;
}

static void read_run(struct reader *r, const struct json *at, void *to)
{
    struct doc_run *run = to;
    run->id = read_doc_text(r, at, "id");
    run->state = (enum state)word(r, at, "state", nth_state, STATE_WITHDRAWN);
    run->metrics =
        read_doc_list(r, at, "metrics", sizeof *run->metrics, read_metric, &run->n_metrics);
    run->findings =
        read_doc_list(r, at, "findings", sizeof *run->findings, read_finding, &run->n_findings);
    run->evidence =
        read_doc_list(r, at, "evidence", sizeof *run->evidence, read_evidence, &run->n_evidence);
    if (json_get(at, "rows"))
        run->rows = read_doc_list(r, at, "rows", sizeof *run->rows, read_doc_row, &run->n_rows);
    if (run->n_evidence > AUDIT_EVIDENCE_MAX && !r->failed) {
        r->failed = true; /* every row of one side is held against every row of the other */
        diags_add(r->diags, SEVERITY_ERROR, r->file, at->line, at->col,
                  "found %zu rows of evidence, expected at most %d", run->n_evidence,
                  AUDIT_EVIDENCE_MAX);
    }
}

static int read_document(struct reader *r, const struct json *root, struct verdict_doc *out)
{
    *out = (struct verdict_doc){.file = r->file};
    if (strcmp(json_get_text(root, "schema", ""), VERDICT_DOC_SCHEMA) != 0) {
        refuse_document(r, root, "schema", "\"" VERDICT_DOC_SCHEMA "\"");
        return -1;
    }
    out->tool = read_doc_text(r, root, "tool");
    out->rules = read_doc_text(r, root, "rules");
    out->only = optional_text(r, root, "only");
    const char *key = "incomplete";
    const struct json *j = json_get(root, key);
    if (j && j->kind != JSON_BOOL)
        refuse_document(r, root, key, "true or false");
    out->incomplete = j && j->kind == JSON_BOOL && j->truth;
    out->runs = read_doc_list(r, root, "runs", sizeof *out->runs, read_run, &out->n_runs);
    return r->failed ? -1 : 0;
}

/* The tree is many times as large as what is kept of it. */
int verdict_doc_read(const char *file, struct bytes bytes, struct arena *arena,
                     struct verdict_doc *out, struct diags *diags)
{
    struct reader r = {file, arena, diags, false};
    struct arena tree = ARENA_INIT;
    struct json *root;
    int rc = json_parse_large(file, bytes, VERDICT_DOC_MAX, &tree, &root, diags);
    if (rc == 0)
        rc = read_document(&r, root, out);
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
