#include "base/sealed/submission.h"

#include "base/files/file.h"
#include "base/foreign.h"
#include "base/sealed/statement.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* A list of sums, the manifest or what is withheld, as a text file of its own, for messages:
 * "x.tar.zst/SHA256SUMS". */
struct checking {
    struct submission *s;
    const char *manifest;
    struct submission_sum *sums; /* of the list that is read */
    size_t n_sums;
    struct arena *arena;
    struct diags *diags;
};

__attribute__((format(printf, 4, 5))) static void
submission_fault(struct checking *c, const char *file, int line, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    diags_vadd(c->diags, SEVERITY_ERROR, file, line, line ? 1 : 0, fmt, ap);
    va_end(ap);
    c->s->intact = false;
}

static const char *inside(struct checking *c, const char *name)
{
    return path_join(c->arena, c->s->path, name);
}

bool submission_is_outside(const char *name)
{
    static const char *const outside[] = {SUBMISSION_MANIFEST, SUBMISSION_STATEMENT,
                                          SUBMISSION_SIGNATURE, SUBMISSION_WITHHELD};
    return text_find(outside, sizeof outside / sizeof *outside, sizeof *outside, name);
}

/* One line without its newline; on a fault the line is left out. */
static void read_manifest_sum(struct checking *c, char *line, int number)
{
    if (strlen(line) < HASH_HEX_LEN + 3 || memcmp(line + HASH_HEX_LEN, "  ", 2) != 0) {
        submission_fault(c, c->manifest, number, "expected '<64 hex digits>  <path>'");
        return;
    }
    line[HASH_HEX_LEN] = '\0';
    const char *path = line + HASH_HEX_LEN + 2;
    const char *problem = foreign_name_problem(path);
    const char *before = c->n_sums ? c->sums[c->n_sums - 1].path : NULL;
    if (!hash_is_hex(line))
        submission_fault(c, c->manifest, number, "the digest is not 64 lower-case hex digits");
    else if (problem)
        submission_fault(c, c->manifest, number, "the name '%s' %s",
                         foreign_name_shown(path, c->arena), problem);
    else if (submission_is_outside(path))
        submission_fault(c, c->manifest, number, "'%s' must not be listed", path);
    else if (before && strcmp(before, path) >= 0)
        submission_fault(c, c->manifest, number,
                         "'%s' follows '%s', expected unique names sorted by their bytes", path,
                         before);
    else
        *(struct submission_sum *)ARENA_PUSH(c->arena, c->sums, c->n_sums) =
            (struct submission_sum){line, path};
}

/* False when not all of it was read: then nothing can be said of what it does not list. */
static bool read_sums(struct checking *c, const struct bytes *text)
{
    int number = 1;
    if (memchr(text->data, '\0', text->len)) {
        submission_fault(c, c->manifest, 0, "contains a NUL byte");
        return false;
    }
    char *at = arena_strndup(c->arena, text->data, text->len);
    for (char *end; (end = strchr(at, '\n')); at = end + 1, number++) {
        if (number > ARCHIVE_ENTRIES_MAX) { /* of which each is looked for */
            submission_fault(c, c->manifest, number,
                             "SHA256SUMS lists more than %d files, the limit", ARCHIVE_ENTRIES_MAX);
            return false;
        }
        *end = '\0';
        read_manifest_sum(c, at, number);
    }
    if (*at)
        submission_fault(c, c->manifest, number, "the last line has no line end");
    return true;
}

static int compare_sum_paths(const void *a, const void *b)
{
    return strcmp(((const struct submission_sum *)a)->path,
                  ((const struct submission_sum *)b)->path);
}

const struct submission_sum *submission_sum(const struct submission *s, const char *path)
{
    struct submission_sum key = {NULL, path};
    return s->n_sums ? bsearch(&key, s->sums, s->n_sums, sizeof key, compare_sum_paths) : NULL;
}

static void check_file(struct checking *c, const struct tar_member *file)
{
    char found[HASH_HEX_SIZE];
    const struct submission_sum *sum = submission_sum(c->s, file->name);
    if (submission_is_outside(file->name))
        return;
    if (!sum) {
        submission_fault(c, inside(c, file->name), 0, "the file is not listed in SHA256SUMS");
        return;
    }
    hash_sha256(file->bytes.data, file->bytes.len, found);
    if (strcmp(found, sum->sha256) != 0)
        submission_fault(c, inside(c, file->name), 0,
                         "the SHA-256 of the file is %s, expected %s from SHA256SUMS", found,
                         sum->sha256);
}

/* Each line is one of the manifest, of a file that is not there. False when not all were read. */
static bool check_withheld(struct checking *c, const struct bytes *text)
{
    struct checking w = {.s = c->s,
                         .manifest = inside(c, SUBMISSION_WITHHELD),
                         .arena = c->arena,
                         .diags = c->diags};
    if (!read_sums(&w, text))
        return false;
    for (size_t i = 0; i < w.n_sums; i++) {
        const struct submission_sum *sum = submission_sum(c->s, w.sums[i].path);
        if (!sum || strcmp(sum->sha256, w.sums[i].sha256) != 0)
            submission_fault(c, w.manifest, 0,
                             "'%s' is listed as withheld, but SHA256SUMS does not list it with the "
                             "same checksum",
                             w.sums[i].path);
        else if (submission_file(c->s, sum->path))
            submission_fault(c, inside(c, sum->path), 0,
                             "the file is listed as withheld, but the submission contains it");
    }
    if (!w.n_sums)
        submission_fault(c, w.manifest, 0, "the list of withheld files is empty");
    c->sums = w.sums;
    c->n_sums = w.n_sums;
    return true;
}

