#include "base/sealed/archive.h"

#include "base/foreign.h"
#include "base/sealed/archive_library.h"
#include "base/sealed/zframe.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define LEVEL "9"
#define TAR_BLOCK 512

static bool open_libarchive(void)
{
    return library_open(LIBRARY_ARCHIVE, "archive_read_new");
}

static _Noreturn void no_memory(void)
{
    memory_end("libarchive, ", sizeof(void *));
}

/* What it found wrong is a finding about the archive, unless it had no memory. What zstd gives it
 * passes on in words only, but malloc() said ENOMEM: whoever begins with an archive sets errno to
 * 0. */
static void must_have_memory(struct archive *a)
{
    if (archive_errno(a) == ENOMEM || errno == ENOMEM)
        no_memory();
}

/* ---- writing: our own tar bytes through libarchive's zstd filter ------------------------- */

static la_ssize_t to_buf(struct archive *a, void *out, const void *data, size_t len)
{
    (void)a;
    buf_add(out, data, len);
    return (la_ssize_t)len;
}

static int zstd_error(struct archive *a, struct err *err)
{
    must_have_memory(a);
    return err_set(err, ERR_IO, "zstd: %s", archive_error_string(a));
}

static int to_filter(void *filter, const void *data, size_t len, struct err *err)
{
    return archive_write_data(filter, data, len) == (la_ssize_t)len ? 0 : zstd_error(filter, err);
}

/* The one entry of a file that is not a tar needs no name. */
static int write_members(struct archive *a, const struct tar_member *members, size_t n,
                         struct buf *out, struct err *err)
{
    struct archive_entry *whole = archive_entry_new();
    if (!whole)
        no_memory();
    archive_entry_set_filetype(whole, AE_IFREG);
    int rc = 0;
    if (archive_write_add_filter_zstd(a) != ARCHIVE_OK ||
        archive_write_set_filter_option(a, "zstd", "compression-level", LEVEL) != ARCHIVE_OK ||
        archive_write_set_format_raw(a) != ARCHIVE_OK ||
        archive_write_set_bytes_in_last_block(a, 1) != ARCHIVE_OK ||
        archive_write_open(a, out, NULL, to_buf, NULL) != ARCHIVE_OK ||
        archive_write_header(a, whole) != ARCHIVE_OK)
        rc = zstd_error(a, err);
    if (rc == 0)
        rc = tar_serialise(members, n, to_filter, a, err);
    if (rc == 0 && archive_write_close(a) != ARCHIVE_OK)
        rc = zstd_error(a, err);
    archive_entry_free(whole);
    return rc;
}

int archive_pack(struct tar_member *members, size_t n, struct buf *out, struct err *err)
{
    size_t from = out->len;
    tar_sort(members, n);
    if (tar_check_names(members, n, "archive", err) < 0)
        return -1;
    if (!open_libarchive())
        return err_set(err, ERR_IO, "libarchive cannot be opened");
    errno = 0;
    struct archive *a = archive_write_new();
    if (!a)
        no_memory();
    int rc = write_members(a, members, n, out, err);
    archive_write_free(a);
    if (rc == 0) {
        /* The frame that begins at `from` is followed by its digest (zframe.h). */
        unsigned char head[ZFRAME_SEAL_HEAD], sha256[HASH_SHA256_BYTES];
        zframe_seal_head(head);
        hash_sha256_raw(out->data + from, out->len - from, sha256);
        buf_add(out, (const char *)head, sizeof head);
        buf_add(out, (const char *)sha256, sizeof sha256);
    }
    return rc < 0 ? -1 : buf_check(out, "archive", err);
}

/* ---- reading ----------------------------------------------------------------------------- */

struct reading {
    struct archive *a;
    const char *path;
    struct arena *arena;
    struct archive_contents *out;
    size_t entries, total, total_max, ratio_max;
    const struct bytes *handed_in; /* a tar as somebody packed it, not as we do; NULL */
};

/* At most one filter and one format, both set and neither detected. NULL: libarchive knows one of
 * them not, or is not installed. */
static struct archive *open_packed(struct bytes packed, int filter, int format)
{
    if (!open_libarchive())
        return NULL;
    errno = 0;
    struct archive *a = archive_read_new();
    if (a &&
        (filter == ARCHIVE_FILTER_NONE || archive_read_append_filter(a, filter) == ARCHIVE_OK) &&
        archive_read_set_format(a, format) == ARCHIVE_OK &&
        archive_read_open_memory(a, packed.data, packed.len) == ARCHIVE_OK)
        return a;
    if (!a || !archive_error_string(a)) /* it says nothing when it cannot begin */
        no_memory();
    must_have_memory(a);
    archive_read_free(a);
    return NULL;
}

