/*
 * base64: the alphabet of RFC 4648, section 4, in its one canonical form.
 *
 * Decoding takes no white space, wants the padding, and refuses bits behind the last byte, so that
 * exactly one text stands for any bytes.
 */
#pragma once

#include "base/arena.h"

#define BASE64_CHARACTERS_MAX ((size_t)1 << 30)

/* False when `text` is not canonical base64; else the bytes, in `arena`. */
bool base64_decode(const char *text, size_t len, struct arena *arena, struct bytes *out);

void base64_encode(const void *data, size_t len, struct buf *out);
