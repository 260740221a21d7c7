#include "verifier/logs/rows/own_rows.h"

#include "base/files/dir.h"
#include "base/files/file.h"
#include "base/text.h"

#define RECORD_MAX ((size_t)1 << 16)

struct own_format {
    int line_of_file; /* where the object began */
    const char *id, *line, *sample;
    const char **more;
    size_t n_more;
};

static const struct field format_fields[] = {
    FIELD(ID, struct own_format, id, .required = true, .doc = "the name of the file"),
    FIELD(TEXT, struct own_format, line, .required = true,
          .doc = "pattern of the log line that reports a step; it contains `{step}` and `{loss}`"),
    FIELD_LIST(TEXTS, struct own_format, more,
               .doc = "patterns of other parts of the same log line"),
    FIELD(TEXT, struct own_format, sample, .required = true, .doc = "example of such a log line"),
};

const struct shape own_format_shape =
    SHAPE("format", struct own_format, format_fields,
          .doc = "A `format` record describes a log format in which each step is a single line.",
          .schema = "fpreport.format/1");

static bool takes_step_and_loss(uint32_t fields)
{
    bool step = fields & (UINT32_C(1) << FIELD_STEP | UINT32_C(1) << FIELD_IN_EPOCH |
                          UINT32_C(1) << FIELD_IN_EPOCH0);
    return step && fields & (UINT32_C(1) << FIELD_LOSS | UINT32_C(1) << FIELD_MEAN);
}

bool own_row_reads(const struct pattern_row *row, struct span line, double *step, double *loss)
{
    struct arena arena = ARENA_INIT;
    struct err err = ERR_INIT;
    struct pattern *p;
    struct pattern_found f;
    bool reads = pattern_compile(row->line, &pattern_row_fields, &arena, &p, &err) == 0 &&
                 takes_step_and_loss(pattern_fields(p)) && pattern_match(p, line, &f);
    if (reads) {
        *step = pattern_number(&f, FIELD_STEP);
        *loss = pattern_number(&f, f.has & UINT32_C(1) << FIELD_LOSS ? FIELD_LOSS : FIELD_MEAN);
    }
    arena_release(&arena);
    return reads;
}

/* NULL, or why the row cannot be used. */
static const char *fault_of_row(const struct pattern_row *row, const char *sample,
                                struct arena *arena)
{
    struct err err = ERR_INIT;
    struct pattern *p;
    double step, loss;
    if (pattern_compile(row->line, &pattern_row_fields, arena, &p, &err) < 0)
        return err_keep(&err, NULL, arena);
    for (size_t i = 0; i < PATTERN_ROW_MORE && row->more[i]; i++) {
        struct pattern *more;
        if (pattern_compile(row->more[i], &pattern_row_fields, arena, &more, &err) < 0)
            return err_keep(&err, NULL, arena);
    }
    if (!takes_step_and_loss(pattern_fields(p)))
        return "found a line without {step} or {loss}, expected both";
    if (!own_row_reads(row, span_trim(span_of(sample)), &step, &loss))
        return "found a sample that the line does not describe, expected one that it does";
    return NULL;
}

static void load_row(const char *path, struct arena *arena, struct diags *diags,
                     struct pattern_row *out)
{
    struct err err = ERR_INIT;
    struct bytes text;
    struct json *root;
    struct own_format f;
    *out = (struct pattern_row){NULL, NULL, {NULL}};
    if (file_read(path, RECORD_MAX, arena, &text, &err) < 0) {
        diags_add_err(diags, path, 0, 0, &err);
        return;
    }
    if (json_parse(path, text, arena, &root, diags) < 0 ||
        shape_load(&own_format_shape, root, path, &f, arena, diags) < 0)
        return;
    out->name = f.id;
    out->line = f.line;
    for (size_t i = 0; i < f.n_more && i < PATTERN_ROW_MORE; i++)
        out->more[i] = f.more[i];
    const char *why = f.n_more > PATTERN_ROW_MORE
                          ? "found too many patterns in \"more\", expected 6"
                          : fault_of_row(out, f.sample, arena);
    if (!why)
        return;
    diags_add(diags, SEVERITY_ERROR, path, 1, 0, "%s", why);
    out->line = NULL;
}

const struct pattern_row *own_rows_load(const char *records, struct arena *arena,
                                        struct diags *diags)
{
    struct pattern_row *rows = arena_array(arena, OWN_ROWS_MAX + 1, sizeof *rows);
    const char *folder = path_join(arena, records, "formats"), **names;
    struct err err = ERR_INIT;
    size_t n, kept = 0;
    if (!file_is_dir(folder))
        return rows;
    if (dir_walk(folder, arena, &names, &n, &err) < 0) {
        diags_add_err(diags, folder, 0, 0, &err);
        return rows;
    }
    for (size_t i = 0; i < n && kept < OWN_ROWS_MAX; i++) {
        if (!text_ends(names[i], ".json"))
            continue;
        load_row(path_join(arena, folder, names[i]), arena, diags, &rows[kept]);
        kept += rows[kept].line != NULL;
    }
    rows[kept].line = NULL;
    return rows;
}
