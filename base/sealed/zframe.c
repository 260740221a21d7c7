#include "base/sealed/zframe.h"

#include <stdbool.h>
#include <string.h>

#define MAGIC 0xFD2FB528u
#define BLOCK_MAX ((size_t)128 << 10) /* Block_Maximum_Size */

/* Of a skippable frame (section 3.1.2): its magic, and how many bytes follow. */
static const unsigned char seal_head[ZFRAME_SEAL_HEAD] = {0x50, 0x2a, 0x4d, 0x18, 32, 0, 0, 0};

struct cursor {
    const unsigned char *at;
    size_t left;
};

/* The next n <= 8 bytes as a little-endian number; false when they are not there. */
static bool take_frame_bytes(struct cursor *c, size_t n, uint64_t *out)
{
    if (c->left < n)
        return false;
    *out = 0;
    for (size_t i = 0; i < n; i++)
        *out |= (uint64_t)c->at[i] << (8 * i);
    c->at += n;
    c->left -= n;
    return true;
}

static int truncated(const char *path, struct err *err)
{
    return err_set(err, ERR_INPUT, "%s: the zstd frame is cut short", path);
}

/* Window_Descriptor: exponent in the upper five bits, eighths in the lower three. */
static uint64_t window_of(uint64_t descriptor)
{
    uint64_t base = (uint64_t)1 << (10 + (descriptor >> 3));
    return base + base / 8 * (descriptor & 7);
}

static int frame_header(struct cursor *c, size_t window_max, const char *path, bool *checksum,
                        struct err *err)
{
    static const size_t size_bytes[] = {0, 2, 4, 8};
    uint64_t magic, flags, descriptor = 0, size = 0;
    if (!take_frame_bytes(c, 4, &magic) || magic != MAGIC)
        return err_set(err, ERR_INPUT, "%s: not a zstd file", path);
    if (!take_frame_bytes(c, 1, &flags))
        return truncated(path, err);
    bool single = flags >> 5 & 1;
    size_t fields = size_bytes[flags >> 6 & 3];
    if (flags & 3)
        return err_set(err, ERR_INPUT, "%s: the zstd frame needs a dictionary", path);
    if (flags & 8)
        return err_set(err, ERR_INPUT, "%s: the zstd frame uses a reserved bit", path);
    if (single && fields == 0)
        fields = 1;
    if ((!single && !take_frame_bytes(c, 1, &descriptor)) || !take_frame_bytes(c, fields, &size))
        return truncated(path, err);
    uint64_t window = single ? size + (fields == 2 ? 256 : 0) : window_of(descriptor);
    if (window > window_max)
        return err_set(err, ERR_INPUT,
                       "%s: the zstd frame wants a window of %llu bytes, at most "
                       "%zu are given",
                       path, (unsigned long long)window, window_max);
    *checksum = flags >> 2 & 1;
    return 0;
}

/* Of a compressed block (section 3.1.1.3) without sequences: its literals. All others may
 * regenerate as much as any block, and what is broken is left to who decompresses. */
static size_t holds_at_most(struct cursor c)
{
    static const struct {
        size_t bytes;
        unsigned shift, bits; /* of Regenerated_Size, and of Compressed_Size behind it */
    } plain[] = {{1, 3, 5}, {2, 4, 12}, {1, 3, 5}, {3, 4, 20}},
      packed[] = {{3, 4, 10}, {3, 4, 10}, {4, 4, 14}, {5, 4, 18}};
    uint64_t head, sequences;
    const unsigned first = c.left ? c.at[0] : 0, kind = first & 3, format = first >> 2 & 3;
    size_t bytes = kind < 2 ? plain[format].bytes : packed[format].bytes;
    unsigned shift = kind < 2 ? plain[format].shift : 4;
    unsigned bits = kind < 2 ? plain[format].bits : packed[format].bits;
    if (!take_frame_bytes(&c, bytes, &head))
        return BLOCK_MAX;
    uint64_t mask = ((uint64_t)1 << bits) - 1, literals = head >> shift & mask;
    size_t stored = kind == 0   ? (size_t)literals
                    : kind == 1 ? 1
                                : (size_t)(head >> (shift + bits) & mask);
    if (literals > BLOCK_MAX || c.left <= stored)
        return BLOCK_MAX;
    c.at += stored;
    c.left -= stored;
    return take_frame_bytes(&c, 1, &sequences) && sequences == 0 ? (size_t)literals : BLOCK_MAX;
}

/* Block_Header: last block, type (raw, RLE, compressed, reserved), size. */
static int blocks(struct cursor *c, const char *path, uint64_t *holds, struct err *err)
{
    for (uint64_t head = 0; !(head & 1);) {
        if (!take_frame_bytes(c, 3, &head))
            return truncated(path, err);
        unsigned type = head >> 1 & 3;
        size_t size = (size_t)(head >> 3);
        if (type == 3 || size > BLOCK_MAX)
            return err_set(err, ERR_INPUT, "%s: the zstd frame has a broken block header", path);
        size_t stored = type == 1 ? 1 : size;
        if (c->left < stored)
            return truncated(path, err);
        *holds += type == 2 ? holds_at_most((struct cursor){c->at, stored}) : size;
        c->at += stored;
        c->left -= stored;
    }
    return 0;
}

int zframe_check(const void *data, size_t len, size_t window_max, const char *path,
                 struct zframe *out, struct err *err)
{
    struct cursor c = {data, len};
    bool checksum = false;
    uint64_t ignored;
    out->holds = 0;
    if (frame_header(&c, window_max, path, &checksum, err) < 0 ||
        blocks(&c, path, &out->holds, err) < 0)
        return -1;
    if (checksum && !take_frame_bytes(&c, 4, &ignored))
        return truncated(path, err);
    out->len = len - c.left;
    /* What follows the frame: nothing, or the mark and a digest. */
    out->sha256 = NULL;
    if (!c.left)
        return 0;
    if (c.left == ZFRAME_SEAL_BYTES && memcmp(c.at, seal_head, sizeof seal_head) == 0) {
        out->sha256 = c.at + sizeof seal_head;
        return 0;
    }
    return err_set(err, ERR_INPUT, "%s: %zu bytes follow the zstd frame", path, c.left);
}

void zframe_seal_head(unsigned char head[ZFRAME_SEAL_HEAD])
{
    memcpy(head, seal_head, sizeof seal_head);
}