static int refuse_member(const struct reading *r, const char *name, const char *why,
                         struct err *err)
{
    return err_set(err, ERR_INPUT, "%s: entry '%s' %s", r->path,
                   name ? foreign_name_shown(name, r->arena) : "(no name)", why);
}

/* What libarchive says, on one line. */
static const char *reason(const struct reading *r)
{
    const char *why = archive_error_string(r->a);
    char *line = arena_strdup(r->arena, why ? why : "unknown error");
    line[strcspn(line, "\n")] = '\0';
    return line;
}

static const char *kind_problem(struct archive_entry *e)
{
    static const struct {
        unsigned type;
        const char *problem;
    } rows[] = {
        {AE_IFREG, NULL},
        {AE_IFLNK, "is a symbolic link"},
        {AE_IFCHR, "is a character device"},
        {AE_IFBLK, "is a block device"},
        {AE_IFIFO, "is a FIFO"},
        {AE_IFSOCK, "is a socket"},
    };
    if (archive_entry_hardlink(e))
        return "is a hard link";
    if (archive_entry_symlink(e))
        return "is a symbolic link";
    if (archive_entry_sparse_count(e) > 0)
        return "is a sparse file";
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (archive_entry_filetype(e) == rows[i].type)
            return rows[i].problem;
    return "has an unknown file type";
}

static int read_member(struct reading *r, const char *name, size_t size, struct err *err)
{
    char *data = arena_room(r->arena, size + 1);
    size_t got = 0;
    data[size] = '\0';
    while (got < size) {
        la_ssize_t n = archive_read_data(r->a, data + got, size - got);
        if (n < 0)
            must_have_memory(r->a);
        if (n < 0)
            return refuse_member(r, name, reason(r), err);
        if (n == 0)
            return refuse_member(r, name, "is shorter than its header states", err);
        got += (size_t)n;
    }
    char more; /* a zip's reader holds it to its CRC at the end */
    la_ssize_t behind = archive_read_data(r->a, &more, 1);
    if (behind != 0) {
        must_have_memory(r->a);
        return refuse_member(r, name, behind > 0 ? "is longer than its header states" : reason(r),
                             err);
    }
    struct tar_member *m = ARENA_PUSH(r->arena, r->out->members, r->out->n);
    *m = (struct tar_member){arena_strdup(r->arena, name), {data, size}};
    r->total += size;
    return 0;
}

static const char *headers_problem(const struct reading *r)
{
    la_int64_t position = archive_read_header_position(r->a);
    return r->handed_in ? tar_headers_problem(*r->handed_in, position < 0 ? 0 : (size_t)position)
                        : NULL;
}

/* A folder is dropped; of one that was handed in, the name must be in order all the same. */
static int pass_folder(const struct reading *r, const char *name, struct err *err)
{
    char *plain = arena_strdup(r->arena, name);
    size_t len = strlen(plain);
    if (len && plain[len - 1] == '/')
        plain[len - 1] = '\0';
    const char *problem = headers_problem(r);
    if (!problem && r->handed_in && *plain && strcmp(plain, ".") != 0)
        problem = foreign_name_problem(plain);
    return problem ? refuse_member(r, name, problem, err) : 0;
}

static int read_archive_entry(struct reading *r, struct archive_entry *e, struct err *err)
{
    const char *name = archive_entry_pathname(e);
    if (++r->entries > ARCHIVE_ENTRIES_MAX)
        return err_set(err, ERR_INPUT, "%s: more than %d entries", r->path, ARCHIVE_ENTRIES_MAX);
    if (!name)
        return refuse_member(r, name, "has a name that is not ASCII", err);
    if (r->handed_in && name[0] == '.' && name[1] == '/') /* as `tar -c .` writes them */
        name += 2;
    if (archive_entry_filetype(e) == AE_IFDIR && !archive_entry_hardlink(e))
        return pass_folder(r, name, err);
    const char *problem = kind_problem(e);
    if (!problem)
        problem = headers_problem(r);
    if (!problem)
        problem = foreign_name_problem(name);
    la_int64_t size = archive_entry_size(e);
    if (!problem && (size < 0 || (size_t)size > ARCHIVE_MEMBER_MAX))
        problem = "is larger than 256 MiB, the limit for one file";
    if (problem)
        return refuse_member(r, name, problem, err);
    if ((size_t)size > r->total_max - r->total)
        return err_set(err, ERR_INPUT,
                       "%s: the contents have more than %zu bytes, the limit for reading", r->path,
                       r->total_max);
    if ((size_t)size > r->ratio_max - r->total)
        return err_set(err, ERR_INPUT, "%s: the file unpacks to more than %d times its packed size",
                       r->path, ARCHIVE_RATIO_MAX);
    return read_member(r, name, (size_t)size, err);
}

