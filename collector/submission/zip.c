#include "collector/submission/zip.h"

#include "base/foreign.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define LOCAL "PK\3\4"
#define CENTRAL "PK\1\2"
#define END "PK\5\6"
#define DESCRIPTOR "PK\7\10"
#define LOCAL_BYTES 30
#define CENTRAL_BYTES 46
#define END_BYTES 22
#define COMMENT_MAX 65535

#define FLAG_ENCRYPTED 0x0001
#define FLAG_SIZE_BEHIND 0x0008 /* sizes and CRC follow the contents */
#define FLAGS_KNOWN 0x080e      /* that, how hard was compressed, names in UTF-8 */

#define TYPE_MASK 0170000 /* of a Unix mode, in the upper half of the external attributes */
#define TYPE_FILE 0100000
#define TYPE_FOLDER 0040000

/* A header of the central directory. */
struct central {
    const char *name; /* with a NUL behind it */
    size_t name_len;
    unsigned flags, method, type;
    uint32_t crc, packed, size, at; /* at: where its local header begins */
};

struct looking {
    const unsigned char *data;
    size_t len, directory, end; /* where the central directory and what ends it begin */
    const char *path;
    struct arena *arena;
    struct central *all;
    size_t n;
    struct err *err;
};

static unsigned two(const unsigned char *at)
{
    return (unsigned)at[0] | (unsigned)at[1] << 8;
}

static uint32_t four(const unsigned char *at)
{
    return (uint32_t)two(at) | (uint32_t)two(at + 2) << 16;
}

static int refuse_zip(const struct looking *z, const char *why)
{
    return err_set(z->err, ERR_INPUT, "%s: %s", z->path, why);
}

static int refuse_entry(const struct looking *z, const struct central *c, const char *why)
{
    return err_set(z->err, ERR_INPUT, "%s: entry '%s': %s", z->path,
                   foreign_name_shown(c->name, z->arena), why);
}

/* ---- where it ends ----------------------------------------------------------------------- */

static bool ends_here(const struct looking *z, size_t at)
{
    return memcmp(z->data + at, END, 4) == 0 && at + END_BYTES + two(z->data + at + 20) == z->len;
}

/* Some readers take the last mark of an end, others the first that fits: there must be one. */
static int find_zip_end(struct looking *z)
{
    if (z->len < END_BYTES)
        return refuse_zip(z, "found a zip that is cut short, expected a whole one");
    size_t last = z->len - END_BYTES, least = last > COMMENT_MAX ? last - COMMENT_MAX : 0;
    while (last > least && memcmp(z->data + last, END, 4) != 0)
        last--;
    if (memcmp(z->data + last, END, 4) != 0)
        return refuse_zip(z,
                          "found no end of a central directory, expected a whole zip with nothing "
                          "behind it");
    if (!ends_here(z, last))
        return refuse_zip(z,
                          "found bytes behind the end of its central directory, or a second end in "
                          "its comment, expected neither");
    for (size_t at = least; at < last; at++)
        if (ends_here(z, at))
            return refuse_zip(z, "found two ends of a central directory, one in the comment of the "
                                 "other, expected one");
    z->end = last;
    return 0;
}

static int read_end(struct looking *z)
{
    const unsigned char *e = z->data + z->end;
    uint32_t bytes = four(e + 12), at = four(e + 16);
    if (two(e + 8) == 0xffff || two(e + 10) == 0xffff || bytes == UINT32_MAX || at == UINT32_MAX)
        return refuse_zip(z, "found zip64, expected a plain zip, as nothing of 256 MiB needs it");
    if (two(e + 4) || two(e + 6) || two(e + 8) != two(e + 10))
        return refuse_zip(z, "found a part of a zip in several files, expected a whole one");
    if ((uint64_t)at + bytes != z->end)
        return refuse_zip(z, "found bytes in front of the zip or between its central directory and "
                             "the end of it, expected none");
    z->n = two(e + 10);
    z->directory = at;
    if (z->n > ARCHIVE_ENTRIES_MAX)
        return err_set(z->err, ERR_INPUT, "%s: found %zu entries, expected at most %d", z->path,
                       z->n, ARCHIVE_ENTRIES_MAX);
    return z->n ? 0 : refuse_zip(z, "found an empty zip, expected files");
}

/* ---- what the central directory says ----------------------------------------------------- */

/* Times and owners, in the kinds that writers have of them. What else there is gives a second
 * name, a second size, a link, a key. */
static bool extra_is_known(unsigned id)
{
    static const unsigned known[] = {0x5455, 0x7875, 0x5855, 0x7855, 0x000a, 0xcafe};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i] == id)
            return true;
    return false;
}

