#include "cli/verify/explain_example.h"

#include "base/files/file.h"
#include "base/project/project.h"
#include "base/records/challenge.h"
#include "base/sealed/statement.h"
#include "base/sealed/submission.h"
#include "base/signing/hash.h"
#include "collector/page/import.h"
#include "verifier/claims/duplicates.h"
#include "verifier/diff/side.h"
#include "verifier/proofs/runs.h"
#include "verifier/verify.h"

#include <string.h>

#define RECORD "records/results/globex/tiny_llama.json"
#define ARCHIVE "records/evidence/globex/run.tar.zst"
#define CHALLENGE "challenge/challenge.json"
#define ANSWER "challenge/run.tar.zst"
#define RETRAINED "challenge/retrained.csv"

struct making {
    struct cli *cli;
    const struct rule_example *e; /* NULL: honest */
    const char *folder;
    const char *sum; /* of the evidence as it was sealed again; NULL: it is as it lies there */
    struct project project;
    struct diags ignored; /* of the import: the checker says what matters */
    struct explain_example *out;
};

static const char *place(struct making *m, const char *name)
{
    return path_join(&m->cli->arena, m->folder, name);
}

/* The text with the change made, where it is this one's. */
static int change(struct making *m, enum example_in in, const char *file, struct bytes *text,
                  struct err *err)
{
    const struct rule_example *e = m->e;
    struct buf to;
    if (!e || e->in != in)
        return 0;
    const char *at = strstr(text->data, e->honest);
    if (!at)
        return err_set(err, ERR_INPUT, "%s: found no '%s', which the example changes", file,
                       e->honest);
    m->out->file = file;
    m->out->line = 1;
    for (const char *s = text->data; s < at; s++)
        m->out->line += *s == '\n';
    buf_init(&to, BUF_DEFAULT_MAX);
    buf_add(&to, text->data, (size_t)(at - text->data));
    for (int i = 0; i == 0 || i < e->times; i++)
        buf_str(&to, e->changed);
    buf_str(&to, at + strlen(e->honest));
    *text = (struct bytes){arena_strndup(&m->cli->arena, to.data, to.len), to.len};
    buf_release(&to);
    return 0;
}

static int run_page(struct making *m, struct err *err)
{
    struct arena *arena = &m->cli->arena;
    struct result *r = arena_alloc(arena, sizeof *r);
    struct bytes text;
    if (file_read(place(m, "page.md"), IMPORT_PAGE_MAX, arena, &text, err) < 0 ||
        change(m, EXAMPLE_PAGE, "page.md", &text, err) < 0)
        return -1;
    if (import_page(text.data, text.len, "page.md", "nvidia", "llama2_7b-megatron", arena, r,
                    &m->ignored) < 0)
        return err_set(err, ERR_INPUT, "page.md: %s", m->ignored.items[0].message);
    r->file = "page.md";
    verify_result(&m->project, NULL, r, NULL, arena, &m->out->verdict);
    return 0;
}

static struct bytes *find_member(struct submission *s, const char *name)
{
    for (size_t i = 0; i < s->n; i++)
        if (strcmp(path_base(s->files[i].name), name) == 0)
            return &s->files[i].bytes;
    return NULL;
}

static int change_member(struct making *m, struct submission *s, enum example_in in,
                         struct err *err)
{
    struct bytes *file = m->e && m->e->file ? find_member(s, m->e->file) : NULL;
    char before[HASH_HEX_SIZE], after[HASH_HEX_SIZE];
    if (!file)
        return 0;
    hash_sha256(file->data, file->len, before);
    int rc = change(m, in, m->e->file, file, err);
    hash_sha256(file->data, file->len, after);
    if (in == EXAMPLE_SECOND_RUN) {
        /* run.json names the digest of every file: a second run that gave something else has its
         * own. */
        struct bytes *run = find_member(s, "run.json");
        char *text = run ? arena_strndup(&m->cli->arena, run->data, run->len) : NULL;
        char *at = text ? strstr(text, before) : NULL;
        if (at) {
            memcpy(at, after, HASH_HEX_SIZE - 1);
            run->data = text;
        }
    }
    return rc;
}

