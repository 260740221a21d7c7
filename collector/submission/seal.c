#include "collector/submission/seal.h"

#include "base/files/beneath.h"
#include "base/files/dir.h"
#include "base/files/file.h"
#include "base/files/lock.h"
#include "base/foreign.h"
#include "base/json/json.h"
#include "base/sealed/statement.h"
#include "base/signing/sshsig.h"

#include <string.h>
#include <sys/stat.h>

struct packing {
    const char *run_dir;
    bool received; /* its files are in memory, and run_dir is what they came in */
    struct arena *arena;
    struct diags *diags;
    struct tar_member *members;
    size_t n, total;
    size_t looked; /* entries of folders that were met */
};

static void refuse_run_file(struct packing *p, const char *name, const char *why)
{
    diags_add(p->diags, SEVERITY_ERROR, path_join(p->arena, p->run_dir, name), 0, 0, "%s", why);
}

static void refuse_err(struct packing *p, const struct err *err)
{
    diags_add_err(p->diags, p->run_dir, 0, 0, err);
}

static void seal_file(struct packing *p, const char *name)
{
    struct err err = ERR_INIT;
    struct bytes bytes;
    const char *problem = foreign_name_problem(name);
    if (!problem && submission_is_outside(name))
        problem = "is made by sealing and must not be there yet";
    if (problem) {
        refuse_run_file(p, foreign_name_shown(name, p->arena),
                        arena_printf(p->arena, "the name %s", problem));
        return;
    }
    size_t room = SUBMISSION_TOTAL_MAX - p->total;
    size_t max = room < ARCHIVE_MEMBER_MAX ? room : ARCHIVE_MEMBER_MAX;
    /* Listed as a file, and one still: what became a link since is not followed. */
    if (beneath_read(p->run_dir, name, max, p->arena, &bytes, &err) < 0) {
        refuse_err(p, &err);
        return;
    }
    p->total += bytes.len;
    *(struct tar_member *)ARENA_PUSH(p->arena, p->members, p->n) = (struct tar_member){name, bytes};
}

static void seal_folder(struct packing *p, const char *rel, int depth)
{
    struct err err = ERR_INIT;
    struct dir_entry *entries;
    size_t n;
    if (depth > FOREIGN_DEPTH_MAX) {
        refuse_run_file(p, rel, "folders are nested too deep");
        return;
    }
    if (dir_list(path_join(p->arena, p->run_dir, rel), p->arena, &entries, &n, &err) < 0) {
        refuse_err(p, &err);
        return;
    }
    for (size_t i = 0; i < n && p->n < ARCHIVE_ENTRIES_MAX; i++) {
        const char *name = path_join(p->arena, rel, entries[i].name);
        if (++p->looked == DIR_WALK_ENTRIES_MAX)
            refuse_run_file(p, rel, "more is in the run than is looked through");
        if (p->looked >= DIR_WALK_ENTRIES_MAX)
            return;
        if (entries[i].is_dir && strcmp(name, SUBMISSION_CHECKPOINTS) == 0)
            continue;
        if (entries[i].is_dir)
            seal_folder(p, name, depth + 1);
        else if (entries[i].is_regular)
            seal_file(p, name);
        else
            refuse_run_file(p, foreign_name_shown(name, p->arena), "is a link or a special file");
    }
}

struct seal_left seal_left_out(const char *run_dir, struct arena *arena)
{
    struct seal_left left = {0, 0};
    struct err ignored = ERR_INIT; /* what cannot be listed is left out all the same */
    struct dir_entry *folders;
    const char *root = path_join(arena, run_dir, SUBMISSION_CHECKPOINTS), **files;
    size_t n;
    struct stat st;
    if (!file_is_dir(root))
        return left;
    if (dir_list(root, arena, &folders, &n, &ignored) == 0)
        left.checkpoints = n;
    if (dir_walk(root, arena, &files, &n, &ignored) == 0)
        for (size_t i = 0; i < n; i++)
            left.bytes += stat(path_join(arena, root, files[i]), &st) == 0 ? (size_t)st.st_size : 0;
    return left;
}

static void check_complete(struct packing *p, const char *path, const struct json *run)
{
    const struct json *state = json_get(run, "state");
    const char *text = json_get_text(run, "state", "");
    const char *reason = json_get_text(run, "reason", NULL);
    if (strcmp(json_get_text(run, "schema", ""), "fpreport.run/1") != 0)
        diags_add(p->diags, SEVERITY_ERROR, path, run->line, run->col,
                  "expected an object whose 'schema' is \"fpreport.run/1\"");
    else if (strcmp(text, "running") == 0 && !p->received &&
             !lock_is_held(path_join(p->arena, p->run_dir, SUBMISSION_RUN_PLACE)))
        diags_add(p->diags, SEVERITY_ERROR, path, state->line, state->col,
                  "state is 'running', and no process holds its lock: the run ended without a "
                  "final state; only a 'complete' run can be sealed");
    else if (strcmp(text, "complete") != 0 && !submission_ended_on_full_disk(run))
        diags_add(p->diags, SEVERITY_ERROR, path, state ? state->line : run->line,
                  state ? state->col : run->col,
                  "state is '%s', only a 'complete' run can be sealed%s%s", text,
                  reason ? ": " : "", reason ? reason : "");
}

