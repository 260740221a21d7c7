/*
 * zframe: look at a zstd file before anything is decompressed (RFC 8878, section 3.1).
 *
 * Walks the headers of the frame and of its blocks, so that a caller knows what a decompressor
 * would have to set aside, and that exactly one frame fills the file. The blocks' contents are
 * not looked at.
 */
#ifndef BASE_ZFRAME_H
#define BASE_ZFRAME_H

#include "base/err.h"

#include <stddef.h>

/*
 * 0 when `data` is one whole zstd frame, needs no dictionary and a window of at most
 * `window_max` bytes, and nothing follows it; else -1 and "<path>: …".
 */
int zframe_check(const void *data, size_t len, size_t window_max, const char *path,
                 struct err *err);

#endif