static void replace_member(struct making *m, struct submission *s, const char *name,
                           const struct buf *text)
{
    struct bytes *bytes = find_member(s, name);
    if (bytes)
        *bytes = (struct bytes){arena_strndup(&m->cli->arena, text->data, text->len), text->len};
}

/* Another manifest needs another statement, which nobody signed. */
static void state_again(struct making *m, struct submission *s)
{
    const struct bytes *manifest = find_member(s, SUBMISSION_MANIFEST);
    char sha256[HASH_HEX_SIZE];
    struct buf text;
    hash_sha256(manifest->data, manifest->len, sha256);
    if (strcmp(sha256, s->id) == 0)
        return;
    buf_init(&text, STATEMENT_BYTES_MAX);
    statement_write(s->files, s->n, sha256, &text);
    replace_member(m, s, SUBMISSION_STATEMENT, &text);
    buf_release(&text);
    for (size_t i = 0; i < s->n; i++)
        if (strcmp(s->files[i].name, SUBMISSION_SIGNATURE) == 0)
            s->files[i--] = s->files[--s->n];
}

/* The submission's files, changed where the example is of this kind, with their manifest, sealed
 * again. */
static int seal_example(struct making *m, struct submission *s, enum example_in in,
                        struct buf *packed, struct err *err)
{
    struct buf manifest;
    if (change_member(m, s, in, err) < 0)
        return -1;
    buf_init(&manifest, BUF_DEFAULT_MAX);
    submission_manifest(s->files, s->n, &manifest);
    replace_member(m, s, SUBMISSION_MANIFEST, &manifest);
    buf_release(&manifest);
    state_again(m, s);
    if (in == EXAMPLE_RUN && change_member(m, s, EXAMPLE_SEALED, err) < 0)
        return -1;
    return archive_pack(s->files, s->n, packed, err);
}

/* A record, changed where the example is of this kind. */
static int load_changed(struct making *m, const struct shape *shape, const char *path,
                        enum example_in in, void *value, struct err *err)
{
    struct arena *arena = &m->cli->arena;
    const char *name = path_base(path);
    struct diags diags;
    struct bytes text;
    struct json *root;
    diags_init(&diags, arena);
    if (file_read(path, JSON_BYTES_MAX, arena, &text, err) < 0 ||
        change(m, in, name, &text, err) < 0)
        return -1;
    if (json_parse(name, text, arena, &root, &diags) < 0 ||
        shape_load(shape, root, name, value, arena, &diags) < 0)
        return err_set(err, ERR_INPUT, "%s: %s", name, diags.items[0].message);
    return 0;
}

static int load_record(struct making *m, struct result *r, struct err *err)
{
    if (load_changed(m, &result_shape, place(m, RECORD), EXAMPLE_RECORD, r, err) < 0)
        return -1;
    if (runs_find_of(&m->project, r, m->project.root, err) < 0)
        return -1;
    r->file = "tiny_llama.json";
    r->evidence[0].archive = "run.tar.zst";
    return 0;
}

/* The second run of the project, changed where the example is about it; its bytes are needed only
 * when they are others than those of its file. */
static int change_reproduction(struct making *m, struct buf *packed, struct err *err)
{
    struct arena *arena = &m->cli->arena;
    struct reproduction *r = m->project.reproductions;
    struct submission s;
    char *sum = arena_alloc(arena, HASH_HEX_SIZE);
    const char *path = m->project.n_reproductions ? r->file : place(m, "records/reproductions");
    if (m->project.n_reproductions != 1)
        return err_set(err, ERR_INPUT, "%s: expected one reproduction", path);
    if (load_changed(m, &reproduction_shape, path, EXAMPLE_REPRODUCTION, r, err) < 0)
        return -1;
    r->file = path_base(path);
    r->original_sha256 = m->sum ? m->sum : r->original_sha256;
    if (!m->e || m->e->in != EXAMPLE_SECOND_RUN)
        return 0;
    const char *archive = path_join(arena, m->project.root, r->archive);
    if (submission_open(archive, arena, &s, &m->ignored) < 0)
        return err_set(err, ERR_INPUT, "%s", m->ignored.items[0].message);
    if (seal_example(m, &s, EXAMPLE_SECOND_RUN, packed, err) < 0)
        return -1;
    hash_sha256(packed->data, packed->len, sum);
    r->sha256 = sum;
    return 0;
}

