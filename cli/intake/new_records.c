#include "cli/intake/new_records.h"

#include "base/files/file.h"
#include "base/project/project.h"
#include "base/sealed/archive.h"
#include "base/text.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct filling {
    struct cli *cli;
    const char *to;             /* the project's records */
    struct project here, known; /* the project; what fpreport has itself */
    size_t copied, drafted;     /* files */
    size_t uncounted;           /* models whose N nobody said */
};

/* A file of the records, unless something is there. */
static int put_new_file(struct filling *f, const char *path, struct bytes bytes, struct err *err)
{
    const char *to = path_join(&f->cli->arena, f->to, path);
    return file_exists(to) ? 0 : file_write(to, bytes.data, bytes.len, err) < 0 ? -1 : 1;
}

/* From fpreport's own; 0: it has none, or there is one. */
static int copy_shipped(struct filling *f, const char *path, struct err *err)
{
    const char *from = path_join(&f->cli->arena, f->known.root, path);
    struct bytes bytes;
    if (!file_exists(from))
        return 0;
    int rc = file_read(from, ARCHIVE_PACKED_MAX, &f->cli->arena, &bytes, err);
    if (rc == 0)
        rc = put_new_file(f, path, bytes, err);
    f->copied += rc == 1;
    if (rc == 1)
        cli_detail(f->cli, "%s/%s: as fpreport has it", f->to, path);
    return rc < 0 ? -1 : 0;
}

static int draft_record(struct filling *f, const char *path, const struct shape *shape,
                        const void *record, struct err *err)
{
    struct buf text = BUF_INIT(BUF_DEFAULT_MAX);
    shape_save_text(shape, record, &text);
    int rc = put_new_file(f, path, (struct bytes){text.data, text.len}, err);
    buf_release(&text);
    f->drafted += rc == 1;
    if (rc == 1)
        buf_printf(&f->cli->out, "%s/%s\n", f->to, path);
    return rc < 0 ? -1 : 0;
}

/* ---- vendors, with their cards -------------------------------------------------------------- */

static int draft_vendor(struct filling *f, const char *id, struct err *err)
{
    struct arena *a = &f->cli->arena;
    const char *path = arena_printf(a, "vendors/%s.json", id);
    for (size_t i = 0; i < f->known.n_accelerators; i++) {
        const struct accelerator *x = &f->known.accelerators[i];
        if (strcmp(x->vendor, id) == 0 &&
            copy_shipped(f, arena_printf(a, "accelerators/%s.json", x->id), err) < 0)
            return -1;
    }
    if (project_vendor(&f->here, id))
        return 0;
    if (project_vendor(&f->known, id))
        return copy_shipped(f, path, err);
    struct vendor v;
    shape_init(&vendor_shape, &v);
    v.id = v.name.zh = id;
    return draft_record(f, path, &vendor_shape, &v, err);
}

/* ---- models --------------------------------------------------------------------------------- */

/* "llama2_7b": 7e9; 0: the name does not end in a number of billions ("mixtral_8x7b": which?). */
static double billions(const char *name)
{
    const char *last = name;
    char *end;
    for (const char *c = name; *c; c++)
        if (*c == '_' || *c == '-')
            last = c + 1;
    if (last == name || !isdigit((unsigned char)*last) || strspn(last, "0123456789.") > 8)
        return 0;
    double n = strtod(last, &end);
    return (*end == 'b' || *end == 'B') && end[1] == '\0' && n > 0 ? n * 1e9 : 0;
}

static int draft_model(struct filling *f, const char *id, struct err *err)
{
    struct arena *a = &f->cli->arena;
    const char *path = arena_printf(a, "models/%s.json", id);
    if (project_model(&f->here, id) || file_exists(path_join(a, f->to, path)))
        return 0;
    if (project_model(&f->known, id))
        return copy_shipped(f, path, err);
    struct model m;
    shape_init(&model_shape_shape, &m);
    m.id = m.name.zh = id;
    if (billions(id) > 0) {
        m.nominal_parameters = billions(id);
        m.source = arena_printf(a, "N: the name \"%s\"", id);
    }
    f->uncounted += isnan(m.nominal_parameters);
    return draft_record(f, path, &model_shape_shape, &m, err);
}

/* Of a result whose case nobody knows: as its page calls it, else as its case begins. */
static const char *model_of_result(struct filling *f, const struct result *r)
{
    const struct model *m = project_result_model(&f->here, r);
    if (!m)
        m = project_result_model(&f->known, r);
    if (m)
        return m->id;
    char *id = arena_strdup(&f->cli->arena, r->case_id);
    char *dash = strchr(id, '-');
    if (dash && dash > id)
        *dash = '\0';
    for (char *c = id; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    return id;
}

/* ---- cases ---------------------------------------------------------------------------------- */

static int fill_case(struct filling *f, const struct result *r, struct err *err)
{
    struct arena *a = &f->cli->arena;
    const char *path = arena_printf(a, "cases/%s.json", r->case_id);
    const struct case_record *c = project_case(&f->here, r->case_id);
    if (c)
        return draft_model(f, c->model, err);
    c = project_case(&f->known, r->case_id);
    if (c) {
        const char *reference = c->alignment ? c->alignment->reference : NULL;
        if (copy_shipped(f, path, err) < 0 || draft_model(f, c->model, err) < 0)
            return -1;
        return reference ? copy_shipped(f, reference, err) : 0;
    }
    struct case_record drafted;
    shape_init(&case_shape, &drafted);
    drafted.id = drafted.title.zh = r->case_id;
    drafted.model = model_of_result(f, r);
    drafted.trainer = "command";
    if (draft_model(f, drafted.model, err) < 0)
        return -1;
    return draft_record(f, path, &case_shape, &drafted, err);
}

static int fill_all(struct filling *f, struct err *err)
{
    for (size_t i = 0; i < f->here.n_results; i++)
        if (draft_vendor(f, f->here.results[i].vendor, err) < 0 ||
            fill_case(f, &f->here.results[i], err) < 0)
            return -1;
    return 0;
}

int new_records(struct cli *cli)
{
    struct err err = ERR_INIT;
    struct arena *a = &cli->arena;
    const char *own = path_join(a, cli_datadir(cli), "records");
    struct filling f = {.cli = cli, .to = cli_records(cli)};
    if (strcmp(f.to, own) == 0 || !file_is_dir(f.to))
        return cli_usage(cli, "found no folder records/ here; name another folder by --records");
    project_load(f.to, &f.here, a, &cli->diags);
    if (cli->diags.errors)
        return cli_diags(cli);
    diags_init(&cli->diags, a); /* what is named and missing is made now */
    project_load(own, &f.known, a, &cli->diags);
    int code = cli_diags(cli);
    if (code)
        return code;
    if (fill_all(&f, &err) < 0)
        return cli_fail(cli, &err);
    cli_note(cli, "%zu copied from fpreport's own records, %zu drafted%s", f.copied, f.drafted,
             f.drafted ? ": complete those above, as 'fpreport fields' says" : "");
    if (f.uncounted)
        cli_note(cli,
                 "%zu of the models were drafted without nominal_parameters: fill in these "
                 "numbers, because without them no MFU of these models is checked",
                 f.uncounted);
    return EXIT_AGREED;
}