static int check_extra(const struct looking *z, const struct central *c, const unsigned char *at,
                       size_t len)
{
    while (len >= 4) {
        unsigned id = two(at), size = two(at + 2);
        if (id == 1)
            return refuse_entry(
                z, c, "found zip64, expected a plain zip, as nothing of 256 MiB needs it");
        if (!extra_is_known(id))
            return err_set(z->err, ERR_INPUT,
                           "%s: entry '%s': found an extra field 0x%04x, expected none but times "
                           "and owners",
                           z->path, foreign_name_shown(c->name, z->arena), id);
        if (size > len - 4)
            break;
        at += 4 + size;
        len -= 4 + size;
    }
    return len ? refuse_entry(z, c, "found extra fields that do not end, expected whole ones") : 0;
}

/* A folder ends in '/', and only a folder does. */
static bool is_zip_folder(const struct central *c)
{
    return c->name_len && c->name[c->name_len - 1] == '/';
}

static const char *name_problem(const struct looking *z, const struct central *c)
{
    if (memchr(c->name, '\0', c->name_len))
        return "has a NUL byte";
    return foreign_name_problem(is_zip_folder(c) ? arena_strndup(z->arena, c->name, c->name_len - 1)
                                                 : c->name);
}

static const char *type_problem(const struct central *c)
{
    if (c->type && c->type != TYPE_FILE && c->type != TYPE_FOLDER)
        return "found a link or a special file, expected a regular one";
    if (c->type && (c->type == TYPE_FOLDER) != is_zip_folder(c))
        return "found a folder by its name or by its type and not by both, expected one of them";
    if (is_zip_folder(c) && (c->size || c->packed > 2)) /* deflate takes two bytes for nothing */
        return "found a folder with contents, expected none";
    return NULL;
}

static int check_central(const struct looking *z, const struct central *c)
{
    const char *problem = name_problem(z, c);
    const char *shown = foreign_name_shown(c->name, z->arena);
    if (problem)
        return err_set(z->err, ERR_INPUT, "%s: the name '%s' %s", z->path, shown, problem);
    if (c->flags & FLAG_ENCRYPTED)
        return refuse_entry(z, c, "found it encrypted, expected it plain");
    if (c->flags & ~(unsigned)FLAGS_KNOWN)
        return err_set(z->err, ERR_INPUT,
                       "%s: entry '%s': found flags 0x%04x, expected only 0x%04x", z->path, shown,
                       c->flags, FLAGS_KNOWN);
    if (c->method != 0 && c->method != 8)
        return err_set(z->err, ERR_INPUT,
                       "%s: entry '%s': found compression method %u, expected 0 (stored) or 8 "
                       "(deflated)",
                       z->path, shown, c->method);
    if (c->packed == UINT32_MAX || c->size == UINT32_MAX || c->at == UINT32_MAX)
        return refuse_entry(z, c,
                            "found zip64, expected a plain zip, as nothing of 256 MiB needs it");
    if (c->size > ARCHIVE_MEMBER_MAX)
        return refuse_entry(z, c, "found more bytes than the 256 MiB that one file may have");
    if (c->method == 0 && c->packed != c->size)
        return refuse_entry(z, c, "found two stored sizes, expected one");
    if (c->method == 0 && c->size && c->flags & FLAG_SIZE_BEHIND)
        return refuse_entry(z, c, "found it stored with its size behind it, expected it in front");
    problem = type_problem(c);
    return problem ? refuse_entry(z, c, problem) : 0;
}

static int read_central(struct looking *z)
{
    size_t at = z->directory;
    z->all = arena_array(z->arena, z->n, sizeof *z->all);
    for (size_t i = 0; i < z->n; i++) {
        struct central *c = &z->all[i];
        const unsigned char *h = z->data + at;
        if (z->end - at < CENTRAL_BYTES || memcmp(h, CENTRAL, 4) != 0)
            return refuse_zip(z,
                              "found a central directory with fewer entries than its end counts");
        size_t name = two(h + 28), extra = two(h + 30), comment = two(h + 32);
        if (z->end - at - CENTRAL_BYTES < name + extra + comment)
            return refuse_zip(z,
                              "found a central directory that is cut short, expected a whole one");
        *c =
            (struct central){.name = arena_strndup(z->arena, (const char *)h + CENTRAL_BYTES, name),
                             .name_len = name,
                             .flags = two(h + 8),
                             .method = two(h + 10),
                             .type = two(h + 40) & TYPE_MASK,
                             .crc = four(h + 16),
                             .packed = four(h + 20),
                             .size = four(h + 24),
                             .at = four(h + 42)};
        if (two(h + 34))
            return refuse_entry(z, c, "found it in another file, expected all in this one");
        if (check_central(z, c) < 0 || check_extra(z, c, h + CENTRAL_BYTES + name, extra) < 0)
            return -1;
        at += CENTRAL_BYTES + name + extra + comment;
    }
    return at == z->end ? 0
                        : refuse_zip(z, "found more in the central directory than its end counts");
}