/* The evidence as it lies there, or, for a change in it, sealed and stated again. */
static int change_evidence(struct making *m, struct result *r, struct bytes *bytes,
                           struct buf *packed, struct err *err)
{
    struct arena *arena = &m->cli->arena;
    struct submission s;
    bool answers = m->e && m->e->in == EXAMPLE_ANSWER;
    const char *path = place(m, answers ? ANSWER : ARCHIVE);
    if (!m->e || (m->e->in != EXAMPLE_RUN && m->e->in != EXAMPLE_SEALED && !answers))
        return file_read(path, ARCHIVE_PACKED_MAX, arena, bytes, err);
    if (submission_open(path, arena, &s, &m->ignored) < 0)
        return err_set(err, ERR_INPUT, "%s", m->ignored.items[0].message);
    if (seal_example(m, &s, answers ? EXAMPLE_ANSWER : EXAMPLE_RUN, packed, err) < 0)
        return -1;
    char *sum = arena_alloc(arena, HASH_HEX_SIZE);
    *bytes = (struct bytes){packed->data, packed->len};
    hash_sha256(bytes->data, bytes->len, sum);
    r->evidence[0].sha256 = m->sum = sum;
    return 0;
}

/* What a run that answers the challenge is held to: nothing is trained for an example. */
static int take_example_challenge(struct making *m, struct err *err)
{
    struct arena *arena = &m->cli->arena;
    struct challenge *c = arena_alloc(arena, sizeof *c);
    struct retraining *r = arena_alloc(arena, sizeof *r);
    struct diff_side side;
    const char *path = place(m, RETRAINED);
    if (!m->e || m->e->in != EXAMPLE_ANSWER)
        return 0;
    if (challenge_load(place(m, CHALLENGE), arena, c, &m->ignored) < 0)
        return err_set(err, ERR_INPUT, "%s: %s", CHALLENGE, m->ignored.items[0].message);
    if (diff_side_open(path, path, &side, arena, &m->ignored, err) < 0)
        return -1;
    *r = (struct retraining){.challenge = c,
                             .precision = "fp32",
                             .device = "cpu",
                             .losses = side.curve.loss,
                             .n = side.curve.n};
    m->project.retraining = r;
    return 0;
}

static int run_submission(struct making *m, struct err *err)
{
    struct arena *arena = &m->cli->arena;
    struct result *r = arena_alloc(arena, sizeof *r);
    struct buf packed, again;
    struct bytes bytes;
    if (load_record(m, r, err) < 0 || take_example_challenge(m, err) < 0)
        return -1;
    buf_init(&packed, ARCHIVE_PACKED_MAX);
    buf_init(&again, ARCHIVE_PACKED_MAX);
    int rc = change_evidence(m, r, &bytes, &packed, err);
    if (rc == 0)
        rc = change_reproduction(m, &again, err);
    struct bytes repeated = {again.data, again.len};
    if (rc == 0)
        verify_result_with(&m->project, r, &bytes, again.len ? &repeated : NULL, arena,
                           &m->out->verdict);
    buf_release(&packed);
    buf_release(&again);
    return rc;
}

int explain_example_run(struct cli *cli, const struct rule_example *e, enum example_in in,
                        struct explain_example *out, struct err *err)
{
    struct making m = {.cli = cli, .e = e, .out = out};
    struct diags diags;
    *out = (struct explain_example){.line = 0};
    diags_init(&diags, &cli->arena);
    diags_init(&m.ignored, &cli->arena);
    m.folder = path_join(&cli->arena, cli_datadir(cli), "templates/explain");
    if (!file_is_dir(m.folder))
        m.folder = "templates/explain";
    if (project_load(place(&m, "records"), &m.project, &cli->arena, &diags) < 0)
        return err_set(err, ERR_INPUT, "%s: %s", place(&m, "records"), diags.items[0].message);
    duplicates_index(&m.project);
    m.project.flagperf = place(&m, "flagperf");
    return (e ? e->in : in) == EXAMPLE_PAGE ? run_page(&m, err) : run_submission(&m, err);
}
