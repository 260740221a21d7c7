#include "cli/intake/import_received.h"

#include "base/foreign.h"
#include "base/process/worker.h"
#include "base/records/handed_on.h"
#include "base/sentence.h"

#include <string.h>

struct receiving {
    const struct received *in;
    struct import_made *made;
    struct arena *arena;
    struct diags *diags;
    bool whole;
    size_t step; /* of next_steps */
};

/* What a process that did not answer left, or one that answered what cannot be. */
static void fail_received(struct receiving *x, const struct worker_end *end)
{
    struct err err = ERR_INIT;
    worker_fault(end, x->in->path, &err);
    diags_add_err(x->diags, x->in->path, 0, 0, &err);
}

/* ---- what to do -------------------------------------------------------------------------- */

/* What is found of a name with these bytes, or says this by its format: the next step. */
static const struct next_step {
    const char *name, *says, *next;
} next_steps[] = {
    {"__MACOSX", NULL,
     "macOS added it: ask for an archive without (zip -r -X RUN.zip RUN -x '*.DS_Store' in a "
     "terminal), or take it out of a copy: zip -d COPY.zip '__MACOSX/*' '*.DS_Store'"},
    {".DS_Store", NULL,
     "macOS added it: ask for an archive without (zip -r -X RUN.zip RUN -x '*.DS_Store' in a "
     "terminal), or take it out of a copy: zip -d COPY.zip '__MACOSX/*' '*.DS_Store'"},
    {"/._", NULL,
     "macOS added it: ask for an archive without (COPYFILE_DISABLE=1 tar -czf RUN.tar.gz RUN "
     "in a terminal)"},
    {"\\x5c", NULL,
     "a program of Windows wrote '\\' for '/': ask for an archive that tar made, which Windows "
     "has: tar -czf RUN.tar.gz RUN"},
    {NULL, "two files have the name '%s' (case ignored)",
     "where case does not count (Windows, macOS) one of the two would take the other's place: "
     "have one renamed before it is packed"},
    {NULL, "found %zu runs (%s%s), expected one: a submission is one run",
     "pack each run by itself and import each: unzip (or tar -xzf) it into a new folder, then "
     "tar -czf NAME.tar.gz NAME for each; or ask for one archive of each"},
    {NULL, "has a component that begins with '.' or '-'",
     "leave it out of the archive, or have it renamed, and pack again"},
    {NULL, "has a byte other than letters, digits and . _ + : -", "have it renamed and pack again"},
    {NULL,
     "found an archive in the archive, expected only files, because fpreport does not check "
     "nested archives",
     "unpack the inner one, or import it by itself, and leave it out of this one"},
};
#define NEXT_STEPS (sizeof next_steps / sizeof *next_steps)

static bool has_import_name(const struct sentence *made, const char *name)
{
    for (size_t i = 0; i < made->n_values; i++)
        if (strstr(made->values[i].text, name))
            return true;
    return false;
}

static bool is_about(const struct diag *d, const struct arena *arena, const struct next_step *step)
{
    const struct sentence bare = {.text = d->message}, *made = sentence_of(arena, d->message);
    made = made ? made : &bare;
    if (d->severity != SEVERITY_ERROR)
        return false;
    return step->name ? has_import_name(made, step->name) || strstr(d->file, step->name)
                      : sentence_says(made, step->says);
}

/* The first step that something found asks for; NEXT_STEPS: none. */
static size_t find_import_step(const struct diags *d)
{
    for (size_t r = 0; r < NEXT_STEPS; r++)
        for (size_t i = 0; i < d->n; i++)
            if (is_about(&d->items[i], d->arena, &next_steps[r]))
                return r;
    return NEXT_STEPS;
}

/* What a worker found, with the step that it asks for: only there is known what its messages were
 * made of. */
static void pack_found(const struct diags *d, struct buf *out)
{
    shape_pack_text(&diags_shape, d, out);
    pack_number(out, find_import_step(d));
}

static bool take_diags(struct receiving *x, struct unpack *u)
{
    struct diags diags;
    shape_unpack_text(&diags_shape, &diags, x->arena, u);
    size_t step = unpack_choice(u, NEXT_STEPS);
    if (u->bad)
        return false;
    x->step = step < x->step ? step : x->step;
    diags_append(x->diags, &diags);
    return true;
}

/* ---- the first: seals -------------------------------------------------------------------- */

