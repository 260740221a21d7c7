/* fuzz_frame: bytes in a zstd frame of blocks that are not compressed, so that changes of them
 * reach the readers behind it, and quickly. */
#pragma once

#include "base/arena.h"

#include <stdint.h>

#define FUZZ_BLOCK_MAX 65536 /* bytes in a block of the frame */

static inline void fuzz_frame(struct buf *out, const uint8_t *data, size_t size)
{
    static const unsigned char head[] = {0x28, 0xb5, 0x2f,
                                         0xfd, 0x00, 0x38}; /* window of 128 KiB */
    buf_add(out, (const char *)head, sizeof head);
    for (size_t at = 0; at <= size; at += FUZZ_BLOCK_MAX) {
        size_t n = size - at < FUZZ_BLOCK_MAX ? size - at : FUZZ_BLOCK_MAX;
        uint32_t block = (uint32_t)n << 3 | (size - at <= FUZZ_BLOCK_MAX);
        const char bytes[] = {(char)block, (char)(block >> 8), (char)(block >> 16)};
        buf_add(out, bytes, sizeof bytes);
        buf_add(out, (const char *)data + at, n);
        if (size - at <= FUZZ_BLOCK_MAX)
            break;
    }
}
