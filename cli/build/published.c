#include "cli/build/published.h"

#include "base/lookup.h"
#include "renderer/site/index/figures.h"
#include "verifier/verdicts/doc.h"

#include <string.h>

#define RECORD_MAX ((size_t)16 << 20)

struct reading {
    struct build *b;
    struct repo_past *past;
    struct lookup results; /* of b->verdicts, by id */
    struct buf work;
    struct err *trouble; /* the first that the machine refused */
};

/* A file of the publication. */
static bool read_path(const struct reading *r, const char *path, size_t max, struct arena *arena,
                      struct bytes *out)
{
    struct err err = ERR_INIT;
    char blob[REPO_ID_SIZE];
    if (r->past)
        return repo_past_find(r->past, path, blob) &&
               repo_past_read(r->past, blob, max, arena, out, &err) == 0;
    int rc = file_read(path_join(arena, r->b->cli->opt.previous, path), max, arena, out, &err);
    if (rc < 0 && err.kind == ERR_IO && !r->trouble->kind)
        *r->trouble = err;
    return rc == 0;
}

/* One of a result's. */
static bool read_published_file(const struct reading *r, const char *id, const char *name,
                                size_t max, struct arena *arena, struct bytes *out)
{
    return read_path(r, arena_printf(arena, "result/%s/%s", id, name), max, arena, out);
}

/* The figures of a published verdict; false: nothing is known of them. */
static bool read_published_figures(const struct reading *r, const char *called, struct arena *arena,
                                   struct site_figures *out)
{
    struct bytes text;
    struct verdict_doc doc;
    struct diags ignored;
    diags_init(&ignored, arena);
    if (!read_published_file(r, called, "verify.json", VERDICT_DOC_MAX, arena, &text) ||
        verdict_doc_read("verify.json", text, arena, &doc, &ignored) < 0 || doc.n_runs != 1 ||
        strcmp(doc.runs[0].id, called) != 0)
        return false;
    const struct doc_run *run = &doc.runs[0];
    struct metric *figures = arena_array(arena, run->n_metrics, sizeof *figures);
    struct verdict_row *rows = arena_array(arena, run->n_rows, sizeof *rows);
    *out = (struct site_figures){.items = figures, .rows = rows, .n_rows = run->n_rows};
    for (size_t i = 0; i < run->n_metrics; i++) {
        const struct doc_metric *m = &run->metrics[i];
        if (!m->stated && !m->recomputed)
            continue;
        figures[out->n] = (struct metric){.name = m->name,
                                          .table = m->table,
                                          .row = m->row,
                                          .stated = m->stated,
                                          .found = figure_read_back(m->recomputed, arena),
                                          .source = m->source,
                                          .outcome = m->outcome};
        metric_read(&figures[out->n++], arena);
    }
    for (size_t i = 0; i < run->n_rows; i++)
        rows[i] = (struct verdict_row){.table = run->rows[i].table,
                                       .row = run->rows[i].row,
                                       .key = run->rows[i].key,
                                       .configuration = run->rows[i].configuration};
    return true;
}

/* ---- results that are there ---------------------------------------------------------------- */

static bool is_other_result(struct reading *r, const struct site_was *was, const struct verdict *v)
{
    struct arena scratch = ARENA_INIT;
    bool other = was->removed || !was->figures_sum ||
                 strcmp(was->figures_sum, site_figures_sum(v, &r->work, &scratch)) != 0;
    arena_release(&scratch);
    return other;
}

/* ---- results that are gone ------------------------------------------------------------------ */

static void note_last(const struct reading *r, struct site_was *was)
{
    struct site_figures figures;
    was->last = r->b->history.date;
    if (read_published_figures(r, was->called, &r->b->cli->arena, &figures)) {
        was->judged = true;
        was->figures = figures.items;
        was->n_figures = figures.n < SITE_FIGURES_KEPT ? figures.n : SITE_FIGURES_KEPT;
        was->rows = figures.rows;
        was->n_rows = figures.n_rows < SITE_FIGURES_KEPT ? figures.n_rows : SITE_FIGURES_KEPT;
    }
    if (site_was_state(was) == STATE_WITHDRAWN) {
        struct arena *arena = &r->b->cli->arena;
        struct bytes text;
        struct json *root;
        struct diags ignored;
        struct result result;
        diags_init(&ignored, arena);
        if (read_published_file(r, was->called, "record.json", RECORD_MAX, arena, &text) &&
            json_parse("record.json", text, arena, &root, &ignored) == 0 &&
            shape_load(&result_shape, root, "record.json", &result, arena, &ignored) == 0)
            was->withdrawn = result.withdrawn;
    }
}

/* A record that is there and cannot be read is no reason to call its result removed. */
static void note_unread(struct build *b, const char *id)
{
    struct arena *arena = &b->cli->arena;
    if (file_exists(arena_printf(arena, "%s/results/%s.json", b->project.root, id)))
        *(const char **)ARENA_PUSH(arena, b->unread, b->n_unread) = id;
}

/* ---- all of them ----------------------------------------------------------------------------- */

static void note_published(struct reading *r, struct site_was *was)
{
    size_t i = lookup_find(&r->results, was->id);
    if (i != LOOKUP_NONE) {
        if (is_other_result(r, was, &r->b->verdicts[i])) {
            const struct verdict *v = &r->b->verdicts[i];
            struct arena scratch = ARENA_INIT;
            struct site_figures old = {was->figures, was->n_figures, was->rows, was->n_rows};
            const struct site_figures now = {v->metrics, v->n_metrics, v->rows, v->n_rows};
            if (was->removed || read_published_figures(r, was->called, &scratch, &old))
                site_figures_compare(&old, &now, &r->b->cli->arena, &was->changed);
            arena_release(&scratch);
        }
        return;
    }
    if (!was->removed)
        note_last(r, was);
    note_unread(r->b, was->id);
}

int build_published_figures(struct build *b, struct repo_past *past, struct err *err)
{
    struct bytes sums;
    struct arena *arena = &b->cli->arena;
    struct reading r = {.b = b, .past = past, .trouble = err};
    r.results = lookup_of(b->verdicts, b->project.n_results, sizeof *b->verdicts,
                          offsetof(struct verdict, id), arena);
    buf_init(&r.work, BUF_DEFAULT_MAX);
    if (read_path(&r, SITE_SUMS_FILE, SITE_INDEX_BYTES_MAX, arena, &sums))
        site_previous_sums(&b->history, sums, arena);
    for (size_t i = 0; i < b->history.n; i++)
        note_published(&r, &b->history.items[i]);
    buf_release(&r.work);
    return err->kind ? -1 : 0;
}

/* Figures are the same when as many publications changed them as until now. */
static size_t revisions_of(const struct build *b, const char *id)
{
    const struct site_was *was = site_previous_find(&b->history, id);
    return was ? was->revisions + site_any_change(&was->changed) : 0;
}

bool build_published_same(const struct build *b, const struct site_previous *p)
{
    size_t listed = 0;
    for (size_t i = 0; i < p->n; i++)
        listed += !p->items[i].removed;
    if (listed != b->project.n_results)
        return false;
    for (size_t i = 0; i < listed; i++) {
        const struct verdict *v = &b->verdicts[i];
        const struct site_was *was = site_previous_find(p, v->id);
        if (!was || was->removed || site_was_state(was) != v->state ||
            was->revisions != revisions_of(b, v->id))
            return false;
    }
    return true;
}