static void seal_received(void *context, size_t i, struct worker *w)
{
    const struct receiving *x = context;
    struct received_run run;
    struct diags diags = DIAGS_INIT(&w->arena);
    struct buf packed = BUF_INIT(ARCHIVE_PACKED_MAX);
    (void)i;
    int rc = received_seal(x->in, &w->arena, &packed, &run, &diags);
    pack_found(&diags, &w->answer);
    pack_text(&w->answer, run.folder);
    pack_number(&w->answer, run.sealed);
    pack_number(&w->answer, rc == 0 ? packed.len : 0);
    if (rc == 0)
        pack_bytes(&w->answer, packed.data, packed.len);
    buf_release(&packed);
}

/* Of a worker that answered, what is behind its diagnostics; false, and told, otherwise. */
static bool open_answer(struct receiving *x, const struct worker_end *end, struct unpack *u)
{
    *u = (struct unpack){.at = end->answer.data, .end = end->answer.data + end->answer.len};
    if (end->outcome == WORKER_ANSWERED && take_diags(x, u))
        return true;
    fail_received(x, end);
    return false;
}

static bool take_sealed(void *context, size_t i, const struct worker_end *end)
{
    struct receiving *x = context;
    struct unpack u;
    (void)i;
    if (!open_answer(x, end, &u))
        return false;
    const char *folder = take_words(&u, x->arena);
    bool sealed = unpack_choice(&u, 1);
    size_t len = unpack_count(&u, 1);
    const char *packed = unpack_bytes(&u, len);
    if (!unpack_end(&u) || (folder && (strchr(folder, '/') || foreign_name_problem(folder))))
        fail_received(x, end);
    else if (len)
        *x->made = (struct import_made){.packed = {arena_strndup(x->arena, packed, len), len},
                                        .folder = folder,
                                        .sealed = sealed};
    return false;
}

/* ---- the second: reads what was sealed --------------------------------------------------- */

/* Does it say where it came from as we would? */
static bool has_origin(const struct receiving *x, const struct submission *s, struct arena *arena)
{
    const struct bytes *found = submission_file(s, RECEIVED_ORIGIN);
    struct buf text = BUF_INIT(BUF_DEFAULT_MAX);
    received_origin(x->in, x->made->folder, arena, &text);
    bool same = found && found->len == text.len && memcmp(found->data, text.data, text.len) == 0;
    buf_release(&text);
    return same;
}

static void look_at_received(void *context, size_t i, struct worker *w)
{
    const struct receiving *x = context;
    struct submission s;
    struct diags diags = DIAGS_INIT(&w->arena);
    (void)i;
    int rc = submission_open_bytes(x->made->packed, x->in->path, &w->arena, &s, &diags);
    bool whole = rc == 0 && s.intact && (x->made->sealed || has_origin(x, &s, &w->arena));
    if (rc == 0 && s.n_withheld)
        diags_add(&diags, SEVERITY_ERROR, x->in->path, 0, 0,
                  "found a submission with withheld files, expected a complete submission");
    else if (!whole && !diags.errors)
        diags_add(&diags, SEVERITY_ERROR, x->in->path, 0, 0,
                  "the sealed files differ from the received files");
    pack_found(&diags, &w->answer);
    pack_number(&w->answer, whole);
    pack_number(&w->answer, whole ? s.n : 0);
    pack_text(&w->answer, whole ? s.id : "");
}

static bool take_look(void *context, size_t i, const struct worker_end *end)
{
    struct receiving *x = context;
    struct unpack u;
    (void)i;
    if (!open_answer(x, end, &u))
        return false;
    bool whole = unpack_choice(&u, 1);
    x->made->n = unpack_choice(&u, ARCHIVE_ENTRIES_MAX);
    x->made->id = take_words(&u, x->arena);
    if (!unpack_end(&u) || (whole && !hash_is_hex(x->made->id)))
        fail_received(x, end);
    else
        x->whole = whole;
    return false;
}

int import_received(struct cli *cli, const struct received *in, struct import_made *out)
{
    struct receiving x = {
        .in = in, .made = out, .arena = &cli->arena, .diags = &cli->diags, .step = NEXT_STEPS};
    const struct worker_crew sealing = {
        .context = &x, .packed = in->bytes.len, .work = seal_received, .take = take_sealed};
    *out = (struct import_made){0};
    worker_each(&sealing, 1);
    const struct worker_crew looking = {.context = &x,
                                        .packed = in->bytes.len + out->packed.len,
                                        .work = look_at_received,
                                        .take = take_look};
    if (out->packed.len)
        worker_each(&looking, 1);
    int code = cli_diags(cli);
    if (x.step < NEXT_STEPS)
        cli_note(cli, "next: %s", next_steps[x.step].next);
    return code || x.whole ? code : EXIT_INPUT;
}