static void check_state(struct packing *p)
{
    struct json *run;
    const char *path = path_join(p->arena, p->run_dir, "run.json");
    struct err err = ERR_INIT;
    int folder = file_is_folder(p->run_dir, &err);
    if (folder < 0)
        diags_add_err(p->diags, p->run_dir, 0, 0, &err);
    if (folder == 0)
        diags_add(p->diags, SEVERITY_ERROR, p->run_dir, 0, 0, "not a run directory");
    if (folder <= 0)
        return;
    if (json_load(path, p->arena, &run, p->diags) == 0)
        check_complete(p, path, run);
}

/* A member that is made here, from a buffer that the caller releases. */
static void add_made(struct packing *p, const char *name, const struct buf *text)
{
    struct bytes bytes = {arena_strndup(p->arena, text->data, text->len), text->len};
    *(struct tar_member *)ARENA_PUSH(p->arena, p->members, p->n) = (struct tar_member){name, bytes};
}

static int add_statement(struct packing *p, const char *manifest_sha256, struct bytes *statement,
                         struct err *err)
{
    struct buf text = BUF_INIT(STATEMENT_BYTES_MAX);
    statement_write(p->members, p->n, manifest_sha256, &text);
    int rc = buf_check(&text, SUBMISSION_STATEMENT, err);
    add_made(p, SUBMISSION_STATEMENT, &text);
    *statement = p->members[p->n - 1].bytes;
    buf_release(&text);
    return rc;
}

/* What was signed must be what a verifier will take: another kind of key shows here already. */
static int check_new_signature(struct packing *p, const struct buf *armour, struct bytes statement,
                               struct err *err)
{
    struct sshsig signature;
    const struct bytes text = {armour->data, armour->len};
    if (sshsig_parse(text, p->arena, &signature, err) < 0)
        return err_prefix(err, "the signature that was made");
    if (!sshsig_holds(&signature, SSHSIG_SUBMISSION, statement))
        return err_set(err, ERR_IO,
                       "the signature that ssh-keygen made is not valid for the statement");
    return 0;
}

static int add_signature(struct packing *p, const struct seal_signer *signer,
                         struct bytes statement, struct err *err)
{
    struct buf armour = BUF_INIT(SSHSIG_BYTES_MAX);
    if (!signer)
        return 0;
    int rc = signer->sign(signer->self, statement, &armour, err);
    if (rc == 0)
        rc = check_new_signature(p, &armour, statement, err);
    add_made(p, SUBMISSION_SIGNATURE, &armour);
    buf_release(&armour);
    return rc;
}

/* Manifest, statement and signature; nothing in the run is read any more. */
static int pack(struct packing *p, const struct seal_signer *signer, struct buf *packed,
                struct err *err)
{
    char manifest[HASH_HEX_SIZE];
    struct bytes statement;
    struct err own = ERR_INIT;
    struct buf text = BUF_INIT(BUF_DEFAULT_MAX);
    tar_sort(p->members, p->n);
    submission_manifest(p->members, p->n, &text);
    int rc = buf_check(&text, SUBMISSION_MANIFEST, &own);
    hash_sha256(text.data, text.len, manifest);
    add_made(p, SUBMISSION_MANIFEST, &text);
    buf_release(&text);
    if (rc < 0 || add_statement(p, manifest, &statement, &own) < 0) {
        refuse_err(p, &own);
        return -1;
    }
    if (add_signature(p, signer, statement, err) < 0)
        return -1;
    if (archive_pack(p->members, p->n, packed, &own) == 0)
        return 0;
    refuse_err(p, &own);
    return -1;
}

int seal_pack(const char *run_dir, const struct seal_signer *signer, struct buf *packed,
              struct arena *arena, struct diags *diags, struct err *err)
{
    struct packing p = {.run_dir = run_dir, .arena = arena, .diags = diags};
    size_t before = diags->errors;
    check_state(&p);
    if (diags->errors == before)
        seal_folder(&p, "", 1);
    if (diags->errors == before && p.n > ARCHIVE_ENTRIES_MAX - 3)
        diags_add(diags, SEVERITY_ERROR, run_dir, 0, 0, "more than %d files",
                  ARCHIVE_ENTRIES_MAX - 3);
    return diags->errors == before ? pack(&p, signer, packed, err) : -1;
}