/* ---- what stands in front of each member ------------------------------------------------- */

static int refuse_zip_difference(const struct looking *z, const struct central *c, const char *what)
{
    return err_set(z->err, ERR_INPUT,
                   "%s: entry '%s': found another %s in front of it than in the central directory, "
                   "expected the same",
                   z->path, foreign_name_shown(c->name, z->arena), what);
}

/* CRC, packed size, size. */
static bool says_same(const unsigned char *at, const struct central *c)
{
    return four(at) == c->crc && four(at + 4) == c->packed && four(at + 8) == c->size;
}

/* Where they follow the contents, each may be 0 in front. */
static bool says_no_other(const unsigned char *at, const struct central *c)
{
    const uint32_t all[] = {c->crc, c->packed, c->size};
    for (size_t i = 0; i < 3; i++)
        if (four(at + 4 * i) && four(at + 4 * i) != all[i])
            return false;
    return true;
}

/* The local header at c->at, whose member ends where the next one begins. */
static int check_local(const struct looking *z, const struct central *c, size_t end)
{
    const unsigned char *h = z->data + c->at;
    if (end - c->at < LOCAL_BYTES || memcmp(h, LOCAL, 4) != 0)
        return refuse_entry(z, c, "found no header where the central directory says, expected one");
    size_t name = two(h + 26), extra = two(h + 28), left = end - c->at - LOCAL_BYTES;
    bool behind = c->flags & FLAG_SIZE_BEHIND;
    if (name != c->name_len || left < name || memcmp(h + LOCAL_BYTES, c->name, name) != 0)
        return refuse_zip_difference(z, c, "name");
    if (two(h + 6) != c->flags || two(h + 8) != c->method)
        return refuse_zip_difference(z, c, "method or other flags");
    if (!(behind ? says_no_other(h + 14, c) : says_same(h + 14, c)))
        return refuse_zip_difference(z, c, "size or CRC");
    if (left - name < extra || left - name - extra < c->packed)
        return refuse_entry(z, c, "found an overlap with the next one, expected no overlap");
    if (check_extra(z, c, h + LOCAL_BYTES + name, extra) < 0)
        return -1;
    size_t contents_end = c->at + LOCAL_BYTES + name + extra + c->packed;
    if (behind) {
        /* What follows the contents: the three again, with or without a mark, up to the next
         * member. */
        const unsigned char *d = z->data + contents_end;
        if (end - contents_end == 16 && memcmp(d, DESCRIPTOR, 4) == 0 && says_same(d + 4, c))
            return 0;
        if (end - contents_end == 12 && says_same(d, c))
            return 0;
        return refuse_zip_difference(z, c, "size or CRC behind it, or");
    }
    return contents_end == end ? 0 : refuse_entry(z, c, "found bytes behind it, expected none");
}

static int compare_central_places(const void *a, const void *b)
{
    const struct central *x = a, *y = b;
    return (x->at > y->at) - (x->at < y->at);
}

static int check_locals(struct looking *z)
{
    qsort(z->all, z->n, sizeof *z->all, compare_central_places);
    if (z->all[0].at != 0)
        return refuse_zip(z, "found bytes in front of the first entry, expected none");
    for (size_t i = 0; i < z->n; i++) {
        size_t end = i + 1 < z->n ? z->all[i + 1].at : z->directory;
        if (z->all[i].at >= end)
            return refuse_entry(z, &z->all[i],
                                "found an overlap with the next one, expected no overlap");
        if (check_local(z, &z->all[i], end) < 0)
            return -1;
    }
    return 0;
}

int zip_look(struct bytes zip, const char *path, struct arena *arena, struct archive_expected **out,
             size_t *n, struct err *err)
{
    struct looking z = {.data = (const unsigned char *)zip.data,
                        .len = zip.len,
                        .path = path,
                        .arena = arena,
                        .err = err};
    if (find_zip_end(&z) < 0 || read_end(&z) < 0 || read_central(&z) < 0 || check_locals(&z) < 0)
        return -1;
    *n = z.n;
    *out = arena_array(arena, z.n, sizeof **out);
    for (size_t i = 0; i < z.n; i++)
        (*out)[i] =
            (struct archive_expected){z.all[i].name, z.all[i].size, is_zip_folder(&z.all[i])};
    return 0;
}