static int read_archive_entries(struct reading *r, struct err *err)
{
    for (;;) {
        struct archive_entry *e;
        int got = archive_read_next_header(r->a, &e);
        if (got == ARCHIVE_EOF)
            break;
        if (got != ARCHIVE_OK) {
            must_have_memory(r->a);
            return err_set(err, ERR_INPUT, "%s: not a readable tar: %s", r->path,
                           foreign_name_shown(reason(r), r->arena));
        }
        if (read_archive_entry(r, e, err) < 0)
            return -1;
    }
    tar_sort(r->out->members, r->out->n);
    return tar_check_names(r->out->members, r->out->n, r->path, err);
}

/* ---- what was handed in in other forms --------------------------------------------------- */

/* One member of a zip. */
static int read_expected(struct reading *r, const struct archive_expected *x, struct err *err)
{
    struct archive_entry *e;
    int got = archive_read_next_header(r->a, &e);
    if (got != ARCHIVE_OK && got != ARCHIVE_EOF)
        must_have_memory(r->a);
    if (got != ARCHIVE_OK)
        return refuse_member(r, x->name, "differs from what libarchive reads", err);
    const char *name = archive_entry_pathname(e), *problem = x->folder ? NULL : kind_problem(e);
    if (!name || strcmp(name, x->name) != 0 ||
        (archive_entry_size_is_set(e) && archive_entry_size(e) != (la_int64_t)x->size))
        problem = "differs from what libarchive reads";
    if (problem)
        return refuse_member(r, x->name, problem, err);
    return x->folder ? 0 : read_member(r, x->name, x->size, err);
}

int archive_unzip(struct bytes zip, const char *path, const struct archive_expected *expected,
                  size_t n, struct arena *arena, struct archive_contents *out, struct err *err)
{
    struct reading r = {.path = path, .arena = arena, .out = out};
    int rc = 0;
    *out = (struct archive_contents){0};
    r.a = open_packed(zip, ARCHIVE_FILTER_NONE, ARCHIVE_FORMAT_ZIP);
    if (!r.a)
        return err_set(err, ERR_IO, "%s: libarchive cannot read zip", path);
    for (size_t i = 0; rc == 0 && i < n; i++)
        rc = read_expected(&r, &expected[i], err);
    archive_read_free(r.a);
    return rc;
}

/* A tar is read up to its two blocks of zeros; what stands behind them nobody would see. */
static int check_behind(const struct reading *r, struct bytes tar, struct err *err)
{
    la_int64_t end = archive_filter_bytes(r->a, 0);
    size_t at = end < 0 ? 0 : (size_t)end, len = tar.len;
    const char *problem = tar_end_problem(tar);
    if (problem)
        return err_set(err, ERR_INPUT, "%s: %s", r->path, problem);
    for (at = at < len ? at : len; at < len; at++)
        if (tar.data[at])
            return err_set(err, ERR_INPUT, "%s: %zu bytes follow the end of the tar", r->path,
                           len - at);
    return 0;
}

int archive_untar(struct bytes tar, const char *path, size_t total_max, struct arena *arena,
                  struct archive_contents *out, struct err *err)
{
    struct reading r = {.path = path,
                        .arena = arena,
                        .out = out,
                        .total_max = total_max,
                        .ratio_max = SIZE_MAX,
                        .handed_in = &tar};
    *out = (struct archive_contents){0};
    r.a = open_packed(tar, ARCHIVE_FILTER_NONE, ARCHIVE_FORMAT_TAR);
    if (!r.a)
        return err_set(err, ERR_IO, "%s: libarchive cannot read tar", path);
    int rc = read_archive_entries(&r, err);
    if (rc == 0)
        rc = check_behind(&r, tar, err);
    archive_read_free(r.a);
    return rc;
}

/* ---- is it the one form that we write? --------------------------------------------------- */

struct comparison {
    struct archive *raw;
    const char *piece; /* decompressed, not yet compared */
    size_t left;
};

static bool next_piece(struct comparison *c)
{
    const void *piece;
    la_int64_t offset;
    while (c->left == 0) {
        if (archive_read_data_block(c->raw, &piece, &c->left, &offset) != ARCHIVE_OK)
            return false;
        c->piece = piece;
    }
    return true;
}

