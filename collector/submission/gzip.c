#include "collector/submission/gzip.h"

#include <string.h>

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

int gzip_as_zip(struct bytes gzip, const char *path, struct arena *arena, struct bytes *zip,
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
