#include "collector/submission/received.h"

#include "base/files/file.h"
#include "base/foreign.h"
#include "base/json/json.h"
#include "base/sealed/archive.h"
#include "base/text.h"
#include "collector/submission/seal.h"
#include "collector/submission/zip.h"

#include <string.h>

/* A gzip file of one member, looked at before it is inflated (RFC 1952).
 *
 * gzip files can be joined, may have bytes behind them that some readers pass over, and
 * libarchive's reader of them asks neither for the CRC nor for the length. So the frame is taken
 * off here: what is left is one deflate stream that has to fill the file to the byte, and to have
 * the length and the CRC that the last eight bytes say. gzip_as_zip() has it as the only member of
 * a zip, whose reader in libarchive holds it to all three. */

#define HEAD 10    /* 1f 8b, method, flags, time, two more */
#define TRAILER 8  /* CRC, length modulo 2^32 */
#define NAMED 0x08 /* a name follows the head, with a NUL behind it */
#define LOCAL 30   /* of a zip */

static const char *const inside = "contents";

/* Bytes in front of the deflate stream; 0 after a message. */
static size_t gzip_head_length(struct bytes gzip, const char *path, struct err *err)
{
    const unsigned char *h = (const unsigned char *)gzip.data;
    if (gzip.len < HEAD + 2 + TRAILER)
        err_set(err, ERR_INPUT, "%s: found a gzip file of %zu bytes, expected a whole one", path,
                gzip.len);
    else if (h[2] != 8)
        err_set(err, ERR_INPUT, "%s: found compression method %d in gzip, expected 8 (deflate)",
                path, h[2]);
    else if (h[3] & ~NAMED)
        err_set(err, ERR_INPUT, "%s: found flags 0x%02x in gzip, expected 0 or 0x%02x", path, h[3],
                NAMED);
    else if (!h[3])
        return HEAD;
    else {
        const char *end = memchr(gzip.data + HEAD, '\0', gzip.len - HEAD);
        size_t head = end ? (size_t)(end + 1 - gzip.data) : gzip.len;
        if (head <= gzip.len - TRAILER - 2)
            return head;
        err_set(err, ERR_INPUT, "%s: found a name in gzip that does not end, expected contents",
                path);
    }
    return 0;
}

static void put_little_endian(char *to, size_t number, int bytes)
{
    for (int i = 0; i < bytes; i++)
        to[i] = (char)(number >> 8 * i);
}

/*
 * One member, deflated, without other fields than a name, which is not read. `zip` is a zip's part
 * in front of its central directory (in `arena`), `member` what is expected in it. ERR_INPUT
 * "<path>: …".
 */
static int gzip_as_zip(struct bytes gzip, const char *path, struct arena *arena, struct bytes *zip,
                       struct archive_expected *member, struct err *err)
{
    size_t head = gzip_head_length(gzip, path, err), name = strlen(inside);
    if (!head)
        return -1;
    const char *trailer = gzip.data + gzip.len - TRAILER;
    size_t packed = gzip.len - head - TRAILER, size = 0;
    for (int i = 3; i >= 0; i--)
        size = size << 8 | (unsigned char)trailer[4 + i];
    if (archive_is_padded(gzip.len, size))
        return err_set(
            err, ERR_INPUT,
            "%s: found a gzip file of %zu bytes with the length %zu at its end, expected "
            "no more than a sixteenth and 64 KiB beyond that",
            path, gzip.len, size);
    char *z = arena_alloc(arena, LOCAL + name + packed);
    memcpy(z, "PK\3\4", 4);
    put_little_endian(z + 4, 20, 2);
    put_little_endian(z + 8, 8, 2);
    memcpy(z + 14, trailer, 4);
    put_little_endian(z + 18, packed, 4);
    put_little_endian(z + 22, size, 4);
    put_little_endian(z + 26, name, 2);
    memcpy(z + LOCAL, inside, name);
    memcpy(z + LOCAL + name, gzip.data + head, packed);
    *zip = (struct bytes){z, LOCAL + name + packed};
    *member = (struct archive_expected){inside, size, false};
    return 0;
}