/* A tar_sink that compares instead of storing; 1: different. */
static int compare_canonical(void *comparison, const void *data, size_t len, struct err *err)
{
    (void)err;
    struct comparison *c = comparison;
    for (const char *at = data; len > 0;) {
        if (!next_piece(c))
            return 1;
        size_t n = len < c->left ? len : c->left;
        if (memcmp(at, c->piece, n) != 0)
            return 1;
        at += n;
        len -= n;
        c->piece += n;
        c->left -= n;
    }
    return 0;
}

static bool is_canonical(struct bytes packed, const struct archive_contents *contents)
{
    struct archive_entry *e;
    struct err ignored = ERR_INIT;
    struct comparison c = {.raw = open_packed(packed, ARCHIVE_FILTER_ZSTD, ARCHIVE_FORMAT_RAW)};
    bool same =
        c.raw && archive_read_next_header(c.raw, &e) == ARCHIVE_OK &&
        tar_serialise(contents->members, contents->n, compare_canonical, &c, &ignored) == 0 &&
        !next_piece(&c);
    if (!same && c.raw)
        must_have_memory(c.raw);
    if (c.raw)
        archive_read_free(c.raw);
    return same;
}

static int check_seal(struct hash frame, const struct zframe *z, const char *path, struct err *err)
{
    unsigned char sha256[HASH_SHA256_BYTES];
    hash_final_raw(&frame, sha256);
    if (!z->sha256 || memcmp(sha256, z->sha256, sizeof sha256) == 0)
        return 0;
    return err_set(err, ERR_INPUT,
                   "%s: the zstd frame does not match the SHA-256 after it: the file was changed",
                   path);
}

bool archive_is_padded(uint64_t packed, uint64_t plain)
{
    return packed > plain + plain / ARCHIVE_GROWTH_SHARE + ARCHIVE_GROWTH_FLOOR;
}

static int check_padding(const char *path, const struct zframe *z, uint64_t plain, struct err *err)
{
    if (!archive_is_padded(z->len, plain))
        return 0;
    return err_set(err, ERR_INPUT,
                   "%s: the zstd frame has %zu bytes; it exceeds its contents by more than a "
                   "sixteenth plus 64 KiB",
                   path, z->len);
}

int archive_unpack(struct bytes packed, const char *path, size_t total_max, struct arena *arena,
                   struct archive_contents *out, struct err *err)
{
    struct zframe z;
    struct hash h;
    *out = (struct archive_contents){0};
    if (zframe_check(packed.data, packed.len, ARCHIVE_WINDOW_MAX, path, &z, err) < 0 ||
        check_padding(path, &z, z.holds, err) < 0)
        return -1;
    hash_init(&h);
    hash_add(&h, packed.data, z.len);
    if (check_seal(h, &z, path, err) < 0)
        return -1;
    hash_add(&h, packed.data + z.len, packed.len - z.len);
    hash_final(&h, out->sha256);
    out->sealed = z.sha256 != NULL;
    const struct bytes frame = {packed.data, z.len};
    struct reading r = {.path = path, .arena = arena, .out = out, .total_max = total_max};
    r.ratio_max = packed.len * ARCHIVE_RATIO_MAX; /* packed.len <= ARCHIVE_PACKED_MAX */
    if (r.ratio_max < ARCHIVE_RATIO_FLOOR)
        r.ratio_max = ARCHIVE_RATIO_FLOOR;
    r.a = open_packed(frame, ARCHIVE_FILTER_ZSTD, ARCHIVE_FORMAT_TAR);
    if (!r.a)
        return err_set(err, ERR_IO, "%s: libarchive cannot read zstd", path);
    int rc = read_archive_entries(&r, err);
    archive_read_free(r.a);
    if (rc == 0)
        out->canonical = is_canonical(frame, out);
    if (rc == 0 && out->canonical) {
        uint64_t size = 2 * (uint64_t)TAR_BLOCK;
        for (size_t i = 0; i < out->n; i++)
            size += TAR_BLOCK + (out->members[i].bytes.len + TAR_BLOCK - 1) / TAR_BLOCK * TAR_BLOCK;
        rc = check_padding(path, &z, size, err);
    }
    return rc;
}

const char *archive_library_version(void)
{
    return open_libarchive() ? archive_version_string() : NULL;
}

const char *archive_zstd_library_version(void)
{
    const char *version = open_libarchive() ? archive_libzstd_version() : NULL;
    return version ? version : "";
}
