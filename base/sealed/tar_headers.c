/*
 * The headers in front of one file of a tar that was handed in (tar.h), as POSIX has them: what our
 * reader makes of them must be what others make of them. So whatever two readers take for two
 * things is refused: two longer names for one file, sizes or names of all that follow, holes, and
 * numbers that are not digits.
 */
#include "base/sealed/tar.h"

#include <stdbool.h>
#include <string.h>

#define BLOCK 512

struct chain {
    const char *problem;
    size_t names; /* longer ones */
};

/* Octal digits, behind blanks and before a blank or NUL; false: something else. */
static bool read_octal_size(const char *field, size_t *out)
{
    size_t i = 0;
    while (i < 12 && field[i] == ' ')
        i++;
    size_t from = i;
    for (*out = 0; i < 12 && field[i] >= '0' && field[i] <= '7'; i++)
        *out = *out << 3 | (size_t)(field[i] - '0');
    return i > from && (i == 12 || field[i] == ' ' || !field[i]);
}

/* What else a header has in numbers: digits as above, base 256 or nothing. Some readers end,
 * without a word, at one that is none. */
static bool has_numbers(const char *h)
{
    static const struct {
        size_t at, n;
    } fields[] = {{100, 8}, {108, 8}, {116, 8}, {136, 12}, {329, 8}, {337, 8}};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        const char *field = h + fields[i].at, *end = field + fields[i].n;
        if (*field & 0x80)
            continue;
        for (; field < end && *field == ' '; field++)
            ;
        for (; field < end && *field >= '0' && *field <= '7'; field++)
            ;
        for (; field < end && *field == ' '; field++)
            ;
        if (field < end && *field)
            return false;
    }
    return true;
}

static bool is_pax_key(const char *key, size_t n, const char *of)
{
    size_t len = strlen(of);
    return of[len - 1] == '.' ? n >= len && memcmp(key, of, len) == 0
                              : n == len && memcmp(key, of, len) == 0;
}

/* One "key=value" of a pax header, whose `kind` is 'x', or 'g' where it is for all that follows. */
static void take_record(struct chain *c, char kind, const char *key, size_t n)
{
    static const struct {
        const char *key; /* and all that begin with it, where it ends in a dot */
        bool for_all;    /* refused only there */
        const char *problem;
    } refused[] = {
        {"path", true, "has a global pax header that names all files after it"},
        {"linkpath", true, "has a global pax header that names all files after it"},
        {"size", false, "has its size in a pax header, which some readers ignore"},
        {"GNU.sparse.", false, "is a sparse file"},
        {"SCHILY.realsize", false, "is a sparse file"},
        {"SUN.holesdata", false, "is a sparse file"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (is_pax_key(key, n, refused[i].key) && (kind == 'g' || !refused[i].for_all))
            c->problem = refused[i].problem;
    c->names += is_pax_key(key, n, "path");
}

/* Records "LENGTH key=value\n", whose length is that of all of it. */
static void take_records(struct chain *c, char kind, const char *at, size_t left)
{
    while (left) {
        size_t len = 0, i = 0;
        while (i < left && i < 9 && at[i] >= '0' && at[i] <= '9')
            len = len * 10 + (size_t)(at[i++] - '0');
        const char *key = at + i + 1, *equals = NULL;
        if (i && len > i + 1 && len <= left && at[i] == ' ' && at[len - 1] == '\n')
            equals = memchr(key, '=', len - i - 1);
        if (!equals)
            c->problem = "has a pax header that cannot be read";
        else if (memchr(at, '\0', len))
            c->problem = "has a NUL byte in its pax header";
        else
            take_record(c, kind, key, (size_t)(equals - key));
        if (c->problem)
            return;
        at += len;
        left -= len;
    }
}

const char *tar_headers_problem(struct bytes tar, size_t at)
{
    struct chain c = {0};
    while (!c.problem && at <= tar.len && tar.len - at >= BLOCK) {
        const char *h = tar.data + at, kind = h[156];
        size_t size, room = tar.len - at - BLOCK;
        if (!read_octal_size(h + 124, &size))
            return "has a size that is not an octal number";
        if (!has_numbers(h))
            return "has a number that is not of octal digits";
        if (!kind || strchr("05", kind)) {
            /* The header of the file itself: only that of POSIX has room for the beginning of a
             * name. */
            static const char nothing[155];
            if (memcmp(h + 257, "ustar", 6) != 0 && memcmp(h + 345, nothing, sizeof nothing) != 0)
                c.problem = "has a name prefix, but its header format has no prefix field";
            if (!c.problem && kind == '5' && size) /* or headers, to who skips no contents there */
                c.problem = "is a folder entry with data";
            return c.problem;
        }
        if (!strchr("xgLK", kind) || size > room)
            break;
        if (strchr("xg", kind))
            take_records(&c, kind, h + BLOCK, size);
        c.names += kind == 'L';
        if (c.names > 1)
            c.problem = "has two long-name headers";
        at += BLOCK + (size + BLOCK - 1) / BLOCK * BLOCK;
    }
    return c.problem ? c.problem : "has an unknown file type";
}

const char *tar_end_problem(struct bytes tar)
{
    static const char zeros[BLOCK];
    size_t at = 0, size;
    char kind = '0';
    while (at <= tar.len && tar.len - at >= BLOCK && memcmp(tar.data + at, zeros, BLOCK) != 0) {
        if (!read_octal_size(tar.data + at + 124, &size) || size > tar.len - at - BLOCK)
            return NULL; /* what our reader has refused */
        kind = tar.data[at + 156];
        at += BLOCK + (size + BLOCK - 1) / BLOCK * BLOCK;
    }
    return kind && !strchr("05", kind) ? "the last file is followed by a header without a "
                                         "file"
                                       : NULL;
}