/* DEFLATE packs zeros to a thousandth, logs to a thirtieth. */
#define RATIO_MAX 200

/* Of a tar, beside its files' contents: headers, long names, fill to whole records. */
#define TAR_ROOM ((size_t)64 << 20)

static const struct {
    const char *word, *form, *begins; /* what the bytes are, what the whole is */
    size_t n;                         /* of `begins` */
    const char *endings[2];
} forms[RECEIVED_FORMS] = {
    [RECEIVED_ZIP] = {"zip", "zip", "PK", 2, {".zip", NULL}},
    [RECEIVED_TAR_GZ] = {"gzip", "tar.gz", "\x1f\x8b", 2, {".tar.gz", ".tgz"}},
};

enum received_form received_by_content(struct bytes bytes)
{
    for (enum received_form f = RECEIVED_NONE + 1; f < RECEIVED_FORMS; f++)
        if (bytes.len >= forms[f].n && memcmp(bytes.data, forms[f].begins, forms[f].n) == 0)
            return f;
    return RECEIVED_NONE;
}

static const char *received_ending(const char *path, enum received_form f)
{
    for (size_t i = 0; i < 2 && forms[f].endings[i]; i++)
        if (text_ends(path, forms[f].endings[i]))
            return forms[f].endings[i];
    return NULL;
}

enum received_form received_by_name(const char *path)
{
    for (enum received_form f = RECEIVED_NONE + 1; f < RECEIVED_FORMS; f++)
        if (received_ending(path, f))
            return f;
    return RECEIVED_NONE;
}

const char *received_word(enum received_form form)
{
    return forms[form].word;
}

const char *received_stem(const char *path, struct arena *arena)
{
    const char *name = path_base(path), *ending = received_ending(path, received_by_name(path));
    return arena_strndup(arena, name, strlen(name) - (ending ? strlen(ending) : 0));
}

/* ---- unpacking --------------------------------------------------------------------------- */

/* What it says that it holds, before room for it is made. */
static int check_received_size(const struct received *in, size_t size, size_t most, struct err *err)
{
    size_t ratio = in->bytes.len * RATIO_MAX; /* of at most ARCHIVE_PACKED_MAX */
    if (size > most)
        return err_set(err, ERR_INPUT, "%s: found a length of %zu bytes, expected at most %zu%s",
                       in->path, size, most,
                       in->form == RECEIVED_TAR_GZ ? "; or its end, which says it, is cut off"
                                                   : "");
    if (size > ratio && size > ARCHIVE_RATIO_FLOOR)
        return err_set(
            err, ERR_INPUT,
            "%s: found a length of %zu bytes, packed in %zu, expected at most %d times as "
            "many",
            in->path, size, in->bytes.len, RATIO_MAX);
    return 0;
}

static int unpack_zip(const struct received *in, struct arena *arena, struct archive_contents *out,
                      struct err *err)
{
    struct archive_expected *members;
    size_t n, size = 0;
    if (zip_look(in->bytes, in->path, arena, &members, &n, err) < 0)
        return -1;
    for (size_t i = 0; i < n; i++)
        size += members[i].size;
    if (check_received_size(in, size, SUBMISSION_TOTAL_MAX, err) < 0)
        return -1;
    return archive_unzip(in->bytes, in->path, members, n, arena, out, err);
}

