/*
 * zframe: look at a zstd file before anything is decompressed (RFC 8878, section 3.1).
 *
 * Walks the headers of the frame and of its blocks, so that a caller knows what a decompressor
 * would have to set aside, and that exactly one frame fills the file. Of a compressed block the
 * headers of its two sections are looked at, which say whether it holds anything but literals.
 *
 * Behind the frame one thing may stand: its seal, a skippable frame of 40 bytes with the SHA-256 of
 * the frame, which every zstd passes over. zstd has several ways to write the same contents, so
 * that a bit can change in a file and nothing in what it holds; with the seal none can.
 */
#pragma once

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

#define ZFRAME_SEAL_HEAD 8
#define ZFRAME_SEAL_BYTES (ZFRAME_SEAL_HEAD + 32)

struct zframe {
    size_t len;                  /* of the frame, which begins the file */
    const unsigned char *sha256; /* of its seal, 32 bytes; NULL: it has none */
    uint64_t holds;              /* it regenerates so many bytes at most, as its blocks say */
};

/*
 * 0 when `data` is one whole zstd frame, needs no dictionary and a window of at most
 * `window_max` bytes, and nothing but a seal follows it; else -1 and "<path>: …". Whether the
 * seal's digest is right is not asked.
 */
int zframe_check(const void *data, size_t len, size_t window_max, const char *path,
                 struct zframe *out, struct err *err);

/* What a seal begins with. */
void zframe_seal_head(unsigned char head[ZFRAME_SEAL_HEAD]);