/* Runs of other programs have no run.json. */
static void check_member(struct packing *p, const struct tar_member *m)
{
    struct json *run;
    const char *path = path_join(p->arena, p->run_dir, m->name);
    if (submission_is_outside(m->name))
        refuse_run_file(p, m->name, "is made by sealing and must not be there yet");
    else if (strcmp(m->name, "run.json") == 0 &&
             json_parse(path, m->bytes, p->arena, &run, p->diags) == 0)
        check_complete(p, path, run);
}

/* Takes the members as they are, once each was looked at. */
static void take_given_members(struct packing *p, const struct tar_member *members, size_t n,
                               bool sealed)
{
    for (size_t i = 0; i < n; i++) {
        if (!sealed)
            check_member(p, &members[i]);
        *(struct tar_member *)ARENA_PUSH(p->arena, p->members, p->n) = members[i];
    }
    if (p->n > ARCHIVE_ENTRIES_MAX - 3)
        diags_add(p->diags, SEVERITY_ERROR, p->run_dir, 0, 0, "more than %d files",
                  ARCHIVE_ENTRIES_MAX - 3);
}

int seal_members(const char *what, const struct tar_member *members, size_t n, bool sealed,
                 struct buf *packed, struct arena *arena, struct diags *diags)
{
    struct packing p = {.run_dir = what, .received = true, .arena = arena, .diags = diags};
    struct err err = ERR_INIT; /* nobody signs */
    size_t before = diags->errors;
    take_given_members(&p, members, n, sealed);
    if (diags->errors != before)
        return -1;
    if (!sealed)
        return pack(&p, NULL, packed, &err);
    if (archive_pack(p.members, p.n, packed, &err) == 0)
        return 0;
    refuse_err(&p, &err);
    return -1;
}

/* What is there may be evidence that a record or another person has the sum of. */
static int refuse_other(const char *path, const char *sha256, struct err *err)
{
    char hex[HASH_HEX_SIZE];
    struct err why = ERR_INIT;
    int there = file_is_there(path, err);
    if (there <= 0)
        return there;
    if (hash_file(path, ARCHIVE_PACKED_MAX, hex, &why) == 0 && strcmp(hex, sha256) == 0)
        return 0;
    if (why.kind == ERR_IO)
        return err_set(err, ERR_IO, "%s", why.text);
    return err_set(err, ERR_USAGE, "%s: already exists with other content; --force replaces it",
                   path);
}

/* What was packed, as a reader will see it. `rc` is that of packing. */
static int open_what_was_packed(const char *what, int rc, const char *out_path,
                                const struct buf *packed, struct arena *arena,
                                struct submission *out, struct diags *diags, struct err *err)
{
    if (rc == 0)
        rc = submission_open_bytes((struct bytes){packed->data, packed->len}, out_path, arena, out,
                                   diags);
    if (rc == 0 && out->intact)
        return 0;
    if (err->kind == ERR_NONE)
        err_set(err, diags->machine ? ERR_IO : ERR_INPUT, "%s: cannot be sealed", what);
    return -1;
}

int seal_open(const char *run_dir, const char *out_path, const struct seal_signer *signer,
              struct buf *packed, struct arena *arena, struct submission *out, struct diags *diags,
              struct err *err)
{
    int rc = seal_pack(run_dir, signer, packed, arena, diags, err);
    return open_what_was_packed(run_dir, rc, out_path, packed, arena, out, diags, err);
}

int seal_open_members(const char *what, const struct tar_member *members, size_t n,
                      const char *out_path, const struct seal_signer *signer, struct buf *packed,
                      struct arena *arena, struct submission *out, struct diags *diags,
                      struct err *err)
{
    struct packing p = {.run_dir = what, .received = true, .arena = arena, .diags = diags};
    size_t before = diags->errors;
    take_given_members(&p, members, n, false);
    int rc = diags->errors == before ? pack(&p, signer, packed, err) : -1;
    return open_what_was_packed(what, rc, out_path, packed, arena, out, diags, err);
}

int seal_write(const char *out_path, bool replaces, const struct buf *packed,
               const struct submission *sealed, struct err *err)
{
    if (!replaces && refuse_other(out_path, sealed->archive_sha256, err) < 0)
        return -1;
    return file_write(out_path, packed->data, packed->len, err);
}

int seal_run(const char *run_dir, const char *out_path, bool replaces,
             const struct seal_signer *signer, struct arena *arena, struct submission *out,
             struct diags *diags, struct err *err)
{
    struct buf packed = BUF_INIT(ARCHIVE_PACKED_MAX);
    int rc = seal_open(run_dir, out_path, signer, &packed, arena, out, diags, err);
    if (rc == 0)
        rc = seal_write(out_path, replaces, &packed, out, err);
    buf_release(&packed);
    return rc;
}