static int unpack_tar_gz(const struct received *in, struct arena *arena,
                         struct archive_contents *out, struct err *err)
{
    struct arena own = ARENA_INIT; /* the tar itself is needed no longer than here */
    struct archive_expected member;
    struct bytes zip;
    struct err ignored = ERR_INIT;
    int rc = gzip_as_zip(in->bytes, in->path, &own, &zip, &member, err);
    if (rc == 0)
        rc = check_received_size(in, member.size, SUBMISSION_TOTAL_MAX + TAR_ROOM, err);
    if (rc == 0 && archive_unzip(zip, in->path, &member, 1, &own, out, &ignored) < 0)
        rc = err_set(err, ERR_INPUT,
                     "%s: found a gzip member that is broken, or not of the length and CRC at the "
                     "end of the file, expected one whole member and nothing behind it",
                     in->path);
    if (rc == 0)
        rc = archive_untar(out->members[0].bytes, in->path, SUBMISSION_TOTAL_MAX, arena, out, err);
    arena_release(&own);
    return rc;
}

/* ---- what is in it ----------------------------------------------------------------------- */

static bool has_received_file(const struct archive_contents *c, const char *folder,
                              const char *name)
{
    size_t len = strlen(folder);
    for (size_t i = 0; i < c->n; i++)
        if (strncmp(c->members[i].name, folder, len) == 0 &&
            strcmp(c->members[i].name + len, name) == 0)
            return true;
    return false;
}

/* "x" where all lies in x/, and x is a run; its names lose it. */
static const char *take_folder_off(struct archive_contents *c, struct arena *arena)
{
    const char *first = c->n ? c->members[0].name : "", *slash = strchr(first, '/');
    if (!slash)
        return NULL;
    size_t len = (size_t)(slash - first) + 1;
    const char *folder = arena_strndup(arena, first, len);
    if (!has_received_file(c, folder, "run.json") &&
        !has_received_file(c, folder, SUBMISSION_MANIFEST))
        return NULL;
    for (size_t i = 0; i < c->n; i++)
        if (strncmp(c->members[i].name, folder, len) != 0)
            return NULL;
    for (size_t i = 0; i < c->n; i++)
        c->members[i].name += len;
    return arena_strndup(arena, first, len - 1);
}