static void check_submission(struct checking *c)
{
    struct submission *s = c->s;
    const struct bytes *manifest = submission_file(s, SUBMISSION_MANIFEST);
    if (!manifest) {
        submission_fault(c, s->path, 0, "the file contains no SHA256SUMS: it is not a sealed run");
        return;
    }
    hash_sha256(manifest->data, manifest->len, s->id);
    bool whole = read_sums(c, manifest);
    s->sums = c->sums;
    s->n_sums = c->n_sums;
    c->sums = NULL;
    c->n_sums = 0;
    if (!whole)
        return;
    const struct bytes *withheld = submission_file(s, SUBMISSION_WITHHELD);
    if (withheld && !check_withheld(c, withheld))
        return;
    for (size_t i = 0; i < s->n; i++)
        check_file(c, &s->files[i]);
    for (size_t i = 0; i < s->n_sums; i++)
        if (!submission_file(s, s->sums[i].path) &&
            !(c->n_sums &&
              bsearch(&s->sums[i], c->sums, c->n_sums, sizeof *c->sums, compare_sum_paths)))
            submission_fault(c, inside(c, s->sums[i].path), 0,
                             "SHA256SUMS lists this file, but the file is missing");
    const struct bytes *statement = submission_file(s, SUBMISSION_STATEMENT);
    const char *problem = statement ? statement_problem(*statement, s->id, c->arena) : NULL;
    if (problem)
        submission_fault(c, inside(c, SUBMISSION_STATEMENT), 0, "%s", problem);
    if (!statement && submission_file(s, SUBMISSION_SIGNATURE))
        submission_fault(c, inside(c, SUBMISSION_SIGNATURE), 0,
                         "the signature exists, but statement.json is missing");
    s->n_withheld = s->intact ? c->n_sums : 0;
    s->intact = s->intact && !withheld;
}

int submission_open_bytes(struct bytes packed, const char *path, struct arena *arena,
                          struct submission *out, struct diags *diags)
{
    struct err err = ERR_INIT;
    struct archive_contents contents;
    *out = (struct submission){.path = arena_strdup(arena, path), .intact = true};
    struct checking c = {.s = out,
                         .manifest = path_join(arena, path, SUBMISSION_MANIFEST),
                         .arena = arena,
                         .diags = diags};
    if (archive_unpack(packed, path, SUBMISSION_TOTAL_MAX, arena, &contents, &err) < 0) {
        diags_add_err(diags, path, 0, 0, &err);
        out->intact = false;
        return -1;
    }
    out->files = contents.members;
    out->n = contents.n;
    memcpy(out->archive_sha256, contents.sha256, sizeof out->archive_sha256);
    out->canonical = contents.canonical;
    if (!contents.canonical)
        submission_fault(
            &c, path, 0,
            "the tar inside is not in the canonical form (ustar, sorted, mode 0644, no owner, "
            "time 0, nothing after its end); seal the run again");
    if (!contents.sealed && submission_file(out, SUBMISSION_STATEMENT))
        submission_fault(&c, path, 0,
                         "the SHA-256 after the zstd frame is missing; seal the run again");
    check_submission(&c);
    return 0;
}

int submission_open(const char *path, struct arena *arena, struct submission *out,
                    struct diags *diags)
{
    struct arena own = ARENA_INIT;
    struct err err = ERR_INIT;
    struct bytes packed;
    int rc = file_read(path, ARCHIVE_PACKED_MAX, &own, &packed, &err);
    if (rc == 0)
        rc = submission_open_bytes(packed, path, arena, out, diags);
    else
        diags_add_err(diags, path, 0, 0, &err);
    arena_release(&own);
    return rc;
}

const struct bytes *submission_file(const struct submission *s, const char *name)
{
    const struct tar_member *found =
        s->n ? bsearch(&name, s->files, s->n, sizeof *s->files, text_by_bytes) : NULL;
    return found ? &found->bytes : NULL;
}

void submission_manifest(const struct tar_member *members, size_t n, struct buf *out)
{
    char hex[HASH_HEX_SIZE];
    for (size_t i = 0; i < n; i++) {
        if (submission_is_outside(members[i].name))
            continue;
        hash_sha256(members[i].bytes.data, members[i].bytes.len, hex);
        buf_printf(out, "%s  %s\n", hex, members[i].name);
    }
}

int submission_redact(const struct submission *s, bool (*is_withheld)(void *self, const char *path),
                      void *self, struct arena *arena, struct buf *out, struct err *err)
{
    struct tar_member *members = arena_array(arena, s->n + 1, sizeof *members);
    struct buf lines = BUF_INIT(SUBMISSION_TOTAL_MAX);
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++) {
        const struct submission_sum *sum = submission_sum(s, s->files[i].name);
        if (sum && is_withheld(self, sum->path))
            buf_printf(&lines, "%s  %s\n", sum->sha256, sum->path);
        else
            members[n++] = s->files[i];
    }
    const char *text = arena_strndup(arena, lines.data, lines.len);
    members[n++] = (struct tar_member){SUBMISSION_WITHHELD, {text, lines.len}};
    int rc = lines.len ? archive_pack(members, n, out, err)
                       : err_set(err, ERR_USAGE, "%s: contains none of the files to be withheld",
                                 s->path);
    buf_release(&lines);
    return rc;
}

bool submission_ended_on_full_disk(const struct json *run)
{
    return strcmp(json_get_text(run, "state", ""), "failed") == 0 &&
           strcmp(json_get_text(run, "failure", ""), SUBMISSION_DISK_FULL) == 0;
}
