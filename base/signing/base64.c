#include "base/signing/base64.h"

#include <string.h>

#include <openssl/evp.h>

#define PIECE_BYTES 768 /* divisible by 3, so that only the last piece is padded */

void base64_encode(const void *data, size_t len, struct buf *out)
{
    const unsigned char *at = data;
    unsigned char text[PIECE_BYTES / 3 * 4 + 1];
    for (size_t i = 0; i < len; i += PIECE_BYTES) {
        size_t left = len - i < PIECE_BYTES ? len - i : PIECE_BYTES;
        buf_add(out, (const char *)text, (size_t)EVP_EncodeBlock(text, at + i, (int)left));
    }
}

/* The library passes over white space at both ends and over bits behind the last byte. */
static bool is_canonical_base64(const char *text, size_t len, struct bytes bytes)
{
    struct buf again = BUF_INIT(len + 1);
    base64_encode(bytes.data, bytes.len, &again);
    bool same = again.len == len && (!len || memcmp(again.data, text, len) == 0);
    buf_release(&again);
    return same;
}

bool base64_decode(const char *text, size_t len, struct arena *arena, struct bytes *out)
{
    size_t padding = len < 4 || text[len - 1] != '=' ? 0 : text[len - 2] != '=' ? 1 : 2;
    if (len % 4 || len > BASE64_CHARACTERS_MAX)
        return false;
    unsigned char *to = arena_alloc(arena, len / 4 * 3 + 1);
    if (len && EVP_DecodeBlock(to, (const unsigned char *)text, (int)len) != (int)(len / 4 * 3))
        return false;
    size_t n = len / 4 * 3 - padding;
    to[n] = '\0';
    *out = (struct bytes){(const char *)to, n};
    return is_canonical_base64(text, len, *out);
}