static bool is_archive(struct bytes b)
{
    static const struct {
        size_t at, n;
        const char *begins;
    } rows[] = {
        {0, 4, "PK\3\4"},
        {0, 3, "\x1f\x8b\x08"},
        {0, 4, "\x28\xb5\x2f\xfd"},
        {0, 6,
         "\xfd"
         "7zXZ"},
        {0, 3, "BZh"},
        {0, 6, "7z\xbc\xaf\x27\x1c"},
        {0, 4, "Rar!"},
        {257, 5, "ustar"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (b.len >= rows[i].at + rows[i].n &&
            memcmp(b.data + rows[i].at, rows[i].begins, rows[i].n) == 0)
            return true;
    return false;
}

#define MAC_FOLDER "__MACOSX/" /* what macOS notes of the files that it packs */

/* Folders that are runs, or were sealed as one, by the file that says so; their names in *shown. */
static size_t count_runs(const struct archive_contents *c, struct arena *arena, const char **shown)
{
    size_t n = 0;
    *shown = "";
    for (size_t i = 0; i < c->n; i++) {
        const char *name = c->members[i].name;
        if (strcmp(path_base(name), "run.json") == 0 && ++n <= 3)
            *shown = arena_printf(arena, "%s%s%s", *shown, n > 1 ? ", " : "",
                                  foreign_name_shown(name, arena));
    }
    return n;
}

/* One run, and nothing that another system put beside it. */
static void check_one_run(const struct received *in, const struct archive_contents *c,
                          struct arena *arena, struct diags *diags)
{
    const char *shown;
    for (size_t i = 0; i < c->n; i++)
        if (strncmp(c->members[i].name, MAC_FOLDER, strlen(MAC_FOLDER)) == 0) {
            diags_add(diags, SEVERITY_ERROR, in->path, 0, 0,
                      "found '%s', expected files of the run only",
                      foreign_name_shown(c->members[i].name, arena));
            return;
        }
    size_t n = count_runs(c, arena, &shown);
    if (n > 1 && !has_received_file(c, "", "run.json") &&
        !has_received_file(c, "", SUBMISSION_MANIFEST))
        diags_add(diags, SEVERITY_ERROR, in->path, 0, 0,
                  "found %zu runs (%s%s), expected one: a submission is one run", n, shown,
                  n > 3 ? ", …" : "");
}

static void check_members(const struct received *in, const struct archive_contents *c,
                          struct arena *arena, struct diags *diags)
{
    for (size_t i = 0; i < c->n; i++) {
        const struct tar_member *m = &c->members[i];
        /* This program ends no line so: whatever packed the run took its files for texts of
         * Windows. */
        if (strcmp(m->name, "run.json") == 0 && m->bytes.len &&
            memmem(m->bytes.data, m->bytes.len, "\r\n", 2))
            diags_add(diags, SEVERITY_WARNING, path_join(arena, in->path, "run.json"), 0, 0,
                      "its lines end with CR LF: a program changed the line ends of the files, so "
                      "their checksums cannot be right; ask for a tar file that was made on the "
                      "training machine");
        if (is_archive(m->bytes))
            diags_add(diags, SEVERITY_ERROR, path_join(arena, in->path, m->name), 0, 0,
                      "found an archive in the archive, expected only files, because fpreport does "
                      "not check nested archives");
    }
}

void received_origin(const struct received *in, const char *folder, struct arena *arena,
                     struct buf *out)
{
    struct json_writer w = JSON_WRITER_INIT(out);
    json_begin_object(&w, NULL);
    json_string(&w, "schema", "fpreport.imported-from/1");
    json_string(&w, "name", foreign_name_shown(path_base(in->path), arena));
    json_string(&w, "form", forms[in->form].form);
    json_integer(&w, "bytes", (long long)in->bytes.len);
    json_string(&w, "sha256", in->sha256);
    json_string_if(&w, "folder", folder);
    json_end_object(&w);
    json_finish(&w);
}

static int add_origin(const struct received *in, struct archive_contents *c, const char *folder,
                      struct arena *arena, struct diags *diags)
{
    struct buf text = BUF_INIT(BUF_DEFAULT_MAX);
    if (has_received_file(c, "", RECEIVED_ORIGIN)) {
        diags_add(diags, SEVERITY_ERROR, path_join(arena, in->path, RECEIVED_ORIGIN), 0, 0,
                  "is written by `import` and must not exist before");
        return -1;
    }
    received_origin(in, folder, arena, &text);
    struct tar_member *m = ARENA_PUSH(arena, c->members, c->n);
    *m =
        (struct tar_member){RECEIVED_ORIGIN, {arena_strndup(arena, text.data, text.len), text.len}};
    buf_release(&text);
    return 0;
}

int received_seal(const struct received *in, struct arena *arena, struct buf *packed,
                  struct received_run *out, struct diags *diags)
{
    struct archive_contents c = {0};
    struct err err = ERR_INIT;
    size_t before = diags->errors;
    *out = (struct received_run){0};
    int rc = in->form == RECEIVED_ZIP ? unpack_zip(in, arena, &c, &err)
                                      : unpack_tar_gz(in, arena, &c, &err);
    if (rc == 0 && c.n == 0)
        rc = err_set(&err, ERR_INPUT, "%s: found no files, expected a run", in->path);
    if (rc == 0) {
        out->folder = take_folder_off(&c, arena);
        out->sealed = has_received_file(&c, "", SUBMISSION_MANIFEST);
        check_members(in, &c, arena, diags);
        check_one_run(in, &c, arena, diags);
        rc = tar_check_names(c.members, c.n, in->path, &err);
    }
    if (rc < 0) {
        diags_add_err(diags, in->path, 0, 0, &err);
        return -1;
    }
    if (diags->errors != before || (!out->sealed && add_origin(in, &c, out->folder, arena, diags)))
        return -1;
    return seal_members(in->path, c.members, c.n, out->sealed, packed, arena, diags);
}
